//! A map of one floor, two rooms and a displacement that keeps all rules, for the tests of every version.
#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use super::map::*;
use super::{BspFile, LumpId};

/// The file of [`sample_map`], with entities, a game lump and an archive.
pub fn sample_file(version: u32) -> BspFile {
    let mut file = BspFile::new(version);
    file.map_revision = 7;
    sample_map(version).write_into(&mut file).unwrap();
    let entities = b"{\n\"classname\" \"worldspawn\"\n}\n\0";
    file.set_lump(LumpId::Entities, 0, entities.to_vec());
    file.set_lump(LumpId::GameLump, 0, sample_game_lump(0));
    let empty_zip = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    file.set_lump(LumpId::Pakfile, 0, empty_zip.to_vec());
    // As if it had been read: the game lump has its place.
    BspFile::read(&file.write().unwrap()).unwrap()
}

/// A game lump with one member of three bytes and one without any, in a file in which it begins at `base`.
pub fn sample_game_lump(base: u32) -> Vec<u8> {
    let mut lump = 2_u32.to_le_bytes().to_vec();
    lump.extend(b"prps\0\0\x0A\0");
    lump.extend((base + 36).to_le_bytes());
    lump.extend(3_u32.to_le_bytes());
    lump.extend(b"prpd\0\0\x04\0\0\0\0\0\0\0\0\0");
    lump.extend(b"abc");
    lump
}

/// The content, as far as the version can hold it.
pub fn sample_map(version: u32) -> Map {
    let mut map = Map {
        models: vec![model(0, 3), model(-6, 0)],
        areas: vec![Area::default(); 2],
        area_portals: vec![AreaPortal::default()],
        visibility: Some(Visibility {
            row_offsets: vec![[20, 22], [21, 23]],
            rows: vec![3; 4],
        }),
        lighting: (0..612_u32).map(|byte| byte as u8).collect(),
        ..Map::default()
    };
    add_surfaces(&mut map, version);
    add_tree(&mut map, version);
    add_displacement(&mut map, version);
    add_decoration(&mut map, version);
    map.reused_lumps = Uncertain::Typed(match version {
        ..21 => ReusedLumps::Portals(portals()),
        21 => ReusedLumps::PropCollision(prop_collision()),
        _ => ReusedLumps::FaceBrushes(face_brushes()),
    });
    // Of one displacement, with bytes that mean something to the physics library only.
    let hulls = Some(vec![Some(vec![1, 0, 0, 0, 7])]);
    map.disp_hulls = Uncertain::Typed(DispHulls { hulls });
    if version >= 20 {
        map.face_ids = vec![11, 12, 13];
        map.faces_hdr = map.faces.clone();
        map.lighting_hdr = map.lighting.clone();
        map.world_lights_hdr = map.world_lights.clone();
        map.flags = Some(0);
    }
    map
}

fn model(head_node: i32, n_faces: i32) -> Model {
    Model {
        mins: [-64.0, -64.0, -16.0],
        maxs: [192.0, 64.0, 64.0],
        head_node,
        n_faces,
        ..Model::default()
    }
}

fn add_surfaces(map: &mut Map, version: u32) {
    // The six sides of the floor, and the plane between the rooms; beside each its opposite.
    let planes = [
        (0, 64.0),
        (0, -64.0),
        (1, 64.0),
        (1, -64.0),
        (2, 0.0),
        (2, -16.0),
        (0, 0.0),
    ];
    for (axis, dist) in planes {
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        let kind = axis as i32;
        map.planes.push(Plane { normal, dist, kind });
        let normal = normal.map(|c: f32| 0.0 - c);
        let dist = 0.0 - dist;
        map.planes.push(Plane { normal, dist, kind });
    }
    let sides = [0, 3, 4, 7, 8, 11];
    map.brush_sides = sides
        .map(|plane| BrushSide {
            plane,
            ..BrushSide::default()
        })
        .to_vec();
    map.brushes = vec![Brush {
        first_side: 0,
        n_sides: 6,
        contents: 1,
    }];
    let corners = [
        (-64, -64),
        (0, -64),
        (64, -64),
        (64, 64),
        (0, 64),
        (-64, 64),
        (128, -64),
        (128, 64),
        (192, 64),
        (192, -64),
    ];
    map.vertices = corners.map(|(x, y)| [x as f32, y as f32, 0.0]).to_vec();
    // The upper corners of the portal between the rooms.
    map.vertices.extend([[0.0, 64.0, 64.0], [0.0, -64.0, 64.0]]);
    let edges = [
        [0, 0],
        [1, 4],
        [4, 3],
        [3, 2],
        [2, 1],
        [0, 5],
        [5, 4],
        [1, 0],
        [6, 7],
        [7, 8],
        [8, 9],
        [9, 6],
    ];
    map.edges = edges.map(|vertices| Edge { vertices }).to_vec();
    map.surfedges = vec![1, 2, 3, 4, 5, 6, -1, 7, 8, 9, 10, 11];
    let has_averages = version < 19;
    let face = |index: i32, mins: [i32; 2], size: [i32; 2], light_offset: i32| Face {
        plane: 8,
        on_node: u8::from(index < 2),
        first_edge: 4 * index,
        n_edges: 4,
        disp_info: -1,
        surface_fog_volume: -1,
        styles: [0, 255, 255, 255, 255, 255, 255, 255],
        light_offset,
        area: 8192.0,
        lightmap_mins: mins,
        lightmap_size: size,
        original_face: index.min(1),
        smoothing_groups: 1,
        v17_average_light: if has_averages {
            averages(version)
        } else {
            Default::default()
        },
        v17_day_night_styles: [[255; 8]; 2],
        ..Face::default()
    };
    map.faces = vec![
        face(0, [0, -4], [4, 8], 4),
        face(1, [-4, -4], [4, 8], 188),
        Face {
            disp_info: 0,
            ..face(2, [8, -4], [5, 9], 372)
        },
    ];
    map.original_faces = map.faces.clone();
    for original in &mut map.original_faces {
        // As compilers leave them: texinfo no longer fits.
        (original.texinfo, original.original_face, original.disp_info) = (700, -1, -1);
    }
    if version >= 18 {
        (map.faces[0].n_primitives, map.faces[0].shadow_bit) = (1, true);
        map.primitives = vec![Primitive {
            n_indices: 6,
            ..Primitive::default()
        }];
        map.primitive_indices = vec![0, 1, 2, 0, 2, 3];
    }
    map.vertex_normals = vec![[0.0, 0.0, 1.0]];
    map.vertex_normal_indices = vec![0; 12];
    map.texinfos = vec![Texinfo {
        texture_vecs: [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]],
        lightmap_vecs: [[0.0625, 0.0, 0.0, 0.0], [0.0, 0.0625, 0.0, 0.0]],
        ..Texinfo::default()
    }];
    let size = [64, 64];
    map.texdata = vec![Texdata {
        reflectivity: [0.5; 3],
        size,
        view_size: size,
        ..Texdata::default()
    }];
    map.texture_name_offsets = vec![0];
    map.texture_names = b"DEV/FLOOR\0".to_vec();
}

/// Average light of faces in old versions: of four styles, or of eight.
fn averages(version: u32) -> [Rgbe; 8] {
    let n_styles = if version == 17 { 8 } else { 4 };
    let mut averages = [Rgbe::default(); 8];
    for (k, average) in averages.iter_mut().take(n_styles).enumerate() {
        *average = Rgbe {
            mantissas: [k as u8, 2, 3],
            exponent: -1,
        };
    }
    averages
}

fn add_tree(map: &mut Map, version: u32) {
    let node = |plane, children, first_face, n_faces| Node {
        plane,
        children,
        mins: [-64.0, -64.0, -16.0],
        maxs: [64.0; 3],
        first_face,
        n_faces,
        ..Node::default()
    };
    map.nodes = vec![
        node(12, [1, 2], 0, 0),
        node(8, [-2, -3], 0, 1),
        node(8, [-4, -5], 1, 1),
    ];
    let solid = Leaf {
        contents: 1,
        cluster: -1,
        n_leaf_brushes: 1,
        water: -1,
        ..Leaf::default()
    };
    let room = |cluster| Leaf {
        cluster,
        area: 1,
        flags: 2,
        mins: [-64.0, -64.0, 0.0],
        maxs: [64.0; 3],
        first_leaf_face: cluster as u32,
        n_leaf_faces: 1,
        water: if cluster == 1 { 0 } else { -1 },
        ..Leaf::default()
    };
    map.leaves = vec![
        Leaf {
            cluster: 0,
            n_leaf_brushes: 0,
            ..solid
        },
        room(0),
        solid,
        room(1),
        Leaf {
            first_leaf_brush: 1,
            ..solid
        },
        Leaf {
            n_leaf_brushes: 0,
            ..solid
        },
    ];
    map.leaf_faces = vec![0, 1];
    map.leaf_brushes = vec![0, 0];
    map.leaf_min_dist_to_water = vec![65_535; 6];
    map.leaf_water = vec![LeafWater {
        surface_z: 8.0,
        ..LeafWater::default()
    }];
    let light = Rgbe {
        mantissas: [200, 100, 50],
        exponent: -9,
    };
    if version == 19 {
        for leaf in &mut map.leaves {
            leaf.v0_ambient = [light; 6];
        }
    }
    if version >= 20 {
        let index = |first_sample| LeafAmbientIndex {
            n_samples: 1,
            first_sample,
        };
        map.ambient_index = (0..6).map(index).collect();
        // No samples, but a leaf that has some, beyond the number of samples.
        map.ambient_index[5] = LeafAmbientIndex {
            n_samples: 0,
            first_sample: 9,
        };
        let sample = LeafAmbientSample {
            cube: [light; 6],
            place: [1, 2, 3],
            unknown_1b: 0,
        };
        map.ambient_samples = vec![sample; 5];
        map.ambient_index_hdr = map.ambient_index.clone();
        map.ambient_samples_hdr = map.ambient_samples.clone();
    }
}

fn add_displacement(map: &mut Map, version: u32) {
    let none = if version >= 25 { u32::MAX } else { 0xFFFF };
    let nobody = SubNeighbor {
        disp_info: none,
        ..SubNeighbor::default()
    };
    map.disp_infos = vec![DispInfo {
        start_position: [128.0, 64.0, 0.0],
        power: 2,
        min_tess: i32::MIN,
        contents: 1,
        map_face: 2,
        edge_neighbors: [[nobody; 2]; 4],
        allowed_verts: [u32::MAX; 10],
        ..DispInfo::default()
    }];
    let vert = |index: usize| DispVert {
        vector: [0.0, 0.0, 1.0],
        dist: (index % 7) as f32,
        alpha: 10.0 * index as f32,
    };
    map.disp_verts = (0..25).map(vert).collect();
    if version > 17 {
        map.disp_tris = (0..32).map(|index| [6, 2][index % 2]).collect();
    }
    map.disp_sample_positions = vec![0, 255, 0, 0];
}

/// The one portal of both rooms.
pub fn portals() -> VisPortals {
    let cluster = |first_portal| VisCluster {
        first_portal,
        n_portals: 1,
    };
    VisPortals {
        portals: vec![VisPortal {
            first_vertex: 0,
            n_vertices: 4,
            plane: 12,
            clusters: [0, 1],
        }],
        clusters: vec![cluster(0), cluster(1)],
        vertex_indices: vec![1, 4, 10, 11],
        portal_indices: vec![0, 0],
    }
}

/// A prop of two tetrahedrons.
pub fn prop_collision() -> PropCollision {
    let hull = |first_vertex| PropHull {
        n_vertices: 4,
        first_vertex,
        surface_property: 3,
        contents: 1,
    };
    let triangles = |first_index| PropTriangles {
        first_index,
        n_indices: 12,
    };
    let corners = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    PropCollision {
        props: vec![PropHulls {
            n_hulls: 2,
            first_hull: 0,
        }],
        hulls: vec![hull(0), hull(4)],
        vertices: [corners, corners].concat(),
        triangles: vec![triangles(0), triangles(12)],
    }
}

/// Faces of the one brush; the last is said to be of it and of itself.
pub fn face_brushes() -> FaceBrushes {
    let list = |n_brushes, start| FaceBrushList { n_brushes, start };
    FaceBrushes {
        lists: vec![list(1, 0), list(1, 0), list(2, 0)],
        brushes: vec![0, 0],
    }
}

fn add_decoration(map: &mut Map, version: u32) {
    map.world_lights = vec![WorldLight {
        origin: [1.0, 2.0, 3.0],
        intensity: [4.0, 5.0, 6.0],
        shadow_cast_offset: if version >= 21 { [7.0; 3] } else { [0.0; 3] },
        kind: 1,
        attenuation: [0.0, 0.0, 1.0],
        ..WorldLight::default()
    }];
    map.overlays = vec![Overlay {
        id: 3,
        render_order: 2,
        faces: vec![0, 1],
        unknown_faces: vec![-1; 62],
        u: [0.0, 1.0],
        v: [0.25, 0.75],
        corners: [[-8.0, -8.0], [-8.0, 8.0], [8.0, 8.0], [8.0, -8.0]],
        basis_u: [1.0, 0.0, 0.0],
        is_v_flipped: true,
        unknown_flip: 1.0,
        origin: [0.0, 0.0, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..Overlay::default()
    }];
    map.overlay_fades = vec![[-1.0, 0.0]];
    map.overlay_levels = vec![OverlayLevels {
        min_cpu: 0,
        max_cpu: 3,
        min_gpu: 1,
        max_gpu: 2,
    }];
    map.disp_luxel_alphas = vec![0, 127, 255];
    map.disp_multi_blend = vec![DispMultiBlend {
        blend: [1.0, 0.5, 0.0, 0.25],
        alpha: [0.0, 1.0, 0.75, 0.5],
        colors: [[1.0, 0.5, 0.25]; 4],
    }];
    map.cubemaps = vec![CubemapSample {
        origin: [1, -2, 3],
        size: 6,
        unknown_0d: [0; 3],
    }];
    map.face_macro_texture = vec![65_535; 3];
    map.occlusion = Occlusion {
        occluders: vec![Occluder {
            n_polys: 1,
            mins: [-1.0; 3],
            maxs: [1.0; 3],
            area: if version >= 19 { 1 } else { 0 },
            ..Occluder::default()
        }],
        polys: vec![OccluderPoly {
            first_vertex_index: 0,
            n_vertices: 3,
            plane: 8,
        }],
        vertex_indices: vec![0, 1, 2],
    };
}
