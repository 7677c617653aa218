//! The tree: space divided by the planes of sides until each leaf is of one content.

use super::planes::PlaneTable;
use super::polygon::{Cell, ON_EPSILON, Polygon, Split};
use crate::vector::Vec3;

/// Where a node leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// Index of a node.
    Node(usize),
    /// Index of a leaf.
    Leaf(usize),
}

/// A division of space.
#[derive(Debug, Clone)]
pub struct Node {
    /// Number of its plane, an even one.
    pub plane: u32,
    /// In front, behind.
    pub children: [Child; 2],
    /// Box around it.
    pub bounds: [Vec3; 2],
    /// The part of the plane that divides.
    pub section: Polygon,
}

/// A convex piece of space.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// Contents of all that fills it.
    pub contents: u32,
    /// Its shape.
    pub cell: Cell,
}

/// Nodes in the order of a walk that goes to the front first; leaves likewise.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Divisions.
    pub nodes: Vec<Node>,
    /// Pieces.
    pub leaves: Vec<Leaf>,
}

/// A polygon that leaves must not contain inside.
#[derive(Debug, Clone)]
pub struct Splitter {
    /// Plane number.
    pub plane: u32,
    /// Shape.
    pub polygon: Polygon,
}

/// What good choices of a plane are worth, in splits avoided or units of balance.
const COPLANAR_WORTH: f64 = 5.0;
const SPLIT_COST: f64 = 6.0;
const AXIAL_WORTH: f64 = 5.0;

impl Tree {
    /// Divides `cell`. `contents_at` returns what is at a point that lies on no splitter.
    pub fn build(
        cell: Cell,
        splitters: Vec<Splitter>,
        planes: &PlaneTable,
        contents_at: &dyn Fn(Vec3) -> u32,
    ) -> Self {
        let mut tree = Self::default();
        tree.divide(cell, splitters, planes, contents_at);
        tree
    }

    fn divide(
        &mut self,
        cell: Cell,
        mut splitters: Vec<Splitter>,
        planes: &PlaneTable,
        contents_at: &dyn Fn(Vec3) -> u32,
    ) -> Child {
        while let Some(plane) = best_plane(&splitters, planes) {
            let Some((front, back, section)) = cell.split(planes.get(plane)) else {
                // Only rounding can leave a polygon in a cell that its plane does not divide.
                splitters.retain(|splitter| splitter.plane / 2 != plane / 2);
                continue;
            };
            let (front_splitters, back_splitters) = distributed(splitters, plane, planes);
            let node = self.nodes.len();
            self.nodes.push(Node {
                plane,
                children: [Child::Node(node); 2],
                bounds: cell.bounds(),
                section,
            });
            let first = self.divide(front, front_splitters, planes, contents_at);
            let second = self.divide(back, back_splitters, planes, contents_at);
            self.nodes[node].children = [first, second];
            return Child::Node(node);
        }
        self.leaves.push(Leaf {
            contents: contents_at(cell.middle()),
            cell,
        });
        Child::Leaf(self.leaves.len() - 1)
    }

    /// Where the walk begins.
    pub fn root(&self) -> Child {
        if self.nodes.is_empty() {
            Child::Leaf(0)
        } else {
            Child::Node(0)
        }
    }

    /// The leaf that a point lies in; ties go to the front.
    pub fn leaf_at(&self, point: Vec3, planes: &PlaneTable) -> usize {
        let mut child = self.root();
        loop {
            match child {
                Child::Leaf(leaf) => return leaf,
                Child::Node(node) => {
                    let node = &self.nodes[node];
                    let is_back = planes.get(node.plane).distance(point) < 0.0;
                    child = node.children[usize::from(is_back)];
                }
            }
        }
    }

    /// Parts of a polygon by leaf, below `child`. A polygon in a node's plane goes where `on_plane` says.
    pub fn spread(
        &self,
        child: Child,
        polygon: Polygon,
        planes: &PlaneTable,
        on_plane: &dyn Fn(u32) -> usize,
        parts: &mut Vec<(usize, Polygon)>,
    ) {
        let node = match child {
            Child::Leaf(leaf) => {
                if !polygon.is_sliver() {
                    parts.push((leaf, polygon));
                }
                return;
            }
            Child::Node(node) => &self.nodes[node],
        };
        let [front, back] = node.children;
        match polygon.split(planes.get(node.plane)) {
            Split::Front => self.spread(front, polygon, planes, on_plane, parts),
            Split::Back => self.spread(back, polygon, planes, on_plane, parts),
            Split::On => {
                let side = node.children[on_plane(node.plane)];
                self.spread(side, polygon, planes, on_plane, parts);
            }
            Split::Both(f, b) => {
                self.spread(front, f, planes, on_plane, parts);
                self.spread(back, b, planes, on_plane, parts);
            }
        }
    }

    /// The same tree without divisions between leaves that are `closed`, which become solid.
    pub fn pruned(&self, closed: &[bool], solid: u32) -> Self {
        let mut tree = Self::default();
        self.copy_open(self.root(), closed, solid, &mut tree);
        tree
    }

    fn copy_open(&self, child: Child, closed: &[bool], solid: u32, to: &mut Self) -> Child {
        let node = match child {
            Child::Node(node) if !self.is_closed(child, closed) => &self.nodes[node],
            _ => {
                to.leaves.push(self.merged_leaf(child, closed, solid));
                return Child::Leaf(to.leaves.len() - 1);
            }
        };
        let at = to.nodes.len();
        to.nodes.push(node.clone());
        let first = self.copy_open(node.children[0], closed, solid, to);
        let second = self.copy_open(node.children[1], closed, solid, to);
        to.nodes[at].children = [first, second];
        Child::Node(at)
    }

    fn is_closed(&self, child: Child, closed: &[bool]) -> bool {
        match child {
            Child::Leaf(leaf) => closed[leaf],
            Child::Node(node) => self.nodes[node]
                .children
                .iter()
                .all(|child| self.is_closed(*child, closed)),
        }
    }

    /// One leaf for all below a child, with the box around them if they are several.
    fn merged_leaf(&self, child: Child, closed: &[bool], solid: u32) -> Leaf {
        match child {
            Child::Leaf(leaf) if closed[leaf] => Leaf {
                contents: solid,
                cell: self.leaves[leaf].cell.clone(),
            },
            Child::Leaf(leaf) => self.leaves[leaf].clone(),
            Child::Node(node) => Leaf {
                contents: solid,
                cell: Cell::from_box(self.nodes[node].bounds),
            },
        }
    }
}

/// The plane that divides best; `None` without splitters.
fn best_plane(splitters: &[Splitter], planes: &PlaneTable) -> Option<u32> {
    let mut candidates: Vec<u32> = splitters.iter().map(|s| s.plane & !1).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let worth = |number: u32| {
        let plane = planes.get(number);
        let (mut front, mut back, mut both, mut on) = (0.0_f64, 0.0_f64, 0.0, 0.0);
        for splitter in splitters {
            if splitter.plane / 2 == number / 2 {
                on += 1.0;
                continue;
            }
            let (mut is_front, mut is_back) = (false, false);
            for corner in &splitter.polygon.corners {
                let distance = plane.distance(*corner);
                is_front |= distance > ON_EPSILON;
                is_back |= distance < -ON_EPSILON;
            }
            match (is_front, is_back) {
                (true, true) => both += 1.0,
                (true, false) => front += 1.0,
                (false, true) => back += 1.0,
                (false, false) => on += 1.0,
            }
        }
        let axial = if plane.is_axial() { AXIAL_WORTH } else { 0.0 };
        COPLANAR_WORTH * on - SPLIT_COST * both - (front - back).abs() + axial
    };
    let mut best = None;
    for number in candidates {
        let worth = worth(number);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, number));
        }
    }
    best.map(|(_, number)| number)
}

/// The splitters of the front and of the back; those in the plane have done their work.
fn distributed(
    splitters: Vec<Splitter>,
    plane: u32,
    planes: &PlaneTable,
) -> (Vec<Splitter>, Vec<Splitter>) {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for splitter in splitters {
        if splitter.plane / 2 == plane / 2 {
            continue;
        }
        match splitter.polygon.split(planes.get(plane)) {
            Split::Front => front.push(splitter),
            Split::Back => back.push(splitter),
            Split::On => {}
            Split::Both(f, b) => {
                for (polygon, side) in [(f, &mut front), (b, &mut back)] {
                    if !polygon.is_sliver() {
                        side.push(Splitter {
                            plane: splitter.plane,
                            polygon,
                        });
                    }
                }
            }
        }
    }
    (front, back)
}
