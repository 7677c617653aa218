//! The invisible parts of a map, as overlays to switch on. Dossier sections 1.3, 3.4, 6.7 and 8.2.

use ironlands_scene::{Affine, LegendEntry, Overlay, OverlayVertex};

use super::brush_models::is_unseen_class;
use super::placement::world_from_model;
use super::surfaces::{flags_of, visible_name};
use super::world::World;
use crate::bsp::{BspFile, Face, LumpId, Map, PhysModel, ReusedLumps, SurfaceFlags};
use crate::collision::{Hull, Shape};
use crate::entities::{Entities, Entity};
use crate::vmt::Transform;

/// Most leaves whose boxes are drawn.
const MAX_LEAVES: usize = 4096;
/// Most corners of a layer: parts of a map may have the same faces and windings over and over.
const MAX_CORNERS: usize = 1 << 21;
/// Half the length of the strokes of a cross.
const CROSS: f32 = 8.0;
/// Opacity of areas.
const AREA_ALPHA: u8 = 96;

const SKY_COLOR: [u8; 3] = [90, 160, 255];
const TRIGGER_COLOR: [u8; 3] = [255, 150, 30];
const OTHER_COLOR: [u8; 3] = [230, 60, 200];
const LEAF_COLOR: [u8; 4] = [120, 255, 120, 255];
const PORTAL_COLOR: [u8; 4] = [255, 255, 60, 255];
const VIS_PORTAL_COLOR: [u8; 4] = [190, 140, 255, 255];
const WORLD_HULL_COLOR: [u8; 3] = [70, 220, 220];
const MOVER_HULL_COLOR: [u8; 3] = [255, 110, 80];

/// All layers that are not empty.
pub fn layers(file: &BspFile, map: &Map, entities: &Entities, world: &World<'_>) -> Vec<Overlay> {
    let layers = [
        physics_hulls(file, entities),
        tool_surfaces(map, world),
        unseen_entities(map, entities, world),
        leaves(map),
        area_portals(map),
        visibility_portals(map),
        lights(entities),
    ];
    let is_empty = |layer: &Overlay| layer.lines.is_empty() && layer.triangles.is_empty();
    let layers = layers.into_iter().filter(|it| !is_empty(it));
    layers.map(|it| it.with_legend(legend())).collect()
}

/// What colors mean, in all layers.
fn legend() -> impl Iterator<Item = LegendEntry> {
    let colors = [LEAF_COLOR, PORTAL_COLOR, VIS_PORTAL_COLOR];
    let [leaf, portal, vis_portal] = colors.map(|[r, g, b, _]| [r, g, b]);
    let meanings = [
        (SKY_COLOR, "face that shows the sky"),
        (TRIGGER_COLOR, "trigger"),
        (OTHER_COLOR, "face that is not drawn"),
        (leaf, "box of a leaf"),
        (portal, "portal between areas"),
        (vis_portal, "portal between clusters"),
        (WORLD_HULL_COLOR, "hull that the physics of the world has"),
        (MOVER_HULL_COLOR, "hull of what moves"),
    ];
    meanings
        .into_iter()
        .map(|(color, text)| LegendEntry::new(color, text))
}

/// Faces of the world that are not drawn.
fn tool_surfaces(map: &Map, world: &World<'_>) -> Overlay {
    let mut layer = named("tool surfaces");
    if let Some(model) = map.models.first() {
        let hidden = world
            .faces_of(model)
            .filter(|(_, face)| visible_name(map, face).is_none());
        for (index, face) in hidden {
            add_face(map, world, (index, face), &Affine::IDENTITY, &mut layer);
        }
    }
    layer
}

/// Brushes of entities that are not drawn, triggers above all; where they have no faces, the box around them.
fn unseen_entities(map: &Map, entities: &Entities, world: &World<'_>) -> Overlay {
    let mut layer = named("brush entities");
    for entity in &entities.entities {
        let model = entity.brush_model().and_then(|model| map.models.get(model));
        let Some(model) = model.filter(|_| is_unseen_class(&entity.class())) else {
            continue;
        };
        let place = place_of(entity);
        if model.n_faces <= 0 {
            add_box(
                model.mins,
                model.maxs,
                &place,
                opaque(TRIGGER_COLOR),
                &mut layer,
            );
        }
        if layer.triangles.len() > MAX_CORNERS {
            break;
        }
        for face in world.faces_of(model) {
            add_face(map, world, face, &place, &mut layer);
        }
    }
    layer
}

fn leaves(map: &Map) -> Overlay {
    let mut layer = named("leaves");
    let leaves = map.leaves.iter().skip(1).filter(|leaf| leaf.cluster >= 0);
    for leaf in leaves.take(MAX_LEAVES) {
        add_box(
            leaf.mins,
            leaf.maxs,
            &Affine::IDENTITY,
            LEAF_COLOR,
            &mut layer,
        );
    }
    layer
}

/// What physics collides with (lump 29): the edges of hulls, those of the world and, at rest, those of brush entities.
fn physics_hulls(file: &BspFile, entities: &Entities) -> Overlay {
    let mut layer = named("physics hulls");
    let models = PhysModel::read_all(file, LumpId::PhysCollide).unwrap_or_else(|error| {
        log::warn!("physics hulls are not shown: {error}");
        None
    });
    for model in models.iter().flatten() {
        let owner = (entities.entities.iter())
            .find(|entity| entity.brush_model() == Some(model.model as usize));
        let (place, color) = match (model.model, owner) {
            (0, _) => (Affine::IDENTITY, WORLD_HULL_COLOR),
            (_, Some(owner)) => (place_of(owner), MOVER_HULL_COLOR),
            (_, None) => continue,
        };
        for shape in model.shapes() {
            match shape {
                Ok(Shape::Hulls(hulls)) => {
                    for hull in &hulls {
                        add_hull(hull, &place, opaque(color), &mut layer);
                    }
                }
                Ok(Shape::Terrain) => {}
                Err(error) => log::warn!("a physics hull is not shown: {error}"),
            }
        }
    }
    layer
}

/// The edges of a hull, but those between triangles of one plane.
pub fn add_hull(hull: &Hull, place: &Affine, color: [u8; 4], layer: &mut Overlay) {
    for edge in hull.sharp_edges() {
        if layer.lines.len() > MAX_CORNERS {
            return;
        }
        add_line(edge.map(|end| place.transform_point(end)), color, layer);
    }
}

fn area_portals(map: &Map) -> Overlay {
    let mut layer = named("area portals");
    for portal in &map.area_portals {
        let first = portal.first_clip_portal_vertex as usize;
        let end = first.saturating_add(portal.n_clip_portal_vertices as usize);
        if layer.lines.len() > MAX_CORNERS {
            break;
        }
        let ring = map.clip_portal_vertices.get(first..end).unwrap_or_default();
        add_ring(ring, PORTAL_COLOR, &mut layer);
    }
    layer
}

/// The openings that visibility was computed through, where the compiler has written them.
fn visibility_portals(map: &Map) -> Overlay {
    let mut layer = named("visibility portals");
    let Some(ReusedLumps::Portals(lumps)) = map.reused_lumps.typed() else {
        return layer;
    };
    for portal in &lumps.portals {
        if layer.lines.len() > MAX_CORNERS {
            break;
        }
        let corners = lumps.vertices_of(portal).iter();
        let corners = corners.filter_map(|index| map.vertices.get(usize::from(*index)));
        let ring: Vec<[f32; 3]> = corners.copied().collect();
        add_ring(&ring, VIS_PORTAL_COLOR, &mut layer);
    }
    layer
}

/// The edges of a polygon.
fn add_ring(ring: &[[f32; 3]], color: [u8; 4], layer: &mut Overlay) {
    for (corner, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        add_line([*corner, *next], color, layer);
    }
}

/// A cross in its own color for every light.
#[expect(clippy::indexing_slicing, reason = "three axes")]
fn lights(entities: &Entities) -> Overlay {
    let mut layer = named("light entities");
    for light in entities.of_class("light") {
        let Some(origin) = light.origin() else {
            continue;
        };
        let color = light.light("_light").map_or([255.0; 3], |it| it.color);
        // The casts saturate.
        let color = opaque(color.map(|value| value as u8));
        for axis in 0..3 {
            let mut ends = [origin; 2];
            ends[0][axis] -= CROSS;
            ends[1][axis] += CROSS;
            add_line(ends, color, &mut layer);
        }
    }
    layer
}

fn place_of(entity: &Entity) -> Affine {
    let origin = entity.origin().unwrap_or_default();
    world_from_model(origin, entity.angles().unwrap_or_default(), [1.0; 3])
}

fn add_face(
    map: &Map,
    world: &World<'_>,
    (index, face): (usize, &Face),
    place: &Affine,
    layer: &mut Overlay,
) {
    let Some(patch) = world.patch(index, face, Transform::IDENTITY) else {
        return;
    };
    let flags = flags_of(map, face);
    let [r, g, b] = if flags.intersects(SurfaceFlags::SKY | SurfaceFlags::SKY_2D) {
        SKY_COLOR
    } else if flags.contains(SurfaceFlags::TRIGGER) {
        TRIGGER_COLOR
    } else {
        OTHER_COLOR
    };
    let corners = patch.triangles.iter().flatten();
    let corners = corners.filter_map(|index| patch.vertices.get(*index as usize));
    layer.triangles.extend(corners.map(|corner| OverlayVertex {
        position: place.transform_point(corner.position),
        color: [r, g, b, AREA_ALPHA],
    }));
}

/// The twelve edges of a box.
#[expect(clippy::indexing_slicing, reason = "three axes")]
fn add_box(min: [f32; 3], max: [f32; 3], place: &Affine, color: [u8; 4], layer: &mut Overlay) {
    let corner = |bits: usize| {
        let pick = |axis: usize| {
            if bits >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        place.transform_point([pick(0), pick(1), pick(2)])
    };
    for bits in 0..8usize {
        for axis in (0..3).filter(|axis| bits >> axis & 1 == 0) {
            add_line([corner(bits), corner(bits | 1 << axis)], color, layer);
        }
    }
}

fn add_line(ends: [[f32; 3]; 2], color: [u8; 4], layer: &mut Overlay) {
    let vertex = |position| OverlayVertex { position, color };
    layer.lines.extend(ends.map(vertex));
}

fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}

fn named(name: &str) -> Overlay {
    Overlay {
        name: name.to_owned(),
        ..Overlay::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bsp::test_map::sample_map;

    #[test]
    fn visibility_portals_are_rings_of_lines() {
        let layer = visibility_portals(&sample_map(19));
        let corners: Vec<[f32; 3]> = layer.lines.iter().map(|it| it.position).collect();
        let [a, b, c, d] = [(-64.0, 0.0), (64.0, 0.0), (64.0, 64.0), (-64.0, 64.0)]
            .map(|(y, z): (f32, f32)| [0.0, y, z]);
        assert_eq!(corners, [a, b, b, c, c, d, d, a]);
        // Version 25 has other things in the lump.
        assert_eq!(visibility_portals(&sample_map(25)).lines, []);
    }
}
