//! Frames that are drawn smaller than their target, and how long frames take.

use std::time::Duration;

use super::Renderer;
use crate::{
    FrameState, Gpu, RenderError, Style, frame_timer::FrameTimer, passes::enlarge::EnlargePass,
};

impl Renderer {
    /// Measures frames from now on, or no more. Devices without [`crate::GpuCaps::has_timestamps`] measure none.
    ///
    /// # Errors
    /// If the driver gives up.
    pub fn measure_frames(&mut self, gpu: &Gpu, is_on: bool) -> Result<(), RenderError> {
        if is_on && self.timer.is_none() {
            self.timer = gpu.guarded("what measures frames", || FrameTimer::new(gpu))?;
        } else if !is_on {
            self.timer = None;
        }
        Ok(())
    }

    /// How long the device drew a frame that was submitted some frames before, without waiting for the display; each
    /// measured time is returned once. Always `None` where frames are not measured.
    pub fn frame_time(&mut self) -> Option<Duration> {
        self.timer.as_mut()?.take()
    }

    /// Makes what a frame of `size` is enlarged with, if its target is larger.
    pub(super) fn prepare_enlargement(
        &mut self,
        gpu: &Gpu,
        size: [u32; 2],
        target_size: [u32; 2],
    ) -> Result<(), RenderError> {
        if size == target_size {
            return Ok(());
        }
        let (layouts, color) = (&self.layouts, self.targets.color);
        let enlarge = &mut self.enlarge;
        gpu.guarded("a frame that is enlarged", || {
            enlarge
                .get_or_insert_with(|| EnlargePass::new(gpu, layouts, color))
                .make_picture(gpu, layouts, size);
        })
    }

    /// What a frame of `size` is enlarged with, if its target is larger.
    pub(super) fn enlargement(
        &self,
        size: [u32; 2],
        target_size: [u32; 2],
    ) -> Option<&EnlargePass> {
        self.enlarge.as_ref().filter(|_| size != target_size)
    }
}

/// Width and height of what is drawn for a target: smaller in the enhanced style alone.
pub(super) fn drawn_size(state: &FrameState, target_size: [u32; 2]) -> [u32; 2] {
    match state.style {
        Style::Faithful => target_size,
        Style::Enhanced => state.resolution.size_of(target_size),
    }
}
