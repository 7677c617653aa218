//! The table of an RsLi library, decrypted, and the trailer that its offsets depend on.

use super::{
    FORMAT, HEADER_SIZE, Header, NAME_SIZE, ROW_SIZE, TRAILER_MAGIC, TRAILER_SIZE, table_end,
};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::text::until_nul;

/// Offset of `sort_to_original` in a row.
const ROW_SORT: u64 = 18;
/// Offset of `data_offset` in a row.
const ROW_DATA_OFFSET: u64 = 24;

/// All rows, in file order.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

/// One row as stored.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: [u8; NAME_SIZE],
    pub(super) service: [u8; 4],
    pub(super) flags: i16,
    pub(super) sort_to_original: u16,
    pub(super) unpacked_size: u32,
    pub(super) data_offset: u32,
    pub(super) packed_size: u32,
}

impl Table {
    /// Decrypts `n_entries` rows, a count that was checked against the bytes that are left.
    pub(super) fn read(
        r: &mut Reader<'_>,
        header: &Header,
        n_entries: usize,
    ) -> Result<Self, FormatError> {
        let base = r.offset();
        let mut plain = r
            .bytes("table", n_entries.saturating_mul(ROW_SIZE))?
            .to_vec();
        header.table_stream().apply(&mut plain);
        let mut r = Reader::nested(FORMAT, &plain, base);
        let rows = (0..n_entries).map(|_| Row::read(&mut r));
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
        })
    }

    /// Refuses a stored sort table that is no permutation or does not give names in bytewise order.
    pub(super) fn require_sorted(&self) -> Result<(), FormatError> {
        let Some((index, found)) = self.first_unsorted() else {
            return Ok(());
        };
        Err(
            Reader::nested(FORMAT, &[], row_offset(index).saturating_add(ROW_SORT)).unexpected(
                "entry sort_to_original",
                "each entry once, in the order of names",
                found,
            ),
        )
    }

    /// The first row whose `sort_to_original` breaks the order, and what it holds.
    pub(super) fn first_unsorted(&self) -> Option<(usize, String)> {
        let mut seen = vec![false; self.rows.len()];
        let mut previous: &[u8] = &[];
        for (index, row) in self.rows.iter().enumerate() {
            let target = usize::from(row.sort_to_original);
            let (Some(seen), Some(named)) = (seen.get_mut(target), self.rows.get(target)) else {
                return Some((index, format!("entry {target} of {}", self.rows.len())));
            };
            if std::mem::replace(seen, true) {
                return Some((index, format!("entry {target} twice")));
            }
            if named.name_bytes() < previous {
                let name = named.name_bytes().escape_ascii();
                return Some((index, format!("\"{name}\" too late")));
            }
            previous = named.name_bytes();
        }
        None
    }

    /// The overlay of the `AO` trailer, if the file ends in one.
    ///
    /// Six bytes that some payload claims even without an overlay are no trailer: with one they would be
    /// claimed all the more.
    pub(super) fn find_trailer(&self, data: &[u8]) -> Result<Option<u32>, FormatError> {
        let Some(start) = data.len().checked_sub(TRAILER_SIZE) else {
            return Ok(None);
        };
        let claimed = self.rows.iter().any(|row| row.end(0) > start as u64);
        if claimed || start < table_end(self.rows.len()) {
            return Ok(None);
        }
        let mut r = Reader::new(FORMAT, data).sub("trailer", start, TRAILER_SIZE)?;
        if r.expect("trailer magic", TRAILER_MAGIC).is_err() {
            return Ok(None);
        }
        let at_overlay = r.clone();
        let overlay = r.u32("trailer overlay")?;
        if overlay as usize > data.len() {
            let expected = format!("at most the file's {} bytes", data.len());
            return Err(at_overlay.unexpected("trailer overlay", expected, overlay));
        }
        Ok(Some(overlay))
    }
}

impl Row {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            name: r.array("entry name")?,
            service: r.array("entry service")?,
            flags: r.i16("entry flags")?,
            sort_to_original: r.u16("entry sort_to_original")?,
            unpacked_size: r.u32("entry unpacked size")?,
            data_offset: r.u32("entry data offset")?,
            packed_size: r.u32("entry packed size")?,
        })
    }

    pub(super) fn write(&self, w: &mut Writer) {
        let Self {
            name,
            service,
            flags,
            sort_to_original,
            unpacked_size,
            data_offset,
            packed_size,
        } = self;
        w.bytes(name);
        w.bytes(service);
        w.i16(*flags);
        w.u16(*sort_to_original);
        w.u32(*unpacked_size);
        w.u32(*data_offset);
        w.u32(*packed_size);
    }

    pub(super) fn name_bytes(&self) -> &[u8] {
        until_nul(&self.name)
    }

    pub(super) fn start(&self, overlay: u32) -> u64 {
        u64::from(self.data_offset).saturating_add(u64::from(overlay))
    }

    pub(super) fn end(&self, overlay: u32) -> u64 {
        self.start(overlay)
            .saturating_add(u64::from(self.packed_size))
    }
}

/// Offset in the file of a row's `data_offset` field.
pub(super) fn data_offset_field(index: usize) -> u64 {
    row_offset(index).saturating_add(ROW_DATA_OFFSET)
}

fn row_offset(index: usize) -> u64 {
    let before = (index as u64).saturating_mul(ROW_SIZE as u64);
    before.saturating_add(HEADER_SIZE as u64)
}
