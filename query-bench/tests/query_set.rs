//! Our index against the shared query set: 36,448 faces, 53,248 queries and more, results by brute force in f64.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*. That is what
//! the plain test harness cannot say at run time, hence another one.

use glam::{DVec3, Vec3};
use ironlands_query_bench::files::QuerySet;
use ironlands_query_bench::plain::{distance, is_same};
use ironlands_query_bench::{Form, Found, Ours, Peer, RayQuery};
use ironlands_real_data as real_data;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::Overlap;
use libtest_mimic::Failed;
use std::process::ExitCode;
use std::sync::LazyLock;

const FORMS: [Form; 2] = [Form::Single, Form::Batch];

/// Where the worlds and their queries lie below the folder of real data.
const FOLDER: &str = "terrain-queries";

/// What a trial checks; the error says which query went wrong.
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
    let queries = &set.queries;
    let rays = (
        queries.heights.len(),
        queries.rays.len(),
        queries.segments.len(),
    );
    let others = (queries.boxes.len(), queries.points.len());
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

/// The results of a library; where some are missing the trial fails.
fn known<T>(what: Option<T>) -> Result<T, Failed> {
    what.ok_or_else(|| "no such query".into())
}

fn heights(world: &World) -> Result<(), Failed> {
    let (query, right) = (&world.set.queries.heights, &world.set.results.heights);
    for form in FORMS {
        let results = known(world.ours.heights(query, form))?.results();
        compare(world, &results, known(right.as_ref())?, |i, depth| {
            query[i] - depth * Vec3::Z
        })?;
    }
    Ok(())
}

fn rays(world: &World) -> Result<(), Failed> {
    let (query, right) = (&world.set.queries.rays, &world.set.results.rays);
    for form in FORMS {
        let results = known(world.ours.rays(query, form))?.results();
        compare(world, &results, known(right.as_ref())?, |i, t| {
            query[i].ray.at(t)
        })?;
    }
    Ok(())
}

/// Both give the same distance, and where another triangle is named, the point at that distance is on both: they
/// share the edge that is hit.
fn compare(
    world: &World,
    results: &[Option<Found>],
    right: &[Option<Found>],
    point_at: impl Fn(usize, f32) -> Vec3,
) -> Result<(), Failed> {
    for (i, (result, right)) in results.iter().zip(right).enumerate() {
        let is_right = match (result, right) {
            (Some(result), Some(right)) if is_same(result.at, right.at) => {
                let point = point_at(i, right.at).as_dvec3();
                result.triangle == right.triangle || is_on(world, point, result.triangle)
            }
            (result, right) => result.is_none() && right.is_none(),
        };
        if !is_right {
            return Err(format!("query {i}: {result:?}, expected {right:?}").into());
        }
    }
    Ok(())
}

fn is_on(world: &World, point: DVec3, triangle: u32) -> bool {
    distance(point, world.set.mesh.exact_corners(triangle)) < 2e-3
}

/// As a segment from end to end, and as a ray of that length.
fn segments(world: &World) -> Result<(), Failed> {
    let (query, right) = (&world.set.queries.segments, &world.set.results.segments);
    let right = known(right.as_ref())?;
    for form in FORMS {
        let results = known(world.ours.segments(query, form))?.results();
        if let Some(i) = (0..right.len()).find(|&i| results[i] != right[i]) {
            return Err(format!("segment {i}: expected {}", right[i]).into());
        }
    }
    let by_ray = |query: &RayQuery| {
        let hit = world
            .ours
            .index
            .cast_ray(&query.ray, query.t_max, MaskFilter::ALL);
        hit.is_some()
    };
    match (0..right.len()).find(|&i| by_ray(&query[i]) != right[i]) {
        Some(i) => Err(format!("ray {i}: expected {}", right[i]).into()),
        None => Ok(()),
    }
}

fn boxes(world: &World) -> Result<(), Failed> {
    let (query, right) = (&world.set.queries.boxes, &world.set.results.boxes);
    let right = known(right.as_ref())?;
    for form in FORMS {
        for (k, overlap) in [Overlap::Bounds, Overlap::Exact].into_iter().enumerate() {
            let results = known(world.ours.boxes(query, overlap, form))?.results();
            for (i, (list, right)) in results.iter().zip(right).enumerate() {
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
/// as near as the expected result says.
fn nearest(world: &World) -> Result<(), Failed> {
    let (query, right) = (&world.set.queries.points, &world.set.results.points);
    let right = known(right.as_ref())?;
    for form in FORMS {
        let results = known(world.ours.nearest(query, form))?.results();
        for (i, (result, right)) in results.iter().zip(right).enumerate() {
            let is_right = match (result, right) {
                (Some(result), Some(right)) => {
                    let corners = world.set.mesh.exact_corners(result.triangle);
                    let far = distance(query[i].as_dvec3(), corners) as f32;
                    is_same(result.at, right.at) && is_same(far, right.at)
                }
                (result, right) => result.is_none() && right.is_none(),
            };
            if !is_right {
                return Err(format!("point {i}: {result:?}, expected {right:?}").into());
            }
        }
    }
    Ok(())
}
