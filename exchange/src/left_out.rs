//! What a written file does not hold of a model.

use std::collections::BTreeSet;

use ironlands_assets_loader::parkan::msh::{Batch, Msh, NodeTable};
use ironlands_scene::Material;

use crate::findings::Findings;
use crate::geometry::pieces;
use crate::pose::Motion;
use crate::source::ModelSource;
use crate::write_obj::ObjOptions;

/// What a GLB does not hold.
pub(crate) fn of_glb(source: &ModelSource<'_>) -> Findings {
    let msh = source.msh;
    let mut findings = of_any(source);
    if has_lightmaps(msh) {
        let what =
            "pictures of lightmaps are left out; their names and texture coordinates are kept";
        findings.add("lightmaps", what);
    }
    let is_filled = |len: Option<usize>| len.is_some_and(|len| len > 0);
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
            18,
            is_filled(msh.unknown_18.as_ref().map(Vec::len)),
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
pub(crate) fn of_obj(
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

fn has_part_triangle(msh: &Msh, batch: &Batch) -> bool {
    !msh.batch_indices(batch).len().is_multiple_of(3)
}
