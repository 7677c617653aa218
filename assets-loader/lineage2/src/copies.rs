//! Regions of a set that are copies of each other, whole or nearly.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::grid::RegionId;
use super::region::{BLOCKS_PER_SIDE, Block, N_BLOCKS, Region};
use ironlands_assets_core::bytes::{Finding, Severity};

/// Two regions are nearly the same if no more than this share of the blocks with something in them differs, as a
/// divisor.
const NEAR_SHARE: usize = 20;
/// They are in any case if no more blocks than this differ.
const FEW_BLOCKS: usize = 4;
/// A region with fewer blocks that are not as most of it holds nothing worth a warning: sea, or a filler.
const MIN_CONTENT: usize = 64;

/// A hash for each block of a region, by which copies are found without the region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockHashes {
    /// Whose they are.
    pub id: RegionId,
    hashes: Vec<u32>,
    /// The most frequent one.
    most: u32,
    /// Blocks that are others.
    n_content: usize,
}

impl BlockHashes {
    /// Those of a region.
    #[expect(clippy::arithmetic_side_effects, reason = "counts of 65,536 blocks")]
    pub fn from_region(region: &Region) -> Self {
        let hash = |block: &Block| {
            let mut hasher = DefaultHasher::new();
            Hash::hash(block, &mut hasher);
            // Which half does not matter: all bits are as good.
            hasher.finish() as u32
        };
        let hashes: Vec<u32> = region.blocks().iter().map(hash).collect();
        let mut counts = BTreeMap::<u32, usize>::new();
        for hash in &hashes {
            *counts.entry(*hash).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, n)| *n);
        let (most, n_most) = most.unwrap_or((0, 0));
        Self {
            id: region.id,
            n_content: hashes.len() - n_most,
            hashes,
            most,
        }
    }

    /// Blocks that differ and the first of them, if the regions are nearly the same.
    #[expect(clippy::arithmetic_side_effects, reason = "counts of 65,536 blocks")]
    fn near(&self, other: &Self) -> Option<(usize, usize)> {
        let content = self.n_content.max(other.n_content);
        let limit = FEW_BLOCKS.max(content / NEAR_SHARE);
        if self.most != other.most || self.n_content.abs_diff(other.n_content) > limit {
            return None;
        }
        let pairs = self.hashes.iter().zip(&other.hashes).enumerate();
        let mut differing = pairs.filter(|(_, (a, b))| a != b).map(|(at, _)| at);
        let first = differing.next()?;
        let n = 1 + differing.take(limit).count();
        (n <= limit).then_some((n, first))
    }

    fn severity(&self) -> Severity {
        match self.n_content < MIN_CONTENT {
            true => Severity::Note,
            false => Severity::Warning,
        }
    }
}

/// A finding for each group of regions that are the same, and for each pair of those that nearly are.
#[expect(clippy::indexing_slicing, reason = "a group has a region at least")]
pub fn check_copies(format: &'static str, regions: &[&BlockHashes]) -> Vec<Finding> {
    let mut groups: Vec<Vec<&BlockHashes>> = Vec::new();
    let mut by_hashes = BTreeMap::<&[u32], usize>::new();
    for &region in regions {
        let group = *by_hashes.entry(&region.hashes).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(region),
            None => groups.push(vec![region]),
        }
    }
    let mut findings = Vec::new();
    for group in groups.iter().filter(|group| group.len() > 1) {
        let what = match group[0].n_content {
            0 => "are all of one block, and the same",
            _ => "are the same, block by block",
        };
        let message = format!("regions {} {what}", names(group));
        findings.push(Finding::new(group[0].severity(), format, message));
    }
    for (at, group) in groups.iter().enumerate() {
        for other in groups.iter().skip(at).skip(1) {
            if let Some((n, first)) = group[0].near(other[0]) {
                let (x, y) = (first / BLOCKS_PER_SIDE, first % BLOCKS_PER_SIDE);
                let message = format!(
                    "regions {} and {} are nearly the same: {n} of {N_BLOCKS} blocks differ, the first is block {x}, {y}",
                    group[0].id, other[0].id
                );
                let severity = group[0].severity().min(other[0].severity());
                findings.push(Finding::new(severity, format, message));
            }
        }
    }
    findings
}

fn names(group: &[&BlockHashes]) -> String {
    let names: Vec<String> = group.iter().map(|region| region.id.to_string()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flat;

    /// A region with this many blocks of its own.
    fn region(x: u8, n_blocks: i16) -> Region {
        let mut region = Region::flat(RegionId::new(x, 18).unwrap(), -4672);
        for at in 0..n_blocks {
            region.blocks_mut()[at as usize * 7] = Block::Flat(Flat::from_height(8 * at));
        }
        region
    }

    fn reported(regions: &[Region]) -> Vec<(Severity, String)> {
        let hashes: Vec<_> = regions.iter().map(BlockHashes::from_region).collect();
        let findings = check_copies("set", &hashes.iter().collect::<Vec<_>>());
        findings
            .into_iter()
            .map(|it| (it.severity, it.message))
            .collect()
    }

    #[test]
    fn copies_are_reported_whole_and_nearly() {
        let (a, b, c) = (region(20, 900), region(21, 900), region(22, 400));
        let mut d = region(23, 900);
        d.blocks_mut()[257] = Block::Flat(Flat::from_height(1000));
        let expected = [
            (
                Severity::Warning,
                "regions 20_18 and 21_18 are the same, block by block".to_owned(),
            ),
            (
                Severity::Warning,
                "regions 20_18 and 23_18 are nearly the same: 1 of 65536 blocks differ, the first is block 1, 1"
                    .to_owned(),
            ),
        ];
        assert_eq!(reported(&[a, b, c, d]), expected);
    }

    /// Sea is sea everywhere: reported together, and no more than a note.
    #[test]
    fn fillers_are_reported_in_one_note() {
        let mut rock = region(24, 0);
        rock.blocks_mut()[3] = Block::Flat(Flat::from_height(0));
        let reported = reported(&[
            region(20, 0),
            region(21, 0),
            region(22, 0),
            rock,
            region(25, 900),
        ]);
        assert_eq!(reported.len(), 2, "{reported:?}");
        assert_eq!(
            reported[0],
            (
                Severity::Note,
                "regions 20_18, 21_18 and 22_18 are all of one block, and the same".to_owned()
            )
        );
        assert!(
            reported[1].1.contains("1 of 65536 blocks differ"),
            "{reported:?}"
        );
        assert_eq!(reported[1].0, Severity::Note);
    }
}
