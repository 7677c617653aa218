//! In which order a model stores the numbers of its quaternions: no word of the file says it, its box does.
//!
//! The finest level of detail of an intact model, posed as it begins, lies in the box of table 2. Read in the wrong
//! order, turned nodes leave it.

use ironlands_scene::Affine;

use super::{Msh, Slot};
use crate::msh_animation::{AnimKey, QuaternionOrder};
use crate::slots::box_around;

/// By how much of the diagonal the other order must fit better than that of the game. Its models leave their boxes by
/// 0.10 % on average, and by 1.48 % where rotations are not conjugated.
const MARGIN: f32 = 0.005;
/// From which share of the diagonal on neither order explains the box.
const MISFIT: f32 = 0.01;
/// Most corners that are posed: many nodes can show one large slot.
const MAX_POINTS: usize = 1 << 20;

/// How far a posed model leaves its box in either order, as a part of the box's diagonal, and how many nodes stand
/// unturned: of a round model they decide.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QuaternionFit {
    /// Read as w, x, y, z.
    pub wxyz: f32,
    /// Read as x, y, z, w.
    pub xyzw: f32,
    /// Nodes that begin unturned, read as w, x, y, z.
    pub n_unturned_wxyz: usize,
    /// The same, read as x, y, z, w.
    pub n_unturned_xyzw: usize,
}

impl QuaternionFit {
    /// The order that fits; where both do, the one in which more nodes stand unturned, else that of the game.
    pub fn order(self) -> QuaternionOrder {
        let gain = self.wxyz - self.xyzw;
        let decides_nothing = gain.abs() <= MARGIN;
        let is_less_turned = self.n_unturned_xyzw > self.n_unturned_wxyz;
        match gain > MARGIN || (decides_nothing && is_less_turned) {
            true => QuaternionOrder::Xyzw,
            false => QuaternionOrder::Wxyz,
        }
    }

    /// Whether the order that fits best leaves the box for all that.
    pub fn is_misfit(self) -> bool {
        self.wxyz.min(self.xyzw) > MISFIT
    }

    /// What was taken and why, in words.
    pub(super) fn sentence(self, taken: QuaternionOrder) -> String {
        let taken = match taken {
            QuaternionOrder::Wxyz => "w, x, y, z",
            QuaternionOrder::Xyzw => "x, y, z, w",
        };
        let percent = |share: f32| format!("{:.2} %", share * 100.0);
        let (wxyz, xyzw) = (percent(self.wxyz), percent(self.xyzw));
        format!(
            "{taken}; the posed model leaves its box by {wxyz} as w, x, y, z and {xyzw} as x, y, z, w"
        )
    }
}

impl Msh {
    /// The order to read quaternions in: [`Self::quaternions`] if it is set, else the one that fits the model's box.
    pub fn quaternion_order(&self) -> QuaternionOrder {
        self.quaternions
            .unwrap_or_else(|| self.quaternion_fit().order())
    }

    /// How both orders fit the box. A model without a box of numbers, or without vertices, fits both.
    pub fn quaternion_fit(&self) -> QuaternionFit {
        QuaternionFit {
            wxyz: self.beyond_box(QuaternionOrder::Wxyz),
            xyzw: self.beyond_box(QuaternionOrder::Xyzw),
            n_unturned_wxyz: self.n_unturned(QuaternionOrder::Wxyz),
            n_unturned_xyzw: self.n_unturned(QuaternionOrder::Xyzw),
        }
    }

    /// Nodes whose first key is exactly that of no rotation.
    fn n_unturned(&self, order: QuaternionOrder) -> usize {
        let tracks = self.tracks().into_iter().flatten();
        let firsts = tracks.filter_map(|track| self.animation.keys.get(track.keys.start));
        let unturned = AnimKey::in_place(order).rotation;
        firsts.filter(|key| key.rotation == unturned).count()
    }

    fn beyond_box(&self, order: QuaternionOrder) -> f32 {
        let Some((min, max)) = box_around(self.header.corners) else {
            return 0.0;
        };
        let sides = max.iter().zip(&min).map(|(max, min)| max - min);
        let diagonal = sides.map(|side| side * side).sum::<f32>().sqrt();
        let is_box = diagonal > 0.0 && diagonal.is_finite();
        if !is_box {
            return 0.0;
        }
        let mut n_left = MAX_POINTS;
        let mut farthest = 0.0f32;
        for (node, model_from_node) in self.rest(order).iter().enumerate() {
            let Some(slot) = self.slot(node, 0, 0) else {
                continue;
            };
            for position in self.slot_positions(slot).take(n_left) {
                n_left = n_left.saturating_sub(1);
                let at = model_from_node.transform_point(position);
                let axes = at.iter().zip(min.iter().zip(&max));
                let beyond = axes.map(|(at, (min, max))| (min - at).max(at - max));
                farthest = beyond.fold(farthest, f32::max);
            }
        }
        farthest / diagonal
    }

    /// Model from node for each node at its first key.
    fn rest(&self, order: QuaternionOrder) -> Vec<Affine> {
        let nodes = self.nodes.as_slice();
        let mut rest: Vec<Affine> = Vec::with_capacity(nodes.len());
        for (node, track) in nodes.iter().zip(self.tracks()) {
            let first = track.and_then(|track| self.animation.keys.get(track.keys.start));
            let parent_from_node = first.map_or(Affine::IDENTITY, |key: &AnimKey| {
                Affine(key.parent_from_node(order))
            });
            let parent = node.parent().and_then(|parent| rest.get(parent));
            rest.push(match parent {
                Some(model_from_parent) => model_from_parent.times(&parent_from_node),
                None => parent_from_node,
            });
        }
        rest
    }

    /// The corners of the triangles of a slot.
    fn slot_positions(&self, slot: &Slot) -> impl Iterator<Item = [f32; 3]> {
        let vertices = (self.slot_triangles(slot)).flat_map(|triangle| triangle.vertices);
        vertices.filter_map(|vertex| self.positions.get(vertex).copied())
    }
}
