//! A model of Bloodlines, byte by byte from the public documents: two bones, and one body part of three models, whose
//! vertices are of the three kinds; each model is one triangle.

use super::motion::sample::{END, add_motion};
use crate::vtmb_vtx::sample::{Bytes, CHECKSUM};

/// Where tables of the sample begin.
pub(crate) const BONES: usize = 424;
pub(crate) const TEXTURES: usize = BONES + 2 * 160;
const FOLDERS: usize = TEXTURES + 2 * 20;
const SKINS: usize = FOLDERS + 4;
pub(crate) const BODY_PARTS: usize = SKINS + 4 * 2;
pub(crate) const MODELS: usize = BODY_PARTS + 16;
pub(crate) const MESHES: usize = MODELS + 3 * 224;
pub(crate) const SKINNED: usize = MESHES + 3 * 60;
pub(crate) const PACKED: usize = SKINNED + 3 * 44;
pub(crate) const COMPRESSED: usize = PACKED + 3 * 12;
pub(crate) const HIT_BOX_SETS: usize = COMPRESSED + 3 * 8;
pub(crate) const ATTACHMENTS: usize = HIT_BOX_SETS + 12 + 32;

/// The model file.
pub(crate) fn mdl() -> Vec<u8> {
    let mut file = Bytes::default();
    file.put(END - 1, &[0]);
    header(&mut file);
    bones(&mut file);
    for (index, name) in ["skin", "cloth"].into_iter().enumerate() {
        let at = TEXTURES + index * 20;
        text(&mut file, at, at, name);
    }
    text(&mut file, FOLDERS, 0, "models/vampire/");
    file.shorts(SKINS, &[0, 1, 1, 0]);
    text(&mut file, BODY_PARTS, BODY_PARTS, "body");
    file.words(BODY_PARTS + 4, &[3, 1, (MODELS - BODY_PARTS) as i32]);
    models(&mut file);
    vertices(&mut file);
    text(&mut file, HIT_BOX_SETS, HIT_BOX_SETS, "default");
    file.words(HIT_BOX_SETS + 4, &[1, 12, 1, 5]);
    file.floats(HIT_BOX_SETS + 12 + 8, &[-1.0, -2.0, -3.0, 1.0, 2.0, 3.0]);
    text(&mut file, ATTACHMENTS, ATTACHMENTS, "hand");
    file.words(ATTACHMENTS + 4, &[0, 1]);
    let identity = [1.0, 0.0, 0.0, 7.0, 0.0, 1.0, 0.0, 8.0, 0.0, 0.0, 1.0, 9.0];
    file.floats(ATTACHMENTS + 12, &identity);
    add_motion(&mut file);
    let length = file.0.len() as i32;
    file.words(140, &[length]);
    file.0
}

/// Appends a text, and puts its offset from `from` at a place.
pub(crate) fn text(file: &mut Bytes, place: usize, from: usize, text: &str) {
    let at = file.0.len();
    file.put(at, format!("{text}\0").as_bytes());
    file.words(place, &[(at - from) as i32]);
}

fn header(file: &mut Bytes) {
    file.put(0, b"IDST");
    file.words(4, &[2531, CHECKSUM as i32]);
    file.put(12, b"vampire/woman.mdl");
    file.floats(144, &[0.5, 0.5, 0.5]);
    file.floats(156, &[0.0, 1.0, 60.0]);
    file.floats(168, &[0.0, 0.0, 36.0]);
    file.floats(180, &[-16.0, -16.0, 0.0, 16.0, 16.0, 72.0]);
    file.words(228, &[4]);
    file.floats(232, &[0.065, 0.1]);
    file.words(240, &[2, BONES as i32]);
    file.words(256, &[1, HIT_BOX_SETS as i32]);
    file.words(292, &[2, TEXTURES as i32, 1, FOLDERS as i32]);
    file.words(308, &[2, 2, SKINS as i32, 1, BODY_PARTS as i32]);
    file.words(328, &[1, ATTACHMENTS as i32]);
    text(file, 392, 0, "flesh");
}

/// One at the origin, and one above it that is turned a quarter about Z.
fn bones(file: &mut Bytes) {
    for (index, name) in ["root", "tip"].into_iter().enumerate() {
        let at = BONES + index * 160;
        text(file, at, at, name);
        file.words(at + 4, &[index as i32 - 1, -1, -1, -1, -1, -1, -1]);
        file.words(at + 0x88, &[0x10]);
    }
    file.floats(BONES + 0x2C, &[0.0, 0.0, 0.0, 1.0]);
    let still = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    file.floats(BONES + 0x58, &still);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let tip = BONES + 160;
    file.floats(tip + 0x20, &[0.0, 0.0, 10.0, 0.0, 0.0, half, half]);
    let turned = [
        0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -10.0,
    ];
    file.floats(tip + 0x58, &turned);
}

fn models(file: &mut Bytes) {
    let lists = [SKINNED, PACKED, COMPRESSED];
    for (index, list) in lists.into_iter().enumerate() {
        let at = MODELS + index * 224;
        let mesh = MESHES + index * 60;
        file.put(at, format!("model_{index}").as_bytes());
        file.words(at + 136, &[1, (mesh - at) as i32]);
        file.words(at + 144, &[3, (list - at) as i32, 0, index as i32]);
        file.floats(at + 160, &[-1.0, 0.0, 2.0, 0.5, 255.0, 1.0]);
        let material = (index % 2) as i32;
        file.words(mesh, &[material, at as i32 - mesh as i32, 3, 0]);
    }
}

fn vertices(file: &mut Bytes) {
    let skin: [([u8; 4], [u16; 4]); 3] = [
        ([255, 0, 0, 1], [0, 0, 0, 0]),
        ([204, 51, 0, 2], [0, 1, 0, 0]),
        // Four bones: of numbers above 4 the rest counts. The last has what is left of 255.
        ([51, 51, 51, 9], [0, 1, 0, 1]),
    ];
    for (index, (weights, bones)) in skin.into_iter().enumerate() {
        let at = SKINNED + index * 44;
        file.put(at, &weights);
        file.shorts(at + 4, &bones);
        let x = index as f32;
        file.floats(
            at + 12,
            &[x, 2.0 * x * x, 20.0, 0.0, 0.0, 1.0, x / 4.0, 0.5],
        );
    }
    // Directions down, along +X and up, of 12 bytes each.
    let packed: [[u16; 6]; 3] = [
        [0, 0, 0, 0, 0, 65535],
        [2, 0, 0, 2593 * 12, 65535, 0],
        [4, 1, 7, 5313 * 12, 0, 0],
    ];
    for (index, vertex) in packed.into_iter().enumerate() {
        file.shorts(PACKED + index * 12, &vertex);
    }
    // Directions down, along +Y and up.
    let compressed: [([u8; 4], [u16; 2]); 3] = [
        ([0, 0, 0, 0], [0, 65535]),
        ([255, 0, 0, 95], [65535, 0]),
        ([0, 51, 255, 201], [0, 0]),
    ];
    for (index, (vertex, uv)) in compressed.into_iter().enumerate() {
        let at = COMPRESSED + index * 8;
        file.put(at, &vertex);
        file.shorts(at + 4, &uv);
    }
}
