//! Particles of a frame on one core: where they are at a time, and their order far to near; the order compared with the
//! standard library's sort.
//!
//! `cargo bench --bench particles -- --quick`.
//!
//! Before anything is timed every place is compared with small steps of a plain simulation, and the order with a plain
//! sort; a checksum is printed, so that two runs can be seen to have done the same work.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use ironlands::renderer::{Camera, ParticleList};
use ironlands::scene::{
    Affine, Birthplace, Curve, Emission, Emitter, EmitterAt, EmitterState, Force, Motion,
    ParticleForm, Stepped, Throw,
};

const COUNTS: [u32; 2] = [10_000, 100_000];
const GRAVITY: [f32; 3] = [0.0, 0.0, -2.0];
const DRAG_PER_SEC: f32 = 0.4;
/// Steps of the plain simulation, and how far it may be off: Euler's method of this step over two seconds at up to 4
/// units per second squared.
const STEP_SECS: f32 = 1.0 / 2048.0;
const TOLERANCE: f32 = 0.01;
/// As games step theirs.
const SWARM_STEP_SECS: f32 = 1.0 / 30.0;

criterion_group!(particles, benches);
criterion_main!(particles);

fn benches(criterion: &mut Criterion) {
    let camera = Camera {
        position: Vec3::new(-80.0, 0.0, 10.0),
        ..Camera::default()
    };
    check_places();
    let mut group = criterion.benchmark_group("particles");
    for count in COUNTS {
        let emitter = cloud(count);
        let at = at(5.0, &camera);
        let mut list = ParticleList::default();
        list.add(&emitter, &[], &at, &camera);
        assert_eq!(list.len(), count as usize, "all are in front of the camera");
        let unsorted: Vec<f32> = list.distances_sq().collect();
        check_order(&list, &unsorted);
        group.throughput(Throughput::Elements(count.into()));
        group.bench_function(BenchmarkId::new("place", count), |bencher| {
            let mut list = ParticleList::default();
            bencher.iter(|| {
                list.clear();
                list.add(black_box(&emitter), &[], &at, &camera);
            });
        });
        group.bench_function(BenchmarkId::new("sort", count), |bencher| {
            let fresh = || list.clone();
            bencher.iter_batched_ref(fresh, ParticleList::sort, BatchSize::LargeInput);
        });
        group.bench_function(BenchmarkId::new("sort, plainly", count), |bencher| {
            let indexed = || unsorted.iter().copied().zip(0u32..).collect::<Vec<_>>();
            let sort = |list: &mut Vec<(f32, u32)>| {
                list.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            };
            bencher.iter_batched_ref(indexed, sort, BatchSize::LargeInput);
        });
    }
    let swarm = swarm();
    let at = at(5.0, &camera);
    let n_steps = {
        let mut n_steps = 0.0;
        swarm.for_each_particle(&at, |particle| {
            n_steps += particle.secs / SWARM_STEP_SECS + 1.0
        });
        n_steps as u64
    };
    group.throughput(Throughput::Elements(n_steps));
    group.bench_function(BenchmarkId::new("step", n_steps), |bencher| {
        let mut list = ParticleList::default();
        bencher.iter(|| {
            list.clear();
            list.add(black_box(&swarm), &[], &at, &camera);
        });
    });
    group.finish();
}

/// A thousand particles that are pulled to a place, turn around an axis and are shaken.
fn swarm() -> Emitter {
    let forces = vec![
        Force::Pull {
            to: [0.0; 3],
            strength: 8.0,
            falloff: 1.0,
        },
        Force::Twist {
            center: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            strength: 2.0,
        },
        Force::Turbulence {
            scale: 0.1,
            strength: [1.0; 3],
        },
    ];
    Emitter {
        life_secs: [4.0; 2],
        motion: Motion::Stepped(Stepped {
            throw: Throw::default(),
            step_secs: SWARM_STEP_SECS,
            forces,
            constraints: Vec::new(),
            reach: 1.0e4,
        }),
        ..cloud(1000)
    }
}

/// Particles that are thrown about in a box before the camera.
fn cloud(count: u32) -> Emitter {
    Emitter {
        emission: Emission::Steady { count },
        life_secs: [1.0, 2.0],
        birthplace: Birthplace::Box {
            half_extent: [40.0, 30.0, 20.0],
        },
        motion: Motion::Thrown(Throw {
            spread_rad: 1.0,
            speed: [1.0, 3.0],
            gravity: GRAVITY,
            drag_per_sec: DRAG_PER_SEC,
            ..Throw::default()
        }),
        size: Curve::line([0.1; 2], [0.4; 2]),
        form: ParticleForm::Sprite,
        ..Emitter::default()
    }
}

fn at(clock_secs: f64, camera: &Camera) -> EmitterAt {
    EmitterAt {
        clock_secs,
        world_from_emitter: Affine::IDENTITY,
        velocity: [0.0; 3],
        eye: camera.position.to_array(),
        born_secs: EmitterState::EVER,
    }
}

/// Each particle of a moment against small steps from where it was shortly before.
fn check_places() {
    let emitter = cloud(1000);
    let camera = Camera::default();
    let particles = |clock_secs| {
        let mut found = Vec::new();
        emitter.for_each_particle(&at(clock_secs, &camera), |particle| found.push(*particle));
        found
    };
    let n_steps = 1024;
    let [before, after] = [5.0, 5.0 + f64::from(n_steps) * f64::from(STEP_SECS)].map(particles);
    let mut n_same = 0;
    for (before, after) in before.iter().zip(&after) {
        if before.random != after.random {
            continue; // another life
        }
        n_same += 1;
        let [mut place, mut velocity] = [before.position, before.velocity].map(Vec3::from);
        for _ in 0..n_steps {
            velocity += (Vec3::from(GRAVITY) - DRAG_PER_SEC * velocity) * STEP_SECS;
            place += velocity * STEP_SECS;
        }
        let off = place.distance(after.position.into());
        assert!(off < TOLERANCE, "{off} from the plain simulation");
    }
    assert!(n_same > 500, "only {n_same} lived on");
}

fn check_order(list: &ParticleList, unsorted: &[f32]) {
    let mut list = list.clone();
    list.sort();
    let sorted: Vec<_> = list.distances_sq().collect();
    let mut expected = unsorted.to_vec();
    expected.sort_by(|a, b| b.total_cmp(a));
    assert!(sorted == expected, "far ones before near ones");
    let sum = sorted
        .iter()
        .fold(0u32, |sum, it| sum.rotate_left(5) ^ it.to_bits());
    println!("{} particles, checksum {sum:#010x}", sorted.len());
}
