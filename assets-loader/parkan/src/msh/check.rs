//! What breaks a rule of models, and what is unlike all known ones (dossier sections 7.10, 7.11, 14.3).

use super::codec::{ORDER, ZERO_ATTR2};
use super::rules::{broken_rules, infinite_numbers};
use super::{
    Batch, BatchFlags, FORMAT, HALL_WAY, HallWay, Msh, NO_LIGHTMAP, NONE, NodeTable, Slot,
    SlotHeader,
};
use crate::chunk::{self, Place};
use crate::msh_animation::{KEYS, MAP, QuaternionOrder};
use crate::nres::Entry;
use crate::record::record_offset;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::report::Report;

/// What one rule finds: offset in the file, if the finding has one place, and a sentence.
type Found = (Option<u64>, String);

impl Msh {
    /// What breaks a rule, and what is legal but unlike all known models. Offsets are those of the file that the
    /// model was read from.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let broken = broken_rules(self, self.container.find_type(MAP));
        findings.rule_of(Severity::Error, broken, |it| {
            (self.offset_of(it.type_id, it.place), it.sentence())
        });
        let infinite = infinite_numbers(self);
        findings.rule_of(Severity::Error, infinite, |it| {
            (self.offset_of(it.type_id, it.place), it.sentence())
        });
        findings.rule(Severity::Warning, self.duplicate_chunks());
        findings.rule(Severity::Warning, self.unusual_attributes());
        findings.rule(Severity::Warning, self.part_triangles());
        findings.rule(Severity::Warning, self.infinite_header());
        findings.rule(Severity::Note, self.other_triangle_counts());
        findings.rule(Severity::Note, self.rare_chunks());
        findings.rule(Severity::Note, self.other_order());
        findings.rule(Severity::Note, self.other_quaternions());
        findings.rule(Severity::Note, self.other_lightmap_rows());
        findings.rule(Severity::Warning, self.lost_portals());
        findings.rule(Severity::Warning, self.lost_paths());
        if matches!(self.nodes, NodeTable::Nodes(_)) {
            findings.extend(self.animation.check(&self.track_links()));
        }
        findings.extend(self.container.check());
        findings.into_list()
    }

    /// Adds how often each rule holds that all models of the game keep.
    pub(crate) fn add_fits(&self, report: &mut Report) {
        if !self.animation.keys.is_empty() {
            let fit = self.quaternion_fit();
            let is_usual = fit.order() == QuaternionOrder::Wxyz && !fit.is_misfit();
            report.fit(
                "models fit their boxes with quaternions w, x, y, z",
                [is_usual],
            );
        }
        let lit = |batch: &Batch| batch.flags.contains(BatchFlags::LIGHTMAP);
        let rows = self
            .batches
            .iter()
            .map(|batch| lit(batch) == (batch.lightmap_row != NO_LIGHTMAP));
        report.fit("batches have a lightmap row if their flags say so", rows);
        let last = |batch: &Batch| self.batch_indices(batch).iter().max().copied();
        let counts = self
            .batches
            .iter()
            .filter_map(|batch| Some((batch.n_vertices, last(batch)?)));
        let counts = counts
            .map(|(n_vertices, last)| u32::from(n_vertices) == u32::from(last).saturating_add(1));
        report.fit("batches count the vertices that they name", counts);
    }

    /// Refuses numbers that are not finite, as [`Self::check`] reports them.
    ///
    /// # Errors
    /// The first such vertex or key.
    pub(crate) fn require_finite(self) -> Result<Self, FormatError> {
        let broken = infinite_numbers(&self).next();
        match broken {
            None => Ok(self),
            // The file's length only serves offsets in the directory.
            Some(broken) => Err(broken.into_error(FORMAT, 0, &self.container)),
        }
    }

    /// A search by type finds the first of several chunks, so the others are dead.
    fn duplicate_chunks(&self) -> impl Iterator<Item = Found> {
        let entries = self.container.entries.iter().enumerate();
        entries.filter_map(|(index, entry)| {
            let known = ORDER.contains(&entry.type_id);
            let first = self.container.find_type(entry.type_id);
            (known && first != Some(index)).then(|| {
                let message = format!("there is more than one chunk of {}", label(entry));
                (Some(entry.offset()), message)
            })
        })
    }

    fn unusual_attributes(&self) -> impl Iterator<Item = Found> {
        let attr2 = ZERO_ATTR2.iter().filter_map(|type_id| {
            let entry = self.first_of_type(*type_id)?;
            Some((entry, "attr2", entry.attr2, 0))
        });
        let attr3 = ORDER.iter().filter_map(|type_id| {
            let entry = self.first_of_type(*type_id)?;
            Some((entry, "attr3", entry.attr3, self.known_attr3(*type_id)?))
        });
        attr2
            .chain(attr3)
            .filter(|(_, _, found, known)| found != known)
            .map(|(entry, name, found, known)| {
                let message = format!("{name} of {} is {found}, not {known}", label(entry));
                (Some(entry.offset()), message)
            })
    }

    /// Paths inside that no one can read, or that lead nowhere.
    fn lost_paths(&self) -> Vec<Found> {
        let Some(entry) = self
            .first_of_type(HALL_WAY)
            .filter(|it| !it.data.is_empty())
        else {
            return Vec::new();
        };
        let at = Some(entry.offset());
        let problems = match HallWay::read(&entry.data, [entry.attr1, entry.attr2]) {
            Ok(hall_way) => hall_way.problems(self.nodes.len()),
            Err(_) => {
                let (places, links, len) = (entry.attr1, entry.attr2, entry.data.len());
                vec![format!(
                    "{} has {len} bytes, which are no {places} places and {links} links",
                    label(entry)
                )]
            }
        };
        problems.into_iter().map(|it| (at, it)).collect()
    }

    fn part_triangles(&self) -> impl Iterator<Item = Found> {
        let batches = self.batches.iter().enumerate();
        batches
            .filter(|(_, batch)| !batch.index_count.is_multiple_of(3))
            .map(|(idx, batch)| {
                let message = format!(
                    "batch {idx} has {} indices, no multiple of 3",
                    batch.index_count
                );
                (
                    self.offset_in(13, record_offset(0, idx, Batch::SIZE)),
                    message,
                )
            })
    }

    fn infinite_header(&self) -> Option<Found> {
        let SlotHeader {
            corners,
            sphere_center,
            sphere_radius,
            capsule_a,
            capsule_b,
            capsule_radius,
        } = &self.header;
        let vectors = corners
            .iter()
            .chain([sphere_center, capsule_a, capsule_b])
            .flatten();
        let mut floats = vectors.chain([sphere_radius, capsule_radius]);
        floats.any(|value| !value.is_finite()).then(|| {
            let message = "the bounds of the whole model are not finite";
            (self.offset_in(2, 0), message.to_owned())
        })
    }

    /// Descriptors are counted along the batches of a slot, so both counts should agree.
    fn other_triangle_counts(&self) -> impl Iterator<Item = Found> {
        let slots = self.slots.iter().enumerate();
        let before: Vec<usize> = std::iter::once(0)
            .chain(self.batches.iter().scan(0usize, |sum, batch| {
                *sum = sum.saturating_add(batch.n_triangles());
                Some(*sum)
            }))
            .collect();
        slots.filter_map(move |(idx, slot)| {
            let range = self.slot_batch_range(slot);
            let (start, end) = (before.get(range.start)?, before.get(range.end)?);
            let in_batches = end.saturating_sub(*start);
            (in_batches != usize::from(slot.tri_count)).then(|| {
                let message = format!(
                    "slot {idx} has {} descriptors, its batches {in_batches} triangles",
                    slot.tri_count
                );
                let byte = record_offset(SlotHeader::SIZE, idx, Slot::SIZE);
                (self.offset_in(2, byte), message)
            })
        })
    }

    fn rare_chunks(&self) -> impl Iterator<Item = Found> {
        let stride = matches!(self.nodes, NodeTable::Stride24(_)).then_some(1);
        let tangents = self.tangents.is_some().then_some(16);
        let raw_20 = self.probes.is_none().then_some(20);
        let rare = [
            (stride, "has nodes of 24 bytes, which no one can read"),
            (tangents, "is in no known model"),
            (raw_20, "is no table of light probes and is kept as it is"),
        ];
        rare.into_iter().filter_map(|(type_id, what)| {
            let entry = self.first_of_type(type_id?)?;
            Some((Some(entry.offset()), format!("{} {what}", label(entry))))
        })
    }

    fn other_order(&self) -> Option<Found> {
        let known = |entry: &Entry| ORDER.iter().position(|type_id| *type_id == entry.type_id);
        let mut ranks = self.container.entries.iter().filter_map(known);
        (!ranks.by_ref().is_sorted()).then(|| {
            let message = "the chunks stand in an order of no known model";
            (None, message.to_owned())
        })
    }

    /// Models of the game store w, x, y, z and fit their boxes so.
    fn other_quaternions(&self) -> Option<Found> {
        let (taken, fit) = (self.quaternion_order(), self.quaternion_fit());
        let is_usual = taken == QuaternionOrder::Wxyz && !fit.is_misfit();
        (!is_usual).then(|| {
            let message = format!("quaternions are read as {}", fit.sentence(taken));
            (self.offset_in(KEYS, 0), message)
        })
    }

    /// A flag and a row say the same of a batch: whether it has a lightmap.
    fn other_lightmap_rows(&self) -> impl Iterator<Item = Found> {
        let batches = self.batches.iter().enumerate();
        let other = batches.filter(|(_, batch)| {
            batch.flags.contains(BatchFlags::LIGHTMAP) == (batch.lightmap_row == NO_LIGHTMAP)
        });
        other.map(|(idx, batch)| {
            let message = format!(
                "batch {idx} has lightmap row {} and flags {:#06x}",
                batch.lightmap_row,
                batch.flags.bits()
            );
            (
                self.offset_in(13, record_offset(0, idx, Batch::SIZE)),
                message,
            )
        })
    }

    /// A portal names the node that is seen through it; nothing else names one.
    fn lost_portals(&self) -> impl Iterator<Item = Found> {
        let n_nodes = self.nodes.len();
        let batches = self.batches.iter().enumerate();
        let lost = batches.filter(move |(_, batch)| {
            let leads_nowhere = usize::from(batch.beyond_portal) >= n_nodes;
            let is_portal = batch.flags.contains(BatchFlags::PORTAL);
            if is_portal {
                leads_nowhere
            } else {
                batch.beyond_portal != NONE
            }
        });
        lost.map(|(idx, batch)| {
            let what = match batch.flags.contains(BatchFlags::PORTAL) {
                true => "is a portal",
                false => "is no portal",
            };
            let message = format!(
                "batch {idx} {what} and leads to node {}",
                batch.beyond_portal
            );
            (
                self.offset_in(13, record_offset(0, idx, Batch::SIZE)),
                message,
            )
        })
    }

    fn first_of_type(&self, type_id: u32) -> Option<&Entry> {
        let index = self.container.find_type(type_id)?;
        self.container.entries.get(index)
    }

    fn offset_of(&self, type_id: u32, place: Place) -> Option<u64> {
        match place {
            Place::Payload(byte) => self.offset_in(type_id, byte),
            Place::Row(_) => None,
        }
    }

    /// Where a byte of a chunk lay in the file; `None` for a chunk that was not in it.
    fn offset_in(&self, type_id: u32, byte: usize) -> Option<u64> {
        let offset = self.first_of_type(type_id)?.offset();
        (offset > 0).then(|| offset.saturating_add(byte as u64))
    }
}

fn label(entry: &Entry) -> String {
    chunk::label(entry.type_id)
}
