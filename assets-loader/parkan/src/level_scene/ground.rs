//! The ground: tiles at both levels of detail to one mesh with a cluster a tile.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tiles and batches name vertices, indices and materials that were collected with them"
)]

use std::collections::BTreeMap;
use std::ops::Range;

use ironlands_scene::{Aabb, Batch, Cluster, LodGrid, MaterialIdx, Mesh};

use super::FORMAT;
use super::borders::BorderEdge;
use super::skirts::skirt_depth;
use super::surfaces::Surfaces;
use super::tiles::{Tile, TileLod, collect_tiles, finite_positions, neighbors_of};
use crate::land_msh::{LandMsh, unpack_normal, unpack_uv};
use ironlands_assets_core::bytes::{Finding, Severity};

/// The original draws a tile coarse where `dx * dx + dy * dy` in tiles exceeds this (dossier section 11.3).
const COARSE_BEYOND_SQ: i32 = 8;
/// Borders of neighboring tiles run along each other within this part of a cell.
const BORDER_TOLERANCE: f32 = 1e-4;
/// Tiles with more outline edges get no skirts: all are compared with all of the neighbors'. A whole level
/// has 65,536 vertices at most, so that a tile of this outline would be a ragged one.
const MAX_SKIRTED_EDGES: usize = 1024;

/// The ground as it is drawn, and the outlines that other parts of the scene need.
pub(super) struct Ground {
    /// Tiles as clusters.
    pub mesh: Mesh,
    /// The tiles, x-major as in the file, also those without faces.
    pub tiles: Vec<Tile>,
    /// Box around the finest faces; `None` without any.
    pub bounds: Option<Aabb>,
}

impl Ground {
    /// Builds the mesh; materials are made as faces need them.
    pub(super) fn new(
        land: &LandMsh,
        surfaces: &mut Surfaces<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let positions = finite_positions(land);
        let n_dropped = positions
            .iter()
            .filter(|position| position.is_none())
            .count();
        if n_dropped > 0 {
            let message =
                format!("faces at {n_dropped} vertices that are not finite are not drawn");
            findings.push(Finding::new(Severity::Error, FORMAT, message));
        }
        let tiles = collect_tiles(land, &positions, surfaces, findings);
        // Nothing names the dropped vertices any more; they lie with the others, so that bounds stay true.
        let anywhere = positions
            .iter()
            .flatten()
            .next()
            .copied()
            .unwrap_or_default();
        let mesh = Mesh {
            name: "ground".to_owned(),
            positions: positions
                .into_iter()
                .map(|p| p.unwrap_or(anywhere))
                .collect(),
            normals: land
                .normals
                .iter()
                .map(|packed| unit_normal(*packed))
                .collect(),
            uv_sets: [&land.uv0, &land.micro_uv]
                .map(|uvs| uvs.iter().map(|packed| unpack_uv(*packed)).collect()),
            colors: second_weights(land),
            lod_grid: lod_grid(land, findings),
            ..Mesh::default()
        };
        let finest = tiles.iter().filter_map(|tile| tile.lods.first());
        let vertices = finest.flat_map(|lod| lod.faces.iter().flat_map(|face| face.vertices));
        let bounds = Aabb::around(vertices.map(|vertex| &mesh.positions[vertex as usize]));
        let cells_y = land.cells_y() as usize;
        let mut builder = Builder {
            mesh,
            surfaces,
            tolerance: border_tolerance(land),
            n_ragged: 0,
        };
        for (tile_idx, tile) in tiles.iter().enumerate() {
            builder.add_tile(tile, &neighbors_of(&tiles, tile_idx, cells_y));
        }
        builder.sort_indices();
        let Builder { mesh, n_ragged, .. } = builder;
        if n_ragged > 0 {
            let message = format!(
                "{n_ragged} outlines of tiles have more than {MAX_SKIRTED_EDGES} edges; there may be cracks"
            );
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        Self {
            mesh,
            tiles,
            bounds,
        }
    }
}

/// The mesh while tiles are added to it.
struct Builder<'a, 'level> {
    mesh: Mesh,
    surfaces: &'a mut Surfaces<'level>,
    /// How far borders that run along each other may be apart.
    tolerance: f32,
    /// Outlines that got no skirts.
    n_ragged: usize,
}

impl Builder<'_, '_> {
    /// Adds a tile as a cluster, unless it has no face.
    fn add_tile(&mut self, tile: &Tile, neighbors: &[&Tile]) {
        let others: Vec<&BorderEdge> = neighbors
            .iter()
            .flat_map(|tile| &tile.lods)
            .filter(|lod| lod.border.len() <= MAX_SKIRTED_EDGES)
            .flat_map(|lod| &lod.border)
            .collect();
        let first_index = self.mesh.indices.len();
        let lods = tile.lods.iter().map(|lod| self.add_lod(lod, &others));
        let mut lods: Vec<Range<u32>> = lods.collect();
        // A tile without a coarse level shows its only one at any distance.
        if let [only] = &lods[..] {
            lods.push(only.clone());
        }
        let drawn = self.mesh.indices[first_index..].iter();
        let corners = drawn.map(|vertex| &self.mesh.positions[*vertex as usize]);
        if let Some(bounds) = Aabb::around(corners) {
            self.mesh.clusters.push(Cluster {
                cells: Vec::new(),
                bounds,
                cell: tile.cell,
                lods,
            });
        }
    }

    /// Adds the faces and skirts of a tile at one level of detail; its batches, one a material.
    fn add_lod(&mut self, lod: &TileLod, others: &[&BorderEdge]) -> Range<u32> {
        let mut triangles = BTreeMap::<MaterialIdx, Vec<u32>>::new();
        for face in &lod.faces {
            let material = self.surfaces.material(face.surface);
            triangles.entry(material).or_default().extend(face.vertices);
        }
        let ground_edges = lod.border.iter().filter(|edge| !edge.surface.is_water());
        let skirted_edges = match lod.border.len() <= MAX_SKIRTED_EDGES {
            true => ground_edges.collect(),
            false => {
                self.n_ragged += 1;
                Vec::new()
            }
        };
        for edge in skirted_edges {
            let depth = skirt_depth(edge, others.iter().copied(), self.tolerance);
            let Some(depth) = depth else {
                continue;
            };
            // All layers of the edge's face: where an overlay covers its base, the base alone would show as a line.
            let material = self.surfaces.material(edge.surface);
            let skirt = self.hang_skirt(edge, depth);
            triangles.entry(material).or_default().extend(skirt);
        }
        let first_batch = self.mesh.batches.len() as u32;
        for (material, indices) in triangles {
            self.mesh.batches.push(Batch {
                first_index: self.mesh.indices.len() as u32,
                n_indices: indices.len() as u32,
                material,
            });
            self.mesh.indices.extend(indices);
        }
        first_batch..self.mesh.batches.len() as u32
    }

    /// Puts the triangles of like batches next to each other: those of one level of detail, there those of one
    /// material, there tile by tile. Runs of visible tiles with one material then follow each other in the index
    /// buffer, and one draw call covers them.
    fn sort_indices(&mut self) {
        let Mesh {
            indices,
            batches,
            clusters,
            ..
        } = &mut self.mesh;
        let ranks = self.surfaces.material_ranks();
        let mut lods = vec![0; batches.len()];
        for cluster in clusters.iter() {
            // The finest level that a batch belongs to counts.
            for (lod, range) in cluster.lods.iter().enumerate().rev() {
                lods[range.start as usize..range.end as usize].fill(lod);
            }
        }
        let mut order: Vec<usize> = (0..batches.len()).collect();
        order.sort_by_key(|idx| (lods[*idx], ranks[batches[*idx].material.0 as usize], *idx));
        let mut sorted = Vec::with_capacity(indices.len());
        for idx in order {
            let batch = &mut batches[idx];
            let first_index = batch.first_index as usize;
            batch.first_index = sorted.len() as u32;
            sorted.extend_from_slice(&indices[first_index..first_index + batch.n_indices as usize]);
        }
        *indices = sorted;
    }

    /// Adds the lower vertices of a skirt; its two triangles. They look like the edge that they hang from.
    fn hang_skirt(&mut self, edge: &BorderEdge, depth: f32) -> [u32; 6] {
        let [a, b] = edge.vertices;
        let mesh = &mut self.mesh;
        let below_a = mesh.positions.len() as u32;
        for vertex in edge.vertices {
            let vertex = vertex as usize;
            let [x, y, z] = mesh.positions[vertex];
            mesh.positions.push([x, y, z - depth]);
            mesh.normals.push(mesh.normals[vertex]);
            for uvs in &mut mesh.uv_sets {
                uvs.push(uvs[vertex]);
            }
            mesh.colors.push(mesh.colors[vertex]);
        }
        let below_b = below_a + 1;
        [b, a, below_a, b, below_a, below_b]
    }
}

/// No baked light, and how opaque second materials are.
fn second_weights(land: &LandMsh) -> Vec<[f32; 4]> {
    let color = |weight: f32| [0.0, 0.0, 0.0, weight];
    // What is no number is 0.
    let opacity = |weight: &f32| color(weight.max(0.0).clamp(0.0, 1.0));
    match &land.second_weights {
        Some(weights) => weights.iter().map(opacity).collect(),
        None => vec![color(1.0); land.positions.len()],
    }
}

fn border_tolerance(land: &LandMsh) -> f32 {
    let cell_size = land.grid().map_or([0.0; 2], |grid| grid.cell_size);
    cell_size[0].min(cell_size[1]).max(0.0) * BORDER_TOLERANCE
}

fn unit_normal(packed: [i8; 4]) -> [f32; 3] {
    let normal = glam::Vec3::from_array(unpack_normal(packed));
    normal.try_normalize().unwrap_or(glam::Vec3::Z).to_array()
}

fn lod_grid(land: &LandMsh, findings: &mut Vec<Finding>) -> Option<LodGrid> {
    let grid = land.grid()?;
    let is_grid = grid
        .cell_size
        .iter()
        .all(|size| size.is_finite() && *size > 0.0)
        && grid.origin.iter().all(|v| v.is_finite());
    if !is_grid {
        let message = format!(
            "cells of {:?} units at {:?} are no grid; all tiles are drawn at their finest",
            grid.cell_size, grid.origin
        );
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
        return None;
    }
    Some(LodGrid {
        origin: grid.origin,
        cell_size: grid.cell_size,
        coarse_beyond_sq: COARSE_BEYOND_SQ,
    })
}
