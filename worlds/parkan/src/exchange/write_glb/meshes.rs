//! One glTF mesh for each slot in use, shared by all pieces that show the slot.

use std::collections::{BTreeMap, HashMap};

use gltf_json::accessor::Accessor;
use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_assets_parkan::msh::{Msh, pack_normal, unpack_normal, unpack_uv};
use ironlands_exchange::write_gltf::BinaryChunk;
use ironlands_exchange::{ExportError, to_extras};

use super::super::extras::BatchExtras;
use super::super::geometry::{BatchTriangles, SlotGeometry};
use super::super::source::ModelSource;
use super::materials::Materials;

type Attributes = BTreeMap<Checked<Semantic>, Index<Accessor>>;

/// The attribute of packed normals that cannot be found again from unit normals.
pub(in super::super) const PACKED_NORMAL: &str = "MSH_NORMAL";

/// The meshes that are in the file already.
pub(super) struct Meshes<'a> {
    source: &'a ModelSource<'a>,
    slots: &'a [SlotGeometry],
    materials: Materials<'a>,
    written: HashMap<usize, Index<Mesh>>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(source: &'a ModelSource<'a>, slots: &'a [SlotGeometry]) -> Self {
        Self {
            source,
            slots,
            materials: Materials::new(source),
            written: HashMap::new(),
        }
    }

    /// The mesh of a slot, named after the node that shows it first; `None` for a slot without triangles.
    pub(super) fn of_slot(
        &mut self,
        slot: usize,
        name: &str,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Option<Index<Mesh>>, ExportError> {
        if let Some(known) = self.written.get(&slot) {
            return Ok(Some(*known));
        }
        let geometry = &self.slots[slot];
        if geometry.batches.is_empty() {
            return Ok(None);
        }
        let msh = self.source.msh;
        let attributes = attributes(msh, &geometry.vertices, root, bin);
        let is_lit = |batch: &BatchTriangles| msh.batches[batch.batch_idx].lightmap().is_some();
        let mut lit_attributes = attributes.clone();
        if geometry.batches.iter().any(is_lit) {
            add_lightmap_uvs(&mut lit_attributes, msh, &geometry.vertices, root, bin);
        }
        let mut primitives = Vec::with_capacity(geometry.batches.len());
        for batch in &geometry.batches {
            let attributes = if is_lit(batch) {
                &lit_attributes
            } else {
                &attributes
            };
            primitives.push(self.primitive(batch, attributes.clone(), root, bin)?);
        }
        let mesh = root.push(Mesh {
            name: Some(name.to_owned()),
            primitives,
            weights: None,
            extensions: None,
            extras: None,
        });
        self.written.insert(slot, mesh);
        Ok(Some(mesh))
    }

    /// The last of the slots: all batches of a model whose nodes no one can read.
    pub(super) fn of_all_batches(
        &mut self,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Option<Index<Mesh>>, ExportError> {
        self.of_slot(self.slots.len() - 1, "all batches", root, bin)
    }

    fn primitive(
        &mut self,
        triangles: &BatchTriangles,
        attributes: Attributes,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Primitive, ExportError> {
        let batch = &self.source.msh.batches[triangles.batch_idx];
        let extras = BatchExtras {
            msh_batch: triangles.batch_idx as u32,
            msh_flags: batch.flags.bits(),
            msh_wear_row: batch.wear_row,
            msh_lightmap: batch.lightmap_row,
        };
        let material = match self.source.row(batch) {
            None => None,
            Some(row) => Some(self.materials.of_row(row, root, bin)?),
        };
        Ok(Primitive {
            attributes,
            indices: Some(bin.indices(root, &triangles.indices)),
            material,
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
            extensions: None,
            extras: to_extras(&extras)?,
        })
    }
}

/// The streams of some vertices, without those of lightmaps.
fn attributes(msh: &Msh, vertices: &[usize], root: &mut Root, bin: &mut BinaryChunk) -> Attributes {
    let mut attributes = Attributes::new();
    let mut add = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
    let positions = pick(msh, vertices, Some(&msh.positions)).unwrap_or_default();
    add(Semantic::Positions, bin.positions(root, &positions));
    if let Some(packed) = pick(msh, vertices, msh.normals.as_ref()) {
        let normals: Vec<[f32; 3]> = packed.iter().map(|packed| unit_normal(*packed)).collect();
        add(Semantic::Normals, bin.vec3(root, &normals));
        let repacked = normals.iter().map(|normal| pack_normal(*normal, 0));
        if !repacked.eq(packed.iter().copied()) {
            let semantic = Semantic::Extras(PACKED_NORMAL.to_owned());
            add(semantic, bin.bytes4(root, &packed));
        }
    }
    if let Some(uvs) = pick(msh, vertices, msh.uv0.as_ref()) {
        let uvs: Vec<[f32; 2]> = uvs.into_iter().map(unpack_uv).collect();
        add(Semantic::TexCoords(0), bin.vec2(root, &uvs));
    }
    attributes
}

/// Adds what batches with a lightmap have besides. glTF counts sets of UVs without gaps, so it takes the first.
fn add_lightmap_uvs(
    attributes: &mut Attributes,
    msh: &Msh,
    vertices: &[usize],
    root: &mut Root,
    bin: &mut BinaryChunk,
) {
    let has_first = attributes.contains_key(&Checked::Valid(Semantic::TexCoords(0)));
    if let Some(uvs) = pick(msh, vertices, msh.lightmap_uv.as_ref()).filter(|_| has_first) {
        let uvs: Vec<[f32; 2]> = uvs.into_iter().map(unpack_uv).collect();
        let accessor = bin.vec2(root, &uvs);
        attributes.insert(Checked::Valid(Semantic::TexCoords(1)), accessor);
    }
}

/// The values of some vertices; `None` without the stream. Streams are as long as the positions in every model
/// that was read.
fn pick<T: Copy>(msh: &Msh, vertices: &[usize], stream: Option<&Vec<T>>) -> Option<Vec<T>> {
    let stream = stream.filter(|stream| stream.len() == msh.positions.len())?;
    Some(vertices.iter().map(|vertex| stream[*vertex]).collect())
}

/// Of length 1, as glTF demands; up where there is no direction.
pub(in super::super) fn unit_normal(packed: [i8; 4]) -> [f32; 3] {
    let normal = glam::Vec3::from(unpack_normal(packed));
    normal.try_normalize().unwrap_or(glam::Vec3::Z).into()
}
