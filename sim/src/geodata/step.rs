//! One step from cell to cell: the rule that all movement and all paths follow. Dossier sections 4.3 to 4.5.

use super::movement::BlockedBy;
use super::pack::{BlockView, Layer};
use super::profile::{NoDataRule, Profile};
use super::world::Geodata;
use ironlands_assets_loader::lineage2::{GeoCell, Nswe};

/// Where someone stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    pub cell: GeoCell,
    pub z: i32,
    /// Place of the layer from the ground up.
    pub layer: u8,
    pub nswe: Nswe,
}

/// A block that was looked up.
type Looked<'a> = (u32, Option<BlockView<'a>>);

/// All steps: the axial ones, then the diagonal ones.
pub(super) const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
];

/// Steps over a ground, with the block that was asked last at hand.
pub(super) struct Steps<'a> {
    geodata: &'a Geodata,
    profile: Profile,
    last: Looked<'a>,
}

/// What no block has for a number: cells have 13 bits of it in x and in y.
const NO_BLOCK: u32 = u32::MAX;

impl<'a> Steps<'a> {
    pub(super) fn new(geodata: &'a Geodata, profile: Profile) -> Self {
        Self {
            geodata,
            profile,
            last: (NO_BLOCK, None),
        }
    }

    #[inline]
    pub(super) fn block(&mut self, cell: GeoCell) -> Option<BlockView<'a>> {
        let block = u32::from(cell.x >> 3) << 16 | u32::from(cell.y >> 3);
        if block != self.last.0 {
            self.last = (block, self.geodata.block(cell));
        }
        self.last.1
    }

    /// The layer nearest to `z`; where no region is, by the profile's rule.
    #[inline]
    pub(super) fn stand(&mut self, cell: GeoCell, z: i32) -> Option<Stand> {
        let at = u32::from(cell.cell_index());
        match self.block(cell) {
            Some(block) => Some(stand(&block, cell, at, block.nearest(at, z))),
            None => self.without_data(cell, z),
        }
    }

    /// The highest layer that can be reached from `z`.
    #[inline]
    pub(super) fn pick(&mut self, cell: GeoCell, z: i32) -> Result<Stand, BlockedBy> {
        let at = u32::from(cell.cell_index());
        let Some(block) = self.block(cell) else {
            return self.without_data(cell, z).ok_or(BlockedBy::NoData);
        };
        let limit = z + self.profile.max_up;
        let layer = match block {
            BlockView::Flat { high, low } => {
                let (high, low) = (i32::from(high), i32::from(low));
                let is_reached = high <= limit || (self.profile.uses_flat_pair && low <= limit);
                is_reached.then_some(Layer { z: high, index: 0 })
            }
            BlockView::Complex(_) | BlockView::Multilayer(_) => block.highest_up_to(at, limit),
        };
        let layer = layer.ok_or(BlockedBy::Climb)?;
        if self
            .profile
            .max_down
            .is_some_and(|max_down| z - layer.z > max_down)
        {
            return Err(BlockedBy::Drop);
        }
        Ok(stand(&block, cell, at, layer))
    }

    /// Where each of the eight steps leads, in the order of [`DIRECTIONS`].
    #[inline]
    pub(super) fn neighbours(&mut self, from: &Stand) -> [Option<Stand>; 8] {
        if let Some(inside) = self.inside_flat(from) {
            return inside;
        }
        let axial = DIRECTIONS.first_chunk::<4>().expect("eight directions");
        let [east, west, south, north] = axial.map(|(dx, dy)| self.axial(from, dx, dy).ok());
        let mut diagonal = |in_x: Option<Stand>, in_y: Option<Stand>, (dx, dy): (i32, i32)| {
            self.around(from, &in_x?, &in_y?, dx, dy).ok()
        };
        let [.., south_east, south_west, north_east, north_west] = DIRECTIONS;
        [
            east,
            west,
            south,
            north,
            diagonal(east, south, south_east),
            diagonal(west, south, south_west),
            diagonal(east, north, north_east),
            diagonal(west, north, north_west),
        ]
    }

    /// All eight, where they stay in a flat block.
    fn inside_flat(&mut self, from: &Stand) -> Option<[Option<Stand>; 8]> {
        let (x, y) = from.cell.cell();
        let is_inside = (1..7).contains(&x) && (1..7).contains(&y);
        if !is_inside || !matches!(self.block(from.cell), Some(BlockView::Flat { .. })) {
            return None;
        }
        Some(DIRECTIONS.map(|(dx, dy)| {
            let cell = neighbour(from.cell, dx, dy)?;
            Some(Stand { cell, ..*from })
        }))
    }

    /// A step to a neighbour: `dx`, `dy` are -1, 0 or 1, not both 0.
    #[inline]
    pub(super) fn step(&mut self, from: &Stand, dx: i32, dy: i32) -> Result<Stand, BlockedBy> {
        if dx == 0 || dy == 0 {
            self.axial(from, dx, dy)
        } else {
            self.diagonal(from, dx, dy)
        }
    }

    #[inline]
    pub(super) fn axial(&mut self, from: &Stand, dx: i32, dy: i32) -> Result<Stand, BlockedBy> {
        if !from.nswe.contains(side(dx, dy)) {
            return Err(BlockedBy::ClosedSide);
        }
        let cell = neighbour(from.cell, dx, dy).ok_or(BlockedBy::NoData)?;
        self.pick(cell, from.z)
    }

    /// Both ways around the corner must be open; the end is what can be reached from where the step began.
    fn diagonal(&mut self, from: &Stand, dx: i32, dy: i32) -> Result<Stand, BlockedBy> {
        let in_x = self.axial(from, dx, 0)?;
        let in_y = self.axial(from, 0, dy)?;
        self.around(from, &in_x, &in_y, dx, dy)
    }

    /// The diagonal step between two axial ones that can be made.
    #[inline]
    fn around(
        &mut self,
        from: &Stand,
        in_x: &Stand,
        in_y: &Stand,
        dx: i32,
        dy: i32,
    ) -> Result<Stand, BlockedBy> {
        if !in_x.nswe.contains(side(0, dy)) || !in_y.nswe.contains(side(dx, 0)) {
            return Err(BlockedBy::ClosedSide);
        }
        let cell = neighbour(from.cell, dx, dy).ok_or(BlockedBy::NoData)?;
        self.pick(cell, from.z)
    }

    fn without_data(&self, cell: GeoCell, z: i32) -> Option<Stand> {
        (self.profile.no_data == NoDataRule::Open).then_some(Stand {
            cell,
            z,
            layer: 0,
            nswe: Nswe::ALL_SIDES,
        })
    }
}

#[inline]
fn stand(block: &BlockView<'_>, cell: GeoCell, at: u32, layer: Layer) -> Stand {
    Stand {
        cell,
        z: layer.z,
        layer: layer.index,
        nswe: block.nswe(at, layer.index),
    }
}

/// The side of a cell that a step along one axis leaves by.
#[inline]
pub(super) fn side(dx: i32, dy: i32) -> Nswe {
    match (dx, dy) {
        (1, _) => Nswe::EAST,
        (-1, _) => Nswe::WEST,
        (_, 1) => Nswe::SOUTH,
        _ => Nswe::NORTH,
    }
}

/// The cell beside; `None` over the edge of the grid.
#[inline]
pub(super) fn neighbour(cell: GeoCell, dx: i32, dy: i32) -> Option<GeoCell> {
    Some(GeoCell {
        x: u16::try_from(i32::from(cell.x) + dx).ok()?,
        y: u16::try_from(i32::from(cell.y) + dy).ok()?,
    })
}
