use super::*;
use crate::land::{PlacedTile, tile_triangles};
use crate::mob::view::{MapObject, ObjectKind, Torch};
use crate::sec::{LiquidLayer, Liquids, Sec, Tile, Vertex};
use crate::test_zone::{ATLAS_SIDE, TestZone, tile_at, vertex_at};
use ironlands_scene::{Addressing, Blend, Mesh, PassKind, PixelFormat, Scene};

fn scene_of(test_zone: &TestZone) -> Scene {
    let (scene, findings) = to_scene(&test_zone.open());
    assert_eq!(findings, []);
    scene.validate().unwrap();
    scene
}

fn triangles(mesh: &Mesh) -> impl Iterator<Item = [[f32; 3]; 3]> + '_ {
    let corners = mesh.indices.as_chunks::<3>().0.iter();
    corners.map(|it| it.map(|corner| mesh.positions[corner as usize]))
}

#[test]
fn every_sector_is_a_cluster_of_one_draw_call() {
    let mut test_zone = TestZone::new();
    test_zone.sectors.remove(&[0, 1]);
    let (scene, _) = to_scene(&test_zone.open());
    scene.validate().unwrap();
    let ground = &scene.meshes[0];
    let cells: Vec<_> = ground.clusters.iter().map(|it| it.cell).collect();
    assert_eq!(cells, [[0, 0], [1, 0], [1, 1]]);
    assert_eq!(ground.batches.len(), 3);
    assert_eq!(ground.indices.len(), 3 * 2048 * 3);
    assert_eq!(
        ground.positions.len(),
        3 * 1089,
        "vertices of a sector are shared"
    );
    for [a, b, c] in triangles(ground) {
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        assert!(turn > 0.0, "counter-clockwise from above");
    }
    let area: f32 = (triangles(ground))
        .map(|[a, b, c]| (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
        .sum();
    // Shifted vertices of the outline take or give some.
    assert!((area / 2.0 / (3.0 * 1024.0) - 1.0).abs() < 0.02, "{area}");
}

/// The pixel of an atlas at a place of a tile, by the corners of the tile and the straight way between them.
fn pixel_of_atlas(test_zone: &TestZone, tile: Tile, [row, col]: [f32; 2]) -> [u8; 4] {
    let land = crate::land::Land::new(&test_zone.mp, &[]);
    let [a, b, c] = [[0, 0], [2, 0], [0, 2]].map(|corner| land.tile_uv(tile, corner));
    let uv = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * row + (c[axis] - a[axis]) * col);
    let [x, y] = uv.map(|it| (it * ATLAS_SIDE as f32) as usize);
    test_zone.atlases[usize::from(tile.texture())][y * ATLAS_SIDE + x]
}

#[test]
fn a_sector_shows_its_tiles_where_they_lie_and_as_they_are_turned() {
    let test_zone = TestZone::new();
    let scene = scene_of(&test_zone);
    let painting = &scene.textures[0];
    assert_eq!((painting.width, painting.format), (768, PixelFormat::Bc1));
    assert_eq!(painting.mips.len(), 10, "down to one pixel");
    let pixels = painting.rgba8(0, 0).unwrap();
    let pixels = pixels.as_chunks::<4>().0;
    let mut n_rotations = [0; 4];
    for (row, col) in (0..16).flat_map(|row| (0..16).map(move |col| (row, col))) {
        let tile = tile_at(row, col);
        n_rotations[usize::from(tile.rotation())] += 1;
        for (r, c) in [(2, 2), (2, 46), (46, 2), (46, 46), (14, 30)] {
            let shown = pixels[(row * 48 + r) * 768 + col * 48 + c];
            let part = |at: usize| (at as f32 + 0.5) / 48.0;
            let expected = pixel_of_atlas(&test_zone, tile, [part(r), part(c)]);
            assert_eq!(shown, expected, "tile {row} {col}, pixel {r} {c}");
        }
    }
    assert!(n_rotations.iter().all(|n| *n > 30), "{n_rotations:?}");
    // The vertex of row r and column c lies at r, c of the picture.
    let ground = &scene.meshes[0];
    assert_eq!(ground.uv_sets[0][0], [0.0, 0.0]);
    assert_eq!(ground.uv_sets[0][32], [1.0, 0.0]);
    assert_eq!(ground.uv_sets[0][33 * 16 + 8], [0.25, 0.5]);
}

#[test]
fn smaller_levels_of_a_sector_are_the_mean_of_larger_ones() {
    let scene = scene_of(&TestZone::new());
    let painting = &scene.textures[2];
    let mean = |level: u32| -> [f32; 3] {
        let pixels = painting.rgba8(level, 0).unwrap();
        let pixels = pixels.as_chunks::<4>().0;
        let sum = |channel: usize| pixels.iter().map(|it| f32::from(it[channel])).sum::<f32>();
        [0, 1, 2].map(|channel| sum(channel) / pixels.len() as f32)
    };
    let first = mean(0);
    for level in 1..10 {
        for (a, b) in first.iter().zip(mean(level)) {
            assert!((a - b).abs() < 6.0, "level {level}: {a} {b}");
        }
    }
}

#[test]
fn only_tiles_with_a_liquid_are_covered() {
    let test_zone = TestZone::new();
    let scene = scene_of(&test_zone);
    let [_, liquids] = &scene.meshes[..] else {
        panic!("ground and liquids");
    };
    assert_eq!(liquids.indices.len(), 8 * 3);
    assert_eq!(liquids.clusters[0].cell, [1, 0]);
    let height = 20_000.0 / 65_535.0 * 60.0;
    for [x, y, z] in &liquids.positions {
        assert!((32.0..=34.0).contains(x) && (0.0..=2.0).contains(y));
        assert!((z - height).abs() < 1e-4);
    }
    let material = &scene.materials[liquids.batches[0].material.0 as usize];
    let pass = &material.passes[0];
    assert_eq!(
        (pass.kind, pass.blend),
        (PassKind::Water, Some(Blend::ALPHA))
    );
    assert_eq!(
        (pass.diffuse, pass.emissive),
        ([1.0, 1.0, 1.0, 0.5], [0.25; 3])
    );
    assert_eq!(pass.animation, None);
    // Its picture is the tile with its border, and the corners are those of the part that shows.
    let texture = &scene.textures[pass.texture.unwrap().0 as usize];
    assert_eq!((texture.width, texture.mips.len()), (64, 7));
    let pixels = texture.mips[0].as_chunks::<4>().0;
    for (vertex, [row, col]) in [[0, 0], [0, 2], [2, 0], [2, 2]].into_iter().enumerate() {
        let vertex = [0, 2, 6, 8][vertex];
        let inward = |at: usize| if at == 0 { 0.02 } else { 0.98 };
        let [u, v] = liquids.uv_sets[0][vertex];
        let [u, v] = [u, v].map(|it| (it - 0.5) * 0.96 + 0.5);
        let shown = pixels[(v * 64.0) as usize * 64 + (u * 64.0) as usize];
        let place = [row, col].map(inward);
        let expected = pixel_of_atlas(&test_zone, Tile::new(9, 0, 1), place);
        assert_eq!(shown, expected, "corner {row} {col}");
    }
}

/// A zone with water of one height on this many of the 128 tiles of its edge.
fn zone_with_coast(n_tiles: usize) -> TestZone {
    let mut test_zone = TestZone::new();
    let mut left = n_tiles;
    for place in [[0, 0], [1, 0], [0, 1]] {
        let mut wet = Vec::new();
        // The first row and column of tiles are the edge; a corner counts once.
        let at_edge = (0..256).filter(|at| match place {
            [0, 0] => at / 16 == 0 || at % 16 == 0,
            [1, 0] => at / 16 == 0,
            _ => at % 16 == 0,
        });
        for at in at_edge.take(left) {
            wet.push(at);
        }
        left -= wet.len();
        let liquid = LiquidLayer::draft(
            |_, _| Vertex {
                altitude: 20_000,
                ..Vertex::default()
            },
            |row, col| {
                wet.contains(&(row * 16 + col))
                    .then_some((Tile::new(9, 0, 1), 0))
            },
        );
        let sector = Sec::draft(vertex_at(place), tile_at, Liquids::Layer(liquid));
        test_zone.sectors.insert(place, sector);
    }
    test_zone
}

#[test]
fn water_along_the_edge_goes_on_as_a_sea() {
    let scene = scene_of(&zone_with_coast(40));
    let sea = scene.water.expect("a sea");
    assert!((sea.level - 20_000.0 / 65_535.0 * 60.0).abs() < 1e-4);
    assert_eq!((sea.level_min, sea.level_max), ([0.0; 2], [64.0; 2]));
    let pass = &scene.materials[sea.material.0 as usize].passes[0];
    assert_eq!(pass.kind, PassKind::Water);
    let texture = &scene.textures[pass.texture.unwrap().0 as usize];
    assert_eq!(texture.addressing, Addressing::Repeat);
}

#[test]
fn the_bed_of_the_sea_is_the_ground_at_the_edge() {
    let mut test_zone = zone_with_coast(40);
    // A ground of one height and one tile.
    for sector in test_zone.sectors.values_mut() {
        for vertex in sector.vertices.iter_mut() {
            vertex.altitude = 10_000;
        }
        sector.tiles.fill(Tile::new(7, 0, 0));
    }
    let bed = scene_of(&test_zone).water.and_then(|sea| sea.bed);
    let bed = bed.expect("a bed");
    assert!((bed.depth - 10_000.0 / 65_535.0 * 60.0).abs() < 1e-3);
    let shown = [0, 1, 2].map(|channel| {
        let parts = (0..48 * 48).map(|at| [at / 48, at % 48].map(|it| (it as f32 + 0.5) / 48.0));
        let pixels = parts.map(|place| pixel_of_atlas(&test_zone, Tile::new(7, 0, 0), place));
        pixels.map(|it| f32::from(it[channel])).sum::<f32>() / (48.0 * 48.0) / 255.0
    });
    // The color is that of a smaller picture of the tile.
    for (channel, shown) in bed.color.into_iter().zip(shown) {
        assert!((channel - shown).abs() < 0.03, "{:?} {shown:?}", bed.color);
    }
    // Ground above the sea is no bed.
    for sector in test_zone.sectors.values_mut() {
        for vertex in sector.vertices.iter_mut() {
            vertex.altitude = 30_000;
        }
    }
    let bed = scene_of(&test_zone).water.and_then(|sea| sea.bed);
    assert_eq!(bed, None);
}

#[test]
fn a_river_that_leaves_the_zone_makes_no_sea_and_neither_does_lava() {
    assert_eq!(scene_of(&zone_with_coast(12)).water, None);
    assert_eq!(scene_of(&TestZone::new()).water, None);
    let mut lava = zone_with_coast(40);
    lava.mp.ground_types[9] = 13;
    assert_eq!(scene_of(&lava).water, None);
}

/// Ground types as in dossier section 10.2, the glow of the material, and whether the sky is mirrored.
#[test]
fn only_water_mirrors_the_sky() {
    for (ground_type, glow, kind) in [
        (6, 0.25, PassKind::Water),
        (6, 1.0, PassKind::Water),
        (8, 0.25, PassKind::Water),
        (40, 0.25, PassKind::Water),
        (8, 0.75, PassKind::Translucent),
        (10, 0.0, PassKind::Translucent),
        (13, 0.0, PassKind::Translucent),
        (14, 0.0, PassKind::Translucent),
    ] {
        let mut test_zone = TestZone::new();
        test_zone.mp.ground_types[9] = ground_type;
        test_zone.mp.materials[0].self_illumination = glow;
        // What is left is the tile, drawn plainly.
        test_zone.sectors.retain(|place, _| *place == [1, 0]);
        test_zone.atlases.clear();
        let (scene, _) = to_scene(&test_zone.open());
        let material = scene.meshes[1].batches[0].material.0 as usize;
        let found = scene.materials[material].passes[0].kind;
        assert_eq!(found, kind, "ground type {ground_type}, glow {glow}");
    }
}

#[test]
fn a_liquid_shows_its_color_where_its_tile_is_seen_through() {
    let mut test_zone = TestZone::new();
    for pixel in &mut test_zone.atlases[0] {
        *pixel = [200, 100, 0, 51];
    }
    let scene = scene_of(&test_zone);
    let material = scene.meshes[1].batches[0].material.0 as usize;
    let texture = scene.materials[material].passes[0].texture.unwrap();
    let pixel = scene.textures[texture.0 as usize].mips[0][..4].to_vec();
    // A fifth of the tile over (0, 63.75, 255).
    assert_eq!(pixel, [40, 71, 204, 255]);
}

#[test]
fn liquids_of_unknown_materials_and_missing_atlases_are_drawn_plainly() {
    let mut test_zone = TestZone::new();
    test_zone.mp.materials.clear();
    test_zone.atlases.clear();
    let (scene, findings) = to_scene(&test_zone.open());
    scene.validate().unwrap();
    assert_eq!(findings, [], "reported when the zone was opened");
    let material = scene.meshes[1].batches[0].material.0 as usize;
    let pass = &scene.materials[material].passes[0];
    assert_eq!(pass.diffuse, [1.0; 4]);
    let texture = &scene.textures[pass.texture.unwrap().0 as usize];
    assert_eq!(texture.mips[0][..4], [128, 128, 128, 255]);
}

#[test]
fn animated_tiles_show_their_phases_from_their_own_on() {
    let mut test_zone = TestZone::new();
    let tile = |row, col| match (row, col) {
        (0, 1) => Tile::new(62, 0, 3),
        _ => tile_at(row, col),
    };
    let sector = Sec::draft(vertex_at([0, 0]), tile, Liquids::None);
    test_zone.sectors.insert([0, 0], sector);
    let scene = scene_of(&test_zone);
    let ground = &scene.meshes[0];
    let batches = ground.clusters[0].lods[0].clone();
    assert_eq!(batches.len(), 2, "the tile is drawn by itself");
    let batches = &ground.batches[batches.start as usize..batches.end as usize];
    let n_indices: Vec<_> = batches.iter().map(|it| it.n_indices).collect();
    assert_eq!(n_indices, [255 * 24, 24]);
    let material = &scene.materials[batches[1].material.0 as usize];
    let animation = material.passes[0].animation.as_ref().unwrap();
    let names = animation.phases.iter().map(|phase| {
        let texture = phase.texture.unwrap().0 as usize;
        &*scene.textures[texture].name
    });
    assert!(names.eq(["tile 62", "tile 63", "tile 60", "tile 61"]));
    assert_eq!(material.passes[0].kind, PassKind::Base);
    let placed = PlacedTile {
        row: 0,
        col: 1,
        tile: tile(0, 1),
    };
    let first = ground.indices[batches[1].first_index as usize] as usize;
    let corner = tile_triangles()[0][0];
    assert_eq!(
        ground.positions[first],
        ground.positions[placed.vertices()[corner]]
    );
}

fn object(kind: ObjectKind) -> MapObject {
    MapObject {
        nid: 1,
        name: "villager".to_owned(),
        template: "pyramid".to_owned(),
        primary_texture: "skin".to_owned(),
        position: [20.0, 30.5, 0.75],
        complection: [0.5, 0.5, 0.0],
        kind,
        ..MapObject::default()
    }
}

/// Height of the origin of the only instance, and of the ground below it.
fn heights(object: &MapObject) -> [f32; 2] {
    let test_zone = TestZone::with_object(object.clone());
    let zone = test_zone.open();
    let (scene, findings) = to_scene(&zone);
    assert_eq!(findings, []);
    scene.validate().unwrap();
    let [x, y, z] = scene.instances[0]
        .world_from_model
        .transform_point([0.0; 3]);
    assert_eq!([x, y], [20.0, 30.5]);
    [z, zone.land().height_at([x, y]).unwrap()]
}

#[test]
fn objects_stand_above_the_ground_by_their_height_and_units_on_their_feet() {
    let [z, ground] = heights(&object(ObjectKind::Object));
    assert!((z - (ground + 0.75)).abs() < 1e-4);
    let mut unit = object(ObjectKind::Unit(Box::default()));
    let [z, ground] = heights(&unit);
    assert!(
        (z - (ground + 0.75 + 2.0)).abs() < 1e-4,
        "its lowest point is 2 m below its origin"
    );
    unit.complection[2] = 1.0;
    let [z, ground] = heights(&unit);
    assert!((z - (ground + 0.75 + 4.0)).abs() < 1e-4, "grown up, 4 m");
    // Upside down.
    unit.rotation = [0.0, 1.0, 0.0, 0.0];
    let [z, ground] = heights(&unit);
    assert!((z - (ground + 0.75 + 2.0)).abs() < 1e-4);
}

#[test]
fn quaternions_turn_as_the_map_means_it() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut turned = object(ObjectKind::Object);
    // 90 degrees about z, in a quaternion that is not of unit length.
    turned.rotation = [3.0 * half, 0.0, 0.0, 3.0 * half];
    let scene = scene_of(&TestZone::with_object(turned));
    let place = &scene.instances[0].world_from_model;
    let [o, x] = [[0.0; 3], [1.0, 0.0, 0.0]].map(|point| place.transform_point(point));
    assert!((x[0] - o[0]).abs() < 1e-5 && (x[1] - o[1] - 1.0).abs() < 1e-5);
}

#[test]
fn objects_share_models_by_figure_and_textures() {
    let mut test_zone = TestZone::with_object(object(ObjectKind::Object));
    let mut others = vec![object(ObjectKind::Object); 5];
    others[1].complection = [1.0, 0.0, 1.0];
    others[2].primary_texture = "SKIN".to_owned();
    others[3].primary_texture = "missing".to_owned();
    others[4].template = "nosuch".to_owned();
    test_zone.objects = Some(others);
    let zone = test_zone.open();
    let (scene, _) = to_scene(&zone);
    let models: Vec<_> = scene.instances.iter().map(|it| it.model.0).collect();
    assert_eq!(models, [0, 0, 0, 1]);
    let shown: Vec<_> = shown_objects(&zone).map(|(place, _)| place).collect();
    assert_eq!(shown, [0, 1, 2, 3], "without a model nothing is shown");
    let texture_of = |model: usize| {
        let material = scene.models[model].mesh.batches[0].material.0 as usize;
        let texture = scene.materials[material].passes[0].texture.unwrap();
        scene.textures[texture.0 as usize].name.clone()
    };
    assert_eq!([texture_of(0), texture_of(1)], ["skin", "default0"]);
}

#[test]
fn objects_at_no_place_are_reported_and_not_shown() {
    let mut nowhere = object(ObjectKind::Object);
    nowhere.position[1] = f32::NAN;
    let (scene, findings) = to_scene(&TestZone::with_object(nowhere).open());
    scene.validate().unwrap();
    assert_eq!(scene.instances, []);
    assert!(
        findings[0]
            .message
            .contains("\"villager\" stands at no place")
    );
}

#[test]
fn the_first_view_is_above_the_ground_and_looks_across_it() {
    let zone = TestZone::new().open();
    let (scene, _) = to_scene(&zone);
    let spawn = &scene.spawns[0];
    let [x, y, z] = spawn.position;
    assert!(z > zone.land().height_at([x, y]).unwrap() + 5.0);
    let ahead = [
        x + 10.0 * spawn.yaw_rad.cos(),
        y + 10.0 * spawn.yaw_rad.sin(),
    ];
    let to_middle = |[x, y]: [f32; 2]| (x - 32.0).hypot(y - 32.0);
    assert!(to_middle(ahead) < to_middle([x, y]));
}

#[test]
fn layers_of_the_land_cover_it() {
    let scene = scene_of(&TestZone::new());
    let layer = |name: &str| &scene.overlays[scene.overlay_index(name).unwrap()];
    assert_eq!(layer("sector borders").lines.len(), 4 * 4 * 32 * 2);
    assert_eq!(layer("tile grid").lines.len(), 4 * 2 * 17 * 32 * 2);
    assert_eq!(layer("ground types").triangles.len(), 4 * 2048 * 3);
}

/// A torch of a strength, with a flame 1.5 above its foot.
fn torch(strength: f32) -> MapObject {
    object(ObjectKind::Torch(Torch {
        flame: [0.25, 0.0, 1.5],
        strength,
        sound: String::new(),
    }))
}

#[test]
fn a_torch_lights_what_is_around_its_flame() {
    let lights = |strength| scene_of(&TestZone::with_object(torch(strength))).lights;
    let [x, y, _] = torch(1.0).position;
    let zone = TestZone::with_object(torch(2.0)).open();
    let ground = zone.land().height_at([x, y]).unwrap();
    let [light] = &lights(2.0)[..] else {
        panic!("one torch, one light");
    };
    let flame = [x + 0.25, y, ground + 0.75 + 1.5];
    for (found, expected) in light.position.iter().zip(flame) {
        assert!((found - expected).abs() < 1e-4, "{:?}", light.position);
    }
    assert_eq!(
        light.range,
        2.0 * lights(1.0)[0].range,
        "as strong as it is"
    );
    assert!(light.flicker.share > 0.0, "fire flickers");
    assert_eq!(lights(0.0), [], "it does not burn");
    assert_eq!(lights(f32::NAN), []);
}
