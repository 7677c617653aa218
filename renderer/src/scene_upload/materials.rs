//! Materials -> what the draw list must know of their passes, and bind groups.

use std::borrow::Cow;

use ironlands_scene::{
    Blend, BlendTexture, Lighting, Lightmap, Pass, PassAnimation, PassKind, PassPhase, Refraction,
    Scene, TextureIdx,
};

use super::{Uploader, effects, textures::Textures};
use crate::{
    Gpu,
    draw_list::{BentOrder, DepthOrder, NO_PASS, PassOrder},
    passes::{
        FogKind,
        pipeline_key::{BakedState, PieceVariant, PipelineKey, Shading},
    },
    uniforms::{BakedUniform, EffectsUniform, MaterialUniform},
};

const LINEAR_TEXTURE: u32 = 1;
const BLEND_TEXTURE: u32 = 2;
const LINEAR_BLEND_TEXTURE: u32 = 4;
const TRANSITION: u32 = 8;
const LINEAR_LIGHT: u32 = 16;
const NORMAL_MAP: u32 = 32;
const SELF_SHADOWED: u32 = 64;
const CHANGES_LINEAR: u32 = 128;
const FADES_BY_WEIGHT: u32 = 256;
const DETAIL: u32 = 512;
const HAS_EDGE: u32 = 1024;

/// A material pass on the device.
#[derive(Debug)]
pub(crate) struct GpuPass {
    /// The same colors with each of the textures that it shows.
    bind_groups: Vec<wgpu::BindGroup>,
    pub shading: Shading,
    /// [`Pass::glows`].
    pub glows: bool,
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
    /// Gives the pass the colors of a moment; which of its bind groups has the texture.
    pub fn prepare(&self, gpu: &Gpu, time_ms: u32) -> usize {
        let Some(changes) = &self.changes else {
            return 0;
        };
        let look = changes.animation.at(time_ms);
        let uniform = MaterialUniform::new(&changes.pass, &look);
        gpu.write(&changes.uniform, bytemuck::bytes_of(&uniform));
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

/// The passes of a scene, each once, and what is on the device of them.
#[derive(Default)]
struct Distinct<'s> {
    passes: Vec<Cow<'s, Pass>>,
    uploaded: Vec<GpuPass>,
}

impl Uploader<'_> {
    /// The order and the bind groups of all passes; pipelines that they need are made.
    ///
    /// Materials often differ in one layer only. Equal passes share a bind group, so that the draw list can
    /// join their runs.
    pub(super) fn upload_materials(
        &mut self,
        scene: &Scene,
        textures: &Textures,
    ) -> (Vec<Vec<PassOrder>>, Vec<GpuPass>) {
        let fog = FogKind::from_scene(scene);
        let mut distinct = Distinct::default();
        let mut orders = Vec::new();
        for material in &scene.materials {
            let passes = material.passes.iter().enumerate();
            let order = passes.map(|(index, pass)| {
                let kind = pass.kind;
                let is_last = count_of_kind(&material.passes[index + 1..], kind) == 0;
                let bent = (pass.refraction).map(|refraction| BentOrder {
                    pipeline: (self.surface).prepare(
                        self.gpu,
                        PipelineKey::from_pane(pass, fog, PieceVariant::default()),
                    ),
                    pass: self.place_of(
                        &mut distinct,
                        &material.name,
                        Cow::Borrowed(pass),
                        textures,
                    ),
                    reach: refraction.bend.abs(),
                });
                let pass = glass_of(pass).map_or(Cow::Borrowed(pass), Cow::Owned);
                let shading = textures.shading(&pass);
                let key = PipelineKey::from_pass(&pass, shading, fog, is_last);
                let depth = PipelineKey::from_caster(&pass, shading, None);
                let drawn_kind = pass.kind;
                let pass_idx = self.place_of(&mut distinct, &material.name, pass, textures);
                PassOrder {
                    kind: drawn_kind,
                    layer: count_of_kind(&material.passes[..index], kind),
                    pipeline: self.surface.prepare(self.gpu, key),
                    pass: pass_idx,
                    bent,
                    core: self.surface.prepare_core(self.gpu, key),
                    depth: self.depth_order(depth, pass_idx),
                }
            });
            orders.push(order.collect());
        }
        (orders, distinct.uploaded)
    }

    /// Where a pass is among those that are uploaded; uploads it if it is not.
    fn place_of<'s>(
        &self,
        distinct: &mut Distinct<'s>,
        label: &str,
        pass: Cow<'s, Pass>,
        textures: &Textures,
    ) -> usize {
        if let Some(known) = distinct.passes.iter().position(|other| *other == pass) {
            return known;
        }
        (distinct.uploaded).push(self.upload_pass(label, &pass, textures));
        distinct.passes.push(pass);
        distinct.passes.len() - 1
    }

    /// How the depths of a pass are drawn that has this key.
    pub(super) fn depth_order(
        &mut self,
        key: Option<PipelineKey>,
        pass: usize,
    ) -> Option<DepthOrder> {
        key.map(|key| DepthOrder {
            pipeline: self.surface.prepare(self.gpu, key),
            pass: if key.is_without_material() {
                NO_PASS
            } else {
                pass
            },
        })
    }

    fn upload_pass(&self, label: &str, pass: &Pass, textures: &Textures) -> GpuPass {
        let own_look = PassPhase {
            texture: pass.texture,
            cell: pass.cell,
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
        let shading = textures.shading(pass);
        let bind_groups = shown
            .iter()
            .map(|texture| match (shading, pass.refraction) {
                (_, Some(refraction)) => {
                    self.refracting_bind_group(label, &uniform, &refraction, textures)
                }
                (Shading::Fixed, None) => {
                    self.fixed_bind_group(label, &uniform, *texture, textures)
                }
                (Shading::Baked(_), None) => {
                    self.baked_bind_group(label, &uniform, *texture, pass, textures)
                }
            });
        GpuPass {
            bind_groups: bind_groups.collect(),
            shading,
            glows: pass.glows,
            changes: pass.animation.clone().map(|animation| Changes {
                pass: pass.clone(),
                animation,
                textures: shown,
                uniform,
            }),
        }
    }

    fn fixed_bind_group(
        &self,
        label: &str,
        uniform: &wgpu::Buffer,
        texture: Option<TextureIdx>,
        textures: &Textures,
    ) -> wgpu::BindGroup {
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &self.layouts.material,
                entries: &material_entries(uniform, texture, textures),
            })
    }

    fn refracting_bind_group(
        &self,
        label: &str,
        uniform: &wgpu::Buffer,
        refraction: &Refraction,
        textures: &Textures,
    ) -> wgpu::BindGroup {
        let mut entries = material_entries(uniform, Some(refraction.normals), textures).to_vec();
        entries.push(view_entry((3, &textures.get(refraction.tint).view)));
        entries.push(sampler_entry(4, textures.sampler(refraction.tint)));
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &self.layouts.refracting_material,
                entries: &entries,
            })
    }

    fn baked_bind_group(
        &self,
        label: &str,
        uniform: &wgpu::Buffer,
        texture: Option<TextureIdx>,
        pass: &Pass,
        textures: &Textures,
    ) -> wgpu::BindGroup {
        let second = pass.blend_texture;
        let lightmap = pass.lightmap.as_ref();
        let light = lightmap.map(|lightmap| lightmap.texture);
        let normals = match &pass.effects {
            Some(its) => effects::normals_of(pass, its),
            None => lightmap.and_then(|it| Some(it.normal_map?.texture)),
        };
        let baked = self.uniform_buffer(label, &baked_uniform(texture, pass, textures));
        let views = [
            second.map(|second| second.texture),
            second.and_then(|second| second.transition),
            normals,
        ]
        .map(|texture| &textures.get(texture).view);
        let mut entries = material_entries(uniform, texture, textures).to_vec();
        entries.push(wgpu::BindGroupEntry {
            binding: 3,
            resource: baked.as_entire_binding(),
        });
        let views = views.into_iter().chain([&textures.get(light).layers]);
        entries.extend((4..).zip(views).map(view_entry));
        entries.push(sampler_entry(8, textures.sampler(light)));
        let detail = pass.effects.as_ref().and_then(|it| it.detail.as_ref());
        let detail = detail.map(|it| it.texture).or(pass.detail);
        entries.push(view_entry((9, &textures.get(detail).view)));
        entries.push(sampler_entry(10, textures.sampler(detail)));
        let effects_uniform = pass
            .effects
            .as_ref()
            .map(|it| self.uniform_buffer(label, &EffectsUniform::new(it)));
        let mut layout = &self.layouts.baked_material;
        if let (Some(its), Some(uniform)) = (&pass.effects, &effects_uniform) {
            layout = &self.layouts.effect_material;
            entries.push(wgpu::BindGroupEntry {
                binding: 11,
                resource: uniform.as_entire_binding(),
            });
            entries.extend(effects::entries(its, textures));
        }
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries: &entries,
            })
    }
}

/// What a pass that bends what is behind it is drawn as where nothing is bent: glass that colors what is behind, by up to
/// twice its brightness.
pub(super) fn glass_of(pass: &Pass) -> Option<Pass> {
    let refraction = pass.refraction?;
    let [r, g, b, alpha] = pass.diffuse;
    Some(Pass {
        kind: PassKind::Translucent,
        texture: refraction.tint,
        diffuse: [r / 2.0, g / 2.0, b / 2.0, alpha],
        blend: Some(Blend::MODULATE_2X),
        refraction: None,
        ..pass.clone()
    })
}

fn material_entries<'a>(
    uniform: &'a wgpu::Buffer,
    texture: Option<TextureIdx>,
    textures: &'a Textures,
) -> [wgpu::BindGroupEntry<'a>; 3] {
    [
        wgpu::BindGroupEntry {
            binding: 0,
            resource: uniform.as_entire_binding(),
        },
        view_entry((1, &textures.get(texture).view)),
        sampler_entry(2, textures.sampler(texture)),
    ]
}

pub(crate) fn view_entry((binding, view): (u32, &wgpu::TextureView)) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry {
        binding,
        resource: wgpu::BindingResource::TextureView(view),
    }
}

pub(crate) fn sampler_entry(binding: u32, sampler: &wgpu::Sampler) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry {
        binding,
        resource: wgpu::BindingResource::Sampler(sampler),
    }
}

fn baked_uniform(texture: Option<TextureIdx>, pass: &Pass, textures: &Textures) -> BakedUniform {
    let lightmap = pass.lightmap.as_ref();
    let lightmap_styles = lightmap.map_or(&[][..], |lightmap| &lightmap.styles);
    let mut styles = [0; 4];
    for (style, lightmap_style) in styles.iter_mut().zip(lightmap_styles) {
        *style = u32::from(*lightmap_style);
    }
    let fade = pass.fade.unwrap_or_default();
    let mut fade_channel = [0.0; 4];
    fade_channel[usize::from(fade.channel)] = 1.0;
    let edge = fade.edge.map(|it| [it.luminance, it.weight]);
    BakedUniform {
        styles,
        is_linear: textures.get(texture).is_linear.into(),
        padding: [0; 3],
        fade_channel,
        edge: edge.unwrap_or_default(),
    }
}

impl Textures {
    /// What a pass is made of.
    pub fn shading(&self, pass: &Pass) -> Shading {
        if pass.refraction.is_some() {
            return Shading::Fixed;
        }
        let phases = pass.animation.iter().flat_map(|it| &it.phases);
        let shown = phases.map(|phase| phase.texture).chain([pass.texture]);
        let mut are_linear = shown.map(|texture| self.get(texture).is_linear);
        let is_linear = are_linear.next().unwrap_or(false);
        let changes_linear = are_linear.any(|other| other != is_linear);
        let is_baked = matches!(pass.lighting, Lighting::Lightmap | Lighting::Ambient)
            || pass.blend_texture.is_some()
            || pass.fade.is_some()
            || pass.detail.is_some()
            || pass.effects.is_some()
            || is_linear
            || changes_linear;
        if !is_baked {
            return Shading::Fixed;
        }
        let lightmap = pass.lightmap.as_ref();
        let flags = [
            (is_linear && !changes_linear, LINEAR_TEXTURE),
            (changes_linear, CHANGES_LINEAR),
            (pass.fade.is_some(), FADES_BY_WEIGHT),
            (pass.fade.is_some_and(|it| it.edge.is_some()), HAS_EDGE),
            (pass.detail.is_some(), DETAIL),
        ];
        let flags = flags
            .into_iter()
            .chain(self.flags_of_blend(pass.blend_texture))
            .chain(self.flags_of_lightmap(lightmap))
            .chain([(has_shares_as_normals(pass), SELF_SHADOWED)]);
        Shading::Baked(BakedState {
            flags: (flags.filter(|(on, _)| *on)).fold(0, |flags, (_, flag)| flags | flag),
            n_styles: lightmap.map_or(0, |lightmap| lightmap.styles.len() as u32),
            effects: (pass.effects.as_ref()).map(|it| effects::state_of(pass, it, self)),
        })
    }

    fn flags_of_blend(&self, blend: Option<BlendTexture>) -> [(bool, u32); 3] {
        let is_linear = self.get(blend.map(|it| it.texture)).is_linear;
        [
            (blend.is_some(), BLEND_TEXTURE),
            (is_linear, LINEAR_BLEND_TEXTURE),
            (blend.is_some_and(|it| it.transition.is_some()), TRANSITION),
        ]
    }

    fn flags_of_lightmap(&self, lightmap: Option<&Lightmap>) -> [(bool, u32); 3] {
        let normal_map = lightmap.and_then(|lightmap| lightmap.normal_map);
        let is_linear = self.get(lightmap.map(|it| it.texture)).is_linear;
        [
            (is_linear, LINEAR_LIGHT),
            (normal_map.is_some(), NORMAL_MAP),
            (
                normal_map.is_some_and(|it| it.is_self_shadowed),
                SELF_SHADOWED,
            ),
        ]
    }
}

/// Whether the normals of effects come from shares of three lights.
fn has_shares_as_normals(pass: &Pass) -> bool {
    let of_light = pass.lightmap.as_ref().and_then(|it| it.normal_map);
    let of_effects = pass.effects.as_ref().and_then(|it| it.normal_map);
    (of_light.or(of_effects)).is_some_and(|it| it.is_self_shadowed)
}

fn count_of_kind(passes: &[Pass], kind: PassKind) -> usize {
    passes.iter().filter(|pass| pass.kind == kind).count()
}
