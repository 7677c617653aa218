//! Wavefront OBJ as the draft of a model: each group or object becomes a node that stands at the origin.
//!
//! +Y up becomes +Z up, and v, which OBJ counts from a picture's last row, becomes 1 - v: the way back from
//! [`write_obj`](crate::write_obj). Faces of more than three corners are cut into fans. Colors and textures of the
//! MTL are not taken: a model only names its materials.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use std::collections::HashMap;

use ironlands_assets_loader::parkan::msh::{
    BatchFlags, DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft,
};

use crate::findings::Findings;
use crate::import::{
    DEFAULT_MATERIAL, ImportError, Imported, flat_normal, node_name, row_name, within_reach,
    wrap_uvs,
};

const FORMAT: &str = "obj";

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
pub fn read_obj(data: &[u8]) -> Result<Imported, ImportError> {
    let mut reader = Obj::default();
    for (number, line) in (1usize..).zip(data.split(|byte| *byte == b'\n')) {
        reader.line(&String::from_utf8_lossy(line), &format!("line {number}"))?;
    }
    reader.finish()
}

/// What has been read so far.
#[derive(Default)]
struct Obj {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    groups: Vec<Group>,
    by_name: HashMap<String, usize>,
    /// Group and WEAR row of the faces that follow.
    group: Option<usize>,
    row: Option<u8>,
    rows: Vec<Vec<u8>>,
    by_material: HashMap<String, u8>,
    n_triangles: usize,
    findings: Findings,
}

/// Faces of one name.
struct Group {
    name: Vec<u8>,
    /// By WEAR row, in the order of first use.
    batches: Vec<(Option<u8>, Vec<[DraftVertex; 3]>)>,
}

/// A corner of a face, without what it does not say.
#[derive(Clone, Copy)]
struct Corner {
    position: [f32; 3],
    uv: Option<[f32; 2]>,
    normal: Option<[f32; 3]>,
}

impl Obj {
    fn line(&mut self, line: &str, place: &str) -> Result<(), ImportError> {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "v" => {
                let [x, y, z] = numbers(rest, 3, place)?;
                let position = within_reach([x, 0.0 - z, y], FORMAT, place)?;
                self.positions.push(position);
            }
            "vt" => {
                let [u, v, _] = numbers(rest, 1, place)?;
                self.uvs.push([u, 1.0 - v]);
            }
            "vn" => {
                let [x, y, z] = numbers(rest, 3, place)?;
                self.normals.push([x, 0.0 - z, y]);
            }
            "f" => self.face(rest, place)?,
            "g" | "o" => self.group = Some(self.group_of(rest, place)?),
            "usemtl" => self.row = Some(self.row_of(rest, place)?),
            "mtllib" => {
                let what = "colors and textures are left out: a model only names its materials";
                self.findings.add(place, what);
            }
            // Smoothing stands in the normals.
            "s" => {}
            _ if line.ends_with('\\') => {
                return Err(unexpected(
                    place,
                    "a whole line",
                    "one that goes on in the next",
                ));
            }
            other => {
                let word: String = other.chars().take(20).collect();
                self.findings
                    .add(place, format!("{word:?} means nothing to a model"));
            }
        }
        Ok(())
    }

    fn face(&mut self, rest: &str, place: &str) -> Result<(), ImportError> {
        let corners = rest
            .split_whitespace()
            .map(|corner| self.corner(corner, place));
        let corners: Vec<Corner> = corners.collect::<Result<_, _>>()?;
        let Some((first, others)) = corners.split_first().filter(|(_, others)| others.len() > 1)
        else {
            return Err(unexpected(place, "three corners or more", corners.len()));
        };
        if corners.len() > 4 {
            let what = "faces of more than four corners are cut into fans; bulging ones need care";
            self.findings.add(place, what);
        }
        self.n_triangles = self
            .n_triangles
            .saturating_add(others.len().saturating_sub(1));
        at_most("triangles", self.n_triangles, MAX_TRIANGLES, place)?;
        let mut triangles = Vec::with_capacity(others.len());
        for pair in others.windows(2) {
            if let [second, third] = pair {
                triangles.push(self.triangle([*first, *second, *third], place)?);
            }
        }
        let group = match self.group {
            Some(group) => group,
            None => self.group_of("", place)?,
        };
        self.group = Some(group);
        let row = self.row;
        if let Some(group) = self.groups.get_mut(group) {
            match group.batches.iter_mut().find(|(known, _)| *known == row) {
                Some((_, known)) => known.extend(triangles),
                None => group.batches.push((row, triangles)),
            }
        }
        Ok(())
    }

    /// A corner: position, then perhaps texture coordinate and normal.
    fn corner(&self, text: &str, place: &str) -> Result<Corner, ImportError> {
        let mut parts = text.split('/');
        let position = pick(&self.positions, parts.next().unwrap_or_default(), place)?;
        let mut part = || parts.next().filter(|part| !part.is_empty());
        let uv = part()
            .map(|part| pick(&self.uvs, part, place))
            .transpose()?;
        let normal = part()
            .map(|part| pick(&self.normals, part, place))
            .transpose()?;
        if parts.next().is_some() {
            return Err(unexpected(
                place,
                "a corner as v/vt/vn",
                format!("{text:?}"),
            ));
        }
        Ok(Corner {
            position,
            uv,
            normal,
        })
    }

    fn triangle(
        &mut self,
        corners: [Corner; 3],
        place: &str,
    ) -> Result<[DraftVertex; 3], ImportError> {
        let flat = flat_normal(corners.map(|corner| corner.position));
        let mut uvs = corners.map(|corner| corner.uv.unwrap_or_default());
        wrap_uvs(&mut uvs, FORMAT, place, &mut self.findings)?;
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
            self.findings
                .add(place, "there are no normals; each triangle gets its own");
        }
        Ok(vertices)
    }

    fn group_of(&mut self, name: &str, place: &str) -> Result<usize, ImportError> {
        if let Some(known) = self.by_name.get(name) {
            return Ok(*known);
        }
        let group = self.groups.len();
        at_most("groups", group.saturating_add(1), MAX_GROUPS, place)?;
        self.groups.push(Group {
            name: node_name(name, place, &mut self.findings),
            batches: Vec::new(),
        });
        self.by_name.insert(name.to_owned(), group);
        Ok(group)
    }

    fn row_of(&mut self, name: &str, place: &str) -> Result<u8, ImportError> {
        if let Some(known) = self.by_material.get(name) {
            return Ok(*known);
        }
        let row = self.rows.len();
        at_most("materials", row.saturating_add(1), MAX_ROWS, place)?;
        self.rows.push(row_name(name, place, &mut self.findings));
        // Just checked.
        let row = row as u8;
        self.by_material.insert(name.to_owned(), row);
        Ok(row)
    }

    fn finish(mut self) -> Result<Imported, ImportError> {
        if self.n_triangles == 0 {
            return Err(unexpected("the whole file", "a face", "none"));
        }
        let batches = self.groups.iter().flat_map(|group| &group.batches);
        let has_bare = batches.clone().any(|(row, _)| row.is_none());
        let bare_row = match has_bare && !self.rows.is_empty() {
            false => 0,
            true => {
                self.rows.push(DEFAULT_MATERIAL.to_vec());
                at_most("materials", self.rows.len(), MAX_ROWS, "the whole file")?;
                self.findings
                    .add("the whole file", "faces without a material get DEFAULT");
                self.rows.len().saturating_sub(1) as u8
            }
        };
        let groups = self
            .groups
            .into_iter()
            .filter(|group| !group.batches.is_empty());
        let nodes = groups.map(|group| draft_node(group, bare_row));
        Ok(Imported {
            draft: ModelDraft {
                nodes: nodes.collect(),
                ..ModelDraft::default()
            },
            materials: self.rows,
            lightmaps: Vec::new(),
            findings: self.findings.into_list(),
        })
    }
}

fn draft_node(group: Group, bare_row: u8) -> DraftNode {
    let batches = group
        .batches
        .into_iter()
        .map(|(row, triangles)| DraftBatch {
            flags: BatchFlags::empty(),
            wear_row: row.unwrap_or(bare_row),
            lightmap: 0,
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

/// Three numbers, of which so many must be there; the others are 0, and more are passed over.
fn numbers(text: &str, needed: usize, place: &str) -> Result<[f32; 3], ImportError> {
    let mut values = [0.0; 3];
    let mut words = text.split_whitespace();
    for (index, value) in values.iter_mut().enumerate() {
        let word = match words.next() {
            None if index >= needed => break,
            word => word.unwrap_or_default(),
        };
        let number = word.parse().ok().filter(|number: &f32| number.is_finite());
        *value = number.ok_or_else(|| {
            let word: String = word.chars().take(20).collect();
            unexpected(place, "a finite number", format!("{word:?}"))
        })?;
    }
    Ok(values)
}

/// An element by its number: from 1 on, or back from the last one.
fn pick<T: Copy>(list: &[T], number: &str, place: &str) -> Result<T, ImportError> {
    let parsed: Option<i64> = number.parse().ok();
    let index = parsed.and_then(|number| match number {
        1.. => usize::try_from(number.saturating_sub(1)).ok(),
        _ => {
            let back = usize::try_from(number.unsigned_abs())
                .ok()
                .filter(|back| *back > 0)?;
            list.len().checked_sub(back)
        }
    });
    let element = index.and_then(|index| list.get(index)).copied();
    element.ok_or_else(|| {
        let number: String = number.chars().take(20).collect();
        let expected = format!("a number of one of the {} before", list.len());
        unexpected(place, &expected, format!("{number:?}"))
    })
}

/// A normal of length 1, or within the rounding of what models store; `None` where there is no direction.
fn unit(normal: [f32; 3]) -> Option<[f32; 3]> {
    let direction = glam::DVec3::from(normal.map(f64::from));
    if (direction.length() - 1.0).abs() < 0.01 && normal.iter().all(|v| v.abs() <= 1.0) {
        return Some(normal);
    }
    Some(direction.try_normalize()?.as_vec3().into())
}

fn at_most(what: &str, count: usize, limit: usize, place: &str) -> Result<(), ImportError> {
    if count <= limit {
        return Ok(());
    }
    Err(ImportError::Unsupported {
        format: FORMAT,
        place: place.to_owned(),
        what: format!("with {count} {what} it is beyond the {limit} of a model"),
    })
}

fn unexpected(place: &str, expected: &str, found: impl std::fmt::Display) -> ImportError {
    ImportError::Unexpected {
        format: FORMAT,
        place: place.to_owned(),
        expected: expected.to_owned(),
        found: found.to_string(),
    }
}
