//! Facets to `Land.msh`: vertices, faces, slots and nodes, numbered as the retail files number them.
//!
//! Slots: first the finest level of detail of all tiles, then the coarse one. A slot's faces are grouped by cover,
//! ground before water: each group is one batch, and has vertices of its own in each tile, which both levels of detail
//! use. Neighbors are found by place.

use std::collections::{BTreeMap, BTreeSet};

use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_msh::{
    Face, FaceKey, KEY_FLAGS, KEY_FLAGS_BATCH_START, LandMsh, NONE, Node, Slot, SlotHeader,
    pack_face_normal, pack_normal, pack_uv,
};

use crate::DemoError;
use crate::landscape::Landscape;
use crate::rows;
use crate::surface::{Cover, Facet, GridPoint, TileFacets, ground_z};

/// Builds the terrain file's content.
pub fn land_msh(
    land: &Landscape,
    fine: &TileFacets,
    coarse: &TileFacets,
) -> Result<LandMsh, DemoError> {
    let mut build = Build {
        land,
        mesh: empty_mesh(land),
        facets: Vec::new(),
        vertices: BTreeMap::new(),
    };
    for (lod, tiles) in [fine, coarse].into_iter().enumerate() {
        let first_face = build.facets.len();
        for (tile, facets) in tiles.iter().enumerate() {
            build.add_slot(lod, tile, facets)?;
        }
        build.link_neighbors(first_face);
    }
    Ok(build.finish())
}

/// How many vertices the facets of a tile need, at all its levels of detail.
pub fn n_vertices(lods: [&Vec<Facet>; 2]) -> usize {
    let facets = lods.into_iter().flatten();
    let places = facets.flat_map(|facet| facet.points.map(|point| (facet.cover, point)));
    places.collect::<BTreeSet<_>>().len()
}

struct Build<'a> {
    land: &'a Landscape,
    mesh: LandMsh,
    /// The facet that each face came from.
    facets: Vec<Facet>,
    /// Vertices by tile, cover and place.
    vertices: BTreeMap<(usize, Cover, GridPoint), usize>,
}

fn empty_mesh(land: &Landscape) -> LandMsh {
    let n_tiles = land.plan.n_tiles * land.plan.n_tiles;
    let node = |tile: usize| {
        let mut slots = [NONE; 15];
        slots[0] = tile as u16;
        slots[1] = (n_tiles + tile) as u16;
        Node {
            header: [0, NONE, NONE, NONE],
            slots,
        }
    };
    LandMsh {
        cells_x: land.plan.n_tiles as u32,
        nodes: (0..n_tiles).map(node).collect(),
        header: SlotHeader::from_box([0.0; 3], [0.0; 3]),
        slots: Vec::new(),
        positions: Vec::new(),
        normals: Vec::new(),
        uv0: Vec::new(),
        micro_uv: Vec::new(),
        second_weights: Some(Vec::new()),
        face_keys: Vec::new(),
        faces: Vec::new(),
        container: LandMsh::new_container(),
    }
}

impl Build<'_> {
    fn add_slot(&mut self, lod: usize, tile: usize, facets: &[Facet]) -> Result<(), DemoError> {
        let first_face = self.mesh.faces.len();
        let mut groups: BTreeMap<Cover, Vec<Facet>> = BTreeMap::new();
        for facet in facets {
            groups.entry(facet.cover).or_default().push(*facet);
        }
        for (cover, group) in groups {
            for (i, facet) in group.iter().enumerate() {
                let corners = facet.points.map(|point| self.vertex(tile, cover, point));
                let batch_start = i == 0;
                self.add_face(facet, corners, batch_start)?;
            }
        }
        let n_faces = self.mesh.faces.len() - first_face;
        let (tri_start, tri_count) = (
            to_u16("faces", first_face)?,
            to_u16("faces of a slot", n_faces)?,
        );
        self.mesh
            .slots
            .push(Slot::from_box(tri_start, tri_count, [0.0; 3], [0.0; 3]));
        debug_assert_eq!(
            self.mesh.slots.len(),
            lod * self.mesh.nodes.len() + tile + 1
        );
        Ok(())
    }

    /// The vertex of a tile at a point, made on first use.
    fn vertex(&mut self, tile: usize, cover: Cover, point: GridPoint) -> usize {
        let next = self.mesh.positions.len();
        let index = *self.vertices.entry((tile, cover, point)).or_insert(next);
        if index == next {
            self.add_vertex(tile, cover, point);
        }
        index
    }

    fn add_vertex(&mut self, tile: usize, cover: Cover, point: GridPoint) {
        let plan = &self.land.plan;
        let position = position(self.land, cover, point);
        let (x, y) = (f64::from(position[0]), f64::from(position[1]));
        let normal = match cover {
            Cover::Water => [0.0, 0.0, 1.0],
            Cover::Ground { .. } => self.land.heights.normal(x, y, plan.quad_size() * 0.4),
        };
        let origin =
            [tile / plan.n_tiles, tile % plan.n_tiles].map(|t| (t * plan.quads_per_tile) as f32);
        let quads = point.map(|p| f32::from(p) / 2.0);
        let mapped =
            |repeats: f32| [0, 1].map(|k| quads[k] * repeats - (origin[k] * repeats).floor());
        self.mesh.positions.push(position);
        self.mesh
            .normals
            .push(pack_normal(normal.map(|v| v as f32), 0));
        self.mesh.uv0.push(pack_uv(mapped(UV0_PER_QUAD)));
        let micro_uv_per_quad = (plan.quad_size() / MICROTEXTURE_SIZE) as f32;
        self.mesh.micro_uv.push(pack_uv(mapped(micro_uv_per_quad)));
        let weight = cover.second_weight(self.land, point) as f32;
        self.mesh
            .second_weights
            .get_or_insert_default()
            .push(weight);
    }

    fn add_face(
        &mut self,
        facet: &Facet,
        corners: [usize; 3],
        batch_start: bool,
    ) -> Result<(), DemoError> {
        let [a, b, c] = corners.map(|i| self.mesh.positions[i]);
        let normal = face_normal(a, b, c);
        let (first_material, second_material) = rows::of_cover(facet.cover);
        let vertices = [
            to_u16("vertices", corners[0])?,
            to_u16("vertices", corners[1])?,
            to_u16("vertices", corners[2])?,
        ];
        let face = to_u16("faces", self.mesh.faces.len())?;
        self.mesh.face_keys.push(FaceKey {
            face,
            flags: if batch_start {
                KEY_FLAGS_BATCH_START
            } else {
                KEY_FLAGS
            },
            unknown_3: 0,
        });
        self.mesh.faces.push(Face {
            flags: face_flags(self.land, facet),
            first_material,
            second_material,
            unknown_06: NONE,
            vertices,
            neighbors: [NONE; 3],
            normal: pack_face_normal(normal),
            edge_class: 0b11_1111,
            unknown_1b: 0,
        });
        self.facets.push(*facet);
        Ok(())
    }

    /// Links faces of one level of detail that share two places; the sea and its floor are two surfaces.
    fn link_neighbors(&mut self, first_face: usize) {
        let mut sides: BTreeMap<(bool, GridPoint, GridPoint), (usize, usize)> = BTreeMap::new();
        for face in first_face..self.facets.len() {
            for edge in 0..3 {
                let facet = &self.facets[face];
                let (p, q) = (facet.points[edge], facet.points[(edge + 1) % 3]);
                let key = (facet.cover == Cover::Water, p.min(q), p.max(q));
                if let Some((other, other_edge)) = sides.remove(&key) {
                    self.link(face, edge, other, other_edge);
                    self.link(other, other_edge, face, edge);
                } else {
                    sides.insert(key, (face, edge));
                }
            }
        }
    }

    fn link(&mut self, face: usize, edge: usize, to: usize, to_edge: usize) {
        let face = &mut self.mesh.faces[face];
        let mut classes = face.edge_classes();
        classes[edge] = to_edge as u8;
        face.neighbors[edge] = to as u16;
        *face = face.with_edge_classes(classes);
    }

    fn finish(self) -> LandMsh {
        let mut mesh = self.mesh;
        mesh.recompute_bounds();
        // The loader takes this radius from the platform's `hypot`; a square root has one result everywhere.
        let [low, .., high] = mesh.header.corners;
        let (dx, dy) = (high[0] - low[0], high[1] - low[1]);
        mesh.header.capsule_radius = (dx * dx + dy * dy).sqrt() / 2.0;
        mesh
    }
}

/// Repeats of textures along a quad: a texture covers 2 x 2 quads.
const UV0_PER_QUAD: f32 = 0.5;

/// World units that a microtexture covers, as in the retail levels.
const MICROTEXTURE_SIZE: f64 = 20.0;

fn position(land: &Landscape, cover: Cover, point: GridPoint) -> [f32; 3] {
    let n_half_quads = (2 * land.plan.n_quads()) as f64;
    let [x, y] = point.map(|p| (f64::from(p) * land.plan.world_size() / n_half_quads) as f32);
    let z = match cover {
        Cover::Water => land.plan.water_level,
        Cover::Ground { .. } => ground_z(land, point),
    };
    [x, y, z as f32]
}

fn face_normal(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> [f32; 3] {
    let to = |p: [f32; 3]| [0, 1, 2].map(|k| f64::from(p[k]) - f64::from(a[k]));
    let (u, v) = (to(b), to(c));
    let n = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    n.map(|k| (k / length) as f32)
}

/// The surface mask of a face, as the retail levels have it.
fn face_flags(land: &Landscape, facet: &Facet) -> FaceFlags {
    let common = FaceFlags::from_bits_retain(POINT_LIGHTS) | FaceFlags::MICROTEXTURE;
    let Cover::Ground { second, .. } = facet.cover else {
        return common | FaceFlags::WATER | FaceFlags::TWO_SIDED;
    };
    let heights = facet.points.map(|point| ground_z(land, point));
    let is_bed = heights.iter().all(|z| *z < land.plan.water_level);
    let mut flags = common | FaceFlags::from_bits_retain(NO_LAVA);
    flags.set(FaceFlags::SECOND_MATERIAL, second.is_some());
    flags.set(FaceFlags::LIQUID_BED, is_bed);
    flags
}

/// Lamps light the face: set on all faces.
const POINT_LIGHTS: u32 = 0x200;
/// Set on all faces but lava and its bed.
const NO_LAVA: u32 = 0x10_0000;

fn to_u16(what: &'static str, value: usize) -> Result<u16, DemoError> {
    u16::try_from(value).map_err(|_| DemoError::TooMany { what, value })
}
