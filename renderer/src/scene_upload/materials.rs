//! Materials -> what the draw list must know of their passes, and bind groups.

use ironlands_scene::{Material, Pass, PassAnimation, PassKind, PassPhase, TextureIdx};

use super::{Uploader, textures::Textures};
use crate::{Gpu, draw_list::PassOrder, passes::surface::PipelineKey, uniforms::MaterialUniform};

/// A material pass on the device.
#[derive(Debug)]
pub(crate) struct GpuPass {
    /// The same colours with each of the textures that it shows.
    bind_groups: Vec<wgpu::BindGroup>,
    /// None if it always looks the same.
    changes: Option<Changes>,
}

/// How a pass changes with time.
#[derive(Debug)]
struct Changes {
    pass: Pass,
    animation: PassAnimation,
    /// In the order of the bind groups.
    textures: Vec<Option<TextureIdx>>,
    uniform: wgpu::Buffer,
}

impl GpuPass {
    /// Gives the pass the colours of a moment; which of its bind groups has the texture.
    pub fn prepare(&self, gpu: &Gpu, time_ms: u32) -> usize {
        let Some(changes) = &self.changes else {
            return 0;
        };
        let look = changes.animation.at(time_ms);
        let uniform = MaterialUniform::new(&changes.pass, &look);
        gpu.queue
            .write_buffer(&changes.uniform, 0, bytemuck::bytes_of(&uniform));
        let mut textures = changes.textures.iter();
        textures
            .position(|texture| *texture == look.texture)
            .expect("a look has the texture of one of the phases")
    }

    /// The bind group that [`Self::prepare`] chose.
    pub fn bind_group(&self, index: usize) -> &wgpu::BindGroup {
        &self.bind_groups[index]
    }
}

impl Uploader<'_> {
    /// The order and the bind groups of all passes; pipelines that they need are made.
    ///
    /// Materials often differ in one layer only. Equal passes share a bind group, so that the draw list can
    /// join their runs.
    pub(super) fn upload_materials(
        &mut self,
        materials: &[Material],
        textures: &Textures,
    ) -> (Vec<Vec<PassOrder>>, Vec<GpuPass>) {
        let mut distinct: Vec<&Pass> = Vec::new();
        let mut gpu_passes = Vec::new();
        let mut orders = Vec::new();
        for material in materials {
            let mut order = Vec::new();
            for (index, pass) in material.passes.iter().enumerate() {
                let known = distinct.iter().position(|other| *other == pass);
                order.push(PassOrder {
                    kind: pass.kind,
                    layer: count_of_kind(&material.passes[..index], pass.kind),
                    pipeline: {
                        let is_last = count_of_kind(&material.passes[index + 1..], pass.kind) == 0;
                        let key = PipelineKey::of_pass(pass, is_last);
                        self.surface.prepare(self.gpu, key)
                    },
                    pass: known.unwrap_or(distinct.len()),
                });
                if known.is_none() {
                    distinct.push(pass);
                    gpu_passes.push(self.upload_pass(&material.name, pass, textures));
                }
            }
            orders.push(order);
        }
        (orders, gpu_passes)
    }

    fn upload_pass(&self, label: &str, pass: &Pass, textures: &Textures) -> GpuPass {
        let own_look = PassPhase {
            texture: pass.texture,
            diffuse: pass.diffuse,
            ambient: pass.ambient,
            emissive: pass.emissive,
        };
        let looks = pass.animation.as_ref().map(|it| it.phases.as_slice());
        let looks = looks.unwrap_or(std::slice::from_ref(&own_look));
        let mut shown = Vec::new();
        for look in looks {
            if !shown.contains(&look.texture) {
                shown.push(look.texture);
            }
        }
        let uniform = self.uniform_buffer(label, &MaterialUniform::new(pass, &looks[0]));
        let bind_groups = shown.iter().map(|texture| {
            let (view, sampler) = textures.view_and_sampler(*texture);
            self.pass_bind_group(label, &uniform, view, sampler)
        });
        GpuPass {
            bind_groups: bind_groups.collect(),
            changes: pass.animation.clone().map(|animation| Changes {
                pass: pass.clone(),
                animation,
                textures: shown,
                uniform,
            }),
        }
    }

    fn pass_bind_group(
        &self,
        label: &str,
        uniform: &wgpu::Buffer,
        view: &wgpu::TextureView,
        sampler: &wgpu::Sampler,
    ) -> wgpu::BindGroup {
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &self.layouts.material,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: uniform.as_entire_binding(),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::TextureView(view),
                    },
                    wgpu::BindGroupEntry {
                        binding: 2,
                        resource: wgpu::BindingResource::Sampler(sampler),
                    },
                ],
            })
    }
}

fn count_of_kind(passes: &[Pass], kind: PassKind) -> usize {
    passes.iter().filter(|pass| pass.kind == kind).count()
}
