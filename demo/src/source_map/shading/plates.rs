//! Name plates: letters of five by seven dots, drawn into textures.

use ironlands_assets_core::bytes::FormatError;

use super::features;
use crate::source_map::textures::vtf;

/// Width and height of a plate in texels.
pub const SIZE: [i32; 2] = [128, 32];
const GROUND: u8 = 34;
const INK: u8 = 236;
/// Dots from one letter to the next.
const ADVANCE: usize = 6;
const HEIGHT: usize = 7;

/// Letters and their rows from the top, the leftmost dot in the highest of five bits.
const LETTERS: [(char, [u8; HEIGHT]); 36] = [
    ('A', [0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11]),
    ('B', [0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E]),
    ('C', [0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E]),
    ('D', [0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E]),
    ('E', [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F]),
    ('F', [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10]),
    ('G', [0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0F]),
    ('H', [0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11]),
    ('I', [0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E]),
    ('J', [0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0C]),
    ('K', [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11]),
    ('L', [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F]),
    ('M', [0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11]),
    ('N', [0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11]),
    ('O', [0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E]),
    ('P', [0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10]),
    ('Q', [0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D]),
    ('R', [0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11]),
    ('S', [0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E]),
    ('T', [0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04]),
    ('U', [0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E]),
    ('V', [0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04]),
    ('W', [0x11, 0x11, 0x11, 0x15, 0x15, 0x1B, 0x11]),
    ('X', [0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11]),
    ('Y', [0x11, 0x11, 0x0A, 0x04, 0x04, 0x04, 0x04]),
    ('Z', [0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F]),
    ('0', [0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E]),
    ('1', [0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E]),
    ('2', [0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F]),
    ('3', [0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E]),
    ('4', [0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02]),
    ('5', [0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E]),
    ('6', [0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E]),
    ('7', [0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08]),
    ('8', [0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E]),
    ('9', [0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C]),
];

/// Material of the plate of a feature.
pub fn material(feature: &str) -> String {
    format!(
        "shading/plate_{}",
        feature.to_ascii_lowercase().replace(' ', "_")
    )
}

/// Textures and materials of all plates, by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let mut files = Vec::new();
    for feature in features::panels().iter().chain(&features::balls()) {
        let name = material(feature.name);
        let text = format!("\"UnlitGeneric\"\n{{\n\t\"$basetexture\" \"{name}\"\n}}\n");
        let size = SIZE.map(|side| side as usize);
        files.push((
            format!("materials/{name}.vtf"),
            vtf::gray(size, &plate(feature.name))?,
        ));
        files.push((format!("materials/{name}.vmt"), text.into_bytes()));
    }
    Ok(files)
}

/// A text in the middle of a plate, twice as large where there is room.
fn plate(text: &str) -> Vec<u8> {
    let [width, height] = SIZE.map(|side| side as usize);
    let n_dots = text.len() * ADVANCE - 1;
    let dot = if 2 * n_dots <= width - 4 { 2 } else { 1 };
    let left = (width - n_dots * dot) / 2;
    let top = (height - HEIGHT * dot) / 2;
    let mut pixels = vec![GROUND; width * height];
    for (at, letter) in text.chars().enumerate() {
        let Some((_, rows)) = LETTERS.iter().find(|(known, _)| *known == letter) else {
            continue;
        };
        for (y, row) in rows.iter().enumerate() {
            for x in (0..5).filter(|x| row & (0x10 >> x) != 0) {
                let corner = [left + (at * ADVANCE + x) * dot, top + y * dot];
                for i in 0..dot * dot {
                    let place = [corner[0] + i % dot, corner[1] + i / dot];
                    pixels[place[1] * width + place[0]] = INK;
                }
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_fits_its_plate_letter_by_letter() {
        let mut names = Vec::new();
        for feature in features::panels().iter().chain(&features::balls()) {
            let name = feature.name;
            let known = |letter: char| letter == ' ' || LETTERS.iter().any(|it| it.0 == letter);
            assert!(name.chars().all(known), "{name}");
            assert!(name.len() * ADVANCE <= SIZE[0] as usize, "{name}");
            assert!(!names.contains(&name), "{name} is there twice");
            names.push(name);
            let inked = plate(name).iter().filter(|it| **it == INK).count();
            assert!(inked > 7 * name.len(), "{name} has {inked} dots");
        }
    }
}
