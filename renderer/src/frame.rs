//! The order of passes; nothing else decides order.
//!
//! Sky, then material passes of meshes and models by kind (base, decal, lightmap, detail, water with the sea
//! before it, translucent), overlays, highlight; all into one multisampled target, which is resolved; then the
//! user interface on what was resolved.

use glam::Vec3;
use ironlands_scene::{PassKind, Scene};

use crate::{
    ColorFormat, FrameState, FrameStats, Gpu, HudFrame, RenderError, RenderSettings, SceneGpu,
    TargetView,
    attachments::Attachments,
    cull::CullView,
    draw_list::{DrawItem, DrawList, Placing},
    instance_buffer::InstanceBuffer,
    model_list::ModelList,
    passes::{
        Layouts, TargetFormats, hud::HudPass, overlay::OverlayPass, sky::SkyPass,
        surface::SurfacePass,
    },
    scene_upload::Uploader,
    uniforms::FrameUniform,
};

/// Draws uploaded scenes on targets of one format.
pub struct Renderer {
    settings: RenderSettings,
    targets: TargetFormats,
    layouts: Layouts,
    frame_uniform: wgpu::Buffer,
    frame: wgpu::BindGroup,
    sky: SkyPass,
    surface: SurfacePass,
    overlay: OverlayPass,
    hud: HudPass,
    attachments: Option<Attachments>,
    draw_list: DrawList,
    model_list: ModelList,
    instances: InstanceBuffer,
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
        let layouts = Layouts::new(&gpu.device);
        let frame_uniform = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &layouts.frame,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: frame_uniform.as_entire_binding(),
            }],
        });
        Self {
            settings,
            targets,
            frame_uniform,
            frame,
            sky: SkyPass::new(gpu, &layouts, &targets),
            surface: SurfacePass::new(gpu, &layouts, &targets),
            overlay: OverlayPass::new(gpu, &layouts, &targets),
            hud: HudPass::new(gpu, targets.color),
            layouts,
            attachments: None,
            draw_list: DrawList::default(),
            model_list: ModelList::default(),
            instances: InstanceBuffer::default(),
            looks: Vec::new(),
        }
    }

    /// Copies a scene to the device, with the pipelines that its materials need.
    ///
    /// # Errors
    /// [`RenderError::Scene`] if the scene does not validate, [`RenderError::TooLarge`] if part of it does not
    /// fit the device, [`RenderError::OutOfMemory`] if all of it does not.
    pub fn upload(&mut self, gpu: &Gpu, scene: &Scene) -> Result<SceneGpu, RenderError> {
        Uploader {
            gpu,
            settings: self.settings,
            layouts: &self.layouts,
            surface: &mut self.surface,
            overlay: &self.overlay,
        }
        .upload(scene)
    }

    /// Records and submits one frame, and waits for nothing.
    ///
    /// The scene must have been uploaded by this renderer, and the target must have its format.
    ///
    /// # Errors
    /// [`RenderError::Poses`] if there are poses, but not one for each node of the scene's instances;
    /// [`RenderError::TooLarge`], [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the device or its
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
        let stats = self.list_draws(scene, state, target.size)?;
        let attachments = self.attachments(gpu, target.size)?;
        self.instances.write(gpu, self.draw_list.nodes())?;
        gpu.guarded("a frame", || {
            self.submit(gpu, scene, state, target, &attachments, hud);
            self.attachments = Some(attachments);
        })?;
        Ok(stats)
    }

    /// Those of the frame before if they are as large as the target, else new ones.
    fn attachments(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<Attachments, RenderError> {
        let before = self.attachments.take();
        if let Some(attachments) = before.filter(|attachments| attachments.size == size) {
            return Ok(attachments);
        }
        let [width, height] = size;
        let samples = self.targets.samples;
        gpu.guarded(
            format_args!(
                "depth and colours of {width} x {height} pixels, samples per pixel: {samples}"
            ),
            || Attachments::new(gpu, &self.targets, size),
        )
    }

    fn submit(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        target: TargetView<'_>,
        attachments: &Attachments,
        hud: Option<&HudFrame>,
    ) {
        let uniform = FrameUniform::new(state, scene.fog, !scene.sea.is_empty(), target.size);
        gpu.queue
            .write_buffer(&self.frame_uniform, 0, bytemuck::bytes_of(&uniform));
        self.overlay.prepare_highlight(gpu, &state.highlight);
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
        self.draw_world(
            &mut attachments.begin(&mut encoder, target, scene.background),
            scene,
            state,
        );
        let mut commands = Vec::new();
        if let Some(hud) = hud {
            commands = self.hud.draw(gpu, &mut encoder, target, hud);
        }
        commands.push(encoder.finish());
        gpu.queue.submit(commands);
    }

    /// Fills the draw list with what the camera may see.
    fn list_draws(
        &mut self,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        let camera = state.culling_camera.as_ref().unwrap_or(&state.camera);
        let aspect = size[0] as f32 / size[1] as f32;
        let view = CullView::new(camera, aspect, state.switches.lod);
        let poses = scene.models.poses(&state.poses)?;
        let mut stats = FrameStats::default();
        self.draw_list.clear();
        self.list_clusters(scene, &view, state, &mut stats);
        let draw_list = &mut self.draw_list;
        self.model_list
            .list(scene, poses, &view, state, draw_list, &mut stats);
        self.draw_list.finish();
        stats.triangles = self.draw_list.n_triangles();
        stats.draw_calls = self.draw_list.n_draw_calls();
        Ok(stats)
    }

    fn list_clusters(
        &mut self,
        scene: &SceneGpu,
        view: &CullView,
        state: &FrameState,
        stats: &mut FrameStats,
    ) {
        for (mesh_idx, mesh) in scene.meshes.iter().enumerate() {
            stats.clusters_total += mesh.clusters.len();
            for (cluster, batches) in view.visible(&mesh.clusters, mesh.lod_grid.as_ref()) {
                stats.clusters_drawn += 1;
                let [min, max] = [cluster.bounds.min, cluster.bounds.max].map(Vec3::from);
                let eye = state.camera.position;
                let placing = Placing {
                    first_slot: None,
                    distances_sq: &[eye.distance_squared(min.midpoint(max))],
                };
                for batch in &mesh.batches[batches.start as usize..batches.end as usize] {
                    let passes = &scene.materials[batch.material.0 as usize];
                    self.draw_list
                        .push(mesh_idx, batch, placing, passes, &state.switches);
                }
            }
        }
    }

    fn draw_world(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, state: &FrameState) {
        let switches = &state.switches;
        pass.set_bind_group(0, &self.frame, &[]);
        pass.set_bind_group(1, &scene.environment, &[]);
        if switches.sky {
            self.sky.draw(pass);
        }
        let matrices = scene.models.bind_group(state.poses.is_empty());
        if let Some((matrices, instances)) = matrices.zip(self.instances.buffer()) {
            pass.set_bind_group(3, matrices, &[]);
            pass.set_vertex_buffer(1, instances.slice(..));
        }
        for kind in PassKind::ALL {
            if kind == PassKind::Water && switches.water && switches.sea_beyond_edge {
                self.draw_sea(pass, scene);
            }
            self.draw_items(pass, scene, self.draw_list.of_kind(kind));
        }
        for overlay in state
            .overlays
            .iter()
            .filter_map(|idx| scene.overlays.get(*idx))
        {
            self.overlay.draw(pass, overlay);
        }
        self.overlay.draw_highlight(pass);
    }

    fn draw_sea(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu) {
        for layer in &scene.sea {
            pass.set_pipeline(self.surface.pipeline(layer.pipeline));
            self.set_material(pass, scene, layer.pass);
            self.surface.draw_sea(pass);
        }
    }

    /// Draws material passes in the order of the list; sets only what differs from the item before.
    fn draw_items(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, items: &[DrawItem]) {
        let mut previous: Option<&DrawItem> = None;
        for item in items {
            let changes = |of: fn(&DrawItem) -> usize| previous.map(of) != Some(of(item));
            if changes(|item| item.pipeline) {
                pass.set_pipeline(self.surface.pipeline(item.pipeline));
            }
            if changes(|item| item.pass) {
                self.set_material(pass, scene, item.pass);
            }
            if changes(|item| item.mesh) {
                let buffers = scene.meshes[item.mesh].buffers.as_ref();
                let buffers = buffers.expect("a mesh with a drawn batch has triangles");
                pass.set_vertex_buffer(0, buffers.vertices.slice(..));
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
