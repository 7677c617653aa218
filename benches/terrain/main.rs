//! The query path over the two demo levels and over synthetic terrain of 33k, 130k and 1M triangles, beside peers.
//!
//! - `cargo bench --bench terrain`: everything, then tables of all peers over the synthetic terrain; about 5 minutes
//! - `cargo bench --bench terrain -- --quick`: the same, less exactly
//! - `cargo bench --bench terrain -- Map01/ray`: the measurements with this in their names, no tables
//! - `cargo bench --bench terrain -- tables`: the tables alone
//! - `--features embree` adds Intel Embree, which must be installed
//!
//! Each measurement runs one whole set of queries, made from a fixed seed: 16,384 heights, rays and segments, 4,096
//! boxes, nearest points and balls. `single` calls one after another on one thread, `batch` is the batch form on all
//! threads (for peers a parallel loop). Before anything is timed every result is compared with parry's; where the two
//! differ a plain loop over all triangles in f64 decides, and ours must be right. The eight nearest faces and moving
//! balls are not put to peers: plain loops and our own nearest faces check them. Checksums are printed, so that two
//! runs can be seen to have done the same work.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

mod alone;
mod check;
mod tables;
mod world;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group};
use ironlands_query_bench::peer::Boxed;
use ironlands_query_bench::peers::parry::Parry;
use ironlands_query_bench::synthetic::Layout;
use ironlands_query_bench::{Form, Ours, Peer};
use ironlands_sim::triangles::{Overlap, TriangleIndex};
use std::hint::black_box;
use std::time::Duration;
use world::World;

/// Synthetic terrain by name and cells a side; two triangles a cell, and 3,680 of houses.
const SYNTHETIC: [(&str, usize); 3] = [("33k", 128), ("130k", 256), ("1M", 724)];

fn main() {
    let choice = choice();
    if choice.as_deref() != Some("tables") {
        terrain();
        Criterion::default().configure_from_args().final_summary();
    }
    if matches!(choice.as_deref(), None | Some("tables")) {
        tables::print();
    }
}

/// The command line without `--quick` and what cargo adds: it chooses among the measurements.
fn choice() -> Option<String> {
    let mut arguments = std::env::args().skip(1);
    arguments.find(|argument| argument != "--bench" && argument != "--quick")
}

/// Terrains of which no measurement is chosen are not even built.
fn is_chosen(world: &str) -> bool {
    let choice = choice();
    let chosen_world = choice.as_deref().and_then(|choice| choice.split_once('/'));
    chosen_world.is_none_or(|(name, _)| world.contains(name))
}

fn benches(criterion: &mut Criterion) {
    for name in ["Map01", "Map02"]
        .into_iter()
        .filter(|name| is_chosen(name))
    {
        bench(criterion, &World::level(name));
    }
    for (name, n_cells) in SYNTHETIC.into_iter().filter(|(name, _)| is_chosen(name)) {
        let world = World::synthetic(name, n_cells, Layout::Moved);
        bench(criterion, &world);
    }
}

criterion_group! {
    name = terrain;
    config = Criterion::default().configure_from_args();
    targets = benches
}

fn bench(criterion: &mut Criterion, world: &World) {
    world.check();
    world.check_alone();
    let queries = &world.queries;
    let mut bench = Bench { criterion, world };
    bench.query("height", queries.heights.len(), |p, form| {
        p.heights(&queries.heights, form)
    });
    bench.query("ray", queries.rays.len(), |p, form| {
        p.rays(&queries.rays, form)
    });
    bench.query("segment", queries.segments.len(), |p, form| {
        p.segments(&queries.segments, form)
    });
    bench.query("box", queries.boxes.len(), |p, form| {
        p.boxes(&queries.boxes, Overlap::Bounds, form)
    });
    bench.query("box exact", queries.boxes.len(), |p, form| {
        p.boxes(&queries.boxes, Overlap::Exact, form)
    });
    bench.query("nearest", queries.points.len(), |p, form| {
        p.nearest(&queries.points, form)
    });
    bench.alone();
    bench.build();
}

struct Bench<'a> {
    criterion: &'a mut Criterion,
    world: &'a World,
}

impl<'a> Bench<'a> {
    /// Ours and each peer that has such a query, in both forms.
    fn query<A>(
        &mut self,
        query: &str,
        n: usize,
        run_query: impl Fn(&'a dyn Peer, Form) -> Option<Boxed<'a, A>>,
    ) {
        let world = self.world;
        let mut group = self.group(query, n);
        for peer in world.libraries() {
            for (form, form_name) in [(Form::Single, "single"), (Form::Batch, "batch")] {
                let Some(mut query) = run_query(peer, form) else {
                    continue;
                };
                let name = format!("{} {form_name}", peer.name());
                group.bench_function(name, |bencher| bencher.iter(|| query.run()));
            }
        }
    }

    fn build(&mut self) {
        let mesh = &self.world.mesh;
        let faces = Ours::faces(mesh);
        let mut group = self.group("build", mesh.triangles.len());
        group.bench_function("ours", |bencher| {
            bencher.iter(|| TriangleIndex::new(black_box(&mesh.positions), &faces))
        });
        group.bench_function("parry", |bencher| {
            bencher.iter(|| Parry::new(black_box(mesh)))
        });
    }

    fn group(&mut self, query: &str, n: usize) -> BenchmarkGroup<'_, WallTime> {
        let name = format!("{}/{query}", self.world.name);
        let mut group = self.criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(n as u64));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(700));
        group
    }
}
