//! Wavefront OBJ as the draft of a model: each group or object becomes a node that stands at the origin.
//!
//! The way back from [`write_obj`](super::write_obj()). Faces of more than three corners are cut into fans. Colors and
//! textures of the MTL are not taken: a model only names its materials.

use std::collections::HashMap;

use ironlands_assets_parkan::msh::{
    BatchFlags, DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft, NO_LIGHTMAP,
};
use ironlands_exchange::obj::{FORMAT, ObjCorner, ObjVisitor, at_most, read_obj_text};
use ironlands_exchange::{Findings, ImportError};

use super::import::{DEFAULT_MATERIAL, ImportedModel, flat_normal, node_name, row_name, wrap_uvs};

/// Triangles are numbered by 16 bits.
const MAX_TRIANGLES: usize = 65535;
/// A batch names its row in a byte.
const MAX_ROWS: usize = 256;
/// Groups are nodes, which are numbered by 16 bits.
const MAX_GROUPS: usize = 65535;

/// Reads an OBJ.
///
/// # Errors
/// A line that cannot be understood, an index that leads nowhere, no face at all, and more triangles, materials or
/// groups than a model can hold. Lines count from 1.
pub fn read_obj(data: &[u8]) -> Result<ImportedModel, ImportError> {
    let mut findings = Findings::default();
    let mut groups = Groups::default();
    read_obj_text(data, &mut groups, &mut findings)?;
    groups.finish(findings)
}

/// What has been read so far.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    by_name: HashMap<String, usize>,
    /// Group and WEAR row of the faces that follow.
    group: Option<usize>,
    row: Option<u8>,
    rows: Vec<Vec<u8>>,
    by_material: HashMap<String, u8>,
    n_triangles: usize,
}

/// Faces of one name.
struct Group {
    name: Vec<u8>,
    /// By WEAR row, in the order of first use.
    batches: Vec<(Option<u8>, Vec<[DraftVertex; 3]>)>,
}

impl ObjVisitor for Groups {
    fn group(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError> {
        self.group = Some(self.group_of(name, place, findings)?);
        Ok(())
    }

    fn material(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError> {
        self.row = Some(self.row_of(name, place, findings)?);
        Ok(())
    }

    fn triangle(
        &mut self,
        corners: [ObjCorner; 3],
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError> {
        self.n_triangles = self.n_triangles.saturating_add(1);
        at_most("triangles", self.n_triangles, MAX_TRIANGLES, place)?;
        let triangle = draft_triangle(corners, place, findings)?;
        let group = match self.group {
            Some(group) => group,
            None => self.group_of("", place, findings)?,
        };
        self.group = Some(group);
        let row = self.row;
        if let Some(group) = self.groups.get_mut(group) {
            match group.batches.iter_mut().find(|(known, _)| *known == row) {
                Some((_, known)) => known.push(triangle),
                None => group.batches.push((row, vec![triangle])),
            }
        }
        Ok(())
    }
}

impl Groups {
    fn group_of(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<usize, ImportError> {
        if let Some(known) = self.by_name.get(name) {
            return Ok(*known);
        }
        let group = self.groups.len();
        at_most("groups", group.saturating_add(1), MAX_GROUPS, place)?;
        self.groups.push(Group {
            name: node_name(name, place, findings),
            batches: Vec::new(),
        });
        self.by_name.insert(name.to_owned(), group);
        Ok(group)
    }

    fn row_of(
        &mut self,
        name: &str,
        place: &str,
        findings: &mut Findings,
    ) -> Result<u8, ImportError> {
        if let Some(known) = self.by_material.get(name) {
            return Ok(*known);
        }
        let row = self.rows.len();
        at_most("materials", row.saturating_add(1), MAX_ROWS, place)?;
        self.rows.push(row_name(name, place, findings));
        // Just checked.
        let row = row as u8;
        self.by_material.insert(name.to_owned(), row);
        Ok(row)
    }

    fn finish(mut self, mut findings: Findings) -> Result<ImportedModel, ImportError> {
        let batches = self.groups.iter().flat_map(|group| &group.batches);
        let has_bare = batches.clone().any(|(row, _)| row.is_none());
        let bare_row = match has_bare && !self.rows.is_empty() {
            false => 0,
            true => {
                self.rows.push(DEFAULT_MATERIAL.to_vec());
                at_most("materials", self.rows.len(), MAX_ROWS, "the whole file")?;
                findings.add("the whole file", "faces without a material get DEFAULT");
                self.rows.len().saturating_sub(1) as u8
            }
        };
        let groups = self
            .groups
            .into_iter()
            .filter(|group| !group.batches.is_empty());
        let nodes = groups.map(|group| draft_node(group, bare_row));
        Ok(ImportedModel {
            draft: ModelDraft {
                nodes: nodes.collect(),
                ..ModelDraft::default()
            },
            materials: self.rows,
            lightmaps: Vec::new(),
            findings: findings.into_list(),
        })
    }
}

fn draft_triangle(
    corners: [ObjCorner; 3],
    place: &str,
    findings: &mut Findings,
) -> Result<[DraftVertex; 3], ImportError> {
    let flat = flat_normal(corners.map(|corner| corner.position));
    let mut uvs = corners.map(|corner| corner.uv.unwrap_or_default());
    wrap_uvs(&mut uvs, FORMAT, place, findings)?;
    let mut vertices = corners.map(|corner| {
        let normal = corner.normal.and_then(unit);
        DraftVertex {
            position: corner.position,
            normal: normal.unwrap_or(flat),
            ..DraftVertex::default()
        }
    });
    for (vertex, uv) in vertices.iter_mut().zip(uvs) {
        vertex.uv = uv;
    }
    if corners.iter().any(|corner| corner.normal.is_none()) {
        findings.add(place, "there are no normals; each triangle gets its own");
    }
    Ok(vertices)
}

fn draft_node(group: Group, bare_row: u8) -> DraftNode {
    let batches = group
        .batches
        .into_iter()
        .map(|(row, triangles)| DraftBatch {
            flags: BatchFlags::empty(),
            wear_row: row.unwrap_or(bare_row),
            lightmap: NO_LIGHTMAP,
            triangles,
        });
    DraftNode {
        name: group.name,
        keys: vec![DraftKey {
            time: 0.0,
            position: [0.0; 3],
            rotation: [1.0, 0.0, 0.0, 0.0],
        }],
        pieces: vec![DraftPiece {
            state: 0,
            lod: 0,
            batches: batches.collect(),
        }],
        ..DraftNode::default()
    }
}

/// A normal of length 1, or within the rounding of what models store; `None` where there is no direction.
fn unit(normal: [f32; 3]) -> Option<[f32; 3]> {
    let direction = glam::DVec3::from(normal.map(f64::from));
    if (direction.length() - 1.0).abs() < 0.01 && normal.iter().all(|v| v.abs() <= 1.0) {
        return Some(normal);
    }
    Some(direction.try_normalize()?.as_vec3().into())
}
