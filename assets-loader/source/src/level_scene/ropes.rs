//! Ropes and cables: `move_rope` and `keyframe_rope`, each hung from itself to the next. Dossier section 8.2 names them;
//! keys are those of Valve's developer wiki ("move_rope").
//!
//! A rope as long as the way and its `Slack` hangs as a catenary does. The engine lets springs come to rest instead, and
//! wind move them.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "points of a curve and corners of rings in memory"
)]

mod catenary;

use ironlands_scene::{Aabb, Affine, Instance, MaterialIdx, Mesh};

use self::catenary::hanging;
use super::brush_models::{entity_name, rigid};
use super::cells::Cells;
use super::direct_light::{DirectLights, PlaceLight};
use super::emitters::Places;
use super::mesh_builder::{MeshBuilder, Patch, Vertex};
use super::placement::moved_box;
use super::{FORMAT, Placed};
use crate::bsp::is_place;
use crate::entities::Entity;
use crate::level::SourceLevel;
use crate::materials::{Materials, Surface, SurfaceLight, Tint};
use ironlands_assets_core::bytes::{Finding, Severity};

const CLASSES: [&str; 2] = ["move_rope", "keyframe_rope"];
const DEFAULT_MATERIAL: &str = "cable/cable";
/// Color of ropes without a texture.
const FALLBACK: [u8; 3] = [46, 42, 40];
/// Pieces of a rope without `Subdiv`, and most that it is divided into.
const N_PIECES: usize = 10;
const MAX_PIECES: usize = 80;
/// Sides of its tube.
const N_SIDES: usize = 6;
/// Texels that an assumed texture is long.
const FALLBACK_TEXELS: f32 = 16.0;
/// Most ropes of a map; real ones have some hundred.
const MAX_ROPES: usize = 4096;

/// Adds a model for each rope.
pub fn add(
    level: &SourceLevel,
    lights: &DirectLights<'_>,
    cells: &Cells<'_>,
    materials: &mut Materials<'_>,
    placed: &mut Placed,
    findings: &mut Vec<Finding>,
) {
    let entities = &level.entities;
    let ropes = entities.entities.iter();
    let mut ropes = ropes
        .filter(|entity| CLASSES.contains(&&*entity.class()))
        .peekable();
    if ropes.peek().is_none() {
        return;
    }
    let places = Places::new(entities);
    let mut n_left_out = 0_usize;
    for (number, entity) in ropes.enumerate() {
        let Some(rope) = Rope::new(entity, &places) else {
            continue;
        };
        if number >= MAX_ROPES {
            n_left_out += 1;
            continue;
        }
        let light = match level.is_full_bright() {
            true => SurfaceLight::FullBright,
            false => SurfaceLight::Ambient,
        };
        let Some(mesh) = rope.mesh(light, materials, findings) else {
            continue;
        };
        let place = Affine([0, 1, 2].map(|axis: usize| {
            let mut row = [0.0; 4];
            row[axis] = 1.0;
            row[3] = rope.start[axis];
            row
        }));
        let bounds = Aabb::around(&mesh.positions);
        let Some(model) = rigid(rope.material.clone(), mesh) else {
            continue;
        };
        let PlaceLight { around, direct } = lights.at(place.transform_point(model.bounds.center));
        let bounds = bounds.map(|bounds| moved_box(&place, &bounds));
        let instance = Instance {
            name: entity_name(entity),
            world_from_model: place,
            light: around,
            direct_lights: direct,
            cells: bounds.map_or_else(Vec::new, |bounds| cells.of_box(&bounds)),
            ..Instance::default()
        };
        placed.add(model, instance);
    }
    if n_left_out > 0 {
        let message = format!("{n_left_out} ropes are left out: they are too many");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    }
}

/// A rope between two entities.
#[derive(Debug, Clone, PartialEq)]
struct Rope {
    start: [f32; 3],
    /// From there.
    way: [f32; 3],
    /// Longer than the way, or as long.
    length: f32,
    /// Whether its end is free.
    dangles: bool,
    width: f32,
    n_pieces: usize,
    /// Texels along a unit of it.
    texels_per_unit: f32,
    material: String,
}

impl Rope {
    /// From an entity to the one that its `NextKey` names; `None` without such, or nowhere.
    fn new(entity: &Entity, places: &Places) -> Option<Self> {
        let start = entity.origin().filter(|it| is_place(*it))?;
        let end = places.of_name(&entity.get("NextKey")?)?;
        let way = [0, 1, 2].map(|axis: usize| end[axis] - start[axis]);
        let distance = way.iter().map(|it| it * it).sum::<f32>().sqrt();
        if !is_place(end) || distance <= 0.0 {
            return None;
        }
        let number = |key: &str, default| entity.number(key).unwrap_or(default);
        let is_rigid = number("Type", 0.0) == 2.0;
        let slack = number("Slack", 25.0).clamp(0.0, 65_536.0);
        let subdivisions = number("Subdiv", 2.0).clamp(0.0, 8.0) as usize;
        let material = entity.get("RopeMaterial");
        let material = material
            .as_deref()
            .map(str::trim)
            .filter(|it| !it.is_empty());
        let material = material.unwrap_or(DEFAULT_MATERIAL);
        Some(Self {
            start,
            way,
            length: if is_rigid { distance } else { distance + slack },
            dangles: number("Dangling", 0.0) != 0.0,
            width: number("Width", 2.0).clamp(0.1, 64.0),
            n_pieces: match is_rigid {
                true => 1,
                false => (N_PIECES * (subdivisions + 1)).min(MAX_PIECES),
            },
            texels_per_unit: number("TextureScale", 1.0).clamp(0.0, 1024.0),
            material: material.strip_suffix(".vmt").unwrap_or(material).to_owned(),
        })
    }

    /// Points along it, from its start.
    fn points(&self) -> Vec<[f32; 3]> {
        if self.dangles {
            return vec![[0.0; 3], [0.0, 0.0, -self.length]];
        }
        hanging(self.way, self.length, self.n_pieces)
    }

    fn mesh(
        &self,
        light: SurfaceLight,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Option<Mesh> {
        let material = self.material(light, materials)?;
        let size = materials.sprite(&self.material).map(|it| it.size);
        let texels = size.map_or(FALLBACK_TEXELS, |[_, height]| height.max(1) as f32);
        let patch = tube(
            &self.points(),
            0.5 * self.width,
            self.texels_per_unit / texels,
        );
        let mut builder = MeshBuilder::new(&self.material);
        builder.add(&patch, material, &[]);
        Some(builder.finish_model(findings))
    }

    fn material(&self, light: SurfaceLight, materials: &mut Materials<'_>) -> Option<MaterialIdx> {
        materials.surface(Surface {
            name: self.material.clone(),
            light,
            tint: Tint::default(),
            fallback: FALLBACK,
            is_water: false,
            is_overlay: false,
            fades: false,
            is_model: true,
            is_seen_through: false,
            is_eye: false,
            probe: None,
        })
    }
}

/// A tube around points. Its texture lies across it once, seen from either side, and `per_unit` times along a unit.
fn tube(points: &[[f32; 3]], radius: f32, per_unit: f32) -> Patch {
    let mut patch = Patch::default();
    let mut along = 0.0;
    for (at, point) in points.iter().enumerate() {
        let [before, after] = [at.saturating_sub(1), (at + 1).min(points.len() - 1)];
        let direction = unit(between(points[before], points[after]));
        let [side, up] = across(direction);
        if at > 0 {
            along += length(between(points[at - 1], *point));
        }
        for corner in 0..=N_SIDES {
            let share = corner as f32 / N_SIDES as f32;
            let (sin, cos) = (share * std::f32::consts::TAU).sin_cos();
            let normal = [0, 1, 2].map(|axis: usize| side[axis] * cos + up[axis] * sin);
            patch.vertices.push(Vertex {
                position: [0, 1, 2].map(|axis: usize| point[axis] + normal[axis] * radius),
                normal,
                uv: [1.0 - (1.0 - 2.0 * share).abs(), along * per_unit],
                ..Vertex::default()
            });
        }
    }
    let per_ring = N_SIDES as u32 + 1;
    for ring in 1..points.len() as u32 {
        for corner in 0..N_SIDES as u32 {
            let a = (ring - 1) * per_ring + corner;
            let [b, c, d] = [a + 1, a + per_ring, a + per_ring + 1];
            patch.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    patch
}

/// Two unit vectors across a direction, so that the three are right-handed.
fn across([x, y, z]: [f32; 3]) -> [[f32; 3]; 2] {
    let level = x.hypot(y);
    let side = match level > 1e-6 {
        true => [-y / level, x / level, 0.0],
        false => [1.0, 0.0, 0.0],
    };
    let [a, b, c] = side;
    [side, [y * c - z * b, z * a - x * c, x * b - y * a]]
}

fn between(from: [f32; 3], to: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis: usize| to[axis] - from[axis])
}

fn length(vector: [f32; 3]) -> f32 {
    vector.iter().map(|it| it * it).sum::<f32>().sqrt()
}

fn unit(vector: [f32; 3]) -> [f32; 3] {
    match length(vector) {
        0.0 => [0.0, 0.0, -1.0],
        length => vector.map(|it| it / length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::{Entities, EntitySyntax};

    fn ropes(text: &str) -> Vec<Option<Rope>> {
        let entities = Entities::read(text.as_bytes(), EntitySyntax::Plain).unwrap();
        let places = Places::new(&entities);
        let ropes = entities.entities.iter();
        ropes.map(|entity| Rope::new(entity, &places)).collect()
    }

    #[test]
    fn each_entity_hangs_a_rope_to_the_next() {
        let text = r#"
            { "classname" "move_rope" "targetname" "a" "origin" "0 0 100" "NextKey" "b" "Slack" "50" "Width" "3"
              "Subdiv" "0" "TextureScale" "4" "RopeMaterial" "cable/Rope.vmt" }
            { "classname" "keyframe_rope" "targetname" "b" "origin" "30 40 100" "NextKey" "c" "Type" "2" }
            { "classname" "keyframe_rope" "targetname" "c" "origin" "30 40 300" }
            { "classname" "keyframe_rope" "origin" "30 40 300" "NextKey" "missing" }
        "#;
        let [Some(first), Some(second), None, None] = &ropes(text)[..] else {
            panic!("two ropes: {:?}", ropes(text));
        };
        assert_eq!((first.way, first.length), ([30.0, 40.0, 0.0], 100.0));
        assert_eq!(
            (first.width, first.n_pieces, first.texels_per_unit),
            (3.0, 10, 4.0)
        );
        assert_eq!(first.material, "cable/Rope");
        // A rigid one is straight.
        assert_eq!((second.length, second.n_pieces), (200.0, 1));
        assert_eq!(second.material, DEFAULT_MATERIAL);
        assert_eq!(first.points().len(), 11);
    }

    #[test]
    fn tubes_face_outward_and_have_their_width_everywhere() {
        let points = hanging([60.0, 20.0, -30.0], 110.0, 20);
        let patch = tube(&points, 1.5, 0.25);
        for (vertex, point) in patch.vertices.chunks(N_SIDES + 1).zip(&points) {
            for corner in vertex {
                let out = between(*point, corner.position);
                assert!((length(out) - 1.5).abs() < 1e-4);
                let cosine: f32 = (0..3).map(|i: usize| out[i] * corner.normal[i]).sum();
                assert!((cosine - 1.5).abs() < 1e-4);
            }
        }
        for [a, b, c] in &patch.triangles {
            let [a, b, c] = [a, b, c].map(|it| patch.vertices[*it as usize]);
            let [u, v] = [
                between(a.position, b.position),
                between(a.position, c.position),
            ];
            let face = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            let outward: f32 = (0..3).map(|i: usize| face[i] * a.normal[i]).sum();
            assert!(outward > 0.0, "a triangle faces inward");
        }
        let last = patch.vertices.last().unwrap();
        assert!((last.uv[1] - 0.25 * 110.0).abs() < 0.3, "{:?}", last.uv);
    }
}
