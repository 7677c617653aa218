//! Real regions as land: tiles of all levels, and rays.

use crate::regions::{Draw, Loaded};
use crate::same;
use glam::Vec3;
use ironlands_assets_lineage2::level_scene::{N_LEVELS, REGION_LEVEL, region_tile};
use ironlands_assets_lineage2::{Block, CELL_SIZE, GeoCell, GeodataFormat};
use ironlands_scene::{Facet, Facing, TileKey, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_geodata::Profile;
use ironlands_sim_geodata::land::Land;
use ironlands_sim_world::Poses;
use ironlands_sim_world::World;
use ironlands_world_lineage2::{GeodataWorld, profile_of_formats};
use libtest_mimic::Failed;

/// Most facets of a tile: a mebibyte.
const MAX_FACETS: usize = 1 << 16;
/// Tiles of the finest level that are compared cell by cell.
const N_FINEST: i32 = 4;
const N_RAYS: usize = 300;

fn profile(loaded: &Loaded) -> Profile {
    profile_of_formats(
        GeodataFormat::ALL
            .into_iter()
            .filter(|format| loaded.file.ends_with(format.ending())),
    )
}

/// Tiles of all levels are no larger than they may be, and keep to the heights of the region; those of the finest level
/// are the region's cells.
pub fn tiles(loaded: &Loaded) -> Result<(), Failed> {
    let land = Land::new(loaded.geodata.clone(), profile(loaded));
    let region = region_tile(loaded.region.id);
    let [low, high] = land.z_range().ok_or("heights")?;
    for shape in [TileShape::Slopes, TileShape::Plateaus] {
        for level in 0..N_LEVELS {
            let key = match REGION_LEVEL.checked_sub(level) {
                Some(down) => TileKey {
                    level,
                    x: (region.x << down) + (1 << down) / 2,
                    y: (region.y << down) + (1 << down) / 2,
                },
                None => region.at_level(level),
            };
            let tile = land.tile(key, shape);
            let n = tile.facets.len();
            same(
                &format!("{key:?}: {n} facets"),
                (1..MAX_FACETS).contains(&n),
                true,
            )?;
            // Slopes go through the middle of the two heights of a flat block, in whole eighths.
            let slack = if shape == TileShape::Slopes { 20 } else { 0 };
            let is_between = |z: &i16| (low - slack..=high + slack).contains(z);
            let mut ground = tile.facets.iter().filter(|it| it.facing == Facing::Up);
            let outside = ground.find(|facet| !facet.z.iter().all(is_between));
            same(&format!("{key:?}: within {low}..{high}"), outside, None)?;
        }
    }
    let mut draw = Draw(11);
    for _ in 0..N_FINEST {
        let (x, y) = (draw.below(16) as u32, draw.below(16) as u32);
        let key = TileKey {
            level: 0,
            x: region.x * 16 + x,
            y: region.y * 16 + y,
        };
        cells_of_tile(loaded, &land, key)?;
    }
    Ok(())
}

/// Each layer of each cell has one facet at its height.
fn cells_of_tile(loaded: &Loaded, land: &Land, key: TileKey) -> Result<(), Failed> {
    let tile = land.tile(key, TileShape::Plateaus);
    let mut found = vec![Vec::new(); 128 * 128];
    for facet in tile.facets.iter().filter(|it| it.facing == Facing::Up) {
        let Facet { at, size, z, .. } = *facet;
        for x in at[0]..at[0] + size[0] {
            for y in at[1]..at[1] + size[1] {
                found[usize::from(x) * 128 + usize::from(y)].push((z[0], facet.open_sides));
            }
        }
    }
    for (place, found) in found.iter_mut().enumerate() {
        let cell = GeoCell {
            x: (key.x * 128) as u16 + (place / 128) as u16,
            y: 65535 - ((key.y * 128) as u16 + (place % 128) as u16),
        };
        let (block_x, block_y) = cell.block();
        let at = usize::from(cell.cell_index());
        let mut expected: Vec<(i16, u8)> = match loaded.region.block(block_x, block_y) {
            Block::Flat(flat) => vec![(flat.high(), 15)],
            Block::Complex(cells) => vec![(cells[at].height, cells[at].nswe.bits())],
            Block::Multilayer(block) => {
                let layers = block.layers(at).iter();
                layers.map(|it| (it.height, it.nswe.bits())).collect()
            }
        };
        expected.sort_unstable();
        found.sort_unstable();
        same(&format!("{cell:?}"), found.clone(), expected)?;
    }
    Ok(())
}

/// Straight down a ray hits the highest layer, straight up the lowest, and both are described.
pub fn rays(loaded: &Loaded) -> Result<(), Failed> {
    let world = GeodataWorld::new(loaded.geodata.clone(), profile(loaded));
    let (left, top) = loaded.region.id.corner();
    let mut draw = Draw(5);
    for _ in 0..N_RAYS {
        let mut along = |corner: i32| corner + draw.below(2048) * CELL_SIZE + CELL_SIZE / 2;
        let (x, y) = (along(left), along(top));
        let layers = loaded.geodata.layers(GeoCell::from_point(x, y)?)?;
        let ends = [layers.last(), layers.first()].map(|layer| layer.map(|it| it.z as f32));
        for (end, direction) in ends.into_iter().zip([-1.0, 1.0]) {
            let ray = Ray {
                origin: Vec3::new(x as f32, -(y as f32), -20_000.0 * direction),
                direction: Vec3::Z * direction,
            };
            let hit = world
                .cast_ray(&ray, 40_000.0, &Poses::default())
                .ok_or("a hit")?;
            same(&format!("at {x}, {y}"), Some(hit.position.z), end)?;
            let facts = world.describe(&hit);
            let region = facts.iter().find(|fact| fact.label == "region");
            let region = region.map(|fact| fact.value.clone());
            same("region", region, Some(loaded.region.id.to_string()))?;
        }
    }
    Ok(())
}
