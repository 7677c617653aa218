//! Light, fog, sea and the first view: what the level's files do not say (dossier section 11.6, Q-W7).
#![expect(
    clippy::indexing_slicing,
    reason = "axes, and vertices that faces of the ground name"
)]

use ironlands_scene::{FogLayer, Spawn, Sun, Water};

use super::borders::GroundFace;
use super::ground::Ground;
use super::surfaces::Surfaces;
use crate::land_msh::LandMsh;

/// Where fog begins and where it is whole: at the eye, and at the far plane of the original.
pub(super) const FOG: [f32; 2] = [0.0, 700.0];
/// The same for haze, which is shown on request: a level is seen whole in it.
pub(super) const HAZE: [f32; 2] = [100.0, 1600.0];
/// How far above the highest ground fog begins to thin out: all that the original's camera sees lies below.
const FOG_ABOVE_GROUND: f32 = EYE_HEIGHT;
/// Over this height it thins out to nothing, so that the level is seen from far above, where the original never was.
const FOG_THINNING: f32 = 200.0;

/// The scene's color, which ground does not get darker than and which is added to all other surfaces.
const SCENE_COLOR: f32 = 0.35;
/// Not quite overhead, so that slopes differ from level ground and from each other.
const TO_SUN: [f32; 3] = [0.45, -0.3, 1.0];

/// How far around a surface things keep light from it, in world units: walking machines are about five high.
pub(super) const OCCLUSION_RADIUS: f32 = 2.0;

/// Height of the first view above the ground, in world units.
const EYE_HEIGHT: f32 = 60.0;
/// Where it is, as a part of the level's extent.
const EYE_INSET: f32 = 0.2;
const EYE_PITCH_DEGREES: f32 = -12.0;
/// Ground this near to the eye stays this far below it.
const CLEARANCE_RADIUS: f32 = 60.0;
const CLEARANCE: f32 = 15.0;

/// Water this near to the level's edge, as a part of its extent, reaches it.
const AT_EDGE: f32 = 1e-3;

/// White light from above, slanted a bit.
pub(crate) fn sun() -> Sun {
    Sun {
        direction_to_sun: glam::Vec3::from_array(TO_SUN).normalize().to_array(),
        color: [1.0; 3],
        ambient: [SCENE_COLOR; 3],
        counter: [0.0; 3],
    }
}

/// Fog lies over the level like a blanket; `None` without ground.
pub(super) fn fog_layer(ground: &Ground) -> Option<FogLayer> {
    let full_below = ground.bounds?.max[2] + FOG_ABOVE_GROUND;
    Some(FogLayer {
        full_below,
        none_above: full_below + FOG_THINNING,
    })
}

/// The sea beyond the level's edge; there is one if a water face reaches the edge.
pub(super) fn sea(land: &LandMsh, ground: &Ground, surfaces: &mut Surfaces<'_>) -> Option<Water> {
    let bounds = ground.bounds?;
    let positions = &ground.mesh.positions;
    let is_at_edge = |vertex: u32| {
        let position = positions[vertex as usize];
        (0..2).any(|axis| {
            let slack = (bounds.max[axis] - bounds.min[axis]) * AT_EDGE;
            position[axis] <= bounds.min[axis] + slack || position[axis] >= bounds.max[axis] - slack
        })
    };
    let finest = ground.tiles.iter().filter_map(|tile| tile.lods.first());
    let face = finest
        .flat_map(|lod| &lod.faces)
        .filter(|face| face.surface.is_water())
        .find(|face| face.vertices.into_iter().any(is_at_edge))?;
    let level = Some(land.water_level()).filter(|level| level.is_finite())?;
    Some(Water {
        level,
        material: surfaces.material(face.surface),
        uv_per_unit: uv_per_unit(face, ground),
        level_min: [bounds.min[0], bounds.min[1]],
        level_max: [bounds.max[0], bounds.max[1]],
        bed: None,
    })
}

/// Texture repeats per world unit on a face, so that the sea continues as dense as the water at the edge.
fn uv_per_unit(face: &GroundFace, ground: &Ground) -> f32 {
    let area = |[a, b, c]: [[f32; 2]; 3]| {
        ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])).abs()
    };
    let uvs = face
        .vertices
        .map(|vertex| ground.mesh.uv_sets[0][vertex as usize]);
    let density = area(uvs) / area(corners_xy(face, ground));
    if density.is_finite() {
        density.sqrt()
    } else {
        0.0
    }
}

fn corners_xy(face: &GroundFace, ground: &Ground) -> [[f32; 2]; 3] {
    face.vertices.map(|vertex| {
        let [x, y, _] = ground.mesh.positions[vertex as usize];
        [x, y]
    })
}

/// A view across the middle of the level from near its first corner; `None` without ground.
pub(super) fn overview(ground: &Ground) -> Option<Spawn> {
    let bounds = ground.bounds?;
    let at =
        |axis: usize, part: f32| bounds.min[axis] + (bounds.max[axis] - bounds.min[axis]) * part;
    let (x, y) = (at(0, EYE_INSET), at(1, EYE_INSET));
    let below = height_at(ground, [x, y]).unwrap_or(bounds.max[2]);
    let nearby = ground
        .mesh
        .positions
        .iter()
        .filter(|position| (position[0] - x).hypot(position[1] - y) <= CLEARANCE_RADIUS);
    let highest_nearby = nearby
        .map(|position| position[2])
        .fold(f32::NEG_INFINITY, f32::max);
    let eye = (below + EYE_HEIGHT).max(highest_nearby + CLEARANCE);
    Some(Spawn {
        name: "overview".to_owned(),
        position: [x, y, eye],
        yaw_rad: (at(1, 0.5) - y).atan2(at(0, 0.5) - x),
        pitch_rad: EYE_PITCH_DEGREES.to_radians(),
    })
}

/// Height of the highest of the finest faces over a point; `None` beside the ground.
fn height_at(ground: &Ground, point: [f32; 2]) -> Option<f32> {
    let finest = ground.tiles.iter().filter_map(|tile| tile.lods.first());
    let heights = finest.flat_map(|lod| &lod.faces).filter_map(|face| {
        let weights = barycentric(corners_xy(face, ground), point)?;
        let heights = face
            .vertices
            .map(|vertex| ground.mesh.positions[vertex as usize][2]);
        Some(
            weights
                .iter()
                .zip(heights)
                .map(|(weight, z)| weight * z)
                .sum::<f32>(),
        )
    });
    heights.reduce(f32::max)
}

/// Weights of a triangle's corners at a point; `None` outside.
fn barycentric([a, b, c]: [[f32; 2]; 3], p: [f32; 2]) -> Option<[f32; 3]> {
    let cross = |from: [f32; 2], to: [f32; 2], at: [f32; 2]| {
        (to[0] - from[0]) * (at[1] - from[1]) - (at[0] - from[0]) * (to[1] - from[1])
    };
    let area = cross(a, b, c);
    let weights = [cross(b, c, p), cross(c, a, p), cross(a, b, p)].map(|part| part / area);
    weights
        .iter()
        .all(|weight| *weight >= 0.0)
        .then_some(weights)
}
