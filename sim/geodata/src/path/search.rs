//! Scratch memory of searches: what is known of the cells that they came to.

use super::frontier::Frontier;
use crate::step::GroundPosition;
use ironlands_sim_regions::{GeoCell, Nswe};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Cells of a layer of a block.
const CHUNK: u32 = 64;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Scratch memory of path searches. It grows to the largest search that it has seen and is used by one at a time.
#[derive(Debug, Clone, Default)]
pub struct PathSearch {
    /// First chunk of each layer of a block: block and layer to chunk.
    chunks: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// Block and layer of each chunk.
    keys: Vec<u64>,
    nodes: Vec<Node>,
    /// Where the last node was.
    last: (u64, u32),
    pub(super) frontier: Frontier,
    /// Estimate of what is left from the node nearest to the goal, and that node.
    pub(super) nearest: (u32, u32),
}

/// A layer of a cell that a search came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Least known cost; `u32::MAX` before it is reached.
    pub cost: u32,
    /// Node before it; [`NONE`] for the start.
    pub before: u32,
    z: i16,
    nswe: Nswe,
}

const UNREACHED: Node = Node {
    cost: u32::MAX,
    before: NONE,
    z: 0,
    nswe: Nswe::empty(),
};

impl PathSearch {
    pub(super) fn begin(&mut self) {
        self.chunks.clear();
        self.keys.clear();
        self.nodes.clear();
        self.last = (u64::MAX, 0);
    }

    /// The node of a stand, which is made if there is none.
    #[inline]
    pub(super) fn node(&mut self, stand: &GroundPosition) -> u32 {
        let cell = stand.cell;
        let key =
            u64::from(cell.x >> 3) << 32 | u64::from(cell.y >> 3) << 16 | u64::from(stand.layer);
        if key != self.last.0 {
            let next = self.keys.len() as u32;
            let chunk = *self.chunks.entry(key).or_insert(next);
            if chunk == next {
                self.keys.push(key);
                self.nodes
                    .resize(self.nodes.len() + CHUNK as usize, UNREACHED);
            }
            self.last = (key, chunk);
        }
        self.last.1 * CHUNK + u32::from(cell.cell_index())
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Notes a cheaper way to a stand.
    #[inline]
    pub(super) fn reach(&mut self, node: u32, stand: &GroundPosition, cost: u32, before: u32) {
        self.nodes[node as usize] = Node {
            cost,
            before,
            // Ground heights have 16 bits.
            z: stand.z as i16,
            nswe: stand.nswe,
        };
    }

    /// Where a reached node is.
    #[inline]
    pub(super) fn stand(&self, node: u32) -> GroundPosition {
        let key = self.keys[(node / CHUNK) as usize];
        let at = (node % CHUNK) as u16;
        let Node { z, nswe, .. } = self.nodes[node as usize];
        GroundPosition {
            cell: GeoCell {
                x: ((key >> 32) as u16) << 3 | at >> 3,
                y: ((key >> 16) as u16) << 3 | (at & 7),
            },
            z: i32::from(z),
            layer: key as u8,
            nswe,
        }
    }

    /// The way to a node, from the start.
    pub(super) fn trace(&self, last: u32) -> Vec<GroundPosition> {
        let mut way = Vec::new();
        let mut node = last;
        while node != NONE {
            way.push(self.stand(node));
            node = self.get(node).before;
        }
        way.reverse();
        way
    }
}

/// Mixes the bits of a number; keys are places, which no one chooses to our harm.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }
}
