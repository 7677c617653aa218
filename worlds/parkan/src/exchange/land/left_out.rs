//! What a GLB does not hold of land: what an import without the old file makes again, or leaves out.

use ironlands_assets_parkan::land_draft::{LandDraft, N_LODS};
use ironlands_assets_parkan::land_msh::{Face, KEY_FLAGS, KEY_FLAGS_BATCH_START, LandMsh, NONE};
use ironlands_exchange::Findings;

/// The types of the chunks that land is read from.
const TABLES: [u32; 9] = [1, 2, 3, 4, 5, 11, 14, 18, 21];

/// Finds them by making the land again of what the GLB holds.
pub(super) fn of_land(land: &LandMsh) -> Findings {
    let mut findings = Findings::default();
    name_lost_chunks(land, &mut findings);
    name_lost_words(land, &mut findings);
    let draft = LandDraft::from_land(land);
    let n_shown: usize = draft.lods.iter().flatten().map(Vec::len).sum();
    if n_shown != land.faces.len() {
        let what = "faces that no tile shows, or several do, do not come back as they are";
        findings.add("table 21", what);
    }
    let made = land.grid().and_then(|grid| draft.build_on(&grid).ok());
    let Some(made) = made else {
        findings.add("tables", "an import without --base cannot make it again");
        return findings;
    };
    if n_shown == land.faces.len() {
        name_changes(land, &made, &mut findings);
    }
    if has_other_bounds(land, &made) {
        findings.add(
            "table 2",
            "bounds are left out; an import makes those of the faces",
        );
    }
    findings
}

fn name_lost_chunks(land: &LandMsh, findings: &mut Findings) {
    for entry in &land.container.entries {
        let table = entry.type_id;
        if !TABLES.contains(&table) {
            let what = "a chunk of unknown meaning is left out";
            findings.add(format!("table {table}"), what);
        } else if table != 1 && entry.attr2 != 0 {
            let what = "a word of unknown meaning in the directory (attr2) is left out";
            findings.add(format!("table {table}"), what);
        }
    }
}

fn name_lost_words(land: &LandMsh, findings: &mut Findings) {
    for (tile, node) in land.nodes.iter().enumerate() {
        if node.header != [0, NONE, NONE, NONE] {
            findings.add(
                format!("tile {tile}"),
                "words before its slots are left out",
            );
        }
        if node.slots.iter().skip(N_LODS).any(|word| *word != NONE) {
            let what = "levels of detail beyond the second are left out";
            findings.add(format!("tile {tile}"), what);
        }
    }
    for (idx, slot) in land.slots.iter().enumerate() {
        if slot.unknown_30 != [0; 5] {
            let what = "the five words at the end of its record are left out";
            findings.add(format!("slot {idx}"), what);
        }
    }
    for (idx, face) in land.faces.iter().enumerate() {
        if face.unknown_06 != NONE || face.unknown_1b != 0 {
            let what = "words of unknown meaning are left out";
            findings.add(format!("face {idx}"), what);
        }
    }
    for record in &land.face_keys {
        let is_known = [KEY_FLAGS, KEY_FLAGS_BATCH_START].contains(&record.flags);
        if record.unknown_3 != 0 || !is_known {
            let what = "words of its record of drawing are left out";
            findings.add(format!("face {}", record.face), what);
        }
    }
}

/// What follows from the faces, where it is other than it is made again.
fn name_changes(land: &LandMsh, made: &LandMsh, findings: &mut Findings) {
    let Some(old_of_made) = old_of_made(land, made) else {
        return;
    };
    let mut made_of_old = vec![NONE; land.faces.len()];
    for (idx, old) in old_of_made.iter().enumerate() {
        if let Some(place) = made_of_old.get_mut(*old) {
            *place = u16::try_from(idx).unwrap_or(NONE);
        }
    }
    let pairs = old_of_made.iter().zip(&made.faces);
    for (old_idx, made_face) in pairs {
        let Some(face) = land.faces.get(*old_idx) else {
            continue;
        };
        let place = || format!("face {old_idx}");
        if face.normal != made_face.normal {
            findings.add(
                place(),
                "normals of faces are left out; an import makes them again",
            );
        }
        let expected = face.neighbors.map(|word| {
            let made = made_of_old.get(usize::from(word));
            made.copied().unwrap_or(NONE)
        });
        if expected != made_face.neighbors || face.edge_class != made_face.edge_class {
            findings.add(
                place(),
                "neighbors are left out; an import joins the faces that share an edge",
            );
        }
    }
    let drawn = |land: &LandMsh| -> Vec<u16> { land.face_keys.iter().map(|it| it.face).collect() };
    let expected: Vec<u16> = (drawn(land).iter())
        .filter_map(|old| made_of_old.get(usize::from(*old)).copied())
        .collect();
    if expected != drawn(made) {
        findings.add(
            "table 11",
            "the order of drawing is left out; an import sorts by materials",
        );
    }
}

/// For each face of made land the old one that it is: slots sort their faces as a draft does.
fn old_of_made(land: &LandMsh, made: &LandMsh) -> Option<Vec<usize>> {
    let mut old_of_made = vec![usize::MAX; made.faces.len()];
    for lod in 0..N_LODS {
        for tile in 0..land.nodes.len() {
            let range = |of: &LandMsh| of.tile_slot(tile, lod).map(|it| of.slot_face_range(it));
            let Some(made_range) = range(made) else {
                continue;
            };
            let mut old: Vec<usize> = range(land).unwrap_or(0..0).collect();
            let sort_key = |face: &Face| {
                let is_water = face
                    .flags
                    .contains(ironlands_assets_parkan::face_mask::FaceFlags::WATER);
                (is_water, face.first_material, face.second_material)
            };
            old.sort_by_key(|idx| land.faces.get(*idx).map(sort_key));
            let places = old_of_made.get_mut(made_range)?;
            if places.len() != old.len() {
                return None;
            }
            places.copy_from_slice(&old);
        }
    }
    Some(old_of_made)
}

fn has_other_bounds(land: &LandMsh, made: &LandMsh) -> bool {
    land.header != made.header
        || (0..land.nodes.len()).any(|tile| {
            (0..N_LODS).any(|lod| {
                let bounds = |of: &LandMsh| {
                    let slot = of.tile_slot(tile, lod)?;
                    let sphere = (slot.sphere_center, slot.sphere_radius);
                    (slot.tri_count > 0).then_some((slot.aabb_min, slot.aabb_max, sphere))
                };
                bounds(land) != bounds(made)
            })
        })
}
