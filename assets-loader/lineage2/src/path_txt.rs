//! `X_Y_path.txt`: a line a cell. Dossier section 2.5.
//!
//! `[x,y]n(h:EWSN)(h:EWSN)...`: the cell inside of the region, its number of layers, and of each the height and four
//! digits for the sides. A cell without layers is blocked. Other lines are passed over. Cells may come in any order;
//! each must come once. Written lines are x-major, and end with a line feed.

#[cfg(test)]
mod tests;

use super::RegionId;
use super::cell::{Cell, Nswe};
use super::checks::check_region;
use super::flat::{Flat, FlatRule};
use super::grid::CELLS_PER_REGION_SIDE;
use super::multilayer::Multilayer;
use super::region::{
    BLOCKS_PER_SIDE, Block, CELLS_PER_BLOCK, CELLS_PER_BLOCK_SIDE, Complex, MAX_LAYERS, Region,
};
use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Reader, Writer};

const FORMAT: &str = "path_txt";

/// The layer of a cell that has none: out of reach, and closed to all sides.
const BLOCKED: Cell = Cell::new(16383, Nswe::empty());

/// Bytes of the shortest line, `[0,0]0`, with its end.
const MIN_LINE_SIZE: usize = 7;

/// Sides in the order of their digits.
const DIGITS: [Nswe; 4] = [Nswe::EAST, Nswe::WEST, Nswe::SOUTH, Nswe::NORTH];

/// A region as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathTxt {
    /// Blocks are flat where all cells are the same and open, multilayer where a cell has more than one layer.
    pub region: Region,
}

impl PathTxt {
    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        let blocks = read_blocks(data, BLOCKS_PER_SIDE)?;
        let region = Region::new(id, blocks).map_err(|error| {
            Reader::new(FORMAT, data).unexpected("cells", "a whole region", error)
        })?;
        Ok(Self { region })
    }

    /// A file of any region. Of a flat block with two heights, one is kept by `rule`, and diagonals are left out. Blocks
    /// are what a reader of the text takes them for.
    pub fn from_region(region: &Region, rule: FlatRule) -> Self {
        let mut region = region.clone();
        for block in region.blocks_mut() {
            for cell in block.stored_layers_mut() {
                cell.nswe &= Nswe::ALL_SIDES;
            }
            if let Block::Flat(flat) = block {
                *flat = flat.in_one_height(rule);
            } else if let Ok(cells) = Box::try_from(block.stored_layers().to_vec()) {
                *block = block_of(cells);
            }
        }
        Self { region }
    }

    /// The text of the file, which is large: a line for each of four million cells.
    ///
    /// # Errors
    /// If a cell has more than [`MAX_LAYERS`] layers.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        write_blocks(self.region.blocks(), BLOCKS_PER_SIDE)
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        check_region(FORMAT, &self.region, &[], None)
    }
}

/// A square of `side` x `side` blocks; a region has 256.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a square of at most 256 blocks a side"
)]
fn read_blocks(data: &[u8], side: usize) -> Result<Vec<Block>, FormatError> {
    let cells_per_side = side * CELLS_PER_BLOCK_SIDE;
    let n_cells = cells_per_side * cells_per_side;
    let start = Reader::new(FORMAT, data);
    // The last line may lack its end.
    let available = data.len() + 1;
    if available / MIN_LINE_SIZE < n_cells {
        let kind = FormatErrorKind::Truncated {
            needed: (n_cells * MIN_LINE_SIZE - 1) as u64,
            available: data.len() as u64,
        };
        return Err(start.error("lines of cells", kind));
    }
    let mut columns = Columns {
        places: vec![(0, 0); n_cells],
        layers: Vec::with_capacity(n_cells),
    };
    let mut r = start.clone();
    while r.remaining() > 0 {
        let at = r.clone();
        let line = take_line(&mut r)?;
        if line.starts_with(b"[") {
            columns.take(&at, line, cells_per_side)?;
        }
    }
    if let Some(missing) = columns.places.iter().position(|&(_, n)| n == 0) {
        let (x, y) = (missing / cells_per_side, missing % cells_per_side);
        return Err(r.unexpected("cells", format!("a line for cell {x},{y}"), "none"));
    }
    let blocks = (0..side * side).map(|index| columns.block(index, side));
    Ok(blocks.collect())
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "a place in a line in memory"
)]
fn take_line<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], FormatError> {
    let rest = r.clone().rest();
    let end = rest.iter().position(|&byte| byte == b'\n');
    let line = r.bytes("line", end.map_or(rest.len(), |end| end + 1))?;
    Ok(line.trim_ascii_end())
}

/// The layers of all cells, each cell's together.
struct Columns {
    /// First layer and number of layers by cell, x-major; none yet where the number is 0.
    places: Vec<(u32, u8)>,
    layers: Vec<Cell>,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "cells of a square, whose numbers were compared with its side"
)]
impl Columns {
    /// Takes the line of a cell.
    fn take(&mut self, at: &Reader<'_>, line: &[u8], side: usize) -> Result<(), FormatError> {
        let mut words = Words { line, pos: 1, at };
        let x = words.number("cell x", b",")?;
        let y = words.number("cell y", b"]")?;
        let cell = match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < side && y < side => x * side + y,
            _ => {
                let expected = format!("0 to {} twice", side - 1);
                return Err(at.unexpected("cell", expected, format!("{x},{y}")));
            }
        };
        if self.places[cell].1 > 0 {
            let found = format!("{x},{y} once more");
            return Err(at.unexpected("cell", "a cell once", found));
        }
        let n = words.number("layer count", b"(")?;
        let n = match u8::try_from(n) {
            Ok(n) if usize::from(n) <= MAX_LAYERS => n,
            _ => return Err(at.unexpected("layer count", format!("0 to {MAX_LAYERS}"), n)),
        };
        let first = self.layers.len() as u32;
        for _ in 0..n {
            let layer = words.layer()?;
            self.layers.push(layer);
        }
        if n == 0 {
            self.layers.push(BLOCKED);
        }
        self.places[cell] = (first, n.max(1));
        words.finish()
    }

    fn block(&self, index: usize, side: usize) -> Block {
        let first = (
            index / side * CELLS_PER_BLOCK_SIDE,
            index % side * CELLS_PER_BLOCK_SIDE,
        );
        let columns = (0..CELLS_PER_BLOCK).map(|cell| {
            let x = first.0 + cell / CELLS_PER_BLOCK_SIDE;
            let y = first.1 + cell % CELLS_PER_BLOCK_SIDE;
            let (start, n) = self.places[x * side * CELLS_PER_BLOCK_SIDE + y];
            &self.layers[start as usize..][..usize::from(n)]
        });
        let mut cells = Box::new([Cell::default(); CELLS_PER_BLOCK]);
        for (cell, column) in cells.iter_mut().zip(columns.clone()) {
            let &[only] = column else {
                let block = Multilayer::new(columns).map(Box::new);
                return Block::Multilayer(block.expect("64 columns of 1 to 125 layers"));
            };
            *cell = only;
        }
        block_of(cells)
    }
}

/// A block of one layer per cell: flat where all are the same and open.
fn block_of(cells: Complex) -> Block {
    let [first, ..] = *cells;
    if first.nswe == Nswe::ALL_SIDES && cells.iter().all(|&cell| cell == first) {
        return Block::Flat(Flat::from_height(first.height));
    }
    Block::Complex(cells)
}

/// The parts of a line.
struct Words<'a, 'r> {
    line: &'a [u8],
    pos: usize,
    /// Where the line begins.
    at: &'a Reader<'r>,
}

#[expect(clippy::arithmetic_side_effects, reason = "places in a line in memory")]
impl Words<'_, '_> {
    fn error(&self, field: &'static str, expected: &'static str) -> FormatError {
        let found = self.line.get(self.pos..).unwrap_or_default();
        let found = found.get(..16).unwrap_or(found);
        let mut error = self.at.unexpected(field, expected, found.escape_ascii());
        error.offset += self.pos as u64;
        error
    }

    /// A decimal number and the mark after it, which the line may end instead of for `(`.
    fn number(&mut self, field: &'static str, mark: &[u8; 1]) -> Result<i32, FormatError> {
        let rest = self.line.get(self.pos..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|byte| !byte.is_ascii_digit() && *byte != b'-')
            .unwrap_or(rest.len());
        let number = rest
            .get(..len)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let Some(number) = number.and_then(|digits| digits.parse().ok()) else {
            return Err(self.error(field, "a number"));
        };
        self.pos += len;
        match rest.get(len) {
            // Layers begin with their own mark.
            Some(b'(') if mark == b"(" => {}
            Some(byte) if *byte == mark[0] => self.pos += 1,
            None if mark == b"(" => {}
            _ => return Err(self.error(field, "the mark after a number")),
        }
        Ok(number)
    }

    fn layer(&mut self) -> Result<Cell, FormatError> {
        if self.line.get(self.pos) != Some(&b'(') {
            return Err(self.error("layer", "\"(\""));
        }
        self.pos += 1;
        let start = self.pos;
        let height = self.number("layer height", b":")?;
        let Ok(height) = i16::try_from(height) else {
            self.pos = start;
            return Err(self.error("layer height", "-32768 to 32767"));
        };
        let Some([e, w, s, n, b')']) = self.line.get(self.pos..).and_then(<[u8]>::first_chunk)
        else {
            return Err(self.error("layer sides", "four digits and \")\""));
        };
        let mut nswe = Nswe::empty();
        for (digit, side) in [e, w, s, n].into_iter().zip(DIGITS) {
            match digit {
                b'0' => {}
                b'1' => nswe |= side,
                _ => return Err(self.error("layer sides", "0 or 1")),
            }
        }
        self.pos += 5;
        Ok(Cell::new(height, nswe))
    }

    fn finish(self) -> Result<(), FormatError> {
        if self.pos == self.line.len() {
            return Ok(());
        }
        Err(self.error("layers", "the end of the line"))
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a square of at most 256 blocks a side"
)]
fn write_blocks(blocks: &[Block], side: usize) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    let cells_per_side = side * CELLS_PER_BLOCK_SIDE;
    debug_assert!(cells_per_side <= CELLS_PER_REGION_SIDE);
    for x in 0..cells_per_side {
        for y in 0..cells_per_side {
            let block = &blocks[(x >> 3) * side + (y >> 3)];
            let cell = (x & 7) * CELLS_PER_BLOCK_SIDE + (y & 7);
            block.with_layers(cell, |layers| put_line(&mut w, (x, y), layers))?;
        }
    }
    Ok(w.finish())
}

fn put_line(w: &mut Writer, (x, y): (usize, usize), layers: &[Cell]) -> Result<(), FormatError> {
    if layers.len() > MAX_LAYERS {
        return Err(w.too_large("layer count", layers.len() as u64, MAX_LAYERS as u64));
    }
    let layers = if layers == [BLOCKED] { &[] } else { layers };
    w.bytes(format!("[{x},{y}]{}", layers.len()).as_bytes());
    for layer in layers {
        let digits = DIGITS.map(|side| u8::from(layer.nswe.contains(side)));
        let [e, w_, s, n] = digits;
        w.bytes(format!("({}:{e}{w_}{s}{n})", layer.height).as_bytes());
    }
    w.bytes(b"\n");
    Ok(())
}
