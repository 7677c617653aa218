//! Areals: which holds a point or is nearest, neighbors, what a straight walk crosses, the route from
//! one to another.
//!
//! `cargo bench --bench areal`; one query: `cargo bench --bench areal -- Map01/route`.
//!
//! Over the areals of the two demo levels and over a field of 4,096 squares with moved corners, of which a fifth is
//! closed. 16,384 points, 1,024 points outside of all areals, and 512 pairs of points, from a fixed seed. `single`
//! is one thread, `batch` all of them, `scratch` the search that reuses its memory. No library offers these
//! queries, so the baseline is a plain loop over all outlines; for the field also our own index of triangles over the
//! same ground, and over walls where walks end (`triangles.rs`). Before anything is timed, every point is compared
//! with that loop. Every walk and route is followed: areals come one after another over links and hold what lies
//! between crossings; a path has the length that it says, no more than that over the middles of the portals; and
//! where there is no route a flood over the links does not arrive either. Checksums are printed, so that two runs
//! can be seen to have done the same work.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

mod check;
mod triangles;
mod world;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec2;
use ironlands_sim::areal::{
    ArealFilter, ArealRoute, NearestAreal, RouteOptions, RouteRequest, RouteSearch, StraightWalkEnd,
};
use std::hint::black_box;
use std::time::Duration;
use world::World;

fn benches(criterion: &mut Criterion) {
    for world in [World::level("Map01"), World::level("Map02"), World::field()] {
        world.check();
        bench_areal_at(criterion, &world);
        bench_nearest(criterion, &world);
        bench_neighbors(criterion, &world);
        bench_walks(criterion, &world);
        bench_routes(criterion, &world);
    }
    triangles::bench(criterion, &World::field());
}

criterion_group!(areal, benches);
criterion_main!(areal);

fn bench_areal_at(criterion: &mut Criterion, world: &World) {
    let mut group = group(criterion, world, "areal_at", world.points.len());
    one_by_one(&mut group, "ours single", &world.points, |&point| {
        world.index.areal_at(point)
    });
    let mut found = vec![None; world.points.len()];
    group.bench_function("ours batch", |bencher| {
        bencher.iter(|| {
            world
                .index
                .areal_at_batch(black_box(&world.points), &mut found)
        })
    });
    one_by_one(&mut group, "plain single", &world.points, |&point| {
        world.plain_areal(point)
    });
}

fn bench_nearest(criterion: &mut Criterion, world: &World) {
    let mut group = group(criterion, world, "nearest_areal", world.outside.len());
    one_by_one(&mut group, "ours single", &world.outside, |&point| {
        world.nearest(point)
    });
    one_by_one(&mut group, "plain single", &world.outside, |&point| {
        world.plain_distance(point)
    });
}

/// The areals beside each, of all in turn.
fn bench_neighbors(criterion: &mut Criterion, world: &World) {
    let areals: Vec<u32> = (0..world.index.n_areals() as u32).collect();
    let mut group = group(criterion, world, "neighbors", areals.len());
    one_by_one(&mut group, "ours single", &areals, |&areal| {
        world.index.neighbors(areal).iter().sum::<u32>()
    });
}

fn bench_walks(criterion: &mut Criterion, world: &World) {
    let mut group = group(criterion, world, "walk", world.pairs.len());
    one_by_one(&mut group, "ours single", &world.pairs, |pair| {
        world.walk(pair)
    });
}

fn bench_routes(criterion: &mut Criterion, world: &World) {
    let (index, pairs) = (&world.index, &world.pairs);
    let options = RouteOptions::default();
    let mut group = group(criterion, world, "route", pairs.len());
    one_by_one(&mut group, "ours single", pairs, |pair| {
        index.route(pair.from, pair.to)
    });
    let (mut search, mut route) = (RouteSearch::default(), ArealRoute::default());
    one_by_one(
        &mut group,
        "ours single, scratch",
        pairs,
        |&RouteRequest { from, to }| index.find_route(from, to, &options, &mut search, &mut route),
    );
    let mut routes = vec![ArealRoute::default(); pairs.len()];
    group.bench_function("ours batch", |bencher| {
        bencher.iter(|| index.find_route_batch(black_box(pairs), &options, &mut routes))
    });
}

impl World {
    /// The areal nearest to a point, however far.
    fn nearest(&self, point: Vec2) -> Option<NearestAreal> {
        self.index
            .nearest_areal(point, f32::INFINITY, &ArealFilter::ALL)
    }

    /// How a straight walk ends, and how many borders it crosses.
    fn walk(&self, pair: &RouteRequest) -> (StraightWalkEnd, usize) {
        let mut n_crossings = 0;
        let count = |_: &_| n_crossings += 1;
        let end = self
            .index
            .straight_walk(pair.from, pair.to, &ArealFilter::ALL, count);
        (end, n_crossings)
    }
}

/// One call after another on one thread.
fn one_by_one<Q, A>(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    queries: &[Q],
    mut run_query: impl FnMut(&Q) -> A,
) {
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let queries = black_box(queries).iter();
            queries.for_each(|query| _ = black_box(run_query(query)))
        })
    });
}

fn group<'a>(
    criterion: &'a mut Criterion,
    world: &World,
    query: &str,
    n: usize,
) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(format!("{}/{query}", world.name));
    group.throughput(Throughput::Elements(n as u64));
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(700));
    group
}
