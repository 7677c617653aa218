//! Our index against the shared query set: 36,448 faces, 53,248 questions and more, answers by brute force in f64.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*. That is what
//! the plain test harness cannot say at run time, hence another one.

use glam::{DVec3, Vec3};
use ironlands_query_bench::files::QuerySet;
use ironlands_query_bench::plain::{distance, is_same};
use ironlands_query_bench::{Form, Found, Ours, Peer, RayQuestion};
use ironlands_real_data as real_data;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::Overlap;
use libtest_mimic::Failed;
use std::process::ExitCode;
use std::sync::LazyLock;

const FORMS: [Form; 2] = [Form::Single, Form::Batch];

/// Where the worlds and their queries lie below the folder of real data.
const FOLDER: &str = "terrain-queries";

/// What a trial checks; the error says which question went wrong.
type Check = fn(&World) -> Result<(), Failed>;

fn main() -> ExitCode {
    let trials: [(&str, Check); 5] = [
        ("g128_heights", heights),
        ("g128_rays", rays),
        ("g128_segments", segments),
        ("g128_boxes", boxes),
        ("g128_nearest", nearest),
    ];
    let trials = trials.into_iter().map(|(name, trial)| {
        real_data::trial(name, FOLDER, move |_| {
            trial(WORLD.as_ref().map_err(Clone::clone)?)
        })
    });
    real_data::run(trials)
}

struct World {
    set: QuerySet,
    ours: Ours,
}

static WORLD: LazyLock<Result<World, String>> = LazyLock::new(|| {
    let folder = real_data::find(FOLDER).ok_or("no data")?;
    let set = QuerySet::read(&folder.join("g128")).map_err(|e| e.to_string())?;
    let mesh = (set.mesh.positions.len(), set.mesh.triangles.len());
    let questions = &set.questions;
    let rays = (
        questions.heights.len(),
        questions.rays.len(),
        questions.segments.len(),
    );
    let others = (questions.boxes.len(), questions.points.len());
    let promised = ((19_441, 36_448), (16_384, 16_384, 16_384), (4_096, 4_096));
    if (mesh, rays, others) != promised {
        return Err(format!(
            "{:?}, promised are {promised:?}",
            (mesh, rays, others)
        ));
    }
    let ours = Ours::new(&set.mesh).map_err(|e| e.to_string())?;
    Ok(World { set, ours })
});

/// What somebody must bring whom we ask; where answers are missing the trial fails.
fn known<T>(what: Option<T>) -> Result<T, Failed> {
    what.ok_or_else(|| "not answered".into())
}

fn heights(world: &World) -> Result<(), Failed> {
    let (asked, right) = (&world.set.questions.heights, &world.set.answers.heights);
    for form in FORMS {
        let answers = known(world.ours.heights(asked, form))?.answers();
        compare(world, &answers, known(right.as_ref())?, |i, depth| {
            asked[i] - depth * Vec3::Z
        })?;
    }
    Ok(())
}

fn rays(world: &World) -> Result<(), Failed> {
    let (asked, right) = (&world.set.questions.rays, &world.set.answers.rays);
    for form in FORMS {
        let answers = known(world.ours.rays(asked, form))?.answers();
        compare(world, &answers, known(right.as_ref())?, |i, t| {
            asked[i].ray.at(t)
        })?;
    }
    Ok(())
}

/// Both tell the same distance, and where another triangle is named, the point at that distance is on both: they
/// share the edge that is hit.
fn compare(
    world: &World,
    answers: &[Option<Found>],
    right: &[Option<Found>],
    point_at: impl Fn(usize, f32) -> Vec3,
) -> Result<(), Failed> {
    for (i, (answer, right)) in answers.iter().zip(right).enumerate() {
        let is_right = match (answer, right) {
            (Some(answer), Some(right)) if is_same(answer.at, right.at) => {
                let point = point_at(i, right.at).as_dvec3();
                answer.triangle == right.triangle || is_on(world, point, answer.triangle)
            }
            (answer, right) => answer.is_none() && right.is_none(),
        };
        if !is_right {
            return Err(format!("question {i}: {answer:?}, expected {right:?}").into());
        }
    }
    Ok(())
}

fn is_on(world: &World, point: DVec3, triangle: u32) -> bool {
    distance(point, world.set.mesh.exact_corners(triangle)) < 2e-3
}

/// As a segment from end to end, and as a ray of that length.
fn segments(world: &World) -> Result<(), Failed> {
    let (asked, right) = (&world.set.questions.segments, &world.set.answers.segments);
    let right = known(right.as_ref())?;
    for form in FORMS {
        let answers = known(world.ours.segments(asked, form))?.answers();
        if let Some(i) = (0..right.len()).find(|&i| answers[i] != right[i]) {
            return Err(format!("segment {i}: expected {}", right[i]).into());
        }
    }
    let by_ray = |asked: &RayQuestion| {
        let hit = world
            .ours
            .index
            .cast_ray(&asked.ray, asked.t_max, MaskFilter::ALL);
        hit.is_some()
    };
    match (0..right.len()).find(|&i| by_ray(&asked[i]) != right[i]) {
        Some(i) => Err(format!("ray {i}: expected {}", right[i]).into()),
        None => Ok(()),
    }
}

fn boxes(world: &World) -> Result<(), Failed> {
    let (asked, right) = (&world.set.questions.boxes, &world.set.answers.boxes);
    let right = known(right.as_ref())?;
    for form in FORMS {
        for (k, overlap) in [Overlap::Bounds, Overlap::Exact].into_iter().enumerate() {
            let answers = known(world.ours.boxes(asked, overlap, form))?.answers();
            for (i, (list, right)) in answers.iter().zip(right).enumerate() {
                let sum = list.iter().fold(0_u32, |sum, &t| sum.wrapping_add(t));
                if [list.len() as u32, sum] != right[k] {
                    let found = format!("{} triangles, sum {sum}", list.len());
                    let expected = right[k];
                    return Err(
                        format!("box {i}, {overlap:?}: {found}, expected {expected:?}").into(),
                    );
                }
            }
        }
    }
    Ok(())
}

/// Many points are as near to several triangles, which share an edge or a corner: the one that is named must be
/// as near as the right answer says.
fn nearest(world: &World) -> Result<(), Failed> {
    let (asked, right) = (&world.set.questions.points, &world.set.answers.points);
    let right = known(right.as_ref())?;
    for form in FORMS {
        let answers = known(world.ours.nearest(asked, form))?.answers();
        for (i, (answer, right)) in answers.iter().zip(right).enumerate() {
            let is_right = match (answer, right) {
                (Some(answer), Some(right)) => {
                    let corners = world.set.mesh.exact_corners(answer.triangle);
                    let far = distance(asked[i].as_dvec3(), corners) as f32;
                    is_same(answer.at, right.at) && is_same(far, right.at)
                }
                (answer, right) => answer.is_none() && right.is_none(),
            };
            if !is_right {
                return Err(format!("point {i}: {answer:?}, expected {right:?}").into());
            }
        }
    }
    Ok(())
}
