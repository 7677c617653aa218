//! What deep water and panes are drawn from: the picture behind them and its depth, and mirrors of what is above water.

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

/// Copies the picture behind water or panes to where they are drawn on it, and holds what deep water shares.
#[derive(Debug)]
pub(crate) struct WaterPass {
    copy: wgpu::RenderPipeline,
    copy_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    mirrors: wgpu::Buffer,
    targets: TargetFormats,
}

/// What pictures behind water and panes and the mirrors are drawn into, for targets of one size.
#[derive(Debug)]
pub(crate) struct WaterTargets {
    pub size: [u32; 2],
    /// One for frames that copy the picture once; two that take turns for others.
    behind: Vec<PictureBehind>,
    mirrors: Vec<wgpu::TextureView>,
    mirror_samples: Option<wgpu::TextureView>,
    mirror_depth: wgpu::TextureView,
}

/// A picture that water or panes show.
#[derive(Debug)]
pub(crate) struct PictureBehind {
    pub view: wgpu::TextureView,
    /// Group 3 of deep water and panes.
    pub bind_group: wgpu::BindGroup,
    copy: wgpu::BindGroup,
}

/// The bindings of group 3 of deep water and panes.
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

    /// Makes what water and panes on targets of a size need that copy the picture up to `n_copies` times; `depth` is that
    /// of the picture.
    pub fn targets(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        size: [u32; 2],
        depth: &wgpu::TextureView,
        n_copies: usize,
    ) -> WaterTargets {
        let mirror_size = WaterTargets::mirror_size(size);
        let TargetFormats { color, samples } = self.targets;
        let view = |texture: wgpu::Texture| texture.create_view(&Default::default());
        let mirrors = attachment(gpu, "mirrors", color, mirror_size, (1, MAX_MIRRORS as u32));
        let all_mirrors = mirrors.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        let one_mirror = |layer| {
            mirrors.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        let behind = |_| {
            let picture = attachment(gpu, "behind water", color, size, (1, 1));
            self.picture_behind(gpu, layouts, view(picture), [depth, &all_mirrors])
        };
        let mirror_attachment =
            |label, format| view(attachment(gpu, label, format, mirror_size, (samples, 1)));
        WaterTargets {
            size,
            behind: (0..n_pictures(n_copies)).map(behind).collect(),
            mirrors: (0..MAX_MIRRORS as u32).map(one_mirror).collect(),
            mirror_samples: (samples > 1).then(|| mirror_attachment("mirror samples", color)),
            mirror_depth: mirror_attachment("mirror depth", DEPTH_FORMAT),
        }
    }

    fn picture_behind(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        view: wgpu::TextureView,
        [depth, mirrors]: [&wgpu::TextureView; 2],
    ) -> PictureBehind {
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("deep water"),
            layout: &layouts.water,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: self.mirrors.as_entire_binding(),
                },
                view_entry((1, &view)),
                view_entry((2, depth)),
                view_entry((3, mirrors)),
                sampler_entry(4, &self.sampler),
            ],
        });
        let copy = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("behind water"),
            layout: &self.copy_layout,
            entries: &[view_entry((0, &view))],
        });
        PictureBehind {
            view,
            bind_group,
            copy,
        }
    }

    /// Writes the heights of the mirrors to the device.
    pub fn write(&self, gpu: &Gpu, mirrored: &[SeenSurface]) {
        let uniform = MirrorsUniform::new(mirrored);
        gpu.write(&self.mirrors, bytemuck::bytes_of(&uniform));
    }

    /// Copies the picture behind to the target, where there are no samples that hold it already.
    pub fn copy_behind(&self, pass: &mut wgpu::RenderPass<'_>, behind: &PictureBehind) {
        if self.targets.samples == 1 {
            pass.set_pipeline(&self.copy);
            pass.set_bind_group(0, &behind.copy, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

impl WaterTargets {
    /// Whether they do for a picture of a size that is copied this often.
    pub fn hold(&self, size: [u32; 2], n_copies: usize) -> bool {
        self.size == size && self.behind.len() >= n_pictures(n_copies)
    }

    /// The picture after a number of copies that are not the last.
    pub fn behind(&self, n_copies: usize) -> &PictureBehind {
        &self.behind[n_copies % self.behind.len()]
    }

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

/// What is copied is not drawn on at once, and the last copy is the target.
fn n_pictures(n_copies: usize) -> usize {
    n_copies.min(2)
}

fn attachment(
    gpu: &Gpu,
    label: &str,
    format: wgpu::TextureFormat,
    size: [u32; 2],
    (samples, n_layers): (u32, u32),
) -> wgpu::Texture {
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
