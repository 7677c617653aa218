//! Scene -> GPU buffers and textures, once.

mod effects;
mod emitters;
mod materials;
mod model_materials;
mod models;
mod morphs;
mod painted_sky;
mod surroundings;
mod textures;

use std::{borrow::Cow, ops::Range, sync::Arc};

use bytemuck::Pod;
use ironlands_scene::{
    Atmosphere, AutoExposure, Batch, Cluster, ColorCorrection, ColorTable, DayCycle, Fog,
    FogFalloff, Light, LightStyle, Liquid, LodGrid, Mesh, Occluder, Pass, Scene, Sun, Water,
    on_clock,
};

pub(crate) use emitters::{GpuEmitters, GpuFoliage};
pub(crate) use materials::{GpuPass, sampler_entry, view_entry};
pub(crate) use models::{FrameContext, GpuInstance, GpuModel, GpuModels};
use surroundings::backdrop_atmosphere;
pub(crate) use surroundings::{GpuBackdrop, GpuEnvironment};

use crate::{
    FrameState, Gpu, RenderError, RenderSettings,
    draw_list::PassOrder,
    frame_lights::sun_map_size,
    panes::{Pane, split_into_panes},
    passes::{
        FogKind, Layouts,
        overlay::{OverlayData, OverlayPass},
        painted_sky::{GpuPaintedSky, PaintedSkyUniform},
        pipeline_key::{PipelineKey, Shading, is_sun_lit},
        surface::{SurfacePass, SurfaceVertex},
    },
    tiles::SceneTiles,
    uniforms::Air,
    view_cells::SceneCells,
    waters::Waters,
};

/// A scene on the device. Belongs to the renderer that uploaded it.
#[derive(Debug)]
pub struct SceneGpu {
    /// Distinguishes it from all others of its renderer.
    pub(crate) id: u64,
    /// Those of the scene, then those of its models.
    pub(crate) meshes: Vec<GpuMesh>,
    /// Colors of vertices that have none, as many as any mesh could need.
    pub(crate) no_colors: Option<wgpu::Buffer>,
    pub(crate) tiles: Option<SceneTiles>,
    pub(crate) models: GpuModels,
    /// For each material what the draw list must know of its passes.
    pub(crate) materials: Vec<Vec<PassOrder>>,
    /// All distinct passes of all materials.
    pub(crate) passes: Vec<GpuPass>,
    pub(crate) has_glowing_pass: bool,
    /// Whether some liquid is a mirror in the style of its world.
    pub(crate) has_mirror_sheets: bool,
    /// Pipeline and bind group of each layer of the sea.
    pub(crate) sea: Vec<SeaLayer>,
    /// None if there are none.
    pub(crate) emitters: Option<GpuEmitters>,
    pub(crate) overlays: Vec<OverlayData>,
    pub(crate) environment: GpuEnvironment,
    pub(crate) sky_box: Option<[wgpu::BindGroup; 6]>,
    /// For each day its own sky, if it has one.
    painted_skies: Vec<Option<GpuPaintedSky>>,
    pub(crate) backdrop: Option<GpuBackdrop>,
    pub(crate) cells: Arc<SceneCells>,
    pub(crate) occluders: Vec<Occluder>,
    pub(crate) lights: Vec<Light>,
    /// Sides of maps of the sun's shadows, in texels.
    pub(crate) sun_map_size: u32,
    pub(crate) occlusion_radius: f32,
    /// Whether the sun lights anything.
    pub(crate) is_sun_lit: bool,
    pub(crate) light_styles: Vec<LightStyle>,
    /// A `StylesUniform`, part of `environment`.
    pub(crate) styles: wgpu::Buffer,
    /// Light, sky and fog, whatever the hour; that of the level.
    pub(crate) own_atmosphere: Atmosphere,
    pub(crate) days: Vec<DayCycle>,
    /// In place of the fog, where haze is requested.
    haze: Option<Fog>,
    pub(crate) waters: Waters,
    /// None on devices that cannot measure pictures.
    pub(crate) auto_exposure: Option<AutoExposure>,
    pub(crate) color_tables: Vec<ColorTable>,
    pub(crate) color_corrections: Vec<ColorCorrection>,
}

impl SceneGpu {
    /// The light styles of a frame.
    pub(crate) fn styles_in<'a>(&'a self, state: &'a FrameState) -> &'a [LightStyle] {
        match state.light_styles.is_empty() {
            true => &self.light_styles,
            false => &state.light_styles,
        }
    }

    fn day(&self, index: usize) -> Option<&DayCycle> {
        self.days.get(index).or(self.days.first())
    }

    /// The sky that the day of a frame paints itself, unless there is a sky box.
    pub(crate) fn painted_sky(&self, state: &FrameState) -> Option<&GpuPaintedSky> {
        let skies = &self.painted_skies;
        let shown = skies.get(state.day).or(skies.first())?.as_ref();
        shown.filter(|_| self.sky_box.is_none())
    }

    /// How strong the flare of the day's sky is in a frame, and of how many spots it is.
    pub(crate) fn flare(&self, state: &FrameState) -> Option<(f32, u32)> {
        let painted = self.day(state.day)?.painted.as_ref()?;
        if state.light_is_hidden {
            return None;
        }
        let forward = state.camera.forward().to_array();
        let strength = painted.flare_strength(self.hour(state)?, forward);
        let n_spots = painted.flare.as_ref()?.spots.len();
        Some((strength, n_spots as u32))
    }

    /// The hour of a frame; `None` where there is no day.
    pub(crate) fn hour(&self, state: &FrameState) -> Option<f32> {
        let day = self.day(state.day)?;
        Some(on_clock(state.hour.unwrap_or(day.start_hour)))
    }

    /// Light, sky and fog of a frame: those of [`Scene::atmosphere`], richer where its switches say so.
    pub(crate) fn atmosphere(&self, state: &FrameState) -> Atmosphere {
        let own = Atmosphere {
            fog: self.shown_haze(state).or(self.own_atmosphere.fog),
            ..self.own_atmosphere
        };
        let above_water = self.at_hour(own, state);
        match self.liquid_around(state) {
            Some(liquid) => in_liquid(above_water, liquid),
            None => above_water,
        }
    }

    /// What lies between the eye and the level, as its atmosphere has it.
    pub(crate) fn air(&self, state: &FrameState) -> Air {
        let is_water = self.liquid_around(state).is_some();
        Air {
            adapts: self.adapts(state),
            fog: self.atmosphere(state).fog,
            is_haze: !is_water && self.shown_haze(state).is_some(),
            is_water,
        }
    }

    /// The liquid that the eye is in, where it is more than a colored surface.
    fn liquid_around(&self, state: &FrameState) -> Option<&Liquid> {
        let is_deep = state.adds(|it| it.deep_water && it.water);
        let around = self.waters.around(state.camera.position);
        around.filter(|_| is_deep)
    }

    /// The haze that takes the place of fog: only a dome has the color of the sky in each direction.
    pub(crate) fn shown_haze(&self, state: &FrameState) -> Option<Fog> {
        let is_shown = state.adds(|it| it.haze) && self.sky_box.is_none();
        self.haze.filter(|_| is_shown)
    }

    fn at_hour(&self, own: Atmosphere, state: &FrameState) -> Atmosphere {
        let day = self.day(state.day);
        let flat = own.at_hour(day, state.hour);
        let painted = day.and_then(|it| it.painted.as_ref());
        if let Some((painted, hour)) = painted.zip(self.hour(state)) {
            return painted.seen_along(flat, hour, state.camera.forward().to_array());
        }
        match state.adds(|it| it.rich_sky) {
            true => flat.with_dome(day, state.hour),
            false => flat,
        }
    }

    /// Hands the device light, sky and fog of a frame.
    pub(crate) fn write_atmosphere(&self, gpu: &Gpu, state: &FrameState) {
        self.environment.write(gpu, &self.atmosphere(state));
        let painted = self.day(state.day).and_then(|it| it.painted.as_ref());
        if let (Some(sky), Some(on_device), Some(hour)) =
            (painted, self.painted_sky(state), self.hour(state))
        {
            let forward = state.camera.forward().to_array();
            let uniform = PaintedSkyUniform::new(sky, &on_device.layers, hour, forward);
            gpu.write(&on_device.uniform, bytemuck::bytes_of(&uniform));
        }
        if let Some(GpuBackdrop {
            backdrop,
            environment,
        }) = &self.backdrop
        {
            let own = backdrop_atmosphere(self.own_atmosphere, backdrop);
            environment.write(gpu, &self.at_hour(own, state));
        }
    }
}

fn has_mirror_sheets(scene: &Scene) -> bool {
    let mut passes = scene.materials.iter().flat_map(|it| &it.passes);
    passes.any(|pass| pass.liquid.is_some_and(|it| it.sheet.is_some()))
}

/// How much farther the range of sight is within a liquid than into it: light on its way to a bed and back passes it twice, and haze
/// begins softly.
const CLARITY_WITHIN: f32 = 2.5;

/// The same in a liquid.
fn in_liquid(above: Atmosphere, liquid: &Liquid) -> Atmosphere {
    let Sun {
        direction_to_sun: [.., up],
        color: sun,
        ambient,
        ..
    } = above.sun;
    let light = |i: usize| (ambient[i] + sun[i] * up).min(1.0);
    Atmosphere {
        fog: Some(Fog {
            color: std::array::from_fn(|i| liquid.color[i] * light(i)),
            start: 0.0,
            end: CLARITY_WITHIN * liquid.clarity,
            falloff: FogFalloff::Linear,
            density: 1.0,
            layer: None,
        }),
        ..above
    }
}

/// A mesh on the device, and what culling needs of it here.
#[derive(Debug)]
pub(crate) struct GpuMesh {
    /// None if it has no triangles.
    pub buffers: Option<MeshBuffers>,
    pub batches: Vec<Batch>,
    /// Of those batches that bend what is behind them, in their order.
    panes: Vec<Pane>,
    pub clusters: Vec<Cluster>,
    pub lod_grid: Option<LodGrid>,
}

impl GpuMesh {
    /// The panes of a batch.
    pub fn panes_of(&self, batch: usize) -> &[Pane] {
        let Range { start, end } = self.panes.partition_point(|pane| pane.batch < batch)
            ..self.panes.partition_point(|pane| pane.batch <= batch);
        &self.panes[start..end]
    }
}

#[derive(Debug)]
pub(crate) struct MeshBuffers {
    pub vertices: wgpu::Buffer,
    /// None if it has none.
    pub colors: Option<wgpu::Buffer>,
    pub indices: wgpu::Buffer,
}

#[derive(Debug)]
pub(crate) struct SeaLayer {
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
}

/// The parts of a renderer that an upload works with.
pub(crate) struct Uploader<'a> {
    /// Of the scene.
    pub id: u64,
    pub gpu: &'a Gpu,
    pub settings: RenderSettings,
    pub layouts: &'a Layouts,
    pub surface: &'a mut SurfacePass,
    pub overlay: &'a OverlayPass,
}

impl Uploader<'_> {
    /// Copies a scene to the device.
    pub fn upload(&mut self, scene: &Scene) -> Result<SceneGpu, RenderError> {
        scene.validate()?;
        self.gpu.guarded(format_args!("scene {}", scene.name), || {
            self.upload_parts(scene)
        })?
    }

    /// Large parts are guarded one at a time, so that an error names the part that did not fit and nothing follows it.
    fn upload_parts(&mut self, scene: &Scene) -> Result<SceneGpu, RenderError> {
        let model_meshes = scene.models.iter().map(|model| &model.mesh);
        let meshes = scene
            .meshes
            .iter()
            .chain(model_meshes)
            .map(|mesh| self.upload_mesh(scene, mesh))
            .collect::<Result<_, _>>()?;
        let textures = self.upload_textures(scene)?;
        let (materials, passes) = self.upload_materials(scene, &textures);
        let models = self.upload_models(scene, &materials, &passes)?;
        let sea = scene.water.map_or_else(Vec::new, |water| {
            self.prepare_sea(scene, &materials, &passes, &water)
        });
        let overlays = scene
            .overlays
            .iter()
            .map(|overlay| self.overlay.prepare(self.gpu, overlay))
            .collect::<Result<_, _>>()?;
        let styles = self.light_styles_buffer();
        Ok(SceneGpu {
            id: self.id,
            meshes,
            no_colors: self.upload_no_colors(scene, &passes)?,
            tiles: (scene.tiles.clone())
                .map(|tree| SceneTiles::new(tree, self.settings.tile_budget_bytes())),
            models,
            materials,
            has_glowing_pass: passes.iter().any(|pass| pass.glows),
            has_mirror_sheets: has_mirror_sheets(scene),
            passes,
            sea,
            emitters: self.upload_emitters(scene, &textures)?,
            overlays,
            environment: self.upload_environment(scene, &scene.atmosphere(0, None), &styles),
            sky_box: (scene.sky_box.as_ref()).map(|it| self.upload_sky_box(it, &textures)),
            painted_skies: self.upload_painted_skies(scene, &textures)?,
            backdrop: (scene.backdrop.as_ref()).map(|it| self.upload_backdrop(scene, it, &styles)),
            cells: Arc::new(SceneCells::new(scene)),
            occluders: scene.occluders.clone(),
            lights: scene.lights.clone(),
            occlusion_radius: scene.occlusion_radius,
            sun_map_size: sun_map_size(self.gpu),
            is_sun_lit: has_sun_lit_passes(scene),
            light_styles: scene.light_styles.clone(),
            styles,
            own_atmosphere: scene.own_atmosphere(),
            days: scene.days.clone(),
            haze: scene.haze,
            waters: Waters::new(scene),
            auto_exposure: scene.auto_exposure.filter(|_| self.gpu.caps().has_compute),
            color_tables: scene.color_tables.clone(),
            color_corrections: scene.color_corrections.clone(),
        })
    }

    fn upload_mesh(&self, scene: &Scene, mesh: &Mesh) -> Result<GpuMesh, RenderError> {
        let mut indices = Cow::Borrowed(&mesh.indices[..]);
        let panes = split_into_panes(scene, mesh, &mut indices);
        let vertices: Vec<_> = (0..mesh.positions.len())
            .map(|i| SurfaceVertex {
                position: mesh.positions[i],
                normal: mesh.normals[i],
                uv_sets: [mesh.uv_sets[0][i], mesh.uv_sets[1][i]],
            })
            .collect();
        let label = |part: &str| format!("{part} of mesh {}", mesh.name);
        let vertices = filled_buffer(
            self.gpu,
            &label("vertices"),
            &vertices,
            wgpu::BufferUsages::VERTEX,
        )?;
        let indices = filled_buffer(
            self.gpu,
            &label("indices"),
            &indices[..],
            wgpu::BufferUsages::INDEX,
        )?;
        let colors = filled_buffer(
            self.gpu,
            &label("colors"),
            &mesh.colors,
            wgpu::BufferUsages::VERTEX,
        )?;
        Ok(GpuMesh {
            buffers: vertices
                .zip(indices)
                .map(|(vertices, indices)| MeshBuffers {
                    vertices,
                    colors,
                    indices,
                }),
            batches: mesh.batches.clone(),
            panes,
            clusters: mesh.clusters.clone(),
            lod_grid: mesh.lod_grid,
        })
    }

    fn upload_no_colors(
        &self,
        scene: &Scene,
        passes: &[GpuPass],
    ) -> Result<Option<wgpu::Buffer>, RenderError> {
        if !passes
            .iter()
            .any(|pass| matches!(pass.shading, Shading::Baked(_)))
        {
            return Ok(None);
        }
        let model_meshes = scene.models.iter().map(|model| &model.mesh);
        let meshes = scene.meshes.iter().chain(model_meshes);
        let colorless = meshes.filter(|mesh| mesh.colors.is_empty());
        let n_vertices = colorless.map(|mesh| mesh.positions.len()).max();
        filled_buffer(
            self.gpu,
            "no colors",
            &vec![[0.0f32; 4]; n_vertices.unwrap_or(0)],
            wgpu::BufferUsages::VERTEX,
        )
    }

    /// The sea has every layer that its material has, with the same textures and colors.
    fn prepare_sea(
        &mut self,
        scene: &Scene,
        orders: &[Vec<PassOrder>],
        gpu_passes: &[GpuPass],
        water: &Water,
    ) -> Vec<SeaLayer> {
        let material = water.material.0 as usize;
        let passes = &scene.materials[material].passes;
        let fog = FogKind::from_scene(scene);
        let layers = passes.iter().zip(&orders[material]).enumerate();
        layers
            .map(|(layer, (pass, order))| {
                let is_last = layer + 1 == passes.len();
                let shading = gpu_passes[order.pass].shading;
                let key = PipelineKey::from_sea_pass(pass, shading, fog, [layer == 0, is_last]);
                SeaLayer {
                    pipeline: self.surface.prepare(self.gpu, key),
                    pass: order.pass,
                }
            })
            .collect()
    }

    fn uniform_buffer<T: Pod>(&self, label: &str, uniform: &T) -> wgpu::Buffer {
        let contents = bytemuck::bytes_of(uniform);
        write_buffer(self.gpu, label, contents, wgpu::BufferUsages::UNIFORM)
    }
}

fn has_sun_lit_passes(scene: &Scene) -> bool {
    let mut passes = scene.materials.iter().flat_map(|it| &it.passes);
    scene.tiles.is_some() || passes.any(|pass: &Pass| is_sun_lit(pass.lighting))
}

/// A buffer with this content; none for an empty one, which the device cannot hold.
pub(crate) fn filled_buffer<T: Pod>(
    gpu: &Gpu,
    label: &str,
    content: &[T],
    usage: wgpu::BufferUsages,
) -> Result<Option<wgpu::Buffer>, RenderError> {
    let contents: &[u8] = bytemuck::cast_slice(content);
    let limit = gpu.caps().max_buffer_bytes;
    if contents.len() as u64 > limit {
        return Err(RenderError::TooLarge {
            what: label.to_owned(),
            needed: contents.len() as u64,
            limit,
            unit: "bytes",
        });
    }
    if contents.is_empty() {
        return Ok(None);
    }
    gpu.guarded(label, || Some(write_buffer(gpu, label, contents, usage)))
}

/// A buffer with these bytes, a multiple of 4. Not mapped, as wgpu's own helper does it: that one panics when
/// the device has no memory left.
fn write_buffer(
    gpu: &Gpu,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: contents.len() as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.write(&buffer, contents);
    buffer
}
