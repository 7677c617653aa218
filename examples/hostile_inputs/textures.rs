//! Textures that unpack to much.

use ironlands::worlds::evil_islands::formats::mmp::{
    MipChain, Mmp, MmpDraft, MmpFormat, PixelRows,
};

use crate::{MAX_BYTES, Row};

const AS_PICTURE: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["export", "{}", "--to", "{to}.png"],
    &["export", "{}", "--to", "{to}.dds"],
];
const LOOK: &[&[&str]] = crate::LOOK;

pub const CASES: &[Row] = &[
    ("zeros.mmp", AS_PICTURE, zeros),
    ("dxt.mmp", AS_PICTURE, dxt),
    ("frames.vtf", LOOK, || vtf(1, 60_000)),
    ("large.vtf", LOOK, || vtf(2048, 1)),
];

/// Packed pixels, all of them nothing.
fn zeros() -> Vec<u8> {
    mmp(8000, 0, MmpFormat::Pnt3, MipChain::LevelZero)
}

fn dxt() -> Vec<u8> {
    mmp(2048, 255, MmpFormat::Dxt1, MipChain::Full)
}

/// A square whose pixels are all alike.
fn mmp(side: u32, value: u8, format: MmpFormat, mips: MipChain) -> Vec<u8> {
    let draft = MmpDraft {
        width: side,
        height: side,
        format,
        mips,
        rgba: &vec![value; side as usize * side as usize * 4],
        rows: PixelRows::Stored,
    };
    let picture = Mmp::encode(&draft).expect("a picture");
    picture.write().expect("a small file")
}

/// A texture of this many frames whose pixels fill the file.
fn vtf(side: u16, n_frames: u16) -> Vec<u8> {
    let mut file = b"VTF\0".to_vec();
    for word in [7_u32, 2, 80] {
        file.extend(word.to_le_bytes());
    }
    for word in [side, side] {
        file.extend(word.to_le_bytes());
    }
    file.extend(0_u32.to_le_bytes());
    file.extend(n_frames.to_le_bytes());
    file.resize(52, 0);
    // Alpha alone, one level, no small picture.
    file.extend(8_u32.to_le_bytes());
    file.push(1);
    file.extend(u32::MAX.to_le_bytes());
    file.extend([0, 0, 1, 0]);
    file.resize(80, 0);
    let n_pixels = usize::from(side) * usize::from(side) * usize::from(n_frames);
    file.resize((80 + n_pixels).min(MAX_BYTES), 0);
    file
}
