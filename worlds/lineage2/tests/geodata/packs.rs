//! What is packed, and how small.

use crate::regions::Loaded;
use crate::same;
use ironlands_assets_lineage2::{Block, Cell, GeoCell, Nswe};
use ironlands_sim_geodata::GeoPoint;
use libtest_mimic::Failed;

/// Bytes that a plain loader keeps a region beside its file: a place for each block.
const PLAIN_OVERHEAD: u64 = 4 * 65_536;

/// The place of the query, x, y, z, and the height of the ground there.
type Town = (i32, i32, i32, i32);

/// Well-known places with the height of their ground: section 1.3.
pub const TOWNS: [(&str, Town); 5] = [
    ("17_25.l2j", (-84141, 244623, -3728, -3728)),
    ("17_25_conv.dat", (-84141, 244623, -3728, -3728)),
    ("19_21_conv.dat", (-12787, 122779, -3112, -3112)),
    ("22_22.l2j", (83400, 147943, -3404, -3400)),
    ("20_18_conv.dat", (9709, 15566, -4568, -4568)),
];

/// Every layer of every cell, from high to low, and both heights of flat blocks.
pub fn decodes(loaded: &Loaded) -> Result<(), Failed> {
    let id = loaded.region.id;
    let pack = loaded.geodata.pack(id).ok_or("no pack")?;
    let again = pack.to_region(id);
    for (index, (found, source)) in again
        .blocks()
        .iter()
        .zip(loaded.region.blocks())
        .enumerate()
    {
        let is_same = match (found, source) {
            (Block::Flat(a), Block::Flat(b)) => (a.high(), a.low()) == (b.high(), b.low()),
            (Block::Complex(a), Block::Complex(b)) => a == b,
            (Block::Complex(a), Block::Multilayer(b)) => a[..] == *b.all_layers(),
            (Block::Multilayer(a), Block::Multilayer(b)) => **a == (**b).clone().sorted(),
            _ => false,
        };
        same(&format!("block {index}"), is_same, true)?;
        // What queries say, cell by cell, of some blocks.
        if index % 61 == 0 {
            compare(loaded, index as u16, source)?;
        }
    }
    Ok(())
}

fn compare(loaded: &Loaded, index: u16, source: &Block) -> Result<(), Failed> {
    for cell in 0..64_u8 {
        let at = GeoCell::in_region(loaded.region.id, index, cell);
        let found: Vec<Cell> = (loaded.geodata.layers(at)?.into_iter().rev())
            .map(|layer| Cell::new(layer.z as i16, layer.nswe))
            .collect();
        let mut expected = match source {
            Block::Flat(flat) => vec![Cell::new(flat.high(), Nswe::ALL_SIDES)],
            Block::Complex(cells) => vec![cells[usize::from(cell)]],
            Block::Multilayer(multilayer) => multilayer.layers(usize::from(cell)).to_vec(),
        };
        expected.sort_by_key(|layer| std::cmp::Reverse(layer.height));
        same(&format!("block {index}, cell {cell}"), found, expected)?;
    }
    Ok(())
}

pub fn is_small(loaded: &Loaded) -> Result<(), Failed> {
    let n_bytes = loaded
        .geodata
        .pack(loaded.region.id)
        .ok_or("no pack")?
        .n_bytes();
    let plain = loaded.n_file_bytes + PLAIN_OVERHEAD;
    same(
        &format!("{n_bytes} of {plain} bytes"),
        n_bytes as u64 * 10 <= plain * 4,
        true,
    )
}

pub fn town(loaded: &Loaded) -> Result<(), Failed> {
    for (file, (x, y, z, expected)) in TOWNS {
        if file != loaded.file {
            continue;
        }
        same(
            "height",
            loaded.geodata.height(GeoPoint::new(x, y, z))?,
            expected,
        )?;
        if file == "20_18_conv.dat" {
            let layers = loaded.geodata.layers(GeoCell::from_point(x, y)?)?;
            let layers: Vec<_> = layers
                .iter()
                .rev()
                .map(|it| (it.z, it.nswe.bits()))
                .collect();
            same("layers", layers, vec![(3000, 11), (-4568, 15)])?;
        }
    }
    Ok(())
}
