//! What is drawn in a frame, in the order in which it is drawn. Plain arithmetic, no GPU.

use std::ops::Range;

use glam::Vec3;
use ironlands_scene::{Batch, PassKind};

use crate::{
    Switches,
    panes::{Pane, PlacedPane},
    uniforms::NodeMatrix,
};

/// One drawing of a run of triangles. The order of the fields is the order of drawing: what must come first,
/// then what is cheap to draw together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DrawItem {
    pub kind: PassKind,
    /// Falls with the distance of what is seen through, so that the farthest comes first; 0 for the rest.
    nearness: u32,
    /// Counts what is seen through, so that equally far things keep their order; 0 for the rest.
    sequence: u32,
    /// Place among the passes of the same kind of one material.
    pub layer: usize,
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`, or [`NO_PASS`].
    pub pass: usize,
    /// Index into `SceneGpu::meshes`.
    pub mesh: usize,
    pub first_index: u32,
    pub n_indices: u32,
    /// Index into [`DrawList::nodes`] of the first instance; none for a mesh in world space.
    first_slot: Option<u32>,
    n_instances: u32,
    /// What of a pane it is; none for the rest.
    pub pane: Option<PanePart>,
}

/// A part of a pane, with its index into [`DrawList::panes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PanePart {
    /// What bends what is behind. Its slot is that of its place in [`DrawList::pane_places`].
    Bent(usize),
    /// What is laid over that.
    Over(usize),
}

impl PanePart {
    pub fn index(self) -> usize {
        match self {
            Self::Bent(index) | Self::Over(index) => index,
        }
    }
}

impl DrawItem {
    /// Triangles of a mesh in world space, in no order of distance.
    fn new(pass: &PassOrder, mesh: usize, first_index: u32, n_indices: u32) -> Self {
        Self {
            kind: pass.kind,
            nearness: 0,
            sequence: 0,
            layer: pass.layer,
            pipeline: pass.pipeline,
            pass: pass.pass,
            mesh,
            first_index,
            n_indices,
            first_slot: None,
            n_instances: 1,
            pane: None,
        }
    }

    /// From the camera, of what is seen through.
    pub fn distance_sq(&self) -> f32 {
        f32::from_bits(!self.nearness)
    }

    /// Where the instance buffer says which nodes carry the triangles.
    pub fn instances(&self) -> Range<u32> {
        let first = self.first_slot.unwrap_or(0);
        first..first + self.n_instances
    }

    /// Whether the next item draws the triangles behind these, in the same way and in the same places.
    fn goes_on_in(&self, next: &Self) -> bool {
        let state = |item: &Self| (item.kind, item.nearness, item.layer, item.pass, item.mesh);
        let places = |item: &Self| (item.first_slot, item.n_instances, item.pane);
        self.first_index + self.n_indices == next.first_index
            && state(self) == state(next)
            && places(self) == places(next)
    }

    /// Whether the next item draws the same triangles in the same way, in the places behind these.
    fn repeats_in(&self, next: &Self) -> bool {
        let drawn = |item: &Self| (item.kind, item.pipeline, item.pass, item.mesh);
        let run = |item: &Self| (item.first_index, item.n_indices);
        let follows = |first_slot: u32| Some(first_slot + self.n_instances) == next.first_slot;
        self.first_slot.is_some_and(follows) && drawn(self) == drawn(next) && run(self) == run(next)
    }
}

/// In place of a pass where the depths of a surface do not depend on its material.
pub(crate) const NO_PASS: usize = usize::MAX;

/// What the draw list must know of a material pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PassOrder {
    pub kind: PassKind,
    pub layer: usize,
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
    /// How it is drawn where it bends what is behind it; else as this one.
    pub bent: Option<BentOrder>,
    /// The pipeline that draws what lies within its soft edges, before the edges of anything.
    pub core: Option<usize>,
    /// How it is drawn where only depths are; none if it hides nothing.
    pub depth: Option<DepthOrder>,
}

/// What the draw list must know of a material pass that bends what is behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BentOrder {
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
    /// [`PlacedPane::reach`].
    pub reach: f32,
}

/// What the draw list must know of a material pass that hides what is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DepthOrder {
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`, or [`NO_PASS`].
    pub pass: usize,
}

/// What a list is drawn for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ListOf {
    /// All passes that are switched on.
    #[default]
    Passes,
    /// The same for a picture in which nothing is bent: panes are plain glass there.
    UnbentPasses,
    /// The depths of what hides something.
    Depths,
}

/// Where triangles are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placing<'a> {
    /// What [`DrawList::add_slots`] gave for the nodes that carry them; none for a mesh in world space.
    pub first_slot: Option<u32>,
    /// From the camera, one for each place; orders only what is seen through.
    pub distances_sq: &'a [f32],
}

/// The draw list of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct DrawList {
    of: ListOf,
    items: Vec<DrawItem>,
    nodes: Vec<u32>,
    /// What bends what is behind it.
    pub panes: Vec<PlacedPane>,
    /// World from mesh for each of them, as the device takes it.
    pub pane_places: Vec<NodeMatrix>,
}

impl DrawList {
    pub fn new(of: ListOf) -> Self {
        Self {
            of,
            ..Self::default()
        }
    }

    pub fn clear(&mut self) {
        self.items.clear();
        self.nodes.clear();
        self.panes.clear();
        self.pane_places.clear();
    }

    /// Whether a batch with these passes is listed pane by pane.
    pub fn takes_panes(&self, passes: &[PassOrder]) -> bool {
        self.of == ListOf::Passes && passes.iter().any(|pass| pass.bent.is_some())
    }

    /// Notes which nodes carry the instances of a placing; gives its first slot.
    pub fn add_slots(&mut self, nodes: &[u32]) -> u32 {
        let first_slot = self.nodes.len() as u32;
        self.nodes.extend_from_slice(nodes);
        first_slot
    }

    /// Adds every pass of a batch that is switched on, or its depths.
    pub fn push(
        &mut self,
        mesh: usize,
        batch: &Batch,
        placing: Placing<'_>,
        passes: &[PassOrder],
        switches: &Switches,
    ) {
        if batch.n_indices == 0 {
            return;
        }
        if self.of == ListOf::Depths {
            return self.push_depth(mesh, batch, placing, passes);
        }
        for pass in passes.iter().filter(|pass| is_on(pass.kind, switches)) {
            let item = DrawItem {
                first_slot: placing.first_slot,
                n_instances: placing.distances_sq.len() as u32,
                ..DrawItem::new(pass, mesh, batch.first_index, batch.n_indices)
            };
            if pass.kind >= PassKind::Refracting {
                self.push_one_by_one(item, placing);
            } else {
                self.items.push(item);
            }
            self.items.extend(pass.core.map(|pipeline| DrawItem {
                kind: PassKind::Base,
                pipeline,
                ..item
            }));
        }
    }

    fn push_depth(
        &mut self,
        mesh: usize,
        batch: &Batch,
        placing: Placing<'_>,
        passes: &[PassOrder],
    ) {
        let Some(depth) = passes.iter().find_map(|pass| pass.depth) else {
            return;
        };
        self.items.push(DrawItem {
            kind: PassKind::Base,
            nearness: 0,
            sequence: 0,
            layer: 0,
            pipeline: depth.pipeline,
            pass: depth.pass,
            mesh,
            first_index: batch.first_index,
            n_indices: batch.n_indices,
            first_slot: placing.first_slot,
            n_instances: placing.distances_sq.len() as u32,
            pane: None,
        });
    }

    /// Adds every pass of a pane that is switched on. What is seen through is laid over it, however far the rest of such is.
    pub fn push_pane(
        &mut self,
        (mesh, pane): (usize, &Pane),
        (first_slot, world_from_mesh): (Option<u32>, NodeMatrix),
        eye: Vec3,
        passes: &[PassOrder],
        switches: &Switches,
    ) {
        let bent = passes.iter().find_map(|pass| pass.bent);
        let placed = PlacedPane::new(pane, &world_from_mesh, bent.map_or(0.0, |it| it.reach));
        let distance_sq = placed.middle().distance_squared(eye);
        let index = self.panes.len();
        self.panes.push(placed);
        self.pane_places.push(world_from_mesh);
        for pass in passes.iter().filter(|pass| is_on(pass.kind, switches)) {
            let item = DrawItem {
                first_slot,
                ..DrawItem::new(pass, mesh, pane.first_index, pane.n_indices)
            };
            self.items.push(match pass.bent {
                _ if pass.kind < PassKind::Refracting => item,
                bent => DrawItem {
                    kind: PassKind::Refracting,
                    nearness: !distance_sq.to_bits(),
                    sequence: self.items.len() as u32,
                    pipeline: bent.map_or(pass.pipeline, |it| it.pipeline),
                    pass: bent.map_or(pass.pass, |it| it.pass),
                    first_slot: bent.map_or(first_slot, |_| Some(index as u32)),
                    pane: Some(bent.map_or(PanePart::Over(index), |_| PanePart::Bent(index))),
                    ..item
                },
            });
        }
    }

    /// Triangles that [`Self::push`] would add for each place.
    pub fn n_triangles_of(batch: &Batch, passes: &[PassOrder], switches: &Switches) -> u64 {
        let is_on = |pass: &&PassOrder| is_on(pass.kind, switches);
        let n_drawings = |pass: &PassOrder| 1 + u64::from(pass.core.is_some());
        let n_passes: u64 = passes.iter().filter(is_on).map(n_drawings).sum();
        u64::from(batch.n_indices / 3) * n_passes
    }

    fn push_one_by_one(&mut self, item: DrawItem, placing: Placing<'_>) {
        for (place, distance_sq) in (0..).zip(placing.distances_sq) {
            self.items.push(DrawItem {
                // Bits of floats from 0 up rise like the floats.
                nearness: !distance_sq.to_bits(),
                sequence: self.items.len() as u32,
                first_slot: placing.first_slot.map(|first| first + place),
                n_instances: 1,
                ..item
            });
        }
    }

    /// Puts the items into drawing order and joins what can be drawn at once; things that are seen through not if
    /// something else may have to be drawn between them.
    pub fn finish(&mut self, joins_translucent: bool) {
        let joins_translucent = joins_translucent && self.panes.is_empty();
        self.items.sort_unstable();
        self.items.dedup_by(|next, previous| {
            let joins = previous.goes_on_in(next);
            if joins {
                previous.n_indices += next.n_indices;
            }
            joins
        });
        self.line_up_translucent();
        self.items.dedup_by(|next, previous| {
            let may_join = joins_translucent || next.kind < PassKind::Refracting;
            let joins = may_join && previous.repeats_in(next);
            if joins {
                previous.n_instances += next.n_instances;
            }
            joins
        });
    }

    /// Gives what is seen through new slots in drawing order: far and near copies of one thing, with nothing
    /// else between them, are one run of slots then.
    fn line_up_translucent(&mut self) {
        let first = self
            .items
            .partition_point(|item| item.kind < PassKind::Translucent);
        for item in &mut self.items[first..] {
            if let Some(slot) = &mut item.first_slot {
                let node = self.nodes[*slot as usize];
                *slot = self.nodes.len() as u32;
                self.nodes.push(node);
            }
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items of one kind, in drawing order.
    pub fn of_kind(&self, kind: PassKind) -> &[DrawItem] {
        let Range { start, end } = self.items.partition_point(|item| item.kind < kind)
            ..self.items.partition_point(|item| item.kind <= kind);
        &self.items[start..end]
    }

    /// Content of the instance buffer: which node carries the instance of each slot.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    pub fn n_draw_calls(&self) -> usize {
        self.items.len()
    }

    pub fn n_triangles(&self) -> u64 {
        let triangles =
            |item: &DrawItem| u64::from(item.n_indices / 3) * u64::from(item.n_instances);
        self.items.iter().map(triangles).sum()
    }
}

fn is_on(kind: PassKind, switches: &Switches) -> bool {
    match kind {
        PassKind::Base | PassKind::SoftEdged | PassKind::Refracting | PassKind::Translucent => true,
        PassKind::Lightmap => switches.lightmap,
        PassKind::Decal => switches.decal,
        PassKind::Detail => switches.detail,
        PassKind::Water => switches.water,
    }
}

#[cfg(test)]
mod tests;
