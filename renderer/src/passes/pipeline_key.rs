//! What one pipeline of material passes is made for: plain state, no GPU.

use ironlands_scene::{Blend, BlendFactor, Cull, Lighting, Pass, PassKind};

use super::{AddedLight, FogKind, flag};
use crate::SurfaceView;

/// Which shader draws a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    Surface,
    Model,
    MorphedModel,
    Water,
    Sea,
    DeepWater,
    DeepSea,
    Refracting,
}

/// What a piece of a model requires of its pipelines in addition to its material.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PieceVariant {
    /// Placed by a matrix that mirrors.
    pub is_mirrored: bool,
    /// With vertices that have moved.
    pub is_morphed: bool,
    /// Partly gone, as it is far away.
    pub is_fading: bool,
}

/// How many different ones there are.
pub(crate) const N_VARIANTS: usize = 8;

impl PieceVariant {
    /// Each at its own index.
    pub const ALL: [Self; N_VARIANTS] = [
        Self::from_index(0),
        Self::from_index(1),
        Self::from_index(2),
        Self::from_index(3),
        Self::from_index(4),
        Self::from_index(5),
        Self::from_index(6),
        Self::from_index(7),
    ];

    const fn from_index(index: usize) -> Self {
        Self {
            is_mirrored: index & 1 != 0,
            is_morphed: index & 2 != 0,
            is_fading: index & 4 != 0,
        }
    }

    /// Its place in [`Self::ALL`].
    pub fn index(self) -> usize {
        usize::from(self.is_mirrored)
            + 2 * usize::from(self.is_morphed)
            + 4 * usize::from(self.is_fading)
    }
}

/// What a pass is made of, and so what is bound for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shading {
    /// One display-space texture, lit by the sun or by nothing.
    Fixed,
    /// A lightmap, a blend or detail texture, a weight, or textures of linear light.
    Baked(BakedState),
}

/// What a baked pass has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct BakedState {
    /// Bits of `BAKED_..` in `shaders/shared/baked_color.wgsl`.
    pub flags: u32,
    /// Styles of the lightmap.
    pub n_styles: u32,
    /// What more it has, for a program of its own.
    pub effects: Option<EffectsState>,
}

/// Effects of a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct EffectsState {
    /// Bits of `EFFECT_..` in `shaders/shared/effect_color.wgsl`.
    pub flags: u32,
    /// A number of `DETAIL_..` there.
    pub detail_mode: Option<u32>,
}

/// Which part of a surface a pipeline draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SurfacePart {
    Whole,
    /// What lies within soft edges, as if it were opaque.
    Core,
    /// The soft edges.
    Edges,
}

/// What a pipeline draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Output {
    /// Colors and depths of a picture.
    Picture,
    /// Depths alone, for a map.
    Depth,
    /// Depths where a texture has no holes.
    Cutout,
}

/// The plain state that makes one pipeline differ from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PipelineKey {
    pub output: Output,
    pub program: Program,
    pub shading: Shading,
    part: SurfacePart,
    pub blend: Option<Blend>,
    pub cull: Cull,
    /// Whether front faces are clockwise: a mirroring matrix turns their winding around.
    pub is_mirrored: bool,
    pub depth_write: bool,
    /// Whether only what an earlier pass left is drawn on.
    pub depth_equal: bool,
    pub alpha_test: bool,
    pub lighting: Lighting,
    pub uv_set: u8,
    /// Whether it may show the mirrored sky.
    pub mirrors: bool,
    /// [`ironlands_scene::Liquid::has_wave_texture`].
    pub has_wave_texture: bool,
    /// Whether its liquid is a mirror in the style of its world.
    is_sheet: bool,
    pub fog: FogKind,
    /// Whether it has a twin for deep water.
    is_liquid: bool,
    /// Whether it leaves out pixels of what is partly gone.
    fades: bool,
    /// [`ironlands_scene::Refraction::blur_px`].
    blur_px: u8,
}

impl PipelineKey {
    /// For a pass over mesh faces; `is_last` of its kind in its material.
    pub fn from_pass(pass: &Pass, shading: Shading, fog: FogKind, is_last: bool) -> Self {
        let is_water = pass.kind == PassKind::Water;
        let covers = pass.blend == Some(Blend::ALPHA) && pass.alpha_test.is_some();
        Self {
            output: Output::Picture,
            shading,
            part: match pass.kind {
                PassKind::SoftEdged if covers => SurfacePart::Edges,
                _ => SurfacePart::Whole,
            },
            program: match pass.kind {
                PassKind::Water => Program::Water,
                PassKind::Refracting => Program::Refracting,
                _ => Program::Surface,
            },
            // What is behind is part of what it shows.
            blend: pass.blend.filter(|_| pass.kind != PassKind::Refracting),
            cull: pass.cull,
            is_mirrored: false,
            depth_write: pass.depth_write,
            // A lightmap has no alpha of its own: it must leave holes of the base alone.
            depth_equal: pass.kind == PassKind::Lightmap,
            alpha_test: pass.alpha_test.is_some(),
            lighting: pass.lighting,
            uv_set: pass.uv_set,
            // A mirror lies over what is below only where the pass itself does.
            mirrors: is_water && is_last && matches!(pass.blend, None | Some(Blend::ALPHA)),
            has_wave_texture: is_water && has_wave_texture(pass),
            is_sheet: is_water && is_sheet(pass),
            fog,
            is_liquid: is_water && is_last && pass.liquid.is_some() && shading == Shading::Fixed,
            fades: false,
            blur_px: pass.refraction.map_or(0, |it| it.blur_px),
        }
    }

    /// For a pass that bends what is behind it, over faces or over pieces of models that only their nodes move.
    pub fn from_pane(pass: &Pass, fog: FogKind, variant: PieceVariant) -> Self {
        Self {
            is_mirrored: variant.is_mirrored && pass.cull != Cull::None,
            ..Self::from_pass(pass, Shading::Fixed, fog, false)
        }
    }

    /// For a pass over pieces of models.
    pub fn from_model_pass(
        pass: &Pass,
        shading: Shading,
        fog: FogKind,
        variant: PieceVariant,
    ) -> Self {
        Self {
            program: if variant.is_morphed {
                Program::MorphedModel
            } else {
                Program::Model
            },
            // Without culling, both kinds share a pipeline.
            is_mirrored: variant.is_mirrored && pass.cull != Cull::None,
            mirrors: false,
            has_wave_texture: false,
            is_sheet: false,
            is_liquid: false,
            fades: variant.is_fading,
            ..Self::from_pass(pass, shading, fog, false)
        }
    }

    /// For a pass over the sea: the first one hides what is below, as there is nothing. The sea has no
    /// lightmap, so the sun lights it.
    pub fn from_sea_pass(
        pass: &Pass,
        shading: Shading,
        fog: FogKind,
        [is_first, is_last]: [bool; 2],
    ) -> Self {
        let blend = if is_first { None } else { pass.blend };
        Self {
            output: Output::Picture,
            program: Program::Sea,
            shading,
            part: SurfacePart::Whole,
            blend,
            cull: Cull::None,
            is_mirrored: false,
            depth_write: is_first,
            depth_equal: false,
            alpha_test: pass.alpha_test.is_some(),
            lighting: match pass.lighting {
                Lighting::Lightmap | Lighting::Ambient => Lighting::Linear,
                lighting => lighting,
            },
            uv_set: 0,
            mirrors: is_last && matches!(blend, None | Some(Blend::ALPHA)),
            has_wave_texture: has_wave_texture(pass),
            is_sheet: is_sheet(pass),
            fog,
            is_liquid: is_last && pass.liquid.is_some(),
            fades: false,
            blur_px: 0,
        }
    }

    /// For what lies within the edges; none where those are not soft.
    pub fn core(self) -> Option<Self> {
        (self.part == SurfacePart::Edges).then_some(Self {
            part: SurfacePart::Core,
            blend: None,
            ..self
        })
    }

    /// For the same as deep water, which shows what is behind it itself; none for what is no liquid.
    pub fn deep(self) -> Option<Self> {
        self.is_liquid.then_some(Self {
            program: match self.program {
                Program::Sea => Program::DeepSea,
                _ => Program::DeepWater,
            },
            blend: None,
            depth_write: false,
            alpha_test: false,
            mirrors: false,
            is_liquid: false,
            ..self
        })
    }

    /// For the depths of a pass over mesh faces, or over pieces of models; none if the pass hides nothing.
    ///
    /// Both sides throw shadows: what has only one side is closed, or seen from one side alone.
    pub fn from_caster(pass: &Pass, shading: Shading, piece: Option<PieceVariant>) -> Option<Self> {
        let is_cutout = pass.alpha_test.is_some();
        // Light that is added throws no shadow.
        let covers = match pass.blend {
            None => true,
            Some(blend) => is_cutout && blend == Blend::ALPHA,
        };
        let is_surface = matches!(pass.kind, PassKind::Base | PassKind::SoftEdged);
        let hides = is_surface && pass.depth_write && covers;
        hides.then(|| Self {
            output: if is_cutout {
                Output::Cutout
            } else {
                Output::Depth
            },
            program: match piece {
                None => Program::Surface,
                Some(PieceVariant { is_morphed, .. }) if is_morphed => Program::MorphedModel,
                Some(_) => Program::Model,
            },
            shading: match shading {
                // Bound as the pass is.
                Shading::Baked(state) if is_cutout => Shading::Baked(BakedState {
                    effects: state.effects.map(|_| EffectsState::default()),
                    ..BakedState::default()
                }),
                _ => Shading::Fixed,
            },
            part: SurfacePart::Whole,
            blend: None,
            cull: Cull::None,
            is_mirrored: false,
            depth_write: true,
            depth_equal: false,
            alpha_test: is_cutout,
            lighting: Lighting::Unlit,
            uv_set: if is_cutout { pass.uv_set } else { 0 },
            mirrors: false,
            has_wave_texture: false,
            is_sheet: false,
            fog: FogKind::None,
            is_liquid: false,
            fades: false,
            blur_px: 0,
        })
    }

    /// Whether the depths of all materials with this pipeline are drawn alike.
    pub fn is_without_material(&self) -> bool {
        self.output == Output::Depth
    }

    /// Whether it leaves out what has too little alpha, and draws the rest as if it were opaque.
    fn is_cutout(&self) -> bool {
        self.alpha_test && self.blend.is_none() && self.part == SurfacePart::Whole
    }

    /// Of what a frame adds, what changes this pipeline.
    pub fn lit_by(&self, added: AddedLight) -> AddedLight {
        let is_viewed = self.output == Output::Picture
            && matches!(
                self.program,
                Program::Surface | Program::Model | Program::MorphedModel
            );
        if is_viewed && added.view != SurfaceView::Shaded {
            return AddedLight {
                view: added.view,
                ..AddedLight::default()
            };
        }
        let is_sun_lit = is_sun_lit(self.lighting);
        AddedLight {
            sun_shadows: added.sun_shadows && is_sun_lit,
            local_lights: added.local_lights && self.lighting != Lighting::Unlit,
            lamp_shadows: added.lamp_shadows && self.lighting != Lighting::Unlit,
            mirror_sheets: added.mirror_sheets && self.is_sheet,
            smooth_cutouts: added.smooth_cutouts && is_viewed && self.is_cutout(),
            view: SurfaceView::Shaded,
        }
    }

    /// Values of the `override` constants of `shaders/shared/surface_color.wgsl`, and of `baked_color.wgsl`.
    pub fn constants(&self, added: AddedLight) -> Vec<(&'static str, f64)> {
        let lighting = match self.lighting {
            Lighting::Unlit => 0.0,
            Lighting::Display => 1.0,
            Lighting::Linear => 2.0,
            Lighting::Lightmap => 3.0,
            Lighting::Ambient => 4.0,
            Lighting::DisplayFloor => 5.0,
        };
        let fade = match Fade::from_blend(self.blend) {
            Fade::Fog => 0.0,
            Fade::Black => 1.0,
            Fade::Gray => 2.0,
            Fade::White => 3.0,
            Fade::Premultiplied => 4.0,
        };
        let mut constants = vec![
            ("LIGHTING", lighting),
            ("FADE", fade),
            ("ALPHA_TEST", flag(self.alpha_test)),
            ("UV_SET", f64::from(self.uv_set)),
            ("MIRRORS", flag(self.mirrors)),
            ("SUN_SHADOWS", flag(added.sun_shadows)),
            ("LOCAL_LIGHTS", flag(added.local_lights)),
            ("LAMP_SHADOWS", flag(added.lamp_shadows)),
            (
                "LOCAL_LIGHTS_LINEAR",
                flag(!matches!(
                    self.lighting,
                    Lighting::Display | Lighting::DisplayFloor
                )),
            ),
            ("COVERAGE", flag(added.smooth_cutouts)),
            self.fog.constant(),
        ];
        match self.part {
            SurfacePart::Whole => {}
            SurfacePart::Core => constants.push(("PART", 1.0)),
            SurfacePart::Edges => constants.push(("PART", 2.0)),
        }
        if self.has_wave_texture {
            constants.push(("WAVE_TEXTURE", flag(true)));
        }
        if matches!(self.program, Program::DeepWater | Program::DeepSea) {
            constants.push(("SHEET", flag(added.mirror_sheets)));
        }
        if self.program == Program::Refracting {
            constants.push(("BLUR_PX", self.blur_px.into()));
        }
        if self.fades {
            constants.push(("FADES", 1.0));
        }
        if let Shading::Baked(state) = self.shading
            && self.program != Program::Sea
        {
            let BakedState {
                flags,
                n_styles,
                effects,
            } = state;
            constants.extend([("BAKED", flags.into()), ("N_STYLES", n_styles.into())]);
            if let Some(EffectsState { flags, detail_mode }) = effects {
                constants.push(("EFFECTS", flags.into()));
                constants.extend(detail_mode.map(|mode| ("DETAIL_MODE", mode.into())));
            }
        }
        constants
    }
}

fn has_wave_texture(pass: &Pass) -> bool {
    pass.liquid.is_some_and(|liquid| liquid.has_wave_texture)
}

fn is_sheet(pass: &Pass) -> bool {
    pass.liquid.is_some_and(|liquid| liquid.sheet.is_some())
}

/// Whether the sun lights a pass directly.
pub(crate) fn is_sun_lit(lighting: Lighting) -> bool {
    matches!(
        lighting,
        Lighting::Display | Lighting::DisplayFloor | Lighting::Linear
    )
}

/// What a pass fades to in fog: the color that, once blended, leaves a fogged picture as it is, or the fog's
/// own for a pass that covers the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fade {
    /// Covers by alpha or replaces.
    Fog,
    /// Adds: black adds nothing.
    Black,
    /// Multiplies by two: middle gray changes nothing.
    Gray,
    /// Multiplies: white changes nothing.
    White,
    /// Covers by alpha, with the alpha in the color already.
    Premultiplied,
}

impl Fade {
    fn from_blend(blend: Option<Blend>) -> Self {
        use BlendFactor::{
            DestinationColor, InverseSourceAlpha, InverseSourceColor, One, SourceColor, Zero,
        };
        let Some(Blend {
            source,
            destination,
        }) = blend
        else {
            return Self::Fog;
        };
        match (source, destination) {
            (DestinationColor, SourceColor) => Self::Gray,
            (DestinationColor, Zero) | (Zero, SourceColor) => Self::White,
            (_, One | InverseSourceColor) => Self::Black,
            (One, InverseSourceAlpha) => Self::Premultiplied,
            _ => Self::Fog,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blended(source: BlendFactor, destination: BlendFactor) -> Option<Blend> {
        Some(Blend {
            source,
            destination,
        })
    }

    #[test]
    fn fog_fades_each_blend_to_what_leaves_the_picture_as_it_is() {
        use BlendFactor::*;
        for (blend, fade) in [
            (None, Fade::Fog),
            (Some(Blend::ALPHA), Fade::Fog),
            (Some(Blend::MODULATE_2X), Fade::Gray),
            (blended(One, One), Fade::Black),
            (blended(SourceAlpha, One), Fade::Black),
            (blended(DestinationColor, One), Fade::Black),
            (blended(One, InverseSourceColor), Fade::Black),
            (blended(Zero, InverseSourceColor), Fade::Black),
            (blended(Zero, SourceColor), Fade::White),
            (blended(DestinationColor, Zero), Fade::White),
            (blended(One, InverseSourceAlpha), Fade::Premultiplied),
            (blended(One, Zero), Fade::Fog),
        ] {
            assert_eq!(Fade::from_blend(blend), fade, "{blend:?}");
        }
    }

    #[test]
    fn only_the_last_water_pass_that_covers_mirrors() {
        let water = Pass {
            kind: PassKind::Water,
            blend: Some(Blend::ALPHA),
            ..Pass::default()
        };
        let added = Pass {
            blend: blended(BlendFactor::One, BlendFactor::One),
            ..water.clone()
        };
        let mirrors = |pass, is_last| {
            PipelineKey::from_pass(pass, Shading::Fixed, FogKind::None, is_last).mirrors
        };
        assert!(mirrors(&water, true));
        assert!(!mirrors(&water, false));
        assert!(!mirrors(&added, true));
        assert!(!mirrors(&Pass::default(), true));
    }

    #[test]
    fn mirrored_models_have_pipelines_of_their_own_only_where_sides_matter() {
        let both_sides = Pass::default();
        let one_side = Pass {
            cull: Cull::Back,
            ..Pass::default()
        };
        let keys = |pass| {
            [false, true].map(|is_mirrored| {
                let variant = PieceVariant {
                    is_mirrored,
                    ..PieceVariant::default()
                };
                PipelineKey::from_model_pass(pass, Shading::Fixed, FogKind::None, variant)
            })
        };
        let [plain, mirrored] = keys(&both_sides);
        assert_eq!(plain, mirrored);
        let [plain, mirrored] = keys(&one_side);
        assert_ne!(plain, mirrored);
    }

    #[test]
    fn each_variant_has_its_own_place() {
        for (index, variant) in PieceVariant::ALL.into_iter().enumerate() {
            assert_eq!(variant.index(), index, "{variant:?}");
        }
    }
}
