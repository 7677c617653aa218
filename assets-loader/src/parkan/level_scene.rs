//! Typed files of a Parkan level to a [`Scene`].
//!
//! Parkan's axes are the engine's: right-handed, +Z up, world units as they are (dossier sections 0.3 and
//! 4.10). What the files do not say is a documented choice: the order of passes is that of section 11.4,
//! light, fog and sky are the defaults of section 11.6 and Q-W7, and both sides of every face are drawn (Q-M19).

mod borders;
mod drape;
mod ground;
mod overlays;
mod skirts;
mod surfaces;
mod surroundings;
#[cfg(test)]
mod tests;
mod tiles;

use ironlands_scene::{Addressing, Fog, Scene, Sky, Texture};

use self::ground::Ground;
use self::surfaces::Surfaces;
use super::level::{LevelTexture, ParkanLevel};
use super::texm::{PixelOptions, Texm};
use crate::bytes::Finding;

pub use self::surfaces::blend_of;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan scene";

/// The level as a scene, and what could not be taken over as it is.
///
/// `pixels` reads texture formats whose channel order is not certain. The scene passes [`Scene::validate`];
/// its one mesh holds the ground with one cluster a tile, finest level of detail first.
pub fn to_scene(level: &ParkanLevel, pixels: PixelOptions) -> (Scene, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut surfaces = Surfaces::new(&level.materials);
    let ground = Ground::new(&level.land_msh, &mut surfaces, &mut findings);
    let water = surroundings::sea(&level.land_msh, &ground, &mut surfaces);
    let overlays = overlays::overlays(
        level.land_map.as_ref(),
        &level.land_msh,
        &ground,
        &mut findings,
    );
    let sky = Sky::default();
    let scene = Scene {
        name: level.name(),
        textures: level
            .materials
            .textures
            .iter()
            .map(|texture| to_texture(texture, pixels))
            .collect(),
        sun: surroundings::sun(),
        sky,
        fog: Some(Fog {
            color: sky.horizon,
            start: surroundings::FOG_START,
            end: surroundings::FAR,
        }),
        water,
        overlays,
        spawns: surroundings::overview(&ground).into_iter().collect(),
        materials: surfaces.into_materials(),
        meshes: vec![ground.mesh],
        ..Scene::default()
    };
    (scene, findings)
}

/// Side of the picture that stands for a missing texture.
const CHECKER_SIDE: u32 = 2;
const MAGENTA: [u8; 4] = [255, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

fn to_texture(texture: &LevelTexture, pixels: PixelOptions) -> Texture {
    let decoded = texture.texm.as_ref().and_then(|texm| {
        // Levels past a single pixel repeat it; a renderer has no place for them.
        let n_levels = (texm.mips.len() as u32).min(texm.full_chain_len());
        let levels = (0..n_levels).map(|level| texm.to_rgba8_with(level, pixels).ok());
        Some((texm, levels.collect::<Option<Vec<_>>>()?))
    });
    let (width, height, mips) = match decoded {
        Some((Texm { width, height, .. }, mips)) => (*width, *height, mips),
        None => {
            let checker = [MAGENTA, BLACK, BLACK, MAGENTA].concat();
            (CHECKER_SIDE, CHECKER_SIDE, vec![checker])
        }
    };
    Texture {
        name: texture.name.clone(),
        width,
        height,
        mips,
        // Coordinates beyond 0..1 occur (Q-T7).
        addressing: Addressing::Repeat,
    }
}
