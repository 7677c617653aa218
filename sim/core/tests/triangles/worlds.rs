//! Worlds of some thousand faces, and query coordinates for them: the same in every run.

use crate::soup::Soup;
use glam::{Vec2, Vec3};
use ironlands_sim_core::{MaskFilter, Ray};

/// Evenly spread numbers from a seed (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// In `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let part = (self.bits() >> 40) as f32 / (1 << 24) as f32;
        low + (high - low) * part
    }

    pub fn vector(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        let along = |axis: usize| (low[axis], high[axis]);
        let [x, y, z] = [0, 1, 2].map(along);
        Vec3::new(
            self.between(x.0, x.1),
            self.between(y.0, y.1),
            self.between(z.0, z.1),
        )
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A number a few steps of f32 beside another.
    pub fn beside(&mut self, value: f32) -> f32 {
        let steps = self.below(5);
        let up = self.below(2) == 0;
        (0..steps).fold(value, |v, _| if up { v.next_up() } else { v.next_down() })
    }

    /// Each coordinate a few steps of f32 beside that of another point.
    pub fn point_beside(&mut self, point: Vec3) -> Vec3 {
        Vec3::from_array(point.to_array().map(|v| self.beside(v)))
    }
}

/// Mask bits that faces carry: the first by neighborhood, so that whole blocks have them or lack them, the others
/// face by face.
pub const MASKS: [u32; 4] = [1, 2, 4, 8];

/// Filters that see all faces, whole neighborhoods, or faces here and there.
pub fn filter(numbers: &mut Numbers) -> MaskFilter {
    let [near, two, four, eight] = MASKS;
    let filters = [
        (0, 0),
        (0, 0),
        (near, 0),
        (0, near),
        (two, 0),
        (0, four),
        (two, eight),
        (eight | near, two),
        (16, 0),
    ];
    let (required, forbidden) = numbers.one_of(&filters);
    MaskFilter {
        required,
        forbidden,
    }
}

fn mask(numbers: &mut Numbers, at: [f32; 3], neighborhood: f32) -> u32 {
    let [x, y] = [at[0], at[1]].map(|v| (v / neighborhood).floor() as i64);
    let near = u32::from((x + y).rem_euclid(2) == 0);
    near | (numbers.bits() as u32 & 14)
}

impl Soup {
    fn empty() -> Self {
        Self {
            positions: Vec::new(),
            triangles: Vec::new(),
            masks: Vec::new(),
        }
    }

    /// Adds a face of vertices that are there.
    pub fn add(&mut self, corners: [u32; 3], mask: u32) {
        self.triangles.push(corners);
        self.masks.push(mask);
    }

    /// Hills of `2 * side * side` faces, 8 units a cell from the corner `origin` on, vertices moved at random, and a
    /// house with a flat roof on every eighth cell.
    pub fn terrain(side: u32, origin: Vec3, seed: u64) -> Self {
        const CELL: f32 = 8.0;
        let mut numbers = Numbers(seed);
        let mut soup = Self::empty();
        for x in 0..=side {
            for y in 0..=side {
                let [x, y] = [x, y].map(|v| v as f32 * CELL + numbers.between(-2.5, 2.5));
                let hills = 20.0 * (x * 0.03).sin() * (y * 0.05).cos();
                let z = hills + numbers.between(-1.5, 1.5);
                soup.positions
                    .push((origin + Vec3::new(x, y, z)).to_array());
            }
        }
        let row = side + 1;
        for at in (0..side).flat_map(|x| (0..side).map(move |y| x * row + y)) {
            for corners in [[at, at + row, at + row + 1], [at, at + row + 1, at + 1]] {
                let corner = soup.positions[at as usize];
                let mask = mask(&mut numbers, corner, 64.0);
                soup.add(corners, mask);
            }
            if numbers.below(8) == 0 {
                soup.add_house(at as usize, &mut numbers);
            }
        }
        soup
    }

    /// Four upright walls and a flat roof on a vertex of the ground.
    fn add_house(&mut self, ground: usize, numbers: &mut Numbers) {
        let [x, y, z] = self.positions[ground];
        let [wide, long] = [numbers.between(1.0, 9.0), numbers.between(1.0, 9.0)];
        let (floor, roof) = (z - 2.0, z + numbers.between(2.0, 9.0));
        let first = self.positions.len() as u32;
        let plan = [[x, y], [x + wide, y], [x + wide, y + long], [x, y + long]];
        for z in [floor, roof] {
            self.positions.extend(plan.map(|[x, y]| [x, y, z]));
        }
        let walls = (0..4).flat_map(|i| {
            let next = (i + 1) % 4;
            [[i, next, next + 4], [i, next + 4, i + 4]]
        });
        for corners in walls.chain([[4, 5, 6], [4, 6, 7]]) {
            let mask = mask(numbers, [x, y, z], 64.0);
            self.add(corners.map(|v| first + v), mask);
        }
    }

    /// Faces of any three of `n_vertices` points within `extent`, which lie on multiples of `grid`; anywhere for 0.
    pub fn scattered(n_vertices: u32, n_faces: u32, extent: f32, grid: f32, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let mut soup = Self::empty();
        for _ in 0..n_vertices {
            let at = numbers.vector(Vec3::ZERO, Vec3::splat(extent));
            let on_grid = if grid > 0.0 {
                (at / grid).round() * grid
            } else {
                at
            };
            soup.positions.push(on_grid.to_array());
        }
        for _ in 0..n_faces {
            let corners = [0; 3].map(|_: u32| numbers.below(n_vertices as usize) as u32);
            let at = soup.positions[corners[0] as usize];
            let mask = mask(&mut numbers, at, extent / 4.0);
            soup.add(corners, mask);
        }
        soup
    }

    /// Every coordinate times the same.
    pub fn scaled(mut self, by: f32) -> Self {
        for position in &mut self.positions {
            *position = position.map(|v| v * by);
        }
        self
    }

    /// Smallest and largest corner of all vertices.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let positions = self.positions.iter().map(|&v| Vec3::from_array(v));
        let empty = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        positions.fold(empty, |(low, high), v| (low.min(v), high.max(v)))
    }

    /// A corner, or a point of an edge or of the inside of some face, rounded to f32.
    pub fn point_on_face(&self, numbers: &mut Numbers) -> Vec3 {
        let face = numbers.below(self.triangles.len());
        let [a, b, c] = self.triangles[face].map(|v| Vec3::from_array(self.positions[v as usize]));
        match numbers.below(4) {
            0 => a,
            1 => a.midpoint(b),
            2 => a.lerp(b, numbers.between(0.0, 1.0)),
            _ => a
                .lerp(b, numbers.between(0.0, 1.0))
                .lerp(c, numbers.between(0.0, 1.0)),
        }
    }
}

/// Queries to a world: somewhere, or at, through, along and just beside its edges and corners.
#[derive(Debug, Clone, Copy)]
pub struct Query {
    pub ray: Ray,
    pub t_max: f32,
    pub point: Vec3,
    pub half_size: Vec3,
}

impl Query {
    pub fn any(soup: &Soup, numbers: &mut Numbers) -> Self {
        let (low, high) = soup.bounds();
        let extent = high - low;
        let mut somewhere = || numbers.vector(low - 0.1 * extent, high + 0.1 * extent);
        let (a, b) = (somewhere(), somewhere());
        let on_faces = [soup.point_on_face(numbers), soup.point_on_face(numbers)];
        let beside = on_faces.map(|on| numbers.point_beside(on));
        let axis = numbers.one_of(&[
            Vec3::X,
            Vec3::Y,
            Vec3::Z,
            Vec3::NEG_X,
            Vec3::NEG_Y,
            Vec3::NEG_Z,
        ]);
        let far = extent.max_element();
        let (origin, direction) = match numbers.below(8) {
            0 => (a, b - a),
            1 => (a, on_faces[0] - a),
            2 => (on_faces[0], on_faces[1] - on_faces[0]),
            3 => (beside[0] - axis * far, axis * far),
            4 => (on_faces[0] - axis * far, axis * far),
            5 => (beside[0], beside[1] - beside[0]),
            6 => (on_faces[0], axis),
            _ => (a, (b - a).normalize_or_zero()),
        };
        let point = numbers.one_of(&[a, on_faces[0], beside[0]]);
        let half_size = 0.05 * numbers.between(0.0, 1.0) * (a - b).abs();
        Self {
            ray: Ray { origin, direction },
            t_max: numbers.one_of(&[1.0, 0.5, f32::INFINITY, 100.0]),
            point,
            half_size: if numbers.below(8) == 0 {
                Vec3::ZERO
            } else {
                half_size
            },
        }
    }

    pub fn many(soup: &Soup, n: usize, seed: u64) -> Vec<Self> {
        let mut numbers = Numbers(seed);
        (0..n).map(|_| Self::any(soup, &mut numbers)).collect()
    }

    pub fn plan(&self) -> Vec2 {
        self.point.truncate()
    }

    pub fn corners(&self) -> [Vec3; 2] {
        [self.point - self.half_size, self.point + self.half_size]
    }

    pub fn ends(&self) -> [Vec3; 2] {
        [self.ray.origin, self.ray.origin + self.ray.direction]
    }
}
