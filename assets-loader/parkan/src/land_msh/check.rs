//! Everything that an external validator or a level author wants to know (dossier sections 4 and 14.2).
//!
//! Errors are rules that the original relies on, warnings are what all known maps have, notes are worth a look.
//! Offsets are those of the file that [`LandMsh::write`] would write, which for an untouched terrain is the
//! file that was read.

mod draw_order;
mod materials;
mod shape;

use super::codec::CHUNKS;
use super::edges::EdgeOrder;
use super::links::broken_links;
use super::{FORMAT, Face, FaceKey, LandMsh, NONE, Node, Slot, SlotHeader};
use crate::chunk::{Chunk, RowField};
use crate::nres::{self, NRes};
use crate::record::record_offset;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::findings::Findings;

/// In known maps a face belongs to one slot of each level of detail. Slots that share faces more often than this are
/// not measured, since all of a broken file may name all of its faces.
const MAX_SHARED: usize = 64;

impl LandMsh {
    /// All recommended rules of the dossier that this terrain breaks; of each rule the first few records.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        match Checker::new(self) {
            Ok(checker) => checker.run(&mut findings),
            Err(error) => findings.error(error, "nothing else can be checked"),
        }
        findings.into_list()
    }
}

/// A terrain, and the file that would be written of it.
struct Checker<'a> {
    land: &'a LandMsh,
    file_len: usize,
    container: NRes,
}

impl<'a> Checker<'a> {
    fn new(land: &'a LandMsh) -> Result<Self, FormatError> {
        let file = land.filled_container()?.write()?;
        Ok(Self {
            land,
            file_len: file.len(),
            container: NRes::read_with(&file, nres::Tolerance::all())?,
        })
    }

    fn run(&self, findings: &mut Findings) {
        findings.extend(self.container.check());
        self.check_directory(findings);
        self.check_attributes(findings);
        self.check_links(findings);
        self.check_limits(findings);
        self.check_faces(findings);
        self.check_neighbors(findings);
        self.check_draw_order(findings);
        self.check_materials(findings);
        self.check_use_of_faces(findings);
        self.check_shape(findings);
    }

    /// Order and number of the chunks.
    fn check_directory(&self, findings: &mut Findings) {
        let order: Vec<u32> = self.container.entries.iter().map(|e| e.type_id).collect();
        let canonical = CHUNKS.map(|(type_id, _)| type_id);
        let wrong = (order != canonical).then(|| {
            let message = format!("the chunks are {order:?}, all known maps have {canonical:?}");
            (None, message)
        });
        findings.rule(Severity::Warning, wrong);
        let repeated = CHUNKS.into_iter().filter_map(|(type_id, _)| {
            let count = order.iter().filter(|id| **id == type_id).count();
            let message = format!("type {type_id} is there {count} times, the first is read");
            (count > 1).then_some((None, message))
        });
        findings.rule(Severity::Warning, repeated);
    }

    /// attr2 and attr3; attr1 is derived.
    fn check_attributes(&self, findings: &mut Findings) {
        let chunks = CHUNKS
            .into_iter()
            .filter_map(|(type_id, stride)| Some((self.chunk(type_id)?, stride)));
        let strides = chunks
            .clone()
            .filter(|(chunk, stride)| chunk.entry.attr3 != *stride);
        findings.rule(
            Severity::Warning,
            strides.map(|(chunk, stride)| {
                let offset = chunk.row_field_offset(RowField::Attr3);
                let (label, found) = (chunk.label(), chunk.entry.attr3);
                (
                    Some(offset),
                    format!("{label} has attr3 {found}, its stride is {stride}"),
                )
            }),
        );
        let attr2 = chunks.filter(|(chunk, _)| chunk.entry.type_id != 1 && chunk.entry.attr2 != 0);
        findings.rule(
            Severity::Warning,
            attr2.map(|(chunk, _)| {
                let offset = chunk.row_field_offset(RowField::Attr2);
                let (label, found) = (chunk.label(), chunk.entry.attr2);
                (
                    Some(offset),
                    format!("{label} has attr2 {found}, all known maps have 0"),
                )
            }),
        );
    }

    /// The rules that the reader is strict about, and the node headers, about which it is not.
    fn check_links(&self, findings: &mut Findings) {
        findings.rule(
            Severity::Error,
            broken_links(self.land).map(|broken| {
                let offset = broken.offset(self.file_len, &self.container);
                (offset, broken.sentence())
            }),
        );
        let n_slots = self.land.slots.len();
        let words = self.land.nodes.iter().enumerate().flat_map(|(tile, node)| {
            node.header
                .into_iter()
                .enumerate()
                .map(move |(k, word)| (tile, k, word))
        });
        let out_of_range = words.filter(|(_, _, w)| *w != NONE && usize::from(*w) >= n_slots);
        findings.rule(
            Severity::Error,
            out_of_range.map(|(tile, k, word)| {
                let byte = record_offset(record_offset(0, tile, Node::SIZE), k, 2);
                let message = format!(
                    "node {tile} hdr{k} is {word}, expected a slot below {n_slots} or 65535"
                );
                (self.at(1, byte), message)
            }),
        );
    }

    /// What 16-bit indices can reach.
    fn check_limits(&self, findings: &mut Findings) {
        let tables = [
            (3, "vertices", self.land.positions.len()),
            (21, "faces", self.land.faces.len()),
            (2, "slots", self.land.slots.len()),
        ];
        let too_long = tables
            .into_iter()
            .filter(|(_, _, len)| *len > usize::from(NONE));
        findings.rule(
            Severity::Warning,
            too_long.map(|(type_id, what, len)| {
                let message = format!("{len} {what}, indices reach the first 65535 only");
                (self.at(type_id, 0), message)
            }),
        );
    }

    fn check_faces(&self, findings: &mut Findings) {
        let degenerate = self.faces().filter(|(_, face)| {
            let [a, b, c] = face.vertices;
            a == b || b == c || c == a
        });
        findings.rule(
            Severity::Warning,
            degenerate.map(|(idx, face)| {
                let message = format!("face {idx} uses a vertex twice: {:?}", face.vertices);
                (self.at_face(idx, 8), message)
            }),
        );
    }

    /// Neighbors that do not name each other, or that do not touch where they say.
    fn check_neighbors(&self, findings: &mut Findings) {
        let links = self.faces().flat_map(|(idx, face)| {
            let links = face.neighbors.into_iter().zip([14, 16, 18]);
            links.filter_map(move |(word, byte)| {
                let neighbor = self.land.neighbor(word)?;
                Some((idx, byte, word, neighbor))
            })
        });
        let one_sided = links.filter(|(idx, _, word, neighbor)| {
            let names_back = |w: &u16| usize::from(*w) == *idx;
            usize::from(*word) == *idx || !neighbor.neighbors.iter().any(names_back)
        });
        findings.rule(
            Severity::Warning,
            one_sided.map(|(idx, byte, word, _)| {
                let message =
                    format!("face {idx} has neighbor {word}, which does not name it back");
                (self.at_face(idx, byte), message)
            }),
        );
        let order = self.land.edge_order();
        let wrong = self.faces().filter_map(|(idx, face)| {
            let expected = self.expected_edge_classes(face, order);
            let found = face.edge_classes();
            let message = format!(
                "face {idx} has edge classes {found:?}, its neighbors touch it at {expected:?}"
            );
            (found != expected).then(|| (self.at_face(idx, 26), message))
        });
        findings.rule(Severity::Warning, wrong);
    }

    /// For each neighbor the edge of it that is shared; 3 without neighbor or without shared edge.
    fn expected_edge_classes(&self, face: &Face, order: EdgeOrder) -> [u8; 3] {
        let mut classes = [3; 3];
        let links = face.neighbors.into_iter().zip(order.edges());
        for (class, (word, edge)) in classes.iter_mut().zip(links) {
            let places = self.land.edge_places(face, edge);
            let shared = self
                .land
                .neighbor(word)
                .zip(places)
                .and_then(|(neighbor, places)| self.land.edge_at(neighbor, places));
            *class = shared.unwrap_or(3);
        }
        classes
    }

    /// Tiles without ground, and faces that no tile draws.
    fn check_use_of_faces(&self, findings: &mut Findings) {
        let land = self.land;
        let n_tiles = land.nodes.len();
        let bare = (0..n_tiles).filter(|tile| land.tile_slot(*tile, 0).is_none());
        findings.rule(
            Severity::Note,
            bare.map(|tile| {
                let message = format!("tile {tile} has no slot at the finest level of detail");
                (self.at(1, record_offset(8, tile, Node::SIZE)), message)
            }),
        );
        let mut is_used = vec![false; land.faces.len()];
        let tiles = (0..n_tiles).flat_map(|tile| (0..15).map(move |lod| (tile, lod)));
        for slot in tiles.filter_map(|(tile, lod)| land.tile_slot(tile, lod)) {
            if let Some(faces) = is_used.get_mut(land.slot_face_range(slot)) {
                faces.fill(true);
            }
        }
        let unused = is_used.iter().enumerate().filter(|(_, used)| !**used);
        findings.rule(
            Severity::Note,
            unused.map(|(idx, _)| {
                let message = format!("face {idx} belongs to no tile");
                (self.at_face(idx, 0), message)
            }),
        );
    }

    /// Faces that slots name, one after the other.
    fn n_faces_of_slots(&self) -> usize {
        let slots = self.land.slots.iter();
        slots.map(|slot| self.land.slot_faces(slot).len()).sum()
    }

    /// Whether they are few enough to look at each.
    fn may_visit_faces_of_slots(&self) -> bool {
        self.n_faces_of_slots() <= self.land.faces.len().saturating_mul(MAX_SHARED)
    }

    fn faces(&self) -> impl Iterator<Item = (usize, &'a Face)> + use<'a> {
        self.land.faces.iter().enumerate()
    }

    fn chunk(&self, type_id: u32) -> Option<Chunk<'_>> {
        Chunk::find(FORMAT, self.file_len, &self.container, type_id).ok()
    }

    /// Offset in the file of a byte of a chunk.
    fn at(&self, type_id: u32, byte: usize) -> Option<u64> {
        let start = self.chunk(type_id)?.entry.offset();
        Some(start.saturating_add(byte as u64))
    }

    fn at_face(&self, idx: usize, byte: usize) -> Option<u64> {
        self.at(21, record_offset(byte, idx, Face::SIZE))
    }

    fn at_key(&self, idx: usize) -> Option<u64> {
        self.at(11, record_offset(0, idx, FaceKey::SIZE))
    }

    fn at_slot(&self, idx: usize) -> Option<u64> {
        self.at(2, record_offset(SlotHeader::SIZE, idx, Slot::SIZE))
    }
}
