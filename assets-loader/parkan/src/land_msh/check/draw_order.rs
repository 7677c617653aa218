//! Type 11: the order in which the faces of a slot are drawn.

use super::{Checker, Findings, Severity};
use crate::land_msh::{Face, FaceKey, KEY_FLAGS, KEY_FLAGS_BATCH_START, Slot};

/// The bit of a record that begins a batch.
const BATCH_START: u8 = KEY_FLAGS_BATCH_START & !KEY_FLAGS;
/// Values of byte 3 in known maps.
const KNOWN_BYTE_3: [u8; 2] = [0, 0x80];

/// First and second material of a face, which is what a batch shares.
type Pair = (u8, u8);

impl Checker<'_> {
    pub(super) fn check_draw_order(&self, findings: &mut Findings) {
        self.check_keys(findings);
        let slots = || self.land.slots.iter().enumerate();
        if !self.may_visit_faces_of_slots() {
            return;
        }
        let incomplete = slots().filter(|(_, slot)| !self.names_each_face_once(slot));
        findings.rule(
            Severity::Warning,
            incomplete.map(|(idx, slot)| {
                let message =
                    format!("slot {idx}: its face keys do not name each of its faces once");
                (self.at_key(usize::from(slot.tri_start)), message)
            }),
        );
        let unmarked = slots().filter(|(_, slot)| !self.marks_its_batches(slot));
        findings.rule(
            Severity::Note,
            unmarked.map(|(idx, slot)| {
                let message = format!(
                    "slot {idx}: batches are not marked where the materials of its faces change"
                );
                (self.at_key(usize::from(slot.tri_start)), message)
            }),
        );
        let scattered = slots().filter_map(|(idx, slot)| {
            let (n_batches, n_pairs) = self.batches_and_pairs(slot);
            (n_batches > n_pairs).then_some((idx, slot, n_batches, n_pairs))
        });
        findings.rule(
            Severity::Note,
            scattered.map(|(idx, slot, n_batches, n_pairs)| {
                let message =
                    format!("slot {idx} has {n_batches} batches for {n_pairs} pairs of materials");
                (self.at_key(usize::from(slot.tri_start)), message)
            }),
        );
    }

    fn check_keys(&self, findings: &mut Findings) {
        let n_faces = self.land.faces.len();
        let n_keys = self.land.face_keys.len();
        let wrong_count = (n_keys != n_faces).then(|| {
            let message = format!("type 11 has {n_keys} records for {n_faces} faces");
            (self.at(11, 0), message)
        });
        findings.rule(Severity::Warning, wrong_count);
        let keys = || self.land.face_keys.iter().enumerate();
        let out_of_range = keys().filter(|(_, key)| usize::from(key.face) >= n_faces);
        findings.rule(
            Severity::Warning,
            out_of_range.map(|(idx, key)| {
                let message = format!("face key {idx} is {}, there are {n_faces} faces", key.face);
                (self.at_key(idx), message)
            }),
        );
        let is_known = |key: &FaceKey| {
            key.flags & !BATCH_START == KEY_FLAGS && KNOWN_BYTE_3.contains(&key.unknown_3)
        };
        findings.rule(
            Severity::Note,
            keys().filter(|(_, key)| !is_known(key)).map(|(idx, key)| {
                let message = format!(
                    "face key {idx} has flags {:#x} and {:#x}, known are 0x48 and 0x58, 0x0 and 0x80",
                    key.flags, key.unknown_3
                );
                (self.at_key(idx), message)
            }),
        );
    }

    fn names_each_face_once(&self, slot: &Slot) -> bool {
        let keys = self.land.slot_face_keys(slot);
        let mut named: Vec<usize> = keys.iter().map(|key| usize::from(key.face)).collect();
        named.sort_unstable();
        // Where records are missing, that is a finding of its own.
        let range = self.land.slot_face_range(slot);
        named.len() < range.len() || named.into_iter().eq(range)
    }

    /// Whether exactly those records begin a batch before which the materials change.
    fn marks_its_batches(&self, slot: &Slot) -> bool {
        let mut before = None;
        self.land.slot_face_keys(slot).iter().all(|key| {
            let pair = self.pair_of(key);
            let begins = before != Some(pair);
            before = Some(pair);
            begins == (key.flags & BATCH_START != 0)
        })
    }

    fn batches_and_pairs(&self, slot: &Slot) -> (usize, usize) {
        let keys = self.land.slot_face_keys(slot);
        let mut pairs: Vec<_> = keys.iter().map(|key| self.pair_of(key)).collect();
        pairs.dedup();
        let n_batches = pairs.len();
        pairs.sort_unstable();
        pairs.dedup();
        (n_batches, pairs.len())
    }

    /// `None` for a face that does not exist.
    fn pair_of(&self, key: &FaceKey) -> Option<Pair> {
        let face: &Face = self.land.faces.get(usize::from(key.face))?;
        Some((face.first_material, face.second_material))
    }
}
