//! The order of passes; nothing else decides order.

use ironlands_scene::Scene;

use crate::{
    ColorFormat, FrameState, FrameStats, Gpu, HudFrame, RenderError, RenderSettings, SceneGpu,
    TargetView,
};

/// Draws uploaded scenes on targets of one format.
pub struct Renderer {}

impl Renderer {
    /// Makes the pipelines for targets of `format`.
    pub fn new(_gpu: &Gpu, _format: ColorFormat, _settings: RenderSettings) -> Self {
        Self {}
    }

    /// Copies a scene to the device, with the pipelines that its materials need.
    ///
    /// # Errors
    /// [`RenderError::Scene`] if the scene does not validate, [`RenderError::TooLarge`] if part of it does not
    /// fit the device.
    pub fn upload(&mut self, _gpu: &Gpu, scene: &Scene) -> Result<SceneGpu, RenderError> {
        scene.validate()?;
        Ok(SceneGpu {})
    }

    /// Records and submits one frame, and waits for nothing.
    ///
    /// The scene must have been uploaded by this renderer.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        _scene: &SceneGpu,
        _state: &FrameState,
        target: TargetView<'_>,
        _hud: Option<HudFrame>,
    ) -> FrameStats {
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("frame"),
            });
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("world"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        gpu.queue.submit([encoder.finish()]);
        FrameStats::default()
    }
}
