//! How the tree is cut: where the areas of both sides, times what is in them, sum up to the least (surface area
//! heuristic, in 16 bins along each axis; Wald: On fast Construction of SAH-based Bounding Volume Hierarchies, 2007).

use rayon::prelude::*;

use super::bounds::Bounds;
use super::tree::{Bvh, Child, ChildKind, MAX_DEPTH, NODES_PER_TASK, Node, Subtree, WIDTH};

const N_BINS: usize = 16;

/// Items that are cut in halves along the longest axis of their middles: bins cost more than they bring.
const MAX_HALVED: usize = 8;

/// Levels that are cut where it pays. Below them halves are cut, so that hostile bounds make no deep tree.
const MAX_SAH_DEPTH: usize = MAX_DEPTH - 13;

/// Items below a node that is built on one thread.
const ITEMS_PER_TASK: usize = 4096;

/// A box to be put into the BVH.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    item: u32,
}

impl Bvh {
    /// Rebuilds the tree over boxes; the same tree on any number of threads.
    pub fn build(&mut self, bounds: &[Bounds]) {
        let items = bounds.iter().zip(0..);
        let mut items: Vec<Item> = items.map(|(&bounds, item)| Item { bounds, item }).collect();
        self.nodes.clear();
        if !items.is_empty() {
            build_node(&mut items, 0, &mut self.nodes);
        }
        self.find_subtrees();
        self.refit(bounds);
        self.built_area = self.area;
    }

    fn find_subtrees(&mut self) {
        self.subtrees.clear();
        self.top.clear();
        let mut n_below = vec![1; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            for child in self.nodes[node].children() {
                if let ChildKind::Node(child) = child {
                    n_below[node] += n_below[child];
                }
            }
        }
        let mut node = 0;
        while node < self.nodes.len() {
            if n_below[node] > NODES_PER_TASK {
                self.top.push(node as u32);
                node += 1;
            } else {
                let nodes = node..node + n_below[node];
                node = nodes.end;
                self.subtrees.push(Subtree { nodes, area: 0.0 });
            }
        }
    }
}

/// Appends the node of one or more items, and behind it what is below it.
fn build_node(items: &mut [Item], depth: usize, nodes: &mut Vec<Node>) {
    let own = nodes.len();
    nodes.push(Node::EMPTY);
    let is_large = items.len() > ITEMS_PER_TASK;
    let parts = cut_in_four(items, depth < MAX_SAH_DEPTH);
    let mut parts: Vec<&mut [Item]> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let built: Option<Vec<_>> = is_large.then(|| {
        let parts = parts.par_iter_mut();
        let built = parts.map(|part| {
            let mut nodes = Vec::new();
            if part.len() > 1 {
                build_node(part, depth + 1, &mut nodes);
            }
            nodes
        });
        built.collect()
    });
    for (lane, part) in parts.iter_mut().enumerate() {
        let child = nodes.len() as u32;
        if let [item] = &**part {
            nodes[own].children_mut()[lane] = Child::item(item.item);
            continue;
        }
        nodes[own].children_mut()[lane] = Child::node(child);
        match &built {
            Some(built) => nodes.extend(built[lane].iter().map(|node| node.moved(child))),
            None => build_node(part, depth + 1, nodes),
        }
    }
}

/// Up to four parts in order, the rest of them empty; at most one item each if there are no more than four.
fn cut_in_four(items: &mut [Item], is_cut_by_area: bool) -> [&mut [Item]; WIDTH] {
    let size = |part: &[Item]| {
        if is_cut_by_area {
            bounds_of(part).half_area()
        } else {
            part.len() as f64
        }
    };
    let mut parts: [&mut [Item]; WIDTH] = Default::default();
    let mut sizes = [0.0_f64; WIDTH];
    parts[0] = items;
    for n_parts in 1..WIDTH {
        let divisible = (0..n_parts).filter(|&part| parts[part].len() > 1);
        let Some(largest) = divisible.max_by(|&a, &b| sizes[a].total_cmp(&sizes[b])) else {
            break;
        };
        let whole = std::mem::take(&mut parts[largest]);
        let at = is_cut_by_area.then(|| cut_by_area(whole)).flatten();
        let (left, right) = whole.split_at_mut(at.unwrap_or(whole.len() / 2));
        // The parts behind move on, so that neighbors stay neighbors.
        sizes[largest] = size(left);
        sizes[n_parts] = size(right);
        sizes[largest + 1..=n_parts].rotate_right(1);
        parts[largest] = left;
        parts[n_parts] = right;
        parts[largest + 1..=n_parts].rotate_right(1);
    }
    parts
}

/// Sorts items to both sides of a good cut, and says where it is; `None` if their middles are all the same.
fn cut_by_area(items: &mut [Item]) -> Option<usize> {
    let middles = items
        .iter()
        .map(|item| Bounds::from_point(item.bounds.center()));
    let middles = middles.fold(Bounds::EMPTY, |all, middle| all.join(&middle));
    if items.len() <= MAX_HALVED {
        return cut_in_halves(items, &middles);
    }
    let bins = Bins::new(&middles);
    let mut content = [[(0_u32, Bounds::EMPTY); N_BINS]; 3];
    for item in &*items {
        let at = bins.bins_of(&item.bounds);
        for axis in 0..3 {
            let (n, joined) = &mut content[axis][at[axis]];
            *n += 1;
            *joined = joined.join(&item.bounds);
        }
    }
    let cuts = (0..3).flat_map(|axis| cuts_of(&content[axis]).map(move |cut| (axis, cut)));
    let (axis, (first_right, _)) = cuts.min_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b))?;
    let mut n_left = 0;
    for at in 0..items.len() {
        if bins.bins_of(&items[at].bounds)[axis] < first_right {
            items.swap(at, n_left);
            n_left += 1;
        }
    }
    Some(n_left)
}

/// Sorts items along the longest axis of their middles.
fn cut_in_halves(items: &mut [Item], middles: &Bounds) -> Option<usize> {
    let length = |axis: usize| middles.max[axis] - middles.min[axis];
    let longest = (0..3).max_by(|&a, &b| length(a).total_cmp(&length(b)))?;
    let middle = |item: &Item| item.bounds.center()[longest];
    items.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    (length(longest) > 0.0).then_some(items.len() / 2)
}

/// The cuts between bins that leave something on both sides: the first bin to the right, and what it costs.
fn cuts_of(bins: &[(u32, Bounds); N_BINS]) -> impl Iterator<Item = (usize, f64)> {
    let mut left_costs = [0.0; N_BINS];
    let mut left = (0_u32, Bounds::EMPTY);
    let mut right = (0_u32, Bounds::EMPTY);
    let add = |(n, joined): &mut (u32, Bounds), bin: &(u32, Bounds)| {
        *n += bin.0;
        *joined = joined.join(&bin.1);
        f64::from(*n) * joined.half_area()
    };
    let n_all: u32 = bins.iter().map(|(n, _)| n).sum();
    for (bin, cost) in bins.iter().zip(&mut left_costs) {
        *cost = add(&mut left, bin);
    }
    (1..N_BINS).rev().filter_map({
        let bins = *bins;
        move |first_right| {
            let right_cost = add(&mut right, &bins[first_right]);
            let is_cut = right.0 > 0 && right.0 < n_all;
            is_cut.then_some((first_right, left_costs[first_right - 1] + right_cost))
        }
    })
}

fn bounds_of(items: &[Item]) -> Bounds {
    let own = items.iter().map(|item| &item.bounds);
    own.fold(Bounds::EMPTY, |all, own| all.join(own))
}

/// Sixteen bins of equal width along each axis.
struct Bins {
    min: [f32; 3],
    per_unit: [f32; 3],
}

impl Bins {
    fn new(middle: &Bounds) -> Self {
        let per_unit = |axis: usize| {
            let per_unit = N_BINS as f32 / (middle.max[axis] - middle.min[axis]);
            // All in one bin, where there is no length to speak of, or one too long.
            if per_unit.is_finite() { per_unit } else { 0.0 }
        };
        Self {
            min: middle.min,
            per_unit: [0, 1, 2].map(per_unit),
        }
    }

    fn bins_of(&self, bounds: &Bounds) -> [usize; 3] {
        let center = bounds.center();
        [0, 1, 2].map(|axis| {
            let bin = (center[axis] - self.min[axis]) * self.per_unit[axis];
            (bin as usize).min(N_BINS - 1)
        })
    }
}

impl Node {
    /// The same node where all nodes are shifted by this number.
    fn moved(&self, n_nodes: u32) -> Self {
        let mut moved = *self;
        for child in moved.children_mut() {
            *child = child.moved(n_nodes);
        }
        moved
    }
}
