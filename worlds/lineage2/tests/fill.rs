//! Fills: which layers are connected to a point, compared with a slow method.

use ironlands_assets_lineage2::{
    Block, CELL_SIZE, Cell, FlatRule, FolderError, GeoCell, Multilayer, Nswe, Region, RegionFile,
    RegionId, l2j::L2j,
};
use ironlands_world_lineage2::edit::{
    Area, Edit, EditError, EditLine, EditSession, Fill, LayerChoice,
};
use std::collections::BTreeSet;

/// Cells along a side of the part that has hills and floors; around it is a moat.
const SIDE: i32 = 40;

/// The region whose corner is the world's zero point.
fn id() -> RegionId {
    RegionId::new(20, 18).unwrap()
}

fn random(seed: &mut u64, n: u64) -> u64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 33) % n
}

/// Slopes with closed sides, and a second floor over two thirds of the cells.
fn region(seed: u64) -> Region {
    let mut seed = seed;
    let mut region = Region::flat(id(), -8000);
    for block_x in 0..SIDE / 8 {
        for block_y in 0..SIDE / 8 {
            let mut columns = Vec::new();
            for _ in 0..64 {
                let mut layer = |base: i16| {
                    let closed =
                        random(&mut seed, 16) & random(&mut seed, 16) & random(&mut seed, 16);
                    let closed = Nswe::from_bits_retain(closed as u8);
                    let height = base + 8 * random(&mut seed, 4) as i16;
                    Cell::new(height, Nswe::ALL_SIDES - closed)
                };
                let mut column = vec![layer(64), layer(0)];
                if random(&mut seed, 3) == 0 {
                    column.remove(0);
                }
                columns.push(column);
            }
            let block = Multilayer::new(columns.iter().map(Vec::as_slice)).unwrap();
            let at = (block_x * 256 + block_y) as usize;
            region.blocks_mut()[at] = Block::Multilayer(Box::new(block));
        }
    }
    region
}

fn session(region: &Region) -> EditSession<'_> {
    let load = move |wanted: RegionId| -> Result<Option<RegionFile>, FolderError> {
        let l2j = L2j::from_region(region, FlatRule::Max);
        Ok((wanted == id()).then_some(RegionFile::L2j(l2j)))
    };
    EditSession::new(load, None)
}

fn cell(x: i32, y: i32) -> GeoCell {
    GeoCell::from_point(x * CELL_SIZE, y * CELL_SIZE).unwrap()
}

/// x, y and height of layers.
type Layers = BTreeSet<(i32, i32, i16)>;

/// Adds what is connected to the layers so far, over all pairs of neighbors, until nothing is added.
fn slow_fill(region: &Region, first: (i32, i32, i16), max_step: u16) -> Layers {
    let layers = |x: i32, y: i32| {
        let layers = region.with_layers(x as usize, y as usize, <[Cell]>::to_vec);
        layers.unwrap()
    };
    let is_nearest = |column: &[Cell], layer: &Cell, z: i16| {
        let is_nearer = |other: &Cell| other.height.abs_diff(z) < layer.height.abs_diff(z);
        // Of two at the same distance it is the upper one.
        let is_before = |other: &Cell| {
            other.height.abs_diff(z) == layer.height.abs_diff(z) && other.height > layer.height
        };
        !column
            .iter()
            .any(|other| is_nearer(other) || is_before(other))
    };
    let mut pairs = Vec::new();
    for x in 0..=SIDE {
        for y in 0..=SIDE {
            let here = layers(x, y);
            for (nx, ny, out, back) in [
                (x + 1, y, Nswe::EAST, Nswe::WEST),
                (x, y + 1, Nswe::SOUTH, Nswe::NORTH),
            ] {
                let there = layers(nx, ny);
                for a in &here {
                    for b in &there {
                        let is_pair = a.nswe.contains(out)
                            && b.nswe.contains(back)
                            && a.height.abs_diff(b.height) <= max_step
                            && is_nearest(&there, b, a.height)
                            && is_nearest(&here, a, b.height);
                        if is_pair {
                            pairs.push(((x, y, a.height), (nx, ny, b.height)));
                        }
                    }
                }
            }
        }
    }
    let mut filled = Layers::from([first]);
    loop {
        let n_before = filled.len();
        for (a, b) in &pairs {
            if filled.contains(a) || filled.contains(b) {
                filled.extend([*a, *b]);
            }
        }
        if filled.len() == n_before {
            return filled;
        }
    }
}

fn fill(x: i32, y: i32, z: i32, max_step: i32, limit: usize) -> Area {
    Area::Fill(Fill {
        from: (x * CELL_SIZE + 3, y * CELL_SIZE + 5),
        z,
        max_step,
        limit,
    })
}

/// Layers that a fill raises, with their heights before.
fn filled_layers(region: &Region, area: Area) -> Layers {
    let mut session = session(region);
    // So far that no layer is at the new height of another.
    let edit = Edit::Raise {
        area,
        layers: LayerChoice::All,
        by: 4000,
    };
    session.apply(&edit).unwrap();
    let mut changed = Layers::new();
    for x in 0..=SIDE {
        for y in 0..=SIDE {
            for layer in session.column(cell(x, y)).unwrap().unwrap() {
                if layer.height > 2000 {
                    changed.insert((x, y, layer.height - 4000));
                }
            }
        }
    }
    changed
}

#[test]
fn a_fill_is_what_a_slow_method_finds_from_any_of_its_layers() {
    let mut sizes = Vec::new();
    for seed in 0..12 {
        let region = region(seed);
        let mut place = seed;
        let (x, y) = (random(&mut place, 40) as i32, random(&mut place, 40) as i32);
        let column = region.with_layers(x as usize, y as usize, <[Cell]>::to_vec);
        for layer in column.unwrap() {
            let max_step = [0, 8, 16, 24][seed as usize % 4];
            let expected = slow_fill(&region, (x, y, layer.height), max_step as u16);
            let z = i32::from(layer.height);
            let found = filled_layers(&region, fill(x, y, z, max_step, 1 << 16));
            assert_eq!(found, expected, "seed {seed}");
            let (x, y, z) = *expected.iter().nth(expected.len() / 2).unwrap();
            let again = filled_layers(&region, fill(x, y, z.into(), max_step, expected.len()));
            assert_eq!(again, expected, "seed {seed} from {x}, {y}, {z}");
            sizes.push(expected.len());
        }
    }
    assert!(sizes.iter().any(|n| *n > 1000), "{sizes:?}");
    assert!(sizes.iter().any(|n| (2..1000).contains(n)), "{sizes:?}");
}

#[test]
fn a_fill_over_its_limit_changes_nothing() {
    let region = region(3);
    let n = slow_fill(&region, (20, 20, region_height(&region)), 24).len();
    let mut session = session(&region);
    let level = |limit| Edit::Level {
        area: fill(20, 20, -100, 24, limit),
        layers: LayerChoice::All,
        height: 800,
    };
    let refused = session.apply(&level(n - 1));
    assert!(matches!(refused, Err(EditError::FillTooLarge { limit }) if limit == n - 1));
    assert_eq!(session.counts().n_cells, 0);
    session.apply(&level(n)).unwrap();
    assert!(session.counts().n_cells > 0);
    let cells = session.cells(&fill(20, 20, 800, 0, n)).unwrap();
    assert!(cells.contains(&cell(20, 20)) && cells.is_sorted());
}

/// Of the lowest layer of the cell at 20, 20.
fn region_height(region: &Region) -> i16 {
    let lowest = |layers: &[Cell]| layers.iter().map(|layer| layer.height).min();
    region.with_layers(20, 20, lowest).flatten().unwrap()
}

#[test]
fn fills_are_read_from_lines() {
    let read = |text: &str| EditLine::read(text.as_bytes());
    let line = r#"{"edit":"remove_layer","fill":[323,325,-100],"step":24,"limit":7}"#;
    let expected = Edit::RemoveLayer {
        area: fill(20, 20, -100, 24, 7),
        layers: LayerChoice::All,
    };
    assert_eq!(read(line), Ok(EditLine::Edit(expected)));
    for (line, words) in [
        (r#"{"edit":"smooth","fill":[0,0,0],"z":3}"#, "\"z\""),
        (
            r#"{"edit":"smooth","fill":[0,0,0],"radius":3}"#,
            "\"radius\"",
        ),
        (
            r#"{"edit":"smooth","brush":[0,0],"radius":3,"step":8}"#,
            "\"step\"",
        ),
        (
            r#"{"edit":"smooth","brush":[0,0],"fill":[0,0,0]}"#,
            "one of",
        ),
    ] {
        let error = read(line).unwrap_err();
        assert!(error.what.contains(words), "{line}: {error}");
    }
}
