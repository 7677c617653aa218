//! One step from cell to cell: the rule that all movement and all paths follow. Dossier sections 4.3 to 4.5.

use super::pack::{BlockView, Layer};
use super::profile::{CornerRule, NoDataRule, Profile, StepTarget};
use super::straight_walk::BlockedBy;
use super::world::Geodata;
use ironlands_sim_regions::{GeoCell, Nswe};

/// Where a character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroundPosition {
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

/// Steps over geodata, with a cache of the blocks around the last query.
pub(super) struct Steps<'a> {
    geodata: &'a Geodata,
    profile: Profile,
    /// By the lowest bit of a block's numbers in x and y: all four around a corner have a place.
    looked: [Looked<'a>; 4],
}

/// What no block has for a number: cells have 13 bits of it in x and in y.
const NO_BLOCK: u32 = u32::MAX;

impl<'a> Steps<'a> {
    pub(super) fn new(geodata: &'a Geodata, profile: Profile) -> Self {
        Self {
            geodata,
            profile,
            looked: [(NO_BLOCK, None); 4],
        }
    }

    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline(always)]
    pub(super) fn block(&mut self, cell: GeoCell) -> Option<&BlockView<'a>> {
        let block = u32::from(cell.x >> 3) << 16 | u32::from(cell.y >> 3);
        let place = usize::from(cell.x >> 2 & 2 | cell.y >> 3 & 1);
        if block != self.looked[place].0 {
            self.look_up(place, block, cell);
        }
        self.looked[place].1.as_ref()
    }

    /// Apart from the usual case, which is short.
    #[inline(never)]
    fn look_up(&mut self, place: usize, block: u32, cell: GeoCell) {
        self.looked[place] = (block, self.geodata.block(cell));
    }

    /// Cells along a side of the square around a cell in which every step stays on one flat ground; `None` if there is
    /// none.
    #[inline]
    pub(super) fn flat_side(&mut self, cell: GeoCell) -> Option<u16> {
        let stays = self.profile.max_up >= 0 && self.profile.max_down.is_none_or(|down| down >= 0);
        let is_flat = stays && matches!(self.block(cell), Some(BlockView::Flat { .. }));
        is_flat.then(|| self.geodata.flat_side(cell))
    }

    /// The layer nearest to `z`; where no region is, by the profile's rule.
    #[inline]
    pub(super) fn stand(&mut self, cell: GeoCell, z: i32) -> Option<GroundPosition> {
        let at = u32::from(cell.cell_index());
        match self.block(cell) {
            Some(block) => Some(stand(block, cell, at, block.nearest(at, z))),
            None => self.without_data(cell, z),
        }
    }

    /// A layer of a cell by its place from the ground up; `None` if there is none.
    pub(super) fn stand_on(&mut self, cell: GeoCell, index: u8) -> Option<GroundPosition> {
        let at = u32::from(cell.cell_index());
        let block = self.block(cell)?;
        let mut found = None;
        block.layers_up(at, |layer| {
            if layer.index == index {
                found = Some(stand(block, cell, at, layer));
            }
            layer.index < index
        });
        found
    }

    /// The highest layer that can be reached from `z`.
    #[inline]
    pub(super) fn pick(&mut self, cell: GeoCell, z: i32) -> Result<GroundPosition, BlockedBy> {
        let profile = self.profile;
        let Some(block) = self.block(cell) else {
            return self.without_data(cell, z).ok_or(BlockedBy::NoData);
        };
        // Where no region is, open ground is as high as the character, which may be anything.
        let limit = z.saturating_add(profile.max_up);
        let found = match *block {
            BlockView::Flat { high, low } => {
                let (high, low) = (i32::from(high), i32::from(low));
                let is_reached = high <= limit || (profile.uses_flat_pair && low <= limit);
                is_reached.then_some((Layer { z: high, index: 0 }, Nswe::ALL_SIDES))
            }
            BlockView::Complex(_) | BlockView::Multilayer(_) => {
                let at = u32::from(cell.cell_index());
                match profile.target {
                    StepTarget::Highest => block.stand_up_to(at, limit),
                    StepTarget::Nearest => Some(block.nearest(at, z))
                        .filter(|layer| layer.z <= limit)
                        .map(|layer| (layer, block.nswe(at, layer.index))),
                }
            }
        };
        let stand = found.map(|(layer, nswe)| GroundPosition {
            cell,
            z: layer.z,
            layer: layer.index,
            nswe,
        });
        profile.step_onto(z, stand)
    }

    /// Where each of the eight steps leads, in the order of [`DIRECTIONS`].
    #[inline]
    pub(super) fn neighbors(&mut self, from: &GroundPosition) -> [Option<GroundPosition>; 8] {
        match self.inside_flat(from) {
            Some(inside) => inside,
            None => neighbors(from, self.profile.corners, |cell, z| self.pick(cell, z)),
        }
    }

    /// All eight, where they stay in a flat block.
    fn inside_flat(&mut self, from: &GroundPosition) -> Option<[Option<GroundPosition>; 8]> {
        let (x, y) = from.cell.cell();
        let is_inside = (1..7).contains(&x) && (1..7).contains(&y);
        if !is_inside || !matches!(self.block(from.cell), Some(BlockView::Flat { .. })) {
            return None;
        }
        Some(DIRECTIONS.map(|(dx, dy)| {
            let cell = neighbor(from.cell, dx, dy)?;
            Some(GroundPosition { cell, ..*from })
        }))
    }

    /// A step to a neighbor: `dx`, `dy` are -1, 0 or 1, not both 0.
    #[inline]
    pub(super) fn step(
        &mut self,
        from: &GroundPosition,
        dx: i32,
        dy: i32,
    ) -> Result<GroundPosition, BlockedBy> {
        if dx == 0 || dy == 0 {
            self.axial(from, dx, dy)
        } else {
            self.diagonal(from, dx, dy)
        }
    }

    #[inline]
    pub(super) fn axial(
        &mut self,
        from: &GroundPosition,
        dx: i32,
        dy: i32,
    ) -> Result<GroundPosition, BlockedBy> {
        axial(from, dx, dy, &mut |cell, z| self.pick(cell, z))
    }

    /// Both ways around the corner must be open, unless corners are cut; the end is what can be reached from where the
    /// step began.
    fn diagonal(
        &mut self,
        from: &GroundPosition,
        dx: i32,
        dy: i32,
    ) -> Result<GroundPosition, BlockedBy> {
        if self.profile.corners == CornerRule::SourceOnly {
            return across(from, dx, dy, &mut |cell, z| self.pick(cell, z));
        }
        let in_x = self.axial(from, dx, 0)?;
        let in_y = self.axial(from, 0, dy)?;
        around(from, [&in_x, &in_y], dx, dy, &mut |cell, z| {
            self.pick(cell, z)
        })
    }

    fn without_data(&self, cell: GeoCell, z: i32) -> Option<GroundPosition> {
        (self.profile.no_data == NoDataRule::Open).then_some(GroundPosition {
            cell,
            z,
            layer: 0,
            nswe: Nswe::ALL_SIDES,
        })
    }
}

/// Where each of the eight steps leads, in the order of [`DIRECTIONS`]; `pick` returns the layer of a cell that can be
/// reached from a height, or why there is none.
#[inline]
pub(super) fn neighbors(
    from: &GroundPosition,
    corners: CornerRule,
    mut pick: impl FnMut(GeoCell, i32) -> Result<GroundPosition, BlockedBy>,
) -> [Option<GroundPosition>; 8] {
    let axials = DIRECTIONS.first_chunk::<4>().expect("eight directions");
    let [east, west, south, north] = axials.map(|(dx, dy)| axial(from, dx, dy, &mut pick).ok());
    let mut diagonal =
        |in_x: &Option<GroundPosition>, in_y: &Option<GroundPosition>, (dx, dy): (i32, i32)| {
            if corners == CornerRule::SourceOnly {
                return across(from, dx, dy, &mut pick).ok();
            }
            around(from, [in_x.as_ref()?, in_y.as_ref()?], dx, dy, &mut pick).ok()
        };
    let [.., south_east, south_west, north_east, north_west] = DIRECTIONS;
    let diagonals = [
        diagonal(&east, &south, south_east),
        diagonal(&west, &south, south_west),
        diagonal(&east, &north, north_east),
        diagonal(&west, &north, north_west),
    ];
    let [south_east, south_west, north_east, north_west] = diagonals;
    [
        east, west, south, north, south_east, south_west, north_east, north_west,
    ]
}

#[inline]
fn axial(
    from: &GroundPosition,
    dx: i32,
    dy: i32,
    pick: &mut impl FnMut(GeoCell, i32) -> Result<GroundPosition, BlockedBy>,
) -> Result<GroundPosition, BlockedBy> {
    if !from.nswe.contains(side(dx, dy)) {
        return Err(BlockedBy::ClosedSide);
    }
    let cell = neighbor(from.cell, dx, dy).ok_or(BlockedBy::NoData)?;
    pick(cell, from.z)
}

/// A diagonal step for which the sides of its cell are enough.
#[inline]
fn across(
    from: &GroundPosition,
    dx: i32,
    dy: i32,
    pick: &mut impl FnMut(GeoCell, i32) -> Result<GroundPosition, BlockedBy>,
) -> Result<GroundPosition, BlockedBy> {
    if !from.nswe.contains(side(dx, 0) | side(0, dy)) {
        return Err(BlockedBy::ClosedSide);
    }
    let cell = neighbor(from.cell, dx, dy).ok_or(BlockedBy::NoData)?;
    pick(cell, from.z)
}

/// The diagonal step between two axial ones, in x and in y, that can be made.
#[inline]
fn around(
    from: &GroundPosition,
    [in_x, in_y]: [&GroundPosition; 2],
    dx: i32,
    dy: i32,
    pick: &mut impl FnMut(GeoCell, i32) -> Result<GroundPosition, BlockedBy>,
) -> Result<GroundPosition, BlockedBy> {
    if !in_x.nswe.contains(side(0, dy)) || !in_y.nswe.contains(side(dx, 0)) {
        return Err(BlockedBy::ClosedSide);
    }
    let cell = neighbor(from.cell, dx, dy).ok_or(BlockedBy::NoData)?;
    pick(cell, from.z)
}

impl Profile {
    /// A step from a height onto the highest layer that is not too high, if there is one.
    #[inline]
    pub(super) fn step_onto(
        &self,
        z: i32,
        stand: Option<GroundPosition>,
    ) -> Result<GroundPosition, BlockedBy> {
        let stand = stand.ok_or(BlockedBy::Climb)?;
        let is_drop = self
            .max_down
            .is_some_and(|max_down| z.saturating_sub(stand.z) > max_down);
        if is_drop {
            Err(BlockedBy::Drop)
        } else {
            Ok(stand)
        }
    }
}

#[inline]
fn stand(block: &BlockView<'_>, cell: GeoCell, at: u32, layer: Layer) -> GroundPosition {
    GroundPosition {
        cell,
        z: layer.z,
        layer: layer.index,
        nswe: block.nswe(at, layer.index),
    }
}

/// The side of a cell that a step along one axis leaves by.
#[inline]
pub(super) fn side(dx: i32, dy: i32) -> Nswe {
    // East, west, south, north from the lowest bit; without a jump, for which way a line turns no one can foresee.
    let in_y = u8::from(dx == 0);
    let is_down = u8::from(dx + dy < 0);
    Nswe::from_bits_retain(1 << (2 * in_y + is_down))
}

/// The cell beside; `None` over the edge of the grid.
#[inline]
pub(super) fn neighbor(cell: GeoCell, dx: i32, dy: i32) -> Option<GeoCell> {
    Some(GeoCell {
        x: u16::try_from(i32::from(cell.x) + dx).ok()?,
        y: u16::try_from(i32::from(cell.y) + dy).ok()?,
    })
}
