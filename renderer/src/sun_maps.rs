//! Where the maps of the sun's shadows lie: squares around the camera, each larger than the one before. Plain
//! arithmetic, no GPU.
//!
//! "Sun" space has the directions [`SunAxes`]; its origin is the world's. Squares move in whole steps of many texels,
//! so that a texel stays on its place of the world while the camera moves, and a map serves for many frames.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Mat4, Vec3, Vec4};

use crate::{Camera, cull::Frustum};

pub(crate) const N_SUN_MAPS: usize = 4;

/// How far from the camera each map reaches, as a share of the farthest.
const REACHES: [f32; N_SUN_MAPS] = [0.02, 0.075, 0.27, 1.0];
/// Shadows fade out over the last part of their reach.
const FADE_START: f32 = 0.8;
/// Steps in which a map moves, in texels, for a map of 1,024.
const STEP_TEXELS: u32 = 32;
/// Texels at the edge of a map that are not looked up (`MAP_EDGE_TEXELS`).
const EDGE_TEXELS: f32 = 4.0;
/// Depths reach this many times as far to the sun and away from it as shadows are seen.
const DEPTH_REACHES: f64 = 2.5;
/// Depths begin at one of this many places within that.
const DEPTH_STEPS: f64 = 16.0;

/// `shared/sun_shadow.wgsl`, `SunShadow`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SunShadowUniform {
    pub right: [f32; 3],
    pub depth_scale: f32,
    pub up: [f32; 3],
    pub depth_offset: f32,
    pub toward: [f32; 3],
    pub fade_start: f32,
    pub maps: [[f32; 4]; N_SUN_MAPS],
    pub fade_end: f32,
    pub padding: [f32; 3],
}

/// All maps of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SunMaps {
    pub uniform: SunShadowUniform,
    pub maps: [SunMap; N_SUN_MAPS],
}

/// A map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SunMap {
    pub clip_from_eye: Mat4,
    /// What may throw a shadow on something in the map.
    pub frustum: Frustum,
    /// Distinguishes it from the same map elsewhere.
    pub place: SunMapPlace,
}

/// Where a map lies: equal places have equal maps of things that do not move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SunMapPlace {
    toward: [f32; 3],
    half: f64,
    steps: [i64; 3],
    depth_step: i64,
}

#[derive(Debug, Clone, Copy)]
struct SunAxes {
    right: DVec3,
    up: DVec3,
    toward: DVec3,
}

impl SunAxes {
    fn new(direction_to_sun: Vec3) -> Self {
        let toward = direction_to_sun.as_dvec3().normalize();
        // Beside a sun that stands straight above, any direction will do.
        let beside = if toward.z.abs() > 0.999 {
            DVec3::Y
        } else {
            DVec3::Z
        };
        let right = beside.cross(toward).normalize();
        Self {
            right,
            up: toward.cross(right),
            toward,
        }
    }

    fn in_sun(&self, point: DVec3) -> DVec3 {
        DVec3::new(
            self.right.dot(point),
            self.up.dot(point),
            self.toward.dot(point),
        )
    }
}

impl SunMaps {
    /// `reach`: how far from the camera shadows are seen; `size` of a map in texels.
    pub fn new(
        camera: &Camera,
        aspect: f32,
        direction_to_sun: Vec3,
        reach: f32,
        size: u32,
    ) -> Self {
        let axes = SunAxes::new(direction_to_sun);
        let eye = axes.in_sun(camera.position.as_dvec3());
        let depth_reach = DEPTH_REACHES * f64::from(reach);
        let depth_step_size = depth_reach / DEPTH_STEPS;
        let depth_step = (eye.z / depth_step_size).round();
        let depth_scale = 0.5 / depth_reach;
        let depth_offset = 0.5 + (eye.z - depth_step * depth_step_size) * depth_scale;
        let mut uniform = SunShadowUniform {
            right: axes.right.as_vec3().to_array(),
            depth_scale: depth_scale as f32,
            up: axes.up.as_vec3().to_array(),
            depth_offset: depth_offset as f32,
            toward: axes.toward.as_vec3().to_array(),
            fade_start: reach * FADE_START,
            fade_end: reach,
            ..SunShadowUniform::default()
        };
        let mut near = 0.0;
        let maps = std::array::from_fn(|index| {
            let far = reach * REACHES[index];
            let ball = ViewBall::from_slice(camera, aspect, [near, far]);
            near = far;
            let square = Square::around(&axes, &ball, size);
            let scale = 0.5 / square.half;
            let [x, y] =
                [eye.x - square.center.x, eye.y - square.center.y].map(|it| 0.5 + it * scale);
            let texel = 2.0 * square.half / f64::from(size);
            uniform.maps[index] = [scale, x, y, texel].map(|it| it as f32);
            SunMap {
                clip_from_eye: clip_from_eye(&uniform, index),
                frustum: square.frustum(&axes),
                place: SunMapPlace {
                    toward: uniform.toward,
                    half: square.half,
                    steps: square.steps,
                    depth_step: depth_step as i64,
                },
            }
        });
        Self { uniform, maps }
    }
}

/// A ball around a part of what a camera sees.
#[derive(Debug, Clone, Copy)]
struct ViewBall {
    center: DVec3,
    radius: f64,
}

impl ViewBall {
    /// Around what lies between two depths. Its radius does not depend on where the camera is and looks.
    fn from_slice(camera: &Camera, aspect: f32, [near, far]: [f32; 2]) -> Self {
        let slope_sq = f64::from(camera.half_extent(aspect).length_squared());
        let [near, far] = [near, far].map(f64::from);
        // As far from the corners of the near end as from those of the far one, but not beyond.
        let depth = (0.5 * (near + far) * (1.0 + slope_sq)).min(far);
        Self {
            center: camera.position.as_dvec3() + camera.forward().as_dvec3() * depth,
            radius: ((far - depth).powi(2) + slope_sq * far * far).sqrt(),
        }
    }
}

/// What a map shows, in sun space.
#[derive(Debug, Clone, Copy)]
struct Square {
    /// In whole steps.
    center: DVec3,
    half: f64,
    steps: [i64; 3],
    /// What is farther from the sun throws no shadow in it.
    lowest: f64,
}

impl Square {
    fn around(axes: &SunAxes, ball: &ViewBall, size: u32) -> Self {
        let size = f64::from(size);
        let step_texels = f64::from(STEP_TEXELS) * size / 1024.0;
        // half = radius + half a step + the edge, where a step and the edge are numbers of texels, 2 * half / size each.
        let margin = (step_texels + 2.0 * f64::from(EDGE_TEXELS)) / size;
        let half = ball.radius / (1.0 - margin);
        let step = step_texels * 2.0 * half / size;
        let steps = (axes.in_sun(ball.center) / step).round();
        Self {
            center: steps * step,
            half,
            steps: steps.to_array().map(|it| it as i64),
            lowest: steps.z * step - ball.radius - step,
        }
    }

    fn frustum(&self, axes: &SunAxes) -> Frustum {
        let plane = |normal: DVec3, inside: f64| normal.extend(inside).as_vec4();
        let Self {
            center,
            half,
            lowest,
            ..
        } = *self;
        Frustum::from_planes([
            plane(axes.right, half - center.x),
            plane(-axes.right, half + center.x),
            plane(axes.up, half - center.y),
            plane(-axes.up, half + center.y),
            plane(axes.toward, -lowest),
        ])
    }
}

fn clip_from_eye(uniform: &SunShadowUniform, index: usize) -> Mat4 {
    let [scale, x, y, _] = uniform.maps[index];
    let row = |axis: [f32; 3], scale: f32, moved: f32| (Vec3::from(axis) * scale).extend(moved);
    Mat4::from_cols(
        row(uniform.right, 2.0 * scale, 2.0 * x - 1.0),
        row(uniform.up, 2.0 * scale, 2.0 * y - 1.0),
        row(uniform.toward, uniform.depth_scale, uniform.depth_offset),
        Vec4::W,
    )
    .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUN: Vec3 = Vec3::new(0.4, 0.3, 0.85);
    const ASPECT: f32 = 1.6;
    const SIZE: u32 = 1024;

    fn camera(position: Vec3, yaw_rad: f32) -> Camera {
        Camera {
            position,
            yaw_rad,
            pitch_rad: -0.3,
            ..Camera::default()
        }
    }

    fn maps(camera: &Camera) -> SunMaps {
        SunMaps::new(camera, ASPECT, SUN.normalize(), 2000.0, SIZE)
    }

    /// Where a point of the world is in a map, in texels.
    fn texel_of(maps: &SunMaps, index: usize, camera: &Camera, point: Vec3) -> [f32; 2] {
        let clip = maps.maps[index].clip_from_eye * (point - camera.position).extend(1.0);
        [clip.x, clip.y].map(|v| (v * 0.5 + 0.5) * SIZE as f32)
    }

    #[test]
    fn what_is_in_view_is_in_the_map_of_its_distance() {
        for (position, yaw_rad) in [
            (Vec3::ZERO, 0.0),
            (Vec3::new(5000.0, -300.0, 80.0), 2.0),
            (Vec3::new(-17.3, 999.0, 1500.0), -2.9),
        ] {
            let camera = camera(position, yaw_rad);
            let maps = maps(&camera);
            for pixel in [
                [0.0, 0.0],
                [640.0, 0.0],
                [320.0, 200.0],
                [640.0, 400.0],
                [0.0, 400.0],
            ] {
                let direction = camera.direction_through(pixel.into(), [640, 400]);
                let per_depth = 1.0 / direction.dot(camera.forward());
                for (index, share) in REACHES.into_iter().enumerate() {
                    let begin = if index == 0 { 0.0 } else { REACHES[index - 1] };
                    for part in [begin, f32::midpoint(begin, share), share] {
                        let point = position + direction * (per_depth * 2000.0 * part);
                        let texel = texel_of(&maps, index, &camera, point);
                        let edge = EDGE_TEXELS - 0.1..=SIZE as f32 - EDGE_TEXELS + 0.1;
                        let is_inside = texel.iter().all(|it| edge.contains(it));
                        assert!(is_inside, "map {index}: {texel:?} at {pixel:?}");
                        assert!(maps.maps[index].frustum.may_see_ball(point, 0.0));
                        let clip = maps.maps[index].clip_from_eye * (point - position).extend(1.0);
                        assert!((0.0..=1.0).contains(&clip.z), "{clip}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_place_of_the_world_stays_at_its_part_of_a_texel_while_the_camera_moves_and_turns() {
        let place = Vec3::new(12.0, 7.0, 3.0);
        let first = camera(Vec3::new(10.0, 20.0, 30.0), 0.5);
        let n_moves = 200u16;
        for index in 0..N_SUN_MAPS {
            let parts = |camera: &Camera| {
                texel_of(&maps(camera), index, camera, place).map(|it| it.rem_euclid(1.0))
            };
            let expected = parts(&first);
            let mut n_places = 1;
            let mut before = maps(&first).maps[index].place;
            for i in 0..n_moves {
                let i = f32::from(i);
                let moved = camera(
                    first.position + Vec3::new(0.37 * i, -0.21 * i, 0.05 * i),
                    0.5 + 0.011 * i,
                );
                let found = parts(&moved);
                for axis in 0..2 {
                    let off = (found[axis] - expected[axis] + 0.5).rem_euclid(1.0) - 0.5;
                    // Rounding of texels near 1,000 in 32 bits, several times over.
                    assert!(off.abs() < 0.01, "map {index}: {found:?}, {expected:?}");
                }
                let place = maps(&moved).maps[index].place;
                n_places += usize::from(place != before);
                before = place;
            }
            assert!(n_places <= usize::from(n_moves), "{n_places}");
        }
    }

    #[test]
    fn a_far_map_serves_for_many_frames() {
        let place = |i: u16| {
            let moved = Vec3::new(0.2 * f32::from(i), 0.0, 0.0);
            maps(&camera(moved, 0.5)).maps[3].place
        };
        let mut n_places = 1;
        for i in 1..300 {
            n_places += usize::from(place(i) != place(i - 1));
        }
        assert!(n_places < 6, "{n_places} places on 60 units");
    }

    #[test]
    fn casters_count_as_far_up_to_the_sun_as_they_are_and_not_below_the_view() {
        let camera = camera(Vec3::ZERO, 0.0);
        let map = maps(&camera).maps[0];
        let toward = SUN.normalize();
        let seen = camera.forward() * 20.0;
        assert!(map.frustum.may_see_ball(seen + toward * 5000.0, 1.0));
        assert!(!map.frustum.may_see_ball(seen - toward * 200.0, 1.0));
        assert!(
            !map.frustum
                .may_see_ball(seen + Vec3::new(0.0, 300.0, 0.0), 1.0)
        );
    }

    #[test]
    fn a_sun_straight_above_has_axes_too() {
        let axes = SunAxes::new(Vec3::Z);
        for axis in [axes.right, axes.up, axes.toward] {
            assert!((axis.length() - 1.0).abs() < 1e-9);
        }
        assert!(axes.right.cross(axes.up).dot(axes.toward) > 0.999);
    }
}
