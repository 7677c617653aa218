//! A second level beside the one that is flown.

use std::sync::Arc;

use glam::Vec2;
use image::RgbaImage;

use super::App;
use crate::comparison::Comparison;
use crate::error::AppError;
use crate::hud::CompareWish;
use crate::window::opening::Loaded;
use crate::window::screen::Screen;

impl App {
    /// Puts what is flown, and what is beside it, on a screen.
    ///
    /// # Errors
    /// If the device has no room for it.
    pub fn show_on(&self, screen: &mut Screen) -> Result<(), AppError> {
        screen.show_level(self.level())?;
        screen.set_title(Some(self.level()));
        screen.show_beside(self.comparison.as_ref().map(Comparison::level))
    }

    /// Compares with a level from the first frame on.
    pub fn begin_beside(&mut self, second: Option<Arc<Loaded>>) {
        self.comparison = second.map(Comparison::new);
    }

    /// Shows another level beside the one that is flown.
    pub fn compare_with(&mut self, second: Arc<Loaded>) {
        let split = self.comparison.take().map(|comparison| comparison.split);
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Err(error) = screen.show_beside(Some(&second.level)) {
            return self.show_message(error.chain());
        }
        let mut comparison = Comparison::new(second);
        comparison.split = split.unwrap_or_default();
        comparison.prepare((&self.loaded.level, &self.options), &self.state);
        self.comparison = Some(comparison);
    }

    /// Does what the panel wants of the comparison.
    pub(super) fn grant_compare_wish(&mut self) {
        match self.options.compare_wish.take() {
            None => {}
            Some(CompareWish::Choose) => self.wants_comparison = true,
            Some(CompareWish::Swap) => self.swap_sides(),
            Some(CompareWish::Move(steps)) => self.move_split(steps),
            Some(CompareWish::End) => {
                self.comparison = None;
                if let Some(screen) = &mut self.screen {
                    // It takes nothing.
                    let _ = screen.show_beside(None);
                }
            }
        }
    }

    pub(super) fn swap_sides(&mut self) {
        match &mut self.comparison {
            Some(comparison) => comparison.split.is_swapped = !comparison.split.is_swapped,
            None => self.show_message(NOTHING.to_owned()),
        }
    }

    pub(super) fn move_split(&mut self, steps: i8) {
        match &mut self.comparison {
            Some(comparison) => comparison.split.step(steps),
            None => self.show_message(NOTHING.to_owned()),
        }
    }

    /// Where the pointer is in the picture of what is flown, and how large that is; `None` beside it.
    pub(super) fn pointer_in_picture(&self, screen: &Screen) -> Option<(Vec2, [u32; 2])> {
        let Some(comparison) = &self.comparison else {
            return Some((screen.pointer(), screen.size()));
        };
        let [first, _] = comparison.split.sides(screen.size());
        let pointer = screen.pointer() - Vec2::new(first.left as f32, 0.0);
        let is_in = (0.0..first.size[0] as f32).contains(&pointer.x);
        is_in.then_some((pointer, first.size))
    }

    /// What is seen in the window, without panels, in a size in pixels.
    pub(super) fn picture(&mut self, size: [u32; 2]) -> Result<Option<RgbaImage>, AppError> {
        let Some(screen) = &mut self.screen else {
            return Ok(None);
        };
        let picture = match &self.comparison {
            None => screen.picture(&self.state, size),
            Some(comparison) => {
                let states = [&self.state, comparison.frame().0];
                screen.picture_beside(states, &comparison.split, size)
            }
        };
        picture.map(Some)
    }
}

/// What keys of a comparison say without one.
const NOTHING: &str = "there is no second level; the panel opens one beside this one";
