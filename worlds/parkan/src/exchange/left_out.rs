//! What a written file does not hold of a model.

use std::collections::BTreeSet;

use ironlands_assets_parkan::msh::{self, Msh, NodeTable};
use ironlands_assets_parkan::msh_animation::{TrackMap, TrackSet};
use ironlands_exchange::Findings;
use ironlands_scene::Material;

use super::geometry::pieces;
use super::motions::Motion;
use super::source::ModelSource;
use super::write_obj::ObjOptions;

/// What a GLB does not hold.
pub(super) fn of_glb(source: &ModelSource<'_>) -> Findings {
    let msh = source.msh;
    let mut findings = of_any(source);
    if has_lightmaps(msh) {
        let what =
            "pictures of lightmaps are left out; their names and texture coordinates are kept";
        findings.add("lightmaps", what);
    }
    let is_filled = |len: Option<usize>| len.is_some_and(|len| len > 0);
    name_unknown_words(msh, &mut findings);
    name_lost_streams(msh, &mut findings);
    name_lost_tracks(msh, &mut findings);
    name_lost_chunks(msh, &mut findings);
    if !msh.has_built_bounds() {
        let what = "bounds are left out; an import makes those of the triangles";
        findings.add("table 2", what);
    }
    for (table, is_there, what) in [
        (
            7,
            is_filled(msh.triangles.as_ref().map(Vec::len)),
            "triangles for collision are left out",
        ),
        (
            16,
            is_filled(msh.tangents.as_ref().map(Vec::len)),
            "tangents are left out",
        ),
        (
            15,
            is_filled(msh.unknown_15.as_ref().map(Vec::len)),
            "a stream of unknown meaning is left out",
        ),
        (
            20,
            is_filled(msh.probes.as_ref().map(Vec::len)),
            "light probes are left out",
        ),
    ] {
        if is_there {
            findings.add(format!("table {table}"), what);
        }
    }
    findings
}

/// What an OBJ does not hold.
pub(super) fn of_obj(
    source: &ModelSource<'_>,
    motions: &[Motion],
    options: &ObjOptions,
) -> Findings {
    let msh = source.msh;
    let mut findings = of_any(source);
    if motions.iter().any(|it| matches!(it, Motion::Moving { .. })) {
        findings.add(
            "animation",
            "OBJ does not move; the nodes stand as at frame 0",
        );
    }
    if msh
        .nodes
        .as_slice()
        .iter()
        .any(|node| node.parent().is_some())
    {
        findings.add("nodes", "OBJ has no tree of nodes; each stands for itself");
    }
    let pieces = pieces(msh);
    if pieces.iter().any(|piece| piece.state != options.state) {
        findings.add("states", "OBJ shows one state; the others are left out");
    }
    let of_state = pieces.iter().filter(|piece| piece.state == options.state);
    let lods: BTreeSet<u8> = of_state.map(|piece| piece.lod).collect();
    if lods.len() > 1 {
        findings.add(
            "levels of detail",
            "OBJ shows one level of detail; the others are left out",
        );
    }
    if has_lightmaps(msh) {
        findings.add("lightmaps", "OBJ has none; they are left out");
    }
    findings
}

/// What batches and slots say beyond their triangles; an import writes what new models have.
fn name_unknown_words(msh: &Msh, findings: &mut Findings) {
    for (index, batch) in msh.batches.iter().enumerate() {
        let last = msh.batch_indices(batch).iter().max();
        let n_vertices = last.map_or(0, |last| last.saturating_add(1));
        for (is_lost, what) in [
            (batch.material_02 != 0, "the word at byte 2 of its record"),
            (
                batch.beyond_portal != msh::NONE,
                "the node beyond its portal",
            ),
            (batch.n_vertices != n_vertices, "its number of vertices"),
        ] {
            if is_lost {
                findings.add(format!("batch {index}"), format!("{what} is left out"));
            }
        }
    }
    for (index, slot) in msh.slots.iter().enumerate() {
        if slot.unknown_30 != [0; 5] {
            let what = "the five words at the end of its record are left out";
            findings.add(format!("slot {index}"), what);
        }
    }
}

/// What of the vertex streams no primitive carries.
fn name_lost_streams(msh: &Msh, findings: &mut Findings) {
    let mut is_used = vec![false; msh.positions.len()];
    let mut is_lit = vec![false; msh.positions.len()];
    for batch in &msh.batches {
        for vertex in msh.batch_vertices(batch) {
            if let (Some(used), Some(lit)) = (is_used.get_mut(vertex), is_lit.get_mut(vertex)) {
                *used = true;
                *lit |= batch.lightmap().is_some() && msh.uv0.is_some();
            }
        }
    }
    if let Some(vertex) = is_used.iter().position(|is_used| !is_used) {
        findings.add(
            format!("vertex {vertex}"),
            "vertices that no batch names are left out",
        );
    }
    let extra = msh.lightmap_uv.iter().flatten().zip(&is_lit).enumerate();
    let mut lost = extra.filter(|(_, (uv, is_lit))| !**is_lit && **uv != [0; 2]);
    if let Some((vertex, _)) = lost.next() {
        let what = "its coordinates for a lightmap that its batches do not have are left out";
        findings.add(format!("table 18, vertex {vertex}"), what);
    }
}

/// What of the tracks no sampler shows.
fn name_lost_tracks(msh: &Msh, findings: &mut Findings) {
    if !matches!(msh.nodes, NodeTable::Nodes(_)) || msh.animation.keys.is_empty() {
        return;
    }
    let links = msh.track_links();
    let Ok(tracks) = TrackSet::from_tables(&msh.animation, &links) else {
        let what = "tracks of unusual layout are written as they move, not as they are stored";
        return findings.add("tables 8 and 19", what);
    };
    for (node, track) in tracks.tracks.iter().enumerate() {
        let what = match &track.map {
            TrackMap::None if track.keys.len() > 1 => "keys before the last are left out",
            TrackMap::Words(_) => "its frame map is left out; it is written as it moves",
            TrackMap::None | TrackMap::FromTimes => continue,
        };
        findings.add(format!("node {node}"), what);
    }
    let has_map = tracks.tracks.iter().any(|it| it.map != TrackMap::None);
    let counted = tracks.frame_count_of_times();
    if tracks.frame_count != counted && (has_map || tracks.frame_count > 1) {
        let what = format!(
            "an import counts {counted} frames, not {}",
            tracks.frame_count
        );
        findings.add("table 19", what);
    }
}

/// Chunks that no table holds, and attributes that no table knows.
fn name_lost_chunks(msh: &Msh, findings: &mut Findings) {
    let mut seen = BTreeSet::new();
    for entry in &msh.container.entries {
        let table = entry.type_id;
        let is_first = seen.insert(table);
        let is_table = is_first && (matches!(table, 1..=8 | 10 | 13 | 15 | 16 | 18 | 19));
        let is_read_probe = is_first && table == 20 && msh.probes.is_some();
        if !is_table && !is_read_probe && !entry.data.is_empty() {
            let what = "a chunk of unknown meaning is left out";
            findings.add(format!("table {table}"), what);
        } else if entry.attr2 != 0 {
            let what = "a word of unknown meaning in the directory (attr2) is left out";
            findings.add(format!("table {table}"), what);
        }
    }
}

fn of_any(source: &ModelSource<'_>) -> Findings {
    let msh = source.msh;
    let mut findings = Findings::default();
    let rows: BTreeSet<usize> = msh.batches.iter().filter_map(|it| source.row(it)).collect();
    // A row without a material has been refused before.
    let materials = rows
        .iter()
        .filter_map(|row| Some((row, source.material(*row).ok()?)));
    for (row, material) in materials {
        let place = format!("material {row}");
        if changes(material) {
            findings.add(&place, "it changes with time and is written as it begins");
        }
        if material.passes.len() > 1 {
            findings.add(&place, "passes beyond the main one are left out");
        }
    }
    let pieces = pieces(msh);
    let shown: BTreeSet<usize> = (pieces.iter())
        .flat_map(|piece| msh.slot_batch_range(&msh.slots[piece.slot]))
        .collect();
    // Without a tree that can be read, all batches are written.
    let is_tree = matches!(msh.nodes, NodeTable::Nodes(_));
    for (index, batch) in msh.batches.iter().enumerate() {
        if is_tree && !shown.contains(&index) {
            findings.add(format!("batch {index}"), "no node shows it; it is left out");
        }
        if has_part_triangle(msh, batch) {
            let what = "indices at its end that make no triangle are left out";
            findings.add(format!("batch {index}"), what);
        }
    }
    findings
}

fn changes(material: &Material) -> bool {
    let mut passes = material.passes.iter();
    passes.any(|pass| pass.animation.is_some() || pass.uv_scroll_per_sec != [0.0; 2])
}

fn has_lightmaps(msh: &Msh) -> bool {
    msh.batches.iter().any(|batch| batch.lightmap().is_some())
}

fn has_part_triangle(msh: &Msh, batch: &msh::Batch) -> bool {
    !msh.batch_indices(batch).len().is_multiple_of(3)
}
