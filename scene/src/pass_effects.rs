//! What a pass shows of light beyond a texture that light multiplies: reflections, highlights, normals, detail.

use crate::{NormalMap, TextureIdx};

/// An affine map of texture coordinates that may move on steadily.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// `u' = rows[0][0] u + rows[0][1] v + rows[0][2]`, `v'` by the second row.
    pub rows: [[f32; 3]; 2],
    /// Texture repeats that go by per second, in u and v.
    pub scroll_per_sec: [f32; 2],
}

impl UvTransform {
    /// One that stays.
    pub const fn new(rows: [[f32; 3]; 2]) -> Self {
        Self {
            rows,
            scroll_per_sec: [0.0; 2],
        }
    }
}

impl Default for UvTransform {
    /// Leaves coordinates as they are.
    fn default() -> Self {
        Self::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    }
}

/// Effects of a pass that is lit by [`crate::Lighting::Lightmap`] or [`crate::Lighting::Ambient`] or not at all, computed
/// in linear light. Transforms apply to the coordinates of the pass's UV set, before they scroll.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PassEffects {
    /// Normals of reflections, of highlights and of light from around; x along u, y along v, z out of the surface. Where
    /// [`crate::Lightmap::normal_map`] is there, that one counts instead.
    pub normal_map: Option<NormalMap>,
    /// How either normal map is laid.
    pub normal_transform: UvTransform,
    /// Normals that fade in as [`crate::Pass::blend_texture`] does.
    pub second_normal_map: Option<TextureIdx>,
    /// How the blend texture and its normals are laid.
    pub blend_transform: UvTransform,
    /// Reflected surroundings.
    pub environment: Option<EnvironmentMap>,
    /// Highlights of lights from single directions.
    pub highlight: Option<Highlight>,
    /// Light from single directions reaches around to the side that is turned away: the square of half the cosine plus
    /// one half counts, instead of the cosine.
    pub half_lambert: bool,
    /// Color of light by how directly it falls, from left to right; middle gray is half of the light's color. It takes the
    /// place of the square of `half_lambert`.
    pub light_warp: Option<TextureIdx>,
    /// Parts that are not lit but shown as they are.
    pub self_illumination: Option<SelfIllumination>,
    /// A finer texture over or in the first.
    pub detail: Option<DetailLayer>,
    /// The texture is laid along the world's axes instead of by coordinates: repeats per world unit, from all three sides.
    pub world_scale: Option<f32>,
}

/// Surroundings that a surface reflects.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvironmentMap {
    /// Six square layers: what is seen toward +x, -x, +y, -y, +z and -z, laid out as graphics interfaces have cube maps.
    pub texture: TextureIdx,
    /// Factor of each channel, linear.
    pub tint: [f32; 3],
    /// Where it reflects.
    pub mask: EnvironmentMask,
    /// 0 as it is, 1 squared.
    pub contrast: f32,
    /// 0 gray, 1 as it is.
    pub saturation: f32,
    /// How much of it is seen head-on, `0.0..=1.0`; 1 is as much as along the surface.
    pub head_on: f32,
}

/// Where a surface reflects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum EnvironmentMask {
    /// Everywhere.
    #[default]
    None,
    /// By the color of a texture, laid so.
    Texture(TextureIdx, UvTransform),
    /// By the alpha of the normal map.
    NormalAlpha,
    /// By one minus the alpha of the first texture.
    InverseBaseAlpha,
}

/// Highlights by Phong's model.
#[derive(Debug, Clone, PartialEq)]
pub struct Highlight {
    /// How narrow it is.
    pub exponent: f32,
    /// Takes the place of `exponent`: red from 1 to 150; green is how much of the texture's color the highlight takes, if
    /// `is_tinted_by_texture`; alpha is where the rim shows, if [`Rim::is_masked`].
    pub map: Option<TextureIdx>,
    /// Whether the highlight takes the texture's color.
    pub is_tinted_by_texture: bool,
    /// Factor of each channel, linear.
    pub tint: [f32; 3],
    /// Factor seen head-on, halfway, and along the surface.
    pub fresnel: [f32; 3],
    /// Where it shows.
    pub mask: HighlightMask,
    /// Light along the outline.
    pub rim: Option<Rim>,
}

/// Where highlights show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HighlightMask {
    /// Everywhere.
    #[default]
    None,
    /// By the alpha of the normal map.
    NormalAlpha,
    /// By the alpha of the first texture.
    BaseAlpha,
}

/// Light along the outline of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rim {
    /// How narrow it is.
    pub exponent: f32,
    /// Factor of the light from around.
    pub boost: f32,
    /// Whether the alpha of [`Highlight::map`] says where.
    pub is_masked: bool,
}

/// Parts of a surface that are shown as they are, whatever light falls on them.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfIllumination {
    /// Says by its color where; `None`: the alpha of the first texture does.
    pub mask: Option<TextureIdx>,
    /// Factor of each channel, linear.
    pub tint: [f32; 3],
}

/// A texture that is mixed with the first.
#[derive(Debug, Clone, PartialEq)]
pub struct DetailLayer {
    /// The texture.
    pub texture: TextureIdx,
    /// How it is laid.
    pub transform: UvTransform,
    /// How much of it counts.
    pub factor: f32,
    /// Factor of each channel.
    pub tint: [f32; 3],
    /// How it joins the first.
    pub mode: DetailMode,
}

/// How a detail layer joins the first texture; by the layer's factor unless it says otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum DetailMode {
    /// The first times twice the detail: middle gray of linear values changes nothing.
    #[default]
    Mod2x,
    /// Added.
    Additive,
    /// Over the first by the alpha of the detail.
    Over,
    /// Mixed with the first, alpha too.
    Crossfade,
    /// The first over the detail by the alpha of the first.
    BaseOver,
    /// Added after lighting.
    UnlitAdditive,
    /// Added after lighting, and only what exceeds a threshold that the factor moves.
    ThresholdAdditive,
    /// As `Mod2x` by the detail's red, or by its alpha where the first has alpha.
    TwoPattern,
    /// Multiplied.
    Multiply,
    /// The alpha of the detail multiplies that of the first.
    MaskBase,
    /// Twice the detail multiplies the shares of light of a self-shadowed normal map.
    SelfShadowed,
    /// The mean of the detail's channels, twice, multiplies light.
    ShadesLight,
}

impl DetailMode {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::Mod2x,
        Self::Additive,
        Self::Over,
        Self::Crossfade,
        Self::BaseOver,
        Self::UnlitAdditive,
        Self::ThresholdAdditive,
        Self::TwoPattern,
        Self::Multiply,
        Self::MaskBase,
        Self::SelfShadowed,
        Self::ShadesLight,
    ];

    /// Whether the texture is of factors rather than colors: its values are taken as they are stored.
    pub fn is_of_factors(self) -> bool {
        matches!(
            self,
            Self::Mod2x | Self::TwoPattern | Self::SelfShadowed | Self::ShadesLight
        )
    }
}

impl PassEffects {
    /// All textures that it names.
    pub fn textures(&self) -> impl Iterator<Item = TextureIdx> {
        let mask = match self.environment.as_ref().map(|it| it.mask) {
            Some(EnvironmentMask::Texture(texture, _)) => Some(texture),
            _ => None,
        };
        let environment = self.environment.as_ref().map(|it| it.texture);
        let glow = self.self_illumination.as_ref().and_then(|it| it.mask);
        let all = [
            self.normal_map.map(|it| it.texture),
            self.second_normal_map,
            environment,
            mask,
            self.highlight.as_ref().and_then(|it| it.map),
            self.light_warp,
            glow,
            self.detail.as_ref().map(|it| it.texture),
        ];
        all.into_iter().flatten()
    }
}
