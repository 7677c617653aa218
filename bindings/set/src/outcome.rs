//! What becomes of a call from another language: a result, or a status with a text that the caller may fetch. No panic
//! leaves it.

use super::{GeodataSetError, Status};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Why the last call of this thread failed.
    static LAST_ERROR: RefCell<(Status, String)> = const { RefCell::new((Status::Ok, String::new())) };
}

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// The set refused it.
    Set(GeodataSetError),
    /// There is no such layer.
    NoLayer,
    /// The caller's array is too short.
    TooShort,
}

impl Failure {
    /// An argument that must not be NULL.
    pub fn null(name: &str) -> Self {
        GeodataSetError::argument(&format!("{name} is NULL")).into()
    }

    /// Its number.
    pub fn status(&self) -> Status {
        match self {
            Self::Set(error) => error.status(),
            Self::NoLayer => Status::NoLayer,
            Self::TooShort => Status::TooShort,
        }
    }

    /// What it says.
    pub fn text(&self) -> String {
        match self {
            Self::Set(error) => error.to_string(),
            Self::NoLayer => "there is no such layer".to_owned(),
            Self::TooShort => "the array is too short for the result".to_owned(),
        }
    }
}

impl From<GeodataSetError> for Failure {
    fn from(error: GeodataSetError) -> Self {
        Self::Set(error)
    }
}

/// Runs a call; a panic ends here. What calls share is immutable or replaced as a whole, so a panic leaves it as it was.
///
/// # Errors
/// The status of a call that failed; [`last_error`] says more.
#[inline]
pub fn guarded<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Status> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(failure)) => Err(record(failure.status(), failure.text())),
        Err(_) => Err(record(Status::Panic, "a defect of this library".to_owned())),
    }
}

#[cold]
fn record(status: Status, text: String) -> Status {
    LAST_ERROR.replace((status, text));
    status
}

/// Status and text of the last call of this thread that failed.
pub fn last_error<T>(read: impl FnOnce(Status, &str) -> T) -> T {
    LAST_ERROR.with_borrow(|(status, text)| read(*status, text))
}
