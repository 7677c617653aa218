//! Walls with a light map: each quad has a cell of the map, and the map is computed from how much of the sky
//! each of its texels sees.

use rayon::prelude::*;

use super::shape::{Mapping, Shape};
use super::turn::Angle;
use crate::noise::mix;
use crate::textures::{Canvas, Rgb};
use crate::vector::{Vec3, add, cross, dot, normalized, sub};

/// Side of a light map in texels.
const SIZE: usize = 128;
/// Cells along its side.
const N_CELLS: usize = 8;
/// Side of a cell in texels.
const CELL: usize = SIZE / N_CELLS;
/// Directions of the rays from a texel.
const N_RAYS: usize = 36;
/// How far a wall throws its shade.
const REACH: f64 = 9.0;

const OPEN: Rgb = [222.0, 220.0, 216.0];
const SHADED: Rgb = [58.0, 62.0, 78.0];
const LAMPLIGHT: Rgb = [190.0, 140.0, 66.0];

/// A texture covers eight units of wall.
const SLABS: Mapping = Mapping::Repeats(0.125);

/// A lamp on a wall.
pub struct Lamp {
    pub at: Vec3,
    pub reach: f64,
}

/// Quads with cells of one light map.
#[derive(Default)]
pub struct LitWalls {
    quads: Vec<Quad>,
}

struct Quad {
    /// Shown where the requested rank is at least this.
    rank: u8,
    corners: [Vec3; 4],
}

impl LitWalls {
    /// The four sides and the top of a tapered block.
    pub fn add_block(
        &mut self,
        rank: u8,
        z: [f64; 2],
        halves: [[f64; 2]; 2],
        shift: [f64; 2],
        at: [f64; 2],
    ) {
        let level = |k: usize| {
            let [hx, hy] = halves[k];
            let [x, y] = [0, 1].map(|axis| at[axis] + shift[axis] * k as f64);
            [[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]].map(|[dx, dy]| [x + dx, y + dy, z[k]])
        };
        let (bottom, top) = (level(0), level(1));
        for k in 0..4 {
            let l = (k + 1) % 4;
            let corners = [bottom[k], bottom[l], top[l], top[k]];
            self.quads.push(Quad { rank, corners });
        }
        self.quads.push(Quad { rank, corners: top });
        assert!(
            self.quads.len() <= N_CELLS * N_CELLS,
            "a cell for each quad"
        );
    }

    /// The quads up to a rank.
    pub fn shape(&self, rank: u8) -> Shape {
        let mut shape = Shape::default();
        for (cell, quad) in self.quads.iter().enumerate() {
            if quad.rank > rank {
                continue;
            }
            let mut polygon = Shape::polygon(&quad.corners, SLABS);
            for triangle in &mut polygon.triangles {
                for corner in triangle {
                    let is_here = |k: &usize| quad.corners[*k] == corner.position;
                    let k = (0..4).find(is_here).expect("a corner of the quad");
                    corner.lightmap_uv = corner_in_map(cell, k);
                }
            }
            shape.add(polygon);
        }
        shape
    }

    /// The light map.
    pub fn bake(&self, lamps: &[Lamp]) -> Canvas {
        let mut canvas = Canvas::paint(SIZE, |_, _| OPEN);
        let texels: Vec<Rgb> = (0..SIZE * SIZE)
            .into_par_iter()
            .map(|i| self.texel(i % SIZE, i / SIZE, lamps))
            .collect();
        canvas.rgb = texels;
        canvas
    }

    fn texel(&self, x: usize, y: usize, lamps: &[Lamp]) -> Rgb {
        let Some(quad) = self.quads.get(y / CELL * N_CELLS + x / CELL) else {
            return OPEN;
        };
        // The middles of the outermost texels lie on the quad's sides.
        let part = |t: usize| (t % CELL) as f64 / (CELL - 1) as f64;
        let (s, t) = (part(x), 1.0 - part(y));
        let [a, b, c, d] = quad.corners;
        let at = |k: usize| mix(mix(a[k], b[k], s), mix(d[k], c[k], s), t);
        // A little inward, so that walls which meet here do not hide each other's edge.
        let middle = [0, 1, 2].map(|k| (a[k] + b[k] + c[k] + d[k]) / 4.0);
        let place = [0, 1, 2].map(|k| mix(at(k), middle[k], 0.02));
        let normal = normalized(cross(sub(b, a), sub(d, a)));
        let place = add(place, normal.map(|c| 0.03 * c));
        let open = self.openness(place, normal);
        let lit = lamps.iter().map(|lamp| self.lamplight(place, normal, lamp));
        let lit = lit.sum::<f64>().min(1.0);
        [0, 1, 2].map(|k| (mix(SHADED[k], OPEN[k], open) + LAMPLIGHT[k] * lit).min(255.0))
    }

    /// How much of the half space before a wall is open, near things counting more, 0..1.
    fn openness(&self, place: Vec3, normal: Vec3) -> f64 {
        let side = if normal[2].abs() < 0.9 {
            normalized(cross([0.0, 0.0, 1.0], normal))
        } else {
            [1.0, 0.0, 0.0]
        };
        let other = cross(normal, side);
        let mut sum = 0.0;
        for k in 0..N_RAYS {
            // Evenly over the disc, so that grazing rays are few, as their light is.
            let part = (k as f64 + 0.5) / N_RAYS as f64;
            let (out, around) = (part.sqrt(), Angle::degrees(137.507_764 * k as f64));
            let up = (1.0 - part).sqrt();
            let ray = [0, 1, 2]
                .map(|i| out * (around.cos * side[i] + around.sin * other[i]) + up * normal[i]);
            let ground = if ray[2] < 0.0 {
                -place[2] / ray[2]
            } else {
                REACH
            };
            let hit = self.first_hit(place, ray).min(0.6 * REACH + 0.4 * ground);
            sum += (hit / REACH).clamp(0.0, 1.0);
        }
        sum / N_RAYS as f64
    }

    fn lamplight(&self, place: Vec3, normal: Vec3, lamp: &Lamp) -> f64 {
        let way = sub(lamp.at, place);
        let far = dot(way, way).sqrt();
        let facing = dot(way, normal) / far;
        if far >= lamp.reach || facing <= 0.0 || self.first_hit(place, normalized(way)) < far {
            return 0.0;
        }
        let near = 1.0 - far / lamp.reach;
        near * near * (0.35 + 0.65 * facing)
    }

    /// Length of a ray until it hits a wall from its front, at most [`REACH`].
    fn first_hit(&self, from: Vec3, ray: Vec3) -> f64 {
        let mut nearest = REACH;
        for quad in &self.quads {
            let [a, b, c, d] = quad.corners;
            let normal = cross(sub(b, a), sub(d, a));
            let toward = dot(ray, normal);
            if toward >= 0.0 {
                continue;
            }
            let t = dot(sub(a, from), normal) / toward;
            if t <= 0.0 || t >= nearest {
                continue;
            }
            let p = add(from, ray.map(|c| c * t));
            let edges = [(a, b), (b, c), (c, d), (d, a)];
            let inside =
                |(p0, p1): (Vec3, Vec3)| dot(cross(sub(p1, p0), sub(p, p0)), normal) >= 0.0;
            if edges.into_iter().all(inside) {
                nearest = t;
            }
        }
        nearest
    }
}

/// Light map coordinates of a corner of a quad: the middle of the outermost texel of its cell.
fn corner_in_map(cell: usize, k: usize) -> [f64; 2] {
    let (column, row) = (cell % N_CELLS, cell / N_CELLS);
    let (right, down) = ([0, 1, 1, 0][k], [1, 1, 0, 0][k]);
    let texel = |cell: usize, far: usize| (cell * CELL + far * (CELL - 1)) as f64 + 0.5;
    [texel(column, right), texel(row, down)].map(|t| t / SIZE as f64)
}
