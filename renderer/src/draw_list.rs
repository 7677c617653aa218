//! What is drawn in a frame, in the order in which it is drawn. Plain arithmetic, no GPU.

use std::ops::Range;

use ironlands_scene::{Batch, PassKind};

use crate::Switches;

/// One drawing of a run of triangles. The order of the fields is the order of drawing: what must come first,
/// then what is cheap to draw together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DrawItem {
    pub kind: PassKind,
    /// Place among the passes of the same kind of one material.
    pub layer: usize,
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
    /// Index into `SceneGpu::meshes`.
    pub mesh: usize,
    pub first_index: u32,
    pub n_indices: u32,
}

/// What the draw list must know of a material pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PassOrder {
    pub kind: PassKind,
    pub layer: usize,
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
}

/// The draw list of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct DrawList {
    items: Vec<DrawItem>,
}

impl DrawList {
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Adds every pass of a batch that is switched on.
    pub fn push(&mut self, mesh: usize, batch: &Batch, passes: &[PassOrder], switches: &Switches) {
        if batch.n_indices == 0 {
            return;
        }
        let drawn = passes.iter().filter(|pass| is_on(pass.kind, switches));
        self.items.extend(drawn.map(|pass| DrawItem {
            kind: pass.kind,
            layer: pass.layer,
            pipeline: pass.pipeline,
            pass: pass.pass,
            mesh,
            first_index: batch.first_index,
            n_indices: batch.n_indices,
        }));
    }

    /// Puts the items into drawing order and joins runs that follow each other in the index buffer.
    pub fn finish(&mut self) {
        self.items.sort_unstable();
        self.items.dedup_by(|next, previous| {
            let joins = previous.first_index + previous.n_indices == next.first_index
                && (previous.kind, previous.layer, previous.pass, previous.mesh)
                    == (next.kind, next.layer, next.pass, next.mesh);
            if joins {
                previous.n_indices += next.n_indices;
            }
            joins
        });
    }

    /// The items of one kind, in drawing order.
    pub fn of_kind(&self, kind: PassKind) -> &[DrawItem] {
        let Range { start, end } = self.items.partition_point(|item| item.kind < kind)
            ..self.items.partition_point(|item| item.kind <= kind);
        &self.items[start..end]
    }

    pub fn n_draw_calls(&self) -> usize {
        self.items.len()
    }

    pub fn n_triangles(&self) -> u64 {
        self.items
            .iter()
            .map(|item| u64::from(item.n_indices / 3))
            .sum()
    }
}

fn is_on(kind: PassKind, switches: &Switches) -> bool {
    match kind {
        PassKind::Base | PassKind::Translucent => true,
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
        }
    }

    #[test]
    fn kinds_come_before_layers_and_layers_before_pipelines() {
        let mut list = DrawList::default();
        let two_decals = [
            pass(PassKind::Base, 0, 5, 0),
            pass(PassKind::Decal, 0, 9, 1),
            pass(PassKind::Decal, 1, 1, 2),
        ];
        let water = [pass(PassKind::Water, 0, 0, 3)];
        list.push(0, &batch(0, 3), &water, &Switches::default());
        list.push(0, &batch(6, 3), &two_decals, &Switches::default());
        list.push(0, &batch(30, 3), &two_decals, &Switches::default());
        list.finish();
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
    fn neighbouring_runs_become_one_call_and_others_do_not() {
        let mut list = DrawList::default();
        let base = [pass(PassKind::Base, 0, 0, 0)];
        let other = [pass(PassKind::Base, 0, 0, 1)];
        list.push(0, &batch(6, 3), &base, &Switches::default());
        list.push(0, &batch(0, 6), &base, &Switches::default());
        list.push(0, &batch(12, 3), &base, &Switches::default());
        list.push(1, &batch(15, 3), &base, &Switches::default());
        list.push(0, &batch(9, 3), &other, &Switches::default());
        list.push(0, &batch(9, 0), &base, &Switches::default());
        list.finish();
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
    fn a_switch_turns_off_its_kind_alone() {
        let all = PassKind::ALL.map(|kind| pass(kind, 0, 0, kind as usize));
        let kinds_with = |switches: &Switches| -> Vec<PassKind> {
            let mut list = DrawList::default();
            list.push(0, &batch(0, 3), &all, switches);
            list.finish();
            PassKind::ALL
                .into_iter()
                .filter(|kind| !list.of_kind(*kind).is_empty())
                .collect()
        };
        let all_on = Switches::default();
        assert_eq!(kinds_with(&all_on), PassKind::ALL);
        let without_decal = Switches {
            decal: false,
            ..all_on
        };
        assert_eq!(
            kinds_with(&without_decal),
            [PassKind::Base, PassKind::Detail, PassKind::Water]
        );
        let without_detail = Switches {
            detail: false,
            ..all_on
        };
        assert_eq!(
            kinds_with(&without_detail),
            [PassKind::Base, PassKind::Decal, PassKind::Water]
        );
        let without_water = Switches {
            water: false,
            ..all_on
        };
        assert_eq!(
            kinds_with(&without_water),
            [PassKind::Base, PassKind::Decal, PassKind::Detail]
        );
    }
}
