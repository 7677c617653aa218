//! All material passes over meshes and models, and the sea beyond the level's edge.
//!
//! A pipeline is made for each combination of plain state that a scene's materials need, when it is uploaded.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use ironlands_scene::{Blend, BlendFactor, Cull};

use super::{
    AddedLight, Layouts, TargetFormats,
    pipeline_key::{BakedState, Output, PipelineKey, Program, Shading},
};
use crate::{
    Gpu,
    shaders::{self, Shader},
    uniforms::NodeMatrix,
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

/// The rows of a [`NodeMatrix`], which places a pane.
const PLACE_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![6 => Float32x4, 7 => Float32x4, 8 => Float32x4];

/// In place of the nodes of instances: where each pane is.
const PLACES: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<NodeMatrix>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &PLACE_ATTRIBUTES,
};

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
    deep_water: wgpu::ShaderModule,
    deep_sea: wgpu::ShaderModule,
    /// With what is behind the water.
    deep_layout: wgpu::PipelineLayout,
    /// Where only depths are drawn.
    cutout_layout: wgpu::PipelineLayout,
    cutout_model_layout: wgpu::PipelineLayout,
}

/// Makes and keeps the pipelines of material passes.
#[derive(Debug)]
pub(crate) struct SurfacePass {
    fixed: Programs,
    baked: Programs,
    effects: Programs,
    refracting: wgpu::ShaderModule,
    refracting_layout: wgpu::PipelineLayout,
    depth_layout: wgpu::PipelineLayout,
    depth_model_layout: wgpu::PipelineLayout,
    targets: TargetFormats,
    by_key: HashMap<PipelineKey, usize>,
    pipelines: Vec<Pipelines>,
    /// For each pipeline that for the same as deep water, if it is one for a liquid.
    deep: Vec<Option<usize>>,
}

/// The pipelines of a key, one for each [`AddedLight::index`] that a frame has needed.
#[derive(Debug)]
struct Pipelines {
    key: PipelineKey,
    by_light: [Option<wgpu::RenderPipeline>; AddedLight::N],
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
        let multisampled = usize::from(targets.samples > 1);
        // Water has no effects, and what is bound for both would be too many textures.
        let programs = |material, of_water, [surface, model, morphed_model, water]: [Shader; 4]| {
            let groups = [
                &layouts.frame,
                &layouts.environment,
                material,
                &layouts.nodes,
            ]
            .map(Some);
            let mut deep_groups = groups;
            deep_groups[2] = Some(of_water);
            deep_groups[3] = Some(&layouts.water);
            let cutout_groups = [
                Some(&layouts.casters),
                None,
                Some(material),
                Some(&layouts.nodes),
            ];
            Programs {
                surface: surface.module(&gpu.device),
                model: model.module(&gpu.device),
                morphed_model: morphed_model.module(&gpu.device),
                water: water.module(&gpu.device),
                sea: shaders::SEA.module(&gpu.device),
                layout: layout("surface", &groups[..3]),
                model_layout: layout("model", &groups),
                deep_water: shaders::DEEP_WATER[multisampled].module(&gpu.device),
                deep_sea: shaders::DEEP_SEA[multisampled].module(&gpu.device),
                deep_layout: layout("deep water", &deep_groups),
                cutout_layout: layout("cutout", &cutout_groups[..3]),
                cutout_model_layout: layout("cutout model", &cutout_groups),
            }
        };
        let refracting_groups = [
            &layouts.frame,
            &layouts.environment,
            &layouts.refracting_material,
            &layouts.water,
        ]
        .map(Some);
        let depth_groups = [Some(&layouts.casters), None, None, Some(&layouts.nodes)];
        Self {
            fixed: programs(
                &layouts.material,
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
                &layouts.baked_material,
                [
                    shaders::BAKED_SURFACE,
                    shaders::BAKED_MODEL,
                    shaders::BAKED_MORPHED_MODEL,
                    shaders::BAKED_WATER,
                ],
            ),
            effects: programs(
                &layouts.effect_material,
                &layouts.baked_material,
                [
                    shaders::EFFECT_SURFACE,
                    shaders::EFFECT_MODEL,
                    shaders::EFFECT_MORPHED_MODEL,
                    shaders::BAKED_WATER,
                ],
            ),
            refracting: shaders::REFRACTING[multisampled].module(&gpu.device),
            refracting_layout: layout("refracting", &refracting_groups),
            depth_layout: layout("depth", &depth_groups[..1]),
            depth_model_layout: layout("depth of models", &depth_groups),
            targets: *targets,
            by_key: HashMap::new(),
            pipelines: Vec::new(),
            deep: Vec::new(),
        }
    }

    /// The index of the pipelines for a state. The one for frames without added light is made if there is none yet.
    pub fn prepare(&mut self, gpu: &Gpu, key: PipelineKey) -> usize {
        if let Some(index) = self.by_key.get(&key) {
            return *index;
        }
        let index = self.pipelines.len();
        let mut by_light = [const { None }; AddedLight::N];
        let plain = AddedLight::default();
        by_light[plain.index()] = Some(self.make_pipeline(gpu, &key, plain));
        self.pipelines.push(Pipelines { key, by_light });
        self.by_key.insert(key, index);
        self.deep.push(None);
        self.deep[index] = key.deep().map(|key| self.prepare(gpu, key));
        index
    }

    /// The index of the pipelines for what lies within the edges, where those are soft.
    pub fn prepare_core(&mut self, gpu: &Gpu, key: PipelineKey) -> Option<usize> {
        key.core().map(|key| self.prepare(gpu, key))
    }

    /// Whether there is a pipeline that draws the same as deep water.
    pub fn has_deep(&self, index: usize) -> bool {
        self.deep[index].is_some()
    }

    /// The pipeline that draws the same as deep water, for a frame whose light is prepared.
    pub fn deep(&self, index: usize, added: AddedLight) -> Option<&wgpu::RenderPipeline> {
        self.deep[index].map(|index| self.pipeline(index, added))
    }

    /// Makes all pipelines that are missing for frames with this light.
    pub fn prepare_light(&mut self, gpu: &Gpu, added: AddedLight) {
        for index in 0..self.pipelines.len() {
            let key = self.pipelines[index].key;
            let added = key.lit_by(added);
            if self.pipelines[index].by_light[added.index()].is_none() {
                let pipeline = self.make_pipeline(gpu, &key, added);
                self.pipelines[index].by_light[added.index()] = Some(pipeline);
            }
        }
    }

    /// The pipeline that [`Self::prepare`] gave this index, for a frame whose light is prepared.
    pub fn pipeline(&self, index: usize, added: AddedLight) -> &wgpu::RenderPipeline {
        let Pipelines { key, by_light } = &self.pipelines[index];
        let pipeline = by_light[key.lit_by(added).index()].as_ref();
        pipeline.expect("pipelines are made before they are drawn with")
    }

    /// Draws the sea with the pipeline and material that are set.
    pub fn draw_sea(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.draw(0..N_SEA_VERTICES, 0..1);
    }

    fn make_pipeline(
        &self,
        gpu: &Gpu,
        key: &PipelineKey,
        added: AddedLight,
    ) -> wgpu::RenderPipeline {
        let (module, layout, buffers) = self.program(key);
        let depth_compare = if key.depth_equal {
            wgpu::CompareFunction::Equal
        } else {
            wgpu::CompareFunction::GreaterEqual
        };
        let view = added.view;
        let (vertex_entry, fragment_entry) = match key.output {
            Output::Picture => ("vs_main", Some(view.fragment_entry())),
            Output::Depth => ("vs_depth", None),
            Output::Cutout => ("vs_cutout", Some("fs_cutout")),
        };
        let is_picture = key.output == Output::Picture;
        let mut constants = key.constants(added);
        constants.extend(view.constant());
        let options = wgpu::PipelineCompilationOptions {
            constants: &constants,
            ..Default::default()
        };
        let blend = view.blend(key.blend.map(blend_state));
        let picture_targets = [self.targets.color_target(blend)];
        let multisample = wgpu::MultisampleState {
            alpha_to_coverage_enabled: added.smooth_cutouts,
            ..self.targets.multisample()
        };
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&format!("{key:?}")),
                layout: Some(layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some(vertex_entry),
                    compilation_options: options.clone(),
                    buffers: &buffers,
                },
                primitive: wgpu::PrimitiveState {
                    polygon_mode: view.polygon_mode(gpu),
                    ..primitive_state(key)
                },
                depth_stencil: view.depth_state(depth_compare, key.depth_write),
                multisample: if is_picture {
                    multisample
                } else {
                    Default::default()
                },
                fragment: fragment_entry.map(|entry_point| wgpu::FragmentState {
                    module,
                    entry_point: Some(entry_point),
                    compilation_options: options,
                    targets: if is_picture { &picture_targets } else { &[] },
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
            Shading::Baked(BakedState { effects: None, .. }) => &self.baked,
            Shading::Baked(_) => &self.effects,
        };
        let [vertices, nodes, colors] = VERTEX_BUFFERS;
        let colors = colors.filter(|_| matches!(key.shading, Shading::Baked(_)));
        let (layout, model_layout) = match key.output {
            Output::Picture => (&programs.layout, &programs.model_layout),
            Output::Depth => (&self.depth_layout, &self.depth_model_layout),
            Output::Cutout => (&programs.cutout_layout, &programs.cutout_model_layout),
        };
        match key.program {
            Program::Surface => (&programs.surface, layout, vec![vertices, None, colors]),
            Program::Model => (&programs.model, model_layout, vec![vertices, nodes, colors]),
            Program::MorphedModel => {
                let buffers = vec![vertices, nodes, colors];
                (&programs.morphed_model, model_layout, buffers)
            }
            Program::Water => (&programs.water, layout, vec![vertices, None, colors]),
            Program::Sea => (&programs.sea, layout, Vec::new()),
            Program::DeepWater => (
                &programs.deep_water,
                &programs.deep_layout,
                vec![vertices, None, colors],
            ),
            Program::DeepSea => (&programs.deep_sea, &programs.deep_layout, Vec::new()),
            Program::Refracting => (
                &self.refracting,
                &self.refracting_layout,
                vec![vertices, Some(PLACES)],
            ),
        }
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
