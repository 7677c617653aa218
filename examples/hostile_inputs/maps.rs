//! Maps of the Source engine whose parts all refer to each other, or are packed.

use std::io::Write;

use ironlands::assets::unpack::DEFAULT_LIMIT;
use ironlands::worlds::source::formats::bsp::{
    Area, AreaPortal, Brush, BrushSide, BspFile, Edge, Face, Leaf, LeafAmbientIndex,
    LeafAmbientSample, LumpId, Map, Model, Node, Overlay, Plane, Texdata, Texinfo, Visibility,
    WorldLight,
};
use lzma_rust2::{LzmaOptions, LzmaWriter};

use crate::{LOOK, RENDER, Row};

const OF_MAP: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["export", "{}", "--to", "{to}.vmf"],
    &["export", "{}", "--to", "{to}.glb"],
    RENDER,
];

pub const CASES: &[Row] = &[
    ("sound.bsp", OF_MAP, || file(&map(&Parts::default()), "")),
    ("boxes.bsp", OF_MAP, || {
        let parts = Parts {
            n_faces: 15_000,
            n_leaves: 30_000,
            ..Parts::default()
        };
        file(&map(&parts), "")
    }),
    ("moved_boxes.bsp", OF_MAP, || {
        let parts = Parts {
            n_leaves: 25_000,
            n_brush_faces: 1,
            ..Parts::default()
        };
        file(&map(&parts), &"{\"model\" \"*1\"}\n".repeat(100_000))
    }),
    ("triggers.bsp", OF_MAP, || {
        let parts = Parts {
            n_brush_faces: 20_000,
            ..Parts::default()
        };
        let trigger = "{\"classname\" \"trigger_a\" \"model\" \"*1\"}\n";
        file(&map(&parts), &trigger.repeat(50_000))
    }),
    ("colors.bsp", OF_MAP, || {
        let parts = Parts {
            n_brush_faces: 20_000,
            ..Parts::default()
        };
        let wall = |n| {
            format!(
                "{{\"model\" \"*1\" \"rendercolor\" \"{} {} 0\"}}\n",
                n % 256,
                n / 256
            )
        };
        file(&map(&parts), &(0..50_000).map(wall).collect::<String>())
    }),
    ("long_name.bsp", OF_MAP, || {
        let parts = Parts {
            n_faces: 20_000,
            name_len: 2_000_000,
            ..Parts::default()
        };
        file(&map(&parts), "")
    }),
    ("names.bsp", OF_MAP, names),
    ("overlays.bsp", OF_MAP, overlays),
    ("water.bsp", OF_MAP, water),
    ("portals.bsp", OF_MAP, portals),
    ("clusters.bsp", OF_MAP, clusters),
    ("leaf_faces.bsp", OF_MAP, leaf_faces),
    ("brushes.bsp", OF_MAP, brushes),
    ("large_brush.bsp", OF_MAP, large_brush),
    ("faces.bsp", OF_MAP, || {
        let parts = Parts {
            n_faces: 55_000,
            ..Parts::default()
        };
        file(&map(&parts), "")
    }),
    ("packed_vertices.bsp", LOOK, || packed(LumpId::Vertexes, 0)),
    ("packed_edges.bsp", LOOK, || packed(LumpId::Edges, 0)),
    ("packed_brushes.bsp", LOOK, || packed(LumpId::Brushes, 0)),
    ("packed_leaves.bsp", LOOK, || packed(LumpId::Leafs, 1)),
    ("packed_texinfos.bsp", LOOK, || packed(LumpId::Texinfo, 0)),
    ("packed_lights.bsp", LOOK, || packed(LumpId::Worldlights, 0)),
    ("packed_overlays.bsp", LOOK, || packed(LumpId::Overlays, 0)),
    ("packed_indices.bsp", LOOK, || {
        packed(LumpId::PrimIndices, 0)
    }),
    ("packed_areas.bsp", LOOK, || packed(LumpId::Areas, 0)),
    ("packed_names.bsp", LOOK, || {
        packed(LumpId::TexdataStringData, 0)
    }),
    ("packed_entities.bsp", LOOK, || packed(LumpId::Entities, 0)),
    ("packed_lighting.bsp", LOOK, || packed(LumpId::Lighting, 0)),
];

/// How much there is of what.
struct Parts {
    /// Faces of the world, each as large as it, in no leaf.
    n_faces: usize,
    /// Faces of the second model.
    n_brush_faces: usize,
    n_leaves: usize,
    name_len: usize,
    flags: i32,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            n_faces: 1,
            n_brush_faces: 0,
            n_leaves: 2,
            name_len: 8,
            flags: 0,
        }
    }
}

fn map(parts: &Parts) -> Map {
    let n_faces = parts.n_faces + parts.n_brush_faces;
    let mut map = Map {
        planes: [1.0, -1.0]
            .map(|x| Plane {
                normal: [x, 0.0, 0.0],
                dist: 0.0,
                kind: 0,
            })
            .to_vec(),
        vertices: vec![[-64.0, 0.0, 0.0], [64.0, 0.0, 0.0], [0.0, 0.0, 64.0]],
        edges: [[0, 0], [0, 1], [1, 2], [2, 0]]
            .map(|vertices| Edge { vertices })
            .to_vec(),
        surfedges: [1, 2, 3].repeat(n_faces),
        faces: (0..n_faces).map(face).collect(),
        texinfos: vec![Texinfo {
            texture_vecs: [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
            lightmap_vecs: [[0.1, 0.0, 0.0, 6.4], [0.0, 0.0, 0.1, 0.0]],
            flags: parts.flags,
            texdata: 0,
        }],
        texdata: vec![Texdata {
            size: [64; 2],
            view_size: [64; 2],
            ..Texdata::default()
        }],
        texture_name_offsets: vec![0],
        texture_names: [vec![b'a'; parts.name_len], vec![0]].concat(),
        models: vec![
            model(0, 0, parts.n_faces),
            model(-1, parts.n_faces, parts.n_brush_faces),
        ],
        areas: vec![Area::default()],
        lighting: vec![0; 4],
        world_lights: vec![WorldLight::default()],
        ..Map::default()
    };
    add_tree(&mut map, parts.n_leaves);
    map
}

fn face(index: usize) -> Face {
    Face {
        first_edge: 3 * index as i32,
        n_edges: 3,
        disp_info: -1,
        light_offset: -1,
        area: 4096.0,
        original_face: -1,
        ..Face::default()
    }
}

fn model(head_node: i32, first_face: usize, n_faces: usize) -> Model {
    Model {
        head_node,
        first_face: first_face as i32,
        n_faces: n_faces as i32,
        ..Model::default()
    }
}

/// A tree as flat as can be, every plane of which goes through the middle; a cluster for each leaf.
fn add_tree(map: &mut Map, n_leaves: usize) {
    let n_nodes = n_leaves - 1;
    let child = |index: usize| match index < n_nodes {
        true => index as i32,
        false => -2 - (index - n_nodes) as i32,
    };
    map.nodes = (0..n_nodes)
        .map(|index| Node {
            children: [child(2 * index + 1), child(2 * index + 2)],
            ..Node::default()
        })
        .collect();
    let n_clusters = n_leaves.min(i16::MAX as usize);
    let leaf = |index: usize| Leaf {
        cluster: (index % n_clusters) as i32,
        water: -1,
        ..Leaf::default()
    };
    let solid = Leaf {
        cluster: -1,
        ..leaf(0)
    };
    map.leaves = [solid].into_iter().chain((0..n_leaves).map(leaf)).collect();
    let first_row = 4 + 8 * n_clusters as i32;
    map.visibility = Some(Visibility {
        row_offsets: vec![[first_row; 2]; n_clusters],
        rows: row_of_zeros(n_clusters.div_ceil(8)),
    });
}

/// In runs of at most 255 bytes.
fn row_of_zeros(n_bytes: usize) -> Vec<u8> {
    let runs = (0..n_bytes).step_by(255);
    let runs = runs.flat_map(|start| [0, (n_bytes - start).min(255) as u8]);
    runs.collect()
}

fn file(map: &Map, entities: &str) -> Vec<u8> {
    let mut file = BspFile::new(20);
    map.write_into(&mut file).expect("few records");
    let world = "{\n\"classname\" \"worldspawn\"\n}\n";
    let text = [world.as_bytes(), entities.as_bytes(), b"\0"].concat();
    file.set_lump(LumpId::Entities, 0, text);
    file.write().expect("4 MB")
}

/// Each texture has the name of the one before without its first letter.
fn names() -> Vec<u8> {
    let n_names = 25_000;
    let mut map = map(&Parts {
        n_faces: n_names,
        name_len: n_names,
        ..Parts::default()
    });
    map.texture_name_offsets = (0..n_names as i32).collect();
    map.texdata = (0..n_names as i32)
        .map(|name| Texdata {
            name,
            ..map.texdata[0]
        })
        .collect();
    map.texinfos = (0..n_names as i32)
        .map(|texdata| Texinfo {
            texdata,
            ..map.texinfos[0]
        })
        .collect();
    map.texinfos.truncate(8_000);
    for (index, face) in map.faces.iter_mut().enumerate() {
        face.texinfo = (index % 8_000) as i32;
    }
    file(&map, "")
}

/// Pictures that each lie sixty-four times on a face of many corners.
fn overlays() -> Vec<u8> {
    let n_corners = 30_000;
    let mut map = map(&Parts::default());
    map.vertices = (0..n_corners)
        .map(|corner| {
            let (sin, cos) = (corner as f32 / n_corners as f32 * std::f32::consts::TAU).sin_cos();
            [64.0 * cos, 0.0, 64.0 * sin]
        })
        .collect();
    let edges = (0..n_corners).map(|corner| [corner, (corner + 1) % n_corners]);
    map.edges = edges.map(|vertices| Edge { vertices }).collect();
    map.surfedges = (0..n_corners as i32).collect();
    map.faces[0].n_edges = n_corners as i32;
    let overlay = Overlay {
        faces: vec![0; 64],
        u: [0.0, 1.0],
        v: [0.0, 1.0],
        corners: [[-64.0, -64.0], [-64.0, 64.0], [64.0, 64.0], [64.0, -64.0]],
        basis_u: [1.0, 0.0, 0.0],
        normal: [0.0, 1.0, 0.0],
        ..Overlay::default()
    };
    map.overlays = vec![overlay; 8_000];
    file(&map, "")
}

/// Faces of water that all are lit by the many samples of one leaf.
fn water() -> Vec<u8> {
    let mut map = map(&Parts {
        n_faces: 20_000,
        flags: 0x8,
        ..Parts::default()
    });
    let n_samples = 60_000;
    map.ambient_samples = vec![LeafAmbientSample::default(); n_samples];
    map.ambient_index = vec![LeafAmbientIndex::default(); map.leaves.len()];
    map.ambient_index[1].n_samples = n_samples as u32;
    file(&map, "")
}

/// Portals that all have the same large winding.
fn portals() -> Vec<u8> {
    let mut map = map(&Parts::default());
    map.clip_portal_vertices = vec![[0.0; 3]; 65_000];
    let portal = AreaPortal {
        n_clip_portal_vertices: 65_000,
        ..AreaPortal::default()
    };
    map.area_portals = vec![portal; 200_000];
    file(&map, "")
}

/// As many clusters as there can be, each of which sees all.
fn clusters() -> Vec<u8> {
    let mut map = map(&Parts {
        n_leaves: 32_000,
        ..Parts::default()
    });
    if let Some(visibility) = &mut map.visibility {
        visibility.rows = vec![0xFF; 4_000];
    }
    file(&map, "")
}

/// All faces in one leaf, all leaves in one cluster.
fn leaf_faces() -> Vec<u8> {
    let n_faces = 40_000;
    let mut map = map(&Parts {
        n_faces,
        ..Parts::default()
    });
    map.leaf_faces = (0..n_faces as u32).collect();
    map.leaves[1].n_leaf_faces = n_faces as u32;
    file(&map, "")
}

fn side() -> BrushSide {
    BrushSide {
        texinfo: -1,
        ..BrushSide::default()
    }
}

/// Brushes of six equal sides, in all of which one leaf lies.
fn brushes() -> Vec<u8> {
    let mut map = map(&Parts::default());
    let n_brushes = 50_000;
    map.brushes = (0..n_brushes)
        .map(|brush| Brush {
            first_side: 6 * brush,
            n_sides: 6,
            contents: 1,
        })
        .collect();
    map.brush_sides = vec![side(); 6 * n_brushes as usize];
    map.leaf_brushes = (0..n_brushes as u32).collect();
    map.leaves[1].n_leaf_brushes = n_brushes as u32;
    file(&map, "")
}

/// One brush of many sides around a ball.
fn large_brush() -> Vec<u8> {
    let mut map = map(&Parts::default());
    let n_sides = 60_000_u32;
    let plane = |side: u32| {
        let height = 1.0 - 2.0 * (side as f32 + 0.5) / n_sides as f32;
        let (sin, cos) = (side as f32 * 2.4).sin_cos();
        let around = (1.0 - height * height).sqrt();
        Plane {
            normal: [around * cos, around * sin, height],
            dist: 64.0,
            kind: 3,
        }
    };
    map.planes.extend((0..n_sides).map(plane));
    map.brush_sides = (0..n_sides)
        .map(|index| BrushSide {
            plane: index + 2,
            ..side()
        })
        .collect();
    map.brushes = vec![Brush {
        first_side: 0,
        n_sides: n_sides as i32,
        contents: 1,
    }];
    map.leaf_brushes = vec![0];
    map.leaves[1].n_leaf_brushes = 1;
    file(&map, "")
}

/// A map with a lump of as many zeros as may be, packed.
fn packed(id: LumpId, version: u32) -> Vec<u8> {
    // A multiple of the sizes of all records, just below what any file may unpack to.
    const RECORDS: usize = 176 * 32 * 9;
    const N_ZEROS: usize = DEFAULT_LIMIT as usize / RECORDS * RECORDS;
    let options = LzmaOptions::with_preset(0);
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false).expect("options");
    for _ in 0..N_ZEROS / RECORDS {
        writer.write_all(&[0; RECORDS]).expect("memory");
    }
    let properties = writer.props();
    let stream = writer.finish().expect("memory");
    let mut lump = b"LZMA".to_vec();
    lump.extend((N_ZEROS as u32).to_le_bytes());
    lump.extend((stream.len() as u32).to_le_bytes());
    lump.push(properties);
    lump.extend(options.dict_size.to_le_bytes());
    lump.extend(stream);
    let mut file = BspFile::new(20);
    file.set_lump(id, version, lump);
    let mut bytes = file.write().expect("a small file");
    let size_at = 8 + 16 * id.index() + 12;
    bytes[size_at..size_at + 4].copy_from_slice(&(N_ZEROS as u32).to_le_bytes());
    bytes
}
