//! The ground before it is triangles: a fine height field, surface classes and roads.
//!
//! In: a [`Plan`], one a level. Out: a [`Landscape`]. World axes: x east, y north, z up; units are the game's.

mod archipelago;
mod bay;
mod classes;
mod field;
mod roads;

pub use archipelago::archipelago;
pub use bay::bay;
pub use classes::{Class, ClassField};
pub use field::HeightField;
pub use roads::{Link, RoadMap};

/// Side of a tile in world units: 1190.6976 / 16, as in the retail levels that were measured.
pub const TILE_SIZE: f64 = 74.4186;

/// What a level is to be: its size and the shape of its ground.
pub struct Plan {
    /// Tiles along each side.
    pub n_tiles: usize,
    /// Quads along each side of a tile; materials change between quads only.
    pub quads_per_tile: usize,
    /// Surface of the sea, world z.
    pub water_level: f64,
    /// Highest ground, world z; the lowest is 0.
    pub peak: f64,
    /// Seed of everything random.
    pub seed: u32,
    /// World z (before scaling to `peak`) at a point given in fractions of the side, `0.0..=1.0`.
    pub height: fn(&Plan, f64, f64) -> f64,
    /// Way points of the roads, in fractions of the side. A later road joins an earlier one where they cross.
    pub roads: &'static [&'static [[f64; 2]]],
    /// Height above the water, in world units, where snow begins.
    pub snow_line: f64,
    /// How far the mesh may grow: quads are refined until one of these is reached.
    pub limits: Limits,
}

/// Sizes that a level's mesh must not exceed.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Faces of both levels of detail.
    pub n_faces: usize,
    /// Vertices.
    pub n_vertices: usize,
}

impl Plan {
    /// Quads along each side of the level.
    pub fn n_quads(&self) -> usize {
        self.n_tiles * self.quads_per_tile
    }

    /// Side of the level in world units.
    pub fn world_size(&self) -> f64 {
        TILE_SIZE * self.n_tiles as f64
    }

    /// Side of a quad in world units.
    pub fn quad_size(&self) -> f64 {
        TILE_SIZE / self.quads_per_tile as f64
    }
}

/// The ground of a level.
pub struct Landscape {
    pub plan: Plan,
    pub heights: HeightField,
    pub classes: ClassField,
    pub roads: RoadMap,
}

impl Landscape {
    /// Shapes the ground: heights, then roads cut into them, then what covers it all.
    pub fn new(plan: Plan) -> Self {
        let mut heights = HeightField::new(&plan);
        let roads = RoadMap::lay(&plan, &heights);
        heights.flatten_along(&roads);
        let classes = ClassField::new(&plan, &heights, &roads);
        Self {
            plan,
            heights,
            classes,
            roads,
        }
    }
}
