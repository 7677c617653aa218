//! What `check` and `info` report on geodata: regions, and folders of them. Dossier sections 8 and 9.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{Format, Input};
use ironlands_assets_core::report::{Depth, Report, Scope};
use ironlands_assets_core::vfs::read_file;
use rayon::prelude::*;

use super::{
    BlockHashes, GeodataFormat, RegionContext, RegionEdges, RegionFile, RegionFileName, RegionId,
    RegionStats, check_copies, check_steps,
};

/// What regions of one format in one folder are together, as reports call it.
pub const SET: &str = "geodata_set";

/// Endings that no other files have: such a file is a region by all but its name.
const OWN_ENDINGS: [&str; 5] = ["_conv.dat", ".l2j", ".l2d", ".l2g", ".l2m"];
/// A mean step over a border that is worth a look: five times that of real sets.
const LARGE_STEP: f64 = 200.0;

/// Whether a file is a region by its name, or should be.
pub(super) fn is_region(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    RegionFileName::parse(&name).is_some() || OWN_ENDINGS.iter().any(|end| name.ends_with(end))
}

/// The reports on the regions in a folder, which are taken from the paths in it: first on what they are together, then
/// on each. There may be hundreds: all threads read them.
pub(super) fn inspect_folder(folder: &Path, paths: &mut Vec<PathBuf>) -> Vec<Report> {
    let is_region_file = |path: &mut PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        is_region(&name) && !path.is_dir()
    };
    let regions: Vec<PathBuf> = paths.extract_if(.., is_region_file).collect();
    let read = regions.par_iter().map(|path| match read_file(path) {
        Ok(data) => inspect_member(path, &data),
        Err(error) => (Report::unreadable(path, error.to_string()), None),
    });
    let (of_regions, known): (Vec<Report>, Vec<_>) = read.unzip();
    let known: Vec<_> = known.into_iter().flatten().collect();
    let mut reports = sets(folder, &known);
    reports.extend(of_regions);
    reports
}

/// The report on a region, and what the check of its set needs.
fn inspect_member(path: &Path, data: &[u8]) -> (Report, Option<Known>) {
    let mut report = Report::new(path, Scope::Member, RegionFile::NAME);
    report.fact("bytes", data.len());
    let input = Input {
        path,
        data,
        depth: Depth::Contents,
    };
    let known = inspect_region(&input, &mut report).unwrap_or_else(|error| {
        report.refuse(&error);
        None
    });
    (report, known)
}

/// Reports on a region, and returns what the check of its set needs.
pub(super) fn inspect_region(
    input: &Input<'_>,
    report: &mut Report,
) -> Result<Option<Known>, FormatError> {
    let context = match RegionFile::context(input.path) {
        Ok(context) => context,
        Err(finding) => {
            report.findings.push(finding);
            return Ok(None);
        }
    };
    let file = match <RegionFile as Format>::read(input.data, &context) {
        Ok(file) => file,
        // What is after the last block is known by the check; all else is no region.
        Err(refused) => {
            let (file, _) = RegionFile::read_tolerant(input.data, &context).map_err(|_| refused)?;
            file
        }
    };
    let RegionContext { format, .. } = context;
    let stats = RegionStats::from_region(file.region());
    report.fact("format", format.to_string().trim_start_matches(['.', '_']));
    report.fact("region", context.id);
    describe_stats(report, &stats);
    report.findings.extend(file.check());
    let findings = check_steps(RegionFile::NAME, file.region());
    report.findings.extend(findings);
    Ok(Some(Known {
        format,
        stats,
        edges: RegionEdges::from_region(file.region()),
        hashes: BlockHashes::from_region(file.region()),
    }))
}

fn describe_stats(report: &mut Report, stats: &RegionStats) {
    let RegionStats {
        n_flat,
        n_complex,
        n_multilayer,
        n_layers,
        max_layers,
        heights,
        flat_words,
        sum_heights,
        sum_nswe,
    } = stats;
    let range = |range: &Option<(i16, i16)>| match range {
        Some((low, high)) => format!("{low}..{high}"),
        None => "-".to_owned(),
    };
    report.fact("flat", n_flat);
    report.fact("complex", n_complex);
    report.fact("multilayer", n_multilayer);
    report.fact("layers", n_layers);
    report.fact("most", max_layers);
    report.fact("heights", range(heights));
    report.fact("flat heights", range(flat_words));
    report.fact("sum of heights", sum_heights);
    report.fact("sum of sides", sum_nswe);
}

/// What is known of a region of a set.
pub(super) struct Known {
    format: GeodataFormat,
    stats: RegionStats,
    edges: RegionEdges,
    hashes: BlockHashes,
}

/// The reports on all sets in a folder: one for each format.
fn sets(folder: &Path, regions: &[Known]) -> Vec<Report> {
    let mut by_format = BTreeMap::<GeodataFormat, Vec<&Known>>::new();
    for region in regions {
        by_format.entry(region.format).or_default().push(region);
    }
    let sets = by_format.into_iter();
    sets.map(|(format, regions)| set(folder, format, &regions))
        .collect()
}

fn set(folder: &Path, format: GeodataFormat, regions: &[&Known]) -> Report {
    let mut report = Report::new(folder, Scope::Group, SET);
    let sum = |of: fn(&RegionStats) -> u32| -> u64 {
        regions
            .iter()
            .map(|known| u64::from(of(&known.stats)))
            .sum()
    };
    report.fact("format", format.to_string().trim_start_matches(['.', '_']));
    report.fact("files", regions.len());
    report.fact("flat", sum(|stats| stats.n_flat));
    report.fact("complex", sum(|stats| stats.n_complex));
    report.fact("multilayer", sum(|stats| stats.n_multilayer));
    report.fact("layers", sum(|stats| stats.n_layers));
    let most = regions.iter().map(|known| known.stats.max_layers).max();
    report.fact("most", most.unwrap_or(0));
    let mut by_id = BTreeMap::<RegionId, &Known>::new();
    for known in regions {
        let id = known.edges.id;
        if by_id.insert(id, known).is_some() {
            let message = format!("region {id} has more than one file");
            let finding = Finding::new(Severity::Error, SET, message);
            report.findings.push(finding);
        }
    }
    report.findings.extend(borders(&by_id));
    let hashes: Vec<&BlockHashes> = by_id.values().map(|known| &known.hashes).collect();
    let copies = check_copies(SET, &hashes);
    report.findings.extend(copies);
    report
}

/// Neighbors that do not fit together.
fn borders(by_id: &BTreeMap<RegionId, &Known>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, known) in by_id {
        for (east, south) in [(1, 0), (0, 1)] {
            // Numbers go up to 31.
            let next = RegionId::new(id.x().saturating_add(east), id.y().saturating_add(south));
            let step = next
                .and_then(|next| by_id.get(&next))
                .and_then(|next| known.edges.mean_step_to(&next.edges));
            if let (Some(step), Some(next)) = (step, next)
                && step > LARGE_STEP
            {
                let message = format!(
                    "the facing edges of regions {id} and {next} differ by {step:.0} in height on average"
                );
                findings.push(Finding::new(Severity::Note, SET, message));
            }
        }
    }
    findings
}
