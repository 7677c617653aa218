//! Materials -> what the draw list must know of their passes over pieces of models.

use ironlands_scene::{Pass, Scene, ViewRange};

use super::{GpuPass, Uploader, materials::glass_of};
use crate::{
    draw_list::{BentOrder, PassOrder},
    passes::{
        FogKind,
        pipeline_key::{N_VARIANTS, PieceVariant, PipelineKey, Shading},
    },
};

impl Uploader<'_> {
    /// For each material what the draw list must know of its passes over pieces, by [`PieceVariant::index`]. `orders` is
    /// that of all materials over meshes.
    pub(super) fn order_model_materials(
        &mut self,
        scene: &Scene,
        orders: &[Vec<PassOrder>],
        gpu_passes: &[GpuPass],
    ) -> Vec<[Vec<PassOrder>; N_VARIANTS]> {
        // Of each material, by whether vertices can move, and twice that whether an instance can be partly gone.
        let mut is_used = vec![[false; 4]; scene.materials.len()];
        let mut can_fade = vec![false; scene.models.len()];
        for instance in &scene.instances {
            can_fade[instance.model.0 as usize] |= instance.range != ViewRange::ALL;
        }
        for (model, can_fade) in scene.models.iter().zip(can_fade) {
            let targets = &model.mesh.morph_targets;
            let can_move =
                targets.iter().any(|target| !target.offsets.is_empty()) || !model.joints.is_empty();
            for batch in &model.mesh.batches {
                let of_material = is_used[batch.material.0 as usize].iter_mut();
                for (kind, is_used) in of_material.enumerate() {
                    *is_used |= (can_move || kind & 1 == 0) && (can_fade || kind & 2 == 0);
                }
            }
        }
        let fog = FogKind::from_scene(scene);
        let materials = scene.materials.iter().zip(orders).enumerate();
        materials
            .map(|(index, (material, orders))| {
                PieceVariant::ALL.map(|variant| {
                    let kind = usize::from(variant.is_morphed) + 2 * usize::from(variant.is_fading);
                    let is_used = is_used[index][kind];
                    let passes = material.passes.iter().zip(orders).filter(|_| is_used);
                    passes
                        .map(|(pass, order)| {
                            let shading = gpu_passes[order.pass].shading;
                            self.order_model_pass((pass, order), shading, fog, variant)
                        })
                        .collect()
                })
            })
            .collect()
    }

    fn order_model_pass(
        &mut self,
        (pass, order): (&Pass, &PassOrder),
        shading: Shading,
        fog: FogKind,
        variant: PieceVariant,
    ) -> PassOrder {
        let is_rigid = !variant.is_morphed && !variant.is_fading;
        let bent = order.bent.filter(|_| is_rigid).map(|bent| BentOrder {
            pipeline: (self.surface).prepare(self.gpu, PipelineKey::from_pane(pass, fog, variant)),
            ..bent
        });
        let glass = glass_of(pass);
        let pass = glass.as_ref().unwrap_or(pass);
        let key = PipelineKey::from_model_pass(pass, shading, fog, variant);
        let depth = PipelineKey::from_caster(pass, shading, Some(variant));
        PassOrder {
            pipeline: self.surface.prepare(self.gpu, key),
            bent,
            core: self.surface.prepare_core(self.gpu, key),
            depth: self.depth_order(depth, order.pass),
            ..*order
        }
    }
}
