//! Land too large to be held whole: a tree of tiles, each generated when it comes into view.
//!
//! The scene says only what tiles there are ([`TileTree`]); a [`Tile`] is made from its key by the owner of the world.
//! Deliberately absent: who makes tiles, who wants them, how many are kept.

use std::collections::HashSet;

use crate::LegendEntry;

/// Most levels that a tree can have: its finest tiles are counted in 32 bits.
const MAX_LEVELS: u8 = 24;

/// What is known of the land before any of it is made: a square that is divided in four, and each quarter again.
///
/// A tile is a square of steps; a tile of a level shows the same land as four of the level below, with steps twice as
/// large. Level 0 is the finest.
#[derive(Debug, Clone, PartialEq)]
pub struct TileTree {
    /// Smallest x and y of the whole square, world units.
    pub corner: [f32; 2],
    /// Side of a step of level 0, world units; finite, above 0.
    pub step: f32,
    /// Steps along a side of a tile; `1..=255`, since [`Facet`] counts them in bytes.
    pub steps_per_tile: u8,
    /// Levels, at least 1; the coarsest is one tile, `(n_levels - 1, 0, 0)`.
    pub n_levels: u8,
    /// What a unit of [`Facet::z`] is, world units; finite, above 0.
    pub z_unit: f32,
    /// Smallest and largest height that any tile can have, world units.
    pub z_range: [f32; 2],
    /// Tiles that have land, of any level; what is neither in nor around one of them is empty.
    pub land: Vec<TileKey>,
    /// Colors of the land by its height.
    pub ramp: Vec<RampColor>,
    /// Other colors that can be put over it.
    pub color_by: Vec<ColorBy>,
}

/// Most colors of a ramp.
pub const MAX_RAMP_COLORS: usize = 16;
/// Most colors of a [`ColorBy`].
pub const MAX_PROPERTY_COLORS: usize = 32;

/// A color at a height; between two heights colors are mixed, and beyond the last they stay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RampColor {
    /// Height, world units.
    pub z: f32,
    /// Display space.
    pub color: [f32; 3],
}

/// A way to color facets by what is known of them.
#[derive(Debug, Clone, PartialEq)]
pub struct ColorBy {
    /// Unique name, shown in switches.
    pub name: String,
    /// The property that selects the color.
    pub property: FacetProperty,
    /// For each value of it a color and how much of it covers the land's own, `0..=1`. Values beyond the last take
    /// the last.
    pub colors: Vec<[f32; 4]>,
    /// What the colors mean.
    pub legend: Vec<LegendEntry>,
}

/// A property of a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FacetProperty {
    /// [`Facet::open_sides`].
    OpenSides = 0,
    /// [`Facet::layer`].
    Layer = 1,
    /// [`Facet::mark`].
    Mark = 2,
}

/// A tile of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileKey {
    /// Level of detail; 0 is the finest.
    pub level: u8,
    /// How many tiles of its level are before it along x.
    pub x: u32,
    /// How many tiles of its level are before it along y.
    pub y: u32,
}

/// How land is shown between the squares that its heights are known for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TileShape {
    /// Slopes between squares of nearly the same height, walls between others.
    #[default]
    Slopes,
    /// Each square level, walls between all that differ.
    Plateaus,
}

/// What is made of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TileOptions {
    /// What is between squares of different heights.
    pub shape: TileShape,
    /// Only this layer, counted from the lowest, 0, is looked at; else all.
    pub layer: Option<u8>,
}

impl From<TileShape> for TileOptions {
    /// All layers in a shape.
    fn from(shape: TileShape) -> Self {
        Self { shape, layer: None }
    }
}

/// A piece of land, made to be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// The key that it was made from.
    pub key: TileKey,
    /// Smallest and largest height, world units; both 0 in an empty tile.
    pub z_range: [f32; 2],
    /// Its faces, in no particular order.
    pub facets: Vec<Facet>,
}

/// A four-sided face over whole steps of a tile: ground, or upright. Sixteen bytes, drawn as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Facet {
    /// Smallest x and y, in steps from the tile's corner.
    pub at: [u8; 2],
    /// Size along x and y in steps; 0 across an upright facet.
    pub size: [u8; 2],
    /// Heights of its corners, in [`TileTree::z_unit`]s. Ground: at (x, y), (x + size, y), (x, y + size), (x + size,
    /// y + size). Upright: lower edge at its start and end, then upper edge at its start and end.
    pub z: [i16; 4],
    /// Where it faces.
    pub facing: Facing,
    /// Sides that a character may leave by: 1 = +x, 2 = -x, 4 = -y, 8 = +y.
    pub open_sides: u8,
    /// Number of its layer, the lowest is 0.
    pub layer: u8,
    /// Anything else that can be colored by; its meaning is the world's own.
    pub mark: u8,
}

/// Where a facet faces. Both sides can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Facing {
    /// Ground.
    #[default]
    Up = 0,
    /// To +x; its start has the smaller y.
    East = 1,
    /// To -x; its start has the smaller y.
    West = 2,
    /// To -y; its start has the smaller x.
    South = 3,
    /// To +y; its start has the smaller x.
    North = 4,
}

impl TileKey {
    /// The four tiles of the level below that show the same land; none below the finest.
    pub fn children(self) -> Option<[Self; 4]> {
        let level = self.level.checked_sub(1)?;
        Some([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Self {
            level,
            x: 2 * self.x + x,
            y: 2 * self.y + y,
        }))
    }

    /// The tile of a coarser level that shows this land among other; itself at its own level.
    pub fn at_level(self, level: u8) -> Self {
        let up = level.saturating_sub(self.level);
        Self {
            level: self.level + up,
            x: self.x >> up,
            y: self.y >> up,
        }
    }
}

impl Tile {
    /// A tile without land.
    pub fn empty(key: TileKey) -> Self {
        Self {
            key,
            z_range: [0.0; 2],
            facets: Vec::new(),
        }
    }
}

impl TileTree {
    /// The tile that shows all.
    pub fn root(&self) -> TileKey {
        TileKey {
            level: self.n_levels - 1,
            x: 0,
            y: 0,
        }
    }

    /// Side of a step of a level, world units.
    pub fn step_of(&self, level: u8) -> f32 {
        self.step * (1_u32 << level) as f32
    }

    /// Smallest x and y of a tile, and its side, world units.
    pub fn square_of(&self, key: TileKey) -> ([f32; 2], f32) {
        let side = self.step_of(key.level) * f32::from(self.steps_per_tile);
        let [x, y] = self.corner;
        ([x + side * key.x as f32, y + side * key.y as f32], side)
    }

    /// All tiles that are around [`Self::land`] or are it. A tile has land if it, or the tile around it of one of
    /// the levels of `land`, is among them.
    pub fn around_land(&self) -> HashSet<TileKey> {
        let keys = self.land.iter();
        keys.flat_map(|key| (key.level..self.n_levels).map(|level| key.at_level(level)))
            .collect()
    }

    /// The first rule that is broken, in words.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let Self {
            corner,
            step,
            steps_per_tile,
            n_levels,
            z_unit,
            z_range,
            land,
            ramp,
            color_by,
        } = self;
        let is_size = |size: f32| size.is_finite() && size > 0.0;
        let is_height_range = z_range.iter().all(|z| z.is_finite()) && z_range[0] <= z_range[1];
        let is_in_tree = |key: &TileKey| {
            key.level < *n_levels && {
                let n_tiles = 1_u32 << (n_levels - 1 - key.level);
                key.x < n_tiles && key.y < n_tiles
            }
        };
        let rises = ramp.is_sorted_by(|a, b| a.z < b.z) && ramp.iter().all(|it| it.z.is_finite());
        let is_color_by = |it: &ColorBy| (1..=MAX_PROPERTY_COLORS).contains(&it.colors.len());
        let rules = [
            (corner.iter().all(|it| it.is_finite()), "a finite corner"),
            (
                is_size(*step) && is_size(*z_unit),
                "steps and heights have a size",
            ),
            (*steps_per_tile > 0, "at least one step a tile"),
            ((1..=MAX_LEVELS).contains(n_levels), "1 to 24 levels"),
            (is_height_range, "a finite range of heights"),
            (land.iter().all(is_in_tree), "land is in the tree"),
            (
                !ramp.is_empty() && ramp.len() <= MAX_RAMP_COLORS && rises,
                "1 to 16 colors, each higher than the one before",
            ),
            (
                color_by.iter().all(is_color_by),
                "1 to 32 colors a property",
            ),
        ];
        rules
            .iter()
            .find(|(holds, _)| !holds)
            .map_or(Ok(()), |(_, rule)| Err(*rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> TileTree {
        TileTree {
            corner: [-1000.0, 500.0],
            step: 16.0,
            steps_per_tile: 128,
            n_levels: 4,
            z_unit: 1.0,
            z_range: [-10.0, 10.0],
            land: vec![TileKey {
                level: 1,
                x: 3,
                y: 0,
            }],
            ramp: vec![RampColor {
                z: 0.0,
                color: [0.5; 3],
            }],
            color_by: Vec::new(),
        }
    }

    #[test]
    fn four_quarters_cover_their_tile() {
        let tree = tree();
        let key = TileKey {
            level: 2,
            x: 1,
            y: 0,
        };
        let ([x, y], side) = tree.square_of(key);
        assert_eq!(([x, y], side), ([-1000.0 + 8192.0, 500.0], 8192.0));
        let children = key.children().unwrap();
        for (child, [at_x, at_y]) in
            children
                .iter()
                .zip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        {
            let half = side / 2.0;
            assert_eq!(
                tree.square_of(*child),
                ([x + at_x * half, y + at_y * half], half)
            );
            assert_eq!(child.at_level(2), key);
        }
        assert_eq!(
            TileKey {
                level: 0,
                x: 0,
                y: 0
            }
            .children(),
            None
        );
        assert_eq!(tree.square_of(tree.root()).1, 16384.0);
    }

    #[test]
    fn land_is_found_from_the_root_down() {
        let around = tree().around_land();
        let expected =
            [(1, 3, 0), (2, 1, 0), (3, 0, 0)].map(|(level, x, y)| TileKey { level, x, y });
        assert_eq!(around, HashSet::from(expected));
    }

    #[test]
    fn broken_trees_are_named() {
        assert_eq!(tree().check(), Ok(()));
        type Damage = fn(&mut TileTree);
        let cases: [(&str, Damage); 7] = [
            ("a finite corner", |it| it.corner[1] = f32::NAN),
            ("steps and heights have a size", |it| it.step = 0.0),
            ("at least one step a tile", |it| it.steps_per_tile = 0),
            ("1 to 24 levels", |it| it.n_levels = 25),
            ("land is in the tree", |it| it.land[0].x = 4),
            ("1 to 16 colors, each higher than the one before", |it| {
                it.ramp.clear()
            }),
            ("a finite range of heights", |it| it.z_range = [1.0, 0.0]),
        ];
        for (rule, damage) in cases {
            let mut broken = tree();
            damage(&mut broken);
            assert_eq!(broken.check(), Err(rule));
        }
    }
}
