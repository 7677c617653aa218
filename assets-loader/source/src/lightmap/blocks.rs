//! Where the light of each face lies in its lump. Dossier sections 4.2 and 4.6.

use std::ops::Range;

use crate::bsp::{Face, FaceSet, Map};
use ironlands_assets_core::bytes::{Finding, Severity};

/// Bytes of a sample.
const SAMPLE: usize = 4;
/// Samples along the flat normal and along three directions.
const N_PLANES_WITH_DIRECTIONS: usize = 4;
/// `Texinfo::flags`: the light comes in four planes.
const BUMP_LIGHT: i32 = 0x800;
/// A style that is none.
const NO_STYLE: u8 = 255;
/// `Map::flags`: alpha follows the samples.
const ALPHA: u32 = 0x4;
/// `Map::flags`: alpha of four directions follows them where there are four planes.
const ALPHA_OF_DIRECTIONS: u32 = 0x10;

/// The light of a face in its lump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LightBlock {
    /// Its light styles; never empty.
    pub styles: Vec<u8>,
    /// 1, or 4: on the flat surface and along three directions.
    pub n_planes: usize,
    /// Samples along s and t, each at least 1.
    pub size: [usize; 2],
    /// Where its samples begin in the lump; before them stands an average for each style.
    pub offset: usize,
    /// Bytes from one style to the next.
    bytes_per_style: usize,
}

/// Bytes that follow the samples of each style, for each sample.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AlphaBlocks {
    /// Where there is one plane.
    pub flat: usize,
    /// Where there are four.
    pub directions: usize,
}

impl LightBlock {
    /// The samples of one plane in one style: rows of `size[0]`, `size[1]` of them. Empty if there is no such
    /// style or plane, or `lump` is not the one that the block is of.
    pub fn samples<'a>(&self, lump: &'a [u8], style: usize, plane: usize) -> &'a [[u8; SAMPLE]] {
        if style >= self.styles.len() || plane >= self.n_planes {
            return &[];
        }
        let [width, height] = self.size;
        let n_bytes = width.saturating_mul(height).saturating_mul(SAMPLE);
        let before = self
            .start_of(style)
            .saturating_add(plane.saturating_mul(n_bytes));
        let samples = lump.get(before..).and_then(|rest| rest.get(..n_bytes));
        let bytes = samples.unwrap_or_default();
        bytes.as_chunks().0
    }

    /// The bytes of the lump that are of this face, averages included.
    pub fn whole(&self) -> Range<usize> {
        let n_styles = self.styles.len();
        self.offset.saturating_sub(n_styles.saturating_mul(SAMPLE))..self.start_of(n_styles)
    }

    /// Where the samples of a style begin; of one behind the last, the end.
    fn start_of(&self, style: usize) -> usize {
        let before = style.saturating_mul(self.bytes_per_style);
        self.offset.saturating_add(before)
    }

    /// `None` for an unlit face, and for one whose block could not lie in that many bytes.
    fn from_face(
        face: &Face,
        has_directions: bool,
        alpha: AlphaBlocks,
        len: usize,
    ) -> Option<Self> {
        let offset = usize::try_from(face.light_offset).ok()?;
        let used = face.styles.iter().take_while(|style| **style != NO_STYLE);
        let styles: Vec<u8> = used.copied().collect();
        if styles.is_empty() {
            return None;
        }
        let [width, height] = face.lightmap_size.map(|size| size.checked_add(1));
        let size = [
            usize::try_from(width?).ok()?,
            usize::try_from(height?).ok()?,
        ];
        let (n_planes, alpha) = match has_directions {
            true => (N_PLANES_WITH_DIRECTIONS, alpha.directions),
            false => (1, alpha.flat),
        };
        let n_samples = size[0].checked_mul(size[1]).filter(|n| *n > 0)?;
        let bytes_per_style =
            n_samples.checked_mul(alpha.checked_add(n_planes.checked_mul(SAMPLE)?)?)?;
        let n_bytes = bytes_per_style.checked_mul(styles.len())?;
        let end = offset.checked_add(n_bytes)?;
        (end <= len).then_some(Self {
            styles,
            n_planes,
            size,
            offset,
            bytes_per_style,
        })
    }
}

impl AlphaBlocks {
    /// What there may be: first what the flags of a map say, then the rest.
    fn candidates(flags: u32) -> [Self; 4] {
        let none = Self::default();
        let one = Self {
            flat: 1,
            directions: 1,
        };
        let four = Self {
            flat: 1,
            directions: 4,
        };
        match (flags & ALPHA != 0, flags & ALPHA_OF_DIRECTIONS != 0) {
            (false, _) => [none, none, one, four],
            (true, false) => [one, one, four, none],
            (true, true) => [four, four, one, none],
        }
    }
}

/// The light of each face of the set, in the order of the faces, and what bytes follow the samples.
///
/// Which these are the map's flags say, but what they say is believed only as long as the blocks then follow each
/// other without gaps in the lump better than otherwise.
pub fn light_blocks(
    map: &Map,
    set: FaceSet,
) -> (Vec<Option<LightBlock>>, AlphaBlocks, Vec<Finding>) {
    let faces = map.faces_of(set);
    let lump = light_lump(map, set);
    let flags = map.flags.unwrap_or_default();
    let candidates = AlphaBlocks::candidates(flags);
    let read = |alpha| -> Vec<_> {
        let blocks = faces.iter().map(|face| {
            let texinfo = usize::try_from(face.texinfo).ok();
            let texinfo = texinfo.and_then(|texinfo| map.texinfos.get(texinfo));
            let has_directions = texinfo.is_some_and(|it| it.flags & BUMP_LIGHT != 0);
            LightBlock::from_face(face, has_directions, alpha, lump.len())
        });
        blocks.collect()
    };
    let n_breaks = |blocks: &[Option<LightBlock>]| n_breaks(blocks, lump.len());
    let said = read(candidates[0]);
    let n_said = n_breaks(&said);
    let mut best = (n_said, candidates[0], said);
    for alpha in candidates {
        if best.0 == 0 {
            break;
        }
        let blocks = read(alpha);
        let n = n_breaks(&blocks);
        if n < best.0 {
            best = (n, alpha, blocks);
        }
    }
    let (n, alpha, blocks) = best;
    let mut findings = Vec::new();
    if alpha != candidates[0] {
        let message = format!(
            "the map flags {flags:#x} say that {said:?} follow the light of a face, but {alpha:?} fit the lump: {n} \
             instead of {n_said} faces do not begin where the one before ends",
            said = candidates[0],
        );
        findings.push(Finding::new(Severity::Note, "bsp", message));
    }
    let is_lit = |face: &Face| face.light_offset >= 0 && face.styles[0] != NO_STYLE;
    let lit = faces.iter().zip(&blocks);
    let n_lost = lit
        .filter(|(face, it)| is_lit(face) && it.is_none())
        .count();
    if n_lost > 0 && !lump.is_empty() {
        let message = format!(
            "the light of {n_lost} faces does not lie inside the {} bytes of its lump",
            lump.len()
        );
        findings.push(Finding::new(Severity::Error, "bsp", message));
    }
    (blocks, alpha, findings)
}

/// The bytes that the light of a set of faces lies in.
pub fn light_lump(map: &Map, set: FaceSet) -> &[u8] {
    match set {
        FaceSet::Ldr => &map.lighting,
        FaceSet::Hdr => &map.lighting_hdr,
    }
}

/// How many blocks do not begin where another one ends, or overlap it, and whether the last one ends before the lump.
fn n_breaks(blocks: &[Option<LightBlock>], len: usize) -> usize {
    let mut ranges: Vec<_> = blocks.iter().flatten().map(LightBlock::whole).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    // Faces may share their light.
    ranges.dedup();
    let ends = ranges.iter().map(|range| range.end);
    let starts = ranges.iter().skip(1).map(|range| range.start).chain([len]);
    ends.zip(starts).filter(|(end, start)| end != start).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bsp::Texinfo;

    /// Two faces of 2 x 3 luxels with directions, the first in two styles, with `alpha` bytes after each luxel.
    fn map(flags: Option<u32>, alpha: usize) -> Map {
        let per_style = 6 * (16 + alpha);
        let face = |light_offset: usize, styles: [u8; 2]| Face {
            light_offset: i32::try_from(light_offset).unwrap(),
            styles: [styles[0], styles[1], 255, 255, 255, 255, 255, 255],
            lightmap_size: [1, 2],
            ..Face::default()
        };
        let second = 8 + 2 * per_style + 4;
        let unlit = Face {
            light_offset: -1,
            styles: [255; 8],
            ..Face::default()
        };
        Map {
            faces: vec![face(second, [3, 255]), unlit, face(8, [0, 5])],
            texinfos: vec![Texinfo {
                flags: BUMP_LIGHT,
                ..Texinfo::default()
            }],
            lighting: (0..=u8::MAX).cycle().take(second + per_style).collect(),
            flags,
            ..Map::default()
        }
    }

    #[test]
    fn styles_follow_each_other_plane_by_plane() {
        let map = map(None, 0);
        let (blocks, alpha, findings) = light_blocks(&map, FaceSet::Ldr);
        assert_eq!(findings, []);
        assert_eq!(alpha, AlphaBlocks::default());
        assert_eq!(blocks[1], None);
        let block = blocks[2].as_ref().unwrap();
        assert_eq!(block.styles, [0, 5]);
        assert_eq!((block.size, block.n_planes), ([2, 3], 4));
        assert_eq!(block.whole(), 0..8 + 2 * 96);
        let first = block.samples(&map.lighting, 1, 2)[0];
        let at = 8 + 96 + 2 * 24;
        assert_eq!(first.as_slice(), &map.lighting[at..at + 4]);
        assert_eq!(block.samples(&map.lighting, 1, 2).len(), 6);
        for (style, plane) in [(2, 0), (0, 4)] {
            assert_eq!(block.samples(&map.lighting, style, plane), [[0; 4]; 0]);
        }
        assert_eq!(blocks[0].as_ref().unwrap().whole().end, map.lighting.len());
    }

    #[test]
    fn bytes_after_luxels_are_those_that_fit_the_lump() {
        for (flags, alpha, n_findings) in [
            (None, 0, 0),
            (Some(0x7E), 4, 0),
            (Some(0x4), 1, 0),
            // The flags say otherwise than the lump.
            (Some(0), 4, 1),
            (Some(0x14), 0, 1),
            (Some(0x14), 1, 1),
        ] {
            let (blocks, found, findings) = light_blocks(&map(flags, alpha), FaceSet::Ldr);
            assert_eq!(found.directions, alpha, "{flags:x?}");
            assert_eq!(findings.len(), n_findings, "{flags:x?} {alpha}");
            assert_eq!(blocks.iter().flatten().count(), 2);
        }
    }

    #[test]
    fn light_beyond_the_lump_is_lost_and_reported() {
        for (offset, size) in [(i32::MAX, [1, 2]), (8, [i32::MAX; 2]), (8, [-5, 2])] {
            let mut map = map(None, 0);
            map.faces[2].light_offset = offset;
            map.faces[2].lightmap_size = size;
            let (blocks, _, findings) = light_blocks(&map, FaceSet::Ldr);
            assert_eq!(blocks[2], None);
            assert!(findings.iter().any(|it| it.severity == Severity::Error));
        }
        let mut map = map(None, 0);
        map.lighting.clear();
        let (blocks, _, findings) = light_blocks(&map, FaceSet::Ldr);
        assert_eq!(blocks, [None, None, None]);
        assert_eq!(findings, [], "a set without light is no problem");
    }
}
