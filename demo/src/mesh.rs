//! Facets to `Land.msh`: vertices, faces, slots and nodes, numbered as the retail files number them.
//!
//! Slots: first the finest level of detail of all tiles, then the coarse one. A slot's faces are grouped by cover,
//! ground before water; at the finest level of detail each group has vertices of its own, at the coarse one the
//! ground of a tile shares them. Neighbors are found by place. Flag bits that this demo sets are listed at
//! [`face_flags`].

use std::collections::BTreeMap;

use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_msh::{
    Face, FaceKey, KEY_FLAGS, KEY_FLAGS_BATCH_START, LandMsh, NONE, Node, Slot, SlotHeader,
    pack_face_normal, pack_normal, pack_uv,
};

use crate::DemoError;
use crate::landscape::{Class, Landscape};
use crate::rows::MaterialRows;
use crate::surface::{Cover, Facet, GridPoint, Overlay, TileFacets, ground_z};

/// Builds the terrain file's content.
pub fn land_msh(
    land: &Landscape,
    rows: &MaterialRows,
    fine: &TileFacets,
    coarse: &TileFacets,
) -> Result<LandMsh, DemoError> {
    let mut build = Build {
        land,
        rows,
        mesh: empty_mesh(land),
        facets: Vec::new(),
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

/// How many vertices the facets of a slot need.
pub fn n_vertices(lod: usize, facets: &[Facet]) -> usize {
    let place = |facet: &Facet| {
        facet
            .points
            .map(|point| (vertex_group(lod, facet.cover), point))
    };
    let mut places: Vec<_> = facets.iter().flat_map(place).collect();
    places.sort_unstable();
    places.dedup();
    places.len()
}

/// Facets of a slot share vertices within this group: one cover, or in the coarse level of detail all ground.
fn vertex_group(lod: usize, cover: Cover) -> Option<Cover> {
    (lod == 0 || cover == Cover::Water).then_some(cover)
}

struct Build<'a> {
    land: &'a Landscape,
    rows: &'a MaterialRows,
    mesh: LandMsh,
    /// The facet that each face came from.
    facets: Vec<Facet>,
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
        unknown_14: None,
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
        let mut vertices = BTreeMap::new();
        for (cover, group) in groups {
            for (i, facet) in group.iter().enumerate() {
                let corner = |point: GridPoint| {
                    let next = self.mesh.positions.len();
                    let index = *vertices
                        .entry((vertex_group(lod, cover), point))
                        .or_insert(next);
                    if index == next {
                        self.add_vertex(tile, cover, point);
                    }
                    index
                };
                let corners = facet.points.map(corner);
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
        self.mesh.micro_uv.push(pack_uv(mapped(MICRO_UV_PER_QUAD)));
    }

    fn add_face(
        &mut self,
        facet: &Facet,
        corners: [usize; 3],
        batch_start: bool,
    ) -> Result<(), DemoError> {
        let [a, b, c] = corners.map(|i| self.mesh.positions[i]);
        let normal = face_normal(a, b, c);
        let (base_material, overlay_material) = self.rows.of_cover(facet.cover);
        let vertices = [
            to_u16("vertices", corners[0])?,
            to_u16("vertices", corners[1])?,
            to_u16("vertices", corners[2])?,
        ];
        let key = to_u16("faces", self.mesh.faces.len())?;
        self.mesh.face_keys.push(FaceKey {
            key,
            flags: if batch_start {
                KEY_FLAGS_BATCH_START
            } else {
                KEY_FLAGS
            },
        });
        self.mesh.faces.push(Face {
            flags: face_flags(self.land, facet, normal),
            base_material,
            overlay_material,
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
        mesh.unknown_14 = Some(vec![[0; 4]; mesh.positions.len()]);
        mesh.recompute_bounds();
        // The loader takes this radius from the platform's `hypot`; a square root has one result everywhere.
        let [low, .., high] = mesh.header.corners;
        let (dx, dy) = (high[0] - low[0], high[1] - low[1]);
        mesh.header.capsule_radius = (dx * dx + dy * dy).sqrt() / 2.0;
        mesh
    }
}

/// Repeats of the base and overlay textures along a quad: a texture covers 2 x 2 quads.
const UV0_PER_QUAD: f32 = 0.5;

/// Repeats of the microtexture along a quad: eight times as dense.
const MICRO_UV_PER_QUAD: f32 = 4.0;

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

/// The surface mask of a face. No document names these bits beyond the first three; this demo uses them so:
///
/// | bits | face |
/// |---|---|
/// | 0x400 | dry ground, and wet ground down to 3 units: has a microtexture |
/// | 0x20000, 0x8 | water, seen from both sides |
/// | 0x2000 | ground steeper than about 40 degrees |
/// | 0x1000 | ground wholly below the water |
/// | 0x100, 0x8000, 0x10000, 0x40000, 0x80000, 0x80 | sand, grass, heath, rock, snow, road |
fn face_flags(land: &Landscape, facet: &Facet, normal: [f32; 3]) -> FaceFlags {
    let Cover::Ground { base, overlay } = facet.cover else {
        return FaceFlags::WATER | FaceFlags::TWO_SIDED;
    };
    let top = facet
        .points
        .map(|p| ground_z(land, p))
        .into_iter()
        .fold(f64::MIN, f64::max);
    let water = land.plan.water_level;
    let surface = match (base, overlay) {
        (_, Some(Overlay::Road(_))) => 0x80,
        (Class::Sand, _) => 0x100,
        (Class::Grass, _) => 0x8000,
        (Class::Heath, _) => 0x1_0000,
        (Class::Rock, _) => 0x4_0000,
        (Class::Snow, _) => 0x8_0000,
    };
    let mut flags = FaceFlags::from_bits_retain(surface);
    flags.set(FaceFlags::MICROTEXTURE, top > water - 3.0);
    flags.set(
        FaceFlags::from_bits_retain(0x2000),
        normal[2] < STEEP_NORMAL_Z,
    );
    flags.set(FaceFlags::from_bits_retain(0x1000), top < water);
    flags
}

/// Faces whose normal has less z than this are steep.
const STEEP_NORMAL_Z: f32 = 0.76;

fn to_u16(what: &'static str, value: usize) -> Result<u16, DemoError> {
    u16::try_from(value).map_err(|_| DemoError::TooMany { what, value })
}
