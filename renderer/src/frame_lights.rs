//! Light that a frame adds to what the scene's game had, on the device: maps of the sun's shadows, and lamps by the
//! part of the picture that they reach.

use crate::{
    FrameState, Gpu, RenderError, SceneGpu, Switches,
    growing_buffer::GrowingBuffer,
    lamp_maps::{LampShadowsUniform, LampSlots, N_LAMPS, N_SIDES, reaches},
    light_grid::{GridView, LightGrid, LightGridUniform, LocalLight},
    motion::Motion,
    passes::{AddedLight, DEPTH_FORMAT, JOINTS_BINDING},
    sun_maps::{N_SUN_MAPS, SunMapPlace, SunMaps, SunShadowUniform},
    target::extent,
};

/// Sides of a map of shadows in texels; in software it is filled and read a pixel at a time.
const MAP_SIZE: u32 = 2048;
const SOFTWARE_MAP_SIZE: u32 = 1024;
/// Those of a map of what a lamp sees to one side.
const LAMP_MAP_SIZE: u32 = 512;
const SOFTWARE_LAMP_MAP_SIZE: u32 = 256;
/// How far from the camera shadows are seen, in units, ...
const SHADOW_REACH: f32 = 2000.0;
/// ... and in steps of land that comes in tiles.
const SHADOW_REACH_STEPS: f32 = 1500.0;

/// What of a frame's light is on the device. Lives as long as the renderer.
#[derive(Debug)]
pub(crate) struct FrameLights {
    /// Rises whenever one of the resources below is another one.
    pub generation: u64,
    sun_uniform: wgpu::Buffer,
    sun_sampler: wgpu::Sampler,
    maps: DepthMaps,
    /// Maps of what does not move alone, once something moves.
    still_maps: Option<DepthMaps>,
    /// [`Motion::revision`] of what moves in them.
    moving_revision: u64,
    /// Whether each map shows something that moves.
    has_moving: [bool; N_SUN_MAPS],
    /// What each map shows, if that still holds.
    shown: [Option<SunMapPlace>; N_SUN_MAPS],
    casters: Casters,
    grid: LightGrid,
    grid_uniform: wgpu::Buffer,
    lights: GrowingBuffer,
    lists: GrowingBuffer,
    lamp_slots: LampSlots,
    lamp_uniform: wgpu::Buffer,
    /// [`N_SIDES`] for each slot.
    lamp_maps: DepthMaps,
    /// Whose maps those of each slot are, if that still holds.
    lamps_shown: [Option<usize>; N_LAMPS],
    /// Whether they show something that moves.
    lamps_have_moving: [bool; N_LAMPS],
    lamp_casters: Casters,
    /// [`Motion::revision`] of what moves in them.
    lamp_revision: u64,
}

/// What of a map a frame draws.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MapDraw {
    /// All that does not move.
    pub still: bool,
    /// What moves, over a copy of that.
    pub moving: bool,
}

/// A map for each of a number of layers.
#[derive(Debug)]
struct DepthMaps {
    size: u32,
    texture: wgpu::Texture,
    all: wgpu::TextureView,
    layers: Vec<wgpu::TextureView>,
}

/// What, beside its place, a map depends on.
#[derive(Debug, Default)]
struct Casters {
    /// [`Motion::generation`].
    still: u64,
    switches: Switches,
    hidden_pieces: Vec<[u32; 2]>,
    model_state: Option<u8>,
    model_lod: Option<u8>,
    /// [`crate::tiles::SceneTiles::revision`], and the layer that is shown.
    tiles: Option<(u64, Option<u8>)>,
}

impl FrameLights {
    pub fn new(gpu: &Gpu) -> Self {
        let uniform = |label, size: usize| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        Self {
            generation: 0,
            sun_uniform: uniform("sun shadows", size_of::<SunShadowUniform>()),
            sun_sampler: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("sun shadows"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                // Depth is reversed: what is as near to the sun as the map says, or nearer, is lit.
                compare: Some(wgpu::CompareFunction::GreaterEqual),
                ..Default::default()
            }),
            // Until a frame has shadows.
            maps: DepthMaps::new(gpu, 1, 1),
            still_maps: None,
            moving_revision: 0,
            has_moving: [false; N_SUN_MAPS],
            shown: [None; N_SUN_MAPS],
            casters: Casters::default(),
            grid: LightGrid::default(),
            grid_uniform: uniform("light grid", size_of::<LightGridUniform>()),
            lights: GrowingBuffer::new::<LocalLight>(
                gpu,
                "lamps",
                "the list of lamps in view",
                storage,
            ),
            lists: GrowingBuffer::new::<u32>(
                gpu,
                "lamps by place",
                "the lists of lamps by the part of the picture that they reach",
                storage,
            ),
            lamp_slots: LampSlots::default(),
            lamp_uniform: uniform("lamp shadows", size_of::<LampShadowsUniform>()),
            lamp_maps: DepthMaps::new(gpu, 1, 1),
            lamps_shown: [None; N_LAMPS],
            lamps_have_moving: [false; N_LAMPS],
            lamp_casters: Casters::default(),
            lamp_revision: 0,
        }
    }

    /// What the frame adds to a scene's own light; `has_sun_shadows` where it has maps of the sun's shadows.
    pub fn added(
        scene: &SceneGpu,
        state: &FrameState,
        samples: u32,
        has_sun_shadows: bool,
    ) -> AddedLight {
        AddedLight {
            sun_shadows: has_sun_shadows,
            local_lights: state.adds(|it| it.local_lights) && !scene.lights.is_empty(),
            // Once it is known which lamps are in view.
            lamp_shadows: false,
            mirror_sheets: scene.has_mirror_sheets && state.shows_mirror_sheets(),
            smooth_cutouts: samples > 1 && state.adds(|it| it.smooth_cutouts),
            view: state.view,
        }
    }

    /// Hands the lamps in view to the device; whether any of them throws shadows.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn write_lamps(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<bool, RenderError> {
        let view = GridView::new(&state.camera, size);
        let lights = &scene.lights;
        let uniform = self
            .grid
            .fill(lights, scene.styles_in(state), state.time_secs, &view);
        gpu.write(&self.grid_uniform, bytemuck::bytes_of(&uniform));
        if !state.adds(|it| it.lamp_shadows) {
            self.grid.in_view.clear();
        }
        let shadows = self.lamp_slots.choose(&mut self.grid.in_view, lights);
        self.grid.list(|light| shadows.has(light));
        let has_grown =
            self.lights.write(gpu, &self.grid.lights)? | self.lists.write(gpu, &self.grid.lists)?;
        self.generation += u64::from(has_grown);
        gpu.write(&self.lamp_uniform, bytemuck::bytes_of(&shadows));
        Ok(shadows.is_any())
    }

    /// The lamps whose maps have to be drawn, as indices into the lights of the scene. Maps are made if there are none yet.
    ///
    /// # Errors
    /// If the device has no room for them.
    pub fn lamps_to_draw(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        motion: &Motion,
    ) -> Result<[Option<usize>; N_LAMPS], RenderError> {
        if self.lamp_maps.size == 1 {
            let size = match gpu.caps().is_software {
                true => SOFTWARE_LAMP_MAP_SIZE,
                false => LAMP_MAP_SIZE,
            };
            self.lamp_maps = gpu.guarded("maps of what lamps see", || {
                DepthMaps::new(gpu, size, (N_LAMPS * N_SIDES) as u32)
            })?;
            self.generation += 1;
        }
        if self.lamp_casters.have_changed(scene, motion, state) {
            self.lamps_shown = [None; N_LAMPS];
        }
        let shown = std::mem::replace(&mut self.lamp_revision, motion.revision());
        let has_moved = shown != motion.revision();
        let lamps = self.lamp_slots.lamps();
        Ok(std::array::from_fn(|slot| {
            let is_shown =
                std::mem::replace(&mut self.lamps_shown[slot], lamps[slot]) == lamps[slot];
            let lamp = lamps[slot]?;
            let mut moving = motion.moving().iter();
            let has_moving = moving.any(|index| {
                let ball = motion.ball_of(*index as usize);
                reaches(&scene.lights[lamp], ball)
            });
            let had_moving = std::mem::replace(&mut self.lamps_have_moving[slot], has_moving);
            let is_same = is_shown && !(has_moved && (has_moving || had_moving));
            (!is_same).then_some(lamp)
        }))
    }

    /// Begins to draw what the lamp of a slot sees to one side.
    pub fn begin_lamp_map<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        [slot, side]: [usize; 2],
    ) -> wgpu::RenderPass<'e> {
        let index = slot * N_SIDES + side;
        self.lamp_maps
            .begin(encoder, index, wgpu::LoadOp::Clear(0.0))
    }

    /// Hands the places of the maps to the device, which are made if there are none yet. Returns which of them have to
    /// be drawn.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn write_sun(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        motion: &Motion,
        maps: &SunMaps,
    ) -> Result<[MapDraw; N_SUN_MAPS], RenderError> {
        self.make_maps(gpu, scene.sun_map_size, motion.is_any_moving())?;
        gpu.write(&self.sun_uniform, bytemuck::bytes_of(&maps.uniform));
        if self.casters.have_changed(scene, motion, state) {
            self.shown = [None; N_SUN_MAPS];
        }
        let places = maps.maps.each_ref().map(|map| Some(map.place));
        let shown = std::mem::replace(&mut self.moving_revision, motion.revision());
        let has_moved = shown != motion.revision();
        let draws = std::array::from_fn(|index| {
            let still = self.shown[index] != places[index];
            MapDraw {
                still,
                moving: motion.is_any_moving() && (still || has_moved),
            }
        });
        self.shown = places;
        Ok(draws)
    }

    /// Whether what moves has to be drawn in a map: not where nothing does, as before.
    pub fn has_to_be_drawn(&mut self, index: usize, still: bool, has_moving: bool) -> bool {
        let had_moving = std::mem::replace(&mut self.has_moving[index], has_moving);
        still || has_moving || had_moving
    }

    fn make_maps(&mut self, gpu: &Gpu, size: u32, is_any_moving: bool) -> Result<(), RenderError> {
        if self.maps.size != size {
            self.maps = new_maps(gpu, size)?;
            self.shown = [None; N_SUN_MAPS];
            self.generation += 1;
        }
        if is_any_moving && self.still_maps.is_none() {
            self.still_maps = Some(new_maps(gpu, size)?);
            self.shown = [None; N_SUN_MAPS];
        } else if !is_any_moving {
            self.still_maps = None;
        }
        Ok(())
    }

    /// Begins to draw a map of what does not move.
    pub fn begin_still_map<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        index: usize,
    ) -> wgpu::RenderPass<'e> {
        let maps = self.still_maps.as_ref().unwrap_or(&self.maps);
        maps.begin(encoder, index, wgpu::LoadOp::Clear(0.0))
    }

    /// Begins to draw what moves, over a copy of what does not move.
    pub fn begin_moving_map<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        index: usize,
    ) -> wgpu::RenderPass<'e> {
        if let Some(still) = &self.still_maps {
            let size = extent([still.size; 2]);
            encoder.copy_texture_to_texture(still.layer(index), self.maps.layer(index), size);
        }
        self.maps.begin(encoder, index, wgpu::LoadOp::Load)
    }

    /// What group 0 has from binding 3 on.
    pub fn entries(&self) -> [wgpu::BindGroupEntry<'_>; 8] {
        let resources = [
            self.sun_uniform.as_entire_binding(),
            wgpu::BindingResource::TextureView(&self.maps.all),
            wgpu::BindingResource::Sampler(&self.sun_sampler),
            self.grid_uniform.as_entire_binding(),
            self.lights.buffer().as_entire_binding(),
            self.lists.buffer().as_entire_binding(),
            self.lamp_uniform.as_entire_binding(),
            wgpu::BindingResource::TextureView(&self.lamp_maps.all),
        ];
        // Joints are in between.
        let mut bindings = (3..JOINTS_BINDING).chain(JOINTS_BINDING + 1..);
        resources.map(|resource| wgpu::BindGroupEntry {
            binding: bindings.next().expect("it does not end"),
            resource,
        })
    }
}

impl DepthMaps {
    /// A map to copy from or to.
    fn layer(&self, index: usize) -> wgpu::TexelCopyTextureInfo<'_> {
        wgpu::TexelCopyTextureInfo {
            texture: &self.texture,
            mip_level: 0,
            origin: wgpu::Origin3d {
                z: index as u32,
                ..wgpu::Origin3d::ZERO
            },
            aspect: wgpu::TextureAspect::All,
        }
    }

    fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        index: usize,
        load: wgpu::LoadOp<f32>,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadows"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.layers[index],
                depth_ops: Some(wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }

    fn new(gpu: &Gpu, size: u32, n_layers: u32) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadows"),
            size: wgpu::Extent3d {
                depth_or_array_layers: n_layers,
                ..extent([size, size])
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layer = |index| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: index,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        Self {
            size,
            all: texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            }),
            layers: (0..n_layers).map(layer).collect(),
            texture,
        }
    }
}

impl Casters {
    /// Whether they are others than at the last call.
    fn have_changed(&mut self, scene: &SceneGpu, motion: &Motion, state: &FrameState) -> bool {
        let tiles = scene
            .tiles
            .as_ref()
            .map(|it| (it.revision(), state.tiles.layer));
        let is_same = self.still == motion.generation()
            && self.switches == state.switches
            && self.hidden_pieces == state.hidden_pieces
            && self.model_state == state.model_state
            && self.model_lod == state.model_lod
            && self.tiles == tiles;
        if !is_same {
            self.still = motion.generation();
            self.switches = state.switches;
            self.hidden_pieces.clone_from(&state.hidden_pieces);
            self.model_state = state.model_state;
            self.model_lod = state.model_lod;
            self.tiles = tiles;
        }
        !is_same
    }
}

fn new_maps(gpu: &Gpu, size: u32) -> Result<DepthMaps, RenderError> {
    gpu.guarded("maps of the sun's shadows", || {
        DepthMaps::new(gpu, size, N_SUN_MAPS as u32)
    })
}

/// Sides of the maps that a device draws, in texels.
pub(crate) fn sun_map_size(gpu: &Gpu) -> u32 {
    match gpu.caps().is_software {
        true => SOFTWARE_MAP_SIZE,
        false => MAP_SIZE.min(gpu.caps().max_texture_side),
    }
}

/// Where the maps of a frame lie; `None` if the sun throws no shadows in it. `size` of the picture in pixels.
pub(crate) fn sun_maps_of(scene: &SceneGpu, state: &FrameState, size: [u32; 2]) -> Option<SunMaps> {
    let sun = scene.atmosphere(state).sun;
    let has_sun = scene.is_sun_lit && sun.color.iter().any(|channel| *channel > 0.0);
    (state.adds(|it| it.sun_shadows && !it.blob_shadows) && has_sun).then(|| {
        SunMaps::new(
            &state.camera,
            size[0] as f32 / size[1] as f32,
            sun.direction_to_sun.into(),
            shadow_reach(scene),
            scene.sun_map_size,
        )
    })
}

fn shadow_reach(scene: &SceneGpu) -> f32 {
    match &scene.tiles {
        Some(tiles) => tiles.tree.step * SHADOW_REACH_STEPS,
        None => SHADOW_REACH,
    }
}
