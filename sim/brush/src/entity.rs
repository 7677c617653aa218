//! Brushes of entities where they stand (section 7.5).

use super::map::BrushEntity;
use super::polygon::{HalfSpace, bevels};
use super::prop::rotation;
use super::side::Side;
use glam::Vec3;

impl BrushEntity {
    /// The sides of a brush where the model stands, in the same order; then planes that a turned brush needs for
    /// shape casts of boxes.
    pub(super) fn moved(&self, sides: &[Side]) -> (Vec<Side>, Vec<Side>) {
        let turn = rotation(self.angles);
        let origin = self.origin.as_dvec3();
        let moved = sides.iter().map(|side| {
            let normal = turn * side.normal();
            let half_space = HalfSpace {
                normal,
                dist: f64::from(side.dist) + normal.dot(origin),
            };
            Side::new(&half_space, side.is_bevel)
        });
        let moved: Vec<Side> = moved.collect();
        let is_turned = self.angles != Vec3::ZERO;
        let real = moved.iter().filter(|side| is_turned && !side.is_bevel);
        let real: Vec<_> = real.map(Side::half_space).collect();
        let added = bevels(&real).iter().map(|it| Side::new(it, true)).collect();
        (moved, added)
    }
}
