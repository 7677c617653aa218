//! One file per pass. A pass lives as long as the device; what it draws lives as long as the scene.

pub(crate) mod beside;
pub(crate) mod blob_shadow;
pub(crate) mod bloom;
pub(crate) mod enlarge;
pub(crate) mod exposure;
pub(crate) mod grade;
pub(crate) mod hud;
pub(crate) mod occlusion;
pub(crate) mod overlay;
pub(crate) mod painted_sky;
pub(crate) mod particles;
pub(crate) mod picture_pass;
pub(crate) mod pipeline_key;
pub(crate) mod sky;
pub(crate) mod sky_box;
pub(crate) mod surface;
mod surface_view;
pub(crate) mod tile;
pub(crate) mod water;

use std::num::NonZeroU64;

use ironlands_scene::{Fog, Material, Scene};

use crate::SurfaceView;
use crate::lamp_maps::LampShadowsUniform;
use crate::light_grid::{LightGridUniform, LocalLight};
use crate::sun_maps::SunShadowUniform;
use crate::uniforms::{
    ActiveMorph, BakedUniform, CubeOfNode, EffectsUniform, EnvironmentUniform, FrameUniform,
    GpuSkinVertex, MaterialUniform, MorphedNode, NodeMatrix, SkyFaceUniform, StylesUniform,
};

/// Reversed: 1 at the near plane, cleared to 0 = infinity, nearer or equal wins.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Binding of the matrices of joints in group 0, after what only pictures have there.
pub(crate) const JOINTS_BINDING: u32 = 9;

/// What pipelines must know of what they draw on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TargetFormats {
    pub color: wgpu::TextureFormat,
    pub samples: u32,
}

impl TargetFormats {
    /// Blended color; alpha stays as it was cleared, so that a picture is opaque whatever was blended.
    pub fn color_target(&self, blend: Option<wgpu::BlendState>) -> Option<wgpu::ColorTargetState> {
        Some(wgpu::ColorTargetState {
            format: self.color,
            blend,
            write_mask: wgpu::ColorWrites::COLOR,
        })
    }

    pub fn multisample(&self) -> wgpu::MultisampleState {
        wgpu::MultisampleState {
            count: self.samples,
            ..Default::default()
        }
    }
}

pub(crate) fn depth_state(
    compare: wgpu::CompareFunction,
    write: bool,
) -> Option<wgpu::DepthStencilState> {
    Some(wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    })
}

/// What a frame adds to what the scene's game had, as far as surfaces are drawn otherwise: most of it is light.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AddedLight {
    pub sun_shadows: bool,
    pub local_lights: bool,
    /// Goes with `local_lights`.
    pub lamp_shadows: bool,
    /// Liquids that are mirrors in the style of their world are drawn as such.
    pub mirror_sheets: bool,
    /// Edges of holes cover pixels in part; needs multisampling.
    pub smooth_cutouts: bool,
    /// What of surfaces is shown; no light is added unless they are shaded.
    pub view: SurfaceView,
}

impl AddedLight {
    /// How many there are.
    pub const N: usize = 32 + SurfaceView::ALL.len() - 1;

    /// A number below [`Self::N`].
    pub fn index(self) -> usize {
        if self.view != SurfaceView::Shaded {
            return 31 + self.view.index();
        }
        usize::from(self.sun_shadows)
            + 2 * usize::from(self.local_lights)
            + 4 * usize::from(self.lamp_shadows)
            + 8 * usize::from(self.mirror_sheets)
            + 16 * usize::from(self.smooth_cutouts)
    }
}

/// The value of an `override` constant.
pub(crate) fn flag(is_set: bool) -> f64 {
    f64::from(u8::from(is_set))
}

/// What fog a scene may have, whatever the hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FogKind {
    /// None.
    None,
    /// By distance alone.
    Everywhere,
    /// Some of it in a layer.
    Layer,
}

impl FogKind {
    /// Of a level and its backdrop.
    pub fn from_scene(scene: &Scene) -> Self {
        let backdrop = scene.backdrop.as_ref().and_then(|backdrop| backdrop.fog);
        let fogs = [scene.fog, scene.haze, backdrop].map(|fog| match fog {
            None => Self::None,
            Some(Fog { layer: None, .. }) => Self::Everywhere,
            Some(_) => Self::Layer,
        });
        // An eye in a liquid is in fog.
        let has_liquid = |material: &Material| material.passes.iter().any(|it| it.liquid.is_some());
        let in_liquid = match scene.materials.iter().any(has_liquid) {
            true => Self::Everywhere,
            false => Self::None,
        };
        fogs.into_iter().fold(in_liquid, Self::max)
    }

    /// The `override` constant of `shaders/shared/environment.wgsl`.
    pub fn constant(self) -> (&'static str, f64) {
        ("FOG", f64::from(self as u8))
    }
}

/// Bind group layouts by rate of change: group 0 frame, 1 scene, 2 material, 3 node matrices, or the depth of what is
/// behind.
#[derive(Debug)]
pub(crate) struct Layouts {
    pub frame: wgpu::BindGroupLayout,
    /// Group 0 where only depths are drawn: as `frame` begins.
    pub casters: wgpu::BindGroupLayout,
    pub environment: wgpu::BindGroupLayout,
    pub material: wgpu::BindGroupLayout,
    /// Begins as `material`: what bends what is behind it.
    pub refracting_material: wgpu::BindGroupLayout,
    /// Begins as `material`.
    pub baked_material: wgpu::BindGroupLayout,
    /// Begins as `baked_material`.
    pub effect_material: wgpu::BindGroupLayout,
    pub sky_face: wgpu::BindGroupLayout,
    pub painted_sky: wgpu::BindGroupLayout,
    pub nodes: wgpu::BindGroupLayout,
    /// In place of `nodes`, for deep water.
    pub water: wgpu::BindGroupLayout,
    pub particles: wgpu::BindGroupLayout,
    /// In place of `nodes`, for what looks at the depth of what is behind it.
    pub depth: wgpu::BindGroupLayout,
    /// In place of `material`, for what reads a whole picture.
    pub picture: wgpu::BindGroupLayout,
}

impl Layouts {
    /// `samples`: per pixel of what is drawn on.
    pub fn new(device: &wgpu::Device, samples: u32) -> Self {
        let make = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let texture_of = |view_dimension| wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension,
            multisampled: false,
        };
        let texture = texture_of(wgpu::TextureViewDimension::D2);
        let layers = texture_of(wgpu::TextureViewDimension::D2Array);
        let depth = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: samples > 1,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let material = [
            uniform_entry::<MaterialUniform>(0),
            fragment_entry(1, texture),
            fragment_entry(2, sampler),
        ];
        let tint = [fragment_entry(3, texture), fragment_entry(4, sampler)];
        let baked = [
            uniform_entry::<BakedUniform>(3),
            fragment_entry(4, texture),
            fragment_entry(5, texture),
            fragment_entry(6, texture),
            fragment_entry(7, layers),
            fragment_entry(8, sampler),
            fragment_entry(9, texture),
            fragment_entry(10, sampler),
        ];
        let effects = [
            uniform_entry::<EffectsUniform>(11),
            fragment_entry(12, texture_of(wgpu::TextureViewDimension::Cube)),
            fragment_entry(13, sampler),
            fragment_entry(14, texture),
            fragment_entry(15, texture),
            fragment_entry(16, texture),
            fragment_entry(17, texture),
            fragment_entry(18, texture),
        ];
        let sky_face = [
            uniform_entry::<SkyFaceUniform>(0),
            fragment_entry(1, texture),
            fragment_entry(2, sampler),
        ];
        let casters = [
            uniform_entry::<FrameUniform>(0),
            storage_entry::<MorphedNode>(1, wgpu::ShaderStages::VERTEX),
            storage_entry::<ActiveMorph>(2, wgpu::ShaderStages::VERTEX),
            storage_entry::<NodeMatrix>(JOINTS_BINDING, wgpu::ShaderStages::VERTEX),
        ];
        let depth_layers = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2Array,
            multisampled: false,
        };
        let comparison = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        let added_light = [
            uniform_entry::<SunShadowUniform>(3),
            fragment_entry(4, depth_layers),
            fragment_entry(5, comparison),
            uniform_entry::<LightGridUniform>(6),
            storage_entry::<LocalLight>(7, wgpu::ShaderStages::FRAGMENT),
            storage_entry::<u32>(8, wgpu::ShaderStages::FRAGMENT),
            // 9 are joints.
            uniform_entry::<LampShadowsUniform>(10),
            fragment_entry(11, depth_layers),
        ];
        Self {
            frame: make("frame", &[&casters[..], &added_light].concat()),
            casters: make("casters", &casters),
            environment: make(
                "environment",
                &[
                    uniform_entry::<EnvironmentUniform>(0),
                    uniform_entry::<StylesUniform>(1),
                ],
            ),
            material: make("material", &material),
            refracting_material: make("refracting material", &[&material[..], &tint].concat()),
            baked_material: make("baked material", &[&material[..], &baked].concat()),
            effect_material: make(
                "effect material",
                &[&material[..], &baked, &effects].concat(),
            ),
            water: water::layout(device, samples),
            sky_face: make("sky face", &sky_face),
            painted_sky: painted_sky::layout(device),
            particles: make(
                "particles",
                &[fragment_entry(0, layers), fragment_entry(1, sampler)],
            ),
            depth: make("depth", &[fragment_entry(2, depth)]),
            picture: picture_pass::picture_layout(device),
            nodes: make(
                "nodes",
                &[
                    storage_entry::<NodeMatrix>(0, wgpu::ShaderStages::VERTEX),
                    storage_entry::<CubeOfNode>(1, wgpu::ShaderStages::FRAGMENT),
                    storage_entry::<f32>(2, wgpu::ShaderStages::VERTEX),
                    storage_entry::<GpuSkinVertex>(3, wgpu::ShaderStages::VERTEX),
                ],
            ),
        }
    }
}

fn storage_entry<T>(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(size_of::<T>() as u64),
        },
        count: None,
    }
}

fn uniform_entry<T>(binding: u32) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(size_of::<T>() as u64),
        },
        count: None,
    }
}

fn fragment_entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    }
}
