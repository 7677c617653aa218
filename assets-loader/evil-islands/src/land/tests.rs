use super::*;
use crate::sec::{Liquids, N_VERTICES};
use ironlands_assets_proof::Rng;

/// A zone of this many sectors, 100 m high at most.
pub(crate) fn header(x_sectors: u32, y_sectors: u32) -> Mp {
    Mp {
        max_altitude: 100.0,
        x_sectors,
        y_sectors,
        n_textures: 1,
        texture_size: 512,
        tile_size: 64,
        materials: Vec::new(),
        ground_types: vec![0; 64],
        animated_tiles: vec![AnimatedTiles { first: 5, count: 3 }],
        trailing: Vec::new(),
    }
}

/// Sectors with random heights and shifts; the vertices that neighbors share are the same.
fn rough_sectors(mp: &Mp) -> Vec<Option<Box<Sec>>> {
    let places = (0..mp.y_sectors).flat_map(|y| (0..mp.x_sectors).map(move |x| [x, y]));
    let sectors = places.map(|[x, y]| {
        let vertex = |row: usize, col: usize| {
            let [row, col] = [
                row as u64 + 32 * u64::from(y),
                col as u64 + 32 * u64::from(x),
            ];
            let bits = Rng::new(row << 32 | col).next_u64();
            Vertex {
                shift: [(bits >> 8) as i8, (bits >> 16) as i8],
                altitude: bits as u16 / 16,
                ..Vertex::default()
            }
        };
        Some(Box::new(Sec::draft(vertex, |_, _| Tile(0), Liquids::None)))
    });
    sectors.collect()
}

#[test]
fn names_have_three_digits_each() {
    assert_eq!(sector_file_name("zone1", [2, 13]), "zone1002013.sec");
    assert_eq!(atlas_name("zone1", 7), "zone1007");
}

#[test]
fn a_tile_shows_its_part_of_the_atlas() {
    let mp = header(1, 1);
    let land = Land::new(&mp, &[]);
    // Low and high u and v of the dossier.
    let facts = [
        (0, [0.015625, 0.109375], [0.890625, 0.984375]),
        (5, [0.640625, 0.734375], [0.890625, 0.984375]),
        (63, [0.890625, 0.984375], [0.015625, 0.109375]),
    ];
    for (index, [u_low, u_high], [v_low, v_high]) in facts {
        let tile = Tile::new(index, 0, 0);
        assert_eq!(
            land.tile_uv(tile, [0, 0]),
            [u_low, v_high],
            "row 0 takes the high v"
        );
        assert_eq!(land.tile_uv(tile, [2, 2]), [u_high, v_low]);
    }
    let turned = Tile::new(5, 0, 1);
    let row = |row| [0, 1, 2].map(|col| land.tile_uv(turned, [row, col]));
    assert_eq!(
        row(0),
        [
            [0.734375, 0.984375],
            [0.734375, 0.9375],
            [0.734375, 0.890625]
        ]
    );
    assert_eq!(
        row(2),
        [
            [0.640625, 0.984375],
            [0.640625, 0.9375],
            [0.640625, 0.890625]
        ]
    );
}

#[test]
fn four_quarter_turns_lead_back_and_each_turns_the_same_way() {
    let mp = header(1, 1);
    let land = Land::new(&mp, &[]);
    for [row, col] in [[0, 0], [0, 1], [2, 1], [1, 1], [2, 0]] {
        for rotation in 0..4u8 {
            // The same picture, a quarter further: vertex (r, c) takes what vertex (c, 2 - r) had.
            let next = Tile::new(9, 0, (rotation + 1) % 4);
            let before = Tile::new(9, 0, rotation);
            assert_eq!(
                land.tile_uv(next, [row, col]),
                land.tile_uv(before, [col, 2 - row])
            );
        }
    }
}

#[test]
fn senseless_sizes_of_atlases_are_replaced() {
    let mut mp = header(1, 1);
    let usual = Land::new(&mp, &[]).tile_uv(Tile(0), [1, 1]);
    for (texture_size, tile_size) in [(0, 64), (512, 0), (64, 512)] {
        (mp.texture_size, mp.tile_size) = (texture_size, tile_size);
        assert_eq!(Land::new(&mp, &[]).tile_uv(Tile(0), [1, 1]), usual);
    }
}

#[test]
fn cells_are_split_from_their_first_corner_and_face_up() {
    for triangle in CELL_TRIANGLES {
        assert!(triangle.contains(&[0, 0]) && triangle.contains(&[1, 1]));
        let [a, b, c] = triangle.map(|[row, col]| [col as f32, row as f32]);
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        assert_eq!(turn, 1.0, "counter-clockwise from above");
    }
    let triangles = tile_triangles();
    assert_eq!(triangles[0], [3, 0, 4]);
    assert_eq!(triangles[7], [8, 4, 5]);
    let tile = PlacedTile {
        row: 15,
        col: 2,
        tile: Tile(0),
    };
    assert_eq!(tile.vertices()[8], 32 * 33 + 6);
    assert!(tile.vertices().iter().all(|it| *it < N_VERTICES));
}

#[test]
fn neighbors_put_shared_vertices_at_the_same_place() {
    let mp = header(3, 2);
    let sectors = rough_sectors(&mp);
    let land = Land::new(&mp, &sectors);
    let left = land.positions([1, 1], &land.sector([1, 1]).unwrap().vertices[..]);
    let right = land.positions([2, 1], &land.sector([2, 1]).unwrap().vertices[..]);
    for row in 0..33 {
        assert_eq!(left[row * 33 + 32], right[row * 33]);
    }
    let vertex = Vertex {
        shift: [127, -127],
        altitude: 0x8000,
        ..Vertex::default()
    };
    let [x, y, z] = land.position([1, 2], [3, 4], &vertex);
    assert_eq!([x, y], [36.5, 66.5]);
    assert!((z - 50.00076).abs() < 1e-5);
}

#[test]
fn sectors_are_named_by_column_and_row() {
    let mp = header(3, 2);
    let mut sectors = rough_sectors(&mp);
    sectors[4] = None;
    let land = Land::new(&mp, &sectors);
    let places: Vec<_> = land.sectors().map(|it| it.place).collect();
    assert_eq!(places, [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1]]);
    assert!(land.sector([1, 1]).is_none());
    assert!(
        land.sector([3, 0]).is_none(),
        "not the first of the next row"
    );
    assert!(land.sector([0, 2]).is_none());
    assert_eq!(land.size(), [96.0, 64.0]);
}

#[test]
fn animated_tiles_are_found_by_their_number() {
    let mut mp = header(1, 1);
    let found = |mp: &Mp, number| Land::new(mp, &[]).animation_of(number).is_some();
    assert!(
        (4..9)
            .map(|it| found(&mp, it))
            .eq([false, true, true, true, false])
    );
    mp.animated_tiles[0] = AnimatedTiles {
        first: u16::MAX,
        count: u16::MAX,
    };
    assert!(found(&mp, u16::MAX));
    mp.animated_tiles[0].count = 1;
    assert!(!found(&mp, u16::MAX), "one phase is no animation");
}

/// Height by all triangles of the zone.
fn height_by_all(land: &Land<'_>, point: [f32; 2]) -> Option<f32> {
    let [x, y] = [land.mp.x_sectors, land.mp.y_sectors].map(|n| i64::from(n) * 32);
    let cells = (0..y).flat_map(|row| (0..x).map(move |col| [row, col]));
    let triangles = cells.filter_map(|cell| land.cell_triangles(cell)).flatten();
    let heights = triangles.filter_map(|triangle| height_on(triangle, point));
    heights.reduce(f64::max).map(|it| it as f32)
}

#[test]
fn heights_are_those_of_the_highest_triangle_of_all() {
    let mp = header(2, 2);
    let mut sectors = rough_sectors(&mp);
    sectors[3] = None;
    let land = Land::new(&mp, &sectors);
    let mut rng = Rng::new(5);
    let mut coordinate = || rng.below(6600) as f32 / 100.0 - 1.0;
    let mut n_found = 0;
    for _ in 0..400 {
        let point = [coordinate(), coordinate()];
        let height = land.height_at(point);
        assert_eq!(height, height_by_all(&land, point), "{point:?}");
        n_found += usize::from(height.is_some());
    }
    assert!((200..400).contains(&n_found), "{n_found}");
    for seam in 0..64 {
        let point = [32.0, seam as f32 + 0.25];
        assert_eq!(
            land.height_at(point),
            height_by_all(&land, point),
            "{point:?}"
        );
    }
    assert_eq!(land.height_at([f32::NAN, 1.0]), None);
    assert_eq!(land.height_at([f32::INFINITY, 1.0]), None);
}

#[test]
fn heights_follow_the_split_of_a_cell() {
    let mp = header(1, 1);
    let vertex = |row, col| Vertex {
        altitude: if (row, col) == (0, 1) { u16::MAX } else { 0 },
        ..Vertex::default()
    };
    let sector = Sec::draft(vertex, |_, _| Tile(0), Liquids::None);
    let sectors = [Some(Box::new(sector))];
    let land = Land::new(&mp, &sectors);
    // The raised corner belongs to one of the cell's triangles only.
    assert_eq!(land.height_at([0.5, 0.5]), Some(0.0), "on the split");
    assert_eq!(land.height_at([0.25, 0.75]), Some(0.0));
    assert_eq!(land.height_at([0.75, 0.25]), Some(50.0));
}
