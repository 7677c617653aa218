//! Boxes and rays through brushes: real maps where they are, and a made town of brushes.
//!
//! `cargo bench --bench brush -- --quick`; one query: `cargo bench --bench brush -- town/ray`. Real maps are looked
//! for in `IRONLANDS_DATA`, else in `../shared/data`.
//!
//! `ray` is a ray of up to 1,000 units through the air, `hull` a player's box that moves up to 200 units; `all` is a
//! batch on all threads. Every result is compared with a loop over all brushes before anything is timed. Then comes a
//! table: shape casts per second of one thread and of all, the ratio to that loop, and for rays the ratio to our own
//! index of triangles over the sides of the same brushes and the triangles of the same displacements, single to single
//! and batch to batch, at each SIMD level of the processor. All take turns, and the fastest turn of each counts, since
//! other work on the machine only adds.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

mod plain;
mod town;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use ironlands::worlds::source::formats::bsp::{BspFile, Contents, LumpId, Map};
use ironlands::worlds::source::formats::entities::{Entities, EntitySyntax};
use ironlands::worlds::source::{brush_world, content_bits};
use ironlands_query_bench::random::Random;
use ironlands_sim::brush::{BrushWorld, CastResult, CastScratch, ContentBits, ShapeCast};
use ironlands_sim::triangles::{Face, RayHit, SimdLevel, TriangleIndex};
use ironlands_sim::{MaskFilter, Ray};
use plain::Plain;
use std::hint::black_box;
use std::time::{Duration, Instant};

const MASK: ContentBits = content_bits(Contents::MASK_SOLID);
const PLAYER: [Vec3; 2] = [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, 72.0)];
/// Turns of each method for the table.
const N_TURNS: usize = 60;
/// Queries of a round, and those of a round of the loop over everything: few, so that some rounds are not disturbed.
const N_SWEEPS: usize = 2048;
const N_PLAIN_SWEEPS: usize = 32;
/// Real maps to query, with the position around which that is done.
const MAPS: [(&str, Vec3); 2] = [
    ("css-test", Vec3::new(79.0, 784.0, 88.0)),
    ("opendm-background01", Vec3::new(-3052.11, 4180.9, 65.0)),
];
/// How far around that place.
const AROUND: Vec3 = Vec3::new(1000.0, 1000.0, 150.0);

fn benches(criterion: &mut Criterion) {
    let town = town::map();
    let mut stages = vec![Stage::new(
        "town",
        &town,
        &Entities::default(),
        Vec3::Z * 150.0,
    )];
    stages.extend(MAPS.iter().filter_map(|(name, middle)| real(name, *middle)));
    for stage in &stages {
        stage.check();
        stage.report();
    }
    for stage in &stages {
        stage.bench(criterion);
    }
}

criterion_group!(brush, benches);
criterion_main!(brush);

/// A real map, if it is there.
fn real(name: &'static str, middle: Vec3) -> Option<Stage> {
    let file = format!("source/{name}.bsp");
    let Some(path) = ironlands_real_data::find(&file) else {
        println!("{name}: not measured, {file} is not among the real files");
        return None;
    };
    let bytes = std::fs::read(&path).expect("a file that is there");
    let file = BspFile::read(&bytes).expect("a map");
    let map = Map::read(&file).expect("a valid map");
    let entities = file.content(LumpId::Entities).expect("entities");
    let syntax = EntitySyntax::from_version(file.version);
    let entities = Entities::read(&entities, syntax).expect("entities");
    Some(Stage::new(name, &map, &entities, middle))
}

/// A level and the queries to it.
struct Stage {
    name: &'static str,
    world: BrushWorld,
    plain: Plain,
    /// The same geometry at each SIMD level, the best last.
    triangles: Vec<(SimdLevel, TriangleIndex)>,
    rays: Vec<ShapeCast>,
    hulls: Vec<ShapeCast>,
}

impl Stage {
    fn new(name: &'static str, map: &Map, entities: &Entities, middle: Vec3) -> Self {
        let world = brush_world(map, entities, &[]).expect("a valid map");
        let mut random = Random(1);
        let mut scratch = CastScratch::default();
        let mut sweeps = |bounds: [Vec3; 2], reach: f32| {
            let mut sweeps = Vec::with_capacity(N_SWEEPS);
            while sweeps.len() < N_SWEEPS {
                let start = random.vector(middle - AROUND, middle + AROUND);
                let way =
                    random.vector(Vec3::NEG_ONE, Vec3::ONE) * Vec3::new(1.0, 1.0, 0.3) * reach;
                let sweep = ShapeCast::from_box(start, start + way, bounds, MASK);
                if !world.cast_shape(&sweep, &mut scratch).start_solid {
                    sweeps.push(sweep);
                }
            }
            sweeps
        };
        let (rays, hulls) = (sweeps([Vec3::ZERO; 2], 1000.0), sweeps(PLAYER, 200.0));
        Self {
            name,
            plain: Plain::new(map),
            triangles: triangles(&world),
            world,
            rays,
            hulls,
        }
    }

    /// Compares results with those of the loop, where there are only brushes of the world: the loop knows no others.
    fn check(&self) {
        let mut scratch = CastScratch::default();
        let (mut n_hits, mut sum) = (0, 0.0);
        for sweep in self.rays.iter().chain(&self.hulls) {
            let sweep = sweep.with_world_brushes_only();
            let found = self.world.cast_shape(&sweep, &mut scratch);
            let expected = self.plain.fraction(&sweep);
            assert_eq!(found.fraction, expected as f32, "{sweep:?}");
            n_hits += usize::from(found.hit.is_some());
            sum += f64::from(found.fraction);
        }
        let n = self.rays.len() + self.hulls.len();
        let (n_brushes, n_faces) = (self.plain.n_brushes(), self.index().n_faces());
        println!(
            "{}: {n_brushes} brushes, {n_faces} triangles, {n_hits} of {n} hit, checksum {sum}",
            self.name
        );
        self.check_triangles();
    }

    /// Rays must end where the index of triangles says, but for those along edges.
    fn check_triangles(&self) {
        let mut scratch = CastScratch::default();
        let is_same = |sweep: &&ShapeCast| {
            let found = self.world.cast_shape(sweep, &mut scratch);
            let face = self.index().cast_ray(&ray_of(sweep), 1.0, MaskFilter::ALL);
            match (found.hit, face) {
                (Some(hit), Some(face)) => {
                    let speed = -hit.normal.dot(sweep.end - sweep.start);
                    (found.fraction + 1.0 / 32.0 / speed - face.t).abs() < 1e-3
                }
                (None, None) => true,
                _ => false,
            }
        };
        let n_same = self.rays.iter().filter(is_same).count();
        let n = self.rays.len();
        println!(
            "{}: {n_same} of {n} rays end where triangles say",
            self.name
        );
    }

    fn singles(&self, sweeps: &[ShapeCast]) {
        let mut scratch = CastScratch::default();
        for sweep in black_box(sweeps) {
            black_box(self.world.cast_shape(sweep, &mut scratch));
        }
    }

    fn all(&self, sweeps: &[ShapeCast], traces: &mut [CastResult]) {
        self.world.cast_shape_batch(black_box(sweeps), traces);
        black_box(traces);
    }

    fn plain(&self, sweeps: &[ShapeCast]) {
        for sweep in black_box(sweeps) {
            black_box(self.plain.fraction(sweep));
        }
    }

    fn index(&self) -> &TriangleIndex {
        let [.., (_, best)] = &self.triangles[..] else {
            unreachable!("every processor has the portable level");
        };
        best
    }

    /// Rows of the table.
    fn report(&self) {
        let mut traces = vec![CastResult::default(); N_SWEEPS];
        for (query, sweeps) in [("ray", &self.rays), ("hull", &self.hulls)] {
            let mut times = [Duration::MAX; 3];
            let mut faces: Vec<FaceTimes> = Vec::new();
            if query == "ray" {
                let levels = self.triangles.iter();
                faces.extend(levels.map(|(level, index)| FaceTimes::new(*level, index, sweeps)));
            }
            for _ in 0..N_TURNS {
                shortest(&mut times[0], || self.singles(sweeps));
                shortest(&mut times[1], || self.all(sweeps, &mut traces));
                shortest(&mut times[2], || self.plain(&sweeps[..N_PLAIN_SWEEPS]));
                faces.iter_mut().for_each(FaceTimes::take_turn);
            }
            let [single, all] = [times[0], times[1]].map(|time| ns_each(time, N_SWEEPS));
            let plain = ns_each(times[2], N_PLAIN_SWEEPS);
            let million = |ns: f64| 1e3 / ns;
            println!(
                "{}/{query}: {:.2} M/s ({single:.0} ns), all threads {:.2} M/s; loop {plain:.0} ns, ratio {:.4}",
                self.name,
                million(single),
                million(all),
                single / plain
            );
            for it in faces {
                let of_faces = [it.single, it.batch].map(|time| ns_each(time, N_SWEEPS));
                println!(
                    "{}/{query}: triangles, {:?}: single {:.0} ns, ratio {:.2}; batch {:.0} ns, ratio {:.2}",
                    self.name,
                    it.level,
                    of_faces[0],
                    single / of_faces[0],
                    of_faces[1],
                    all / of_faces[1],
                );
            }
        }
    }

    fn bench(&self, criterion: &mut Criterion) {
        let mut traces = vec![CastResult::default(); N_SWEEPS];
        let mut group = criterion.benchmark_group(self.name);
        group
            .sample_size(20)
            .measurement_time(Duration::from_secs(3));
        group.throughput(Throughput::Elements(N_SWEEPS as u64));
        for (query, sweeps) in [("ray", &self.rays), ("hull", &self.hulls)] {
            group.bench_function(query, |bencher| bencher.iter(|| self.singles(sweeps)));
            group.bench_function(format!("{query}_all"), |bencher| {
                bencher.iter(|| self.all(sweeps, &mut traces));
            });
        }
    }
}

/// Rays against the triangles at one SIMD level.
struct FaceTimes<'a> {
    level: SimdLevel,
    index: &'a TriangleIndex,
    rays: Vec<Ray>,
    hits: Vec<Option<RayHit>>,
    single: Duration,
    batch: Duration,
}

impl<'a> FaceTimes<'a> {
    fn new(level: SimdLevel, index: &'a TriangleIndex, sweeps: &[ShapeCast]) -> Self {
        Self {
            level,
            index,
            rays: sweeps.iter().map(ray_of).collect(),
            hits: vec![None; sweeps.len()],
            single: Duration::MAX,
            batch: Duration::MAX,
        }
    }

    fn take_turn(&mut self) {
        const ALL: MaskFilter = MaskFilter::ALL;
        let ones = vec![1.0; self.rays.len()];
        let (index, rays, hits) = (self.index, black_box(&self.rays), &mut self.hits);
        shortest(&mut self.single, || {
            for ray in rays {
                black_box(index.cast_ray(ray, 1.0, ALL));
            }
        });
        shortest(&mut self.batch, || {
            index.cast_ray_batch(rays, &ones, ALL, hits)
        });
    }
}

fn ns_each(time: Duration, n: usize) -> f64 {
    time.as_secs_f64() * 1e9 / n as f64
}

/// The sides of all brushes that are solid, and all triangles of displacements.
fn triangles(world: &BrushWorld) -> Vec<(SimdLevel, TriangleIndex)> {
    let elements = (0..world.n_elements()).filter(|&element| {
        let surface = world.surface(element);
        surface.is_some_and(|it| it.contents.intersects(MASK))
    });
    let triangles: Vec<_> = elements.flat_map(|it| world.triangles_of(it)).collect();
    let corners: Vec<_> = triangles
        .as_flattened()
        .iter()
        .map(|it| it.to_array())
        .collect();
    let faces = (0..triangles.len() as u32).map(|i| {
        Some(Face {
            corners: [3 * i, 3 * i + 1, 3 * i + 2],
            mask: 0,
            material: 0,
        })
    });
    let index = TriangleIndex::new(&corners, &faces.collect::<Vec<_>>());
    let index = index.expect("corners are there");
    let levels = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];
    let levels = levels.into_iter().filter(|level| level.is_available());
    let at_level = |level| (level, index.clone().with_simd_level(level));
    levels.map(at_level).collect()
}

fn ray_of(sweep: &ShapeCast) -> Ray {
    Ray {
        origin: sweep.start,
        direction: sweep.end - sweep.start,
    }
}

fn shortest(time: &mut Duration, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    *time = start.elapsed().min(*time);
}
