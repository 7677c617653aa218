//! Reading and writing of meshes (dossier section 9.4.1).

use super::normals::transposed;
use super::{Component, FORMAT, Fig, FigState, LANES, MorphComponent, NormalLayout, Tolerance};
use crate::complection::N_STATES;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

const NORMAL_BLOCK_SIZE: usize = 64;
const TEXCOORD_SIZE: usize = 8;
const INDEX_SIZE: usize = 2;
const COMPONENT_SIZE: usize = 6;
const MORPH_SIZE: usize = 4;
/// Bytes of a vertex block in one state.
const VERTEX_BLOCK_SIZE: usize = 48;

pub(super) fn read(data: &[u8], tolerance: Tolerance) -> Result<Fig, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    let n_states = read_magic(&mut r)?;
    let counts = Counts::read(&mut r)?;
    let unknown_1c = r.u32("unknown_1c")?;
    let group = r.u32("group")?;
    let texture = r.u32("texture")?;
    let at_bounds = r.clone();
    let mut states = read_bounds(&mut r, n_states)?;
    read_vertices(&mut r, &mut states, counts.vertex_blocks)?;
    let normals = read_normals(&mut r, counts.normal_blocks)?;
    let n_texcoords = r.claim(
        "texture coordinates",
        counts.texcoords.into(),
        TEXCOORD_SIZE,
    )?;
    let texcoords = (0..n_texcoords).map(|_| Ok([r.f32("u")?, r.f32("v")?]));
    let texcoords = texcoords.collect::<Result<_, FormatError>>()?;
    let at_indices = r.clone();
    let n_indices = r.claim("indices", counts.indices.into(), INDEX_SIZE)?;
    let indices = (0..n_indices).map(|_| r.u16("index"));
    let indices = indices.collect::<Result<_, _>>()?;
    let at_components = r.clone();
    let n_components = r.claim("components", counts.components.into(), COMPONENT_SIZE)?;
    let components = (0..n_components).map(|_| Component::read(&mut r));
    let components = components.collect::<Result<_, _>>()?;
    let at_morphs = r.clone();
    let n_morphs = r.claim("morph components", counts.morphs.into(), MORPH_SIZE)?;
    let morphs = (0..n_morphs).map(|_| MorphComponent::read(&mut r));
    let morphs = morphs.collect::<Result<_, _>>()?;
    let at_end = r.clone();
    let mut fig = Fig {
        states,
        normals,
        normal_layout: NormalLayout::Grouped,
        texcoords,
        indices,
        components,
        morphs,
        unknown_1c,
        group,
        texture,
        tail: r.rest().to_vec(),
    };
    if tolerance.contains(Tolerance::UNGROUPED_NORMALS) {
        fig.regroup_normals();
    }
    if let Some(fault) = fig.fault() {
        let at = match fault.table {
            Table::Indices => &at_indices,
            Table::Components => &at_components,
            Table::Morphs => &at_morphs,
        };
        return Err(fault.into_error(at));
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
    let Fig {
        states,
        normals,
        normal_layout,
        texcoords,
        indices,
        components,
        morphs,
        unknown_1c,
        group,
        texture,
        tail,
    } = fig;
    let mut w = Writer::new(FORMAT);
    let n_vertices = fig.n_vertices();
    w.bytes(match states.len() {
        1 => b"FIG1",
        N_STATES => b"FIG8",
        n => return Err(unexpected(&w, "magic", "1 or 8 states", n)),
    });
    if let Some(odd) = states.iter().find(|it| it.positions.len() != n_vertices) {
        let expected = format!("{n_vertices} in each state");
        return Err(unexpected(&w, "vertices", expected, odd.positions.len()));
    }
    for (field, len) in [("vertices", n_vertices), ("normals", normals.len())] {
        if !len.is_multiple_of(LANES) {
            return Err(unexpected(&w, field, "a multiple of four", len));
        }
        w.count(field, len / LANES)?;
    }
    w.count("texture coordinates", texcoords.len())?;
    w.count("indices", indices.len())?;
    w.count("components", components.len())?;
    w.count("morph components", morphs.len())?;
    if let Some(fault) = fig.fault() {
        return Err(fault.into_error(&Reader::new(FORMAT, &[])));
    }
    for word in [*unknown_1c, *group, *texture] {
        w.u32(word);
    }
    type Corner = fn(&FigState) -> [f32; 3];
    let corners: [Corner; 3] = [|it| it.center, |it| it.min, |it| it.max];
    for corner in corners {
        for state in states {
            w.f32x3(corner(state));
        }
    }
    for state in states {
        w.f32(state.radius);
    }
    write_vertices(&mut w, states);
    let stored = match normal_layout {
        NormalLayout::Grouped => transposed(normals),
        NormalLayout::Ungrouped => normals.clone(),
    };
    let words = stored.as_flattened().iter().chain(texcoords.as_flattened());
    for word in words {
        w.f32(*word);
    }
    for index in indices {
        w.u16(*index);
    }
    for component in components {
        component.write(&mut w);
    }
    for morph in morphs {
        morph.write(&mut w);
    }
    w.bytes(tail);
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

/// The header's numbers of records.
struct Counts {
    vertex_blocks: u32,
    normal_blocks: u32,
    texcoords: u32,
    indices: u32,
    components: u32,
    morphs: u32,
}

impl Counts {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            vertex_blocks: r.u32("vertex blocks")?,
            normal_blocks: r.u32("normal blocks")?,
            texcoords: r.u32("texture coordinates")?,
            indices: read_index_count(r)?,
            components: r.u32("components")?,
            morphs: r.u32("morph components")?,
        })
    }
}

fn read_index_count(r: &mut Reader<'_>) -> Result<u32, FormatError> {
    let at = r.clone();
    match r.u32("index count")? {
        n if n.is_multiple_of(3) => Ok(n),
        n => Err(at.unexpected("index count", "a multiple of three", n)),
    }
}

fn read_bounds(r: &mut Reader<'_>, n_states: usize) -> Result<Vec<FigState>, FormatError> {
    let mut states = vec![FigState::default(); n_states];
    for state in &mut states {
        state.center = r.f32x3("center")?;
    }
    for state in &mut states {
        state.min = r.f32x3("min")?;
    }
    for state in &mut states {
        state.max = r.f32x3("max")?;
    }
    for state in &mut states {
        state.radius = r.f32("radius")?;
    }
    Ok(states)
}

/// Block after block; in a block axis after axis, there state after state, there four vertices.
fn read_vertices(
    r: &mut Reader<'_>,
    states: &mut [FigState],
    n_blocks: u32,
) -> Result<(), FormatError> {
    let block_size = VERTEX_BLOCK_SIZE.saturating_mul(states.len());
    let n_blocks = r.claim("vertex blocks", n_blocks.into(), block_size)?;
    for _ in 0..n_blocks {
        let mut axes = [[[0.0; LANES]; N_STATES]; 3];
        for axis in &mut axes {
            for (lanes, _) in axis.iter_mut().zip(states.iter()) {
                *lanes = read_lanes(r, "vertex")?;
            }
        }
        let [xs, ys, zs] = &axes;
        let of_states = xs.iter().zip(ys).zip(zs);
        for (state, ((xs, ys), zs)) in states.iter_mut().zip(of_states) {
            let lanes = xs.iter().zip(ys).zip(zs);
            state
                .positions
                .extend(lanes.map(|((x, y), z)| [*x, *y, *z]));
        }
    }
    Ok(())
}

fn write_vertices(w: &mut Writer, states: &[FigState]) {
    let n_vertices = states.first().map_or(0, |state| state.positions.len());
    for block in 0..n_vertices / LANES {
        let axes: [fn(&[f32; 3]) -> f32; 3] = [|p| p[0], |p| p[1], |p| p[2]];
        for axis in axes {
            for state in states {
                let (blocks, _) = state.positions.as_chunks::<LANES>();
                for position in blocks.get(block).into_iter().flatten() {
                    w.f32(axis(position));
                }
            }
        }
    }
}

/// Normals as they are if the file groups them.
fn read_normals(r: &mut Reader<'_>, n_blocks: u32) -> Result<Vec<[f32; 4]>, FormatError> {
    let n_blocks = r.claim("normal blocks", n_blocks.into(), NORMAL_BLOCK_SIZE)?;
    let n_rows = n_blocks.saturating_mul(LANES);
    let rows = (0..n_rows).map(|_| read_lanes(r, "normal"));
    Ok(transposed(&rows.collect::<Result<Vec<_>, _>>()?))
}

fn read_lanes(r: &mut Reader<'_>, field: &'static str) -> Result<[f32; LANES], FormatError> {
    let [a, b, c] = r.f32x3(field)?;
    Ok([a, b, c, r.f32(field)?])
}

impl Component {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            position: r.u16("position of a component")?,
            normal: r.u16("normal of a component")?,
            texcoord: r.u16("texture coordinate of a component")?,
        })
    }

    fn write(self, w: &mut Writer) {
        let Self {
            position,
            normal,
            texcoord,
        } = self;
        for word in [position, normal, texcoord] {
            w.u16(word);
        }
    }
}

impl MorphComponent {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            morph: r.u16("offset of a morph component")?,
            vertex: r.u16("vertex of a morph component")?,
        })
    }

    fn write(self, w: &mut Writer) {
        let Self { morph, vertex } = self;
        w.u16(morph);
        w.u16(vertex);
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
struct Fault {
    table: Table,
    field: &'static str,
    /// Bytes from the start of the table.
    offset: usize,
    expected: String,
    found: usize,
}

impl Fault {
    /// The error, by a reader at the start of the table.
    fn into_error(self, at: &Reader<'_>) -> FormatError {
        let mut error = at.unexpected(self.field, self.expected, self.found);
        error.offset = error.offset.saturating_add(self.offset as u64);
        error
    }
}

impl Fig {
    /// The first thing that keeps the mesh from being drawn.
    fn fault(&self) -> Option<Fault> {
        if !self.indices.len().is_multiple_of(3) {
            return Some(Fault {
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
        let vertices = self.morphs.iter().map(|it| [it.vertex]);
        let n_vertices = self.n_vertices();
        let limits = [n_vertices, self.normals.len(), self.texcoords.len()];
        let is_index = [("index", 0)];
        let of_component = [
            ("position of a component", 0),
            ("normal of a component", 2),
            ("texture coordinate of a component", 4),
        ];
        let is_vertex = [("vertex of a morph component", 2)];
        outside(
            Table::Indices,
            INDEX_SIZE,
            indices,
            is_index,
            [self.components.len()],
        )
        .or_else(|| {
            outside(
                Table::Components,
                COMPONENT_SIZE,
                components,
                of_component,
                limits,
            )
        })
        .or_else(|| outside(Table::Morphs, MORPH_SIZE, vertices, is_vertex, [n_vertices]))
    }
}

/// The first index of a table that is beyond its limit; `fields` are names and places in a record.
fn outside<const N: usize>(
    table: Table,
    record_size: usize,
    records: impl Iterator<Item = [u16; N]>,
    fields: [(&'static str, usize); N],
    limits: [usize; N],
) -> Option<Fault> {
    records.enumerate().find_map(|(row, record)| {
        let mut values = record.into_iter().zip(fields).zip(limits);
        let ((value, (field, place)), limit) =
            values.find(|((value, _), limit)| usize::from(*value) >= *limit)?;
        Some(Fault {
            table,
            field,
            offset: row.saturating_mul(record_size).saturating_add(place),
            expected: format!("an index below {limit}"),
            found: value.into(),
        })
    })
}

fn unexpected(
    w: &Writer,
    field: &'static str,
    expected: impl Into<std::borrow::Cow<'static, str>>,
    found: usize,
) -> FormatError {
    let kind = FormatErrorKind::Unexpected {
        expected: expected.into(),
        found: found.to_string(),
    };
    w.error(field, kind)
}
