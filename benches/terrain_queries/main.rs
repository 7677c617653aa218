//! Queries over the two demo levels, with a parry3d `TriMesh` of the same faces beside ours.
//!
//! `cargo bench --bench terrain_queries`; one question: `cargo bench --bench terrain_queries -- Map01/ray`.
//!
//! Each measurement answers one whole set of queries, made from a fixed seed: 16,384 heights, rays, segments and
//! areal points, 4,096 boxes. `single` calls one after another on one thread, `batch` is the batch form on all
//! threads. Before anything is timed every answer is compared with parry's; where the two differ a plain loop
//! over all faces in f64 decides, and ours must be right. Checksums are printed, so that two runs can be seen to
//! have done the same work.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench answers on stdout; criterion's macros have no docs"
)]

mod check;
mod level;
mod queries;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use ironlands_assets_loader::parkan::face_mask::FaceFilter;
use ironlands_sim::terrain::{Overlap, TerrainIndex};
use level::{Level, peer_of};
use parry3d::bounding_volume::Aabb;
use parry3d::query::{Ray as PeerRay, RayCast};
use queries::{N_BOXES, N_QUERIES, Queries};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Duration;

const ALL: FaceFilter = FaceFilter {
    required: 0,
    forbidden: 0,
};
/// The least size of a rayon task for parry, as ours has it.
const MIN_QUERIES_PER_TASK: usize = 64;

fn benches(criterion: &mut Criterion) {
    for name in ["Map01", "Map02"] {
        let level = Level::open(name);
        let queries = Queries::new(&level);
        level.check(&queries);
        bench_heights(criterion, &level, &queries);
        bench_rays(criterion, &level, &queries);
        bench_segments(criterion, &level, &queries);
        bench_boxes(criterion, &level, &queries);
        bench_areals(criterion, &level, &queries);
        bench_build(criterion, &level);
    }
}

criterion_group!(terrain_queries, benches);
criterion_main!(terrain_queries);

fn bench_heights(criterion: &mut Criterion, level: &Level, queries: &Queries) {
    let mut group = group(criterion, level, "height", N_QUERIES);
    group.bench_function("ours/single", |bencher| {
        bencher.iter(|| {
            queries
                .points
                .iter()
                .for_each(|p| _ = black_box(level.index.height_at(p.x, p.y, ALL)))
        });
    });
    group.bench_function("parry/single", |bencher| {
        bencher.iter(|| {
            queries
                .peer_downs
                .iter()
                .for_each(|down| _ = black_box(level.peer_ray(down, f32::MAX)))
        });
    });
    let mut hits = vec![None; N_QUERIES];
    group.bench_function("ours/batch", |bencher| {
        bencher.iter(|| {
            level
                .index
                .heights_at(black_box(&queries.points), ALL, &mut hits)
        });
    });
    let mut hits = vec![None; N_QUERIES];
    group.bench_function("parry/batch", |bencher| {
        bencher.iter(|| {
            each(&mut hits, &queries.peer_downs, |down| {
                level.peer_ray(down, f32::MAX)
            })
        });
    });
}

fn bench_rays(criterion: &mut Criterion, level: &Level, queries: &Queries) {
    let mut group = group(criterion, level, "ray", N_QUERIES);
    let ours = || queries.rays.iter().zip(&queries.t_max);
    group.bench_function("ours/single", |bencher| {
        bencher.iter(|| {
            ours().for_each(|(ray, &t_max)| _ = black_box(level.index.cast_ray(ray, t_max, ALL)))
        });
    });
    let peers: Vec<_> = queries
        .peer_rays
        .iter()
        .copied()
        .zip(queries.t_max.iter().copied())
        .collect();
    group.bench_function("parry/single", |bencher| {
        bencher.iter(|| {
            peers
                .iter()
                .for_each(|(ray, t_max)| _ = black_box(level.peer_ray(ray, *t_max)))
        });
    });
    let mut hits = vec![None; N_QUERIES];
    group.bench_function("ours/batch", |bencher| {
        bencher.iter(|| {
            level
                .index
                .cast_rays(black_box(&queries.rays), &queries.t_max, ALL, &mut hits)
        });
    });
    let mut hits = vec![None; N_QUERIES];
    group.bench_function("parry/batch", |bencher| {
        bencher.iter(|| {
            each(&mut hits, &peers, |(ray, t_max)| {
                level.peer_ray(ray, *t_max)
            })
        });
    });
}

fn bench_segments(criterion: &mut Criterion, level: &Level, queries: &Queries) {
    let mut group = group(criterion, level, "segment", N_QUERIES);
    group.bench_function("ours/single", |bencher| {
        bencher.iter(|| {
            queries
                .segments
                .iter()
                .for_each(|&[a, b]| _ = black_box(level.index.segment_hit(a, b, ALL)))
        });
    });
    let peer = |ray: &PeerRay| level.peer.intersects_local_ray(ray, 1.0);
    group.bench_function("parry/single", |bencher| {
        bencher.iter(|| {
            queries
                .peer_segments
                .iter()
                .for_each(|ray| _ = black_box(peer(ray)))
        });
    });
    let mut hits = vec![false; N_QUERIES];
    group.bench_function("ours/batch", |bencher| {
        bencher.iter(|| {
            level
                .index
                .segments_hit(black_box(&queries.segments), ALL, &mut hits)
        });
    });
    let mut hits = vec![false; N_QUERIES];
    group.bench_function("parry/batch", |bencher| {
        bencher.iter(|| each(&mut hits, &queries.peer_segments, peer))
    });
}

fn bench_boxes(criterion: &mut Criterion, level: &Level, queries: &Queries) {
    let mut group = group(criterion, level, "box", N_BOXES);
    let mut faces = Vec::new();
    for (name, overlap) in [
        ("ours/single", Overlap::Bounds),
        ("ours/single exact", Overlap::Exact),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for &[min, max] in &queries.boxes {
                    level
                        .index
                        .faces_in_aabb(min, max, ALL, overlap, &mut faces);
                    black_box(&faces);
                }
            });
        });
    }
    let gather = |aabb: &Aabb, faces: &mut Vec<u32>| {
        faces.clear();
        faces.extend(level.peer.bvh().intersect_aabb(aabb));
        faces.sort_unstable(); // as ours are: an order that does not depend on the tree
    };
    group.bench_function("parry/single", |bencher| {
        bencher.iter(|| {
            for aabb in &queries.peer_boxes {
                gather(aabb, &mut faces);
                black_box(&faces);
            }
        });
    });
    let mut lists = vec![Vec::new(); N_BOXES];
    group.bench_function("ours/batch", |bencher| {
        bencher.iter(|| {
            level
                .index
                .faces_in_aabbs(black_box(&queries.boxes), ALL, Overlap::Bounds, &mut lists)
        });
    });
    group.bench_function("parry/batch", |bencher| {
        bencher.iter(|| {
            lists
                .par_iter_mut()
                .zip(&queries.peer_boxes)
                .for_each(|(faces, aabb)| gather(aabb, faces))
        });
    });
}

/// parry has no areals; the baseline is a loop over all outlines.
fn bench_areals(criterion: &mut Criterion, level: &Level, queries: &Queries) {
    let mut group = group(criterion, level, "areal", N_QUERIES);
    group.bench_function("ours/single", |bencher| {
        bencher.iter(|| {
            queries
                .points
                .iter()
                .for_each(|&point| _ = black_box(level.areals.areal_at(point)));
        });
    });
    group.bench_function("plain/single", |bencher| {
        bencher.iter(|| {
            queries
                .points
                .iter()
                .for_each(|&point| _ = black_box(level.plain_areal(point)));
        });
    });
    let mut found = vec![None; N_QUERIES];
    group.bench_function("ours/batch", |bencher| {
        bencher.iter(|| {
            level
                .areals
                .areals_at(black_box(&queries.points), &mut found)
        });
    });
}

fn bench_build(criterion: &mut Criterion, level: &Level) {
    let mut group = group(criterion, level, "build", level.index.n_faces());
    group.bench_function("ours", |bencher| {
        bencher.iter(|| TerrainIndex::new(black_box(&level.land)))
    });
    group.bench_function("parry", |bencher| {
        bencher.iter(|| peer_of(black_box(&level.land)))
    });
}

fn group<'a>(
    criterion: &'a mut Criterion,
    level: &Level,
    question: &str,
    n: usize,
) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(format!("{}/{question}", level.name));
    group.throughput(Throughput::Elements(n as u64));
    group
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    group
}

fn each<Q: Sync, A: Send>(answers: &mut [A], queries: &[Q], ask: impl Fn(&Q) -> A + Sync) {
    answers
        .par_iter_mut()
        .zip(black_box(queries))
        .with_min_len(MIN_QUERIES_PER_TASK)
        .for_each(|(answer, query)| *answer = ask(query));
}
