//! `*.sec`: one sector of a zone's land, 32 by 32 meters: vertices and tiles of the ground and of its liquids.
//!
//! Layout: dossier section 10.2. Little-endian. Rows go along y, columns along x; every table is row after row.

mod codec;
mod records;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

pub use self::records::{PackedNormal, Tile, Vertex};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Sec::NAME;
/// First bytes of the file.
pub const MAGIC: [u8; 4] = [0x74, 0xF7, 0x4B, 0xCF];
/// Length and width of a sector in meters, and cells along a side.
pub const SIDE: usize = 32;
/// Vertices along a side.
pub const VERTICES_PER_SIDE: usize = SIDE + 1;
/// Vertices of a sector; those on its border are its neighbor's, too.
pub const N_VERTICES: usize = VERTICES_PER_SIDE * VERTICES_PER_SIDE;
/// Tiles along a side; a tile covers two by two cells.
pub const TILES_PER_SIDE: usize = SIDE / 2;
/// Tiles of a sector.
pub const N_TILES: usize = TILES_PER_SIDE * TILES_PER_SIDE;
/// What says that a tile carries no liquid.
pub const NO_LIQUID: i16 = -1;

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    ///
    /// Never waived: tables that leave the file.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The byte that announces liquids may say other than the length does. The length counts.
        const LIQUIDS_BY_LENGTH = 1 << 0;
        /// There may be bytes after the last table. They are kept.
        const TRAILING_BYTES = 1 << 1;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

/// Vertices of a layer, row after row.
pub type Vertices = Box<[Vertex; N_VERTICES]>;
/// Tiles of a layer, row after row.
pub type Tiles = Box<[Tile; N_TILES]>;

/// A sector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sec {
    /// Byte that announces liquids: 0 or 3 in files of the game; kept, since readers disagree on other values.
    liquid_mark: u8,
    /// Of the ground.
    pub vertices: Vertices,
    /// Of the ground.
    pub tiles: Tiles,
    /// What lies over the ground.
    liquids: Liquids,
    /// Bytes after the last table; none in a valid file.
    pub trailing: Vec<u8>,
}

/// The liquids of a sector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liquids {
    /// There are none.
    None,
    /// Vertices without tiles, as one reading of the format has it: nothing of it is seen.
    VerticesOnly(Vertices),
    /// A whole layer.
    Layer(LiquidLayer),
}

/// Liquids over the ground, a tile at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiquidLayer {
    /// As of the ground, but at the height of the surface.
    pub vertices: Vertices,
    /// As of the ground; those without a material are not seen.
    pub tiles: Tiles,
    /// Index into the materials of the zone's header, tile after tile; [`NO_LIQUID`] = none here.
    pub materials: Box<[i16; N_TILES]>,
}

impl Format for Sec {
    type Context = ();

    const NAME: &'static str = "sec";
    const EXTENSIONS: &'static [&'static str] = &["sec"];
    const KIND: FileKind = FileKind::Level;

    fn recognize(_name: &str, head: &[u8]) -> Option<Match> {
        head.starts_with(&MAGIC).then_some(Match::Content)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant_with_check, write, check);

    fn describe(&self, report: &mut Report) {
        let altitudes = self.vertices.iter().map(|vertex| vertex.altitude);
        if let (Some(least), Some(greatest)) = (altitudes.clone().min(), altitudes.max()) {
            report.fact("altitudes", format!("{least} to {greatest} of 65535"));
        }
        let mut atlases: Vec<_> = self.tiles.iter().map(|tile| tile.texture()).collect();
        atlases.sort_unstable();
        atlases.dedup();
        let atlases: Vec<_> = atlases.iter().map(u8::to_string).collect();
        report.fact("atlases", atlases.join(", "));
        let liquids = match self.liquids() {
            Liquids::None => "none".to_owned(),
            Liquids::VerticesOnly(_) => "vertices without tiles".to_owned(),
            Liquids::Layer(layer) => {
                let materials = layer.materials.iter();
                let n_tiles = materials.filter(|it| **it != NO_LIQUID).count();
                format!("{n_tiles} tiles")
            }
        };
        report.fact("liquids", liquids);
    }
}

impl Sec {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// Another magic, a length that no sector has, or one that does not go with the byte that announces liquids.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        codec::read(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    ///
    /// # Errors
    /// As [`Self::read`], but for what is waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        codec::read(data, tolerance)
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// None: every sector can be written. It is the shape that all formats share.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        codec::write(self)
    }

    /// A new sector. `vertex` is called for each row and column of vertices, `tile` for each of tiles.
    pub fn draft(
        vertex: impl FnMut(usize, usize) -> Vertex,
        tile: impl FnMut(usize, usize) -> Tile,
        liquids: Liquids,
    ) -> Self {
        Self {
            liquid_mark: mark_of(&liquids),
            vertices: vertices_from(vertex),
            tiles: tiles_from(tile),
            liquids,
            trailing: Vec::new(),
        }
    }

    /// What lies over the ground.
    pub fn liquids(&self) -> &Liquids {
        &self.liquids
    }

    /// The liquids as far as they can be seen.
    pub fn liquid_layer(&self) -> Option<&LiquidLayer> {
        match &self.liquids {
            Liquids::Layer(layer) => Some(layer),
            Liquids::None | Liquids::VerticesOnly(_) => None,
        }
    }

    /// Replaces what lies over the ground, and the byte that announces it.
    pub fn set_liquids(&mut self, liquids: Liquids) {
        self.liquid_mark = mark_of(&liquids);
        self.liquids = liquids;
    }

    /// What is unusual about the file by itself; what it names of others, the checks of the zone compare.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut report = |severity, message: String| {
            findings.push(Finding::new(severity, FORMAT, message));
        };
        let mark = self.liquid_mark;
        match &self.liquids {
            Liquids::None if mark != 0 => report(
                Severity::Warning,
                format!("liquids are announced by {mark}, and there are none"),
            ),
            Liquids::VerticesOnly(_) => report(
                Severity::Warning,
                format!("liquids, announced by {mark}, have vertices and no tiles"),
            ),
            Liquids::Layer(_) if mark != LIQUIDS_MARK => report(
                Severity::Note,
                format!("liquids are announced by {mark}, usual is {LIQUIDS_MARK}"),
            ),
            Liquids::None | Liquids::Layer(_) => {}
        }
        let layer = self.liquid_layer().into_iter();
        let mut odd = layer
            .flat_map(|layer| (0..).zip(layer.materials.iter()))
            .filter(|(_, material)| **material < NO_LIQUID);
        if let Some((tile, material)) = odd.next() {
            let n_more = odd.count();
            let message = format!(
                "liquid tile {tile} names the material {material}, {n_more} more name others below -1"
            );
            report(Severity::Warning, message);
        }
        if !self.trailing.is_empty() {
            let message = format!("{} bytes after the last table", self.trailing.len());
            report(Severity::Warning, message);
        }
        findings
    }
}

impl LiquidLayer {
    /// A new layer. `vertex` is called for each row and column of vertices, `tile` for each of tiles: what it shows
    /// and of which material it is, `None` where there is no liquid.
    pub fn draft(
        vertex: impl FnMut(usize, usize) -> Vertex,
        mut tile: impl FnMut(usize, usize) -> Option<(Tile, i16)>,
    ) -> Self {
        let mut tiles = Box::new([Tile::default(); N_TILES]);
        let mut materials = Box::new([NO_LIQUID; N_TILES]);
        for (at, place) in tiles.iter_mut().zip(materials.iter_mut()).enumerate() {
            if let Some(filled) = tile(at / TILES_PER_SIDE, at % TILES_PER_SIDE) {
                (*place.0, *place.1) = filled;
            }
        }
        Self {
            vertices: vertices_from(vertex),
            tiles,
            materials,
        }
    }
}

fn vertices_from(mut vertex: impl FnMut(usize, usize) -> Vertex) -> Vertices {
    Box::new(std::array::from_fn(|at| {
        vertex(at / VERTICES_PER_SIDE, at % VERTICES_PER_SIDE)
    }))
}

fn tiles_from(mut tile: impl FnMut(usize, usize) -> Tile) -> Tiles {
    Box::new(std::array::from_fn(|at| {
        tile(at / TILES_PER_SIDE, at % TILES_PER_SIDE)
    }))
}

/// What announces a whole layer of liquids in files of the game.
const LIQUIDS_MARK: u8 = 3;
/// What announces vertices without tiles where that reading of the format is right.
const VERTICES_ONLY_MARK: u8 = 1;

fn mark_of(liquids: &Liquids) -> u8 {
    match liquids {
        Liquids::None => 0,
        Liquids::VerticesOnly(_) => VERTICES_ONLY_MARK,
        Liquids::Layer(_) => LIQUIDS_MARK,
    }
}
