//! A guess whether regions lie by the sea, and how high that stands: no geodata file says so.

use std::ops::RangeInclusive;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_lineage2::{GeoCell, RegionId};
use ironlands_sim_geodata::Geodata;

/// Where the game has its sea, points.
const SEA_LEVEL: f32 = -3780.0;
/// Heights of what the game's own tools fill the sea's floor with (dossier section 1.4), and a little around them.
const SEA_FLOOR: RangeInclusive<i32> = -5008..=-4608;
/// Least share of the land that must be sea floor: a pond or a pit of that depth is less.
const LEAST_SHARE: f32 = 0.02;
/// Cells between those that are looked at, along both sides of a region.
const STEP: u16 = 64;
/// Cells along a side of a region.
const CELLS: u16 = 2048;

/// A sea that is not in any file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeaGuess {
    /// Height of its surface, points.
    pub level: f32,
    /// How much of the land is its floor.
    share: f32,
}

impl SeaGuess {
    /// Looks for the floor of the sea among the heights of all regions; `None` where there is hardly any.
    pub fn new(geodata: &Geodata) -> Option<Self> {
        let cells = geodata.regions().flat_map(cells_of);
        let heights = cells.filter_map(|cell| Some(geodata.nearest_layer(cell, i32::MIN).ok()?.z));
        let (mut n_cells, mut n_floor) = (0_u32, 0_u32);
        for height in heights {
            n_cells = n_cells.saturating_add(1);
            n_floor = n_floor.saturating_add(u32::from(SEA_FLOOR.contains(&height)));
        }
        let share = n_floor as f32 / n_cells.max(1) as f32;
        (share >= LEAST_SHARE).then_some(Self {
            level: SEA_LEVEL,
            share,
        })
    }

    /// What was guessed, and why.
    pub fn finding(&self) -> Finding {
        let Self { level, share } = self;
        let percent = share * 100.0;
        let message = format!(
            "no file stores water; {percent:.0} % of the land lies as deep as the game's sea floor, so a sea is shown at {level}: --water-level Z moves it, --no-water hides it"
        );
        Finding::new(Severity::Note, "geodata", message)
    }
}

fn cells_of(region: RegionId) -> impl Iterator<Item = GeoCell> {
    let first = region.first_cell();
    let along = || (0..CELLS).step_by(STEP.into());
    along().flat_map(move |y| {
        along().filter_map(move |x| {
            Some(GeoCell {
                x: first.x.checked_add(x)?,
                y: first.y.checked_add(y)?,
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use ironlands_assets_lineage2::Region;
    use ironlands_sim_geodata::RegionPack;

    use super::*;

    fn regions(heights: &[i16]) -> Geodata {
        let ids = (20..).map(|x| RegionId::new(x, 18).unwrap());
        let regions = ids.zip(heights).map(|(id, z)| Region::flat(id, *z));
        Geodata::new(regions.map(|region| (region.id, RegionPack::new(&region))))
    }

    #[test]
    fn there_is_a_sea_where_its_floor_is() {
        for (heights, share) in [
            (&[-4672_i16][..], Some(1.0)),
            (&[-4992, -3000], Some(0.5)),
            (&[-3000, 512], None),
            // Deeper than any sea.
            (&[-9336], None),
            (&[], None),
        ] {
            let guess = SeaGuess::new(&regions(heights));
            assert_eq!(guess.map(|guess| guess.share), share, "{heights:?}");
        }
    }
}
