//! Why a call failed, as a message and as a number.

use ironlands_assets_lineage2::OutsideWorld;
use ironlands_sim_geodata::GeodataError;
use std::error::Error;
use thiserror::Error;

/// Why a call failed.
#[derive(Debug, Error)]
pub enum GeodataSetError {
    /// A point without a region.
    #[error(transparent)]
    Query(#[from] GeodataError),
    /// Nothing could be loaded.
    #[error("{0}")]
    Load(String),
    /// An argument has a value that it cannot have.
    #[error("{0}")]
    Argument(String),
}

/// The numbers of outcomes, which all bindings share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// No region is loaded at a point.
    NoData = 1,
    /// A point is outside of all regions that can be.
    Outside = 2,
    /// Regions cannot be read.
    Load = 3,
    /// An argument has a value that it cannot have.
    Argument = 4,
    /// There is no such layer.
    NoLayer = 5,
    /// An array of the caller is too short for the result, whose length is returned.
    TooShort = 6,
    /// A defect of this library; the call changed nothing.
    Panic = 7,
}

impl GeodataSetError {
    pub(crate) fn load(error: impl Error) -> Self {
        Self::Load(chain(&error))
    }

    /// A value that an argument cannot have.
    pub fn argument(why: &str) -> Self {
        Self::Argument(why.to_owned())
    }

    /// Its number.
    pub fn status(&self) -> Status {
        match self {
            Self::Query(GeodataError::Outside(_)) => Status::Outside,
            Self::Query(_) => Status::NoData,
            Self::Load(_) => Status::Load,
            Self::Argument(_) => Status::Argument,
        }
    }
}

impl From<OutsideWorld> for GeodataSetError {
    fn from(error: OutsideWorld) -> Self {
        GeodataError::from(error).into()
    }
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}
