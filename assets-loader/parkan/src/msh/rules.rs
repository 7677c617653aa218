//! The rules that join the tables: one list, for the strict reader, the tolerant one, the writer and `check`.

use super::range_max::RangeMax;
use super::{Batch, Msh, NONE, Node, NodeTable, Slot, SlotHeader, Tolerance, TriDesc};
use crate::chunk::{BrokenRule, Place, RowField};
use crate::msh_animation::{AnimKey, KEYS, TrackProblem};
use crate::record::record_offset;
use crate::slots::{box_around, sphere_of_box};

/// A rule that a model breaks.
type Broken = BrokenRule<Tolerance>;

/// Bytes of a position in type 3.
const POSITION_SIZE: usize = 12;
/// As far from the origin as importers take anything on an axis.
const MAX_REACH: f32 = 1e12;
const DROP_BATCH: (Tolerance, &str) = (Tolerance::BROKEN_LINKS, "the batch is emptied");
const DROP_MAP: (Tolerance, &str) = (Tolerance::ANIMATION, "the node stands at its last key");

/// Every rule that is broken, tables before records, in file order within a table. `map_chunk` is the
/// place of type 19 in the archive.
pub(super) fn broken_rules(model: &Msh, map_chunk: Option<usize>) -> impl Iterator<Item = Broken> {
    let maxima = RangeMax::new(&model.indices);
    let batches = (model.batches.iter().enumerate())
        .filter_map(move |(idx, batch)| broken_batch(model, &maxima, idx, batch));
    let slots =
        (model.slots.iter().enumerate()).flat_map(|(idx, slot)| broken_slot(model, idx, slot));
    let nodes = (model.nodes.as_slice().iter().enumerate())
        .flat_map(|(idx, node)| broken_node(model, idx, node));
    broken_streams(model)
        .chain(broken_names(model))
        .chain(broken_frame_count(model, map_chunk))
        .chain(broken_links(model))
        .chain(batches)
        .chain(slots)
        .chain(nodes)
        .chain(broken_tracks(model))
}

/// Gets rid of everything that [`broken_rules`] lists as repairable.
pub(super) fn repair(model: &mut Msh, map_chunk: Option<usize>) {
    repair_streams(model);
    repair_batches(model);
    repair_slots(model);
    let n_triangles = model.triangles.as_ref().map_or(0, Vec::len);
    for link in model
        .triangles
        .iter_mut()
        .flatten()
        .flat_map(|tri| &mut tri.links)
    {
        if usize::from(*link) >= n_triangles {
            *link = NONE;
        }
    }
    let no_frames = broken_frame_count(model, map_chunk).is_some();
    if no_frames {
        model.animation.frame_count = 1;
    }
    let NodeTable::Nodes(nodes) = &mut model.nodes else {
        return;
    };
    for (node_idx, node) in nodes.iter_mut().enumerate() {
        if usize::from(node.parent) >= node_idx {
            node.parent = NONE;
        }
        for word in &mut node.slots {
            if usize::from(*word) >= model.slots.len() {
                *word = NONE;
            }
        }
    }
    repair_tracks(model, no_frames);
}

/// Nodes with a broken track lose their map. Those without a key get one that leaves them in place, and keys that are
/// no more than the way to a last key get times that increase.
fn repair_tracks(model: &mut Msh, no_frames: bool) {
    let mut links = model.track_links();
    let problems = model.animation.problems(&links);
    let order = model.quaternion_order();
    let Msh {
        nodes: NodeTable::Nodes(nodes),
        animation,
        ..
    } = model
    else {
        return;
    };
    let in_place = animation.keys.len();
    let in_place_key = u16::try_from(in_place).ok().filter(|_| in_place > 0);
    for (node_idx, problem) in problems {
        let Some(node) = nodes.get_mut(node_idx) else {
            continue;
        };
        node.map_start = NONE;
        if matches!(problem, TrackProblem::NoSuchFallback { .. }) {
            node.fallback_key = in_place_key.unwrap_or(NONE);
            if animation.keys.len() == in_place && in_place_key.is_some() {
                animation.keys.push(AnimKey::in_place(order));
            }
        }
    }
    for (node, link) in nodes.iter_mut().zip(&mut links) {
        if no_frames {
            node.map_start = NONE;
        }
        *link = node.track_link();
    }
    animation.spread_times(&links);
    // Keys that got other times may be those of a track around them, too, which then has no map either. If more tracks
    // break for it, none has.
    for is_last in [false, true] {
        let broken = animation.problems(&links);
        if broken.is_empty() {
            return;
        }
        let all = if is_last { 0..nodes.len() } else { 0..0 };
        for idx in broken.into_iter().map(|(node, _)| node).chain(all) {
            if let (Some(node), Some(link)) = (nodes.get_mut(idx), links.get_mut(idx)) {
                node.map_start = NONE;
                *link = node.track_link();
            }
        }
        animation.spread_times(&links);
    }
}

/// Places that are not finite or far beyond any model, whose squares and sums would not be finite. The strict reader,
/// as the original, takes them; to show such a model is for no one.
pub(super) fn infinite_numbers(model: &Msh) -> impl Iterator<Item = Broken> {
    fn broken(type_id: u32, byte: usize, field: String, found: String) -> Broken {
        Broken {
            type_id,
            place: Place::Payload(byte),
            field,
            expected: format!("finite numbers, places within {MAX_REACH:e}"),
            found,
            repair: None,
        }
    }
    let is_near = |place: &[f32; 3]| place.iter().all(|axis| axis.abs() <= MAX_REACH);
    let positions = model.positions.iter().enumerate();
    let positions = positions.filter(move |(_, position)| !is_near(position));
    let keys = model.animation.keys.iter().enumerate();
    let keys = keys.filter(move |(_, key)| !(is_near(&key.position) && key.time.is_finite()));
    let positions = positions.map(|(idx, position)| {
        let byte = record_offset(0, idx, POSITION_SIZE);
        broken(3, byte, format!("vertex {idx}"), format!("{position:?}"))
    });
    let keys = keys.map(|(idx, AnimKey { position, time, .. })| {
        let byte = record_offset(0, idx, AnimKey::SIZE);
        let found = format!("{position:?} at time {time}");
        broken(KEYS, byte, format!("key {idx}"), found)
    });
    positions.chain(keys)
}

fn repair_streams(model: &mut Msh) {
    fn fit<T: Copy>(stream: &mut Option<Vec<T>>, len: usize, neutral: T) {
        if let Some(stream) = stream {
            stream.resize(len, neutral);
        }
    }
    let n_vertices = model.positions.len();
    fit(&mut model.normals, n_vertices, [0, 0, 127, 0]);
    fit(&mut model.uv0, n_vertices, [0; 2]);
    fit(&mut model.unknown_15, n_vertices, [0; 8]);
    fit(&mut model.tangents, n_vertices, [[0; 4]; 2]);
    fit(&mut model.lightmap_uv, n_vertices, [0; 2]);
}

fn repair_batches(model: &mut Msh) {
    let maxima = RangeMax::new(&model.indices);
    let broken: Vec<usize> = (model.batches.iter().enumerate())
        .filter(|(idx, batch)| broken_batch(model, &maxima, *idx, batch).is_some())
        .map(|(idx, _)| idx)
        .collect();
    for idx in broken {
        if let Some(batch) = model.batches.get_mut(idx) {
            batch.index_start = 0;
            batch.index_count = 0;
            batch.base_vertex = 0;
        }
    }
}

fn repair_slots(model: &mut Msh) {
    let finite = model
        .positions
        .iter()
        .filter(|p| p.iter().all(|c| c.is_finite()));
    let (min, max) = box_around(finite.copied()).unwrap_or_default();
    let (center, radius) = sphere_of_box(min, max);
    let n_triangles = model.triangles.as_ref().map(Vec::len);
    for slot in &mut model.slots {
        if n_triangles.is_some_and(|n| slot.tri_range().end > n) {
            slot.tri_start = 0;
            slot.tri_count = 0;
        }
        if slot.batch_range().end > model.batches.len() {
            slot.batch_start = 0;
            slot.batch_count = 0;
        }
        if !has_finite_bounds(slot) {
            (slot.aabb_min, slot.aabb_max) = (min, max);
            // The radius around vertices near the ends of f32 is beyond them.
            (slot.sphere_center, slot.sphere_radius) = (center, radius.min(f32::MAX));
        }
    }
}

fn broken_streams(model: &Msh) -> impl Iterator<Item = Broken> {
    let n_vertices = model.positions.len();
    let lengths = [
        (4, model.normals.as_ref().map(Vec::len)),
        (5, model.uv0.as_ref().map(Vec::len)),
        (15, model.unknown_15.as_ref().map(Vec::len)),
        (16, model.tangents.as_ref().map(Vec::len)),
        (18, model.lightmap_uv.as_ref().map(Vec::len)),
    ];
    Broken::stream_lengths(n_vertices, lengths, Tolerance::STREAM_LENGTHS)
}

/// Only an edited model can have other than one name a node.
fn broken_names(model: &Msh) -> Option<Broken> {
    let n_names = model.names.as_ref()?.len();
    (n_names != model.nodes.len()).then(|| Broken {
        type_id: 10,
        place: Place::Row(RowField::Attr1),
        field: "attr1".to_owned(),
        expected: model.nodes.len().to_string(),
        found: n_names.to_string(),
        repair: None,
    })
}

fn broken_frame_count(model: &Msh, map_chunk: Option<usize>) -> Option<Broken> {
    // The rules of the animation do not hold for nodes that no one can read.
    let is_known = matches!(model.nodes, NodeTable::Nodes(_));
    (is_known && map_chunk.is_some() && model.animation.frame_count == 0).then(|| Broken {
        type_id: 19,
        place: Place::Row(RowField::Attr2),
        field: "attr2 (frame count)".to_owned(),
        expected: "1 or more".to_owned(),
        found: "0".to_owned(),
        repair: Some((
            Tolerance::ANIMATION,
            "it is taken as 1, and all nodes stand at their last keys",
        )),
    })
}

fn broken_links(model: &Msh) -> impl Iterator<Item = Broken> {
    let triangles = model.triangles.as_deref().unwrap_or_default();
    let n_triangles = triangles.len();
    let links = triangles.iter().enumerate().flat_map(|(tri_idx, tri)| {
        let links = tri.links.into_iter().enumerate();
        links.map(move |(k, link)| (tri_idx, k, link))
    });
    links
        .filter(move |(_, _, link)| *link != NONE && usize::from(*link) >= n_triangles)
        .map(move |(tri_idx, k, link)| Broken {
            type_id: 7,
            // The flags come before the links.
            place: Place::Payload(
                record_offset(2, tri_idx, TriDesc::SIZE).saturating_add(k.saturating_mul(2)),
            ),
            field: format!("descriptor {tri_idx} linkTri{k}"),
            expected: format!("a descriptor below {n_triangles} or 65535"),
            found: link.to_string(),
            repair: Some((Tolerance::BROKEN_LINKS, "the link is dropped")),
        })
}

fn broken_batch(
    model: &Msh,
    maxima: &RangeMax<'_>,
    batch_idx: usize,
    batch: &Batch,
) -> Option<Broken> {
    let start = record_offset(0, batch_idx, Batch::SIZE);
    let range = batch.index_range();
    let n_indices = model.indices.len();
    if range.end > n_indices {
        return Some(Broken {
            type_id: 13,
            place: Place::Payload(start.saturating_add(8)),
            field: format!("batch {batch_idx} indexStart and indexCount"),
            expected: format!("indices below {n_indices}"),
            found: format!("{} from {}", batch.index_count, batch.index_start),
            repair: Some(DROP_BATCH),
        });
    }
    let largest = u64::from(maxima.of(range)?);
    let vertex = largest.saturating_add(u64::from(batch.base_vertex));
    let n_vertices = model.positions.len();
    (vertex >= n_vertices as u64).then(|| Broken {
        type_id: 13,
        place: Place::Payload(start.saturating_add(16)),
        field: format!("batch {batch_idx} baseVertex"),
        expected: format!("vertices below {n_vertices}"),
        found: format!("{} and indices up to {largest}", batch.base_vertex),
        repair: Some(DROP_BATCH),
    })
}

fn broken_slot(model: &Msh, slot_idx: usize, slot: &Slot) -> impl Iterator<Item = Broken> {
    let start = record_offset(SlotHeader::SIZE, slot_idx, Slot::SIZE);
    let broken = |byte, what: &str, expected, found, repair| Broken {
        type_id: 2,
        place: Place::Payload(start.saturating_add(byte)),
        field: format!("slot {slot_idx} {what}"),
        expected,
        found,
        repair: Some(repair),
    };
    let emptied = (Tolerance::BROKEN_LINKS, "the range is emptied");
    let n_triangles = model.triangles.as_ref().map(Vec::len);
    let triangles = slot.tri_range();
    // A model without descriptors has none to be out of range.
    let triangles = n_triangles
        .filter(|n| triangles.end > *n)
        .map(|n_triangles| {
            let expected = format!("descriptors below {n_triangles}");
            let found = format!("{}..{}", triangles.start, triangles.end);
            broken(0, "triStart and triCount", expected, found, emptied)
        });
    let batches = slot.batch_range();
    let n_batches = model.batches.len();
    let batches = (batches.end > n_batches).then(|| {
        let expected = format!("batches below {n_batches}");
        let found = format!("{}..{}", batches.start, batches.end);
        broken(4, "batchStart and batchCount", expected, found, emptied)
    });
    let bounds = (!has_finite_bounds(slot)).then(|| {
        let found = format!(
            "{:?} to {:?}, sphere {:?} {}",
            slot.aabb_min, slot.aabb_max, slot.sphere_center, slot.sphere_radius
        );
        let repair = (Tolerance::BOUNDS, "they become those of all vertices");
        broken(8, "bounds", "finite numbers".to_owned(), found, repair)
    });
    triangles.into_iter().chain(batches).chain(bounds)
}

fn has_finite_bounds(slot: &Slot) -> bool {
    let vectors = [slot.aabb_min, slot.aabb_max, slot.sphere_center];
    vectors.as_flattened().iter().all(|c| c.is_finite()) && slot.sphere_radius.is_finite()
}

fn broken_node(model: &Msh, node_idx: usize, node: &Node) -> impl Iterator<Item = Broken> {
    let start = record_offset(0, node_idx, Node::SIZE);
    let parent = node.parent().filter(|parent| *parent >= node_idx);
    let parent = parent.map(|parent| Broken {
        type_id: 1,
        place: Place::Payload(start.saturating_add(2)),
        field: format!("node {node_idx} parent"),
        expected: format!("a node below {node_idx} or 65535"),
        found: parent.to_string(),
        repair: Some((Tolerance::BROKEN_LINKS, "the node becomes a root")),
    });
    let n_slots = model.slots.len();
    let words = node.slots.into_iter().enumerate();
    let words = words
        .filter(move |(_, word)| *word != NONE && usize::from(*word) >= n_slots)
        .map(move |(k, word)| Broken {
            type_id: 1,
            // Four words come before the slot words.
            place: Place::Payload(start.saturating_add(8).saturating_add(k.saturating_mul(2))),
            field: format!("node {node_idx} slotIndex[{k}]"),
            expected: format!("a slot below {n_slots} or 65535"),
            found: word.to_string(),
            repair: Some((Tolerance::BROKEN_LINKS, "the slot is dropped")),
        });
    parent.into_iter().chain(words)
}

fn broken_tracks(model: &Msh) -> impl Iterator<Item = Broken> {
    let problems = model.animation.problems(&model.track_links());
    problems.into_iter().map(|(node_idx, problem)| {
        let start = record_offset(0, node_idx, Node::SIZE);
        let (byte, field, expected, repair) = match problem {
            TrackProblem::NoSuchFallback { .. } => (
                6,
                "fallback key",
                "a key that exists",
                (Tolerance::BROKEN_LINKS, "the node stays in place"),
            ),
            TrackProblem::MapOutside { .. } => (
                4,
                "map start",
                "a word per frame",
                (Tolerance::BROKEN_LINKS, "the node stands at its last key"),
            ),
            TrackProblem::SingleKey { .. } => {
                (4, "map start", "a map of two keys or more", DROP_MAP)
            }
            TrackProblem::TimesDoNotIncrease { .. } => {
                (6, "fallback key", "a track of increasing times", DROP_MAP)
            }
        };
        Broken {
            type_id: 1,
            place: Place::Payload(start.saturating_add(byte)),
            field: format!("node {node_idx} {field}"),
            expected: expected.to_owned(),
            found: problem.to_string(),
            repair: Some(repair),
        }
    })
}
