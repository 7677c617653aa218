//! What the formats made of NRes chunks share: where a chunk's bytes and attributes lie in the file, so that
//! errors and findings inside a chunk carry offsets of the outermost file, and how a reader waives rules.

use bitflags::Flags;

use super::findings::Findings;
use super::nres::{self, Entry, NRes};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Severity, Writer};

/// Bytes of a directory row of NRes.
const ROW_SIZE: usize = 64;

/// A file that is being read: its archive, the leniencies `W` of its format, and what has been waived so far.
pub(super) struct ChunkFile<W> {
    format: &'static str,
    file_len: usize,
    tolerance: W,
    pub(super) container: NRes,
    pub(super) findings: Findings,
}

impl<W: Flags + Copy> ChunkFile<W> {
    /// Opens the archive. All rules that NRes can waive are waived if `tolerance` holds `lenient_container`,
    /// and what the archive's own check says is then among the findings.
    pub(super) fn open(
        format: &'static str,
        data: &[u8],
        tolerance: W,
        lenient_container: W,
    ) -> Result<Self, FormatError> {
        let mut findings = Findings::new(format);
        let container = if tolerance.contains(lenient_container) {
            let container = NRes::read_with(data, nres::Tolerance::all())?;
            findings.extend(container.check());
            container
        } else {
            NRes::read(data)?
        };
        Ok(Self {
            format,
            file_len: data.len(),
            tolerance,
            container,
            findings,
        })
    }

    /// The first chunk of that type.
    pub(super) fn chunk(&self, type_id: u32) -> Result<Chunk<'_>, FormatError> {
        Chunk::find(self.format, self.file_len, &self.container, type_id)
    }

    /// A cursor at the start of the directory, to report what is wrong with it as a whole.
    pub(super) fn directory(&self) -> Reader<'static> {
        directory(self.format, self.file_len, &self.container)
    }

    /// The error, or a finding if the rule is waived.
    pub(super) fn waive(
        &mut self,
        waiver: W,
        error: FormatError,
        repair: &str,
    ) -> Result<(), FormatError> {
        if !self.tolerance.contains(waiver) {
            return Err(error);
        }
        self.findings.error(error, repair);
        Ok(())
    }

    /// Refuses the first broken rule that is not waived; the others become findings, for the caller to repair.
    pub(super) fn settle<I>(&mut self, broken_rules: impl Fn() -> I) -> Result<(), FormatError>
    where
        I: Iterator<Item = BrokenRule<W>>,
    {
        let waived = |broken: &BrokenRule<W>| {
            (broken.repair).is_some_and(|(waiver, _)| self.tolerance.contains(waiver))
        };
        if let Some(broken) = broken_rules().find(|broken| !waived(broken)) {
            return Err(self.refuse(broken));
        }
        self.findings.rule(
            Severity::Error,
            broken_rules().map(|broken| {
                let offset = broken.offset(self.file_len, &self.container);
                let repair = broken.repair.map_or("", |(_, repair)| repair);
                (offset, format!("{}; {repair}", broken.sentence()))
            }),
        );
        Ok(())
    }

    /// The error that a rule is broken which cannot be waived.
    pub(super) fn refuse(&self, broken: BrokenRule<W>) -> FormatError {
        broken.into_error(self.format, self.file_len, &self.container)
    }
}

/// A field of a chunk's directory row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowField {
    Attr1,
    Attr2,
    Size,
    Attr3,
}

impl RowField {
    fn offset(self) -> u64 {
        match self {
            Self::Attr1 => 4,
            Self::Attr2 => 8,
            Self::Size => 12,
            Self::Attr3 => 16,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Attr1 => "attr1",
            Self::Attr2 => "attr2",
            Self::Size => "size",
            Self::Attr3 => "attr3",
        }
    }
}

/// One chunk of a file that has just been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub(super) format: &'static str,
    pub(super) entry: &'a Entry,
    /// Offset of the directory row in the file.
    row_offset: u64,
}

impl<'a> Chunk<'a> {
    /// The first chunk of that type. `file_len` is the length of the file that `container` was read from.
    pub(super) fn find(
        format: &'static str,
        file_len: usize,
        container: &'a NRes,
        type_id: u32,
    ) -> Result<Self, FormatError> {
        Self::locate(format, file_len, container, type_id).ok_or_else(|| {
            let expected = format!("an entry of type {type_id}");
            directory(format, file_len, container).unexpected("directory", expected, "none")
        })
    }

    fn locate(
        format: &'static str,
        file_len: usize,
        container: &'a NRes,
        type_id: u32,
    ) -> Option<Self> {
        let index = container.find_type(type_id)?;
        Some(Self {
            format,
            entry: container.entries.get(index)?,
            row_offset: row_offset(file_len, container, index),
        })
    }

    /// How errors call this chunk, as in `type 21`.
    pub(super) fn label(&self) -> String {
        label(self.entry.type_id)
    }

    /// A cursor over the payload that reports offsets of the file.
    pub(super) fn reader(&self) -> Reader<'a> {
        Reader::nested(self.format, &self.entry.data, self.entry.offset())
    }

    /// Offset in the file of a field of the directory row.
    pub(super) fn row_field_offset(&self, field: RowField) -> u64 {
        self.row_offset.saturating_add(field.offset())
    }

    /// The error "expected this, found that" at a field of the directory row.
    pub(super) fn row_error(
        &self,
        field: RowField,
        expected: String,
        found: impl ToString,
    ) -> FormatError {
        FormatError {
            format: self.format,
            entry: Some(self.label()),
            field: field.name().into(),
            offset: self.row_field_offset(field),
            kind: FormatErrorKind::unexpected(expected, found),
        }
    }
}

/// What the row of a table says of its number of records.
pub(super) fn attr1(
    format: &'static str,
    type_id: u32,
    n_records: usize,
) -> Result<u32, FormatError> {
    u32::try_from(n_records).map_err(|_| {
        let w = Writer::new(format);
        w.too_large("attr1", n_records as u64, u64::from(u32::MAX))
            .in_entry(&label(type_id))
    })
}

/// Where in a chunk a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the directory row.
    Row(RowField),
    /// At this byte of the payload.
    Payload(usize),
}

/// A rule between the tables of a file that its value breaks. `W` names the leniencies of the format.
///
/// One list of such rules serves the strict reader, which refuses the first, the tolerant one, which repairs
/// what is waived, the writer, which refuses like the reader, and `check`, which lists them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BrokenRule<W> {
    /// Chunk that holds the invalid field.
    pub(super) type_id: u32,
    pub(super) place: Place,
    /// Record and field, as in `face 3 i0`.
    pub(super) field: String,
    pub(super) expected: String,
    pub(super) found: String,
    /// The leniency that lets the tolerant reader go on, and what it does then.
    pub(super) repair: Option<(W, &'static str)>,
}

impl<W: Copy> BrokenRule<W> {
    /// The streams, by type and length if they are there, without a record for each vertex. `waived_by` has them cut
    /// or filled.
    pub(super) fn stream_lengths(
        n_vertices: usize,
        lengths: impl IntoIterator<Item = (u32, Option<usize>)>,
        waived_by: W,
    ) -> impl Iterator<Item = Self> {
        let present = lengths
            .into_iter()
            .filter_map(|(type_id, len)| Some((type_id, len?)));
        present
            .filter(move |(_, len)| *len != n_vertices)
            .map(move |(type_id, len)| Self {
                type_id,
                place: Place::Row(RowField::Size),
                field: "record count".to_owned(),
                expected: format!("one record for each of the {n_vertices} vertices"),
                found: len.to_string(),
                repair: Some((waived_by, "the stream is cut or filled to fit")),
            })
    }
}

impl<W> BrokenRule<W> {
    /// Offset in the file that `container` was read from; `None` if the chunk is missing there.
    pub(super) fn offset(&self, file_len: usize, container: &NRes) -> Option<u64> {
        let chunk = Chunk::locate("", file_len, container, self.type_id)?;
        Some(match self.place {
            Place::Row(field) => chunk.row_field_offset(field),
            Place::Payload(byte) => chunk.entry.offset().saturating_add(byte as u64),
        })
    }

    /// What is wrong, in one sentence.
    pub(super) fn sentence(&self) -> String {
        format!(
            "{}, {}: expected {}, found {}",
            label(self.type_id),
            self.field,
            self.expected,
            self.found
        )
    }

    /// The error of a reader or writer; offsets as in [`Self::offset`].
    pub(super) fn into_error(
        self,
        format: &'static str,
        file_len: usize,
        container: &NRes,
    ) -> FormatError {
        FormatError {
            format,
            entry: Some(label(self.type_id)),
            offset: self.offset(file_len, container).unwrap_or(0),
            field: self.field.into(),
            kind: FormatErrorKind::unexpected(self.expected, self.found),
        }
    }
}

/// The bytes of a file if its strict reader takes them; else those of its archive written again, for a tolerant reader
/// leaves the archive as it found it. What the strict reader refuses even then is refused here.
pub(super) fn accepted(
    file: Vec<u8>,
    filled: &NRes,
    read_strictly: impl Fn(&[u8]) -> Result<(), FormatError>,
) -> Result<Vec<u8>, FormatError> {
    let Err(refused) = read_strictly(&file) else {
        return Ok(file);
    };
    let canonical = filled.write_canonical().map_err(|_| refused)?;
    read_strictly(&canonical)?;
    Ok(canonical)
}

/// How errors call a chunk.
pub(super) fn label(type_id: u32) -> String {
    format!("type {type_id}")
}

fn directory(format: &'static str, file_len: usize, container: &NRes) -> Reader<'static> {
    Reader::nested(format, &[], row_offset(file_len, container, 0))
}

/// Offset of the row of entry `index`: the directory lies at the very end of the file.
fn row_offset(file_len: usize, container: &NRes, index: usize) -> u64 {
    let rows_from_here = container.entries.len().saturating_sub(index);
    file_len.saturating_sub(rows_from_here.saturating_mul(ROW_SIZE)) as u64
}
