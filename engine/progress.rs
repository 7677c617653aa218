//! What long work shows on stderr while it goes on.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A sign of life, with what is done beside it.
pub fn spinner() -> ProgressBar {
    let style =
        ProgressStyle::with_template("{spinner} {msg}").expect("the template is well-formed");
    let spinner = ProgressBar::new_spinner().with_style(style);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// So many files, one after the other.
pub fn bar(n_files: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} {pos} of {len} files")
        .expect("the template is well-formed");
    ProgressBar::new(n_files as u64).with_style(style)
}
