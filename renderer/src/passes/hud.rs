//! The user interface, painted by `egui` over the finished picture.

use egui_wgpu::{RendererOptions, ScreenDescriptor};

use crate::{Gpu, HudFrame, TargetView};

/// Paints what `egui` laid out; keeps its textures.
pub(crate) struct HudPass {
    renderer: egui_wgpu::Renderer,
}

impl HudPass {
    pub fn new(gpu: &Gpu, color: wgpu::TextureFormat) -> Self {
        Self {
            renderer: egui_wgpu::Renderer::new(&gpu.device, color, RendererOptions::default()),
        }
    }

    /// Records the painting; the command buffers must be submitted before the encoder's own.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: TargetView<'_>,
        hud: &HudFrame,
    ) -> Vec<wgpu::CommandBuffer> {
        let screen = ScreenDescriptor {
            size_in_pixels: target.size,
            pixels_per_point: hud.pixels_per_point,
        };
        for (id, deltas) in &hud.textures_delta.set {
            for delta in deltas {
                self.renderer
                    .update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
        let commands = self.renderer.update_buffers(
            &gpu.device,
            &gpu.queue,
            encoder,
            &hud.paint_jobs,
            &screen,
        );
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("hud"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target.view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Load,
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        self.renderer.render(&mut pass, &hud.paint_jobs, &screen);
        commands
    }

    /// Drops textures that `egui` is done with; only after the frame that shows them is submitted.
    pub fn free(&mut self, delta: &mut egui::TexturesDelta) {
        for id in &delta.free {
            self.renderer.free_texture(id);
        }
        // `egui` takes a change that is dropped for one that was forgotten.
        delta.clear();
    }
}
