//! Navigation meshes for Detour, the library for path finding: sets of tiles as RecastDemo saves them. Little-endian.
//!
//! This format is not a game's. Document: the public structures of Detour (`DetourNavMesh.h`, version 7 of tiles with
//! references of 32 bits) and of RecastDemo (version 1 of sets). Detour has +Y up: x to the east, y up, z to the south are
//! right-handed, and are the game's x, z and y.
//!
//! ```text
//! "TESM", version u32, tile count u32
//! origin of the tiles f32x3, width and height of a tile f32, most tiles u32, most polygons of a tile u32
//! tiles: each reference u32, size u32, and a tile of that size
//! ```
//!
//! Deliberately absent: where navigation meshes come from (`sim::geodata::nav_mesh`), and path finding.

#[cfg(test)]
mod tests;
mod tile;

pub use tile::{
    DetailMesh, DetourLink, MAX_POLYGON_VERTICES, NavBounds, NavPolygon, NavTile, NavTileHeader,
    OffMeshConnection, PORTAL,
};

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;

const FORMAT: &str = NavMeshSet::NAME;
const MAGIC: &[u8] = b"TESM";
const VERSION: u32 = 1;
/// Reference and size of a tile.
const TILE_PREFIX_SIZE: usize = 8;

/// A whole file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NavMeshSet {
    /// What the tiles have in common.
    pub grid: NavGrid,
    /// All tiles with their references, in any order.
    pub tiles: Vec<(u32, NavTile)>,
}

/// The grid that tiles lie in, and how many there may be.
#[derive(Debug, Clone, Copy, PartialEq, Default, Record)]
pub struct NavGrid {
    /// The corner of tile 0, 0.
    #[field("grid origin")]
    pub origin: [f32; 3],
    /// Along x.
    #[field("tile width")]
    pub tile_width: f32,
    /// Along z.
    #[field("tile height")]
    pub tile_height: f32,
    /// Most tiles; decides how many bits of a reference number the tile.
    #[field("most tiles")]
    pub max_tiles: u32,
    /// Most polygons of a tile; decides how many bits of a reference number the polygon.
    #[field("most polygons")]
    pub max_polygons: u32,
}

impl Format for NavMeshSet {
    type Context = ();

    const NAME: &'static str = "navmesh";
    const EXTENSIONS: &'static [&'static str] = &["navmesh"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".navmesh").then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        let sum = |of: fn(&NavTile) -> usize| -> u64 {
            let counts = self.tiles.iter().map(|(_, tile)| of(tile) as u64);
            counts.fold(0, u64::saturating_add)
        };
        report.fact("tiles", self.tiles.len());
        report.fact("polygons", sum(|tile| tile.polygons.len()));
        report.fact("vertices", sum(|tile| tile.vertices.len()));
        report.fact("off-mesh connections", sum(|tile| tile.connections.len()));
        report.fact("most tiles", self.grid.max_tiles);
        report.fact("most polygons of a tile", self.grid.max_polygons);
    }
}

impl NavMeshSet {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If a tile has another version, or an index of it leads nowhere.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        r.expect("version", &VERSION.to_le_bytes())?;
        let at = r.clone();
        let n_tiles = r.u32("tile count")?;
        let grid = NavGrid::read(&mut r, ())?;
        let smallest = TILE_PREFIX_SIZE.saturating_add(NavTileHeader::SIZE);
        let left = r.remaining();
        if u64::from(n_tiles).saturating_mul(smallest as u64) > left as u64 {
            let expected = format!("tiles of {smallest} bytes or more in {left} bytes");
            return Err(at.unexpected("tile count", expected, n_tiles));
        }
        let mut tiles = Vec::new();
        for _ in 0..n_tiles {
            let reference = r.u32("tile reference")?;
            let size = r.count("tile size", 1)?;
            let tile = r.sub("tile", r.position(), size)?;
            r.bytes("tile", size)?;
            tiles.push((reference, NavTile::read(tile)?));
        }
        r.finish("after the last tile")?;
        Ok(Self { grid, tiles })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If there is more than the counts can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { grid, tiles } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.u32(VERSION);
        w.count("tile count", tiles.len())?;
        grid.write(&mut w, ())?;
        for (reference, tile) in tiles {
            let bytes = tile.write()?;
            w.u32(*reference);
            w.count("tile size", bytes.len())?;
            w.bytes(&bytes);
        }
        Ok(w.finish())
    }
}
