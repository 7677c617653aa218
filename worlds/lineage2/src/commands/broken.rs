//! What happens to regions that cannot be read: they are left out, named and counted, or the first one is an error.

use std::error::Error;

use crate::LeftOut;

use crate::Lineage2Error;

/// What a region that cannot be read does to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenRegions {
    /// It is named, counted and left out.
    LeaveOut,
    /// It is an error.
    Stop,
}

impl BrokenRegions {
    /// What `--strict` means.
    pub fn from_strict(is_strict: bool) -> Self {
        match is_strict {
            true => Self::Stop,
            false => Self::LeaveOut,
        }
    }

    /// A line for each region that is left out, and one with their number; none if all `n_regions` were read.
    ///
    /// # Errors
    /// The first broken region, if none may be left out or no other is there.
    pub fn lines(
        self,
        broken: Vec<LeftOut>,
        n_regions: usize,
    ) -> Result<Vec<String>, Lineage2Error> {
        let n_broken = broken.len();
        if self == Self::Stop || n_broken == n_regions {
            return match broken.into_iter().next() {
                Some(first) => Err(Lineage2Error::Geodata(first.error)),
                None => Ok(Vec::new()),
            };
        }
        let mut lines: Vec<String> = broken.iter().map(line).collect();
        if n_broken > 0 {
            lines.push(format!(
                "{n_broken} of {n_regions} regions are broken and left out; --strict stops at the first of them"
            ));
        }
        Ok(lines)
    }

    /// As [`lines`](Self::lines), on stderr.
    ///
    /// # Errors
    /// As in [`lines`](Self::lines).
    pub fn log(self, broken: Vec<LeftOut>, n_regions: usize) -> Result<(), Lineage2Error> {
        for line in self.lines(broken, n_regions)? {
            log::warn!("{line}");
        }
        Ok(())
    }
}

/// The file, what is wrong with it and where, and what follows.
fn line(broken: &LeftOut) -> String {
    let mut text = broken.error.to_string();
    let mut cause = broken.error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text.push_str("; left out");
    text
}
