//! What follows from faces and vertices: neighbors, the order of drawing, normals (dossier sections 4.4 and 4.7).

use std::collections::HashMap;
use std::ops::Range;

use super::edges::EdgePlaces;
use super::{Face, FaceKey, KEY_FLAGS, KEY_FLAGS_BATCH_START, LandMsh, NONE, Slot};
use crate::face_mask::FaceFlags;
use crate::slots::{box_around, sphere_of_box};

/// An edge that has no neighbor yet: its face, and which of the face's edges it is.
type OpenEdge = (usize, u8);

impl LandMsh {
    /// Links those of some faces that have an edge in common, as far as these edges have no neighbor yet. Water and the bed below
    /// it are two surfaces. The faces are those of one level of detail.
    pub fn link_open_edges(&mut self, faces: &[usize]) {
        let mut open: HashMap<(bool, EdgePlaces), OpenEdge> = HashMap::new();
        let mut linked = Vec::new();
        for idx in faces {
            let Some(face) = self.faces.get(*idx) else {
                continue;
            };
            let is_water = face.flags.contains(FaceFlags::WATER);
            for (edge, neighbor) in (0..3).zip(face.neighbors) {
                let places = self.edge_places(face, edge).filter(|_| neighbor == NONE);
                let Some(places) = places else { continue };
                match open.remove(&(is_water, places)) {
                    Some(other) => linked.push(((*idx, edge), other)),
                    None => {
                        open.insert((is_water, places), (*idx, edge));
                    }
                }
            }
        }
        for idx in faces {
            if let Some(face) = self.faces.get_mut(*idx) {
                let [a, b, c] = face.edge_classes();
                let class = |neighbor: u16, class: u8| if neighbor == NONE { 3 } else { class };
                let [to_a, to_b, to_c] = face.neighbors;
                let classes = [class(to_a, a), class(to_b, b), class(to_c, c)];
                *face = face.with_edge_classes(classes);
            }
        }
        for (one, other) in linked {
            self.link(one, other);
            self.link(other, one);
        }
    }

    fn link(&mut self, (from, edge): OpenEdge, (to, to_edge): OpenEdge) {
        let (Some(face), Ok(to)) = (self.faces.get_mut(from), u16::try_from(to)) else {
            return;
        };
        let mut classes = face.edge_classes();
        let edge = usize::from(edge);
        if let (Some(neighbor), Some(class)) = (face.neighbors.get_mut(edge), classes.get_mut(edge))
        {
            (*neighbor, *class) = (to, to_edge);
        }
        *face = face.with_edge_classes(classes);
    }

    /// Type 11 records of a slot's faces: those of like materials together, the first of each batch marked.
    pub fn batch_keys(&self, slot: Range<usize>) -> Vec<FaceKey> {
        let pair = |face: &Face| (face.first_material, face.second_material);
        let faces = slot.filter_map(|idx| Some((pair(self.faces.get(idx)?), idx)));
        let mut faces: Vec<_> = faces.collect();
        faces.sort();
        let mut before = None;
        let keys = faces.into_iter().filter_map(|(pair, idx)| {
            let begins = before.replace(pair) != Some(pair);
            Some(FaceKey {
                face: u16::try_from(idx).ok()?,
                flags: if begins {
                    KEY_FLAGS_BATCH_START
                } else {
                    KEY_FLAGS
                },
                unknown_3: 0,
            })
        });
        keys.collect()
    }

    /// Makes a slot's bounds hold all of its faces. Those of slot 0 give the size of a cell, and grow in height only.
    pub(crate) fn grow_bounds(&mut self, slot_idx: usize) {
        let Some(slot) = self.slots.get(slot_idx) else {
            return;
        };
        let Slot {
            aabb_min, aabb_max, ..
        } = *slot;
        let Some((min, max)) = self.bounds_of(slot) else {
            return;
        };
        let Some((min, max)) = box_around([aabb_min, aabb_max, min, max]) else {
            return;
        };
        let (min, max) = match slot_idx {
            0 => {
                let ([x0, y0, _], [x1, y1, _]) = (aabb_min, aabb_max);
                let ([_, _, z0], [_, _, z1]) = (min, max);
                ([x0, y0, z0], [x1, y1, z1])
            }
            _ => (min, max),
        };
        if let Some(slot) = self.slots.get_mut(slot_idx) {
            slot.aabb_min = min;
            slot.aabb_max = max;
            (slot.sphere_center, slot.sphere_radius) = sphere_of_box(min, max);
        }
    }
}

/// Unit normal of a triangle, on the side from which its corners go counterclockwise; `None` for one without area.
pub fn face_normal([a, b, c]: [[f32; 3]; 3]) -> Option<[f32; 3]> {
    let [a, b, c] = [a, b, c].map(|corner| glam::Vec3::from_array(corner).as_dvec3());
    let normal = (b - a).cross(c - a).try_normalize()?;
    Some(normal.as_vec3().to_array())
}
