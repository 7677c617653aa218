//! Queries of zones, wherever they are stored: where a position is, where its exits lead, and what is reachable.

use ironlands_sim_regions::GeoCell;
use std::collections::HashSet;

/// A zone of any tile; numbers of one graph mean nothing to another.
pub(super) type ZoneKey = u64;

/// A position in the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub zone: ZoneKey,
    pub cell: GeoCell,
    pub layer: u8,
}

/// A step from a zone to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZoneStep {
    pub from: GeoCell,
    pub from_layer: u8,
    pub to: Place,
}

pub(super) trait ZoneGraph {
    /// Where a layer of a cell is; `None` where no region is.
    fn place(&mut self, cell: GeoCell, layer: u8) -> Option<Place>;

    /// Puts the steps out of the zone of a place into `leaves`, in place of what was there.
    fn steps_out(&mut self, place: &Place, steps_out: &mut Vec<ZoneStep>);

    /// Whether paths lead from a zone to another, as far as that is known without a search.
    fn leads_to(&mut self, from: ZoneKey, to: ZoneKey) -> Option<bool>;
}

/// Whether paths lead from one position to the other.
pub(super) fn leads(graph: &mut impl ZoneGraph, from: &Place, to: &Place) -> bool {
    if from.zone == to.zone {
        return true;
    }
    if let Some(leads) = graph.leads_to(from.zone, to.zone) {
        return leads;
    }
    let mut steps_out = Vec::new();
    let mut seen = HashSet::from([from.zone]);
    let mut open = vec![*from];
    while let Some(place) = open.pop() {
        graph.steps_out(&place, &mut steps_out);
        for ZoneStep { to: next, .. } in &steps_out {
            if next.zone == to.zone {
                return true;
            }
            match graph.leads_to(next.zone, to.zone) {
                Some(true) => return true,
                Some(false) => {}
                None => {
                    if seen.insert(next.zone) {
                        open.push(*next);
                    }
                }
            }
        }
    }
    false
}
