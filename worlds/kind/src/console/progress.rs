//! Progress of long work, on stderr.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Work in steps of unknown length: the current one, with a spinner. Where stderr is no terminal, each step is
/// a line.
pub struct Steps {
    spinner: ProgressBar,
    is_terminal: bool,
}

impl Steps {
    /// Before the first step.
    pub fn begin() -> Self {
        let style =
            ProgressStyle::with_template("{spinner} {msg}").expect("the template is well-formed");
        let spinner = ProgressBar::new_spinner().with_style(style);
        spinner.enable_steady_tick(Duration::from_millis(100));
        Self {
            spinner,
            is_terminal: io::stderr().is_terminal(),
        }
    }

    /// The next step begins.
    pub fn report(&self, doing: &str) {
        if self.is_terminal {
            self.spinner.set_message(doing.to_owned());
        } else {
            // Without stderr the message has no reader.
            let _ = writeln!(io::stderr(), "{doing}");
        }
    }

    /// After the last step: nothing of it stays on a terminal.
    pub fn end(&self) {
        self.spinner.finish_and_clear();
    }
}

/// A bar for a number of files.
pub fn bar(n_files: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} {pos} of {len} files")
        .expect("the template is well-formed");
    ProgressBar::new(n_files as u64).with_style(style)
}
