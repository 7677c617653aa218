//! Which cells things lie in, and what is seen from each. Dossier sections 5.8, 6 and 11.7.

use std::cell::Cell;

use ironlands_scene::{Aabb, VisNode, Visibility};

use crate::bsp::{Leaf, Map, Node};

/// How far outside a leaf a box may lie and still count as touching it.
const TOUCH: f32 = 0.125;
/// Most nodes and leaves that are looked at for all boxes and props of a map together. Real maps take hundreds for
/// each; what comes after them may be seen from everywhere.
const MAX_STEPS: usize = 1 << 24;

/// Cells of a map: its clusters.
#[derive(Debug)]
pub struct Cells<'a> {
    map: &'a Map,
    n_cells: usize,
    visibility: Option<Visibility>,
    /// For each face the cells of the leaves that list it, in rising order.
    of_faces: Vec<Vec<u32>>,
    /// Of [`MAX_STEPS`].
    n_steps_left: Cell<usize>,
}

impl<'a> Cells<'a> {
    /// Looks through the lists of all leaves.
    #[expect(clippy::indexing_slicing, reason = "leaves by their own numbers")]
    pub fn new(map: &'a Map) -> Self {
        let mut cells = Self {
            map,
            n_cells: map.visibility.as_ref().map_or(0, |it| it.row_offsets.len()),
            visibility: None,
            of_faces: vec![Vec::new(); map.faces.len()],
            n_steps_left: Cell::new(MAX_STEPS),
        };
        cells.visibility = cells.convert();
        if cells.visibility.is_none() {
            cells.n_cells = 0;
        }
        for index in 0..map.leaves.len() {
            let Some(cell) = cells.of_leaf(index) else {
                continue;
            };
            let leaf = &map.leaves[index];
            let first = leaf.first_leaf_face as usize;
            let end = first.saturating_add(leaf.n_leaf_faces as usize);
            for face in map.leaf_faces.get(first..end).unwrap_or_default() {
                if let Some(cells) = cells.of_faces.get_mut(*face as usize) {
                    cells.push(cell);
                }
            }
        }
        for of_face in &mut cells.of_faces {
            of_face.sort_unstable();
            of_face.dedup();
        }
        cells
    }

    /// Cells of the leaves that list a face.
    pub fn of_face(&self, face: usize) -> &[u32] {
        self.of_faces.get(face).map_or(&[], Vec::as_slice)
    }

    /// Cells of the leaves that a prop names, in rising order; none if there are too many, as if it may be seen
    /// from everywhere.
    pub fn of_leaves_of_prop(&self, leaves: &[u32]) -> Vec<u32> {
        match self.spend(leaves.len()) {
            true => self.of_leaves(leaves.iter().map(|leaf| *leaf as usize)),
            false => Vec::new(),
        }
    }

    /// Takes steps from those that are left; whether there are as many.
    fn spend(&self, n_steps: usize) -> bool {
        let left = self.n_steps_left.get().checked_sub(n_steps);
        self.n_steps_left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Cells of some leaves, in rising order.
    fn of_leaves(&self, leaves: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let cells = leaves.into_iter().filter_map(|leaf| self.of_leaf(leaf));
        let mut cells: Vec<u32> = cells.collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Cells that a box touches; none if there are too many, as if it may be seen from everywhere.
    pub fn of_box(&self, bounds: &Aabb) -> Vec<u32> {
        let Some(world) = self.map.models.first().filter(|_| self.n_cells > 0) else {
            return Vec::new();
        };
        let mut leaves = Vec::new();
        let mut left = vec![world.head_node];
        while let Some(child) = left.pop() {
            if !self.spend(1) {
                return Vec::new();
            }
            match usize::try_from(child) {
                Ok(node) => left.extend(self.touched_children(node, bounds)),
                Err(_) => leaves.extend(leaf_of(child)),
            }
        }
        self.of_leaves(leaves)
    }

    /// The area of each cell, if that is known and only one.
    pub fn areas(&self) -> Vec<Option<u32>> {
        let mut areas: Vec<Option<Option<u32>>> = vec![None; self.n_cells];
        for leaf in self.map.leaves.iter().skip(1) {
            // Nothing that is drawn lies in area 0.
            let area =
                Some(leaf.area).filter(|it| *it > 0 && (*it as usize) < self.map.areas.len());
            let known = cell_of(leaf, self.n_cells).and_then(|it| areas.get_mut(it as usize));
            if let Some(known) = known {
                *known = match *known {
                    Some(other) if other != area => Some(None),
                    _ => Some(area),
                };
            }
        }
        areas.into_iter().map(Option::flatten).collect()
    }

    /// Cells of all leaves of an area.
    pub fn of_area(&self, area: u32) -> Vec<u32> {
        let leaves = self.map.leaves.iter().enumerate();
        let of_area = leaves.filter(|(_, leaf)| leaf.area == area);
        self.of_leaves(of_area.map(|(index, _)| index))
    }

    #[expect(clippy::indexing_slicing, reason = "three axes")]
    fn touched_children(&self, node: usize, bounds: &Aabb) -> impl Iterator<Item = i32> + use<> {
        let Some((Node { children, .. }, [a, b, c, w])) = self.node(node) else {
            return [None; 2].into_iter().flatten();
        };
        let [mut middle, mut reach] = [-w, TOUCH];
        for (axis, n) in [a, b, c].into_iter().enumerate() {
            middle += n * (bounds.min[axis] + bounds.max[axis]) * 0.5;
            reach += n.abs() * (bounds.max[axis] - bounds.min[axis]) * 0.5;
        }
        let front = (middle >= -reach).then_some(children[0]);
        let back = (middle <= reach).then_some(children[1]);
        [front, back].into_iter().flatten()
    }

    fn node(&self, node: usize) -> Option<(Node, [f32; 4])> {
        let node = *self.map.nodes.get(node)?;
        let plane = self.map.planes.get(usize::try_from(node.plane).ok()?)?;
        let [a, b, c] = plane.normal;
        Some((node, [a, b, c, plane.dist]))
    }

    /// The first leaf is a dummy with the cell 0.
    fn of_leaf(&self, index: usize) -> Option<u32> {
        let leaf = self.map.leaves.get(index).filter(|_| index > 0)?;
        cell_of(leaf, self.n_cells)
    }

    /// What is seen from where; `None`, and there are no cells, if the map does not say, or its tree is none.
    pub fn into_visibility(self) -> Option<Visibility> {
        self.visibility
    }

    fn convert(&self) -> Option<Visibility> {
        let stored = self.map.visibility.as_ref().filter(|_| self.n_cells > 0)?;
        let first_row = i32::try_from(self.n_cells).ok()?;
        let first_row = first_row.checked_mul(8)?.checked_add(4)?;
        let rows = stored.row_offsets.iter().map(|[seen, _]| {
            let row = u32::try_from(seen.checked_sub(first_row)?).ok()?;
            ((row as usize) < stored.rows.len()).then_some(row)
        });
        let head_node = self.map.models.first()?.head_node;
        let nodes = self.nodes_below(head_node)?;
        let all_leaves = 0..self.map.leaves.len();
        let leaves = match leaf_of(head_node) {
            Some(only) => only..only.checked_add(1)?,
            None => all_leaves,
        };
        Some(Visibility {
            nodes,
            leaf_cells: leaves.map(|leaf| self.of_leaf(leaf)).collect(),
            rows: rows.collect(),
            coded: stored.rows.clone(),
        })
    }

    /// The nodes below one, parents first: a file may have them in any order.
    #[expect(clippy::indexing_slicing, reason = "a node has two sides")]
    fn nodes_below(&self, head_node: i32) -> Option<Vec<VisNode>> {
        let mut nodes: Vec<VisNode> = Vec::new();
        let mut left = vec![(head_node, None)];
        while let Some((child, parent)) = left.pop() {
            let new = i32::try_from(nodes.len()).ok()?;
            let is_leaf = child < 0;
            if let Some((parent, side)) = parent {
                let parent: &mut VisNode = nodes.get_mut::<usize>(parent)?;
                parent.children[side] = if is_leaf { child } else { new };
            }
            if is_leaf {
                continue;
            }
            let (Node { children, .. }, plane) = self.node(usize::try_from(child).ok()?)?;
            let this = nodes.len();
            if this >= self.map.nodes.len() {
                return None;
            }
            nodes.push(VisNode { plane, children });
            for (side, child) in children.into_iter().enumerate().rev() {
                left.push((child, Some((this, side))));
            }
        }
        Some(nodes)
    }
}

fn leaf_of(child: i32) -> Option<usize> {
    // `-1 - child`, which cannot overflow this way.
    usize::try_from(!child).ok()
}

fn cell_of(leaf: &Leaf, n_cells: usize) -> Option<u32> {
    let cell = u32::try_from(leaf.cluster).ok()?;
    ((cell as usize) < n_cells).then_some(cell)
}
