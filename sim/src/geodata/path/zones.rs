//! Zones of a tile of 16 x 16 blocks: the parts in which everyone comes everywhere without leaving the tile.
//!
//! Nodes of a tile are its flat blocks, each as one, and the layers of all other cells. Steps between them are those
//! of the profile, diagonal ones too. Parts of that graph are zones; steps from zone to zone are exits.

use super::scc::strong_components;
use crate::geodata::Geodata;
use crate::geodata::Profile;
use crate::geodata::pack::{BlockView, Layer, TILE_SIDE};
use crate::geodata::step::{DIRECTIONS, Stand, Steps, neighbour};
use ironlands_assets_loader::lineage2::{GeoCell, Nswe};

/// Cells along a side of a tile.
pub(super) const TILE_CELLS: u16 = 8 * TILE_SIDE as u16;
/// Tiles along a side of the grid.
pub(super) const TILES_PER_SIDE: u32 = 65536 / TILE_CELLS as u32;

/// In a word of a block: all of it is one zone.
const ONE_ZONE: u32 = 1 << 31;
/// No zone: a layer that a cell has not.
const NO_ZONE: u32 = u32::MAX;

/// A tile of the grid, x-major.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TileId(pub u32);

impl TileId {
    pub(super) fn of(cell: GeoCell) -> Self {
        let [x, y] = [cell.x, cell.y].map(|at| u32::from(at / TILE_CELLS));
        Self(x * TILES_PER_SIDE + y)
    }

    /// Its north-west cell.
    pub(super) fn first_cell(self) -> GeoCell {
        let [x, y] = [self.0 / TILES_PER_SIDE, self.0 % TILES_PER_SIDE];
        // Both are below 512.
        let [x, y] = [x, y].map(|at| at as u16 * TILE_CELLS);
        GeoCell { x, y }
    }
}

/// The zones of a tile and the exits from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TileZones {
    /// The zone of a whole block, or where its labels begin.
    blocks: Box<[u32]>,
    labels: Labels,
    /// First exit of each zone, and the number of all.
    first_exits: Box<[u32]>,
    exits: Box<[Exit]>,
}

/// Zones of the layers of blocks that are not one zone; 64 a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Labels {
    Narrow(Box<[u16]>),
    Wide(Box<[u32]>),
}

/// A step out of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exit {
    /// Zone of the tile that the step ends in.
    pub to_zone: u32,
    /// Cell of the tile that it begins in, x-major.
    from_cell: u16,
    pub from_layer: u8,
    /// Place in [`DIRECTIONS`].
    direction: u8,
}

impl Exit {
    /// Where the step begins.
    pub(super) fn from(&self, tile: TileId) -> GeoCell {
        let first = tile.first_cell();
        GeoCell {
            x: first.x + self.from_cell / TILE_CELLS,
            y: first.y + self.from_cell % TILE_CELLS,
        }
    }

    /// Where it ends.
    pub(super) fn to(&self, tile: TileId) -> GeoCell {
        let from = self.from(tile);
        let (dx, dy) = self.step();
        // The step was made when the tile was built, so it stays on the grid.
        neighbour(from, dx, dy).unwrap_or(from)
    }

    pub(super) fn step(&self) -> (i32, i32) {
        DIRECTIONS[usize::from(self.direction)]
    }
}

/// A step out of a tile, before the zones of the other are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure {
    from_zone: u32,
    from_cell: u16,
    from_layer: u8,
    direction: u8,
    /// Where it ends.
    pub to: GeoCell,
    pub to_layer: u8,
}

impl TileZones {
    pub(super) fn n_zones(&self) -> u32 {
        self.first_exits.len() as u32 - 1
    }

    /// Zone of a layer of a cell of this tile; `None` if the cell has no such layer.
    pub(super) fn zone(&self, cell: GeoCell, layer: u8) -> Option<u32> {
        let (x, y) = (cell.x / 8 % TILE_SIDE as u16, cell.y / 8 % TILE_SIDE as u16);
        let block = self.blocks[usize::from(x) * TILE_SIDE + usize::from(y)];
        if block & ONE_ZONE != 0 {
            return (block != NO_ZONE).then_some(block & !ONE_ZONE);
        }
        let at = block as usize + usize::from(layer) * 64 + usize::from(cell.cell_index());
        match &self.labels {
            Labels::Narrow(labels) => labels
                .get(at)
                .copied()
                .filter(|&zone| zone != u16::MAX)
                .map(u32::from),
            Labels::Wide(labels) => labels.get(at).copied().filter(|&zone| zone != NO_ZONE),
        }
    }

    /// Exits of a zone.
    #[inline]
    pub(super) fn exits(&self, zone: u32) -> &[Exit] {
        let zone = zone as usize;
        &self.exits[self.first_exits[zone] as usize..self.first_exits[zone + 1] as usize]
    }

    pub(super) fn n_bytes(&self) -> usize {
        let labels = match &self.labels {
            Labels::Narrow(labels) => size_of_val(&**labels),
            Labels::Wide(labels) => size_of_val(&**labels),
        };
        size_of::<Self>()
            + size_of_val(&*self.blocks)
            + labels
            + size_of_val(&*self.first_exits)
            + size_of_val(&*self.exits)
    }

    /// Adds exits to other tiles to those inside of it. Of exits from one zone to another that begin within the same
    /// 16 cells, one stays.
    pub(super) fn with_exits(
        &self,
        departures: &[Departure],
        zone_of: impl Fn(&Departure) -> Option<u32>,
    ) -> Self {
        let mut exits: Vec<(u32, Exit)> = Vec::new();
        for zone in 0..self.n_zones() {
            exits.extend(self.exits(zone).iter().map(|exit| (zone, *exit)));
        }
        for departure in departures {
            let Some(to_zone) = zone_of(departure) else {
                continue;
            };
            let Departure {
                from_zone,
                from_cell,
                from_layer,
                direction,
                ..
            } = *departure;
            let exit = Exit {
                to_zone,
                from_cell,
                from_layer,
                direction,
            };
            exits.push((from_zone, exit));
        }
        let (first_exits, exits) = sorted(self.n_zones(), exits);
        Self {
            first_exits,
            exits,
            ..self.clone()
        }
    }
}

/// Exits by zone, thinned out.
fn sorted(n_zones: u32, mut exits: Vec<(u32, Exit)>) -> (Box<[u32]>, Box<[Exit]>) {
    const RUN: u16 = 16;
    // Ends of a run of border cells; the axial step before the diagonal ones.
    let run = |(zone, exit): &(u32, Exit)| {
        let (x, y) = (
            exit.from_cell / TILE_CELLS / RUN,
            exit.from_cell % TILE_CELLS / RUN,
        );
        let (dx, dy) = exit.step();
        let leaves = |at: u16, d: i32| match (at, d) {
            (0, -1) => -1,
            (at, 1) if at == TILE_CELLS - 1 => 1,
            _ => 0,
        };
        let out = (
            leaves(exit.from_cell / TILE_CELLS, dx),
            leaves(exit.from_cell % TILE_CELLS, dy),
        );
        (*zone, out, exit.to_zone, x, y)
    };
    let middle = |exit: &Exit| {
        let from_middle = |at: u16| (at % RUN).abs_diff(RUN / 2);
        (
            exit.direction >= 4,
            from_middle(exit.from_cell / TILE_CELLS) + from_middle(exit.from_cell % TILE_CELLS),
        )
    };
    exits.sort_unstable_by_key(|entry| (run(entry), middle(&entry.1), entry.1));
    exits.dedup_by_key(|entry| run(entry));
    let mut first_exits = Vec::with_capacity(n_zones as usize + 1);
    let mut at = 0;
    for zone in 0..=n_zones {
        while exits.get(at).is_some_and(|entry| entry.0 < zone) {
            at += 1;
        }
        first_exits.push(at as u32);
    }
    (
        first_exits.into(),
        exits.into_iter().map(|(_, exit)| exit).collect(),
    )
}

/// Zones of a tile with the exits inside of it, and the steps that leave it; `None` where no region is.
pub(super) fn build(
    geodata: &Geodata,
    profile: Profile,
    tile: TileId,
) -> Option<(TileZones, Vec<Departure>)> {
    let mut steps = Steps::new(geodata, profile);
    steps.block(tile.first_cell())?;
    let nodes = Nodes::new(&mut steps, tile);
    let mut edges: Vec<Vec<(u32, Exit)>> = Vec::with_capacity(nodes.stands.len());
    let mut departures = Vec::new();
    for (node, stand) in nodes.stands.iter().enumerate() {
        let mut out = Vec::new();
        let mut leave = |stand: &Stand| {
            for (direction, next) in (0..).zip(steps.neighbours(stand)) {
                let Some(next) = next else {
                    continue;
                };
                let first = tile.first_cell();
                let from_cell = (stand.cell.x - first.x) * TILE_CELLS + (stand.cell.y - first.y);
                if TileId::of(next.cell) == tile {
                    let exit = Exit {
                        to_zone: nodes.node(&next),
                        from_cell,
                        from_layer: stand.layer,
                        direction,
                    };
                    if exit.to_zone != node as u32 {
                        out.push((exit.to_zone, exit));
                    }
                } else {
                    departures.push(Departure {
                        from_zone: node as u32,
                        from_cell,
                        from_layer: stand.layer,
                        direction,
                        to: next.cell,
                        to_layer: next.layer,
                    });
                }
            }
        };
        match nodes.is_flat(stand) {
            true => nodes.rim(stand).for_each(|stand| leave(&stand)),
            false => leave(stand),
        }
        edges.push(out);
    }
    let edge = |node: u32, k: u32| edges[node as usize].get(k as usize).map(|edge| edge.0);
    let (zones, n_zones) = strong_components(nodes.stands.len(), edge);
    let mut exits = Vec::new();
    for (node, out) in edges.iter().enumerate() {
        for &(to, exit) in out {
            let (from_zone, to_zone) = (zones[node], zones[to as usize]);
            if from_zone != to_zone {
                exits.push((from_zone, Exit { to_zone, ..exit }));
            }
        }
    }
    for departure in &mut departures {
        departure.from_zone = zones[departure.from_zone as usize];
    }
    let (first_exits, exits) = sorted(n_zones, exits);
    let (blocks, labels) = nodes.labels(&zones, n_zones);
    let zones = TileZones {
        blocks,
        labels,
        first_exits,
        exits,
    };
    Some((zones, departures))
}

/// The nodes of a tile.
struct Nodes {
    /// First place of each block in `of_place`.
    blocks: Vec<u32>,
    /// By place, 64 a layer and one for a flat block: the node.
    of_place: Vec<u32>,
    flats: Vec<bool>,
    /// A flat block stands at its first cell.
    stands: Vec<Stand>,
}

impl Nodes {
    fn new(steps: &mut Steps<'_>, tile: TileId) -> Self {
        let mut nodes = Self {
            blocks: Vec::new(),
            of_place: Vec::new(),
            flats: Vec::new(),
            stands: Vec::new(),
        };
        let first = tile.first_cell();
        for index in 0..(TILE_SIDE * TILE_SIDE) as u16 {
            let corner = GeoCell {
                x: first.x + index / TILE_SIDE as u16 * 8,
                y: first.y + index % TILE_SIDE as u16 * 8,
            };
            nodes.blocks.push(nodes.of_place.len() as u32);
            // A tile lies in one region, so all its blocks are there.
            let Some(block) = steps.block(corner) else {
                nodes.flats.push(false);
                continue;
            };
            nodes.add(&block, corner);
        }
        nodes
    }

    fn add(&mut self, block: &BlockView<'_>, corner: GeoCell) {
        if let BlockView::Flat { high, .. } = block {
            self.flats.push(true);
            self.of_place.push(self.stands.len() as u32);
            self.stands.push(Stand {
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
            .resize(start + 64 * usize::from(block.n_planes()), NO_ZONE);
        for at in 0..64_u16 {
            let cell = GeoCell {
                x: corner.x | at >> 3,
                y: corner.y | (at & 7),
            };
            block.layers_up(u32::from(at), |Layer { z, index }| {
                self.of_place[start + 64 * usize::from(index) + usize::from(at)] =
                    self.stands.len() as u32;
                self.stands.push(Stand {
                    cell,
                    z,
                    layer: index,
                    nswe: block.nswe(u32::from(at), index),
                });
                true
            });
        }
    }

    fn block_of(cell: GeoCell) -> usize {
        let side = TILE_SIDE as u16;
        usize::from(cell.x / 8 % side) * TILE_SIDE + usize::from(cell.y / 8 % side)
    }

    fn is_flat(&self, stand: &Stand) -> bool {
        self.flats[Self::block_of(stand.cell)]
    }

    /// Cells of a flat block from which steps leave it. Where another flat block of the tile is beside, all steps over
    /// that side are the same, and one of them is enough; corners lead to blocks of their own.
    fn rim(&self, flat: &Stand) -> impl Iterator<Item = Stand> {
        const MIDDLE: u16 = 4;
        const OUT: [u16; 2] = [0, 7];
        let corner = flat.cell;
        let is_flat = |dx: i32, dy: i32| {
            let beside = neighbour(corner, dx * 8, dy * 8);
            beside.is_some_and(|beside| {
                TileId::of(beside) == TileId::of(corner) && self.flats[Self::block_of(beside)]
            })
        };
        let [west, east] = [-1, 1].map(|dx| is_flat(dx, 0));
        let [north, south] = [-1, 1].map(|dy| is_flat(0, dy));
        let is_asked = move |x: u16, y: u16| match (OUT.contains(&x), OUT.contains(&y)) {
            (true, true) => true,
            (false, false) => false,
            (true, false) => y == MIDDLE || !(if x == 0 { west } else { east }),
            (false, true) => x == MIDDLE || !(if y == 0 { north } else { south }),
        };
        let cells = (0..8).flat_map(|x| (0..8).map(move |y| (x, y)));
        let flat = *flat;
        cells
            .filter(move |&(x, y)| is_asked(x, y))
            .map(move |(x, y)| {
                let cell = GeoCell {
                    x: corner.x | x,
                    y: corner.y | y,
                };
                Stand { cell, ..flat }
            })
    }

    fn node(&self, stand: &Stand) -> u32 {
        let block = Self::block_of(stand.cell);
        let first = self.blocks[block] as usize;
        if self.flats[block] {
            return self.of_place[first];
        }
        self.of_place[first + 64 * usize::from(stand.layer) + usize::from(stand.cell.cell_index())]
    }

    /// Zones of blocks, and of their layers where they are not all the same.
    fn labels(&self, zones: &[u32], n_zones: u32) -> (Box<[u32]>, Labels) {
        let zone_of = |&node: &u32| zones.get(node as usize).copied();
        let mut blocks = Vec::with_capacity(self.blocks.len());
        let mut labels: Vec<u32> = Vec::new();
        for (block, &first) in self.blocks.iter().enumerate() {
            let end = self
                .blocks
                .get(block + 1)
                .map_or(self.of_place.len(), |&end| end as usize);
            let places = &self.of_place[first as usize..end];
            let mut own = places.iter().filter_map(zone_of);
            let one = own.next();
            match one {
                None => blocks.push(NO_ZONE),
                Some(zone) if own.all(|other| other == zone) => blocks.push(zone | ONE_ZONE),
                Some(_) => {
                    blocks.push(labels.len() as u32);
                    labels.extend(places.iter().map(|node| zone_of(node).unwrap_or(NO_ZONE)));
                }
            }
        }
        let labels = if n_zones < u32::from(u16::MAX) {
            // What is no zone becomes the highest number, which no zone has.
            Labels::Narrow(
                labels
                    .into_iter()
                    .map(|zone| zone.min(u32::from(u16::MAX)) as u16)
                    .collect(),
            )
        } else {
            Labels::Wide(labels.into())
        };
        (blocks.into(), labels)
    }
}
