//! Maps made of brushes, numbers for queries, and the plain methods that results are compared with.

use glam::{DVec3, Vec3};
use ironlands_assets_source::bsp::{Brush, BrushSide, Contents, Leaf, Map, Model, Node, Plane};
use ironlands_assets_source::entities::Entities;
use ironlands_sim_brush::{BrushWorld, CastResult, CastScratch, ShapeCast};
use ironlands_world_source::{brush_world, content_bits};

pub const GAP: f64 = 1.0 / 32.0;
/// Most brushes of a leaf of a made map.
const LEAF_SIZE: usize = 3;

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
        let x = self.between(low.x, high.x);
        let y = self.between(low.y, high.y);
        Vec3::new(x, y, self.between(low.z, high.z))
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let direction = self.vector(Vec3::NEG_ONE, Vec3::ONE);
            if (0.1..1.0).contains(&direction.length()) {
                return direction.normalize();
            }
        }
    }
}

/// A half space `dot(normal, p) <= dist`.
#[derive(Debug, Clone, Copy)]
pub struct Half {
    pub normal: Vec3,
    pub dist: f32,
}

/// The six sides of a box.
pub fn box_sides(mins: Vec3, maxs: Vec3) -> Vec<Half> {
    let sides = [0, 1, 2].into_iter().flat_map(|axis| {
        let normal = Vec3::AXES[axis];
        [
            Half {
                normal,
                dist: maxs[axis],
            },
            Half {
                normal: -normal,
                dist: -mins[axis],
            },
        ]
    });
    sides.collect()
}

/// A plane through a point.
pub fn half(normal: Vec3, through: Vec3) -> Half {
    let normal = normal.normalize();
    Half {
        normal,
        dist: normal.dot(through),
    }
}

/// A map in the making.
#[derive(Default)]
pub struct Maker {
    pub map: Map,
    /// Corners of each brush.
    corners: Vec<Vec<DVec3>>,
}

impl Maker {
    pub fn from_boxes(boxes: &[[Vec3; 2]]) -> Self {
        let mut maker = Self::default();
        for [mins, maxs] in boxes {
            maker.add(&box_sides(*mins, *maxs), Contents::SOLID);
        }
        maker
    }

    /// Adds a brush with the planes that a compiler adds: those across the axes, and those along an edge and an axis.
    /// Nothing if it has no inside.
    pub fn add(&mut self, sides: &[Half], contents: Contents) {
        let corners = corners(sides);
        if corners.is_empty() {
            return;
        }
        let first_side = self.map.brush_sides.len() as i32;
        let touching = |normal: Vec3| {
            let along = corners.iter().map(|corner| normal.as_dvec3().dot(*corner));
            let dist = along.fold(f64::NEG_INFINITY, f64::max) as f32;
            Half { normal, dist }
        };
        let is_touched = |side: &&Half| side.dist - touching(side.normal).dist < 0.01;
        let sides: Vec<_> = sides.iter().filter(is_touched).copied().collect();
        let axial = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let axial = axial.filter(|normal| sides.iter().all(|side| side.normal != *normal));
        let bevels: Vec<_> = axial
            .chain(edge_normals(&sides, &corners))
            .map(touching)
            .collect();
        for (side, bevel) in sides
            .iter()
            .map(|it| (it, 0))
            .chain(bevels.iter().map(|it| (it, 1)))
        {
            self.map.brush_sides.push(BrushSide {
                plane: self.map.planes.len() as u32,
                texinfo: -1,
                bevel,
                ..BrushSide::default()
            });
            self.map.planes.push(Plane {
                normal: side.normal.to_array(),
                dist: side.dist,
                kind: 0,
            });
        }
        self.map.brushes.push(Brush {
            first_side,
            n_sides: self.map.brush_sides.len() as i32 - first_side,
            contents: contents.bits(),
        });
        self.corners.push(corners);
    }

    /// Puts all brushes that no model has into the leaves of the next model; the first one is the world.
    pub fn end_model(&mut self, numbers: &mut Numbers) {
        if self.map.leaves.is_empty() {
            self.map.leaves.push(Leaf::default()); // the dummy that no node leads to
        }
        let first = self
            .map
            .leaf_brushes
            .iter()
            .max()
            .map_or(0, |last| last + 1);
        let brushes: Vec<_> = (first..self.map.brushes.len() as u32).collect();
        let head_node = self.tree_over(&brushes, 12, numbers);
        self.map.models.push(Model {
            head_node,
            ..Model::default()
        });
    }

    /// A node or leaf; nodes lie where sides of brushes are, or anywhere.
    fn tree_over(&mut self, brushes: &[u32], depth: usize, numbers: &mut Numbers) -> i32 {
        if brushes.len() <= LEAF_SIZE || depth == 0 {
            let leaf = self.map.leaves.len() as i32;
            let contents = brushes
                .iter()
                .map(|&i| self.map.brushes[i as usize].contents);
            self.map.leaves.push(Leaf {
                contents: contents.fold(0, |all, it| all | it),
                cluster: leaf,
                first_leaf_brush: self.map.leaf_brushes.len() as u32,
                n_leaf_brushes: brushes.len() as u32,
                ..Leaf::default()
            });
            self.map.leaf_brushes.extend(brushes);
            return -1 - leaf;
        }
        let brush = self.map.brushes[brushes[numbers.below(brushes.len())] as usize];
        let side = brush.first_side as usize + numbers.below(brush.n_sides as usize);
        let plane = match numbers.below(4) {
            0 => {
                let normal = numbers.direction();
                let through = self.corners[brushes[0] as usize][0].as_vec3();
                self.map.planes.push(Plane {
                    normal: normal.to_array(),
                    dist: normal.dot(through),
                    kind: 3,
                });
                self.map.planes.len() - 1
            }
            _ => self.map.brush_sides[side].plane as usize,
        };
        let Plane { normal, dist, .. } = self.map.planes[plane];
        let normal = Vec3::from_array(normal).as_dvec3();
        let reaches = |brush: &u32, sign: f64| {
            let mut corners = self.corners[*brush as usize].iter();
            corners.any(|corner| sign * (normal.dot(*corner) - f64::from(dist)) >= -1e-3)
        };
        let [front, back] = [1.0, -1.0].map(|sign| {
            brushes
                .iter()
                .copied()
                .filter(|it| reaches(it, sign))
                .collect()
        });
        let node = self.map.nodes.len();
        self.map.nodes.push(Node {
            plane: plane as i32,
            ..Node::default()
        });
        let (front, back): (Vec<_>, Vec<_>) = (front, back);
        let children = [front, back].map(|part| self.tree_over(&part, depth - 1, numbers));
        self.map.nodes[node].children = children;
        node as i32
    }

    pub fn world(&self) -> BrushWorld {
        brush_world(&self.map, &Entities::default(), &[]).expect("a valid map")
    }
}

/// Normals across an edge and an axis, for all edges of a body that is not a box.
fn edge_normals(sides: &[Half], corners: &[DVec3]) -> Vec<Vec3> {
    let mut normals = Vec::new();
    for (i, a) in sides.iter().enumerate() {
        for b in &sides[i + 1..] {
            let is_on = |corner: &&DVec3| {
                [a, b].iter().all(|side| {
                    let along = side.normal.as_dvec3().dot(**corner);
                    (along - f64::from(side.dist)).abs() < 0.01
                })
            };
            let on_both: Vec<_> = corners.iter().filter(is_on).collect();
            let is_edge = on_both
                .iter()
                .any(|corner| corner.distance(*on_both[0]) > 0.1);
            if !is_edge {
                continue;
            }
            let along = a.normal.cross(b.normal).normalize();
            for axis in Vec3::AXES {
                let across = along.cross(axis);
                if across.length() > 0.01 && across.abs().max_element() < 0.999 * across.length() {
                    normals.extend([across.normalize(), -across.normalize()]);
                }
            }
        }
    }
    normals
}

/// Corners of the body behind all planes, by the points where three meet.
pub fn corners(sides: &[Half]) -> Vec<DVec3> {
    let planes: Vec<_> = sides
        .iter()
        .map(|side| (side.normal.as_dvec3(), f64::from(side.dist)))
        .collect();
    let mut corners = Vec::new();
    for (i, (a, d_a)) in planes.iter().enumerate() {
        for (j, (b, d_b)) in planes.iter().enumerate().skip(i + 1) {
            for (c, d_c) in planes.iter().skip(j + 1) {
                let determinant = a.dot(b.cross(*c));
                if determinant.abs() < 1e-6 {
                    continue;
                }
                let point =
                    (b.cross(*c) * *d_a + c.cross(*a) * *d_b + a.cross(*b) * *d_c) / determinant;
                if planes.iter().all(|(n, d)| n.dot(point) <= d + 1e-3) {
                    corners.push(point);
                }
            }
        }
    }
    corners
}

/// Boxes, some of them with corners and edges cut off, in a room of 2048 units.
pub fn random_maker(numbers: &mut Numbers, n_brushes: usize) -> Maker {
    let mut maker = Maker::default();
    let room = Vec3::splat(1024.0);
    for _ in 0..n_brushes {
        let middle = numbers.vector(-room, room).round();
        let size = numbers.vector(Vec3::splat(8.0), Vec3::splat(200.0)).round();
        let mut sides = box_sides(middle - size, middle + size);
        for _ in 0..numbers.below(4) {
            let normal = numbers.direction();
            sides.push(half(normal, middle + normal * size.min_element() * 0.8));
        }
        let contents = match numbers.below(4) {
            0 => Contents::WATER,
            1 => Contents::GRATE | Contents::LADDER,
            _ => Contents::SOLID,
        };
        maker.add(&sides, contents);
    }
    maker.end_model(numbers);
    maker
}

/// A sweep somewhere in the room: a ray, or a box of some size, short or long.
pub fn random_sweep(numbers: &mut Numbers, low: Vec3, high: Vec3) -> ShapeCast {
    let start = numbers.vector(low, high);
    let end = match numbers.below(3) {
        0 => numbers.vector(low, high),
        1 => start + numbers.direction() * numbers.between(0.0, 64.0),
        _ => start + Vec3::AXES[numbers.below(3)] * numbers.between(-900.0, 900.0),
    };
    let mask = [
        Contents::MASK_SOLID,
        Contents::MASK_PLAYER_SOLID_BRUSH_ONLY,
        Contents::MASK_WATER,
        Contents::all(),
    ][numbers.below(4)];
    let mask = content_bits(mask);
    let bounds = match numbers.below(3) {
        0 => [Vec3::ZERO; 2],
        1 => [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, 72.0)],
        _ => {
            let half = numbers.vector(Vec3::ZERO, Vec3::splat(60.0));
            [-half, half]
        }
    };
    ShapeCast::from_box(start, end, bounds, mask)
}

/// What a shape cast against all brushes of a map must return, by the rules of section 7.3: share of the way, starts and stays
/// in solid, and the brush.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plain {
    pub fraction: f64,
    pub start_solid: bool,
    pub all_solid: bool,
    pub brush: Option<usize>,
}

/// Tests one brush after the other.
pub fn plain_sweep(map: &Map, brushes: impl Iterator<Item = usize>, sweep: &ShapeCast) -> Plain {
    let middle = (sweep.mins.as_dvec3() + sweep.maxs.as_dvec3()) * 0.5;
    let size = (sweep.maxs.as_dvec3() - sweep.mins.as_dvec3()) * 0.5;
    let (start, end) = (
        sweep.start.as_dvec3() + middle,
        sweep.end.as_dvec3() + middle,
    );
    let mut found = Plain {
        fraction: 1.0,
        start_solid: false,
        all_solid: false,
        brush: None,
    };
    for brush_idx in brushes {
        let brush = &map.brushes[brush_idx];
        if brush.contents & sweep.mask.bits() == 0 || brush.n_sides == 0 {
            continue;
        }
        let (mut enter, mut leave) = (-1.0_f64, 1.0_f64);
        let (mut starts_out, mut ends_out, mut misses) = (false, false, false);
        for side in &map.brush_sides[brush.first_side as usize..][..brush.n_sides as usize] {
            if size == DVec3::ZERO && side.bevel != 0 {
                continue;
            }
            let plane = &map.planes[side.plane as usize];
            let normal = Vec3::from_array(plane.normal).as_dvec3();
            let dist = f64::from(plane.dist) + normal.abs().dot(size);
            let (d1, d2) = (normal.dot(start) - dist, normal.dot(end) - dist);
            starts_out |= d1 > 0.0;
            ends_out |= d2 > 0.0;
            misses |= d1 > 0.0 && d2 > 0.0;
            if d1 > 0.0 && d2 <= 0.0 {
                enter = enter.max((d1 - GAP).max(0.0) / (d1 - d2));
            } else if d1 <= 0.0 && d2 > 0.0 {
                leave = leave.min((d1 + GAP) / (d1 - d2));
            }
        }
        if misses {
            continue;
        }
        if !starts_out {
            found.start_solid = true;
            if !ends_out {
                found.all_solid = true;
                found.fraction = 0.0;
                found.brush = None;
            }
        } else if enter < leave && enter > -1.0 && enter < found.fraction {
            found.fraction = enter.max(0.0);
            found.brush = Some(brush_idx);
        }
    }
    found
}

pub fn trace(world: &BrushWorld, sweep: &ShapeCast) -> CastResult {
    world.cast_shape(sweep, &mut CastScratch::default())
}
