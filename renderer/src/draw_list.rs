//! What is drawn in a frame, in the order in which it is drawn. Plain arithmetic, no GPU.

use std::ops::Range;

use ironlands_scene::{Batch, PassKind};

use crate::Switches;

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
}

impl DrawItem {
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
        let places = |item: &Self| (item.first_slot, item.n_instances);
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PassOrder {
    pub kind: PassKind,
    pub layer: usize,
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
    /// The pipeline that draws what lies within its soft edges, before the edges of anything.
    pub core: Option<usize>,
    /// How it is drawn where only depths are; none if it hides nothing.
    pub depth: Option<DepthOrder>,
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
                kind: pass.kind,
                nearness: 0,
                sequence: 0,
                layer: pass.layer,
                pipeline: pass.pipeline,
                pass: pass.pass,
                mesh,
                first_index: batch.first_index,
                n_indices: batch.n_indices,
                first_slot: placing.first_slot,
                n_instances: placing.distances_sq.len() as u32,
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
        });
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
mod tests {
    use ironlands_scene::MaterialIdx;

    use super::*;

    fn batch(first_index: u32, n_indices: u32) -> Batch {
        Batch {
            first_index,
            n_indices,
            material: MaterialIdx(0),
        }
    }

    fn pass(kind: PassKind, layer: usize, pipeline: usize, pass: usize) -> PassOrder {
        PassOrder {
            kind,
            layer,
            pipeline,
            pass,
            core: None,
            depth: None,
        }
    }

    /// In world space, at a distance of 1.
    const IN_WORLD: Placing<'_> = Placing {
        first_slot: None,
        distances_sq: &[1.0],
    };

    #[test]
    fn kinds_come_before_layers_and_layers_before_pipelines() {
        let mut list = DrawList::default();
        let two_decals = [
            pass(PassKind::Base, 0, 5, 0),
            pass(PassKind::Decal, 0, 9, 1),
            pass(PassKind::Decal, 1, 1, 2),
        ];
        let water = [pass(PassKind::Water, 0, 0, 3)];
        list.push(0, &batch(0, 3), IN_WORLD, &water, &Switches::default());
        list.push(0, &batch(6, 3), IN_WORLD, &two_decals, &Switches::default());
        list.push(
            0,
            &batch(30, 3),
            IN_WORLD,
            &two_decals,
            &Switches::default(),
        );
        list.finish(true);
        let order: Vec<_> = PassKind::ALL
            .into_iter()
            .flat_map(|kind| {
                list.of_kind(kind)
                    .iter()
                    .map(|item| (item.pass, item.first_index))
            })
            .collect();
        assert_eq!(
            order,
            [(0, 6), (0, 30), (1, 6), (1, 30), (2, 6), (2, 30), (3, 0)]
        );
    }

    #[test]
    fn neighboring_runs_become_one_call_and_others_do_not() {
        let mut list = DrawList::default();
        let base = [pass(PassKind::Base, 0, 0, 0)];
        let other = [pass(PassKind::Base, 0, 0, 1)];
        list.push(0, &batch(6, 3), IN_WORLD, &base, &Switches::default());
        list.push(0, &batch(0, 6), IN_WORLD, &base, &Switches::default());
        list.push(0, &batch(12, 3), IN_WORLD, &base, &Switches::default());
        list.push(1, &batch(15, 3), IN_WORLD, &base, &Switches::default());
        list.push(0, &batch(9, 3), IN_WORLD, &other, &Switches::default());
        list.push(0, &batch(9, 0), IN_WORLD, &base, &Switches::default());
        list.finish(true);
        let drawn: Vec<_> = list
            .of_kind(PassKind::Base)
            .iter()
            .map(|item| (item.pass, item.mesh, item.first_index, item.n_indices))
            .collect();
        assert_eq!(
            drawn,
            [(0, 0, 0, 9), (0, 0, 12, 3), (0, 1, 15, 3), (1, 0, 9, 3)]
        );
        assert_eq!((list.n_draw_calls(), list.n_triangles()), (4, 6));
    }

    #[test]
    fn what_lies_within_soft_edges_is_drawn_before_all_edges() {
        let leaves = |pass_idx, core| PassOrder {
            core: Some(core),
            ..pass(PassKind::SoftEdged, 0, 1, pass_idx)
        };
        let oak = [leaves(0, 2)];
        let birch = [leaves(1, 2)];
        let mut list = DrawList::default();
        let on = Switches::default();
        list.push(0, &batch(0, 3), IN_WORLD, &oak, &on);
        list.push(1, &batch(0, 3), IN_WORLD, &birch, &on);
        list.finish(true);
        let drawn = |kind| -> Vec<_> {
            let items = list.of_kind(kind).iter();
            items.map(|item| (item.pipeline, item.pass)).collect()
        };
        assert_eq!(drawn(PassKind::Base), [(2, 0), (2, 1)]);
        assert_eq!(drawn(PassKind::SoftEdged), [(1, 0), (1, 1)]);
        assert_eq!(DrawList::n_triangles_of(&batch(0, 3), &oak, &on), 2);
    }

    type TurnOff = fn(&mut Switches);

    #[test]
    fn a_switch_turns_off_its_kind_alone() {
        let all = PassKind::ALL.map(|kind| pass(kind, 0, 0, kind as usize));
        let kinds_with = |switches: &Switches| -> Vec<PassKind> {
            let mut list = DrawList::default();
            list.push(0, &batch(0, 3), IN_WORLD, &all, switches);
            list.finish(true);
            PassKind::ALL
                .into_iter()
                .filter(|kind| !list.of_kind(*kind).is_empty())
                .collect()
        };
        let all_on = Switches::default();
        assert_eq!(kinds_with(&all_on), PassKind::ALL);
        let without: [(PassKind, TurnOff); 4] = [
            (PassKind::Decal, |switches| switches.decal = false),
            (PassKind::Lightmap, |switches| switches.lightmap = false),
            (PassKind::Detail, |switches| switches.detail = false),
            (PassKind::Water, |switches| switches.water = false),
        ];
        for (kind, turn_off) in without {
            let mut switches = all_on;
            turn_off(&mut switches);
            let mut others = PassKind::ALL.to_vec();
            others.retain(|other| *other != kind);
            assert_eq!(kinds_with(&switches), others);
        }
    }

    /// A list of one batch of three triangles on nodes at these distances from the camera.
    fn instanced(passes: &[PassOrder], nodes: &[u32], distances_sq: &[f32]) -> DrawList {
        let mut list = DrawList::default();
        let placing = Placing {
            first_slot: Some(list.add_slots(nodes)),
            distances_sq,
        };
        list.push(0, &batch(0, 9), placing, passes, &Switches::default());
        list
    }

    /// Pass, first index, and the nodes of its instances, for each item of a kind.
    fn drawn(list: &DrawList, kind: PassKind) -> Vec<(usize, u32, Vec<u32>)> {
        let nodes = |item: &DrawItem| {
            let Range { start, end } = item.instances();
            list.nodes()[start as usize..end as usize].to_vec()
        };
        list.of_kind(kind)
            .iter()
            .map(|item| (item.pass, item.first_index, nodes(item)))
            .collect()
    }

    #[test]
    fn many_instances_are_one_call() {
        let base = [pass(PassKind::Base, 0, 0, 0)];
        let mut list = instanced(&base, &[7, 3, 5], &[1.0, 2.0, 3.0]);
        list.finish(true);
        assert_eq!(drawn(&list, PassKind::Base), [(0, 0, vec![7, 3, 5])]);
        assert_eq!((list.n_draw_calls(), list.n_triangles()), (1, 9));
    }

    #[test]
    fn runs_behind_each_other_join_only_in_the_same_places() {
        let base = [pass(PassKind::Base, 0, 0, 0)];
        let mut list = DrawList::default();
        let slots = list.add_slots(&[7, 8, 9, 10]);
        for (first_index, first_slot) in [(0, 0), (3, 0), (6, 2), (9, 2), (12, 1)] {
            let placing = Placing {
                first_slot: Some(slots + first_slot),
                distances_sq: &[1.0, 1.0],
            };
            let batch = batch(first_index, 3);
            list.push(0, &batch, placing, &base, &Switches::default());
        }
        list.push(0, &batch(15, 3), IN_WORLD, &base, &Switches::default());
        list.finish(true);
        let runs: Vec<_> = list
            .of_kind(PassKind::Base)
            .iter()
            .map(|item| (item.first_index, item.n_indices, item.instances()))
            .collect();
        assert_eq!(
            runs,
            [(0, 6, 0..2), (6, 6, 2..4), (12, 3, 1..3), (15, 3, 0..1)]
        );
    }

    #[test]
    fn what_is_seen_through_is_drawn_far_to_near() {
        let glass = [pass(PassKind::Translucent, 0, 0, 0)];
        let mut list = instanced(&glass, &[10, 11, 12], &[4.0, 100.0, 25.0]);
        list.push(
            1,
            &batch(30, 3),
            Placing {
                distances_sq: &[50.0],
                ..IN_WORLD
            },
            &[pass(PassKind::Translucent, 0, 5, 1)],
            &Switches::default(),
        );
        list.finish(true);
        let order: Vec<_> = list
            .of_kind(PassKind::Translucent)
            .iter()
            .map(|item| (item.mesh, item.instances().len()))
            .collect();
        assert_eq!(order, [(0, 1), (1, 1), (0, 2)]);
        let items = list.of_kind(PassKind::Translucent);
        let near = items[2].instances();
        let nodes = &list.nodes()[near.start as usize..near.end as usize];
        assert_eq!(nodes, [12, 10], "with nothing between them, one call");
    }

    #[test]
    fn equally_far_things_keep_their_order_and_layers_stay_on_their_surface() {
        let first = [
            pass(PassKind::Translucent, 0, 9, 4),
            pass(PassKind::Translucent, 1, 8, 3),
        ];
        let second = [pass(PassKind::Translucent, 0, 1, 0)];
        let mut list = DrawList::default();
        for (mesh, passes) in [(5, &first[..]), (2, &second[..])] {
            let batch = batch(0, 3);
            list.push(mesh, &batch, IN_WORLD, passes, &Switches::default());
        }
        list.finish(true);
        let order: Vec<_> = list
            .of_kind(PassKind::Translucent)
            .iter()
            .map(|item| item.pass)
            .collect();
        assert_eq!(order, [4, 3, 0]);
    }

    #[test]
    fn depths_are_drawn_once_and_joined_across_materials() {
        let hides = |pass: PassOrder, depth| PassOrder {
            depth: Some(depth),
            ..pass
        };
        let opaque = DepthOrder {
            pipeline: 3,
            pass: NO_PASS,
        };
        let cutout = DepthOrder {
            pipeline: 4,
            pass: 7,
        };
        let stone = [
            hides(pass(PassKind::Base, 0, 0, 0), opaque),
            pass(PassKind::Detail, 0, 1, 1),
        ];
        let wood = [hides(pass(PassKind::Base, 0, 0, 2), opaque)];
        let leaves = [hides(pass(PassKind::Base, 0, 2, 7), cutout)];
        let glass = [pass(PassKind::Translucent, 0, 5, 4)];
        let mut list = DrawList::new(ListOf::Depths);
        for (first_index, passes) in [(0, &stone[..]), (3, &wood), (6, &leaves), (9, &glass)] {
            let batch = batch(first_index, 3);
            list.push(0, &batch, IN_WORLD, passes, &Switches::default());
        }
        list.finish(false);
        let drawn: Vec<_> = (list.of_kind(PassKind::Base).iter())
            .map(|item| (item.pipeline, item.pass, item.first_index, item.n_indices))
            .collect();
        assert_eq!(drawn, [(3, NO_PASS, 0, 6), (4, 7, 6, 3)]);
        assert_eq!(list.n_draw_calls(), 2);
    }
}
