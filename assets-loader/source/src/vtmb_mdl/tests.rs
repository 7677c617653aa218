use std::path::Path;

use ironlands_assets_proof::{
    Change, Damage, Fact, RecordPlace, Truncations, assert_survives_mutations, folder_with, proof,
    set32,
};
use proptest::prelude::*;

use super::motion::sample::{ANIMATIONS, CONTROLLERS, GROUPS, INCLUDED, PARAMETERS, SEQUENCES};
use super::sample::*;
use super::*;
use crate::formats::recognize;
use crate::level_scene::Appearance;
use crate::mdl::Mdl;
use crate::model_file::ModelFile;
use crate::studio_model::StudioModel;
use crate::vtmb_vtx::VtmbVtx;
use crate::vtmb_vtx::sample::{CHECKSUM, VTX_LODS, VTX_STRIP, VTX_VERTICES, vtx};

proof! {
    VtmbMdl {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_mdl(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [
                ("magic", 4), ("version", 4), ("checksum", 4), ("name", 128), ("file length", 4), ("header", 12),
                ("eye position", 12), ("illumination position", 12), ("hull", 24), ("view bounds", 24), ("flags", 4),
                ("phoneme times", 8), ("bone count", 4), ("bones", 4),
            ]),
            RecordPlace::new::<VtmbMesh>(MESHES, ()),
            RecordPlace::new::<SkinnedVertex>(SKINNED, ()),
            RecordPlace::new::<PackedVertex>(PACKED, ()),
            RecordPlace::new::<CompressedVertex>(COMPRESSED, ()),
            RecordPlace::new::<VtmbBoneController>(CONTROLLERS, ()),
            RecordPlace::new::<VtmbAnimation>(ANIMATIONS, ()),
            RecordPlace::new::<VtmbSequence>(SEQUENCES, ()),
            RecordPlace::new::<VtmbSequenceGroup>(GROUPS, ()),
            RecordPlace::new::<VtmbPoseParameter>(PARAMETERS, ()),
            RecordPlace::new::<VtmbIncludedModel>(INCLUDED, ()),
        ],
    }
}

fn facts() -> Vec<Fact<VtmbMdl>> {
    let mut bare = mdl();
    set32(&mut bare, 392, 0);
    vec![
        Fact::from_bytes("three kinds of vertices", mdl()),
        Fact::from_bytes("without a surface property", bare),
    ]
}

fn damage() -> Vec<Damage> {
    const VERTEX_COUNT: u64 = MODELS as u64 + 144;
    let changes: [Change; 14] = [
        (|f| set32(f, 4, 2530), "version", 4),
        (|f| set32(f, 140, 1 << 20), "file length", 140),
        (|f| set32(f, 140, 423), "file length", 140),
        (|f| set32(f, 240, 1 << 20), "bones", 240),
        (|f| set32(f, 244, 1 << 20), "bones", 240),
        (|f| set32(f, 264, 1 << 20), "animations", 264),
        (|f| set32(f, 276, 1 << 20), "sequences", 272),
        (|f| set32(f, 384, u32::MAX), "pose parameters", 384),
        (|f| set32(f, 404, 1 << 20), "included models", 404),
        (|f| set32(f, 308, u32::MAX), "skins", 308),
        (|f| set32(f, 392, 1 << 20), "surface property", 392),
        (|f| set32(f, BONES, 1 << 20), "bone name", BONES as u64),
        (
            |f| set32(f, MODELS + 144, 1 << 20),
            "model vertices",
            VERTEX_COUNT,
        ),
        (
            |f| set32(f, MODELS + 156, 3),
            "vertex kind",
            VERTEX_COUNT + 12,
        ),
    ];
    Damage::from_changes(&mdl(), changes)
}

/// Numbers are changed, never added: a file keeps its tables where they are.
fn any_mdl() -> impl Strategy<Value = VtmbMdl> {
    let numbers = any::<(u32, [u16; 3], u8, i32)>();
    (numbers, prop::num::f32::NORMAL).prop_map(|((checksum, position, normal, base), x)| {
        let mut mdl = VtmbMdl::read(&mdl()).unwrap();
        mdl.header.checksum = checksum;
        mdl.bones[1].position[0] = x;
        mdl.body_parts[0].base = base;
        mdl.animations[1].fps = x;
        mdl.sequences[2].next_sequence = base;
        mdl.sequences[0].animations[15][15] = base as i16;
        mdl.pose_parameters[0].flags = checksum;
        let models = &mut mdl.body_parts[0].models;
        if let VertexList::Packed(vertices) = &mut models[1].vertices {
            vertices[2].position = position;
        }
        if let VertexList::Compressed(vertices) = &mut models[2].vertices {
            vertices[0].normal = normal;
        }
        mdl.image = mdl.write().unwrap();
        mdl
    })
}

#[test]
fn fields_stand_where_the_documents_say() {
    let mdl = VtmbMdl::read(&mdl()).unwrap();
    let header = &mdl.header;
    assert_eq!(header.checksum, CHECKSUM);
    assert_eq!(header.unknown_90, [0.5; 3]);
    assert_eq!(header.eye_position, [0.0, 1.0, 60.0]);
    assert_eq!(header.illumination_position, [0.0, 0.0, 36.0]);
    assert_eq!(header.hull, [[-16.0, -16.0, 0.0], [16.0, 16.0, 72.0]]);
    assert_eq!(header.flags, 4);
    assert_eq!(header.phoneme_times_secs, [0.065, 0.1]);
    assert_eq!(mdl.surface_property.text(), "flesh");
    let names: Vec<_> = mdl.bones.iter().map(|it| it.name.text()).collect();
    assert_eq!(names, ["root", "tip"]);
    assert_eq!((mdl.bones[0].parent, mdl.bones[1].parent), (-1, 0));
    assert_eq!(mdl.bones[1].position, [0.0, 0.0, 10.0]);
    assert_eq!(mdl.bones[1].bone_from_model[2], [0.0, 0.0, 1.0, -10.0]);
    assert_eq!(mdl.bones[1].flags, 0x10);
    let textures: Vec<_> = mdl.textures.iter().map(|it| it.name.text()).collect();
    assert_eq!(textures, ["skin", "cloth"]);
    assert_eq!(mdl.skins().collect::<Vec<_>>(), [[0, 1], [1, 0]]);
    assert_eq!(mdl.body_parts[0].models.len(), 3);
    assert!(mdl.has_meshes());
    assert_eq!(Format::check(&mdl), []);
}

#[test]
fn bytes_behind_the_stated_end_are_kept() {
    let mut longer = mdl();
    longer.extend([0xCD; 4]);
    let read = VtmbMdl::read(&longer).unwrap();
    assert_eq!(read.header.length as usize, mdl().len());
    assert_eq!(read.write().unwrap(), longer);
}

#[test]
fn packed_places_are_spread_between_bounds() {
    let mdl = VtmbMdl::read(&mdl()).unwrap();
    let places = |model: usize| {
        let model = &mdl.body_parts[0].models[model];
        [0, 1, 2].map(|index| model.vertex(index).unwrap().position)
    };
    assert_eq!(
        places(1),
        [[-1.0, 0.0, 2.0], [0.0, 0.0, 2.0], [1.0, 255.0, 9.0]]
    );
    // Of 255 parts.
    assert_eq!(
        places(2),
        [[-1.0, 0.0, 2.0], [-0.5, 0.0, 2.0], [-1.0, 51.0, 3.0]]
    );
    let model = &mdl.body_parts[0].models[1];
    assert_eq!(model.vertex(0).unwrap().uv, [0.0, 1.0]);
    assert_eq!(model.vertex(3), None);
}

#[test]
fn packed_normals_lie_on_rings() {
    let mdl = VtmbMdl::read(&mdl()).unwrap();
    let rows: [(usize, [[f32; 3]; 3]); 2] = [
        (1, [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        (2, [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ];
    for (model, normals) in rows {
        let model = &mdl.body_parts[0].models[model];
        for (index, expected) in normals.into_iter().enumerate() {
            let normal = model.vertex(index).unwrap().normal;
            let is_near = |(a, b): (f32, f32)| (a - b).abs() < 1e-5;
            // Sines of a float's pi are off by so much.
            assert!(normal.into_iter().zip(expected).all(is_near), "{normal:?}");
        }
    }
}

#[test]
fn normals_that_there_are_none_of_point_up_and_are_found() {
    // Between two directions, behind the last one, and behind the last of the coarser ones.
    for (at, value) in [(PACKED + 6, 13_u16), (PACKED + 6, 5314 * 12)] {
        let mut file = mdl();
        file[at..at + 2].copy_from_slice(&value.to_le_bytes());
        let mdl = VtmbMdl::read(&file).unwrap();
        let vertex = mdl.body_parts[0].models[1].vertex(0).unwrap();
        assert_eq!(vertex.normal, [0.0, 0.0, 1.0]);
        assert_eq!(mdl.check().len(), 1);
    }
    let mut file = mdl();
    file[COMPRESSED + 3] = 202;
    assert_eq!(VtmbMdl::read(&file).unwrap().check().len(), 1);
}

#[test]
fn weights_are_of_the_bones_that_count() {
    let mdl = VtmbMdl::read(&mdl()).unwrap();
    let vertex = |index| mdl.body_parts[0].models[0].vertex(index).unwrap();
    assert_eq!(vertex(0).bones[0], (0, 1.0));
    let [first, second, third, _] = vertex(1).bones;
    assert_eq!([first, second, third], [(0, 0.8), (1, 0.2), (0, 0.0)]);
    assert_eq!(vertex(2).bones[3], (1, 0.4));
}

#[test]
fn two_files_are_a_model() {
    let model = assemble(&mdl(), &vtx()).unwrap();
    assert_eq!(model.name, "vampire/woman.mdl");
    assert_eq!(model.textures, ["skin", "cloth"]);
    assert_eq!(model.texture_folders, ["models/vampire/"]);
    assert_eq!(model.skins, [[0, 1], [1, 0]]);
    assert_eq!(model.surface_property, "flesh");
    assert_eq!(
        model.material_paths(0, 1, 0),
        ["materials/models/vampire/cloth.vmt"]
    );
    let part = &model.body_parts[0];
    assert_eq!((&*part.name, part.base), ("body", 1));
    assert_eq!(part.names, ["model_0", "model_1", "model_2"]);
    let [skinned, packed, compressed] = &model.meshes[..] else {
        panic!("three meshes");
    };
    // Counter-clockwise; the files have triangles clockwise.
    for mesh in [skinned, packed, compressed] {
        assert_eq!(mesh.indices, [0, 2, 1]);
    }
    assert_eq!((skinned.material, packed.material), (0, 1));
    assert_eq!(model.lod_switches, [30.0]);
    assert_eq!(skinned.coarser, [[0, 2, 1]]);
    assert_eq!(packed.coarser, [[0, 2, 1]], "its last level");
    assert_eq!(skinned.positions[1], [1.0, 2.0, 20.0]);
    assert_eq!(skinned.skin[1].joints[..2], [0, 1]);
    assert!((skinned.skin[1].weights[1] - 0.2).abs() < 1e-6);
    assert_eq!(packed.skin[0].weights, [1.0, 0.0, 0.0, 0.0]);
    let tip = &model.bones[1];
    assert_eq!((&*tip.name, tip.parent), ("tip", Some(0)));
    // At rest the vertices are where they were modeled.
    let place = tip.parent_from_bone.times(&tip.bone_from_model);
    for (row, expected) in place.0.iter().zip(ironlands_scene::Affine::IDENTITY.0) {
        let is_near = |(a, b): (&f32, f32)| (a - b).abs() < 1e-5;
        assert!(row.iter().zip(expected).all(is_near), "{place:?}");
    }
}

fn assemble(mdl: &[u8], vtx: &[u8]) -> Result<StudioModel, FormatError> {
    StudioModel::assemble_vtmb(&VtmbMdl::read(mdl)?, &VtmbVtx::read(vtx)?)
}

/// What is changed in the model and in its faces, and the field that must be named.
type Change2 = (fn(&mut Vec<u8>, &mut Vec<u8>), &'static str);

#[test]
fn problems_name_what_does_not_fit_together() {
    let changes: [Change2; 11] = [
        (|_, vtx| vtx[16] ^= 1, "checksum"),
        (|_, vtx| set32(vtx, 28, 0), "body parts"),
        (|_, vtx| set32(vtx, 36, 2), "models"),
        (|_, vtx| set32(vtx, VTX_LODS, 0), "meshes"),
        // The number of the first vertex, and the first index.
        (|_, vtx| vtx[VTX_VERTICES + 10] = 3, "strip group vertex"),
        (|_, vtx| vtx[VTX_VERTICES + 36] = 3, "strip group index"),
        (|_, vtx| vtx[VTX_STRIP + 9] = 0, "strip flags"),
        (|mdl, _| set32(mdl, MESHES, 2), "mesh material"),
        (|mdl, _| set32(mdl, MESHES + 12, 1), "mesh vertices"),
        (
            |mdl, _| set32(mdl, SKINNED + 12, 0x7FC0_0000),
            "vertex position",
        ),
        (|mdl, _| set32(mdl, BODY_PARTS + 8, 0), "body part base"),
    ];
    for (change, field) in changes {
        let (mut mdl, mut vtx) = (mdl(), vtx());
        change(&mut mdl, &mut vtx);
        let error = assemble(&mdl, &vtx).unwrap_err();
        assert_eq!(error.field, field, "{error}");
    }
}

#[test]
fn damaged_files_are_models_or_refused() {
    assert_survives_mutations(&mdl(), 500, 64, |mdl| assemble(mdl, &vtx()).map(drop));
    assert_survives_mutations(&vtx(), 500, 64, |vtx| assemble(&mdl(), vtx).map(drop));
}

#[test]
fn hit_boxes_and_attachments_hang_on_bones() {
    let parts = VtmbMdl::read(&mdl()).unwrap().parts().unwrap();
    let [set] = &parts.hit_box_sets[..] else {
        panic!("one set");
    };
    assert_eq!((&*set.name, set.boxes.len()), ("default", 1));
    assert_eq!((set.boxes[0].bone, set.boxes[0].group), (1, 5));
    assert_eq!(set.boxes[0].bounds, [[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]]);
    let [hand] = &parts.attachments[..] else {
        panic!("one attachment");
    };
    assert_eq!((&*hand.name, hand.bone), ("hand", 1));
    assert_eq!(hand.bone_from_attachment.0[2], [0.0, 0.0, 1.0, 9.0]);
    for (at, field) in [
        (HIT_BOX_SETS + 12, "hitbox bone"),
        (ATTACHMENTS + 8, "attachment bone"),
    ] {
        let mut file = mdl();
        set32(&mut file, at, 2);
        let mdl = VtmbMdl::read(&file).unwrap();
        assert_eq!(mdl.parts().unwrap_err().field, field);
        assert_eq!(Format::check(&mdl).len(), 1);
    }
}

#[test]
fn tables_that_are_kept_as_bytes_lie_in_the_file() {
    // Counts of attachments, flexes and springs.
    for at in [328, 344, 396] {
        let mut file = mdl();
        set32(&mut file, at, 1_000_000);
        let [finding] = &VtmbMdl::read(&file).unwrap().check()[..] else {
            panic!("{at}: one finding");
        };
        assert_eq!(finding.offset, Some(at as u64));
    }
}

#[test]
fn files_are_known_by_their_versions() {
    let of = |name: &str, data: &[u8]| recognize(Path::new(name), &data[..8]).map(|it| it.name());
    assert_eq!(of("a.mdl", &mdl()), Some(VtmbMdl::NAME));
    assert_eq!(of("a.dx80.vtx", &vtx()), Some(VtmbVtx::NAME));
    assert_eq!(of("a.mdl", b"IDST\x30\0\0\0"), Some(Mdl::NAME));
    let error = Mdl::read(&mdl()).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("version", 4));
}

#[test]
fn a_model_opens_with_its_faces_and_moves() {
    let folder = folder_with(&[
        ("models/woman.mdl", &mdl()),
        ("models/woman.dx80.vtx", &vtx()),
        ("models/shared.mdl", &mdl()),
    ]);
    let path = folder.path().join("models/woman.mdl");
    let file = ModelFile::open(&path, &[], Appearance::default()).unwrap();
    assert_eq!(file.model.meshes.len(), 3);
    assert_eq!(file.motion.sequences.len(), 4);
    let (scene, _, _) = file.to_scene();
    assert_eq!(scene.validate(), Ok(()));
    // Two bones and an attachment.
    assert_eq!(scene.models[0].nodes.len(), 3);
    std::fs::remove_file(folder.path().join("models/woman.dx80.vtx")).unwrap();
    let error = ModelFile::open(&path, &[], Appearance::default()).unwrap_err();
    assert!(error.to_string().contains("woman.dx80.vtx"), "{error}");
}
