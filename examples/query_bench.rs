//! Our triangle index and its peers on the same file of triangles and queries, on one thread.
//!
//! `cargo run --release --example query_bench -- PREFIX` reads `PREFIX.mesh`, the queries `PREFIX.{h,r,l,b,n}.q`
//! as far as they are there, and the right results `PREFIX.{h,r,l,b,n}.a` as far as they are there; `--cells 256`
//! generates a terrain of some hundred thousand triangles instead. You should see the processor, our SIMD level and the
//! versions of the peers, and a line for each kind of query: nanoseconds of our batch form, of ours one call at a
//! time, of each peer one call at a time, our two as shares of a peer's, how many of our results are wrong, and a
//! checksum of them. `--features embree` adds Intel Embree, which must be installed; `--all-peers` adds the crates
//! `bvh` and `obvhs`, and with `--features tinybvh`, which takes a C++ compiler, tinybvh.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints on stdout"
)]

use clap::Parser;
use ironlands_query_bench::checksum::count_and_sum;
use ironlands_query_bench::files::{ExpectedResults, FileError, QuerySet};
use ironlands_query_bench::peer::Boxed;
use ironlands_query_bench::peers::parry::Parry;
use ironlands_query_bench::plain::is_same_found;
use ironlands_query_bench::race::{contestants, ns_each, shortest, time_of};
use ironlands_query_bench::synthetic::{Layout, terrain};
use ironlands_query_bench::{Checksum, Form, Found, Ours, Peer, Queries, peers};
use ironlands_sim::MaskFilter;
use ironlands_sim::triangles::{Overlap, SimdLevel, TriangleError, TriangleIndex};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Runs the same queries on our triangle index and its peers, compares and times the results.
///
/// Everything runs on one thread: batch forms in a pool of one. Ours and the peers take turns, in each of which
/// the whole set runs twice; the shortest time of all turns counts, because other work on the machine only
/// ever adds to it. A ray or point agrees with the known result if t, depth or distance do, within 2e-3 + 1e-4 t,
/// whichever of several triangles along an edge is named; sums over boxes must be equal. parry gathers boxes by
/// its tree's leaves, exactly with its own triangle test; its sight is the first-hit query that it offers.
///
/// Exit code: 0 all agree, 1 some result of ours is wrong, 2 it could not be done.
#[derive(Parser)]
#[command(after_help = "Example: query_bench ../shared/data/terrain-queries/g128")]
struct Options {
    /// Path of the files without their endings.
    #[arg(required_unless_present = "cells")]
    prefix: Option<PathBuf>,
    /// Measures a generated terrain instead of files: this many cells a side, of two triangles each, and houses.
    #[arg(long, conflicts_with = "prefix", value_parser = clap::value_parser!(u16).range(1..))]
    cells: Option<u16>,
    /// Number of turns of ours and of each peer.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Measures the crates `bvh` and `obvhs` too.
    #[arg(long)]
    all_peers: bool,
    /// Instruction set that ours runs on: portable, avx2, avx512, neon or simd128 [default: the best there is].
    #[arg(long, value_parser = available_instructions)]
    instructions: Option<SimdLevel>,
}

fn available_instructions(name: &str) -> Result<SimdLevel, String> {
    let instructions = match name {
        "portable" => SimdLevel::Portable,
        "avx2" => SimdLevel::Avx2,
        "avx512" => SimdLevel::Avx512,
        "neon" => SimdLevel::Neon,
        "simd128" => SimdLevel::Simd128,
        _ => return Err("it is none of portable, avx2, avx512, neon, simd128".to_owned()),
    };
    if instructions.is_available() {
        Ok(instructions)
    } else {
        Err("this processor does not have it".to_owned())
    }
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the mesh cannot be indexed: {0}")]
    Mesh(#[from] TriangleError),
    #[error("no pool of one thread: {0}")]
    Pool(#[from] rayon::ThreadPoolBuildError),
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(n_wrong) => {
            eprintln!("query_bench: {n_wrong} wrong results");
            ExitCode::from(1)
        }
        Err(failure) => {
            eprintln!("query_bench: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Returns the number of wrong results.
fn run(options: &Options) -> Result<usize, Failure> {
    let set = match (&options.prefix, options.cells) {
        (_, Some(cells)) => generated(cells.into())?,
        (prefix, None) => QuerySet::read(prefix.as_deref().unwrap_or(Path::new("")))?,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let mut ours = Ours::new(&set.mesh)?;
        if let Some(instructions) = options.instructions {
            ours.index = ours.index.with_simd_level(instructions);
        }
        let mut peers = peers::main(&set.mesh);
        if options.all_peers {
            peers.extend(peers::others(&set.mesh));
        }
        let rounds = options.rounds.into();
        print_machine(&ours, &peers);
        print_build(&set, &ours, &peers, rounds)?;
        let race = Race {
            ours: &ours,
            peers: &peers,
            rounds,
        };
        Ok(race.run(&set))
    })
}

/// A terrain from a seed, of whose queries no result is known.
fn generated(n_cells: usize) -> Result<QuerySet, TriangleError> {
    let mesh = terrain(n_cells, Layout::Moved);
    let index = Ours::new(&mesh)?.index;
    let (low, high) = mesh.bounds();
    let ground = |x: f32, y: f32| {
        let hit = index.height_at(x, y, MaskFilter::ALL);
        hit.map_or(low.z, |hit| hit.z)
    };
    Ok(QuerySet {
        queries: Queries::new((low, high), ground),
        mesh,
        results: ExpectedResults::default(),
    })
}

/// What is measured, and where.
fn print_machine(ours: &Ours, peers: &[Box<dyn Peer>]) {
    println!(
        "{}; ours at SIMD level {:?}",
        processor(),
        ours.index.simd_level()
    );
    let peers = peers
        .iter()
        .map(|peer| format!("{} {}", peer.name(), peer.version()));
    println!("peers: {}", peers.collect::<Vec<_>>().join(", "));
}

/// What the system calls the processor; at least its architecture.
fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let name = named.map(|name| name.trim_start_matches([' ', '\t', ':']));
    name.unwrap_or(std::env::consts::ARCH).to_owned()
}

/// Time to build on one thread, and bytes for each triangle where they are known.
fn print_build(
    set: &QuerySet,
    ours: &Ours,
    peers: &[Box<dyn Peer>],
    rounds: usize,
) -> Result<(), Failure> {
    let mesh = &set.mesh;
    let n_triangles = mesh.triangles.len();
    let n_vertices = mesh.positions.len();
    println!("{n_vertices} vertices, {n_triangles} triangles; one thread, {rounds} rounds");
    let (faces, mut best) = (Ours::faces(mesh), [Duration::MAX; 2]);
    for _ in 0..rounds.min(5) {
        let built = || TriangleIndex::new(&mesh.positions, &faces);
        let (vertices, triangles) = (Parry::vertices(mesh), mesh.triangles.clone());
        let parry = time_of(|| Parry::build(vertices, triangles));
        best = [best[0].min(time_of(built)), best[1].min(parry)];
    }
    let [ours_ms, parry_ms] = best.map(|time| time.as_secs_f64() * 1e3);
    let ratio = ours_ms / parry_ms;
    println!("build: ours {ours_ms:.2} ms, parry {parry_ms:.2} ms, ratio {ratio:.3}");
    let everybody = std::iter::once(ours as &dyn Peer).chain(peers.iter().map(|peer| &**peer));
    let bytes = everybody.filter_map(|peer| {
        let each = peer.memory_bytes()? as f64 / n_triangles as f64;
        Some(format!("{} {each:.1}", peer.name()))
    });
    println!(
        "bytes per triangle: {}",
        bytes.collect::<Vec<_>>().join(", ")
    );
    Ok(())
}

struct Race<'a> {
    ours: &'a Ours,
    peers: &'a [Box<dyn Peer>],
    rounds: usize,
}

impl<'a> Race<'a> {
    /// Prints a line for each kind of query; returns the number of our wrong results.
    fn run(&self, set: &'a QuerySet) -> usize {
        self.print_header();
        let (queries, right) = (&set.queries, &set.results);
        let found = Kind {
            is_right: |&a: &Option<Found>, &b: &Option<Found>| is_same_found(a, b),
            add: Checksum::add_found,
        };
        let flag = Kind {
            is_right: |a: &bool, b: &bool| a == b,
            add: Checksum::add_flag,
        };
        let bounds = Kind {
            is_right: |list: &Vec<u32>, right: &[[u32; 2]; 2]| count_and_sum(list) == right[0],
            add: |list: &Vec<u32>, sum: &mut Checksum| Checksum::add_list(list, sum),
        };
        let exact = Kind {
            is_right: |list: &Vec<u32>, right: &[[u32; 2]; 2]| count_and_sum(list) == right[1],
            add: |list: &Vec<u32>, sum: &mut Checksum| Checksum::add_list(list, sum),
        };
        let n = (
            queries.heights.len(),
            queries.rays.len(),
            queries.segments.len(),
        );
        let (n_boxes, n_points) = (queries.boxes.len(), queries.points.len());
        let known = right.heights.as_deref();
        self.line("H height", n.0, known, &found, |p, form| {
            p.heights(&queries.heights, form)
        }) + self.line(
            "R closest hit",
            n.1,
            right.rays.as_deref(),
            &found,
            |p, form| p.rays(&queries.rays, form),
        ) + self.line(
            "L sight",
            n.2,
            right.segments.as_deref(),
            &flag,
            |p, form| p.segments(&queries.segments, form),
        ) + self.line(
            "B bounds",
            n_boxes,
            right.boxes.as_deref(),
            &bounds,
            |p, form| p.boxes(&queries.boxes, Overlap::Bounds, form),
        ) + self.line(
            "B exact",
            n_boxes,
            right.boxes.as_deref(),
            &exact,
            |p, form| p.boxes(&queries.boxes, Overlap::Exact, form),
        ) + self.line(
            "N nearest",
            n_points,
            right.points.as_deref(),
            &found,
            |p, form| p.nearest(&queries.points, form),
        )
    }

    fn print_header(&self) {
        let names = self.peers.iter().map(|peer| peer.name());
        let names: Vec<&str> = ["batch", "single"].into_iter().chain(names).collect();
        println!("ns for each query; ratios are batch:single of ours to the peer's");
        print!("{:14}{:>7}", "query", "n");
        names.iter().for_each(|name| print!("{name:>12}"));
        names[2..]
            .iter()
            .for_each(|name| print!("{:>16}", format!("/{name}")));
        println!("{:>12}  {:16}", "mismatches", "checksum");
    }

    /// Runs, compares, times and prints one kind of query; returns the number of our wrong results.
    fn line<A: PartialEq, R>(
        &self,
        name: &str,
        n: usize,
        right: Option<&[R]>,
        kind: &Kind<impl Fn(&A, &R) -> bool, impl Fn(&A, &mut Checksum)>,
        start: impl Fn(&'a dyn Peer, Form) -> Option<Boxed<'a, A>>,
    ) -> usize {
        if n == 0 {
            return 0;
        }
        let mut contestants = contestants(self.ours, self.peers, start);
        let results: Vec<Option<Vec<A>>> = contestants
            .iter_mut()
            .map(|queries| queries.as_mut().map(|queries| queries.results()))
            .collect();
        let n_wrong = |results: &Option<Vec<A>>| {
            let pairs = results.as_ref()?.iter().zip(right?);
            Some(pairs.filter(|(a, b)| !(kind.is_right)(a, b)).count())
        };
        let wrong: Vec<Option<usize>> = results.iter().map(n_wrong).collect();
        let ours = results[0].as_deref().unwrap_or_default();
        let single = results[1].as_deref().unwrap_or_default();
        // The two forms promise the same bits, which is checked even where the right results are not known.
        let n_apart = ours.iter().zip(single).filter(|(a, b)| a != b).count();
        let n_mismatches = n_apart.max(wrong[0].max(wrong[1]).unwrap_or(0));

        let times = shortest(&mut contestants, self.rounds);
        let ns: Vec<Option<f64>> = times
            .iter()
            .map(|time| Some(ns_each((*time)?, n)))
            .collect();
        print!("{name:14}{n:>7}");
        ns.iter()
            .for_each(|ns| print!("{:>12}", text(*ns, |ns| format!("{ns:.1}"))));
        for peer in &ns[2..] {
            let ratio = |peer: f64| {
                let share = |ours: Option<f64>| text(ours, |ours| format!("{:.3}", ours / peer));
                format!("{}:{}", share(ns[0]), share(ns[1]))
            };
            print!("{:>16}", text(*peer, ratio));
        }
        let mismatches = text(right.map(|_| n_mismatches), |n| n.to_string());
        println!(
            "{mismatches:>12}  {}",
            Checksum::from_results(ours, &kind.add)
        );
        self.print_peers_wrong(&wrong[2..]);
        n_mismatches
    }

    fn print_peers_wrong(&self, wrong: &[Option<usize>]) {
        for (peer, n_wrong) in self.peers.iter().zip(wrong) {
            if let Some(n_wrong @ 1..) = n_wrong {
                println!("    {} is wrong {n_wrong} times", peer.name());
            }
        }
    }
}

/// How results of one kind are compared, and what of them goes into the checksum.
struct Kind<C, S> {
    is_right: C,
    add: S,
}

/// A dash for what is not known.
fn text<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or("-".to_owned(), text)
}
