//! All material passes over meshes and models, and the sea beyond the level's edge.
//!
//! A pipeline is made for each combination of plain state that a scene's materials need, when it is uploaded.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use ironlands_scene::{Blend, BlendFactor, Cull, Lighting, Pass, PassKind};

use super::{FogKind, Layouts, TargetFormats, depth_state};
use crate::{
    Gpu,
    shaders::{self, Shader},
};

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

/// Which node matrix places an instance, or which morphed node it is.
const INSTANCE_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Uint32];

/// [`ironlands_scene::Mesh::colors`].
const COLOR_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Float32x4];

/// Vertices of a mesh, which node carries each of its instances, and the colors of its vertices.
const VERTEX_BUFFERS: [Option<wgpu::VertexBufferLayout<'_>>; 3] = [
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<SurfaceVertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &VERTEX_ATTRIBUTES,
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<u32>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &INSTANCE_ATTRIBUTES,
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<[f32; 4]>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &COLOR_ATTRIBUTES,
    }),
];

/// Which shader draws a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Program {
    Surface,
    Model,
    MorphedModel,
    Water,
    Sea,
}

/// What a piece of a model requires of its pipelines in addition to its material.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PieceVariant {
    /// Placed by a matrix that mirrors.
    pub is_mirrored: bool,
    /// With vertices that have moved.
    pub is_morphed: bool,
}

impl PieceVariant {
    /// Each at its own index.
    pub const ALL: [Self; 4] = [
        Self::new(false, false),
        Self::new(true, false),
        Self::new(false, true),
        Self::new(true, true),
    ];

    pub const fn new(is_mirrored: bool, is_morphed: bool) -> Self {
        Self {
            is_mirrored,
            is_morphed,
        }
    }

    /// Its place in [`Self::ALL`].
    pub fn index(self) -> usize {
        usize::from(self.is_mirrored) + 2 * usize::from(self.is_morphed)
    }
}

/// What a pass is made of, and so what is bound for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shading {
    /// One display-space texture, lit by the sun or by nothing.
    Fixed,
    /// A lightmap, a blend texture, or textures of linear light.
    Baked(BakedState),
}

/// What a baked pass has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct BakedState {
    /// Bits of `BAKED_..` in `shaders/shared/baked_color.wgsl`.
    pub flags: u32,
    /// Styles of the lightmap.
    pub n_styles: u32,
}

/// The plain state that makes one pipeline differ from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PipelineKey {
    program: Program,
    shading: Shading,
    blend: Option<Blend>,
    cull: Cull,
    /// Whether front faces are clockwise: a mirroring matrix turns their winding around.
    is_mirrored: bool,
    depth_write: bool,
    /// Whether only what an earlier pass left is drawn on.
    depth_equal: bool,
    alpha_test: bool,
    lighting: Lighting,
    uv_set: u8,
    /// Whether it may show the mirrored sky.
    mirrors: bool,
    fog: FogKind,
}

impl PipelineKey {
    /// For a pass over mesh faces; `is_last` of its kind in its material.
    pub fn from_pass(pass: &Pass, shading: Shading, fog: FogKind, is_last: bool) -> Self {
        let is_water = pass.kind == PassKind::Water;
        Self {
            shading,
            program: if is_water {
                Program::Water
            } else {
                Program::Surface
            },
            blend: pass.blend,
            cull: pass.cull,
            is_mirrored: false,
            depth_write: pass.depth_write,
            // A lightmap has no alpha of its own: it must leave holes of the base alone.
            depth_equal: pass.kind == PassKind::Lightmap,
            alpha_test: pass.alpha_test.is_some(),
            lighting: pass.lighting,
            uv_set: pass.uv_set,
            // A mirror lies over what is below only where the pass itself does.
            mirrors: is_water && is_last && matches!(pass.blend, None | Some(Blend::ALPHA)),
            fog,
        }
    }

    /// For a pass over pieces of models.
    pub fn from_model_pass(
        pass: &Pass,
        shading: Shading,
        fog: FogKind,
        variant: PieceVariant,
    ) -> Self {
        Self {
            program: if variant.is_morphed {
                Program::MorphedModel
            } else {
                Program::Model
            },
            // Without culling, both kinds share a pipeline.
            is_mirrored: variant.is_mirrored && pass.cull != Cull::None,
            mirrors: false,
            ..Self::from_pass(pass, shading, fog, false)
        }
    }

    /// For a pass over the sea: the first one hides what is below, as there is nothing. Nobody stored light for
    /// the sea, so the sun lights it.
    pub fn from_sea_pass(
        pass: &Pass,
        shading: Shading,
        fog: FogKind,
        [is_first, is_last]: [bool; 2],
    ) -> Self {
        let blend = if is_first { None } else { pass.blend };
        Self {
            program: Program::Sea,
            shading,
            blend,
            cull: Cull::None,
            is_mirrored: false,
            depth_write: is_first,
            depth_equal: false,
            alpha_test: pass.alpha_test.is_some(),
            lighting: match pass.lighting {
                Lighting::Lightmap | Lighting::Ambient => Lighting::Linear,
                lighting => lighting,
            },
            uv_set: 0,
            mirrors: is_last && matches!(blend, None | Some(Blend::ALPHA)),
            fog,
        }
    }

    /// Values of the `override` constants of `shaders/shared/surface_color.wgsl`, and of `baked_color.wgsl`.
    fn constants(&self) -> Vec<(&'static str, f64)> {
        let lighting = match self.lighting {
            Lighting::Unlit => 0.0,
            Lighting::Display => 1.0,
            Lighting::Linear => 2.0,
            Lighting::Lightmap => 3.0,
            Lighting::Ambient => 4.0,
        };
        let fade = match Fade::from_blend(self.blend) {
            Fade::Fog => 0.0,
            Fade::Black => 1.0,
            Fade::Gray => 2.0,
            Fade::White => 3.0,
            Fade::Premultiplied => 4.0,
        };
        let mut constants = vec![
            ("LIGHTING", lighting),
            ("FADE", fade),
            ("ALPHA_TEST", f64::from(u8::from(self.alpha_test))),
            ("UV_SET", f64::from(self.uv_set)),
            ("MIRRORS", f64::from(u8::from(self.mirrors))),
            self.fog.constant(),
        ];
        if let Shading::Baked(BakedState { flags, n_styles }) = self.shading
            && self.program != Program::Sea
        {
            constants.extend([("BAKED", flags.into()), ("N_STYLES", n_styles.into())]);
        }
        constants
    }
}

/// What a pass fades to in fog: the color that, once blended, leaves a fogged picture as it is, or the fog's
/// own for a pass that covers the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fade {
    /// Covers by alpha or replaces.
    Fog,
    /// Adds: black adds nothing.
    Black,
    /// Multiplies by two: middle gray changes nothing.
    Gray,
    /// Multiplies: white changes nothing.
    White,
    /// Covers by alpha, with the alpha in the color already.
    Premultiplied,
}

impl Fade {
    fn from_blend(blend: Option<Blend>) -> Self {
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
            (DestinationColor, SourceColor) => Self::Gray,
            (DestinationColor, Zero) | (Zero, SourceColor) => Self::White,
            (_, One | InverseSourceColor) => Self::Black,
            (One, InverseSourceAlpha) => Self::Premultiplied,
            _ => Self::Fog,
        }
    }
}

/// What the programs of one shading run, and what is bound to them.
#[derive(Debug)]
struct Programs {
    surface: wgpu::ShaderModule,
    model: wgpu::ShaderModule,
    morphed_model: wgpu::ShaderModule,
    water: wgpu::ShaderModule,
    sea: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    /// With the node matrices.
    model_layout: wgpu::PipelineLayout,
}

/// Makes and keeps the pipelines of material passes.
#[derive(Debug)]
pub(crate) struct SurfacePass {
    fixed: Programs,
    baked: Programs,
    targets: TargetFormats,
    by_key: HashMap<PipelineKey, usize>,
    pipelines: Vec<wgpu::RenderPipeline>,
}

impl SurfacePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            gpu.device
                .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                    label: Some(label),
                    bind_group_layouts: groups,
                    immediate_size: 0,
                })
        };
        let programs = |material, [surface, model, morphed_model, water]: [Shader; 4]| {
            let groups = [
                &layouts.frame,
                &layouts.environment,
                material,
                &layouts.nodes,
            ]
            .map(Some);
            Programs {
                surface: surface.module(&gpu.device),
                model: model.module(&gpu.device),
                morphed_model: morphed_model.module(&gpu.device),
                water: water.module(&gpu.device),
                sea: shaders::SEA.module(&gpu.device),
                layout: layout("surface", &groups[..3]),
                model_layout: layout("model", &groups),
            }
        };
        Self {
            fixed: programs(
                &layouts.material,
                [
                    shaders::SURFACE,
                    shaders::MODEL,
                    shaders::MORPHED_MODEL,
                    shaders::WATER,
                ],
            ),
            baked: programs(
                &layouts.baked_material,
                [
                    shaders::BAKED_SURFACE,
                    shaders::BAKED_MODEL,
                    shaders::BAKED_MORPHED_MODEL,
                    shaders::BAKED_WATER,
                ],
            ),
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
        let (module, layout, buffers) = self.program(key);
        let depth_compare = if key.depth_equal {
            wgpu::CompareFunction::Equal
        } else {
            wgpu::CompareFunction::GreaterEqual
        };
        let constants = key.constants();
        let options = wgpu::PipelineCompilationOptions {
            constants: &constants,
            ..Default::default()
        };
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&format!("{key:?}")),
                layout: Some(layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some("vs_main"),
                    compilation_options: options.clone(),
                    buffers: &buffers,
                },
                primitive: primitive_state(key),
                depth_stencil: depth_state(depth_compare, key.depth_write),
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

    /// The shader of a program, what is bound to it, and what its vertices are made of.
    fn program(
        &self,
        key: &PipelineKey,
    ) -> (
        &wgpu::ShaderModule,
        &wgpu::PipelineLayout,
        Vec<Option<wgpu::VertexBufferLayout<'static>>>,
    ) {
        let programs = match key.shading {
            Shading::Fixed => &self.fixed,
            Shading::Baked(_) => &self.baked,
        };
        let [vertices, nodes, colors] = VERTEX_BUFFERS;
        let colors = colors.filter(|_| matches!(key.shading, Shading::Baked(_)));
        let (module, layout, buffers) = match key.program {
            Program::Surface => (
                &programs.surface,
                &programs.layout,
                vec![vertices, None, colors],
            ),
            Program::Model => (
                &programs.model,
                &programs.model_layout,
                vec![vertices, nodes, colors],
            ),
            Program::MorphedModel => (
                &programs.morphed_model,
                &programs.model_layout,
                vec![vertices, nodes, colors],
            ),
            Program::Water => (
                &programs.water,
                &programs.layout,
                vec![vertices, None, colors],
            ),
            Program::Sea => (&programs.sea, &programs.layout, Vec::new()),
        };
        (module, layout, buffers)
    }
}

fn primitive_state(key: &PipelineKey) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        front_face: if key.is_mirrored {
            wgpu::FrontFace::Cw
        } else {
            wgpu::FrontFace::Ccw
        },
        cull_mode: match key.cull {
            Cull::None => None,
            Cull::Back => Some(wgpu::Face::Back),
        },
        ..Default::default()
    }
}

fn blend_state(blend: Blend) -> wgpu::BlendState {
    let component = wgpu::BlendComponent {
        src_factor: blend_factor(blend.source),
        dst_factor: blend_factor(blend.destination),
        operation: wgpu::BlendOperation::Add,
    };
    // Alpha is not written, but color factors are not allowed for it in all graphics interfaces.
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
            (Some(Blend::MODULATE_2X), Fade::Gray),
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
            assert_eq!(Fade::from_blend(blend), fade, "{blend:?}");
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
        let mirrors = |pass, is_last| {
            PipelineKey::from_pass(pass, Shading::Fixed, FogKind::None, is_last).mirrors
        };
        assert!(mirrors(&water, true));
        assert!(!mirrors(&water, false));
        assert!(!mirrors(&added, true));
        assert!(!mirrors(&Pass::default(), true));
    }

    #[test]
    fn mirrored_models_have_pipelines_of_their_own_only_where_sides_matter() {
        let both_sides = Pass::default();
        let one_side = Pass {
            cull: Cull::Back,
            ..Pass::default()
        };
        let keys = |pass| {
            [false, true].map(|is_mirrored| {
                let variant = PieceVariant::new(is_mirrored, false);
                PipelineKey::from_model_pass(pass, Shading::Fixed, FogKind::None, variant)
            })
        };
        let [plain, mirrored] = keys(&both_sides);
        assert_eq!(plain, mirrored);
        let [plain, mirrored] = keys(&one_side);
        assert_ne!(plain, mirrored);
    }

    #[test]
    fn each_variant_has_its_own_place() {
        for (index, variant) in PieceVariant::ALL.into_iter().enumerate() {
            assert_eq!(variant.index(), index, "{variant:?}");
        }
    }
}
