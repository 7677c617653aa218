//! The parameters of a material with their types and defaults (dossier section 10.2).

mod build;

use std::collections::BTreeMap;

use ironlands_scene::DetailMode;

use crate::key_values::Entry;

/// What a material looks like. Texture names are lower case with `/`, without `materials/` and `.vtf`.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// What kind of shader draws it.
    pub shader: Shader,
    /// `$basetexture`.
    pub base_texture: Option<String>,
    /// `$basetexture2`: the second layer of blends.
    pub base_texture_2: Option<String>,
    /// The second to fourth layer of `Lightmapped_4WayBlend` and `MultiBlend`.
    pub layers: [Layer; 3],
    /// `$texture2`: multiplied in by `UnlitTwoTexture`.
    pub texture_2: Option<String>,
    /// `$texture2transform`.
    pub texture_2_transform: Transform,
    /// `$iris`: laid on the white of an eye.
    pub iris: Option<String>,
    /// `$hdrbasetexture`, or `$hdrcompressedtexture`: the sky in high dynamic range.
    pub hdr_base_texture: Option<String>,
    /// `$frame`: which frame of the base texture.
    pub frame: u32,
    /// `$basetexturetransform`.
    pub base_transform: Transform,
    /// `$basetexturetransform2`.
    pub base_transform_2: Transform,
    /// `$bumptransform`.
    pub bump_transform: Transform,
    /// `$bumpmap` or `$normalmap`.
    pub bump_map: Option<String>,
    /// `$bumpmap2` or `$normalmap2`.
    pub bump_map_2: Option<String>,
    /// `$refracttint`: what is seen through a `Refract` surface is multiplied by it.
    pub refract_tint: [f32; 3],
    /// `$refractamount`: how far the normals of a `Refract` surface move what is behind, in widths and heights of the picture.
    pub refract_amount: f32,
    /// `$refracttinttexture`: multiplies what is seen through a `Refract` surface, with `$refracttint` and twice over.
    pub refract_tint_texture: Option<String>,
    /// `$bluramount`: what is seen through a `Refract` surface is the mean of this many pixels to each side; 0, 1 or 2.
    pub blur_amount: u8,
    /// `$ssbump`: the bump map's channels are weights, not a normal.
    pub ssbump: bool,
    /// `$blendmodulatetexture`: red is the softness, green the center of the edge between the two layers.
    pub blend_modulate_texture: Option<String>,
    /// How it covers what is behind it.
    pub blending: Blending,
    /// `$alphatestreference` if `$alphatest`: pixels with less alpha are left out.
    pub alpha_test: Option<f32>,
    /// `$nocull`.
    pub two_sided: bool,
    /// `$color`, a factor for each channel, 0..1 as a rule.
    pub color: [f32; 3],
    /// `$color2`, multiplied in as well.
    pub color_2: [f32; 3],
    /// The detail layer.
    pub detail: Option<Detail>,
    /// `$decal`.
    pub decal: bool,
    /// `$decalscale`, world units a texel.
    pub decal_scale: f32,
    /// `$ignorez`.
    pub ignore_depth: bool,
    /// `$nofog`.
    pub no_fog: bool,
    /// `$nodecal`.
    pub no_decal: bool,
    /// `$selfillum` and what belongs to it.
    pub self_illum: Option<SelfIllum>,
    /// `$envmap` and what belongs to it.
    pub envmap: Option<Envmap>,
    /// `$phong` and what belongs to it.
    pub phong: Option<Phong>,
    /// `$halflambert`.
    pub half_lambert: bool,
    /// `$lightwarptexture`.
    pub light_warp: Option<String>,
    /// `$seamless_scale`: coordinates are the position times this; `None` where it is 0.
    pub seamless_scale: Option<f32>,
    /// `$surfaceprop`, lower case.
    pub surface_prop: Option<String>,
    /// `$surfaceprop2`, lower case.
    pub surface_prop_2: Option<String>,
    /// What only water has.
    pub water: Option<Water>,
    /// `$no_draw` or `$nodraw`.
    pub no_draw: bool,
    /// Names of `%compile...` keys that are set, lower case, in alphabetical order.
    pub compile_flags: Vec<String>,
    /// What moves.
    pub proxies: Vec<Proxy>,
    /// Numbers of the parameters that proxies name, by key in lower case.
    pub variables: BTreeMap<String, Vec<f32>>,
}

/// Kinds of shaders that are distinguished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Shader {
    /// `LightmappedGeneric` and its kin.
    #[default]
    LightmappedGeneric,
    /// `WorldVertexTransition`: two layers, mixed by the alpha of vertices.
    WorldVertexTransition,
    /// `WorldTwoTextureBlend`: detail over base by the alpha of the detail.
    WorldTwoTextureBlend,
    /// `Lightmapped_4WayBlend`, `MultiBlend`: four layers, one over the other.
    MultiBlend,
    /// `UnlitGeneric` and its kin.
    UnlitGeneric,
    /// `UnlitTwoTexture`.
    UnlitTwoTexture,
    /// `Sky`.
    Sky,
    /// `VertexLitGeneric` and its kin.
    VertexLitGeneric,
    /// `Water`.
    Water,
    /// `Refract`: what is behind, tinted, and reflections over it.
    Refract,
    /// `ShatteredGlass` and others that are drawn as their translucent base.
    Glass,
    /// `Modulate`, `DecalModulate`: the picture behind times twice this one.
    Modulate,
    /// None of the table: `LightmappedGeneric` on brushes, `VertexLitGeneric` on models.
    Unknown(String),
}

/// A layer over others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layer {
    /// `$basetexture2` to `$basetexture4`.
    pub texture: Option<String>,
    /// `$texture2_uvscale` and so on: how often it repeats where the first does once; 1 for what is 0.
    pub scale: [f32; 2],
    /// `$texture2_lumstart` and `$texture2_lumend`: what of it is dark, and what bright.
    pub luminance: [f32; 2],
    /// `$texture2_blendstart` and `$texture2_blendend`: at which weights it begins, and covers all.
    pub weight: [f32; 2],
}

/// How a surface covers what is behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blending {
    /// `$translucent`: by the alpha of the base texture.
    pub translucent: bool,
    /// `$additive`: added to what is behind.
    pub additive: bool,
    /// `$overbrightfactor` of sprites: the color times this; 1 where it is 0.
    pub overbright: f32,
    /// `$depthblend` of sprites: over how much they fade out before a surface, by `$depthblendscale`; `None` where they do not.
    pub depth_blend: Option<f32>,
    /// `$alpha`, 0..1.
    pub alpha: f32,
    /// `$vertexalpha`.
    pub vertex_alpha: bool,
    /// `$vertexcolor`.
    pub vertex_color: bool,
}

/// An affine map of texture coordinates: `u' = m[0][0] u + m[0][1] v + m[0][2]`, `v'` by the second row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform(pub [[f32; 3]; 2]);

/// The detail layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// `$detail`.
    pub texture: String,
    /// `$detailscale`: how often it repeats where the base texture does once, along u and v.
    pub scale: [f32; 2],
    /// `$detailtexturetransform`, applied after the scale.
    pub transform: Transform,
    /// `$detailblendfactor`.
    pub factor: f32,
    /// `$detailblendmode`: its number is the place in [`DetailMode::ALL`].
    pub mode: DetailMode,
    /// `$detailtint`.
    pub tint: [f32; 3],
}

/// The mode of a number; the first for numbers that are none.
pub(super) fn detail_mode(number: u32) -> DetailMode {
    let known = DetailMode::ALL.get(number as usize);
    known.copied().unwrap_or_default()
}

/// Parts that glow.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfIllum {
    /// `$selfillummask`; without it the alpha of the base texture says where it glows.
    pub mask: Option<String>,
    /// `$selfillumtint`.
    pub tint: [f32; 3],
}

/// Reflected surroundings.
#[derive(Debug, Clone, PartialEq)]
pub struct Envmap {
    /// `$envmap`.
    pub source: EnvmapSource,
    /// `$envmaptint`.
    pub tint: [f32; 3],
    /// Where it reflects.
    pub mask: EnvmapMask,
    /// `$envmapmasktransform`.
    pub mask_transform: Transform,
    /// `$envmapcontrast`: 0 as it is, 1 squared.
    pub contrast: f32,
    /// `$envmapsaturation`: 0 gray, 1 as it is.
    pub saturation: f32,
    /// `$fresnelreflection`: how much it reflects seen head-on.
    pub fresnel: f32,
}

/// Where reflections come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvmapSource {
    /// `env_cubemap`: the nearest cubemap of the level.
    Nearest,
    /// The texture of that name.
    Texture(String),
}

/// Where a surface reflects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum EnvmapMask {
    /// Everywhere.
    #[default]
    None,
    /// `$envmapmask`: by the color of a texture.
    Texture(String),
    /// `$normalmapalphaenvmapmask`: by the alpha of the bump map.
    BumpAlpha,
    /// `$basealphaenvmapmask`: by one minus the alpha of the base texture.
    BaseAlphaInverted,
}

/// Specular light on models.
#[derive(Debug, Clone, PartialEq)]
pub struct Phong {
    /// `$phongexponent`; `None` where a texture says it.
    pub exponent: Option<f32>,
    /// `$phongexponenttexture`.
    pub exponent_texture: Option<String>,
    /// `$phongboost`.
    pub boost: f32,
    /// `$phongtint`.
    pub tint: [f32; 3],
    /// `$phongfresnelranges`.
    pub fresnel: [f32; 3],
    /// `$phongalbedotint`.
    pub albedo_tint: bool,
    /// `$basemapalphaphongmask`: the alpha of the base texture masks it, not that of the bump map.
    pub masked_by_base: bool,
    /// `$rimlight` and what belongs to it.
    pub rim: Option<RimLight>,
}

/// Light along outlines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RimLight {
    /// `$rimlightexponent`.
    pub exponent: f32,
    /// `$rimlightboost`.
    pub boost: f32,
    /// `$rimmask`: the alpha of the exponent texture masks it.
    pub is_masked: bool,
}

/// What only water has. Distances in world units.
#[derive(Debug, Clone, PartialEq)]
pub struct Water {
    /// `$normalmap`.
    pub normal_map: Option<String>,
    /// `$abovewater`: seen from above, not from below.
    pub above_water: bool,
    /// `$bottommaterial`: the material of the surface seen from below.
    pub bottom_material: Option<String>,
    /// `$fogcolor`, 0..1.
    pub fog_color: [f32; 3],
    /// `$fogstart`.
    pub fog_start: f32,
    /// `$fogend`.
    pub fog_end: f32,
    /// `$refracttint`.
    pub refract_tint: [f32; 3],
    /// `$reflecttint`.
    pub reflect_tint: [f32; 3],
    /// `$refractamount`.
    pub refract_amount: f32,
    /// `$reflectamount`.
    pub reflect_amount: f32,
    /// `$waterdepth`, as the compiler patched it in.
    pub depth: Option<f32>,
    /// `$forcecheap`.
    pub force_cheap: bool,
    /// `$cheapwaterstartdistance`.
    pub cheap_start: f32,
    /// `$cheapwaterenddistance`.
    pub cheap_end: f32,
}

/// What changes a parameter with time.
#[derive(Debug, Clone, PartialEq)]
pub enum Proxy {
    /// Frames of a texture, one after the other.
    AnimatedTexture {
        /// `animatedtexturevar`, as in `$basetexture`, lower case.
        texture: String,
        /// `animatedtextureframenumvar`, as in `$frame`, lower case.
        frame: String,
        /// `animatedtextureframerate`, frames a second.
        frames_per_second: f32,
    },
    /// A transform that moves steadily.
    TextureScroll {
        /// `texturescrollvar`, as in `$basetexturetransform`, lower case.
        transform: String,
        /// `texturescrollrate`, lengths of the texture a second.
        rate: f32,
        /// `texturescrollangle`, degrees from +u toward +v.
        angle_deg: f32,
    },
    /// A number that swings.
    Sine {
        /// `resultvar`, lower case, maybe with an index as in `$color[0]`.
        result: String,
        /// `sinemin`.
        min: f32,
        /// `sinemax`.
        max: f32,
        /// `sineperiod`, seconds.
        period_secs: f32,
        /// `timeoffset`, seconds.
        offset_secs: f32,
    },
    /// Any other, as it stands.
    Other(Entry),
}

impl Default for Blending {
    fn default() -> Self {
        Self {
            translucent: false,
            additive: false,
            overbright: 1.0,
            depth_blend: None,
            alpha: 1.0,
            vertex_alpha: false,
            vertex_color: false,
        }
    }
}

impl Transform {
    /// Leaves coordinates as they are.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);

    /// `rotate(scale * (uv - center)) + center + translate`, turning from +u toward +v.
    pub fn new(center: [f32; 2], scale: [f32; 2], rotate_deg: f32, translate: [f32; 2]) -> Self {
        let (sin, cos) = rotate_deg.to_radians().sin_cos();
        let [center_u, center_v] = center;
        let row = |by_u: f32, by_v: f32, center: f32, translate: f32| {
            let rest = center + translate - by_u * center_u - by_v * center_v;
            [by_u, by_v, rest]
        };
        let [scale_u, scale_v] = scale;
        let [translate_u, translate_v] = translate;
        Self([
            row(cos * scale_u, -sin * scale_v, center_u, translate_u),
            row(sin * scale_u, cos * scale_v, center_v, translate_v),
        ])
    }

    /// This after what undoes `other`; by itself where `other` cannot be undone.
    #[must_use]
    pub fn after_undoing(&self, other: &Self) -> Self {
        if *other == Self::IDENTITY {
            return *self;
        }
        let [[a, b, c], [d, e, f]] = other.0;
        let determinant = a * e - b * d;
        if !determinant.is_normal() {
            return *self;
        }
        let [ia, ib] = [e / determinant, -b / determinant];
        let [id, ie] = [-d / determinant, a / determinant];
        let [ic, i_f] = [-(ia * c + ib * f), -(id * c + ie * f)];
        Self(
            self.0
                .map(|[u, v, rest]| [u * ia + v * id, u * ib + v * ie, u * ic + v * i_f + rest]),
        )
    }

    /// Applies it to texture coordinates.
    pub fn apply(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        self.0.map(|[by_u, by_v, rest]| by_u * u + by_v * v + rest)
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}
