//! What `check` and `info` tell of geodata: regions, and folders of them. Dossier sections 8 and 9.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Kind, Report};
use crate::bytes::{Finding, FormatError, Severity};
use crate::lineage2::{
    BlockHashes, GeodataFormat, RegionEdges, RegionFile, RegionFileName, RegionId, RegionPath,
    RegionStats, Tolerance, check_copies, check_steps,
};

/// Endings that no other files have: such a file is a region by all but its name.
const OWN_ENDINGS: [&str; 5] = ["_conv.dat", ".l2j", ".l2d", ".l2g", ".l2m"];
/// A mean step over a border that is worth a look: five times that of real sets.
const LARGE_STEP: f64 = 200.0;

/// Whether a file is a region by its name, or should be.
pub(super) fn is_region(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    RegionFileName::parse(&name).is_some() || OWN_ENDINGS.iter().any(|end| name.ends_with(end))
}

/// Tells of a region, and returns what its set asks for.
pub(super) fn tell_region(report: &mut Report, data: &[u8]) -> Result<Option<Told>, FormatError> {
    let Ok(RegionPath { name, .. }) = RegionPath::new(&report.path) else {
        let message =
            "no name of a region, which begins with two numbers from 0 to 31, as 22_16.l2j does";
        let finding = Finding::new(Severity::Error, Kind::Geodata.name(), message);
        report.findings.push(finding);
        return Ok(None);
    };
    let RegionFileName { id, format, .. } = name;
    let file = match RegionFile::read(format, id, data, Tolerance::STRICT) {
        Ok(file) => file,
        // What is after the last block is told by the check; all else is no region.
        Err(refused) => {
            RegionFile::read(format, id, data, Tolerance::TRAILING_BYTES).map_err(|_| refused)?
        }
    };
    let stats = RegionStats::of(file.region());
    report.fact("format", format.to_string().trim_start_matches(['.', '_']));
    report.fact("region", id);
    tell_stats(report, &stats);
    report.findings.extend(file.check());
    let findings = check_steps(Kind::Geodata.name(), file.region());
    report.findings.extend(findings);
    Ok(Some(Told {
        format,
        stats,
        edges: RegionEdges::of(file.region()),
        hashes: BlockHashes::of(file.region()),
    }))
}

fn tell_stats(report: &mut Report, stats: &RegionStats) {
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
pub(super) struct Told {
    format: GeodataFormat,
    stats: RegionStats,
    edges: RegionEdges,
    hashes: BlockHashes,
}

/// The reports on all sets in a folder: one for each format.
pub(super) fn sets(folder: &Path, regions: &[Told]) -> Vec<Report> {
    let mut by_format = BTreeMap::<GeodataFormat, Vec<&Told>>::new();
    for region in regions {
        by_format.entry(region.format).or_default().push(region);
    }
    let sets = by_format.into_iter();
    sets.map(|(format, regions)| set(folder, format, &regions))
        .collect()
}

fn set(folder: &Path, format: GeodataFormat, regions: &[&Told]) -> Report {
    let mut report = Report::new(folder, Kind::GeodataSet);
    let sum = |of: fn(&RegionStats) -> u32| -> u64 {
        regions.iter().map(|told| u64::from(of(&told.stats))).sum()
    };
    report.fact("format", format.to_string().trim_start_matches(['.', '_']));
    report.fact("files", regions.len());
    report.fact("flat", sum(|stats| stats.n_flat));
    report.fact("complex", sum(|stats| stats.n_complex));
    report.fact("multilayer", sum(|stats| stats.n_multilayer));
    report.fact("layers", sum(|stats| stats.n_layers));
    let most = regions.iter().map(|told| told.stats.max_layers).max();
    report.fact("most", most.unwrap_or(0));
    let mut by_id = BTreeMap::<RegionId, &Told>::new();
    for told in regions {
        let id = told.edges.id;
        if by_id.insert(id, told).is_some() {
            let message = format!("region {id} has more than one file");
            let finding = Finding::new(Severity::Error, Kind::GeodataSet.name(), message);
            report.findings.push(finding);
        }
    }
    report.findings.extend(borders(&by_id));
    let hashes: Vec<&BlockHashes> = by_id.values().map(|told| &told.hashes).collect();
    let copies = check_copies(Kind::GeodataSet.name(), &hashes);
    report.findings.extend(copies);
    report
}

/// Neighbors that do not fit together.
fn borders(by_id: &BTreeMap<RegionId, &Told>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, told) in by_id {
        for (east, south) in [(1, 0), (0, 1)] {
            // Numbers go up to 31.
            let next = RegionId::new(id.x().saturating_add(east), id.y().saturating_add(south));
            let step = next
                .and_then(|next| by_id.get(&next))
                .and_then(|next| told.edges.mean_step_to(&next.edges));
            if let (Some(step), Some(next)) = (step, next)
                && step > LARGE_STEP
            {
                let message = format!(
                    "the facing edges of regions {id} and {next} differ by {step:.0} in height on average"
                );
                findings.push(Finding::new(
                    Severity::Note,
                    Kind::GeodataSet.name(),
                    message,
                ));
            }
        }
    }
    findings
}
