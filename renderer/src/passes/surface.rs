//! All material passes: base, decal, detail, water, and the sea beyond the level's edge.
//!
//! A pipeline is made for each combination of plain state that a scene's materials need, when it is uploaded.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use ironlands_scene::{Blend, BlendFactor, Cull, Lighting, Pass, PassKind};

use super::{Layouts, TargetFormats, depth_state};
use crate::{Gpu, shaders};

/// Two triangles for each of the eight cells around the level (`shaders/sea.wgsl`).
const N_SEA_VERTICES: u32 = 48;

/// One interleaved vertex of a mesh.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SurfaceVertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv_sets: [[f32; 2]; 2],
}

const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Float32x2];

/// Which shader draws a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Program {
    Surface,
    Water,
    Sea,
}

/// The plain state that makes one pipeline differ from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PipelineKey {
    program: Program,
    blend: Option<Blend>,
    cull: Cull,
    depth_write: bool,
    alpha_test: bool,
    lighting: Lighting,
    uv_set: u8,
    /// Whether it may show the mirrored sky.
    mirrors: bool,
}

impl PipelineKey {
    /// For a pass over mesh faces; `is_last` of its kind in its material.
    pub fn of_pass(pass: &Pass, is_last: bool) -> Self {
        let is_water = pass.kind == PassKind::Water;
        Self {
            program: if is_water {
                Program::Water
            } else {
                Program::Surface
            },
            blend: pass.blend,
            cull: pass.cull,
            depth_write: pass.depth_write,
            alpha_test: pass.alpha_test.is_some(),
            lighting: pass.lighting,
            uv_set: pass.uv_set,
            // A mirror lies over what is below only where the pass itself does.
            mirrors: is_water && is_last && matches!(pass.blend, None | Some(Blend::ALPHA)),
        }
    }

    /// For a pass over the sea: the first one hides what is below, as there is nothing.
    pub fn of_sea(pass: &Pass, is_first: bool, is_last: bool) -> Self {
        let blend = if is_first { None } else { pass.blend };
        Self {
            program: Program::Sea,
            blend,
            cull: Cull::None,
            depth_write: is_first,
            alpha_test: pass.alpha_test.is_some(),
            lighting: pass.lighting,
            uv_set: 0,
            mirrors: is_last && matches!(blend, None | Some(Blend::ALPHA)),
        }
    }

    /// Values of the `override` constants of `shaders/shared/surface_color.wgsl`.
    fn constants(&self) -> [(&'static str, f64); 5] {
        let lighting = match self.lighting {
            Lighting::Unlit => 0.0,
            Lighting::Display => 1.0,
            Lighting::Linear => 2.0,
        };
        let fade = match Fade::of_blend(self.blend) {
            Fade::Fog => 0.0,
            Fade::Black => 1.0,
            Fade::Grey => 2.0,
            Fade::White => 3.0,
            Fade::Premultiplied => 4.0,
        };
        [
            ("LIGHTING", lighting),
            ("FADE", fade),
            ("ALPHA_TEST", f64::from(u8::from(self.alpha_test))),
            ("UV_SET", f64::from(self.uv_set)),
            ("MIRRORS", f64::from(u8::from(self.mirrors))),
        ]
    }
}

/// What a pass fades to in fog: the colour that, once blended, leaves a fogged picture as it is, or the fog's
/// own for a pass that covers the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fade {
    /// Covers by alpha or replaces.
    Fog,
    /// Adds: black adds nothing.
    Black,
    /// Multiplies by two: middle grey changes nothing.
    Grey,
    /// Multiplies: white changes nothing.
    White,
    /// Covers by alpha, with the alpha in the colour already.
    Premultiplied,
}

impl Fade {
    fn of_blend(blend: Option<Blend>) -> Self {
        use BlendFactor::{
            DestinationColor, InverseSourceAlpha, InverseSourceColor, One, SourceColor, Zero,
        };
        let Some(Blend {
            source,
            destination,
        }) = blend
        else {
            return Self::Fog;
        };
        match (source, destination) {
            (DestinationColor, SourceColor) => Self::Grey,
            (DestinationColor, Zero) | (Zero, SourceColor) => Self::White,
            (_, One | InverseSourceColor) => Self::Black,
            (One, InverseSourceAlpha) => Self::Premultiplied,
            _ => Self::Fog,
        }
    }
}

/// Makes and keeps the pipelines of material passes.
#[derive(Debug)]
pub(crate) struct SurfacePass {
    surface: wgpu::ShaderModule,
    water: wgpu::ShaderModule,
    sea: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    targets: TargetFormats,
    by_key: HashMap<PipelineKey, usize>,
    pipelines: Vec<wgpu::RenderPipeline>,
}

impl SurfacePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let groups = [&layouts.frame, &layouts.environment, &layouts.material];
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("surface"),
                bind_group_layouts: &groups.map(Some),
                immediate_size: 0,
            });
        Self {
            surface: shaders::SURFACE.module(&gpu.device),
            water: shaders::WATER.module(&gpu.device),
            sea: shaders::SEA.module(&gpu.device),
            layout,
            targets: *targets,
            by_key: HashMap::new(),
            pipelines: Vec::new(),
        }
    }

    /// The index of the pipeline for a state, made if there is none yet.
    pub fn prepare(&mut self, gpu: &Gpu, key: PipelineKey) -> usize {
        if let Some(index) = self.by_key.get(&key) {
            return *index;
        }
        let index = self.pipelines.len();
        self.pipelines.push(self.make_pipeline(gpu, &key));
        self.by_key.insert(key, index);
        index
    }

    /// The pipeline that [`Self::prepare`] gave this index.
    pub fn pipeline(&self, index: usize) -> &wgpu::RenderPipeline {
        &self.pipelines[index]
    }

    /// Draws the sea with the pipeline and material that are set.
    pub fn draw_sea(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.draw(0..N_SEA_VERTICES, 0..1);
    }

    fn make_pipeline(&self, gpu: &Gpu, key: &PipelineKey) -> wgpu::RenderPipeline {
        let mesh_vertices = Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<SurfaceVertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &VERTEX_ATTRIBUTES,
        });
        let (module, buffers) = match key.program {
            Program::Surface => (&self.surface, vec![mesh_vertices]),
            Program::Water => (&self.water, vec![mesh_vertices]),
            Program::Sea => (&self.sea, Vec::new()),
        };
        let constants = key.constants();
        let options = wgpu::PipelineCompilationOptions {
            constants: &constants,
            ..Default::default()
        };
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&format!("{key:?}")),
                layout: Some(&self.layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some("vs_main"),
                    compilation_options: options.clone(),
                    buffers: &buffers,
                },
                primitive: wgpu::PrimitiveState {
                    cull_mode: match key.cull {
                        Cull::None => None,
                        Cull::Back => Some(wgpu::Face::Back),
                    },
                    ..Default::default()
                },
                depth_stencil: depth_state(wgpu::CompareFunction::GreaterEqual, key.depth_write),
                multisample: self.targets.multisample(),
                fragment: Some(wgpu::FragmentState {
                    module,
                    entry_point: Some("fs_main"),
                    compilation_options: options,
                    targets: &[self.targets.color_target(key.blend.map(blend_state))],
                }),
                multiview_mask: None,
                cache: None,
            })
    }
}

fn blend_state(blend: Blend) -> wgpu::BlendState {
    let component = wgpu::BlendComponent {
        src_factor: blend_factor(blend.source),
        dst_factor: blend_factor(blend.destination),
        operation: wgpu::BlendOperation::Add,
    };
    // Alpha is not written, but colour factors are not allowed for it in all graphics interfaces.
    wgpu::BlendState {
        color: component,
        alpha: wgpu::BlendComponent::REPLACE,
    }
}

fn blend_factor(factor: BlendFactor) -> wgpu::BlendFactor {
    match factor {
        BlendFactor::Zero => wgpu::BlendFactor::Zero,
        BlendFactor::One => wgpu::BlendFactor::One,
        BlendFactor::SourceColor => wgpu::BlendFactor::Src,
        BlendFactor::InverseSourceColor => wgpu::BlendFactor::OneMinusSrc,
        BlendFactor::SourceAlpha => wgpu::BlendFactor::SrcAlpha,
        BlendFactor::InverseSourceAlpha => wgpu::BlendFactor::OneMinusSrcAlpha,
        BlendFactor::DestinationAlpha => wgpu::BlendFactor::DstAlpha,
        BlendFactor::InverseDestinationAlpha => wgpu::BlendFactor::OneMinusDstAlpha,
        BlendFactor::DestinationColor => wgpu::BlendFactor::Dst,
        BlendFactor::InverseDestinationColor => wgpu::BlendFactor::OneMinusDst,
        BlendFactor::SourceAlphaSaturated => wgpu::BlendFactor::SrcAlphaSaturated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blended(source: BlendFactor, destination: BlendFactor) -> Option<Blend> {
        Some(Blend {
            source,
            destination,
        })
    }

    #[test]
    fn fog_fades_each_blend_to_what_leaves_the_picture_as_it_is() {
        use BlendFactor::*;
        for (blend, fade) in [
            (None, Fade::Fog),
            (Some(Blend::ALPHA), Fade::Fog),
            (Some(Blend::MODULATE_2X), Fade::Grey),
            (blended(One, One), Fade::Black),
            (blended(SourceAlpha, One), Fade::Black),
            (blended(DestinationColor, One), Fade::Black),
            (blended(One, InverseSourceColor), Fade::Black),
            (blended(Zero, InverseSourceColor), Fade::Black),
            (blended(Zero, SourceColor), Fade::White),
            (blended(DestinationColor, Zero), Fade::White),
            (blended(One, InverseSourceAlpha), Fade::Premultiplied),
            (blended(One, Zero), Fade::Fog),
        ] {
            assert_eq!(Fade::of_blend(blend), fade, "{blend:?}");
        }
    }

    #[test]
    fn only_the_last_water_pass_that_covers_mirrors() {
        let water = Pass {
            kind: PassKind::Water,
            blend: Some(Blend::ALPHA),
            ..Pass::default()
        };
        let added = Pass {
            blend: blended(BlendFactor::One, BlendFactor::One),
            ..water.clone()
        };
        assert!(PipelineKey::of_pass(&water, true).mirrors);
        assert!(!PipelineKey::of_pass(&water, false).mirrors);
        assert!(!PipelineKey::of_pass(&added, true).mirrors);
        assert!(!PipelineKey::of_pass(&Pass::default(), true).mirrors);
    }
}
