//! The order of what is seen through: panes, which show the picture behind them, water, other surfaces and particles. Plain
//! arithmetic, no GPU.
//!
//! Far things come before near ones. Panes that a level surface of water hides from the eye, by their middles, come before
//! that water, which shows them; all else comes after it. Before a layer of panes come all other surfaces and particles that
//! are farther away than one of its panes. What is laid over a pane, such as what it mirrors, comes with it.

use std::ops::Range;

use glam::{Mat4, Vec3};
use ironlands_scene::PassKind;

use crate::{
    draw_list::{DrawItem, DrawList, PanePart},
    pane_layers::{LayeredPane, ScreenRect, layers_of},
    particle_list::ParticleList,
    waters::Waters,
};

/// Particles, and surfaces that are nearer than all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// Range of the sorted particles; may be empty.
    pub quads: Range<usize>,
    /// Range of the surfaces; may be empty.
    pub items: Range<usize>,
}

/// What is drawn over the picture so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Panes over a copy of it: a range of [`SeenThrough::pane_items`].
    Panes(Range<usize>),
    /// Deep water over a copy of it.
    DeepWater,
    /// Water as its materials say.
    PlainWater,
    /// A range of [`SeenThrough::runs`].
    Runs(Range<usize>),
}

impl Step {
    /// Whether it shows a copy of the picture.
    pub fn copies(&self) -> bool {
        matches!(self, Self::Panes(_) | Self::DeepWater)
    }
}

/// From where a frame is seen, and what water it has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaterView<'a> {
    pub eye: Vec3,
    pub clip_from_world: &'a Mat4,
    /// None where no water is drawn.
    pub waters: Option<&'a Waters>,
    pub has_sea: bool,
    pub is_deep: bool,
}

/// The order of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct SeenThrough {
    pub runs: Vec<Run>,
    /// All that comes before the last runs.
    pub steps: Vec<Step>,
    /// Items of panes, layer by layer.
    pub pane_items: Vec<DrawItem>,
    /// The first run behind all steps.
    first_of_last: usize,
}

impl SeenThrough {
    /// Puts all that is seen through into order. A surface or a pane is as far away as its middle.
    pub fn arrange(&mut self, list: &DrawList, particles: &ParticleList, view: WaterView<'_>) {
        self.runs.clear();
        self.steps.clear();
        self.pane_items.clear();
        let panes = list.of_kind(PassKind::Refracting);
        let is_beyond = |item: &DrawItem| {
            let pane = item.pane.map(|part| list.panes[part.index()].middle());
            let water = view.waters.zip(pane);
            water.is_some_and(|(waters, middle)| waters.is_between(view.eye, middle, view.has_sea))
        };
        let (beyond, before): (Vec<_>, Vec<_>) = panes.iter().partition(|item| is_beyond(item));
        let has_beyond = !beyond.is_empty();
        self.push_layers(list, view.clip_from_world, &beyond, |_, _| ());
        match view.is_deep {
            true => self.steps.push(Step::DeepWater),
            false if has_beyond => self.steps.push(Step::PlainWater),
            false => {}
        }
        let surfaces = list.of_kind(PassKind::Translucent);
        self.push_layers(list, view.clip_from_world, &before, |own, nearest_sq| {
            let first = own.runs.len();
            own.push_runs(surfaces, particles, Some(nearest_sq));
            if own.runs.len() > first {
                own.steps.push(Step::Runs(first..own.runs.len()));
            }
        });
        self.first_of_last = self.runs.len();
        self.push_runs(surfaces, particles, None);
    }

    /// What is nearer than all steps.
    pub fn last_runs(&self) -> &[Run] {
        &self.runs[self.first_of_last..]
    }

    /// How often the picture is copied.
    pub fn n_copies(&self) -> usize {
        self.steps.iter().filter(|step| step.copies()).count()
    }

    /// Whether water is drawn as a step, and not with what is behind it.
    pub fn has_late_water(&self) -> bool {
        self.steps.contains(&Step::PlainWater)
    }

    /// How many runs have particles.
    pub fn n_particle_calls(&self) -> usize {
        self.runs.iter().filter(|run| !run.quads.is_empty()).count()
    }

    /// Adds the layers of panes, the farthest of which is the first. `before_layer` gets the distance of the nearest pane so
    /// far, squared.
    fn push_layers(
        &mut self,
        list: &DrawList,
        clip_from_world: &Mat4,
        items: &[&DrawItem],
        mut before_layer: impl FnMut(&mut Self, f32),
    ) {
        let bent = items.iter().filter_map(|item| match item.pane {
            Some(PanePart::Bent(index)) => Some(index),
            _ => None,
        });
        let bent: Vec<usize> = bent.collect();
        let layered = bent.iter().map(|index| {
            let pane = &list.panes[*index];
            LayeredPane {
                rect: ScreenRect::around(pane, clip_from_world),
                reach: pane.reach,
            }
        });
        let layers = layers_of(&layered.collect::<Vec<_>>());
        let mut layer_of_pane = vec![0; list.panes.len()];
        for (index, layer) in bent.into_iter().zip(layers) {
            layer_of_pane[index] = layer;
        }
        let layer_of = |item: &DrawItem| item.pane.map_or(0, |part| layer_of_pane[part.index()]);
        let mut items = items.to_vec();
        items.sort_by_key(|item| layer_of(item));
        let mut nearest_sq = f32::INFINITY;
        for layer in items.chunk_by(|a, b| layer_of(a) == layer_of(b)) {
            let distances = layer.iter().map(|item| item.distance_sq());
            nearest_sq = distances.fold(nearest_sq, f32::min);
            before_layer(self, nearest_sq);
            let first = self.pane_items.len();
            self.pane_items.extend(layer.iter().map(|item| **item));
            self.steps.push(Step::Panes(first..self.pane_items.len()));
        }
    }

    /// Merges surfaces, farthest first, and sorted particles that are in no run yet and beyond a distance, or all of them.
    fn push_runs(&mut self, items: &[DrawItem], particles: &ParticleList, beyond_sq: Option<f32>) {
        let [first, end] = [
            self.n_items(),
            match beyond_sq {
                Some(distance_sq) => items.partition_point(|item| item.distance_sq() > distance_sq),
                None => items.len(),
            },
        ];
        let quads_end = beyond_sq.map_or(particles.len(), |it| particles.n_beyond(it));
        let mut run = Run {
            quads: self.n_quads()..self.n_quads(),
            items: first..first,
        };
        for (index, item) in items.iter().enumerate().take(end).skip(first) {
            let n_beyond = particles.n_beyond(item.distance_sq());
            if n_beyond > run.quads.end {
                self.finish(run);
                run = Run {
                    quads: self.n_quads()..n_beyond,
                    items: index..index,
                };
            }
            run.items.end = index + 1;
        }
        self.finish(run);
        self.finish(Run {
            quads: self.n_quads()..quads_end.max(self.n_quads()),
            items: end.max(first)..end.max(first),
        });
    }

    fn finish(&mut self, run: Run) {
        if !run.quads.is_empty() || !run.items.is_empty() {
            self.runs.push(run);
        }
    }

    /// Particles of all runs so far.
    fn n_quads(&self) -> usize {
        self.runs.last().map_or(0, |run| run.quads.end)
    }

    /// Surfaces of all runs so far.
    fn n_items(&self) -> usize {
        self.runs.last().map_or(0, |run| run.items.end)
    }
}

#[cfg(test)]
mod tests {
    use ironlands_scene::Scene;

    use super::*;
    use crate::{
        Camera, Switches,
        draw_list::{BentOrder, PassOrder, Placing},
        panes::Pane,
        uniforms::NodeMatrix,
    };

    fn order(kind: PassKind, bent: Option<BentOrder>) -> PassOrder {
        PassOrder {
            kind,
            layer: 0,
            pipeline: 0,
            pass: 0,
            bent,
            core: None,
            depth: None,
        }
    }

    /// Panes and other glass on the line of sight at these distances.
    fn list(panes: &[f32], glass: &[f32]) -> DrawList {
        let bent = BentOrder {
            pipeline: 0,
            pass: 0,
            reach: 0.0,
        };
        let mut list = DrawList::default();
        for x in panes {
            list.push_pane(
                (0, &Pane::from_corners([Vec3::X * *x; 8])),
                (None, NodeMatrix::IDENTITY),
                Vec3::ZERO,
                &[order(PassKind::Translucent, Some(bent))],
                &Switches::default(),
            );
        }
        let batch = ironlands_scene::Batch {
            first_index: 0,
            n_indices: 3,
            material: ironlands_scene::MaterialIdx(0),
        };
        for x in glass {
            let placing = Placing {
                first_slot: None,
                distances_sq: &[x * x],
            };
            let passes = [order(PassKind::Translucent, None)];
            list.push(1, &batch, placing, &passes, &Switches::default());
        }
        list.finish(true);
        list
    }

    fn arranged(panes: &[f32], glass: &[f32], is_deep: bool) -> SeenThrough {
        let view = WaterView {
            eye: Vec3::ZERO,
            clip_from_world: &Camera::default().clip_from_world(1.0),
            waters: Some(&Waters::new(&Scene::default())),
            has_sea: false,
            is_deep,
        };
        let mut seen_through = SeenThrough::default();
        seen_through.arrange(&list(panes, glass), &ParticleList::default(), view);
        seen_through
    }

    #[test]
    fn other_glass_comes_before_the_first_layer_with_a_nearer_pane() {
        let seen = arranged(&[10.0, 20.0], &[30.0, 15.0, 12.0, 5.0], false);
        let expected = [
            Step::Runs(0..1),
            Step::Panes(0..1),
            Step::Runs(1..2),
            Step::Panes(1..2),
        ];
        assert_eq!(seen.steps, expected);
        let items: Vec<_> = seen.runs.iter().map(|run| run.items.clone()).collect();
        assert_eq!(items, [0..1, 1..3, 3..4]);
        assert_eq!(seen.last_runs(), &seen.runs[2..]);
        assert_eq!(seen.n_copies(), 2);
    }

    #[test]
    fn without_panes_and_deep_water_there_are_no_steps() {
        let seen = arranged(&[], &[30.0, 15.0], false);
        assert_eq!(seen.steps, []);
        assert_eq!(seen.last_runs().len(), 1);
        assert_eq!(arranged(&[], &[], true).steps, [Step::DeepWater]);
        assert_eq!(
            arranged(&[3.0], &[], true).steps,
            [Step::DeepWater, Step::Panes(0..1)]
        );
    }
}
