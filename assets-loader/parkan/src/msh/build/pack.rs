//! Vertices and keys as they are stored; what cannot be stored is refused.

use super::{DraftError, DraftKey, DraftVertex, MAX_TIME};
use crate::msh_animation::AnimKey;
use crate::packing::{pack_normal, pack_uv};

/// A vertex as the streams hold it. Equal ones are the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PackedVertex {
    position_bits: [u32; 3],
    pub(super) normal: [i8; 4],
    pub(super) uv: [i16; 2],
    pub(super) lightmap_uv: [i16; 2],
}

impl PackedVertex {
    pub(super) fn position(&self) -> [f32; 3] {
        self.position_bits.map(f32::from_bits)
    }
}

/// Packs the corners of a triangle of that node.
pub(super) fn pack_triangle(
    node: usize,
    triangle: &[DraftVertex; 3],
    has_lightmap: bool,
) -> Result<[PackedVertex; 3], DraftError> {
    let [a, b, c] = triangle;
    let pack = |vertex| pack_vertex(node, vertex, has_lightmap);
    Ok([pack(a)?, pack(b)?, pack(c)?])
}

fn pack_vertex(
    node: usize,
    vertex: &DraftVertex,
    has_lightmap: bool,
) -> Result<PackedVertex, DraftError> {
    let DraftVertex {
        position,
        normal,
        uv,
        lightmap_uv,
    } = vertex;
    let lightmap_uv = if has_lightmap { *lightmap_uv } else { [0.0; 2] };
    require_finite(node, "vertex position", position)?;
    require_stored(node, "vertex normal", normal, 127.0, -127.0..=127.0)?;
    for (what, uv) in [("vertex UV", uv), ("vertex lightmap UV", &lightmap_uv)] {
        require_stored(node, what, uv, 1024.0, -32768.0..=32767.0)?;
    }
    Ok(PackedVertex {
        // Adding 0 makes one of the two zeros.
        position_bits: position.map(|c| (c + 0.0).to_bits()),
        normal: pack_normal(*normal, 0),
        uv: pack_uv(*uv),
        lightmap_uv: pack_uv(lightmap_uv),
    })
}

/// Packs the keys of a node, which are in the shape of all known files.
pub(super) fn pack_keys(node: usize, keys: &[DraftKey]) -> Result<Vec<AnimKey>, DraftError> {
    if keys.is_empty() {
        return Err(DraftError::NoKeys { node });
    }
    let mut packed: Vec<AnimKey> = Vec::with_capacity(keys.len());
    for (key_idx, key) in keys.iter().enumerate() {
        let DraftKey {
            time,
            position,
            rotation,
        } = key;
        let (node, time) = (node, *time);
        let follows = packed.last().map_or(time == 0.0, |last| time > last.time);
        // An infinite or NaN time has a fraction that is not 0.
        if !follows || time.fract() != 0.0 || time > MAX_TIME {
            let key = key_idx;
            return Err(DraftError::Time { node, key, time });
        }
        require_finite(node, "key position", position)?;
        require_stored(node, "key rotation", rotation, 32767.0, -32767.0..=32767.0)?;
        packed.push(AnimKey {
            position: *position,
            time,
            rotation: AnimKey::pack_rotation(*rotation),
        });
    }
    Ok(packed)
}

fn require_finite(node: usize, what: &'static str, values: &[f32]) -> Result<(), DraftError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(DraftError::Value { node, what, value }),
        None => Ok(()),
    }
}

/// Refuses what would be clamped when it is stored as a multiple of `1 / scale`.
fn require_stored(
    node: usize,
    what: &'static str,
    values: &[f32],
    scale: f32,
    range: std::ops::RangeInclusive<f32>,
) -> Result<(), DraftError> {
    let is_outside = |value: &&f32| !range.contains(&(**value * scale).round());
    match values.iter().find(is_outside) {
        Some(&value) => Err(DraftError::Value { node, what, value }),
        None => Ok(()),
    }
}
