//! Reading and writing of meshes (dossier section 9.4.1).

use super::normals::transposed;
use super::{Component, FORMAT, Fig, FigState, LANES, MorphComponent, NormalLayout, Tolerance};
use crate::complection::N_STATES;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::{Codec, FieldPlace, Record, places};

/// Bytes of a vertex block in one state.
const VERTEX_BLOCK_SIZE: usize = 48;

/// Bounds of a state: center, both corners, radius.
const BOUNDS_SIZE: usize = 40;
/// Where the bounds of the first state begin, after magic and header.
const FIRST_STATE: usize = 4 + Header::SIZE;

/// What follows the magic.
#[derive(Record)]
pub(super) struct Header {
    #[field("vertex blocks")]
    vertex_blocks: u32,
    #[field("normal blocks")]
    normal_blocks: u32,
    #[field("texture coordinates")]
    texcoords: u32,
    #[field("index count", check = is_of_triangles)]
    indices: u32,
    #[field("components")]
    components: u32,
    #[field("morph components")]
    morphs: u32,
    #[field("unknown_1c")]
    unknown_1c: u32,
    #[field("group")]
    group: u32,
    #[field("texture")]
    texture: u32,
}

pub(super) fn read(data: &[u8], tolerance: Tolerance) -> Result<Fig, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    let n_states = read_magic(&mut r)?;
    let header = Header::read(&mut r, ())?;
    let at_bounds = r.clone();
    let mut fig = Fig {
        states: vec![FigState::default(); n_states],
        unknown_1c: header.unknown_1c,
        group: header.group,
        texture: header.texture,
        ..Fig::default()
    };
    let tables = fig.walk(&header, &mut r)?;
    let at_end = r.clone();
    fig.tail = r.rest().to_vec();
    if tolerance.contains(Tolerance::UNGROUPED_NORMALS) {
        fig.regroup_normals();
    }
    if let Some(problem) = fig.problem() {
        let [indices, components, morphs] = tables;
        let offset = match problem.table {
            Table::Indices => indices,
            Table::Components => components,
            Table::Morphs => morphs,
        };
        return Err(problem.into_error(offset));
    }
    let is_sound = fig.n_vertices() == 0 || fig.states.iter().all(FigState::has_finite_bounds);
    if !is_sound && !tolerance.contains(Tolerance::BROKEN_BOUNDS) {
        return Err(at_bounds.unexpected("bounds", "numbers", "infinities or no numbers"));
    }
    if !fig.tail.is_empty() && !tolerance.contains(Tolerance::TRAILING_BYTES) {
        at_end.finish("after the morph components")?;
    }
    Ok(fig)
}

pub(super) fn write(fig: &Fig) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    let n_vertices = fig.n_vertices();
    w.bytes(match fig.states.len() {
        1 => b"FIG1",
        N_STATES => b"FIG8",
        n => return Err(w.unexpected("magic", "1 or 8 states", n)),
    });
    let mut states = fig.states.iter();
    if let Some(odd) = states.find(|it| it.positions.len() != n_vertices) {
        let expected = format!("{n_vertices} in each state");
        return Err(w.unexpected("vertices", expected, odd.positions.len()));
    }
    let n_blocks = |field, len: usize| match len.is_multiple_of(LANES) {
        true => w.checked_count(field, len / LANES),
        false => Err(w.unexpected(field, "a multiple of four", len)),
    };
    let header = Header {
        vertex_blocks: n_blocks("vertices", n_vertices)?,
        normal_blocks: n_blocks("normals", fig.normals.len())?,
        texcoords: w.checked_count("texture coordinates", fig.texcoords.len())?,
        indices: w.checked_count("indices", fig.indices.len())?,
        components: w.checked_count("components", fig.components.len())?,
        morphs: w.checked_count("morph components", fig.morphs.len())?,
        unknown_1c: fig.unknown_1c,
        group: fig.group,
        texture: fig.texture,
    };
    if let Some(problem) = fig.problem() {
        return Err(problem.into_error(0));
    }
    header.write(&mut w, ())?;
    fig.clone().walk(&header, &mut w)?;
    w.bytes(&fig.tail);
    Ok(w.finish())
}

/// Number of states.
fn read_magic(r: &mut Reader<'_>) -> Result<usize, FormatError> {
    let at = r.clone();
    match r.array("magic")? {
        [b'F', b'I', b'G', b'1'] => Ok(1),
        [b'F', b'I', b'G', b'8'] => Ok(N_STATES),
        [b'F', b'I', b'G', n @ b'0'..=b'9'] => {
            let what = format!("a mesh of {} states", n.saturating_sub(b'0'));
            Err(at.error("magic", FormatErrorKind::Unsupported { what }))
        }
        other => {
            let found = format!("\"{}\"", other.escape_ascii());
            Err(at.unexpected("magic", "\"FIG1\" or \"FIG8\"", found))
        }
    }
}

fn is_of_triangles(
    at: &Reader<'_>,
    field: &'static str,
    n_indices: &u32,
) -> Result<(), FormatError> {
    match n_indices.is_multiple_of(3) {
        true => Ok(()),
        false => Err(at.unexpected(field, "a multiple of three", n_indices)),
    }
}

impl Fig {
    /// The first position and the first texture coordinate that are not finite: where they stand, and what they are.
    pub(super) fn not_finite(&self) -> Vec<(u64, &'static str)> {
        let size = |floats: usize| floats.saturating_mul(size_of::<f32>());
        let first = |start: usize, what, values: &mut dyn Iterator<Item = f32>| {
            let (index, _) = values.enumerate().find(|(_, v)| !v.is_finite())?;
            Some((start.saturating_add(size(index)) as u64, what))
        };
        let n_states = self.states.len();
        let vertices_at = FIRST_STATE.saturating_add(n_states.saturating_mul(BOUNDS_SIZE));
        let n_coordinates = n_states.saturating_mul(self.n_vertices().saturating_mul(3));
        let texcoords_at = vertices_at
            .saturating_add(size(n_coordinates))
            .saturating_add(size_of_val(self.normals.as_slice()));
        let n_blocks = self.n_vertices() / LANES;
        // As `walk_vertices` has them.
        let mut coordinates = (0..n_blocks).flat_map(|block| {
            (0..3).flat_map(move |axis| {
                let blocks = self.states.iter().filter_map(move |state| {
                    let (blocks, _) = state.positions.as_chunks::<LANES>();
                    blocks.get(block)
                });
                blocks
                    .flatten()
                    .filter_map(move |position| position.get(axis).copied())
            })
        });
        let mut texcoords = self.texcoords.as_flattened().iter().copied();
        let places = [
            first(vertices_at, "a position", &mut coordinates),
            first(texcoords_at, "a texture coordinate", &mut texcoords),
        ];
        places.into_iter().flatten().collect()
    }

    /// Reads or writes everything between header and tail; returns where indices, components and morph components begin.
    fn walk(&mut self, header: &Header, c: &mut impl Codec) -> Result<[u64; 3], FormatError> {
        type Corner = fn(&mut FigState) -> &mut [f32; 3];
        let corners: [(&str, Corner); 3] = [
            ("center", |it| &mut it.center),
            ("min", |it| &mut it.min),
            ("max", |it| &mut it.max),
        ];
        for (name, corner) in corners {
            for state in &mut self.states {
                c.field(name, corner(state))?;
            }
        }
        for state in &mut self.states {
            c.field("radius", &mut state.radius)?;
        }
        self.walk_vertices(header.vertex_blocks, c)?;
        // Regrouping is its own inverse: the same step leads from what is held to what is stored, and back.
        let regrouped = |normals: &[[f32; 4]], layout| match layout {
            NormalLayout::Grouped => transposed(normals),
            NormalLayout::Ungrouped => normals.to_vec(),
        };
        let mut stored = regrouped(&self.normals, self.normal_layout);
        let n_rows = u64::from(header.normal_blocks).saturating_mul(LANES as u64);
        c.fields("normal blocks", &mut stored, n_rows)?;
        self.normals = regrouped(&stored, self.normal_layout);
        let n_texcoords = header.texcoords.into();
        c.fields("texture coordinates", &mut self.texcoords, n_texcoords)?;
        let indices_at = c.offset();
        c.fields("indices", &mut self.indices, header.indices.into())?;
        let components_at = c.offset();
        let n_components = header.components.into();
        c.fields("components", &mut self.components, n_components)?;
        let morphs_at = c.offset();
        c.fields("morph components", &mut self.morphs, header.morphs.into())?;
        Ok([indices_at, components_at, morphs_at])
    }

    /// Block after block; in a block axis after axis, there state after state, there four vertices.
    fn walk_vertices(&mut self, n_blocks: u32, c: &mut impl Codec) -> Result<(), FormatError> {
        if let Some(r) = c.reader() {
            let block_size = VERTEX_BLOCK_SIZE.saturating_mul(self.states.len());
            let n_blocks = r.claim("vertex blocks", n_blocks.into(), block_size)?;
            for state in &mut self.states {
                state.positions = vec![[0.0; 3]; n_blocks.saturating_mul(LANES)];
            }
        }
        let axes: [fn(&mut [f32; 3]) -> &mut f32; 3] =
            [|p| &mut p[0], |p| &mut p[1], |p| &mut p[2]];
        for block in 0..n_blocks as usize {
            for axis in axes {
                for state in &mut self.states {
                    let (blocks, _) = state.positions.as_chunks_mut::<LANES>();
                    for position in blocks.get_mut(block).into_iter().flatten() {
                        c.field("vertex", axis(position))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The table that an index stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    Indices,
    Components,
    Morphs,
}

/// An index of something that is not there, or part of a triangle.
struct Problem {
    table: Table,
    field: &'static str,
    /// Bytes from the start of the table.
    offset: usize,
    expected: String,
    found: usize,
}

impl Problem {
    /// The error; the table begins at `start`.
    fn into_error(self, start: u64) -> FormatError {
        let offset = start.saturating_add(self.offset as u64);
        Reader::nested(FORMAT, &[], offset).unexpected(self.field, self.expected, self.found)
    }
}

impl Fig {
    /// The first thing that keeps the mesh from being drawn.
    fn problem(&self) -> Option<Problem> {
        if !self.indices.len().is_multiple_of(3) {
            return Some(Problem {
                table: Table::Indices,
                field: "index count",
                offset: 0,
                expected: "a multiple of three".to_owned(),
                found: self.indices.len(),
            });
        }
        let indices = self.indices.iter().map(|index| [*index]);
        let components = self.components.iter();
        let components = components.map(|it| [it.position, it.normal, it.texcoord]);
        let morphs = self.morphs.iter().map(|it| [it.morph, it.vertex]);
        let n_vertices = self.n_vertices();
        let limits = [n_vertices, self.normals.len(), self.texcoords.len()];
        let index = places([("index", size_of::<u16>())]);
        outside(Table::Indices, &index, indices, [self.components.len()])
            .or_else(|| {
                outside(
                    Table::Components,
                    &Component::fields(()),
                    components,
                    limits,
                )
            })
            .or_else(|| {
                // Which offsets there are, the animation says.
                let limits = [usize::MAX, n_vertices];
                outside(Table::Morphs, &MorphComponent::fields(()), morphs, limits)
            })
    }
}

/// The first index of a table that is beyond its limit.
fn outside<const N: usize>(
    table: Table,
    fields: &[FieldPlace],
    records: impl Iterator<Item = [u16; N]>,
    limits: [usize; N],
) -> Option<Problem> {
    let record_size: usize = fields.iter().map(|field| field.size).sum();
    records.enumerate().find_map(|(row, record)| {
        let mut values = record.into_iter().zip(fields).zip(limits);
        let ((value, field), limit) =
            values.find(|((value, _), limit)| usize::from(*value) >= *limit)?;
        Some(Problem {
            table,
            field: field.name,
            offset: row.saturating_mul(record_size).saturating_add(field.offset),
            expected: format!("an index below {limit}"),
            found: value.into(),
        })
    })
}
