//! What deep water is drawn from: the picture behind it and its depth, and mirrors of what is above it.

use super::{DEPTH_FORMAT, Layouts, TargetFormats, depth_state, fragment_entry, uniform_entry};
use crate::{
    Gpu,
    scene_upload::{sampler_entry, view_entry},
    shaders,
    target::extent,
    uniforms::{MAX_MIRRORS, MirrorsUniform},
    waters::SeenSurface,
};

/// A mirror has this part of the target's width and height.
const MIRROR_PART: u32 = 2;

/// Copies the picture behind water to where water is drawn on it, and holds what deep water shares.
#[derive(Debug)]
pub(crate) struct WaterPass {
    copy: wgpu::RenderPipeline,
    copy_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    mirrors: wgpu::Buffer,
    targets: TargetFormats,
}

/// What the picture behind water and the mirrors are drawn into, for targets of one size.
#[derive(Debug)]
pub(crate) struct WaterTargets {
    pub size: [u32; 2],
    /// The picture behind the water.
    pub behind: wgpu::TextureView,
    /// Group 3 of deep water.
    pub bind_group: wgpu::BindGroup,
    copy: wgpu::BindGroup,
    mirrors: Vec<wgpu::TextureView>,
    mirror_samples: Option<wgpu::TextureView>,
    mirror_depth: wgpu::TextureView,
}

/// The bindings of group 3 of deep water.
pub(super) fn layout(device: &wgpu::Device, samples: u32) -> wgpu::BindGroupLayout {
    let color = |view_dimension| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension,
        multisampled: false,
    };
    let depth = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: samples > 1,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("deep water"),
        entries: &[
            uniform_entry::<MirrorsUniform>(0),
            fragment_entry(1, color(wgpu::TextureViewDimension::D2)),
            fragment_entry(2, depth),
            fragment_entry(3, color(wgpu::TextureViewDimension::D2Array)),
            fragment_entry(4, sampler),
        ],
    })
}

impl WaterPass {
    pub fn new(gpu: &Gpu, targets: &TargetFormats) -> Self {
        let picture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let copy_layout = (gpu.device).create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("behind water"),
            entries: &[fragment_entry(0, picture)],
        });
        Self {
            copy: copy_pipeline(gpu, &copy_layout, targets),
            copy_layout,
            sampler: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("screen"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            mirrors: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("mirrors"),
                size: size_of::<MirrorsUniform>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            targets: *targets,
        }
    }

    /// Makes what water on targets of a size needs; `depth` is that of the picture.
    pub fn targets(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        size: [u32; 2],
        depth: &wgpu::TextureView,
    ) -> WaterTargets {
        let mirror_size = size.map(|side| side.div_ceil(MIRROR_PART));
        let samples = self.targets.samples;
        let color = self.targets.color;
        let texture = |label, format, size, samples, n_layers| {
            let mut usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
            if samples == 1 {
                usage |= wgpu::TextureUsages::TEXTURE_BINDING;
            }
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    depth_or_array_layers: n_layers,
                    ..extent(size)
                },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: wgpu::Texture| texture.create_view(&Default::default());
        let behind = view(texture("behind water", color, size, 1, 1));
        let mirrors = texture("mirrors", color, mirror_size, 1, MAX_MIRRORS as u32);
        let all_mirrors = mirrors.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("deep water"),
            layout: &layouts.water,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: self.mirrors.as_entire_binding(),
                },
                view_entry((1, &behind)),
                view_entry((2, depth)),
                view_entry((3, &all_mirrors)),
                sampler_entry(4, &self.sampler),
            ],
        });
        let one_mirror = |layer| {
            mirrors.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        WaterTargets {
            size,
            copy: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("behind water"),
                layout: &self.copy_layout,
                entries: &[view_entry((0, &behind))],
            }),
            behind,
            bind_group,
            mirrors: (0..MAX_MIRRORS as u32).map(one_mirror).collect(),
            mirror_samples: (samples > 1)
                .then(|| view(texture("mirror samples", color, mirror_size, samples, 1))),
            mirror_depth: view(texture(
                "mirror depth",
                DEPTH_FORMAT,
                mirror_size,
                samples,
                1,
            )),
        }
    }

    /// Writes the heights of the mirrors to the device.
    pub fn write(&self, gpu: &Gpu, mirrored: &[SeenSurface]) {
        let uniform = MirrorsUniform::new(mirrored);
        gpu.write(&self.mirrors, bytemuck::bytes_of(&uniform));
    }

    /// Copies the picture behind the water to the target, where there are no samples that hold it already.
    pub fn copy_behind(&self, pass: &mut wgpu::RenderPass<'_>, targets: &WaterTargets) {
        if self.targets.samples == 1 {
            pass.set_pipeline(&self.copy);
            pass.set_bind_group(0, &targets.copy, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

impl WaterTargets {
    /// Width and height of a mirror for targets of a size.
    pub fn mirror_size(size: [u32; 2]) -> [u32; 2] {
        size.map(|side| side.div_ceil(MIRROR_PART))
    }

    /// Clears a mirror to `background`.
    pub fn begin_mirror<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        mirror: usize,
        background: [f32; 3],
    ) -> wgpu::RenderPass<'e> {
        let [r, g, b] = background.map(f64::from);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 });
        let picture = &self.mirrors[mirror];
        let (view, resolve_target, store) = match &self.mirror_samples {
            Some(samples) => (samples, Some(picture), wgpu::StoreOp::Discard),
            None => (picture, None, wgpu::StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mirror"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load, store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.mirror_depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}

fn copy_pipeline(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    targets: &TargetFormats,
) -> wgpu::RenderPipeline {
    let module = shaders::BEHIND_WATER.module(&gpu.device);
    let layout = (gpu.device).create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("behind water"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("behind water"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_main"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: depth_state(wgpu::CompareFunction::Always, false),
            multisample: targets.multisample(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_main"),
                compilation_options: Default::default(),
                // What the target had before is not cleared: its opacity is copied, too.
                targets: &[Some(wgpu::ColorTargetState {
                    format: targets.color,
                    blend: None,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
}
