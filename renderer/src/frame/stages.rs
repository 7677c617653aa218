//! The render passes of a frame: as few as what looks at the picture so far allows.

use ironlands_scene::{PassKind, Sun};

use super::{Renderer, bind_nodes, bind_view};
use crate::{
    FrameState, Gpu, RenderError, SceneGpu,
    attachments::{Attachments, Samples, Stage, StageDepth},
    draw_list::DrawItem,
    passes::{
        blob_shadow::BlobShadowPass,
        bloom::BloomPass,
        occlusion::{OcclusionPass, SeenDepth},
        picture_pass::Picture,
    },
};

/// Cosine of the angle around the line of sight beyond which the sun is not in the picture, whatever its shape.
const SUN_OUT_OF_SIGHT: f32 = 0.3;

impl Renderer {
    /// Makes what ambient occlusion and bloom draw with, where the frame has them.
    pub(super) fn prepare_picture_passes(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        attachments: &Attachments,
    ) -> Result<(), RenderError> {
        let has_bloom = self.has_bloom(scene, state);
        let has_blobs = self.blob_depth(attachments).is_some();
        let Self {
            layouts,
            targets,
            occlusion,
            blobs,
            blob_shadows,
            bloom,
            ..
        } = self;
        let size = attachments.size;
        if has_occlusion(scene, state, attachments).is_some() {
            gpu.guarded("ambient occlusion", || {
                occlusion
                    .get_or_insert_with(|| OcclusionPass::new(gpu, layouts, targets))
                    .make_targets(gpu, layouts, size);
            })?;
        }
        if has_blobs {
            let make = || BlobShadowPass::new(gpu, layouts, targets);
            gpu.guarded("round shadows", || {
                blob_shadows.get_or_insert_with(make);
            })?;
            if let Some(pass) = blob_shadows {
                pass.write(gpu, blobs)?;
            }
        }
        if has_bloom {
            gpu.guarded("bloom", || {
                bloom
                    .get_or_insert_with(|| BloomPass::new(gpu, layouts, targets))
                    .make_targets(gpu, layouts, size);
            })?;
        }
        Ok(())
    }

    /// Records all passes that draw on the target, but that of the user interface.
    pub(super) fn draw_stages(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneGpu,
        state: &FrameState,
        (attachments, target): (&Attachments, &wgpu::TextureView),
        background: [f32; 3],
    ) {
        let water = self.deep_water.targets.as_ref();
        let water = water.filter(|_| self.seen_through.n_copies() > 0);
        let is_deep = self.has_deep_water(scene, state);
        let has_late_water = is_deep || self.seen_through.has_late_water();
        let occlusion = has_occlusion(scene, state, attachments).zip(self.occlusion.as_ref());
        let blobs = (self.blob_depth(attachments)).zip(self.blob_shadows.as_ref());
        let is_shaded = occlusion.is_some() || blobs.is_some();
        let soft_depth = attachments.readable_depth.as_ref();
        let soft_depth = soft_depth.filter(|_| self.has_soft_particles(state));
        let bloom = self.bloom.as_ref().filter(|_| self.has_bloom(scene, state));
        if let Some(water) = water.filter(|_| is_deep) {
            self.draw_mirrors(encoder, water, scene, state, background);
        }

        let is_one = water.is_none() && !is_shaded && soft_depth.is_none();
        let picture = water.map_or(target, |water| &water.behind(0).view);
        // What is behind is complete after this, or after it is darkened, or with water over that.
        let behind_samples = match water {
            Some(_) => Samples::Kept,
            None => Samples::NotYet,
        };
        let shaded_samples = if has_late_water {
            behind_samples
        } else {
            Samples::NotYet
        };
        let depth_at_end = match bloom {
            Some(_) => StageDepth::First,
            None => StageDepth::Only,
        };
        {
            let pass = &mut attachments.begin(
                encoder,
                &Stage {
                    label: "solid",
                    picture,
                    background: Some(background),
                    samples: match (is_one, is_shaded) {
                        (true, _) => Samples::Last,
                        (false, true) => Samples::NotYet,
                        (false, false) => behind_samples,
                    },
                    depth: if is_one {
                        depth_at_end
                    } else {
                        StageDepth::First
                    },
                },
            );
            self.draw_behind(pass, scene, state, attachments.size);
            if !has_late_water && !is_shaded {
                self.draw_water(pass, scene, state);
            }
            if is_one {
                self.draw_before(pass, scene, state, None);
            }
        }
        let on_picture = |picture, label, samples, depth| Stage {
            label,
            picture,
            background: None,
            samples,
            depth,
        };
        if let Some((depth, occlusion)) = occlusion {
            let frame = &self.level.bind_group;
            occlusion.find(encoder, SeenDepth { frame, depth });
        }
        if is_shaded {
            let stage = on_picture(picture, "shade", shaded_samples, StageDepth::Read);
            let pass = &mut attachments.begin(encoder, &stage);
            bind_view(pass, &self.level, &scene.environment);
            if let Some((depth, blob_shadows)) = blobs {
                blob_shadows.draw(pass, depth, self.blobs.len());
            }
            if let Some((depth, occlusion)) = occlusion {
                occlusion.shade(pass, depth);
            }
        }
        if is_shaded && !has_late_water {
            let stage = on_picture(picture, "water", behind_samples, StageDepth::Written);
            let pass = &mut attachments.begin(encoder, &stage);
            bind_view(pass, &self.level, &scene.environment);
            self.draw_water(pass, scene, state);
        }
        if let Some(water) = water {
            let on = (attachments, target);
            self.draw_steps(encoder, (scene, state), water, on, soft_depth);
        }
        if !is_one {
            let stage = on_picture(target, "before", Samples::Last, StageDepth::Read);
            let pass = &mut attachments.begin(encoder, &stage);
            self.draw_before(pass, scene, state, soft_depth);
        }
        if let Some((bloom, (picture, strength))) = bloom.zip(self.blooming_picture(scene, state)) {
            bloom.lay_over_bright(encoder, picture, strength);
        } else if let Some(bloom) = bloom {
            self.draw_glow(bloom.begin_glow(encoder, &attachments.depth), scene, state);
            bloom.lay_over(encoder, target);
        }
    }

    /// The depth to find out what round shadows fall on, where the frame has some.
    fn blob_depth<'a>(&self, attachments: &'a Attachments) -> Option<&'a wgpu::BindGroup> {
        let depth = attachments.readable_depth.as_ref();
        depth.filter(|_| !self.blobs.is_empty())
    }

    /// Whether particles look at the depth of what is behind them.
    fn has_soft_particles(&self, state: &FrameState) -> bool {
        state.adds(|it| it.soft_particles) && self.particle_list.is_any_soft()
    }

    /// The picture of a frame whose exposure follows it, around whose bright parts there is bloom, and how strong that is.
    fn blooming_picture(&self, scene: &SceneGpu, state: &FrameState) -> Option<(&Picture, f32)> {
        let exposure = scene.adaptation(state)?;
        let picture = self.grade.as_ref()?.picture()?;
        Some((picture, exposure.bloom))
    }

    /// Whether the frame has bloom, and something for it in view.
    fn has_bloom(&self, scene: &SceneGpu, state: &FrameState) -> bool {
        if let Some(exposure) = scene.adaptation(state) {
            return state.switches.bloom && exposure.bloom > 0.0;
        }
        let has_lit_item = |kind: PassKind| {
            let mut items = self.level.list.of_kind(kind).iter();
            items.any(|item| scene.passes[item.pass].glows)
        };
        state.adds(|it| it.bloom)
            && (self.particle_list.is_any_glowing()
                || shows_sun(scene, state)
                || (scene.has_glowing_pass && PassKind::ALL.into_iter().any(has_lit_item)))
    }

    /// Draws what glows, and nothing else, where the depth of the frame does not hide it.
    fn draw_glow(&self, mut pass: wgpu::RenderPass<'_>, scene: &SceneGpu, state: &FrameState) {
        let pass = &mut pass;
        bind_view(pass, &self.level, &scene.environment);
        if shows_sun(scene, state) {
            self.sky.draw_glow(pass);
        }
        let glowing = |item: &DrawItem| {
            let pipeline = self.surface.pipeline(item.pipeline, self.added);
            scene.passes[item.pass].glows.then_some(pipeline)
        };
        if scene.has_glowing_pass {
            bind_nodes(pass, scene, state, &self.level);
            for kind in PassKind::ALL {
                self.draw_items(pass, scene, self.level.list.of_kind(kind), glowing);
            }
        }
        if let Some(emitters) = &scene.emitters {
            let n_quads = self.particle_list.len();
            self.particles.draw_glow(pass, emitters, n_quads);
        }
    }
}

/// The depth to find ambient occlusion from, where the frame has it.
fn has_occlusion<'a>(
    scene: &SceneGpu,
    state: &FrameState,
    attachments: &'a Attachments,
) -> Option<&'a wgpu::BindGroup> {
    let is_shown = state.adds(|it| it.ambient_occlusion) && scene.occlusion_radius > 0.0;
    attachments.readable_depth.as_ref().filter(|_| is_shown)
}

/// Whether the disc of the sun may be in the picture, and bright.
fn shows_sun(scene: &SceneGpu, state: &FrameState) -> bool {
    let atmosphere = scene.atmosphere(state);
    let Sun {
        direction_to_sun, ..
    } = atmosphere.sun;
    let ahead = state.camera.forward().dot(direction_to_sun.into());
    let is_bright = atmosphere.sky.sun_disc.iter().any(|it| *it > 0.0);
    let is_below_water = scene.air(state).is_water;
    let has_dome = state.switches.sky && scene.sky_box.is_none();
    has_dome && is_bright && !is_below_water && ahead > SUN_OUT_OF_SIGHT
}
