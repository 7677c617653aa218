//! What is known of a cell or wall that was hit, in the game's numbers.

use super::{GeodataWorld, Place, is_wall};
use glam::Vec3;
use ironlands_assets_lineage2::level_scene::LandMark;
use ironlands_assets_lineage2::{GeoCell, Nswe};
use ironlands_sim_geodata::GroundLayer;
use ironlands_sim_world::{Fact, World, WorldHit};

/// A wall under a layer of a cell.
pub(super) struct Wall {
    /// Heights of its foot and its top.
    heights: [i32; 2],
    mark: LandMark,
    /// The cell and the layer at its foot.
    pub lower: (GeoCell, u8),
}

impl GeodataWorld {
    /// `None` for a hit of another world.
    pub(super) fn facts_of(&self, hit: &WorldHit) -> Option<Vec<Fact>> {
        let place = self.place_of(hit)?;
        let Place {
            cell,
            layer,
            layers,
        } = &place;
        let block = self.land.block(*cell)?;
        let (block_x, block_y) = cell.block();
        let (x, y) = cell.cell();
        let (center_x, center_y) = cell.center();
        let kind = match block.kind {
            LandMark::Flat => "flat",
            LandMark::Complex => "complex",
            _ => "multilayer",
        };
        let edited = if block.is_edited { ", edited" } else { "" };
        let mut facts = Vec::new();
        if let Some(wall) = self.wall_of(hit, &place) {
            let [foot, top] = wall.heights;
            facts.push(Fact::new(
                "wall",
                format!("{} high, {foot} to {top}", top.saturating_sub(foot)),
            ));
            facts.push(Fact::new("crossing", crossing(wall.mark)));
        }
        facts.push(Fact::new("region", cell.region().to_string()));
        facts.push(Fact::new(
            "block",
            format!(
                "{block_x}, {block_y} (number {}), {kind}{edited}",
                cell.block_index()
            ),
        ));
        facts.push(Fact::new(
            "cell",
            format!("{x}, {y} (number {})", cell.cell_index()),
        ));
        facts.push(Fact::new(
            "layer",
            format!("{} of {}", layer.index.saturating_add(1), layers.len()),
        ));
        facts.push(Fact::new(
            "height",
            match block.flat_low {
                Some(low) if i32::from(low) != layer.z => {
                    format!("{}, for steps also {low}", layer.z)
                }
                _ => layer.z.to_string(),
            },
        ));
        facts.push(Fact::new("open sides", sides(layer)));
        facts.push(Fact::new(
            "cell center",
            format!("{center_x}, {center_y}, {}", layer.z),
        ));
        let Vec3 { x, y, z } = self.in_game_axes(hit.position);
        facts.push(Fact::new("point", format!("{x:.1}, {y:.1}, {z:.1}")));
        Some(facts)
    }

    /// The wall that was hit, if it was one.
    pub(super) fn wall_of(&self, hit: &WorldHit, place: &Place) -> Option<Wall> {
        if !is_wall(hit) {
            return None;
        }
        let [north_west, _, south_east, _] = self.square_of(place.cell, 0.0);
        let middle = (north_west + south_east) * 0.5;
        let (dx, dy) = match hit.normal.x != 0.0 {
            true => (if hit.position.x > middle.x { 1 } else { -1 }, 0),
            false => (0, if hit.position.y > middle.y { -1 } else { 1 }),
        };
        let along = |at: u16, by: i32| u16::try_from(i32::from(at).saturating_add(by)).ok();
        let beside = GeoCell {
            x: along(place.cell.x, dx)?,
            y: along(place.cell.y, dy)?,
        };
        let wall = self.land.wall(place.cell, place.layer.index, beside)?;
        Some(Wall {
            heights: [wall.foot, place.layer.z],
            mark: wall.mark,
            lower: (beside, wall.layer),
        })
    }
}

fn crossing(mark: LandMark) -> &'static str {
    match mark {
        LandMark::WallOpen => "open both ways",
        LandMark::WallOneWay => "open one way",
        _ => "closed",
    }
}

/// The letters of open sides.
fn sides(layer: &GroundLayer) -> String {
    let letters = [
        (Nswe::NORTH, 'N'),
        (Nswe::SOUTH, 'S'),
        (Nswe::WEST, 'W'),
        (Nswe::EAST, 'E'),
    ];
    let open = letters
        .iter()
        .filter(|(side, _)| layer.nswe.contains(*side));
    let open: String = open.map(|(_, letter)| letter).collect();
    match open.is_empty() {
        true => "none".to_owned(),
        false => open,
    }
}
