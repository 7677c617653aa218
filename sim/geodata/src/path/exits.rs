//! Steps from zone to zone, and which of many like ones are kept.

use super::tile::{TILE_CELLS, TileId};
use crate::step::{DIRECTIONS, neighbor};
use ironlands_sim_regions::GeoCell;

/// A step out of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exit {
    /// Zone of the tile that the step ends in.
    pub to_zone: u32,
    /// Cell of the tile that it begins in, x-major.
    pub from_cell: u16,
    pub from_layer: u8,
    /// Place in [`DIRECTIONS`].
    pub direction: u8,
}

impl Exit {
    /// Where the step begins.
    pub(super) fn from(&self, tile: TileId) -> GeoCell {
        let first = tile.first_cell();
        GeoCell {
            x: first.x + self.from_cell / TILE_CELLS,
            y: first.y + self.from_cell % TILE_CELLS,
        }
    }

    /// Where it ends.
    pub(super) fn to(&self, tile: TileId) -> GeoCell {
        let from = self.from(tile);
        let (dx, dy) = self.step();
        // The step was made when the tile was built, so it stays on the grid.
        neighbor(from, dx, dy).unwrap_or(from)
    }

    fn step(&self) -> (i32, i32) {
        DIRECTIONS[usize::from(self.direction)]
    }
}

/// A step out of a tile, before the zones of the other are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure {
    pub from_zone: u32,
    /// Without the zone that it leads to.
    pub exit: Exit,
    /// Where it ends.
    pub to: GeoCell,
    pub to_layer: u8,
}

/// First exit of each zone and the number of all, and the exits.
pub(super) type ZoneExits = (Box<[u32]>, Box<[Exit]>);

/// Bits of a key that distinguish exits of one run.
const IN_RUN: u32 = 31;

impl Exit {
    /// What exits are ordered by: the zone that it leaves, where it leaves the tile, the zone that it leads to and the
    /// run of 16 cells; then within that run how far it is from the middle, the axial steps before the diagonal ones.
    pub(super) fn key(&self, zone: u32) -> u128 {
        const RUN: u16 = 16;
        let (dx, dy) = self.step();
        let (x, y) = (self.from_cell / TILE_CELLS, self.from_cell % TILE_CELLS);
        let steps_out = |at: u16, d: i32| match (at, d) {
            (0, -1) => 0,
            (at, 1) if at == TILE_CELLS - 1 => 2,
            _ => 1,
        };
        let from_middle = |at: u16| u128::from((at % RUN).abs_diff(RUN / 2));
        let parts = [
            (u128::from(zone), 32),
            (steps_out(x, dx), 2),
            (steps_out(y, dy), 2),
            (u128::from(self.to_zone), 32),
            (u128::from(x / RUN), 3),
            (u128::from(y / RUN), 3),
            (u128::from(self.direction >= 4), 1),
            (from_middle(x) + from_middle(y), 5),
            (u128::from(self.from_cell), 14),
            (u128::from(self.from_layer), 8),
            (u128::from(self.direction), 3),
        ];
        parts
            .iter()
            .fold(0, |key, &(part, n_bits)| key << n_bits | part)
    }

    /// The zone that an exit leaves, and the exit.
    fn from_key(key: u128) -> (u32, Self) {
        let exit = Self {
            to_zone: (key >> (IN_RUN + 6)) as u32,
            from_cell: (key >> 11) as u16 & 0x3FFF,
            from_layer: (key >> 3) as u8,
            direction: key as u8 & 7,
        };
        ((key >> (IN_RUN + 42)) as u32, exit)
    }
}

/// Exits by zone, one a run.
pub(super) fn thinned(n_zones: u32, mut keys: Vec<u128>) -> ZoneExits {
    keys.sort_unstable();
    keys.dedup_by_key(|key| *key >> IN_RUN);
    let mut exits = keys.into_iter().map(Exit::from_key).peekable();
    let mut first_exits = Vec::with_capacity(n_zones as usize + 1);
    let mut all = Vec::with_capacity(exits.len());
    first_exits.push(0);
    for zone in 0..n_zones {
        while let Some((_, exit)) = exits.next_if(|(from, _)| *from == zone) {
            all.push(exit);
        }
        first_exits.push(all.len() as u32);
    }
    (first_exits.into(), all.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_exits_and_one_of_a_run_stays() {
        let exit = |from_cell, direction| Exit {
            to_zone: u32::MAX - 1,
            from_cell,
            from_layer: 200,
            direction,
        };
        for it in [exit(0, 0), exit(128 * 127 + 126, 7), exit(8 * 128 + 8, 3)] {
            assert_eq!(Exit::from_key(it.key(0xFEDC_BA98)), (0xFEDC_BA98, it));
        }
        // Cells 0, 8 and 15 of a row lie in one run, whose middle stays, cell 16 in the next; zone 1 has none.
        let inside = [exit(0, 2), exit(8, 4), exit(8, 2), exit(15, 2), exit(16, 2)];
        let keys = inside.iter().map(|exit| exit.key(2)).collect();
        let (firsts, exits) = thinned(3, keys);
        assert_eq!(firsts[..], [0, 0, 0, 2]);
        assert_eq!(exits[..], [exit(8, 2), exit(16, 2)]);
    }
}
