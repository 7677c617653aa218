//! Relations of two places: line of sight, a straight walk, a path. Lines lie on the land as it is drawn.

use super::{EYE_HEIGHT, engine_point};
use glam::Vec3;
use ironlands_scene::OverlayVertex;
use ironlands_sim_geodata::land::{TileSurface, Trail, TrailPoint};
use ironlands_sim_geodata::path::{
    LazyGeodata, PathEnd, PathGuide, PathOptions, PathRequest, PathSearch, WalkPath, ZoneCache,
};
use ironlands_sim_geodata::{BlockedBy, GeoPoint, NoDataRule, StraightWalkEnd, Viewer};
use ironlands_sim_world::{Fact, Relation};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Lines are drawn so far above the ground, points.
const LIFT: f32 = 4.0;
/// Half the size of the cross where a walk ends, points.
const CROSS: f32 = 12.0;

const GREEN: [u8; 4] = [70, 220, 90, 255];
const ORANGE: [u8; 4] = [250, 170, 40, 255];
const RED: [u8; 4] = [235, 60, 50, 255];
const WHITE: [u8; 4] = [255, 255, 255, 255];
const YELLOW: [u8; 4] = [250, 225, 60, 255];

/// Both points are on the ground. `None` once it is canceled.
pub(super) fn relate(
    drawn: &mut TileSurface<'_>,
    ends: [TrailPoint; 2],
    zones: &Mutex<ZoneCache>,
    cancel: &AtomicBool,
) -> Option<Relation> {
    let [from, to] = ends.map(|end| end.at);
    let mut relation = Relation::default();
    let apart = engine_point(to) - engine_point(from);
    relation.facts.push(Fact::new(
        "distance",
        format!(
            "{:.0} ({:.0} along the ground, {} up)",
            apart.length(),
            apart.truncate().length(),
            to.z.saturating_sub(from.z)
        ),
    ));
    add_sight(drawn, ends, &mut relation);
    add_movement(drawn, from, to, &mut relation);
    add_path(drawn, [from, to], zones, cancel, &mut relation);
    (!cancel.load(Ordering::Relaxed)).then_some(relation)
}

fn add_sight(drawn: &mut TileSurface<'_>, ends: [TrailPoint; 2], relation: &mut Relation) {
    let [a, b] = ends.map(|end| Viewer::new(end.at, EYE_HEIGHT));
    let geodata = drawn.land().geodata();
    let sees = |a: &Viewer, b: &Viewer| {
        let sees = geodata.one_way_line_of_sight(a, b, NoDataRule::Blocked);
        sees.unwrap_or(false)
    };
    let (value, color) = match (sees(&a, &b), sees(&b, &a)) {
        (true, true) => ("both ways", GREEN),
        (true, false) => ("only from the first to the second", ORANGE),
        (false, true) => ("only from the second to the first", ORANGE),
        (false, false) => ("none", RED),
    };
    relation.facts.push(Fact::new("line of sight", value));
    let eyes = ends.map(|end| drawn.point(&end) + Vec3::Z * EYE_HEIGHT);
    add_line(relation, &eyes, color);
}

fn add_movement(
    drawn: &mut TileSurface<'_>,
    from: GeoPoint,
    to: GeoPoint,
    relation: &mut Relation,
) {
    let land = drawn.land();
    let profile = land.profile();
    let movement = land.geodata().straight_walk(from, to, profile);
    let trail = Trail::new(land.geodata(), from, to, profile);
    let (Ok(movement), Ok(trail)) = (movement, trail) else {
        return;
    };
    let GeoPoint { x, y, z } = movement.point;
    let value = match movement.end {
        StraightWalkEnd::Reached => "arrives".to_owned(),
        StraightWalkEnd::OtherLayer => format!("arrives on another layer, at height {z}"),
        StraightWalkEnd::Blocked(by) => format!("stopped by {} at {x}, {y}, {z}", word(by)),
    };
    relation.facts.push(Fact::new("straight walk", value));
    let line = lifted(drawn, &trail);
    add_line(relation, &line, WHITE);
    if movement.end != StraightWalkEnd::Reached
        && let Some(&middle) = line.last()
    {
        for arm in [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::Z] {
            let arm = arm * CROSS;
            add_line(relation, &[middle - arm, middle + arm], WHITE);
        }
    }
}

fn word(by: BlockedBy) -> &'static str {
    match by {
        BlockedBy::ClosedSide => "a closed side",
        BlockedBy::Climb => "a step too high",
        BlockedBy::Drop => "a drop too deep",
        BlockedBy::NoData => "the edge of the loaded regions",
    }
}

fn add_path(
    drawn: &mut TileSurface<'_>,
    [from, to]: [GeoPoint; 2],
    zones: &Mutex<ZoneCache>,
    cancel: &AtomicBool,
    relation: &mut Relation,
) {
    let land = drawn.land();
    let options = PathOptions {
        cancel: Some(cancel),
        ..PathOptions::default()
    };
    let request = PathRequest { from, to };
    let mut ground = LazyGeodata::from(land.geodata());
    // A search that is no longer needed ends soon and releases it.
    let mut zones = zones.lock().unwrap_or_else(PoisonError::into_inner);
    let found = PathGuide::new(&mut ground, &mut zones).find(
        &request,
        &options,
        &mut PathSearch::default(),
    );
    drop(zones);
    let Ok(path) = found else {
        return;
    };
    let value = match path.end {
        PathEnd::Reached => format!(
            "cost {}{}, length {:.0}, {} points",
            path.cost,
            if path.is_shortest {
                ""
            } else {
                " (not the least)"
            },
            length(&path),
            path.points.len()
        ),
        PathEnd::Unreachable => "none: no way leads there".to_owned(),
        PathEnd::OutOfBudget => format!("not found in {} cells", path.n_expanded),
        PathEnd::Canceled => return,
    };
    relation.facts.push(Fact::new("path", value));
    if path.end == PathEnd::Reached {
        for [from, to] in legs(&path.points) {
            if let Ok(trail) = Trail::new(land.geodata(), from, to, land.profile()) {
                add_line(relation, &lifted(drawn, &trail), YELLOW);
            }
        }
    }
}

/// Along the ground plane, points.
fn length(path: &WalkPath) -> f32 {
    let lengths = legs(&path.points).map(|[from, to]| {
        let apart = engine_point(to) - engine_point(from);
        apart.truncate().length()
    });
    lengths.sum()
}

/// Each point with the one after it.
fn legs<Point: Copy>(points: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    let ends = points.iter().skip(1);
    points.iter().zip(ends).map(|(from, to)| [*from, *to])
}

fn lifted(drawn: &mut TileSurface<'_>, trail: &Trail) -> Vec<Vec3> {
    let ground = drawn.along(trail).into_iter();
    ground.map(|at| at + Vec3::Z * LIFT).collect()
}

fn add_line(relation: &mut Relation, points: &[Vec3], color: [u8; 4]) {
    for ends in legs(points).filter(|[from, to]| from != to) {
        relation.lines.extend(ends.iter().map(|end| OverlayVertex {
            position: end.to_array(),
            color,
        }));
    }
}
