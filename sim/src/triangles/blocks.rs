//! Blocks: up to sixteen faces over up to sixteen vertices, next to each other in space.
//!
//! A block is a small mesh of its own. Its vertices are three registers of x, y and z, its corners are positions
//! among them, so that all corners of all its faces are nine permutations of registers. Five cache lines hold it
//! (20 bytes a face when it is full), and any question reads one run of memory.

use super::Face;
use super::lanes::{LaneMask, Lanes, N_LANES};
use super::tree::Bounds;
use crate::MaskFilter;
use glam::{Vec2, Vec3};

/// Faces near each other, and their vertices.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Block {
    /// By axis, then by vertex.
    coordinates: [[f32; N_LANES]; 3],
    /// For each of the three corners, the vertex of each face.
    corners: [[u8; N_LANES]; 3],
    /// Lanes that hold a face.
    held: LaneMask,
    /// Lanes whose face has area.
    with_area: LaneMask,
    /// Largest extent along an axis, rounded up; for the margins of filters.
    size: f32,
    /// Bits that any face's mask has.
    any_mask: u32,
    /// Bits that all masks have.
    all_masks: u32,
    /// Index of each face.
    pub faces: [u32; N_LANES],
}

/// What a lane's face carries besides its shape.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockAttributes {
    pub masks: [u32; N_LANES],
    pub materials: [u16; N_LANES],
}

/// A block that is being filled.
pub(super) struct BlockBuilder {
    block: Block,
    attributes: BlockAttributes,
    n_vertices: usize,
    n_faces: usize,
    /// Indices of the vertices.
    vertices: [u32; N_LANES],
    bounds: Bounds,
}

impl BlockBuilder {
    pub fn new() -> Self {
        Self {
            block: Block {
                coordinates: [[0.0; N_LANES]; 3],
                corners: [[0; N_LANES]; 3],
                held: 0,
                with_area: 0,
                size: 0.0,
                any_mask: 0,
                all_masks: u32::MAX,
                faces: [u32::MAX; N_LANES],
            },
            attributes: BlockAttributes::default(),
            n_vertices: 0,
            n_faces: 0,
            vertices: [u32::MAX; N_LANES],
            bounds: Bounds::EMPTY,
        }
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub fn is_empty(&self) -> bool {
        self.n_faces == 0
    }

    /// Adds a face, unless there is no room for it or its vertices.
    pub fn try_add(
        &mut self,
        face_idx: u32,
        face: &Face,
        corners: &[[f32; 3]; 3],
        bounds: &Bounds,
    ) -> bool {
        let n_vertices_before = self.n_vertices;
        if self.n_faces == N_LANES {
            return false;
        }
        let mut places = [0; 3];
        for ((place, &vertex), position) in places.iter_mut().zip(&face.corners).zip(corners) {
            let Some(found) = self.place_of(vertex, position) else {
                self.n_vertices = n_vertices_before;
                return false;
            };
            *place = found;
        }
        let lane = self.n_faces;
        for (corner, place) in self.block.corners.iter_mut().zip(places) {
            corner[lane] = place;
        }
        self.block.held |= 1 << lane;
        if has_area(corners) {
            self.block.with_area |= 1 << lane;
        }
        self.block.faces[lane] = face_idx;
        self.block.any_mask |= face.mask;
        self.block.all_masks &= face.mask;
        self.attributes.masks[lane] = face.mask;
        self.attributes.materials[lane] = face.material;
        self.bounds.low = self.bounds.low.min(bounds.low);
        self.bounds.high = self.bounds.high.max(bounds.high);
        self.n_faces += 1;
        true
    }

    fn place_of(&mut self, vertex: u32, position: &[f32; 3]) -> Option<u8> {
        let known = self.vertices[..self.n_vertices].iter();
        if let Some(place) = known.clone().position(|&v| v == vertex) {
            return Some(place as u8);
        }
        let place = self.n_vertices;
        *self.vertices.get_mut(place)? = vertex;
        for (axis, coordinate) in self.block.coordinates.iter_mut().zip(position) {
            axis[place] = *coordinate;
        }
        self.n_vertices += 1;
        Some(place as u8)
    }

    /// The finished block. Lanes and vertices without use repeat the first, so that they add nothing to bounds.
    pub fn finish(self) -> (Block, BlockAttributes) {
        let Self {
            mut block,
            attributes,
            n_vertices,
            bounds: Bounds { low, high },
            ..
        } = self;
        for axis in &mut block.coordinates {
            let first = axis[0];
            axis[n_vertices..].fill(first);
        }
        // In f64, for the difference of two f32 may be more than f32 holds.
        let size = (high.as_dvec3() - low.as_dvec3()).max_element();
        block.size = (size as f32).next_up();
        (block, attributes)
    }
}

/// Whether a face has area, by the cross product of two edges in f64.
fn has_area(corners: &[[f32; 3]; 3]) -> bool {
    normal_of(corners) != Vec3::ZERO
}

/// Unit normal by winding: counter-clockwise faces look along it. Zero for a face without area.
pub(super) fn normal_of(corners: &[[f32; 3]; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|v| v.map(f64::from));
    Vec3::from_array(normal_of_f64(a, b, c).map(|v| v as f32))
}

/// [`normal_of`] before it is rounded. Products of four f32 neither overflow in f64 nor vanish.
#[inline(always)]
pub(super) fn normal_of_f64(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (ex, ey, ez) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    let (fx, fy, fz) = (c[0] - a[0], c[1] - a[1], c[2] - a[2]);
    let (x, y, z) = (ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx);
    let square = x * x + y * y + z * z;
    let scale = if square > 0.0 {
        1.0 / square.sqrt()
    } else {
        0.0
    };
    [x * scale, y * scale, z * scale]
}

/// What is known of vertices, for all corners.
#[inline(always)]
pub(super) fn pick<L: Lanes>(vertices: L, [a, b, c]: [L::Places; 3]) -> [L; 3] {
    [vertices.pick(a), vertices.pick(b), vertices.pick(c)]
}

impl Block {
    #[inline(always)]
    pub fn held(&self) -> LaneMask {
        self.held
    }

    #[inline(always)]
    pub fn with_area(&self) -> LaneMask {
        self.with_area
    }

    #[inline(always)]
    pub fn size(&self) -> f32 {
        self.size
    }

    /// The first vertex: any point of the block is within [`size`](Self::size) of it along each axis.
    #[inline(always)]
    pub fn anchor(&self) -> [f32; 3] {
        let [x, y, z] = &self.coordinates;
        [x[0], y[0], z[0]]
    }

    /// Smallest and largest x, y of the vertices.
    pub fn plan_bounds(&self) -> (Vec2, Vec2) {
        let [x, y, _] = &self.coordinates;
        let vertices = x.iter().zip(y).map(|(&x, &y)| Vec2::new(x, y));
        let empty = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        vertices.fold(empty, |(low, high), v| (low.min(v), high.max(v)))
    }

    /// Corners of one lane's face.
    #[inline(always)]
    pub fn face_corners(&self, lane: usize) -> [[f32; 3]; 3] {
        let [x, y, z] = &self.coordinates;
        self.corners.each_ref().map(|places| {
            let place = usize::from(places[lane % N_LANES]) % N_LANES;
            [x[place], y[place], z[place]]
        })
    }

    /// Coordinates of the vertices along an axis.
    #[inline(always)]
    pub fn coordinates(&self, axis: usize) -> &[f32; N_LANES] {
        &self.coordinates[axis]
    }

    /// Corners of all faces, by axis.
    #[inline(always)]
    pub fn all_corners<L: Lanes>(&self) -> [[L; 3]; 3] {
        let places = self.places::<L>();
        let [x, y, z] = &self.coordinates;
        [
            pick(L::load(x), places),
            pick(L::load(y), places),
            pick(L::load(z), places),
        ]
    }

    // Plain code rather than `map`: what a closure holds is not compiled for the kernel's instructions.
    #[inline(always)]
    pub fn places<L: Lanes>(&self) -> [L::Places; 3] {
        let [a, b, c] = &self.corners;
        [L::places(a), L::places(b), L::places(c)]
    }

    /// The lanes that a filter sees; `None` where single masks must be asked.
    #[inline(always)]
    pub fn seen_by(&self, filter: MaskFilter) -> Option<bool> {
        let MaskFilter {
            required,
            forbidden,
        } = filter;
        if self.all_masks & required == required && self.any_mask & forbidden == 0 {
            return Some(true);
        }
        let none_has_all = self.any_mask & required != required;
        let all_have_a_forbidden = self.all_masks & forbidden != 0;
        (none_has_all || all_have_a_forbidden).then_some(false)
    }
}

impl BlockAttributes {
    /// The lanes that a filter sees.
    pub fn seen_by(&self, filter: MaskFilter) -> LaneMask {
        let bits = self.masks.iter().enumerate();
        bits.fold(0, |seen, (lane, &mask)| {
            seen | LaneMask::from(filter.accepts(mask)) << lane
        })
    }
}
