//! Walking a closed way at an even speed.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use ironlands_assets_parkan::level_objects::Walk;

use ironlands_sim_core::RowMatrix;

/// A walker looks from where it was this long ago to where it will be: corners are turned, not snapped.
const TURN_SECS: f64 = 0.6;

/// A closed path, walked at an even speed.
#[derive(Debug, Clone)]
pub struct Way {
    path: Arc<ClosedPath>,
    speed: f64,
    start: f64,
}

/// A closed path with its lengths; those who walk it share it.
#[derive(Debug)]
pub struct ClosedPath {
    points: Vec<Vec3>,
    /// Distance of each point from the first, and of the first once more at the end.
    distances: Vec<f64>,
}

/// The paths that have been measured, by where the level keeps their points; `None` for one that cannot be walked.
#[derive(Debug, Default)]
pub struct ClosedPaths(HashMap<*const [f32; 3], MeasuredPath>);

/// The points, which are kept so that no others come to lie in their place, and the path around them.
type MeasuredPath = (Arc<[[f32; 3]]>, Option<Arc<ClosedPath>>);

impl ClosedPaths {
    /// The path around these points, measured once for all that share them.
    fn around(&mut self, points: &Arc<[[f32; 3]]>) -> Option<Arc<ClosedPath>> {
        let known = self.0.entry(points.as_ptr()).or_insert_with(|| {
            let path = ClosedPath::around(points).map(Arc::new);
            (Arc::clone(points), path)
        });
        known.1.clone()
    }
}

impl Way {
    /// A way to walk; `None` for one without length or speed, and for numbers that are not finite.
    pub fn new(walk: &Walk, paths: &mut ClosedPaths) -> Option<Self> {
        let [speed, start] = [walk.speed, walk.start].map(f64::from);
        if speed == 0.0 || !speed.is_finite() || !start.is_finite() {
            return None;
        }
        let path = paths.around(&walk.points)?;
        Some(Self { path, speed, start })
    }

    /// Where the walker is and what it looks along (+X of its model), on the ground where there is one. Its size is
    /// that of `world_from_object`.
    pub fn world_from_walker(
        &self,
        time_secs: f64,
        world_from_object: &RowMatrix,
        ground_at: &dyn Fn([f32; 3]) -> Option<f32>,
    ) -> RowMatrix {
        let distance = self.start + self.speed * time_secs;
        let reach = self.speed * TURN_SECS;
        let mut position = self.path.point_at(distance);
        let ahead = self.path.point_at(distance + reach) - self.path.point_at(distance - reach);
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

impl ClosedPath {
    /// `None` for a path without length, and for numbers that are not finite.
    fn around(points: &[[f32; 3]]) -> Option<Self> {
        let points: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
        let first = *points.first()?;
        let mut distances = vec![0.0];
        let mut distance = 0.0;
        for (from, to) in points.iter().zip(points.iter().skip(1).chain([&first])) {
            distance += f64::from(from.distance(*to));
            distances.push(distance);
        }
        let is_walkable = distance > 0.0 && distance.is_finite();
        is_walkable.then_some(Self { points, distances })
    }

    /// World units once around.
    fn length(&self) -> f64 {
        *self.distances.last().expect("a first point at least")
    }

    /// The point so far along the path, counted from its first point, as often around as it takes.
    fn point_at(&self, distance: f64) -> Vec3 {
        let distance = distance.rem_euclid(self.length());
        let passed = self.distances.partition_point(|d| *d <= distance);
        let next = passed.clamp(1, self.points.len().max(1));
        let before = next.saturating_sub(1);
        // From the last point it continues to the first.
        let points = self.points.get(before);
        let points = points.zip(self.points.get(next).or(self.points.first()));
        let distances = self.distances.get(before).zip(self.distances.get(next));
        let (Some((from, to)), Some((begin, end))) = (points, distances) else {
            return Vec3::ZERO; // of a path without points, which is none
        };
        let length = end - begin;
        let part = if length > 0.0 {
            (distance - begin) / length
        } else {
            0.0
        };
        from.lerp(*to, part as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_path_serves_all_who_walk_it() {
        let points: Arc<[[f32; 3]]> = [[0.0; 3], [1.0; 3]].into();
        let walk = |points: &Arc<[[f32; 3]]>, start| Walk {
            points: Arc::clone(points),
            speed: 1.0,
            start,
        };
        let mut paths = ClosedPaths::default();
        let mut way = |walk: &Walk| Way::new(walk, &mut paths).expect("a way");
        let [a, b] = [0.0, 5.0].map(|start| way(&walk(&points, start)));
        assert!(Arc::ptr_eq(&a.path, &b.path));
        let other = way(&walk(&[[0.0; 3], [2.0; 3]].into(), 0.0));
        assert!(!Arc::ptr_eq(&a.path, &other.path));
    }
}
