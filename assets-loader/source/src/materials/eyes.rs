//! Eyes: the picture of an iris on the white of the eye.

use ironlands_scene::{Blend, Pass, PassKind, TextureCell};

use super::Surface;
use super::passes::diffuse;
use super::textures::Textures;
use crate::vmt::Look;

/// Which texture coordinates lay an iris.
const IRIS_UVS: u8 = 1;

/// The pass of an eye, and that of the iris over it. Materials without a picture of the white have all of the eye in that of
/// the iris, as those of `EyeRefract` do.
pub(super) fn with_iris(
    look: &Look,
    surface: &Surface,
    base: Pass,
    textures: &mut Textures<'_>,
) -> (Pass, Option<Pass>) {
    let name = look.iris.as_deref().filter(|_| surface.is_eye);
    let Some(iris) = name.and_then(|name| textures.surface(name, 0)) else {
        return (base, None);
    };
    let laid = Pass {
        texture: Some(iris),
        uv_set: IRIS_UVS,
        cell: TextureCell::default(),
        diffuse: diffuse(look, surface, true),
        animation: None,
        ..base.clone()
    };
    if look.base_texture.is_none() {
        return (laid, None);
    }
    let over = Pass {
        kind: PassKind::Decal,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        effects: None,
        ..laid
    };
    (base, Some(over))
}
