//! Skies that a level paints itself, in place of the dome, and their lens flares.

use std::num::NonZeroU64;

use bytemuck::{Pod, Zeroable};
use ironlands_scene::{
    FlareSpot, MAX_FLARE_SPOTS, MAX_SHOWN_BODIES, N_COMPASS, N_SKY_RINGS, PaintedSky, SkyPicture,
    SpriteFrame,
};

use super::{Layouts, TargetFormats, depth_state, fragment_entry};
use crate::{Gpu, shaders};

/// Corners of a spot, as a strip.
const N_CORNERS: u32 = 4;

/// Draws the sky of a day and its flare.
#[derive(Debug)]
pub(crate) struct PaintedSkyPass {
    sky: wgpu::RenderPipeline,
    flare: wgpu::RenderPipeline,
}

/// The sky of a day on the device.
#[derive(Debug)]
pub(crate) struct GpuPaintedSky {
    pub uniform: wgpu::Buffer,
    /// Group 2 of both pipelines.
    pub bind_group: wgpu::BindGroup,
    /// Of the frames of bodies and spots, in the order of [`PaintedSky::frames`].
    pub layers: Vec<u32>,
}

impl PaintedSkyPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let layout = (gpu.device).create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("painted sky"),
            bind_group_layouts: &[
                Some(&layouts.frame),
                Some(&layouts.environment),
                Some(&layouts.painted_sky),
            ],
            immediate_size: 0,
        });
        let pipeline = |shader: shaders::Shader, topology, compare, blend| {
            let module = shader.module(&gpu.device);
            gpu.device
                .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(shader.name),
                    layout: Some(&layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some("vs_main"),
                        compilation_options: Default::default(),
                        buffers: &[],
                    },
                    primitive: wgpu::PrimitiveState {
                        topology,
                        ..Default::default()
                    },
                    depth_stencil: depth_state(compare, false),
                    multisample: targets.multisample(),
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some("fs_main"),
                        compilation_options: Default::default(),
                        targets: &[targets.color_target(blend)],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
        };
        let triangle = wgpu::PrimitiveTopology::TriangleList;
        let strip = wgpu::PrimitiveTopology::TriangleStrip;
        let behind = wgpu::CompareFunction::GreaterEqual;
        let before = wgpu::CompareFunction::Always;
        Self {
            sky: pipeline(shaders::PAINTED_SKY, triangle, behind, None),
            flare: pipeline(shaders::LENS_FLARE, strip, before, Some(ADDED)),
        }
    }

    /// Draws the sky behind everything; frame and environment are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, sky: &GpuPaintedSky) {
        pass.set_pipeline(&self.sky);
        pass.set_bind_group(2, &sky.bind_group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Draws a number of spots before everything.
    pub fn draw_flare(&self, pass: &mut wgpu::RenderPass<'_>, sky: &GpuPaintedSky, n_spots: u32) {
        pass.set_pipeline(&self.flare);
        pass.set_bind_group(2, &sky.bind_group, &[]);
        pass.draw(0..N_CORNERS, 0..n_spots);
    }
}

const ADDED: wgpu::BlendState = {
    let added = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState {
        color: added,
        alpha: added,
    }
};

/// Group 2.
pub(super) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture_of = |view_dimension| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension,
        multisampled: false,
    };
    let texture = texture_of(wgpu::TextureViewDimension::D2);
    let layers = texture_of(wgpu::TextureViewDimension::D2Array);
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let uniform = wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(size_of::<PaintedSkyUniform>() as u64),
        },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("painted sky"),
        entries: &[
            uniform,
            fragment_entry(1, layers),
            fragment_entry(2, sampler),
            fragment_entry(3, texture),
            fragment_entry(4, texture),
            fragment_entry(5, sampler),
        ],
    })
}

/// `shared/painted_sky.wgsl`, `PaintedSky`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PaintedSkyUniform {
    pub apex: [f32; 4],
    pub rings: [[[f32; 4]; N_COMPASS]; N_SKY_RINGS],
    pub cloud_color: [f32; 3],
    pub span_rad: f32,
    pub ambient: [f32; 3],
    pub center_below: f32,
    pub body_half_size: [f32; 2],
    pub n_bodies: u32,
    pub flare: f32,
    pub direction_to_flare: [f32; 3],
    pub n_spots: u32,
    pub backdrop_share: f32,
    pub cloud_share: f32,
    pub padding_0: u32,
    pub padding_1: u32,
    pub backdrop: GpuSkyPicture,
    pub clouds: GpuSkyPicture,
    pub bodies: [GpuSkyBody; MAX_SHOWN_BODIES],
    pub spots: [GpuFlareSpot; MAX_FLARE_SPOTS],
}

/// The same file, `SkyPicture`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuSkyPicture {
    pub repeats: f32,
    pub sinks: f32,
    pub fog_scale: f32,
    pub fog_offset: f32,
}

/// The same file, `SkyBody`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuSkyBody {
    pub direction: [f32; 3],
    pub layer: u32,
    pub corners: [[f32; 2]; 2],
}

/// The same file, `FlareSpot`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuFlareSpot {
    pub color: [f32; 4],
    pub corners: [[f32; 2]; 2],
    pub place: f32,
    pub half_size: f32,
    pub layer: u32,
    pub padding: u32,
}

impl PaintedSkyUniform {
    /// A sky at an hour, for a camera that looks along `forward`; `layers` are those of its frames.
    pub fn new(sky: &PaintedSky, layers: &[u32], hour: f32, forward: [f32; 3]) -> Self {
        let colors = sky.at(hour);
        let mut uniform = Self {
            apex: colors.apex,
            rings: colors.rings,
            cloud_color: colors.clouds,
            span_rad: sky.span_rad,
            ambient: colors.ambient,
            center_below: sky.span_rad.cos(),
            body_half_size: colors.body_half_size,
            flare: sky.flare_strength(hour, forward),
            direction_to_flare: sky.direction_to_light(hour),
            backdrop_share: f32::from(u8::from(sky.backdrop.is_some())),
            cloud_share: f32::from(u8::from(sky.clouds.is_some())),
            backdrop: sky.backdrop.as_ref().map_or_else(Zeroable::zeroed, picture),
            clouds: sky.clouds.as_ref().map_or_else(Zeroable::zeroed, picture),
            ..Self::zeroed()
        };
        for (to, (index, body)) in uniform.bodies.iter_mut().zip(sky.shown(hour)) {
            uniform.n_bodies += 1;
            *to = GpuSkyBody {
                direction: body.direction(hour),
                layer: layers[index],
                corners: corners(&body.frame),
            };
        }
        let spots = sky.flare.iter().flat_map(|flare| &flare.spots);
        let layers = &layers[sky.bodies.len()..];
        uniform.n_spots = layers.len() as u32;
        for (to, (spot, layer)) in uniform.spots.iter_mut().zip(spots.zip(layers)) {
            let FlareSpot {
                place,
                half_size,
                color,
                frame,
            } = spot;
            *to = GpuFlareSpot {
                color: *color,
                corners: corners(frame),
                place: *place,
                half_size: *half_size,
                layer: *layer,
                padding: 0,
            };
        }
        uniform
    }
}

fn picture(picture: &SkyPicture) -> GpuSkyPicture {
    let [fog_scale, fog_offset] = picture.fog_range.map_or([0.0; 2], |[start, end]| {
        let scale = 1.0 / (end * end - start * start);
        [scale, -start * start * scale]
    });
    GpuSkyPicture {
        repeats: picture.repeats,
        sinks: picture.sinks,
        fog_scale,
        fog_offset,
    }
}

fn corners(frame: &SpriteFrame) -> [[f32; 2]; 2] {
    [frame.min, frame.max]
}
