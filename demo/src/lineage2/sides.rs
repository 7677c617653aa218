//! Where one may go from each floor: the sides that are open, as the game's own builder would have found them.
//!
//! A side is closed where it is too steep upward, where something solid is in the way, and where there is a rail, on
//! either side of it. Downward all is open. Dossier section 4.2.

use ironlands_assets_lineage2::{Cell, Nswe};

use super::ground_builder::{GroundBuilder, HEADROOM, MAX_STEP, SIDES, Slab, Spot, is_inside};

/// The layers of a cell with their open sides, the highest first.
pub fn layers(builder: &GroundBuilder, at: Spot) -> Vec<Cell> {
    builder.with_column(at, |column| {
        let place = (0..column.len()).rev();
        place
            .map(|place| Cell::new(column[place].top, open_sides(builder, at, column, place)))
            .collect()
    })
}

fn open_sides(builder: &GroundBuilder, at: Spot, column: &[Slab], place: usize) -> Nswe {
    let slab = &column[place];
    let ceiling = column
        .get(place + 1)
        .map_or(i16::MAX, |slab| slab.underside);
    let mut open = Nswe::empty();
    for (index, (side, by)) in SIDES.into_iter().enumerate() {
        let beside = [at[0] + by[0], at[1] + by[1]];
        // Opposite sides are neighbors in the list.
        let opposite = SIDES[index ^ 1].0;
        let leads = |to: &[Slab]| leads(slab.top, ceiling, to, opposite);
        // Files are made one region at a time: what lies beyond both is not known, and open.
        let is_open = !is_inside(beside) || builder.with_column(beside, leads);
        open.set(side, is_open && !slab.closed.contains(side));
    }
    open
}

/// Whether a character gets from a floor under a ceiling to the cell beside it.
fn leads(from: i16, ceiling: i16, column: &[Slab], opposite: Nswe) -> bool {
    // What a step leads to: the highest floor that is low enough.
    let Some(place) = column.iter().rposition(|slab| slab.top <= from + MAX_STEP) else {
        return false;
    };
    let to = &column[place];
    // The character walks at the height of the higher floor, then falls.
    let feet = from.max(to.top);
    let above = column
        .get(place + 1)
        .map_or(i16::MAX, |slab| slab.underside);
    let has_room = ceiling.min(above).saturating_sub(feet) >= HEADROOM;
    // A rail on the other side counts where it is as high as one's feet.
    let is_railed = to.closed.contains(opposite) && (from - to.top).abs() <= MAX_STEP;
    has_room && !is_railed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lineage2::ground_builder::{DEPTH, WIDTH};

    fn bare() -> GroundBuilder {
        GroundBuilder::new(vec![0; (WIDTH * DEPTH) as usize])
    }

    fn sides(builder: &GroundBuilder, at: Spot) -> Vec<(i16, Nswe)> {
        layers(builder, at)
            .into_iter()
            .map(|cell| (cell.height, cell.nswe))
            .collect()
    }

    #[test]
    fn too_steep_is_closed_upward_only() {
        let mut builder = bare();
        builder.level([10, 10], 32);
        builder.level([20, 20], 40);
        assert_eq!(sides(&builder, [9, 10]), [(0, Nswe::ALL_SIDES)]);
        assert_eq!(sides(&builder, [10, 10]), [(32, Nswe::ALL_SIDES)]);
        assert_eq!(
            sides(&builder, [19, 20]),
            [(0, Nswe::ALL_SIDES - Nswe::EAST)]
        );
        assert_eq!(sides(&builder, [20, 20]), [(40, Nswe::ALL_SIDES)]);
    }

    #[test]
    fn rails_close_both_sides_and_ceilings_stop_heads() {
        let mut builder = bare();
        builder.close([10, 10], 0, Nswe::NORTH);
        assert_eq!(
            sides(&builder, [10, 9]),
            [(0, Nswe::ALL_SIDES - Nswe::SOUTH)]
        );
        // A roof over a floor, and a low one beside it that no one fits under.
        builder.cover([30, 30], 96, 80);
        builder.cover([31, 30], 56, 40);
        assert_eq!(
            sides(&builder, [30, 30]),
            [(96, Nswe::ALL_SIDES), (0, Nswe::ALL_SIDES - Nswe::EAST)]
        );
        assert_eq!(sides(&builder, [31, 30]).len(), 1, "part of the ground");
    }

    #[test]
    fn one_cannot_fall_through_a_ceiling() {
        let mut builder = bare();
        // A cellar whose ceiling is in the way of a character beside it.
        builder.level([10, 10], -200);
        builder.cover([10, 10], 120, 40);
        builder.level([20, 20], -200);
        let east = |at| sides(&builder, at)[0].1.contains(Nswe::EAST);
        assert!(!east([9, 10]));
        assert!(east([19, 20]), "an open pit");
    }
}
