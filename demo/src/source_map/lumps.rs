//! The lumps of a map, from a level with its light.

use ironlands_assets_source::bsp::{
    Area, AreaPortal, CubemapSample, DispInfo, Face, Leaf, LeafAmbientIndex, LeafAmbientSample,
    LeafWater, Map, Model, Node, Rgbe, WorldLight,
};

use super::brushes::flags;
use super::entities::{Lamp, Sun};
use super::level::{Level, ModelSpace};
use super::light::Lighting;
use super::rings::RingTable;
use super::tree::{Child, Tree};
use super::{MapPlan, Room, brush_sides, texinfos};
use crate::vector::Vec3;

/// No style, no plane in this place of a list.
const NO_STYLE: u8 = 255;
/// Distance to water that is none.
const NO_WATER: u16 = 65_535;

/// All lumps of a level.
pub fn map(plan: &MapPlan, level: Level, lighting: Lighting) -> Map {
    let mut level = level;
    let mut map = Map::default();
    let (brushes, sides) = brush_sides::lumps(
        &level.brushes,
        &mut level.planes,
        &mut level.texinfos,
        &plan.materials,
    );
    (map.brushes, map.brush_sides) = (brushes, sides);
    map.planes = level.planes.lump();
    map.texinfos = level.texinfos.texinfos.clone();
    (map.texdata, map.texture_name_offsets, map.texture_names) = texinfos::texdata(&plan.materials);
    add_faces(&mut map, &level, &lighting);
    add_displacements(&mut map, plan, &level);
    add_trees(&mut map, plan, &level, &lighting);
    add_areas(&mut map, plan, &level);
    add_normals(&mut map, &level);
    map.visibility = Some(level.sight.lump());
    map.world_lights = world_lights(plan, &level);
    map.cubemaps = plan.cubemaps.iter().map(|place| cubemap(*place)).collect();
    map.lighting = lighting.samples;
    if plan.is_high_range {
        add_high_range(&mut map, &lighting.ambient);
    }
    map.face_macro_texture = vec![u16::MAX; map.faces.len()];
    map
}

/// Light of high range as that of low range, and ambient light as version 20 has it.
fn add_high_range(map: &mut Map, ambient: &[[Rgbe; 6]]) {
    map.faces_hdr = map.faces.clone();
    map.lighting_hdr = map.lighting.clone();
    map.world_lights_hdr = map.world_lights.clone();
    let dark = [Rgbe::default(); 6];
    for (at, leaf) in (0..).zip(&mut map.leaves) {
        leaf.v0_ambient = dark;
        map.ambient_index.push(LeafAmbientIndex {
            n_samples: 1,
            first_sample: at,
        });
        // The first leaf is a dummy; leaves of brush models have no light.
        let of_world = (at as usize).checked_sub(1);
        let cube = of_world.and_then(|leaf| ambient.get(leaf));
        map.ambient_samples.push(LeafAmbientSample {
            cube: cube.copied().unwrap_or(dark),
            place: [128; 3],
            ..LeafAmbientSample::default()
        });
    }
    map.ambient_index_hdr = map.ambient_index.clone();
    map.ambient_samples_hdr = map.ambient_samples.clone();
}

fn cubemap(origin: [i32; 3]) -> CubemapSample {
    CubemapSample {
        origin,
        ..CubemapSample::default()
    }
}

fn add_faces(map: &mut Map, level: &Level, lighting: &Lighting) {
    let mut rings = RingTable::default();
    for (draft, light) in level.faces.iter().zip(&lighting.faces) {
        let (first_edge, n_edges) = rings.ring(&draft.polygon);
        let (first_primitive, n_primitives) = match draft.displacement {
            None => rings.triangulation(first_edge, n_edges),
            Some(_) => (0, 0),
        };
        map.faces.push(Face {
            plane: draft.plane,
            side: (draft.plane & 1) as u8,
            on_node: u8::from(draft.node.is_some()),
            first_edge,
            n_edges,
            texinfo: draft.texinfo as i32,
            disp_info: draft.displacement.map_or(-1, |at| at as i32),
            surface_fog_volume: -1,
            styles: light.styles,
            light_offset: light.offset,
            area: draft.polygon.area() as f32,
            lightmap_mins: light.grid.mins,
            lightmap_size: light.grid.size,
            original_face: draft.original as i32,
            n_primitives,
            first_primitive,
            ..Face::default()
        });
    }
    rings.forget_edges();
    for original in &level.originals {
        let (first_edge, n_edges) = rings.ring(&original.polygon);
        map.original_faces.push(Face {
            plane: original.plane,
            side: (original.plane & 1) as u8,
            on_node: 1,
            first_edge,
            n_edges,
            texinfo: original.texinfo as i32,
            disp_info: -1,
            surface_fog_volume: -1,
            original_face: -1,
            ..Face::default()
        });
    }
    map.vertices = rings.vertices;
    map.edges = rings.edges;
    map.surfedges = rings.surfedges;
    map.primitives = rings.primitives;
    map.primitive_indices = rings.primitive_indices;
}

fn add_displacements(map: &mut Map, plan: &MapPlan, level: &Level) {
    for (face_idx, face) in level.faces.iter().enumerate() {
        let Some(at) = face.displacement else {
            continue;
        };
        let displacement = &plan.displacements[at];
        let (info, verts) =
            displacement.records(face_idx as u32, map.disp_verts.len(), map.disp_tris.len());
        let samples = displacement_samples(&map.faces[face_idx], &info);
        map.disp_infos.push(DispInfo {
            lightmap_sample_position_start: map.disp_sample_positions.len() as i32,
            ..info
        });
        map.disp_sample_positions.extend(samples);
        map.disp_verts.extend(verts);
        map.disp_tris.extend(displacement.tags());
    }
}

/// Lump 34: which triangle each sample lies on, and where. Triangles are counted row by row.
fn displacement_samples(face: &Face, info: &DispInfo) -> Vec<u8> {
    let cells = f64::from(1 << info.power);
    let [width, height] = face.lightmap_size.map(|n| n + 1);
    let mut bytes = Vec::new();
    for t in 0..height {
        for s in 0..width {
            let along = |at: i32, n: i32| f64::from(at) / f64::from((n - 1).max(1)) * cells;
            let (column, row) = (along(s, width), along(t, height));
            let (i, j) = (
                row.floor().min(cells - 1.0),
                column.floor().min(cells - 1.0),
            );
            let (fi, fj) = (row - i, column - j);
            let is_upper = fi > fj;
            let mut triangle = 2 * (i * cells + j) as usize + usize::from(!is_upper);
            while triangle >= 255 {
                bytes.push(255);
                triangle -= 255;
            }
            bytes.push(triangle as u8);
            let (far, middle) = (fi.min(fj), (fi - fj).abs());
            let weights = [1.0 - far - middle, middle, far];
            bytes.extend(weights.map(|w| (w * 255.0 + 0.5).floor() as u8));
        }
    }
    bytes
}

fn add_trees(map: &mut Map, plan: &MapPlan, level: &Level, lighting: &Lighting) {
    map.leaves.push(Leaf {
        contents: flags::SOLID as i32,
        water: -1,
        ..Leaf::default()
    });
    for (model_idx, model) in level.models.iter().enumerate() {
        let first_leaf = map.leaves.len();
        let head_node = add_nodes(map, model, level, first_leaf);
        add_leaves(map, model, level);
        if model_idx == 0 {
            finish_world_leaves(map, plan, level, lighting);
        }
        let [mins, maxs] = model.bounds;
        map.models.push(Model {
            mins: mins.map(|c| c as f32 - 1.0),
            maxs: maxs.map(|c| c as f32 + 1.0),
            origin: [0.0; 3],
            head_node,
            first_face: model.faces.start as i32,
            n_faces: model.faces.len() as i32,
        });
    }
    map.leaf_min_dist_to_water = vec![NO_WATER; map.leaves.len()];
}

/// Adds the nodes of a model; the number of its root.
fn add_nodes(map: &mut Map, model: &ModelSpace, level: &Level, first_leaf: usize) -> i32 {
    let first_node = map.nodes.len();
    let number = |child: Child| match child {
        Child::Node(node) => (first_node + node) as i32,
        Child::Leaf(leaf) => -1 - (first_leaf + leaf) as i32,
    };
    let faces = &level.faces[model.faces.clone()];
    for (at, node) in model.tree.nodes.iter().enumerate() {
        let first = faces.partition_point(|face| face.node.is_some_and(|node| node < at));
        let n_faces = faces[first..]
            .iter()
            .take_while(|face| face.node == Some(at))
            .count();
        let [mins, maxs] = whole_box(node.bounds);
        map.nodes.push(Node {
            plane: node.plane as i32,
            children: node.children.map(number),
            mins,
            maxs,
            first_face: (model.faces.start + first) as u32,
            n_faces: n_faces as u32,
            area: 0,
            unknown_1e: [0; 2],
        });
    }
    number(model.tree.root())
}

fn add_leaves(map: &mut Map, model: &ModelSpace, level: &Level) {
    let tree: &Tree = &model.tree;
    let mut faces = vec![Vec::new(); tree.leaves.len()];
    for at in model.faces.clone() {
        for leaf in &level.faces[at].leaves {
            faces[*leaf].push(at as u32);
        }
    }
    for (at, leaf) in tree.leaves.iter().enumerate() {
        let [mins, maxs] = whole_box(leaf.cell.bounds());
        let first_leaf_face = map.leaf_faces.len() as u32;
        let first_leaf_brush = map.leaf_brushes.len() as u32;
        map.leaf_faces.extend(&faces[at]);
        let brushes = model.leaf_brushes[at].iter().map(|brush| *brush as u32);
        map.leaf_brushes.extend(brushes);
        map.leaves.push(Leaf {
            contents: leaf.contents as i32,
            cluster: -1,
            mins,
            maxs,
            first_leaf_face,
            n_leaf_faces: map.leaf_faces.len() as u32 - first_leaf_face,
            first_leaf_brush,
            n_leaf_brushes: map.leaf_brushes.len() as u32 - first_leaf_brush,
            water: -1,
            ..Leaf::default()
        });
    }
}

/// Corners on whole numbers, outward, as the format stores them.
fn whole_box([low, high]: [Vec3; 2]) -> [[f32; 3]; 2] {
    [
        low.map(|c| (c + 0.01).floor() as f32),
        high.map(|c| (c - 0.01).ceil() as f32),
    ]
}

/// Clusters, areas, water, sky and ambient light of the world's leaves.
fn finish_world_leaves(map: &mut Map, plan: &MapPlan, level: &Level, lighting: &Lighting) {
    let n_leaves = level.tree().leaves.len();
    let shows = |leaf: usize, what: &dyn Fn(usize) -> bool| {
        let Some(from) = level.clusters[leaf] else {
            return false;
        };
        (0..n_leaves).any(|to| {
            level.clusters[to].is_some_and(|cluster| level.sight.seen.get(from, cluster))
                && what(to)
        })
    };
    let has_sky: Vec<bool> = (0..n_leaves)
        .map(|leaf| {
            let mut faces = level
                .faces
                .iter()
                .filter(|face| face.leaves.contains(&leaf));
            let is_sky = faces.any(|face| plan.materials[face.material].flags & flags::SKY != 0);
            is_sky && level.clusters[leaf].is_some()
        })
        .collect();
    let is_water = |leaf: usize| level.tree().leaves[leaf].contents & flags::WATER != 0;
    for leaf in 0..n_leaves {
        let sees_sky = shows(leaf, &|to| has_sky[to]);
        let sees_water = shows(leaf, &is_water);
        let water = if is_water(leaf) {
            water_of(map, plan, level, leaf)
        } else {
            -1
        };
        let stored = &mut map.leaves[leaf + 1];
        stored.cluster = level.clusters[leaf].map_or(-1, |cluster| cluster as i32);
        stored.area = area_of(plan, level, leaf);
        stored.flags = u16::from(sees_sky);
        stored.v0_ambient = lighting.ambient[leaf];
        stored.water = water;
        if sees_water && !is_water(leaf) {
            stored.contents |= flags::TEST_FOG_VOLUME as i32;
        }
    }
}

/// The water record of a leaf, which is new if none is the same.
fn water_of(map: &mut Map, plan: &MapPlan, level: &Level, leaf: usize) -> i32 {
    let middle = level.tree().leaves[leaf].cell.middle();
    let prepared = level.brushes[level.models[0].brushes.clone()]
        .iter()
        .find(|prepared| prepared.brush.is_water() && prepared.brush.contains(middle, 0.0));
    let Some(prepared) = prepared else {
        return -1;
    };
    let [low, high] = prepared.bounds;
    let surface = level.faces.iter().find(|face| {
        plan.materials[face.material].beneath.is_some()
            && (face.polygon.middle()[2] - high[2]).abs() < 0.1
    });
    let record = LeafWater {
        surface_z: high[2] as f32,
        min_z: low[2] as f32,
        surface_texinfo: surface.map_or(-1, |face| face.texinfo as i32),
        unknown_0a: [0; 2],
    };
    if let Some(known) = map.leaf_water.iter().position(|known| *known == record) {
        return known as i32;
    }
    map.leaf_water.push(record);
    map.leaf_water.len() as i32 - 1
}

/// The area of a leaf: that of the room that it lies in, else that of its space.
fn area_of(plan: &MapPlan, level: &Level, leaf: usize) -> u32 {
    let space = level.spaces[leaf];
    let rooms = (n_spaces(level) + 1..).zip(&plan.rooms);
    let mut rooms = rooms.filter(|(_, room)| space != 0 && is_inside(room, level, leaf));
    rooms.next().map_or(space, |(area, _)| area)
}

fn is_inside(room: &Room, level: &Level, leaf: usize) -> bool {
    let middle = level.tree().leaves[leaf].cell.middle();
    let [low, high] = room.bounds;
    (0..3).all(|k| (low[k]..high[k]).contains(&middle[k]))
}

fn n_spaces(level: &Level) -> u32 {
    level.spaces.iter().copied().max().unwrap_or(0)
}

/// One area a space that cannot be left, and one a room, which opens to the rest of its space.
fn add_areas(map: &mut Map, plan: &MapPlan, level: &Level) {
    let space_of = |room: &Room| {
        let mut leaves = (0..level.spaces.len()).filter(|leaf| level.spaces[*leaf] != 0);
        let leaf = leaves.find(|leaf| is_inside(room, level, *leaf));
        leaf.map_or(0, |leaf| level.spaces[leaf])
    };
    let first_room = n_spaces(level) + 1;
    let rooms = (first_room..).zip(plan.rooms.iter().enumerate());
    let joined: Vec<_> = rooms
        .map(|(area, (index, room))| (index, [space_of(room), area]))
        .collect();
    map.area_portals = vec![AreaPortal::default()];
    map.areas = vec![Area::default()];
    for area in 1..first_room + plan.rooms.len() as u32 {
        let first_area_portal = map.area_portals.len() as i32;
        let own = joined.iter().filter(|(_, areas)| areas.contains(&area));
        map.area_portals
            .extend(own.map(|(index, [a, b])| AreaPortal {
                portal_key: plan.rooms[*index].portal,
                other_area: if *a == area { *b } else { *a },
                first_clip_portal_vertex: 4 * *index as u32,
                n_clip_portal_vertices: 4,
                plane: 0,
            }));
        let n_area_portals = map.area_portals.len() as i32 - first_area_portal;
        map.areas.push(match n_area_portals {
            0 => Area::default(),
            _ => Area {
                first_area_portal,
                n_area_portals,
            },
        });
    }
    let corners = plan.rooms.iter().flat_map(|room| room.opening);
    map.clip_portal_vertices = corners.map(|it| it.map(|c| c as f32)).collect();
}

/// Lumps 30 and 31: each face is flat.
fn add_normals(map: &mut Map, level: &Level) {
    for face in &map.faces {
        let normal = level.planes.get(face.plane).normal.map(|c| c as f32 + 0.0);
        let known = map.vertex_normals.iter().position(|known| *known == normal);
        let at = known.unwrap_or_else(|| {
            map.vertex_normals.push(normal);
            map.vertex_normals.len() - 1
        });
        map.vertex_normal_indices
            .extend(std::iter::repeat_n(at as u32, face.n_edges as usize));
    }
}

/// Kinds of lights (section 11.4).
const POINT: i32 = 1;
const SPOT: i32 = 2;
const SKY: i32 = 3;
const SKY_AMBIENT: i32 = 5;

fn world_lights(plan: &MapPlan, level: &Level) -> Vec<WorldLight> {
    let cluster = |place: Vec3| {
        let leaf = level.tree().leaf_at(place, &level.planes);
        level.clusters[leaf].map_or(-1, |cluster| cluster as i32)
    };
    let sun = plan
        .sun
        .iter()
        .flat_map(|sun| sun_lights(sun, cluster(sun.origin)));
    let lamps = plan
        .lamps
        .iter()
        .map(|lamp| lamp_light(lamp, cluster(lamp.origin)));
    sun.chain(lamps).collect()
}

fn sun_lights(sun: &Sun, cluster: i32) -> [WorldLight; 2] {
    let light = WorldLight {
        origin: sun.origin.map(|c| c as f32),
        cluster,
        texinfo: -1,
        ..WorldLight::default()
    };
    [
        WorldLight {
            kind: SKY,
            intensity: sun.color.linear().map(|c| c as f32),
            normal: sun.direction().map(|c| c as f32),
            ..light
        },
        WorldLight {
            kind: SKY_AMBIENT,
            intensity: sun.sky.linear().map(|c| c as f32),
            ..light
        },
    ]
}

fn lamp_light(lamp: &Lamp, cluster: i32) -> WorldLight {
    let cosine = |degrees: f64| libm::cos(degrees * (std::f64::consts::PI / 180.0)) as f32;
    WorldLight {
        origin: lamp.origin.map(|c| c as f32),
        intensity: lamp.intensity().map(|c| c as f32),
        normal: if lamp.cone.is_some() {
            [0.0, 0.0, -1.0]
        } else {
            [0.0; 3]
        },
        cluster,
        kind: if lamp.cone.is_some() { SPOT } else { POINT },
        style: lamp.style,
        stop_dots: lamp.cone.map_or([0.0; 2], |cone| cone.map(cosine)),
        exponent: 1.0,
        attenuation: [0.0, 0.0, 1.0],
        flags: 1,
        texinfo: -1,
        ..WorldLight::default()
    }
}

/// Styles of a face: the used ones, then [`NO_STYLE`].
pub fn styles(used: &[u8]) -> [u8; 8] {
    let mut styles = [NO_STYLE; 8];
    styles[..used.len()].copy_from_slice(used);
    styles
}

/// Linear light as a sample: three mantissas and an exponent. `unit` is what a mantissa of 1 stands for.
pub fn rgbe(light: Vec3, unit: f64) -> Rgbe {
    let light = light.map(|c| c / unit);
    let largest = light.into_iter().fold(0.0, f64::max);
    if largest <= 0.0 {
        return Rgbe::default();
    }
    let (mut exponent, mut step) = (0_i8, 1.0);
    while largest / step > 255.49 {
        (exponent, step) = (exponent + 1, step * 2.0);
    }
    while largest / step < 127.5 && exponent > -100 {
        (exponent, step) = (exponent - 1, step / 2.0);
    }
    Rgbe {
        mantissas: light.map(|c| (c / step + 0.5).floor().clamp(0.0, 255.0) as u8),
        exponent,
    }
}
