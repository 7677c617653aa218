//! Everything convex in a world as shape casts read it: four planes at once, under a tree of boxes (section 7.3).

use super::motion::{Best, EPS, Inside, Meeting, Motion, Stop, entry};
use super::query::CastTargets;
use super::shape_cast::FAR;
use super::side::{Brush, Side};
use glam::{DVec3, Vec3};
use ironlands_sim_core::bvh::{Bounds, BoxRay, Bvh};
use std::ops::Range;

/// Planes that are tested at once: a cache line of them.
const N_PLANES: usize = 4;

/// How far beyond a bevel a ray, which does not see it, may be stopped. That is a gap before the brush, so around a
/// sharp edge it is several gaps beyond the bevel; a unit is enough for edges of 4 degrees or more.
const BEVEL_SLACK: f64 = 1.0;

/// The convex bodies of a world, which are called by their position.
#[derive(Debug, Clone, Default)]
pub(super) struct ConvexBodies {
    bodies: Vec<Convex>,
    /// Bodies that are brushes of the world itself; they come first.
    n_of_world: usize,
    planes: Vec<Planes>,
    /// Sides of the planes.
    sides: Vec<[u32; N_PLANES]>,
    bvh: Bvh,
}

/// A brush; places among the planes.
#[derive(Debug, Clone)]
struct Convex {
    brush: u32,
    contents: i32,
    for_rays: Range<u32>,
    for_boxes: Range<u32>,
}

/// Planes of a brush, those of the file in its order; no motion gets in front of those behind the last.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Planes {
    /// x, y and z of all normals.
    normals: [[f32; N_PLANES]; 3],
    dists: [f32; N_PLANES],
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; the tree is made of the bodies, and each of them has its planes"
)]
impl ConvexBodies {
    /// Of brushes with the sides that they name, by their numbers: those that are the world's own, and others.
    pub fn new(
        brushes: &[Brush],
        sides: &[Side],
        of_world: &[u32],
        others: impl Iterator<Item = u32>,
    ) -> Self {
        let mut all = Self::default();
        let mut bounds = Vec::new();
        let of_world = of_world.iter().map(|&number| (number, true));
        for (number, is_of_world) in of_world.chain(others.map(|number| (number, false))) {
            let brush = brushes.get(number as usize);
            let own = brush.and_then(|brush| Some((brush, sides.get(brush.side_range())?)));
            let Some((brush, own)) =
                own.filter(|(brush, own)| brush.contents != 0 && !own.is_empty())
            else {
                continue; // it is not there
            };
            let own_sides = own.iter().zip(brush.first_side..);
            let for_boxes = all.add_planes(own_sides.clone());
            let for_rays = if own.iter().any(|side| side.is_bevel) {
                all.add_planes(own_sides.filter(|(side, _)| !side.is_bevel))
            } else {
                for_boxes.clone()
            };
            all.bodies.push(Convex {
                brush: number,
                contents: brush.contents,
                for_rays,
                for_boxes,
            });
            all.n_of_world += usize::from(is_of_world);
            bounds.push(bounds_of(own));
        }
        all.bvh.build(&bounds);
        all
    }

    fn add_planes<'a>(&mut self, sides: impl Iterator<Item = (&'a Side, u32)>) -> Range<u32> {
        let first = self.planes.len() as u32;
        let sides: Vec<_> = sides.collect();
        for chunk in sides.chunks(N_PLANES) {
            let mut planes = Planes::UNUSED;
            let mut numbers = [0; N_PLANES];
            for (lane, (side, number)) in chunk.iter().enumerate() {
                planes.set(lane, side);
                numbers[lane] = *number;
            }
            self.planes.push(planes);
            self.sides.push(numbers);
        }
        first..self.planes.len() as u32
    }

    /// Tests a motion against all bodies that it comes near, the nearest boxes first. Where two brushes of the world
    /// stop it at the same share, `first_of` them does; else the one with the lower number.
    pub fn cast<const RAY: bool>(
        &self,
        motion: &Motion,
        ray: &BoxRay,
        targets: CastTargets,
        best: &mut Best,
        mut first_of: impl FnMut(f64, [u32; 2]) -> u32,
    ) {
        let n_targets = match targets {
            CastTargets::Everything => self.bodies.len(),
            CastTargets::WorldBrushes => self.n_of_world,
        };
        self.bvh.cast_ray(ray, 1.0, |body_idx| {
            let body = &self.bodies[body_idx];
            if body_idx >= n_targets || body.contents & motion.mask == 0 {
                return best.fraction as f32;
            }
            let (meeting, enter) = self.intersect::<RAY>(motion, body);
            let is_before = |share, other: &Stop| match *other {
                Stop::Side { brush, .. } => first_of(share, [brush, body.brush]) == body.brush,
                _ => false,
            };
            best.take(meeting, is_before, || Stop::Side {
                brush: body.brush,
                side: self.side_entered::<RAY>(motion, body, enter),
            });
            best.fraction as f32
        });
    }

    /// What a body does to a motion, and where that enters its last plane.
    #[inline(always)]
    fn intersect<const RAY: bool>(&self, motion: &Motion, body: &Convex) -> (Meeting, f64) {
        let mut inside = Inside::<N_PLANES>::START;
        for planes in &self.planes[body.planes::<RAY>()] {
            let [d1, d2] = planes.distances::<RAY>(motion);
            inside.cut(&d1, &d2);
            if inside.is_missed() {
                return (Meeting::Miss, -1.0);
            }
        }
        (inside.meeting(), inside.enter())
    }

    /// The first side of a body that a motion enters at a share of it.
    fn side_entered<const RAY: bool>(&self, motion: &Motion, body: &Convex, share: f64) -> u32 {
        let range = body.planes::<RAY>();
        let planes = self.planes[range.clone()].iter().zip(&self.sides[range]);
        let mut entered = planes.flat_map(|(planes, sides)| {
            let [d1, d2] = planes.distances::<RAY>(motion);
            let sides = sides.iter().zip(d1.into_iter().zip(d2));
            sides.filter_map(move |(&side, (d1, d2))| (entry(d1, d2) == share).then_some(side))
        });
        entered.next().unwrap_or_default()
    }

    /// Brushes other than the world's own that a point may be in.
    pub fn others_at(&self, point: Vec3, mut visit: impl FnMut(u32)) {
        let around = Bounds::from_point(point.to_array());
        self.bvh.for_overlapping(&around, |body_idx| {
            if body_idx >= self.n_of_world {
                visit(self.bodies[body_idx].brush);
            }
        });
    }
}

impl Convex {
    #[inline(always)]
    fn planes<const RAY: bool>(&self) -> Range<usize> {
        let Range { start, end } = if RAY { &self.for_rays } else { &self.for_boxes };
        *start as usize..*end as usize
    }
}

#[expect(clippy::indexing_slicing, reason = "hot; there are N_PLANES lanes")]
impl Planes {
    const UNUSED: Self = Self {
        normals: [[0.0; N_PLANES]; 3],
        dists: [1.0; N_PLANES],
    };

    /// A plane of numbers that are none never stops anything.
    fn set(&mut self, lane: usize, side: &Side) {
        if !(side.dist.is_finite() && Vec3::from_array(side.normal).is_finite()) {
            return;
        }
        for (row, component) in self.normals.iter_mut().zip(side.normal) {
            row[lane] = component;
        }
        self.dists[lane] = side.dist;
    }

    /// Distances of start and end in front of each plane, the box counted in.
    #[inline(always)]
    fn distances<const RAY: bool>(&self, motion: &Motion) -> [[f64; N_PLANES]; 2] {
        let [mut d1, mut d2] = [[0.0; N_PLANES]; 2];
        for lane in 0..N_PLANES {
            let normal = DVec3::new(
                self.normals[0][lane].into(),
                self.normals[1][lane].into(),
                self.normals[2][lane].into(),
            );
            let reach = if RAY {
                0.0
            } else {
                normal.abs().dot(motion.half)
            };
            let dist = f64::from(self.dists[lane]) + reach;
            d1[lane] = normal.dot(motion.start) - dist;
            d2[lane] = normal.dot(motion.end) - dist;
        }
        [d1, d2]
    }
}

/// Around all places where a brush may stop the center of a box, but for half the size of that box; infinite where no
/// side is across an axis.
#[expect(clippy::indexing_slicing, reason = "there are three axes")]
fn bounds_of(sides: &[Side]) -> Bounds {
    let [mut min, mut max] = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
    for side in sides {
        let normal = side.normal();
        let reach = f64::from(side.dist) + if side.is_bevel { BEVEL_SLACK } else { EPS };
        for axis in 0..3 {
            // A side that is turned by less than the component shows leads elsewhere far from the axis.
            let others = normal.abs().element_sum() - normal[axis].abs();
            let reach = reach + others * FAR;
            if normal[axis] == 1.0 {
                max[axis] = max[axis].min(reach);
            } else if normal[axis] == -1.0 {
                min[axis] = min[axis].max(-reach);
            }
        }
    }
    Bounds {
        min: min.map(|v| (v as f32).next_down()),
        max: max.map(|v| (v as f32).next_up()),
    }
}
