//! What is drawn of a scene from one viewpoint: its list, and where the device finds the viewpoint.

use glam::Vec3;

use crate::{
    FrameState, FrameStats, Gpu, RenderError, SceneGpu,
    cull::CullView,
    draw_list::{DrawList, Placing},
    growing_buffer::GrowingBuffer,
    model_list::{ModelList, MorphList},
    particle_list::ParticleList,
    passes::Layouts,
    scene_upload::FrameContext,
    uniforms::{ActiveMorph, Air, FrameUniform, MorphedNode, NodeMatrix},
    view_cells::{Part, ViewCells},
    viewpoint::Viewpoint,
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
    morphed_nodes: GrowingBuffer,
    active_morphs: GrowingBuffer,
    joints: GrowingBuffer,
    models: ModelList,
    cells: ViewCells,
}

/// What decides what this view draws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullContext<'a> {
    pub view: &'a CullView,
    pub cells: &'a ViewCells,
    /// From where distances are.
    pub eye: Vec3,
}

impl DrawnView {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
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
        Self {
            bind_group: frame_bind_group(gpu, layouts, buffers),
            uniform,
            list: DrawList::default(),
            instances: GrowingBuffer::new::<u32>(
                gpu,
                "instances",
                "the list of visible pieces",
                wgpu::BufferUsages::VERTEX,
            ),
            morphed_nodes,
            active_morphs,
            joints,
            models: ModelList::default(),
            cells: ViewCells::default(),
        }
    }

    /// Fills the list with what may be seen of a part of the scene.
    pub fn list(
        &mut self,
        scene: &SceneGpu,
        (viewpoint, part): (&Viewpoint, Part),
        frame_context: FrameContext<'_>,
        state: &FrameState,
        aspect: f32,
    ) -> FrameStats {
        let from = viewpoint.visible_from;
        let is_led = match part {
            Part::Level | Part::Everything => true,
            // Beside its cells, the backdrop is seen whole: cells of the level may not see it at all.
            Part::Backdrop => scene.cells.is_in_backdrop(from),
        };
        let cell = scene.cells.cell_at(from);
        let cell = cell.filter(|_| is_led && state.switches.visibility);
        self.cells.update(&scene.cells, part, cell);
        let view = CullView::new(&viewpoint.culling_camera, aspect, state.switches.lod);
        let cull_context = CullContext {
            view: &view,
            cells: &self.cells,
            eye: viewpoint.camera.position,
        };
        let mut stats = FrameStats::default();
        self.list.clear();
        list_clusters(scene, cull_context, state, &mut self.list, &mut stats);
        self.models.list(
            scene,
            frame_context,
            cull_context,
            state,
            &mut self.list,
            &mut stats,
        );
        let has_particles = state.switches.particles && scene.emitters.is_some();
        self.list.finish(!has_particles);
        stats.triangles = self.list.n_triangles();
        stats.triangles_without_visibility += stats.triangles;
        stats.draw_calls = self.list.n_draw_calls();
        stats
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
            eye: viewpoint.camera.position,
        };
        particles.list(scene, frame_context.poses, cull_context, state)
    }

    /// Heights of the liquids that are listed and seen from above.
    pub fn water_heights(
        &self,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        aspect: f32,
        has_sea: bool,
    ) -> Vec<f32> {
        let view = CullView::new(&viewpoint.camera, aspect, false);
        scene.waters.visible_heights(&view, &self.cells, has_sea)
    }

    /// Hands viewpoint and places to the device.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn write(
        &mut self,
        (gpu, layouts): (&Gpu, &Layouts),
        viewpoint: &Viewpoint,
        air: Air,
        has_sea: bool,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<(), RenderError> {
        let uniform = FrameUniform::new(state, viewpoint, air, has_sea, size);
        gpu.guarded("a viewpoint", || {
            gpu.queue
                .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        })?;
        self.instances.write(gpu, self.list.nodes())?;
        let MorphList {
            nodes,
            active,
            joints,
        } = &self.models.morphs;
        let has_grown = self.morphed_nodes.write(gpu, nodes)?
            | self.active_morphs.write(gpu, active)?
            | self.joints.write(gpu, joints)?;
        if has_grown {
            let lists = [&self.morphed_nodes, &self.active_morphs, &self.joints];
            let [nodes, active, joints] = lists.map(GrowingBuffer::buffer);
            let buffers = [&self.uniform, nodes, active, joints];
            self.bind_group = frame_bind_group(gpu, layouts, buffers);
        }
        Ok(())
    }
}

/// The viewpoint, the morphed nodes, what moves them, and the joints that carry them.
fn frame_bind_group(gpu: &Gpu, layouts: &Layouts, buffers: [&wgpu::Buffer; 4]) -> wgpu::BindGroup {
    let entries = [0, 1, 2, 3].map(|binding: u32| wgpu::BindGroupEntry {
        binding,
        resource: buffers[binding as usize].as_entire_binding(),
    });
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("frame"),
        layout: &layouts.frame,
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
            for batch in &mesh.batches[batches.start as usize..batches.end as usize] {
                let passes = &scene.materials[batch.material.0 as usize];
                if is_seen {
                    list.push(mesh_idx, batch, placing, passes, &state.switches);
                } else {
                    stats.triangles_without_visibility +=
                        DrawList::n_triangles_of(batch, passes, &state.switches);
                }
            }
        }
    }
}
