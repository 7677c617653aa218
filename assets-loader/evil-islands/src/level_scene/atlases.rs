//! The pixels of a zone's atlases, and the pictures of single tiles cut from them (dossier section 10.5).

use crate::land::{Land, TILES_PER_ATLAS_SIDE};
use crate::mmp::Mmp;
use crate::sec::Tile;
use crate::zone::Zone;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::mips::{MipChain, level_size, levels};

/// Levels of an atlas that tiles are cut from; at further ones the border of a tile is less than a pixel.
const N_LEVELS: usize = 4;
/// What a tile of a missing atlas shows.
const MISSING: [u8; 4] = [128, 128, 128, 255];

/// The atlases of a zone.
pub(super) struct Atlases<'a> {
    land: Land<'a>,
    atlases: Vec<Option<Atlas>>,
}

struct Atlas {
    width: u32,
    height: u32,
    /// From the largest down, each half as large as the one before.
    levels: Vec<Vec<[u8; 4]>>,
}

/// A square picture, the first row at v = 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture {
    /// Pixels along a side.
    pub(super) side: usize,
    /// Row after row.
    pub(super) pixels: Vec<[u8; 4]>,
}

impl<'a> Atlases<'a> {
    /// Unpacks the atlases of a zone.
    pub(super) fn new(zone: &'a Zone, findings: &mut Findings) -> Self {
        let mut problems = Vec::new();
        let atlases = zone.atlases.iter().enumerate().map(|(number, mmp)| {
            let atlas = Atlas::new(mmp.as_ref()?);
            let report = |error| problems.push((None, format!("atlas {number}: {error}")));
            atlas.map_err(report).ok()
        });
        let atlases = atlases.collect();
        findings.rule(Severity::Error, problems);
        Self {
            land: zone.land(),
            atlases,
        }
    }

    /// The land that they belong to.
    pub(super) fn land(&self) -> &Land<'a> {
        &self.land
    }

    /// What a tile shows without its border, turned as it lies on the land: rows go along y, columns along x.
    pub(super) fn visible(&self, tile: Tile, side: usize) -> Picture {
        let corner = |row, col| self.land.tile_uv(tile, [row, col]);
        let [origin, along_row, along_col] = [corner(0, 0), corner(2, 0), corner(0, 2)];
        self.cut(tile, side, |at: [f32; 2]| {
            std::array::from_fn(|axis| {
                let from = origin[axis];
                from + (along_row[axis] - from) * at[0] + (along_col[axis] - from) * at[1]
            })
        })
    }

    /// A tile with its border, as it is stored.
    pub(super) fn whole(&self, tile: Tile, side: usize) -> Picture {
        let [texture_size, tile_size] = self.land.atlas_sizes();
        let n_tiles = TILES_PER_ATLAS_SIDE;
        let col = f32::from(tile.index() % n_tiles);
        let row = f32::from((n_tiles - 1).saturating_sub(tile.index() / n_tiles));
        self.cut(tile, side, |[v, u]: [f32; 2]| {
            [col + u, row + v].map(|tiles| tiles * tile_size / texture_size)
        })
    }

    /// A part of the atlas of a tile. `uv_of` is called for the middle of each pixel, by row and column as parts of the
    /// picture's side.
    fn cut(&self, tile: Tile, side: usize, uv_of: impl Fn([f32; 2]) -> [f32; 2]) -> Picture {
        let [from, to] = [[0.0, 0.0], [0.0, 1.0]].map(&uv_of);
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let atlas = self.atlas_of(tile);
        let atlas = atlas.map(|atlas| (atlas, atlas.level_with(side as f32 / length)));
        let middle = |at: usize| (at as f32 + 0.5) / side as f32;
        let pixels = (0..side * side).map(|at| match atlas {
            Some((atlas, level)) => {
                atlas.pixel(level, uv_of([middle(at / side), middle(at % side)]))
            }
            None => MISSING,
        });
        Picture {
            side,
            pixels: pixels.collect(),
        }
    }

    /// The atlas of a tile; of a tile that names none that there is, the last one.
    fn atlas_of(&self, tile: Tile) -> Option<&Atlas> {
        let last = self.atlases.len().checked_sub(1)?;
        let number = usize::from(tile.texture()).min(last);
        self.atlases.get(number)?.as_ref()
    }
}

impl Atlas {
    fn new(mmp: &Mmp) -> Result<Self, ironlands_assets_core::bytes::FormatError> {
        let pixels_of = |level: usize| {
            let bytes = mmp.level_rgba(level)?;
            Ok(bytes.as_chunks::<4>().0.to_vec())
        };
        let stored = (0..mmp.levels.len().min(N_LEVELS)).map(pixels_of);
        let mut stored: Vec<_> = stored.collect::<Result<_, _>>()?;
        if stored.len() < N_LEVELS {
            // A tile's border is a power of two, so that no pixel of these levels is of two tiles.
            let largest = match stored.is_empty() {
                true => pixels_of(0)?,
                false => stored.swap_remove(0),
            };
            stored = levels(&largest, [mmp.width, mmp.height], MipChain::Full);
            stored.truncate(N_LEVELS);
        }
        Ok(Self {
            width: mmp.width,
            height: mmp.height,
            levels: stored,
        })
    }

    /// The smallest level that has this many pixels along the atlas.
    fn level_with(&self, n_pixels: f32) -> usize {
        let has_enough = |level: &usize| {
            let [width, _] = level_size(self.width, self.height, *level as u32);
            // A pixel may be short of rounding, not of a level.
            width as f32 >= n_pixels * 0.75
        };
        (0..self.levels.len()).rev().find(has_enough).unwrap_or(0)
    }

    fn pixel(&self, level: usize, [u, v]: [f32; 2]) -> [u8; 4] {
        let [width, height] = level_size(self.width, self.height, level as u32);
        // The casts cut off what lies beyond the edges.
        let at = |part: f32, side: u32| ((part * side as f32) as u32).min(side - 1) as usize;
        let place = at(v, height) * width as usize + at(u, width);
        let level = self.levels.get(level);
        level
            .and_then(|it| it.get(place))
            .copied()
            .unwrap_or(MISSING)
    }
}
