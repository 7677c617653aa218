//! The table of an RsLi library, decrypted, and the trailer that its offsets depend on.

use super::{FORMAT, Header, NAME_SIZE, TRAILER_MAGIC, TRAILER_SIZE, table_end};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::record::{Record, field_offset};
use ironlands_assets_core::text::until_nul;

/// All rows, in file order.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

/// One row as stored.
#[derive(Debug, Clone, Record)]
pub(super) struct Row {
    #[field("entry name")]
    pub(super) name: [u8; NAME_SIZE],
    #[field("entry service")]
    pub(super) service: [u8; 4],
    #[field("entry flags")]
    pub(super) flags: i16,
    #[field("entry sort_to_original")]
    pub(super) sort_to_original: u16,
    #[field("entry unpacked size")]
    pub(super) unpacked_size: u32,
    #[field("entry data offset")]
    pub(super) data_offset: u32,
    #[field("entry packed size")]
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
            .bytes("table", n_entries.saturating_mul(Row::SIZE))?
            .to_vec();
        header.table_stream().apply(&mut plain);
        let mut r = Reader::nested(FORMAT, &plain, base);
        let rows = (0..n_entries).map(|_| Row::read(&mut r, ()));
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
        })
    }

    /// Refuses a stored sort table that is no permutation or does not give names in bytewise order.
    pub(super) fn require_sorted(&self) -> Result<(), FormatError> {
        let Some((index, found)) = self.first_unsorted() else {
            return Ok(());
        };
        let field = "entry sort_to_original";
        let at = Reader::nested(FORMAT, &[], field_in_file(index, field));
        Err(at.unexpected(field, "each entry once, in the order of names", found))
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
    field_in_file(index, "entry data offset")
}

fn field_in_file(index: usize, field: &str) -> u64 {
    let row = table_end(index);
    row.saturating_add(field_offset::<Row>(field, ())) as u64
}
