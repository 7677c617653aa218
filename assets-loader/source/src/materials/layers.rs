//! Layers of `Lightmapped_4WayBlend` and `MultiBlend`, one over the other. How weights and brightness make an edge is from
//! public tools that show these materials; the luminance is that of the layer itself, which is a guess.

use ironlands_scene::{Blend, LayerEdge, LayerFade, Lighting, Pass, PassKind, TextureCell};

use super::Surface;
use super::textures::Textures;
use crate::vmt::{Layer, Look, Shader};

/// Which component of the colors of vertices is the weight of each layer over the first. The last is that of surfaces of two
/// layers.
pub const CHANNELS: [u8; 3] = [0, 1, 2];

/// The layers over the first one, whose pass is given.
pub(super) fn of_surface(
    look: &Look,
    surface: &Surface,
    base: &Pass,
    textures: &mut Textures<'_>,
) -> Vec<Pass> {
    // Without a lightmap colors of vertices are light.
    let is_layered =
        look.shader == Shader::MultiBlend && surface.fades && base.lighting == Lighting::Lightmap;
    if !is_layered || base.kind != PassKind::Base {
        return Vec::new();
    }
    let layers = look.layers.iter().zip(CHANNELS);
    let passes = layers.filter_map(|(layer, channel)| {
        let texture = textures.surface(layer.texture.as_deref()?, 0)?;
        Some(Pass {
            kind: PassKind::Decal,
            texture: Some(texture),
            cell: cell_of(base, layer),
            blend: Some(Blend::ALPHA),
            depth_write: false,
            fade: Some(LayerFade {
                channel,
                edge: Some(LayerEdge {
                    luminance: layer.luminance,
                    weight: layer.weight,
                }),
            }),
            alpha_test: None,
            animation: None,
            effects: None,
            ..base.clone()
        })
    });
    passes.collect()
}

fn cell_of(base: &Pass, layer: &Layer) -> TextureCell {
    let TextureCell { min, size } = base.cell;
    let [u, v] = layer.scale;
    TextureCell {
        min: [min[0] * u, min[1] * v],
        size: [size[0] * u, size[1] * v],
    }
}
