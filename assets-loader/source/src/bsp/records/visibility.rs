//! Rows of what is seen and heard from where (dossier section 6.5).

use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::Visibility;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Field;

/// Bytes of the two offsets of a cluster.
const OFFSETS_SIZE: usize = 8;

impl Visibility {
    /// Reads the lump; every row must decode to as many bytes as there are clusters for.
    pub(in crate::bsp) fn read(file: &BspFile) -> Result<Option<Self>, FormatError> {
        let content = file.content(LumpId::Visibility)?;
        if content.is_empty() {
            return Ok(None);
        }
        let mut r = file.reader(LumpId::Visibility, &content);
        let n_clusters = r.count("cluster count", OFFSETS_SIZE)?;
        let row_offsets = (0..n_clusters)
            .map(|_| Field::read(&mut r, "visibility row offset", ()))
            .collect::<Result<_, _>>()?;
        let visibility = Self {
            row_offsets,
            rows: r.rest().to_vec(),
        };
        visibility.require_whole_rows(&file.reader(LumpId::Visibility, &content))?;
        Ok(Some(visibility))
    }

    pub(in crate::bsp) fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { row_offsets, rows } = self;
        let mut w = Writer::new(FORMAT);
        w.count("cluster count", row_offsets.len())?;
        for offset in row_offsets.iter().flatten() {
            w.i32(*offset);
        }
        w.bytes(rows);
        Ok(w.finish())
    }

    /// Rows may be shared, but neither overlap nor leave the lump: so all of them together are read in linear time.
    fn require_whole_rows(&self, r: &Reader<'_>) -> Result<(), FormatError> {
        let mut offsets: Vec<i32> = self.row_offsets.iter().flatten().copied().collect();
        offsets.retain(|offset| *offset != 0);
        offsets.sort_unstable();
        offsets.dedup();
        let mut end = self.header_size();
        for offset in offsets {
            let start = usize::try_from(offset).unwrap_or(0);
            if start < end {
                let at = r.sub("visibility row", start, 0)?;
                let expected = format!("byte {end} or later");
                return Err(at.unexpected("visibility row offset", expected, offset));
            }
            end = self.row_end(r, start)?;
        }
        Ok(())
    }

    /// Where the row that begins at an offset of the lump ends.
    fn row_end(&self, r: &Reader<'_>, start: usize) -> Result<usize, FormatError> {
        let coded = self
            .rows
            .get(start.saturating_sub(self.header_size())..)
            .unwrap_or_default();
        let mut r = Reader::nested(FORMAT, coded, r.offset().saturating_add(start as u64));
        let size = self.row_size();
        let mut n_bytes = 0_usize;
        while n_bytes < size {
            let at = r.clone();
            let run = match r.u8("visibility row")? {
                0 => usize::from(r.u8("visibility run")?),
                _ => 1,
            };
            n_bytes = n_bytes.saturating_add(run);
            if run == 0 || n_bytes > size {
                let expected = format!("a row of {size} bytes");
                return Err(at.unexpected("visibility run", expected, format!("{run} more bytes")));
            }
        }
        Ok(start.saturating_add(r.position()))
    }

    /// The bytes that code the row at an offset of the lump; of a damaged row those that are there.
    pub(in crate::bsp) fn coded_row(&self, offset: usize) -> &[u8] {
        let start = offset.checked_sub(self.header_size());
        let coded = start.and_then(|start| self.rows.get(start..));
        let coded = coded.unwrap_or_default();
        let (mut n_bytes, mut at) = (0_usize, 0_usize);
        while let (true, Some(byte)) = (n_bytes < self.row_size(), coded.get(at)) {
            let (run, len) = match byte {
                0 => {
                    let run = coded.get(at.saturating_add(1)).copied().unwrap_or(1);
                    (usize::from(run), 2)
                }
                _ => (1, 1),
            };
            n_bytes = n_bytes.saturating_add(run);
            at = at.saturating_add(len);
        }
        coded.get(..at).unwrap_or(coded)
    }

    /// The row at an offset of the lump, a bit for each cluster, the lowest of a byte first. Offset 0: all are set.
    pub fn row(&self, offset: i32) -> Vec<u8> {
        let size = self.row_size();
        let Some(offset) = usize::try_from(offset).ok().filter(|offset| *offset != 0) else {
            let all = (0..size).map(|byte| {
                let n_before = byte.saturating_mul(8);
                match self.row_offsets.len().saturating_sub(n_before) {
                    n_bits @ 0..8 => !(u8::MAX << n_bits),
                    _ => u8::MAX,
                }
            });
            return all.collect();
        };
        let mut row = Vec::with_capacity(size);
        let mut coded = self.coded_row(offset).iter();
        while let Some(byte) = coded.next() {
            match byte {
                0 => {
                    let run = coded.next().copied().unwrap_or(0);
                    row.resize(row.len().saturating_add(usize::from(run)), 0);
                }
                byte => row.push(*byte),
            }
        }
        row.resize(size, 0);
        row
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.row_offsets.len()
    }

    /// Where [`Self::rows`] begin in the lump, from whose start offsets count.
    pub fn header_size(&self) -> usize {
        self.row_offsets
            .len()
            .saturating_mul(OFFSETS_SIZE)
            .saturating_add(4)
    }

    /// Bytes of a row that is not coded.
    pub(in crate::bsp) fn row_size(&self) -> usize {
        self.row_offsets.len().div_ceil(8)
    }
}
