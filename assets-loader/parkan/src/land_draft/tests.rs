use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::face_mask::FaceFlags;
use crate::land_map::LandMap;
use crate::land_msh::{NO_MATERIAL, unpack_uv};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::format::{ConversionOptions, ConversionRequest};

const TILE: f64 = 40.0;

/// Tiles of 4 x 4 quads of 10 units.
fn level(tiles: [u32; 2], height: impl Fn(usize, usize) -> f32) -> HeightLand {
    let grid = GridSize {
        tiles,
        quads_per_tile: 4,
    };
    let [n_x, n_y] = grid.corners();
    let corners = (0..n_x * n_y).map(|idx| (idx % n_x, idx / n_x));
    HeightLand {
        grid,
        tile_size: TILE,
        heights: corners.map(|(x, y)| height(x, y)).collect(),
        layers: vec![SurfaceLayer {
            row: 1,
            mask: Vec::new(),
        }],
        liquid: None,
        texture_size: 25.0,
    }
}

fn serious(findings: &[ironlands_assets_core::bytes::Finding]) -> Vec<String> {
    let serious = findings.iter().filter(|it| it.severity != Severity::Note);
    serious.map(|it| it.message.clone()).collect()
}

fn finest(land: &LandMsh) -> Vec<Face> {
    land.lod0_face_indices()
        .map(|idx| land.faces[idx])
        .collect()
}

#[test]
fn a_slope_is_one_plane_at_both_levels_of_detail() {
    let land = level([3, 2], |x, y| 2.0 * x as f32 + y as f32)
        .land_msh()
        .unwrap();
    assert_eq!(serious(&land.check()), [""; 0]);
    assert_eq!((land.cells_x, land.cells_y(), land.slots.len()), (3, 2, 12));
    assert_eq!(finest(&land).len(), 6 * 32);
    assert_eq!(land.faces.len(), 6 * (32 + 8));
    assert_eq!(land.grid().unwrap().cell_size, [40.0, 40.0]);
    for [x, y, z] in &land.positions {
        assert!((z - (0.2 * x + 0.1 * y)).abs() < 1e-4);
    }
    // Every edge but those around the level leads to the face beside it.
    let open = finest(&land)
        .iter()
        .flat_map(|face| face.neighbors)
        .filter(|it| *it == NONE)
        .count();
    assert_eq!(open, 2 * (12 + 8));
    for face in &land.faces {
        let [a, b, c] = face.vertices.map(|v| land.positions[usize::from(v)]);
        assert!((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]));
        assert_eq!(face.flags.bits(), 0x10_0600);
    }
    let read = LandMsh::read(&land.write().unwrap()).unwrap();
    assert_eq!(read.faces, land.faces);
}

#[test]
fn textures_run_on_from_tile_to_tile() {
    let land = level([2, 2], |_, _| 0.0).land_msh().unwrap();
    for (position, uv) in land.positions.iter().zip(&land.uv0) {
        let [x, y, _] = position.map(f64::from);
        let expected = [x / 25.0, (2.0 * TILE - y) / 25.0];
        for (found, expected) in unpack_uv(*uv).into_iter().zip(expected) {
            let turns = f64::from(found) - expected;
            assert!(
                (turns - turns.round()).abs() < 1e-3,
                "{position:?} {found} {expected}"
            );
        }
    }
    // 51.2 steps for each unit, as in all retail levels.
    let face = &land.faces[0];
    let [a, b] = [0, 1].map(|corner| usize::from(face.vertices[corner]));
    let steps = f32::from(land.micro_uv[b][0]) - f32::from(land.micro_uv[a][0]);
    let units = land.positions[b][0] - land.positions[a][0];
    assert!((steps - 51.2 * units).abs() <= 1.0);
}

#[test]
fn of_layers_over_a_quad_the_two_that_are_seen_most_are_its_materials() {
    let mut land = level([1, 1], |_, _| 0.0);
    let mask = |of: fn(usize, usize) -> f32| (0..25).map(|i| of(i % 5, i / 5)).collect();
    land.layers.push(SurfaceLayer {
        row: 2,
        mask: mask(|x, _| if x >= 2 { 1.0 } else { 0.0 }),
    });
    land.layers.push(SurfaceLayer {
        row: 3,
        mask: mask(|_, y| if y == 4 { 0.25 } else { 0.0 }),
    });
    let land = land.land_msh().unwrap();
    assert_eq!(serious(&land.check()), [""; 0]);
    for face in finest(&land) {
        let corners = face.vertices.map(|v| land.positions[usize::from(v)]);
        let [x, y] = [0, 1].map(|k| corners.iter().map(|c| c[k]).fold(f32::INFINITY, f32::min));
        let pair = (face.first_material, face.second_material);
        let is_top = y >= 30.0;
        let expected = match x {
            x if x < 10.0 && is_top => (1, 3),
            x if x < 10.0 => (1, NO_MATERIAL),
            x if x < 20.0 => (1, 2),
            _ if is_top => (2, 3),
            _ => (2, NO_MATERIAL),
        };
        assert_eq!(pair, expected, "{corners:?}");
        for vertex in face.vertices {
            let [x, y, _] = land.positions[usize::from(vertex)];
            let weight = land.second_weight(vertex);
            let expected = match pair {
                (_, NO_MATERIAL) => 1.0,
                (1, 2) => {
                    if x >= 20.0 {
                        1.0
                    } else {
                        0.0
                    }
                }
                _ => {
                    if y >= 40.0 {
                        0.25
                    } else {
                        0.0
                    }
                }
            };
            assert_eq!(weight, expected, "{pair:?} {x} {y}");
        }
    }
}

#[test]
fn liquid_fills_the_tiles_that_are_lower() {
    let mut land = level([2, 1], |x, _| x as f32 * 2.0 - 4.0);
    land.liquid = Some(Liquid { level: 0.0, row: 7 });
    let map = land.land_map().unwrap();
    let land = land.land_msh().unwrap();
    assert_eq!(serious(&land.check()), [""; 0]);
    assert_eq!(land.water_level(), 0.0);
    let faces = finest(&land);
    let water: Vec<&Face> = faces
        .iter()
        .filter(|it| it.flags.contains(FaceFlags::WATER))
        .collect();
    assert_eq!(water.len(), 2);
    assert!(
        water
            .iter()
            .all(|it| it.first_material == 7 && it.flags.bits() == 0x12_0608)
    );
    let n_beds = faces
        .iter()
        .filter(|it| it.flags.contains(FaceFlags::LIQUID_BED))
        .count();
    assert_eq!(n_beds, 2 * 4, "those without a corner at the water line");
    // The first column lies two deep on average, the second one: that can be waded.
    let area: f32 = map.areals.iter().map(|it| it.area_metric).sum();
    assert_eq!(area, 7.0 * 400.0);
}

fn assert_linked(map: &LandMap) {
    assert_eq!(serious(&map.check()), [""; 0]);
    for (idx, areal) in map.areals.iter().enumerate() {
        assert_eq!(areal.logic_flag, 1);
        for (edge, link) in areal.edge_links.iter().enumerate() {
            let Ok(other) = usize::try_from(link.areal) else {
                continue;
            };
            let back = map.areals[other].edge_links[link.edge as usize];
            assert_eq!((back.areal as usize, back.edge as usize), (idx, edge));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn any_heights_make_a_sound_level(
        heights in prop::collection::vec(0.0_f32..30.0, 13 * 9),
        mask in prop::collection::vec(0.0_f32..=1.0, 13 * 9),
        level_of_liquid in prop::option::of(-5.0_f32..35.0),
    ) {
        let mut land = level([3, 2], |_, _| 0.0);
        land.heights = heights;
        land.layers.push(SurfaceLayer { row: 2, mask });
        land.liquid = level_of_liquid.map(|level| Liquid { level, row: 9 });
        let msh = land.land_msh().unwrap();
        prop_assert_eq!(serious(&msh.check()), [""; 0]);
        prop_assert_eq!(LandMsh::read(&msh.write().unwrap()).unwrap().faces, msh.faces);
        let map = land.land_map();
        let n_walkable = (0..12 * 8).filter(|quad| {
            let (x, y) = (quad % 12, quad / 12);
            let at = |dx: usize, dy: usize| f64::from(land.heights[(y + dy) * 13 + x + dx]);
            let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
            let slope = ((b + c - a - d) / 20.0).hypot((c + d - a - b) / 20.0);
            let depth = level_of_liquid.map_or(0.0, |it| f64::from(it) - (a + b + c + d) / 4.0);
            slope <= 0.8 && depth <= 1.5
        }).count();
        if n_walkable == 0 {
            prop_assert_eq!(map, Err(LandDraftError::NoAreals));
            return Ok(());
        }
        let map = map.unwrap();
        assert_linked(&map);
        let area: f32 = map.areals.iter().map(|it| it.area_metric).sum();
        prop_assert!((area - 100.0 * n_walkable as f32).abs() < 0.5);
    }
}

#[test]
fn numbers_that_make_no_terrain_are_refused() {
    let refused = |edit: fn(&mut HeightLand)| {
        let mut land = level([2, 2], |_, _| 0.0);
        edit(&mut land);
        let error = land.land_msh().unwrap_err();
        assert_eq!(land.land_map().unwrap_err(), error);
        error.to_string()
    };
    assert_eq!(
        refused(|it| it.tile_size = -1.0),
        "the size of a tile is -1"
    );
    assert_eq!(
        refused(|it| it.texture_size = 0.0),
        "the size of a texture is 0"
    );
    assert_eq!(refused(|it| it.heights[3] = f32::NAN), "a height is NaN");
    assert_eq!(refused(|it| it.layers.clear()), "the number of layers is 0");
    assert_eq!(
        refused(|it| it.grid.tiles = [0, 2]),
        "the size of the grid is [0, 2] of 4"
    );
    assert_eq!(
        refused(|it| it.heights.truncate(80)),
        "heights: 80 values, the grid has 81"
    );
    assert_eq!(
        refused(|it| it.layers.push(SurfaceLayer {
            row: 2,
            mask: vec![1.0]
        })),
        "mask of layer 1: 1 values, the grid has 81"
    );
    assert_eq!(
        refused(|it| it.grid.tiles = [u32::MAX; 2]),
        "18446744073709551615 faces are more than the format can number"
    );
}

fn request<'a>(
    file: &'a Path,
    interchange: &'a Path,
    options: &'a ConversionOptions,
) -> ConversionRequest<'a> {
    ConversionRequest {
        file,
        interchange,
        options,
    }
}

#[test]
fn a_land_comes_back_from_its_pictures() {
    let mut land = level([2, 2], |x, y| (x * y) as f32 * 0.7);
    land.layers.push(SurfaceLayer {
        row: 4,
        mask: (0..81)
            .map(|i| if i % 9 >= 5 { 1.0 } else { 0.0 })
            .collect(),
    });
    land.liquid = Some(Liquid { level: 3.0, row: 7 });
    let before = land.land_msh().unwrap();
    let folder = TempDir::new().unwrap();
    let (file, list) = (
        folder.path().join("Land.msh"),
        folder.path().join("land.json"),
    );
    let options = ConversionOptions::default();
    let request = request(&file, &list, &options);
    let exported =
        (LAND_CONVERSIONS[0].export.unwrap())(&before.write().unwrap(), &request).unwrap();
    let names = exported
        .files
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["land_heights.png", "land_row4.png", "land.json"]);
    for (path, bytes) in &exported.files {
        fs::write(path, bytes).unwrap();
    }
    let json = fs::read(&list).unwrap();
    let import = LAND_CONVERSIONS[0].import.unwrap();
    let after = LandMsh::read(&import(&json, &request).unwrap()).unwrap();
    assert_eq!(serious(&after.check()), [""; 0]);
    assert_eq!((after.cells_x, after.cells_y()), (2, 2));
    assert_eq!(after.grid(), before.grid());
    assert_eq!(after.water_level(), 3.0);
    // Every old vertex is one of the new ones, up to a step of the picture.
    let ground = |land: &LandMsh| -> Vec<[f32; 3]> {
        let faces = finest(land)
            .into_iter()
            .filter(|it| !it.flags.contains(FaceFlags::WATER));
        let corners = faces.flat_map(|face| face.vertices);
        corners.map(|v| land.positions[usize::from(v)]).collect()
    };
    let new = ground(&after);
    for [x, y, z] in ground(&before) {
        let near = |p: &&[f32; 3]| (p[0] - x).abs() < 1e-3 && (p[1] - y).abs() < 1e-3;
        let found = new.iter().find(near).unwrap();
        assert!(
            (found[2] - z).abs() < 45.0 / 65535.0,
            "{x} {y} {z} {found:?}"
        );
    }
    let import = AREAL_CONVERSIONS[0].import.unwrap();
    assert_linked(&LandMap::read(&import(&json, &request).unwrap()).unwrap());
}

#[test]
fn a_list_names_pictures_beside_it_that_fit_its_tiles() {
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("land.json");
    let gray = image::GrayImage::from_pixel(9, 9, image::Luma([128]));
    gray.save(folder.path().join("flat.png")).unwrap();
    let of = |name: &str, tiles: &str, layers: &str| {
        let json = format!(
            r#"{{"tiles": {tiles}, "tile_size": 64, "heights": "{name}", "height_range": [0, 51],
               "layers": {layers}, "texture_size": 32}}"#
        );
        let options = ConversionOptions::default();
        let file = folder.path().join("Land.msh");
        let import = LAND_CONVERSIONS[0].import.unwrap();
        let made = import(json.as_bytes(), &request(&file, &list, &options));
        made.map_err(|error| error.to_string())
    };
    let land = of("flat.png", "[2, 2]", r#"[{"row": 1}]"#).unwrap();
    let land = LandMsh::read(&land).unwrap();
    // 128 of 255.
    assert!(
        land.positions
            .iter()
            .all(|[_, _, z]| (z - 25.6).abs() < 1e-4)
    );
    let error = of("flat.png", "[3, 2]", r#"[{"row": 1}]"#).unwrap_err();
    assert!(
        error.contains("9 x 9 pixels, which do not fit 3 x 2 tiles"),
        "{error}"
    );
    let error = of("../flat.png", "[2, 2]", r#"[{"row": 1}]"#).unwrap_err();
    assert!(
        error.contains("not the name of a file beside the list"),
        "{error}"
    );
    let error = of("flat.png", "[2, 2]", r#"[{"row": 1}, {"row": 2}]"#).unwrap_err();
    assert!(error.contains("layer 1 has no mask"), "{error}");
    assert!(of("none.png", "[2, 2]", r#"[{"row": 1}]"#).is_err());
}
