//! Ctrl-C, and what the system sends to end a program: a run ends where it leaves nothing half done.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::output::remove_temporary_files;

/// Whether Ctrl-C was pressed.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the run looks at that.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// How long a run has to end by itself: some steps, such as the making of an index, do not look at the flag.
const TIME_TO_END: Duration = Duration::from_secs(3);

/// Ends the program on Ctrl-C, or when the system ends it (SIGTERM, SIGHUP), without files that are not complete.
///
/// Until [`watch_for_interrupt`] it ends at once. From then on the run has a moment to end by itself, where it leaves
/// nothing half done; a second signal ends it at once.
///
/// # Errors
/// If the system does not let it listen.
pub fn end_on_signals() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) || !IS_WATCHED.load(Ordering::Relaxed) {
            end_now();
        }
        std::thread::spawn(|| {
            std::thread::sleep(TIME_TO_END);
            end_now();
        });
    })
}

fn end_now() -> ! {
    remove_temporary_files();
    // Without stderr the message has no reader.
    let _ = writeln!(io::stderr(), "error: stopped");
    std::process::exit(2);
}

/// From now on Ctrl-C sets a flag first, so that a run can end where it leaves nothing half done.
pub fn watch_for_interrupt() {
    IS_WATCHED.store(true, Ordering::Relaxed);
}

/// What Ctrl-C sets, for work that looks at it by itself.
pub fn interrupt_flag() -> &'static AtomicBool {
    &IS_INTERRUPTED
}

/// Ctrl-C was pressed, or the system sent a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Ends a run between two steps if Ctrl-C was pressed since [`watch_for_interrupt`].
///
/// # Errors
/// [`Interrupted`] if it was.
pub fn check_interrupt() -> Result<(), Interrupted> {
    match interrupt_flag().load(Ordering::Relaxed) {
        true => Err(Interrupted),
        false => Ok(()),
    }
}
