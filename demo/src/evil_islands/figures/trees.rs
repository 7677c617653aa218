//! Trees: a trunk that may be thick, a crown that may be wide, and both may be high; the crown sways.

use super::{Build, CUT_OUT, FigurePlan, MotionPlan, OPAQUE, PartMotion, PartPlan, root};
use crate::models::plants::{boughs, leaf_clouds};
use crate::models::shape::Shape;
use crate::models::turn::{Angle, Turn};
use crate::vector::Vec3;

/// Frames in which a crown sways once.
pub const SWAY_FRAMES: usize = 60;
/// Points of a crown that sway, one for each layer of height, up to eight around.
const LAYERS: usize = 4;
const AROUND: usize = 4;

/// How much smaller the crowns are than those of the plants they are taken from.
const FIR: f64 = 0.62;
const OAK: f64 = 0.72;

/// Growth of a crown: wide by dexterity, high by height.
fn grown(build: Build, scale: f64) -> Vec3 {
    let wide = scale * build.by_dexterity(0.72, 1.28) * build.by_height(0.8, 1.15);
    [wide, wide, scale * build.by_height(0.68, 1.3)]
}

/// A trunk around the z axis: radius and height of its rings, stretched as the tree has grown.
fn trunk(build: Build, profile: &[[f64; 2]], scale: f64) -> Shape {
    let thick = scale * build.by_strength(0.7, 1.55);
    let high = scale * build.by_height(0.68, 1.3);
    Shape::lathe(profile, 8, 2.0, 0.3).stretched([thick, thick, high])
}

fn fir_trunk(build: Build) -> Shape {
    trunk(
        build,
        &[
            [0.46, -1.2],
            [0.42, 0.1],
            [0.30, 0.8],
            [0.24, 3.0],
            [0.05, 12.2],
        ],
        FIR,
    )
}

fn fir_crown(build: Build) -> Shape {
    boughs().stretched(grown(build, FIR))
}

fn oak_trunk(build: Build) -> Shape {
    let thick = OAK * build.by_strength(0.7, 1.55);
    let [wide, _, high] = grown(build, OAK);
    let stem = trunk(
        build,
        &[
            [0.62, -1.2],
            [0.56, 0.0],
            [0.42, 0.7],
            [0.34, 2.0],
            [0.30, 3.2],
        ],
        OAK,
    );
    let branch = |[x, y, z]: Vec3| {
        let to = [x * wide, y * wide, z * high];
        Shape::rod(
            [0.0, 0.0, 2.75 * high],
            to,
            [0.24 * thick, 0.1 * thick],
            6,
            0.3,
        )
    };
    stem.with(branch([1.5, 0.6, 5.6]))
        .with(branch([-1.2, 1.1, 5.9]))
        .with(branch([-0.2, -1.5, 5.7]))
        .with(branch([0.2, 0.1, 6.6]))
}

fn oak_crown(build: Build) -> Shape {
    leaf_clouds().stretched(grown(build, OAK))
}

/// Which swaying point a point of a crown follows: by its height and its side.
fn swaying(point: Vec3, [low, high]: [f64; 2]) -> u16 {
    let layer = (point[2] - low) / (high - low) * LAYERS as f64;
    let layer = (layer.floor().max(0.0) as usize).min(LAYERS - 1);
    let side = usize::from(point[0] > 0.0) + 2 * usize::from(point[1] > 0.0);
    (layer * AROUND + side) as u16
}

fn swaying_fir(point: Vec3) -> u16 {
    swaying(point, [1.2, 5.2])
}

fn swaying_oak(point: Vec3) -> u16 {
    swaying(point, [2.2, 4.6])
}

/// A tree that sways: higher layers further, and its sides not all at once.
fn tree(
    name: &'static str,
    trunk: fn(Build) -> Shape,
    crown: fn(Build) -> Shape,
    morph: fn(Vec3) -> u16,
    swing: f64,
) -> FigurePlan {
    let mut leaves: PartPlan = root("crown", crown, CUT_OUT)
        .on("trunk", |_| [0.0; 3])
        .with_second_texture();
    leaves.morph = Some(morph);
    let frame = |frame: usize| -> Vec<Vec3> {
        let t = frame as f64 / SWAY_FRAMES as f64;
        let point = |k: usize| {
            let (layer, side) = (k / AROUND, k % AROUND);
            let reach = swing * (layer as f64 + 0.6) / LAYERS as f64;
            let sine = |rounds: f64, late: f64| Angle::degrees(360.0 * (rounds * t - late)).sin;
            let late = 0.05 * layer as f64 + 0.09 * side as f64;
            let x = reach * (sine(1.0, late) + 0.3 * sine(3.0, late));
            let y = 0.5 * reach * sine(2.0, late + 0.2);
            [x, y, 0.16 * reach * sine(2.0, late)]
        };
        (0..LAYERS * AROUND).map(point).collect()
    };
    let sway = MotionPlan {
        name: "cidle",
        parts: vec![PartMotion {
            part: "crown",
            rotations: vec![Turn::NONE; SWAY_FRAMES],
            translations: vec![[0.0; 3]; SWAY_FRAMES],
            morphs: (0..SWAY_FRAMES).map(frame).collect(),
        }],
        n_frames: SWAY_FRAMES,
    };
    FigurePlan {
        name,
        parts: vec![root("trunk", trunk, OPAQUE), leaves],
        motions: vec![sway],
    }
}

/// A broad tree and a fir.
pub fn all() -> Vec<FigurePlan> {
    vec![
        tree("nafltr01", oak_trunk, oak_crown, swaying_oak, 0.16),
        tree("nafltr02", fir_trunk, fir_crown, swaying_fir, 0.13),
    ]
}
