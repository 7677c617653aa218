//! The SIMD levels of this platform on the same terrain, which it makes itself, and the same queries.
//!
//! `cargo run --release -p ironlands-sim-core --example simd_levels [ROUNDS]`; for WebAssembly and AArch64
//! `tools/test-simd.sh` runs it. You should see a line for each query: nanoseconds at each level, and the time of the
//! best level as a share of the portable one. It stops if results differ.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use glam::{Vec2, Vec3};
use ironlands_sim_core::triangles::{Face, HeightHit, RayHit, SimdLevel, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};
use std::error::Error;
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Cells along each side of the terrain.
const N_CELLS: usize = 128;
/// Side of a cell, world units.
const CELL: f32 = 16.0;
/// Few enough for a round to take less than a time slice of a busy machine.
const N_QUERIES: usize = 2048;

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = match std::env::args().nth(1) {
        Some(rounds) => rounds.parse()?,
        None => 200,
    };
    // Batches on this thread alone, where there are others.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    pool.use_current_thread().build_global()?;
    let mut numbers = Numbers(1);
    let index = terrain(&mut numbers)?;
    let levels = SimdLevel::ALL
        .into_iter()
        .filter(|level| level.is_available());
    let levels: Vec<_> = levels
        .map(|level| (level, index.clone().with_simd_level(level)))
        .collect();
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    let n_faces = index.n_faces();
    println!("{n_faces} triangles, {N_QUERIES} queries of a kind, {rounds} rounds, {arch} {os}");
    println!("nanoseconds for each query on one thread");
    Queries::new(&mut numbers).compare(&Levels { levels, rounds });
    Ok(())
}

/// The same index at each level.
struct Levels {
    levels: Vec<(SimdLevel, TriangleIndex)>,
    rounds: usize,
}

impl Levels {
    /// Runs a set of queries at each level and prints the shortest times. Levels take turns, so that other work on the
    /// machine hits them alike.
    fn compare<R: Debug + Clone + PartialEq>(
        &self,
        name: &str,
        none: &R,
        run: impl Fn(&TriangleIndex, &mut [R]),
    ) {
        let mut results = vec![vec![none.clone(); N_QUERIES]; self.levels.len()];
        let mut best = vec![Duration::MAX; self.levels.len()];
        for _ in 0..self.rounds {
            for (i, (_, index)) in self.levels.iter().enumerate() {
                let start = Instant::now();
                run(index, &mut results[i]);
                best[i] = best[i].min(start.elapsed());
            }
        }
        print!("{name:14}");
        for (((level, _), time), results_here) in self.levels.iter().zip(&best).zip(&results) {
            assert_eq!(results_here, &results[0], "{name}, {level:?}");
            let ns = time.as_nanos() as f64 / N_QUERIES as f64;
            print!("  {level:?} {ns:.1}");
        }
        let [first, .., last] = best.as_slice() else {
            println!();
            return;
        };
        println!("  share {:.3}", last.as_secs_f64() / first.as_secs_f64());
    }
}

/// Points, and rays 10 to 500 units long which start 1 to 60 units above the ground; segments between points 2 units
/// above it.
struct Queries {
    points: Vec<Vec2>,
    rays: Vec<Ray>,
    t_max: Vec<f32>,
    segments: Vec<[Vec3; 2]>,
}

impl Queries {
    fn new(numbers: &mut Numbers) -> Self {
        let points: Vec<_> = (0..N_QUERIES).map(|_| numbers.point()).collect();
        let rays = points.iter().map(|&point| {
            let direction = [(); 3].map(|()| numbers.between(-1.0, 1.0));
            Ray {
                origin: point.extend(height(point) + numbers.between(1.0, 60.0)),
                direction: Vec3::from_array(direction).normalize_or(Vec3::X),
            }
        });
        let rays = rays.collect();
        let t_max = (0..N_QUERIES).map(|_| numbers.between(10.0, 500.0));
        let t_max = t_max.collect();
        let segments = points.iter().map(|&point| {
            let heading = Vec2::from_angle(numbers.between(0.0, std::f32::consts::TAU));
            let side = Vec2::splat(CELL * N_CELLS as f32);
            let end = point + heading * numbers.between(10.0, 500.0);
            [point, end.clamp(Vec2::ZERO, side)].map(|end| end.extend(height(end) + 2.0))
        });
        let segments = segments.collect();
        Self {
            points,
            rays,
            t_max,
            segments,
        }
    }

    fn compare(&self, levels: &Levels) {
        let all = MaskFilter::ALL;
        let no_height: Option<HeightHit> = None;
        levels.compare("height batch", &no_height, |index, hits| {
            index.height_at_batch(&self.points, all, hits);
        });
        levels.compare("height single", &no_height, |index, hits| {
            for (hit, point) in hits.iter_mut().zip(&self.points) {
                *hit = index.height_at(point.x, point.y, all);
            }
        });
        let no_hit: Option<RayHit> = None;
        levels.compare("ray batch", &no_hit, |index, hits| {
            index.cast_ray_batch(&self.rays, &self.t_max, all, hits);
        });
        levels.compare("ray single", &no_hit, |index, hits| {
            for ((hit, ray), &t_max) in hits.iter_mut().zip(&self.rays).zip(&self.t_max) {
                *hit = index.cast_ray(ray, t_max, all);
            }
        });
        levels.compare("segment batch", &false, |index, hits| {
            index.cast_segment_batch(&self.segments, all, hits);
        });
        levels.compare("segment single", &false, |index, hits| {
            for (hit, &[a, b]) in hits.iter_mut().zip(&self.segments) {
                *hit = index.cast_segment(a, b, all);
            }
        });
    }
}

/// Hills, every vertex moved at random.
fn terrain(numbers: &mut Numbers) -> Result<TriangleIndex, Box<dyn Error>> {
    let n_side = N_CELLS + 1;
    let positions: Vec<[f32; 3]> = (0..n_side * n_side)
        .map(|i| {
            let at = Vec2::new((i % n_side) as f32, (i / n_side) as f32);
            let moved = Vec2::new(numbers.between(-0.2, 0.2), numbers.between(-0.2, 0.2));
            let at = (at + moved) * CELL;
            at.extend(height(at)).to_array()
        })
        .collect();
    let cells = (0..N_CELLS).flat_map(|y| (0..N_CELLS).map(move |x| y * n_side + x));
    let faces: Vec<Option<Face>> = cells
        .flat_map(|low| {
            let (low, high) = (low as u32, (low + n_side) as u32);
            [[low, low + 1, high + 1], [low, high + 1, high]]
        })
        .map(|corners| {
            Some(Face {
                corners,
                ..Face::default()
            })
        })
        .collect();
    Ok(TriangleIndex::new(&positions, &faces)?)
}

/// Height of the hills, world units.
fn height(at: Vec2) -> f32 {
    let wave = |length: f32| (at.x / length).sin() * (at.y / length).cos() * length / 6.0;
    wave(310.0) + wave(97.0) + wave(23.0)
}

/// Evenly spread numbers from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    /// In `low..high`.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let part = ((z ^ z >> 31) >> 40) as f32 / (1 << 24) as f32;
        low + (high - low) * part
    }

    /// On the terrain.
    fn point(&mut self) -> Vec2 {
        let side = CELL * N_CELLS as f32;
        Vec2::new(self.between(0.0, side), self.between(0.0, side))
    }
}
