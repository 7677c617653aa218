//! What the demo map is covered with.

use crate::source_map::brushes::{MaterialIdx, SurfaceMaterial, flags};
use crate::source_map::textures::Texture;

/// Indices of the materials of [`all`].
pub mod idx {
    use super::MaterialIdx;

    pub const PLASTER: MaterialIdx = 0;
    pub const STONE_WALL: MaterialIdx = 1;
    pub const FLAGSTONES: MaterialIdx = 2;
    pub const PLANKS: MaterialIdx = 3;
    pub const TRIM: MaterialIdx = 4;
    pub const ROOF_TILES: MaterialIdx = 5;
    pub const GARDEN: MaterialIdx = 6;
    pub const POOL_TILES: MaterialIdx = 7;
    pub const WATER: MaterialIdx = 8;
    pub const WATER_BENEATH: MaterialIdx = 9;
    pub const GRATE: MaterialIdx = 10;
    pub const GLOW: MaterialIdx = 11;
    pub const SKY: MaterialIdx = 12;
    pub const NODRAW: MaterialIdx = 13;
    pub const TRIGGER: MaterialIdx = 14;
    pub const HILLS: MaterialIdx = 15;
    pub const LADDER: MaterialIdx = 16;
    pub const EMBERS: MaterialIdx = 17;
    pub const TIMBER: MaterialIdx = 18;
}

/// Materials by index, with the mean colors of their textures.
pub fn all(textures: &[Texture]) -> Vec<SurfaceMaterial> {
    let mut materials = unpainted();
    for material in &mut materials {
        let name = match material.name.trim_start_matches("ironlands/") {
            "garden" | "hills" => "grass",
            name => name,
        };
        if let Some(texture) = textures.iter().find(|texture| texture.name == name) {
            material.reflectivity = texture.reflectivity();
        }
    }
    materials
}

fn unpainted() -> Vec<SurfaceMaterial> {
    let sky = flags::SKY | flags::NOLIGHT;
    let nodraw = flags::NODRAW | flags::NOLIGHT;
    let trigger = flags::TRIGGER | flags::NOLIGHT;
    let water = flags::WARP | flags::NOLIGHT | flags::NOSHADOWS | flags::NODECALS;
    vec![
        drawn("plaster", 256, 0.5, 16.0),
        drawn("stone_wall", 256, 0.5, 16.0),
        drawn("flagstones", 256, 0.5, 16.0),
        drawn("planks", 256, 0.5, 16.0),
        drawn("trim", 128, 0.5, 16.0),
        drawn("roof_tiles", 128, 0.5, 16.0),
        drawn("garden", 256, 0.5, 16.0),
        drawn("pool_tiles", 128, 0.5, 16.0),
        SurfaceMaterial {
            beneath: Some(idx::WATER_BENEATH),
            ..special("water", water)
        },
        special("water_beneath", water),
        drawn("grate", 64, 0.5, 16.0),
        special("glow", flags::NOLIGHT),
        special("sky", sky),
        special("nodraw", nodraw),
        special("trigger", trigger),
        drawn("hills", 256, 0.25, 32.0),
        drawn("ladder", 64, 0.5, 16.0),
        special("embers", flags::NOLIGHT),
        drawn("timber", 128, 0.5, 16.0),
    ]
}

fn drawn(name: &str, size: i32, units_per_texel: f64, units_per_luxel: f64) -> SurfaceMaterial {
    SurfaceMaterial {
        name: format!("ironlands/{name}"),
        flags: 0,
        size: [size; 2],
        units_per_texel,
        units_per_luxel,
        reflectivity: [0.3; 3],
        beneath: None,
    }
}

/// Without light of its own: a tool of the compiler has the name that tools have.
fn special(name: &str, surface: i32) -> SurfaceMaterial {
    let is_tool = surface & (flags::SKY | flags::NODRAW | flags::TRIGGER) != 0;
    let full = if is_tool {
        format!("tools/tools{}", if name == "sky" { "skybox" } else { name })
    } else {
        format!("ironlands/{name}")
    };
    SurfaceMaterial {
        name: full,
        flags: surface,
        ..drawn(name, 128, 0.5, 16.0)
    }
}
