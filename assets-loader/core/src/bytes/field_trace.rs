//! Which bytes a reader took for which field: for views of a file that name its fields.
//!
//! While [`traced`] runs, every [`Reader`](super::Reader) that is made on its thread notes what it takes. One that is made
//! at another time carries a flag that is never set, which is all that this costs then.

use std::cell::{Cell, RefCell};
use std::ops::Range;

/// Spans beyond this many are not noted: no view lists a million.
pub const MAX_SPANS: usize = 1 << 18;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static NOTES: RefCell<Notes> = const { RefCell::new(Notes::NONE) };
}

/// A field and the bytes that it lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSpan {
    /// Format of the reader that took it.
    pub format: &'static str,
    /// The field, in the words of the format's document.
    pub name: &'static str,
    /// Bytes of the traced data.
    pub bytes: Range<usize>,
}

/// What was noted since a trace began.
struct Notes {
    /// Where the traced bytes are in memory: what is unpacked from them lies elsewhere, and is no part of them.
    memory: Range<usize>,
    spans: Vec<FieldSpan>,
}

impl Notes {
    const NONE: Self = Self {
        memory: 0..0,
        spans: Vec::new(),
    };
}

/// Runs `work`, and returns with its result which fields of `data` were taken, in the order of their places; of one place
/// that was taken several times, the smallest field that was taken last.
pub fn traced<T>(data: &[u8], work: impl FnOnce() -> T) -> (T, Vec<FieldSpan>) {
    let memory = data.as_ptr_range();
    let outer = NOTES.replace(Notes {
        memory: memory.start.addr()..memory.end.addr(),
        spans: Vec::new(),
    });
    let was_on = IS_ON.replace(true);
    let result = work();
    IS_ON.set(was_on);
    let Notes { spans, .. } = NOTES.replace(outer);
    (result, without_overlaps(spans))
}

/// Whether readers that are made now note what they take.
pub(super) fn is_on() -> bool {
    IS_ON.get()
}

/// Notes that a reader took bytes.
#[cold]
pub(super) fn note(format: &'static str, name: &'static str, bytes: &[u8]) {
    NOTES.with_borrow_mut(|notes| {
        let place = bytes.as_ptr_range();
        let [start, end] = [place.start.addr(), place.end.addr()];
        let is_inside = notes.memory.start <= start && end <= notes.memory.end && start < end;
        if is_inside && notes.spans.len() < MAX_SPANS {
            let start = start.saturating_sub(notes.memory.start);
            let end = end.saturating_sub(notes.memory.start);
            notes.spans.push(FieldSpan {
                format,
                name,
                bytes: start..end,
            });
        }
    });
}

/// The spans sorted by place, without those that lie across others: a reader may take a table first and its records then.
fn without_overlaps(mut spans: Vec<FieldSpan>) -> Vec<FieldSpan> {
    // Of those that begin together the smallest comes last, and of equal ones the last that was taken.
    spans.sort_by_key(|span| (span.bytes.start, std::cmp::Reverse(span.bytes.end)));
    let mut kept: Vec<FieldSpan> = Vec::with_capacity(spans.len());
    for span in spans {
        while let Some(last) = kept.last() {
            let is_around = last.bytes.end >= span.bytes.end;
            if last.bytes.end <= span.bytes.start || !is_around {
                break;
            }
            kept.pop();
        }
        let is_free = kept
            .last()
            .is_none_or(|last| last.bytes.end <= span.bytes.start);
        if is_free {
            kept.push(span);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{FormatError, Reader};

    fn read(data: &[u8]) -> Result<u16, FormatError> {
        let mut r = Reader::new("counted", data);
        r.expect("magic", b"CN")?;
        let count = r.u16("count")?;
        let table = r.bytes("table", 4)?;
        let mut records = Reader::nested("record", table, 4);
        records.u16("first")?;
        records.u16("second")?;
        // What is unpacked lies elsewhere.
        Reader::new("unpacked", &[1, 2, 3, 4]).u32("elsewhere")?;
        Ok(count)
    }

    #[test]
    fn fields_are_noted_where_they_lie_and_only_while_traced() {
        let data = b"CN\x07\0aabbrest";
        let (count, spans) = traced(data, || read(data));
        assert_eq!(count, Ok(7));
        let found: Vec<_> = spans
            .iter()
            .map(|span| (span.format, span.name, span.bytes.clone()))
            .collect();
        let expected = [
            ("counted", "magic", 0..2),
            ("counted", "count", 2..4),
            ("record", "first", 4..6),
            ("record", "second", 6..8),
        ];
        assert_eq!(found, expected);
        assert_eq!(read(data), Ok(7));
        let (_, spans) = traced(data, || ());
        assert_eq!(spans, []);
    }

    #[test]
    fn an_error_leaves_the_fields_before_it() {
        let data = b"CN\x07\0a";
        let (error, spans) = traced(data, || read(data));
        assert_eq!(error.unwrap_err().field, "table");
        assert_eq!(spans.len(), 2);
    }
}
