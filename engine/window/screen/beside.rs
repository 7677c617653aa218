//! A second level on the device, drawn beside the first by a renderer of its own.

use image::RgbaImage;

use super::{LevelOnDevice, Screen};
use crate::comparison::{Split, joined};
use crate::error::AppError;
use crate::level::LoadedLevel;
use crate::renderer::{
    FrameState, FrameStats, Gpu, OffscreenTarget, Renderer, ResolutionScale, SidePicture, capture,
};
use crate::scene::TileOptions;

/// As long as two levels are compared.
pub struct Beside {
    renderer: Renderer,
    level: LevelOnDevice,
    /// What the first and the second level are drawn on.
    pictures: Option<[SidePicture; 2]>,
}

/// What is drawn of a level.
pub type Shown<'a> = (&'a FrameState, TileOptions);

impl Screen {
    /// Puts a second level on the device, or takes it off.
    ///
    /// # Errors
    /// If the device has no room for both; then there is no second level.
    pub fn show_beside(&mut self, level: Option<&LoadedLevel>) -> Result<(), AppError> {
        self.beside = None;
        let Some(level) = level else {
            return Ok(());
        };
        let renderer = Renderer::new(&self.gpu, self.target.format(), self.settings);
        let mut renderer = renderer.map_err(AppError::Draw)?;
        self.beside = Some(Beside {
            level: LevelOnDevice::new(level, &self.gpu, &mut renderer)?,
            renderer,
            pictures: None,
        });
        Ok(())
    }

    /// As [`draw`](Self::draw), the first and the second level side by side.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn draw_beside(
        &mut self,
        shown: [Shown<'_>; 2],
        split: &Split,
        lay_out: impl FnMut(&egui::Context),
    ) -> Result<Option<FrameStats>, AppError> {
        let Some(mut beside) = self.beside.take() else {
            return self.draw(shown[0], lay_out);
        };
        let drawn = self.draw_both(&mut beside, shown, split, lay_out);
        self.beside = Some(beside);
        drawn
    }

    fn draw_both(
        &mut self,
        beside: &mut Beside,
        shown: [Shown<'_>; 2],
        split: &Split,
        lay_out: impl FnMut(&egui::Context),
    ) -> Result<Option<FrameStats>, AppError> {
        let Some(frame) = self.target.acquire(&self.gpu).map_err(AppError::Draw)? else {
            return Ok(None);
        };
        let hud = self.run_egui(lay_out);
        let sizes = split.sides(frame.view().size).map(|side| side.size);
        beside.make_pictures(&self.gpu, &mut self.renderer, sizes)?;
        let Some([first, second]) = &beside.pictures else {
            return Ok(None);
        };
        let gpu = &self.gpu;
        let Some(level) = &mut self.level else {
            return Ok(None);
        };
        let stats = level.draw(gpu, &mut self.renderer, shown[0], first)?;
        beside
            .level
            .draw(gpu, &mut beside.renderer, shown[1], second)?;
        let in_order = match split.is_swapped {
            false => [first, second],
            true => [second, first],
        };
        self.renderer
            .place_side_by_side(gpu, in_order, frame.view(), Some(hud))
            .map_err(AppError::Draw)?;
        self.window.pre_present_notify();
        frame.present(gpu).map_err(AppError::Draw)?;
        Ok(Some(stats))
    }

    /// As [`picture`](Self::picture), of the first and the second level side by side.
    ///
    /// # Errors
    /// As [`picture`](Self::picture).
    pub fn picture_beside(
        &mut self,
        states: [&FrameState; 2],
        split: &Split,
        size: [u32; 2],
    ) -> Result<RgbaImage, AppError> {
        let [first_size, second_size] = split.sides(size).map(|side| side.size);
        let first = self.picture(states[0], first_size)?;
        let Some(beside) = &mut self.beside else {
            return Ok(first);
        };
        let target = OffscreenTarget::with_format(&self.gpu, second_size, self.target.format());
        let target = target.map_err(AppError::Draw)?;
        let state = FrameState {
            resolution: ResolutionScale::FULL,
            ..states[1].clone()
        };
        let Beside {
            renderer, level, ..
        } = beside;
        renderer
            .draw(&self.gpu, &level.scene, &state, target.view(), None)
            .map_err(AppError::Draw)?;
        let second = capture(&self.gpu, &target).map_err(AppError::Draw)?;
        Ok(joined(split, [first, second]))
    }
}

impl Beside {
    /// Makes pictures of these sizes, unless there are.
    fn make_pictures(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        sizes: [[u32; 2]; 2],
    ) -> Result<(), AppError> {
        let known = self.pictures.as_ref();
        if known.is_some_and(|pictures| [0, 1].map(|index| pictures[index].size()) == sizes) {
            return Ok(());
        }
        let [first, second] = sizes.map(|size| renderer.side_picture(gpu, size));
        self.pictures = Some([
            first.map_err(AppError::Draw)?,
            second.map_err(AppError::Draw)?,
        ]);
        Ok(())
    }
}

impl LevelOnDevice {
    /// Draws it on a picture, with the land that is there.
    fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        (state, tiles): Shown<'_>,
        picture: &SidePicture,
    ) -> Result<FrameStats, AppError> {
        let Self { scene, feed } = self;
        feed.feed(gpu, scene, (state, tiles), picture.size())?;
        let drawn = renderer.draw(gpu, scene, state, picture.view(), None);
        drawn.map_err(AppError::Draw)
    }
}
