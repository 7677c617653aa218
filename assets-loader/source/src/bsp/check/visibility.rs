//! Rows of what is seen and heard (dossier sections 0.4 and 6.5).

use super::Findings;
use super::reused::check_sight;
use crate::bsp::file::FORMAT;
use crate::bsp::map::{Map, Visibility};
use ironlands_assets_core::bytes::{Finding, Severity};

/// Rows are compared with each other only if all of them, unpacked, take no more bytes than this times the lump.
const MAX_GROWTH: usize = 64;

pub(super) fn check(map: &Map, findings: &mut Findings) {
    let Some(visibility) = &map.visibility else {
        if !map.faces.is_empty() {
            let message = "the map has no visibility data: all of it is drawn from everywhere";
            let finding = Finding::new(Severity::Warning, FORMAT, message);
            findings.list.push(finding);
        }
        return;
    };
    check_layout(visibility, findings);
    let n_clusters = visibility.row_offsets.len();
    let unpacked = visibility.row_size().saturating_mul(n_clusters);
    let packed = visibility
        .rows
        .len()
        .saturating_add(visibility.header_size());
    if unpacked > packed.saturating_mul(MAX_GROWTH) {
        let message = "rows of visibility are too many to be compared".to_owned();
        let note = Finding::new(Severity::Note, FORMAT, message);
        findings.list.push(note);
        return;
    }
    let seen: Vec<Vec<u8>> = rows(visibility, |[seen, _]| *seen).collect();
    let heard = rows(visibility, |[_, heard]| *heard);
    check_rows(&seen, heard, findings);
    let sees = |from: usize, to: usize| seen.get(from).is_some_and(|row| has_bit(row, to));
    check_sight(map, sees, findings);
}

/// Whether a row has a cluster.
fn has_bit(row: &[u8], cluster: usize) -> bool {
    let byte = row.get(cluster / 8).copied().unwrap_or(0);
    byte >> (cluster % 8) & 1 != 0
}

/// Rows follow the offsets, and fill the lump.
fn check_layout(visibility: &Visibility, findings: &mut Findings) {
    let offsets = visibility.row_offsets.iter().flatten();
    let mut starts: Vec<usize> = offsets.filter_map(|o| usize::try_from(*o).ok()).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut end = visibility.header_size();
    let mut gaps = Vec::new();
    for start in starts.into_iter().filter(|start| *start != 0) {
        if start != end {
            gaps.push(format!(
                "the row at {start}, the one before it ends at {end}"
            ));
        }
        let coded = visibility.coded_row(start);
        end = start.saturating_add(coded.len());
    }
    let len = visibility
        .header_size()
        .saturating_add(visibility.rows.len());
    if end != len {
        gaps.push(format!("the end: the last row ends at {end} of {len}"));
    }
    findings.expect("rows of visibility fill the lump", gaps.into_iter());
}

/// All rows of one kind, unpacked.
fn rows(
    visibility: &Visibility,
    offset_of: impl Fn(&[i32; 2]) -> i32,
) -> impl Iterator<Item = Vec<u8>> {
    let offsets = visibility.row_offsets.iter();
    offsets.map(move |offsets| visibility.row(offset_of(offsets)))
}

fn check_rows(seen: &[Vec<u8>], heard: impl Iterator<Item = Vec<u8>>, findings: &mut Findings) {
    let n_clusters = seen.len();
    let (mut blind, mut one_way, mut unheard, mut beyond) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, (row, heard)) in seen.iter().zip(heard).enumerate() {
        if !has_bit(row, i) {
            blind.push(format!("cluster {i}"));
        }
        let one_way_at = (0..n_clusters)
            .filter(|j| has_bit(row, *j))
            .find(|j| seen.get(*j).is_some_and(|other| !has_bit(other, i)));
        one_way.extend(one_way_at.map(|j| format!("cluster {i}, which sees {j}")));
        if row
            .iter()
            .zip(&heard)
            .any(|(seen, heard)| seen & !heard != 0)
        {
            unheard.push(format!("cluster {i}"));
        }
        let n_bits = row.len().saturating_mul(8);
        if (n_clusters..n_bits).any(|j| has_bit(row, j) || has_bit(&heard, j)) {
            beyond.push(format!("cluster {i}"));
        }
    }
    findings.expect("a cluster sees itself", blind.into_iter());
    findings.expect("clusters see each other", one_way.into_iter());
    findings.expect("a cluster hears what it sees", unheard.into_iter());
    findings.expect("no more is seen than there is", beyond.into_iter());
}
