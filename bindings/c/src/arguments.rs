//! Texts and arrays of C callers.

use ironlands_geodata_set::GeodataSetError;
use ironlands_geodata_set::outcome::Failure;
use std::ffi::{CStr, c_char};

/// A text of the caller; `None` for NULL.
///
/// # Safety
/// It ends with a zero byte and stays as it is during the call.
pub unsafe fn text<'a>(text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: As above.
    let text = unsafe { CStr::from_ptr(text) };
    let text = text.to_str();
    text.map(Some)
        .map_err(|_| GeodataSetError::argument("a text is not UTF-8").into())
}

/// An array of the caller; an empty one may be NULL.
///
/// # Safety
/// It has that many entries, which stay as they are during the call.
pub unsafe fn slice<'a, T>(entries: *const T, n_entries: usize) -> Result<&'a [T], Failure> {
    match check(entries, n_entries)? {
        // SAFETY: As above; it is aligned and not longer than memory can be.
        true => Ok(unsafe { std::slice::from_raw_parts(entries, n_entries) }),
        false => Ok(&[]),
    }
}

/// An array of the caller to write to; an empty one may be NULL.
///
/// # Safety
/// It has that many entries, which nothing else reads or writes during the call.
pub unsafe fn slice_mut<'a, T>(entries: *mut T, n_entries: usize) -> Result<&'a mut [T], Failure> {
    match check(entries, n_entries)? {
        // SAFETY: As above; it is aligned and not longer than memory can be.
        true => Ok(unsafe { std::slice::from_raw_parts_mut(entries, n_entries) }),
        false => Ok(&mut []),
    }
}

/// Whether there are entries.
fn check<T>(entries: *const T, n_entries: usize) -> Result<bool, Failure> {
    if n_entries == 0 {
        return Ok(false);
    }
    let is_possible = n_entries
        .checked_mul(size_of::<T>())
        .is_some_and(|n_bytes| isize::try_from(n_bytes).is_ok());
    if entries.is_null() || !entries.is_aligned() || !is_possible {
        return Err(GeodataSetError::argument("an array is NULL, not aligned, or too long").into());
    }
    Ok(true)
}
