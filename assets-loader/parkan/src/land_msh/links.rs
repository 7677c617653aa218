//! The rules that join the tables: vertices, faces, slots and nodes name each other by index.

use super::{Face, FaceKey, LandMsh, NONE, Node, Slot, SlotHeader, Tolerance};
use crate::chunk::{BrokenRule, Place, RowField};
use crate::record::record_offset;

/// A rule between tables that a terrain breaks.
pub(super) type BrokenLink = BrokenRule<Tolerance>;

/// Every rule that is broken, tables before records, in file order within a table.
pub(super) fn broken_links(land: &LandMsh) -> impl Iterator<Item = BrokenLink> {
    let columns = broken_columns(land).into_iter();
    let streams = broken_streams(land);
    let few_keys = few_face_keys(land).into_iter();
    let faces =
        (land.faces.iter().enumerate()).flat_map(|(idx, face)| broken_face(land, idx, face));
    let slots =
        (land.slots.iter().enumerate()).filter_map(|(idx, slot)| broken_slot(land, idx, slot));
    let nodes =
        (land.nodes.iter().enumerate()).flat_map(|(idx, node)| broken_node(land, idx, node));
    columns
        .chain(streams)
        .chain(few_keys)
        .chain(faces)
        .chain(slots)
        .chain(nodes)
}

/// Empties everything that [`broken_links`] lists as repairable.
pub(super) fn repair_links(land: &mut LandMsh) {
    let n_vertices = land.positions.len();
    let n_faces = land.faces.len();
    let n_slots = land.slots.len();
    land.normals.resize(n_vertices, [0, 0, 127, 0]);
    land.uv0.resize(n_vertices, [0; 2]);
    land.micro_uv.resize(n_vertices, [0; 2]);
    if let Some(stream) = &mut land.second_weights {
        stream.resize(n_vertices, 1.0);
    }
    for face in &mut land.faces {
        let exists = |index: &u16| usize::from(*index) < n_vertices;
        if !face.vertices.iter().all(exists) {
            let kept = face.vertices.into_iter().find(exists).unwrap_or(0);
            face.vertices = [kept; 3];
        }
        for neighbor in &mut face.neighbors {
            if usize::from(*neighbor) >= n_faces {
                *neighbor = NONE;
            }
        }
    }
    for slot in &mut land.slots {
        if slot.tri_range().end > n_faces {
            slot.tri_start = 0;
            slot.tri_count = 0;
        }
    }
    for word in land.nodes.iter_mut().flat_map(|node| &mut node.slots) {
        if usize::from(*word) >= n_slots {
            *word = NONE;
        }
    }
}

fn broken_columns(land: &LandMsh) -> Option<BrokenLink> {
    let n_tiles = land.nodes.len();
    let divides = u32::try_from(n_tiles).is_ok_and(|n| n.checked_rem(land.cells_x) == Some(0));
    (!divides).then(|| BrokenLink {
        type_id: 1,
        place: Place::Row(RowField::Attr2),
        field: "attr2 (cells in x)".to_owned(),
        expected: format!("a divisor of the {n_tiles} tiles"),
        found: land.cells_x.to_string(),
        repair: None,
    })
}

fn broken_streams(land: &LandMsh) -> impl Iterator<Item = BrokenLink> {
    let n_vertices = land.positions.len();
    let lengths = [
        (4, Some(land.normals.len())),
        (5, Some(land.uv0.len())),
        (18, Some(land.micro_uv.len())),
        (14, land.second_weights.as_ref().map(Vec::len)),
    ];
    BrokenLink::stream_lengths(n_vertices, lengths, Tolerance::STREAM_LENGTHS)
}

fn few_face_keys(land: &LandMsh) -> Option<BrokenLink> {
    (land.face_keys.len() < 2).then(|| BrokenLink {
        type_id: 11,
        place: Place::Row(RowField::Size),
        field: "size".to_owned(),
        expected: "8 bytes or more".to_owned(),
        found: land
            .face_keys
            .len()
            .saturating_mul(FaceKey::SIZE)
            .to_string(),
        repair: Some((Tolerance::FEW_FACE_KEYS, "it is taken as it is")),
    })
}

fn broken_face(land: &LandMsh, face_idx: usize, face: &Face) -> impl Iterator<Item = BrokenLink> {
    let n_vertices = land.positions.len();
    let n_faces = land.faces.len();
    // Without any vertex there is nothing to collapse into.
    let collapse = (Tolerance::BROKEN_LINKS, "the face is collapsed");
    let collapse = (n_vertices > 0).then_some(collapse);
    let broken = move |byte, name, expected, found: u16, repair| BrokenLink {
        type_id: 21,
        place: Place::Payload(record_offset(0, face_idx, Face::SIZE).saturating_add(byte)),
        field: format!("face {face_idx} {name}"),
        expected,
        found: found.to_string(),
        repair,
    };
    let vertices = [(8, "i0"), (10, "i1"), (12, "i2")]
        .into_iter()
        .zip(face.vertices)
        .filter(move |(_, index)| usize::from(*index) >= n_vertices)
        .map(move |((byte, name), index)| {
            let expected = format!("a vertex below {n_vertices}");
            broken(byte, name, expected, index, collapse)
        });
    let neighbors = [(14, "n0"), (16, "n1"), (18, "n2")]
        .into_iter()
        .zip(face.neighbors)
        .filter(move |(_, index)| *index != NONE && usize::from(*index) >= n_faces)
        .map(move |((byte, name), index)| {
            let expected = format!("a face below {n_faces} or 65535");
            let unlink = (Tolerance::BROKEN_LINKS, "the neighbor is dropped");
            broken(byte, name, expected, index, Some(unlink))
        });
    vertices.chain(neighbors)
}

fn broken_slot(land: &LandMsh, slot_idx: usize, slot: &Slot) -> Option<BrokenLink> {
    let n_faces = land.faces.len();
    let range = slot.tri_range();
    (range.end > n_faces).then(|| BrokenLink {
        type_id: 2,
        place: Place::Payload(record_offset(SlotHeader::SIZE, slot_idx, Slot::SIZE)),
        field: format!("slot {slot_idx} triStart and triCount"),
        expected: format!("faces below {n_faces}"),
        found: format!("{}..{}", range.start, range.end),
        repair: Some((Tolerance::BROKEN_LINKS, "the slot is emptied")),
    })
}

fn broken_node(land: &LandMsh, tile: usize, node: &Node) -> impl Iterator<Item = BrokenLink> {
    let n_slots = land.slots.len();
    let words = node.slots.into_iter().enumerate();
    let broken = words.filter(move |(_, w)| *w != NONE && usize::from(*w) >= n_slots);
    broken.map(move |(lod, word)| BrokenLink {
        type_id: 1,
        // Four header words come before the slot words.
        place: Place::Payload(
            record_offset(8, tile, Node::SIZE).saturating_add(lod.saturating_mul(2)),
        ),
        field: format!("node {tile} slotIndex[{lod}]"),
        expected: format!("a slot below {n_slots} or 65535"),
        found: word.to_string(),
        repair: Some((Tolerance::BROKEN_LINKS, "the level of detail is dropped")),
    })
}
