//! Faces of models of Bloodlines, in the terms of [`mdl::flexes`](crate::mdl::flexes), which move them.
//!
//! Layout: names, controllers and rules as in versions 44 to 49, here and in both public readers. What a flex moves of a
//! mesh is from twiglard's importer alone: offsets of vertices are three numbers, or a direction of the table of packed
//! normals with a length. Of the four weights of a flex no reader says what they do; they are taken for those of versions
//! 44 to 49.
//!
//! Deliberately absent: how normals change, mouths that open with speech, and eyelids.

#[cfg(test)]
mod tests;

use super::records::{VtmbBodyPart, VtmbMesh, VtmbModel};
use super::vertices::fine_direction;
use super::{FORMAT, VtmbMdl};
use crate::mdl::flexes::{FlexVertex, Flexes, MeshFlex, flex_number};
use crate::mdl::tables::rows_at;
use crate::studio_file::File;
use ironlands_assets_core::bytes::{FormatError, Reader};

/// Where counts and offsets of flex descriptions, controllers and rules are in the header, and bytes of their rows.
const TABLES: [(usize, usize); 3] = [(344, 4), (352, 20), (360, 12)];
/// Where a mesh has count and offset of its flexes.
const MESH_FLEXES_AT: usize = 16;
const MESH_FLEX_SIZE: usize = 32;
const VERTEX_SIZE: usize = 20;
const PACKED_VERTEX_SIZE: usize = 8;
/// Units that a packed vertex moves at most, in 255 steps.
const LARGEST_OFFSET: f32 = 8.0;
const OFFSET_STEPS: f32 = 255.0;

impl VtmbMdl {
    /// All that shapes the face of the model.
    ///
    /// # Errors
    /// Tables that do not lie in the file or share their bytes many times, numbers that lead nowhere, rules with unknown
    /// operations, and vertices that move to no place.
    pub fn flexes(&self) -> Result<Flexes, FormatError> {
        let file = File::new(FORMAT, &self.image);
        let mut flexes = Flexes::read_tables(&file, TABLES)?;
        let parts = &self.body_parts;
        let parts = rows_at(0, parts.offset(), parts, VtmbBodyPart::SIZE);
        for (part, (part_at, row)) in parts.enumerate() {
            let models = rows_at(part_at, row.models.offset(), &row.models, VtmbModel::SIZE);
            for (model, (model_at, row)) in models.enumerate() {
                let meshes = rows_at(model_at, row.meshes.offset(), &row.meshes, VtmbMesh::SIZE);
                for (mesh, (at, row)) in meshes.enumerate() {
                    let place = MeshPlace {
                        mesh: [part, model, mesh],
                        at,
                        n_vertices: row.n_vertices,
                    };
                    let of_mesh = place.flexes(&file, flexes.names.len())?;
                    flexes.meshes.extend(of_mesh);
                }
            }
        }
        Ok(flexes)
    }
}

/// A mesh and where its record is.
struct MeshPlace {
    mesh: [usize; 3],
    at: usize,
    n_vertices: i32,
}

impl MeshPlace {
    fn flexes(&self, file: &File<'_>, n_flexes: usize) -> Result<Vec<MeshFlex>, FormatError> {
        let at = self.at.saturating_add(MESH_FLEXES_AT);
        let mut r = file.sub("mesh flexes", at, 8)?;
        let at_count = r.clone();
        let size = (r.i32("mesh flexes")?, MESH_FLEX_SIZE);
        let place = (self.at, r.i32("mesh flexes")?);
        file.rows(&at_count, "mesh flexes", size, place, |r, at| {
            self.flex(file, r, at, n_flexes)
        })
    }

    fn flex(
        &self,
        file: &File<'_>,
        r: &mut Reader<'_>,
        at: usize,
        n_flexes: usize,
    ) -> Result<MeshFlex, FormatError> {
        let at_flex = r.clone();
        let flex = flex_number(&at_flex, r.i32("mesh flex")?, n_flexes)?;
        let mut targets = [0.0; 4];
        for target in &mut targets {
            *target = r.f32("flex target")?;
        }
        let at_vertices = r.clone();
        // The game takes the lower half of these numbers.
        let n_vertices = i32::from(r.u16("flex vertices")?);
        r.u16("flex vertices")?;
        let place = (at, r.i32("flex vertices")?);
        let is_packed = r.u16("flex vertex type")? != 0;
        let size = match is_packed {
            true => PACKED_VERTEX_SIZE,
            false => VERTEX_SIZE,
        };
        let size = (n_vertices, size);
        let vertices = file.rows(&at_vertices, "flex vertices", size, place, |r, _| {
            self.vertex(r, is_packed)
        })?;
        Ok(MeshFlex {
            mesh: self.mesh,
            flex,
            other_side: None,
            targets,
            vertices,
        })
    }

    fn vertex(&self, r: &mut Reader<'_>, is_packed: bool) -> Result<FlexVertex, FormatError> {
        let at = r.clone();
        let vertex = r.u16("flex vertex")?;
        if i32::from(vertex) >= self.n_vertices {
            let expected = format!("a vertex of the mesh below {}", self.n_vertices);
            return Err(at.unexpected("flex vertex", expected, vertex));
        }
        let offset = match is_packed {
            true => packed_offset(r)?,
            false => offset(r)?,
        };
        Ok(FlexVertex {
            vertex,
            side: 0.0,
            offset,
        })
    }
}

/// Three numbers, after two bytes that are not used.
fn offset(r: &mut Reader<'_>) -> Result<[f32; 3], FormatError> {
    r.u16("flex vertex")?;
    let at = r.clone();
    let offset = r.f32x3("flex vertex offset")?;
    match offset.iter().all(|axis| axis.is_finite()) {
        true => Ok(offset),
        false => {
            let found = format!("{offset:?}");
            Err(at.unexpected("flex vertex offset", "finite numbers", found))
        }
    }
}

/// A direction, that of the normal, and the length.
fn packed_offset(r: &mut Reader<'_>) -> Result<[f32; 3], FormatError> {
    let direction = fine_direction(r.u16("flex vertex direction")?);
    r.u16("flex vertex normal")?;
    let length = f32::from(r.u8("flex vertex length")?) / OFFSET_STEPS * LARGEST_OFFSET;
    // A direction that the table does not have moves nothing.
    Ok(direction.unwrap_or_default().map(|axis| axis * length))
}
