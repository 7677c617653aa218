//! How well neighboring regions fit together. Dossier section 8.

use super::cell::Cell;
use super::grid::{CELLS_PER_REGION_SIDE, RegionId};
use super::region::Region;

/// The lowest ground along the four sides of a region: all that its neighbors have to be compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionEdges {
    /// Whose they are.
    pub id: RegionId,
    /// From west to east.
    north: Vec<i16>,
    /// From west to east.
    south: Vec<i16>,
    /// From north to south.
    west: Vec<i16>,
    /// From north to south.
    east: Vec<i16>,
}

impl RegionEdges {
    /// Those of a region.
    pub fn from_region(region: &Region) -> Self {
        const LAST: usize = CELLS_PER_REGION_SIDE - 1;
        let lowest = |layers: &[Cell]| layers.iter().map(|layer| layer.height).min();
        let edge = |at: fn(usize) -> (usize, usize)| {
            let heights = (0..CELLS_PER_REGION_SIDE).map(at);
            heights
                .filter_map(|(x, y)| region.with_layers(x, y, lowest)?)
                .collect()
        };
        Self {
            id: region.id,
            north: edge(|along| (along, 0)),
            south: edge(|along| (along, LAST)),
            west: edge(|along| (0, along)),
            east: edge(|along| (LAST, along)),
        }
    }

    /// Mean height difference of the facing edges of this region and one to the east or south of it; `None` if the
    /// other is not there.
    ///
    /// About 40 on average over real sets; more than 200 where there are cliffs along a border, or regions were not made
    /// to fit each other.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "an `i32` holds sums and differences of 16-bit heights, and numbers of regions are far below 255"
    )]
    pub fn mean_step_to(&self, next: &Self) -> Option<f64> {
        let (x, y) = (self.id.x(), self.id.y());
        let (ours, theirs) = match (next.id.x(), next.id.y()) {
            to if to == (x + 1, y) => (&self.east, &next.west),
            to if to == (x, y + 1) => (&self.south, &next.north),
            _ => return None,
        };
        let pairs = ours.iter().zip(theirs);
        let steps = pairs.map(|(&a, &b)| f64::from((i32::from(a) - i32::from(b)).abs()));
        Some(steps.sum::<f64>() / ours.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_to_the_east_and_south_are_compared() {
        let edges = |x, y, height| {
            RegionEdges::from_region(&Region::flat(RegionId::new(x, y).unwrap(), height))
        };
        let here = edges(20, 18, -3000);
        assert_eq!(here.mean_step_to(&edges(21, 18, -2900)), Some(100.0));
        assert_eq!(here.mean_step_to(&edges(20, 19, -3296)), Some(296.0));
        for (x, y) in [(19, 18), (20, 17), (21, 19), (20, 18)] {
            assert_eq!(here.mean_step_to(&edges(x, y, 0)), None, "{x}, {y}");
        }
    }
}
