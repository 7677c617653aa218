//! Single calls from Java beside the same calls from Rust, in turns: `cargo bench -p ironlands-geodata-java --profile
//! bindings --bench single_calls`, with `-- FOLDER`, an absolute path, for other regions than the demo's. Results of both
//! are compared.

#[path = "../tests/programs/jdk.rs"]
mod jdk;

use ironlands_geodata_set::fixtures::sets;
use ironlands_geodata_set::{GeoPoint, GeodataSet, LineEnd, LoadOptions};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::time::Instant;

/// A JVM compiles what runs often while the first rounds run.
const N_WARM_ROUNDS: usize = 5;
const N_ROUNDS: usize = 15;
const N_PAIRS: usize = 4096;
/// Times that a call runs over all pairs of points in a round.
const N_REPEATS: u32 = 50;

type Pair = [GeoPoint; 2];
type Call = fn(&GeodataSet, &Pair) -> i64;

const CALLS: [(&str, Call); 4] = [
    ("height", |set, [from, _]| set.height(*from).unwrap().into()),
    ("step", |set, [from, _]| {
        sum(set.step(*from, 1, -1).unwrap())
    }),
    ("walk", |set, [from, to]| {
        sum(set.straight_walk(*from, *to).unwrap())
    }),
    ("sight", |set, [from, to]| {
        set.line_of_sight(*from, *to, [30.0; 2]).unwrap().into()
    }),
];

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn main() {
    let folder = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    let folder = folder.map_or_else(|| sets(None).remove(0).0, PathBuf::from);
    let classes = tempfile::tempdir().unwrap();
    if !jdk::compile("benches/SingleCalls.java", classes.path()) {
        println!("no JDK of version 17 or newer (`javac`)");
        return;
    }
    let set = GeodataSet::load(&folder, &LoadOptions::default()).unwrap();
    let pairs = pairs(&set);
    let mut java = jdk::java(classes.path(), "SingleCalls")
        .arg(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to_java = java.stdin.take().unwrap();
    let mut from_java = BufReader::new(java.stdout.take().unwrap());
    send(&mut to_java, &text_of(&pairs));
    println!("nanoseconds a call, medians of {N_ROUNDS} rounds: Java, Rust, difference");
    for (name, call) in CALLS {
        let mut rounds: Vec<[f64; 2]> = Vec::new();
        for _ in 0..N_WARM_ROUNDS + N_ROUNDS {
            send(&mut to_java, &format!("{name} {N_REPEATS}"));
            let mut result = String::new();
            from_java.read_line(&mut result).unwrap();
            let (nanoseconds, java_sum) = result.trim().split_once(' ').unwrap();
            let start = Instant::now();
            let sum: i64 = (0..N_REPEATS)
                .flat_map(|_| &pairs)
                .map(|pair| call(&set, pair))
                .sum();
            rounds.push([
                nanoseconds.parse().unwrap(),
                start.elapsed().as_nanos() as f64,
            ]);
            assert_eq!(java_sum, sum.to_string(), "results of {name} differ");
        }
        let [java, rust] = [0, 1].map(|side| {
            let mut times: Vec<f64> = rounds[N_WARM_ROUNDS..].iter().map(|it| it[side]).collect();
            times.sort_by(f64::total_cmp);
            times[N_ROUNDS / 2] / (N_PAIRS as f64 * f64::from(N_REPEATS))
        });
        println!("{name:6} {java:7.1} {rust:7.1} {:+7.1}", java - rust);
    }
    drop(to_java);
    assert!(java.wait().unwrap().success());
}

/// Points on the ground of all regions in turn, each with one up to 400 points away.
fn pairs(set: &GeodataSet) -> Vec<Pair> {
    let regions: Vec<_> = set.newest().regions().collect();
    let mut state = 1_u32;
    let mut random = |n: i32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8).cast_signed() % n
    };
    let mut pairs = Vec::new();
    for region in regions.iter().cycle().take(N_PAIRS) {
        let corner = GeoPoint::from_cell(region.first_cell(), 0);
        let (x, y) = (
            corner.x + 400 + random(31_900),
            corner.y + 400 + random(31_900),
        );
        let z = set
            .height(GeoPoint::new(x, y, random(8000) - 4000))
            .unwrap();
        let to = GeoPoint::new(x + random(800) - 400, y + random(800) - 400, z);
        pairs.push([GeoPoint::new(x, y, z), to]);
    }
    pairs
}

fn text_of(pairs: &[Pair]) -> String {
    let mut text = String::new();
    for point in pairs.iter().flatten() {
        write!(text, "{} {} {} ", point.x, point.y, point.z).unwrap();
    }
    text.trim_end().to_owned()
}

fn send(to_java: &mut ChildStdin, line: &str) {
    writeln!(to_java, "{line}").unwrap();
}

fn sum(line: LineEnd) -> i64 {
    let LineEnd { end, point } = line;
    [end, point.x, point.y, point.z]
        .into_iter()
        .map(i64::from)
        .sum()
}
