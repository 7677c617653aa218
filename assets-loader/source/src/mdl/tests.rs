use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, proof, set32};
use proptest::prelude::*;

use super::*;
use crate::studio_model::sample::sample_files;

proof! {
    Mdl {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_mdl(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("magic", 4), ("version", 4), ("checksum", 4), ("name", 64), ("file length", 4)]),
            RecordPlace::from_value(&hand_typed(), &first_mesh(), ()),
        ],
    }
}

const BONES: usize = 408;
const TEXTURES: usize = BONES + 216;
const FOLDERS: usize = TEXTURES + 2 * 64;
const SKINS: usize = FOLDERS + 4;
const BODY_PARTS: usize = SKINS + 2 * 2 * 2;
const MODELS: usize = BODY_PARTS + 16;
const MESHES: usize = MODELS + 148;
const TEXTS: usize = MESHES + 116;

/// A file put together by the offsets of the document: numbers that show their place, and texts at the end.
fn hand_typed() -> Vec<u8> {
    let mut file = vec![0; TEXTS];
    file.extend(b"root\0skin_a\0skin_b\0models\\x\\\0body\0metal\0");
    let (root, skin_a, skin_b) = (TEXTS, TEXTS + 5, TEXTS + 12);
    let (folder, body, metal) = (TEXTS + 19, TEXTS + 29, TEXTS + 34);
    file[..4].copy_from_slice(b"IDST");
    file[12..17].copy_from_slice(b"x.mdl");
    file[376..379].copy_from_slice(&[3, 1, 2]);
    let words = [
        (4, 48),
        (8, 0x1234_5678),
        (76, file.len()),
        (80, 0x3F80_0000),
        (92, 0x4000_0000),
        (104, 0x4040_0000),
        (116, 0x4080_0000),
        (128, 0x40A0_0000),
        (140, 0x40C0_0000),
        (152, 0x10),
        (156, 1),
        (160, BONES),
        (164, 0xAAAA),
        (204, 2),
        (208, TEXTURES),
        (212, 1),
        (216, FOLDERS),
        (220, 2),
        (224, 2),
        (228, SKINS),
        (232, 1),
        (236, BODY_PARTS),
        (240, 0xBBBB),
        (308, metal),
        (328, 0x3F00_0000),
        (332, 1),
        (404, 0xCCCC),
        (BONES, root - BONES),
        (BONES + 4, 0xFFFF_FFFF),
        (BONES + 32, 0x3F80_0000),
        (BONES + 96, 0x3F80_0000),
        (BONES + 160, 0x400),
        (TEXTURES, skin_a - TEXTURES),
        (TEXTURES + 64, skin_b - TEXTURES - 64),
        (TEXTURES + 68, 5),
        (FOLDERS, folder),
        (SKINS, 0x0001_0000),
        (SKINS + 4, 0x0000_0001),
        (BODY_PARTS, body - BODY_PARTS),
        (BODY_PARTS + 4, 1),
        (BODY_PARTS + 8, 1),
        (BODY_PARTS + 12, 16),
        (MODELS + 68, 0x4100_0000),
        (MODELS + 72, 1),
        (MODELS + 76, 148),
        (MODELS + 80, 3),
        (MODELS + 84, 96),
        (MODELS + 88, 32),
        (MESHES, 1),
        (MESHES + 4, 148_usize.wrapping_neg()),
        (MESHES + 8, 3),
        (MESHES + 12, 7),
        (MESHES + 32, 9),
        (MESHES + 36, 0x3F80_0000),
        (MESHES + 52, 3),
    ];
    for (at, word) in words {
        set32(&mut file, at, word as u32);
    }
    file
}

fn first_mesh() -> MdlMesh {
    let mdl = Mdl::read(&hand_typed()).unwrap();
    mdl.body_parts[0].models[0].meshes[0].clone()
}

fn facts() -> Vec<Fact<Mdl>> {
    vec![
        Fact::from_bytes("one of everything", hand_typed()),
        Fact::from_bytes("the sample model", sample_files().mdl),
    ]
}

#[test]
fn key_values_end_at_a_nul_and_lie_in_the_file() {
    let bare = hand_typed();
    assert_eq!(Mdl::read(&bare).unwrap().key_values(), b"");
    let with_text = |start: usize, length: u32| {
        let mut file = bare.clone();
        file.extend(b"mdlkeyvalue { a b }\0");
        let len = file.len();
        set32(&mut file, 76, len as u32);
        set32(&mut file, 312, start as u32);
        set32(&mut file, 316, length);
        Mdl::read(&file).unwrap().key_values().to_vec()
    };
    let text = b"mdlkeyvalue { a b }";
    assert_eq!(with_text(bare.len(), 20), text);
    assert_eq!(with_text(bare.len(), 19), text);
    assert_eq!(with_text(bare.len(), 11), text[..11]);
    for (start, length) in [
        (bare.len(), 21),
        (bare.len(), u32::MAX),
        (bare.len() + 21, 0),
    ] {
        assert_eq!(with_text(start, length), b"", "{start} {length}");
    }
}

#[test]
fn fields_stand_where_the_document_says() {
    let mdl = Mdl::read(&hand_typed()).unwrap();
    let header = &mdl.header;
    assert_eq!(
        (header.version, header.checksum, header.flags),
        (48, 0x1234_5678, 0x10)
    );
    assert_eq!(header.name[..6], *b"x.mdl\0");
    assert_eq!(header.eye_position, [1.0, 0.0, 0.0]);
    assert_eq!(header.illumination_position, [2.0, 0.0, 0.0]);
    assert_eq!(header.hull, [[3.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    assert_eq!(header.view_bounds, [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0]]);
    assert_eq!(header.unknown_a4[..2], [0xAA, 0xAA]);
    assert_eq!(header.unknown_f0[..2], [0xBB, 0xBB]);
    assert_eq!(header.unknown_17b[25..27], [0xCC, 0xCC]);
    assert_eq!((header.mass, header.contents), (0.5, 1));
    let lods = (header.root_lod, header.n_allowed_root_lods);
    assert_eq!((header.constant_directional_light, lods), (3, (1, 2)));
    let bone = &mdl.bones[0];
    assert_eq!(
        (&*bone.name.text(), bone.parent, bone.flags),
        ("root", -1, 0x400)
    );
    assert_eq!(
        (bone.position, bone.bone_from_model[0]),
        ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
    );
    let names: Vec<_> = mdl
        .textures
        .iter()
        .map(|texture| texture.name.text())
        .collect();
    assert_eq!(names, ["skin_a", "skin_b"]);
    assert_eq!(mdl.textures[1].flags, 5);
    assert_eq!(mdl.texture_folders[0].path.bytes(), b"models\\x\\");
    assert_eq!(mdl.skins().collect::<Vec<_>>(), [[0, 1], [1, 0]]);
    assert_eq!(mdl.surface_property.text(), "metal");
    let part = &mdl.body_parts[0];
    assert_eq!((&*part.name.text(), part.base), ("body", 1));
    let model = &part.models[0];
    let numbers = (model.n_vertices, model.vertex_offset, model.tangent_offset);
    assert_eq!((model.radius, numbers), (8.0, (3, 96, 32)));
    let mesh = &model.meshes[0];
    let numbers = (
        mesh.material,
        mesh.model_offset,
        mesh.n_vertices,
        mesh.first_vertex,
    );
    assert_eq!(numbers, (1, -148, 3, 7));
    assert_eq!(
        (mesh.id, mesh.center, mesh.lod_vertex_counts[0]),
        (9, [1.0, 0.0, 0.0], 3)
    );
    assert_eq!(mdl.check(), []);
}

#[test]
fn edits_are_written_where_they_were_read() {
    let mut mdl = Mdl::read(&hand_typed()).unwrap();
    mdl.header.mass = 99.0;
    mdl.body_parts[0].models[0].meshes[0].material = 0;
    mdl.skin_references[3] = 1;
    let mut expected = hand_typed();
    set32(&mut expected, 328, 99.0_f32.to_bits());
    set32(&mut expected, MESHES, 0);
    set32(&mut expected, SKINS + 4, 0x0001_0001);
    assert_eq!(mdl.write(), Ok(expected));
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 14] = [
        (|f| f[3] = 0, "magic", 0),
        (|f| set32(f, 4, 43), "version", 4),
        (|f| set32(f, 4, 50), "version", 4),
        (|f| set32(f, 76, 1), "file length", 76),
        (|f| set32(f, 156, 1 << 24), "bones", 156),
        (|f| set32(f, 204, u32::MAX), "textures", 204),
        (|f| set32(f, 208, 1 << 31), "textures", 204),
        (|f| set32(f, 220, 0x10001), "skins", 220),
        (|f| set32(f, 224, u32::MAX), "skins", 220),
        (|f| set32(f, 308, 1 << 24), "surface property", 308),
        (|f| *f.last_mut().unwrap() = 1, "surface property", 308),
        (|f| set32(f, BONES, 1 << 31), "bone name", BONES as u64),
        (
            |f| set32(f, BODY_PARTS + 4, 1 << 24),
            "models",
            BODY_PARTS as u64 + 4,
        ),
        (
            |f| set32(f, MODELS + 72, 1 << 24),
            "meshes",
            MODELS as u64 + 72,
        ),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

#[test]
fn unusual_files_are_found() {
    let mut file = hand_typed();
    set32(&mut file, SKINS, 0x0007_0000);
    set32(&mut file, BONES + 4, 0);
    assert_eq!(Mdl::read(&file).unwrap().check().len(), 2);
}

/// Records are changed, never added: a file keeps its tables where they are.
fn any_mdl() -> impl Strategy<Value = Mdl> {
    let center = prop::array::uniform3(prop::num::f32::NORMAL);
    let edits = (prop::num::f32::NORMAL, center, any::<([u8; 32], i32)>());
    edits.prop_map(|(mass, center, (name, parent))| {
        let mut mdl = Mdl::read(&hand_typed()).unwrap();
        mdl.header.mass = mass;
        mdl.header.name[..32].copy_from_slice(&name);
        mdl.bones[0].parent = parent;
        mdl.body_parts[0].models[0].meshes[0].center = center;
        mdl.image = mdl.write().unwrap();
        mdl
    })
}
