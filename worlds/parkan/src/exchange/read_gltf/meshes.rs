//! Primitives as batches.

use gltf_json::Index;
use gltf_json::mesh::{Mesh, Primitive, Semantic};
use gltf_json::validation::Checked;
use ironlands_assets_parkan::msh::{
    BatchFlags, DraftBatch, DraftVertex, NO_LIGHTMAP, pack_normal, unpack_normal,
};
use ironlands_exchange::read_gltf::{Document, Elements, FORMAT, Residual, Surface, at_most};
use ironlands_exchange::{Findings, ImportError, from_extras, within_reach};

use super::super::extras::BatchExtras;
use super::super::import::{flat_normal, wrap_uvs};
use super::super::write_glb::PACKED_NORMAL;
use super::rows::Rows;

/// Triangles are numbered by 16 bits.
const MAX_TRIANGLES: usize = 65535;

/// What looking at a primitive costs, in triangles; many nodes can show the same thousand primitives.
const WORK_OF_A_PRIMITIVE: usize = 64;

/// Reads meshes, each as often as it is shown.
pub(super) struct Meshes<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) rows: Rows,
    pub(super) n_triangles: usize,
}

/// The streams of a primitive that a model has.
struct Streams<'a> {
    surface: Surface<'a>,
    normals: Option<Elements<'a, 3>>,
    packed_normals: Option<Elements<'a, 4>>,
    uvs: Option<Elements<'a, 2>>,
    lightmap_uvs: Option<Elements<'a, 2>>,
}

impl<'a> Meshes<'a> {
    /// The batches of a mesh whose vertices still have to go through `baked`. Empty if nothing can be drawn.
    pub(super) fn batches(
        &mut self,
        mesh: Index<Mesh>,
        baked: &Residual,
        findings: &mut Findings,
    ) -> Result<Vec<DraftBatch>, ImportError> {
        let document = self.document;
        let mut batches = Vec::new();
        let primitives = &document.get(mesh, "mesh")?.primitives;
        for (index, primitive) in primitives.iter().enumerate() {
            let place = format!("meshes[{mesh}].primitives[{index}]");
            let Some(streams) = Streams::open(document, primitive, &place, findings)? else {
                continue;
            };
            let n_triangles = streams.surface.n_triangles();
            document.spend(WORK_OF_A_PRIMITIVE.saturating_add(n_triangles), &place)?;
            self.n_triangles = self.n_triangles.saturating_add(n_triangles);
            at_most("triangles", self.n_triangles, MAX_TRIANGLES, &place)?;
            let mut triangles = Vec::with_capacity(n_triangles);
            for triangle in 0..n_triangles {
                triangles.push(streams.triangle(triangle, baked, &place, findings)?);
            }
            if triangles.is_empty() {
                findings.add(&place, "it has no triangles and is left out");
                continue;
            }
            let extras: Option<BatchExtras> = from_extras(&primitive.extras);
            let extras = extras.as_ref();
            let flags = match extras {
                Some(extras) => BatchFlags::from_bits_retain(extras.msh_flags),
                None => flags_of_material(document, primitive),
            };
            if streams.lightmap_uvs.is_some() && !flags.contains(BatchFlags::LIGHTMAP) {
                let what =
                    "a second set of texture coordinates is left out: only lightmaps have one";
                findings.add(&place, what);
            }
            streams.name_lost_normals(&place, findings)?;
            let row = self
                .rows
                .of_primitive(document, primitive.material, extras, findings)?;
            batches.push(DraftBatch {
                flags,
                wear_row: row,
                lightmap: extras.map_or(NO_LIGHTMAP, |extras| extras.msh_lightmap),
                triangles,
            });
        }
        Ok(batches)
    }
}

fn flags_of_material(document: &Document<'_>, primitive: &Primitive) -> BatchFlags {
    let material = primitive.material.and_then(|it| document.root.get(it));
    match material {
        Some(material) if material.double_sided => BatchFlags::TWO_SIDED,
        _ => BatchFlags::empty(),
    }
}

impl<'a> Streams<'a> {
    /// `None` for what is no surface.
    fn open(
        document: &'a Document<'a>,
        primitive: &'a Primitive,
        place: &str,
        findings: &mut Findings,
    ) -> Result<Option<Self>, ImportError> {
        if primitive.targets.is_some() {
            findings.add(
                place,
                "models have no morph targets; the mesh stays at rest",
            );
        }
        let Some(surface) = Surface::open(document, primitive, place, findings)? else {
            return Ok(None);
        };
        name_other_attributes(primitive, place, findings);
        let streams = Self {
            normals: surface.stream(Semantic::Normals)?,
            packed_normals: surface.stream(Semantic::Extras(PACKED_NORMAL.to_owned()))?,
            uvs: surface.stream(Semantic::TexCoords(0))?,
            lightmap_uvs: surface.stream(Semantic::TexCoords(1))?,
            surface,
        };
        if streams.normals.is_none() {
            findings.add(place, "it has no normals; each triangle gets its own");
        }
        Ok(Some(streams))
    }

    fn triangle(
        &self,
        triangle: usize,
        baked: &Residual,
        place: &str,
        findings: &mut Findings,
    ) -> Result<[DraftVertex; 3], ImportError> {
        let mut corners = self.surface.corners(triangle)?;
        if baked.mirrors() {
            corners.swap(1, 2);
        }
        let mut vertices = [DraftVertex::default(); 3];
        for (vertex, corner) in vertices.iter_mut().zip(corners) {
            let position = baked.transform_point(self.surface.positions.floats(corner)?);
            vertex.position = within_reach(position, FORMAT, place)?;
        }
        let flat = flat_normal(vertices.map(|vertex| vertex.position));
        for (vertex, corner) in vertices.iter_mut().zip(corners) {
            vertex.normal = self.normal(corner, baked)?.unwrap_or(flat);
            if let Some(uvs) = &self.uvs {
                vertex.uv = uvs.floats(corner)?;
            }
            if let Some(uvs) = &self.lightmap_uvs {
                vertex.lightmap_uv = uvs.floats(corner)?;
            }
        }
        let mut uvs = vertices.map(|vertex| vertex.uv);
        let mut lightmap_uvs = vertices.map(|vertex| vertex.lightmap_uv);
        wrap_uvs(&mut uvs, FORMAT, place, findings)?;
        wrap_uvs(&mut lightmap_uvs, FORMAT, place, findings)?;
        for ((vertex, uv), lightmap_uv) in vertices.iter_mut().zip(uvs).zip(lightmap_uvs) {
            (vertex.uv, vertex.lightmap_uv) = (uv, lightmap_uv);
        }
        Ok(vertices)
    }

    /// Packed normals come back but for their fourth byte, and -128 as -127.
    fn name_lost_normals(&self, place: &str, findings: &mut Findings) -> Result<(), ImportError> {
        let Some(packed) = &self.packed_normals else {
            return Ok(());
        };
        for vertex in 0..packed.len {
            let bytes = packed.bytes(vertex)?;
            if pack_normal(unpack_normal(bytes), 0) != bytes {
                let what =
                    "fourth bytes of normals are left out, and -128 in a normal becomes -127";
                findings.add(place, what);
                break;
            }
        }
        Ok(())
    }

    /// `None` where the triangle's own has to do.
    fn normal(&self, corner: usize, baked: &Residual) -> Result<Option<[f32; 3]>, ImportError> {
        if let Some(packed) = self.packed_normals.as_ref().filter(|_| baked.is_identity()) {
            return Ok(Some(unpack_normal(packed.bytes(corner)?)));
        }
        match &self.normals {
            Some(normals) => Ok(baked.transform_normal(normals.floats(corner)?)),
            None => Ok(None),
        }
    }
}

/// What vertices of models have not got.
fn name_other_attributes(primitive: &Primitive, place: &str, findings: &mut Findings) {
    for semantic in primitive.attributes.keys() {
        let Checked::Valid(semantic) = semantic else {
            findings.add(place, "an attribute of no known name is left out");
            continue;
        };
        let is_known = match semantic {
            Semantic::Positions | Semantic::Normals | Semantic::TexCoords(0 | 1) => true,
            Semantic::Extras(name) => name == PACKED_NORMAL,
            _ => false,
        };
        if !is_known {
            let name = Checked::Valid(semantic.clone()).to_string();
            findings.add(
                place,
                format!("vertices of models have no {name}; it is left out"),
            );
        }
    }
}
