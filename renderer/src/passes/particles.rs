//! Particles, all with one pipeline: a list that is sorted far to near, in as many runs as other things that are seen
//! through lie between them.

use std::ops::Range;

use super::{DEPTH_FORMAT, Layouts, TargetFormats, depth_state, flag};
use crate::{
    Gpu, RenderError,
    growing_buffer::GrowingBuffer,
    particle_list::{ParticleList, QuadVertex},
    scene_upload::GpuEmitters,
    shaders,
    target::extent,
};

/// Corners of a quad, as a strip.
const N_CORNERS: u32 = 4;

const QUAD_LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<QuadVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float16x4, 4 => Unorm16x2, 5 => Snorm16x4, 6 => Uint32,
        7 => Uint32
    ],
};

/// Draws particles.
#[derive(Debug)]
pub(crate) struct ParticlePass {
    pipeline: wgpu::RenderPipeline,
    /// Draws only what glows of them.
    glow: wgpu::RenderPipeline,
    quads: GrowingBuffer,
    /// A depth at which nothing is behind anything, for particles that have hard edges.
    nothing_behind: wgpu::BindGroup,
}

impl ParticlePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let shader = match targets.samples {
            1 => shaders::PARTICLE,
            _ => shaders::PARTICLE_MULTISAMPLED,
        };
        let module = shader.module(&gpu.device);
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("particle"),
                bind_group_layouts: &[
                    Some(&layouts.frame),
                    Some(&layouts.environment),
                    Some(&layouts.particles),
                    Some(&layouts.depth),
                ],
                immediate_size: 0,
            });
        let pipeline = |glow| {
            let constants = [("GLOW", flag(glow))];
            let options = wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..Default::default()
            };
            gpu.device
                .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(shader.name),
                    layout: Some(&layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some("vs_main"),
                        compilation_options: options.clone(),
                        buffers: &[Some(QUAD_LAYOUT)],
                    },
                    primitive: wgpu::PrimitiveState {
                        topology: wgpu::PrimitiveTopology::TriangleStrip,
                        ..Default::default()
                    },
                    depth_stencil: depth_state(wgpu::CompareFunction::GreaterEqual, false),
                    multisample: targets.multisample(),
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some("fs_main"),
                        compilation_options: options,
                        targets: &[targets
                            .color_target(Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING))],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
        };
        Self {
            pipeline: pipeline(false),
            glow: pipeline(true),
            quads: GrowingBuffer::new::<QuadVertex>(
                gpu,
                "particles",
                "the particles of a frame",
                wgpu::BufferUsages::VERTEX,
            ),
            nothing_behind: nothing_behind(gpu, layouts, targets),
        }
    }

    /// Hands the particles of a frame to the device.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn write(&mut self, gpu: &Gpu, list: &ParticleList) -> Result<(), RenderError> {
        let quads = list.sorted().map(|quad| bytemuck::cast(*quad));
        self.quads
            .write_iter::<{ size_of::<QuadVertex>() }>(gpu, quads)
    }

    /// Draws a run of what was handed over last. `depth` is what is drawn already, for soft edges; it must not be written
    /// meanwhile.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        emitters: &GpuEmitters,
        depth: Option<&wgpu::BindGroup>,
        quads: Range<usize>,
    ) {
        let depth = depth.unwrap_or(&self.nothing_behind);
        self.draw_with(&self.pipeline, pass, emitters, depth, quads);
    }

    /// Draws what glows of all that was handed over last, with hard edges.
    pub fn draw_glow(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        emitters: &GpuEmitters,
        n_quads: usize,
    ) {
        let depth = &self.nothing_behind;
        self.draw_with(&self.glow, pass, emitters, depth, 0..n_quads);
    }

    fn draw_with(
        &self,
        pipeline: &wgpu::RenderPipeline,
        pass: &mut wgpu::RenderPass<'_>,
        emitters: &GpuEmitters,
        depth: &wgpu::BindGroup,
        quads: Range<usize>,
    ) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(2, &emitters.bind_group, &[]);
        pass.set_bind_group(3, depth, &[]);
        pass.set_vertex_buffer(0, self.quads.buffer().slice(..));
        pass.draw(0..N_CORNERS, quads.start as u32..quads.end as u32);
    }
}

/// Group 3 of particles and whatever else looks at what is behind it.
pub(crate) fn depth_bind_group(
    gpu: &Gpu,
    layouts: &Layouts,
    depth: &wgpu::TextureView,
) -> wgpu::BindGroup {
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("depth"),
        layout: &layouts.depth,
        entries: &[wgpu::BindGroupEntry {
            binding: 2,
            resource: wgpu::BindingResource::TextureView(depth),
        }],
    })
}

/// A texture starts as zeros, the depth of infinity; so does what lies beyond its one pixel.
fn nothing_behind(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> wgpu::BindGroup {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("nothing behind"),
        size: extent([1, 1]),
        mip_level_count: 1,
        sample_count: targets.samples,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH_FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    depth_bind_group(gpu, layouts, &view)
}
