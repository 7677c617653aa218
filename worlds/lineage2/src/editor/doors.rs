//! Doors of a server over the land: which one the mouse means, how they are drawn, and what a click does.

use glam::{DVec2, Vec3};
use ironlands_scene::OverlayVertex;
use ironlands_sim_geodata::GeoPoint;
use ironlands_world_kind::EditPreview;

use super::GeodataEditor;
use super::preview::LIFT;
use crate::Lineage2Error;
use crate::server::{Door, DoorSet};

/// Doors farther than this from a place are not meant by it, points: two cells, as the ground behind an open door is what
/// the mouse points at.
const REACH: f64 = 32.0;
/// How far below or above a door a place may be that means it, points.
const REACH_UP_AND_DOWN: i32 = 64;

const GREEN: [u8; 4] = [90, 235, 110, 255];
const RED: [u8; 4] = [255, 84, 60, 255];

impl GeodataEditor {
    /// The same with doors, which are on the ground of the world already.
    #[must_use]
    pub fn with_doors(mut self, doors: DoorSet) -> Self {
        self.doors = doors;
        self
    }

    /// Opens or closes the door that a place means. No file changes, so this is no edit.
    pub(super) fn use_door(&mut self, place: &GeoPoint) -> Result<String, Lineage2Error> {
        let Some((door, is_open)) = door_near(&self.doors, place) else {
            return Ok("no door is there".to_owned());
        };
        let (id, name) = (door.id, door_name(door));
        self.doors.set_open(id, !is_open)?;
        let world = self.world.newest();
        let geodata = self.doors.apply_one(world.land().geodata(), id)?;
        self.world.change(&self.doors.blocks(id), |_| geodata);
        self.shown = None;
        Ok(format!("{name} is {} now", state_text(!is_open)))
    }

    /// Highlights the door that a place means.
    pub(super) fn door_preview(&mut self, place: Option<&GeoPoint>) -> EditPreview {
        let door = place.and_then(|place| door_near(&self.doors, place));
        self.pointed_door = door.map(|(door, _)| door.id);
        EditPreview {
            highlight: door.map_or_else(Vec::new, |(door, _)| door_faces(door)),
            lines: Vec::new(),
        }
    }

    /// The door that the mouse points at, in words; empty if none.
    pub(super) fn pointed_door_text(&self) -> String {
        let mut doors = self.doors.doors();
        let pointed = doors.find(|(door, _)| Some(door.id) == self.pointed_door);
        let text =
            |(door, is_open)| format!("{}, which is {}", door_name(door), state_text(is_open));
        pointed.map_or_else(String::new, text)
    }
}

fn door_name(door: &Door) -> String {
    match &*door.name {
        "" => format!("door {}", door.id),
        name => format!("door {} ({name})", door.id),
    }
}

fn state_text(is_open: bool) -> &'static str {
    if is_open { "open" } else { "closed" }
}

/// The door that is nearest to a place, if it is near enough.
fn door_near<'d>(doors: &'d DoorSet, place: &GeoPoint) -> Option<(&'d Door, bool)> {
    let GeoPoint { x, y, z } = *place;
    let at = DVec2::new(f64::from(x), f64::from(y));
    let is_level = |door: &Door| {
        let (bottom, top) = door.heights;
        (bottom - REACH_UP_AND_DOWN..=top + REACH_UP_AND_DOWN).contains(&z)
    };
    let level = doors.doors().filter(|(door, _)| is_level(door));
    let distances = level.map(|found| (distance(&found.0.outline, at), found));
    let near = distances.filter(|(distance, _)| *distance <= REACH);
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, found)| found)
}

/// How far a point is from a convex outline; 0 inside.
fn distance(outline: &[(i32, i32)], at: DVec2) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut is_inside = true;
    for (from, to) in edges(outline) {
        let [from, to] = [from, to].map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)));
        let (along, offset) = (to - from, at - from);
        let t = (offset.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min(offset.distance(along * t));
        // Outlines are counter-clockwise.
        is_inside &= along.perp_dot(offset) >= 0.0;
    }
    if is_inside { 0.0 } else { nearest }
}

/// Each door as a box: green while it is open, red with crossed sides while it is closed.
pub fn door_lines(doors: &DoorSet) -> Vec<OverlayVertex> {
    let mut lines = Vec::new();
    for (door, is_open) in doors.doors() {
        let color = if is_open { GREEN } else { RED };
        for [low_from, low_to, high_from, high_to] in sides(door) {
            let mut ends = vec![
                [low_from, low_to],
                [high_from, high_to],
                [low_from, high_from],
            ];
            if !is_open {
                ends.extend([[low_from, high_to], [low_to, high_from]]);
            }
            lines.extend(ends.into_iter().flatten().map(|end| OverlayVertex {
                position: end.to_array(),
                color,
            }));
        }
    }
    lines
}

/// The sides and the top of a door as triangles.
fn door_faces(door: &Door) -> Vec<[Vec3; 3]> {
    let mut faces = Vec::new();
    let mut peak = None;
    for [low_from, low_to, high_from, high_to] in sides(door) {
        faces.extend([[low_from, low_to, high_from], [low_to, high_to, high_from]]);
        let peak = *peak.get_or_insert(high_from);
        faces.push([peak, high_from, high_to]);
    }
    faces
}

/// The corners of each side of a door: at its bottom, and above the ground that its top is while it is closed.
fn sides(door: &Door) -> impl Iterator<Item = [Vec3; 4]> {
    let (bottom, top) = (door.heights.0 as f32, door.heights.1 as f32 + LIFT);
    edges(&door.outline).map(move |(from, to)| {
        let corner = |(x, y): (i32, i32), z| Vec3::new(x as f32, -(y as f32), z);
        [
            corner(from, bottom),
            corner(to, bottom),
            corner(from, top),
            corner(to, top),
        ]
    })
}

fn edges(outline: &[(i32, i32)]) -> impl Iterator<Item = ((i32, i32), (i32, i32))> {
    let next = outline.iter().cycle().skip(1);
    outline.iter().copied().zip(next.copied())
}
