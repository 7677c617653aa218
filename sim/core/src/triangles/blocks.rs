//! Blocks: up to sixteen faces over up to sixteen vertices, next to each other in space.
//!
//! A block is a small mesh of its own. Its vertices are three registers of x, y and z, its corners are positions
//! among them, so that all corners of all its faces are nine permutations of registers. Five cache lines hold it
//! (20 bytes a face when it is full), and any query reads one run of memory.

use super::Face;
use super::simd::{LaneMask, N_LANES, PackedCorners, SimdVector, corners_of};
use super::tree::Bounds;
use crate::MaskFilter;
use crate::ray_triangle::ShearedRay;
use glam::Vec3;

/// Faces near each other, and their vertices.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Block {
    /// By axis, then by vertex.
    coordinates: [[f32; N_LANES]; 3],
    /// Of each face, the vertices at its corners.
    corners: [PackedCorners; N_LANES],
    /// Whether any face is clockwise from above.
    has_clockwise: bool,
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
    /// For the filter of heights, [`candidates_over`](super::height::candidates_over): how far rounding moves an edge
    /// function.
    margin: f32,
    /// Index of each face.
    pub faces: [u32; N_LANES],
}

/// What a lane's face carries besides its shape.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockAttributes {
    pub masks: [u32; N_LANES],
    pub materials: [u16; N_LANES],
}

/// A block whose faces are chosen, not yet where it will stand.
pub(super) struct BlockDraft {
    /// Indices of the faces, by lane.
    faces: [u32; N_LANES],
    n_faces: usize,
    /// Indices of the vertices.
    vertices: [u32; N_LANES],
    n_vertices: usize,
    /// Of each face, the vertices at its corners.
    corners: [PackedCorners; N_LANES],
}

/// Fills one block after another with faces, in the order in which they are added.
pub(super) struct BlockDrafts {
    closed: Vec<BlockDraft>,
    open: BlockDraft,
    /// Number of the open block, [`N_LANES`] times: larger than that of any block before.
    first_place: u32,
    /// For each vertex the last block that it went into, as `first_place`, plus its position there.
    places: Vec<u32>,
}

impl BlockDraft {
    /// Without faces.
    pub const EMPTY: Self = Self {
        faces: [u32::MAX; N_LANES],
        n_faces: 0,
        vertices: [0; N_LANES],
        n_vertices: 0,
        corners: [0; N_LANES],
    };

    /// Bounds of its vertices, which are those of its faces.
    pub fn bounds(&self, positions: &[[f32; 3]]) -> Bounds {
        let vertices = self.vertices[..self.n_vertices].iter();
        vertices.fold(Bounds::EMPTY, |bounds, &vertex| {
            bounds.join(Bounds::from_point(positions[vertex as usize].into()))
        })
    }

    /// The indices of its faces, by lane.
    pub fn face_indices(&self) -> &[u32] {
        &self.faces[..self.n_faces]
    }

    /// The finished block. Lanes and vertices without use repeat the first, so that they add nothing to bounds.
    ///
    /// `faces` and `positions` are those that the drafted faces are of, `bounds` as [`bounds`](Self::bounds) says.
    pub fn finish(
        &self,
        bounds: Bounds,
        positions: &[[f32; 3]],
        faces: &[Option<Face>],
    ) -> (Block, BlockAttributes) {
        let Bounds { low, high } = bounds;
        // In f64, for the difference of two f32 may be more than f32 holds.
        let size = (high.as_dvec3() - low.as_dvec3()).max_element() as f32;
        let size = size.next_up();
        let mut block = Block {
            coordinates: [[0.0; N_LANES]; 3],
            corners: self.corners,
            has_clockwise: false,
            held: !(LaneMask::MAX.checked_shl(self.n_faces as u32).unwrap_or(0)),
            with_area: 0,
            size,
            margin: 2.0 * size * size * (4.0 * f32::EPSILON) + f32::MIN_POSITIVE,
            any_mask: 0,
            all_masks: u32::MAX,
            faces: self.faces,
        };
        for place in 0..N_LANES {
            let used = if place < self.n_vertices { place } else { 0 };
            let position = positions.get(self.vertices[used] as usize);
            let [x, y, z] = position.copied().unwrap_or_default();
            block.coordinates[0][place] = x;
            block.coordinates[1][place] = y;
            block.coordinates[2][place] = z;
        }
        let mut attributes = BlockAttributes::default();
        for (lane, &face_idx) in self.face_indices().iter().enumerate() {
            let Some(face) = &faces[face_idx as usize] else {
                continue; // it is not: only faces that are there are drafted
            };
            block.any_mask |= face.mask;
            block.all_masks &= face.mask;
            attributes.masks[lane] = face.mask;
            attributes.materials[lane] = face.material;
            let [a, b, c] = block.face_corners(lane).map(|v| v.map(f64::from));
            let across = cross_of_edges(a, b, c);
            block.with_area |= LaneMask::from(across != [0.0; 3]) << lane;
            block.has_clockwise |= across[2] < 0.0;
        }
        (block, attributes)
    }
}

impl BlockDrafts {
    /// For faces that name vertices below a number.
    pub fn new(n_vertices: usize) -> Self {
        Self {
            closed: Vec::new(),
            open: BlockDraft::EMPTY,
            first_place: 0,
            places: vec![u32::MAX; n_vertices],
        }
    }

    /// Makes room for the blocks of some more faces, most of which are nearly full.
    pub fn reserve(&mut self, n_faces: usize) {
        self.closed.reserve(n_faces.div_ceil(N_LANES - 3));
    }

    /// Adds a face: to the open block, or where it or its vertices find no room there, to the next.
    pub fn add(&mut self, face_idx: u32, corners: [u32; 3]) {
        if !self.try_add(face_idx, corners) {
            self.close();
            let is_added = self.try_add(face_idx, corners);
            debug_assert!(is_added, "an empty block has room for a face");
        }
    }

    /// All blocks so far, none of them empty.
    pub fn take(&mut self) -> Vec<BlockDraft> {
        if self.open.n_faces > 0 {
            self.close();
        }
        std::mem::take(&mut self.closed)
    }

    fn close(&mut self) {
        let closed = std::mem::replace(&mut self.open, BlockDraft::EMPTY);
        self.closed.push(closed);
        self.first_place += N_LANES as u32;
    }

    fn try_add(&mut self, face_idx: u32, corners: [u32; 3]) -> bool {
        let open = &mut self.open;
        if open.n_faces == N_LANES {
            return false;
        }
        let first_place = self.first_place;
        let mut n_vertices = open.n_vertices;
        let mut face_places = [0; 3];
        for (face_place, vertex) in face_places.iter_mut().zip(corners) {
            let known = &mut self.places[vertex as usize];
            // What an older block knows is below, and what none knows far above.
            let mut place = known.wrapping_sub(first_place) as usize;
            if place >= N_LANES {
                if n_vertices == N_LANES {
                    return false;
                }
                place = n_vertices;
                *known = first_place + place as u32;
                open.vertices[place] = vertex;
                n_vertices += 1;
            }
            *face_place = place as PackedCorners;
        }
        let lane = open.n_faces;
        let [a, b, c] = face_places;
        open.corners[lane] = a | b << 4 | c << 8;
        open.n_vertices = n_vertices;
        open.faces[lane] = face_idx;
        open.n_faces += 1;
        true
    }
}

/// Unit normal by winding: counter-clockwise faces look along it. Zero for a face without area.
pub(super) fn normal_of(corners: &[[f32; 3]; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|v| v.map(f64::from));
    Vec3::from_array(normal_of_f64(a, b, c).map(|v| v as f32))
}

/// [`normal_of`] before it is rounded. Products of four f32 neither overflow in f64 nor vanish.
#[inline(always)]
pub(super) fn normal_of_f64(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = cross_of_edges(a, b, c);
    let square = x * x + y * y + z * z;
    let scale = if square > 0.0 {
        one_by_root(square)
    } else {
        0.0
    };
    [x * scale, y * scale, z * scale]
}

/// 1 / sqrt(x), in steps that do not wait for each other.
#[inline(always)]
pub(super) fn one_by_root(x: f64) -> f64 {
    x.sqrt() * (1.0 / x)
}

#[inline(always)]
fn cross_of_edges(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (ex, ey, ez) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    let (fx, fy, fz) = (c[0] - a[0], c[1] - a[1], c[2] - a[2]);
    [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx]
}

/// What is known of vertices, for all corners.
#[inline(always)]
pub(super) fn pick<L: SimdVector>(vertices: L, [a, b, c]: [L::Places; 3]) -> [L; 3] {
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

    /// How far rounding moves an edge function about a point over one of the faces.
    #[inline(always)]
    pub fn margin(&self) -> f32 {
        self.margin
    }

    /// The first vertex: any point of the block is within [`size`](Self::size) of it along each axis.
    #[inline(always)]
    pub fn anchor(&self) -> [f32; 3] {
        let [x, y, z] = &self.coordinates;
        [x[0], y[0], z[0]]
    }

    /// Corners of one lane's face.
    #[inline(always)]
    pub fn face_corners(&self, lane: usize) -> [[f32; 3]; 3] {
        let [x, y, z] = &self.coordinates;
        self.face_vertices(lane)
            .map(|vertex| [x[vertex], y[vertex], z[vertex]])
    }

    /// Corners of one lane's face by axis of the sheared frame of a ray: from where they are, for which axes these are
    /// cannot be foreseen.
    #[inline(always)]
    pub fn corners_along(&self, lane: usize, ray: &ShearedRay) -> [[f32; 3]; 3] {
        let [a, b, c] = self.face_vertices(lane);
        let mut corners = [[0.0; 3]; 3];
        for (axis, corners) in corners.iter_mut().enumerate() {
            let along = &self.coordinates[ray.axis(axis)];
            *corners = [along[a], along[b], along[c]];
        }
        corners
    }

    /// The vertices of one lane's face, by their positions in the block.
    #[inline(always)]
    pub fn face_vertices(&self, lane: usize) -> [usize; 3] {
        corners_of(self.packed_corners(lane))
    }

    /// [`face_vertices`](Self::face_vertices) in one number.
    #[inline(always)]
    pub fn packed_corners(&self, lane: usize) -> PackedCorners {
        self.corners[lane % N_LANES]
    }

    /// Whether any face is clockwise from above.
    #[inline(always)]
    pub fn has_clockwise(&self) -> bool {
        self.has_clockwise
    }

    /// Coordinates of the vertices along an axis.
    #[inline(always)]
    pub fn coordinates(&self, axis: usize) -> &[f32; N_LANES] {
        &self.coordinates[axis]
    }

    /// Corners of all faces, by axis.
    #[inline(always)]
    pub fn all_corners<L: SimdVector>(&self) -> [[L; 3]; 3] {
        let places = self.places::<L>();
        let [x, y, z] = &self.coordinates;
        [
            pick(L::load(x), places),
            pick(L::load(y), places),
            pick(L::load(z), places),
        ]
    }

    /// Of each face, the vertices at its corners.
    #[inline(always)]
    pub fn corners(&self) -> &[PackedCorners; N_LANES] {
        &self.corners
    }

    #[inline(always)]
    pub fn places<L: SimdVector>(&self) -> [L::Places; 3] {
        L::places(&self.corners)
    }

    /// The lanes that pass a filter; `None` if each mask must be tested.
    #[inline(always)]
    pub fn matching(&self, filter: MaskFilter) -> Option<bool> {
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
    pub fn matching(&self, filter: MaskFilter) -> LaneMask {
        let bits = self.masks.iter().enumerate();
        bits.fold(0, |seen, (lane, &mask)| {
            seen | LaneMask::from(filter.accepts(mask)) << lane
        })
    }
}
