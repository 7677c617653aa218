//! The rules that join the records: outlines, links and cells name areals and edges by index.

use super::codec::{AREAL_COUNT, AREAL_MAP};
use super::{Areal, EdgeLink, LandMap, MAX_CELL_IDS, PolygonBlock, Tolerance};
use crate::chunk::{BrokenRule, Place, RowField};

/// A rule between records that an areal map breaks.
pub(super) type BrokenLink = BrokenRule<Tolerance>;

/// Byte of `poly_count` in an areal.
pub(super) const POLY_COUNT: usize = 52;

/// Every rule that is broken, in file order.
pub(super) fn broken_links(map: &LandMap) -> impl Iterator<Item = BrokenLink> {
    let areals = located_areals(map).flat_map(|(offset, idx, areal)| {
        let shape = broken_shape(offset, idx, areal);
        shape
            .into_iter()
            .chain(broken_areal_links(map, offset, idx, areal))
    });
    let cells =
        located_cells(map).flat_map(|(offset, idx, ids)| broken_cell(map, offset, idx, ids));
    no_areals(map.areals.len())
        .into_iter()
        .chain(mixed_blocks(map))
        .chain(areals)
        .chain(broken_grid(map))
        .chain(cells)
}

/// Drops everything that [`broken_links`] lists as repairable.
pub(super) fn repair_links(map: &mut LandMap) {
    let edge_counts: Vec<usize> = map.areals.iter().map(|a| a.vertices.len()).collect();
    let n_areals = edge_counts.len();
    for areal in &mut map.areals {
        for link in &mut areal.edge_links {
            if !outline_link_holds(*link, |areal| edge_counts.get(areal).copied()) {
                *link = EdgeLink::NONE;
            }
        }
        for link in areal.polygons.iter_mut().flat_map(|p| &mut p.links) {
            if !polygon_link_holds(*link, n_areals) {
                *link = EdgeLink::NONE;
            }
        }
    }
    for cell in &mut map.cells {
        cell.retain(|id| usize::from(*id) < n_areals);
    }
}

/// Every areal with its byte in the payload and its index.
pub(super) fn located_areals(map: &LandMap) -> impl Iterator<Item = (usize, usize, &Areal)> {
    let areals = map.areals.iter().enumerate();
    areals.scan(0usize, |next, (idx, areal)| {
        let offset = *next;
        *next = next.saturating_add(areal.size());
        Some((offset, idx, areal))
    })
}

/// Every cell with its byte in the payload and its index.
pub(super) fn located_cells(map: &LandMap) -> impl Iterator<Item = (usize, usize, &[u16])> {
    // The two cell counts come first.
    let first = grid_offset(map).saturating_add(8);
    let cells = map.cells.iter().enumerate();
    cells.scan(first, |next, (idx, ids)| {
        let offset = *next;
        let n_words = ids.len().saturating_add(1);
        *next = next.saturating_add(n_words.saturating_mul(2));
        Some((offset, idx, ids.as_slice()))
    })
}

/// Byte of the grid in the payload.
fn grid_offset(map: &LandMap) -> usize {
    let sizes = map.areals.iter().map(Areal::size);
    sizes.fold(0, usize::saturating_add)
}

/// A map without areals is none; the reader checks that before it looks for them.
pub(super) fn no_areals(n_areals: usize) -> Option<BrokenLink> {
    (n_areals == 0).then(|| BrokenLink {
        type_id: AREAL_MAP,
        place: Place::Row(RowField::Attr1),
        field: AREAL_COUNT.to_owned(),
        expected: "1 or more".to_owned(),
        found: "0".to_owned(),
        repair: None,
    })
}

/// The bodies of all polygon blocks follow one layout, or no reader could find its way through them.
fn mixed_blocks(map: &LandMap) -> Option<BrokenLink> {
    let odd_words = |polygon: &PolygonBlock| polygon.body.len().checked_rem(3).unwrap_or(0);
    let blocks = || {
        located_areals(map).flat_map(move |(offset, idx, areal)| {
            let blocks = areal.polygons.iter();
            blocks.map(move |polygon| (offset, idx, odd_words(polygon)))
        })
    };
    let (_, _, first) = blocks().next()?;
    let odd = blocks().find(|(_, _, words)| *words == 2 || *words != first);
    odd.map(|(offset, idx, _)| BrokenLink {
        type_id: AREAL_MAP,
        place: Place::Payload(offset.saturating_add(POLY_COUNT)),
        field: format!("areal {idx} polygon blocks"),
        expected: "3n words in every block, or 3n + 1 in every block".to_owned(),
        found: "another number".to_owned(),
        repair: None,
    })
}

fn broken_shape(offset: usize, idx: usize, areal: &Areal) -> Option<BrokenLink> {
    let (n_vertices, n_links) = (areal.vertices.len(), areal.edge_links.len());
    (n_vertices != n_links).then(|| BrokenLink {
        type_id: AREAL_MAP,
        place: Place::Payload(offset.saturating_add(areal.link_offset(0))),
        field: format!("areal {idx} links"),
        expected: format!("one for each of the {n_vertices} edges"),
        found: n_links.to_string(),
        repair: None,
    })
}

fn broken_areal_links<'a>(
    map: &'a LandMap,
    offset: usize,
    idx: usize,
    areal: &'a Areal,
) -> impl Iterator<Item = BrokenLink> + use<'a> {
    let n_areals = map.areals.len();
    let edge_count = |areal: usize| Some(map.areals.get(areal)?.vertices.len());
    let broken = move |link_idx, field, expected, link: EdgeLink| BrokenLink {
        type_id: AREAL_MAP,
        place: Place::Payload(offset.saturating_add(areal.link_offset(link_idx))),
        field,
        expected,
        found: format!("({}, {})", link.areal, link.edge),
        repair: Some((Tolerance::BROKEN_LINKS, "the link is dropped")),
    };
    let outline = (areal.edge_links.iter().enumerate())
        .filter(move |(_, link)| !outline_link_holds(**link, edge_count))
        .map(move |(k, link)| {
            let field = format!("areal {idx} link {k}");
            let expected = match map.linked_areal(*link) {
                Some(target) => format!("an edge below {}", target.vertices.len()),
                None if link.areal == -1 => "(-1, -1) for no neighbor".to_owned(),
                None => format!("an areal below {n_areals} or -1"),
            };
            broken(k, field, expected, *link)
        });
    let first = areal.edge_links.len();
    let polygon_links = areal.polygons.iter().flat_map(|polygon| polygon.links);
    let polygons = polygon_links
        .enumerate()
        .filter(move |(_, link)| !polygon_link_holds(*link, n_areals))
        .map(move |(k, link)| {
            let field = format!("areal {idx} polygon link {k}");
            let expected = format!("an areal below {n_areals} or -1");
            broken(first.saturating_add(k), field, expected, link)
        });
    outline.chain(polygons)
}

/// No neighbor, which is (-1, -1) and nothing else, or an areal that exists and an edge that it has.
fn outline_link_holds(link: EdgeLink, edge_count: impl Fn(usize) -> Option<usize>) -> bool {
    if link == EdgeLink::NONE {
        return true;
    }
    let n_edges = usize::try_from(link.areal).ok().and_then(edge_count);
    let edge = usize::try_from(link.edge).ok();
    n_edges
        .zip(edge)
        .is_some_and(|(n_edges, edge)| edge < n_edges)
}

/// Polygon links belong to their areal only (Q-A2).
fn polygon_link_holds(link: EdgeLink, n_areals: usize) -> bool {
    link.areal == -1 || usize::try_from(link.areal).is_ok_and(|areal| areal < n_areals)
}

fn broken_grid(map: &LandMap) -> Option<BrokenLink> {
    let n_cells = u64::from(map.cells_x).saturating_mul(map.cells_y.into());
    let n_lists = map.cells.len();
    let size = format!("{} by {}", map.cells_x, map.cells_y);
    let (expected, found) = if n_cells == 0 {
        ("1 or more each".to_owned(), size)
    } else if n_lists as u64 != n_cells {
        let expected = format!("one list for each of {size} cells");
        (expected, format!("{n_lists} lists"))
    } else {
        return None;
    };
    Some(BrokenLink {
        type_id: AREAL_MAP,
        place: Place::Payload(grid_offset(map)),
        field: "cells in x and y".to_owned(),
        expected,
        found,
        repair: None,
    })
}

fn broken_cell<'a>(
    map: &LandMap,
    offset: usize,
    idx: usize,
    ids: &'a [u16],
) -> impl Iterator<Item = BrokenLink> + use<'a> {
    let n_areals = map.areals.len();
    let too_long = (ids.len() > MAX_CELL_IDS).then(|| BrokenLink {
        type_id: AREAL_MAP,
        place: Place::Payload(offset),
        field: format!("cell {idx} hit count"),
        expected: format!("at most {MAX_CELL_IDS}"),
        found: ids.len().to_string(),
        repair: Some((Tolerance::LONG_CELLS, "it is kept")),
    });
    let out_of_range = (ids.iter().zip(1usize..))
        .filter(move |(id, _)| usize::from(**id) >= n_areals)
        .map(move |(id, word)| BrokenLink {
            type_id: AREAL_MAP,
            place: Place::Payload(offset.saturating_add(word.saturating_mul(2))),
            field: format!("cell {idx} areal id"),
            expected: format!("an areal below {n_areals}"),
            found: id.to_string(),
            repair: Some((Tolerance::BROKEN_LINKS, "the id is dropped")),
        });
    too_long.into_iter().chain(out_of_range)
}
