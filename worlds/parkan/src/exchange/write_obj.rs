//! A model as Wavefront OBJ with its MTL and pictures: what one state shows at one level of detail, at rest.
//!
//! A group is a node, `usemtl` a WEAR row. OBJ knows no nodes, tracks and lightmaps; glTF does.

use std::collections::BTreeMap;
use std::fmt::Write;

use ironlands_assets_parkan::msh::{BatchFlags, NodeTable, unpack_normal, unpack_uv};
use ironlands_exchange::obj::{MtlText, ObjText, ObjVertex, one_word};
use ironlands_exchange::picture::main_pass;
use ironlands_exchange::pose::Pose;
use ironlands_exchange::{ExchangeFinding, ExportError};

use super::geometry::{BatchTriangles, SlotGeometry, slots};
use super::left_out;
use super::motions::{motions, rest_poses};
use super::source::{ModelExportError, ModelSource};

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjOptions {
    /// State, 0 regular, 1 destroyed.
    pub state: u8,
    /// Level of detail, 0 finest; where a node has not got it, the next finer one serves.
    pub lod: u8,
    /// Name of the files without extension: the OBJ refers to `STEM.mtl`, and that for `STEM_K.png`.
    pub stem: String,
}

/// The files; those beside the OBJ must bear the names that it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjFiles {
    /// The OBJ.
    pub obj: String,
    /// The MTL.
    pub mtl: String,
    /// Name of the MTL; a blank in the stem has become `_`.
    pub mtl_name: String,
    /// Name and bytes of each picture.
    pub pngs: Vec<(String, Vec<u8>)>,
    /// What of the model was left out.
    pub findings: Vec<ExchangeFinding>,
}

/// Writes what a model shows in one state at one level of detail, all nodes at frame 0. Batches that are never
/// drawn are left out.
///
/// # Errors
/// As [`write_glb`](super::write_glb()), less the rate and the length; and if there is no face to write.
pub fn write_obj(
    source: &ModelSource<'_>,
    options: &ObjOptions,
) -> Result<ObjFiles, ModelExportError> {
    let ObjOptions { state, lod, stem } = options;
    let (state, lod) = (*state, *lod);
    let stem = one_word(stem);
    let msh = source.msh;
    let motions = motions(msh)?;
    let world_from_nodes = rest_poses(msh, &motions);
    let slots = slots(msh)?;
    let name = source.name.escape_debug();
    let comment = format!("{name}, state {state}, level of detail {lod}");
    let mtl_name = format!("{stem}.mtl");
    let mut writer = ObjWriter {
        source,
        obj: ObjText::new(&comment, &mtl_name),
        materials: BTreeMap::new(),
    };
    if let (NodeTable::Stride24(_), Some(all)) = (&msh.nodes, slots.last()) {
        writer.group("all_batches", &Pose::IDENTITY, all)?;
    }
    for (node, world_from_node) in world_from_nodes.iter().enumerate() {
        let lods = (0..=lod).rev();
        let word = lods.map(|lod| msh.nodes.as_slice()[node].slot_word(state.into(), lod.into()));
        let Some(slot) = word.flatten().next() else {
            continue;
        };
        let name = msh.node_name(node).map(|name| one_word(&name));
        let name = name.unwrap_or_else(|| format!("node_{node}"));
        if let Some(slot) = slots.get(usize::from(slot)) {
            writer.group(&name, world_from_node, slot)?;
        }
    }
    if writer.obj.is_empty() {
        return Err(ModelExportError::NoFace { state, lod });
    }
    let mut mtl = MtlText::new(&stem);
    for (row, name) in &writer.materials {
        let pass = main_pass(source.material(*row)?);
        mtl.material(name, pass, source.textures)?;
    }
    Ok(ObjFiles {
        obj: writer.obj.finish(),
        mtl: mtl.text,
        mtl_name,
        pngs: mtl.pngs,
        findings: left_out::of_obj(source, &motions, options).into_list(),
    })
}

/// The OBJ while it grows.
struct ObjWriter<'a> {
    source: &'a ModelSource<'a>,
    obj: ObjText,
    /// Name of each row in use.
    materials: BTreeMap<usize, String>,
}

impl ObjWriter<'_> {
    fn group(
        &mut self,
        name: &str,
        world_from_node: &Pose,
        slot: &SlotGeometry,
    ) -> Result<(), ExportError> {
        let msh = self.source.msh;
        let suppressed = BatchFlags::PORTAL | BatchFlags::SUPPRESSED;
        let is_drawn =
            |batch: &&BatchTriangles| !msh.batches[batch.batch_idx].flags.contains(suppressed);
        let batches: Vec<&BatchTriangles> = slot.batches.iter().filter(is_drawn).collect();
        if batches.is_empty() {
            return Ok(());
        }
        self.obj.group(name);
        // Neutral values where a stream is absent keep one number for all three.
        let uv0 = msh.uv0.as_deref().unwrap_or_default();
        let normals = msh.normals.as_deref().unwrap_or_default();
        let vertex = |vertex: &usize| {
            let normal = normals.get(*vertex).copied().unwrap_or([0, 0, 127, 0]);
            ObjVertex {
                position: world_from_node.transform_point(msh.positions[*vertex]),
                uv: unpack_uv(uv0.get(*vertex).copied().unwrap_or_default()),
                normal: world_from_node.rotate(unpack_normal(normal)),
            }
        };
        let vertices: Vec<ObjVertex> = slot.vertices.iter().map(vertex).collect();
        let first = self.obj.vertices(&vertices);
        for batch in batches {
            if let Some(row) = self.source.row(&msh.batches[batch.batch_idx]) {
                let name = self.material_name(row)?;
                self.obj.material(&name);
            }
            self.obj.triangles(first, &batch.indices);
        }
        Ok(())
    }

    /// The name of a row, made different from those of other rows.
    fn material_name(&mut self, row: usize) -> Result<String, ExportError> {
        if let Some(known) = self.materials.get(&row) {
            return Ok(known.clone());
        }
        let mut name = one_word(&self.source.row_name(row)?);
        while self.materials.values().any(|other| *other == name) {
            let _ = write!(name, "_{row}");
        }
        self.materials.insert(row, name.clone());
        Ok(name)
    }
}
