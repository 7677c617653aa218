//! 10,000 walkers of 16 nodes posed for one frame, bit for bit as the original; compared with a plain sampler of the
//! same keys, written with glam's `slerp`, `lerp` and affine products.
//!
//! `cargo bench --bench animation -- --quick`; one query: `cargo bench --bench animation -- one_time/single`.
//!
//! Every walker has its own time. `one_time` samples it, `two_times` blends it with a second one. `single` is one
//! thread, `batch` all of them, split alike. Before anything is timed both samplers are compared with the
//! formulas in f64 and batches bit for bit with single poses, and checksums are printed, so that two runs can be
//! seen to have done the same work. Then comes a table of ns per node and of the ratio: both samplers take turns,
//! and the fastest turn of each counts. Other work on the machine only adds, and most of all to a batch, which
//! needs all cores at once: the fastest of many turns on two busy cores posed `one_time` in 8.2 ns a node, against
//! 15.4 on one.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

mod check;
mod plain;
mod walker;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Affine3A;
use ironlands::worlds::parkan::formats::msh_animation::QuaternionOrder;
use ironlands::worlds::parkan::skeleton::{self, Bounds};
use ironlands_sim::animation::{Instance, RowMatrix, Skeleton};
use plain::PlainSkeleton;
use std::hint::black_box;
use std::time::{Duration, Instant};
use walker::{Blends, N_INSTANCES, N_NODES, Walker, Walking, crowd};

/// Turns of each sampler for the table.
const N_TURNS: usize = 100;

fn benches(criterion: &mut Criterion) {
    let walker = Walker::new();
    let (links, parents) = (&walker.links, &walker.parents);
    let skeleton = skeleton::from_tables(
        &walker.animation,
        QuaternionOrder::Wxyz,
        links,
        parents,
        Bounds::Strict,
    );
    let skeleton = skeleton.expect("the walker is valid");
    let plain = PlainSkeleton::new(&walker);
    let crowd = crowd();
    for blends in [Blends::OneTime, Blends::TwoTimes] {
        check::check(&walker, &skeleton, &plain, &crowd, blends);
        check::check_batches(&skeleton, &plain, &crowd, blends);
    }
    let mut stages = [
        ("one_time", Blends::OneTime),
        ("two_times", Blends::TwoTimes),
    ]
    .map(|(name, blends)| (name, Stage::new(&skeleton, &plain, &crowd, blends)));
    println!("ns per node: exact, plain, exact / plain");
    for (name, stage) in &mut stages {
        let (single, batch) = (format!("{name}/single"), format!("{name}/batch"));
        stage.report(&single, Stage::exact_single, Stage::plain_single);
        stage.report(&batch, Stage::exact_batch, Stage::plain_batch);
    }
    for (name, stage) in &mut stages {
        stage.bench(criterion, name);
    }
}

criterion_group!(animation, benches);
criterion_main!(animation);

/// All walkers that are posed, and where the matrices go.
struct Stage<'a> {
    skeleton: &'a Skeleton,
    plain: &'a PlainSkeleton,
    crowd: &'a [Walking],
    blends: Blends,
    instances: Vec<Instance>,
    exact_matrices: Vec<RowMatrix>,
    plain_matrices: Vec<Affine3A>,
}

impl<'a> Stage<'a> {
    fn new(
        skeleton: &'a Skeleton,
        plain: &'a PlainSkeleton,
        crowd: &'a [Walking],
        blends: Blends,
    ) -> Self {
        Self {
            skeleton,
            plain,
            crowd,
            blends,
            instances: crowd
                .iter()
                .map(|walking| walking.instance(blends))
                .collect(),
            exact_matrices: vec![RowMatrix::IDENTITY; N_INSTANCES * N_NODES],
            plain_matrices: vec![Affine3A::IDENTITY; N_INSTANCES * N_NODES],
        }
    }

    fn exact_single(&mut self) {
        let matrices = self.exact_matrices.chunks_exact_mut(N_NODES);
        for (instance, matrices) in black_box(&self.instances).iter().zip(matrices) {
            self.skeleton.pose(instance, matrices);
        }
    }

    fn plain_single(&mut self) {
        let matrices = self.plain_matrices.chunks_exact_mut(N_NODES);
        for (walking, matrices) in black_box(self.crowd).iter().zip(matrices) {
            self.plain.pose(walking, self.blends, matrices);
        }
    }

    fn exact_batch(&mut self) {
        let instances = black_box(&self.instances);
        self.skeleton
            .pose_batch(instances, &mut self.exact_matrices);
    }

    fn plain_batch(&mut self) {
        let crowd = black_box(self.crowd);
        self.plain
            .pose_batch(crowd, self.blends, &mut self.plain_matrices);
    }

    /// A row of the table.
    fn report(&mut self, name: &str, exact: fn(&mut Self), plain: fn(&mut Self)) {
        let mut times = [Duration::MAX; 2];
        for _ in 0..N_TURNS {
            for (time, pose) in times.iter_mut().zip([exact, plain]) {
                let start = Instant::now();
                pose(self);
                *time = start.elapsed().min(*time);
            }
        }
        let [exact, plain] =
            times.map(|time| time.as_secs_f64() * 1e9 / (N_INSTANCES * N_NODES) as f64);
        println!("{name:16} {exact:6.1} {plain:6.1} {:5.2}", exact / plain);
    }

    fn bench(&mut self, criterion: &mut Criterion, name: &str) {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements((N_INSTANCES * N_NODES) as u64));
        group
            .sample_size(20)
            .warm_up_time(Duration::from_secs(1))
            .measurement_time(Duration::from_secs(3));
        let rows: [(_, fn(&mut Self)); 4] = [
            ("single/exact", Self::exact_single),
            ("single/plain", Self::plain_single),
            ("batch/exact", Self::exact_batch),
            ("batch/plain", Self::plain_batch),
        ];
        for (name, pose) in rows {
            group.bench_function(name, |bencher| bencher.iter(|| pose(self)));
        }
    }
}
