//! A small map of the level: its own top view, drawn once.
//!
//! Deliberately absent: drawing; the window takes the picture, and the HUD lays it out.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use image::RgbaImage;

use crate::renderer::{Camera, FrameState, ResolutionScale, Style, Switches};

/// Side of the picture in pixels.
pub const SIDE: u32 = 512;
/// Seen from so far away that all heights are nearly at their places.
const FOV_RAD: f32 = 0.05;
/// What is around the level, as a part of its size.
const MARGIN: f32 = 0.02;

/// The square of the level that the map shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapArea {
    center: Vec2,
    half_side: f32,
    /// Height of the middle of the level, and how far it goes up from there.
    middle: f32,
    half_height: f32,
}

/// The map of a level, if it is shown.
#[derive(Debug, Clone, Default)]
pub struct Minimap {
    pub is_shown: bool,
    /// The picture, once it is taken.
    pub picture: Option<Arc<RgbaImage>>,
    /// Where the user clicked, as a place of the level.
    pub go_to: Option<Vec2>,
}

impl PartialEq for Minimap {
    fn eq(&self, other: &Self) -> bool {
        (self.is_shown, self.go_to) == (other.is_shown, other.go_to)
    }
}

impl MapArea {
    /// Around all of a level; `None` if it has no extent.
    pub fn from_bounds((min, max): (Vec3, Vec3)) -> Option<Self> {
        let size = max - min;
        let side = size.truncate().max_element();
        let is_there = side.is_finite() && side > 0.0;
        is_there.then(|| Self {
            center: ((min + max) * 0.5).truncate(),
            half_side: side * (0.5 + MARGIN),
            middle: (min.z + max.z) * 0.5,
            half_height: size.z * 0.5,
        })
    }

    /// A frame that shows the level from straight above with north, +Y, at the top: no sky, and no air between.
    pub fn frame(&self, shown: &FrameState) -> FrameState {
        let distance = self.half_side / (FOV_RAD * 0.5).tan();
        let mut switches = Switches {
            models: true,
            ..shown.switches
        };
        for air in [
            &mut switches.fog,
            &mut switches.sky,
            &mut switches.clouds,
            &mut switches.haze,
            &mut switches.rich_sky,
            &mut switches.particles,
            &mut switches.water_reflection,
            &mut switches.lod,
            &mut switches.visibility,
            &mut switches.sea_beyond_edge,
        ] {
            *air = false;
        }
        FrameState {
            camera: Camera {
                position: self.center.extend(self.middle + distance),
                yaw_rad: FRAC_PI_2,
                pitch_rad: -FRAC_PI_2,
                roll_rad: 0.0,
                horizontal_fov_rad: FOV_RAD,
                near: (distance - self.half_height * 1.1).max(distance * 0.01),
            },
            style: Style::Faithful,
            switches,
            overlays: Vec::new(),
            lines: Vec::new(),
            highlight: Vec::new(),
            culling_camera: None,
            visible_from: None,
            resolution: ResolutionScale::FULL,
            ..shown.clone()
        }
    }

    /// Where a place is on the map: 0 to 1 from left to right and from top to bottom.
    pub fn on_map(&self, place: Vec2) -> Vec2 {
        let shift = (place - self.center) / (2.0 * self.half_side);
        Vec2::new(0.5 + shift.x, 0.5 - shift.y)
    }

    /// The place of a point on the map.
    pub fn place(&self, on_map: Vec2) -> Vec2 {
        let shift = Vec2::new(on_map.x - 0.5, 0.5 - on_map.y);
        self.center + shift * (2.0 * self.half_side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area() -> MapArea {
        let bounds = (Vec3::new(-100.0, 0.0, -5.0), Vec3::new(300.0, 200.0, 55.0));
        MapArea::from_bounds(bounds).unwrap()
    }

    #[test]
    fn places_go_to_the_map_and_back() {
        let area = area();
        assert_eq!(area.on_map(Vec2::new(100.0, 100.0)), Vec2::splat(0.5));
        let north_west = area.on_map(Vec2::new(-100.0, 200.0));
        assert!(north_west.x < 0.05 && north_west.y < 0.3, "{north_west}");
        for place in [Vec2::new(-100.0, 0.0), Vec2::new(7.0, 133.0)] {
            let found = area.place(area.on_map(place));
            assert!(found.distance(place) < 1e-3, "{found}");
        }
        assert!(MapArea::from_bounds((Vec3::ZERO, Vec3::ZERO)).is_none());
    }

    #[test]
    fn the_map_is_what_a_camera_above_sees() {
        let area = area();
        let camera = area.frame(&FrameState::default()).camera;
        assert!(camera.forward().distance(Vec3::NEG_Z) < 1e-4);
        let [right, up] = [camera.right(), camera.right().cross(camera.forward())];
        let half_width = (camera.horizontal_fov_rad * 0.5).tan();
        for place in [Vec3::new(-100.0, 0.0, 25.0), Vec3::new(290.0, 170.0, 50.0)] {
            let offset = place - camera.position;
            let depth = offset.dot(camera.forward());
            let seen = Vec2::new(offset.dot(right), -offset.dot(up)) / depth / half_width;
            let expected = area.on_map(place.truncate());
            let found = seen * 0.5 + 0.5;
            // A hundredth of the map is what heights may shift.
            assert!(found.distance(expected) < 0.01, "{found} {expected}");
        }
    }
}
