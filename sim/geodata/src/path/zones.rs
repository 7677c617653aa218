//! Zones of a tile of 16 x 16 blocks: its strongly connected components.
//!
//! Nodes of a tile are its flat blocks, each as one, and the layers of all other cells. Steps between them are those
//! of the profile, diagonal ones too. Parts of that graph are zones; steps from zone to zone are exits.
//!
//! Nearly all zones are single cells on slopes that lead one way. They have the highest numbers of their tile, a bit
//! each, and no exits here: those are the steps from that cell.

use super::exits::{Departure, Exit, ZoneExits, thinned};
use super::nodes::{Edges, Nodes};
use super::scc::strong_components;
use super::tile::{TileId, block_of, cell_of, corner_of};
use crate::step::Steps;
use crate::{Geodata, Profile};
use ironlands_sim_regions::GeoCell;
use ironlands_sim_regions::zones::{
    NO_ZONE, ONE_ZONE, SEVERAL, ZoneExit, ZoneLayer as LayerZones, ZoneTile, zone_of_label,
};

/// The zones of a tile and the exits from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TileZones {
    /// The zone of a whole block, or the place of its first layer; one word where all blocks have the same.
    blocks: Box<[u32]>,
    /// Layers of blocks that are not one zone.
    layers: Box<[LayerZones]>,
    /// The record of layers with several zones that are no single cells: how many planes of bits, the planes in two
    /// words each, the zones. Bit c of the planes, that of the first plane the lowest, is the place of the zone of
    /// cell c.
    labels: Box<[u32]>,
    n_zones: u32,
    /// First exit of each zone that is no single cell, and the number of all.
    first_exits: Box<[u32]>,
    exits: Box<[Exit]>,
}

/// Words of blocks, their layers, and labels.
type BlockZones = (Box<[u32]>, Box<[LayerZones]>, Box<[u32]>);

impl TileZones {
    pub(super) fn n_zones(&self) -> u32 {
        self.n_zones
    }

    /// Whether a zone is a single cell, whose exits are the steps from it.
    pub(super) fn is_single(&self, zone: u32) -> bool {
        zone >= self.n_wide()
    }

    /// Zones that are no single cells.
    fn n_wide(&self) -> u32 {
        self.first_exits.len().saturating_sub(1) as u32
    }

    /// Zone of a layer that a cell of this tile has; `None` if its block has no such layer.
    pub(super) fn zone(&self, cell: GeoCell, layer: u8) -> Option<u32> {
        let block = match &*self.blocks {
            [one] => *one,
            blocks => *blocks.get(block_of(cell))?,
        };
        if block & ONE_ZONE != 0 {
            return (block != NO_ZONE).then_some(block & !ONE_ZONE);
        }
        let at = u32::from(cell.cell_index());
        let layer = (block as usize).saturating_add(layer.into());
        let zones = self.layers.get(layer)?;
        if zones.singles >> at & 1 != 0 {
            let before = zones.singles & !(u64::MAX << at);
            return zones.first_single.checked_add(before.count_ones());
        }
        if zones.others == NO_ZONE || zones.others & SEVERAL == 0 {
            return (zones.others != NO_ZONE).then_some(zones.others);
        }
        zone_of_label(&self.labels, zones.others & !SEVERAL, at)
    }

    /// The layer of a cell that is of a zone; of several the lowest.
    pub(super) fn layer_in(&self, cell: GeoCell, zone: u32) -> Option<u8> {
        (0..=u8::MAX).find(|&layer| self.zone(cell, layer) == Some(zone))
    }

    /// All zones that are single cells, in order, with their layers.
    pub(super) fn singles(&self, tile: TileId) -> impl Iterator<Item = (GeoCell, u8)> {
        let firsts = self.blocks.iter().zip(0..);
        let firsts = firsts.filter(|(first, _)| **first & ONE_ZONE == 0);
        firsts.flat_map(move |(&first, block)| {
            let corner = corner_of(tile, block);
            let next = self.blocks.iter().skip(usize::from(block)).skip(1);
            let end = next.copied().find(|next| next & ONE_ZONE == 0);
            let end = end.map_or(self.layers.len(), |end| end as usize);
            let layers = self.layers.get(first as usize..end);
            let layers = layers.unwrap_or_default().iter().zip(0..);
            layers.flat_map(move |(zones, layer)| {
                let cells = (0..64).filter(|at| zones.singles >> at & 1 != 0);
                cells.map(move |at| (cell_of(corner, at), layer))
            })
        })
    }

    /// Exits of a zone that is no single cell.
    #[inline]
    pub(super) fn exits(&self, zone: u32) -> &[Exit] {
        let mut ends = self.first_exits.iter().skip(zone as usize);
        let (Some(&first), Some(&end)) = (ends.next(), ends.next()) else {
            return &[];
        };
        let exits = self.exits.get(first as usize..end as usize);
        exits.unwrap_or_default()
    }

    pub(super) fn n_exits(&self) -> usize {
        self.exits.len()
    }

    pub(super) fn n_bytes(&self) -> usize {
        let parts = [
            size_of::<Self>(),
            size_of_val(&*self.blocks),
            size_of_val(&*self.layers),
            size_of_val(&*self.labels),
            size_of_val(&*self.first_exits),
            size_of_val(&*self.exits),
        ];
        parts.iter().sum()
    }

    /// All exits: those inside of the tile and those to other tiles. Of exits from one zone to another that begin
    /// within the same 16 cells, one stays.
    pub(super) fn all_exits(
        &self,
        departures: &[Departure],
        zone_of: impl Fn(&Departure) -> Option<u32>,
    ) -> ZoneExits {
        let keys = departures.iter().filter_map(|departure| {
            let exit = Exit {
                to_zone: zone_of(departure)?,
                ..departure.exit
            };
            Some(exit.key(departure.from_zone))
        });
        let (first_outer, outer) = thinned(self.n_wide(), keys.collect());
        let (mut firsts, mut exits) = (vec![0], Vec::new());
        let ends = first_outer.iter().zip(first_outer.iter().skip(1));
        for (zone, (&first, &end)) in (0..self.n_wide()).zip(ends) {
            exits.extend(self.exits(zone));
            let outer = outer.get(first as usize..end as usize);
            exits.extend(outer.unwrap_or_default());
            firsts.push(exits.len() as u32);
        }
        (firsts.into(), exits.into())
    }

    /// As a file has it, with the classes of its zones.
    pub(super) fn to_stored(&self, classes: &[u32]) -> ZoneTile {
        let exits = self.exits.iter().map(|exit| ZoneExit {
            to_zone: exit.to_zone,
            from_cell: exit.from_cell,
            from_layer: exit.from_layer,
            direction: exit.direction,
        });
        let is_one = classes.iter().all(|class| Some(class) == classes.first());
        ZoneTile {
            n_zones: self.n_zones,
            first_exits: self.first_exits.to_vec(),
            exits: exits.collect(),
            labels: self.labels.to_vec(),
            layers: self.layers.to_vec(),
            blocks: self.blocks.to_vec(),
            classes: if is_one {
                classes.first().copied().into_iter().collect()
            } else {
                classes.to_vec()
            },
        }
    }

    /// Of a store, which has checked all that is relied on here.
    pub(super) fn from_stored(tile: ZoneTile) -> Self {
        let exits = tile.exits.iter().map(|exit| Exit {
            to_zone: exit.to_zone,
            from_cell: exit.from_cell,
            from_layer: exit.from_layer,
            direction: exit.direction,
        });
        Self {
            exits: exits.collect(),
            blocks: tile.blocks.into(),
            layers: tile.layers.into(),
            labels: tile.labels.into(),
            n_zones: tile.n_zones,
            first_exits: tile.first_exits.into(),
        }
    }

    pub(super) fn set_exits(&mut self, (first_exits, exits): ZoneExits) {
        self.first_exits = first_exits;
        self.exits = exits;
    }
}

/// A tile whose exits to other tiles are not known yet.
#[derive(Debug)]
pub(super) struct BuiltTile {
    /// With the exits inside of it.
    pub zones: TileZones,
    /// Steps out of it from zones that are no single cells.
    pub departures: Vec<Departure>,
    /// Places that were looked at: layers of cells, and flat blocks as one each.
    pub n_nodes: u32,
}

/// Zones of a tile; `None` where no region is.
#[expect(
    clippy::indexing_slicing,
    reason = "edges, parts and zones are numbered by the nodes of the tile"
)]
pub(super) fn build(geodata: &Geodata, profile: Profile, tile: TileId) -> Option<BuiltTile> {
    let mut steps = Steps::new(geodata, profile);
    steps.block(tile.first_cell())?;
    let nodes = Nodes::new(&mut steps, tile);
    let Edges {
        firsts,
        edges,
        mut departures,
    } = Edges::new(&nodes, &mut steps, tile);
    let (mut zones, n_parts) = strong_components(&firsts, |edge| edges[edge as usize].to_zone);
    let n_wide = number(&nodes, &mut zones, n_parts);
    let mut exits = Vec::new();
    for (node, ends) in firsts.windows(2).enumerate() {
        let from_zone = zones[node];
        if from_zone >= n_wide {
            continue;
        }
        for edge in &edges[ends[0] as usize..ends[1] as usize] {
            let to_zone = zones[edge.to_zone as usize];
            if to_zone != from_zone {
                exits.push(Exit { to_zone, ..*edge }.key(from_zone));
            }
        }
    }
    for departure in &mut departures {
        departure.from_zone = zones[departure.from_zone as usize];
    }
    departures.retain(|departure| departure.from_zone < n_wide);
    let (first_exits, exits) = thinned(n_wide, exits);
    let (blocks, layers, labels) = labels(&nodes, &zones, n_wide);
    let zones = TileZones {
        blocks,
        layers,
        labels,
        n_zones: n_parts,
        first_exits,
        exits,
    };
    Some(BuiltTile {
        zones,
        departures,
        // A tile has 16,384 cells of at most 255 layers.
        n_nodes: nodes.stands.len() as u32,
    })
}

/// Turns parts into zones: those that are single cells come last, in the order of their places. Returns the number
/// of all others.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "parts are numbered from 0 up to `n_parts`"
)]
fn number(nodes: &Nodes, parts: &mut [u32], n_parts: u32) -> u32 {
    const SINGLE: u32 = NO_ZONE;
    // Parts with more than one node or a flat block.
    let mut n_nodes = vec![0_u8; n_parts as usize];
    for (&part, stand) in parts.iter().zip(&nodes.stands) {
        let n = &mut n_nodes[part as usize];
        *n = n.saturating_add(if nodes.is_flat(stand) { 2 } else { 1 });
    }
    let mut n_zones = 0;
    let mut next = || {
        n_zones += 1;
        n_zones - 1
    };
    let mut numbers: Vec<u32> = n_nodes
        .iter()
        .map(|&n| if n > 1 { next() } else { SINGLE })
        .collect();
    let n_wide = numbers.iter().filter(|&&number| number != SINGLE).count();
    for &node in &nodes.of_place {
        if let Some(&part) = parts.get(node as usize)
            && numbers[part as usize] == SINGLE
        {
            numbers[part as usize] = next();
        }
    }
    for part in parts {
        *part = numbers[*part as usize];
    }
    // Not more than parts.
    n_wide as u32
}

/// Zones of blocks, and of their layers where they are not all the same.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "blocks begin where the one before ends"
)]
fn labels(nodes: &Nodes, zones: &[u32], n_wide: u32) -> BlockZones {
    let zone_of = |&node: &u32| zones.get(node as usize).copied();
    let mut blocks = Vec::with_capacity(nodes.blocks.len());
    let (mut layers, mut labels) = (Vec::new(), Vec::new());
    for (block, &first) in nodes.blocks.iter().enumerate() {
        let end = nodes
            .blocks
            .get(block + 1)
            .map_or(nodes.of_place.len(), |&end| end as usize);
        let places = &nodes.of_place[first as usize..end];
        let mut own = places.iter().filter_map(zone_of);
        let one = own.next();
        match one {
            None => blocks.push(NO_ZONE),
            Some(zone) if own.all(|other| other == zone) => blocks.push(zone | ONE_ZONE),
            Some(_) => {
                blocks.push(layers.len() as u32);
                layers.extend(places.chunks_exact(64).map(|places| {
                    let zones: [u32; 64] = std::array::from_fn(|at| {
                        places.get(at).and_then(zone_of).unwrap_or(NO_ZONE)
                    });
                    layer_of(&zones, n_wide, &mut labels)
                }));
            }
        }
    }
    if blocks
        .iter()
        .all(|&block| block == blocks[0] && block & ONE_ZONE != 0)
    {
        blocks.truncate(1);
    }
    (blocks.into(), layers.into(), labels.into())
}

/// Zones of a layer by cell; labels are appended if they are needed.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "64 cells have at most 64 zones"
)]
fn layer_of(zones: &[u32; 64], n_wide: u32, labels: &mut Vec<u32>) -> LayerZones {
    let is_single = |zone: u32| zone >= n_wide && zone != NO_ZONE;
    let mut layer = LayerZones {
        singles: 0,
        first_single: NO_ZONE,
        others: NO_ZONE,
    };
    let mut others: Vec<u32> = Vec::new();
    let mut places = [0_usize; 64];
    for (at, &zone) in zones.iter().enumerate() {
        if is_single(zone) {
            layer.singles |= 1 << at;
            layer.first_single = layer.first_single.min(zone);
        } else if zone != NO_ZONE {
            let known = others.iter().position(|&other| other == zone);
            places[at] = known.unwrap_or_else(|| {
                others.push(zone);
                others.len() - 1
            });
        }
    }
    match others[..] {
        [] => {}
        [one] => layer.others = one,
        [_, .., _] => {
            layer.others = labels.len() as u32 | SEVERAL;
            let n_planes = (others.len() - 1).ilog2() + 1;
            labels.push(n_planes);
            for plane in 0..n_planes {
                let bits = places.iter().rev();
                let bits = bits.fold(0, |bits, place| bits << 1 | (place >> plane & 1) as u64);
                labels.extend([bits as u32, (bits >> 32) as u32]);
            }
            labels.extend(others);
        }
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two layers of one block: wide zones, single cells, and cells without the upper layer.
    #[test]
    fn every_cell_keeps_its_zone() {
        for n_wide in 1..=6_u32 {
            let mut next_single = n_wide;
            let zones: [[u32; 64]; 2] = std::array::from_fn(|layer| {
                std::array::from_fn(|at| match at * 7 + layer {
                    mixed if mixed % 5 == 0 => {
                        next_single += 1;
                        next_single - 1
                    }
                    mixed if layer == 1 && mixed % 3 == 0 => NO_ZONE,
                    mixed => mixed as u32 % n_wide,
                })
            });
            let mut labels = Vec::new();
            let layers = zones.map(|zones| layer_of(&zones, n_wide, &mut labels));
            let mut blocks = vec![ONE_ZONE; 256];
            blocks[3] = 0;
            let tile = TileZones {
                blocks: blocks.into(),
                layers: layers.into(),
                labels: labels.into(),
                n_zones: next_single,
                first_exits: vec![0; n_wide as usize + 1].into(),
                exits: Box::default(),
            };
            let corner = corner_of(TileId(0), 3);
            for (layer, zones) in (0..).zip(&zones) {
                for (at, &zone) in (0..).zip(zones) {
                    let found = tile.zone(cell_of(corner, at), layer);
                    assert!(
                        zone == NO_ZONE || found == Some(zone),
                        "{n_wide} {layer} {at}"
                    );
                }
            }
            assert_eq!(tile.zone(corner_of(TileId(0), 4), 0), Some(0));
            let singles = tile.singles(TileId(0));
            let numbers = singles.filter_map(|(cell, layer)| tile.zone(cell, layer));
            assert!(numbers.eq(n_wide..next_single));
        }
    }
}
