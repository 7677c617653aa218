//! Where a cell is: world points, cells, blocks and regions. Dossier section 1.
//!
//! The grid begins at region 0_0, so that no index is ever negative and the number of a region falls out of it. Its
//! bounds are half-open; a point outside is an error, never moved inside.

use std::fmt;

use thiserror::Error;

/// Side of a cell in points.
pub const CELL_SIZE: i32 = 16;

/// Side of a block in points.
pub const BLOCK_SIZE: i32 = 8 * CELL_SIZE;

/// Side of a region in points.
pub const REGION_SIZE: i32 = 256 * BLOCK_SIZE;

/// Cells along a side of a region.
pub const CELLS_PER_REGION_SIDE: usize = 2048;

/// The region whose north-west corner is the world point (0, 0).
pub const ZERO_REGION: RegionId = RegionId { x: 20, y: 18 };

/// Regions along a side of the grid.
const REGIONS_PER_SIDE: u8 = 32;

const ORIGIN_X: i32 = ZERO_REGION.x as i32 * REGION_SIZE;
const ORIGIN_Y: i32 = ZERO_REGION.y as i32 * REGION_SIZE;

/// Number of a region, as in its file name: x grows to the east, y to the south.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId {
    x: u8,
    y: u8,
}

impl RegionId {
    /// A region of the grid, each number `0..=31`; `None` outside.
    pub fn new(x: u8, y: u8) -> Option<Self> {
        (x < REGIONS_PER_SIDE && y < REGIONS_PER_SIDE).then_some(Self { x, y })
    }

    /// First number of the file name, `0..=31`.
    pub fn x(self) -> u8 {
        self.x
    }

    /// Second number of the file name, `0..=31`.
    pub fn y(self) -> u8 {
        self.y
    }

    /// Place in a table of all regions, `0..1024`; x-major like everything here.
    pub fn index(self) -> usize {
        usize::from(self.x) * usize::from(REGIONS_PER_SIDE) + usize::from(self.y)
    }

    /// Its north-west corner, world points.
    pub fn corner(self) -> (i32, i32) {
        let side = |number: u8, origin| i32::from(number) * REGION_SIZE - origin;
        (side(self.x, ORIGIN_X), side(self.y, ORIGIN_Y))
    }

    /// Its north-west cell.
    pub fn first_cell(self) -> GeoCell {
        GeoCell {
            x: u16::from(self.x) << 11,
            y: u16::from(self.y) << 11,
        }
    }
}

impl fmt::Display for RegionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}_{:02}", self.x, self.y)
    }
}

/// A cell of the grid, counted from the north-west corner of region 0_0. Every value is a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct GeoCell {
    /// To the east.
    pub x: u16,
    /// To the south.
    pub y: u16,
}

/// A point that no region can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the point {x}, {y} is outside of all regions")]
pub struct OutsideWorld {
    /// To the east, world points.
    pub x: i32,
    /// To the south, world points.
    pub y: i32,
}

impl GeoCell {
    /// The cell that holds a world point. A border belongs to the cell on its higher side.
    ///
    /// # Errors
    /// If the point is in none of the regions 0_0 to 31_31.
    pub fn from_point(x: i32, y: i32) -> Result<Self, OutsideWorld> {
        let along = |at: i32, origin| u16::try_from(at.checked_add(origin)? >> 4).ok();
        match (along(x, ORIGIN_X), along(y, ORIGIN_Y)) {
            (Some(x), Some(y)) => Ok(Self { x, y }),
            _ => Err(OutsideWorld { x, y }),
        }
    }

    /// Cell of a region by block and cell index; see [`block_index`](Self::block_index).
    pub fn in_region(region: RegionId, block: u16, cell: u8) -> Self {
        let first = region.first_cell();
        Self {
            x: first.x | (block >> 8) << 3 | u16::from(cell >> 3 & 7),
            y: first.y | (block & 255) << 3 | u16::from(cell & 7),
        }
    }

    /// The region that it lies in.
    pub fn region(self) -> RegionId {
        RegionId {
            x: (self.x >> 11) as u8,
            y: (self.y >> 11) as u8,
        }
    }

    /// Block inside of the region, each number `0..=255`.
    pub fn block(self) -> (u8, u8) {
        ((self.x >> 3) as u8, (self.y >> 3) as u8)
    }

    /// Place of the block in its region: x-major.
    pub fn block_index(self) -> u16 {
        let (x, y) = self.block();
        u16::from(x) << 8 | u16::from(y)
    }

    /// Cell inside of the block, each number `0..=7`.
    pub fn cell(self) -> (u8, u8) {
        ((self.x & 7) as u8, (self.y & 7) as u8)
    }

    /// Place of the cell in its block: x-major.
    pub fn cell_index(self) -> u8 {
        let (x, y) = self.cell();
        x << 3 | y
    }

    /// The point that stands for the cell, world points.
    pub fn center(self) -> (i32, i32) {
        let (x, y) = self.corner();
        (x + CELL_SIZE / 2, y + CELL_SIZE / 2)
    }

    /// North-west corner, world points.
    pub fn corner(self) -> (i32, i32) {
        (
            (i32::from(self.x) << 4) - ORIGIN_X,
            (i32::from(self.y) << 4) - ORIGIN_Y,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// World point, region, block, cell, place of the cell, grid, center: section 1.5.
    type Row = (
        (i32, i32),
        (u8, u8),
        (u8, u8),
        (u8, u8),
        u8,
        (u16, u16),
        (i32, i32),
    );

    const ROWS: [Row; 21] = [
        ((0, 0), (20, 18), (0, 0), (0, 0), 0, (40960, 36864), (8, 8)),
        (
            (-1, -1),
            (19, 17),
            (255, 255),
            (7, 7),
            63,
            (40959, 36863),
            (-8, -8),
        ),
        (
            (15, 15),
            (20, 18),
            (0, 0),
            (0, 0),
            0,
            (40960, 36864),
            (8, 8),
        ),
        (
            (16, -16),
            (20, 17),
            (0, 255),
            (1, 7),
            15,
            (40961, 36863),
            (24, -8),
        ),
        (
            (127, 128),
            (20, 18),
            (0, 1),
            (7, 0),
            56,
            (40967, 36872),
            (120, 136),
        ),
        (
            (32767, 32767),
            (20, 18),
            (255, 255),
            (7, 7),
            63,
            (43007, 38911),
            (32760, 32760),
        ),
        (
            (32768, 32768),
            (21, 19),
            (0, 0),
            (0, 0),
            0,
            (43008, 38912),
            (32776, 32776),
        ),
        (
            (-32768, -32768),
            (19, 17),
            (0, 0),
            (0, 0),
            0,
            (38912, 34816),
            (-32760, -32760),
        ),
        (
            (-32769, 32768),
            (18, 19),
            (255, 0),
            (7, 0),
            56,
            (38911, 38912),
            (-32776, 32776),
        ),
        (
            (-8, -24),
            (19, 17),
            (255, 255),
            (7, 6),
            62,
            (40959, 36862),
            (-8, -24),
        ),
        (
            (131071, -131073),
            (23, 13),
            (255, 255),
            (7, 7),
            63,
            (49151, 28671),
            (131064, -131080),
        ),
        (
            (12345, 6789),
            (20, 18),
            (96, 53),
            (3, 0),
            24,
            (41731, 37288),
            (12344, 6792),
        ),
        (
            (-84141, 244623),
            (17, 25),
            (110, 119),
            (5, 0),
            40,
            (35701, 52152),
            (-84136, 244616),
        ),
        (
            (83400, 147943),
            (22, 22),
            (139, 131),
            (4, 6),
            38,
            (46172, 46110),
            (83400, 147944),
        ),
        (
            (-12787, 122779),
            (19, 21),
            (156, 191),
            (0, 1),
            1,
            (40160, 44537),
            (-12792, 122776),
        ),
        (
            (9709, 15566),
            (20, 18),
            (75, 121),
            (6, 4),
            52,
            (41566, 37836),
            (9704, 15560),
        ),
        (
            (-294912, -262144),
            (11, 10),
            (0, 0),
            (0, 0),
            0,
            (22528, 20480),
            (-294904, -262136),
        ),
        (
            (229375, 294911),
            (26, 26),
            (255, 255),
            (7, 7),
            63,
            (55295, 55295),
            (229368, 294904),
        ),
        (
            (229376, 294912),
            (27, 27),
            (0, 0),
            (0, 0),
            0,
            (55296, 55296),
            (229384, 294920),
        ),
        (
            (-655360, -589824),
            (0, 0),
            (0, 0),
            (0, 0),
            0,
            (0, 0),
            (-655352, -589816),
        ),
        (
            (393215, 458751),
            (31, 31),
            (255, 255),
            (7, 7),
            63,
            (65535, 65535),
            (393208, 458744),
        ),
    ];

    #[test]
    fn coordinates_agree_with_the_facts() {
        for ((x, y), region, block, cell, cell_idx, grid, center) in ROWS {
            let at = GeoCell::from_point(x, y).unwrap();
            assert_eq!((at.x, at.y), grid, "{x}, {y}");
            assert_eq!((at.region().x, at.region().y), region, "{x}, {y}");
            assert_eq!((at.block(), at.cell()), (block, cell), "{x}, {y}");
            assert_eq!(at.cell_index(), cell_idx);
            assert_eq!(at.center(), center);
            let again = GeoCell::in_region(at.region(), at.block_index(), cell_idx);
            assert_eq!(again, at);
            assert_eq!(GeoCell::from_point(center.0, center.1), Ok(at));
            let corner = at.corner();
            assert_eq!(GeoCell::from_point(corner.0, corner.1), Ok(at));
        }
    }

    #[test]
    fn points_outside_are_errors() {
        let outside = [
            (393216, 0),
            (-655361, 0),
            (0, 458752),
            (0, -589825),
            (i32::MAX, 0),
            (0, i32::MIN),
        ];
        for (x, y) in outside {
            assert_eq!(GeoCell::from_point(x, y), Err(OutsideWorld { x, y }));
        }
    }

    #[test]
    fn regions_know_their_corner() {
        assert_eq!(ZERO_REGION.corner(), (0, 0));
        let first = RegionId::new(11, 10).unwrap();
        assert_eq!(first.corner(), (-294912, -262144));
        assert_eq!(first.to_string(), "11_10");
        assert_eq!(RegionId::new(32, 0), None);
        assert_eq!(RegionId::new(0, 32), None);
    }
}
