//! Queries a Parkan level: heights, a ray, the nearest face, a moving ball, and areals. Needs no graphics.
//!
//! ```sh
//! cargo run --example query_terrain -- DATA/MAPS/Map01
//! ```
//!
//! You should see a row of heights along the level's diagonal with the areal of each, where a ray from above
//! hits the ground and in which material, which face is nearest to a point above it, where a ball that is thrown
//! down touches the ground and how far it slides along it, where a straight walk from corner to
//! corner over the areals ends, and how a route leads around, once over all areals and once without one class.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::path::Path;

use glam::{Vec2, Vec3};
use ironlands::sim::Ray;
use ironlands::sim::areal::{
    ArealFilter, ArealIndex, ArealRoute, ClassFilter, RouteOptions, RouteSearch, StraightWalkEnd,
};
use ironlands::sim::triangles::TriangleIndex;
use ironlands::sim::world::Poses;
use ironlands::sim::world::World;
use ironlands::worlds::parkan::terrain::GROUND;
use ironlands::worlds::parkan::{ParkanOptions, ParkanWorld, open_level};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: query_terrain LEVEL")?;
    let level = open_level(Path::new(&path), &ParkanOptions::default())?;
    let files = &level.files;
    let world = ParkanWorld::new(
        &files.land_msh,
        files.land_map.as_ref(),
        files.material_wear.as_ref(),
        files.microtexture_wear.as_ref(),
    )?;
    let areals = world.areals().ok_or("the level has no areals")?;
    let (min, max) = world.bounds();
    let diagonal: Vec<Vec2> = (1..8)
        .map(|step| min.truncate().lerp(max.truncate(), step as f32 / 8.0))
        .collect();
    heights(world.terrain(), areals, &diagonal);
    let above = ((min + max) * 0.5).with_z(max.z + 100.0);
    ray_down(&world, above);
    ball_thrown(world.terrain(), above);

    // Not every corner of a level can be walked, so the ends are the first and last walkable points.
    let walkable = |point: &&Vec2| areals.areal_at(**point).is_some();
    let ends = (
        diagonal.iter().find(walkable),
        diagonal.iter().rfind(walkable),
    );
    if let (Some(&start), Some(&goal)) = ends {
        walk(areals, start, goal);
        routes(areals, start, goal);
    }
    Ok(())
}

/// A batch runs on all cores and returns what single queries would.
fn heights(terrain: &TriangleIndex, areals: &ArealIndex, points: &[Vec2]) {
    println!("       x        y   height  areal");
    let mut heights = vec![None; points.len()];
    terrain.height_at_batch(points, GROUND, &mut heights);
    for (point, height) in points.iter().zip(&heights) {
        let height = height.map_or("-".to_owned(), |hit| format!("{:.2}", hit.z));
        let areal = areals.areal_at(*point);
        let areal = areal.map_or("-".to_owned(), |areal| areal.to_string());
        println!("{:8.2} {:8.2} {height:>8} {areal:>6}", point.x, point.y);
    }
}

fn ray_down(world: &ParkanWorld, origin: Vec3) {
    let direction = Vec3::NEG_Z;
    let ray = Ray { origin, direction };
    let Some(hit) = world.cast_ray(&ray, f32::INFINITY, &Poses::default()) else {
        println!("\na ray down onto the middle meets nothing");
        return;
    };
    println!(
        "\na ray down onto the middle meets, after {:.2} units:",
        hit.t
    );
    for fact in world.describe(&hit) {
        println!("  {:16} {}", fact.label, fact.value);
    }
}

/// What is nearest to a point, what a ball from there touches first, and where it comes if it may go on along that.
fn ball_thrown(terrain: &TriangleIndex, from: Vec3) {
    let (radius, motion) = (2.0, Vec3::new(40.0, 0.0, -300.0));
    if let Some(nearest) = terrain.closest_point(from, f32::INFINITY, GROUND) {
        println!(
            "\nthe face nearest to {from:.2} is {}, {:.2} units away at {:.2}",
            nearest.face, nearest.distance, nearest.position
        );
    }
    if let Some(hit) = terrain.cast_sphere(from, radius, motion, GROUND) {
        println!(
            "a ball thrown by {motion} touches face {} at {:.2}",
            hit.face, hit.contact
        );
    }
    let slide = terrain.slide_sphere(from, radius, motion, GROUND);
    println!("sliding along the ground, it reaches {:.2}", slide.position);
}

/// Straight on over the areals, as far as their links lead.
fn walk(areals: &ArealIndex, from: Vec2, to: Vec2) {
    let mut n_crossings = 0;
    let end = areals.straight_walk(from, to, &ArealFilter::ALL, |_| n_crossings += 1);
    print!("\na straight walk from {from:.2} to {to:.2} crosses {n_crossings} borders and ");
    match end {
        StraightWalkEnd::Reached { areal } => println!("arrives in areal {areal}"),
        StraightWalkEnd::Blocked { areal, point, .. } => {
            println!("is stopped at {point:.1}, where areal {areal} ends")
        }
        StraightWalkEnd::Outside | StraightWalkEnd::TooLong => println!("is given up"),
    }
}

/// Over all areals, and again without those of the class that the first route passes least, but for its ends.
fn routes(areals: &ArealIndex, from: Vec2, to: Vec2) {
    // Keep both for further queries, and nothing is allocated any more.
    let (mut search, mut route) = (RouteSearch::default(), ArealRoute::default());
    areals.find_route(from, to, &RouteOptions::default(), &mut search, &mut route);
    print_route("over all areals", &route);

    let class_of = |&areal: &u32| areals.class_id(areal);
    let passed: Vec<u32> = route.areals.iter().filter_map(class_of).collect();
    let [Some(first), Some(last)] = [passed.first(), passed.last()] else {
        return;
    };
    let between = passed.iter().filter(|class| ![first, last].contains(class));
    let n_passed = |class: &u32| passed.iter().filter(|it| *it == class).count();
    let Some(&avoided) = between.min_by_key(|class| n_passed(class)) else {
        return;
    };
    let filter = ArealFilter {
        classes: ClassFilter::Not(&[avoided]),
        ..ArealFilter::ALL
    };
    let options = RouteOptions {
        filter,
        ..RouteOptions::default()
    };
    areals.find_route(from, to, &options, &mut search, &mut route);
    print_route(&format!("without class {avoided}"), &route);
}

fn print_route(which: &str, route: &ArealRoute) {
    if !route.is_some() {
        println!("{which}, no route leads there");
        return;
    }
    let ArealRoute {
        areals,
        path,
        length,
        ..
    } = route;
    println!(
        "{which}, the route passes {} areals, turns at {} corners and is {length:.0} units long",
        areals.len(),
        path.len().saturating_sub(2)
    );
}
