//! The order of passes; nothing else decides order.
//!
//! Sky, then material passes by kind (base, decal, detail, water with the sea before it), overlays, highlight;
//! all into one multisampled target, which is resolved; then the user interface on what was resolved.

use ironlands_scene::{PassKind, Scene};

use crate::{
    ColorFormat, FrameState, FrameStats, Gpu, HudFrame, RenderError, RenderSettings, SceneGpu,
    TargetView,
    cull::{CullView, Frustum},
    draw_list::{DrawItem, DrawList},
    passes::{
        DEPTH_FORMAT, Layouts, TargetFormats, hud::HudPass, overlay::OverlayPass, sky::SkyPass,
        surface::SurfacePass,
    },
    scene_upload::Uploader,
    target::extent,
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
    /// [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the driver gives up; nothing is drawn then.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        target: TargetView<'_>,
        mut hud: Option<HudFrame>,
    ) -> Result<FrameStats, RenderError> {
        let stats = self.list_draws(scene, state, target.size);
        let drawn = self.attachments(gpu, target.size).and_then(|attachments| {
            gpu.guarded("a frame", || {
                self.submit(gpu, scene, state, target, &attachments, hud.as_ref());
                self.attachments = Some(attachments);
            })
        });
        if let Some(hud) = &mut hud {
            self.hud.free(&mut hud.textures_delta);
        }
        drawn.map(|()| stats)
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
    fn list_draws(&mut self, scene: &SceneGpu, state: &FrameState, size: [u32; 2]) -> FrameStats {
        let camera = state.culling_camera.as_ref().unwrap_or(&state.camera);
        let view = CullView {
            frustum: Frustum::new(camera, size[0] as f32 / size[1] as f32),
            position: camera.position.to_array(),
            lod: state.switches.lod,
        };
        let mut stats = FrameStats::default();
        self.draw_list.clear();
        for (mesh_idx, mesh) in scene.meshes.iter().enumerate() {
            stats.clusters_total += mesh.clusters.len();
            for batches in view.visible(&mesh.clusters, mesh.lod_grid.as_ref()) {
                stats.clusters_drawn += 1;
                for batch in &mesh.batches[batches.start as usize..batches.end as usize] {
                    let passes = &scene.materials[batch.material.0 as usize];
                    self.draw_list
                        .push(mesh_idx, batch, passes, &state.switches);
                }
            }
        }
        self.draw_list.finish();
        stats.triangles = self.draw_list.n_triangles();
        stats.draw_calls = self.draw_list.n_draw_calls();
        stats
    }

    fn draw_world(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneGpu, state: &FrameState) {
        let switches = &state.switches;
        pass.set_bind_group(0, &self.frame, &[]);
        pass.set_bind_group(1, &scene.environment, &[]);
        if switches.sky {
            self.sky.draw(pass);
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
            pass.set_bind_group(2, &scene.passes[layer.pass], &[]);
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
                pass.set_bind_group(2, &scene.passes[item.pass], &[]);
            }
            if changes(|item| item.mesh) {
                let buffers = scene.meshes[item.mesh].buffers.as_ref();
                let buffers = buffers.expect("a mesh with a drawn batch has triangles");
                pass.set_vertex_buffer(0, buffers.vertices.slice(..));
                pass.set_index_buffer(buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
            }
            pass.draw_indexed(item.first_index..item.first_index + item.n_indices, 0, 0..1);
            previous = Some(item);
        }
    }
}

/// Depth, and the samples before they are resolved; as large as the target.
#[derive(Debug)]
struct Attachments {
    size: [u32; 2],
    depth: wgpu::TextureView,
    /// None without multisampling.
    samples: Option<wgpu::TextureView>,
}

impl Attachments {
    fn new(gpu: &Gpu, targets: &TargetFormats, size: [u32; 2]) -> Self {
        let attachment = |label, format| {
            gpu.device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: extent(size),
                    mip_level_count: 1,
                    sample_count: targets.samples,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                })
                .create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            size,
            depth: attachment("depth", DEPTH_FORMAT),
            samples: (targets.samples > 1).then(|| attachment("samples", targets.color)),
        }
    }

    /// Clears the target to `background` and the depth to infinity.
    fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        target: TargetView<'_>,
        background: [f32; 3],
    ) -> wgpu::RenderPass<'e> {
        let [r, g, b] = background.map(f64::from);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 });
        let color = match &self.samples {
            Some(samples) => wgpu::RenderPassColorAttachment {
                view: samples,
                depth_slice: None,
                resolve_target: Some(target.view),
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Discard,
                },
            },
            None => wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            },
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("world"),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}
