//! What is measured: regions in both forms, and the queries.

use ironlands::worlds::lineage2::formats::GeoCell;
use ironlands_query_bench::geodata::{PlainRegion, on_ground, regions, typed};
use ironlands_query_bench::random::Random;
use ironlands_sim::geodata::path::{
    NavGraph, PathEnd, PathFinder, PathOptions, PathRequest, PathSearch,
};
use ironlands_sim::geodata::{
    GeoPoint, Geodata, NoDataRule, Profile, RegionPack, StraightWalkEnd, Viewer,
};
use std::time::Instant;

const N_POINTS: usize = 65_536;
const N_LINES: usize = 1024;
/// Most cells of a line in x and in y.
const LINE_CELLS: u64 = 200;
const NEAR_CELLS: u64 = 120;
const EYE: f32 = 34.5;

/// All queries, and the libraries that run them.
pub struct World {
    pub plain: Vec<PlainRegion>,
    pub geodata: Geodata,
    pub graph: NavGraph,
    pub points: Vec<GeoPoint>,
    pub walks: Vec<(GeoPoint, GeoPoint)>,
    /// Cells that all walks cross before they end.
    pub n_walked: u64,
    /// Those that see their target, so that each is measured to its end.
    pub line_of_sight_batch: Vec<(Viewer, Viewer)>,
    pub n_seen: u64,
    pub near: Vec<PathRequest>,
    pub far: Vec<PathRequest>,
}

impl World {
    pub fn open() -> Self {
        let (plain, is_real) = regions().expect("regions that can be read");
        let start = Instant::now();
        let packs = plain.iter().map(|region| {
            let typed = typed(region).expect("a valid region");
            (region.id, RegionPack::new(&typed))
        });
        let geodata = Geodata::new(packs);
        let load = start.elapsed();
        let (ours, theirs) = (
            geodata.memory().packs,
            plain.iter().map(PlainRegion::n_bytes).sum::<usize>(),
        );
        println!(
            "{} {} regions: ours {ours} bytes, plain {theirs}, ratio {:.3}; packed in {load:.2?} on one thread",
            plain.len(),
            if is_real { "real" } else { "synthetic" },
            ours as f64 / theirs as f64
        );
        let start = Instant::now();
        let graph = NavGraph::new(&geodata, &Profile::ACIS);
        println!("graph: {:?} in {:.2?}", graph.memory(), start.elapsed());
        let mut random = Random(7);
        let mut draw = |n: u64| random.below(n);
        let mut anywhere = || {
            let region = &plain[draw(plain.len() as u64) as usize];
            let (cell, z) = on_ground(region, &mut draw);
            GeoPoint::from_cell(cell, z)
        };
        let points = (0..N_POINTS).map(|_| anywhere()).collect();
        let mut beside = Beside {
            geodata: &geodata,
            random: Random(9),
        };
        let lines: Vec<_> = (0..N_LINES)
            .map(|_| {
                let from = anywhere();
                (from, beside.point(from, LINE_CELLS))
            })
            .collect();
        let requests =
            |cells: u64, n: usize, beside: &mut Beside<'_>, from: &mut dyn FnMut() -> GeoPoint| {
                let mut requests = Vec::new();
                // Paths that exist; a query without one is decided by components alone.
                while requests.len() < n {
                    let from = from();
                    let to = beside.point(from, cells);
                    if graph.is_reachable(&geodata, from, to) == Ok(true) {
                        requests.push(PathRequest { from, to });
                    }
                }
                requests
            };
        let near = requests(NEAR_CELLS, 64, &mut beside, &mut anywhere);
        let far = requests(2000, 16, &mut beside, &mut anywhere);
        let crossed = |from: GeoPoint, to: GeoCell| {
            let from = from.cell().expect("a point of a region");
            u64::from(from.x.abs_diff(to.x)) + u64::from(from.y.abs_diff(to.y))
        };
        let walked = lines.iter().map(|&(from, to)| {
            let movement = geodata.straight_walk(from, to, &Profile::ACIS);
            movement.map_or(0, |movement| crossed(from, movement.cell))
        });
        let n_walked = walked.sum();
        let viewer = |point| Viewer::new(point, EYE);
        let line_of_sight_batch: Vec<_> = (lines.iter())
            .map(|&(from, to)| (viewer(from), viewer(to)))
            .filter(|(a, b)| geodata.one_way_line_of_sight(a, b, NoDataRule::Blocked) == Ok(true))
            .collect();
        let n_seen = line_of_sight_batch
            .iter()
            .map(|(a, b)| crossed(a.point, b.point.cell().expect("a point of a region")))
            .sum();
        println!(
            "{n_walked} cells walked, {n_seen} seen over in {} line_of_sight_batch",
            line_of_sight_batch.len()
        );
        Self {
            points,
            walks: lines,
            n_walked,
            line_of_sight_batch,
            n_seen,
            near,
            far,
            plain,
            graph,
            geodata,
        }
    }

    pub fn plain_height(&self, point: GeoPoint) -> Option<i32> {
        let cell = point.cell().ok()?;
        let region = cell.region();
        let at = self
            .plain
            .binary_search_by_key(&region, |region| region.id)
            .ok()?;
        Some(self.plain[at].height(cell, point.z))
    }

    /// Heights against the plain loader, paths by walking them.
    pub fn check(&self) {
        for &point in &self.points {
            let ours = self.geodata.height(point).ok();
            let plain = self.plain_height(point);
            // The plain loader leaves the sides in a flat height; see the dossier, section 2.3.1.
            let is_same =
                ours == plain || plain.is_some_and(|z| z & 0xF == 0xF && ours == Some(z & !0xF));
            assert!(is_same, "{point:?}: {ours:?}, plain {plain:?}");
        }
        let finder = PathFinder::new(&self.geodata, &self.graph);
        let mut scratch = PathSearch::default();
        for request in self.near.iter().chain(&self.far) {
            let path = finder.find(request, &PathOptions::default(), &mut scratch);
            let path = path.expect("both ends are in regions");
            assert_eq!(path.end, PathEnd::Reached, "{request:?}");
            for piece in path.points.windows(2) {
                let movement = self
                    .geodata
                    .straight_walk(piece[0], piece[1], &Profile::ACIS);
                assert!(
                    movement.is_ok_and(|it| it.end == StraightWalkEnd::Reached),
                    "{piece:?}"
                );
            }
        }
    }
}

/// Draws points not far from others.
struct Beside<'a> {
    geodata: &'a Geodata,
    random: Random,
}

impl Beside<'_> {
    /// A point on the ground at most this many cells away in x and in y.
    fn point(&mut self, from: GeoPoint, cells: u64) -> GeoPoint {
        loop {
            let mut offset = || (self.random.below(2 * cells + 1) as i32 - cells as i32) * 16;
            let to = GeoPoint::new(from.x + offset(), from.y + offset(), from.z);
            if let Ok(z) = self.geodata.height(to) {
                return GeoPoint { z, ..to };
            }
        }
    }
}
