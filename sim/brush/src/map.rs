//! The plain map that a brush world is built from.
//!
//! World axes (right-handed, +Z up), units of the map. Its numbers may be anything: [`BrushWorld::new`] refuses a map
//! that names what is not there.
//!
//! Deliberately absent: reading one from a file, which classes of entities are solid, and what bits of contents mean.
//!
//! [`BrushWorld::new`]: crate::BrushWorld::new

use bitflags::bitflags;
use glam::Vec3;

bitflags! {
    /// Contents of brushes, leaves and displacements, and masks of shape casts. What a bit stands for is the map's own.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct ContentBits: i32 {
        /// Stops everything: the contents of props.
        const SOLID = 0x1;

        const _ = !0;
    }
}

/// Everything in a map that can stop a box, except its props.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BrushMap {
    /// Planes of nodes and brush sides.
    pub planes: Vec<Plane>,
    /// Nodes of the trees of all brush models.
    pub nodes: Vec<Node>,
    /// Leaves of the trees of all brush models.
    pub leaves: Vec<Leaf>,
    /// Brushes of leaves.
    pub leaf_brushes: Vec<u32>,
    /// Brushes of all brush models.
    pub brushes: Vec<Brush>,
    /// Sides of brushes.
    pub brush_sides: Vec<BrushSide>,
    /// Where the tree of each brush model begins: a node, or `-1 - leaf`. The first one is the world.
    pub head_nodes: Vec<i32>,
    /// Brush models other than the world that stop things where they stand, ascending by entity.
    pub entities: Vec<BrushEntity>,
    /// Displacements.
    pub displacements: Vec<DisplacementGrid>,
}

/// `dot(normal, p) = dist`; the normal has unit length.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Plane {
    /// Outward for a brush side, to the front for a node.
    pub normal: [f32; 3],
    /// Distance from the origin along the normal.
    pub dist: f32,
}

/// A plane that divides what is below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Node {
    /// Index of its plane.
    pub plane: i32,
    /// Front and back: a node, or `-1 - leaf`.
    pub children: [i32; 2],
}

/// A convex part of space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Leaf {
    /// Contents of all brushes that reach into it.
    pub contents: ContentBits,
    /// Cluster of visibility, or -1.
    pub cluster: i32,
    /// Area; 0 = solid or outside.
    pub area: u32,
    /// First of its leaf brushes.
    pub first_leaf_brush: u32,
    /// Entries from `first_leaf_brush` on.
    pub n_leaf_brushes: u32,
}

/// What is behind all of its sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brush {
    /// Index into the sides of the map.
    pub first_side: i32,
    /// How many it has. A brush without sides is not there.
    pub n_sides: i32,
    /// What it is made of.
    pub contents: ContentBits,
}

/// A half space of a brush.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BrushSide {
    /// Index of its plane.
    pub plane: u32,
    /// Texinfo, which is handed on; -1 = none.
    pub texinfo: i32,
    /// Whether only boxes hit it.
    pub is_bevel: bool,
}

/// A brush model that stands in the level and stops things.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrushEntity {
    /// The number that results name it by.
    pub entity: usize,
    /// Brush model. One that is not there stops nothing.
    pub model: usize,
    /// Where the model's own origin is.
    pub origin: Vec3,
    /// Pitch, yaw, roll in degrees.
    pub angles: Vec3,
    /// Whether it moves: then casts at the world do not hit it, but at a [`MovingModel`](crate::MovingModel) of it.
    pub moves: bool,
}

/// A grid of triangles that are solid from their front.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DisplacementGrid {
    /// Texinfo, which is handed on; -1 = none.
    pub texinfo: i32,
    /// What it is made of.
    pub contents: ContentBits,
    /// Whether rays hit it.
    pub stops_rays: bool,
    /// Whether boxes hit it.
    pub stops_boxes: bool,
    /// Cells a row, and rows: 4, 8 or 16.
    pub n_cells: usize,
    /// Vertices row by row, one a row more than cells, and one row more.
    pub positions: Vec<[f32; 3]>,
    /// Counter-clockwise seen from the front; two for each cell, row by row.
    pub triangles: Vec<[u16; 3]>,
    /// Whether a triangle is removed, by triangle; triangles beyond the end of the list are not.
    pub is_removed: Vec<bool>,
}
