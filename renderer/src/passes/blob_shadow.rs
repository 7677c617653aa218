//! Round shadows below models: multiplied into the picture before anything that is seen through is drawn.

use super::{Layouts, TargetFormats, depth_state, occlusion::MULTIPLY, picture_pass::color_target};
use crate::{Gpu, RenderError, blob_shadows::BlobVertex, growing_buffer::GrowingBuffer, shaders};

/// Corners of a box as a strip.
const N_CORNERS: u32 = 14;

const BLOB_LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<BlobVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32],
};

/// Lives as long as the renderer; made when a frame first needs it.
#[derive(Debug)]
pub(crate) struct BlobShadowPass {
    pipeline: wgpu::RenderPipeline,
    blobs: GrowingBuffer,
}

impl BlobShadowPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let shader = shaders::BLOB_SHADOW[usize::from(targets.samples > 1)];
        let module = shader.module(&gpu.device);
        let label = Some(shader.name);
        let layout = (gpu.device).create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[
                Some(&layouts.frame),
                Some(&layouts.environment),
                None,
                Some(&layouts.depth),
            ],
            immediate_size: 0,
        });
        let pipeline = gpu
            .device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label,
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vs_main"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[Some(BLOB_LAYOUT)],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    // The far sides of a box are seen from inside of it, too.
                    cull_mode: Some(wgpu::Face::Front),
                    ..Default::default()
                },
                // What is behind a box is not in it.
                depth_stencil: depth_state(wgpu::CompareFunction::LessEqual, false),
                multisample: targets.multisample(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fs_main"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[color_target(targets.color, Some(MULTIPLY))],
                }),
                multiview_mask: None,
                cache: None,
            });
        Self {
            pipeline,
            blobs: GrowingBuffer::new::<BlobVertex>(
                gpu,
                "blob shadows",
                "the round shadows of a frame",
                wgpu::BufferUsages::VERTEX,
            ),
        }
    }

    /// Hands the shadows of a frame to the device.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn write(&mut self, gpu: &Gpu, blobs: &[BlobVertex]) -> Result<(), RenderError> {
        self.blobs.write(gpu, blobs).map(|_| ())
    }

    /// Darkens the picture by the first `n` that were handed over last; groups 0 and 1 are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, depth: &wgpu::BindGroup, n: usize) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(3, depth, &[]);
        pass.set_vertex_buffer(0, self.blobs.buffer().slice(..));
        pass.draw(0..N_CORNERS, 0..n as u32);
    }
}
