//! The BSP tree of the map with the world's brushes in its leaves (sections 6.4 and 7.4).

use super::motion::Motion;
use super::{BrushMap, BrushWorldError};
use glam::{DVec3, Vec3};
use std::ops::Range;

/// How far from a plane a box still counts as touching it. Brushes are hit a gap before their planes, so around a
/// sharp edge they reach out of their leaf by several gaps; with a unit, those sharper than 4 degrees do.
const SLACK: f64 = 1.0;

/// Nodes and leaves below the head of the world.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    /// Brushes of leaves.
    leaf_brushes: Vec<u32>,
    /// A node, or `-1 - leaf`.
    head: i32,
}

/// With its plane, which saves a look-up.
#[derive(Debug, Clone, Copy)]
struct Node {
    normal: [f32; 3],
    dist: f32,
    /// Front and back: a node, or `-1 - leaf`.
    children: [i32; 2],
}

/// The data of leaves that queries read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    pub contents: i32,
    pub cluster: i32,
    pub area: u32,
    first_brush: u32,
    n_brushes: u32,
}

/// A part of a motion that is still to be followed below a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    node: i32,
    /// Shares of the motion.
    from: f64,
    to: f64,
}

impl Tree {
    /// Checks every index below the world's head node, and that no node is below two others.
    pub fn new(map: &BrushMap) -> Result<Self, BrushWorldError> {
        let nodes = map.nodes.iter().enumerate();
        let nodes = nodes.map(|(node_idx, node)| {
            let plane = usize::try_from(node.plane)
                .ok()
                .and_then(|i| map.planes.get(i));
            let plane = plane.ok_or(BrushWorldError::Missing {
                owner: "node",
                owner_idx: node_idx,
                what: "plane",
                named: node.plane.into(),
                n: map.planes.len(),
            })?;
            Ok(Node {
                normal: plane.normal,
                dist: plane.dist,
                children: node.children,
            })
        });
        let leaves = map.leaves.iter().enumerate();
        let leaves = leaves.map(|(leaf_idx, leaf)| {
            // Where an empty range begins means nothing.
            let first_brush = match leaf.n_leaf_brushes {
                0 => 0,
                _ => leaf.first_leaf_brush,
            };
            let end = u64::from(first_brush).saturating_add(leaf.n_leaf_brushes.into());
            let range = first_brush as usize..usize::try_from(end).unwrap_or(usize::MAX);
            if map.leaf_brushes.get(range).is_none() {
                return Err(BrushWorldError::Missing {
                    owner: "leaf",
                    owner_idx: leaf_idx,
                    what: "leaf brush",
                    named: end as i64,
                    n: map.leaf_brushes.len(),
                });
            }
            Ok(Leaf {
                contents: leaf.contents.bits(),
                cluster: leaf.cluster,
                area: leaf.area,
                first_brush,
                n_brushes: leaf.n_leaf_brushes,
            })
        });
        let tree = Self {
            nodes: nodes.collect::<Result<_, _>>()?,
            leaves: leaves.collect::<Result<_, _>>()?,
            leaf_brushes: map.leaf_brushes.clone(),
            head: map.head_nodes.first().copied().unwrap_or(-1),
        };
        for (i, &brush) in tree.leaf_brushes.iter().enumerate() {
            if brush as usize >= map.brushes.len() {
                return Err(BrushWorldError::Missing {
                    owner: "leaf brush",
                    owner_idx: i,
                    what: "brush",
                    named: brush.into(),
                    n: map.brushes.len(),
                });
            }
        }
        if !map.head_nodes.is_empty() {
            tree.leaves_below(tree.head)?;
        }
        Ok(tree)
    }

    /// All leaves below a node.
    pub fn leaves_below(&self, head: i32) -> Result<Vec<usize>, BrushWorldError> {
        let mut leaves = Vec::new();
        let mut is_visited = vec![false; self.nodes.len()];
        let mut to_visit = vec![(head, "model", 0)];
        while let Some((child, owner, owner_idx)) = to_visit.pop() {
            let missing = |what, n| BrushWorldError::Missing {
                owner,
                owner_idx,
                what,
                named: child.into(),
                n,
            };
            let Ok(node_idx) = usize::try_from(child) else {
                let leaf = leaf_of(child);
                if leaf >= self.leaves.len() {
                    return Err(missing("leaf", self.leaves.len()));
                }
                leaves.push(leaf);
                continue;
            };
            let node = self.nodes.get(node_idx).zip(is_visited.get_mut(node_idx));
            let (node, is_visited) = node.ok_or_else(|| missing("node", self.nodes.len()))?;
            if std::mem::replace(is_visited, true) {
                return Err(BrushWorldError::NodeReachedTwice { node: node_idx });
            }
            to_visit.extend(node.children.map(|child| (child, "node", node_idx)));
        }
        Ok(leaves)
    }

    /// Brushes of all leaves below a node, ascending.
    pub fn brushes_below(&self, head: i32) -> Result<Vec<u32>, BrushWorldError> {
        let leaves = self.leaves_below(head)?;
        let brushes = leaves.iter().flat_map(|&leaf| self.brushes_of(leaf));
        let mut brushes: Vec<u32> = brushes.copied().collect();
        brushes.sort_unstable();
        brushes.dedup();
        Ok(brushes)
    }

    pub fn leaf(&self, leaf_idx: usize) -> Option<&Leaf> {
        self.leaves.get(leaf_idx)
    }

    /// Brushes of a leaf; none of a leaf that is not there.
    pub fn brushes_of(&self, leaf_idx: usize) -> &[u32] {
        let Some(leaf) = self.leaves.get(leaf_idx) else {
            return &[];
        };
        self.leaf_brushes.get(leaf.brush_range()).unwrap_or(&[])
    }

    /// The leaf that a point is in; ties go to the front (section 6.4).
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; all nodes below the head were visited when the tree was made"
    )]
    pub fn leaf_at(&self, point: DVec3) -> usize {
        let mut child = self.head;
        while let Ok(node_idx) = usize::try_from(child) {
            let node = &self.nodes[node_idx];
            let [front, back] = node.children;
            child = if node.distance(point) >= 0.0 {
                front
            } else {
                back
            };
        }
        leaf_of(child)
    }
}

impl Leaf {
    /// Places of its brushes among those of all leaves.
    fn brush_range(&self) -> Range<usize> {
        let first = self.first_brush as usize;
        first..first.saturating_add(self.n_brushes as usize)
    }
}

impl Node {
    #[inline(always)]
    fn distance(&self, point: DVec3) -> f64 {
        Vec3::from_array(self.normal).as_dvec3().dot(point) - f64::from(self.dist)
    }

    /// How far a box reaches to both sides of the plane.
    #[inline(always)]
    fn reach(&self, half: DVec3) -> f64 {
        Vec3::from_array(self.normal).as_dvec3().abs().dot(half)
    }
}

/// The leaf that a negative child stands for.
fn leaf_of(child: i32) -> usize {
    !child as u32 as usize
}

impl Tree {
    /// Which of two brushes a motion reaches first on its way through the leaves, nearest first, up to a share of it
    /// (section 7.4); the lower one if it reaches neither.
    pub fn first_of<const RAY: bool>(
        &self,
        motion: &Motion,
        share: f64,
        brushes: [u32; 2],
        spans: &mut Vec<Span>,
    ) -> u32 {
        spans.clear();
        spans.push(Span {
            node: self.head,
            from: 0.0,
            to: 1.0,
        });
        while let Some(span) = spans.pop() {
            if share < span.from {
                continue;
            }
            let leaf_idx = self.descend::<RAY>(motion, span, spans);
            let mut leaf_brushes = self.brushes_of(leaf_idx).iter();
            if let Some(&first) = leaf_brushes.find(|brush| brushes.contains(brush)) {
                return first;
            }
        }
        let [a, b] = brushes;
        a.min(b)
    }

    /// The first leaf of a span; what it touches besides goes onto the stack, the nearest last.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; all nodes below the head were visited when the tree was made"
    )]
    #[inline(always)]
    fn descend<const RAY: bool>(
        &self,
        motion: &Motion,
        Span {
            mut node,
            from,
            mut to,
        }: Span,
        spans: &mut Vec<Span>,
    ) -> usize {
        while let Ok(node_idx) = usize::try_from(node) {
            let plane = &self.nodes[node_idx];
            let reach = SLACK + if RAY { 0.0 } else { plane.reach(motion.half) };
            let (start, end) = (plane.distance(motion.start), plane.distance(motion.end));
            let (d1, d2) = (start + from * (end - start), start + to * (end - start));
            let [front, back] = plane.children;
            if d1 > reach && d2 > reach {
                node = front;
                continue;
            }
            if d1 < -reach && d2 < -reach {
                node = back;
                continue;
            }
            let (near, far, sign) = if start >= end {
                (front, back, 1.0)
            } else {
                (back, front, -1.0)
            };
            // A motion along the plane touches both sides from beginning to end.
            let (far_from, near_to) = if start == end {
                (from, to)
            } else {
                let inverse = 1.0 / (start - end);
                (
                    ((start - sign * reach) * inverse).max(from),
                    ((start + sign * reach) * inverse).min(to),
                )
            };
            if far_from > to {
                node = near;
                continue;
            }
            if near_to < from {
                node = far;
                continue;
            }
            spans.push(Span {
                node: far,
                from: far_from,
                to,
            });
            node = near;
            to = near_to;
        }
        leaf_of(node)
    }
}
