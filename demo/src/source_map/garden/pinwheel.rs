//! A wind wheel on a post: a model whose bones move. Its head swings in the wind, and the wheel turns on the head.

use std::f64::consts::TAU;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::studio_model::{
    DraftBone, DraftMesh, DraftSequence, StudioDraft, StudioModel,
};

use crate::source_map::entities::EntityPlan;
use crate::vector::{Vec3, add, cross, normalized, scale};

/// Path of the model, without extension.
const PATH: &str = "models/ironlands/pinwheel";
/// Where it stands.
pub const PLACE: Vec3 = [672.0, 400.0, 0.0];
/// Bones by their numbers, and where they are from their parents.
const POST: usize = 0;
const HEAD: usize = 1;
const WHEEL: usize = 2;
const HEAD_PLACE: [f32; 3] = [0.0, 0.0, 96.0];
const WHEEL_PLACE: [f32; 3] = [12.0, 0.0, 0.0];
const N_BLADES: usize = 6;
/// How far the head swings to each side, in radians.
const SWING: f64 = 0.3;
const FPS: f32 = 24.0;
/// Frames of a turn, the first and the last alike.
const N_FRAMES: usize = 73;

/// The entity that shows it.
pub fn entity() -> EntityPlan {
    EntityPlan::new("prop_dynamic")
        .at(PLACE)
        .with("targetname", "pinwheel")
        .with("angles", "0 200 0")
        .with("model", format!("{PATH}.mdl"))
        .with("DefaultAnim", "turn")
}

/// Files of the model, by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let bone = |name: &str, parent, place| DraftBone {
        name: name.to_owned(),
        parent,
        place,
    };
    let draft = StudioDraft {
        name: format!("{}.mdl", PATH.trim_start_matches("models/")),
        textures: vec!["vase".to_owned()],
        texture_folders: vec!["ironlands/".to_owned()],
        surface_property: "wood".to_owned(),
        mass: 30.0,
        meshes: vec![post(), head(), wheel()],
        bones: vec![
            bone("post", None, [0.0; 3]),
            bone("head", Some(POST), HEAD_PLACE),
            bone("wheel", Some(HEAD), WHEEL_PLACE),
        ],
        sequences: sequences(),
        ..StudioDraft::default()
    };
    let files = StudioModel::draft(&draft)?;
    Ok(vec![
        (format!("{PATH}.mdl"), files.mdl),
        (format!("{PATH}.vvd"), files.vvd),
        (format!("{PATH}.dx90.vtx"), files.vtx),
    ])
}

/// At rest, turning without end, and coming to rest.
fn sequences() -> Vec<DraftSequence> {
    let frame = |swing: f64, turn: f64| {
        let mut turns = vec![[0.0; 3]; 3];
        turns[HEAD][2] = swing as f32;
        turns[WHEEL][0] = turn as f32;
        turns
    };
    let shares = || (0..N_FRAMES).map(|at| at as f64 / (N_FRAMES - 1) as f64);
    let sequence = |name: &str, activity: &str, loops, frames| DraftSequence {
        name: name.to_owned(),
        activity: activity.to_owned(),
        fps: FPS,
        loops,
        frames,
        ..DraftSequence::default()
    };
    let turning = shares().map(|share| frame(SWING * libm::sin(TAU * share), TAU * share));
    let slowing = shares().map(|share| {
        let left = 1.0 - share;
        frame(0.0, TAU * (1.0 - left * left))
    });
    vec![
        sequence("idle", "ACT_IDLE", false, vec![frame(0.0, 0.0)]),
        sequence("turn", "", true, turning.collect()),
        sequence("stop", "", false, slowing.collect()),
    ]
}

fn post() -> DraftMesh {
    let mut mesh = DraftMesh {
        bone: POST,
        ..DraftMesh::default()
    };
    let axes = [[2.5, 0.0, 0.0], [0.0, 2.5, 0.0], [0.0, 0.0, 47.0]];
    add_block(&mut mesh, [0.0, 0.0, 47.0], axes);
    mesh
}

/// A hub with a vane that the wind turns it by.
fn head() -> DraftMesh {
    let mut mesh = DraftMesh {
        bone: HEAD,
        ..DraftMesh::default()
    };
    let middle = HEAD_PLACE.map(f64::from);
    let hub = [[11.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]];
    add_block(&mut mesh, middle, hub);
    let vane = [[9.0, 0.0, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 9.0]];
    add_block(&mut mesh, add(middle, [-18.0, 0.0, 0.0]), vane);
    mesh
}

/// Blades around the x axis, each set at a slant.
fn wheel() -> DraftMesh {
    let mut mesh = DraftMesh {
        bone: WHEEL,
        ..DraftMesh::default()
    };
    let middle = add(HEAD_PLACE.map(f64::from), WHEEL_PLACE.map(f64::from));
    for blade in 0..N_BLADES {
        let turn = TAU * blade as f64 / N_BLADES as f64;
        let out = [0.0, libm::cos(turn), libm::sin(turn)];
        let along = [0.0, -out[2], out[1]];
        let wide = add(scale(along, 5.5), [2.4, 0.0, 0.0]);
        let thick = scale(cross(out, normalized(wide)), 0.5);
        let place = add(middle, scale(out, 17.0));
        add_block(&mut mesh, place, [scale(out, 14.0), wide, thick]);
    }
    mesh
}

/// Adds a block by its middle and its half axes, which are a right-handed, right-angled frame.
fn add_block(mesh: &mut DraftMesh, middle: Vec3, axes: [Vec3; 3]) {
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let normal = scale(axes[axis], side);
            let (u, v) = (axes[(axis + 1) % 3], axes[(axis + 2) % 3]);
            let first = mesh.positions.len() as u32;
            for [a, b] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                // Seen from outside the corners run counter-clockwise on both sides.
                let corner = add(add(middle, normal), add(scale(u, a * side), scale(v, b)));
                mesh.positions.push(corner.map(|it| it as f32));
                mesh.normals.push(normalized(normal).map(|it| it as f32));
                mesh.uvs.push([0.5 + 0.3 * a as f32, 0.5 + 0.3 * b as f32]);
            }
            mesh.indices
                .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
}
