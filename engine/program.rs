//! The program: reads the command line and calls one command.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::assets::unpack;
use crate::cli::{Command, Invocation, Task, take_language, view_of};
use crate::commands;
use crate::console::{interrupt, plain};
use crate::error::AppError;
use crate::kind::{Registry, Verdict};
use crate::settings::Settings;
use crate::words;

/// When the program began.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// How long the program runs.
pub fn running_for() -> Duration {
    STARTED.get_or_init(Instant::now).elapsed()
}

/// Runs the program with the worlds of a registry, on the arguments of the process. To be called once, by `main`.
pub fn run(registry: &Registry) -> ExitCode {
    STARTED.get_or_init(Instant::now);
    choose_language();
    let invocation = Invocation::from_env(registry);
    start_log(invocation.verbose);
    unpack::set_limit(invocation.unpack_limit.saturating_mul(1 << 20));
    let mut out = io::stdout().lock();
    if let Err(error) = interrupt::end_on_signals().map_err(AppError::WatchInterrupt) {
        error.print();
        return ExitCode::from(2);
    }
    let result = perform(&invocation.task, registry, &mut out);
    match result.and_then(|verdict| Ok(out.flush().map(|()| verdict)?)) {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        // The reader of the output has seen enough, as `head` does.
        Err(AppError::Stdout(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            error.print();
            ExitCode::from(2)
        }
    }
}

/// Chooses the language of help and messages. What is wrong with the settings is logged when a window reads them.
fn choose_language() {
    let (requested, _) = take_language(std::env::args_os());
    words::request_language(requested);
    let settings = match requested {
        Some(_) => Settings::default(),
        None => Settings::load(),
    };
    settings.set_language();
}

/// Runs one command line, the program's name first, in this process; results go to `output`. Neither reads the
/// process's own arguments nor starts a log.
///
/// # Errors
/// A command line that makes no sense, and whatever makes the program end with 2; the message says all, its causes
/// included.
pub fn run_line(
    line: impl IntoIterator<Item = OsString>,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Verdict, Box<dyn Error + Send + Sync>> {
    let invocation = Invocation::parse(line, registry)?;
    let performed = perform(&invocation.task, registry, out);
    performed.map_err(|error| error.chain().into())
}

/// Runs the task of a command line.
fn perform(task: &Task, registry: &Registry, out: &mut dyn Write) -> Result<Verdict, AppError> {
    match task {
        Task::Start => show_start(registry),
        Task::OfWorld { line, matches } => Ok((line.run)(matches, out)?),
        Task::Command(
            Command::View(view)
            | Command::Render(view)
            | Command::Record(view)
            | Command::Bench(view),
        ) => commands::fly::run(view, registry, out),
        Task::Command(Command::Demo(args)) => commands::demo::run(args, out),
        Task::Command(Command::Check(args)) => commands::check::run(args, registry, out),
        Task::Command(Command::Info(args)) => commands::info::run(args, registry, out),
        Task::Command(Command::Export(args)) => commands::export::run(args, registry, out),
        Task::Command(Command::Import(args)) => commands::import::run(args, registry, out),
        Task::Command(Command::Extract(args)) => commands::extract::run(args, registry, out),
        Task::Command(Command::Pack(args)) => commands::pack::run(args, registry, out),
        Task::Command(Command::Completions(args)) => {
            commands::completions::run(args, registry, out)
        }
        Task::Command(Command::Man(args)) => commands::man::run(args, registry, out),
    }
}

/// The start screen; help where there is no window.
fn show_start(registry: &Registry) -> Result<Verdict, AppError> {
    let view = view_of(Path::new("."), registry);
    match commands::fly::show_start(&view, None, registry, Settings::load()) {
        Err(failure) if failure.is_of_display() => {
            log::warn!("the display cannot be used ({})", failure.error.chain());
            Invocation::exit_without_arguments(registry)
        }
        Err(failure) => Err(*failure.error),
        Ok(()) => Ok(Verdict::Done),
    }
}

/// Progress and log go to stderr. `RUST_LOG` has the last word.
fn start_log(verbose: u8) {
    // The graphics libraries report every driver's small departures; a user can do nothing about them.
    let default = match verbose {
        0 => "warn,wgpu_hal=error,wgpu_core=error,naga=error",
        1 => "warn,ironlands=info,wgpu_hal=error,wgpu_core=error,naga=error",
        2 => "warn,ironlands=debug",
        _ => "info,ironlands=trace",
    };
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(default))
        .format(move |out, record| {
            let level = record.level();
            let style = out.default_level_style(level);
            let target = match verbose {
                0 | 1 => "",
                _ => record.target(),
            };
            let gap = if target.is_empty() { "" } else { " " };
            // Names of files and entries are in it.
            let message = words::line(&record.args().to_string());
            let message = plain::plain(&message);
            writeln!(out, "[{style}{level:<5}{style:#}{gap}{target}] {message}")
        })
        .init();
}
