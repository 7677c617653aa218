//! The nodes of a tile and the steps between them: flat blocks, each as one, and the layers of all other cells.

use super::exits::{Departure, Exit};
use super::tile::{TILE_CELLS, TileId, block_of, cell_of, corner_of};
use crate::pack::{BlockView, Layer, TILE_SIDE};
use crate::step::{GroundPosition, Steps, neighbor, neighbors};
use crate::{BlockedBy, StepTarget};
use ironlands_sim_regions::{GeoCell, Nswe};

/// No node: a layer that a cell has not, or a step out of the tile.
const NO_NODE: u32 = u32::MAX;

/// The nodes of a tile.
pub(super) struct Nodes {
    /// First place of each block in `of_place`.
    pub blocks: Vec<u32>,
    /// By place, 64 a layer and one for a flat block: the node.
    pub of_place: Vec<u32>,
    flats: Vec<bool>,
    /// A flat block stands at its first cell. The layers of a cell are one after another, from the ground up.
    pub stands: Vec<GroundPosition>,
    /// First stand of each cell, block after block, and their number; a flat block has one for all.
    columns: Vec<u32>,
}

impl Nodes {
    pub(super) fn new(steps: &mut Steps<'_>, tile: TileId) -> Self {
        let mut nodes = Self {
            blocks: Vec::new(),
            of_place: Vec::new(),
            flats: Vec::new(),
            stands: Vec::new(),
            columns: Vec::new(),
        };
        for index in 0..(TILE_SIDE * TILE_SIDE) as u16 {
            let corner = corner_of(tile, index);
            nodes.blocks.push(nodes.of_place.len() as u32);
            // A tile lies in one region, so all its blocks are there.
            let Some(block) = steps.block(corner) else {
                nodes.flats.push(false);
                nodes.columns.extend([nodes.stands.len() as u32; 64]);
                continue;
            };
            nodes.add(block, corner);
        }
        nodes.columns.push(nodes.stands.len() as u32);
        nodes
    }

    fn add(&mut self, block: &BlockView<'_>, corner: GeoCell) {
        if let BlockView::Flat { high, .. } = block {
            self.flats.push(true);
            self.columns.extend([self.stands.len() as u32; 64]);
            self.of_place.push(self.stands.len() as u32);
            self.stands.push(GroundPosition {
                cell: corner,
                z: i32::from(*high),
                layer: 0,
                nswe: Nswe::ALL_SIDES,
            });
            return;
        }
        self.flats.push(false);
        let start = self.of_place.len();
        self.of_place
            .resize(start + 64 * usize::from(block.n_planes()), NO_NODE);
        for at in 0..64_u16 {
            let cell = cell_of(corner, at);
            self.columns.push(self.stands.len() as u32);
            block.layers_up(u32::from(at), |Layer { z, index }| {
                self.of_place[start + 64 * usize::from(index) + usize::from(at)] =
                    self.stands.len() as u32;
                self.stands.push(GroundPosition {
                    cell,
                    z,
                    layer: index,
                    nswe: block.nswe(u32::from(at), index),
                });
                true
            });
        }
    }

    /// The highest layer of a cell that can be reached from a height; flat blocks and other tiles are read through
    /// `steps`.
    #[inline]
    fn pick(
        &self,
        steps: &mut Steps<'_>,
        tile: TileId,
        cell: GeoCell,
        z: i32,
    ) -> Result<GroundPosition, BlockedBy> {
        let block = block_of(cell);
        if TileId::from_cell(cell) != tile || self.flats[block] {
            return steps.pick(cell, z);
        }
        let profile = *steps.profile();
        let at = 64 * block + usize::from(cell.cell_index());
        let column = &self.stands[self.columns[at] as usize..self.columns[at + 1] as usize];
        let limit = z.saturating_add(profile.max_up);
        let reached = column.iter().take_while(|stand| stand.z <= limit);
        let stand = match profile.target {
            StepTarget::Highest => reached.last(),
            // Of two that are as near, the upper one.
            StepTarget::Nearest => {
                let nearest = column.iter().rev().min_by_key(|stand| stand.z.abs_diff(z));
                nearest.filter(|stand| stand.z <= limit)
            }
        };
        profile.step_onto(z, stand.copied())
    }

    pub(super) fn is_flat(&self, stand: &GroundPosition) -> bool {
        self.flats[block_of(stand.cell)]
    }

    /// Cells of a flat block from which steps leave it. Where another flat block of the tile is beside, all steps over
    /// that side are the same, and one of them is enough; corners lead to blocks of their own.
    pub(super) fn rim(&self, flat: &GroundPosition) -> impl Iterator<Item = GroundPosition> {
        const MIDDLE: u16 = 4;
        const OUT: [u16; 2] = [0, 7];
        let corner = flat.cell;
        let is_flat = |dx: i32, dy: i32| {
            let beside = neighbor(corner, dx * 8, dy * 8);
            beside.is_some_and(|beside| {
                TileId::from_cell(beside) == TileId::from_cell(corner)
                    && self.flats[block_of(beside)]
            })
        };
        let [west, east] = [-1, 1].map(|dx| is_flat(dx, 0));
        let [north, south] = [-1, 1].map(|dy| is_flat(0, dy));
        let is_wanted = move |x: u16, y: u16| match (OUT.contains(&x), OUT.contains(&y)) {
            (true, true) => true,
            (false, false) => false,
            (true, false) => y == MIDDLE || !(if x == 0 { west } else { east }),
            (false, true) => x == MIDDLE || !(if y == 0 { north } else { south }),
        };
        let cells = (0..8).flat_map(|x| (0..8).map(move |y| (x, y)));
        let flat = *flat;
        cells
            .filter(move |&(x, y)| is_wanted(x, y))
            .map(move |(x, y)| {
                let cell = GeoCell {
                    x: corner.x | x,
                    y: corner.y | y,
                };
                GroundPosition { cell, ..flat }
            })
    }

    pub(super) fn node(&self, stand: &GroundPosition) -> u32 {
        let block = block_of(stand.cell);
        let first = self.blocks[block] as usize;
        if self.flats[block] {
            return self.of_place[first];
        }
        self.of_place[first + 64 * usize::from(stand.layer) + usize::from(stand.cell.cell_index())]
    }
}

/// Steps between the nodes of a tile.
pub(super) struct Edges {
    /// First step of each node, and the number of all.
    pub firsts: Vec<u32>,
    /// With nodes for zones.
    pub edges: Vec<Exit>,
    pub departures: Vec<Departure>,
}

impl Edges {
    pub(super) fn new(nodes: &Nodes, steps: &mut Steps<'_>, tile: TileId) -> Self {
        let n = nodes.stands.len();
        let mut all = Self {
            firsts: Vec::with_capacity(n + 1),
            edges: Vec::with_capacity(8 * n),
            departures: Vec::new(),
        };
        for (node, stand) in (0..).zip(&nodes.stands) {
            all.firsts.push(all.edges.len() as u32);
            if nodes.is_flat(stand) {
                for stand in nodes.rim(stand) {
                    all.steps_out(nodes, steps, tile, node, &stand);
                }
            } else {
                all.steps_out(nodes, steps, tile, node, stand);
            }
        }
        all.firsts.push(all.edges.len() as u32);
        all
    }

    #[inline]
    fn steps_out(
        &mut self,
        nodes: &Nodes,
        steps: &mut Steps<'_>,
        tile: TileId,
        node: u32,
        stand: &GroundPosition,
    ) {
        let first = tile.first_cell();
        let from_cell = (stand.cell.x - first.x) * TILE_CELLS + (stand.cell.y - first.y);
        let corners = steps.profile().corners;
        let ends = neighbors(stand, corners, |cell, z| nodes.pick(steps, tile, cell, z));
        for (direction, next) in (0..).zip(ends) {
            let Some(next) = next else {
                continue;
            };
            let mut exit = Exit {
                to_zone: NO_NODE,
                from_cell,
                from_layer: stand.layer,
                direction,
            };
            if TileId::from_cell(next.cell) == tile {
                exit.to_zone = nodes.node(&next);
                if exit.to_zone != node {
                    self.edges.push(exit);
                }
            } else {
                self.departures.push(Departure {
                    from_zone: node,
                    exit,
                    to: next.cell,
                    to_layer: next.layer,
                });
            }
        }
    }
}
