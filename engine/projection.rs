//! Where points of the world are seen in the picture.

use crate::renderer::Camera;
use glam::{Mat4, Vec2, Vec3};

/// From the world to a picture.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    clip_from_world: Mat4,
    near: f32,
    left_top: Vec2,
    size: Vec2,
}

/// Where a point is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// From the upper left corner of the picture, or of what that is in, right and down; it may lie outside.
    pub at: Vec2,
    /// Distance along the line of sight.
    pub depth: f32,
}

impl Projection {
    /// For a picture of `size`, in any unit.
    pub fn new(camera: &Camera, size: Vec2) -> Self {
        Self {
            clip_from_world: camera.clip_from_world(size.x / size.y),
            near: camera.near,
            left_top: Vec2::ZERO,
            size,
        }
    }

    /// For a picture whose upper left corner is at a place of something larger.
    pub fn beginning_at(self, left_top: Vec2) -> Self {
        Self { left_top, ..self }
    }

    /// Where a point is seen; `None` for one that is behind the camera, or not finite.
    pub fn see(&self, point: Vec3) -> Option<Seen> {
        let clip = self.clip_from_world * point.extend(1.0);
        let is_before = clip.w >= self.near && clip.is_finite();
        is_before.then(|| {
            let across = Vec2::new(clip.x, -clip.y) / clip.w;
            Seen {
                at: self.left_top + (across + 1.0) * 0.5 * self.size,
                depth: clip.w,
            }
        })
    }

    /// Whether a place lies in the picture.
    pub fn shows(&self, seen: &Seen) -> bool {
        let at = seen.at - self.left_top;
        at.cmpge(Vec2::ZERO).all() && at.cmple(self.size).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [320, 200];

    fn camera() -> Camera {
        Camera {
            position: Vec3::new(10.0, -20.0, 30.0),
            yaw_rad: 2.1,
            pitch_rad: -0.6,
            ..Camera::default()
        }
    }

    fn projection() -> Projection {
        Projection::new(&camera(), Vec2::from(SIZE.map(|side| side as f32)))
    }

    #[test]
    fn a_point_is_seen_where_the_ray_through_its_pixel_goes() {
        for pixel in [[0.0, 0.0], [320.0, 200.0], [160.0, 100.0], [37.5, 150.25]].map(Vec2::from) {
            let direction = camera().direction_through(pixel, SIZE);
            let seen = projection()
                .see(camera().position + direction * 100.0)
                .expect("before the camera");
            assert!(seen.at.distance(pixel) < 0.01, "{pixel} {seen:?}");
            let depth = 100.0 * direction.dot(camera().forward());
            assert!((seen.depth - depth).abs() < 0.01, "{seen:?}");
        }
    }

    #[test]
    fn what_is_behind_or_nowhere_is_not_seen() {
        let behind = camera().position - camera().forward() * 5.0;
        for point in [behind, camera().position, Vec3::NAN, Vec3::INFINITY] {
            assert_eq!(projection().see(point), None, "{point}");
        }
    }

    #[test]
    fn what_is_beside_the_picture_is_not_shown() {
        let shown = |pixel: [f32; 2]| {
            let direction = camera().direction_through(pixel.into(), SIZE);
            let seen = projection().see(camera().position + direction * 9.0);
            projection().shows(&seen.expect("before the camera"))
        };
        assert!(shown([1.0, 199.0]));
        assert!(!shown([-2.0, 100.0]) && !shown([100.0, 202.0]));
    }

    #[test]
    fn a_picture_in_a_larger_one_is_seen_where_it_is() {
        let corner = Vec2::new(50.0, 7.0);
        let inside = projection().beginning_at(corner);
        let point = camera().position + camera().direction_through([1.0, 199.0].into(), SIZE) * 9.0;
        let [alone, moved] = [projection(), inside].map(|it| it.see(point).expect("before it"));
        assert!(moved.at.distance(alone.at + corner) < 1e-3, "{moved:?}");
        assert!(inside.shows(&moved) && projection().shows(&alone));
        let beside = Seen {
            at: Vec2::new(49.0, 100.0),
            depth: 9.0,
        };
        assert!(!inside.shows(&beside) && projection().shows(&beside));
    }
}
