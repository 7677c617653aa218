//! What is checked of each region.

use super::Subject;
use super::cell_by_cell::{FORMATS, checked};
use super::expected::Product;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_lineage2::conv_dat::ConvDat;
use ironlands_assets_lineage2::convert::{ConvertOptions, convert};
use ironlands_assets_lineage2::l2d::L2d;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::level::GeodataLevel;
use ironlands_assets_lineage2::{Block, FlatRule, Nswe, RegionFile, RegionStats};
use ironlands_real_data::Check;
use ironlands_world_kind::{Level, OpenError};
use ironlands_world_lineage2::{Lineage2Error, Lineage2Options, open_level};
use libtest_mimic::Failed;

/// Bytes of the header of the original server's files: section 2.3.
const DAT_HEADER_LEN: u64 = 18;

pub static TRIALS: [Check<Subject>; 8] = [
    ("level", level),
    ("bytes", bytes),
    ("row", row),
    ("findings", findings),
    ("products", products),
    ("conversions", conversions),
    ("flattening", flattening),
    ("diagonals", diagonals),
];

/// Alone it is a level of one region; its whole folder is one too, or two of its files are named.
fn level(subject: &Subject) -> Result<(), Failed> {
    let options = |from| Lineage2Options {
        from,
        ..Lineage2Options::default()
    };
    let land =
        |level: &Level<GeodataLevel>| level.scene.tiles.as_ref().map_or(0, |tree| tree.land.len());
    let alone = open_level(&subject.path, &options(None))?;
    same("tiles", land(&alone), 1)?;
    let folder = subject.path.parent().ok_or("a folder")?;
    let format = subject.file.format();
    let whole = open_level(folder, &options(Some(format)))?;
    let files = &whole.files;
    let is_among = files.files.iter().any(|file| file.path == subject.path);
    same("its file is among them", is_among, true)?;
    same("the folder's tiles", land(&whole), files.files.len())?;
    match open_level(folder, &options(None)) {
        Ok(all) => same("all", land(&all) >= land(&whole), true),
        Err(OpenError::OfWorld(error)) => {
            let error = error.downcast::<Lineage2Error>()?;
            same("two", matches!(*error, Lineage2Error::RegionTwice(_)), true)
        }
        Err(error) => Err(error.into()),
    }
}

fn bytes(subject: &Subject) -> Result<(), Failed> {
    same(
        "the bytes written",
        subject.file.write()? == subject.data,
        true,
    )
}

fn row(subject: &Subject) -> Result<(), Failed> {
    let stats = RegionStats::from_region(subject.file.region());
    let n_blocks = stats.n_flat + stats.n_complex + stats.n_multilayer;
    same("blocks", n_blocks, 65_536)?;
    let Some(row) = &subject.expected.row else {
        return Ok(());
    };
    same("size", subject.data.len(), row.n_bytes)?;
    same("crc32", crc32(&subject.data), row.crc32)?;
    same("counts", stats, row.stats)
}

/// Section 8: a strict reader accepts all; the header of the original server is right.
fn findings(subject: &Subject) -> Result<(), Failed> {
    let header_len = match &subject.file {
        RegionFile::ConvDat(_) => DAT_HEADER_LEN,
        _ => 0,
    };
    let findings = subject.file.check();
    let reported = findings.iter().filter(|finding| {
        let in_header = finding.offset.is_some_and(|offset| offset < header_len);
        finding.severity == Severity::Error || in_header
    });
    let reported: Vec<_> = reported.collect();
    same("errors of the header", reported.len(), 0)?;
    let RegionFile::ConvDat(dat) = &subject.file else {
        return Ok(());
    };
    same("repairing", &dat.repaired(), dat)
}

fn products(subject: &Subject) -> Result<(), Failed> {
    let region = subject.file.region();
    for &(product, n_bytes, crc) in subject.expected.products {
        let bytes = match product {
            Product::L2jMax => L2j::from_region(region, FlatRule::Max).write()?,
            Product::L2jMin => L2j::from_region(region, FlatRule::Min).write()?,
            Product::L2jAverage => L2j::from_region(region, FlatRule::Average).write()?,
            Product::L2d => L2d::from_region(region, FlatRule::Max).write()?,
            Product::Dat => ConvDat::from_region(region).write()?,
        };
        let what = format!("{product:?}");
        same(&what, (bytes.len(), crc32(&bytes)), (n_bytes, crc))?;
    }
    Ok(())
}

/// Sections 3.2 and 3.5: from its own format to every other, and from each of those to every other again; what differs
/// is what is reported, cell by cell.
fn conversions(subject: &Subject) -> Result<(), Failed> {
    let options = ConvertOptions {
        key: 0x1234_5678,
        ..ConvertOptions::default()
    };
    for first in FORMATS {
        let there = checked(&subject.file, first, &options)?;
        for second in FORMATS {
            checked(&there, second, &options)?;
        }
    }
    Ok(())
}

/// Section 3.4: all blocks that the original tools would have made flat are, and none is left.
fn flattening(subject: &Subject) -> Result<(), Failed> {
    let options = ConvertOptions {
        flatten: true,
        ..ConvertOptions::default()
    };
    let format = subject.file.format();
    let once = checked(&subject.file, format, &options)?;
    let n_left = once.region().blocks().iter().filter(|block| {
        let cells = block.stored_layers();
        let heights = || cells.iter().map(|cell| cell.height);
        cells.len() == 64
            && cells.iter().all(|cell| cell.nswe == Nswe::ALL_SIDES)
            && heights()
                .max()
                .zip(heights().min())
                .is_some_and(|(high, low)| high - low <= 32)
    });
    same("blocks that could be flat", n_left.count(), 0)?;
    let twice = convert(&once, format, &options)?;
    same("losses of the second time", twice.losses, Vec::new())?;
    same(
        "the second time",
        twice.file.write()? == once.write()?,
        true,
    )
}

/// Section 3.3.
fn diagonals(subject: &Subject) -> Result<(), Failed> {
    let Some(expected) = subject.expected.diagonals else {
        return Ok(());
    };
    let l2d = L2d::from_region(subject.file.region(), FlatRule::Max);
    let layers = || l2d.region.blocks().iter().flat_map(Block::stored_layers);
    let n_with = |nswe: Nswe| layers().filter(|layer| layer.nswe.contains(nswe)).count();
    let found = [
        Nswe::SOUTH_EAST,
        Nswe::SOUTH_WEST,
        Nswe::NORTH_EAST,
        Nswe::NORTH_WEST,
        Nswe::all(),
    ];
    // The dossier's counts are of multilayer and complex blocks alike.
    same("diagonals", found.map(n_with), expected)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: {found:?}, expected {expected:?}").into())
}

fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}
