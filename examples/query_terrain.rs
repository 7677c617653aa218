//! Asks a Parkan level for heights, a ray, and the areals of a route. Needs no graphics.
//!
//! ```sh
//! cargo run --example query_terrain -- DATA/MAPS/Map01
//! ```
//!
//! You should see a row of heights along the level's diagonal with the areal of each, where a ray from above
//! meets the ground and in which material, and how many areals a route from corner to corner passes.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::path::Path;

use glam::{Vec2, Vec3};
use ironlands::assets_loader::level::{self, LevelFiles, OpenOptions};
use ironlands::assets_loader::parkan::face_mask::{FaceFilter, FaceFlags};
use ironlands::sim::Ray;
use ironlands::sim::world::{ParkanWorld, World};

/// Sees all faces but water, as one who walks on the bed of the sea.
const GROUND: FaceFilter = FaceFilter {
    required: 0,
    forbidden: FaceFlags::WATER.bits(),
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: query_terrain LEVEL")?;
    let level = level::open(Path::new(&path), &OpenOptions::default())?;
    let LevelFiles::Parkan(files) = &level.files else {
        return Err("not a Parkan level".into());
    };
    let world = ParkanWorld::new(
        &files.land_msh,
        files.land_map.as_ref(),
        files.overlay_wear.as_ref(),
        files.base_wear.as_ref(),
    )?;
    let areals = world.areals().ok_or("the level has no areals")?;
    let (min, max) = world.bounds();

    println!("       x        y   height  areal");
    let diagonal: Vec<Vec2> = (1..8)
        .map(|step| min.truncate().lerp(max.truncate(), step as f32 / 8.0))
        .collect();
    // A batch runs on all cores and answers what single questions would.
    let mut heights = vec![None; diagonal.len()];
    world.terrain().heights_at(&diagonal, GROUND, &mut heights);
    for (point, height) in diagonal.iter().zip(&heights) {
        let height = height.map_or("-".to_owned(), |hit| format!("{:.2}", hit.z));
        let areal = areals.areal_at(*point);
        let areal = areal.map_or("-".to_owned(), |areal| areal.to_string());
        println!("{:8.2} {:8.2} {height:>8} {areal:>6}", point.x, point.y);
    }

    let middle = (min + max) * 0.5;
    let ray = Ray {
        origin: middle.with_z(max.z + 100.0),
        direction: Vec3::NEG_Z,
    };
    match world.cast_ray(&ray, f32::INFINITY, &[]) {
        Some(hit) => {
            println!(
                "\na ray down onto the middle meets, after {:.2} units:",
                hit.t
            );
            for fact in world.describe(&hit) {
                println!("  {:16} {}", fact.label, fact.value);
            }
        }
        None => println!("\na ray down onto the middle meets nothing"),
    }

    // Not every corner of a level can be walked, so the ends are the first and last walkable points.
    let walkable = |point: &&Vec2| areals.areal_at(**point).is_some();
    let start = diagonal.iter().find(walkable);
    let goal = diagonal.iter().rfind(walkable);
    if let (Some(start), Some(goal)) = (start, goal) {
        match areals.route(*start, *goal) {
            Some(route) => println!(
                "\nthe route from {start} to {goal} passes {} areals and is {:.0} units long",
                route.areals.len(),
                route.length
            ),
            None => println!("\nno route leads from {start} to {goal}"),
        }
    }
    Ok(())
}
