//! The sky box, in place of the dome, and what makes room for the level before a backdrop.

use super::{Layouts, TargetFormats, depth_state};
use crate::{Gpu, shaders};

/// Two triangles (`shaders/sky_box.wgsl`).
const N_FACE_VERTICES: u32 = 6;

/// Draws the sky box of a scene; forgets depth.
#[derive(Debug)]
pub(crate) struct SkyBoxPass {
    pipeline: wgpu::RenderPipeline,
    forget_depth: wgpu::RenderPipeline,
}

impl SkyBoxPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let module = shaders::SKY_BOX.module(&gpu.device);
        let groups = [&layouts.frame, &layouts.environment, &layouts.sky_face].map(Some);
        let box_target = targets.color_target(None);
        let no_color = box_target.clone().map(|target| wgpu::ColorTargetState {
            write_mask: wgpu::ColorWrites::empty(),
            ..target
        });
        let nothing = shaders::FORGET_DEPTH.module(&gpu.device);
        Self {
            pipeline: pipeline(gpu, "sky box", &module, &groups, targets, box_target, false),
            forget_depth: pipeline(gpu, "forget depth", &nothing, &[], targets, no_color, true),
        }
    }

    /// Draws the faces behind everything; frame and environment are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, faces: &[wgpu::BindGroup; 6]) {
        pass.set_pipeline(&self.pipeline);
        for face in faces {
            pass.set_bind_group(2, face, &[]);
            pass.draw(0..N_FACE_VERTICES, 0..1);
        }
    }

    /// Moves all that is drawn so far to infinity.
    pub fn forget_depth(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.forget_depth);
        pass.draw(0..3, 0..1);
    }
}

fn pipeline(
    gpu: &Gpu,
    label: &str,
    module: &wgpu::ShaderModule,
    groups: &[Option<&wgpu::BindGroupLayout>],
    targets: &TargetFormats,
    target: Option<wgpu::ColorTargetState>,
    depth_write: bool,
) -> wgpu::RenderPipeline {
    let layout = gpu
        .device
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: groups,
            immediate_size: 0,
        });
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("vs_main"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: depth_state(wgpu::CompareFunction::Always, depth_write),
            multisample: targets.multisample(),
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some("fs_main"),
                compilation_options: Default::default(),
                targets: &[target],
            }),
            multiview_mask: None,
            cache: None,
        })
}
