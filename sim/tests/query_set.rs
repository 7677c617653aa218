//! The terrain index against the shared query set: 36,448 faces, 53,248 queries, answers by brute force in f64.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*. That is what
//! the plain test harness cannot say at run time, hence the `main` of this target.

#![allow(clippy::print_stdout, reason = "a test harness answers on stdout")]

use glam::Vec3;
use ironlands_assets_loader::parkan::face_mask::{FaceFilter, FaceFlags};
use ironlands_sim::Ray;
use ironlands_sim::terrain::{Overlap, TerrainIndex};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const ALL: FaceFilter = FaceFilter {
    required: 0,
    forbidden: 0,
};
const NO_FACE: u32 = u32::MAX;

/// A trial: its name and what it checks; an error says which query went wrong.
type Trial = (&'static str, fn(&World) -> Result<String, String>);
const TRIALS: [Trial; 4] = [
    ("g128_heights", heights),
    ("g128_rays", rays),
    ("g128_segments", segments),
    ("g128_boxes", boxes),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "--list") {
        TRIALS.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let wanted = arguments.iter().find(|a| !a.starts_with('-'));
    let world = data_folder().map(|folder| World::read(&folder));
    let (mut n_passed, mut n_failed, mut n_ignored) = (0, 0, 0);
    for (name, trial) in TRIALS
        .iter()
        .filter(|(name, _)| wanted.is_none_or(|w| name.contains(w.as_str())))
    {
        let answer = match &world {
            None => {
                n_ignored += 1;
                println!(
                    "test {name} ... ignored, no terrain-queries under IRONLANDS_DATA or ../shared/data"
                );
                continue;
            }
            Some(Ok(world)) => trial(world),
            Some(Err(message)) => Err(message.clone()),
        };
        match answer {
            Ok(note) => {
                n_passed += 1;
                println!("test {name} ... ok ({note})");
            }
            Err(message) => {
                n_failed += 1;
                println!("test {name} ... FAILED: {message}");
            }
        }
    }
    let verdict = if n_failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {verdict}. {n_passed} passed; {n_failed} failed; {n_ignored} ignored\n"
    );
    ExitCode::from(u8::from(n_failed > 0))
}

/// `IRONLANDS_DATA` that names no such folder is a mistake, so it is returned and reading it fails.
fn data_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("IRONLANDS_DATA") {
        return Some(Path::new(&folder).join("terrain-queries"));
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/terrain-queries");
    beside.is_dir().then_some(beside)
}

struct World {
    folder: PathBuf,
    index: TerrainIndex,
}

impl World {
    fn read(folder: &Path) -> Result<Self, String> {
        let mut words = Words::open(&folder.join("g128.mesh"))?;
        let positions: Vec<[f32; 3]> = words.items(Words::f3);
        let triangles: Vec<[u32; 3]> = words.items(|w| [w.u32(), w.u32(), w.u32()]);
        if (positions.len(), triangles.len()) != (19_441, 36_448) {
            return Err(format!(
                "{} vertices, {} triangles",
                positions.len(),
                triangles.len()
            ));
        }
        let flags = vec![FaceFlags::empty(); triangles.len()];
        let index = TerrainIndex::from_triangles(&positions, &triangles, &flags)
            .map_err(|e| e.to_string())?;
        Ok(Self {
            folder: folder.to_owned(),
            index,
        })
    }

    fn words(&self, name: &str) -> Result<Words, String> {
        Words::open(&self.folder.join(name))
    }

    fn rays(&self, name: &str) -> Result<Vec<(Ray, f32)>, String> {
        let ray = |w: &mut Words| {
            let (origin, direction) = (Vec3::from(w.f3()), Vec3::from(w.f3()));
            (Ray { origin, direction }, w.f32())
        };
        let rays = self.words(name)?.items(ray);
        if rays.len() == 16_384 {
            Ok(rays)
        } else {
            Err(format!("{name} holds {} rays", rays.len()))
        }
    }

    /// Face and t of each ray.
    fn answers(&self, name: &str) -> Result<Vec<(u32, f32)>, String> {
        Ok(self.words(name)?.items(|w| (w.u32(), w.f32())))
    }

    /// Can the point be on the face? Where faces share an edge the other one may be named.
    fn is_on_face(&self, point: Vec3, face: u32) -> bool {
        let Some([a, b, c]) = self.index.face_corners(face) else {
            return false;
        };
        let [point, a, b, c] = [point, a, b, c].map(|v| v.as_dvec3());
        let normal = (b - a).cross(c - a);
        let area = normal.length();
        let outside = [(a, b), (b, c), (c, a)]
            .map(|(p, q)| -(q - p).cross(point - p).dot(normal) / (area * (q - p).length()));
        let off_plane = ((point - a).dot(normal) / area).abs();
        outside.into_iter().fold(off_plane, f64::max) < 2e-3
    }
}

/// The tolerance that the layout's document states.
fn is_same_t(a: f32, b: f32) -> bool {
    (a - b).abs() <= 2e-3 + 1e-4 * b
}

fn rays(world: &World) -> Result<String, String> {
    let answers = world.answers("g128.r.a")?;
    let mut n_other_face = 0;
    for (i, ((ray, t_max), (face, t))) in
        world.rays("g128.r.q")?.into_iter().zip(answers).enumerate()
    {
        match world.index.cast_ray(&ray, t_max, ALL) {
            None if face == NO_FACE => {}
            Some(hit) if face != NO_FACE && is_same_t(hit.t, t) => {
                n_other_face += usize::from(hit.face != face);
                if hit.face != face && !world.is_on_face(hit.position, face) {
                    return Err(format!(
                        "ray {i}: face {} and {face} do not meet at {}",
                        hit.face, hit.position
                    ));
                }
            }
            hit => return Err(format!("ray {i}: {hit:?}, expected face {face} at {t}")),
        }
    }
    Ok(format!("{n_other_face} name the other face of an edge"))
}

/// The set's rays go straight down with length 1, so t is the depth below the origin.
fn heights(world: &World) -> Result<String, String> {
    let answers = world.answers("g128.h.a")?;
    let mut n_other_face = 0;
    for (i, ((ray, _), (face, t))) in world.rays("g128.h.q")?.into_iter().zip(answers).enumerate() {
        match world.index.height_at(ray.origin.x, ray.origin.y, ALL) {
            None if face == NO_FACE => {}
            Some(hit) if face != NO_FACE && is_same_t(ray.origin.z - hit.z, t) => {
                n_other_face += usize::from(hit.face != face);
                if hit.face != face && !world.is_on_face(ray.origin.truncate().extend(hit.z), face)
                {
                    return Err(format!(
                        "height {i}: faces {} and {face} do not meet there",
                        hit.face
                    ));
                }
            }
            hit => {
                return Err(format!(
                    "height {i}: {hit:?}, expected face {face} at depth {t}"
                ));
            }
        }
    }
    Ok(format!("{n_other_face} name the other face of an edge"))
}

fn segments(world: &World) -> Result<String, String> {
    let answers = world.words("g128.l.a")?.items(Words::u32);
    let mut n_blocked = 0;
    for (i, ((ray, t_max), blocked)) in world.rays("g128.l.q")?.into_iter().zip(answers).enumerate()
    {
        let hit = world.index.cast_ray(&ray, t_max, ALL);
        n_blocked += usize::from(hit.is_some());
        let by_segment = world.index.segment_hit(ray.origin, ray.at(t_max), ALL);
        if hit.is_some() != (blocked == 1) || by_segment != (blocked == 1) {
            return Err(format!(
                "segment {i}: {hit:?}, any hit {by_segment}, expected {blocked}"
            ));
        }
    }
    Ok(format!("{n_blocked} blocked"))
}

fn boxes(world: &World) -> Result<String, String> {
    let boxes = world
        .words("g128.b.q")?
        .items(|w| [Vec3::from(w.f3()), Vec3::from(w.f3())]);
    let answers = world
        .words("g128.b.a")?
        .items(|w| [[w.u32(), w.u32()], [w.u32(), w.u32()]]);
    if boxes.len() != 4_096 || answers.len() != 4_096 {
        return Err(format!("{} boxes, {} answers", boxes.len(), answers.len()));
    }
    let mut faces = Vec::new();
    for (i, ([min, max], expected)) in boxes.into_iter().zip(answers).enumerate() {
        for (overlap, expected) in [Overlap::Bounds, Overlap::Exact].into_iter().zip(expected) {
            world
                .index
                .faces_in_aabb(min, max, ALL, overlap, &mut faces);
            let sum = faces
                .iter()
                .fold(0_u32, |sum, &face| sum.wrapping_add(face));
            if [faces.len() as u32, sum] != expected {
                return Err(format!(
                    "box {i}, {overlap:?}: {} faces, sum {sum}, expected {expected:?}",
                    faces.len()
                ));
            }
        }
    }
    Ok("numbers and sums of faces agree".to_owned())
}

/// A file of little-endian words, read in order. The layout is trusted: a short file panics with its name.
struct Words {
    name: String,
    words: std::vec::IntoIter<u32>,
}

impl Words {
    fn open(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| format!("{name}: {e}"))?;
        let words = bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Ok(Self {
            name,
            words: words.collect::<Vec<_>>().into_iter(),
        })
    }

    /// A count, and as many items.
    fn items<T>(&mut self, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.u32()).map(|_| item(self)).collect()
    }

    fn u32(&mut self) -> u32 {
        self.words
            .next()
            .unwrap_or_else(|| panic!("{} is short", self.name))
    }

    fn f32(&mut self) -> f32 {
        f32::from_bits(self.u32())
    }

    fn f3(&mut self) -> [f32; 3] {
        [self.f32(), self.f32(), self.f32()]
    }
}
