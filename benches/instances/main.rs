//! Objects of a level, queried and moved: the demo mission's objects, and 10,000 walkers of 16 nodes.
//!
//! `cargo bench --bench instances -- --quick`; one query: `cargo bench --bench instances -- mission/ray`.
//!
//! `ray` is the closest hit of a ray at eye height, `segment` a line of sight of 100 units at most, `tick` moves
//! everything to where it is in the next of two poses and fits the tree, `build` makes the index. Beside rays and
//! segments stands the loop over all nodes that the index replaced: a ball around each, then all its triangles.
//! Both results are compared before anything is timed. Then comes a table of both and of their ratio: they take
//! turns, and the fastest turn of each counts, since other work on the machine only adds. A second table holds rays,
//! segments and boxes against one index over all triangles where they are in the world, which cannot move, at each
//! SIMD level of the processor (`flat.rs`).

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

mod crowd;
mod flat;
mod plain;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crowd::Crowd;
use glam::Vec3;
use ironlands_query_bench::random::Random;
use ironlands_sim::Ray;
use ironlands_sim::animation::RowMatrix;
use ironlands_sim::instances::{Instance, InstanceFilter, InstanceIndex};
use plain::Plain;
use rayon::ThreadPoolBuilder;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ALL: InstanceFilter = InstanceFilter::ALL;
/// How far rays reach.
const REACH: f32 = 1000.0;
/// How far lines of sight go.
const SIGHT: f32 = 100.0;
/// Turns of each method for the table.
const N_TURNS: usize = 15;
/// Rays of a turn, and those of a turn of the loop over everything.
const N_RAYS: usize = 4096;
const N_PLAIN_RAYS: usize = 64;

fn benches(criterion: &mut Criterion) {
    let mut stages = [
        Stage::new("mission", Crowd::mission()),
        Stage::new("walkers", Crowd::walkers()),
    ];
    for stage in &mut stages {
        stage.check();
        stage.report();
        flat::report(stage.name, &stage.index, &stage.rays);
    }
    for stage in &mut stages {
        stage.bench(criterion);
    }
}

criterion_group!(instances, benches);
criterion_main!(instances);

/// A level full of instances, and the queries to it.
struct Stage {
    name: &'static str,
    index: InstanceIndex,
    plain: Plain,
    /// Where all nodes are at two times.
    ticks: [Vec<RowMatrix>; 2],
    n_ticks: usize,
    rays: Vec<Ray>,
}

impl Stage {
    fn new(name: &'static str, crowd: Crowd) -> Self {
        let index = InstanceIndex::new(crowd.shapes, &crowd.instances).expect("shapes are there");
        Self {
            name,
            plain: Plain::new(&index),
            index,
            ticks: crowd.ticks,
            n_ticks: 0,
            rays: crowd.rays,
        }
    }

    /// Compares the results of some rays with those of the loop.
    fn check(&self) {
        let (mut n_hits, mut sum) = (0, 0.0);
        for ray in self.rays.iter().take(4 * N_PLAIN_RAYS) {
            let found = self.index.cast_ray(ray, REACH, ALL).map(|hit| hit.t);
            let expected = self.plain.cast_ray(ray, REACH);
            let is_near = match (found, expected) {
                (Some(t), Some(expected)) => (t - expected).abs() < 1e-3,
                (None, None) => true,
                _ => false,
            };
            assert!(is_near, "{ray:?}: {found:?}, the loop finds {expected:?}");
            let end = ray.at(SIGHT);
            let is_hit = self.index.cast_segment(ray.origin, end, ALL);
            assert_eq!(is_hit, self.plain.cast_ray(ray, SIGHT).is_some(), "{ray:?}");
            n_hits += u32::from(found.is_some());
            sum += found.unwrap_or_default();
        }
        let n = 4 * N_PLAIN_RAYS;
        let n_instances = self.index.instances().len();
        println!(
            "{}: {n_instances} instances, {n_hits} of {n} rays hit, checksum {sum}",
            self.name
        );
    }

    fn rays(&self, n: usize) {
        for ray in black_box(&self.rays[..n]) {
            black_box(self.index.cast_ray(ray, REACH, ALL));
        }
    }

    fn plain_rays(&self, n: usize) {
        for ray in black_box(&self.rays[..n]) {
            black_box(self.plain.cast_ray(ray, REACH));
        }
    }

    fn segments(&self, n: usize) {
        for ray in black_box(&self.rays[..n]) {
            black_box(self.index.cast_segment(ray.origin, ray.at(SIGHT), ALL));
        }
    }

    fn plain_segments(&self, n: usize) {
        for ray in black_box(&self.rays[..n]) {
            black_box(self.plain.cast_ray(ray, SIGHT));
        }
    }

    fn tick(&mut self) {
        self.n_ticks += 1;
        black_box(self.index.refit(&self.ticks[self.n_ticks % 2]));
    }

    fn build(&self) -> InstanceIndex {
        let shapes = Arc::clone(self.index.shapes());
        InstanceIndex::new(shapes, self.index.instances()).expect("as before")
    }

    /// Rows of the table.
    fn report(&mut self) {
        let one_thread = ThreadPoolBuilder::new().num_threads(1).build();
        let one_thread = one_thread.expect("a thread");
        let name = self.name;
        for (query, ours, plain) in [
            (
                "ray",
                Self::rays as fn(&Self, usize),
                Self::plain_rays as fn(&Self, usize),
            ),
            ("segment", Self::segments, Self::plain_segments),
        ] {
            let mut times = [Duration::MAX; 2];
            for _ in 0..N_TURNS {
                shortest(&mut times[0], || ours(self, N_RAYS));
                shortest(&mut times[1], || plain(self, N_PLAIN_RAYS));
            }
            let ours = times[0].as_secs_f64() * 1e9 / N_RAYS as f64;
            let plain = times[1].as_secs_f64() * 1e9 / N_PLAIN_RAYS as f64;
            println!(
                "{name}/{query}: {ours:.0} ns, loop {plain:.0} ns, ratio {:.5}",
                ours / plain
            );
        }
        let mut times = [Duration::MAX; 4];
        for _ in 0..N_TURNS {
            shortest(&mut times[0], || one_thread.install(|| self.tick()));
            shortest(&mut times[1], || self.tick());
            shortest(&mut times[2], || {
                _ = black_box(one_thread.install(|| self.build()))
            });
            shortest(&mut times[3], || _ = black_box(self.build()));
        }
        let [tick, tick_all, build, build_all] = times.map(|time| time.as_secs_f64() * 1e6);
        println!("{name}/tick: one thread {tick:.0} us, all {tick_all:.0} us");
        println!("{name}/build: one thread {build:.0} us, all {build_all:.0} us");
    }

    fn bench(&mut self, criterion: &mut Criterion) {
        let n_instances = self.index.instances().len() as u64;
        let mut group = criterion.benchmark_group(self.name);
        group
            .sample_size(20)
            .measurement_time(Duration::from_secs(3));
        group.throughput(Throughput::Elements(N_RAYS as u64));
        group.bench_function("ray", |bencher| bencher.iter(|| self.rays(N_RAYS)));
        group.bench_function("segment", |bencher| bencher.iter(|| self.segments(N_RAYS)));
        group.throughput(Throughput::Elements(n_instances));
        group.bench_function("tick", |bencher| bencher.iter(|| self.tick()));
        group.bench_function("build", |bencher| bencher.iter(|| self.build()));
    }
}

fn shortest(time: &mut Duration, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    *time = start.elapsed().min(*time);
}

/// An instance of a node.
fn instance(shape: usize, world_from_local: RowMatrix) -> Instance {
    Instance {
        shape: shape as u32,
        mask: 0,
        id: 0,
        world_from_local,
    }
}

/// Rays at eye height over a floor, rather flat than steep.
fn rays(random: &mut Random, [min, max]: [Vec3; 2]) -> Vec<Ray> {
    let ray = |_| Ray {
        origin: random.vector(min, max),
        direction: random
            .vector(Vec3::new(-1.0, -1.0, -0.1), Vec3::new(1.0, 1.0, 0.1))
            .normalize(),
    };
    (0..N_RAYS).map(ray).collect()
}
