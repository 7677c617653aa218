//! `*.zones`: the zones of a set of regions for one step rule, and which zones lead to which. Little-endian.
//!
//! This format is ours; no game has it. A zone is a part of a tile (16 x 16 blocks) in which every place leads to every
//! other. The file lies beside the regions that it was made from and names them with their sizes and checksums:
//! a file that does not match them must not be used.
//!
//! ```text
//! "IRONZONE", version u32, header size u32, CRC-32 of the rest of the header
//! rules: max_up i32, uses_flat_pair u8, has_max_down u8, max_down i32
//! regions: count u32; each x u8, y u8, name (length u16, UTF-8), size u64, CRC-32
//! classes: count u32; each reaches u64, reached_by u64
//! tiles:   count u32; each number u32, size u32, CRC-32; the tiles follow the header in this order
//! ```
//!
//! Each tile has a checksum of its own, so that one can be read without the others. Deliberately absent: what zones
//! are for (`sim::geodata::path`).

#[cfg(test)]
mod tests;
mod tile;

pub use ironlands_sim_regions::zones::{
    NO_ZONE, ONE_ZONE, SEVERAL, ZoneClass, ZoneExit, ZoneLayer, ZoneTile, zone_of_label,
};

use super::RegionId;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;

const FORMAT: &str = ZoneFile::NAME;
const MAGIC: &[u8] = b"IRONZONE";
const VERSION: u32 = 1;
/// Where the header's size is, and its checksum behind it.
const SIZE_AT: usize = 12;
/// Where the part of the header begins that its checksum covers.
const CHECKED_FROM: usize = 20;
/// Tiles of the whole grid, 512 x 512.
const N_GRID_TILES: u32 = 512 * 512;

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneFile {
    /// The step rule that the zones are for.
    pub rules: ZoneRules,
    /// The files that it was made from.
    pub regions: Vec<ZoneRegion>,
    /// What zones of each class reach.
    pub classes: Vec<ZoneClass>,
    /// By number, ascending.
    pub tiles: Vec<(u32, ZoneTile)>,
}

impl Format for ZoneFile {
    type Context = ();

    const NAME: &'static str = "zones";
    const EXTENSIONS: &'static [&'static str] = &["zones"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".zones").then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        let n_zones: u64 = (self.tiles.iter())
            .map(|(_, tile)| u64::from(tile.n_zones))
            .sum();
        report.fact("regions", self.regions.len());
        report.fact("tiles", self.tiles.len());
        report.fact("zones", n_zones);
        report.fact("classes", self.classes.len());
        report.fact("highest step up", self.rules.max_up);
        if let Some(max_down) = self.rules.max_down {
            report.fact("deepest step down", max_down);
        }
    }
}

/// What limits a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneRules {
    /// Highest step up, in points.
    pub max_up: i32,
    /// Whether the lower height of a flat block counts for that limit.
    pub uses_flat_pair: bool,
    /// Deepest step down, in points; `None` for any.
    pub max_down: Option<i32>,
}

/// A file of a region that zones were made from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ZoneRegion {
    /// The region.
    pub id: RegionId,
    /// Name of the file, without a folder.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its CRC-32, as ZIP has it.
    pub crc: u32,
}

impl ZoneFile {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If a checksum is wrong, or an index leads nowhere.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let index = ZoneIndex::read(data)?;
        let numbers: Vec<u32> = index.tiles().collect();
        let tiles = numbers.into_iter().filter_map(|number| {
            let tile = index.tile(data, number)?;
            Some(tile.map(|tile| (number, tile)))
        });
        Ok(Self {
            tiles: tiles.collect::<Result<_, _>>()?,
            rules: index.rules,
            regions: index.regions,
            classes: index.classes,
        })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If there is more than the counts can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            rules,
            regions,
            classes,
            tiles,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.u32(VERSION);
        // Size and checksum follow.
        w.u32(0);
        w.u32(0);
        rules.write(&mut w);
        w.count("region count", regions.len())?;
        for region in regions {
            region.write(&mut w)?;
        }
        w.count("class count", classes.len())?;
        for class in classes {
            w.u64(class.reaches);
            w.u64(class.reached_by);
        }
        w.count("tile count", tiles.len())?;
        let mut bodies = Vec::new();
        for (number, tile) in tiles {
            let before = bodies.len();
            bodies.extend(tile::write(tile)?);
            let body = bodies.get(before..).unwrap_or_default();
            w.u32(*number);
            w.count("tile size", body.len())?;
            w.u32(crc32fast::hash(body));
        }
        let mut data = w.finish();
        let size = u32::try_from(data.len());
        let size = size.map_err(|_| {
            let n_bytes = data.len() as u64;
            Writer::new(FORMAT).too_large("header size", n_bytes, u64::from(u32::MAX))
        })?;
        let crc = crc32fast::hash(data.get(CHECKED_FROM..).unwrap_or_default());
        let head = [size.to_le_bytes(), crc.to_le_bytes()];
        if let Some(to) = data.get_mut(SIZE_AT..CHECKED_FROM) {
            to.copy_from_slice(head.as_flattened());
        }
        data.append(&mut bodies);
        Ok(data)
    }
}

/// The header of a file: what it is for, and where each tile is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneIndex {
    /// The step rule that the zones are for.
    pub rules: ZoneRules,
    /// The files that it was made from.
    pub regions: Vec<ZoneRegion>,
    /// What zones of each class reach.
    pub classes: Vec<ZoneClass>,
    tiles: Vec<TilePlace>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TilePlace {
    number: u32,
    offset: usize,
    size: usize,
    crc: u32,
}

impl ZoneIndex {
    /// Reads the header of a whole file. No tile is looked at.
    ///
    /// # Errors
    /// If the header is damaged, or the file is not as long as it says.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        r.expect("version", &VERSION.to_le_bytes())?;
        let header_at = r.clone();
        let header_size = r.count("header size", 1)?;
        let crc_at = r.clone();
        let crc = r.u32("header checksum")?;
        let Some(size) = header_size.checked_sub(CHECKED_FROM) else {
            return Err(header_at.unexpected("header size", "20 or more", header_size));
        };
        let found = crc32fast::hash(r.clone().bytes("header", size)?);
        if found != crc {
            let expected = format!("{found:08x}, that of the header");
            return Err(crc_at.unexpected("header checksum", expected, format!("{crc:08x}")));
        }
        let mut r = r.sub("header", CHECKED_FROM, size)?;
        let rules = ZoneRules::read(&mut r)?;
        let n_regions = r.count("region count", ZoneRegion::MIN_SIZE)?;
        let regions = (0..n_regions).map(|_| ZoneRegion::read(&mut r));
        let regions = regions.collect::<Result<_, _>>()?;
        let n_classes = r.count("class count", 16)?;
        let classes = (0..n_classes).map(|_| {
            Ok(ZoneClass {
                reaches: r.u64("reached hubs")?,
                reached_by: r.u64("reaching hubs")?,
            })
        });
        let classes = classes.collect::<Result<_, FormatError>>()?;
        let tiles = read_places(&mut r, header_size, data.len())?;
        r.finish("after the last tile")?;
        Ok(Self {
            rules,
            regions,
            classes,
            tiles,
        })
    }

    /// Numbers of the tiles, ascending: x * 512 + y.
    pub fn tiles(&self) -> impl Iterator<Item = u32> {
        self.tiles.iter().map(|place| place.number)
    }

    /// Reads a tile from the bytes of the whole file; `None` if the file has no such tile.
    ///
    /// # Errors
    /// If its checksum is wrong, or an index of it leads nowhere.
    pub fn tile(&self, data: &[u8], number: u32) -> Option<Result<ZoneTile, FormatError>> {
        let at = self
            .tiles
            .binary_search_by_key(&number, |place| place.number);
        let place = self.tiles.get(at.ok()?)?;
        Some(self.read_tile(data, place))
    }

    fn read_tile(&self, data: &[u8], place: &TilePlace) -> Result<ZoneTile, FormatError> {
        let r = Reader::new(FORMAT, data).sub("tile", place.offset, place.size)?;
        let found = crc32fast::hash(r.clone().rest());
        if found != place.crc {
            let expected = format!("bytes with the checksum {:08x}", place.crc);
            return Err(r.unexpected("tile", expected, format!("{found:08x}")));
        }
        tile::read(r, self.classes.len())
    }
}

/// Places of tiles, which fill the file behind the header.
fn read_places(
    r: &mut Reader<'_>,
    header_size: usize,
    file_size: usize,
) -> Result<Vec<TilePlace>, FormatError> {
    let n_tiles = r.count("tile count", 12)?;
    let mut tiles: Vec<TilePlace> = Vec::with_capacity(n_tiles);
    let mut offset = header_size;
    for _ in 0..n_tiles {
        let at = r.clone();
        let number = r.u32("tile number")?;
        let is_next = tiles.last().is_none_or(|last| last.number < number);
        if !is_next || number >= N_GRID_TILES {
            return Err(at.unexpected(
                "tile number",
                "one after that before, below 262144",
                number,
            ));
        }
        let at = r.clone();
        let size = r.u32("tile size")? as usize;
        let end = offset.checked_add(size).filter(|&end| end <= file_size);
        let Some(end) = end else {
            return Err(at.unexpected("tile size", "one within the file", size));
        };
        let crc = r.u32("tile checksum")?;
        tiles.push(TilePlace {
            number,
            offset,
            size,
            crc,
        });
        offset = end;
    }
    if offset != file_size {
        let expected = format!("tiles up to the end of the file, {file_size}");
        return Err(r.unexpected("tiles", expected, offset));
    }
    Ok(tiles)
}

impl ZoneRules {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let max_up = r.i32("highest step")?;
        let uses_flat_pair = flag(r, "flat pairs")?;
        let has_max_down = flag(r, "deepest step")?;
        let at = r.clone();
        let max_down = r.i32("deepest step")?;
        if !has_max_down && max_down != 0 {
            return Err(at.unexpected("deepest step", "0 where there is none", max_down));
        }
        Ok(Self {
            max_up,
            uses_flat_pair,
            max_down: has_max_down.then_some(max_down),
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            max_up,
            uses_flat_pair,
            max_down,
        } = *self;
        w.i32(max_up);
        w.u8(u8::from(uses_flat_pair));
        w.u8(u8::from(max_down.is_some()));
        w.i32(max_down.unwrap_or(0));
    }
}

impl ZoneRegion {
    /// With an empty name.
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let at = r.clone();
        let [x, y] = r.array("region")?;
        let Some(id) = RegionId::new(x, y) else {
            return Err(at.unexpected("region", "two numbers up to 31", format!("{x}, {y}")));
        };
        let length = usize::from(r.u16("name length")?);
        let at = r.clone();
        let name = r.bytes("name", length)?;
        let Ok(name) = std::str::from_utf8(name) else {
            return Err(at.unexpected("name", "UTF-8", name.escape_ascii()));
        };
        Ok(Self {
            id,
            name: name.to_owned(),
            size: r.u64("file size")?,
            crc: r.u32("file checksum")?,
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            id,
            name,
            size,
            crc,
        } = self;
        w.bytes(&[id.x(), id.y()]);
        w.count_u16("name length", name.len())?;
        w.bytes(name.as_bytes());
        w.u64(*size);
        w.u32(*crc);
        Ok(())
    }
}

fn flag(r: &mut Reader<'_>, field: &'static str) -> Result<bool, FormatError> {
    let at = r.clone();
    match r.u8(field)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(at.unexpected(field, "0 or 1", other)),
    }
}
