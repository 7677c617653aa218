//! Normals in groups of four, and the files of an early exporter that has them one after the other (dossier
//! section 9.4.6).

use super::LANES;

/// How a file has its normals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum NormalLayout {
    /// Four x, four y, four z, four w.
    #[default]
    Grouped,
    /// x, y, z, w of one after the other: an exporter's bug.
    Ungrouped,
}

/// Far more than rounding, far less than lengths of mixed up normals differ by.
const NEAR_UNIT: f32 = 1e-2;

/// Whether normals that were read as grouped are of unit length only if they are not.
///
/// Normals of zero only fill up the last block.
pub(super) fn look_ungrouped(grouped: &[[f32; 4]]) -> bool {
    let ungrouped = transposed(grouped);
    let is_filling = |normal: &[f32; 4]| normal.iter().take(3).all(|v| *v == 0.0);
    let is_unit = |[x, y, z, _]: &[f32; 4]| {
        let length = (x * x + y * y + z * z).sqrt();
        (length - 1.0).abs() < NEAR_UNIT
    };
    let all_unit = |normals: &[[f32; 4]]| {
        let mut normals = normals.iter().filter(|it| !is_filling(it)).peekable();
        normals.peek().is_some() && normals.all(is_unit)
    };
    !all_unit(grouped) && all_unit(&ungrouped)
}

/// Blocks of four normals with rows and columns exchanged: from grouped to ungrouped and back.
pub(super) fn transposed(normals: &[[f32; 4]]) -> Vec<[f32; 4]> {
    let (blocks, _) = normals.as_chunks::<LANES>();
    let block = |[a, b, c, d]: &[[f32; 4]; LANES]| {
        let row = |pick: fn(&[f32; 4]) -> f32| [pick(a), pick(b), pick(c), pick(d)];
        [row(|n| n[0]), row(|n| n[1]), row(|n| n[2]), row(|n| n[3])]
    };
    blocks.iter().flat_map(block).collect()
}
