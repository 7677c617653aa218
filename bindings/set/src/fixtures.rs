//! Scripts of calls for the tests of bindings: lines that a program in any language runs, and what it must print.
//!
//! A line is a call and its numbers, its result is a line that begins with the status; what follows is there only for
//! status 0:
//!
//! | call | result |
//! | --- | --- |
//! | `height x y z` | height |
//! | `below x y z`, `above x y z` | height, open sides |
//! | `layers x y` | number of layers, then height and open sides of each |
//! | `step x y z dx dy`, `walk x y z x y z`, `swim x y z x y z`, `fly x y z x y z height` | end, point |
//! | `sight x y z x y z` | 1 or 0, with eyes 34.5 and 30 above the points |
//! | `path x y z x y z budget` | end, number of points, points |
//! | `batch kind parameter n_rows numbers` | numbers |
//! | `add id bottom top is_wall n_points points`, `remove id` | |
//! | `block x y n_layers counts heights sides` | |

use super::{
    GeoPoint, GeodataSet, GeodataSetError, LineEnd, LoadOptions, ObjectKind, PathEnd, Status,
};
use std::fmt::Write;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Rounds of calls on a set.
const N_ROUNDS: u32 = 120;

/// The height of the eyes in `sight`.
pub const EYES: [f32; 2] = [34.5, 30.0];

/// A script and its results.
#[derive(Debug, Default)]
pub struct Script {
    /// A call a line.
    pub calls: String,
    /// A result a line.
    pub results: String,
}

/// Sets of regions to compare on: the demo's, and real ones where they are. With the format to read.
pub fn sets(real_data: Option<PathBuf>) -> Vec<(PathBuf, Option<&'static str>)> {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/LINEAGE2");
    let mut sets = vec![(demo, None)];
    if let Some(folder) = real_data {
        sets.extend([(folder.clone(), Some("l2j")), (folder, Some("conv.dat"))]);
    }
    sets
}

/// Runs a program over each of the sets: it takes the folder of a set, the format to read if one is given, and calls on
/// standard input, and prints results.
///
/// # Panics
/// When a result is not Rust's, or the program fails.
pub fn assert_returns_what_rust_returns(real_data: Option<PathBuf>, program: impl Fn() -> Command) {
    for (path, format) in sets(real_data) {
        let options = LoadOptions {
            format: format.map(str::to_owned),
            ..LoadOptions::default()
        };
        let set = GeodataSet::load(&path, &options).expect("a set that can be read");
        let script = Script::new(&set, N_ROUNDS);
        let calls = script.calls.as_bytes();
        let mut child = program()
            .arg(&path)
            .args(format)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("it is piped");
        // In a thread of its own: the program prints while it reads.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                // Closed at the end, which ends the program.
                let mut stdin = stdin;
                stdin.write_all(calls).expect("it reads all")
            });
            child.wait_with_output().expect("it ends")
        });
        let (path, status) = (path.display(), output.status);
        assert!(status.success(), "{path}: {status}");
        script.assert_printed(&String::from_utf8(output.stdout).expect("it prints text"));
    }
}

impl Script {
    /// A script of `n_rounds` calls of each kind on a set, at random places. Its edits are made on the set.
    pub fn new(set: &GeodataSet, n_rounds: u32) -> Self {
        let mut script = Self::default();
        let mut random = Random(7);
        for round in 0..n_rounds {
            script.add_queries(set, &mut random);
            if round % 16 == 15 {
                script.add_edits(set, &mut random, u64::from(round / 32));
            }
        }
        script.add_refused(set);
        script
    }

    fn add_queries(&mut self, set: &GeodataSet, random: &mut Random) {
        let from = random.point(set);
        let to = GeoPoint {
            x: from.x + random.below(1200) - 600,
            y: from.y + random.below(1200) - 600,
            z: from.z + random.below(80) - 40,
        };
        let ends = format!("{} {}", text(from), text(to));
        let (at, xy) = (text(from), format!("{} {}", from.x, from.y));
        let (dx, dy) = (random.below(3) - 1, random.below(3) - 1);
        let layer = |layer: ironlands_sim_geodata::GroundLayer| {
            format!("{} {}", layer.z, layer.nswe.bits())
        };
        self.add(
            format!("height {at}"),
            set.height(from).map(|z| z.to_string()),
        );
        for (name, found) in [
            ("below", set.layer_at_or_below(from)),
            ("above", set.layer_at_or_above(from)),
        ] {
            match found.transpose() {
                Some(found) => self.add(format!("{name} {at}"), found.map(layer)),
                None => self.add_line(format!("{name} {at}"), Status::NoLayer, ""),
            }
        }
        let layers = set.layers(from.x, from.y).map(|layers| {
            let texts: Vec<String> = layers.iter().map(|it| layer(*it)).collect();
            format!("{} {}", texts.len(), texts.join(" "))
        });
        self.add(format!("layers {xy}"), layers);
        let line = |line: LineEnd| format!("{} {}", line.end, text(line.point));
        let step = set.step(from, dx, dy).map(line);
        self.add(format!("step {at} {dx} {dy}"), step);
        self.add(
            format!("walk {ends}"),
            set.straight_walk(from, to).map(line),
        );
        self.add(format!("swim {ends}"), set.swim(from, to).map(line));
        self.add(format!("fly {ends} 46"), set.fly(from, to, 46).map(line));
        let sight = set.line_of_sight(from, to, EYES);
        self.add(
            format!("sight {ends}"),
            sight.map(|it| u8::from(it).to_string()),
        );
        let path = set.path(from, to, 20_000).map(|path| {
            let end = match path.end {
                PathEnd::Reached => 0,
                PathEnd::Unreachable => 1,
                PathEnd::OutOfBudget | PathEnd::Canceled => 2,
            };
            let points: Vec<String> = path.points.iter().map(|it| text(*it)).collect();
            format!("{end} {} {}", points.len(), points.join(" "))
        });
        self.add(format!("path {ends} 20000"), path);
        let kind = random.below(5);
        self.add_batch(set, kind, [from, to]);
    }

    fn add_batch(&mut self, set: &GeodataSet, kind: i32, [from, to]: [GeoPoint; 2]) {
        let query = set.array_query(kind, EYES[0]).expect("one of the kinds");
        let point = |it: GeoPoint| [it.x, it.y, it.z];
        let (there, back) = match kind {
            0 => (point(from).to_vec(), point(to).to_vec()),
            _ => (
                [point(from), point(to)].concat(),
                [point(to), point(from)].concat(),
            ),
        };
        let numbers = [there, back].concat();
        let mut results = vec![0; 2 * query.row_out()];
        let done = set.array_batch(&query, &numbers, &mut results);
        let call = format!("batch {kind} {} 2 {}", EYES[0], numbers_text(&numbers));
        self.add(call, done.map(|()| numbers_text(&results)));
    }

    /// A wall across the way, or the one before is removed; and a block with a roof.
    fn add_edits(&mut self, set: &GeodataSet, random: &mut Random, id: u64) {
        let at = random.point(set);
        let outline = [(0, 0), (300, 20), (300, 60), (0, 40)].map(|(x, y)| (at.x + x, at.y + y));
        let [bottom, top] = [at.z - 20, at.z + 120].map(|z| z as i16);
        let points: Vec<i32> = outline.iter().flat_map(|(x, y)| [*x, *y]).collect();
        let call = format!("add {id} {bottom} {top} 1 4 {}", numbers_text(&points));
        let added = set.add_object(id, &outline, [bottom, top], ObjectKind::Wall);
        self.add(call, added.map(|()| String::new()));
        if id % 2 == 1 {
            set.remove_object(id - 1);
            self.add(format!("remove {}", id - 1), Ok(String::new()));
        }
        let counts: Vec<u8> = (0..64).map(|cell| 1 + cell % 2).collect();
        let ground = (at.z & !7) as i16;
        let layers = counts
            .iter()
            .flat_map(|n| [ground + 160, ground].into_iter().skip(2 - usize::from(*n)));
        let heights: Vec<i16> = layers.collect();
        let nswe: Vec<u8> = (0..heights.len())
            .map(|n| if n % 5 == 0 { 7 } else { 15 })
            .collect();
        let numbers = |it: &mut dyn Iterator<Item = i32>| numbers_text(&it.collect::<Vec<_>>());
        let call = format!(
            "block {} {} {} {} {} {}",
            at.x,
            at.y,
            heights.len(),
            numbers(&mut counts.iter().map(|it| i32::from(*it))),
            numbers(&mut heights.iter().map(|it| i32::from(*it))),
            numbers(&mut nswe.iter().map(|it| i32::from(*it))),
        );
        let edited = set.set_block(at.x, at.y, &counts, &heights, &nswe);
        self.add(call, edited.map(|()| String::new()));
        // What is queried next is near.
        let near = GeoPoint { x: at.x + 40, ..at };
        self.add(
            format!("height {}", text(near)),
            set.height(near).map(|z| z.to_string()),
        );
    }

    /// Calls that fail: no region, no such point, no such neighbor.
    fn add_refused(&mut self, set: &GeodataSet) {
        for at in [
            GeoPoint::new(-600_000, -500_000, 0),
            GeoPoint::new(i32::MAX, 0, 0),
        ] {
            let height = set.height(at).map(|z| z.to_string());
            self.add(format!("height {}", text(at)), height);
        }
        let at = GeoPoint::default();
        for (dx, dy) in [(0, 0), (2, 0)] {
            let step = set.step(at, dx, dy).map(|_| String::new());
            self.add(format!("step {} {dx} {dy}", text(at)), step);
        }
        let flat = set.add_object(1, &[(0, 0), (9, 9)], [0, 8], ObjectKind::Door);
        self.add(
            "add 1 0 8 0 2 0 0 9 9".to_owned(),
            flat.map(|()| String::new()),
        );
    }

    fn add(&mut self, call: String, result: Result<String, GeodataSetError>) {
        match result {
            Ok(numbers) => self.add_line(call, Status::Ok, &numbers),
            Err(error) => self.add_line(call, error.status(), ""),
        }
    }

    fn add_line(&mut self, call: String, status: Status, numbers: &str) {
        self.calls.push_str(&call);
        self.calls.push('\n');
        let line = format!("{} {numbers}", status as i32);
        writeln!(self.results, "{}", line.trim_end()).expect("a text takes all");
    }

    /// Compares what a program printed, line by line.
    ///
    /// # Panics
    /// At the first line that differs, with its call.
    pub fn assert_printed(&self, printed: &str) {
        let lines = self.calls.lines().zip(self.results.lines());
        let mut printed_lines = printed.lines();
        for (number, (call, expected)) in (1..).zip(lines) {
            let line = printed_lines.next().map(str::trim_end);
            assert_eq!(line, Some(expected), "line {number}: {call}");
        }
        assert_eq!(printed_lines.next(), None, "after the last line");
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i32) -> i32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(n.unsigned_abs())) as i32
    }

    /// Near one of the layers of a random cell.
    fn point(&mut self, set: &GeodataSet) -> GeoPoint {
        let regions: Vec<_> = set.newest().regions().collect();
        let region = regions[self.below(regions.len() as i32) as usize];
        let (x, y) = region.corner();
        let (x, y) = (x + 700 + self.below(31000), y + 700 + self.below(31000));
        let layers = set.layers(x, y).expect("a region that is there");
        let z = layers[self.below(layers.len() as i32) as usize].z;
        GeoPoint::new(x, y, z + self.below(60) - 30)
    }
}

fn text(point: GeoPoint) -> String {
    format!("{} {} {}", point.x, point.y, point.z)
}

fn numbers_text(numbers: &[i32]) -> String {
    let texts: Vec<String> = numbers.iter().map(i32::to_string).collect();
    texts.join(" ")
}
