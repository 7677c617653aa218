//! Geodata: loading, heights, walks, line of sight and paths, against a plain loader.
//!
//! `cargo bench --bench geodata`; one query: `cargo bench --bench geodata -- height`.
//!
//! Over one file of each real region under `IRONLANDS_DATA/lineage2` or `../shared/data/lineage2`, else over a region
//! from a seed. 65,536 heights of random cells, all 1,024 walks and lines of sight of up to 200 cells from random
//! ground, 64 paths of up to 120 cells and 16 across a region. The plain loader is the file's bytes and the place of
//! each block ([`query_bench::geodata`](ironlands_query_bench::geodata)). Memory of both, and their ratio, is printed.
//! Before anything is timed, every height is compared with the plain loader's, and every path is walked. Walks and
//! lines of sight are timed in cells that they cross; beside rays and segments at triangles of the same cells, over a
//! quarter of a region, per line (`triangles.rs`).

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

mod triangles;
mod world;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use ironlands::worlds::lineage2::formats::{RegionPath, Tolerance};
use ironlands::worlds::lineage2::load_regions;
use ironlands_sim::geodata::path::{PathFinder, PathOptions, PathSearch, WalkPath};
use ironlands_sim::geodata::{NoDataRule, Profile};
use rayon::ThreadPoolBuilder;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use world::World;

fn benches(criterion: &mut Criterion) {
    let world = World::open();
    world.check();
    bench_load(criterion, &world);
    bench_heights(criterion, &world);
    bench_lines(criterion, &world);
    bench_paths(criterion, &world);
    triangles::bench(criterion, &world);
}

criterion_group!(geodata, benches);
criterion_main!(geodata);

/// From files in the page cache to packed regions.
fn bench_load(criterion: &mut Criterion, world: &World) {
    let n_bytes = world.plain.iter().map(|region| region.bytes.len() as u64);
    let mut group = group(criterion, "load", Throughput::Bytes(n_bytes.sum()));
    let folder = tempfile::tempdir().expect("a folder for the regions");
    let files = world.plain.iter().map(|region| region.write(folder.path()));
    let files: Vec<RegionPath> = files
        .collect::<Result<_, _>>()
        .expect("room for the regions");
    let load = || {
        let never = AtomicBool::new(false);
        let geodata = load_regions(&files, Tolerance::STRICT, &|_| {}, &never);
        black_box(geodata.expect("checked before"))
    };
    let one = ThreadPoolBuilder::new().num_threads(1).build();
    let one = one.expect("a thread");
    group.bench_function("ours single", |bencher| bencher.iter(|| one.install(load)));
    group.bench_function("ours batch", |bencher| bencher.iter(load));
}

fn bench_heights(criterion: &mut Criterion, world: &World) {
    let mut group = group(
        criterion,
        "height",
        Throughput::Elements(world.points.len() as u64),
    );
    group.bench_function("ours single", |bencher| {
        bencher.iter(|| {
            for &point in black_box(&world.points) {
                _ = black_box(world.geodata.height(point));
            }
        })
    });
    let mut heights = vec![None; world.points.len()];
    group.bench_function("ours batch", |bencher| {
        bencher.iter(|| {
            world
                .geodata
                .height_batch(black_box(&world.points), &mut heights)
        })
    });
    group.bench_function("plain single", |bencher| {
        bencher.iter(|| {
            for &point in black_box(&world.points) {
                black_box(world.plain_height(point));
            }
        })
    });
}

/// Walks stop where they are blocked, so each is measured to there.
fn bench_lines(criterion: &mut Criterion, world: &World) {
    let geodata = &world.geodata;
    let mut walks = group(criterion, "walk", Throughput::Elements(world.n_walked));
    walks.bench_function("ours single", |bencher| {
        bencher.iter(|| {
            for &(from, to) in black_box(&world.walks) {
                _ = black_box(geodata.straight_walk(from, to, &Profile::ACIS));
            }
        })
    });
    walks.finish();
    let mut line_of_sight_batch = group(criterion, "sight", Throughput::Elements(world.n_seen));
    line_of_sight_batch.bench_function("ours single", |bencher| {
        bencher.iter(|| {
            for (from, to) in black_box(&world.line_of_sight_batch) {
                _ = black_box(geodata.one_way_line_of_sight(from, to, NoDataRule::Blocked));
            }
        })
    });
}

fn bench_paths(criterion: &mut Criterion, world: &World) {
    let options = PathOptions::default();
    let exact = PathFinder::exact(&world.geodata, &Profile::ACIS);
    let zoned = PathFinder::new(&world.geodata, &world.graph);
    let kinds = [("near", &world.near), ("far", &world.far)];
    for (name, requests) in kinds {
        let mut group = group(
            criterion,
            &format!("path/{name}"),
            Throughput::Elements(requests.len() as u64),
        );
        for (who, finder) in [("over zones single", &zoned), ("exact single", &exact)] {
            let mut scratch = PathSearch::default();
            group.bench_function(who, |bencher| {
                bencher.iter(|| {
                    for request in black_box(requests) {
                        _ = black_box(finder.find(request, &options, &mut scratch));
                    }
                })
            });
        }
        let mut paths = vec![Ok(WalkPath::default()); requests.len()];
        group.bench_function("over zones batch", |bencher| {
            bencher.iter(|| zoned.find_batch(black_box(requests), &options, &mut paths))
        });
    }
}

fn group<'a>(
    criterion: &'a mut Criterion,
    query: &str,
    throughput: Throughput,
) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(query);
    group.throughput(throughput);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(700));
    group
}
