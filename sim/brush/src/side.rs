//! Brushes and their sides, and a motion against one brush (section 7.3).

use super::BrushWorld;
use super::motion::{Best, Cut, Inside, Meeting, Motion, Stop};
use glam::{DVec3, Vec3};

/// A plane of a brush: `dot(normal, p) <= dist` inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    pub normal: [f32; 3],
    pub dist: f32,
    /// Only boxes hit it.
    pub is_bevel: bool,
}

/// A range of sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brush {
    pub first_side: u32,
    pub n_sides: u32,
    pub contents: i32,
}

impl Side {
    #[inline(always)]
    pub fn normal(&self) -> DVec3 {
        Vec3::from_array(self.normal).as_dvec3()
    }

    /// Distance in front.
    #[inline(always)]
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal().dot(point) - f64::from(self.dist)
    }
}

impl Brush {
    pub fn side_range(&self) -> std::ops::Range<usize> {
        let first = self.first_side as usize;
        first..first.saturating_add(self.n_sides as usize)
    }

    /// Whether a mask sees it. A brush without sides is not there.
    #[inline(always)]
    pub fn matches(&self, mask: i32) -> bool {
        self.contents & mask != 0 && self.n_sides > 0
    }
}

impl BrushWorld {
    /// Tests a motion against one brush.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; all brushes that are named are there, and so are their sides, or there is no world"
    )]
    #[inline(always)]
    pub(super) fn intersect_brush<const RAY: bool>(
        &self,
        motion: &Motion,
        brush_idx: u32,
        best: &mut Best,
    ) {
        let brush = &self.brushes[brush_idx as usize];
        let range = brush.side_range();
        let mut inside = Inside::START;
        let mut entered = 0;
        for (i, side) in self.sides[range.clone()].iter().enumerate() {
            if RAY && side.is_bevel {
                continue;
            }
            let normal = side.normal();
            let dist = f64::from(side.dist)
                + if RAY {
                    0.0
                } else {
                    normal.abs().dot(motion.half)
                };
            let d1 = normal.dot(motion.start) - dist;
            let d2 = normal.dot(motion.end) - dist;
            match inside.cut(d1, d2) {
                Cut::Miss => return,
                Cut::Later => entered = i,
                Cut::Kept => {}
            }
        }
        let meeting = inside.meeting();
        if meeting != Meeting::Miss {
            best.take(meeting, || Stop::Side {
                brush: brush_idx,
                side: (range.start + entered) as u32,
            });
        }
    }

    pub(super) fn sides_of(&self, brush: &Brush) -> &[Side] {
        self.sides.get(brush.side_range()).unwrap_or_default()
    }

    /// Whether a point is in a brush, its surface included.
    pub(super) fn is_in_brush(&self, brush: &Brush, point: DVec3) -> bool {
        let mut real = self.sides_of(brush).iter().filter(|side| !side.is_bevel);
        real.all(|side| side.distance(point) <= 0.0)
    }
}
