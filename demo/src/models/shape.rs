//! Solids from polygons, with texture coordinates: what the models are made of.

use super::turn::{Angle, Turn};
use crate::vector::{Vec3, add, cross, dot, normalized, sub};

/// A corner of a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Corner {
    pub position: Vec3,
    pub normal: Vec3,
    pub uv: [f64; 2],
    pub lightmap_uv: [f64; 2],
}

/// Triangles that face outward: corners run counter-clockwise as seen from outside.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub triangles: Vec<[Corner; 3]>,
}

/// How a polygon gets texture coordinates. v runs down the texture, so that a texture's top is a wall's top.
#[derive(Debug, Clone, Copy)]
pub enum Mapping {
    /// The texture repeats this often along a unit, seen along the axis that the polygon faces most.
    Repeats(f64),
    /// The first four corners are these texture coordinates' corners: left bottom, right bottom, right top, left top.
    Fit([f64; 4]),
}

/// A whole texture.
pub const WHOLE: Mapping = Mapping::Fit([0.0, 0.0, 1.0, 1.0]);

impl Shape {
    /// A flat convex polygon.
    pub fn polygon(points: &[Vec3], mapping: Mapping) -> Self {
        let normal = normal_of(points);
        let corner = |k: usize| Corner {
            position: points[k],
            normal,
            uv: uv_of(points[k], k, normal, mapping),
            lightmap_uv: [0.0; 2],
        };
        let fan = (1..points.len() - 1).map(|k| [corner(0), corner(k), corner(k + 1)]);
        Self {
            triangles: fan.collect(),
        }
    }

    /// A block with six flat sides; `bottom` and `top` run counter-clockwise as seen from above, from the same side.
    pub fn hexahedron(bottom: [Vec3; 4], top: [Vec3; 4], mapping: Mapping) -> Self {
        let [a, b, c, d] = bottom;
        let mut shape = Self::polygon(&[d, c, b, a], mapping);
        shape.add(Self::polygon(&top, mapping));
        for k in 0..4 {
            let l = (k + 1) % 4;
            shape.add(Self::polygon(
                &[bottom[k], bottom[l], top[l], top[k]],
                mapping,
            ));
        }
        shape
    }

    /// A block along the axes.
    pub fn block(min: Vec3, max: Vec3, mapping: Mapping) -> Self {
        let half = |k: usize| (max[k] - min[k]) / 2.0;
        let middle = |k: usize| (max[k] + min[k]) / 2.0;
        let halves = [half(0), half(1)];
        Self::tapered([min[2], max[2]], [halves, halves], [0.0; 2], mapping).moved([
            middle(0),
            middle(1),
            0.0,
        ])
    }

    /// A block whose bottom and top are rectangles around the z axis; the top is shifted.
    pub fn tapered(z: [f64; 2], halves: [[f64; 2]; 2], shift: [f64; 2], mapping: Mapping) -> Self {
        let level = |k: usize| {
            let ([hx, hy], [sx, sy]) = (halves[k], shift.map(|s| s * k as f64));
            [[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]].map(|[x, y]| [x + sx, y + sy, z[k]])
        };
        Self::hexahedron(level(0), level(1), mapping)
    }

    /// A body turned on a lathe: `profile` is radius and z from the bottom upward, `n` sides around the z axis. Ends
    /// with a radius are closed. Around, the texture repeats `around` times; along, `along` times a unit.
    pub fn lathe(profile: &[[f64; 2]], n: usize, around: f64, along: f64) -> Self {
        let spoke = |k: usize| Angle::degrees(360.0 * (k % n) as f64 / n as f64);
        let mut shape = Self::default();
        let mut run = 0.0;
        for band in profile.windows(2) {
            let ([r0, z0], [r1, z1]) = (band[0], band[1]);
            let length = ((r1 - r0) * (r1 - r0) + (z1 - z0) * (z1 - z0)).sqrt();
            let corner = |k: usize, upper: bool| {
                let (a, [r, z]) = (spoke(k), if upper { [r1, z1] } else { [r0, z0] });
                let out = [(z1 - z0) * a.cos, (z1 - z0) * a.sin, r0 - r1];
                let v = -along * (run + if upper { length } else { 0.0 });
                Corner {
                    position: [r * a.cos, r * a.sin, z],
                    normal: normalized(out),
                    uv: [around * k as f64 / n as f64, v],
                    lightmap_uv: [0.0; 2],
                }
            };
            for k in 0..n {
                let (a, b) = (corner(k, false), corner(k + 1, false));
                let (c, d) = (corner(k + 1, true), corner(k, true));
                if r0 > 0.0 {
                    shape.triangles.push([a, b, c]);
                }
                if r1 > 0.0 {
                    shape.triangles.push([a, c, d]);
                }
            }
            run += length;
        }
        shape.close(profile[0], n, along, true);
        shape.close(profile[profile.len() - 1], n, along, false);
        shape
    }

    /// The disc at an end of a lathe's profile.
    fn close(&mut self, [radius, z]: [f64; 2], n: usize, along: f64, is_bottom: bool) {
        if radius <= 0.0 {
            return;
        }
        let rim = |k: usize| {
            let a = Angle::degrees(360.0 * k as f64 / n as f64);
            [radius * a.cos, radius * a.sin, z]
        };
        let points: Vec<Vec3> = match is_bottom {
            true => (0..n).rev().map(rim).collect(),
            false => (0..n).map(rim).collect(),
        };
        self.add(Self::polygon(&points, Mapping::Repeats(along)));
    }

    /// A tube between two points, a little thinner or thicker at its end.
    pub fn rod(from: Vec3, to: Vec3, radii: [f64; 2], n: usize, along: f64) -> Self {
        let axis = sub(to, from);
        let length = dot(axis, axis).sqrt();
        let up = normalized(axis);
        Self::lathe(&[[radii[0], 0.0], [radii[1], length]], n, 1.0, along)
            .turned(turn_to(up))
            .moved(from)
    }

    pub fn add(&mut self, other: Self) {
        self.triangles.extend(other.triangles);
    }

    /// This and that.
    pub fn with(mut self, other: Self) -> Self {
        self.add(other);
        self
    }

    pub fn moved(self, by: Vec3) -> Self {
        self.each(|corner| Corner {
            position: add(corner.position, by),
            ..corner
        })
    }

    pub fn turned(self, turn: Turn) -> Self {
        self.each(|corner| Corner {
            position: turn.apply(corner.position),
            normal: turn.apply(corner.normal),
            ..corner
        })
    }

    /// Stretched along the axes.
    pub fn stretched(self, by: Vec3) -> Self {
        self.each(|corner| Corner {
            position: [0, 1, 2].map(|k| corner.position[k] * by[k]),
            normal: normalized([0, 1, 2].map(|k| corner.normal[k] / by[k])),
            ..corner
        })
    }

    /// Its mirror image across the plane y = 0.
    pub fn mirrored(self) -> Self {
        let flip = |[x, y, z]: Vec3| [x, -y, z];
        let mut shape = self.each(|corner| Corner {
            position: flip(corner.position),
            normal: flip(corner.normal),
            ..corner
        });
        for triangle in &mut shape.triangles {
            triangle.swap(1, 2);
        }
        shape
    }

    /// With other texture coordinates.
    pub fn mapped(self, to: impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        self.each(|corner| Corner {
            uv: to(corner.uv),
            ..corner
        })
    }

    /// All corners through a function.
    pub fn each(mut self, to: impl Fn(Corner) -> Corner) -> Self {
        for corner in self.triangles.as_flattened_mut() {
            *corner = to(*corner);
        }
        self
    }
}

/// The shortest way from +Z to a direction of unit length.
fn turn_to(up: Vec3) -> Turn {
    let [x, y, z] = up;
    if z < -0.999_999 {
        return Turn([0.0, 1.0, 0.0, 0.0]);
    }
    let w = ((1.0 + z) / 2.0).sqrt();
    Turn([w, -y / (2.0 * w), x / (2.0 * w), 0.0])
}

/// The normal of a polygon, from its first corner whose neighbors are not in line.
fn normal_of(points: &[Vec3]) -> Vec3 {
    let mut sum = [0.0; 3];
    for k in 1..points.len() - 1 {
        let area = cross(sub(points[k], points[0]), sub(points[k + 1], points[0]));
        sum = add(sum, area);
    }
    normalized(sum)
}

fn uv_of(p: Vec3, k: usize, normal: Vec3, mapping: Mapping) -> [f64; 2] {
    match mapping {
        Mapping::Fit([u0, v0, u1, v1]) => [[u0, v1], [u1, v1], [u1, v0], [u0, v0]][k.min(3)],
        Mapping::Repeats(repeats) => {
            let [x, y, z] = p.map(|c| c * repeats);
            let [nx, ny, nz] = normal.map(f64::abs);
            if nz >= nx && nz >= ny {
                [x, -y]
            } else if nx >= ny {
                [if normal[0] > 0.0 { y } else { -y }, -z]
            } else {
                [if normal[1] > 0.0 { -x } else { x }, -z]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume that a shape encloses; negative if it is inside out.
    fn volume(shape: &Shape) -> f64 {
        let triangles = shape.triangles.iter();
        let six = triangles.map(|[a, b, c]| dot(a.position, cross(b.position, c.position)));
        six.sum::<f64>() / 6.0
    }

    #[test]
    fn solids_enclose_their_volume_outward() {
        let map = Mapping::Repeats(1.0);
        let block = Shape::block([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], map);
        assert!((volume(&block) - 6.0).abs() < 1e-9);
        assert!((volume(&block.clone().mirrored()) - 6.0).abs() < 1e-9);
        let square = Shape::lathe(&[[1.0, 0.0], [1.0, 2.0]], 4, 1.0, 1.0);
        assert!((volume(&square) - 4.0).abs() < 1e-9);
        let cone = Shape::lathe(&[[1.0, 0.0], [0.0, 3.0]], 4, 1.0, 1.0);
        assert!((volume(&cone) - 2.0).abs() < 1e-9);
        let rod = Shape::rod([5.0, 5.0, 5.0], [5.0, 8.0, 1.0], [1.0, 1.0], 4, 1.0);
        assert!((volume(&rod) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn normals_agree_with_the_winding() {
        let shape = Shape::lathe(&[[0.0, 0.0], [2.0, 1.0], [1.0, 3.0]], 9, 1.0, 1.0)
            .stretched([1.0, 2.0, 0.5])
            .turned(Turn::degrees(0, 130.0))
            .mirrored();
        for [a, b, c] in &shape.triangles {
            let face = cross(sub(b.position, a.position), sub(c.position, a.position));
            assert!(
                [a, b, c]
                    .iter()
                    .all(|corner| dot(corner.normal, face) > 0.0)
            );
        }
    }
}
