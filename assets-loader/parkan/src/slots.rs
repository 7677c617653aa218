//! The type 2 chunk of terrain and of models: one header, then slots of triangles and bounds (dossier sections
//! 4.3 and 7.4).

use std::ops::Range;

use super::record::Row;
use ironlands_assets_core::record::Record;

/// "None" in an index of 16 bits.
pub const NONE: u16 = 0xFFFF;

/// Header of type 2 (0x8C bytes).
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct SlotHeader {
    /// Eight corners of the hull; the first is the minimum, in terrain the origin of the tile grid.
    #[field("hull corner")]
    pub corners: [[f32; 3]; 8],
    /// Center of the bounding sphere.
    #[field("sphere center")]
    pub sphere_center: [f32; 3],
    /// Radius of the bounding sphere.
    #[field("sphere radius")]
    pub sphere_radius: f32,
    /// Bottom point of the capsule.
    #[field("capsule bottom")]
    pub capsule_a: [f32; 3],
    /// Top point of the capsule.
    #[field("capsule top")]
    pub capsule_b: [f32; 3],
    /// Radius of the capsule.
    #[field("capsule radius")]
    pub capsule_radius: f32,
}

/// Type 2 record (68 bytes): triangles, batches and bounds of one tile or node at one level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct Slot {
    /// First triangle: in terrain the face in type 21 and the record in type 11, in models the type 7 record.
    #[field("slot triStart")]
    pub tri_start: u16,
    /// Number of triangles.
    #[field("slot triCount")]
    pub tri_count: u16,
    /// First batch in type 13. Not used by terrain.
    #[field("slot batchStart")]
    pub batch_start: u16,
    /// Number of batches. Not used by terrain.
    #[field("slot batchCount")]
    pub batch_count: u16,
    /// Smallest corner of the bounds.
    #[field("slot AABB min")]
    pub aabb_min: [f32; 3],
    /// Largest corner of the bounds.
    #[field("slot AABB max")]
    pub aabb_max: [f32; 3],
    /// Center of the bounding sphere.
    #[field("slot sphere center")]
    pub sphere_center: [f32; 3],
    /// Radius of the bounding sphere.
    #[field("slot sphere radius")]
    pub sphere_radius: f32,
    /// Raw words at 0x30, 0x34, 0x38, 0x3C, 0x40; the first two may be f32: base area in xy, base volume.
    #[field("slot unk30")]
    pub unknown_30: [u32; 5],
}

impl SlotHeader {
    /// The header of an axis-aligned box in world units: its corners in the order in which the engine builds
    /// boxes, the sphere through them, and the upright capsule whose radius reaches the vertical edges.
    pub fn from_box(min: [f32; 3], max: [f32; 3]) -> Self {
        let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
        let (sphere_center, sphere_radius) = sphere_of_box(min, max);
        let [center_x, center_y, _] = sphere_center;
        Self {
            corners: [
                [x0, y0, z0],
                [x1, y0, z0],
                [x1, y1, z0],
                [x0, y1, z0],
                [x0, y1, z1],
                [x0, y0, z1],
                [x1, y0, z1],
                [x1, y1, z1],
            ],
            sphere_center,
            sphere_radius,
            capsule_a: [center_x, center_y, z0],
            capsule_b: [center_x, center_y, z1],
            // Not `hypot`, whose last bit differs between platforms.
            capsule_radius: {
                let (width, depth) = (x1 - x0, y1 - y0);
                (width * width + depth * depth).sqrt() / 2.0
            },
        }
    }
}

impl Slot {
    /// A slot with these triangles and this axis-aligned box in world units; unknown words are 0.
    pub fn from_box(tri_start: u16, tri_count: u16, min: [f32; 3], max: [f32; 3]) -> Self {
        let (sphere_center, sphere_radius) = sphere_of_box(min, max);
        Self {
            tri_start,
            tri_count,
            batch_start: 0,
            batch_count: 0,
            aabb_min: min,
            aabb_max: max,
            sphere_center,
            sphere_radius,
            unknown_30: [0; 5],
        }
    }

    /// The triangle indices that the slot names, whether or not they exist.
    pub(super) fn tri_range(&self) -> Range<usize> {
        let start = usize::from(self.tri_start);
        start..start.saturating_add(usize::from(self.tri_count))
    }
}

impl Row for SlotHeader {}

impl Row for Slot {}

/// Smallest and largest corner around points; `None` without points. NaN coordinates are not counted.
pub(super) fn box_around(
    points: impl IntoIterator<Item = [f32; 3]>,
) -> Option<([f32; 3], [f32; 3])> {
    points.into_iter().fold(None, |bounds, point| {
        let (min, max) = bounds.unwrap_or((point, point));
        Some((zip3(min, point, f32::min), zip3(max, point, f32::max)))
    })
}

/// Center and radius of the sphere through the corners of a box.
pub(super) fn sphere_of_box(min: [f32; 3], max: [f32; 3]) -> ([f32; 3], f32) {
    let center = zip3(min, max, f32::midpoint);
    let [x, y, z] = zip3(max, center, |to, from| to - from);
    (center, (x * x + y * y + z * z).sqrt())
}

fn zip3(a: [f32; 3], b: [f32; 3], of: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [of(ax, bx), of(ay, by), of(az, bz)]
}
