//! Bytes to a sector and back.

use super::{
    FORMAT, LIQUIDS_MARK, LiquidLayer, Liquids, MAGIC, N_TILES, N_VERTICES, NO_LIQUID, Sec, Tile,
    Tolerance, Vertex,
};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Codec;

const VERTICES_SIZE: usize = N_VERTICES * Vertex::SIZE;
const TILES_SIZE: usize = N_TILES * Tile::SIZE;
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

    /// Empty tables.
    fn liquids(self) -> Liquids {
        let vertices = Box::new([Vertex::default(); N_VERTICES]);
        match self {
            Self::Dry => Liquids::None,
            Self::VerticesOnly => Liquids::VerticesOnly(vertices),
            Self::Wet => Liquids::Layer(LiquidLayer {
                vertices,
                tiles: Box::new([Tile::default(); N_TILES]),
                materials: Box::new([NO_LIQUID; N_TILES]),
            }),
        }
    }

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
    let [liquid_mark] = r.peek("liquid mark")?;
    let form = form_of(&r, liquid_mark, data.len(), tolerance)?;
    let mut sector = Sec {
        liquid_mark,
        vertices: Box::new([Vertex::default(); N_VERTICES]),
        tiles: Box::new([Tile::default(); N_TILES]),
        liquids: form.liquids(),
        trailing: Vec::new(),
    };
    walk(&mut sector, &mut r)?;
    if tolerance.contains(Tolerance::TRAILING_BYTES) {
        sector.trailing = r.rest().to_vec();
    }
    r.finish("after the last table")?;
    Ok(sector)
}

/// Reads or writes everything between the magic and what follows the last table.
fn walk(sector: &mut Sec, c: &mut impl Codec) -> Result<(), FormatError> {
    c.field("liquid mark", &mut sector.liquid_mark)?;
    c.field("vertices", &mut *sector.vertices)?;
    // The vertices of liquids lie between the two tables of the ground.
    match &mut sector.liquids {
        Liquids::None => {}
        Liquids::VerticesOnly(vertices) | Liquids::Layer(LiquidLayer { vertices, .. }) => {
            c.field("liquid vertices", &mut **vertices)?;
        }
    }
    c.field("tiles", &mut *sector.tiles)?;
    if let Liquids::Layer(layer) = &mut sector.liquids {
        c.field("liquid tiles", &mut *layer.tiles)?;
        c.field("liquid materials", &mut *layer.materials)?;
    }
    Ok(())
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
    Err(at.unexpected("liquid mark", expected, format!("{len} bytes")))
}

pub(super) fn write(sector: &Sec) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    w.bytes(&MAGIC);
    walk(&mut sector.clone(), &mut w)?;
    w.bytes(&sector.trailing);
    Ok(w.finish())
}
