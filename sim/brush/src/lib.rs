//! Solid convex brushes under a BSP tree: moving boxes and rays, contents of points. Dossier sections 6.4 and 7.
//!
//! In: a plain [`BrushMap`] and boxes for static props, all taken once into flat arrays. Out: where a moving box stops
//! and what stopped it. World axes (right-handed, +Z up), units of the map.
//!
//! Everything convex, brushes of the world, those of brush entities where these stand (`entity.rs`) and boxes of static
//! props with the planes that shape casts of boxes need (`prop.rs`), is under a tree of boxes (`convex.rs`), and so are
//! the cells of displacements (`displacement.rs`). The map's own tree (`tree.rs`) says what a point is in, and which of
//! two brushes comes first that stop a motion at the same share of it.
//!
//! Arithmetic: planes are stored in f32, as in the file; tests are made in f64, so that no finite input overflows and
//! a box that was stopped stays outside of what stopped it.
//!
//! Brush entities that move are left out of the world, and are each a [`MovingModel`] where it is now (`moving.rs`).
//!
//! Deliberately absent: files, which classes of entities are solid or move, meshes of studio models, the physics lumps.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod build;
mod contents;
mod convex;
mod displacement;
mod entity;
mod error;
mod map;
mod motion;
mod moving;
mod polygon;
mod prop;
mod query;
mod scratch;
mod shape_cast;
mod side;
mod surface;
mod tree;
mod triangle;

pub use contents::Place;
pub use error::BrushWorldError;
pub use map::{
    Brush, BrushEntity, BrushMap, BrushSide, ContentBits, DisplacementGrid, Leaf, Node, Plane,
};
pub use moving::{MovingModel, Obstacles};
pub use prop::{PropHull, PropSolid};
pub use query::{CastHit, CastResult, CastTargets, Obstacle, ShapeCast};
pub use scratch::CastScratch;
pub use surface::{HitSurface, fan};

use convex::ConvexBodies;
use displacement::{Displacement, DisplacementCells};
use side::Side;
use tree::Tree;

/// A box or ray that is stopped by the plane of a brush stops this far in front of it (section 7.3).
pub const SURFACE_GAP: f32 = 1.0 / 32.0;

/// What is solid in a map, ready for queries. Immutable after it is built; share it freely.
///
/// ```
/// use glam::Vec3;
/// use ironlands_sim_brush::{
///     Brush, BrushMap, BrushSide, BrushWorld, ContentBits, Leaf, Plane, CastScratch, ShapeCast,
/// };
///
/// // A cube of 16 units around the origin, in the only leaf of the map.
/// let normals = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
/// let map = BrushMap {
///     planes: normals.map(|normal| Plane { normal: normal.to_array(), dist: 8.0 }).to_vec(),
///     brush_sides: (0..6).map(|plane| BrushSide { plane, ..BrushSide::default() }).collect(),
///     brushes: vec![Brush { first_side: 0, n_sides: 6, contents: ContentBits::SOLID }],
///     leaf_brushes: vec![0],
///     leaves: vec![Leaf { contents: ContentBits::SOLID, n_leaf_brushes: 1, ..Leaf::default() }],
///     head_nodes: vec![-1],
///     ..BrushMap::default()
/// };
/// let world = BrushWorld::new(&map, &[])?;
///
/// let ray = ShapeCast::from_ray(Vec3::Z * 100.0, Vec3::ZERO, ContentBits::SOLID);
/// let trace = world.cast_shape(&ray, &mut CastScratch::default());
/// // It stops a bit in front of the plane.
/// assert_eq!(trace.end.z, 8.0 + ironlands_sim_brush::SURFACE_GAP);
/// assert_eq!(trace.hit.map(|hit| hit.normal), Some(Vec3::Z));
/// # Ok::<(), ironlands_sim_brush::BrushWorldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BrushWorld {
    tree: Tree,
    /// The sides of the file in its order, then those of moved brushes, then those of props.
    sides: Vec<Side>,
    /// Texinfo of each side; -1 = none.
    side_texinfos: Vec<i32>,
    /// Plane of each side of the file.
    side_planes: Vec<u32>,
    /// The brushes of the file in its order, then moved ones, then props.
    brushes: Vec<side::Brush>,
    /// Whose each brush behind those of the file is.
    owners: Vec<Obstacle>,
    /// Of each side a brush that has it.
    brush_of_side: Vec<u32>,
    /// Where solid brush entities stand, ascending by entity.
    models: Vec<BrushEntity>,
    n_file_brushes: usize,
    /// Brushes of entities that move, ascending: casts do not hit them.
    moving_brushes: Vec<u32>,
    displacements: Vec<Displacement>,
    /// Brushes of the world, ascending, then moved ones and props.
    convex_bodies: ConvexBodies,
    displacement_cells: DisplacementCells,
}
