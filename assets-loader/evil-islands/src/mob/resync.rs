//! Where nodes begin and end, in files whose sizes do not fit each other.
//!
//! Document: Evil Islands dossier, section 11.10. The original editor may write sizes that are off by four around the
//! targets of traps and the quick items of units.

use super::payload::{HEAD_SIZE, NodeHead, POINT_SIZE, fixed_len};
use super::{Area, NodeKind, ValueType};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::record::{Record, at_field};

/// By how many bytes known files are off.
const KNOWN_ERROR: usize = 4;

/// A node that is about to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// Bytes before it that are no node.
    pub(super) n_before: usize,
    pub(super) id: u32,
    /// Its size as stored.
    pub(super) stored: u32,
    /// Its size as it is to be read, at least [`HEAD_SIZE`].
    pub(super) len: usize,
}

/// The node at a position of `r`, if it lies within `r`.
pub(super) fn head_at(r: &Reader<'_>, position: usize) -> Result<Head, FormatError> {
    let at_head = r.sub("node", position, HEAD_SIZE)?;
    let NodeHead { id, size: stored } = Record::read(&mut at_head.clone(), ())?;
    let len = stored as usize;
    let left = end(r).saturating_sub(position);
    if (HEAD_SIZE..=left).contains(&len) {
        return Ok(Head {
            n_before: 0,
            id,
            stored,
            len,
        });
    }
    let expected = format!("{HEAD_SIZE} to {left} bytes, the end of the record");
    Err(at_field::<NodeHead>(&at_head, "node size", ()).unexpected("node size", expected, stored))
}

/// The error that the size of the next node is not that of what it holds.
pub(super) fn misfit(r: &Reader<'_>, stored: u32, expected: String) -> FormatError {
    r.unexpected("node size", expected, stored)
}

/// The true size of a list that is stored as four bytes more or less than it counts, if that is where the next node
/// begins and the stored size is not.
pub(super) fn len_by_count(r: &Reader<'_>, head: &Head) -> Option<usize> {
    let limit = head.len.checked_add(KNOWN_ERROR)?;
    let len = own_len(r, r.position(), head.id, limit)?;
    let is_list = fixed_len(NodeKind::from_id(head.id)?.value_type).is_none();
    let is_known_error = len.abs_diff(head.len) == KNOWN_ERROR;
    let next = r.position().checked_add(len)?;
    let stored_next = r.position().checked_add(head.len)?;
    let is_better = is_boundary(r, next) && !is_boundary(r, stored_next);
    (is_list && is_known_error && is_better).then_some(len)
}

/// The next node, where its size leaves the record or is none at all: as long as its type or count says, or up to the
/// end of the record, or four bytes later.
pub(super) fn resynchronised(r: &Reader<'_>) -> Option<Head> {
    let start = r.position();
    let mut head = r.sub("node", start, HEAD_SIZE).ok()?;
    let NodeHead { id, size: stored } = Record::read(&mut head, ()).ok()?;
    let head = |len| Head {
        n_before: 0,
        id,
        stored,
        len,
    };
    let len = own_len(r, start, id, r.remaining()).filter(|len| {
        let next = start.checked_add(*len);
        next.is_some_and(|next| is_boundary(r, next))
    });
    if let Some(len) = len {
        return Some(head(len));
    }
    if let Some(skipped) = known_head(r, start.checked_add(KNOWN_ERROR)?) {
        let n_before = KNOWN_ERROR;
        return Some(Head {
            n_before,
            ..skipped
        });
    }
    let claims_more = stored as usize > r.remaining();
    (claims_more && NodeKind::from_id(id).is_some()).then(|| head(r.remaining()))
}

/// Whether a node of a known id, or the end of the record, is at a position.
fn is_boundary(r: &Reader<'_>, position: usize) -> bool {
    position == end(r) || known_head(r, position).is_some()
}

fn known_head(r: &Reader<'_>, position: usize) -> Option<Head> {
    let head = head_at(r, position).ok()?;
    NodeKind::from_id(head.id).map(|_| head)
}

fn end(r: &Reader<'_>) -> usize {
    r.position().saturating_add(r.remaining())
}

/// Size of the node at a position by its type or its count; `None` if they do not, or it is beyond `limit`.
fn own_len(r: &Reader<'_>, position: usize, id: u32, limit: usize) -> Option<usize> {
    let value_type = NodeKind::from_id(id)?.value_type;
    let count_at = position.checked_add(HEAD_SIZE)?;
    let list = |item_size: usize| {
        let count = word(r, count_at)?;
        count
            .checked_mul(item_size)?
            .checked_add(HEAD_SIZE.checked_add(4)?)
    };
    let len = match value_type {
        ValueType::AreaArray => list(Area::SIZE)?,
        ValueType::PointArray => list(POINT_SIZE)?,
        ValueType::StringArray => {
            let mut len = HEAD_SIZE.checked_add(4)?;
            for _ in 0..word(r, count_at)? {
                let size_at = position.checked_add(len)?.checked_add(4)?;
                let size = word(r, size_at).filter(|size| *size >= HEAD_SIZE)?;
                len = len.checked_add(size).filter(|len| *len <= limit)?;
            }
            len
        }
        other => fixed_len(other)?.checked_add(HEAD_SIZE)?,
    };
    (len <= limit && position.checked_add(len)? <= end(r)).then_some(len)
}

fn word(r: &Reader<'_>, position: usize) -> Option<usize> {
    let word = r.sub("word", position, 4).ok()?.u32("word").ok()?;
    usize::try_from(word).ok()
}
