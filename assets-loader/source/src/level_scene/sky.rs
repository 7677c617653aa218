//! The sky: its pictures, and its colors, which are shown where these are missing and which water mirrors. Dossier
//! sections 11.4 and 11.7.

use std::ops::Range;

use ironlands_scene::{Fog, Sky, SkyBox, SkyFace, Texture};

use super::ambient::mean_light;
use super::surfaces::flags_of;
use crate::bsp::SurfaceFlags;
use crate::level::SourceLevel;
use crate::materials::{Materials, display_from_linear};
use crate::vmt::Transform;

/// Endings of the pictures of the sky: +x, -x, +y, -y, +z, -z.
const FACES: [&str; 6] = ["rt", "lf", "bk", "ft", "up", "dn"];
/// `WorldLight::kind` of the sun and of the light from all of the sky.
const SUN: i32 = 3;
const AMBIENT: i32 = 5;
/// Shares of the sky's light straight up and straight down: skies are brightest at the horizon, the ground is darker.
const ZENITH: f32 = 0.6;
const NADIR: f32 = 0.25;
/// Share of it that reaches the shaded sides of clouds.
const CLOUD_SHADE: f32 = 0.4;
/// Light of a map that knows of none.
const NO_LIGHT: [f32; 3] = [0.5; 3];
/// What of the sides is near the horizon, and near the zenith: 0 = top, 1 = bottom.
const NEAR_HORIZON: Range<f32> = 0.4..0.5;
const NEAR_ZENITH: Range<f32> = 0.0..0.1;

/// The pictures of the sky; `None` if there are none. `color` is that of faces without a picture.
pub fn sky_box(
    level: &SourceLevel,
    color: [f32; 3],
    materials: &mut Materials<'_>,
) -> Option<SkyBox> {
    let name = level.entities.world()?.get("skyname")?;
    let names = FACES.map(|face| format!("skybox/{name}{face}"));
    let faces = names.map(|name| {
        let (texture, transform) = materials.sky_picture(&name)?;
        let Transform([[u, ..], [_, v, _]]) = transform;
        Some(SkyFace {
            texture,
            uv_scale: [u, v],
        })
    });
    faces
        .iter()
        .any(Option::is_some)
        .then_some(SkyBox { faces, color })
}

/// The colors of the sky by the light that the map has from it. Where no face shows the sky, by the light in the rooms:
/// water mirrors these.
pub fn of_light(level: &SourceLevel, fog: Option<&Fog>) -> Sky {
    let map = &level.map;
    let lights = map.world_lights_of(level.face_set);
    let stored = |kind| Some(lights.iter().find(|it| it.kind == kind)?.intensity);
    let entity = level.entities.of_class("light_environment").next();
    let of_entity = |key| Some(entity?.light(key)?.intensity());
    let is_light = |light: &[f32; 3]| {
        light.iter().all(|it| it.is_finite() && *it >= 0.0) && light.iter().any(|it| *it > 0.0)
    };
    let sun = stored(SUN).or(of_entity("_light")).filter(is_light);
    let of_sky = stored(AMBIENT).or(of_entity("_ambient")).filter(is_light);
    let of_rooms = mean_light(map, level.face_set).filter(is_light);
    let light = match shows_sky(level) {
        true => of_sky.or(sun).or(of_rooms),
        false => of_rooms.or(of_sky),
    };
    let light = not_above_white(light.unwrap_or(NO_LIGHT));
    let shown = |share: f32| light.map(|value| display_from_linear(value * share));
    Sky {
        zenith: shown(ZENITH),
        horizon: fog.map_or(shown(1.0), |fog| mix(shown(1.0), fog.color, fog.density)),
        nadir: shown(NADIR),
        sun_disc: sun.map_or([0.0; 3], |sun| {
            not_above_white(sun).map(display_from_linear)
        }),
        cloud_light: shown(1.0),
        cloud_shade: shown(CLOUD_SHADE),
        ..Sky::default()
    }
}

/// The colors that water mirrors: of the pictures where the sky is seen at all, else those of the light.
pub fn mirrored(
    level: &SourceLevel,
    sky_box: Option<&SkyBox>,
    textures: &[Texture],
    by_light: Sky,
) -> Sky {
    match sky_box.filter(|_| shows_sky(level)) {
        Some(sky_box) => of_pictures(sky_box, textures, &by_light),
        None => by_light,
    }
}

/// The colors of the sky by its pictures, as far as there are any; the others are those of `by_light`.
fn of_pictures(sky_box: &SkyBox, textures: &[Texture], by_light: &Sky) -> Sky {
    let [sides @ .., up, down] = &sky_box.faces;
    let mean = |face: &Option<SkyFace>, rows| mean_of_rows(face.as_ref()?, rows, textures);
    let mean_of_sides = |rows: Range<f32>| {
        let means: Vec<_> = sides
            .iter()
            .filter_map(|side| mean(side, rows.clone()))
            .collect();
        mean_color(&means)
    };
    Sky {
        zenith: mean(up, 0.0..1.0)
            .or_else(|| mean_of_sides(NEAR_ZENITH))
            .unwrap_or(by_light.zenith),
        horizon: mean_of_sides(NEAR_HORIZON).unwrap_or(by_light.horizon),
        nadir: mean(down, 0.0..1.0).unwrap_or(by_light.nadir),
        ..*by_light
    }
}

/// Whether any face is a hole that the sky is seen through.
fn shows_sky(level: &SourceLevel) -> bool {
    let sky = SurfaceFlags::SKY | SurfaceFlags::SKY_2D;
    let mut faces = level.map.faces_of(level.face_set).iter();
    faces.any(|face| flags_of(&level.map, face).intersects(sky))
}

/// The mean color of some rows of a side, display space.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "rows of a picture in memory"
)]
fn mean_of_rows(face: &SkyFace, rows: Range<f32>, textures: &[Texture]) -> Option<[f32; 3]> {
    let texture = textures.get(face.texture.0 as usize)?;
    let pixels = texture.rgba8(0, 0)?;
    let (pixels, _) = pixels.as_chunks::<4>();
    // A picture may cover the upper part only; its last row continues below. The casts saturate.
    let row_at = |share: f32| (share * face.uv_scale[1] * texture.height as f32) as usize;
    let last = pixels.len() / texture.width.max(1) as usize;
    let first = row_at(rows.start).min(last.saturating_sub(1));
    let end = row_at(rows.end).clamp(first + 1, last.max(first + 1));
    let width = texture.width as usize;
    let pixels = pixels.get(first * width..end * width)?;
    let colors: Vec<[f32; 3]> = pixels
        .iter()
        .map(|[r, g, b, _]| [r, g, b].map(|value| f32::from(*value) / 255.0))
        .collect();
    mean_color(&colors)
}

#[expect(clippy::indexing_slicing, reason = "three channels")]
fn mean_color(colors: &[[f32; 3]]) -> Option<[f32; 3]> {
    let sum = colors.iter().fold([0.0; 3], |sum, color| {
        std::array::from_fn(|channel| sum[channel] + color[channel])
    });
    (!colors.is_empty()).then(|| sum.map(|value| value / colors.len() as f32))
}

/// A light of the same hue whose channels are at most 1.
fn not_above_white(linear: [f32; 3]) -> [f32; 3] {
    let largest = linear.into_iter().fold(1.0, f32::max);
    linear.map(|value| value / largest)
}

#[expect(clippy::indexing_slicing, reason = "three channels")]
fn mix(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|channel| a[channel] + (b[channel] - a[channel]) * share)
}

#[cfg(test)]
mod tests {
    use ironlands_scene::{PixelFormat, TextureIdx};

    use super::*;

    /// A picture of four rows, each of one gray.
    fn picture(grays: [u8; 4]) -> Texture {
        let rows = grays.map(|gray| [[gray, gray, gray, 255]; 4].concat());
        Texture {
            name: "sky".to_owned(),
            width: 4,
            height: 4,
            format: PixelFormat::Rgba8,
            n_layers: 1,
            mips: vec![rows.concat()],
            ..Texture::default()
        }
    }

    #[test]
    fn colors_of_the_sky_are_those_of_its_pictures() {
        let face = |texture, v| {
            Some(SkyFace {
                texture: TextureIdx(texture),
                uv_scale: [1.0, v],
            })
        };
        let textures = [picture([0, 51, 102, 204]), picture([153; 4])];
        let by_light = Sky::default();
        let mut sky_box = SkyBox {
            faces: [face(0, 1.0), None, None, None, face(1, 1.0), None],
            ..SkyBox::default()
        };
        let sky = of_pictures(&sky_box, &textures, &by_light);
        // Just above the middle of the side is its second row.
        assert_eq!(sky.horizon, [0.2; 3]);
        assert_eq!(sky.zenith, [0.6; 3]);
        assert_eq!(
            (sky.nadir, sky.sun_disc),
            (by_light.nadir, by_light.sun_disc)
        );
        // The picture covers the upper half: its last rows are those at the horizon.
        sky_box.faces[0] = face(0, 2.0);
        sky_box.faces[4] = None;
        let sky = of_pictures(&sky_box, &textures, &by_light);
        assert_eq!(sky.horizon, [0.8; 3]);
        assert_eq!(
            sky.zenith, [0.0; 3],
            "the top of the side, for want of better"
        );
        let nothing = of_pictures(&SkyBox::default(), &textures, &by_light);
        assert_eq!(nothing, by_light);
    }

    #[test]
    fn light_above_white_keeps_its_hue() {
        assert_eq!(not_above_white([4.0, 2.0, 1.0]), [1.0, 0.5, 0.25]);
        assert_eq!(not_above_white([0.5, 0.2, 0.0]), [0.5, 0.2, 0.0]);
    }
}
