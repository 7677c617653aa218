//! A tile of a `*.zones` file. Zones that are single cells have the highest numbers of their tile.
//!
//! ```text
//! zones u32
//! exits:  count u32 of first exits, one for each zone that is no single cell and one for the end; count u32; exits
//! labels: count u32; each u32
//! layers: count u32; each cells that are zones by themselves u64, first of these zones u32, all other cells u32
//! blocks: count u32, 1 or 256; each u32: a zone with ONE_ZONE, or the place of the block's first layer
//! classes: count u32, 1 or one for each zone; each u32
//! ```
//!
//! The other cells of a layer are [`NO_ZONE`], a zone, or with [`SEVERAL`] the place of labels: the number of planes of
//! bits, the planes in two words each, the zones. Bit c of the planes, that of the first plane the lowest, is the place
//! among these zones of that of cell c.

use super::FORMAT;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_sim_regions::zones::{
    NO_ZONE, ONE_ZONE, SEVERAL, ZoneExit, ZoneLayer, ZoneTile, zone_of_label,
};

/// Blocks of a tile.
const N_BLOCKS: usize = 256;
/// Cells of a tile.
const N_CELLS: u16 = 128 * 128;

pub(super) fn read(mut r: Reader<'_>, n_classes: usize) -> Result<ZoneTile, FormatError> {
    let mut tile = ZoneTile {
        n_zones: r.u32("zone count")?,
        ..ZoneTile::default()
    };
    read_exits(&mut tile, &mut r)?;
    let n_labels = r.count("label count", 4)?;
    tile.labels = (0..n_labels)
        .map(|_| r.u32("label"))
        .collect::<Result<_, _>>()?;
    let n_layers = r.count("layer count", 16)?;
    tile.layers.reserve(n_layers);
    for _ in 0..n_layers {
        let layer = read_layer(&tile, &mut r)?;
        tile.layers.push(layer);
    }
    read_blocks(&mut tile, &mut r)?;
    read_classes(&mut tile, &mut r, n_classes)?;
    r.finish("after the tile")?;
    Ok(tile)
}

/// Zones that are no single cells.
fn n_wide(tile: &ZoneTile) -> u32 {
    // Not more than zones, which are a u32.
    tile.first_exits.len().saturating_sub(1) as u32
}

fn read_exits(tile: &mut ZoneTile, r: &mut Reader<'_>) -> Result<(), FormatError> {
    let at = r.clone();
    let n_firsts = r.count("first exit count", 4)?;
    let n_wide = n_firsts.checked_sub(1);
    if n_wide.is_none_or(|n_wide| n_wide as u64 > u64::from(tile.n_zones)) {
        let expected = format!("1 to {} + 1", tile.n_zones);
        return Err(at.unexpected("first exit count", expected, n_firsts));
    }
    let firsts_at = r.clone();
    let firsts = (0..n_firsts).map(|_| r.u32("first exit"));
    tile.first_exits = firsts.collect::<Result<_, _>>()?;
    let n_exits = r.count("exit count", 8)?;
    let is_ascending = tile.first_exits.is_sorted() && tile.first_exits.first() == Some(&0);
    let ends = tile.first_exits.last().map(|&end| end as usize);
    if !is_ascending || ends != Some(n_exits) {
        let expected = format!("numbers from 0 up to {n_exits}");
        return Err(firsts_at.unexpected("first exits", expected, "others"));
    }
    tile.exits.reserve(n_exits);
    for _ in 0..n_exits {
        let at = r.clone();
        let exit = ZoneExit {
            to_zone: r.u32("exit zone")?,
            from_cell: r.u16("exit cell")?,
            from_layer: r.u8("exit layer")?,
            direction: r.u8("exit direction")?,
        };
        if exit.from_cell >= N_CELLS || exit.direction >= 8 {
            let expected = "a cell below 16384 and a direction below 8";
            return Err(at.unexpected("exit", expected, format!("{exit:?}")));
        }
        tile.exits.push(exit);
    }
    Ok(())
}

fn read_layer(tile: &ZoneTile, r: &mut Reader<'_>) -> Result<ZoneLayer, FormatError> {
    let at = r.clone();
    let layer = ZoneLayer {
        singles: r.u64("single cells")?,
        first_single: r.u32("first single zone")?,
        others: r.u32("zone of other cells")?,
    };
    let n_singles = u64::from(layer.singles.count_ones());
    let end = u64::from(layer.first_single).saturating_add(n_singles);
    let are_singles = layer.first_single >= n_wide(tile) && end <= u64::from(tile.n_zones);
    if layer.singles != 0 && !are_singles {
        let expected = format!("zones from {} up to {}", n_wide(tile), tile.n_zones);
        return Err(at.unexpected("first single zone", expected, layer.first_single));
    }
    let is_there = match layer.others {
        NO_ZONE => true,
        others if others & SEVERAL != 0 => are_labels(tile, others & !SEVERAL),
        zone => zone < n_wide(tile),
    };
    if !is_there {
        let expected = format!("a zone below {}, or labels of such", n_wide(tile));
        return Err(at.unexpected("zone of other cells", expected, layer.others));
    }
    Ok(layer)
}

/// Whether the labels at a place name a zone for each of 64 cells.
fn are_labels(tile: &ZoneTile, place: u32) -> bool {
    let zones = (0..64).map(|cell| zone_of_label(&tile.labels, place, cell));
    zones
        .into_iter()
        .all(|zone| zone.is_some_and(|zone| zone < n_wide(tile)))
}

fn read_blocks(tile: &mut ZoneTile, r: &mut Reader<'_>) -> Result<(), FormatError> {
    let at = r.clone();
    let n_blocks = r.count("block count", 4)?;
    if n_blocks != 1 && n_blocks != N_BLOCKS {
        return Err(at.unexpected("block count", "1 or 256", n_blocks));
    }
    let n_layers = tile.layers.len() as u64;
    // The first block with layers has the first of them, each has at least one.
    let mut next = 0..=0;
    tile.blocks.reserve(n_blocks);
    for _ in 0..n_blocks {
        let at = r.clone();
        let word = r.u32("block")?;
        let is_sound = if word & ONE_ZONE != 0 {
            word == NO_ZONE || word & !ONE_ZONE < tile.n_zones
        } else {
            let is_next = next.contains(&u64::from(word)) && u64::from(word) < n_layers;
            next = u64::from(word).saturating_add(1)..=n_layers;
            is_next && n_blocks == N_BLOCKS
        };
        if !is_sound {
            let expected = format!("one of {} zones or {n_layers} layers", tile.n_zones);
            return Err(at.unexpected("block", expected, word));
        }
        tile.blocks.push(word);
    }
    Ok(())
}

fn read_classes(
    tile: &mut ZoneTile,
    r: &mut Reader<'_>,
    n_classes: usize,
) -> Result<(), FormatError> {
    let at = r.clone();
    let n = r.count("class count", 4)?;
    if n != 1 && n as u64 != u64::from(tile.n_zones) {
        let expected = format!("1 or {}", tile.n_zones);
        return Err(at.unexpected("class count", expected, n));
    }
    tile.classes.reserve(n);
    for _ in 0..n {
        let at = r.clone();
        let class = r.u32("class")?;
        if class as usize >= n_classes {
            let expected = format!("one of {n_classes} classes");
            return Err(at.unexpected("class", expected, class));
        }
        tile.classes.push(class);
    }
    Ok(())
}

pub(super) fn write(tile: &ZoneTile) -> Result<Vec<u8>, FormatError> {
    let ZoneTile {
        n_zones,
        first_exits,
        exits,
        labels,
        layers,
        blocks,
        classes,
    } = tile;
    let mut w = Writer::new(FORMAT);
    w.u32(*n_zones);
    put_words(&mut w, "first exit count", first_exits)?;
    w.count("exit count", exits.len())?;
    for exit in exits {
        w.u32(exit.to_zone);
        w.u16(exit.from_cell);
        w.u8(exit.from_layer);
        w.u8(exit.direction);
    }
    put_words(&mut w, "label count", labels)?;
    w.count("layer count", layers.len())?;
    for layer in layers {
        w.u64(layer.singles);
        w.u32(layer.first_single);
        w.u32(layer.others);
    }
    put_words(&mut w, "block count", blocks)?;
    put_words(&mut w, "class count", classes)?;
    Ok(w.finish())
}

fn put_words(w: &mut Writer, field: &'static str, words: &[u32]) -> Result<(), FormatError> {
    w.count(field, words.len())?;
    words.iter().for_each(|&word| w.u32(word));
    Ok(())
}
