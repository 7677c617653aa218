//! Where the picture is taken from.
//!
//! World axes: right-handed, +Z up. Clip space: x right, y up, depth reversed: 1 at the near plane, 0 at
//! infinity. "Eye" space has the world's axes and its origin at the camera.

use glam::{Mat4, Vec2, Vec3, camera::rh::proj::directx};

/// Position, direction and lens of the eye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Position of the eye in the world.
    pub position: Vec3,
    /// Turn about +Z from +X toward +Y.
    pub yaw_rad: f32,
    /// Above the horizon positive; -pi/2..=pi/2.
    pub pitch_rad: f32,
    /// Turn about the line of sight: the top of the picture leans to the right. 0 is upright.
    pub roll_rad: f32,
    /// Angle between the left and the right edge of the picture; above 0, below pi.
    pub horizontal_fov_rad: f32,
    /// Distance of the near plane in world units; above 0. There is no far plane.
    pub near: f32,
}

impl Default for Camera {
    /// At the origin along +X; field of view 1.3 and near plane 0.5 (Parkan dossier, section 11.2).
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            roll_rad: 0.0,
            horizontal_fov_rad: 1.3,
            near: 0.5,
        }
    }
}

impl Camera {
    /// Unit vector that the camera looks along.
    pub fn forward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch_rad.sin_cos();
        Vec3::new(cos_yaw * cos_pitch, sin_yaw * cos_pitch, sin_pitch)
    }

    /// Unit vector to the right of the picture; level without roll.
    pub fn right(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        let level = Vec3::new(sin_yaw, -cos_yaw, 0.0);
        if self.roll_rad == 0.0 {
            return level;
        }
        let (sin_roll, cos_roll) = self.roll_rad.sin_cos();
        level * cos_roll - level.cross(self.forward()) * sin_roll
    }

    /// Unit vector to the top of the picture.
    pub fn up(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    /// Turns yaw and pitch, and not the roll, so that `point_in_world` is in the middle of the picture.
    #[must_use]
    pub fn looking_at(self, point_in_world: Vec3) -> Self {
        let ahead = point_in_world - self.position;
        Self {
            yaw_rad: ahead.y.atan2(ahead.x),
            pitch_rad: ahead.z.atan2(ahead.truncate().length()),
            ..self
        }
    }

    /// Tangents of half the horizontal and half the vertical field of view; `aspect` is width / height.
    pub fn half_extent(&self, aspect: f32) -> Vec2 {
        let horizontal = (self.horizontal_fov_rad * 0.5).tan();
        Vec2::new(horizontal, horizontal / aspect)
    }

    /// From a position relative to the camera, in world axes, to clip space; `aspect` is width / height.
    ///
    /// Subtracting the camera's position first keeps small things steady far from the world's origin.
    pub fn clip_from_eye(&self, aspect: f32) -> Mat4 {
        let vertical_fov_rad = 2.0 * self.half_extent(aspect).y.atan();
        let clip_from_view =
            directx::perspective_infinite_reverse(vertical_fov_rad, aspect, self.near);
        // The inverse of a rotation is its transpose: rows right, up, back.
        let eye_from_view = glam::Mat3::from_cols(self.right(), self.up(), -self.forward());
        clip_from_view * Mat4::from_mat3(eye_from_view.transpose())
    }

    /// From world to clip space; `aspect` is width / height.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_eye(aspect) * Mat4::from_translation(-self.position)
    }

    /// Unit vector from the camera through a point of a picture of `size` pixels; (0, 0) is the outer corner
    /// of the top left pixel.
    pub fn direction_through(&self, pixel: Vec2, size: [u32; 2]) -> Vec3 {
        let size = Vec2::from(size.map(|side| side as f32));
        let half = self.half_extent(size.x / size.y);
        let across = (pixel / size * 2.0 - 1.0) * half;
        (self.forward() + self.right() * across.x - self.up() * across.y).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slanted() -> Camera {
        Camera {
            position: Vec3::new(10.0, -20.0, 30.0),
            yaw_rad: 2.1,
            pitch_rad: -0.6,
            ..Camera::default()
        }
    }

    #[test]
    fn yaw_turns_from_x_to_y_and_pitch_lifts() {
        let facing_y = Camera {
            yaw_rad: std::f32::consts::FRAC_PI_2,
            ..Camera::default()
        };
        assert!(facing_y.forward().abs_diff_eq(Vec3::Y, 1e-6));
        assert!(facing_y.right().abs_diff_eq(Vec3::X, 1e-6));
        let raised = Camera {
            pitch_rad: 0.5,
            ..Camera::default()
        };
        assert!(raised.forward().z > 0.4 && raised.up().z > 0.8);
    }

    #[test]
    fn roll_leans_the_top_of_the_picture_to_the_right() {
        let upright = slanted();
        let lying = Camera {
            roll_rad: std::f32::consts::FRAC_PI_2,
            ..upright
        };
        assert_eq!(lying.forward(), upright.forward());
        assert!(lying.up().abs_diff_eq(upright.right(), 1e-6));
        assert!(lying.right().abs_diff_eq(-upright.up(), 1e-6));
        let seen = |camera: &Camera, point: Vec3| camera.clip_from_world(1.0).project_point3(point);
        let above = upright.position + upright.forward() * 10.0 + upright.up();
        assert!(seen(&upright, above).y > 0.05);
        assert!(
            seen(&lying, above).x < -0.05,
            "what was above is at the left"
        );
    }

    #[test]
    fn depth_is_one_at_the_near_plane_and_falls_toward_zero() {
        let camera = slanted();
        let clip_from_world = camera.clip_from_world(1.5);
        let depth_at = |distance: f32| {
            let point = camera.position + camera.forward() * distance;
            clip_from_world.project_point3(point).z
        };
        assert!((depth_at(camera.near) - 1.0).abs() < 1e-4);
        assert!((depth_at(camera.near * 10.0) - 0.1).abs() < 1e-4);
        assert!(depth_at(1e6) > 0.0 && depth_at(1e6) < 1e-5);
    }

    #[test]
    fn a_ray_through_a_pixel_meets_what_is_drawn_there() {
        let camera = slanted();
        let size = [320, 200];
        let clip_from_world = camera.clip_from_world(1.6);
        for pixel in [[0.0, 0.0], [320.0, 200.0], [160.0, 100.0], [37.5, 150.25]].map(Vec2::from) {
            let point = camera.position + camera.direction_through(pixel, size) * 100.0;
            let ndc = clip_from_world.project_point3(point);
            let drawn_at = Vec2::new((ndc.x + 1.0) * 160.0, (1.0 - ndc.y) * 100.0);
            assert!(drawn_at.distance(pixel) < 0.01, "{pixel} {drawn_at}");
        }
    }

    #[test]
    fn the_field_of_view_is_the_horizontal_one() {
        let camera = Camera::default();
        let [left, right] =
            [0.0, 400.0].map(|x| camera.direction_through(Vec2::new(x, 50.0), [400, 100]));
        assert!((left.angle_between(right) - 1.3).abs() < 1e-5);
        assert!(left.y > 0.0, "+Y is to the left when looking along +X");
    }

    #[test]
    fn looking_at_a_point_centers_it() {
        let target = Vec3::new(-3.0, 40.0, 2.0);
        let camera = slanted().looking_at(target);
        let ndc = camera.clip_from_world(1.0).project_point3(target);
        assert!(ndc.truncate().length() < 1e-5, "{ndc}");
    }
}
