//! What shows a copy of the picture behind it: water through which that is seen, and panes, which bend it. And what is drawn
//! between these.

use super::{Renderer, bind_nodes, bind_view, shows_sea};
use crate::{
    FrameState, SceneGpu,
    attachments::{Attachments, Samples, Stage, StageDepth},
    draw_list::{DrawItem, PanePart},
    passes::water::{PictureBehind, WaterTargets},
    seen_through::{Run, Step},
};
use ironlands_scene::PassKind;

impl Renderer {
    /// Records all steps before the last runs: from the first picture of `water`, which holds what is behind all of them, to
    /// the target.
    pub(super) fn draw_steps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (scene, state): (&SceneGpu, &FrameState),
        water: &WaterTargets,
        (attachments, target): (&Attachments, &wgpu::TextureView),
        soft_depth: Option<&wgpu::BindGroup>,
    ) {
        let n_copies = self.seen_through.n_copies();
        let mut n_done = 0;
        for step in &self.seen_through.steps {
            let behind = water.behind(n_done);
            n_done += usize::from(step.copies());
            let is_on_target = n_done == n_copies;
            let stage = Stage {
                label: label_of(step),
                picture: match is_on_target {
                    true => target,
                    false => &water.behind(n_done).view,
                },
                background: None,
                samples: match is_on_target {
                    true => Samples::NotYet,
                    false => Samples::Kept,
                },
                depth: match step {
                    Step::PlainWater => StageDepth::Written,
                    _ => StageDepth::Read,
                },
            };
            let pass = &mut attachments.begin(encoder, &stage);
            if step.copies() {
                self.deep_water.pass.copy_behind(pass, behind);
            }
            bind_view(pass, &self.level, &scene.environment);
            match step {
                Step::Panes(items) => {
                    let items = &self.seen_through.pane_items[items.clone()];
                    self.draw_panes(pass, (scene, state), behind, items);
                }
                Step::DeepWater => self.draw_deep_water(pass, (scene, state), behind),
                Step::PlainWater => self.draw_water(pass, scene, state),
                Step::Runs(runs) => {
                    let runs = &self.seen_through.runs[runs.clone()];
                    self.draw_runs(pass, (scene, state), soft_depth, runs);
                }
            }
        }
    }

    /// Particles and surfaces that are seen through.
    pub(super) fn draw_runs(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        (scene, state): (&SceneGpu, &FrameState),
        depth: Option<&wgpu::BindGroup>,
        runs: &[Run],
    ) {
        let surfaces = self.level.list.of_kind(PassKind::Translucent);
        let own = |item: &DrawItem| Some(self.surface.pipeline(item.pipeline, self.added));
        for Run { quads, items } in runs {
            if let Some(emitters) = scene.emitters.as_ref().filter(|_| !quads.is_empty()) {
                self.particles.draw(pass, emitters, depth, quads.clone());
            }
            bind_nodes(pass, scene, state, &self.level);
            self.draw_items(pass, scene, &surfaces[items.clone()], own);
        }
    }

    /// Panes of one layer, and what is laid over each.
    fn draw_panes(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        (scene, state): (&SceneGpu, &FrameState),
        behind: &PictureBehind,
        items: &[DrawItem],
    ) {
        let is_bent = |item: &DrawItem| matches!(item.pane, Some(PanePart::Bent(_)));
        let own = |item: &DrawItem| Some(self.surface.pipeline(item.pipeline, self.added));
        for items in items.chunk_by(|a, b| is_bent(a) == is_bent(b)) {
            if items.first().is_some_and(is_bent) {
                pass.set_bind_group(3, &behind.bind_group, &[]);
                pass.set_vertex_buffer(1, self.level.pane_places.buffer().slice(..));
            } else {
                bind_nodes(pass, scene, state, &self.level);
            }
            self.draw_items(pass, scene, items, own);
        }
    }

    fn draw_deep_water(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        (scene, state): (&SceneGpu, &FrameState),
        behind: &PictureBehind,
    ) {
        pass.set_bind_group(3, &behind.bind_group, &[]);
        let sea = scene.sea.iter().filter(|_| shows_sea(state));
        for layer in sea {
            if let Some(pipeline) = self.surface.deep(layer.pipeline, self.added) {
                pass.set_pipeline(pipeline);
                self.set_material(pass, scene, layer.pass);
                self.surface.draw_sea(pass);
            }
        }
        let items = self.level.list.of_kind(PassKind::Water);
        let deep = |item: &DrawItem| self.surface.deep(item.pipeline, self.added);
        self.draw_items(pass, scene, items, deep);
    }
}

fn label_of(step: &Step) -> &'static str {
    match step {
        Step::Panes(_) => "panes",
        Step::DeepWater => "deep water",
        Step::PlainWater => "water before panes",
        Step::Runs(_) => "seen through, behind panes",
    }
}
