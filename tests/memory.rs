//! Frames take no memory that they do not give back: the program draws hundreds of them in each of the four worlds, with
//! a camera that stands still and with one that flies, and holds as much memory after the last as after the first few.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use ironlands::worlds::evil_islands::formats::cam::{Cam, CamRecord};

/// A line of the log for each frame holds this.
const FRAME_LINE: &str = "FrameStats";
/// By then all that frames share is there: shaders, lists, the land that the flight comes past.
const SETTLED: usize = 60;
const LAST: usize = 300;
/// One program at a time, so that each has the processor for itself.
static ALONE: Mutex<()> = Mutex::new(());
/// Frames after the last that is looked at, so that the program is still drawing then.
const SPARE: usize = 20;
/// Flights go around this often, so that two rounds are over when memory is first read.
const N_ROUNDS: usize = 12;
const KEYS_PER_ROUND: usize = 8;

/// A world, and where its camera is.
struct Place {
    /// Arguments that open it.
    args: &'static [&'static str],
    position: [f32; 3],
    /// Radius of the flight.
    radius: f32,
}

const PARKAN: Place = Place {
    args: &[
        "--level",
        "DATA/MAPS/Map01",
        "--mission",
        "DATA/MISSIONS/single.01",
    ],
    position: [372.0, 335.0, 40.0],
    radius: 40.0,
};
const EVIL_ISLANDS: Place = Place {
    args: &["--level", "DATA/EVIL_ISLANDS/Maps/zone1.mpr"],
    position: [78.5, 46.6, 14.0],
    radius: 12.0,
};
const SOURCE: Place = Place {
    args: &["--level", "DATA/SOURCE/demo.bsp"],
    position: [120.0, -300.0, 80.0],
    radius: 100.0,
};
const GEODATA: Place = Place {
    args: &["--level", "DATA/LINEAGE2"],
    position: [15300.0, -21000.0, -2950.0],
    radius: 1000.0,
};

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
fn frames_of_parkan_take_no_memory() {
    hold_memory(&PARKAN);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
fn frames_of_evil_islands_take_no_memory() {
    hold_memory(&EVIL_ISLANDS);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
fn frames_of_source_take_no_memory() {
    hold_memory(&SOURCE);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
fn frames_of_geodata_take_no_memory() {
    hold_memory(&GEODATA);
}

/// The memory after [`LAST`] frames is at most a twentieth above that after [`SETTLED`], still and in flight.
fn hold_memory(place: &Place) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, cam) in [("still", place.still()), ("flight", place.flight())] {
        let path = folder.path().join(name).with_extension("cam");
        fs::write(&path, cam.write().expect("a camera path")).expect("a temporary file");
        let [settled, last] = resident_kib(place, &path);
        assert!(
            last.saturating_sub(settled) * 20 <= settled,
            "{name}: {settled} KiB after {SETTLED} frames, {last} KiB after {LAST}"
        );
    }
}

/// The resident memory after [`SETTLED`] frames and after [`LAST`].
fn resident_kib(place: &Place, path: &Path) -> [u64; 2] {
    let mut program = Running::start(place, path);
    let stderr = program.0.stderr.take().expect("it is piped");
    let mut log = String::new();
    let mut frames = BufReader::new(stderr)
        .lines()
        .map_while(Result::ok)
        .inspect(|line| {
            if !line.contains(FRAME_LINE) {
                log += line;
                log.push('\n');
            }
        })
        .filter(|line| line.contains(FRAME_LINE));
    let mut read = Vec::new();
    while read.len() < LAST && frames.next().is_some() {
        read.push(program.resident_kib());
    }
    drop(frames);
    assert_eq!(read.len(), LAST, "it ended before the last frame:\n{log}");
    [SETTLED, LAST].map(|n_frames| read[n_frames - 1])
}

/// The program; ended with this.
struct Running(Child);

impl Running {
    fn start(place: &Place, path: &Path) -> Self {
        let n_frames = (LAST + SPARE).to_string();
        let child = Command::new(program())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("RUST_LOG", "ironlands::headless=debug")
            // Has glibc give back to the system at once what is freed: left alone, it keeps tens of MiB or not by chance.
            .env("MALLOC_TRIM_THRESHOLD_", "131072")
            .env("MALLOC_MMAP_THRESHOLD_", "131072")
            // Has lavapipe draw in the calling thread: its own threads take tens of MiB more whenever they fall behind.
            .env("LP_NUM_THREADS", "0")
            .args(place.args)
            .args(["--play", path.to_str().expect("a plain name")])
            .args(["--camera-zero", "x", "--frames", &n_frames])
            .args(["--offscreen", "--software", "--size", "64x36"])
            // Maps of shadows are large whatever the picture: in software they would take ten times as long as all else.
            .arg("--no-shadows")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        Self(child.expect("the program runs"))
    }

    fn resident_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id()));
        let status = status.expect("the program still runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number
            .and_then(|it| it.parse().ok())
            .expect("a number of KiB")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_ironlands"))
}

impl Place {
    fn still(&self) -> Cam {
        self.path(1)
    }

    fn flight(&self) -> Cam {
        self.path(N_ROUNDS * KEYS_PER_ROUND + 1)
    }

    /// Around [`Self::position`], looking outward.
    fn path(&self, n_keys: usize) -> Cam {
        let record = |key: usize| {
            let angle = key as f32 / KEYS_PER_ROUND as f32 * std::f32::consts::TAU;
            let (sin, cos) = angle.sin_cos();
            let [x, y, z] = self.position;
            CamRecord {
                time: (key as f32).to_bits(),
                step: key as u32,
                position: [x + self.radius * cos, y + self.radius * sin, z],
                rotation: [(angle / 2.0).cos(), 0.0, 0.0, (angle / 2.0).sin()],
            }
        };
        Cam::draft((0..n_keys).map(record).collect())
    }
}
