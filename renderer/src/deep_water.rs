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
        let mirror = |_| DrawnView::new(gpu, layouts, lights, ListOf::Passes);
        Self {
            pass: WaterPass::new(gpu, targets),
            mirrors: (0..MAX_MIRRORS).map(mirror).collect(),
            mirrored: Vec::new(),
            targets: None,
        }
    }

    /// Makes room for water on targets of a size with this depth, unless there is.
    ///
    /// # Errors
    /// If the device has none.
    pub fn make_targets(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        size: [u32; 2],
        depth: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        if self
            .targets
            .as_ref()
            .is_some_and(|known| known.size == size)
        {
            return Ok(());
        }
        self.targets = None;
        let [width, height] = size;
        let what = format_args!("water on a picture of {width} x {height} pixels");
        self.targets = Some(gpu.guarded(what, || self.pass.targets(gpu, layouts, size, depth))?);
        Ok(())
    }
}
