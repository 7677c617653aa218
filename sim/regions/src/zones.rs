//! Zones of tiles of 16 x 16 blocks, and which zones lead to which, as they are kept. A zone is a part of a tile in
//! which every place leads to every other; zones that are single cells have the highest numbers of their tile.
//!
//! The other cells of a layer are [`NO_ZONE`], a zone, or with [`SEVERAL`] the place of labels: the number of planes of
//! bits, the planes in two words each, the zones. Bit c of the planes, that of the first plane the lowest, is the place
//! among these zones of that of cell c.

/// In a word of a block: all of it is one zone.
pub const ONE_ZONE: u32 = 1 << 31;
/// In a word of a layer: its zones are in the labels.
pub const SEVERAL: u32 = 1 << 31;
/// No zone: a layer that a cell has not.
pub const NO_ZONE: u32 = u32::MAX;

/// Planes that distinguish 64 zones.
const MAX_PLANES: u32 = 6;

/// The zones of 16 x 16 blocks and the exits from them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ZoneTile {
    /// Zones are numbered from 0 on.
    pub n_zones: u32,
    /// First exit of each zone that is no single cell, and the number of all.
    pub first_exits: Vec<u32>,
    /// Steps from zone to zone.
    pub exits: Vec<ZoneExit>,
    /// Zones of layers with several.
    pub labels: Vec<u32>,
    /// Layers of blocks that are not one zone, block after block.
    pub layers: Vec<ZoneLayer>,
    /// Blocks x-major, or one word for all.
    pub blocks: Vec<u32>,
    /// Class of each zone, or one for all.
    pub classes: Vec<u32>,
}

/// A step out of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneExit {
    /// Zone of the tile that the step ends in.
    pub to_zone: u32,
    /// Cell of the tile that it begins in, x-major.
    pub from_cell: u16,
    /// Layer of that cell, from the ground up.
    pub from_layer: u8,
    /// Which of the eight steps, `0..8`.
    pub direction: u8,
}

/// Zones of the 64 cells of a layer of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneLayer {
    /// Cells that are zones by themselves.
    pub singles: u64,
    /// Zone of the first of them; the next ones follow.
    pub first_single: u32,
    /// Zone of all other cells, or where their labels begin.
    pub others: u32,
}

/// What zones of a class reach and are reached from: up to 64 hubs, a bit each. A hub is a set of zones that all lead
/// to each other; a zone of a hub reaches it and is reached from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ZoneClass {
    /// Hubs that a way leads to.
    pub reaches: u64,
    /// Hubs that a way leads here from.
    pub reached_by: u64,
}

impl ZoneClass {
    /// Whether a zone of this class leads to one of another; `None` if hubs do not decide it.
    pub fn leads_to(self, to: Self) -> Option<bool> {
        if self.reaches & to.reached_by != 0 {
            return Some(true);
        }
        // Were there a way, this class would reach what the other one does, and what reaches this would reach the
        // other.
        let is_cut = to.reaches & !self.reaches != 0 || self.reached_by & !to.reached_by != 0;
        is_cut.then_some(false)
    }
}

/// The zone that the labels at a position give to a cell, `0..64`; `None` if there is none.
#[inline]
pub fn zone_of_label(labels: &[u32], place: u32, cell: u32) -> Option<u32> {
    let (&n_planes, rest) = labels.get(place as usize..)?.split_first()?;
    if n_planes > MAX_PLANES {
        return None;
    }
    let (planes, zones) = rest.split_at_checked((n_planes as usize).saturating_mul(2))?;
    let (planes, _) = planes.as_chunks::<2>();
    let place = planes.iter().rev().fold(0, |place, [low, high]| {
        let bits = u64::from(*low) | u64::from(*high) << 32;
        place << 1 | (bits.checked_shr(cell).unwrap_or(0) & 1) as usize
    });
    zones.get(place).copied()
}
