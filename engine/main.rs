//! The program: reads the command line and calls one command.

mod background;
mod bookmarks;
mod camera_file;
mod cast;
mod cli;
mod commands;
mod day_clock;
mod error;
mod figure_sheet;
mod findings;
mod flight;
mod headless;
mod hud;
mod input;
mod land_options;
mod level;
mod model_options;
mod model_stage;
mod path_flight;
mod picks;
mod plain;
mod playback;
mod poser;
mod projection;
mod recording;
#[cfg(test)]
mod test_world;
#[cfg(test)]
mod tests;
mod tile_feed;
mod view_options;
mod window;
mod wrong_name;

use std::io::{self, Write};
use std::process::ExitCode;

use ironlands::assets_loader::unpack;
use ironlands::interrupt;

use crate::cli::{Cli, Command};
use crate::error::AppError;

/// What a command that did its work answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Done; or: yes.
    Done,
    /// The answer is no: `check` found faults, a way is blocked, two sets differ.
    No,
}

fn main() -> ExitCode {
    let cli = Cli::from_env();
    start_log(cli.verbose);
    unpack::set_limit(cli.unpack_limit.saturating_mul(1 << 20));
    let mut answer = io::stdout().lock();
    if let Err(error) = interrupt::end_on_signals().map_err(AppError::WatchInterrupt) {
        error.print();
        return ExitCode::from(2);
    }
    let result = run(&cli, &mut answer);
    match result.and_then(|verdict| Ok(answer.flush().map(|()| verdict)?)) {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        // Whoever read the answer has seen enough, as `head` does.
        Err(AppError::Answer(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            error.print();
            ExitCode::from(2)
        }
    }
}

/// Does what a command line asks for.
fn run(cli: &Cli, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    match &cli.command {
        Some(Command::Demo(args)) => commands::demo::run(args, answer),
        Some(Command::Check(args)) => commands::check::run(args, answer),
        Some(Command::Info(args)) => commands::info::run(args, answer),
        Some(Command::Export(args)) => commands::export::run(args, answer),
        Some(Command::Import(args)) => commands::import::run(args, answer),
        Some(Command::Extract(args)) => commands::extract::run(args, answer),
        Some(Command::Pack(args)) => commands::pack::run(args, answer),
        Some(Command::Convert(args)) => commands::geodata::convert::run(args, answer),
        Some(Command::Geodata(args)) => commands::geodata::run(args, answer),
        None => commands::fly::run(&cli.fly, answer),
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
            let message = record.args().to_string();
            let message = plain::plain(&message);
            writeln!(out, "[{style}{level:<5}{style:#}{gap}{target}] {message}")
        })
        .init();
}
