//! Converts regions of Lineage II geodata from every format to every other, reads what was written, and compares it cell
//! by cell.
//!
//! ```sh
//! cargo run --release --example compare_geodata_formats -- geodata
//! ```
//!
//! You should see a table with a row for each two formats: how many cells of all regions differ, by what differs, and what
//! the conversions reported as lost. A region is converted from its own format to the first, and from there to the second.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use ironlands::worlds::lineage2::formats::convert::{ConvertOptions, Loss, LossKind, convert};
use ironlands::worlds::lineage2::formats::diff::{Change, DiffOptions, diff};
use ironlands::worlds::lineage2::formats::{
    FolderError, GeodataFormat, RegionFile, RegionFolder, RegionPath, Tolerance,
};
use rayon::prelude::*;

const CHANGES: [(Change, &str); 4] = [
    (Change::LAYERS, "layers"),
    (Change::HEIGHT, "heights"),
    (Change::NSWE, "sides"),
    (Change::FLAT_LOW, "lower flat heights"),
];

/// What became of the cells between two formats.
#[derive(Default)]
struct Row {
    n_cells: usize,
    n_changed: [usize; 4],
    losses: BTreeMap<LossKind, u64>,
}

type Table = BTreeMap<(GeodataFormat, GeodataFormat), Row>;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let path = path.ok_or("usage: compare_geodata_formats PATH")?;
    let path = Path::new(&path);
    let files: Vec<RegionPath> = match path.is_dir() {
        true => RegionFolder::scan(path)?
            .files
            .into_values()
            .flatten()
            .collect(),
        false => vec![RegionPath::new(path)?],
    };
    let tables = files.par_iter().with_max_len(1).map(compare);
    let tables = tables.collect::<Result<Vec<_>, String>>()?;
    let mut all = Table::new();
    for (formats, row) in tables.into_iter().flatten() {
        all.entry(formats).or_default().add(row);
    }
    println!("{} files", files.len());
    println!("| from | to | cells that differ | reported as lost |\n|---|---|---|---|");
    for ((from, to), row) in &all {
        println!(
            "| {from} | {to} | {} | {} |",
            row.differences(),
            row.reported()
        );
    }
    Ok(())
}

/// All pairs of formats for one file.
fn compare(path: &RegionPath) -> Result<Table, String> {
    let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", path.path.display());
    let source = path.open(Tolerance::STRICT);
    let source = source.map_err(|error: FolderError| in_file(&error))?;
    let formats = || (GeodataFormat::ALL.into_iter()).filter(|it| *it != GeodataFormat::L2s);
    let mut table = Table::new();
    for from in formats() {
        let (there, _) = converted(&source, from).map_err(|error| in_file(&error))?;
        for to in formats() {
            let (read, losses) = converted(&there, to).map_err(|error| in_file(&error))?;
            let found = diff(there.region(), read.region(), &DiffOptions::default());
            let n_with = |(change, _)| {
                let with = found
                    .cells
                    .iter()
                    .filter(|cell| cell.change.contains(change));
                with.count()
            };
            let row = Row {
                n_cells: found.cells.len(),
                n_changed: CHANGES.map(n_with),
                losses: losses.iter().map(|loss| (loss.kind, loss.count)).collect(),
            };
            table.insert((from, to), row);
        }
    }
    Ok(table)
}

/// A file in another format, as it is read after it was written, and what was reported as lost.
fn converted(
    source: &RegionFile,
    to: GeodataFormat,
) -> Result<(RegionFile, Vec<Loss>), ironlands::assets::bytes::FormatError> {
    let converted = convert(source, to, &ConvertOptions::default())?;
    let bytes = converted.file.write()?;
    let read = RegionFile::read(to, source.region().id, &bytes, Tolerance::STRICT)?;
    Ok((read, converted.losses))
}

impl Row {
    fn add(&mut self, other: Self) {
        self.n_cells += other.n_cells;
        for (sum, n) in self.n_changed.iter_mut().zip(other.n_changed) {
            *sum += n;
        }
        for (kind, count) in other.losses {
            *self.losses.entry(kind).or_default() += count;
        }
    }

    fn differences(&self) -> String {
        if self.n_cells == 0 {
            return "0".to_owned();
        }
        let changed = CHANGES.iter().zip(self.n_changed).filter(|(_, n)| *n > 0);
        let parts: Vec<String> = changed
            .map(|((_, what), n)| format!("{what} {n}"))
            .collect();
        format!("{}: {}", self.n_cells, parts.join(", "))
    }

    fn reported(&self) -> String {
        let losses = self.losses.iter();
        let parts: Vec<String> = losses
            .map(|(&kind, &count)| Loss { kind, count }.to_string())
            .collect();
        parts.join("; ")
    }
}
