//! How long the program is busy with the worst files of 4 MB that we know: archives of nothing but names, maps whose
//! parts all refer to each other, small files that unpack to much.
//!
//! `cargo run --release --example hostile_inputs` builds the files below the system's folder for such, runs the program
//! that lies beside the example over each of them (`cargo build --release` first), and prints a table: file, bytes,
//! command, exit code, seconds, and on Linux the seconds that processors were at work for it, which other programs do not
//! lengthen, and the most memory. Words after `--` choose among the files by their names. No command should take more
//! than 5 seconds.

mod archives;
mod lands;
mod maps;
mod texts;
mod textures;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No file is larger.
pub const MAX_BYTES: usize = 4 << 20;
/// A command that is busy for longer is ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// `{}` is the file, `{to}` a folder or the beginning of a file to write.
pub const LOOK: &[&[&str]] = &[&["check", "{}"], &["info", "{}"]];
/// Draws a small picture of the input.
pub const RENDER: &[&str] = &[
    "--level",
    "{}",
    "--software",
    "--size",
    "64x36",
    "--render",
    "{to}.png",
];

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let program = program()?;
    let folder = tempfile::tempdir()?;
    let cases = [
        archives::CASES,
        maps::CASES,
        texts::CASES,
        textures::CASES,
        lands::CASES,
    ];
    report(
        &"file                          bytes  command                        code  seconds     work      MiB",
    );
    let mut n_runs = 0;
    for (name, commands, build) in cases.into_iter().flatten() {
        if !wanted.is_empty() && !wanted.iter().any(|it| name.contains(&**it)) {
            continue;
        }
        let bytes = build();
        assert!(bytes.len() <= MAX_BYTES, "{name}: {} bytes", bytes.len());
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap_or(folder.path()))?;
        fs::write(&file, &bytes)?;
        for command in *commands {
            // Each has a folder of its own, which stays until the end: ext4 without a journal looks for inodes that were
            // not deleted in the last minute, one after another, so that new files would wait for the removed ones.
            let output = folder.path().join(format!("output {n_runs}"));
            n_runs += 1;
            fs::create_dir(&output)?;
            let to = output.join("to");
            let run = Run::new(&program, command, &file, &to)?;
            report(&format!(
                "{name:26} {:8}  {:28} {:>6} {:8.2} {:>8} {:>8}",
                bytes.len(),
                command.join(" "),
                run.code.map_or("ended".to_owned(), |code| code.to_string()),
                run.took.as_secs_f64(),
                run.work_secs
                    .map_or("-".to_owned(), |secs| format!("{secs:.2}")),
                run.most_kib
                    .map_or("-".to_owned(), |kib| (kib >> 10).to_string()),
            ));
        }
        fs::remove_file(&file)?;
    }
    Ok(())
}

/// What one file is called, what is done with it, and how it is built.
pub type Row = (
    &'static str,
    &'static [&'static [&'static str]],
    fn() -> Vec<u8>,
);

/// What a command took.
struct Run {
    /// `None` if it was ended.
    code: Option<i32>,
    took: Duration,
    work_secs: Option<f64>,
    most_kib: Option<u64>,
}

impl Run {
    fn new(
        program: &Path,
        command: &[&str],
        file: &Path,
        to: &Path,
    ) -> Result<Self, Box<dyn Error>> {
        let [file, to] = [file, to].map(|path| path.display().to_string());
        let args = command
            .iter()
            .map(|it| it.replace("{to}", &to).replace("{}", &file));
        let since = Instant::now();
        let mut child = Command::new(program)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let (mut most_kib, mut work_secs) = (None, None);
        let code = loop {
            most_kib = most_kib.max(resident_kib(&child));
            work_secs = worked_secs(&child).or(work_secs);
            if let Some(status) = child.try_wait()? {
                break status.code();
            }
            if since.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        Ok(Self {
            code,
            took: since.elapsed(),
            work_secs,
            most_kib,
        })
    }
}

/// The most memory that a program has had, where the system reports it.
fn resident_kib(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// For how long processors have been at work for a program and for the system on its behalf, where the system shows.
fn worked_secs(child: &Child) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name, in parentheses, may have spaces. `utime` and `stime` are the 12th and 13th field after it, in hundredths.
    let (_, fields) = stat.rsplit_once(')')?;
    let hundredths = fields.split_whitespace().skip(11).take(2);
    let sum = hundredths.map(str::parse::<u64>).sum::<Result<u64, _>>();
    Some(sum.ok()? as f64 / 100.0)
}

/// The program of the same build: examples lie in a folder beside it.
fn program() -> Result<PathBuf, Box<dyn Error>> {
    let example = std::env::current_exe()?;
    let folder = example.parent().and_then(Path::parent).ok_or("no folder")?;
    let program = folder
        .join("ironlands")
        .with_extension(std::env::consts::EXE_EXTENSION);
    match program.is_file() {
        true => Ok(program),
        false => Err(format!("{} is not there: build it first", program.display()).into()),
    }
}

#[expect(clippy::print_stdout, reason = "the output of the example")]
fn report(line: &dyn std::fmt::Display) {
    println!("{line}");
}
