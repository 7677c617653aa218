//! What is checked of each region.

use super::Subject;
use super::expected::Product;
use super::real_maps::Check;
use ironlands_assets_loader::bytes::Severity;
use ironlands_assets_loader::level::{self, Level, LevelError, LevelFiles, OpenOptions};
use ironlands_assets_loader::lineage2::conv_dat::ConvDat;
use ironlands_assets_loader::lineage2::convert::{ConvertOptions, convert, is_same_ground};
use ironlands_assets_loader::lineage2::l2d::L2d;
use ironlands_assets_loader::lineage2::l2j::L2j;
use ironlands_assets_loader::lineage2::{
    Block, FlatRule, GeodataFormat, Nswe, Region, RegionFile, RegionStats, Tolerance,
};
use libtest_mimic::Failed;

/// Bytes of the header of the original server's files: section 2.3.
const DAT_HEADER_LEN: u64 = 18;

pub static TRIALS: [Check<Subject>; 7] = [
    ("level", level),
    ("bytes", bytes),
    ("row", row),
    ("findings", findings),
    ("products", products),
    ("round_trips", round_trips),
    ("diagonals", diagonals),
];

/// Alone it is a level of one region; its whole folder is one too, or two of its files are named.
fn level(subject: &Subject) -> Result<(), Failed> {
    let options = |geodata_format| OpenOptions {
        geodata_format,
        ..OpenOptions::default()
    };
    let land = |level: &Level| level.scene.tiles.as_ref().map_or(0, |tree| tree.land.len());
    let alone = level::open(&subject.path, &options(None))?;
    same("tiles", land(&alone), 1)?;
    let folder = subject.path.parent().ok_or("a folder")?;
    let format = subject.file.format();
    let whole = level::open(folder, &options(Some(format)))?;
    let LevelFiles::Geodata(files) = &whole.files else {
        return Err("no geodata".into());
    };
    let is_among = files.files.iter().any(|file| file.path == subject.path);
    same("its file is among them", is_among, true)?;
    same("the folder's tiles", land(&whole), files.files.len())?;
    match level::open(folder, &options(None)) {
        Ok(all) => same("all", land(&all) >= land(&whole), true),
        Err(LevelError::RegionTwice { first, second, .. }) => same("two", first != second, true),
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
    let stats = RegionStats::of(subject.file.region());
    let n_blocks = stats.n_flat + stats.n_complex + stats.n_multilayer;
    same("blocks", n_blocks, 65_536)?;
    let Some(row) = &subject.expected.row else {
        return Ok(());
    };
    same("size", subject.data.len(), row.n_bytes)?;
    same("crc32", crc32(&subject.data), row.crc32)?;
    same("counts", stats, row.stats)
}

/// Section 8: a strict reader accepts all; the header of the original server tells the truth.
fn findings(subject: &Subject) -> Result<(), Failed> {
    let header_len = match &subject.file {
        RegionFile::ConvDat(_) => DAT_HEADER_LEN,
        _ => 0,
    };
    let findings = subject.file.check();
    let told = findings.iter().filter(|finding| {
        let in_header = finding.offset.is_some_and(|offset| offset < header_len);
        finding.severity == Severity::Error || in_header
    });
    let told: Vec<_> = told.collect();
    same("errors and faults of the header", told.len(), 0)?;
    let RegionFile::ConvDat(dat) = &subject.file else {
        return Ok(());
    };
    same("repairing", &dat.repaired(), dat)
}

fn products(subject: &Subject) -> Result<(), Failed> {
    let region = subject.file.region();
    for &(product, n_bytes, crc) in subject.expected.products {
        let bytes = match product {
            Product::L2jMax => L2j::of_region(region, FlatRule::Max).write()?,
            Product::L2jMin => L2j::of_region(region, FlatRule::Min).write()?,
            Product::L2jAverage => L2j::of_region(region, FlatRule::Average).write()?,
            Product::L2d => L2d::of_region(region).write()?,
            Product::Dat => ConvDat::of_region(region).write()?,
        };
        let what = format!("{product:?}");
        same(&what, (bytes.len(), crc32(&bytes)), (n_bytes, crc))?;
    }
    Ok(())
}

/// Section 3.5: what is written is read back as it was, and cells survive every format that tells of them.
fn round_trips(subject: &Subject) -> Result<(), Failed> {
    let source = subject.file.region();
    let options = ConvertOptions {
        key: 0x1234_5678,
        ..ConvertOptions::default()
    };
    let formats = [
        GeodataFormat::ConvDat,
        GeodataFormat::L2j,
        GeodataFormat::L2d,
        GeodataFormat::L2g,
        GeodataFormat::L2m,
        GeodataFormat::Rp,
    ];
    for format in formats {
        let converted = convert(&subject.file, format, &options)?;
        let bytes = converted.file.write()?;
        let again = RegionFile::read(format, source.id, &bytes, Tolerance::STRICT)?;
        same(
            &format!("{format} read again"),
            again == converted.file,
            true,
        )?;
        let is_kept = is_same_ground(source, again.region());
        // Only `.l2d` and `.rp` keep the low bits of some flat heights as heights.
        let is_exact =
            !matches!(format, GeodataFormat::L2d | GeodataFormat::Rp) || !has_low_bits(source);
        same(&format!("ground of {format}"), is_kept, is_exact)?;
        let back = convert(&again, subject.file.format(), &options)?;
        same(
            &format!("ground over {format}"),
            is_same_ground(source, back.file.region()),
            true,
        )?;
    }
    Ok(())
}

fn has_low_bits(region: &Region) -> bool {
    region.blocks().iter().any(|block| match block {
        Block::Flat(flat) => flat.first_word() & 7 != 0,
        Block::Complex(_) | Block::Multilayer(_) => false,
    })
}

/// Section 3.3.
fn diagonals(subject: &Subject) -> Result<(), Failed> {
    let Some(expected) = subject.expected.diagonals else {
        return Ok(());
    };
    let l2d = L2d::of_region(subject.file.region());
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
