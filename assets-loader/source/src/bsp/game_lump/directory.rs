//! The directory of the game lump and the bytes of its sub-lumps. Dossier section 9.1.

use std::borrow::Cow;
use std::fmt;

use super::super::lzma;
use super::{DetailLights, DetailProps, StaticProps};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format};
use ironlands_assets_core::unpack::Budget;

const FORMAT: &str = GameLump::NAME;
const ENTRY_SIZE: usize = 16;
const LZMA_HEADER_SIZE: usize = 17;
/// The flag of a sub-lump whose bytes are one LZMA stream (section 1.4).
const COMPRESSED: u16 = 1;

/// Lump 35: a container within the container.
///
/// Sub-lumps keep their place and their stored bytes, so that an untouched lump is written byte for byte as it was
/// read, but for the offsets of the directory, which count from the start of the *file*: both [`GameLump::read`] and
/// [`GameLump::write`] take the offset of the lump.
///
/// Equality is that of all but this place.
#[derive(Debug, Clone, Default)]
pub struct GameLump {
    /// Where the lump stood when it was read.
    base_offset: u64,
    sub_lumps: Vec<SubLump>,
    /// Bytes after the last sub-lump.
    unknown_tail: Vec<u8>,
}

/// One sub-lump with its bytes as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubLump {
    id: SubLumpId,
    flags: u16,
    version: u16,
    /// What the directory says: the length of the content.
    len: usize,
    place: Place,
    stored: Vec<u8>,
    budget: Budget,
}

/// Where the bytes of a sub-lump stand.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// After some bytes that mean nothing, which follow the sub-lump of the rank below, or the directory. An empty
    /// sub-lump that marks the end of a compressed one has its rank too.
    InLump {
        rank: usize,
        unknown_before: Vec<u8>,
    },
    /// Nowhere: it is empty. The offset as stored.
    Nowhere { offset: i32 },
}

/// The four letters that name a sub-lump, in reading order, as in `sprp`; files have them backward.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SubLumpId(pub [u8; 4]);

impl SubLumpId {
    /// Static props.
    pub const STATIC_PROPS: Self = Self(*b"sprp");
    /// Detail props.
    pub const DETAIL_PROPS: Self = Self(*b"dprp");
    /// Light of detail props that changes with time, for LDR.
    pub const DETAIL_LIGHTS: Self = Self(*b"dplt");
    /// The same for HDR.
    pub const DETAIL_LIGHTS_HDR: Self = Self(*b"dplh");
}

impl fmt::Debug for SubLumpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// A row of the directory.
struct Row {
    id: SubLumpId,
    flags: u16,
    version: u16,
    offset: i32,
    len: usize,
}

impl PartialEq for GameLump {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            base_offset: _,
            sub_lumps,
            unknown_tail,
        } = self;
        *sub_lumps == other.sub_lumps && *unknown_tail == other.unknown_tail
    }
}

impl Eq for GameLump {}

/// The context is where the lump stands in its file.
impl Format for GameLump {
    type Context = u64;

    const NAME: &'static str = "game_lump";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Level;

    fn read(data: &[u8], base_offset: &u64) -> Result<Self, FormatError> {
        Self::read(data, *base_offset)
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.write(self.base_offset)
    }
}

impl GameLump {
    /// Reads the lump, which stands `base_offset` bytes into its file (0 where offsets are counted from the lump).
    ///
    /// Sub-lumps stay as they are stored; their bytes may stand in any order, but must not overlap.
    pub fn read(data: &[u8], base_offset: u64) -> Result<Self, FormatError> {
        Self::read_within(data, base_offset, &Budget::from_file_size(data.len()))
    }

    /// As [`Self::read`]; sub-lumps spend from the budget of the map when they are unpacked.
    pub fn read_within(
        data: &[u8],
        base_offset: u64,
        budget: &Budget,
    ) -> Result<Self, FormatError> {
        let mut r = Reader::nested(FORMAT, data, base_offset);
        let n_rows = r.count("sub-lump count", ENTRY_SIZE)?;
        let rows_at = r.clone();
        let rows = (0..n_rows)
            .map(|_| Row::read(&mut r))
            .collect::<Result<Vec<_>, _>>()?;
        let regions = regions(data, base_offset, &rows, &r, &rows_at)?;
        let mut places: Vec<Option<(Place, Vec<u8>)>> = rows.iter().map(|_| None).collect();
        for (rank, region) in regions.iter().enumerate() {
            let unknown_before = r
                .sub(
                    "gap",
                    r.position(),
                    region.start.saturating_sub(r.position()),
                )?
                .rest()
                .to_vec();
            let len = region.end.saturating_sub(region.start);
            let stored = r.sub("sub-lump", region.start, len)?.rest().to_vec();
            r.bytes("sub-lump", unknown_before.len().saturating_add(len))?;
            let place = Place::InLump {
                rank,
                unknown_before,
            };
            if let Some(slot) = places.get_mut(region.row) {
                *slot = Some((place, stored));
            }
        }
        let sub_lumps = rows.into_iter().zip(places).map(|(row, place)| {
            let nowhere = Place::Nowhere { offset: row.offset };
            let (place, stored) = place.unwrap_or((nowhere, Vec::new()));
            SubLump {
                id: row.id,
                flags: row.flags,
                version: row.version,
                len: row.len,
                place,
                stored,
                budget: budget.clone(),
            }
        });
        Ok(Self {
            base_offset,
            sub_lumps: sub_lumps.collect(),
            unknown_tail: r.rest().to_vec(),
        })
    }

    /// The bytes of the lump when it stands `base_offset` bytes into its file.
    pub fn write(&self, base_offset: u64) -> Result<Vec<u8>, FormatError> {
        let Self {
            base_offset: _,
            sub_lumps,
            unknown_tail,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count("sub-lump count", sub_lumps.len())?;
        let mut body = Writer::new(FORMAT);
        let directory_len = (sub_lumps.len() as u64)
            .saturating_mul(ENTRY_SIZE as u64)
            .saturating_add(4);
        let body_offset = base_offset.saturating_add(directory_len);
        let mut offsets = vec![0; sub_lumps.len()];
        for (index, unknown_before, stored) in self.by_rank() {
            body.bytes(unknown_before);
            let offset = body_offset.saturating_add(body.offset());
            let limit = i32::MAX as u64;
            let fits = i32::try_from(offset);
            let offset = fits.map_err(|_| w.too_large("sub-lump offset", offset, limit))?;
            if let Some(place) = offsets.get_mut(index) {
                *place = offset;
            }
            body.bytes(stored);
        }
        for (sub_lump, offset) in sub_lumps.iter().zip(offsets) {
            let mut letters = sub_lump.id.0;
            letters.reverse();
            w.bytes(&letters);
            w.u16(sub_lump.flags);
            w.u16(sub_lump.version);
            match sub_lump.place {
                Place::InLump { .. } => w.u32(offset.cast_unsigned()),
                Place::Nowhere { offset } => w.u32(offset.cast_unsigned()),
            }
            w.count("sub-lump length", sub_lump.len)?;
        }
        w.bytes(&body.finish());
        w.bytes(unknown_tail);
        Ok(w.finish())
    }

    /// The sub-lumps that stand in the lump, by their place: number, bytes before, bytes.
    fn by_rank(&self) -> Vec<(usize, &[u8], &[u8])> {
        let mut ranked: Vec<_> = (self.sub_lumps.iter().enumerate())
            .filter_map(|(index, sub_lump)| match &sub_lump.place {
                Place::InLump {
                    rank,
                    unknown_before,
                } => Some((*rank, index, &unknown_before[..], &sub_lump.stored[..])),
                Place::Nowhere { .. } => None,
            })
            .collect();
        ranked.sort_by_key(|(rank, ..)| *rank);
        let unranked = ranked.into_iter();
        unranked
            .map(|(_, index, before, stored)| (index, before, stored))
            .collect()
    }

    /// All sub-lumps in the order of the directory.
    pub fn sub_lumps(&self) -> &[SubLump] {
        &self.sub_lumps
    }

    /// The first sub-lump of this name.
    pub fn find(&self, id: SubLumpId) -> Option<&SubLump> {
        self.sub_lumps.iter().find(|sub_lump| sub_lump.id == id)
    }

    /// Static props; `None` if the map has no such sub-lump.
    ///
    /// `bsp_version` distinguishes two layouts of version 11 that have the same size.
    pub fn static_props(&self, bsp_version: u32) -> Result<Option<StaticProps>, FormatError> {
        self.find(SubLumpId::STATIC_PROPS)
            .map(|sub_lump| StaticProps::read(&sub_lump.content()?, sub_lump.version, bsp_version))
            .transpose()
    }

    /// Detail props; `None` if the map has no such sub-lump.
    pub fn detail_props(&self) -> Result<Option<DetailProps>, FormatError> {
        self.find(SubLumpId::DETAIL_PROPS)
            .map(|sub_lump| DetailProps::read(&sub_lump.content()?, sub_lump.version))
            .transpose()
    }

    /// Light of detail props that changes with time, of one of the two sub-lumps for it; `None` if the map has no such.
    pub fn detail_lights(&self, id: SubLumpId) -> Result<Option<DetailLights>, FormatError> {
        self.find(id)
            .map(|sub_lump| DetailLights::read(&sub_lump.content()?))
            .transpose()
    }

    /// Replaces the static props, or adds them.
    pub fn set_static_props(&mut self, props: &StaticProps) -> Result<(), FormatError> {
        self.set(SubLumpId::STATIC_PROPS, props.version, props.write()?);
        Ok(())
    }

    /// Replaces the detail props, or adds them.
    pub fn set_detail_props(&mut self, props: &DetailProps) -> Result<(), FormatError> {
        self.set(
            SubLumpId::DETAIL_PROPS,
            DetailProps::VERSION,
            props.write()?,
        );
        Ok(())
    }

    /// Replaces the content of the first sub-lump of this name, uncompressed, or adds a sub-lump at the end.
    pub fn set(&mut self, id: SubLumpId, version: u16, content: Vec<u8>) {
        let next_rank = self.by_rank().len();
        let at_the_end = Place::InLump {
            rank: next_rank,
            unknown_before: Vec::new(),
        };
        let found = self.sub_lumps.iter().position(|sub_lump| sub_lump.id == id);
        let index = found.unwrap_or_else(|| {
            self.sub_lumps.push(SubLump {
                id,
                flags: 0,
                version,
                len: 0,
                place: at_the_end.clone(),
                stored: Vec::new(),
                budget: Budget::default(),
            });
            self.sub_lumps.len().saturating_sub(1)
        });
        let Some(sub_lump) = self.sub_lumps.get_mut(index) else {
            return;
        };
        sub_lump.flags &= !COMPRESSED;
        sub_lump.version = version;
        sub_lump.len = content.len();
        sub_lump.stored = content;
        if matches!(sub_lump.place, Place::Nowhere { .. }) {
            sub_lump.place = at_the_end;
        }
    }
}

impl Row {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let mut letters = r.array("sub-lump id")?;
        letters.reverse();
        let flags = r.u16("sub-lump flags")?;
        let version = r.u16("sub-lump version")?;
        let offset = r.i32("sub-lump offset")?;
        let at = r.clone();
        let len = r.i32("sub-lump length")?;
        let id = SubLumpId(letters);
        let Ok(len) = usize::try_from(len) else {
            return Err(at.unexpected("sub-lump length", "0 or more", len));
        };
        Ok(Self {
            id,
            flags,
            version,
            offset,
            len,
        })
    }
}

/// A stretch of the lump that a row of the directory owns.
struct Region {
    start: usize,
    end: usize,
    row: usize,
}

/// What each row owns, in the order of their places. Empty rows that point elsewhere own nothing.
fn regions(
    data: &[u8],
    base_offset: u64,
    rows: &[Row],
    body: &Reader<'_>,
    rows_at: &Reader<'_>,
) -> Result<Vec<Region>, FormatError> {
    let mut regions = Vec::new();
    for (
        row,
        Row {
            flags, offset, len, ..
        },
    ) in rows.iter().enumerate()
    {
        let from_start = i64::from(*offset).checked_sub_unsigned(base_offset);
        let start = from_start.and_then(|start| usize::try_from(start).ok());
        let start = start.filter(|start| (body.position()..=data.len()).contains(start));
        let Some(start) = start else {
            if *len == 0 {
                continue;
            }
            return Err(row_error(
                rows_at,
                row,
                "an offset inside the game lump",
                offset,
            ));
        };
        let stored_len = match flags & COMPRESSED != 0 && *len > 0 {
            true => {
                let room = data.len().saturating_sub(start);
                packed_len(body.sub("sub-lump", start, room)?)?
            }
            false => *len,
        };
        let room = data.len().saturating_sub(start);
        if stored_len > room {
            let found = format!("{stored_len} bytes, {room} are left");
            return Err(row_error(
                rows_at,
                row,
                "a length inside the game lump",
                found,
            ));
        }
        regions.push(Region {
            start,
            end: start.saturating_add(stored_len),
            row,
        });
    }
    // An empty sub-lump stands before what begins where it stands.
    regions.sort_by_key(|region| (region.start, region.end, region.row));
    let mut end = body.position();
    let mut error = Ok(());
    regions.retain(|region| {
        let overlaps = region.start < end;
        let is_empty = region.start == region.end;
        if overlaps && !is_empty && error.is_ok() {
            let found = format!("bytes {:#x} to {:#x}", region.start, region.end);
            error = Err(row_error(rows_at, region.row, "bytes of its own", found));
        }
        end = end.max(region.end);
        !overlaps
    });
    error.map(|()| regions)
}

/// Bytes of a stream with its header (section 1.4); the directory gives only how many it unpacks to.
fn packed_len(mut r: Reader<'_>) -> Result<usize, FormatError> {
    r.expect("LZMA mark", b"LZMA")?;
    r.u32("unpacked size")?;
    let packed_size = r.u32("packed size")?;
    Ok((packed_size as usize).saturating_add(LZMA_HEADER_SIZE))
}

/// An error at the offset field of a row.
fn row_error(
    rows_at: &Reader<'_>,
    row: usize,
    expected: &'static str,
    found: impl ToString,
) -> FormatError {
    let mut at = rows_at.clone();
    let position = row.saturating_mul(ENTRY_SIZE).saturating_add(8);
    match at.bytes("sub-lump offset", position) {
        Ok(_) => at.unexpected("sub-lump offset", expected, found),
        Err(error) => error,
    }
}

impl SubLump {
    /// What it holds.
    pub fn id(&self) -> SubLumpId {
        self.id
    }

    /// Version of what it holds.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// Whether its bytes are stored as one LZMA stream.
    pub fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0 && self.len > 0
    }

    /// The bytes as they stand in the file.
    pub fn stored(&self) -> &[u8] {
        &self.stored
    }

    /// The bytes, decompressed.
    pub fn content(&self) -> Result<Cow<'_, [u8]>, FormatError> {
        if !self.is_compressed() {
            return Ok(Cow::Borrowed(&self.stored));
        }
        let r = Reader::new(FORMAT, &self.stored);
        lzma::unpack(r, u32::try_from(self.len).ok(), &self.budget).map(Cow::Owned)
    }
}
