//! Materials as ordered lists of fixed-function passes.

use crate::{Liquid, PassAnimation, PassEffects, TextureCell, TextureIdx};

/// Index into `Scene::materials`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialIdx(pub u32);

/// What a surface is drawn with: one pass after another over the same triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// Name for reports.
    pub name: String,
    /// Passes in the order in which they are laid over each other.
    pub passes: Vec<Pass>,
}

/// One drawing of a surface: the fixed-function state that these games share.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// When in the frame it is drawn, and which switch turns it off.
    pub kind: PassKind,
    /// Texture; `None` is plain white.
    pub texture: Option<TextureIdx>,
    /// The part of the texture that is shown.
    pub cell: TextureCell,
    /// Which of `Mesh::uv_sets` the texture is laid by.
    pub uv_set: u8,
    /// Texture repeats that go by per second, in u and v.
    pub uv_scroll_per_sec: [f32; 2],
    /// Multiplies the texture after lighting: reaction to direct light, and alpha.
    pub diffuse: [f32; 4],
    /// Reaction to ambient light.
    pub ambient: [f32; 3],
    /// Own light, added before the texture multiplies.
    pub emissive: [f32; 3],
    /// Where and whether light is computed.
    pub lighting: Lighting,
    /// How it joins what is already drawn; `None` replaces it.
    pub blend: Option<Blend>,
    /// Fragments with an alpha below this are not drawn.
    pub alpha_test: Option<f32>,
    /// Which sides are drawn.
    pub cull: Cull,
    /// Whether it hides what is drawn behind it later.
    pub depth_write: bool,
    /// How texture and colors change with time, if they do.
    pub animation: Option<PassAnimation>,
    /// A texture that the first one fades to by the weights of [`crate::Mesh::colors`].
    pub blend_texture: Option<BlendTexture>,
    /// Multiplies alpha by weights of [`crate::Mesh::colors`], so that a layer fades vertex by vertex.
    pub fade: Option<LayerFade>,
    /// A detail texture, laid by the second UV set, that multiplies the first one twice: middle gray changes nothing.
    /// For passes that are lit in display space or not at all.
    pub detail: Option<TextureIdx>,
    /// There if and only if `lighting` is [`Lighting::Lightmap`].
    pub lightmap: Option<Lightmap>,
    /// What the last pass of [`PassKind::Water`] becomes where deep water is requested: without it, it stays as it is.
    pub liquid: Option<Liquid>,
    /// How it bends what is behind it; there if and only if it is [`PassKind::Refracting`]. What is behind is multiplied by
    /// `diffuse`, which may exceed 1 here; of the rest of the pass what is drawn is where its texture would lie.
    pub refraction: Option<Refraction>,
    /// What it draws is the light of a lamp, a flame or a spell: where bloom is requested, it spreads a little.
    pub glows: bool,
    /// Reflections, highlights, normals and detail beyond what the fields above say; not for water.
    pub effects: Option<Box<PassEffects>>,
}

/// How a surface bends what is seen through it. Where vertices of a model move by more than its nodes, and on what fades out
/// with distance, nothing is bent or blurred: there it only colors what is behind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refraction {
    /// Normals, laid as the pass's texture would be: red along u, green along v, -1 (0) to 1 (255).
    pub normals: TextureIdx,
    /// How far a normal along the surface moves what is seen, in widths and heights of the picture.
    pub bend: f32,
    /// Multiplies what is seen, laid as the normals are; `None` is plain white.
    pub tint: Option<TextureIdx>,
    /// What is seen is the mean of this many pixels to each side, at most [`Self::MAX_BLUR_PX`]; 0 blurs nothing.
    pub blur_px: u8,
}

impl Refraction {
    /// Most pixels to each side that are mixed.
    pub const MAX_BLUR_PX: u8 = 2;
}

/// How a layer fades vertex by vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerFade {
    /// Which component of [`crate::Mesh::colors`] is its weight: 3, or where lightmaps light the pass any of the four.
    pub channel: u8,
    /// Where its edge is; without one it is as opaque as its weight.
    pub edge: Option<LayerEdge>,
}

/// The edge of a layer, which bright parts of its texture reach over: the weight w becomes
/// `smoothstep(weight[0], weight[1], w * (1 + smoothstep(luminance[0], luminance[1], l)))`, where l is the luminance of the
/// texture in linear light. The alpha of the texture does not count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerEdge {
    /// What counts as dark and as bright.
    pub luminance: [f32; 2],
    /// Where nothing of it is seen, and where all of it.
    pub weight: [f32; 2],
}

impl Default for LayerFade {
    /// By the weight that all meshes have.
    fn default() -> Self {
        Self {
            channel: 3,
            edge: None,
        }
    }
}

/// A texture that another one fades to, vertex by vertex, in linear light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlendTexture {
    /// Shown alone where the weight is 1; laid like the first.
    pub texture: TextureIdx,
    /// Sharpens the transition: where its green is g and its red r, the weight w becomes
    /// `smoothstep(g - r, g + r, w)`.
    pub transition: Option<TextureIdx>,
}

/// Light that was computed beforehand, laid by the second UV set. It takes the place of sun and ambient light.
#[derive(Debug, Clone, PartialEq)]
pub struct Lightmap {
    /// The light, linear, 1 = fully lit: for each of `styles` one layer, or where it comes from three directions
    /// ([`Self::normal_map`]) four: the light on the flat surface and that along the three directions.
    pub texture: TextureIdx,
    /// Indices into `Scene::light_styles`, at most 4; the lights are added up. Never empty.
    pub styles: Vec<u16>,
    /// Gives each pixel a normal of its own, which takes from the three directions what falls on it:
    /// (sqrt(2/3), 0, sqrt(1/3)), (-sqrt(1/6), sqrt(1/2), sqrt(1/3)), (-sqrt(1/6), -sqrt(1/2), sqrt(1/3)), with x
    /// along u, y along v, z out of the surface.
    pub normal_map: Option<NormalMap>,
}

impl Lightmap {
    /// Layers that the light of one style takes.
    pub fn layers_per_style(&self) -> u32 {
        if self.normal_map.is_some() { 4 } else { 1 }
    }
}

/// Normals of a surface, laid like the first texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormalMap {
    /// Red, green, blue are x, y, z, from -1 (0) to 1 (255); or shares of three lights, if `is_self_shadowed`.
    pub texture: TextureIdx,
    /// The texture says directly how much of each direction's light arrives.
    pub is_self_shadowed: bool,
}

impl Default for Pass {
    /// Opaque, lit in display space, untextured, both sides.
    fn default() -> Self {
        Self {
            kind: PassKind::Base,
            texture: None,
            cell: TextureCell::default(),
            uv_set: 0,
            uv_scroll_per_sec: [0.0; 2],
            diffuse: [1.0; 4],
            ambient: [1.0; 3],
            emissive: [0.0; 3],
            lighting: Lighting::Display,
            blend: None,
            alpha_test: None,
            cull: Cull::None,
            depth_write: true,
            animation: None,
            blend_texture: None,
            fade: None,
            detail: None,
            lightmap: None,
            liquid: None,
            refraction: None,
            glows: false,
            effects: None,
        }
    }
}

/// When in the frame a pass is drawn: all passes of one kind before any of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassKind {
    /// The surface itself.
    Base,
    /// A second layer over the same surface, such as a transition between two base materials.
    Decal,
    /// A lightmap that modulates what is below it: only where an earlier pass over the same triangles has left
    /// its depth, so not in the holes of an alpha test.
    Lightmap,
    /// A detail texture that modulates what is below it.
    Detail,
    /// Surfaces that blend at their edges and hide what is behind them all the same, such as leaves: after all layers of
    /// what may be seen through the edges.
    SoftEdged,
    /// Water surfaces, after everything that can be seen through them.
    Water,
    /// Surfaces that bend what is seen through them, with [`Pass::refraction`]: far ones before near ones, in one order with
    /// [`Self::Translucent`]; those that water is in front of, before that water.
    Refracting,
    /// Surfaces that are seen through, far ones before near ones.
    Translucent,
}

impl PassKind {
    /// All kinds in drawing order.
    pub const ALL: [Self; 8] = [
        Self::Base,
        Self::Decal,
        Self::Lightmap,
        Self::Detail,
        Self::SoftEdged,
        Self::Water,
        Self::Refracting,
        Self::Translucent,
    ];
}

/// Where light is computed. Old games lit and blended display-space values; a faithful pass does too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lighting {
    /// Not lit: the texture times `diffuse`.
    Unlit,
    /// Lit on display-space values, as the original hardware did.
    Display,
    /// As `Display`, but ambient light is a floor below which light does not fall, not an addend:
    /// `max(emissive + sun * diffuse * cosine, ambient light * ambient)`. Of what exceeds 1, [`Lighting::OVERBRIGHT`] is
    /// added after the texture.
    DisplayFloor,
    /// Texture and colors are decoded to linear light, lit there, and encoded again.
    Linear,
    /// As `Linear`, lit by [`Pass::lightmap`] instead of the sun; light above 1 is allowed. [`Pass::diffuse`]
    /// multiplies it, [`Pass::emissive`] is added, [`Pass::ambient`] counts for nothing.
    Lightmap,
    /// As `Linear`, lit by [`crate::Instance::light`] and by [`crate::Mesh::colors`] where there are any, instead of
    /// the sun; for a mesh of no instance, by the scene's ambient light. The pass's colors count as for `Lightmap`.
    Ambient,
}

impl Lighting {
    /// Share of light above 1 that brightens a surface beyond its texture ([`Self::DisplayFloor`]).
    pub const OVERBRIGHT: f32 = 0.8;
}

/// `result = source * source_factor + destination * destination_factor`, in display space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Factor of what the pass draws.
    pub source: BlendFactor,
    /// Factor of the color in the target.
    pub destination: BlendFactor,
}

impl Blend {
    /// Ordinary transparency by the pass's alpha.
    pub const ALPHA: Self = Self {
        source: BlendFactor::SourceAlpha,
        destination: BlendFactor::InverseSourceAlpha,
    };
    /// `source * destination`: white leaves the destination as it is.
    pub const MODULATE: Self = Self {
        source: BlendFactor::DestinationColor,
        destination: BlendFactor::Zero,
    };
    /// `2 * source * destination`: middle gray leaves the destination as it is.
    pub const MODULATE_2X: Self = Self {
        source: BlendFactor::DestinationColor,
        destination: BlendFactor::SourceColor,
    };
}

/// Factors of fixed-function blending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the definition")]
pub enum BlendFactor {
    Zero,
    One,
    SourceColor,
    InverseSourceColor,
    SourceAlpha,
    InverseSourceAlpha,
    DestinationAlpha,
    InverseDestinationAlpha,
    DestinationColor,
    InverseDestinationColor,
    SourceAlphaSaturated,
}

/// Which side of a triangle is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cull {
    /// Both sides are drawn.
    None,
    /// Only triangles that are counter-clockwise on the screen are drawn. Where a matrix mirrors a model, the
    /// same ones as without the mirror.
    Back,
}
