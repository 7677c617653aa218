//! Sheets as facets, as few as show the same.

use super::SIDE;
use super::columns::{Columns, Sheet};
use super::corners::Corners;
use ironlands_scene::{Facet, Facing};

/// Cells along a side of a block.
const BLOCK: usize = 8;

/// Adds the ground of the tile itself.
pub(super) fn add_ground(columns: &Columns, corners: &Corners, facets: &mut Vec<Facet>) {
    let mut levels = LevelGrid {
        keys: vec![0; SIDE * SIDE],
        is_empty: true,
    };
    for layer in 0..usize::from(columns.max_sheets()) {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let range = columns.range((y + 1) * columns.side + x + 1);
                let Some(sheet) = range.clone().nth(layer) else {
                    continue;
                };
                let shown = columns.sheets[sheet];
                let z = if shown.is_flat {
                    let z = corners_of_block(columns, corners, x, y);
                    if !is_level(z) {
                        if x.is_multiple_of(BLOCK) && y.is_multiple_of(BLOCK) {
                            facets.push(ground(x, y, BLOCK, z, &shown));
                        }
                        continue;
                    }
                    z
                } else {
                    corners.get(sheet)
                };
                if is_level(z) {
                    levels.set(x, y, z[0], &shown);
                } else {
                    facets.push(ground(x, y, 1, z, &shown));
                }
            }
        }
        levels.drain(facets);
    }
}

/// Of the flat block around a step, counted from the second one.
pub(super) fn corners_of_block(
    columns: &Columns,
    corners: &Corners,
    x: usize,
    y: usize,
) -> [i16; 4] {
    let (x, y) = (x / BLOCK * BLOCK + 1, y / BLOCK * BLOCK + 1);
    let at = |x: usize, y: usize, corner: usize| {
        let sheet = columns.range(y * columns.side + x).start;
        corners.get(sheet)[corner]
    };
    let (east, north) = (x + BLOCK - 1, y + BLOCK - 1);
    [
        at(x, y, 0),
        at(east, y, 1),
        at(x, north, 2),
        at(east, north, 3),
    ]
}

fn is_level(z: [i16; 4]) -> bool {
    z.iter().all(|&it| it == z[0])
}

/// A square of ground.
fn ground(x: usize, y: usize, side: usize, z: [i16; 4], sheet: &Sheet) -> Facet {
    // A tile has at most 255 steps.
    Facet {
        at: [x as u8, y as u8],
        size: [side as u8; 2],
        z,
        facing: Facing::Up,
        open_sides: sheet.open_sides,
        layer: sheet.layer,
        mark: sheet.mark as u8,
    }
}

/// Level steps of a tile, to be joined to rectangles.
struct LevelGrid {
    /// What each step looks like; 0 where there is none.
    keys: Vec<u64>,
    is_empty: bool,
}

impl LevelGrid {
    fn set(&mut self, x: usize, y: usize, z: i16, sheet: &Sheet) {
        let [low, high] = z.to_le_bytes();
        let bytes = [
            low,
            high,
            sheet.open_sides,
            sheet.layer,
            sheet.mark as u8,
            1,
            0,
            0,
        ];
        self.keys[y * SIDE + x] = u64::from_le_bytes(bytes);
        self.is_empty = false;
    }

    /// Takes all steps out, each with those of its look to the east, then with whole rows to the north.
    fn drain(&mut self, facets: &mut Vec<Facet>) {
        if std::mem::replace(&mut self.is_empty, true) {
            return;
        }
        for y in 0..SIDE {
            let mut x = 0;
            while x < SIDE {
                let key = self.keys[y * SIDE + x];
                if key == 0 {
                    x += 1;
                    continue;
                }
                let row = |y: usize| &self.keys[y * SIDE..][..SIDE];
                let width = row(y)[x..].iter().take_while(|&&it| it == key).count();
                let is_same = |y: &usize| row(*y)[x..x + width].iter().all(|&it| it == key);
                let height = (y..SIDE).take_while(is_same).count();
                for y in y..y + height {
                    self.keys[y * SIDE + x..][..width].fill(0);
                }
                let [low, high, open_sides, layer, mark, ..] = key.to_le_bytes();
                facets.push(Facet {
                    at: [x as u8, y as u8],
                    size: [width as u8, height as u8],
                    z: [i16::from_le_bytes([low, high]); 4],
                    facing: Facing::Up,
                    open_sides,
                    layer,
                    mark,
                });
                x += width;
            }
        }
    }
}
