//! In which directions a wall can be crossed, by the step rule (dossier section 4.4).

use super::Land;
use super::columns::{Sheet, push_layers};
use super::partners::{Side, walled};
use crate::Profile;
use ironlands_sim_regions::GeoCell;
use ironlands_sim_regions::tiles::LandMark;

/// A wall under a layer of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LandWall {
    /// Height of its foot.
    pub foot: i32,
    /// The layer at its foot, from the ground up.
    pub layer: u8,
    /// In which directions it can be crossed.
    pub mark: LandMark,
}

/// Of a wall that goes down from `high` over a side of its to `low`, between steps of a level.
pub(super) fn wall_mark(
    profile: &Profile,
    level: u8,
    high: &Sheet,
    low: &Sheet,
    side: Side,
) -> LandMark {
    let foot = match profile.uses_flat_pair {
        true => high.low,
        false => high.z,
    };
    // A large step is as many small ones.
    let limit = |limit: i32| limit.saturating_mul(1 << level);
    let climb = i32::from(foot) - i32::from(low.z);
    let drop = i32::from(high.z) - i32::from(low.z);
    let is_low_enough = profile.max_down.is_none_or(|down| drop <= limit(down));
    let down = high.open_sides & side.bit() != 0 && is_low_enough;
    let up = low.open_sides & side.opposite().bit() != 0 && climb <= limit(profile.max_up);
    match (down, up) {
        (true, true) => LandMark::WallOpen,
        (false, false) => LandMark::WallClosed,
        _ => LandMark::WallOneWay,
    }
}

impl Land {
    /// The wall from a layer of a cell down to a cell beside it; of two the deeper one. `None` if there is none, or the
    /// two are not side by side.
    pub fn wall(&self, cell: GeoCell, layer: u8, beside: GeoCell) -> Option<LandWall> {
        let side = Side::between(cell, beside)?;
        let sheets = |cell: GeoCell| {
            let mut sheets = Vec::new();
            let block = self.geodata.block(cell)?;
            push_layers(
                &block,
                u32::from(cell.cell_index()),
                LandMark::Flat,
                &mut sheets,
            );
            Some(sheets)
        };
        let (here, there) = (sheets(cell)?, sheets(beside)?);
        let mut wall: Option<LandWall> = None;
        walled(&here, &there, |at, partner| {
            let (high, low) = (&here[at], &there[partner]);
            let is_deeper = wall
                .as_ref()
                .is_none_or(|wall| i32::from(low.z) < wall.foot);
            if at == usize::from(layer) && high.z > low.z && is_deeper {
                wall = Some(LandWall {
                    foot: i32::from(low.z),
                    layer: low.layer,
                    mark: wall_mark(&self.profile, 0, high, low, side),
                });
            }
        });
        wall
    }
}
