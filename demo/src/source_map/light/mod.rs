//! Light of a level: on faces, and in the leaves for objects.
//!
//! Each sample of a face looks into fixed directions once. What it sees is the sky's share, and carries light from
//! sample to sample as often as the plan says.

mod casters;
mod gather;
mod luxels;

use ironlands_assets_source::bsp::Rgbe;
use rayon::prelude::*;

use self::casters::Casters;
use self::gather::{Gatherer, StyleLight};
use self::luxels::{FaceLuxels, Luxel};
use super::level::Level;
use super::lumps::{rgbe, styles};
use super::texinfos::LuxelGrid;
use super::{MapPlan, brushes};
use crate::vector::{Vec3, add, scale};

/// What a mantissa of 1 stands for in samples of faces (section 4.1).
const FACE_UNIT: f64 = 1.0 / 255.0;
/// What a mantissa of 1 stands for in cubes of leaves (section 6.3).
const CUBE_UNIT: f64 = 1.0;
/// A face that gets less of a style everywhere does without it.
const VISIBLE: f64 = 1.0 / 255.0;
/// Styles of a face in the format.
const MAX_STYLES: usize = 4;

/// Light of a face.
#[derive(Debug, Clone)]
pub struct FaceLight {
    /// Styles that reach it, then 255.
    pub styles: [u8; 8],
    /// Byte offset of its samples; -1 = none.
    pub offset: i32,
    /// Its samples.
    pub grid: LuxelGrid,
}

/// Light of a level.
#[derive(Debug, Clone, Default)]
pub struct Lighting {
    /// One a face.
    pub faces: Vec<FaceLight>,
    /// Lump 8.
    pub samples: Vec<u8>,
    /// One cube a leaf of the world.
    pub ambient: Vec<[Rgbe; 6]>,
}

/// Lights a level.
pub fn lighting(plan: &MapPlan, level: &Level) -> Lighting {
    let casters = Casters::new(plan, level);
    let faces = luxels::luxels(plan, level, &casters);
    let gatherer = Gatherer::new(plan, level, &casters, &faces);
    let mut light = gatherer.all_light();
    for style in &mut light {
        fill_gaps(&faces, &mut style.light);
    }
    let mut lighting = Lighting::default();
    let mut first = 0;
    for face in &faces {
        let range = first..first + face.luxels.len();
        first = range.end;
        let stored = store(face, &light, range, &mut lighting.samples);
        lighting.faces.push(stored);
    }
    lighting.ambient = ambient(level, &gatherer, &light);
    lighting
}

/// Writes averages and samples of the styles that a face gets light of.
fn store(
    face: &FaceLuxels,
    light: &[StyleLight],
    range: std::ops::Range<usize>,
    samples: &mut Vec<u8>,
) -> FaceLight {
    let grid = face.grid;
    let is_used = |style: &&StyleLight| {
        let is_seen = |light: &Vec3| light.iter().any(|c| *c > VISIBLE);
        style.style == 0 || style.light[range.clone()].iter().any(is_seen)
    };
    let used: Vec<&StyleLight> = light.iter().filter(is_used).take(MAX_STYLES).collect();
    if range.is_empty() {
        return FaceLight {
            styles: styles(&[]),
            offset: -1,
            grid,
        };
    }
    // Averages stand before the samples, the last style first.
    let flat = range.start..range.start + face.n_per_plane();
    for style in used.iter().rev() {
        let sum = style.light[flat.clone()]
            .iter()
            .fold([0.0; 3], |sum, light| add(sum, *light));
        push(
            samples,
            rgbe(scale(sum, 1.0 / flat.len() as f64), FACE_UNIT),
        );
    }
    let offset = samples.len() as i32;
    for style in &used {
        for light in &style.light[range.clone()] {
            push(samples, rgbe(*light, FACE_UNIT));
        }
    }
    let numbers: Vec<u8> = used.iter().map(|style| style.style).collect();
    FaceLight {
        styles: styles(&numbers),
        offset,
        grid,
    }
}

fn push(samples: &mut Vec<u8>, light: Rgbe) {
    let Rgbe {
        mantissas,
        exponent,
    } = light;
    samples.extend(mantissas);
    samples.extend(exponent.to_le_bytes());
}

/// Gives samples inside of something solid the mean of their neighbors, ring after ring, so that no dark shows where
/// samples are mixed.
fn fill_gaps(faces: &[FaceLuxels], light: &mut [Vec3]) {
    let mut first = 0;
    for face in faces {
        let n = face.n_per_plane();
        for luxels in face.luxels.chunks(n.max(1)) {
            fill_gaps_of_plane(face.grid, luxels, &mut light[first..first + n]);
            first += n;
        }
    }
}

fn fill_gaps_of_plane(grid: LuxelGrid, luxels: &[Luxel], light: &mut [Vec3]) {
    let (width, height) = (grid.size[0] + 1, grid.size[1] + 1);
    let n = luxels.len();
    let mut is_known: Vec<bool> = luxels.iter().map(|l| !l.places.is_empty()).collect();
    while is_known.contains(&true) && is_known.contains(&false) {
        let before = is_known.clone();
        for at in (0..n).filter(|at| !before[*at]) {
            let (s, t) = (at as i32 % width, at as i32 / width);
            let around = [-1, 0, 1]
                .into_iter()
                .flat_map(|dt| [-1, 0, 1].map(|ds| (s + ds, t + dt)));
            let (mut sum, mut count) = ([0.0; 3], 0.0);
            for (s, t) in around {
                let is_there = (0..width).contains(&s) && (0..height).contains(&t);
                let neighbor = (t * width + s) as usize;
                if is_there && before[neighbor] {
                    (sum, count) = (add(sum, light[neighbor]), count + 1.0);
                }
            }
            if count > 0.0 {
                light[at] = scale(sum, 1.0 / count);
                is_known[at] = true;
            }
        }
    }
}

/// Places in a leaf, as shares of its box, at which light is computed.
const PLACES: [[f64; 3]; 5] = [
    [0.5, 0.5, 0.4],
    [0.25, 0.3, 0.3],
    [0.75, 0.7, 0.3],
    [0.3, 0.75, 0.2],
    [0.7, 0.25, 0.5],
];

fn ambient(level: &Level, gatherer: &Gatherer<'_>, light: &[StyleLight]) -> Vec<[Rgbe; 6]> {
    let cube = |(at, leaf): (usize, &super::tree::Leaf)| {
        if level.clusters[at].is_none() || leaf.contents & brushes::flags::SOLID != 0 {
            return [Rgbe::default(); 6];
        }
        let [low, high] = leaf.cell.bounds();
        let places = PLACES
            .iter()
            .map(|share| [0, 1, 2].map(|k| low[k] + (high[k] - low[k]) * share[k]))
            .filter(|place| level.tree().leaf_at(*place, &level.planes) == at)
            .filter(|place| !gatherer.is_inside(*place));
        let mut places: Vec<Vec3> = places.collect();
        if places.is_empty() {
            places.push(leaf.cell.middle());
        }
        let cube = gatherer.ambient_cube(&places, light);
        cube.map(|light| rgbe(light, CUBE_UNIT))
    };
    level
        .tree()
        .leaves
        .par_iter()
        .enumerate()
        .map(cube)
        .collect()
}
