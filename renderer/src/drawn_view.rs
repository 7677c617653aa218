//! What is drawn of a scene from one viewpoint: its list, and where the device finds the viewpoint.

use glam::Vec3;

use crate::{
    FrameState, FrameStats, Gpu, RenderError, SceneGpu,
    cull::{CullView, Frustum},
    draw_list::{DrawList, ListOf, Placing},
    frame_lights::FrameLights,
    growing_buffer::GrowingBuffer,
    model_list::{ModelList, MorphList},
    motion::{Placement, Which},
    occluders::HiddenSpaces,
    particle_list::ParticleList,
    passes::{JOINTS_BINDING, Layouts},
    portals::PortalEye,
    scene_upload::FrameContext,
    uniforms::{ActiveMorph, FrameUniform, MorphedNode, NodeMatrix},
    view_cells::{Part, ViewCells},
    viewpoint::Viewpoint,
    waters::SeenSurface,
};

/// A viewpoint and what is seen from it; kept between frames for its memory.
#[derive(Debug)]
pub(crate) struct DrawnView {
    uniform: wgpu::Buffer,
    /// Group 0 of all passes.
    pub bind_group: wgpu::BindGroup,
    pub list: DrawList,
    /// Which node carries each instance, or which morphed node it is.
    pub instances: GrowingBuffer,
    /// World from mesh for each pane.
    pub pane_places: GrowingBuffer,
    morphed_nodes: GrowingBuffer,
    active_morphs: GrowingBuffer,
    joints: GrowingBuffer,
    models: ModelList,
    cells: ViewCells,
    hidden: HiddenSpaces,
    /// [`FrameLights::generation`] that is bound; none yet, or none at all where only depths are drawn.
    lights_generation: Option<u64>,
}

/// What decides what this view draws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullContext<'a> {
    pub view: &'a CullView,
    pub cells: &'a ViewCells,
    /// What polygons hide of models.
    pub hidden: &'a HiddenSpaces,
    /// From where distances are.
    pub eye: Vec3,
    /// Which models.
    pub models: Which,
}

impl DrawnView {
    /// `list_of`: what is drawn from there.
    pub fn new(gpu: &Gpu, layouts: &Layouts, lights: &FrameLights, list_of: ListOf) -> Self {
        let uniform = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let storage = wgpu::BufferUsages::STORAGE;
        let morphed_nodes = GrowingBuffer::new::<MorphedNode>(
            gpu,
            "morphed nodes",
            "the list of visible pieces that have moved",
            storage,
        );
        let active_morphs = GrowingBuffer::new::<ActiveMorph>(
            gpu,
            "active morphs",
            "the list of what moves visible pieces",
            storage,
        );
        let joints = GrowingBuffer::new::<NodeMatrix>(
            gpu,
            "joints",
            "the matrices of the joints of visible models",
            storage,
        );
        let buffers = [
            &uniform,
            morphed_nodes.buffer(),
            active_morphs.buffer(),
            joints.buffer(),
        ];
        let lights = (list_of != ListOf::Depths).then_some(lights);
        Self {
            bind_group: frame_bind_group(gpu, layouts, buffers, lights),
            uniform,
            list: DrawList::new(list_of),
            instances: GrowingBuffer::new::<u32>(
                gpu,
                "instances",
                "the list of visible pieces",
                wgpu::BufferUsages::VERTEX,
            ),
            pane_places: GrowingBuffer::new::<NodeMatrix>(
                gpu,
                "panes",
                "the list of visible panes",
                wgpu::BufferUsages::VERTEX,
            ),
            morphed_nodes,
            active_morphs,
            joints,
            models: ModelList::default(),
            cells: ViewCells::default(),
            hidden: HiddenSpaces::default(),
            lights_generation: lights.map(|it| it.generation),
        }
    }

    /// The frame uniform of its viewpoint.
    pub fn uniform(&self) -> &wgpu::Buffer {
        &self.uniform
    }

    /// Fills the list with what may be seen of a part of the scene, or with what is in a frustum of its own: there all of
    /// it, or only what does not move, or only the models that do.
    pub fn list(
        &mut self,
        scene: &SceneGpu,
        (viewpoint, part): (&Viewpoint, Part),
        placement: Placement<'_>,
        state: &FrameState,
        aspect: f32,
        within: Option<(Frustum, Which)>,
    ) -> FrameStats {
        let from = viewpoint.visible_from;
        let is_led = match part {
            Part::Level | Part::Everything => true,
            // Beside its cells, the backdrop is seen whole: cells of the level may not see it at all.
            Part::Backdrop => scene.cells.is_in_backdrop(from),
        };
        let cell = scene.cells.cell_at(from);
        let is_led = is_led && within.is_none();
        let is_led = is_led && state.switches.visibility;
        self.cells
            .update(&scene.cells, part, cell.filter(|_| is_led));
        self.cull_behind_openings(scene, (viewpoint, aspect), state, is_led);
        let view = CullView::new(&viewpoint.culling_camera, aspect, state.switches.lod);
        let view = within.map_or(view, |(frustum, _)| view.within(frustum));
        let cull_context = CullContext {
            view: &view,
            cells: &self.cells,
            hidden: &self.hidden,
            eye: viewpoint.camera.position,
            models: within.map_or(Which::All, |(_, which)| which),
        };
        let mut stats = FrameStats::default();
        self.list.clear();
        if cull_context.models != Which::Moving {
            list_clusters(scene, cull_context, state, &mut self.list, &mut stats);
        }
        self.models.list(
            scene,
            placement,
            cull_context,
            state,
            &mut self.list,
            &mut stats,
        );
        let has_particles =
            (state.switches.particles || state.switches.foliage) && scene.emitters.is_some();
        self.list.finish(!has_particles);
        stats.triangles = self.list.n_triangles();
        stats.triangles_without_visibility += stats.triangles;
        stats.draw_calls = self.list.n_draw_calls();
        stats
    }

    /// Leaves out what portals and occluders hide from where the view is led by visibility at all.
    fn cull_behind_openings(
        &mut self,
        scene: &SceneGpu,
        (viewpoint, aspect): (&Viewpoint, f32),
        state: &FrameState,
        is_led: bool,
    ) {
        self.hidden.clear();
        if !is_led {
            return;
        }
        let camera = viewpoint.culling_camera;
        let position = viewpoint.visible_from;
        // From elsewhere, as in a mirror, portals and occluders are not where the picture has them.
        let is_own_eye = camera.position == position;
        let eye = PortalEye {
            position,
            clip_from_world: is_own_eye.then(|| camera.clip_from_world(aspect)),
        };
        self.cells.look_through_portals(&eye, &state.culling);
        if is_own_eye {
            let occluders = &scene.occluders;
            self.hidden.update(occluders, &state.culling, position);
        }
    }

    /// Fills a list with the particles that may be seen from a viewpoint, that of the list before.
    ///
    /// # Errors
    /// As [`ParticleList::list`].
    pub fn list_particles(
        &self,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        frame_context: FrameContext<'_>,
        state: &FrameState,
        aspect: f32,
        particles: &mut ParticleList,
    ) -> Result<(), RenderError> {
        let view = CullView::new(&viewpoint.culling_camera, aspect, state.switches.lod);
        let cull_context = CullContext {
            view: &view,
            cells: &self.cells,
            hidden: &self.hidden,
            eye: viewpoint.camera.position,
            models: Which::All,
        };
        particles.list(scene, frame_context.poses, cull_context, state)
    }

    /// The liquids that are listed and seen from above.
    pub fn list_waters(
        &self,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        aspect: f32,
        has_sea: bool,
        seen: &mut Vec<SeenSurface>,
    ) {
        let view = CullView::new(&viewpoint.camera, aspect, false);
        let waters = &scene.waters;
        waters.list_visible(&view, &self.cells, has_sea, seen);
    }

    /// Hands viewpoint and places to the device; binds the lights of the frame.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn write(
        &mut self,
        (gpu, layouts): (&Gpu, &Layouts),
        lights: &FrameLights,
        uniform: &FrameUniform,
    ) -> Result<(), RenderError> {
        gpu.guarded("a viewpoint", || {
            gpu.write(&self.uniform, bytemuck::bytes_of(uniform));
        })?;
        self.instances.write(gpu, self.list.nodes())?;
        self.pane_places.write(gpu, &self.list.pane_places)?;
        let MorphList {
            nodes,
            active,
            joints,
        } = &self.models.morphs;
        let has_grown = self.morphed_nodes.write(gpu, nodes)?
            | self.active_morphs.write(gpu, active)?
            | self.joints.write(gpu, joints)?;
        let lights = self
            .lights_generation
            .map(|generation| (lights, generation));
        let are_others = lights.is_some_and(|(lights, bound)| lights.generation != bound);
        if has_grown || are_others {
            let lights = lights.map(|(lights, _)| lights);
            let lists = [&self.morphed_nodes, &self.active_morphs, &self.joints];
            let [nodes, active, joints] = lists.map(GrowingBuffer::buffer);
            let buffers = [&self.uniform, nodes, active, joints];
            self.bind_group = frame_bind_group(gpu, layouts, buffers, lights);
            self.lights_generation = lights.map(|lights| lights.generation);
        }
        Ok(())
    }
}

/// The viewpoint, the morphed nodes, what moves them, the joints that carry them, and the lights of a picture.
fn frame_bind_group(
    gpu: &Gpu,
    layouts: &Layouts,
    buffers: [&wgpu::Buffer; 4],
    lights: Option<&FrameLights>,
) -> wgpu::BindGroup {
    let bindings = [0, 1, 2, JOINTS_BINDING];
    let entries = std::array::from_fn::<_, 4, _>(|index| wgpu::BindGroupEntry {
        binding: bindings[index],
        resource: buffers[index].as_entire_binding(),
    });
    let (label, layout) = match lights {
        Some(_) => ("frame", &layouts.frame),
        None => ("casters", &layouts.casters),
    };
    let of_lights = lights.into_iter().flat_map(FrameLights::entries);
    let entries: Vec<_> = entries.into_iter().chain(of_lights).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

fn list_clusters(
    scene: &SceneGpu,
    cull_context: CullContext<'_>,
    state: &FrameState,
    list: &mut DrawList,
    stats: &mut FrameStats,
) {
    for (mesh_idx, mesh) in scene.meshes.iter().enumerate() {
        stats.clusters_total += mesh.clusters.len();
        let visible = cull_context
            .view
            .visible(&mesh.clusters, mesh.lod_grid.as_ref());
        for (cluster, batches) in visible.filter(|(it, _)| cull_context.cells.is_part(&it.cells)) {
            stats.clusters_without_visibility += 1;
            let is_seen = cull_context.cells.is_seen(&cluster.cells);
            stats.clusters_drawn += usize::from(is_seen);
            let [min, max] = [cluster.bounds.min, cluster.bounds.max].map(Vec3::from);
            let placing = Placing {
                first_slot: None,
                distances_sq: &[cull_context.eye.distance_squared(min.midpoint(max))],
            };
            for batch_idx in batches.start as usize..batches.end as usize {
                let batch = &mesh.batches[batch_idx];
                let passes = &scene.materials[batch.material.0 as usize];
                if is_seen && list.takes_panes(passes) {
                    let place = (None, NodeMatrix::IDENTITY);
                    for pane in mesh.panes_of(batch_idx) {
                        let eye = cull_context.eye;
                        list.push_pane((mesh_idx, pane), place, eye, passes, &state.switches);
                    }
                } else if is_seen {
                    list.push(mesh_idx, batch, placing, passes, &state.switches);
                } else {
                    stats.triangles_without_visibility +=
                        DrawList::n_triangles_of(batch, passes, &state.switches);
                }
            }
        }
    }
}
