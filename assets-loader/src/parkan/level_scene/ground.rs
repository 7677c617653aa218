//! The ground: tiles at both levels of detail to one mesh with a cluster a tile.

use std::collections::BTreeMap;
use std::ops::Range;

use ironlands_scene::{Aabb, Batch, Cluster, LodGrid, MaterialIdx, Mesh};

use super::FORMAT;
use super::borders::{BorderEdge, GroundFace, border_edges};
use super::skirts::skirt_depth;
use super::surfaces::Surfaces;
use crate::bytes::{Finding, Severity};
use crate::parkan::land_msh::{LandMsh, unpack_normal, unpack_uv};

/// The original draws a tile coarse where `dx * dx + dy * dy` in tiles exceeds this (dossier section 11.3).
const COARSE_BEYOND_SQ: i32 = 8;
/// Borders of neighbouring tiles run along each other within this part of a cell.
const BORDER_TOLERANCE: f32 = 1e-4;
/// Tiles with more outline edges get no skirts: all are compared with all of the neighbours'. A whole level
/// has 65,536 vertices at most, so that a tile of this outline would be a ragged one.
const MAX_SKIRTED_EDGES: usize = 1024;

/// The ground as it is drawn, and the outlines that other parts of the scene ask for.
pub(super) struct Ground {
    /// Tiles as clusters.
    pub mesh: Mesh,
    /// The tiles, x-major as in the file, also those without faces.
    pub tiles: Vec<Tile>,
    /// Box around the finest faces; `None` without any.
    pub bounds: Option<Aabb>,
}

/// One tile: the faces and outlines of its levels of detail, finest first; one or two.
pub(super) struct Tile {
    cell: [i32; 2],
    pub lods: Vec<TileLod>,
}

/// A tile at one level of detail.
pub(super) struct TileLod {
    pub faces: Vec<GroundFace>,
    pub border: Vec<BorderEdge>,
}

impl Ground {
    /// Builds the mesh; materials are made as faces ask for them.
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
            lod_grid: lod_grid(land, findings),
            ..Mesh::default()
        };
        let finest = tiles.iter().filter_map(|tile| tile.lods.first());
        let vertices = finest.flat_map(|lod| lod.faces.iter().flat_map(|face| face.vertices));
        let bounds = Aabb::around(vertices.map(|vertex| &mesh.positions[vertex as usize]));
        let mut ground = Self {
            mesh,
            tiles,
            bounds,
        };
        ground.fill_clusters(land, surfaces, findings);
        ground
    }

    fn fill_clusters(
        &mut self,
        land: &LandMsh,
        surfaces: &mut Surfaces<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let cell_size = land.grid().map_or([0.0; 2], |grid| grid.cell_size);
        let tolerance = cell_size[0].min(cell_size[1]).max(0.0) * BORDER_TOLERANCE;
        let mut n_ragged = 0;
        for (tile_idx, tile) in self.tiles.iter().enumerate() {
            let neighbors = neighbors_of(&self.tiles, tile_idx, land.cells_y() as usize);
            let others: Vec<&BorderEdge> = neighbors
                .iter()
                .flat_map(|tile| &tile.lods)
                .filter(|lod| lod.border.len() <= MAX_SKIRTED_EDGES)
                .flat_map(|lod| &lod.border)
                .collect();
            let first_index = self.mesh.indices.len();
            let mut lods = Vec::new();
            for lod in &tile.lods {
                let mut groups = Groups::default();
                for face in &lod.faces {
                    groups.add(surfaces.material(face.surface), face.vertices);
                }
                if lod.border.len() <= MAX_SKIRTED_EDGES {
                    add_skirts(
                        &mut self.mesh,
                        &mut groups,
                        surfaces,
                        lod,
                        &others,
                        tolerance,
                    );
                } else {
                    n_ragged += 1;
                }
                let first_batch = self.mesh.batches.len() as u32;
                groups.flush(&mut self.mesh);
                lods.push(first_batch..self.mesh.batches.len() as u32);
            }
            let drawn = &self.mesh.indices[first_index..];
            let corners = drawn
                .iter()
                .map(|vertex| &self.mesh.positions[*vertex as usize]);
            let Some(bounds) = Aabb::around(corners) else {
                continue;
            };
            // A tile without a coarse level shows its only one at any distance.
            if let [only] = &lods[..] {
                lods.push(only.clone());
            }
            self.mesh.clusters.push(Cluster {
                bounds,
                cell: tile.cell,
                lods,
            });
        }
        if n_ragged > 0 {
            let message = format!(
                "{n_ragged} tiles have outlines of more than {MAX_SKIRTED_EDGES} edges; there may be cracks"
            );
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
    }
}

/// Adds the skirts of a tile at one level of detail, in the base material of the edges that they hang from.
fn add_skirts(
    mesh: &mut Mesh,
    groups: &mut Groups,
    surfaces: &mut Surfaces<'_>,
    lod: &TileLod,
    others: &[&BorderEdge],
    tolerance: f32,
) {
    let ground_edges = lod.border.iter().filter(|edge| !edge.surface.is_water());
    for edge in ground_edges {
        let Some(depth) = skirt_depth(edge, others.iter().copied(), tolerance) else {
            continue;
        };
        let material = surfaces.material(edge.surface.base_only());
        for triangle in hang_skirt(mesh, edge, depth) {
            groups.add(material, triangle);
        }
    }
}

/// Triangles of one tile and level of detail by material.
#[derive(Default)]
struct Groups(BTreeMap<MaterialIdx, Vec<u32>>);

impl Groups {
    fn add(&mut self, material: MaterialIdx, triangle: [u32; 3]) {
        self.0.entry(material).or_default().extend(triangle);
    }

    fn flush(self, mesh: &mut Mesh) {
        for (material, indices) in self.0 {
            mesh.batches.push(Batch {
                first_index: mesh.indices.len() as u32,
                n_indices: indices.len() as u32,
                material,
            });
            mesh.indices.extend(indices);
        }
    }
}

/// Adds the lower vertices of a skirt; its two triangles. They look like the edge that they hang from.
fn hang_skirt(mesh: &mut Mesh, edge: &BorderEdge, depth: f32) -> [[u32; 3]; 2] {
    let [a, b] = edge.vertices;
    let first = mesh.positions.len() as u32;
    for vertex in edge.vertices {
        let vertex = vertex as usize;
        let [x, y, z] = mesh.positions[vertex];
        mesh.positions.push([x, y, z - depth]);
        mesh.normals.push(mesh.normals[vertex]);
        for uvs in &mut mesh.uv_sets {
            uvs.push(uvs[vertex]);
        }
    }
    let [below_a, below_b] = [first, first + 1];
    [[b, a, below_a], [b, below_a, below_b]]
}

/// The positions; `None` for those that are not finite.
fn finite_positions(land: &LandMsh) -> Vec<Option<[f32; 3]>> {
    let is_finite = |position: &[f32; 3]| position.iter().all(|v| v.is_finite());
    let positions = land.positions.iter().copied();
    positions
        .map(|position| Some(position).filter(is_finite))
        .collect()
}

fn unit_normal(packed: [i8; 4]) -> [f32; 3] {
    let normal = glam::Vec3::from_array(unpack_normal(packed));
    normal.try_normalize().unwrap_or(glam::Vec3::Z).to_array()
}

fn collect_tiles(
    land: &LandMsh,
    positions: &[Option<[f32; 3]>],
    surfaces: &Surfaces<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Tile> {
    let cells_y = (land.cells_y() as usize).max(1);
    let finite: Vec<[f32; 3]> = positions.iter().map(|p| p.unwrap_or_default()).collect();
    let mut drawn = [vec![false; land.faces.len()], vec![false; land.faces.len()]];
    let mut n_repeated = 0;
    let mut tiles = Vec::with_capacity(land.nodes.len());
    for tile in 0..land.nodes.len() {
        let mut slots = [0, 1].map(|lod| land.tile_slot(tile, lod));
        if let [Some(fine), Some(coarse)] = slots
            && land.slot_face_range(fine) == land.slot_face_range(coarse)
        {
            slots[1] = None;
        }
        let lods = slots
            .into_iter()
            .zip(&mut drawn)
            .filter_map(|(slot, drawn)| {
                let mut places = land.slot_face_range(slot?);
                // Each face is one tile's; a broken file must not draw all of them with every tile.
                if drawn[places.clone()].contains(&true) {
                    n_repeated += 1;
                    places = 0..0;
                }
                drawn[places.clone()].fill(true);
                let faces = drawn_faces(land, places, positions, surfaces);
                let border = border_edges(&faces, &finite);
                Some(TileLod { faces, border })
            });
        tiles.push(Tile {
            cell: [(tile / cells_y) as i32, (tile % cells_y) as i32],
            lods: lods.collect(),
        });
    }
    if n_repeated > 0 {
        let message = format!("{n_repeated} slots name faces of another tile; they are not drawn");
        findings.push(Finding::new(Severity::Error, FORMAT, message));
    }
    tiles
}

/// The faces that type 11 records name: a key that is no face index stands for its own place (Q-M8).
fn drawn_faces(
    land: &LandMsh,
    places: Range<usize>,
    positions: &[Option<[f32; 3]>],
    surfaces: &Surfaces<'_>,
) -> Vec<GroundFace> {
    let faces = places.filter_map(|place| {
        let key = land
            .face_keys
            .get(place)
            .map(|record| usize::from(record.key));
        let by_key = key.and_then(|key| land.faces.get(key));
        by_key.or_else(|| land.faces.get(place))
    });
    faces
        .map(|face| GroundFace {
            vertices: face.vertices.map(u32::from),
            surface: surfaces.of_face(face),
        })
        .filter(|GroundFace { vertices, .. }| {
            let [a, b, c] = *vertices;
            let exists = |vertex: u32| positions.get(vertex as usize).is_some_and(Option::is_some);
            a != b && b != c && c != a && [a, b, c].into_iter().all(exists)
        })
        .collect()
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

/// The up to eight tiles around a tile.
fn neighbors_of(tiles: &[Tile], tile_idx: usize, cells_y: usize) -> Vec<&Tile> {
    let [cx, cy] = tiles[tile_idx].cell;
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [cx + dx, cy + dy]));
    around
        .filter(|cell| *cell != [cx, cy])
        .filter_map(|[x, y]| {
            let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
            (y < cells_y).then(|| tiles.get(x * cells_y + y)).flatten()
        })
        .collect()
}
