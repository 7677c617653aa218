//! Rings, triangles, leaves, names and displacements of the sample.

use crate::bsp::test_map::sample_map;
use crate::bsp::*;

#[test]
fn triangles_turn_left_in_fans_lists_and_strips() {
    let mut map = sample_map(20);
    let triangles = |map: &Map, face: usize| {
        let mut triangles = Vec::new();
        map.triangles_of(&map.faces[face], &mut triangles);
        triangles
    };
    assert_eq!(triangles(&map, 1), [[0, 2, 1], [0, 3, 2]]);
    assert_eq!(triangles(&map, 0), [[0, 2, 1], [0, 3, 2]]);
    map.primitives[0] = Primitive {
        kind: 1,
        n_indices: 4,
        ..Primitive::default()
    };
    map.primitive_indices = vec![0, 1, 3, 2];
    assert_eq!(
        triangles(&map, 0),
        [[0, 3, 1], [3, 2, 1]].map(|t: [u32; 3]| t)
    );
    map.primitives[0].n_vertices = 3;
    assert_eq!(triangles(&map, 0), [[0, 2, 1], [0, 3, 2]]);
}

#[test]
fn points_are_led_to_leaves_and_ties_to_the_front() {
    let map = sample_map(20);
    for (point, leaf) in [
        ([1.0, 0.0, 1.0], 1),
        ([0.0, 0.0, 0.0], 1),
        ([1.0, 0.0, -1.0], 2),
        ([-1.0, 0.0, 1.0], 3),
        ([-1.0, 0.0, -1.0], 4),
    ] {
        assert_eq!(map.leaf_at(0, point), leaf, "{point:?}");
    }
    assert_eq!(map.leaf_at(-6, [0.0; 3]), 5);
    assert_eq!(map.leaves_below(0), [1, 2, 3, 4]);
    assert_eq!(map.world_brushes(0), [0]);
    assert_eq!(map.world_brushes(1), Vec::<u32>::new());
}

#[test]
fn names_end_at_their_nul() {
    let mut map = sample_map(20);
    assert_eq!(map.texture_name(0).as_deref(), Some("DEV/FLOOR"));
    assert_eq!(map.texture_name(-1), None);
    assert_eq!(map.texture_name(1), None);
    map.texture_names = b"A\0DEV/B\0".to_vec();
    map.texture_name_offsets = vec![2];
    assert_eq!(map.texture_name(0).as_deref(), Some("DEV/B"));
}

#[test]
fn displacement_rows_begin_at_the_start_corner() {
    let map = sample_map(20);
    let grid = DisplacementGrid::new(&map, 0).unwrap();
    assert_eq!((grid.side, grid.face, grid.tags.len()), (5, 2, 32));
    // The ring is (128, -64), (128, 64), (192, 64), (192, -64); it starts at the second one.
    let corners = [[128.0, 64.0], [192.0, 64.0], [192.0, -64.0], [128.0, -64.0]];
    assert_eq!(grid.corners, corners.map(|[x, y]| [x, y, 0.0]));
    // Rows go toward the second corner, columns toward the fourth.
    assert_eq!(grid.flat_positions[1], [128.0, 32.0, 0.0]);
    assert_eq!(grid.flat_positions[5], [144.0, 64.0, 0.0]);
    assert_eq!(grid.positions[8], [144.0, -32.0, 1.0]);
    assert_eq!(grid.weights[24], 240.0 / 255.0);
    assert_eq!(grid.bounds(), [[128.0, -64.0, 0.0], [192.0, 64.0, 6.0]]);
    let triangles = grid.triangles();
    assert_eq!(triangles[..4], [[0, 6, 5], [0, 1, 6], [1, 2, 6], [2, 7, 6]]);
    assert_eq!(triangles.len(), 32);
    // All vertices are allowed: the same are drawn, in another order and from other corners on.
    let sorted = |triangles: Vec<[u32; 3]>| {
        let mut sorted: Vec<_> = triangles
            .into_iter()
            .map(|[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min())
            .collect();
        sorted.sort_unstable();
        sorted
    };
    assert_eq!(sorted(grid.drawn_triangles()), sorted(triangles));
    assert!(grid.normals.iter().all(|normal| normal[2] > 0.0));
}

#[test]
fn displacements_with_layers_have_theirs_one_after_the_other() {
    let mut map = sample_map(21);
    let flags = |layers: bool| (0x8000_0000_u32 | u32::from(layers) << 30).cast_signed();
    let disp = map.disp_infos[0].clone();
    map.disp_infos = [true, false, true, true]
        .map(|layers| DispInfo {
            min_tess: flags(layers),
            ..disp.clone()
        })
        .to_vec();
    // Without the first bit the second is none.
    map.disp_infos[1].min_tess = 0x4000_0000;
    let blend = |index: usize| DispMultiBlend {
        blend: [index as f32, 0.25, 0.5, 1.0],
        ..DispMultiBlend::default()
    };
    // The last has one too few.
    map.disp_multi_blend = (0..74).map(blend).collect();
    let grids = DisplacementGrid::all(&map).unwrap();
    let found: Vec<_> = grids.iter().map(|it| it.layers.len()).collect();
    assert_eq!(found, [25, 0, 25, 0]);
    assert_eq!(grids[0].layers[24], [24.0, 0.25, 0.5, 1.0]);
    assert_eq!(grids[2].layers[0][0], 25.0);
    let alone = DisplacementGrid::new(&map, 2).unwrap();
    assert_eq!(alone.layers, grids[2].layers);
}

#[test]
fn displacements_share_normals_where_they_meet() {
    let mut map = sample_map(20);
    // A second one beside the first, over the first half of the floor, and both bent.
    map.vertices[7] = [128.0, 64.0, 0.0];
    for (vertex, x) in [(1, 64.0), (4, 64.0), (3, 128.0), (2, 128.0)] {
        map.vertices[vertex][0] = x;
    }
    map.faces[0].disp_info = 1;
    let mut second = map.disp_infos[0].clone();
    (second.map_face, second.first_vert, second.first_tri) = (0, 25, 32);
    second.start_position = [64.0, 64.0, 0.0];
    map.disp_infos.push(second);
    map.disp_verts = (0..50)
        .map(|i| DispVert {
            vector: [0.0, 0.0, 1.0],
            // Rows of the second rise to 8 at their end, those of the first fall to 0 from there.
            dist: if i < 25 {
                8.0 - 2.0 * (i / 5) as f32
            } else {
                2.0 * ((i - 25) / 5) as f32
            },
            alpha: 0.0,
        })
        .collect();
    map.disp_tris = vec![0; 64];
    let apart: Vec<_> = (0..2)
        .map(|i| DisplacementGrid::new(&map, i).unwrap())
        .collect();
    let grids = DisplacementGrid::all(&map).unwrap();
    for column in 0..5 {
        let (ours, theirs) = (column, 20 + column);
        assert_eq!(grids[0].positions[ours], grids[1].positions[theirs]);
        assert!(apart[0].normals[ours][0] > 0.1 && apart[1].normals[theirs][0] < -0.1);
        assert_eq!(grids[0].normals[ours], grids[1].normals[theirs]);
        assert!(grids[0].normals[ours][0].abs() < 1e-6);
    }
    assert_eq!(grids[0].normals[12], apart[0].normals[12]);
}
