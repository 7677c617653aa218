//! Makes all tiles of Lineage II geodata, at all levels of detail and in both shapes, and casts rays over all of it.
//! Needs no graphics.
//!
//! ```sh
//! cargo run --release --example tile_geodata -- geodata/22_22.l2j
//! ```
//!
//! You should see, for each shape and level, how many tiles there are, how many facets they have on the mean and at
//! most, and how long the mean and the slowest of them took; then how long rays took that are cast from above one corner
//! of the land to the ground below the other, and straight down.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use glam::Vec3;
use ironlands::scene::{TileKey, TileShape, TileTree};
use ironlands::sim::Ray;
use ironlands::sim::world::Poses;
use ironlands::sim::world::World;
use ironlands::worlds::lineage2::formats::{GeodataFormat, Tolerance};
use ironlands::worlds::lineage2::{
    GeodataWorld, Lineage2Options, load_regions, open_level, profile_of_formats,
};

/// Tiles of a level that are made at most; of more, each so-manieth.
const MAX_TILES: usize = 2000;
const N_RAYS: u32 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: tile_geodata PATH [FORMAT]")?;
    let options = Lineage2Options {
        from: args.next().and_then(|word| GeodataFormat::from_word(&word)),
        ..Lineage2Options::default()
    };
    let level = open_level(Path::new(&path), &options)?;
    let files = &level.files;
    let tree = level.scene.tiles.as_ref().ok_or("no land")?;
    let never = AtomicBool::new(false);
    let start = Instant::now();
    let geodata = load_regions(&files.files, Tolerance::STRICT, &|_| (), &never)?;
    let loaded = start.elapsed();
    let profile = profile_of_formats(files.files.iter().map(|file| file.name.format));
    let world = GeodataWorld::new(geodata, profile);
    println!(
        "{} regions: loaded in {loaded:.1?}, summed up in {:.1?}",
        files.files.len(),
        start.elapsed() - loaded
    );
    for shape in [TileShape::Slopes, TileShape::Plateaus] {
        println!("{shape:?}");
        for (level, keys) in keys_by_level(tree) {
            report_tiles(&world, level, &keys, shape);
        }
    }
    report_rays(&world);
    Ok(())
}

/// All tiles with land.
fn keys_by_level(tree: &TileTree) -> BTreeMap<u8, Vec<TileKey>> {
    let mut levels = BTreeMap::<u8, Vec<TileKey>>::new();
    let mut below: Vec<TileKey> = tree.land.clone();
    for key in tree.around_land() {
        levels.entry(key.level).or_default().push(key);
    }
    while !below.is_empty() {
        below = below
            .iter()
            .filter_map(|key| key.children())
            .flatten()
            .collect();
        for key in &below {
            levels.entry(key.level).or_default().push(*key);
        }
    }
    levels
}

fn report_tiles(world: &GeodataWorld, level: u8, keys: &[TileKey], shape: TileShape) {
    let (mut n_made, mut n_facets, mut most) = (0, 0, 0);
    let mut slowest = Duration::ZERO;
    let start = Instant::now();
    for key in keys.iter().step_by(keys.len().div_ceil(MAX_TILES).max(1)) {
        let started = Instant::now();
        let n = world
            .tile(*key, shape.into())
            .map_or(0, |tile| tile.facets.len());
        slowest = slowest.max(started.elapsed());
        n_made += 1;
        n_facets += n;
        most = most.max(n);
    }
    let mean_time = start.elapsed() / n_made;
    let mean = n_facets / n_made as usize;
    println!(
        "  level {level}: {n_made} of {} tiles, {mean} facets on the mean, {most} at most, {mean_time:.1?} on the mean, {slowest:.1?} at most",
        keys.len()
    );
}

/// Both ends of a ray, by a share of the land.
type Ends<'a> = dyn Fn(f32) -> [Vec3; 2] + 'a;

fn report_rays(world: &GeodataWorld) {
    let (min, max) = world.bounds();
    let cast = |origin: Vec3, target: Vec3, shape: TileShape| {
        let ray = Ray {
            origin,
            direction: target - origin,
        };
        world.pick(&ray, 1.0, &Poses::default(), shape).is_some()
    };
    let at = |share: f32| (min + (max - min) * share).with_z(max.z + 1.0);
    let ends: [(&str, &Ends<'_>); 2] = [
        ("from above one corner", &|share| {
            [at(0.0), at(share).with_z(min.z)]
        }),
        ("straight down", &|share| {
            [at(share), at(share).with_z(min.z - 1.0)]
        }),
    ];
    let shapes = [TileShape::Slopes, TileShape::Plateaus];
    for (shape, (name, ends)) in shapes.iter().flat_map(|shape| ends.map(|it| (shape, it))) {
        let cast = |share: f32| {
            let [origin, target] = ends(share);
            cast(origin, target, *shape)
        };
        let start = Instant::now();
        let shares = (0..N_RAYS).map(|ray| (ray as f32 + 0.5) / N_RAYS as f32);
        let n_hits = shares.filter(|&share| cast(share)).count();
        let mean = start.elapsed() / N_RAYS;
        println!("{shape:?}: rays {name}: {n_hits} of {N_RAYS} meet land, {mean:.1?} each");
    }
}
