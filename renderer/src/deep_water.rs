//! Deep water of a frame: its mirrors, and what it is drawn into.

use crate::{
    Gpu, RenderError,
    draw_list::ListOf,
    drawn_view::DrawnView,
    frame_lights::FrameLights,
    passes::{
        Layouts, TargetFormats,
        water::{WaterPass, WaterTargets},
    },
    uniforms::MAX_MIRRORS,
    waters::SeenSurface,
};

/// What frames with deep water draw with, and their mirrors; kept between frames for its memory.
#[derive(Debug)]
pub(crate) struct DeepWater {
    pub pass: WaterPass,
    /// What is seen in each mirror.
    pub mirrors: Vec<DrawnView>,
    /// What the mirrors of this frame lie on.
    pub mirrored: Vec<SeenSurface>,
    /// Those of the frame before.
    pub targets: Option<WaterTargets>,
}

impl DeepWater {
    pub fn new(
        gpu: &Gpu,
        (layouts, lights): (&Layouts, &FrameLights),
        targets: &TargetFormats,
    ) -> Self {
        let mirror = |_| DrawnView::new(gpu, layouts, lights, ListOf::UnbentPasses);
        Self {
            pass: WaterPass::new(gpu, targets),
            mirrors: (0..MAX_MIRRORS).map(mirror).collect(),
            mirrored: Vec::new(),
            targets: None,
        }
    }

    /// Makes room for water and panes on targets of a size with this depth that copy the picture this often, unless there
    /// is.
    ///
    /// # Errors
    /// If the device has none.
    pub fn make_targets(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        (size, n_copies): ([u32; 2], usize),
        depth: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        let known = self.targets.as_ref();
        if known.is_some_and(|known| known.hold(size, n_copies)) {
            return Ok(());
        }
        self.targets = None;
        let [width, height] = size;
        let what = format_args!("water on a picture of {width} x {height} pixels");
        let make = || (self.pass).targets(gpu, layouts, size, depth, n_copies);
        self.targets = Some(gpu.guarded(what, make)?);
        Ok(())
    }
}
