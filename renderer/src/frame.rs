//! The order of passes; nothing else decides order.
//!
//! First, where shadows are requested, maps of what the sun sees. Then tiles of land and material passes of meshes and
//! models that hide what is behind them, by kind (base, decal, lightmap, detail); the same of the backdrop, which is farther
//! away than all of the level; the sky where neither is; what blends over those: the rest of the backdrop, soft edges, water
//! with the sea before it. From here on depth is only read: translucent surfaces and particles in one order, overlays,
//! highlight; all into one multisampled target, which is resolved, and enlarged where the frame is drawn smaller than its
//! target; then the user interface on that.
//!
//! Where deep water is in view, mirrors of what is above it come first, each a picture of its own, and all that is drawn
//! before water goes into a picture that the water is seen through. Panes, which bend what is behind them, show the picture
//! so far as well: `seen_through` has the order, and `over_behind` draws in it. In mirrors, which are half as large and
//! themselves seen through waves, and in the backdrop, which is part of the picture that panes of the level show, panes are
//! plain glass: bending would take copies of its own there.
//!
//! Ambient occlusion darkens what is drawn before water; bloom is laid over all but the user interface. `stages` cuts all of
//! this into render passes. Where exposure follows the picture or tables change its colors, all but the user interface is
//! drawn on a picture first (`grading`).

mod added_light;
mod enlargement;
mod grading;
mod mirrors;
mod over_behind;
mod side_by_side;
mod stages;
mod views;

use ironlands_scene::{PassKind, Scene};

use self::enlargement::drawn_size;
pub use self::side_by_side::SidePicture;

use crate::{
    ColorFormat, FrameState, FrameStats, Gpu, HudFrame, RenderError, RenderSettings, SceneGpu,
    SurfaceView, TargetView,
    attachments::Attachments,
    blob_shadows::BlobVertex,
    deep_water::DeepWater,
    draw_list::{DrawItem, ListOf, NO_PASS},
    drawn_view::DrawnView,
    frame_lights::{FrameLights, MapDraw},
    frame_timer::FrameTimer,
    lamp_maps::N_LAMPS,
    motion::{Motion, Placement},
    particle_list::ParticleList,
    passes::{
        AddedLight, Layouts, TargetFormats, beside::BesidePass, blob_shadow::BlobShadowPass,
        bloom::BloomPass, enlarge::EnlargePass, exposure::ExposurePass, grade::GradePass,
        hud::HudPass, occlusion::OcclusionPass, overlay::OverlayPass, painted_sky::PaintedSkyPass,
        particles::ParticlePass, sky::SkyPass, sky_box::SkyBoxPass, surface::SurfacePass,
        tile::TilePass,
    },
    scene_upload::{GpuBackdrop, GpuEnvironment, Uploader},
    seen_through::SeenThrough,
    sun_maps::{N_SUN_MAPS, SunMaps},
    uniforms::StylesUniform,
    view_cells::Part,
    viewpoint::Viewpoint,
};

/// What is behind surfaces that are not shaded.
const VIEW_BACKGROUND: [f32; 3] = [0.02, 0.02, 0.03];

/// Draws uploaded scenes on targets of one format.
pub struct Renderer {
    settings: RenderSettings,
    targets: TargetFormats,
    layouts: Layouts,
    level: DrawnView,
    backdrop: DrawnView,
    lights: FrameLights,
    motion: Motion,
    /// What the sun sees that does not move, for each of its maps.
    casters: [DrawnView; N_SUN_MAPS],
    /// And what does.
    moving_casters: [DrawnView; N_SUN_MAPS],
    map_draws: [MapDraw; N_SUN_MAPS],
    /// Where they lie; none without shadows.
    sun_maps: Option<SunMaps>,
    /// What lamps see, side after side; made when a frame first has shadows of theirs.
    lamp_casters: Vec<DrawnView>,
    /// For each slot the lamp whose maps are drawn.
    lamp_draws: [Option<usize>; N_LAMPS],
    added: AddedLight,
    sky: SkyPass,
    sky_box: SkyBoxPass,
    painted_sky: PaintedSkyPass,
    surface: SurfacePass,
    tile: TilePass,
    overlay: OverlayPass,
    deep_water: DeepWater,
    /// Those of the level that a frame shows.
    particle_list: ParticleList,
    particles: ParticlePass,
    seen_through: SeenThrough,
    occlusion: Option<OcclusionPass>,
    blobs: Vec<BlobVertex>,
    blob_shadows: Option<BlobShadowPass>,
    bloom: Option<BloomPass>,
    enlarge: Option<EnlargePass>,
    grade: Option<GradePass>,
    exposure: Option<ExposurePass>,
    /// None until pictures are placed side by side.
    beside: Option<BesidePass>,
    /// None unless frames are measured.
    timer: Option<FrameTimer>,
    hud: HudPass,
    attachments: Option<Attachments>,
    n_uploads: u64,
    /// For each pass of the scene which of its bind groups this frame shows.
    looks: Vec<usize>,
}

impl Renderer {
    /// Makes what all scenes share for targets of `format`.
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the driver gives up.
    pub fn new(
        gpu: &Gpu,
        format: ColorFormat,
        settings: RenderSettings,
    ) -> Result<Self, RenderError> {
        gpu.guarded("what every frame needs", || {
            Self::make(gpu, format, settings)
        })
    }

    fn make(gpu: &Gpu, format: ColorFormat, settings: RenderSettings) -> Self {
        let targets = TargetFormats {
            color: format.0,
            samples: settings.msaa_samples(),
        };
        let layouts = Layouts::new(&gpu.device, targets.samples);
        let lights = FrameLights::new(gpu);
        let view = |list_of| DrawnView::new(gpu, &layouts, &lights, list_of);
        Self {
            settings,
            targets,
            level: view(ListOf::Passes),
            backdrop: view(ListOf::UnbentPasses),
            motion: Motion::default(),
            casters: std::array::from_fn(|_| view(ListOf::Depths)),
            moving_casters: std::array::from_fn(|_| view(ListOf::Depths)),
            map_draws: [MapDraw::default(); N_SUN_MAPS],
            sun_maps: None,
            lamp_casters: Vec::new(),
            lamp_draws: [None; N_LAMPS],
            added: AddedLight::default(),
            sky: SkyPass::new(gpu, &layouts, &targets),
            sky_box: SkyBoxPass::new(gpu, &layouts, &targets),
            painted_sky: PaintedSkyPass::new(gpu, &layouts, &targets),
            surface: SurfacePass::new(gpu, &layouts, &targets),
            tile: TilePass::new(gpu, &layouts, &targets),
            overlay: OverlayPass::new(gpu, &layouts, &targets),
            deep_water: DeepWater::new(gpu, (&layouts, &lights), &targets),
            particle_list: ParticleList::default(),
            particles: ParticlePass::new(gpu, &layouts, &targets),
            seen_through: SeenThrough::default(),
            occlusion: None,
            blobs: Vec::new(),
            blob_shadows: None,
            bloom: None,
            enlarge: None,
            grade: None,
            exposure: None,
            beside: None,
            timer: None,
            hud: HudPass::new(gpu, targets.color),
            layouts,
            lights,
            attachments: None,
            n_uploads: 0,
            looks: Vec::new(),
        }
    }

    /// Copies a scene to the device, with the pipelines that its materials need.
    ///
    /// # Errors
    /// [`RenderError::Scene`] if the scene does not validate, [`RenderError::TooLarge`] if part of it does not
    /// fit the device, [`RenderError::OutOfMemory`] if all of it does not.
    pub fn upload(&mut self, gpu: &Gpu, scene: &Scene) -> Result<SceneGpu, RenderError> {
        self.n_uploads += 1;
        Uploader {
            id: self.n_uploads,
            gpu,
            settings: self.settings,
            layouts: &self.layouts,
            surface: &mut self.surface,
            overlay: &self.overlay,
        }
        .upload(scene)
    }

    /// What a frame would draw: culls and sorts, and draws nothing.
    ///
    /// # Errors
    /// [`RenderError::Poses`] and [`RenderError::Morphs`], as for [`Renderer::draw`].
    pub fn list(
        &mut self,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        let frame = scene.models.frame_context(state)?;
        self.motion.update(scene.id, &scene.models, frame);
        let motion = &self.motion;
        let aspect = size[0] as f32 / size[1] as f32;
        let viewpoint = Viewpoint::from_frame_state(state);
        let seen = (&viewpoint, Part::Everything);
        let placement = Placement { frame, motion };
        Ok(self.level.list(scene, seen, placement, state, aspect, None))
    }

    /// Records and submits one frame, and waits for nothing.
    ///
    /// The scene must have been uploaded by this renderer, and the target must have its format.
    ///
    /// # Errors
    /// [`RenderError::Poses`] if there are poses, but not one for each node of the scene's instances;
    /// [`RenderError::Morphs`] if there are morph weights, but not for each instance; [`RenderError::Emitters`] if there
    /// are states, but not of each emitter; [`RenderError::TooLarge`], [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the device or its
    /// driver gives up. Nothing is drawn then.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        target: TargetView<'_>,
        mut hud: Option<HudFrame>,
    ) -> Result<FrameStats, RenderError> {
        let drawn = self.draw_with(gpu, scene, state, target, hud.as_ref());
        if let Some(hud) = &mut hud {
            self.hud.free(&mut hud.textures_delta);
        }
        drawn
    }

    fn draw_with(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        target: TargetView<'_>,
        hud: Option<&HudFrame>,
    ) -> Result<FrameStats, RenderError> {
        let size = drawn_size(state, target.size);
        let mut stats = self.prepare_views(gpu, scene, state, size)?;
        let attachments = self.attachments(gpu, size)?;
        stats.picture_copies = self.seen_through.n_copies();
        if stats.picture_copies > 0 {
            let target = (size, stats.picture_copies);
            (self.deep_water).make_targets(gpu, &self.layouts, target, &attachments.depth)?;
        }
        self.prepare_enlargement(gpu, size, target.size)?;
        self.prepare_picture_passes(gpu, scene, state, &attachments)?;
        let n_times = self.prepare_grading(gpu, scene, state, size)?;
        gpu.guarded("a frame", || {
            self.submit(gpu, (scene, state), target, (&attachments, n_times), hud);
            self.attachments = Some(attachments);
        })?;
        stats.written_bytes = gpu.take_written_bytes();
        Ok(stats)
    }

    /// Those of the frame before if they are as large as the target, else new ones.
    fn attachments(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<Attachments, RenderError> {
        let before = self.attachments.take();
        if let Some(attachments) = before.filter(|attachments| attachments.size == size) {
            return Ok(attachments);
        }
        // They hold the depth of the attachments before.
        self.deep_water.targets = None;
        let [width, height] = size;
        let samples = self.targets.samples;
        gpu.guarded(
            format_args!(
                "depth and colors of {width} x {height} pixels, samples per pixel: {samples}"
            ),
            || Attachments::new(gpu, &self.layouts, &self.targets, size),
        )
    }

    fn submit(
        &mut self,
        gpu: &Gpu,
        (scene, state): (&SceneGpu, &FrameState),
        target: TargetView<'_>,
        (attachments, n_times): (&Attachments, u32),
        hud: Option<&HudFrame>,
    ) {
        if !scene.light_styles.is_empty() {
            let styles = StylesUniform::new(scene.styles_in(state), state.time_secs);
            gpu.write(&scene.styles, bytemuck::bytes_of(&styles));
        }
        scene.write_atmosphere(gpu, state);
        if state.switches.models {
            scene.models.write_poses(gpu, &state.poses);
        }
        let time_ms = state.time_ms();
        let looks = scene.passes.iter().map(|pass| pass.prepare(gpu, time_ms));
        self.looks.clear();
        self.looks.extend(looks);

        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("frame"),
            });
        if let Some(timer) = &mut self.timer {
            timer.begin(&mut encoder);
        }
        // What is seen where nothing is drawn.
        let background = match state.view {
            SurfaceView::Shaded => scene.atmosphere(state).sky.horizon,
            _ => VIEW_BACKGROUND,
        };
        self.draw_sun_maps(&mut encoder, scene, state);
        self.draw_lamp_maps(&mut encoder, scene, state);
        let enlarge = self.enlargement(attachments.size, target.size);
        let drawn_on = enlarge.and_then(EnlargePass::view).unwrap_or(target.view);
        let on = (attachments, drawn_on);
        self.draw_graded(&mut encoder, scene, state, on, (background, n_times));
        if let Some(enlarge) = enlarge {
            enlarge.draw(&mut encoder, target.view);
        }
        let of_hud = hud.map(|hud| self.hud.draw(gpu, &mut encoder, target, hud));
        if let Some(timer) = &mut self.timer {
            timer.end(&mut encoder);
        }
        let frame = encoder.finish();
        (gpu.queue).submit(of_hud.into_iter().flatten().chain([frame]));
        if let Some(timer) = &mut self.timer {
            timer.request();
        }
    }

    /// All that is drawn before water, on a picture of a size.
    fn draw_behind(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) {
        self.draw_opaque(pass, scene, state, (&self.level, self.added), &OPAQUE);
        if let Some(backdrop) = shown_backdrop(scene, state) {
            let [width, height] = size.map(|it| it as f32);
            let view = (&self.backdrop, AddedLight::default());
            pass.set_viewport(0.0, 0.0, width, height, 0.0, BACKDROP_DEPTH);
            bind_view(pass, &self.backdrop, &backdrop.environment);
            self.draw_kinds(pass, scene, state, view, &OPAQUE);
            bind_view(pass, &self.level, &scene.environment);
            self.draw_sky(pass, scene, state);
            bind_view(pass, &self.backdrop, &backdrop.environment);
            self.draw_kinds(pass, scene, state, view, &BLENDED);
            pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
            bind_view(pass, &self.level, &scene.environment);
        } else {
            self.draw_sky(pass, scene, state);
        }
        let soft_edged = [PassKind::SoftEdged];
        self.draw_kinds(pass, scene, state, (&self.level, self.added), &soft_edged);
    }

    /// Tiles of land and `kinds` of what else hides what is behind it, as a viewpoint sees them, which is bound then.
    fn draw_opaque(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &SceneGpu,
        state: &FrameState,
        (view, added): (&DrawnView, AddedLight),
        kinds: &[PassKind],
    ) {
        bind_view(pass, view, &scene.environment);
        if let Some(tiles) = &scene.tiles {
            self.tile.draw(pass, tiles, added);
        }
        self.draw_kinds(pass, scene, state, (view, added), kinds);
    }

    /// Draws the sky where nothing is drawn yet.
    fn draw_sky(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, state: &FrameState) {
        if state.switches.sky {
            match (&scene.sky_box, scene.painted_sky(state)) {
                (Some(sky_box), _) => self.sky_box.draw(pass, sky_box),
                (None, Some(painted)) => self.painted_sky.draw(pass, painted),
                (None, None) => self.sky.draw(pass),
            }
        }
    }

    /// Water as its materials say, and the sea before it.
    fn draw_water(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, state: &FrameState) {
        if shows_sea(state) {
            self.draw_sea(pass, scene);
        }
        self.draw_kinds(
            pass,
            scene,
            state,
            (&self.level, self.added),
            &[PassKind::Water],
        );
    }

    /// What is drawn after water and panes.
    fn draw_before(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &SceneGpu,
        state: &FrameState,
        depth: Option<&wgpu::BindGroup>,
    ) {
        bind_view(pass, &self.level, &scene.environment);
        self.draw_runs(pass, (scene, state), depth, self.seen_through.last_runs());
        self.draw_flare(pass, scene, state);
        for overlay in state
            .overlays
            .iter()
            .filter_map(|idx| scene.overlays.get(*idx))
        {
            self.overlay.draw(pass, overlay);
        }
        self.overlay.draw_pointed_out(pass);
    }

    /// What the light of the sky makes in the lens.
    fn draw_flare(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, state: &FrameState) {
        let sky = scene.painted_sky(state).filter(|_| state.switches.sky);
        if let Some((sky, (strength, n_spots))) = sky.zip(scene.flare(state))
            && strength > 0.0
            && !scene.air(state).is_water
        {
            self.painted_sky.draw_flare(pass, sky, n_spots);
        }
    }

    /// Draws what is listed for a viewpoint, which is bound.
    fn draw_kinds(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &SceneGpu,
        state: &FrameState,
        (view, added): (&DrawnView, AddedLight),
        kinds: &[PassKind],
    ) {
        bind_nodes(pass, scene, state, view);
        let own = |item: &DrawItem| Some(self.surface.pipeline(item.pipeline, added));
        for kind in kinds {
            self.draw_items(pass, scene, view.list.of_kind(*kind), own);
        }
    }

    fn draw_sea(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu) {
        for layer in &scene.sea {
            pass.set_pipeline(self.surface.pipeline(layer.pipeline, self.added));
            self.set_material(pass, scene, layer.pass);
            self.surface.draw_sea(pass);
        }
    }

    /// Draws material passes in the order of the list, each with its pipeline, if it has one; sets only what differs
    /// from the item before.
    fn draw_items<'s>(
        &'s self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &SceneGpu,
        items: &[DrawItem],
        pipeline: impl Fn(&DrawItem) -> Option<&'s wgpu::RenderPipeline>,
    ) {
        let mut previous: Option<&DrawItem> = None;
        for item in items {
            let Some(pipeline) = pipeline(item) else {
                continue;
            };
            let changes = |of: fn(&DrawItem) -> usize| previous.map(of) != Some(of(item));
            if changes(|item| item.pipeline) {
                pass.set_pipeline(pipeline);
            }
            if changes(|item| item.pass) && item.pass != NO_PASS {
                self.set_material(pass, scene, item.pass);
            }
            if changes(|item| item.mesh) {
                let buffers = scene.meshes[item.mesh].buffers.as_ref();
                let buffers = buffers.expect("a mesh with a drawn batch has triangles");
                pass.set_vertex_buffer(0, buffers.vertices.slice(..));
                if let Some(colors) = buffers.colors.as_ref().or(scene.no_colors.as_ref()) {
                    pass.set_vertex_buffer(2, colors.slice(..));
                }
                pass.set_index_buffer(buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
            }
            let indices = item.first_index..item.first_index + item.n_indices;
            pass.draw_indexed(indices, 0, item.instances());
            previous = Some(item);
        }
    }

    fn set_material(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, pass_idx: usize) {
        let bind_group = scene.passes[pass_idx].bind_group(self.looks[pass_idx]);
        pass.set_bind_group(2, bind_group, &[]);
    }
}

/// What hides the sky.
const OPAQUE: [PassKind; 4] = [
    PassKind::Base,
    PassKind::Decal,
    PassKind::Lightmap,
    PassKind::Detail,
];

/// What blends over the sky.
const BLENDED: [PassKind; 3] = [PassKind::SoftEdged, PassKind::Water, PassKind::Translucent];

/// The depth, of 0 (infinity) to 1, that the backdrop begins at: behind all of the level, whose own depth is the distance of
/// the near plane through that of a surface. Floats are as fine there as near 1.
const BACKDROP_DEPTH: f32 = 1e-7;

fn bind_view(pass: &mut wgpu::RenderPass<'_>, view: &DrawnView, environment: &GpuEnvironment) {
    pass.set_bind_group(0, &view.bind_group, &[]);
    pass.set_bind_group(1, &environment.bind_group, &[]);
}

/// Binds what places models.
fn bind_nodes(
    pass: &mut wgpu::RenderPass<'_>,
    scene: &SceneGpu,
    state: &FrameState,
    view: &DrawnView,
) {
    if let Some(matrices) = scene.models.bind_group(state.poses.is_empty()) {
        pass.set_bind_group(3, matrices, &[]);
        pass.set_vertex_buffer(1, view.instances.buffer().slice(..));
    }
}

fn shows_sea(state: &FrameState) -> bool {
    state.switches.water && state.switches.sea_beyond_edge
}

/// The backdrop, where it is drawn: not for who stands in it.
fn shown_backdrop<'a>(scene: &'a SceneGpu, state: &FrameState) -> Option<&'a GpuBackdrop> {
    let is_shown = state.switches.sky && !is_in_backdrop(scene, state);
    scene.backdrop.as_ref().filter(|_| is_shown)
}

fn is_in_backdrop(scene: &SceneGpu, state: &FrameState) -> bool {
    scene.cells.is_in_backdrop(state.camera.position)
}
