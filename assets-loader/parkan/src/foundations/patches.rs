//! A terrain while buildings cut it: what each slot holds by now, and the vertices that came in.

use std::collections::HashMap;

use super::region::{FacePiece, PieceCorner, Region, SheetFace, fill};
use super::rings::{Contours, minus, plan_of};
use super::{CutError, CutLand, mean};
use crate::face_mask::FaceFlags;
use crate::land_msh::{
    Face, FaceKey, LandMsh, NO_MATERIAL, NONE, face_normal, pack_face_normal, pack_normal, pack_uv,
    unpack_normal,
};

/// Flags of the faces that are made around buildings.
const BASEMENT_FLAGS: FaceFlags = FaceFlags::from_bits_retain(0x300);
/// Row of their material.
const BASEMENT_ROW: u8 = 0;
/// Their texture's repeats for each world unit.
const BASEMENT_UV: f32 = 0.066;
/// Levels of detail that terrain has.
const N_LODS: usize = 2;

/// A face of a slot.
#[derive(Debug, Clone, Copy)]
struct Patch {
    face: Face,
    /// The face of the file.
    source: Option<u16>,
}

/// A new vertex, which is there once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct NewVertex {
    position: [u32; 3],
    normal: [i8; 4],
    uv0: [i16; 2],
    micro_uv: [i16; 2],
    second_weight: u32,
}

/// The terrain, with what slots hold beside it.
#[derive(Debug)]
pub(super) struct Patches {
    /// Its vertices grow; faces and slots are as they were.
    land: LandMsh,
    /// By slot.
    slots: Vec<Vec<Patch>>,
    /// Slots of each level of detail; none in both.
    lods: [Vec<usize>; N_LODS],
    known: HashMap<NewVertex, u16>,
    changed: Vec<bool>,
}

/// What a building does to one level of detail.
struct Cut {
    /// Faces that go: slot, and place in it.
    removed: Vec<(usize, usize)>,
    /// Parts of faces that stay, by slot and place.
    pieces: Vec<((usize, usize), FacePiece)>,
    /// The outer contour on the land; empty where there is none at this level of detail.
    contour: Vec<[f32; 3]>,
}

impl Patches {
    pub(super) fn new(land: &LandMsh) -> Result<Self, CutError> {
        let mut is_taken = vec![false; land.faces.len()];
        let mut slots = Vec::with_capacity(land.slots.len());
        for slot in &land.slots {
            let range = land.slot_face_range(slot);
            let taken = is_taken.get_mut(range.clone()).unwrap_or_default();
            if taken.contains(&true) {
                return Err(CutError::SharedFaces);
            }
            taken.fill(true);
            let faces = land.slot_faces(slot).iter().zip(range);
            let patches = faces.map(|(face, idx)| Patch {
                face: *face,
                source: u16::try_from(idx).ok(),
            });
            slots.push(patches.collect());
        }
        let mut lods = [(); N_LODS].map(|()| Vec::new());
        let mut is_named = vec![false; land.slots.len()];
        for (lod, named) in lods.iter_mut().enumerate() {
            for node in &land.nodes {
                let slot = node.slots.get(lod).map(|slot| usize::from(*slot));
                let is_named = slot.and_then(|slot| is_named.get_mut(slot));
                if let (Some(slot), Some(is_named)) = (slot, is_named)
                    && !*is_named
                {
                    *is_named = true;
                    named.push(slot);
                }
            }
        }
        Ok(Self {
            changed: vec![false; land.slots.len()],
            land: land.clone(),
            slots,
            lods,
            known: HashMap::new(),
        })
    }

    pub(super) fn is_changed(&self) -> bool {
        self.changed.contains(&true)
    }

    /// Cuts the land for a building; the height of its inner contour.
    pub(super) fn lay(&mut self, contours: &Contours, keeps_height: bool) -> Result<f32, CutError> {
        let cuts = [0, 1].map(|lod| self.cut(lod, contours));
        let [fine, coarse] = cuts;
        let cuts = [fine?, coarse?];
        let [Cut { contour, .. }, _] = &cuts;
        let height = mean(contour.iter().map(|[_, _, z]| *z)).ok_or(CutError::OffLand)?;
        let mut inner = contours.inner.clone();
        for [_, _, z] in inner.iter_mut().flatten().filter(|_| !keeps_height) {
            *z = height;
        }
        let mut basements = Vec::new();
        for Cut { contour, .. } in cuts.iter() {
            basements.push(match contour.is_empty() {
                true => Vec::new(),
                false => fill(contour, &inner)?,
            });
        }
        self.require_room(&cuts, &basements)?;
        for (cut, basement) in cuts.into_iter().zip(basements) {
            self.apply(cut, basement, contours)?;
        }
        Ok(height)
    }

    /// Finds out what goes and what stays of a level of detail: of the land, and of the liquids over it.
    fn cut(&self, lod: usize, contours: &Contours) -> Result<Cut, CutError> {
        let [[x0, y0], [x1, y1]] = contours.bounds();
        let mut places = Vec::new();
        let mut sheets = [Vec::new(), Vec::new()];
        for slot in self.lods.get(lod).into_iter().flatten() {
            let patches = self.slots.get(*slot).into_iter().flatten();
            for (place, patch) in patches.enumerate() {
                let Some(corners) = self.corners_of(&patch.face) else {
                    continue;
                };
                let is_near = |axis: fn([f32; 3]) -> f64, low: f64, high: f64| {
                    let values = corners.map(axis);
                    let is_below = values.iter().all(|value| *value < low);
                    !is_below && !values.iter().all(|value| *value > high)
                };
                // A unit more, since a contour may go through vertices beside it.
                let by_x = is_near(|[x, _, _]| f64::from(x), x0 - 1.0, x1 + 1.0);
                if by_x && is_near(|[_, y, _]| f64::from(y), y0 - 1.0, y1 + 1.0) {
                    let id = places.len();
                    places.push((*slot, place));
                    let is_liquid = patch.face.flags.contains(FaceFlags::WATER);
                    let [ground, liquid] = &mut sheets;
                    let sheet = if is_liquid { liquid } else { ground };
                    sheet.push(SheetFace { id, corners });
                }
            }
        }
        let [ground, liquid] = sheets;
        let ground = Region::cut(&ground, &contours.outer)?;
        if ground.contour.is_empty() && !ground.removed.is_empty() {
            return Err(CutError::OffLand);
        }
        // A lake may end inside of the contour.
        let liquid = Region::cut(&liquid, &contours.outer)?;
        let place = |id: usize| places.get(id).copied();
        let removed = ground.removed.iter().chain(&liquid.removed);
        let pieces = ground.pieces.iter().chain(&liquid.pieces);
        Ok(Cut {
            removed: removed.filter_map(|id| place(*id)).collect(),
            pieces: pieces
                .filter_map(|piece| Some((place(piece.id)?, *piece)))
                .collect(),
            contour: ground.contour,
        })
    }

    /// The corners of a face, if they are somewhere.
    fn corners_of(&self, face: &Face) -> Option<[[f32; 3]; 3]> {
        let [a, b, c] = face.vertices.map(|vertex| {
            let position = self.land.positions.get(usize::from(vertex));
            position
                .filter(|it| it.iter().all(|v| v.is_finite()))
                .copied()
        });
        Some([a?, b?, c?])
    }

    /// All that is to come in must have numbers, counted as if nothing were there already.
    fn require_room(&self, cuts: &[Cut], basements: &[Vec<[[f32; 3]; 3]>]) -> Result<(), CutError> {
        let n_pieces: usize = cuts.iter().map(|cut| cut.pieces.len()).sum();
        let n_basements: usize = basements.iter().map(Vec::len).sum();
        let n_faces: usize = self.slots.iter().map(Vec::len).sum();
        let n_removed: usize = cuts.iter().map(|cut| cut.removed.len()).sum();
        let n_faces = n_faces.saturating_sub(n_removed);
        let n_new = n_pieces.saturating_add(n_basements);
        let n_vertices = n_new.saturating_mul(3);
        let most = usize::from(NONE);
        let is_room = n_faces.saturating_add(n_new) <= most
            && self.land.positions.len().saturating_add(n_vertices) <= most;
        is_room.then_some(()).ok_or(CutError::TerrainFull)
    }

    fn apply(
        &mut self,
        cut: Cut,
        basement: Vec<[[f32; 3]; 3]>,
        contours: &Contours,
    ) -> Result<(), CutError> {
        let home = self.home_of(&cut, contours);
        let mut added = Vec::with_capacity(cut.pieces.len().saturating_add(basement.len()));
        for ((slot, place), piece) in &cut.pieces {
            let patch = self
                .slots
                .get(*slot)
                .and_then(|patches| patches.get(*place));
            if let Some(patch) = patch.copied() {
                added.push((*slot, self.piece_of(patch, piece)?));
            }
        }
        for corners in basement {
            let patch = self.basement_face(corners, contours)?;
            added.extend(home.map(|slot| (slot, patch)));
        }
        let mut removed = cut.removed;
        removed.sort_unstable();
        for (slot, place) in removed.into_iter().rev() {
            let patches = self.slots.get_mut(slot).filter(|it| place < it.len());
            if let Some(patches) = patches {
                patches.remove(place);
            }
            self.mark(slot);
        }
        for (slot, patch) in added {
            if let Some(patches) = self.slots.get_mut(slot) {
                patches.push(patch);
            }
            self.mark(slot);
        }
        Ok(())
    }

    fn mark(&mut self, slot: usize) {
        if let Some(changed) = self.changed.get_mut(slot) {
            *changed = true;
        }
    }

    /// The slot that holds what is made around a building: that of the face nearest to its middle.
    fn home_of(&self, cut: &Cut, contours: &Contours) -> Option<usize> {
        let [[x0, y0], [x1, y1]] = contours.bounds();
        let middle = [f64::midpoint(x0, x1), f64::midpoint(y0, y1)];
        let distance = |(slot, place): &(usize, usize)| {
            let patch = self.slots.get(*slot)?.get(*place)?;
            let corners = self.corners_of(&patch.face)?.map(plan_of);
            let [[ax, ay], [bx, by], [cx, cy]] = corners.map(|it| minus(it, middle));
            Some((ax + bx + cx).hypot(ay + by + cy))
        };
        // The box of slot 0 is the size of a cell, and nothing of it may lie in another one: it is the last choice.
        let places = cut.removed.iter();
        let distances = places.filter_map(|it| Some((it.0 == 0, distance(it)?, it.0)));
        let nearest = distances.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        nearest.map(|(_, _, slot)| slot)
    }

    /// A part of a face, with what its corners have in the face.
    fn piece_of(&mut self, patch: Patch, piece: &FacePiece) -> Result<Patch, CutError> {
        let mut vertices = [0; 3];
        for (vertex, corner) in vertices.iter_mut().zip(piece.corners) {
            *vertex = match corner {
                PieceCorner::Own(corner) => *patch.face.vertices.get(corner).unwrap_or(&0),
                PieceCorner::New(position, weights) => {
                    let new = self.mixed(&patch.face, position, weights);
                    self.vertex(new)?
                }
            };
        }
        Ok(Patch {
            face: self.with_vertices(patch.face, vertices),
            source: patch.source,
        })
    }

    fn basement_face(
        &mut self,
        corners: [[f32; 3]; 3],
        contours: &Contours,
    ) -> Result<Patch, CutError> {
        // Whole repeats less, so that the numbers fit anywhere on a level.
        let [[x0, y0], _] = contours.bounds();
        let origin = [x0, y0].map(|v| (v as f32 * BASEMENT_UV).floor());
        let mut vertices = [0; 3];
        for (vertex, position) in vertices.iter_mut().zip(corners) {
            let ([x, y, _], [origin_u, origin_v]) = (position, origin);
            let uv = [x * BASEMENT_UV - origin_u, y * BASEMENT_UV - origin_v];
            *vertex = self.vertex(NewVertex {
                position: position.map(f32::to_bits),
                normal: [0; 4],
                uv0: pack_uv(uv),
                micro_uv: [0; 2],
                second_weight: 1.0_f32.to_bits(),
            })?;
        }
        let face = Face {
            flags: BASEMENT_FLAGS,
            first_material: BASEMENT_ROW,
            second_material: NO_MATERIAL,
            unknown_06: NONE,
            vertices,
            neighbors: [NONE; 3],
            normal: [0; 3],
            edge_class: 0,
            unknown_1b: 0,
        };
        Ok(Patch {
            face: self.with_vertices(face, vertices),
            source: None,
        })
    }

    /// The face with other vertices, its normal, and no neighbors yet.
    fn with_vertices(&self, face: Face, vertices: [u16; 3]) -> Face {
        let face = Face { vertices, ..face };
        let normal = self.corners_of(&face).and_then(face_normal);
        Face {
            neighbors: [NONE; 3],
            normal: pack_face_normal(normal.unwrap_or([0.0, 0.0, 1.0])),
            ..face.with_edge_classes([3; 3])
        }
    }

    /// What the corners of a face give a place between them.
    fn mixed(&self, face: &Face, position: [f32; 3], weights: [f64; 3]) -> NewVertex {
        let corners = face.vertices.map(usize::from);
        let of_corners = |value: &dyn Fn(usize) -> f64| -> f64 {
            let values = corners.iter().zip(weights);
            values.map(|(corner, weight)| value(*corner) * weight).sum()
        };
        let axes = [0, 1, 2].map(|axis: usize| {
            of_corners(&|corner| {
                let normal = self.land.normals.get(corner).copied();
                let normal = unpack_normal(normal.unwrap_or_default());
                f64::from(normal.get(axis).copied().unwrap_or_default())
            })
        });
        let packed = |stream: &[[i16; 2]]| {
            [0, 1].map(|axis: usize| {
                let value = of_corners(&|corner| {
                    let uv = stream.get(corner).copied().unwrap_or_default();
                    f64::from(uv.get(axis).copied().unwrap_or_default())
                });
                // The cast saturates.
                value.round() as i16
            })
        };
        let [first, ..] = corners;
        let fourth = self.land.normals.get(first).map_or(0, |[_, _, _, w]| *w);
        let weight = of_corners(&|corner| {
            let vertex = u16::try_from(corner).unwrap_or(NONE);
            f64::from(self.land.second_weight(vertex))
        });
        NewVertex {
            position: position.map(f32::to_bits),
            normal: pack_normal(axes.map(|it| it as f32), fourth),
            uv0: packed(&self.land.uv0),
            micro_uv: packed(&self.land.micro_uv),
            second_weight: (weight as f32).to_bits(),
        }
    }

    fn vertex(&mut self, new: NewVertex) -> Result<u16, CutError> {
        if let Some(known) = self.known.get(&new) {
            return Ok(*known);
        }
        let land = &mut self.land;
        let vertex = u16::try_from(land.positions.len()).map_err(|_| CutError::TerrainFull)?;
        let NewVertex {
            position,
            normal,
            uv0,
            micro_uv,
            second_weight,
        } = new;
        land.positions.push(position.map(f32::from_bits));
        land.normals.push(normal);
        land.uv0.push(uv0);
        land.micro_uv.push(micro_uv);
        if let Some(weights) = &mut land.second_weights {
            weights.push(f32::from_bits(second_weight));
        }
        self.known.insert(new, vertex);
        Ok(vertex)
    }

    /// Numbers the faces, slot by slot, and links those that lie beside each other again.
    pub(super) fn finish(self) -> CutLand {
        let Self {
            mut land,
            slots,
            lods,
            changed,
            ..
        } = self;
        let old = land.clone();
        land.faces.clear();
        land.face_keys.clear();
        for ((slot_idx, patches), is_changed) in slots.iter().enumerate().zip(changed) {
            let first = land.faces.len();
            land.faces.extend(patches.iter().map(|patch| patch.face));
            let Some(slot) = land.slots.get_mut(slot_idx) else {
                continue;
            };
            slot.tri_start = number(first);
            slot.tri_count = number(patches.len());
            let keys = match is_changed {
                true => land.batch_keys(first..land.faces.len()),
                false => moved_keys(&old, slot_idx, number(first)),
            };
            land.face_keys.extend(keys);
            if is_changed {
                land.grow_bounds(slot_idx);
            }
        }
        let patches: Vec<Patch> = slots.into_iter().flatten().collect();
        relink(&mut land, &old, &patches, lods);
        CutLand {
            land,
            sources: patches.iter().map(|patch| patch.source).collect(),
        }
    }
}

fn number(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(NONE)
}

/// The type 11 records of a slot that stays as it was, for where its faces begin now.
fn moved_keys(old: &LandMsh, slot_idx: usize, start: u16) -> Vec<FaceKey> {
    let Some(slot) = old.slots.get(slot_idx) else {
        return Vec::new();
    };
    let moved = |key: &FaceKey| FaceKey {
        face: start.saturating_add(key.face.saturating_sub(slot.tri_start)),
        ..*key
    };
    old.slot_face_keys(slot).iter().map(moved).collect()
}

/// Numbers neighbors as faces are numbered now, and finds those of new edges by place.
fn relink(land: &mut LandMsh, old: &LandMsh, patches: &[Patch], lods: [Vec<usize>; N_LODS]) {
    let mut new_of_old = vec![NONE; old.faces.len()];
    for (idx, patch) in patches.iter().enumerate() {
        let source = patch.source.map(usize::from);
        let is_whole = source.and_then(|source| old.faces.get(source));
        let is_whole = is_whole.is_some_and(|face| face.vertices == patch.face.vertices);
        let new = source.filter(|_| is_whole);
        if let Some(new) = new.and_then(|source| new_of_old.get_mut(source)) {
            *new = number(idx);
        }
    }
    for neighbor in land.faces.iter_mut().flat_map(|face| &mut face.neighbors) {
        let new = new_of_old.get(usize::from(*neighbor));
        *neighbor = new.copied().unwrap_or(NONE);
    }
    for named in lods {
        let slots = named.into_iter().filter_map(|slot| land.slots.get(slot));
        let faces: Vec<usize> = slots.flat_map(|slot| land.slot_face_range(slot)).collect();
        land.link_open_edges(&faces);
    }
}
