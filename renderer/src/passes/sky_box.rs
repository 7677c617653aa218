//! The sky box, in place of the dome.

use super::{Layouts, TargetFormats, depth_state};
use crate::{Gpu, shaders};

/// Two triangles (`shaders/sky_box.wgsl`).
const N_FACE_VERTICES: u32 = 6;

/// Draws the sky box of a scene.
#[derive(Debug)]
pub(crate) struct SkyBoxPass {
    pipeline: wgpu::RenderPipeline,
}

impl SkyBoxPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let module = shaders::SKY_BOX.module(&gpu.device);
        let groups = [&layouts.frame, &layouts.environment, &layouts.sky_face].map(Some);
        let layout = (gpu.device).create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("sky box"),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let pipeline = (gpu.device).create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("sky box"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_main"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: depth_state(wgpu::CompareFunction::GreaterEqual, false),
            multisample: targets.multisample(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_main"),
                compilation_options: Default::default(),
                targets: &[targets.color_target(None)],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline }
    }

    /// Draws the faces at infinity; frame and environment are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, faces: &[wgpu::BindGroup; 6]) {
        pass.set_pipeline(&self.pipeline);
        for face in faces {
            pass.set_bind_group(2, face, &[]);
            pass.draw(0..N_FACE_VERTICES, 0..1);
        }
    }
}
