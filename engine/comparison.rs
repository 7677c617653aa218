//! A second level beside the one that is flown, from the same camera and with the same switches.
//!
//! In: the frame of the first level and what is shown of it. Out: the frame of the second, and where the pictures of both
//! are. Picks, edits and panels are those of the first alone.

use std::sync::Arc;

use image::{RgbaImage, imageops};

use crate::land_options::LandOptions;
use crate::level::LoadedLevel;
use crate::poser::Poser;
use crate::renderer::{Camera, FrameState};
use crate::scene::TileOptions;
use crate::view_options::ViewOptions;
use crate::window::Loaded;

/// Smallest and largest part of the width that is on the left.
const SHARES: [f32; 2] = [0.1, 0.9];
/// How far a key moves the split.
const STEP: f32 = 0.05;

/// How a window or picture is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Part of the width that is on the left.
    left_share: f32,
    /// Whether the second level is on the left.
    pub is_swapped: bool,
}

impl Default for Split {
    fn default() -> Self {
        Self {
            left_share: 0.5,
            is_swapped: false,
        }
    }
}

/// Where a picture is in the window, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// Its left edge.
    pub left: u32,
    /// Width and height.
    pub size: [u32; 2],
}

impl Split {
    /// Moves it by steps to the right.
    pub fn step(&mut self, steps: i8) {
        let [least, most] = SHARES;
        self.left_share = (self.left_share + f32::from(steps) * STEP).clamp(least, most);
    }

    /// Where the first and the second level are; each has a pixel at least.
    pub fn sides(&self, [width, height]: [u32; 2]) -> [Side; 2] {
        let width = width.max(2);
        let left_width = (width as f32 * self.left_share).round() as u32;
        let left_width = left_width.clamp(1, width - 1);
        let left = Side {
            left: 0,
            size: [left_width, height],
        };
        let right = Side {
            left: left_width,
            size: [width - left_width, height],
        };
        match self.is_swapped {
            false => [left, right],
            true => [right, left],
        }
    }
}

/// The pictures of the first and the second level as one.
pub fn joined(split: &Split, [first, second]: [RgbaImage; 2]) -> RgbaImage {
    let (left, right) = match split.is_swapped {
        false => (first, second),
        true => (second, first),
    };
    let height = left.height().max(right.height());
    let mut both = RgbaImage::new(left.width() + right.width(), height);
    imageops::replace(&mut both, &left, 0, 0);
    imageops::replace(&mut both, &right, left.width().into(), 0);
    both
}

/// The second level.
pub struct Comparison {
    loaded: Arc<Loaded>,
    /// What is shown of it.
    options: ViewOptions,
    poser: Poser,
    state: FrameState,
    pub split: Split,
}

impl Comparison {
    /// A level, beside another one.
    pub fn new(loaded: Arc<Loaded>) -> Self {
        Self {
            options: loaded.flight.options.clone(),
            loaded,
            poser: Poser::default(),
            state: FrameState::default(),
            split: Split::default(),
        }
    }

    /// What is compared with.
    pub fn level(&self) -> &LoadedLevel {
        &self.loaded.level
    }

    /// Lets seconds pass for its models and its day.
    pub fn let_pass(&mut self, secs: f64) {
        self.options.let_pass(secs);
    }

    /// Sets up its frame: seen from where the first level is seen, at the same time.
    pub fn prepare(&mut self, first: (&LoadedLevel, &ViewOptions), frame: &FrameState) {
        let Loaded { level, flight } = &*self.loaded;
        follow(&mut self.options, level, first);
        self.options.show_in(&mut self.state);
        self.state.camera = Camera {
            near: flight.near,
            ..frame.camera
        };
        self.state.time_secs = frame.time_secs;
        self.state.resolution = frame.resolution;
        let clock = self.options.model_clock();
        self.poser.pose(level, clock, &mut self.state);
    }

    /// Its frame, and how its land is cut into tiles.
    pub fn frame(&self) -> (&FrameState, TileOptions) {
        (&self.state, self.options.tile_options())
    }
}

/// Shows what is shown of the first level, as far as the second has it.
fn follow(
    options: &mut ViewOptions,
    level: &LoadedLevel,
    (first_level, first): (&LoadedLevel, &ViewOptions),
) {
    options.style = first.style;
    options.switches = first.switches;
    options.surfaces = first.surfaces;
    options.models.names = first.models.names;
    options.models.bones = first.models.bones;
    let overlays = level.scene.overlays.iter().zip(&mut options.overlays);
    for (overlay, is_shown) in overlays {
        let known = first_level.scene.overlay_index(&overlay.name);
        if let Some(of_first) = known.and_then(|index| first.overlays.get(index)) {
            *is_shown = *of_first;
        }
    }
    if let (Some(land), Some(of_first)) = (&mut options.land, &first.land) {
        *land = LandOptions {
            n_layers: land.n_layers,
            ..*of_first
        };
    }
    if let (Some(day), Some(of_first)) = (&mut options.day, &first.day) {
        day.clone_from(of_first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_fill_the_picture_whatever_its_width_and_the_split() {
        for width in [0, 1, 2, 3, 640, 641, 1279] {
            for steps in [-120, -3, 0, 4, 120] {
                let mut split = Split::default();
                split.step(steps);
                let [first, second] = split.sides([width, 9]);
                assert_eq!(first.left, 0);
                assert_eq!(second.left, first.size[0]);
                assert_eq!(first.size[0] + second.size[0], width.max(2));
                assert!(first.size[0] > 0 && second.size[0] > 0, "{width} {steps}");
                split.is_swapped = true;
                assert_eq!(split.sides([width, 9]), [second, first]);
            }
        }
        assert_eq!(Split::default().sides([640, 9])[1].left, 320);
        let mut split = Split::default();
        split.step(2);
        assert_eq!(split.sides([100, 9])[1].left, 60);
    }
}
