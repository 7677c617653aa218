//! Bytes to a sector and back.

use super::{
    FORMAT, LIQUIDS_MARK, LiquidLayer, Liquids, MAGIC, N_TILES, N_VERTICES, NO_LIQUID,
    PackedNormal, Sec, Tile, Tiles, Tolerance, Vertex, Vertices,
};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

const VERTICES_SIZE: usize = N_VERTICES * 8;
const TILES_SIZE: usize = N_TILES * 2;
const HEAD_SIZE: usize = MAGIC.len() + 1;
/// Length of a file without liquids.
const DRY_SIZE: usize = HEAD_SIZE + VERTICES_SIZE + TILES_SIZE;
/// Length of a file with vertices of liquids and no tiles.
const VERTICES_ONLY_SIZE: usize = DRY_SIZE + VERTICES_SIZE;
/// Length of a file with a whole layer of liquids.
const WET_SIZE: usize = VERTICES_ONLY_SIZE + 2 * TILES_SIZE;

/// Which tables there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Dry,
    VerticesOnly,
    Wet,
}

impl Form {
    /// All forms, smallest first.
    const ALL: [(Self, usize); 3] = [
        (Self::Dry, DRY_SIZE),
        (Self::VerticesOnly, VERTICES_ONLY_SIZE),
        (Self::Wet, WET_SIZE),
    ];

    /// Whether the byte that announces liquids may announce this. Readers agree on 0 and 3 alone.
    fn goes_with(self, mark: u8) -> bool {
        match mark {
            0 => self == Self::Dry,
            LIQUIDS_MARK => self == Self::Wet,
            _ => self != Self::Dry,
        }
    }
}

pub(super) fn read(data: &[u8], tolerance: Tolerance) -> Result<Sec, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    r.expect("magic", &MAGIC)?;
    let at = r.clone();
    let liquid_mark = r.u8("liquid mark")?;
    let form = form_of(&at, liquid_mark, data.len(), tolerance)?;
    let vertices = read_vertices(&mut r, "vertices")?;
    // The vertices of liquids lie between the two tables of the ground.
    let liquid_vertices = match form {
        Form::Dry => None,
        Form::VerticesOnly | Form::Wet => Some(read_vertices(&mut r, "liquid vertices")?),
    };
    let tiles = read_tiles(&mut r, "tiles")?;
    let liquids = match liquid_vertices {
        None => Liquids::None,
        Some(vertices) if form == Form::VerticesOnly => Liquids::VerticesOnly(vertices),
        Some(vertices) => {
            let tiles = read_tiles(&mut r, "liquid tiles")?;
            let mut materials = Box::new([NO_LIQUID; N_TILES]);
            for material in materials.iter_mut() {
                *material = r.i16("liquid materials")?;
            }
            Liquids::Layer(LiquidLayer {
                vertices,
                tiles,
                materials,
            })
        }
    };
    let trailing = match tolerance.contains(Tolerance::TRAILING_BYTES) {
        true => r.rest().to_vec(),
        false => Vec::new(),
    };
    r.finish("after the last table")?;
    Ok(Sec {
        liquid_mark,
        vertices,
        tiles,
        liquids,
        trailing,
    })
}

/// Which tables a file of some length has. `at` stands at the byte that announces liquids.
fn form_of(
    at: &Reader<'_>,
    mark: u8,
    len: usize,
    tolerance: Tolerance,
) -> Result<Form, FormatError> {
    let fits = |size: usize| match tolerance.contains(Tolerance::TRAILING_BYTES) {
        true => size <= len,
        false => size == len,
    };
    let is_right =
        |form: Form| form.goes_with(mark) || tolerance.contains(Tolerance::LIQUIDS_BY_LENGTH);
    // With bytes behind it, a file can be read in several forms: what the mark says comes first, then the longest.
    let mut forms = Form::ALL.into_iter().rev();
    let announced = forms
        .clone()
        .find(|(form, size)| form.goes_with(mark) && fits(*size));
    let found = announced.or_else(|| forms.find(|(form, size)| is_right(*form) && fits(*size)));
    if let Some((form, _)) = found {
        return Ok(form);
    }
    let lengths = Form::ALL.into_iter().filter(|(form, _)| is_right(*form));
    let lengths: Vec<_> = lengths.map(|(_, size)| size.to_string()).collect();
    let expected = format!("{} bytes for the mark {mark}", lengths.join(" or "));
    Err(at.error(
        "liquid mark",
        FormatErrorKind::Unexpected {
            expected: expected.into(),
            found: format!("{len} bytes"),
        },
    ))
}

fn read_vertices(r: &mut Reader<'_>, field: &'static str) -> Result<Vertices, FormatError> {
    let mut vertices = Box::new([Vertex::default(); N_VERTICES]);
    for vertex in vertices.iter_mut() {
        *vertex = Vertex {
            shift: [r.i8(field)?, r.i8(field)?],
            altitude: r.u16(field)?,
            normal: PackedNormal(r.u32(field)?),
        };
    }
    Ok(vertices)
}

fn read_tiles(r: &mut Reader<'_>, field: &'static str) -> Result<Tiles, FormatError> {
    let mut tiles = Box::new([Tile::default(); N_TILES]);
    for tile in tiles.iter_mut() {
        *tile = Tile(r.u16(field)?);
    }
    Ok(tiles)
}

pub(super) fn write(sector: &Sec) -> Vec<u8> {
    let Sec {
        liquid_mark,
        vertices,
        tiles,
        liquids,
        trailing,
    } = sector;
    let mut w = Writer::new(FORMAT);
    w.bytes(&MAGIC);
    w.u8(*liquid_mark);
    write_vertices(&mut w, vertices);
    match liquids {
        Liquids::None => {}
        Liquids::VerticesOnly(vertices) | Liquids::Layer(LiquidLayer { vertices, .. }) => {
            write_vertices(&mut w, vertices);
        }
    }
    write_tiles(&mut w, tiles);
    if let Liquids::Layer(LiquidLayer {
        vertices: _,
        tiles,
        materials,
    }) = liquids
    {
        write_tiles(&mut w, tiles);
        for material in materials.iter() {
            w.i16(*material);
        }
    }
    w.bytes(trailing);
    w.finish()
}

fn write_vertices(w: &mut Writer, vertices: &Vertices) {
    for Vertex {
        shift: [x, y],
        altitude,
        normal: PackedNormal(normal),
    } in vertices.iter()
    {
        w.i8(*x);
        w.i8(*y);
        w.u16(*altitude);
        w.u32(*normal);
    }
}

fn write_tiles(w: &mut Writer, tiles: &Tiles) {
    for Tile(word) in tiles.iter() {
        w.u16(*word);
    }
}
