//! The static prop of the demo map: a vase, turned on a wheel, and where it stands.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::bsp::game_lump::{
    DetailLights, DetailProps, GameLump, ModelName, PropLayout, StaticProp, StaticProps, SubLumpId,
};
use ironlands_assets_source::studio_model::{DraftMesh, StudioDraft, StudioModel};

use super::MapPlan;
use super::brushes::Brush;
use super::level::Level;
use crate::vector::{Vec3, add, normalized, scale};

/// Path of the model.
pub const MODEL: &str = "models/ironlands/vase.mdl";
/// Sides of the vase.
const N_SIDES: usize = 20;
/// Radius and height from foot to lip and back down on the inside.
const PROFILE: [[f64; 2]; 16] = [
    [0.0, 0.0],
    [9.0, 0.0],
    [9.5, 1.5],
    [7.0, 3.0],
    [8.0, 6.0],
    [12.5, 12.0],
    [15.5, 19.0],
    [16.0, 25.0],
    [14.0, 31.0],
    [9.5, 36.0],
    [7.5, 39.0],
    [8.0, 42.0],
    [11.0, 44.5],
    [10.0, 45.0],
    [6.5, 41.0],
    [6.0, 36.0],
];
/// Version of the sub-lump that goes with version 19 of maps.
const PROPS_VERSION: u16 = 5;
/// Static props of this kind are boxes to walkers.
const SOLID_BOX: u8 = 2;

/// A body that throws about the same shadow.
pub fn shadow(origin: Vec3) -> Vec<Brush> {
    let part = |radius: f64, low: f64, high: f64| {
        let outline: Vec<Vec3> = ring(8)
            .into_iter()
            .map(|[x, y]| add(origin, [x * radius, y * radius, low]))
            .collect();
        Brush::prism(&outline, [0.0, 0.0, high - low], 0)
    };
    vec![
        part(8.0, 0.0, 8.0),
        part(14.5, 8.0, 32.0),
        part(8.0, 32.0, 44.0),
    ]
}

/// Files of the model, by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let draft = StudioDraft {
        name: MODEL.trim_start_matches("models/").to_owned(),
        textures: vec!["vase".to_owned()],
        texture_folders: vec!["ironlands/".to_owned()],
        surface_property: "pottery".to_owned(),
        mass: 20.0,
        meshes: vec![mesh()],
        ..StudioDraft::default()
    };
    let files = StudioModel::draft(&draft)?;
    let base = MODEL.trim_end_matches(".mdl");
    Ok(vec![
        (format!("{base}.mdl"), files.mdl),
        (format!("{base}.vvd"), files.vvd),
        (format!("{base}.dx90.vtx"), files.vtx),
    ])
}

/// Points of a circle, counter-clockwise, the first on +X.
fn ring(n: usize) -> Vec<[f64; 2]> {
    let turn = 2.0 * std::f64::consts::PI / n as f64;
    (0..n)
        .map(|i| [libm::cos(turn * i as f64), libm::sin(turn * i as f64)])
        .collect()
}

fn mesh() -> DraftMesh {
    let mut mesh = DraftMesh::default();
    let normals = profile_normals();
    let ring = ring(N_SIDES);
    for (at, [radius, height]) in PROFILE.into_iter().enumerate() {
        // One column more, so that the texture closes.
        for column in 0..=N_SIDES {
            let [x, y] = ring[column % N_SIDES];
            let [out, up] = normals[at];
            mesh.positions
                .push([x * radius, y * radius, height].map(|c| c as f32));
            mesh.normals.push([x * out, y * out, up].map(|c| c as f32));
            let u = column as f64 / N_SIDES as f64;
            mesh.uvs.push([u as f32, (1.0 - height / 46.0) as f32]);
        }
    }
    let per_row = N_SIDES as u32 + 1;
    for row in 0..PROFILE.len() as u32 - 1 {
        for column in 0..N_SIDES as u32 {
            let a = row * per_row + column;
            let (b, c, d) = (a + 1, a + per_row, a + per_row + 1);
            // The first ring is a point.
            if row > 0 {
                mesh.indices.extend([a, b, d]);
            }
            mesh.indices.extend([a, d, c]);
        }
    }
    mesh
}

/// Unit normals along the profile: outward and upward. The profile runs up on the outside, so that its right is out.
fn profile_normals() -> Vec<[f64; 2]> {
    let last = PROFILE.len() - 1;
    (0..=last)
        .map(|at| {
            let (a, b) = (PROFILE[at.saturating_sub(1)], PROFILE[(at + 1).min(last)]);
            let normal = normalized([b[1] - a[1], a[0] - b[0], 0.0]);
            [normal[0], normal[1]]
        })
        .collect()
}

/// The game lump with a vase at each place, and the detail props of the plan. Leaves count with the dummy leaf of the map.
pub fn game_lump(level: &Level, plan: &MapPlan) -> Result<Vec<u8>, FormatError> {
    let places = &plan.vases;
    let mut props = StaticProps {
        version: PROPS_VERSION,
        layout: PropLayout::V5,
        models: match &places[..] {
            [] => Vec::new(),
            _ => vec![ModelName::new(MODEL).expect("the path is short")],
        },
        leaves: Vec::new(),
        props: Vec::new(),
    };
    for (at, origin) in places.iter().enumerate() {
        let box_ = [
            add(*origin, [-16.0, -16.0, 0.0]),
            add(*origin, [16.0, 16.0, 45.0]),
        ];
        let leaves = level.leaves_touching(&box_);
        props.props.push(StaticProp {
            origin: origin.map(|c| c as f32),
            angles: [0.0, (at * 47 % 360) as f32, 0.0],
            first_leaf: props.leaves.len() as u16,
            n_leaves: leaves.len() as u16,
            solid: SOLID_BOX,
            forced_fade_scale: 1.0,
            fade_distances: plan.vase_fade,
            lighting_origin: add(*origin, scale([0.0, 0.0, 1.0], 24.0)).map(|c| c as f32),
            ..StaticProp::default()
        });
        props
            .leaves
            .extend(leaves.into_iter().map(|leaf| leaf as u32 + 1));
    }
    let mut lump = GameLump::default();
    lump.set_static_props(&props)?;
    lump.set_detail_props(&detail_props(level, plan))?;
    if !plan.detail_lights.lights.is_empty() {
        for id in [SubLumpId::DETAIL_LIGHTS, SubLumpId::DETAIL_LIGHTS_HDR] {
            lump.set(id, DetailLights::VERSION, plan.detail_lights.write()?);
        }
    }
    lump.write(0)
}

/// Those of the plan, each in its leaf.
fn detail_props(level: &Level, plan: &MapPlan) -> DetailProps {
    let mut props = plan.detail.clone();
    for object in &mut props.objects {
        let [x, y, z] = object.origin.map(f64::from);
        let leaf = level.tree().leaf_at([x, y, z + 1.0], &level.planes);
        object.leaf = leaf as u16 + 1;
    }
    props
}
