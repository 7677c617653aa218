//! Land goes to glTF and back: the same file, whole cells, the same surfaces.

use std::fs;
use std::path::Path;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::ConversionOptions;
use ironlands_assets_parkan::land_draft::{GridSize, HeightLand, LandDraft, Liquid, SurfaceLayer};
use ironlands_assets_parkan::land_map::LandMap;
use ironlands_assets_parkan::land_msh::{LandMsh, NONE, TileGrid, face_normal};
use ironlands_assets_parkan::nres::Entry;
use ironlands_exchange::read_gltf::fetch_nothing;
use ironlands_world_parkan::exchange::land::{
    ImportedLand, LAND_EXPORTS, LAND_IMPORTS, LandAppearance, read_land, write_land,
};
use serde_json::json;

/// 3 x 2 tiles of 40 units with two layers that blend, and a pond in the south-west.
fn heights() -> HeightLand {
    let grid = GridSize {
        tiles: [3, 2],
        quads_per_tile: 4,
    };
    let [n_x, n_y] = grid.corners();
    let corners = (0..n_x * n_y).map(|idx| (idx % n_x, idx / n_x));
    HeightLand {
        grid,
        tile_size: 40.0,
        heights: (corners.clone())
            .map(|(x, y)| (x * x) as f32 * 0.3 + y as f32)
            .collect(),
        layers: vec![
            SurfaceLayer {
                row: 1,
                mask: Vec::new(),
            },
            SurfaceLayer {
                row: 2,
                mask: corners.map(|(x, _)| (x as f32 / 8.0).fract()).collect(),
            },
        ],
        liquid: Some(Liquid { level: 3.5, row: 3 }),
        texture_size: 25.0,
    }
}

fn land() -> LandMsh {
    heights().land_msh().unwrap()
}

fn glb_of(land: &LandMsh) -> Vec<u8> {
    let look = LandAppearance::default();
    write_land("land", land, &look).unwrap().bytes
}

fn read(glb: &[u8], base: Option<&LandMsh>) -> ImportedLand {
    read_land(glb, base, &mut fetch_nothing).unwrap()
}

fn left_out(land: &LandMsh) -> Vec<String> {
    let glb = write_land("land", land, &LandAppearance::default()).unwrap();
    glb.findings.iter().map(ToString::to_string).collect()
}

fn serious(findings: &[Finding]) -> Vec<String> {
    let serious = findings.iter().filter(|it| it.severity != Severity::Note);
    serious.map(|it| it.message.clone()).collect()
}

#[test]
fn land_comes_back_from_glb_byte_for_byte() {
    let before = land();
    assert_eq!(left_out(&before), [""; 0]);
    let imported = read(&glb_of(&before), None);
    assert_eq!(imported.findings, []);
    let after = imported.land().unwrap();
    assert_eq!(after.write().unwrap(), before.write().unwrap());
    let mut plain = before;
    plain.second_weights = None;
    let after = read(&glb_of(&plain), None).land().unwrap();
    assert_eq!(after.write().unwrap(), plain.write().unwrap());
}

/// A change to the land, and what is reported.
type Case = (fn(&mut LandMsh), &'static str);

/// All that glTF has no place for.
const CASES: [Case; 10] = [
    (
        |it| {
            let entry = Entry::new(99, 0, 0, 0, "Land", vec![1, 2]).unwrap();
            it.container.entries.push(entry);
        },
        "table 99: a chunk of unknown meaning is left out",
    ),
    (
        |it| it.container.entries[2].attr2 = 5,
        "table 3: a word of unknown meaning in the directory (attr2) is left out",
    ),
    (
        |it| it.nodes[4].header[1] = 0,
        "tile 4: words before its slots are left out",
    ),
    (
        |it| it.nodes[2].slots[2] = 0,
        "tile 2: levels of detail beyond the second are left out",
    ),
    (
        |it| it.slots[3].unknown_30[1] = 7,
        "slot 3: the five words at the end of its record are left out",
    ),
    (
        |it| it.faces[9].unknown_06 = 1,
        "face 9: words of unknown meaning are left out",
    ),
    (
        |it| it.faces[9].normal = [0, 32767, 0],
        "face 9: normals of faces are left out; an import makes them again",
    ),
    (
        |it| it.face_keys[1].unknown_3 = 0x80,
        "face 1: words of its record of drawing are left out",
    ),
    (
        |it| it.slots[5].sphere_radius = 99.0,
        "table 2: bounds are left out; an import makes those of the faces",
    ),
    (
        |it| {
            let faces = &mut it.faces;
            let edge = faces[0].neighbors.iter().position(|n| *n != NONE).unwrap();
            faces[0].neighbors[edge] = NONE;
        },
        "face 0: neighbors are left out; an import joins the faces that share an edge",
    ),
];

#[test]
fn what_gltf_has_no_place_for_is_named_and_kept_with_a_base() {
    for (change, expected) in CASES {
        let mut changed = land();
        change(&mut changed);
        let reported = left_out(&changed);
        assert!(reported.iter().any(|it| it == expected), "{reported:#?}");
        let imported = read(&glb_of(&changed), Some(&changed));
        let same = imported.land_on(&changed).unwrap();
        assert_eq!(
            same.write().unwrap(),
            changed.write().unwrap(),
            "{expected}"
        );
    }
}

#[test]
fn faces_that_have_not_changed_keep_the_words_of_the_base() {
    let mut old = land();
    for (change, _) in CASES {
        change(&mut old);
    }
    old.faces[9].unknown_1b = 6;
    // A hill on the corner between the last four faces of the north-eastern tile.
    let mut edited = land();
    let vertex = edited.faces[9].vertices[0];
    let place = edited.positions[usize::from(vertex)];
    let lifted = edited.positions.iter().position(|it| {
        (it[0] - place[0]).abs() > 50.0 && it[1] > 50.0 && it[0] < 119.0 && it[1] < 79.0
    });
    let lifted = edited.positions[lifted.unwrap()];
    for position in &mut edited.positions {
        if *position == lifted {
            position[2] += 5.0;
        }
    }
    let made = read(&glb_of(&edited), Some(&old)).land_on(&old).unwrap();
    let rebuilt = read(&glb_of(&edited), None).land().unwrap();
    assert_eq!(made.positions, rebuilt.positions);
    assert_eq!(made.container.entries.last().unwrap().type_id, 99);
    assert_eq!(made.slots[3].unknown_30[1], 7);
    let face = made.faces[9];
    assert_eq!(
        (face.unknown_06, face.unknown_1b, face.normal),
        (1, 6, [0, 32767, 0])
    );
    assert_eq!(made.faces.iter().filter(|it| it.unknown_06 == 1).count(), 1);
    let marked = made.face_keys.iter().filter(|it| it.unknown_3 == 0x80);
    assert_eq!(marked.count(), 1);
    for (made, rebuilt) in made.faces.iter().zip(&rebuilt.faces) {
        assert_eq!(made.neighbors, rebuilt.neighbors);
    }
}

/// Two triangles of 320 x 160 units, y up, without anything else.
fn plain_quad(z_of_far: f32) -> Vec<u8> {
    let corners = [
        [0.0, 0.0, 0.0],
        [320.0, 0.0, 0.0],
        [320.0, z_of_far, -160.0],
        [0.0, z_of_far, -160.0],
    ];
    let mut bin: Vec<u8> = corners
        .as_flattened()
        .iter()
        .flat_map(|v: &f32| v.to_le_bytes())
        .collect();
    bin.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|v| v.to_le_bytes()));
    let uri = {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.encode(&bin)
    };
    let json = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "materials": [{"name": "MOSS"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
             "min": [0, 0, -160], "max": [320, z_of_far.max(0.0), 0]},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "buffers": [{"byteLength": bin.len(), "uri": format!("data:;base64,{uri}")}],
    });
    serde_json::to_vec(&json).unwrap()
}

fn area_in_xy(corners: [[f32; 3]; 3]) -> f32 {
    let [a, b, c] = corners;
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0
}

#[test]
fn a_mesh_of_others_is_cut_into_tiles_that_it_fills() {
    let imported = read(&plain_quad(40.0), None);
    let reported: Vec<&str> = imported.findings.iter().map(|it| &*it.message).collect();
    for wanted in [
        "no row is known for the material \"MOSS\"; it is row 1, which Land1.wea and Land2.wea need",
        "nothing says how the land is divided; it gets 16 x 16 tiles",
        "there is no coarse level of detail; the finest serves for both",
        "it has no normals; each triangle gets its own",
        "there are no texture coordinates; they are made of the place",
    ] {
        assert!(reported.contains(&wanted), "{wanted} {reported:#?}");
    }
    let land = imported.land().unwrap();
    assert_eq!(serious(&land.check()), [""; 0]);
    assert_eq!((land.cells_x, land.cells_y()), (16, 16));
    assert_eq!(land.grid().unwrap().cell_size, [20.0, 10.0]);
    for tile in 0..256 {
        for lod in 0..2 {
            let slot = land.tile_slot(tile, lod).unwrap();
            let (low, high) = land
                .grid()
                .unwrap()
                .cell_bounds([tile as u32 / 16, tile as u32 % 16]);
            let mut area = 0.0;
            for face in land.slot_faces(slot) {
                let corners = face.vertices.map(|v| land.positions[usize::from(v)]);
                area += area_in_xy(corners);
                for [x, y, z] in corners {
                    assert!(x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1]);
                    assert!((z - y / 4.0).abs() < 1e-4, "on the slope");
                }
            }
            assert!((area - 200.0).abs() < 1e-2, "tile {tile} lod {lod}: {area}");
        }
    }
    // Open edges are those around the land, 16 along each side of it, at both levels of detail.
    let open = land.faces.iter().flat_map(|face| face.neighbors);
    assert_eq!(open.filter(|it| *it == NONE).count(), 2 * 4 * 16);
}

#[test]
fn faces_outside_of_the_tiles_are_refused() {
    let land = land();
    let grid = land.grid().unwrap();
    let draft = LandDraft::from_land(&land);
    let mut loose: Vec<_> = (draft.lods[0].iter().flatten())
        .map(|face| ironlands_assets_parkan::land_draft::LooseFace {
            face: *face,
            tile: None,
        })
        .collect();
    assert!(LandDraft::from_faces(&grid, &[loose.clone(), Vec::new()]).is_ok());
    loose[0].face.corners[0].position[0] = -5.0;
    let error = LandDraft::from_faces(&grid, &[loose.clone(), Vec::new()]).unwrap_err();
    assert!(
        error.to_string().contains("outside of the tiles"),
        "{error}"
    );
    let flat = TileGrid {
        cell_size: [0.0, 1.0],
        ..grid
    };
    assert!(LandDraft::from_faces(&flat, &[loose, Vec::new()]).is_err());
}

/// Areals cover what a face by face look says can be walked on: land that is flat enough and not deep under water.
#[test]
fn areals_cover_what_can_be_walked_on() {
    let land = land();
    let grid = land.grid().unwrap();
    let draft = LandDraft::from_land(&land);
    let map = draft.land_map(&grid).unwrap();
    assert_eq!(serious(&map.check()), [""; 0]);
    let mut expected = 0.0;
    for face in draft.lods[0].iter().flatten() {
        let corners = face.corners.map(|it| it.position);
        let [_, _, up] = face_normal(corners).unwrap();
        let slope = (1.0 - up * up).sqrt() / up;
        let middle = corners.iter().map(|it| it[2]).sum::<f32>() / 3.0;
        let is_water = face.first_material == 3;
        let is_deep = corners.iter().all(|it| it[2] < 3.5) && middle < 2.0;
        if !is_water && slope <= 0.8 && !is_deep {
            expected += area_in_xy(corners);
        }
    }
    assert!(
        expected > 100.0 && expected < 120.0 * 80.0 - 100.0,
        "{expected}"
    );
    let found: f32 = map.areals.iter().map(|it| it.area_metric).sum();
    assert!((found - expected).abs() < 1.0, "{found} {expected}");
    let last = map.areals.last().unwrap();
    assert!(
        last.edge_links.iter().any(|link| link.areal >= 0),
        "{last:?}"
    );
}

#[test]
fn files_go_to_glb_and_back_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let bytes = land().write().unwrap();
    fs::write(file("Land.msh"), &bytes).unwrap();
    let [export] = LAND_EXPORTS else {
        panic!("one export")
    };
    assert!(export.is_of(Path::new("MAPS/X/LAND.MSH")));
    assert!(!export.is_of(Path::new("MAPS/X")));
    let options = ConversionOptions::default();
    let exported = (export.export)(&file("Land.msh"), &file("land.glb"), &options).unwrap();
    for (path, bytes) in &exported.files {
        fs::write(path, bytes).unwrap();
    }
    let [to_land, to_areals] = LAND_IMPORTS;
    assert!(to_land.makes(Path::new("changed/land.MSH")));
    assert!(!to_land.makes(Path::new("changed/walker.msh")));
    let made = (to_land.import)(&file("land.glb"), &file("New.msh"), &options).unwrap();
    assert_eq!(made.files, [(file("New.msh"), bytes)]);
    let made = (to_areals.import)(&file("land.glb"), &file("Land.map"), &options).unwrap();
    assert!(LandMap::read(&made.files[0].1).is_ok());
    let with_base = ConversionOptions {
        base_file: Some(file("nothing.msh")),
        ..options
    };
    let refused = (to_land.import)(&file("land.glb"), &file("New.msh"), &with_base);
    assert!(refused.unwrap_err().to_string().contains("as the base"));
}
