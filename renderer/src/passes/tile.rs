//! Tiles of land.

use std::num::NonZeroU64;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ironlands_scene::{FacetProperty, MAX_PROPERTY_COLORS, MAX_RAMP_COLORS, TileTree};

use super::{AddedLight, Layouts, TargetFormats, flag, storage_entry, uniform_entry};
use crate::{
    Gpu, RenderError, SurfaceView, TileView,
    cull::Frustum,
    growing_buffer::GrowingBuffer,
    shaders,
    tiles::{FacetVertex, SceneTiles, ShownTile},
};

const FLAG_SIDES: u32 = 1;
const FLAG_GRID: u32 = 2;
const ALL_LAYERS: u32 = 0xffff;

/// A facet is an instance of four corners.
const FACET_LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<FacetVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Uint8x4, 1 => Sint16x4, 2 => Uint8x4],
};

/// Draws the tiles of a scene, and holds what a frame says of them.
#[derive(Debug)]
pub(crate) struct TilePass {
    module: wgpu::ShaderModule,
    targets: TargetFormats,
    pipeline_layout: wgpu::PipelineLayout,
    /// By the light that is added and what of surfaces is shown; made when that is first drawn.
    pipelines: [Option<wgpu::RenderPipeline>; AddedLight::N],
    depth_pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    land: wgpu::Buffer,
    /// An [`AlignedPlace`] for each tile that is shown.
    places: GrowingBuffer,
    /// What is handed to the device, kept for its memory.
    aligned: Vec<AlignedPlace>,
    bind_group: wgpu::BindGroup,
}

/// `tile.wgsl`, `Land`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuLand {
    pub ramp: [[f32; 4]; MAX_RAMP_COLORS],
    pub property_colors: [[f32; 4]; MAX_PROPERTY_COLORS],
    pub n_ramp: u32,
    pub n_property_colors: u32,
    pub color_by: u32,
    pub flags: u32,
    pub z_unit: f32,
    pub hidden_above: f32,
    pub layer: u32,
    pub padding: u32,
}

/// `tile.wgsl`, `TilePlace`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TilePlace {
    pub corner_in_eye: [f32; 3],
    pub step: f32,
}

/// A [`TilePlace`] and what is left of 256 bytes: the device wants each at a multiple of them.
type AlignedPlace = [u32; 64];

impl TilePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let mut place = uniform_entry::<TilePlace>(1);
        if let wgpu::BindingType::Buffer {
            has_dynamic_offset, ..
        } = &mut place.ty
        {
            *has_dynamic_offset = true;
        }
        let layout = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("land"),
                entries: &[
                    storage_entry::<GpuLand>(0, wgpu::ShaderStages::VERTEX_FRAGMENT),
                    place,
                ],
            });
        let land = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("land"),
            size: size_of::<GpuLand>() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let places = GrowingBuffer::new::<AlignedPlace>(
            gpu,
            "tile places",
            "the list of visible tiles",
            wgpu::BufferUsages::UNIFORM,
        );
        let module = shaders::TILE.module(&gpu.device);
        let pipeline_layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            gpu.device
                .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                    label: Some(label),
                    bind_group_layouts: groups,
                    immediate_size: 0,
                })
        };
        let groups = [&layouts.frame, &layouts.environment, &layout].map(Some);
        let depth_groups = [Some(&layouts.casters), None, Some(&layout)];
        let depth_layout = pipeline_layout("tile depths", &depth_groups);
        let pipeline_layout = pipeline_layout("tile", &groups);
        let plain = AddedLight::default();
        let plain = color_pipeline(gpu, &module, &pipeline_layout, targets, plain);
        let mut pipelines = [const { None }; AddedLight::N];
        pipelines[AddedLight::default().index()] = Some(plain);
        Self {
            pipelines,
            depth_pipeline: depth_pipeline(gpu, &module, &depth_layout),
            module,
            targets: *targets,
            pipeline_layout,
            bind_group: bind_group(gpu, &layout, &land, &places),
            layout,
            land,
            places,
            aligned: Vec::new(),
        }
    }

    /// Hands the device what this frame shows.
    ///
    /// # Errors
    /// If it has no room for it.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        tiles: &SceneTiles,
        view: &TileView,
        eye: Vec3,
    ) -> Result<(), RenderError> {
        let land = GpuLand::new(&tiles.tree, view);
        gpu.write(&self.land, bytemuck::bytes_of(&land));
        let places = tiles.shown_and_casters();
        let places = places.map(|tile| TilePlace::new(&tile, eye));
        self.aligned.clear();
        self.aligned.extend(places.map(aligned));
        if self.places.write(gpu, &self.aligned)? {
            self.bind_group = bind_group(gpu, &self.layout, &self.land, &self.places);
        }
        Ok(())
    }

    /// Makes what is missing for frames with this light.
    pub fn prepare_light(&mut self, gpu: &Gpu, added: AddedLight) {
        let added = on_tiles(added);
        let Self {
            module,
            pipeline_layout,
            targets,
            ..
        } = &*self;
        if self.pipelines[added.index()].is_none() {
            let made = color_pipeline(gpu, module, pipeline_layout, targets, added);
            self.pipelines[added.index()] = Some(made);
        }
    }

    /// Draws the tiles that were prepared; frame and environment are bound, and the light is prepared.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, tiles: &SceneTiles, added: AddedLight) {
        let pipeline = self.pipelines[on_tiles(added).index()].as_ref();
        pass.set_pipeline(pipeline.expect("pipelines are made before they are drawn with"));
        self.draw_facets(pass, (0..).zip(tiles.shown()));
    }

    /// Draws the depths of those tiles that were prepared, in view or not, that may be in a map.
    pub fn draw_depth(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        tiles: &SceneTiles,
        frustum: &Frustum,
    ) {
        pass.set_pipeline(&self.depth_pipeline);
        let tiles = (0..).zip(tiles.shown_and_casters());
        self.draw_facets(pass, tiles.filter(|(_, it)| frustum.may_see(&it.bounds)));
    }

    /// Each with its place among those that were prepared.
    fn draw_facets<'a>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        tiles: impl Iterator<Item = (u32, ShownTile<'a>)>,
    ) {
        for (index, tile) in tiles {
            let offset = index * size_of::<AlignedPlace>() as u32;
            pass.set_bind_group(2, &self.bind_group, &[offset]);
            pass.set_vertex_buffer(0, tile.facets.slice(..));
            pass.draw(0..4, 0..tile.n_facets);
        }
    }
}

/// Of the light that a frame adds, what changes tiles: lamps throw no shadows on them, as they are not in their maps.
fn on_tiles(added: AddedLight) -> AddedLight {
    AddedLight {
        lamp_shadows: false,
        mirror_sheets: false,
        ..added
    }
}

impl GpuLand {
    fn new(tree: &TileTree, view: &TileView) -> Self {
        let mut land = Self {
            n_ramp: tree.ramp.len() as u32,
            flags: FLAG_SIDES * u32::from(view.sides) + FLAG_GRID * u32::from(view.grid),
            z_unit: tree.z_unit,
            hidden_above: view.hidden_above.unwrap_or(f32::MAX),
            layer: view.layer.map_or(ALL_LAYERS, u32::from),
            ..Self::zeroed()
        };
        for (to, from) in land.ramp.iter_mut().zip(&tree.ramp) {
            let [r, g, b] = from.color;
            *to = [r, g, b, from.z];
        }
        if let Some(color_by) = view.color_by.and_then(|idx| tree.color_by.get(idx)) {
            land.n_property_colors = color_by.colors.len() as u32;
            land.color_by = match color_by.property {
                FacetProperty::OpenSides => 0,
                FacetProperty::Layer => 1,
                FacetProperty::Mark => 2,
            };
            for (to, from) in land.property_colors.iter_mut().zip(&color_by.colors) {
                *to = *from;
            }
        }
        land
    }
}

impl TilePlace {
    fn new(tile: &ShownTile<'_>, eye: Vec3) -> Self {
        let [x, y] = tile.corner_in_world;
        Self {
            corner_in_eye: (Vec3::new(x, y, 0.0) - eye).to_array(),
            step: tile.step,
        }
    }
}

fn aligned(place: TilePlace) -> AlignedPlace {
    let mut words = [0; 64];
    let place: [u32; 4] = bytemuck::cast(place);
    words[..place.len()].copy_from_slice(&place);
    words
}

fn bind_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    land: &wgpu::Buffer,
    places: &GrowingBuffer,
) -> wgpu::BindGroup {
    let place = wgpu::BufferBinding {
        buffer: places.buffer(),
        offset: 0,
        size: NonZeroU64::new(size_of::<TilePlace>() as u64),
    };
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("land"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: land.as_entire_binding(),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: wgpu::BindingResource::Buffer(place),
            },
        ],
    })
}

fn color_pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    targets: &TargetFormats,
    added: AddedLight,
) -> wgpu::RenderPipeline {
    let view = added.view;
    let target = targets.color_target(view.blend(None));
    let mut constants = vec![
        ("SUN_SHADOWS", flag(added.sun_shadows)),
        ("LOCAL_LIGHTS", flag(added.local_lights)),
    ];
    constants.extend(view.constant());
    let fragment = wgpu::FragmentState {
        module,
        entry_point: Some(view.fragment_entry()),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &constants,
            ..Default::default()
        },
        targets: &[target],
    };
    let output = ("vs_main", Some(fragment), targets.multisample());
    pipeline(gpu, module, layout, output, view)
}

fn depth_pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
) -> wgpu::RenderPipeline {
    let output = ("vs_depth", None, wgpu::MultisampleState::default());
    pipeline(gpu, module, layout, output, SurfaceView::Shaded)
}

fn pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    (entry_point, fragment, multisample): (
        &str,
        Option<wgpu::FragmentState<'_>>,
        wgpu::MultisampleState,
    ),
    view: SurfaceView,
) -> wgpu::RenderPipeline {
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("tile"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(entry_point),
                compilation_options: Default::default(),
                buffers: &[Some(FACET_LAYOUT)],
            },
            // Facets are seen from both sides.
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                polygon_mode: view.polygon_mode(gpu),
                ..Default::default()
            },
            depth_stencil: view.depth_state(wgpu::CompareFunction::GreaterEqual, true),
            multisample,
            fragment,
            multiview_mask: None,
            cache: None,
        })
}
