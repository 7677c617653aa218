//! The loop over all brushes that shape casts are compared with.

use glam::{DVec3, Vec3};
use ironlands::worlds::source::formats::bsp::Map;
use ironlands_sim::brush::ShapeCast;

const GAP: f64 = 1.0 / 32.0;

/// The brushes of the world, one after the other.
pub struct Plain {
    brushes: Vec<(i32, Vec<Side>)>,
}

struct Side {
    normal: DVec3,
    dist: f64,
    is_bevel: bool,
}

impl Plain {
    pub fn new(map: &Map) -> Self {
        let leaves = map.leaves_below(map.models[0].head_node);
        let brushes = leaves
            .into_iter()
            .flat_map(|leaf| map.brushes_of_leaf(leaf));
        let mut brushes: Vec<_> = brushes.copied().collect();
        brushes.sort_unstable();
        brushes.dedup();
        let brushes = brushes.into_iter().map(|i| {
            let brush = &map.brushes[i as usize];
            let sides = &map.brush_sides[brush.first_side as usize..][..brush.n_sides as usize];
            let sides = sides.iter().map(|side| {
                let plane = &map.planes[side.plane as usize];
                Side {
                    normal: Vec3::from(plane.normal).as_dvec3(),
                    dist: plane.dist.into(),
                    is_bevel: side.bevel != 0,
                }
            });
            (brush.contents, sides.collect())
        });
        Self {
            brushes: brushes.collect(),
        }
    }

    pub fn n_brushes(&self) -> usize {
        self.brushes.len()
    }

    /// How far a box comes that starts in nothing (section 7.3).
    pub fn fraction(&self, sweep: &ShapeCast) -> f64 {
        let seen = self
            .brushes
            .iter()
            .filter(|(contents, _)| contents & sweep.mask.bits() != 0);
        let middle = (sweep.mins.as_dvec3() + sweep.maxs.as_dvec3()) * 0.5;
        let half = (sweep.maxs.as_dvec3() - sweep.mins.as_dvec3()) * 0.5;
        let way = [sweep.start, sweep.end].map(|it| it.as_dvec3() + middle);
        seen.fold(1.0, |nearest, (_, sides)| {
            nearest.min(enter(sides, way, half))
        })
    }
}

fn enter(sides: &[Side], [start, end]: [DVec3; 2], half: DVec3) -> f64 {
    let (mut enter, mut leave) = (-1.0_f64, 1.0_f64);
    for side in sides
        .iter()
        .filter(|side| !side.is_bevel || half != DVec3::ZERO)
    {
        let dist = side.dist + side.normal.abs().dot(half);
        let (d1, d2) = (side.normal.dot(start) - dist, side.normal.dot(end) - dist);
        if d1 > 0.0 && d2 > 0.0 {
            return 1.0;
        }
        if d1 > 0.0 {
            enter = enter.max((d1 - GAP).max(0.0) / (d1 - d2));
        } else if d2 > 0.0 {
            leave = leave.min((d1 + GAP) / (d1 - d2));
        }
    }
    if enter < leave && enter > -1.0 {
        enter.max(0.0)
    } else {
        1.0
    }
}
