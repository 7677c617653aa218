//! Single tiles as materials: those of liquids, and those of the ground that are animated.
//!
//! Each has a texture of its own, a tile with its border, so that all levels of detail show nothing else.

use std::collections::HashMap;

use ironlands_scene::{
    Addressing, Blend, Glides, Material, MaterialIdx, Pass, PassAnimation, PassKind, PassPhase,
    PhaseKey, PhaseMode, Texture, TextureCell, TextureIdx,
};

use super::Surfaces;
use super::atlases::{Atlases, Picture};
use crate::mp::{self, AnimatedTiles};
use crate::sec::Tile;
use ironlands_assets_core::mips::{MipChain, levels};

/// Pixels along a side of a tile's picture, as in the game.
const SIDE: usize = 64;
/// Pixels along a side of a picture whose mean color is that of a tile.
const MEAN_SIDE: usize = 8;
/// How long a phase of an animated tile is shown. The files do not say (dossier section 10.1); this is two ticks of the
/// game's clock.
const PHASE_MS: u32 = 133;
/// Liquids of an unknown kind that give off this share of their color, or more, are molten.
const MOLTEN_GLOW: f32 = 0.5;
/// Phases that are shown of an animation; more could only be had from a broken file.
const MAX_PHASES: u16 = 64;

/// What a tile is drawn as, by what decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Look {
    /// Global number.
    number: u16,
    /// Of a liquid its material; `None` for ground.
    liquid: Option<Liquid>,
    /// Repeated without end, so without the border.
    is_sea: bool,
}

/// Which liquid a tile shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Liquid {
    /// Index into the materials of the zone's header, which may lack it.
    pub(super) material: usize,
}

/// The materials of single tiles, each made on first use.
pub(super) struct TileLooks<'a> {
    atlases: &'a Atlases<'a>,
    materials: HashMap<Look, MaterialIdx>,
    textures: HashMap<Look, TextureIdx>,
}

impl<'a> TileLooks<'a> {
    pub(super) fn new(atlases: &'a Atlases<'a>) -> Self {
        Self {
            atlases,
            materials: HashMap::new(),
            textures: HashMap::new(),
        }
    }

    /// The material of an animated tile of the ground; `None` if it is not animated.
    pub(super) fn of_ground(&mut self, tile: Tile, surfaces: &mut Surfaces) -> Option<MaterialIdx> {
        let number = tile.number();
        self.atlases.land().animation_of(number)?;
        let look = Look {
            number,
            liquid: None,
            is_sea: false,
        };
        Some(self.material(look, surfaces))
    }

    /// The material of a tile of a liquid.
    pub(super) fn of_liquid(
        &mut self,
        tile: Tile,
        liquid: Liquid,
        surfaces: &mut Surfaces,
    ) -> MaterialIdx {
        let look = Look {
            number: tile.number(),
            liquid: Some(liquid),
            is_sea: false,
        };
        self.material(look, surfaces)
    }

    /// The material of a sea that shows a tile again and again.
    pub(super) fn of_sea(
        &mut self,
        tile: Tile,
        liquid: Liquid,
        surfaces: &mut Surfaces,
    ) -> MaterialIdx {
        let look = Look {
            number: tile.number(),
            liquid: Some(liquid),
            is_sea: true,
        };
        self.material(look, surfaces)
    }

    fn material(&mut self, look: Look, surfaces: &mut Surfaces) -> MaterialIdx {
        if let Some(known) = self.materials.get(&look) {
            return *known;
        }
        let pass = self.pass(look, surfaces);
        let name = match look.liquid {
            Some(liquid) if look.is_sea => format!("sea {} tile {}", liquid.material, look.number),
            Some(liquid) => format!("liquid {} tile {}", liquid.material, look.number),
            None => format!("tile {}", look.number),
        };
        let material = surfaces.add_material(Material {
            name,
            passes: vec![pass],
        });
        self.materials.insert(look, material);
        material
    }

    fn pass(&mut self, look: Look, surfaces: &mut Surfaces) -> Pass {
        let texture = self.texture(look, surfaces);
        let pass = Pass {
            texture: Some(texture),
            ..Pass::default()
        };
        let pass = match look.liquid {
            Some(liquid) => Pass {
                kind: self.liquid_kind(look.number, liquid),
                diffuse: [1.0, 1.0, 1.0, self.alpha_of(liquid)],
                emissive: [self.glow_of(liquid); 3],
                glows: self.glow_of(liquid) >= MOLTEN_GLOW,
                blend: Some(Blend::ALPHA),
                depth_write: false,
                liquid: Some(self.clear(liquid)),
                ..pass
            },
            None => pass,
        };
        let animation = self.atlases.land().animation_of(look.number);
        Pass {
            animation: animation.map(|tiles| self.animation(tiles, look, &pass, surfaces)),
            ..pass
        }
    }

    /// A tile shows the phases from its own on, so that not all neighbors must show the same.
    fn animation(
        &mut self,
        tiles: AnimatedTiles,
        look: Look,
        pass: &Pass,
        surfaces: &mut Surfaces,
    ) -> PassAnimation {
        let n_phases = tiles.count.min(MAX_PHASES);
        let own = look.number.saturating_sub(tiles.first);
        let phases = (0..n_phases).map(|phase| {
            let phase = (u32::from(own) + u32::from(phase)) % u32::from(tiles.count);
            let number = tiles.first.saturating_add(phase as u16);
            PassPhase {
                cell: TextureCell::default(),
                texture: Some(self.texture(Look { number, ..look }, surfaces)),
                diffuse: pass.diffuse,
                ambient: pass.ambient,
                emissive: pass.emissive,
            }
        });
        let phases: Vec<_> = phases.collect();
        let keys = (0..u32::from(n_phases)).map(|phase| PhaseKey {
            phase,
            duration_ms: PHASE_MS,
        });
        PassAnimation {
            phases,
            keys: keys.collect(),
            mode: PhaseMode::Loop,
            glides: Glides::default(),
        }
    }

    /// The picture of a tile; of a liquid over the color of its material (section 10.6).
    fn texture(&mut self, look: Look, surfaces: &mut Surfaces) -> TextureIdx {
        if let Some(known) = self.textures.get(&look) {
            return *known;
        }
        let tile = Tile(look.number);
        let Picture { side, mut pixels } = match look.is_sea {
            true => self.atlases.visible(tile, SIDE),
            false => self.atlases.whole(tile, SIDE),
        };
        if let Some(liquid) = look.liquid {
            let color = self.material_of(liquid).map(|it| it.diffuse.map(share));
            for pixel in &mut pixels {
                *pixel = over(*pixel, color);
            }
        }
        let mips = levels(&pixels, [side as u32; 2], MipChain::Full);
        let texture = surfaces.add_texture(Texture {
            name: match look.liquid {
                Some(liquid) => format!("tile {} of liquid {}", look.number, liquid.material),
                None => format!("tile {}", look.number),
            },
            width: side as u32,
            height: side as u32,
            n_layers: 1,
            mips: mips.into_iter().map(|it| it.into_flattened()).collect(),
            addressing: match look.is_sea {
                true => Addressing::Repeat,
                false => Addressing::Clamp,
            },
            ..Texture::default()
        });
        self.textures.insert(look, texture);
        texture
    }

    /// The mean color that a tile of the ground has.
    pub(super) fn ground_color(&self, tile: Tile) -> [f32; 3] {
        let Picture { side, pixels } = self.atlases.visible(tile, MEAN_SIDE);
        let mean = |channel: usize| {
            let sum: f32 = pixels.iter().map(|pixel| f32::from(pixel[channel])).sum();
            sum / 255.0 / (side * side) as f32
        };
        [mean(0), mean(1), mean(2)]
    }

    /// Water mirrors the sky and has waves; other liquids are drawn as their material says.
    pub(super) fn liquid_kind(&self, number: u16, liquid: Liquid) -> PassKind {
        let ground_types = &self.atlases.land().mp().ground_types;
        let ground_type = ground_types.get(usize::from(number)).copied();
        match is_water(ground_type, self.glow_of(liquid)) {
            true => PassKind::Water,
            false => PassKind::Translucent,
        }
    }

    /// What water of the material's color does with light; waves are those of this renderer.
    fn clear(&self, liquid: Liquid) -> ironlands_scene::Liquid {
        let own = ironlands_scene::Liquid::default();
        let color = self.material_of(liquid).map(|it| {
            let [r, g, b, _] = it.diffuse.map(share);
            [r, g, b]
        });
        ironlands_scene::Liquid {
            color: color.unwrap_or(own.color),
            ..own
        }
    }

    fn material_of(&self, liquid: Liquid) -> Option<&'a mp::Material> {
        self.atlases.land().mp().materials.get(liquid.material)
    }

    /// Liquids of a material that is not there are opaque.
    fn alpha_of(&self, liquid: Liquid) -> f32 {
        self.material_of(liquid)
            .map_or(1.0, |it| share(it.diffuse[3]))
    }

    fn glow_of(&self, liquid: Liquid) -> f32 {
        self.material_of(liquid)
            .map_or(0.0, |it| share(it.self_illumination))
    }
}

/// Whether a liquid is water, by the kind of ground of its tile. Where that names no ground, it is water unless it
/// gives off most of its light by itself, as lava does. The kind of its material decides nothing: tools disagree on it.
fn is_water(ground_type: Option<u32>, glow: f32) -> bool {
    match ground_type.and_then(mp::ground_type_name) {
        Some("undefined") | None => glow < MOLTEN_GLOW,
        Some(name) => name == "water",
    }
}

/// A number of a material as a share of 1; what is no number is none.
fn share(value: f32) -> f32 {
    if value.is_finite() {
        value.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// A pixel over a plain color, by its own alpha; opaque. Without a color the pixel alone.
fn over([r, g, b, a]: [u8; 4], color: Option<[f32; 4]>) -> [u8; 4] {
    let Some(color) = color else {
        return [r, g, b, u8::MAX];
    };
    let alpha = f32::from(a) / 255.0;
    let mix = |own: u8, under: f32| {
        let under = under * 255.0;
        (under + (f32::from(own) - under) * alpha).round() as u8
    };
    [
        mix(r, color[0]),
        mix(g, color[1]),
        mix(b, color[2]),
        u8::MAX,
    ]
}
