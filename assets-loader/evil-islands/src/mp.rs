//! `*.mp`: what holds for a whole zone: its size in sectors, texture atlases, materials of liquids, kinds of ground.
//!
//! Layout: dossier section 10.1. Little-endian; lengths in meters, pixels of textures.

#[cfg(test)]
mod tests;

use bitflags::bitflags;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::record::{Record, at_field, field_offset, read_all, write_all};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Mp::NAME;
/// First bytes of the file; other files with the same extension, such as saved characters, have others.
pub const MAGIC: [u8; 4] = [0x72, 0xF6, 0x4A, 0xCE];
/// Sectors along a side that names of three digits can distinguish (section 10.3).
pub const MAX_SECTORS: u32 = 1000;
/// Atlases that the word of a tile can name.
pub const MAX_TEXTURES: u32 = 256;
/// Tiles of an atlas: eight rows of eight.
pub const TILES_PER_TEXTURE: u32 = 64;

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    ///
    /// Never waived: no sector, no texture, and tables that leave the file.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// There may be bytes after the last table. They are kept.
        const TRAILING_BYTES = 1 << 0;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

/// The header of a zone's land.
#[derive(Debug, Clone, PartialEq)]
pub struct Mp {
    /// Height in meters of the altitude 65535; finite.
    pub max_altitude: f32,
    /// Sectors along x, at least 1.
    pub x_sectors: u32,
    /// Sectors along y, at least 1.
    pub y_sectors: u32,
    /// Texture atlases, at least 1.
    pub n_textures: u32,
    /// Pixels along a side of an atlas.
    pub texture_size: u32,
    /// Pixels along a side of a tile.
    pub tile_size: u32,
    /// What liquids look like; liquid layers name them by index.
    pub materials: Vec<Material>,
    /// Kind of ground of each tile of each atlas, by global number: see [`ground_type_name`].
    pub ground_types: Vec<u32>,
    /// Tiles that are phases of an animation.
    pub animated_tiles: Vec<AnimatedTiles>,
    /// Bytes after the last table; none in a valid file.
    pub trailing: Vec<u8>,
}

/// What follows the magic.
#[derive(Record)]
struct Header {
    #[field("max altitude", check = is_finite)]
    max_altitude: f32,
    #[field("sectors in x", check = at_least_one)]
    x_sectors: u32,
    #[field("sectors in y", check = at_least_one)]
    y_sectors: u32,
    #[field("texture count", check = at_least_one)]
    n_textures: u32,
    #[field("texture size")]
    texture_size: u32,
    #[field("tile count")]
    n_tiles: u32,
    #[field("tile size")]
    tile_size: u32,
    #[field("material count")]
    n_materials: u16,
    #[field("animated tile count")]
    n_animated: u32,
}

/// What a liquid looks like.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct Material {
    /// 0 base, 1 water without texture, 2 grass, 3 water; tools disagree, and nothing here depends on it.
    #[field("material type")]
    pub kind: u32,
    /// Red, green, blue, alpha; `0.0..=1.0`.
    #[field("material color")]
    pub diffuse: [f32; 4],
    /// Share of its color that it gives off by itself.
    #[field("material self-illumination")]
    pub self_illumination: f32,
    /// Of its waves; the formula is not known.
    #[field("material wave multiplier")]
    pub wave_multiplier: f32,
    /// Of its flow; the formula is not known.
    #[field("material warp speed")]
    pub warp_speed: f32,
    /// Meaning unknown.
    #[field("material")]
    pub unknown_20: [u8; 12],
}

/// Tiles with consecutive numbers that are shown one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Record)]
pub struct AnimatedTiles {
    /// Global number of the first: atlas * 64 + place in the atlas.
    #[field("first animated tile")]
    pub first: u16,
    /// How many there are.
    #[field("animated tile phases")]
    pub count: u16,
}

/// What a ground type is called; `None` beyond those that are known.
pub fn ground_type_name(ground_type: u32) -> Option<&'static str> {
    const NAMES: [&str; 16] = [
        "grass",
        "ground",
        "stone",
        "sand",
        "rock",
        "field",
        "water",
        "road",
        "undefined",
        "snow",
        "ice",
        "dry grass",
        "snowballs",
        "lava",
        "swamp",
        "high rock",
    ];
    let place = usize::try_from(ground_type).ok()?;
    NAMES.get(place).copied()
}

impl Format for Mp {
    type Context = ();

    const NAME: &'static str = "mp";
    const EXTENSIONS: &'static [&'static str] = &["mp"];
    const KIND: FileKind = FileKind::Level;

    /// Saved characters end so, too, and begin otherwise.
    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        let is_header = name.ends_with(".mp") && head.starts_with(&MAGIC);
        is_header.then_some(Match::Name)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant_with_check, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact(
            "sectors",
            format!("{} x {}", self.x_sectors, self.y_sectors),
        );
        report.fact("largest altitude", self.max_altitude);
        report.fact("atlases", self.n_textures);
        report.fact(
            "pixels of atlas and tile",
            format!("{} and {}", self.texture_size, self.tile_size),
        );
        report.fact("materials of liquids", self.materials.len());
        report.fact("ground types", self.ground_types.len());
        report.fact("animations of tiles", self.animated_tiles.len());
    }
}

impl Mp {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// Another magic, no sector or texture, a largest altitude that is no number, or another length than the tables'.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    ///
    /// # Errors
    /// As [`Self::read`], but for what is waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", &MAGIC)?;
        let at_header = r.clone();
        let header = Header::read(&mut r, ())?;
        let claim = |field, count, item_size| {
            at_field::<Header>(&at_header, field, ()).claim(field, count, item_size)
        };
        let n_materials = claim("material count", header.n_materials.into(), Material::SIZE)?;
        let n_tiles = claim("tile count", header.n_tiles.into(), size_of::<u32>())?;
        let n_animated = u64::from(header.n_animated);
        let n_animated = claim("animated tile count", n_animated, AnimatedTiles::SIZE)?;
        let materials = read_all(&mut r, "material", n_materials, ())?;
        let ground_types = read_all(&mut r, "ground type", n_tiles, ())?;
        let animated_tiles = read_all(&mut r, "animated tiles", n_animated, ())?;
        let trailing = match tolerance.contains(Tolerance::TRAILING_BYTES) {
            true => r.rest().to_vec(),
            false => Vec::new(),
        };
        r.finish("after the animated tiles")?;
        Ok(Self {
            max_altitude: header.max_altitude,
            x_sectors: header.x_sectors,
            y_sectors: header.y_sectors,
            n_textures: header.n_textures,
            texture_size: header.texture_size,
            tile_size: header.tile_size,
            materials,
            ground_types,
            animated_tiles,
            trailing,
        })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// Tables with more rows than their counts can say.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        w.bytes(&MAGIC);
        let header = Header {
            max_altitude: self.max_altitude,
            x_sectors: self.x_sectors,
            y_sectors: self.y_sectors,
            n_textures: self.n_textures,
            texture_size: self.texture_size,
            n_tiles: w.checked_count("tile count", self.ground_types.len())?,
            tile_size: self.tile_size,
            n_materials: w.checked_count("material count", self.materials.len())?,
            n_animated: w.checked_count("animated tile count", self.animated_tiles.len())?,
        };
        header.write(&mut w, ())?;
        write_all(&mut w, "material", &self.materials, ())?;
        write_all(&mut w, "ground type", &self.ground_types, ())?;
        write_all(&mut w, "animated tiles", &self.animated_tiles, ())?;
        w.bytes(&self.trailing);
        Ok(w.finish())
    }

    /// Sides with more sectors than [`MAX_SECTORS`]: field, number and offset.
    pub(crate) fn oversized_sides(&self) -> impl Iterator<Item = (&'static str, u32, u64)> {
        let sides = [
            ("sectors in x", self.x_sectors),
            ("sectors in y", self.y_sectors),
        ];
        let sides = sides.into_iter().filter(|(_, n)| *n > MAX_SECTORS);
        sides.map(|(field, n)| {
            let offset = field_offset::<Header>(field, ()).saturating_add(MAGIC.len());
            (field, n, offset as u64)
        })
    }

    /// What is unusual about the file (section 10.7).
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (field, n, offset) in self.oversized_sides() {
            let message = format!("{n} {field}; names can distinguish {MAX_SECTORS}");
            findings.push(Finding::new(Severity::Error, FORMAT, message).at(offset));
        }
        let mut report = |severity, message: String| {
            findings.push(Finding::new(severity, FORMAT, message));
        };
        if self.max_altitude <= 0.0 {
            let altitude = self.max_altitude;
            report(
                Severity::Warning,
                format!("a largest altitude of {altitude} m makes no hills"),
            );
        }
        if self.n_textures > MAX_TEXTURES {
            let message = format!(
                "{} textures; tiles can name {MAX_TEXTURES}",
                self.n_textures
            );
            report(Severity::Warning, message);
        }
        if self.tile_size.checked_mul(8) != Some(self.texture_size) {
            let message = format!(
                "textures of {} pixels do not hold eight rows of eight tiles of {}",
                self.texture_size, self.tile_size
            );
            report(Severity::Warning, message);
        }
        let n_tiles = self.ground_types.len() as u64;
        let n_expected = u64::from(self.n_textures).saturating_mul(u64::from(TILES_PER_TEXTURE));
        if n_tiles != n_expected {
            let message = format!(
                "ground types of {n_tiles} tiles; {} textures have {n_expected}",
                self.n_textures
            );
            report(Severity::Note, message);
        }
        let mut unknown = (0..)
            .zip(&self.ground_types)
            .filter(|(_, it)| ground_type_name(**it).is_none());
        if let Some((tile, ground_type)) = unknown.next() {
            let n_more = unknown.count();
            let message = format!(
                "tile {tile} has the unknown ground type {ground_type}{}",
                and_more(n_more)
            );
            report(Severity::Note, message);
        }
        for (number, tiles) in (0..).zip(&self.animated_tiles) {
            if let Some(problem) = tiles.problem(n_expected) {
                report(
                    Severity::Warning,
                    format!("animated tiles {number}: {problem}"),
                );
            }
        }
        for (number, material) in (0..).zip(&self.materials) {
            if let Some(problem) = material.problem() {
                report(Severity::Warning, format!("material {number}: {problem}"));
            }
        }
        if !self.trailing.is_empty() {
            let message = format!("{} bytes after the last table", self.trailing.len());
            report(Severity::Warning, message);
        }
        findings
    }
}

/// `, and so have N more`, or nothing.
fn and_more(n: usize) -> String {
    match n {
        0 => String::new(),
        n => format!(", and {n} more have such"),
    }
}

fn is_finite(at: &Reader<'_>, field: &'static str, value: &f32) -> Result<(), FormatError> {
    match value.is_finite() {
        true => Ok(()),
        false => Err(at.unexpected(field, "a finite number", value)),
    }
}

fn at_least_one(at: &Reader<'_>, field: &'static str, value: &u32) -> Result<(), FormatError> {
    match value {
        0 => Err(at.unexpected(field, "1 or more", value)),
        _ => Ok(()),
    }
}

impl Material {
    /// What its type is called; `None` beyond those that are known.
    pub fn kind_name(&self) -> Option<&'static str> {
        const NAMES: [&str; 4] = ["base", "water without texture", "grass", "water"];
        let place = usize::try_from(self.kind).ok()?;
        NAMES.get(place).copied()
    }

    fn problem(&self) -> Option<String> {
        let numbers = [
            self.self_illumination,
            self.wave_multiplier,
            self.warp_speed,
        ];
        let is_color = |channel: &f32| (0.0..=1.0).contains(channel);
        if self.kind_name().is_none() {
            Some(format!("the type {} is not known", self.kind))
        } else if !self.diffuse.iter().all(is_color) {
            Some(format!("{:?} is no color", self.diffuse))
        } else if !numbers.iter().all(|it| it.is_finite()) {
            Some(format!("{numbers:?} are not all numbers"))
        } else {
            None
        }
    }
}

impl AnimatedTiles {
    /// Global numbers of its tiles.
    pub fn tiles(&self) -> impl Iterator<Item = u32> + use<> {
        (u32::from(self.first)..).take(usize::from(self.count))
    }

    fn problem(&self, n_tiles: u64) -> Option<String> {
        let end = u64::from(self.first).saturating_add(u64::from(self.count));
        if self.count == 0 {
            Some("there are none".to_owned())
        } else if end > n_tiles {
            Some(format!("they end at tile {end} of {n_tiles}"))
        } else {
            None
        }
    }
}
