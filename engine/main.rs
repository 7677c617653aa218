//! The program with the worlds of this repository.

use std::process::ExitCode;

fn main() -> ExitCode {
    ironlands::run(&ironlands::worlds::registry())
}
