//! Bounds of slots, and of a whole model with its nodes at rest (dossier section 7.4).

use ironlands_scene::Affine;

use crate::msh::{Msh, Slot, SlotHeader};
use crate::msh_animation::{AnimKey, QuaternionOrder};
use crate::slots::box_around;

/// Where the nodes stand at frame 0, and all points of the model there.
#[derive(Default)]
pub(super) struct Rest {
    model_from_node: Vec<Affine>,
    points: Vec<[f32; 3]>,
}

impl Rest {
    /// The next node, at its first key. Its origin counts as a point: a node without geometry is one.
    pub(super) fn add_node(
        &mut self,
        parent: Option<usize>,
        first: &AnimKey,
        order: QuaternionOrder,
    ) {
        let parent_from_node = Affine(first.parent_from_node(order));
        let model_from_node = match parent.and_then(|parent| self.model_from_node.get(parent)) {
            Some(model_from_parent) => model_from_parent.times(&parent_from_node),
            None => parent_from_node,
        };
        self.points.push(model_from_node.transform_point([0.0; 3]));
        self.model_from_node.push(model_from_node);
    }

    /// Points in the space of a node that has been added.
    pub(super) fn add_points(&mut self, node: usize, points: impl Iterator<Item = [f32; 3]>) {
        if let Some(model_from_node) = self.model_from_node.get(node) {
            let posed = points.map(|point| model_from_node.transform_point(point));
            self.points.extend(posed);
        }
    }

    /// The box around all points with a ball and an upright capsule around them, from the center of the box;
    /// `None` if numbers of that size are not finite.
    pub(super) fn header(&self) -> Option<SlotHeader> {
        if !self.points.as_flattened().iter().all(|c| c.is_finite()) {
            return None;
        }
        let (min, max) = box_around(self.points.iter().copied())?;
        let (sphere_center, sphere_radius) = ball_around(min, max, self.points.iter().copied());
        let flat = |[x, y, _]: [f32; 3]| [x, y, 0.0];
        let flat_points = self.points.iter().copied().map(flat);
        let (_, capsule_radius) = ball_around(flat(min), flat(max), flat_points);
        let header = SlotHeader {
            sphere_center,
            sphere_radius,
            capsule_radius,
            ..SlotHeader::from_box(min, max)
        };
        (sphere_radius.is_finite() && capsule_radius.is_finite()).then_some(header)
    }
}

/// Most points that [`Msh::has_built_bounds`] looks at: many nodes can show the same large slot.
const MAX_POINTS: usize = 1 << 22;

impl Msh {
    /// Whether the bounds of all slots and of the whole model are those that
    /// [`ModelDraft::build`](super::super::ModelDraft::build) makes; slots without triangles may have any. A model that
    /// shows millions of points, most of them many times, is taken for another.
    pub fn has_built_bounds(&self) -> bool {
        let mut n_left = MAX_POINTS;
        let is_built = |slot: &Slot, n_left: &mut usize| {
            let points = self.slot_points(slot);
            *n_left = n_left.checked_sub(points.len())?;
            let Some((min, max)) = box_around(points.iter().copied()) else {
                return Some(true);
            };
            let ball = ball_around(min, max, points.into_iter());
            let stored = (slot.sphere_center, slot.sphere_radius);
            Some((slot.aabb_min, slot.aabb_max) == (min, max) && stored == ball)
        };
        if !(self.slots.iter()).all(|slot| is_built(slot, &mut n_left) == Some(true)) {
            return false;
        }
        let order = self.quaternion_order();
        let in_place = AnimKey::in_place(order);
        let mut rest = Rest::default();
        for (node_idx, (node, track)) in self.nodes.as_slice().iter().zip(self.tracks()).enumerate()
        {
            let first = track.and_then(|track| self.animation.keys.get(track.keys.start));
            rest.add_node(node.parent(), first.unwrap_or(&in_place), order);
            let slots = node.slots.iter();
            for slot in slots.filter_map(|word| self.slots.get(usize::from(*word))) {
                let points = self.slot_points(slot);
                let Some(rest_of) = n_left.checked_sub(points.len()) else {
                    return false;
                };
                n_left = rest_of;
                rest.add_points(node_idx, points.into_iter());
            }
        }
        rest.header() == Some(self.header)
    }

    /// The corners of all triangles of a slot; at most as many as an index buffer of its range.
    fn slot_points(&self, slot: &Slot) -> Vec<[f32; 3]> {
        let vertices = (self.slot_triangles(slot)).flat_map(|triangle| triangle.vertices);
        let points = vertices.filter_map(|vertex| self.positions.get(vertex).copied());
        points.take(MAX_POINTS.saturating_add(1)).collect()
    }
}

/// The ball around the center of a box that just holds these points.
pub(super) fn ball_around(
    min: [f32; 3],
    max: [f32; 3],
    points: impl Iterator<Item = [f32; 3]>,
) -> ([f32; 3], f32) {
    let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
    let center = [
        f32::midpoint(x0, x1),
        f32::midpoint(y0, y1),
        f32::midpoint(z0, z1),
    ];
    let [cx, cy, cz] = center.map(f64::from);
    let distance_sq = |[x, y, z]: [f64; 3]| {
        let (dx, dy, dz) = (x - cx, y - cy, z - cz);
        dx * dx + dy * dy + dz * dz
    };
    let farthest = points
        .map(|point| distance_sq(point.map(f64::from)))
        .fold(0.0, f64::max)
        .sqrt();
    let radius = farthest as f32;
    // Rounding must not leave the farthest point outside.
    let radius = match f64::from(radius) < farthest {
        true => radius.next_up(),
        false => radius,
    };
    (center, radius)
}
