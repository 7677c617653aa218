//! Areas, the portals between them, and occluders. Dossier sections 6.7 and 11.6; what keys of entities mean is from Valve's
//! developer wiki.

use std::collections::{HashMap, HashSet};

use ironlands_scene::{AreaPortal, Areas, MAX_AREAS, Occluder};

use super::cells::Cells;
use super::owners::by_name;
use crate::bsp::{self, Map, is_place, range_of};
use crate::entities::{Entities, Entity};

/// Entities that open and close portals.
pub const AREA_PORTAL: &str = "func_areaportal";
/// Entities whose portals are closed from afar.
const AREA_PORTAL_WINDOW: &str = "func_areaportalwindow";
/// Entities that turn occluders on and off.
pub const OCCLUDER: &str = "func_occluder";

/// Most corners of a portal that hides anything: compilers make windings of up to 64.
const MAX_CORNERS: usize = 64;
/// Most portals of a map whose portals hide anything; games have up to 1,024.
const MAX_PORTALS: usize = 1 << 14;

/// What opens and closes a portal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PortalOwner {
    /// Its entity; without one it is open.
    pub entity: Option<usize>,
    /// The entities that its own names: while a door among them is not closed, it is open.
    pub doors: Vec<usize>,
}

/// Areas of a map, and whose their portals are. A portal that leads nowhere may be an opening all the same: then there are no
/// areas, and nothing is hidden.
pub fn areas(map: &Map, entities: &Entities, cells: &Cells<'_>) -> (Areas, Vec<PortalOwner>) {
    joined_areas(map, entities, cells).unwrap_or_default()
}

fn joined_areas(
    map: &Map,
    entities: &Entities,
    cells: &Cells<'_>,
) -> Option<(Areas, Vec<PortalOwner>)> {
    let windows_and_doors = by_number(entities, "portalnumber", &[AREA_PORTAL, AREA_PORTAL_WINDOW]);
    let named = by_name(entities);
    let n_areas = map.areas.len().min(MAX_AREAS as usize);
    let mut areas = Areas::default();
    let mut owners = Vec::new();
    let mut known = HashSet::new();
    for (area, stored) in sides(map) {
        let other = stored.other_area;
        let are_areas = (area.max(other) as usize) < n_areas;
        // Both areas list it.
        let is_new = known.insert((area.min(other), area.max(other), stored.portal_key));
        if are_areas && (area == other || !is_new) {
            continue;
        }
        let fits = are_areas && areas.portals.len() < MAX_PORTALS;
        let corners = corners(map, stored).filter(|_| fits)?;
        let entity = windows_and_doors.get(&stored.portal_key).copied();
        let of_entity = entity.and_then(|index| entities.entities.get(index));
        areas.portals.push(AreaPortal {
            areas: [area, other],
            corners,
            is_open: of_entity.is_none_or(|it| is_window(it) || starts_open(it)),
            max_distance: of_entity.map_or(f32::INFINITY, max_distance),
        });
        owners.push(PortalOwner {
            entity,
            doors: of_entity.map_or_else(Vec::new, |it| doors(it, &named)),
        });
    }
    if !areas.portals.is_empty() {
        areas.of_cells = cells.areas();
    }
    Some((areas, owners))
}

/// Occluders of a map, and their entities.
pub fn occluders(map: &Map, entities: &Entities) -> (Vec<Occluder>, Vec<Option<usize>>) {
    let by_number = by_number(entities, "occludernumber", &[OCCLUDER]);
    let stored = map.occlusion.occluders.iter();
    let occluders = (0u32..).zip(stored).map(|(number, stored)| {
        let entity = by_number.get(&number).copied();
        let of_entity = entity.and_then(|index| entities.entities.get(index));
        let polygons = range_of(&map.occlusion.polys, stored.first_poly, stored.n_polys);
        let occluder = Occluder {
            polygons: polygons.iter().filter_map(|it| polygon(map, it)).collect(),
            is_active: of_entity.map_or(stored.flags & 1 == 0, starts_active),
        };
        (occluder, entity)
    });
    occluders.unzip()
}

/// Whether a portal is open when the level begins, by its entity.
pub fn starts_open(entity: &Entity) -> bool {
    entity.number("StartOpen") != Some(0.0)
}

/// Whether an occluder hides anything when the level begins, by its entity.
pub fn starts_active(entity: &Entity) -> bool {
    entity.number("StartActive") != Some(0.0)
}

/// Distances from which on, and at which wholly, brushes stand in portals that are closed from afar: by the name of the
/// entity that has the brushes, in lower case.
pub fn window_fades(entities: &Entities) -> HashMap<String, [f32; 2]> {
    let windows = entities.of_class(AREA_PORTAL_WINDOW);
    let fades = windows.filter_map(|window| {
        let [from, to] = ["FadeStartDist", "FadeDist"].map(|key| window.number(key).unwrap_or(0.0));
        let is_fade = from.is_finite() && to.is_finite() && to > 0.0;
        let name = window.get("target").filter(|_| is_fade)?;
        let name = Some(name.trim()).filter(|it| !it.is_empty())?;
        Some((name.to_ascii_lowercase(), [from.clamp(0.0, to), to]))
    });
    fades.collect()
}

/// Area and portal of all sides of portals.
fn sides(map: &Map) -> impl Iterator<Item = (u32, &bsp::AreaPortal)> {
    let areas = (0u32..).zip(&map.areas);
    areas.flat_map(|(number, area)| {
        let portals = range_of(
            &map.area_portals,
            area.first_area_portal,
            area.n_area_portals,
        );
        portals.iter().map(move |portal| (number, portal))
    })
}

fn corners(map: &Map, portal: &bsp::AreaPortal) -> Option<Vec<[f32; 3]>> {
    let corners = range_of(
        &map.clip_portal_vertices,
        portal.first_clip_portal_vertex,
        portal.n_clip_portal_vertices,
    );
    let is_portal = corners.len() <= MAX_CORNERS && is_polygon(corners);
    is_portal.then(|| corners.to_vec())
}

fn polygon(map: &Map, stored: &bsp::OccluderPoly) -> Option<Vec<[f32; 3]>> {
    let indices = range_of(
        &map.occlusion.vertex_indices,
        stored.first_vertex_index,
        stored.n_vertices,
    );
    if indices.len() > MAX_CORNERS {
        return None;
    }
    let corners = indices.iter().map(|index| {
        let index = usize::try_from(*index).ok()?;
        map.vertices.get(index).copied()
    });
    let corners: Vec<_> = corners.collect::<Option<_>>()?;
    is_polygon(&corners).then_some(corners)
}

fn is_polygon(corners: &[[f32; 3]]) -> bool {
    corners.len() >= 3 && corners.iter().all(|it| is_place(*it))
}

/// Entities of some classes by a number that the compiler wrote to them.
fn by_number(entities: &Entities, key: &str, classes: &[&str]) -> HashMap<u32, usize> {
    let all = entities.entities.iter().enumerate();
    let numbered = all.filter_map(|(index, entity)| {
        let class = entity.class();
        let is_one = classes.iter().any(|it| class.eq_ignore_ascii_case(it));
        let number = entity.get(key).filter(|_| is_one)?;
        Some((number.trim().parse().ok()?, index))
    });
    numbered.collect()
}

/// Farther from the eye a portal is closed.
fn max_distance(entity: &Entity) -> f32 {
    let distance = entity.number("FadeDist").filter(|_| is_window(entity));
    let distance = distance.filter(|it| it.is_finite() && *it > 0.0);
    distance.unwrap_or(f32::INFINITY)
}

fn is_window(entity: &Entity) -> bool {
    entity.class().eq_ignore_ascii_case(AREA_PORTAL_WINDOW)
}

/// What the entity of a portal names as its doors.
fn doors(entity: &Entity, named: &HashMap<String, Vec<usize>>) -> Vec<usize> {
    let is_door = entity.class().eq_ignore_ascii_case(AREA_PORTAL);
    let target = entity.get("target").filter(|_| is_door);
    let doors = target.and_then(|it| named.get(&it.trim().to_ascii_lowercase()));
    doors.cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests;
