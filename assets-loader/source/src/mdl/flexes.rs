//! Faces: the controllers of a model, the rules that make weights of flexes from their values, and the vertices that each
//! flex moves. They are read from the bytes that an [`Mdl`] keeps, when they are shown. Layouts as `studio.h` of the public
//! SDK has them; what the rules compute is written from memory of how its games behave.
//!
//! Deliberately absent: mouths that open with speech, the delay of vertices, and wrinkles of textures.

mod rules;
#[cfg(test)]
mod tests;

use std::fmt;

use half::f16;

use super::tables::{rows_at, table};
use super::{FORMAT, Mdl, MdlMesh, MdlModel};
use crate::mdl::MdlBodyPart;
use crate::studio_file::File;
use ironlands_assets_core::bytes::{FormatError, Reader};

/// Where counts and offsets of tables stand in the header, and bytes of their rows.
const FLEXES: (usize, usize) = (0x104, 4);
const CONTROLLERS: (usize, usize) = (0x10C, 20);
const RULES: (usize, usize) = (0x114, 12);
const OPERATION_SIZE: usize = 8;
const MESH_FLEX_SIZE: usize = 60;
const VERTEX_SIZE: usize = 16;
const WRINKLE_VERTEX_SIZE: usize = 18;
/// Header flag: distances are whole numbers times a number of the header.
const FIXED_POINT: u32 = 0x20_0000;
const FIXED_POINT_SCALE_AT: usize = 392;
/// Of vertices that a flex of one side moves the share of the other side, of 255.
const SIDES: f32 = 255.0;

/// What shapes the face of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flexes {
    /// Names of flexes in file order.
    pub names: Vec<String>,
    /// What a game sets, in file order.
    pub controllers: Vec<FlexController>,
    /// How weights of flexes come from controllers, in the order in which they are computed.
    pub rules: Vec<FlexRule>,
    /// What moves, in the order of body parts, models, meshes and flexes.
    pub meshes: Vec<MeshFlex>,
}

/// A number that a game sets, as in `jaw_drop`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlexController {
    /// What it belongs to, as in `phoneme`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its smallest value.
    pub min: f32,
    /// Its largest value.
    pub max: f32,
}

/// How the weight of a flex is computed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlexRule {
    /// Number of the flex.
    pub flex: usize,
    /// Postfix notation.
    pub operations: Vec<FlexOperation>,
}

/// A step of a rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FlexOperation {
    /// What it does, as stored.
    pub code: i32,
    /// A number of a controller or flex, or the bits of a constant.
    pub operand: u32,
}

/// What a flex moves of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshFlex {
    /// Body part, model and mesh.
    pub mesh: [usize; 3],
    /// Number of the flex; of a pair that of one side.
    pub flex: usize,
    /// Number of the flex of the other side.
    pub other_side: Option<usize>,
    /// Weights at which it begins to move, has moved, begins to go back, and is back.
    pub targets: [f32; 4],
    /// What it moves.
    pub vertices: Vec<FlexVertex>,
}

/// A vertex that a flex moves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FlexVertex {
    /// Number of the vertex in its mesh.
    pub vertex: u16,
    /// How much of it follows the other side of a pair, 0 to 1.
    pub side: f32,
    /// How far it moves, in the space of the model.
    pub offset: [f32; 3],
}

impl Flexes {
    /// Reads all that shapes a face.
    ///
    /// # Errors
    /// Tables that do not lie in the file or share their bytes many times, numbers that lead nowhere, rules with unknown
    /// operations, and vertices that move to no place.
    pub fn read(mdl: &Mdl) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, mdl.image());
        let mut flexes = Self::read_tables(&file, [FLEXES, CONTROLLERS, RULES])?;
        flexes.meshes = meshes(&file, mdl, flexes.names.len())?;
        Ok(flexes)
    }

    /// Reads all but what moves, given where counts and offsets of descriptions, controllers and rules are in the header, and
    /// bytes of their rows.
    pub(crate) fn read_tables(
        file: &File<'_>,
        [names, controllers, rules]: [(usize, usize); 3],
    ) -> Result<Self, FormatError> {
        let names = table(file, "flex descriptions", names, |r, at| {
            Ok(file.take_text(r, "flex name", at)?.text().into_owned())
        })?;
        let controllers = table(file, "flex controllers", controllers, |r, at| {
            controller(file, r, at)
        })?;
        let counts = [names.len(), controllers.len()];
        let rules = table(file, "flex rules", rules, |r, at| {
            rules::read(file, r, at, counts)
        })?;
        Ok(Self {
            names,
            controllers,
            rules,
            meshes: Vec::new(),
        })
    }

    /// Values of controllers that change nothing: 0, or what is next to it.
    pub fn values_at_rest(&self) -> Vec<f32> {
        let controllers = self.controllers.iter();
        let rest = controllers.map(|it| 0.0_f32.max(it.min).min(it.max));
        rest.collect()
    }

    /// Weights of all flexes by the values of all controllers.
    pub fn weights(&self, values: &[f32]) -> Vec<f32> {
        rules::weights(self, values)
    }
}

/// As in `smile (mouth), -1 to 1`.
impl fmt::Display for FlexController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            name,
            min,
            max,
        } = self;
        write!(f, "{name} ({kind}), {min} to {max}")
    }
}

impl MeshFlex {
    /// How far it has moved, 0 to 1, by the weight of its flex.
    pub fn share(&self, weight: f32) -> f32 {
        trapezoid(self.targets, weight)
    }
}

/// 1 between `full` and `back`, 0 beyond the ends, and of what is no number.
fn trapezoid([begins, full, back, ends]: [f32; 4], value: f32) -> f32 {
    match value {
        _ if !(value > begins && value < ends) => 0.0,
        _ if value < full => (value - begins) / (full - begins),
        _ if value > back => (ends - value) / (ends - back),
        _ => 1.0,
    }
}

fn controller(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
) -> Result<FlexController, FormatError> {
    let kind = file.take_text(r, "flex controller type", at)?;
    let name = file.take_text(r, "flex controller name", at)?;
    // Where the controller is among those of a whole game; it is set when a model is loaded.
    r.i32("flex controller number")?;
    let at_range = r.clone();
    let [min, max] = [r.f32("flex controller min")?, r.f32("flex controller max")?];
    if !(min.is_finite() && max.is_finite() && min <= max) {
        let found = format!("{min} to {max}");
        return Err(at_range.unexpected("flex controller min", "a range", found));
    }
    Ok(FlexController {
        kind: kind.text().into_owned(),
        name: name.text().into_owned(),
        min,
        max,
    })
}

/// The flexes of all meshes.
fn meshes(file: &File<'_>, mdl: &Mdl, n_flexes: usize) -> Result<Vec<MeshFlex>, FormatError> {
    let scale = match mdl.header.flags & FIXED_POINT {
        0 => None,
        _ => Some(
            file.sub("header", FIXED_POINT_SCALE_AT, 4)?
                .f32("flex scale")?,
        ),
    };
    let mut flexes = Vec::new();
    let parts = rows_at(
        0,
        mdl.body_parts.offset(),
        &mdl.body_parts,
        MdlBodyPart::SIZE,
    );
    for (part, (part_at, models)) in parts.enumerate() {
        let models = &models.models;
        let models = rows_at(part_at, models.offset(), models, MdlModel::SIZE);
        for (model, (model_at, meshes)) in models.enumerate() {
            let meshes = &meshes.meshes;
            let meshes = rows_at(model_at, meshes.offset(), meshes, MdlMesh::SIZE);
            for (mesh, (at, row)) in meshes.enumerate() {
                let place = MeshPlace {
                    mesh: [part, model, mesh],
                    at,
                    scale,
                };
                flexes.extend(place.flexes(file, row, n_flexes)?);
            }
        }
    }
    Ok(flexes)
}

/// A mesh and where its record stands.
struct MeshPlace {
    mesh: [usize; 3],
    at: usize,
    scale: Option<f32>,
}

impl MeshPlace {
    fn flexes(
        &self,
        file: &File<'_>,
        row: &MdlMesh,
        n_flexes: usize,
    ) -> Result<Vec<MeshFlex>, FormatError> {
        let mut r = file.sub("mesh flexes", self.at.saturating_add(16), 8)?;
        let at_count = r.clone();
        let count = r.i32("mesh flexes")?;
        let offset = r.i32("mesh flexes")?;
        let place = (self.at, offset);
        let read = |r: &mut Reader<'_>, at: usize| {
            let at_flex = r.clone();
            let flex = flex_number(&at_flex, r.i32("mesh flex")?, n_flexes)?;
            let mut targets = [0.0; 4];
            for target in &mut targets {
                *target = r.f32("flex target")?;
            }
            let at_vertices = r.clone();
            let n_vertices = r.i32("flex vertices")?;
            let vertices_offset = r.i32("flex vertices")?;
            let at_pair = r.clone();
            let other_side = match r.i32("flex pair")? {
                0 => None,
                pair => Some(flex_number(&at_pair, pair, n_flexes)?),
            };
            let size = match r.u8("flex vertex type")? {
                0 => VERTEX_SIZE,
                _ => WRINKLE_VERTEX_SIZE,
            };
            let vertices = file.rows(
                &at_vertices,
                "flex vertices",
                (n_vertices, size),
                (at, vertices_offset),
                |r, _| self.vertex(r, row.n_vertices),
            )?;
            Ok(MeshFlex {
                mesh: self.mesh,
                flex,
                other_side,
                targets,
                vertices,
            })
        };
        file.rows(
            &at_count,
            "mesh flexes",
            (count, MESH_FLEX_SIZE),
            place,
            read,
        )
    }

    fn vertex(&self, r: &mut Reader<'_>, n_vertices: i32) -> Result<FlexVertex, FormatError> {
        let at = r.clone();
        let vertex = r.u16("flex vertex")?;
        if i32::from(vertex) >= n_vertices {
            let expected = format!("a vertex of the mesh below {n_vertices}");
            return Err(at.unexpected("flex vertex", expected, vertex));
        }
        r.u8("flex vertex speed")?;
        let side = f32::from(r.u8("flex vertex side")?) / SIDES;
        let at = r.clone();
        let mut offset = [0.0; 3];
        for axis in &mut offset {
            let bits = r.u16("flex vertex offset")?;
            *axis = match self.scale {
                Some(scale) => f32::from(bits.cast_signed()) * scale,
                None => f16::from_bits(bits).to_f32(),
            };
        }
        if !offset.iter().all(|axis| axis.is_finite()) {
            let found = format!("{offset:?}");
            return Err(at.unexpected("flex vertex offset", "finite numbers", found));
        }
        Ok(FlexVertex {
            vertex,
            side,
            offset,
        })
    }
}

/// A number of one of `n` flexes; `r` is at it, for errors.
pub(crate) fn flex_number(r: &Reader<'_>, number: i32, n: usize) -> Result<usize, FormatError> {
    let known = usize::try_from(number).ok().filter(|it| *it < n);
    known.ok_or_else(|| r.unexpected("mesh flex", format!("a flex below {n}"), number))
}
