//! A zone to a [`Scene`].
//!
//! The file's axes are the engine's: right-handed, +Z up, meters (dossier section 12.1). The land is two meshes, ground
//! and liquids, with a cluster a sector; what the map places are instances of models. What the files do not say is a
//! documented choice: where the sun stands, how fast tiles are animated, that both sides of everything are drawn.
//! Water has the renderer's waves and mirrors the sky; other liquids lie still, for how the original moves them is not
//! known (section 10.6).
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "rows and columns of sectors, and pixels of atlases; readers have checked what files name"
    )
)]

mod atlases;
mod blocks;
mod emitters;
mod ground;
mod lights;
mod liquids;
mod objects;
mod overlays;
mod painting;
mod sea;
mod surroundings;
#[cfg(test)]
mod tests;
mod tile_looks;

use ironlands_scene::{
    Atmosphere, CloudLayer, Material, MaterialIdx, Scene, Sky, Texture, TextureIdx,
};

use self::atlases::Atlases;
use self::objects::Objects;
pub use self::objects::{animation_targets, place_on_ground, shown_objects};
use self::tile_looks::TileLooks;
use super::zone::Zone;
use ironlands_assets_core::bytes::Finding;
use ironlands_assets_core::findings::Findings;

/// What findings of this module name as their format.
const FORMAT: &str = "evil islands scene";

/// Textures and materials while the scene is built.
#[derive(Debug, Default)]
struct Surfaces {
    textures: Vec<Texture>,
    materials: Vec<Material>,
}

impl Surfaces {
    fn add_texture(&mut self, texture: Texture) -> TextureIdx {
        let index = TextureIdx(self.textures.len() as u32);
        self.textures.push(texture);
        index
    }

    fn add_material(&mut self, material: Material) -> MaterialIdx {
        let index = MaterialIdx(self.materials.len() as u32);
        self.materials.push(material);
        index
    }
}

/// The zone as a scene, and what could not be taken over as it is.
///
/// The first mesh is the ground, the second, if there are any, the liquids. Instances are those of [`shown_objects`],
/// in that order.
pub fn to_scene(zone: &Zone) -> (Scene, Vec<Finding>) {
    let mut findings = Findings::new(FORMAT);
    let land = zone.land();
    let atlases = Atlases::new(zone, &mut findings);
    let mut surfaces = Surfaces::default();
    let mut looks = TileLooks::new(&atlases);
    let ground = ground::mesh(&land, &atlases, &mut looks, &mut surfaces);
    let liquids = liquids::mesh(&land, &mut looks, &mut surfaces);
    let water = sea::sea(&land, &mut looks, &mut surfaces);
    let Objects { models, instances } = Objects::new(zone, &mut surfaces, &mut findings);
    let overlays = overlays::overlays(zone);
    let emitters = emitters::emitters(zone, &mut surfaces.textures, &mut findings);
    let Surfaces {
        textures,
        materials,
    } = surfaces;
    let own = Atmosphere {
        sun: surroundings::sun(),
        sky: Sky::default(),
        fog: None,
    };
    let days = surroundings::days(zone);
    let Atmosphere { sun, sky, fog } = own.at_hour(days.first(), None);
    let scene = Scene {
        name: zone.name(),
        textures,
        materials,
        spawns: surroundings::overview(&land).into_iter().collect(),
        meshes: std::iter::once(ground).chain(liquids).collect(),
        models,
        instances,
        emitters,
        sun,
        lights: lights::lights(zone),
        occlusion_radius: surroundings::OCCLUSION_RADIUS,
        sky,
        clouds: CloudLayer::FAIR.to_vec(),
        fog,
        haze: Some(surroundings::haze(&land)),
        days,
        water,
        overlays,
        ..Scene::default()
    };
    (scene, findings.into_list())
}
