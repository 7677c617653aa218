//! Tiles of land at all levels of detail, and what the mark of a facet says.

/// Steps along a side of a tile.
pub const STEPS_PER_TILE: u8 = 128;
/// Levels of detail: from tiles of 128 cells to one of all 32 x 32 regions.
pub const N_LEVELS: u8 = 10;
/// The level at which a tile is a region.
pub const REGION_LEVEL: u8 = 4;

/// What the mark of a facet of a tile says of land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LandMark {
    /// Ground of a flat block.
    Flat = 0,
    /// Ground of a complex block.
    Complex = 1,
    /// Ground of a multilayer block.
    Multilayer = 2,
    /// Ground of a block that was changed since it was read.
    Edited = 3,
    /// Wall over a border that can be crossed both ways.
    WallOpen = 4,
    /// Wall that can be gone down and not up, or up and not down.
    WallOneWay = 5,
    /// Wall that cannot be crossed.
    WallClosed = 6,
    /// Edge of the land that is loaded.
    WallNoData = 7,
}

impl LandMark {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Flat,
        Self::Complex,
        Self::Multilayer,
        Self::Edited,
        Self::WallOpen,
        Self::WallOneWay,
        Self::WallClosed,
        Self::WallNoData,
    ];

    /// The one of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}
