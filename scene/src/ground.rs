//! Meshes: vertex streams, batches and clusters with levels of detail.

use std::ops::Range;

use crate::{MaterialIdx, MorphTarget, SkinVertex};

/// Axis-aligned box; a point counts as a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest x, y, z.
    pub min: [f32; 3],
    /// Largest x, y, z.
    pub max: [f32; 3],
}

impl Aabb {
    /// The smallest box around the points; `None` without points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a [f32; 3]>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = *points.next()?;
        let start = Self {
            min: first,
            max: first,
        };
        Some(points.fold(start, |aabb, point| Self {
            min: std::array::from_fn(|axis| aabb.min[axis].min(point[axis])),
            max: std::array::from_fn(|axis| aabb.max[axis].max(point[axis])),
        }))
    }

    /// Whether a point is in the box or on its surface.
    pub fn contains(&self, point: [f32; 3]) -> bool {
        (0..3).all(|axis| (self.min[axis]..=self.max[axis]).contains(&point[axis]))
    }

    /// The middle of the box.
    pub fn center(&self) -> [f32; 3] {
        std::array::from_fn(|axis| (self.min[axis] + self.max[axis]) * 0.5)
    }
}

/// A mesh, in world space unless it is part of a model: streams of equal length, triangles, and what to draw of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name for reports.
    pub name: String,
    /// Vertex positions.
    pub positions: Vec<[f32; 3]>,
    /// Unit vertex normals, one per position.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates by UV set, one per position in each; v = 0 is a texture's first row.
    pub uv_sets: [Vec<[f32; 2]>; 2],
    /// Red, green, blue: baked light, linear, 1 = fully lit, for [`crate::Lighting::Ambient`]; the fourth: weight of
    /// [`crate::Pass::blend_texture`] and of passes that fade ([`crate::Pass::fade`]). Where
    /// lightmaps light a pass there is no baked light, and any of them may be a weight. One per position, or empty: no baked light, weight 0.
    pub colors: Vec<[f32; 4]>,
    /// What carries each vertex of a model's mesh, if the model has joints; else empty.
    pub skin: Vec<SkinVertex>,
    /// How vertices can move; empty unless the mesh is part of a model.
    pub morph_targets: Vec<MorphTarget>,
    /// Triangle list, counter-clockwise seen from the front.
    pub indices: Vec<u32>,
    /// Runs of triangles with one material.
    pub batches: Vec<Batch>,
    /// Culling units; together they name every batch that is drawn.
    pub clusters: Vec<Cluster>,
    /// How clusters choose a level of detail; without it all use the finest.
    pub lod_grid: Option<LodGrid>,
}

/// A run of triangles with one material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// First element of `Mesh::indices`.
    pub first_index: u32,
    /// Number of elements, a multiple of 3.
    pub n_indices: u32,
    /// Material of all its triangles.
    pub material: MaterialIdx,
}

/// A culling unit: a box, and the batches that draw its content at each level of detail.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// Box around all levels of detail.
    pub bounds: Aabb,
    /// Cell of [`LodGrid`] that it stands for.
    pub cell: [i32; 2],
    /// Ranges of `Mesh::batches`, finest first; never empty.
    pub lods: Vec<Range<u32>>,
    /// Cells of `Scene::visibility` that it reaches into; empty = it may be seen from everywhere.
    pub cells: Vec<u32>,
}

/// Level of detail by whole cells between the camera's cell and the cluster's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LodGrid {
    /// World x and y of the corner of cell (0, 0).
    pub origin: [f32; 2],
    /// Extent of one cell in x and y; positive.
    pub cell_size: [f32; 2],
    /// The second level is used where `dx * dx + dy * dy` in cells exceeds this.
    pub coarse_beyond_sq: i32,
}

impl LodGrid {
    /// The cell that a point is in; cells beyond the level count on.
    pub fn cell_of(&self, point: [f32; 3]) -> [i32; 2] {
        // The cast saturates, which is what a camera at infinity wants.
        std::array::from_fn(|axis| {
            ((point[axis] - self.origin[axis]) / self.cell_size[axis]).floor() as i32
        })
    }

    /// Whether a cluster in `cell` is drawn coarse for a camera in `camera_cell`.
    pub fn is_coarse(&self, cell: [i32; 2], camera_cell: [i32; 2]) -> bool {
        let [dx, dy] =
            std::array::from_fn(|axis| i64::from(cell[axis]) - i64::from(camera_cell[axis]));
        dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
            > i64::from(self.coarse_beyond_sq)
    }
}
