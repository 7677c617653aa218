//! Small maps whose parts refer to the same things over and over: to open one is work in proportion to its size.

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::taken_by;
use ironlands_assets_source::bsp::{
    Area, AreaPortal, BspFile, Edge, Face, Leaf, LumpId, Map, Model, Node, Overlay, Plane, Texdata,
    Texinfo, Visibility, WorldLight,
};
use ironlands_assets_source::decompile::to_vmf;
use ironlands_assets_source::entities::{Entities, EntitySyntax};
use ironlands_assets_source::level::{SourceLevel, brush_entities};
use ironlands_assets_source::level_scene::{all_hidden, to_scene};

ironlands_assets_proof::count_memory!();

const MIB: usize = 1 << 20;

/// Faces of one plane, all of them of the second model but for one; a tree of this many leaves, all of whose planes go
/// through the middle of the faces.
fn map(n_faces: usize, n_leaves: usize) -> Map {
    let face = |index: usize| Face {
        first_edge: 3 * index as i32,
        n_edges: 3,
        disp_info: -1,
        light_offset: -1,
        original_face: -1,
        ..Face::default()
    };
    let model = |head_node, first_face, n_faces| Model {
        head_node,
        first_face,
        n_faces,
        ..Model::default()
    };
    let n_nodes = n_leaves - 1;
    let child = |index: usize| match index < n_nodes {
        true => index as i32,
        false => -2 - (index - n_nodes) as i32,
    };
    let node = |index: usize| Node {
        children: [child(2 * index + 1), child(2 * index + 2)],
        ..Node::default()
    };
    let leaf = |cluster: i32| Leaf {
        cluster,
        water: -1,
        ..Leaf::default()
    };
    let plane = |x| Plane {
        normal: [x, 0.0, 0.0],
        ..Plane::default()
    };
    let rows = 4 + 8 * n_leaves as i32;
    Map {
        planes: vec![plane(1.0), plane(-1.0)],
        vertices: vec![[-64.0, 0.0, 0.0], [64.0, 0.0, 0.0], [0.0, 0.0, 64.0]],
        edges: [[0, 0], [0, 1], [1, 2], [2, 0]]
            .map(|vertices| Edge { vertices })
            .to_vec(),
        surfedges: [1, 2, 3].repeat(n_faces),
        faces: (0..n_faces).map(face).collect(),
        texinfos: vec![Texinfo::default()],
        texdata: vec![Texdata::default()],
        texture_name_offsets: vec![0],
        texture_names: b"a\0".to_vec(),
        models: vec![model(0, 0, 1), model(-1, 1, n_faces as i32 - 1)],
        nodes: (0..n_nodes).map(node).collect(),
        leaves: (-1..n_leaves as i32).map(leaf).collect(),
        visibility: Some(Visibility {
            row_offsets: vec![[rows; 2]; n_leaves],
            rows: row_of_zeros(n_leaves.div_ceil(8)),
        }),
        areas: vec![Area::default()],
        world_lights: vec![WorldLight::default()],
        ..Map::default()
    }
}

/// In runs of at most 255 bytes.
fn row_of_zeros(n_bytes: usize) -> Vec<u8> {
    let runs = (0..n_bytes).step_by(255);
    let runs = runs.flat_map(|start| [0, (n_bytes - start).min(255) as u8]);
    runs.collect()
}

fn file(map: &Map, entities: &str) -> BspFile {
    let mut file = BspFile::new(20);
    map.write_into(&mut file).unwrap();
    let world = "{\"classname\" \"worldspawn\"}\n";
    let text = [world.as_bytes(), entities.as_bytes(), b"\0"].concat();
    file.set_lump(LumpId::Entities, 0, text);
    BspFile::read(&file.write().unwrap()).unwrap()
}

/// Opens a map and makes its scene: the time that it took, and the findings.
fn work_of(map: &Map, entities: &str) -> (usize, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bsp");
    let bytes = file(map, entities).write().unwrap();
    assert!(bytes.len() < 4 * MIB, "{} bytes", bytes.len());
    std::fs::write(&path, bytes).unwrap();
    let (reported, taken) = taken_by(|| {
        let level = SourceLevel::open(&path, &[], None).unwrap();
        let (scene, findings) = to_scene(&level, &all_hidden);
        scene.validate().unwrap();
        let reported = findings.iter().map(|it| &*it.message);
        reported.collect::<Vec<_>>().join("\n")
    });
    (taken, reported)
}

#[test]
fn entities_without_their_brushes_are_reported_in_one_reading_of_the_text() {
    let map = map(1, 2);
    let work = |n_entities: usize| {
        let file = file(&map, &"{\"model\" \"*9\"}\n".repeat(n_entities));
        let entities = Entities::read(file.lump(LumpId::Entities), EntitySyntax::Plain).unwrap();
        let (findings, taken) = taken_by(|| brush_entities(&file, &map, &entities));
        assert_eq!(findings.len(), n_entities);
        let start = u64::from(file.lump_offset(LumpId::Entities)) + 27;
        let offsets = findings.iter().map(|it| it.offset);
        assert!(offsets.eq((0..n_entities as u64).map(|number| Some(start + 15 * number))));
        taken
    };
    let [few, many] = [100, 1000].map(work);
    assert!(
        many <= 20 * few,
        "{few} bytes, {many} for ten times as much"
    );
}

#[test]
fn boxes_that_touch_all_leaves_cost_no_more_than_their_share() {
    // Each of these faces alone would look through the whole tree, and so would each entity.
    let mut map = map(8_000, 12_000);
    map.models.swap(0, 1);
    (map.models[0].head_node, map.models[1].head_node) = (0, -1);
    let (taken, _) = work_of(&map, "");
    assert!(taken < 1024 * MIB, "{} MiB", taken / MIB);
    let map = self::map(2, 12_000);
    let (taken, _) = work_of(&map, &"{\"model\" \"*1\"}\n".repeat(20_000));
    assert!(taken < 1024 * MIB, "{} MiB", taken / MIB);
}

#[test]
fn brushes_in_thousands_of_colors_are_drawn_in_some() {
    let map = map(8_000, 2);
    let walls = (0..2_000).map(|n| {
        format!(
            "{{\"model\" \"*1\" \"rendercolor\" \"{} {} 0\"}}\n",
            n % 256,
            n / 256
        )
    });
    let (taken, reported) = work_of(&map, &walls.collect::<String>());
    assert!(taken < 2048 * MIB, "{} MiB", taken / MIB);
    assert!(reported.contains("too many looks; "), "{reported}");
}

#[test]
fn triggers_and_portals_that_share_their_outlines_are_shown_in_part() {
    let mut map = map(8_000, 2);
    map.clip_portal_vertices = vec![[0.0; 3]; 8_000];
    let portal = AreaPortal {
        n_clip_portal_vertices: 8_000,
        ..AreaPortal::default()
    };
    map.area_portals = vec![portal; 8_000];
    let trigger = "{\"classname\" \"trigger_a\" \"model\" \"*1\"}\n";
    let (taken, _) = work_of(&map, &trigger.repeat(2_000));
    assert!(taken < 1024 * MIB, "{} MiB", taken / MIB);
}

#[test]
fn overlays_on_one_large_face_are_laid_on_it_so_often() {
    let n_corners = 2_000;
    let mut map = map(1, 2);
    map.vertices = (0..n_corners)
        .map(|corner| {
            let angle_rad = corner as f32 / n_corners as f32 * std::f32::consts::TAU;
            [64.0 * angle_rad.cos(), 0.0, 64.0 * angle_rad.sin()]
        })
        .collect();
    let edges = (0..n_corners).map(|corner| [corner, (corner + 1) % n_corners]);
    map.edges = edges.map(|vertices| Edge { vertices }).collect();
    map.surfedges = (0..n_corners as i32).collect();
    map.faces[0].n_edges = n_corners as i32;
    let overlay = Overlay {
        faces: vec![0; 64],
        unknown_faces: Vec::new(),
        corners: [[-64.0, -64.0], [-64.0, 64.0], [64.0, 64.0], [64.0, -64.0]],
        basis_u: [1.0, 0.0, 0.0],
        normal: [0.0, 1.0, 0.0],
        ..Overlay::default()
    };
    map.overlays = vec![overlay; 400];
    let (taken, reported) = work_of(&map, "");
    assert!(taken < 4096 * MIB, "{} MiB", taken / MIB);
    assert!(
        reported.contains("overlays lie on too many faces"),
        "{reported}"
    );
}

#[test]
fn a_brush_of_thousands_of_sides_is_no_solid() {
    let mut map = map(1, 2);
    map.brush_sides = vec![Default::default(); 20_000];
    map.brushes = vec![Default::default()];
    map.brushes[0].n_sides = 20_000;
    map.leaf_brushes = vec![0];
    map.leaves[1].n_leaf_brushes = 1;
    let ((vmf, findings), taken) =
        taken_by(|| to_vmf(&map, &Entities::default(), &Default::default()));
    assert!(taken < 16 * MIB, "{} MiB", taken / MIB);
    assert!(vmf.world.solids.is_empty());
    let is_reported = |it: &ironlands_assets_core::bytes::Finding| {
        it.severity == Severity::Warning && it.message.contains("too many sides")
    };
    assert!(findings.iter().any(is_reported), "{findings:?}");
}

#[test]
fn names_longer_than_a_path_are_refused() {
    let mut map = map(1, 2);
    for (len, is_read) in [(260, true), (261, false)] {
        map.texture_names = [vec![b'a'; len], vec![0]].concat();
        let read = Map::read(&file(&map, ""));
        assert_eq!(read.is_ok(), is_read, "{len} bytes");
        let message = read.err().map_or(String::new(), |error| error.to_string());
        assert!(
            is_read || message.contains("at most 260 bytes"),
            "{message}"
        );
    }
}
