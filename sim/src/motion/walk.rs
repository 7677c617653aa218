//! Walking a closed way at an even speed.

use glam::{Mat4, Vec3};
use ironlands_assets_loader::parkan::inhabitants::Walk;

use crate::animation::RowMatrix;

/// A walker looks from where it was this long ago to where it will be: corners are turned, not snapped.
const TURN_SECS: f64 = 0.6;

/// A closed way with its lengths.
#[derive(Debug, Clone)]
pub struct Way {
    points: Vec<Vec3>,
    /// Distance of each point from the first, and of the first once more at the end.
    distances: Vec<f64>,
    speed: f64,
    start: f64,
}

impl Way {
    /// A way to walk; `None` for one without length or speed, and for numbers that are not finite.
    pub fn new(walk: &Walk) -> Option<Self> {
        let points: Vec<Vec3> = walk.points.iter().copied().map(Vec3::from).collect();
        let first = *points.first()?;
        let mut distances = vec![0.0];
        let mut distance = 0.0;
        for (from, to) in points.iter().zip(points.iter().skip(1).chain([&first])) {
            distance += f64::from(from.distance(*to));
            distances.push(distance);
        }
        let numbers = [distance, f64::from(walk.speed), f64::from(walk.start)];
        let is_walkable =
            distance > 0.0 && walk.speed != 0.0 && numbers.iter().all(|v| v.is_finite());
        is_walkable.then_some(Self {
            points,
            distances,
            speed: f64::from(walk.speed),
            start: f64::from(walk.start),
        })
    }

    /// World units once around.
    pub fn length(&self) -> f64 {
        *self.distances.last().expect("a first point at least")
    }

    /// The point so far along the way, counted from its first point, as often around as it takes.
    pub fn point_at(&self, distance: f64) -> Vec3 {
        let distance = distance.rem_euclid(self.length());
        let next = self.distances.partition_point(|d| *d <= distance);
        let next = next.clamp(1, self.points.len());
        let from = self.points[next - 1];
        let to = self.points[next % self.points.len()];
        let length = self.distances[next] - self.distances[next - 1];
        let part = if length > 0.0 {
            (distance - self.distances[next - 1]) / length
        } else {
            0.0
        };
        from.lerp(to, part as f32)
    }

    /// Where the walker is and what it looks along (+X of its model), on the ground where there is one. Its size is
    /// that of `world_from_object`.
    pub fn world_from_walker(
        &self,
        time_secs: f32,
        world_from_object: &RowMatrix,
        ground_at: &dyn Fn([f32; 3]) -> Option<f32>,
    ) -> RowMatrix {
        let distance = self.start + self.speed * f64::from(time_secs);
        let reach = self.speed * TURN_SECS;
        let mut position = self.point_at(distance);
        let ahead = self.point_at(distance + reach) - self.point_at(distance - reach);
        if let Some(ground) = ground_at(position.to_array()) {
            position.z = ground;
        }
        let yaw_rad = ahead.y.atan2(ahead.x);
        let (scale, _, _) = world_from_object.to_mat4().to_scale_rotation_translation();
        let world_from_walker = Mat4::from_translation(position)
            * Mat4::from_rotation_z(yaw_rad)
            * Mat4::from_scale(scale);
        RowMatrix::from(world_from_walker)
    }
}
