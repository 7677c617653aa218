//! A small level built by hand: what the world reports.

use glam::{Vec2, Vec3};
use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_map::{Areal, EdgeLink, LandMap};
use ironlands_assets_parkan::land_msh::{Face, LandMsh, NONE, Node, Slot, SlotHeader};
use ironlands_assets_parkan::level_objects::{
    LevelComponent, LevelModel, LevelObject, LevelObjects,
};
use ironlands_assets_parkan::material_table::WearRows;
use ironlands_assets_parkan::model_scene::FirstNode;
use ironlands_assets_parkan::msh::{
    DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft,
};
use ironlands_assets_parkan::nres::NRes;
use ironlands_assets_parkan::wear::{Wear, WearRow};
use ironlands_scene::Affine;
use ironlands_scene::TileShape;
use ironlands_sim_core::triangles::{Overlap, TriangleError};
use ironlands_sim_core::{MaskFilter, Ray};
use ironlands_sim_world::{Clock, Play, Poses};
use ironlands_sim_world::{World, WorldHit};
use ironlands_world_parkan::ParkanWorld;
use ironlands_world_parkan::terrain::{self, FaceMaterials, TerrainError};

const ALL: MaskFilter = MaskFilter::ALL;
const WATER: u32 = 0x2_0000;

/// Two tiles in x, each a square of side 10; the file holds the second tile's faces first, then a coarse face
/// over all at z = 50 (LOD1), then the first tile's. Over the second tile lies water at z = 3; its bed is at 1.
fn land() -> LandMsh {
    let mut positions = Vec::new();
    let mut faces = Vec::new();
    let mut square = |x: f32, z: f32, flags: u32, second: u8| {
        let first = positions.len() as u16;
        positions.extend([
            [x, 0.0, z],
            [x + 10.0, 0.0, z],
            [x + 10.0, 10.0, z],
            [x, 10.0, z],
        ]);
        for vertices in [[first, first + 1, first + 2], [first, first + 2, first + 3]] {
            faces.push(face(vertices, flags, second));
        }
    };
    square(10.0, 1.0, 0x10_0400, 1); // faces 0, 1: bed
    square(10.0, 3.0, WATER, 0xFF); // faces 2, 3: water
    square(0.0, 50.0, 0, 0xFF); // faces 4, 5: LOD1
    square(0.0, 2.0, 0, 7); // faces 6, 7: the first tile
    let slots = vec![slot(6, 2), slot(0, 4), slot(4, 2)];
    let node = |lod0: u16| {
        let mut slots = [NONE; 15];
        slots[0] = lod0;
        slots[1] = 2;
        Node {
            header: [0, NONE, NONE, NONE],
            slots,
        }
    };
    LandMsh {
        cells_x: 2,
        nodes: vec![node(0), node(1)],
        header: header([0.0, 0.0, 1.0], [20.0, 10.0, 3.0]),
        slots,
        normals: vec![[0, 0, 127, 0]; positions.len()],
        uv0: vec![[0; 2]; positions.len()],
        micro_uv: vec![[0; 2]; positions.len()],
        positions,
        second_weights: None,
        face_keys: Vec::new(),
        faces,
        container: NRes::new(),
    }
}

fn face(vertices: [u16; 3], flags: u32, second_material: u8) -> Face {
    Face {
        flags: FaceFlags::from_bits_retain(flags),
        first_material: 1,
        second_material,
        unknown_06: 0xFFFF,
        vertices,
        neighbors: [NONE; 3],
        normal: [0, 0, 32767],
        edge_class: 0x3F,
        unknown_1b: 0,
    }
}

fn slot(tri_start: u16, tri_count: u16) -> Slot {
    Slot {
        tri_start,
        tri_count,
        batch_start: 0,
        batch_count: 0,
        aabb_min: [0.0; 3],
        aabb_max: [10.0; 3],
        sphere_center: [5.0; 3],
        sphere_radius: 9.0,
        unknown_30: [0; 5],
    }
}

fn header([x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3]) -> SlotHeader {
    SlotHeader {
        corners: [
            [x0, y0, z0],
            [x1, y0, z0],
            [x1, y1, z0],
            [x0, y1, z0],
            [x0, y1, z1],
            [x0, y0, z1],
            [x1, y0, z1],
            [x1, y1, z1],
        ],
        sphere_center: [10.0, 5.0, 2.0],
        sphere_radius: 12.0,
        capsule_a: [0.0; 3],
        capsule_b: [0.0; 3],
        capsule_radius: 0.0,
    }
}

/// Two areals over the two tiles, linked; the grid lists the left one in the left cell only.
fn map() -> LandMap {
    let areal = |x: f32, class_id: u32, links: [EdgeLink; 4]| Areal {
        anchor: [x + 5.0, 5.0, 2.0],
        reserved_0c: 0.0,
        area_metric: 100.0,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 0,
        reserved_24: 0,
        class_id,
        reserved_2c: 0,
        vertices: vec![
            [x, 0.0, 2.0],
            [x + 10.0, 0.0, 2.0],
            [x + 10.0, 10.0, 2.0],
            [x, 10.0, 2.0],
        ],
        edge_links: links.to_vec(),
        polygons: Vec::new(),
    };
    let none = EdgeLink {
        areal: -1,
        edge: -1,
    };
    LandMap {
        areals: vec![
            areal(0.0, 40, [none, EdgeLink { areal: 1, edge: 3 }, none, none]),
            areal(10.0, 41, [none, none, none, EdgeLink { areal: 0, edge: 1 }]),
        ],
        cells_x: 2,
        cells_y: 1,
        cells: vec![vec![0], vec![1]],
        container: NRes::new(),
    }
}

fn wear(names: &[&str]) -> Wear {
    let row = |name: &&str| WearRow {
        legacy_id: 0,
        name: name.as_bytes().to_vec(),
    };
    Wear::new(names.iter().map(row).collect(), None)
}

fn world() -> ParkanWorld {
    let (surfaces, microtextures) = (wear(&["B_S0", "L04"]), wear(&["DEFAULT", "L05"]));
    ParkanWorld::new(&land(), Some(&map()), Some(&surfaces), Some(&microtextures))
        .expect("a valid level")
}

fn down(x: f32, y: f32) -> Ray {
    Ray {
        origin: Vec3::new(x, y, 100.0),
        direction: Vec3::NEG_Z,
    }
}

#[test]
fn only_the_finest_faces_are_there_in_tile_order() {
    let index = terrain::index(&land()).expect("a valid level");
    let mut faces = Vec::new();
    index.faces_in_aabb(
        Vec3::splat(-100.0),
        Vec3::splat(100.0),
        ALL,
        Overlap::Bounds,
        &mut faces,
    );
    faces.sort_unstable();
    assert_eq!(faces, [0, 1, 2, 3, 6, 7]);
    assert_eq!(
        index.height_at(7.0, 2.0, ALL).map(|hit| (hit.face, hit.z)),
        Some((6, 2.0))
    );
    assert_eq!(index.face_mask(4), None);
    let material = index.face_material(6).map(FaceMaterials::from_word);
    assert_eq!(material.map(|rows| rows.first), Some(1));
    assert_eq!(
        index.bounds(),
        (Vec3::new(0.0, 0.0, 1.0), Vec3::new(20.0, 10.0, 3.0))
    );
}

#[test]
fn a_slot_that_two_tiles_name_is_held_once_and_a_tile_may_be_empty() {
    let mut land = land();
    land.nodes[1].slots[0] = 0;
    assert_eq!(terrain::index(&land).map(|index| index.n_faces()), Ok(2));
    land.nodes[1].slots[0] = NONE;
    assert_eq!(terrain::index(&land).map(|index| index.n_faces()), Ok(2));
}

#[test]
fn broken_levels_are_named() {
    let error_of = |damage: fn(&mut LandMsh)| {
        let mut land = land();
        damage(&mut land);
        terrain::index(&land).err()
    };
    let error = error_of(|land| land.nodes[1].slots[0] = 3);
    assert_eq!(
        error,
        Some(TerrainError::SlotOutOfRange {
            tile: 1,
            slot: 3,
            n_slots: 3
        })
    );
    let error = error_of(|land| land.slots[0].tri_count = 3);
    assert_eq!(
        error,
        Some(TerrainError::FacesOutOfRange {
            slot: 0,
            end: 9,
            n_faces: 8
        })
    );
    let error = error_of(|land| land.faces[7].vertices[2] = 16);
    assert_eq!(
        error,
        Some(TerrainError::Triangles(TriangleError::VertexOutOfRange {
            face: 7,
            vertex: 16,
            n_vertices: 16
        }))
    );
}

#[test]
fn walkers_stand_on_the_bed_and_are_lifted_out_of_the_ground() {
    let world = world();
    for (x, y, z, ground) in [
        (5.0, 5.0, 10.0, Some(2.0)),
        (5.0, 5.0, 2.0, Some(2.0)),
        (5.0, 5.0, 1.0, Some(2.0)),   // sunk
        (15.0, 5.0, 10.0, Some(1.0)), // not the water at 3
        (15.0, 5.0, 0.0, Some(1.0)),
        (-1.0, 5.0, 10.0, None),
        (f32::NAN, 5.0, 10.0, None),
    ] {
        assert_eq!(world.ground_below(x, y, z), ground, "({x}, {y}, {z})");
    }
}

#[test]
fn walkers_sink_through_water_and_are_held_by_its_bed() {
    let (a, b) = (Vec3::new(13.0, 4.0, 6.0), Vec3::new(13.0, 4.0, 7.0));
    let way = world().slide(a, b, 0.3, Vec3::new(2.0, 0.0, -9.0));
    // A hundredth of the radius is kept to the bed at 1, and the rest slides along it.
    assert!(way.abs_diff_eq(Vec3::new(2.0, 0.0, -4.697), 1e-4), "{way}");
    // In the air a step is made as it is, however little of it the sum with a position would leave.
    let step = Vec3::new(1e-4, -3e-4, 1e-7);
    assert_eq!(world().slide(a, b, 0.3, step), step);
    let lost = world().slide(a, b, 0.3, Vec3::new(f32::NAN, 0.0, 0.0));
    assert_eq!(lost, Vec3::ZERO);
}

#[test]
fn rays_meet_water_and_normals_look_back_at_them() {
    let world = world();
    let hit = world
        .cast_ray(&down(17.0, 2.0), 200.0, &Poses::default())
        .expect("water is below");
    assert_eq!(
        (hit.element, hit.t, hit.position),
        (2, 97.0, Vec3::new(17.0, 2.0, 3.0))
    );
    assert_eq!(hit.normal, Vec3::Z);
    let up = Ray {
        origin: Vec3::new(17.0, 2.0, 0.0),
        direction: Vec3::Z,
    };
    let hit = world
        .cast_ray(&up, 200.0, &Poses::default())
        .expect("the bed is above");
    assert_eq!((hit.element, hit.normal), (0, Vec3::NEG_Z));
    assert_eq!(
        world.bounds(),
        (Vec3::new(0.0, 0.0, 1.0), Vec3::new(20.0, 10.0, 3.0))
    );
}

#[test]
fn facts_name_flags_materials_and_areals() {
    let world = world();
    let facts = |element: u32, x: f32| {
        let hit = WorldHit {
            element,
            t: 1.0,
            position: Vec3::new(x, 5.0, 2.0),
            normal: Vec3::Z,
        };
        let facts = world
            .describe(&hit)
            .into_iter()
            .map(|fact| format!("{}: {}", fact.label, fact.value));
        facts.collect::<Vec<_>>()
    };
    assert_eq!(
        facts(0, 15.0),
        [
            "position: 15.00 5.00 2.00",
            "face: 0",
            "flags: microtexture, 0x100000",
            "mask: 0x00100400",
            "compact mask: main 0x0080, material 0x00",
            "first material: 1, L04",
            "second material: 1, L04",
            "microtexture: 1, L05",
            "areal: 1",
            "areal class: 41",
            "areal neighbors: 0",
        ]
    );
    assert_eq!(
        facts(2, 15.0)[2..8],
        [
            "flags: water",
            "mask: 0x00020000",
            "compact mask: main 0x0200, material 0x00",
            "first material: 1, L04",
            "second material: none",
            "microtexture: none",
        ]
    );
    assert_eq!(
        facts(6, 5.0)[6..9],
        [
            "second material: 7, not in the table",
            "microtexture: none",
            "areal: 0"
        ]
    );
    assert_eq!(facts(6, 50.0)[8..], ["areal: none"]);
    assert!(facts(4, 5.0).is_empty(), "a LOD1 face is not in the world");
    assert!(facts(99, 5.0).is_empty());
}

#[test]
fn a_level_without_areals_and_tables_is_a_world_too() {
    let world = ParkanWorld::new(&land(), None, None, None).expect("a valid level");
    let hit = world
        .cast_ray(&down(5.0, 2.0), 200.0, &Poses::default())
        .expect("ground is below");
    let facts = world.describe(&hit);
    let values: Vec<_> = facts.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(values[values.len() - 2..], ["7, not in the table", "none"]);
    assert_eq!(
        world.outline(&hit, &Poses::default(), TileShape::Slopes),
        [[
            Vec3::new(0.0, 0.0, 2.0),
            Vec3::new(10.0, 0.0, 2.0),
            Vec3::new(10.0, 10.0, 2.0)
        ]]
    );
    assert!(
        world
            .outline(
                &WorldHit { element: 4, ..hit },
                &Poses::default(),
                TileShape::Slopes
            )
            .is_empty()
    );
    assert!(world.areals().is_none());
}

#[test]
fn the_areal_grid_lies_over_the_header_box() {
    // A grid that lies wrong is made good by the full scan, so the order of an overlap shows where it lies.
    let mut map = map();
    map.areals.push(map.areals[1].clone());
    map.cells = vec![vec![0], vec![2, 1]];
    let world = ParkanWorld::new(&land(), Some(&map), None, None).expect("a valid level");
    let areals = world.areals().expect("a map was given");
    assert_eq!(areals.areal_at(Vec2::new(10.5, 5.0)), Some(2));
    assert_eq!(areals.areal_at(Vec2::new(9.5, 5.0)), Some(0));
}

/// A crate's lid: one triangle three units above the ground of the first tile.
fn lid() -> LevelObjects {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..DraftVertex::default()
    };
    let draft = ModelDraft {
        nodes: vec![DraftNode {
            name: b"lid".to_vec(),
            keys: vec![DraftKey {
                time: 0.0,
                position: [0.0; 3],
                rotation: [1.0, 0.0, 0.0, 0.0],
            }],
            pieces: vec![DraftPiece {
                batches: vec![DraftBatch {
                    triangles: vec![[corner(0.0, 0.0), corner(4.0, 0.0), corner(0.0, 4.0)]],
                    ..DraftBatch::default()
                }],
                ..DraftPiece::default()
            }],
            ..DraftNode::default()
        }],
        ..ModelDraft::default()
    };
    LevelObjects {
        basements: Vec::new(),
        models: vec![LevelModel {
            name: "static.rlb/CRATE.MSH".to_owned(),
            msh: draft.build().expect("a sound draft").into(),
            rows: WearRows::default(),
            first_node: FirstNode::Own,
        }],
        objects: vec![LevelObject {
            name: "crate".to_owned(),
            world_from_object: Affine([
                [1.0, 0.0, 0.0, 4.0],
                [0.0, 1.0, 0.0, 1.0],
                [0.0, 0.0, 1.0, 5.0],
            ]),
            components: vec![LevelComponent {
                model: 0,
                attached_to: None,
            }],
            movement: None,
        }],
    }
}

#[test]
fn a_ray_meets_what_stands_on_the_ground_before_the_ground() {
    let world = world().with_level_objects(&lid()).expect("a sound model");
    let mut poses = Poses::default();
    let clock = Clock {
        time_secs: 0.0,
        play: Play::Level,
    };
    world.pose(&clock, &mut poses);
    let ray = down(5.0, 2.0);
    let hit = world.cast_ray(&ray, 200.0, &poses).expect("the lid");
    assert_eq!(hit.position.z, 5.0);
    let facts = world.describe(&hit);
    let facts: Vec<_> = facts
        .iter()
        .map(|it| (&it.label[..], &it.value[..]))
        .collect();
    let expected = [
        ("position", "5.00 2.00 5.00"),
        ("object", "crate"),
        ("model", "static.rlb/CRATE.MSH"),
        ("node", "lid"),
    ];
    assert_eq!(facts, expected);
    let outline = world.outline(&hit, &poses, TileShape::Slopes);
    assert_eq!(
        outline,
        [[[4.0, 1.0, 5.0], [8.0, 1.0, 5.0], [4.0, 5.0, 5.0]].map(Vec3::from)]
    );
    let up = Ray {
        origin: Vec3::new(5.0, 2.0, 4.0),
        direction: Vec3::Z,
    };
    let from_below = world.cast_ray(&up, 200.0, &poses).expect("the lid");
    assert_eq!((from_below.t, from_below.normal), (1.0, Vec3::NEG_Z));
    // Beside it, and without poses, there is the ground.
    for (ray, poses) in [(down(3.0, 2.0), &poses), (ray, &Poses::default())] {
        let hit = world.cast_ray(&ray, 200.0, poses).expect("the ground");
        assert_eq!(hit.position.z, 2.0);
        assert!(world.describe(&hit).iter().any(|fact| fact.label == "face"));
    }
    assert!(
        world
            .describe(&WorldHit {
                element: 999,
                ..hit
            })
            .is_empty()
    );
}

#[test]
fn ground_and_what_stands_on_it_hide_and_water_does_not() {
    let world = world().with_level_objects(&lid()).expect("a sound model");
    let mut poses = Poses::default();
    let clock = Clock {
        time_secs: 0.0,
        play: Play::Level,
    };
    world.pose(&clock, &mut poses);
    let (over, under, below) = (
        Vec3::new(5.0, 2.0, 6.0),
        Vec3::new(5.0, 2.0, 4.0),
        Vec3::new(5.0, 2.0, 1.0),
    );
    let beside = Vec3::new(3.0, 2.0, 6.0);
    for (a, b, poses, is_visible) in [
        (over, under, &poses, false),
        (over, under, &Poses::default(), true),
        (over, beside, &poses, true),
        (under, below, &poses, false),
        (over, over, &poses, true),
        (over, Vec3::NAN, &poses, false),
        // Above the water and below it.
        (
            Vec3::new(15.0, 5.0, 9.0),
            Vec3::new(15.0, 5.0, 2.0),
            &poses,
            true,
        ),
        (
            Vec3::new(15.0, 5.0, 9.0),
            Vec3::new(15.0, 5.0, 0.5),
            &poses,
            false,
        ),
    ] {
        assert_eq!(world.line_of_sight(a, b, poses), is_visible, "{a} {b}");
        assert_eq!(world.line_of_sight(b, a, poses), is_visible, "{b} {a}");
    }
}

#[test]
fn a_surface_has_materials_and_an_areal() {
    let world = world();
    let found = world
        .cast_surface_ray(&down(5.0, 2.0), 200.0, ALL)
        .expect("the ground of the first tile");
    let materials = |second| FaceMaterials { first: 1, second };
    let expected = world.terrain().cast_ray(&down(5.0, 2.0), 200.0, ALL);
    assert_eq!(Some(found.hit), expected);
    assert_eq!((found.hit.face, found.hit.t), (6, 98.0));
    assert_eq!((found.materials, found.areal), (materials(7), Some(0)));
    let dry = MaskFilter {
        required: 0,
        forbidden: WATER,
    };
    let found = world
        .cast_surface_ray(&down(17.0, 2.0), 200.0, dry)
        .expect("the bed");
    assert_eq!((found.materials, found.areal), (materials(1), Some(1)));
    assert_eq!(world.cast_surface_ray(&down(17.0, 2.0), 10.0, ALL), None);
}

#[test]
fn a_height_has_materials_and_an_areal() {
    let world = world();
    let found = world.surface_at(5.0, 2.0, ALL).expect("the first tile");
    assert_eq!(Some(found.hit), world.terrain().height_at(5.0, 2.0, ALL));
    assert_eq!((found.hit.face, found.hit.z), (6, 2.0));
    let materials = FaceMaterials {
        first: 1,
        second: 7,
    };
    assert_eq!((found.materials, found.areal), (materials, Some(0)));
    assert_eq!(world.surface_at(-1.0, 2.0, ALL), None);
    let bare = ParkanWorld::new(&land(), None, None, None).expect("a valid level");
    let found = bare.surface_at(5.0, 2.0, ALL).expect("the first tile");
    assert_eq!(found.areal, None, "a level without areals");
}
