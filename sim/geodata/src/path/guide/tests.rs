use crate::path::*;
use crate::step::Steps;
use crate::test_world::{Ground as Drawing, middle, open, some_points, walled};
use crate::{GeoPoint, Geodata, NoDataRule, Profile, RegionPack};
use ironlands_sim_regions::zones::{ZoneClass, ZoneTile};
use ironlands_sim_regions::{Region, RegionId, ZERO_REGION};
use std::collections::HashMap;
use std::sync::Arc;

/// How the stages of a query are weighed.
#[derive(Clone, Copy)]
enum Weight {
    Usual,
    /// Zones are queried first, and path plans are refined.
    Plans,
}

fn find(
    ground: &mut LazyGeodata<'_>,
    zones: &mut ZoneCache,
    ends: (GeoPoint, GeoPoint),
    weight: Weight,
) -> WalkPath {
    let mut guide = PathGuide::new(ground, zones);
    if let Weight::Plans = weight {
        guide.first_cells = 0;
        guide.exact_share = u32::MAX;
    }
    let (from, to) = ends;
    let request = PathRequest { from, to };
    let options = PathOptions::default();
    guide
        .find(&request, &options, &mut PathSearch::default())
        .unwrap()
}

/// Whether a plain flood fill from a point reaches another.
fn floods_to(geodata: &Geodata, profile: &Profile, from: GeoPoint, to: GeoPoint) -> bool {
    let mut steps = Steps::new(geodata, *profile);
    let [start, goal] = [from, to].map(|at| steps.stand(at.cell().unwrap(), at.z).unwrap());
    // Layers of blocks, a bit a cell.
    let mut seen = HashMap::<(u16, u16, u8), u64>::new();
    let mut open = vec![start];
    while let Some(stand) = open.pop() {
        for next in steps.neighbors(&stand).into_iter().flatten() {
            let key = (next.cell.x >> 3, next.cell.y >> 3, next.layer);
            let cells = seen.entry(key).or_default();
            let bit = 1 << next.cell.cell_index();
            if *cells & bit == 0 {
                *cells |= bit;
                open.push(next);
            }
        }
    }
    let key = (goal.cell.x >> 3, goal.cell.y >> 3, goal.layer);
    let cells = seen.get(&key).copied().unwrap_or_default();
    cells >> goal.cell.cell_index() & 1 != 0
}

/// A flat region with a yard of 3 x 3 blocks whose walls are too high.
fn yard() -> Drawing {
    let mut ground = Drawing::new();
    for x in 120..125 {
        for y in 120..125 {
            if x == 120 || x == 124 || y == 120 || y == 124 {
                ground.block(x, y, |_, _| vec![open(800)]);
            }
        }
    }
    ground
}

const YARD: (i32, i32, i32) = (122 * 8, 122 * 8, 0);

#[test]
fn a_closed_yard_is_reported_without_a_flood() {
    let geodata = yard().geodata();
    let (outside, inside) = (middle(20, 20, 0), middle(YARD.0, YARD.1, YARD.2));
    for (ends, most) in [
        // From inside, a search visits all of the yard; from outside, only its basin: the yard and the walls around it.
        ((inside, outside), 64 * 9),
        ((outside, inside), 2 * (1 << 15)),
    ] {
        let mut zones = ZoneCache::new(&Profile::ACIS, None);
        let path = find(
            &mut LazyGeodata::from(&geodata),
            &mut zones,
            ends,
            Weight::Usual,
        );
        assert_eq!(path.end, PathEnd::Unreachable);
        assert!(path.n_expanded <= most, "{}", path.n_expanded);
        assert!(!floods_to(&geodata, &Profile::ACIS, ends.0, ends.1));
        assert!(!path.points.is_empty() && !path.is_shortest);
    }
}

/// Both sides are large: a wall through two regions. Zones are larger than cells.
#[test]
fn goals_behind_a_long_wall_are_reported_without_a_flood() {
    let mut wall = Drawing::new();
    for y in 0..256 {
        wall.flat(128, y, 800, 800);
    }
    let geodata = wall.geodata();
    let ends = (middle(20, 20, 0), middle(2000, 2000, 0));
    let mut zones = ZoneCache::new(&Profile::ACIS, None);
    let path = find(
        &mut LazyGeodata::from(&geodata),
        &mut zones,
        ends,
        Weight::Usual,
    );
    assert_eq!(path.end, PathEnd::Unreachable);
    assert!(path.n_expanded < 300_000, "{}", path.n_expanded);
    assert!(!floods_to(&geodata, &Profile::ACIS, ends.0, ends.1));
}

#[test]
fn a_stopped_search_looks_at_few_cells() {
    let geodata = yard().geodata();
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let options = PathOptions {
        cancel: Some(&cancel),
        ..PathOptions::default()
    };
    let request = PathRequest {
        from: middle(20, 20, 0),
        to: middle(YARD.0, YARD.1, YARD.2),
    };
    for first_cells in [1 << 15, 0] {
        let mut zones = ZoneCache::new(&Profile::ACIS, None);
        let mut ground = LazyGeodata::from(&geodata);
        let mut guide = PathGuide::new(&mut ground, &mut zones);
        guide.first_cells = first_cells;
        let path = guide.find(&request, &options, &mut PathSearch::default());
        let path = path.unwrap();
        assert_eq!(path.end, PathEnd::Canceled);
        // A look at each thousand cells; without them, the tiles of both ends, which are flat blocks and a yard.
        assert!(path.n_expanded <= 4096, "{}", path.n_expanded);
    }
}

#[test]
fn zones_made_on_the_spot_agree_with_floods() {
    let (mut n_reached, mut n_unreachable) = (0, 0);
    for (seed, profile) in [(4, Profile::PTS), (5, Profile::ACIS)] {
        let geodata = walled(seed).geodata();
        let mut zones = ZoneCache::new(&profile, None);
        let points = some_points(&geodata, 24);
        for ends in points.iter().copied().zip(points.iter().copied().skip(1)) {
            let expected = floods_to(&geodata, &profile, ends.0, ends.1);
            for weight in [Weight::Plans, Weight::Usual] {
                let path = find(&mut LazyGeodata::from(&geodata), &mut zones, ends, weight);
                assert_eq!(path.end == PathEnd::Reached, expected, "{ends:?}");
                assert!(expected || path.end == PathEnd::Unreachable);
                for piece in path.points.windows(2) {
                    assert_eq!(
                        geodata.is_straight_walk_free(piece[0], piece[1], &profile),
                        Ok(true)
                    );
                }
            }
            n_reached += u32::from(expected);
            n_unreachable += u32::from(!expected);
        }
    }
    assert!(
        n_reached > 9 && n_unreachable > 1,
        "{n_reached} {n_unreachable}"
    );
}

/// Three flat regions in a row.
fn row() -> Vec<Region> {
    let ids = [20, 21, 22].map(|x| RegionId::new(x, 18).unwrap());
    ids.map(|id| Region::flat(id, 0)).into()
}

#[test]
fn only_regions_that_are_needed_are_loaded() {
    let regions = row();
    let ids = || regions.iter().map(|region| region.id);
    let whole = Geodata::new(regions.iter().map(|it| (it.id, RegionPack::new(it))));
    for (to, n_expected) in [
        (middle(60, 40, 0), 1),
        (middle(2040, 1000, 0), 1),
        (middle(2100, 1000, 0), 2),
        (middle(5000, 1000, 0), 3),
    ] {
        for weight in [Weight::Usual, Weight::Plans] {
            let mut n_checked = 0;
            let mut load = |id: RegionId| {
                n_checked += 1;
                let region = regions.iter().find(|region| region.id == id)?;
                Some(Arc::new(RegionPack::new(region)))
            };
            let mut ground = LazyGeodata::new(ids(), &mut load);
            let mut zones = ZoneCache::new(&Profile::ACIS, None);
            let ends = (middle(20, 20, 0), to);
            let path = find(&mut ground, &mut zones, ends, weight);
            assert_eq!(path.end, PathEnd::Reached, "{to:?}");
            if let Weight::Usual = weight {
                assert_eq!(ground.n_loaded(), n_expected, "{to:?}");
                let exact = PathFinder::exact(&whole, &Profile::ACIS);
                let request = PathRequest { from: ends.0, to };
                let best = exact.find(
                    &request,
                    &PathOptions::default(),
                    &mut PathSearch::default(),
                );
                assert_eq!(path.cost, best.unwrap().cost, "{to:?}");
            }
            assert!(n_checked <= 3, "each at most once");
        }
    }
}

/// Zones of a graph in memory.
#[derive(Debug, Clone)]
struct Kept {
    tiles: HashMap<u32, ZoneTile>,
    classes: Vec<ZoneClass>,
    /// Whether each tile is damaged.
    is_damaged: bool,
}

impl Kept {
    fn from_geodata(geodata: &Geodata, profile: &Profile) -> Self {
        let graph = NavGraph::new(geodata, profile);
        Self {
            tiles: graph.zone_tiles().collect(),
            classes: graph.zone_classes().to_vec(),
            is_damaged: false,
        }
    }
}

impl StoredZones for Kept {
    fn tile(&self, number: u32) -> Option<Result<ZoneTile, StoredZoneError>> {
        let tile = self.tiles.get(&number)?;
        Some(match self.is_damaged {
            true => Err("damaged".into()),
            false => Ok(tile.clone()),
        })
    }

    fn class(&self, number: u32) -> Option<ZoneClass> {
        self.classes.get(number as usize).copied()
    }
}

#[test]
fn kept_zones_give_the_paths_of_new_ones_at_once() {
    let profile = Profile::ACIS;
    let geodata = walled(5).geodata();
    let store = Kept::from_geodata(&geodata, &profile);
    let mut kept = ZoneCache::new(&profile, Some(Box::new(store)));
    let mut made = ZoneCache::new(&profile, None);
    let points = some_points(&geodata, 24);
    let (mut n_at_once, mut n_unreachable) = (0, 0);
    for ends in points.iter().copied().zip(points.iter().copied().skip(1)) {
        let mut ground = LazyGeodata::from(&geodata);
        let expected = find(&mut ground, &mut made, ends, Weight::Plans);
        let path = find(&mut ground, &mut kept, ends, Weight::Plans);
        assert_eq!((path.end, &path.points), (expected.end, &expected.points));
        if path.end == PathEnd::Unreachable {
            n_unreachable += 1;
            n_at_once += u32::from(path.n_expanded == 0);
        }
    }
    assert!(
        n_at_once > 0 && n_at_once * 2 > n_unreachable,
        "{n_at_once} of {n_unreachable}"
    );
    assert!(kept.store_error().is_none());
}

#[test]
fn a_kept_yard_costs_no_cell_beyond_the_first_search() {
    let profile = Profile::PTS;
    let geodata = yard().geodata();
    let store = Kept::from_geodata(&geodata, &profile);
    let zones = ZoneCache::new(&profile, None);
    let mut zones = zones.with_store_from(move || Some(store));
    let ends = (middle(20, 20, 0), middle(YARD.0, YARD.1, YARD.2));
    let path = find(
        &mut LazyGeodata::from(&geodata),
        &mut zones,
        ends,
        Weight::Plans,
    );
    assert_eq!((path.end, path.n_expanded), (PathEnd::Unreachable, 0));
}

#[test]
fn a_damaged_tile_is_made_anew() {
    let profile = Profile::ACIS;
    let geodata = walled(4).geodata();
    let store = Kept {
        is_damaged: true,
        ..Kept::from_geodata(&geodata, &profile)
    };
    let mut damaged = ZoneCache::new(&profile, Some(Box::new(store)));
    let points = some_points(&geodata, 16);
    for ends in points.iter().copied().zip(points.iter().copied().skip(1)) {
        let expected = floods_to(&geodata, &profile, ends.0, ends.1);
        let path = find(
            &mut LazyGeodata::from(&geodata),
            &mut damaged,
            ends,
            Weight::Plans,
        );
        assert_eq!(path.end == PathEnd::Reached, expected, "{ends:?}");
    }
    let damage = damaged.store_error().map(ToString::to_string);
    assert_eq!(damage.as_deref(), Some("damaged"));
}

/// Zones end where regions do; a path over open ground without data must not be denied.
#[test]
fn ways_around_a_region_are_found_where_no_data_is_open() {
    let mut wall = Drawing::at(ZERO_REGION);
    for y in 0..256 {
        wall.flat(1, y, 800, 800);
    }
    let geodata = wall.geodata();
    let profile = Profile::ACIS.with_no_data(NoDataRule::Open);
    let ends = (middle(4, 4, 0), middle(20, 4, 0));
    let graph = NavGraph::new(&geodata, &profile);
    let request = PathRequest {
        from: ends.0,
        to: ends.1,
    };
    let options = PathOptions::default();
    let over_zones =
        PathFinder::new(&geodata, &graph).find(&request, &options, &mut PathSearch::default());
    assert_eq!(over_zones.unwrap().end, PathEnd::Reached);
    let mut zones = ZoneCache::new(&profile, None);
    let path = find(
        &mut LazyGeodata::from(&geodata),
        &mut zones,
        ends,
        Weight::Plans,
    );
    assert_eq!((path.end, path.is_shortest), (PathEnd::Reached, true));
}
