//! Zones and spawn points of a server over the land: what is drawn of them, and what the list of objects has.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::Vec3;
use ironlands_scene::{LegendEntry, Overlay, OverlayVertex};
use ironlands_sim_geodata::{GeoPoint, Geodata};
use ironlands_sim_world::{Fact, WorldEntity};

use super::spawn_check::{SpawnCheck, SpawnProblem};
use super::zone::{ServerZone, ZoneShape};
use super::{ServerFile, Spawn};

/// Colors of kinds of zones, in turn.
const ZONE_COLORS: [[u8; 3]; 8] = [
    [70, 160, 255],
    [255, 120, 70],
    [110, 220, 110],
    [240, 210, 70],
    [200, 110, 240],
    [80, 220, 220],
    [255, 130, 190],
    [190, 190, 190],
];
/// Of walls of zones, which are translucent.
const WALL_ALPHA: u8 = 56;
/// Walls of zones reach so far below and above the ground, as far as the zone does; points.
const WALL_BELOW: i32 = 32;
const WALL_ABOVE: i32 = 160;
/// Outlines follow the ground in parts of this length, or in this many where they are longer; points.
const PART: f64 = 64.0;
const MAX_PARTS: f64 = 512.0;
const CIRCLE_CORNERS: u32 = 48;

/// Height of the mark over a spawn point, and how far its tip spreads; points.
const MARK_HEIGHT: f32 = 80.0;
const MARK_WIDTH: f32 = 12.0;
const GOOD: [u8; 3] = [90, 235, 110];
const ON_NOTHING: [u8; 3] = [255, 84, 60];
const ENCLOSED: [u8; 3] = [255, 180, 50];

/// Zones, and overlays and entities of zones and spawn points.
#[derive(Debug, Clone, Default)]
pub struct ServerLayers {
    /// `zones` and `spawn points`, if there are any.
    pub overlays: Vec<Overlay>,
    /// In the order of their files.
    pub entities: Vec<WorldEntity>,
    /// All zones.
    pub zones: Vec<ServerZone>,
}

impl ServerLayers {
    /// Adds the zones of files.
    pub fn add_zones(&mut self, geodata: &Geodata, zones: Vec<ServerZone>) {
        if zones.is_empty() {
            return;
        }
        let mut colors = BTreeMap::new();
        for zone in &zones {
            colors.entry(&*zone.kind).or_insert([0; 3]);
        }
        for (color, of_kind) in ZONE_COLORS.iter().cycle().zip(colors.values_mut()) {
            *of_kind = *color;
        }
        let mut overlay = Overlay {
            name: "zones".to_owned(),
            is_shown: true,
            ..Overlay::default()
        };
        for zone in &zones {
            let color = colors.get(&*zone.kind).copied().unwrap_or_default();
            add_walls(&mut overlay, geodata, zone, color);
        }
        let legend = |color| {
            let kinds = colors.iter().filter(|(_, its)| **its == color);
            let kinds: Vec<&str> = kinds.map(|(kind, _)| *kind).collect();
            LegendEntry::new(color, kinds.join(", "))
        };
        self.overlays
            .push(overlay.with_legend(ZONE_COLORS.map(legend)));
        self.entities
            .extend(zones.iter().map(|zone| zone_entity(geodata, zone)));
        self.zones.extend(zones);
    }

    /// Adds the spawn points of files, each with the problem that a check finds; `reach` is that of the check.
    pub fn add_spawns<'f>(
        &mut self,
        check: &SpawnCheck,
        reach: i32,
        files: impl IntoIterator<Item = (&'f str, &'f ServerFile)>,
    ) {
        let mut overlay = Overlay {
            name: "spawn points".to_owned(),
            is_shown: true,
            ..Overlay::default()
        };
        for (path, file) in files {
            for spawn in &file.spawns {
                let problem = check.problem(spawn.point);
                let color = match problem {
                    None => GOOD,
                    Some(SpawnProblem::NoRegion | SpawnProblem::FarFromGround { .. }) => ON_NOTHING,
                    Some(SpawnProblem::Enclosed | SpawnProblem::CutOff) => ENCLOSED,
                };
                add_mark(&mut overlay, position(spawn.point), color);
                let problem = problem.map(|problem| problem.text(reach));
                self.entities.push(spawn_entity(path, spawn, problem));
            }
        }
        if !overlay.lines.is_empty() {
            self.overlays.push(overlay.with_legend([
                LegendEntry::new(GOOD, "on ground"),
                LegendEntry::new(ON_NOTHING, "without ground"),
                LegendEntry::new(ENCLOSED, "cannot be left"),
            ]));
        }
    }

    /// Zones that hold a point, as facts.
    pub fn facts_at(&self, GeoPoint { x, y, z }: GeoPoint) -> impl Iterator<Item = Fact> {
        let holding = self.zones.iter().filter(move |zone| zone.contains(x, y, z));
        holding.map(|zone| Fact::new("zone", zone_text(zone)))
    }
}

/// World position of a point.
fn position(GeoPoint { x, y, z }: GeoPoint) -> Vec3 {
    Vec3::new(x as f32, -(y as f32), z as f32)
}

fn zone_text(ServerZone { name, kind, .. }: &ServerZone) -> String {
    match name == kind {
        true => name.clone(),
        false => format!("{name} ({kind})"),
    }
}

/// Height of the ground in a zone, as near to its middle as there is any; the middle itself without a region.
fn ground_in(geodata: &Geodata, zone: &ServerZone, x: i32, y: i32) -> i32 {
    let (low, high) = zone.heights;
    let z = i32::midpoint(low, high);
    let ground = geodata.height(GeoPoint { x, y, z });
    ground.unwrap_or(z).clamp(low, high)
}

fn add_walls(overlay: &mut Overlay, geodata: &Geodata, zone: &ServerZone, color: [u8; 3]) {
    let with_alpha = |position: Vec3, alpha| {
        let [r, g, b] = color;
        let (position, color) = (position.to_array(), [r, g, b, alpha]);
        OverlayVertex { position, color }
    };
    let (low, high) = zone.heights;
    let mut before: Option<[Vec3; 2]> = None;
    for (x, y) in outline(&zone.shape) {
        let ground = ground_in(geodata, zone, x, y);
        let ends = [
            ground.saturating_sub(WALL_BELOW),
            ground.saturating_add(WALL_ABOVE),
        ];
        let [bottom, top] = ends.map(|z| position(GeoPoint::new(x, y, z.clamp(low, high))));
        if let Some([last_bottom, last_top]) = before {
            let corners = [last_bottom, bottom, last_top, bottom, top, last_top];
            let wall = corners.map(|corner| with_alpha(corner, WALL_ALPHA));
            overlay.triangles.extend(wall);
            let edge = [last_top, top].map(|end| with_alpha(end, u8::MAX));
            overlay.lines.extend(edge);
        }
        before = Some([bottom, top]);
    }
}

/// Points along the whole outline of a shape, the first one also at its end.
fn outline(shape: &ZoneShape) -> Vec<(i32, i32)> {
    let corners = match shape {
        ZoneShape::Polygon(corners) => corners.clone(),
        ZoneShape::Rectangle((x0, y0), (x1, y1)) => {
            vec![(*x0, *y0), (*x1, *y0), (*x1, *y1), (*x0, *y1)]
        }
        ZoneShape::Circle { center, radius } => {
            let corner = |index: u32| {
                let (sin, cos) = (TAU * f64::from(index) / f64::from(CIRCLE_CORNERS)).sin_cos();
                let away = |part: f64| (part * f64::from(*radius)).round() as i32;
                (
                    center.0.saturating_add(away(cos)),
                    center.1.saturating_add(away(sin)),
                )
            };
            (0..CIRCLE_CORNERS).map(corner).collect()
        }
    };
    let ends = corners
        .iter()
        .zip(corners.iter().cycle().skip(1))
        .flat_map(|(from, to)| {
            let [dx, dy] =
                [(to.0, from.0), (to.1, from.1)].map(|(b, a)| f64::from(b) - f64::from(a));
            let n_parts = (dx.hypot(dy) / PART).ceil().clamp(1.0, MAX_PARTS) as u32;
            (0..n_parts).map(move |part| {
                let along = f64::from(part) / f64::from(n_parts);
                let at = |start: i32, d: f64| (f64::from(start) + d * along).round() as i32;
                (at(from.0, dx), at(from.1, dy))
            })
        });
    ends.chain(corners.first().copied()).collect()
}

/// A pole with a tip that can be seen from all sides.
fn add_mark(overlay: &mut Overlay, foot: Vec3, [r, g, b]: [u8; 3]) {
    let tip = foot + Vec3::Z * MARK_HEIGHT;
    let sides = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y];
    let sides = sides.map(|side| foot + Vec3::Z * (MARK_HEIGHT * 0.75) + side * MARK_WIDTH);
    let around = sides.iter().zip(sides.iter().cycle().skip(1));
    let edges = around.flat_map(|(side, next)| [[*side, tip], [*side, *next]]);
    let lines = edges.chain([[foot, tip]]).flatten();
    overlay.lines.extend(lines.map(|end| OverlayVertex {
        position: end.to_array(),
        color: [r, g, b, u8::MAX],
    }));
}

fn zone_entity(geodata: &Geodata, zone: &ServerZone) -> WorldEntity {
    let ((x0, y0), (x1, y1)) = zone.shape.bounds();
    let (x, y) = (i32::midpoint(x0, x1), i32::midpoint(y0, y1));
    let z = ground_in(geodata, zone, x, y);
    let (low, high) = zone.heights;
    WorldEntity {
        class: zone.kind.clone(),
        name: zone.name.clone(),
        position: Some(position(GeoPoint { x, y, z })),
        facts: vec![
            Fact::new("zone", zone_text(zone)),
            Fact::new("x", format!("{x0} to {x1}")),
            Fact::new("y", format!("{y0} to {y1}")),
            Fact::new("heights", format!("{low} to {high}")),
        ],
    }
}

fn spawn_entity(path: &str, spawn: &Spawn, problem: Option<String>) -> WorldEntity {
    let GeoPoint { x, y, z } = spawn.point;
    let problem = problem.map(|text| Fact::new("problem", text));
    let facts = [
        Fact::new("file", format!("{path}:{}", spawn.place.line)),
        Fact::new("position", format!("{x}, {y}, {z}")),
    ];
    WorldEntity {
        class: spawn.element.clone(),
        name: spawn.name.clone(),
        position: Some(position(spawn.point)),
        facts: facts.into_iter().chain(problem).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_closed_and_has_no_gaps() {
        let shapes = [
            ZoneShape::Polygon(vec![(0, 0), (900, 0), (0, 700)]),
            ZoneShape::Rectangle((-300, -20), (300, 40)),
            ZoneShape::Circle {
                center: (5, 7),
                radius: 1000,
            },
        ];
        for shape in shapes {
            let points = outline(&shape);
            assert_eq!(points.first(), points.last());
            for ends in points.windows(2) {
                let (dx, dy) = (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1);
                let length = f64::from(dx).hypot(f64::from(dy));
                assert!(length > 0.0 && length <= PART * 2.1, "{shape:?}: {ends:?}");
            }
            let ((x0, y0), (x1, y1)) = shape.bounds();
            let reach = |at: &dyn Fn(&(i32, i32)) -> i32| {
                let numbers: Vec<i32> = points.iter().map(at).collect();
                (
                    *numbers.iter().min().unwrap(),
                    *numbers.iter().max().unwrap(),
                )
            };
            assert_eq!(reach(&|it| it.0), (x0, x1), "{shape:?}");
            assert_eq!(reach(&|it| it.1), (y0, y1), "{shape:?}");
        }
    }

    #[test]
    fn the_outline_of_a_zone_of_any_size_is_bounded() {
        let (low, high) = ((i32::MIN, i32::MIN), (i32::MAX, i32::MAX));
        assert_eq!(outline(&ZoneShape::Rectangle(low, high)).len(), 4 * 512 + 1);
        let circle = ZoneShape::Circle {
            center: high,
            radius: i32::MAX,
        };
        assert!(outline(&circle).len() <= 48 * 512 + 1);
    }
}
