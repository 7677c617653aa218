mod frames;

use proptest::prelude::*;

use super::*;
use crate::studio_model::sample::{sample, sample_files};
use crate::studio_motion::StudioMotion;
use crate::vtx::StripLayout;
use ironlands_assets_proof::{assert_refuses_every_truncation, assert_survives_mutations, set32};

fn assemble(files: &StudioFiles) -> Result<StudioModel, FormatError> {
    StudioModel::read(&files.mdl, &files.vvd, &files.vtx)
}

fn assert_reads_back(draft: &StudioDraft, model: &StudioModel) {
    assert_eq!(model.name, draft.name);
    assert_eq!(model.textures, draft.textures);
    assert_eq!(model.texture_folders, draft.texture_folders);
    assert_eq!(model.surface_property, draft.surface_property);
    assert_eq!(model.skins[1..], draft.more_skins);
    assert_eq!(
        model.skins[0],
        (0..draft.textures.len()).collect::<Vec<_>>()
    );
    assert_eq!(model.meshes.len(), draft.meshes.len());
    for (read, drafted) in model.meshes.iter().zip(&draft.meshes) {
        assert_eq!(read.material, drafted.material);
        assert_eq!(read.positions, drafted.positions);
        assert_eq!(read.normals, drafted.normals);
        assert_eq!(read.uvs, drafted.uvs);
        assert_eq!(read.indices, drafted.indices);
        assert_eq!((read.body_part, read.model), (0, 0));
    }
}

#[test]
fn a_draft_reads_back_as_it_was() {
    let files = sample_files();
    let model = assemble(&files).unwrap();
    assert_reads_back(&sample(), &model);
    assert_eq!(model.hull, [[0.0, 0.0, 0.0], [11.0, 1.0, 2.0]]);
    assert_eq!(model.illumination_position, [5.5, 0.5, 1.0]);
    assert_eq!(model.flags, 0x10);
    assert_eq!(model.meshes_of(0).count(), 2);
    assert_eq!(Mdl::read(&files.mdl).unwrap().check(), []);
    assert_eq!(Vvd::read(&files.vvd).unwrap().check(), []);
    assert_eq!(Vtx::read(&files.vtx).unwrap().check(), []);
}

#[test]
fn material_paths_name_every_folder_in_order() {
    let model = assemble(&sample_files()).unwrap();
    let crate_paths = [
        "materials/models/props/crate.vmt",
        "materials/models/shared/crate.vmt",
    ];
    let lid_paths = [
        "materials/models/props/lid.vmt",
        "materials/models/shared/lid.vmt",
    ];
    assert_eq!(model.material_paths(0, 0, 0), crate_paths);
    assert_eq!(model.material_paths(1, 0, 0), lid_paths);
    assert_eq!(
        model.material_paths(7, 1, 0),
        lid_paths,
        "skin 7 is not there"
    );
    assert_eq!(model.material_paths(-1, 1, 0), lid_paths);
    assert!(model.material_paths(0, 2, 0).is_empty());
}

#[test]
fn coarser_levels_have_materials_of_their_own() {
    let mut files = sample_files();
    let table = files.vtx.len() as u32;
    for (at, word) in [(20, 2), (24, table)] {
        set32(&mut files.vtx, at, word);
    }
    // Nothing at the finest level; the next one names texture 1 twice, and one that is not there.
    for word in [0, 0, 3, 8] {
        files.vtx.extend(u32::to_le_bytes(word));
    }
    for (texture, name) in [(1_u16, 18_u32), (1, 17), (2, 6)] {
        files.vtx.extend(texture.to_le_bytes());
        files.vtx.extend(name.to_le_bytes());
    }
    files.vtx.extend(b"Far\\lid\0");
    let model = assemble(&files).unwrap();
    let lid = "materials/models/props/lid.vmt";
    let far = "materials/models/props/far/lid.vmt";
    for (skin, reference, lod, path) in [
        (0, 1, 0, lid),
        (0, 1, 1, far),
        (0, 1, 2, lid),
        // The second skin has the textures in the other order.
        (1, 0, 1, far),
        (1, 1, 1, "materials/models/props/crate.vmt"),
    ] {
        assert_eq!(model.material_paths(skin, reference, lod)[0], path);
    }
    assert_eq!(Vtx::read(&files.vtx).unwrap().write().unwrap(), files.vtx);
}

#[test]
fn a_body_number_chooses_one_model_of_each_part() {
    let part = |base, n_models| BodyChoices {
        name: String::new(),
        base,
        names: vec![String::new(); n_models],
    };
    assert_eq!(part(1, 2).choice(3), Some(1));
    assert_eq!(part(2, 3).choice(5), Some(2));
    assert_eq!(part(2, 3).choice(6), Some(0));
    assert_eq!(part(1, 0).choice(0), None);
    let mut model = assemble(&sample_files()).unwrap();
    model.body_parts = vec![part(1, 2), part(2, 2)];
    (model.meshes[0].model, model.meshes[1].body_part) = (1, 1);
    let shown = |body| {
        model
            .meshes_of(body)
            .map(|(index, _)| index)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        [shown(0), shown(1), shown(2), shown(3)],
        [vec![1], vec![0, 1], vec![], vec![0]]
    );
}

/// What is changed in the sample's files, and the field that must be named.
type Damage = (fn(&mut StudioFiles), &'static str);

/// Places in the sample's files: the tables of the mdl follow each other, and so do the records of the vtx.
const VTX_GROUP_0: usize = 36 + 8 + 8 + 8 + 12 + 2 * 9;

fn mdl_offset(files: &StudioFiles, field: usize) -> usize {
    u32::from_le_bytes(files.mdl[field..field + 4].try_into().unwrap()) as usize
}

#[test]
fn problems_name_what_does_not_fit_together() {
    let damages: [Damage; 11] = [
        (|f| f.vvd[8] ^= 1, "checksum"),
        (|f| f.vtx[16] ^= 1, "checksum"),
        (|f| set32(&mut f.vtx, 36 + 8 + 8 + 8, 1), "meshes"),
        (|f| set32(&mut f.vtx, 36 + 8, 0), "models"),
        (|f| set32(&mut f.vtx, 28, 0), "body parts"),
        // The first vertex of the first group, then its first index.
        (
            |f| f.vtx[VTX_GROUP_0 + 2 * 25 + 4] = 4,
            "strip group vertex",
        ),
        (
            |f| f.vtx[VTX_GROUP_0 + 2 * 25 + 4 * 9] = 4,
            "strip group index",
        ),
        // Its strip: number of indices, flags.
        (
            |f| set32(&mut f.vtx, VTX_GROUP_0 + 2 * 25 + 4 * 9 + 12, 7),
            "strip indices",
        ),
        (
            |f| f.vtx[VTX_GROUP_0 + 2 * 25 + 4 * 9 + 12 + 18] = 0,
            "strip flags",
        ),
        (
            |f| {
                let mesh = mdl_offset(f, 236) + 16 + 148;
                set32(&mut f.mdl, mesh, 2);
            },
            "mesh material",
        ),
        (
            |f| {
                let mesh = mdl_offset(f, 236) + 16 + 148;
                set32(&mut f.mdl, mesh + 12, 5);
            },
            "mesh vertices",
        ),
    ];
    for (change, field) in damages {
        let mut files = sample_files();
        change(&mut files);
        let error = assemble(&files).unwrap_err();
        assert_eq!(error.field, field, "{error}");
    }
}

#[test]
fn skins_of_textures_that_are_not_there_are_refused() {
    let mut files = sample_files();
    let skins = mdl_offset(&files, 228);
    files.mdl[skins] = 2;
    assert_eq!(assemble(&files).unwrap_err().field, "skins");
}

#[test]
fn strips_turn_every_other_triangle() {
    let mut files = sample_files();
    // The six indices of the first group become a strip of four and two unused ones.
    let indices = VTX_GROUP_0 + 2 * 25 + 4 * 9;
    for (at, index) in [0_u8, 2, 1, 3].into_iter().enumerate() {
        files.vtx[indices + 2 * at] = index;
    }
    set32(&mut files.vtx, indices + 12, 4);
    files.vtx[indices + 12 + 18] = 2;
    let model = assemble(&files).unwrap();
    // The strip 0, 2, 1, 3 is the clockwise triangles (0, 2, 1) and (1, 2, 3), turned.
    assert_eq!(model.meshes[0].indices, [0, 1, 2, 1, 3, 2]);
    assert!(model.meshes[0].indices != sample().meshes[0].indices);
}

#[test]
fn drafts_that_files_cannot_hold_are_refused() {
    let refused: [fn(&mut StudioDraft); 7] = [
        |draft| draft.name = "x".repeat(64),
        |draft| draft.surface_property = "a\0b".into(),
        |draft| draft.more_skins[0].push(0),
        |draft| draft.meshes[0].material = 2,
        |draft| draft.meshes[0].indices[0] = 4,
        |draft| draft.meshes[0].normals.truncate(3),
        |draft| draft.meshes[0].indices.truncate(4),
    ];
    for change in refused {
        let mut draft = sample();
        change(&mut draft);
        assert!(StudioModel::draft(&draft).is_err(), "{draft:?}");
    }
    let mut draft = sample();
    let mesh = &mut draft.meshes[0];
    mesh.positions.resize(65_537, [0.0; 3]);
    mesh.normals.resize(65_537, [0.0; 3]);
    mesh.uvs.resize(65_537, [0.0; 2]);
    assert_eq!(StudioModel::draft(&draft).unwrap_err().field, "mesh");
}

#[test]
fn baked_light_finds_its_vertices() {
    let files = sample_files();
    let model = assemble(&files).unwrap();
    let vhv = |checksum: u32, n_vertices: [u32; 2], vertex_size: u32| {
        let mut words = vec![2, checksum, 0, vertex_size, 8, 2, 0, 0, 0, 0];
        let mut offset = 40 + 2 * 28;
        for n in n_vertices {
            words.extend([0, n, offset, 0, 0, 0, 0]);
            offset += n * vertex_size;
        }
        let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend((40 + 2 * 28..offset).map(|at| [0, 255, 128, 7][at as usize % 4]));
        Vhv::read(&bytes).unwrap()
    };
    let colors = model.baked_colors(&vhv(model.checksum, [4, 4], 4)).unwrap();
    assert_eq!(colors.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    let [r, g, b] = colors[1][3];
    assert!((r - (256.0_f32 / 255.0).powf(2.2)).abs() < 1e-5);
    assert!((g - 2.0_f32.powf(2.2)).abs() < 1e-5);
    assert_eq!(b, 0.0);
    let three = model
        .baked_colors(&vhv(model.checksum, [4, 4], 12))
        .unwrap();
    assert!(
        (three[1][3][1] - g).abs() < 1e-5,
        "the mean of three that are equal"
    );
    assert_eq!(
        model.baked_colors(&vhv(model.checksum ^ 1, [4, 4], 4)),
        None
    );
    assert_eq!(model.baked_colors(&vhv(model.checksum, [4, 3], 4)), None);
}

#[test]
fn every_truncation_of_the_faces_is_refused() {
    let files = sample_files();
    // The last strip names changes of bones that are kept as bytes: 8 of them at the end.
    let read = files.vtx.len() - 8;
    assert_refuses_every_truncation(&files.vtx[..read], |data| Vtx::read(data).map(drop));
    assert_eq!(Vtx::read(&files.vtx).unwrap().layout(), StripLayout::Short);
}

prop_compose! {
    fn any_mesh()(n in 1..9_usize)(
        material in 0..3_usize,
        positions in prop::collection::vec(prop::array::uniform3(-1e4..1e4_f32), n),
        normals in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f32), n),
        uvs in prop::collection::vec(prop::array::uniform2(-8.0..8.0_f32), n),
        triangles in prop::collection::vec(prop::array::uniform3(0..n as u32), 0..9),
    ) -> DraftMesh {
        DraftMesh { material, positions, normals, uvs, indices: triangles.concat(), bone: 0 }
    }
}

proptest! {
    #[test]
    fn any_draft_reads_back_as_it_was(
        meshes in prop::collection::vec(any_mesh(), 0..4),
        name in "[a-z/]{1,63}",
        skin in prop::collection::vec(0..3_usize, 3),
        mass in 0.0..1e5_f32,
    ) {
        let draft = StudioDraft {
            name,
            textures: vec!["a".into(), "b".into(), "c".into()],
            texture_folders: vec!["models/".into()],
            more_skins: vec![skin],
            surface_property: "metal".into(),
            mass,
            meshes,
            ..StudioDraft::default()
        };
        let files = StudioModel::draft(&draft).unwrap();
        assert_reads_back(&draft, &assemble(&files).unwrap());
        prop_assert_eq!(Mdl::read(&files.mdl).unwrap().write().unwrap(), files.mdl);
        prop_assert_eq!(Vvd::read(&files.vvd).unwrap().write().unwrap(), files.vvd);
        prop_assert_eq!(Vtx::read(&files.vtx).unwrap().write().unwrap(), files.vtx);
    }
}

#[test]
fn what_the_bones_of_a_draft_do_reads_back() {
    let bone = |name: &str, parent, place| DraftBone {
        name: name.to_owned(),
        parent,
        place,
    };
    let turn = |frame: usize| [0.01 * frame as f32, -0.002 * frame as f32, 0.0];
    let frames = |n: usize, bone: usize| {
        let frame = |frame| (0..3).map(move |it| if it == bone { turn(frame) } else { [0.0; 3] });
        (0..n).map(|it| frame(it).collect()).collect()
    };
    let sequence = |name: &str, loops, frames| DraftSequence {
        name: name.to_owned(),
        activity: format!("ACT_{name}"),
        fps: 20.0,
        loops,
        frames,
        ..DraftSequence::default()
    };
    let draft = StudioDraft {
        bones: vec![
            bone("trunk", None, [1.0, 2.0, 3.0]),
            bone("arm", Some(0), [0.0, 0.0, 5.0]),
            bone("hand", Some(1), [7.0, 0.0, 0.0]),
        ],
        // Runs have at most 255 frames.
        sequences: vec![
            sequence("rest", false, frames(1, 9)),
            sequence("wave", true, frames(300, 1)),
            sequence("turn", false, frames(40, 0)),
        ],
        meshes: vec![DraftMesh {
            bone: 2,
            ..sample().meshes.swap_remove(0)
        }],
        ..sample()
    };
    let files = StudioModel::draft(&draft).unwrap();
    let model = assemble(&files).unwrap();
    assert!(!model.is_static_prop());
    let carriers = |it: &SkinVertex| it.carriers().collect::<Vec<_>>();
    assert!(
        model.meshes[0]
            .skin
            .iter()
            .all(|it| carriers(it) == [(2, 1.0)])
    );
    let at_rest = bones_at_rest(&model.bones);
    for (bone, place) in model.bones.iter().zip(&at_rest) {
        assert_eq!(
            place.times(&bone.bone_from_model),
            Affine::IDENTITY,
            "{bone:?}"
        );
    }
    let mdl = Mdl::read(&files.mdl).unwrap();
    let motion = StudioMotion::open("a.mdl", &mdl, &|_| Ok(None));
    assert_eq!(motion.findings, []);
    let names = (0..3).map(|it| motion.sequence(it).unwrap());
    let facts: Vec<_> = names
        .map(|it| (&*it.name, &*it.activity, it.loops()))
        .collect();
    let expected = [
        ("rest", "ACT_rest", false),
        ("wave", "ACT_wave", true),
        ("turn", "ACT_turn", false),
    ];
    assert_eq!(facts, expected);
    for (sequence, bone, frame) in [
        (0, 1, 0),
        (1, 1, 0),
        (1, 1, 254),
        (1, 1, 255),
        (1, 1, 299),
        (2, 0, 39),
    ] {
        let poses = motion.local_pose(sequence, frame as f32).unwrap();
        for (index, pose) in poses.iter().enumerate() {
            let [x, y, z] = if index == bone { turn(frame) } else { [0.0; 3] };
            let expected =
                Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
            assert!(
                pose.rotation.abs_diff_eq(expected, 1e-4),
                "{sequence} {frame} {index}: {pose:?}"
            );
            assert_eq!(pose.position.to_array(), draft.bones[index].place);
        }
    }
}

#[test]
fn places_beyond_any_map_are_refused_where_they_stand() {
    let sound = sample_files();
    let spoiled = |file: &[u8], at: usize, number: f32| {
        let mut file = file.to_vec();
        set32(&mut file, at, number.to_bits());
        file
    };
    // Vertices begin at 64; the position of the second one is 16 bytes on, its normal 28, its v 44.
    for (at, number, field) in [
        (64 + 48 + 16, 3.0e38, "position of vertex 1"),
        (64 + 48 + 20, f32::NAN, "position of vertex 1"),
        (64 + 48 + 28, f32::INFINITY, "normal or u, v of vertex 1"),
        (64 + 48 + 44, f32::NAN, "normal or u, v of vertex 1"),
    ] {
        let vvd = spoiled(&sound.vvd, at, number);
        let error = StudioModel::read(&sound.mdl, &vvd, &sound.vtx).unwrap_err();
        assert_eq!((error.format, &*error.field), ("vvd", field));
    }
    for (at, field) in [
        (92, "illumination position"),
        (104, "hull min"),
        (116, "hull max"),
    ] {
        let mdl = spoiled(&sound.mdl, at, 3.0e38);
        let error = StudioModel::read(&mdl, &sound.vvd, &sound.vtx).unwrap_err();
        assert_eq!(
            (error.format, &*error.field, error.offset),
            ("mdl", field, at as u64)
        );
    }
}

/// One of the three files is damaged, the model is put together from it and the two others.
fn survive(runs: u64) {
    let files = sample_files();
    let (mdl, vvd, vtx) = (
        Mdl::read(&files.mdl).unwrap(),
        Vvd::read(&files.vvd).unwrap(),
        Vtx::read(&files.vtx).unwrap(),
    );
    assert_survives_mutations(&files.mdl, runs, 64, |data| {
        let damaged = Mdl::read(data)?;
        assert_eq!(damaged.write().as_deref(), Ok(data));
        damaged.check();
        StudioModel::assemble(&damaged, &vvd, &vtx).map(drop)
    });
    assert_survives_mutations(&files.vvd, runs, 64, |data| {
        let damaged = Vvd::read(data)?;
        assert_eq!(damaged.write().as_deref(), Ok(data));
        damaged.check();
        StudioModel::assemble(&mdl, &damaged, &vtx).map(drop)
    });
    assert_survives_mutations(&files.vtx, runs, 64, |data| {
        let damaged = Vtx::read(data)?;
        assert_eq!(damaged.write().as_deref(), Ok(data));
        damaged.check();
        StudioModel::assemble(&mdl, &vvd, &damaged).map(drop)
    });
}

#[test]
fn damage_never_panics() {
    survive(2_000);
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn damage_never_panics_at_length() {
    survive(100_000);
}
