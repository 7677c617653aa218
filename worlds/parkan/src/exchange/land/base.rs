//! What land takes over from the file that it was exported from.

use std::collections::HashMap;

use ironlands_assets_parkan::land_draft::{DraftFace, LandDraft, N_LODS};
use ironlands_assets_parkan::land_msh::{Face, LandMsh};

/// All that distinguishes a face from others of its tile: rows and flags, then what is stored of each corner.
type FaceKey = ([u32; 3], [([u32; 3], [i8; 4], [i16; 4], u32); 3]);

/// Whether tiles show the same faces, in whatever order.
pub(super) fn has_same_faces(draft: &LandDraft, old: &LandMsh) -> bool {
    let old_draft = LandDraft::from_land(old);
    let lods = draft.lods.iter().zip(&old_draft.lods);
    let n_shown: usize = old_draft.lods.iter().flatten().map(Vec::len).sum();
    n_shown == old.faces.len()
        && draft.cells_x == old_draft.cells_x
        && lods.into_iter().all(|(new, old)| {
            new.len() == old.len() && new.iter().zip(old).all(|(new, old)| is_same_set(new, old))
        })
}

/// Takes over what glTF has no place for: the chunks and words that no one understands, and of faces that have not
/// changed the normal, the words of unknown meaning and those of their records of drawing.
pub(super) fn take_over(land: &mut LandMsh, old: &LandMsh) {
    land.container = old.container.clone();
    if land.nodes.len() == old.nodes.len() {
        for (node, old_node) in land.nodes.iter_mut().zip(&old.nodes) {
            node.header = old_node.header;
        }
    }
    for (slot, old_slot) in land.slots.iter_mut().zip(&old.slots) {
        slot.unknown_30 = old_slot.unknown_30;
    }
    let [new_draft, old_draft] = [&*land, old].map(LandDraft::from_land);
    let old_words: HashMap<u16, u8> = (old.face_keys.iter())
        .map(|record| (record.face, record.unknown_3))
        .collect();
    let mut unknown_3: HashMap<u16, u8> = HashMap::new();
    for lod in 0..N_LODS {
        for tile in 0..land.nodes.len() {
            let mut known: HashMap<FaceKey, Vec<usize>> = HashMap::new();
            let old_faces = faces_of(old, &old_draft, lod, tile);
            for (idx, face) in old_faces.rev() {
                known.entry(key(face)).or_default().push(idx);
            }
            let new_faces: Vec<_> = faces_of(land, &new_draft, lod, tile).collect();
            for (idx, face) in new_faces {
                let before = known.get_mut(&key(face)).and_then(Vec::pop);
                let Some(before) = before else { continue };
                if let (Some(face), Some(old_face)) =
                    (land.faces.get_mut(idx), old.faces.get(before))
                {
                    let Face {
                        unknown_06,
                        normal,
                        unknown_1b,
                        ..
                    } = *old_face;
                    face.unknown_06 = unknown_06;
                    face.normal = normal;
                    face.unknown_1b = unknown_1b;
                }
                let [idx, before] = [idx, before].map(|it| u16::try_from(it).ok());
                if let (Some(idx), Some(word)) = (idx, before.and_then(|it| old_words.get(&it))) {
                    unknown_3.insert(idx, *word);
                }
            }
        }
    }
    for record in &mut land.face_keys {
        if let Some(word) = unknown_3.get(&record.face) {
            record.unknown_3 = *word;
        }
    }
}

/// The faces of a tile by their indices; `draft` is made of the land.
fn faces_of<'a>(
    land: &LandMsh,
    draft: &'a LandDraft,
    lod: usize,
    tile: usize,
) -> impl DoubleEndedIterator<Item = (usize, &'a DraftFace)> + use<'a> {
    let range = land.tile_slot(tile, lod).map(|it| land.slot_face_range(it));
    let faces = draft.lods.get(lod).and_then(|tiles| tiles.get(tile));
    let faces = faces.map_or(&[][..], Vec::as_slice);
    range.unwrap_or(0..0).zip(faces)
}

fn is_same_set(new: &[DraftFace], old: &[DraftFace]) -> bool {
    let sorted = |faces: &[DraftFace]| {
        let mut keys: Vec<FaceKey> = faces.iter().map(key).collect();
        keys.sort_unstable();
        keys
    };
    new == old || (new.len() == old.len() && sorted(new) == sorted(old))
}

fn key(face: &DraftFace) -> FaceKey {
    let DraftFace {
        flags,
        first_material,
        second_material,
        corners,
    } = face;
    let words = [
        flags.bits(),
        u32::from(*first_material),
        u32::from(*second_material),
    ];
    let corners = corners.map(|corner| {
        let ([u, v], [mu, mv]) = (corner.uv0, corner.micro_uv);
        let place = corner.position.map(f32::to_bits);
        let weight = corner.second_weight.to_bits();
        (place, corner.normal, [u, v, mu, mv], weight)
    });
    (words, corners)
}
