//! `*.mp`: what holds for a whole zone: its size in sectors, texture atlases, materials of liquids, kinds of ground.
//!
//! Layout: dossier section 10.1. Little-endian; lengths in meters, pixels of textures.

#[cfg(test)]
mod tests;

use bitflags::bitflags;

use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::{Format, Match};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Mp::NAME;
/// First bytes of the file; other files with the same extension, such as saved characters, have others.
pub const MAGIC: [u8; 4] = [0x72, 0xF6, 0x4A, 0xCE];
/// Sectors along a side that names of three digits can tell apart (section 10.3).
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
    /// Bytes after the last table; none in a sound file.
    pub trailing: Vec<u8>,
}

/// What a liquid looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// 0 base, 1 water without texture, 2 grass, 3 water; tools disagree, and nothing here depends on it.
    pub kind: u32,
    /// Red, green, blue, alpha; `0.0..=1.0`.
    pub diffuse: [f32; 4],
    /// Share of its color that it gives off by itself.
    pub self_illumination: f32,
    /// Of its waves; the formula is not known.
    pub wave_multiplier: f32,
    /// Of its flow; the formula is not known.
    pub warp_speed: f32,
    /// Meaning unknown.
    pub unknown_20: [u8; 12],
}

/// Tiles with consecutive numbers that are shown one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnimatedTiles {
    /// Global number of the first: atlas * 64 + place in the atlas.
    pub first: u16,
    /// How many there are.
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

    /// Saved characters end so, too, and begin otherwise.
    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        let is_header = name.ends_with(".mp") && head.starts_with(&MAGIC);
        is_header.then_some(Match::Name)
    }

    own_functions!(waived: checked);

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
        let at = r.clone();
        let max_altitude = r.f32("max altitude")?;
        if !max_altitude.is_finite() {
            return Err(at.unexpected("max altitude", "a finite number", max_altitude));
        }
        let x_sectors = at_least_one(&mut r, "sectors in x")?;
        let y_sectors = at_least_one(&mut r, "sectors in y")?;
        let n_textures = at_least_one(&mut r, "texture count")?;
        let texture_size = r.u32("texture size")?;
        let at_tiles = r.clone();
        let n_tiles = r.u32("tile count")?;
        let tile_size = r.u32("tile size")?;
        let at_materials = r.clone();
        let n_materials = r.u16("material count")?;
        let at_animated = r.clone();
        let n_animated = r.u32("animated tile count")?;

        let n_materials =
            at_materials.claim("material count", n_materials.into(), Material::SIZE)?;
        let n_tiles = at_tiles.claim("tile count", n_tiles.into(), size_of::<u32>())?;
        let n_animated = at_animated.claim(
            "animated tile count",
            n_animated.into(),
            AnimatedTiles::SIZE,
        )?;
        let materials = (0..n_materials).map(|_| Material::read(&mut r));
        let materials = materials.collect::<Result<_, _>>()?;
        let ground_types = (0..n_tiles).map(|_| r.u32("ground type"));
        let ground_types = ground_types.collect::<Result<_, _>>()?;
        let animated_tiles = (0..n_animated).map(|_| AnimatedTiles::read(&mut r));
        let animated_tiles = animated_tiles.collect::<Result<_, _>>()?;
        let trailing = match tolerance.contains(Tolerance::TRAILING_BYTES) {
            true => r.rest().to_vec(),
            false => Vec::new(),
        };
        r.finish("after the animated tiles")?;
        Ok(Self {
            max_altitude,
            x_sectors,
            y_sectors,
            n_textures,
            texture_size,
            tile_size,
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
        let Self {
            max_altitude,
            x_sectors,
            y_sectors,
            n_textures,
            texture_size,
            tile_size,
            materials,
            ground_types,
            animated_tiles,
            trailing,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(&MAGIC);
        w.f32(*max_altitude);
        w.u32(*x_sectors);
        w.u32(*y_sectors);
        w.u32(*n_textures);
        w.u32(*texture_size);
        w.count("tile count", ground_types.len())?;
        w.u32(*tile_size);
        w.count_u16("material count", materials.len())?;
        w.count("animated tile count", animated_tiles.len())?;
        for material in materials {
            material.write(&mut w);
        }
        for ground_type in ground_types {
            w.u32(*ground_type);
        }
        for AnimatedTiles { first, count } in animated_tiles {
            w.u16(*first);
            w.u16(*count);
        }
        w.bytes(trailing);
        Ok(w.finish())
    }

    /// What is unusual about the file (section 10.7).
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (axis, n, offset) in [("x", self.x_sectors, 8), ("y", self.y_sectors, 12)] {
            if n > MAX_SECTORS {
                let message = format!("{n} sectors in {axis}; names can tell {MAX_SECTORS} apart");
                findings.push(Finding::new(Severity::Error, FORMAT, message).at(offset));
            }
        }
        let mut tell = |severity, message: String| {
            findings.push(Finding::new(severity, FORMAT, message));
        };
        if self.max_altitude <= 0.0 {
            let altitude = self.max_altitude;
            tell(
                Severity::Warning,
                format!("a largest altitude of {altitude} m makes no hills"),
            );
        }
        if self.n_textures > MAX_TEXTURES {
            let message = format!(
                "{} textures; tiles can name {MAX_TEXTURES}",
                self.n_textures
            );
            tell(Severity::Warning, message);
        }
        if self.tile_size.checked_mul(8) != Some(self.texture_size) {
            let message = format!(
                "textures of {} pixels do not hold eight rows of eight tiles of {}",
                self.texture_size, self.tile_size
            );
            tell(Severity::Warning, message);
        }
        let n_tiles = self.ground_types.len() as u64;
        let n_expected = u64::from(self.n_textures).saturating_mul(u64::from(TILES_PER_TEXTURE));
        if n_tiles != n_expected {
            let message = format!(
                "ground types of {n_tiles} tiles; {} textures have {n_expected}",
                self.n_textures
            );
            tell(Severity::Note, message);
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
            tell(Severity::Note, message);
        }
        for (number, tiles) in (0..).zip(&self.animated_tiles) {
            if let Some(fault) = tiles.fault(n_expected) {
                tell(
                    Severity::Warning,
                    format!("animated tiles {number}: {fault}"),
                );
            }
        }
        for (number, material) in (0..).zip(&self.materials) {
            if let Some(fault) = material.fault() {
                tell(Severity::Warning, format!("material {number}: {fault}"));
            }
        }
        if !self.trailing.is_empty() {
            let message = format!("{} bytes after the last table", self.trailing.len());
            tell(Severity::Warning, message);
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

fn at_least_one(r: &mut Reader<'_>, field: &'static str) -> Result<u32, FormatError> {
    let at = r.clone();
    match r.u32(field)? {
        0 => Err(at.error(
            field,
            FormatErrorKind::Unexpected {
                expected: "1 or more".into(),
                found: "0".to_owned(),
            },
        )),
        n => Ok(n),
    }
}

impl Material {
    const SIZE: usize = 44;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            kind: r.u32("material type")?,
            diffuse: {
                let [red, green, blue] = r.f32x3("material color")?;
                [red, green, blue, r.f32("material alpha")?]
            },
            self_illumination: r.f32("material self-illumination")?,
            wave_multiplier: r.f32("material wave multiplier")?,
            warp_speed: r.f32("material warp speed")?,
            unknown_20: r.array("material")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            kind,
            diffuse,
            self_illumination,
            wave_multiplier,
            warp_speed,
            unknown_20,
        } = self;
        w.u32(*kind);
        for channel in diffuse {
            w.f32(*channel);
        }
        w.f32(*self_illumination);
        w.f32(*wave_multiplier);
        w.f32(*warp_speed);
        w.bytes(unknown_20);
    }

    /// What its type is called; `None` beyond those that are known.
    pub fn kind_name(&self) -> Option<&'static str> {
        const NAMES: [&str; 4] = ["base", "water without texture", "grass", "water"];
        let place = usize::try_from(self.kind).ok()?;
        NAMES.get(place).copied()
    }

    fn fault(&self) -> Option<String> {
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
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            first: r.u16("first animated tile")?,
            count: r.u16("animated tile phases")?,
        })
    }

    /// Global numbers of its tiles.
    pub fn tiles(&self) -> impl Iterator<Item = u32> + use<> {
        (u32::from(self.first)..).take(usize::from(self.count))
    }

    fn fault(&self, n_tiles: u64) -> Option<String> {
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
