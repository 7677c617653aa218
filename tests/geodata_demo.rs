//! The two regions of the demo, queried as by a game server: straight walks, paths, lines of sight, swimming.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ironlands::sim::geodata::path::{NavGraph, PathEnd, PathFinder, PathOptions, PathRequest};
use ironlands::sim::geodata::path::{PathSearch, WalkPath};
use ironlands::sim::geodata::{
    BlockedBy, GeoObject, GeoPoint, Geodata, NoDataRule, ObjectKind, Profile, StraightWalkEnd,
    SwimEnd, Viewer,
};
use ironlands::worlds::lineage2::formats::{GeoCell, RegionFolder, Tolerance};
use ironlands::worlds::lineage2::load_regions;
use ironlands_demo::lineage2::{WATER_LEVEL, places};

/// By the rules of the server of each of the two files.
const PROFILES: [Profile; 2] = [Profile::PTS, Profile::ACIS];
/// Streets of the lower town.
const STREET: i32 = -3640;
/// The walk on the town's walls.
const WALK: i32 = -3400;
/// The wide world, west of the town.
const WEST_ROAD: [i32; 3] = [9000, 19300, -3600];

fn geodata() -> &'static Geodata {
    static GEODATA: OnceLock<Geodata> = OnceLock::new();
    GEODATA.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA/LINEAGE2");
        let files = RegionFolder::scan(&folder).unwrap().one_each().unwrap();
        assert_eq!(files.len(), 2);
        let cancel = AtomicBool::new(false);
        load_regions(&files, Tolerance::STRICT, &|_| (), &cancel).unwrap()
    })
}

/// Zones of both regions, by each profile.
fn graphs() -> &'static [NavGraph; 2] {
    static GRAPHS: OnceLock<[NavGraph; 2]> = OnceLock::new();
    GRAPHS.get_or_init(|| PROFILES.map(|profile| NavGraph::new(geodata(), &profile)))
}

fn point([x, y, z]: [i32; 3]) -> GeoPoint {
    GeoPoint::new(x, y, z)
}

/// The middle of a cell, counted from the corner of the western region.
fn cell(x: i32, y: i32, z: i32) -> GeoPoint {
    GeoPoint::new(x * 16 + 8, y * 16 + 8, z)
}

fn exact(from: GeoPoint, to: GeoPoint, profile: &Profile) -> WalkPath {
    let options = PathOptions::default();
    let finder = PathFinder::exact(geodata(), profile);
    let request = PathRequest { from, to };
    finder
        .find(&request, &options, &mut PathSearch::default())
        .unwrap()
}

/// Heights at which a path goes through a cell.
fn height_at_batch(path: &WalkPath, at: GeoPoint) -> Vec<i32> {
    let cell = at.cell().unwrap();
    let there = path.cells.iter().filter(|(passed, _)| *passed == cell);
    there.map(|&(_, z)| z).collect()
}

fn end_of(from: GeoPoint, to: GeoPoint, profile: &Profile) -> StraightWalkEnd {
    geodata().straight_walk(from, to, profile).unwrap().end
}

/// A closed door over a rectangle of points, on ground of a height.
fn door([west, north]: [i32; 2], [east, south]: [i32; 2], bottom: i32) -> Arc<GeoObject> {
    let outline = [(west, north), (east, north), (east, south), (west, south)];
    let bottom = i16::try_from(bottom).unwrap();
    let object = GeoObject::from_outline(&outline, bottom, bottom + 96, ObjectKind::Door);
    Arc::new(object.unwrap())
}

#[test]
fn places_lie_on_the_ground() {
    for (name, at) in places::ALL {
        assert_eq!(geodata().height(point(at)), Ok(at[2]), "{name}");
        let is_wet = at[2] < i32::from(WATER_LEVEL);
        assert_eq!(is_wet, name == "river bed", "{name}");
    }
}

#[test]
fn three_ways_lead_through_one_cell_of_the_bridge() {
    let bridge = point(places::BRIDGE);
    let ways = [
        // Over the deck, through the gallery from quay to quay, along the bed with the stream.
        (
            cell(1400, 1156, STREET),
            cell(1520, 1156, STREET),
            places::BRIDGE,
        ),
        (
            cell(1430, 1172, -3736),
            cell(1490, 1172, -3736),
            places::GALLERY,
        ),
        (
            cell(1452, 1130, -3904),
            cell(1452, 1190, -3904),
            places::RIVER_BED,
        ),
    ];
    let layers = geodata().layers(bridge.cell().unwrap()).unwrap();
    let heights: Vec<_> = layers.iter().map(|layer| layer.z).collect();
    assert_eq!(heights, [-3904, -3736, -3544]);
    for profile in PROFILES {
        for (from, to, middle) in ways {
            for (from, to) in [(from, to), (to, from)] {
                let path = exact(from, point(middle), &profile);
                assert_eq!(path.end, PathEnd::Reached, "{from:?} to {middle:?}");
                assert_eq!(height_at_batch(&path, bridge), [middle[2]]);
                let path = exact(point(middle), to, &profile);
                assert_eq!(path.end, PathEnd::Reached, "{middle:?} to {to:?}");
                assert_eq!(height_at_batch(&path, bridge), [middle[2]]);
            }
        }
        // Rails: none falls from the deck or the gallery.
        for at in [places::BRIDGE, places::GALLERY] {
            let over = end_of(point(at), point([at[0], at[1] + 400, at[2]]), &profile);
            assert_eq!(
                over,
                StraightWalkEnd::Blocked(BlockedBy::ClosedSide),
                "{at:?}"
            );
        }
    }
}

#[test]
fn the_town_is_entered_by_its_gates_alone() {
    // Middles of the passages: north, east, south, west.
    let passages = [
        cell(1094, 1052, STREET + 64),
        cell(1206, 1156, STREET),
        cell(1094, 1256, STREET),
        cell(982, 1156, STREET),
    ];
    let gates = passages.map(|at| door([at.x - 64, at.y - 64], [at.x + 64, at.y + 64], at.z));
    let (market, outside) = (point(places::MARKET), point(WEST_ROAD));
    let enters = |open: Option<usize>, graph: &NavGraph| {
        let closed = gates.iter().enumerate().filter(|(at, _)| Some(*at) != open);
        let edited = closed.fold(geodata().clone(), |geodata, (at, gate)| {
            geodata.with_object(at as u64, gate)
        });
        let graph = graph.with_changes(&edited, passages.map(|at| at.cell().unwrap()));
        graph.is_reachable(&edited, outside, market)
    };
    for graph in graphs() {
        assert_eq!(graph.is_reachable(geodata(), outside, market), Ok(true));
        assert_eq!(enters(None, graph), Ok(false), "all are closed");
        for gate in 0..gates.len() {
            assert_eq!(enters(Some(gate), graph), Ok(true), "gate {gate}");
        }
    }
}

#[test]
fn the_walk_on_the_walls_goes_all_around() {
    // Gatehouses and towers, clockwise from the northern gate, in cells from the town's middle.
    let stops = [
        [0, -104],
        [38, -104],
        [112, -38],
        [112, 0],
        [112, 46],
        [50, 100],
        [0, 100],
        [-42, 100],
        [-112, 44],
        [-112, 0],
        [-112, -50],
        [-56, -104],
    ];
    let stops = stops.map(|[u, v]| cell(1094 + u, 1156 + v, WALK));
    for profile in PROFILES {
        let up = exact(cell(1094, 1240, STREET), stops[6], &profile);
        assert_eq!(
            up.end,
            PathEnd::Reached,
            "by the stairs at the southern gate"
        );
        for (at, &stop) in stops.iter().enumerate() {
            for next in [
                stops[(at + 1) % stops.len()],
                stops[(at + 11) % stops.len()],
            ] {
                let path = exact(stop, next, &profile);
                assert_eq!(path.end, PathEnd::Reached, "from {stop:?} to {next:?}");
                assert!(path.cells.iter().all(|(_, z)| *z == WALK), "from {stop:?}");
            }
        }
        // One looks over the edge, and does not fall.
        let beside = cell(1122, 1053, WALK);
        assert_eq!(geodata().height(beside), Ok(WALK));
        for by in [-200, 200] {
            let over = GeoPoint {
                y: beside.y + by,
                ..beside
            };
            let end = end_of(beside, over, &profile);
            assert_eq!(end, StraightWalkEnd::Blocked(BlockedBy::ClosedSide));
        }
    }
}

#[test]
fn fields_are_reached_by_their_stairs_alone() {
    let (field, below) = (point(places::FIELD), GeoPoint::new(17992, 15528, -3568));
    assert_eq!(geodata().height(below), Ok(-3568), "one field further down");
    for profile in [Profile::PTS, Profile::ACIS, Profile::LOOSE] {
        let up = end_of(below, field, &profile);
        assert!(matches!(up, StraightWalkEnd::Blocked(_)), "{up:?}");
        assert_eq!(end_of(field, below, &profile), StraightWalkEnd::Reached);
        let path = exact(below, field, &profile);
        assert_eq!(path.end, PathEnd::Reached);
        let rises = path.cells.windows(2).map(|pair| pair[1].1 - pair[0].1);
        assert!(rises.max().unwrap() <= profile.max_up);
    }
    // Doors over all of the stairs, piece by piece.
    let mut closed = geodata().clone();
    for (number, part) in [-0.62, 0.0, 0.6].into_iter().enumerate() {
        for step in 0..28 {
            let y = 15960 - 100 * step;
            let x = 17504 + (part * 0.43 * f64::from(19200 - y)) as i32;
            let bottom = geodata().height(GeoPoint::new(x, y - 50, -3500)).unwrap();
            let stairs = door([x - 110, y - 104], [x + 110, y + 4], bottom);
            closed = closed.with_object((number * 100 + step as usize) as u64, &stairs);
        }
    }
    let graph = NavGraph::new(&closed, &Profile::PTS);
    assert_eq!(
        graph.is_reachable(&closed, point(WEST_ROAD), field),
        Ok(false)
    );
    assert_eq!(
        graphs()[0].is_reachable(geodata(), point(WEST_ROAD), field),
        Ok(true)
    );
}

#[test]
fn who_jumps_off_the_inn_comes_back_by_its_stairs() {
    let (edge, street) = (cell(1125, 1168, -3448), cell(1119, 1168, STREET));
    for profile in [Profile::PTS, Profile::ACIS, Profile::LOOSE] {
        assert_eq!(end_of(edge, street, &profile), StraightWalkEnd::Reached);
        let back = end_of(street, edge, &profile);
        assert!(matches!(back, StraightWalkEnd::Blocked(_)), "{back:?}");
        let down = exact(edge, street, &profile);
        let up = exact(street, edge, &profile);
        assert_eq!((down.end, up.end), (PathEnd::Reached, PathEnd::Reached));
        assert!(up.cost > 4 * down.cost, "{} and {}", up.cost, down.cost);
        let falls = down.cells.windows(2).map(|pair| pair[0].1 - pair[1].1);
        assert_eq!(falls.max(), Some(-3448 - STREET));
    }
}

#[test]
fn towers_are_climbed_by_their_stairs() {
    let towers = [
        // The keep from its court, the lighthouse from the mole, the beacon from its gate.
        (
            cell(1049, 1102, STREET + 64),
            places::KEEP,
            &[-3448, -3320, -3192][..],
        ),
        (cell(1124, 1463, -3720), places::LIGHTHOUSE, &[-3624, -3432]),
        (cell(3782, 538, -2856), places::BEACON, &[-2760, -2568]),
        // The church's tower, five stories.
        (
            cell(1104, 1068, STREET + 64),
            [17848, 17096, -3016],
            &[-3464, -3240],
        ),
    ];
    for profile in PROFILES {
        for (foot, top, passed) in towers {
            for (from, to) in [(foot, point(top)), (point(top), foot)] {
                let path = exact(from, to, &profile);
                assert_eq!(path.end, PathEnd::Reached, "{from:?} to {to:?}");
                for z in passed {
                    let is_passed = path.cells.iter().any(|cell| cell.1 == *z);
                    assert!(is_passed, "{from:?} to {to:?}: {z}");
                }
                let steps = path
                    .cells
                    .windows(2)
                    .map(|pair| (pair[1].1 - pair[0].1).abs());
                assert!(steps.max().unwrap() <= 32, "{from:?} to {to:?}: no jump");
            }
        }
    }
}

#[test]
fn one_way_leads_from_the_harbour_to_the_beacon() {
    let (harbour, beacon) = (point(places::HARBOUR), point(places::BEACON));
    for graph in graphs() {
        for (from, to) in [(harbour, beacon), (beacon, harbour)] {
            let request = PathRequest { from, to };
            let path = PathFinder::new(geodata(), graph)
                .find(
                    &request,
                    &PathOptions::default(),
                    &mut PathSearch::default(),
                )
                .unwrap();
            assert_eq!(path.end, PathEnd::Reached);
            let regions: Vec<_> = path
                .cells
                .iter()
                .map(|(cell, _)| cell.region().x())
                .collect();
            assert!(regions.contains(&20) && regions.contains(&21));
            let legs = path.points.windows(2);
            for leg in legs {
                assert_eq!(
                    geodata().is_straight_walk_free(leg[0], leg[1], graph.profile()),
                    Ok(true),
                    "{leg:?}"
                );
            }
        }
    }
}

#[test]
fn the_tunnel_is_a_way_under_the_ridge() {
    let (west, east) = (cell(3096, 906, -3552), cell(3330, 906, -3552));
    for profile in PROFILES {
        for (from, to) in [(west, east), (east, west)] {
            assert_eq!(end_of(from, to, &profile), StraightWalkEnd::Reached);
        }
    }
    let cave = point(places::CAVE).cell().unwrap();
    let layers = geodata().layers(cave).unwrap();
    assert!(layers[1].z - layers[0].z > 400, "{layers:?}");
    // The ledge above the road, by its slope.
    let ledge = cell(3204, 922, -3424);
    assert_eq!(geodata().height(ledge), Ok(-3424));
    assert_eq!(
        exact(point(places::CAVE), ledge, &Profile::PTS).end,
        PathEnd::Reached
    );
}

/// Every side that is open leads somewhere; the builder of the files follows the rules of both servers.
#[test]
fn open_sides_lead_on() {
    let mut n_tested = 0;
    for region in geodata().regions() {
        let first = region.first_cell();
        let profile = PROFILES[usize::from(region.x() - 20)];
        for x in (8..2040).step_by(5) {
            for y in (8..2040).step_by(5) {
                let cell = GeoCell {
                    x: first.x + x,
                    y: first.y + y,
                };
                for layer in geodata().layers(cell).unwrap() {
                    let from = GeoPoint::from_cell(cell, layer.z);
                    for (dx, dy) in [(16, 0), (-16, 0), (0, 16), (0, -16)] {
                        let to = GeoPoint::new(from.x + dx, from.y + dy, from.z);
                        let end = end_of(from, to, &profile);
                        n_tested += 1;
                        let is_steep = matches!(
                            end,
                            StraightWalkEnd::Blocked(BlockedBy::Climb | BlockedBy::NoData)
                        );
                        assert!(!is_steep, "{region}: {from:?} to {to:?}: {end:?}");
                    }
                }
            }
        }
    }
    assert!(n_tested > 1_000_000, "{n_tested}");
}

#[test]
fn sight_and_water_go_under_the_bridge() {
    let sees = |a: [i32; 3], b: [i32; 3]| {
        let [a, b] = [a, b].map(|at| Viewer::new(point(at), 35.0));
        geodata()
            .line_of_sight(&a, &b, NoDataRule::Blocked)
            .unwrap()
    };
    let [x, y, _] = places::BRIDGE;
    assert!(
        sees([x, y, -3736], [x + 200, y, -3736]),
        "along the gallery"
    );
    assert!(!sees(places::MARKET, WEST_ROAD), "through the walls");
    let z = i32::from(WATER_LEVEL) - 8;
    let swim = |from: [i32; 2], to: [i32; 2]| {
        let [from, to] = [from, to].map(|[x, y]| GeoPoint::new(x, y, z));
        geodata().swim(from, to).unwrap().end
    };
    assert_eq!(
        swim([x, y - 500], [x, y + 500]),
        SwimEnd::Reached,
        "with the stream"
    );
    assert_eq!(
        swim([x, y - 900], [x - 900, y - 900]),
        SwimEnd::Land,
        "to the bank"
    );
    assert_eq!(
        swim([x, y + 100], [x - 700, y + 100]),
        SwimEnd::Wall,
        "to the quay"
    );
    assert_eq!(
        swim([17200, 22500], [17200, 31000]),
        SwimEnd::Reached,
        "out to sea"
    );
}
