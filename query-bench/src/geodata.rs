//! A plain loader of geodata, which ours is measured against: the bytes of the file and a place for each block.
//!
//! It finds heights as common servers do, by going through the counts of a multilayer block. Regions are real ones
//! where there are some, else one from a seed. [`on_ground`] draws the ends of walks and paths.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::vfs;
use ironlands_assets_lineage2::conv_dat::ConvDat;
use ironlands_assets_lineage2::{
    Block, Cell, FolderError, GeoCell, GeodataFormat, Multilayer, Nswe, Region, RegionFile,
    RegionFolder, RegionId, RegionPath, Tolerance, ZERO_REGION,
};
use std::path::Path;

/// A region as its file has it, `.l2j` or `_conv.dat`.
pub struct PlainRegion {
    /// Its number.
    pub id: RegionId,
    /// Of the two formats.
    pub format: GeodataFormat,
    /// The file.
    pub bytes: Vec<u8>,
    /// Where each block begins, behind its type.
    offsets: Vec<u32>,
}

/// Marks in the two highest bits of an offset.
const COMPLEX: u32 = 1 << 30;
const MULTILAYER: u32 = 2 << 30;
const PLACE: u32 = COMPLEX - 1;

impl PlainRegion {
    /// Finds the blocks of a file that is known to be valid.
    pub fn new(id: RegionId, format: GeodataFormat, bytes: Vec<u8>) -> Self {
        let mut plain = Self {
            id,
            format,
            bytes,
            offsets: Vec::with_capacity(65_536),
        };
        let is_dat = plain.is_dat();
        let mut at = if is_dat { ConvDat::HEADER_SIZE } else { 0 };
        for _ in 0..65_536 {
            let kind = if is_dat {
                plain.u16(at)
            } else {
                u16::from(plain.bytes[at])
            };
            at += if is_dat { 2 } else { 1 };
            let place = at as u32;
            match (is_dat, kind) {
                (true, 0) | (false, 0) => {
                    plain.offsets.push(place);
                    at += if is_dat { 4 } else { 2 };
                }
                (true, 0x40) | (false, 1) => {
                    plain.offsets.push(place | COMPLEX);
                    at += 128;
                }
                _ => {
                    plain.offsets.push(place | MULTILAYER);
                    for _ in 0..64 {
                        at += plain.column(at).1;
                    }
                }
            }
        }
        plain
    }

    /// Bytes that it takes.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&*self.offsets)
    }

    /// Height of the layer nearest to `z`; of two, the first of the file.
    pub fn height(&self, cell: GeoCell, z: i32) -> i32 {
        let offset = self.offsets[usize::from(cell.block_index())];
        let at = (offset & PLACE) as usize;
        let index = usize::from(cell.cell_index());
        match offset & !PLACE {
            COMPLEX => height(self.u16(at + 2 * index)),
            MULTILAYER => {
                let mut at = at;
                for _ in 0..index {
                    at += self.column(at).1;
                }
                let (n, len) = self.column(at);
                let first = at + len - 2 * n;
                let layers = (0..n).map(|layer| height(self.u16(first + 2 * layer)));
                let nearest = layers.min_by_key(|height| height.abs_diff(z));
                nearest.unwrap_or(z)
            }
            _ => i32::from(self.u16(at).cast_signed()),
        }
    }

    /// Layers of the column at a place, and its bytes.
    fn column(&self, at: usize) -> (usize, usize) {
        let (n, head) = match self.is_dat() {
            true => (usize::from(self.u16(at)), 2),
            false => (usize::from(self.bytes[at]), 1),
        };
        (n, head + 2 * n)
    }

    /// Writes the file into a folder, under the name that its region and format require.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<RegionPath, FolderError> {
        let path = folder.join(format!("{}{}", self.id, self.format));
        match std::fs::write(&path, &self.bytes) {
            Ok(()) => RegionPath::new(&path),
            Err(error) => Err(FolderError::Io { path, error }),
        }
    }

    fn is_dat(&self) -> bool {
        self.format == GeodataFormat::ConvDat
    }

    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }
}

fn height(word: u16) -> i32 {
    i32::from((word & 0xFFF0).cast_signed() >> 1)
}

/// One file of each real region, `.l2j` before others; else [`synthetic`]. The second is whether they are real.
///
/// # Errors
/// If a real file cannot be read.
pub fn regions() -> Result<(Vec<PlainRegion>, bool), FolderError> {
    let Some(folder) = ironlands_real_data::find("lineage2") else {
        let file = ConvDat::from_region(&synthetic(7));
        let bytes = file.write().expect("few layers");
        let region = PlainRegion::new(ZERO_REGION, GeodataFormat::ConvDat, bytes);
        return Ok((vec![region], false));
    };
    let mut regions = Vec::new();
    for (id, files) in RegionFolder::scan(&folder)?.files {
        let known = |format| files.iter().find(|file| file.name.format == format);
        let file = known(GeodataFormat::L2j).or_else(|| known(GeodataFormat::ConvDat));
        let Some(file) = file else {
            continue;
        };
        let bytes = vfs::read(&file.path).map_err(|error| FolderError::Io {
            path: file.path.clone(),
            error,
        })?;
        regions.push(PlainRegion::new(id, file.name.format, bytes));
    }
    Ok((regions, true))
}

/// The typed region of a file.
///
/// # Errors
/// If it is not valid.
pub fn typed(region: &PlainRegion) -> Result<Region, FormatError> {
    let file = RegionFile::read(region.format, region.id, &region.bytes, Tolerance::STRICT)?;
    Ok(Region::from(file))
}

/// Hills with steep sides, plains between them, and platforms above both.
pub fn synthetic(seed: u64) -> Region {
    let mut region = Region::flat(ZERO_REGION, -3000);
    let phase = seed as f64;
    let ground = |x: usize, y: usize| {
        let (x, y) = (x as f64 / 90.0, y as f64 / 70.0);
        let hill = (x + phase).sin() * (y - phase).cos() + 0.4 * (2.3 * x - y).sin();
        // Where it is low the land is a plain.
        ((hill.max(0.2) - 0.2) * 700.0) as i16 / 8 * 8 - 3000
    };
    for (index, block) in region.blocks_mut().iter_mut().enumerate() {
        let (bx, by) = (index / 256 * 8, index % 256 * 8);
        let at = |cell: usize| (bx + cell / 8, by + cell % 8);
        let cell_of = |cell: usize| {
            let (x, y) = at(cell);
            let here = ground(x, y);
            let mut nswe = Nswe::ALL_SIDES;
            let beside = [
                (Nswe::EAST, x + 1, y),
                (Nswe::WEST, x.saturating_sub(1), y),
                (Nswe::SOUTH, x, y + 1),
                (Nswe::NORTH, x, y.saturating_sub(1)),
            ];
            for (side, x, y) in beside {
                if ground(x, y) - here > 24 {
                    nswe -= side;
                }
            }
            Cell::new(here, nswe)
        };
        let cells: Vec<Cell> = (0..64).map(cell_of).collect();
        let is_flat = cells
            .iter()
            .all(|cell| *cell == Cell::new(-3000, Nswe::ALL_SIDES));
        let has_platform = (index * 31 + index / 256 * 7) % 23 == 0;
        if has_platform {
            let columns = cells
                .iter()
                .map(|&cell| [Cell::new(cell.height + 256, Nswe::ALL_SIDES), cell]);
            let columns: Vec<[Cell; 2]> = columns.collect();
            let block_of = Multilayer::new(columns.iter().map(|column| &column[..]));
            *block = Block::Multilayer(Box::new(block_of.expect("two layers a cell")));
        } else if !is_flat {
            let cells: [Cell; 64] = cells.try_into().expect("64 cells");
            *block = Block::Complex(Box::new(cells));
        }
    }
    region
}

/// A cell of a region by two numbers, and a height to query from.
pub fn on_ground(region: &PlainRegion, draw: &mut impl FnMut(u64) -> u64) -> (GeoCell, i32) {
    let cell = GeoCell::in_region(region.id, draw(65_536) as u16, draw(64) as u8);
    let z = draw(8000) as i32 - 5000;
    (cell, region.height(cell, z))
}
