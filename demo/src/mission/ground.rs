//! The finished ground of a level, to put things on: its finest triangles, found by place.

use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_msh::LandMsh;

/// Side of a bucket in world units: about that of a quad.
const BUCKET: f64 = 25.0;
/// Bit of faces with a road, by the demo's own custom (see the mesh).
const ROAD: u32 = 0x80;

/// The ground of a level.
pub struct Ground {
    faces: Vec<GroundFace>,
    /// Faces that reach into each square of [`BUCKET`] units, row by row.
    buckets: Vec<Vec<usize>>,
    n_buckets: usize,
    size: f64,
    pub water_level: f64,
}

struct GroundFace {
    corners: [[f64; 3]; 3],
    is_road: bool,
}

/// What is found at a place.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub z: f64,
    /// Rise over run.
    pub slope: f64,
    pub is_road: bool,
}

impl Ground {
    /// The dry and wet ground of a level, without the water above it.
    pub fn new(land: &LandMsh) -> Self {
        let n_fine = land.slots[..land.nodes.len()].iter();
        let n_fine: usize = n_fine.map(|slot| usize::from(slot.tri_count)).sum();
        let size = f64::from(land.header.corners[7][0]);
        let n_buckets = (size / BUCKET) as usize + 1;
        let mut ground = Self {
            faces: Vec::new(),
            buckets: vec![Vec::new(); n_buckets * n_buckets],
            n_buckets,
            size,
            water_level: f64::from(land.water_level()),
        };
        for face in &land.faces[..n_fine] {
            if face.flags.contains(FaceFlags::WATER) {
                continue;
            }
            let corners = face
                .vertices
                .map(|i| land.positions[usize::from(i)].map(f64::from));
            ground.add(corners, face.flags.bits() & ROAD != 0);
        }
        ground
    }

    fn add(&mut self, corners: [[f64; 3]; 3], is_road: bool) {
        let range = |axis: usize| {
            let values = corners.map(|corner| corner[axis]);
            let low = values.into_iter().fold(f64::MAX, f64::min);
            let high = values.into_iter().fold(f64::MIN, f64::max);
            (low / BUCKET) as usize..=((high / BUCKET) as usize).min(self.n_buckets - 1)
        };
        for y in range(1) {
            for x in range(0) {
                self.buckets[y * self.n_buckets + x].push(self.faces.len());
            }
        }
        self.faces.push(GroundFace { corners, is_road });
    }

    /// What is at a place; `None` beside the level.
    pub fn at(&self, x: f64, y: f64) -> Option<Spot> {
        if !(0.0..self.size).contains(&x) || !(0.0..self.size).contains(&y) {
            return None;
        }
        let bucket = (y / BUCKET) as usize * self.n_buckets + (x / BUCKET) as usize;
        let mut faces = self.buckets[bucket].iter().map(|face| &self.faces[*face]);
        faces.find_map(|face| face.spot(x, y))
    }

    /// Ground that can be stood on: dry, no steeper than `slope`.
    pub fn dry(&self, x: f64, y: f64, slope: f64) -> Option<Spot> {
        let is_good = |spot: &Spot| spot.z > self.water_level + 1.5 && spot.slope <= slope;
        self.at(x, y).filter(is_good)
    }
}

impl GroundFace {
    fn spot(&self, x: f64, y: f64) -> Option<Spot> {
        let [a, b, c] = self.corners;
        let cross =
            |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let (wa, wb, wc) = (cross(b, c), cross(c, a), cross(a, b));
        if wa < 0.0 || wb < 0.0 || wc < 0.0 {
            return None;
        }
        let area = wa + wb + wc;
        let z = (wa * a[2] + wb * b[2] + wc * c[2]) / area;
        // The plane's rise along both axes.
        let (ux, uy, uz) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        let (vx, vy, vz) = (c[0] - a[0], c[1] - a[1], c[2] - a[2]);
        let flat = ux * vy - uy * vx;
        let (dx, dy) = ((uz * vy - uy * vz) / flat, (ux * vz - uz * vx) / flat);
        Some(Spot {
            z,
            slope: (dx * dx + dy * dy).sqrt(),
            is_road: self.is_road,
        })
    }
}
