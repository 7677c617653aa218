//! Light of faces: what lies on a face, and how faces share the lump (dossier sections 4.2, 4.3 and 4.6).

use super::Findings;
use crate::bsp::flags::SurfaceFlags;
use crate::bsp::map::{Face, FaceSet, Map};
use ironlands_assets_core::bytes::Severity;

/// Bits of [`Map::flags`]: sun visibility follows the samples; four of them if there are bump maps.
const ALPHA: u32 = 0x4;
const BUMPED_ALPHA: u32 = 0x10;
/// Bytes of a sample.
const SAMPLE_SIZE: u64 = 4;
/// Rounding of luxel coordinates, which are products of coordinates up to 16384.
const MAX_LUXEL_ERROR: f32 = 0.01;
/// Welding moves corners by less than a luxel.
const MAX_WELDED_LUXEL_ERROR: f32 = 1.0;

pub(super) fn check(map: &Map, findings: &mut Findings) {
    check_luxels(map, findings);
    for set in [FaceSet::Ldr, FaceSet::Hdr] {
        check_tiling(map, set, findings);
    }
}

fn check_luxels(map: &Map, findings: &mut Findings) {
    let (mut outside, mut welded) = (Vec::new(), Vec::new());
    let faces = map.faces_of(map.default_face_set()).iter().enumerate();
    for (i, face) in faces.filter(|(_, face)| is_lit(face) && face.disp_info < 0) {
        let error = luxel_error(map, face);
        if error > MAX_WELDED_LUXEL_ERROR {
            outside.push(format!("face {i}, by {error:?}"));
        } else if error > MAX_LUXEL_ERROR {
            welded.push(format!("face {i}, by {error:?}"));
        }
    }
    findings.expect("corners of faces lie on their luxels", outside.into_iter());
    findings.note(
        "corners of faces lie on their luxels before they are welded",
        welded.into_iter(),
    );
}

/// How far outside of its luxels the farthest corner of a face lies, in luxels; 0 or less if none does.
fn luxel_error(map: &Map, face: &Face) -> f32 {
    let texinfo = usize::try_from(face.texinfo).ok();
    let Some(texinfo) = texinfo.and_then(|texinfo| map.texinfos.get(texinfo)) else {
        return 0.0;
    };
    let ring = map.ring(face);
    let axes = texinfo.lightmap_vecs.iter();
    let axes = axes.zip(face.lightmap_mins).zip(face.lightmap_size);
    let errors = axes.flat_map(|(([x, y, z, shift], min), size)| {
        ring.iter().map(move |[px, py, pz]| {
            let at = x * px + y * py + z * pz + shift - min as f32;
            (-at).max(at - size as f32)
        })
    });
    errors.fold(0.0, f32::max)
}

/// The blocks of all faces fill the lump: averages, then the samples of each style.
fn check_tiling(map: &Map, set: FaceSet, findings: &mut Findings) {
    let lighting = map.lighting_of(set);
    let faces = map.faces_of(set);
    // Until version 18 the averages stand in the faces; how the samples lie there was never measured.
    let has_old_averages = faces
        .iter()
        .any(|face| face.v17_average_light != Face::default().v17_average_light);
    if lighting.is_empty() || has_old_averages {
        return;
    }
    let mut blocks: Vec<(i64, i64, usize)> = faces
        .iter()
        .enumerate()
        .filter_map(|(i, face)| {
            let (start, end) = block(map, face)?;
            Some((start, end, i))
        })
        .collect();
    blocks.sort_unstable();
    let len = lighting.len() as i64;
    let mut end = 0;
    let (mut outside, mut gaps) = (Vec::new(), Vec::new());
    for (start, block_end, i) in blocks {
        if start < 0 || block_end > len {
            outside.push(format!("face {i}, bytes {start} to {block_end} of {len}"));
        }
        if start != end {
            gaps.push(format!(
                "face {i} at {start}, the block before it ends at {end}"
            ));
        }
        end = block_end;
    }
    if end != len {
        gaps.push(format!("the end: the last block ends at {end} of {len}"));
    }
    let rule = format!("light of faces lies in the lump ({set:?})");
    findings.rule(Severity::Error, &rule, outside.into_iter());
    let rule = format!("light of faces fills the lump ({set:?})");
    findings.expect(&rule, gaps.into_iter());
}

/// Whether a face has light of its own (section 4.2).
fn is_lit(face: &Face) -> bool {
    let [first_style, ..] = face.styles;
    face.light_offset != -1 && first_style != u8::MAX
}

/// Where the light of a face begins and ends; `None` if it has none.
fn block(map: &Map, face: &Face) -> Option<(i64, i64)> {
    if !is_lit(face) {
        return None;
    }
    let n_styles = face.styles.iter().take_while(|style| **style != u8::MAX);
    let n_styles = n_styles.count() as u64;
    let texinfo = map.texinfos.get(usize::try_from(face.texinfo).ok()?)?;
    let is_bumped =
        SurfaceFlags::from_bits_retain(texinfo.flags).contains(SurfaceFlags::BUMP_LIGHT);
    let flags = map.flags.unwrap_or(0);
    let alpha_size = match (is_bumped, flags & BUMPED_ALPHA != 0) {
        _ if flags & ALPHA == 0 => 0,
        (true, true) => 4,
        _ => 1,
    };
    let n_planes = if is_bumped { 4 } else { 1 };
    let luxel_size = SAMPLE_SIZE
        .saturating_mul(n_planes)
        .saturating_add(alpha_size);
    let [width, height] = face.lightmap_size.map(|size| {
        let size = u64::try_from(size).unwrap_or(0);
        size.saturating_add(1)
    });
    let size = luxel_size
        .saturating_mul(width)
        .saturating_mul(height)
        .saturating_mul(n_styles);
    let averages = i64::try_from(SAMPLE_SIZE.saturating_mul(n_styles)).ok()?;
    let offset = i64::from(face.light_offset);
    let end = offset.saturating_add(i64::try_from(size).ok()?);
    Some((offset.saturating_sub(averages), end))
}
