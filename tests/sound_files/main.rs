//! What `check` calls sound is used: damaged files of every kind either have an error that `check` finds at some place,
//! or all that the program offers for them ends with 0. Commands run as the program runs them, but in this process.

mod damage;
mod samples;
mod uses;

use std::ffi::OsString;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use ironlands::assets::bytes::Severity;
use ironlands::assets::format::AnyFormat;
use ironlands::assets::inspect::{self, Inspection, Report};
use ironlands::kind::{AnyWorldKind, OpenError, OpenOptions, Opened, Registry, Verdict};
use ironlands::worlds::lineage2::Lineage2Options;
use ironlands::worlds::registry;
use tempfile::TempDir;

use self::damage::mutant;
use self::samples::{Sample, of_demo, packed_library, region_formats, regions};
use self::uses::{Back, Use, uses};

/// Mutants of each file.
const N_MUTANTS: u64 = 24;
/// Mutants of each file in the long run.
const N_MANY_MUTANTS: u64 = 2_400;
/// Of longer files there are fewer mutants.
const LONG_FILE: usize = 32 << 10;
/// Failures that are printed.
const MAX_PRINTED: usize = 40;

/// How a level or model is opened.
type Open =
    fn(&Registry, &Path, &OpenOptions) -> Result<(&'static dyn AnyWorldKind, Opened), OpenError>;

/// A folder with a file and what it needs beside it, and one that commands write to.
struct Bench {
    folder: TempDir,
    output: TempDir,
    subject: PathBuf,
    /// What `check` is run on: the file, or the folder if it needs others.
    checked: PathBuf,
}

/// Runs a command line; what it says where it does not end with 0.
fn ironlands<const N: usize>(args: [&Path; N]) -> Result<(), String> {
    let args = args.map(|arg| arg.as_os_str().to_owned());
    let line = [OsString::from("ironlands")].into_iter().chain(args);
    let mut out = Vec::new();
    let run = || ironlands::run_line(line, &registry(), &mut out);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(Verdict::Done)) => Ok(()),
        Ok(Ok(Verdict::No)) => Err(format!("no: {}", String::from_utf8_lossy(&out))),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it panicked".to_owned()),
    }
}

/// Inspects with the formats of all worlds.
fn inspect(path: &Path) -> Inspection {
    inspect::inspect(path, registry().formats()).unwrap()
}

impl Bench {
    fn new(sample: &Sample) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Self {
            checked: match sample.files.len() {
                1 => folder.path().join(sample.name()),
                _ => folder.path().to_owned(),
            },
            subject: folder.path().join(sample.name()),
            output: tempfile::tempdir().unwrap(),
            folder,
        };
        for (name, data) in &sample.files {
            bench.put(name, data);
        }
        bench
    }

    fn put(&self, name: &str, data: &[u8]) {
        fs::write(self.folder.path().join(name), data).unwrap();
    }

    fn output(&self, name: &str) -> PathBuf {
        self.output.path().join(name)
    }

    /// An empty folder to write in.
    fn empty_folder(&self, name: &str) -> PathBuf {
        let path = self.output(name);
        // It is not there the first time.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        path
    }

    /// All uses of the file, the first that does not end with 0.
    fn use_all(&self, format: &dyn AnyFormat) -> Result<(), String> {
        let failure_of = |what: String| move |why: String| format!("{what}: {why}");
        let subject = &self.subject;
        ironlands(["check".as_ref(), subject]).map_err(failure_of("check".to_owned()))?;
        ironlands(["info".as_ref(), subject]).map_err(failure_of("info".to_owned()))?;
        for it in uses(subject, format).iter().chain(self.of_figure()) {
            self.do_use(*it).map_err(failure_of(format!("{it:?}")))?;
        }
        Ok(())
    }

    /// A figure is an archive by its content, and more by its name.
    fn of_figure(&self) -> &'static [Use] {
        match self.subject.extension() {
            Some(extension) if extension == "mod" => &[Use::Model, Use::Form("glb", Back::Sound)],
            _ => &[],
        }
    }

    fn do_use(&self, it: Use) -> Result<(), String> {
        match it {
            Use::Form(ending, back) => self.form(ending, back),
            Use::Extract => self.extract(),
            Use::Repack => self.repack(),
            Use::Model => self.open(Registry::open_model),
            Use::Level => self.open(Registry::open),
            Use::Geodata => self.geodata(),
        }
    }

    fn form(&self, ending: &str, back: Back) -> Result<(), String> {
        let subject = &*self.subject;
        let folder = self.empty_folder("form");
        let name = subject.file_name().unwrap_or_default();
        let open = folder.join(name).with_extension(ending);
        ironlands(["export".as_ref(), subject, "--to".as_ref(), &open])?;
        let again = self.empty_folder("again").join(name);
        if back != Back::Nothing {
            let [import, to, base] = ["import", "--to", "--base"].map(Path::new);
            let imported = match ending {
                // Tables that are not there stay as they are.
                "csv" => ironlands([import, &open, to, &again, base, subject]),
                _ => ironlands([import, &open, to, &again]),
            };
            imported.map_err(|why| format!("back: {why}"))?;
        }
        match back {
            // What breaks a recommendation may be mended on the way.
            Back::SameBytes if self.is_clean() => self.is_same(&again),
            Back::Sound => ironlands(["check".as_ref(), &again]),
            Back::SameBytes | Back::Nothing => Ok(()),
        }
    }

    fn extract(&self) -> Result<(), String> {
        let folder = self.empty_folder("entries");
        ironlands(["extract".as_ref(), &self.subject, "--to".as_ref(), &folder])
    }

    fn repack(&self) -> Result<(), String> {
        let subject = &*self.subject;
        let folder = self.empty_folder("entries");
        let [nested, to] = ["--nested", "--to"].map(Path::new);
        ironlands(["extract".as_ref(), subject, nested, to, &folder])?;
        let again = self.empty_folder("again").join("packed");
        let base = "--archive".as_ref();
        ironlands(["pack".as_ref(), &folder, base, subject, to, &again])?;
        match self.is_clean() {
            true => self.is_same(&again),
            false => Ok(()),
        }
    }

    /// Whether `check` has neither an error nor a warning.
    fn is_clean(&self) -> bool {
        let inspection = inspect(&self.subject);
        let worst = inspection.reports.iter().filter_map(Report::worst).max();
        worst.is_none_or(|worst| worst == Severity::Note)
    }

    fn is_same(&self, again: &Path) -> Result<(), String> {
        match fs::read(&self.subject).unwrap() == fs::read(again).unwrap() {
            true => Ok(()),
            false => Err("other bytes come back".to_owned()),
        }
    }

    fn open(&self, open: Open) -> Result<(), String> {
        let of_geodata = Lineage2Options {
            strict: true,
            ..Lineage2Options::default()
        };
        let options = OpenOptions::default().with(of_geodata);
        let opened = || open(&registry(), &self.subject, &options).map(drop);
        match catch_unwind(AssertUnwindSafe(opened)) {
            Ok(opened) => opened.map_err(|error| error.to_string()),
            Err(_) => Err("it panicked".to_owned()),
        }
    }

    fn geodata(&self) -> Result<(), String> {
        let folder = self.empty_folder("converted");
        let [convert, form, to] = ["convert", "--format", "--to"].map(Path::new);
        for format in region_formats() {
            let format = format.ending().trim_start_matches(['_', '.']);
            let converted = ironlands([convert, &self.subject, form, format.as_ref(), to, &folder]);
            converted.map_err(|why| format!("{format}: {why}"))?;
        }
        let map = folder.join("map.png");
        let [geodata, of, scale, many] = ["geodata", "map", "--scale", "16"].map(Path::new);
        ironlands([geodata, of, &self.subject, scale, many, to, &map])
    }

    /// Whether `check` finds no error; the errors that it finds are located.
    fn is_sound(&self) -> Result<Option<&'static dyn AnyFormat>, String> {
        let inspection = inspect(&self.checked);
        if inspection.count(Severity::Error) > 0 {
            return match is_located(&inspection) {
                true => Ok(None),
                false => Err(format!("an error without a place: {inspection:#?}")),
            };
        }
        let of_subject = |path: &Path| *path == *self.subject;
        let mut reports = inspection.reports.iter();
        let report = reports.find(|report| of_subject(&report.path));
        Ok(report.and_then(|report| registry().formats().by_name(report.format)))
    }
}

/// Whether some error has an offset, or names a missing file.
fn is_located(inspection: &Inspection) -> bool {
    let findings = inspection.reports.iter().flat_map(|it| &it.findings);
    let mut errors = findings.filter(|it| it.severity == Severity::Error);
    errors.any(|it| it.offset.is_some() || it.message.contains("missing"))
}

/// Mutants of each file of a sample.
fn hold(sample: &Sample, n_mutants: u64, failures: &mut Vec<String>) {
    let bench = Bench::new(sample);
    let sound = bench.is_sound();
    assert_eq!(sound, Ok(Some(sample.format)), "{}", sample.name());
    assert_eq!(bench.use_all(sample.format), Ok(()), "{}", sample.name());
    let n_bytes: usize = sample.files.iter().map(|(_, data)| data.len()).sum();
    let n_mutants = n_mutants * LONG_FILE as u64 / n_bytes.max(LONG_FILE) as u64;
    for (name, data) in &sample.files {
        for seed in 0..n_mutants.max(4) {
            bench.put(name, &mutant(data, seed));
            let used = match bench.is_sound() {
                Ok(Some(format)) => bench.use_all(format),
                Ok(None) => Ok(()),
                Err(why) => Err(why),
            };
            if let Err(why) = used {
                failures.push(format!("{name}, mutant {seed}: {why}"));
            }
        }
        bench.put(name, data);
    }
}

fn hold_all(samples: &[Sample], n_mutants: u64) {
    let mut failures = Vec::new();
    for sample in samples {
        hold(sample, n_mutants, &mut failures);
    }
    let n_failures = failures.len();
    failures.truncate(MAX_PRINTED);
    assert!(
        failures.is_empty(),
        "{n_failures} failures, the first: {failures:#?}"
    );
}

fn parkan() -> Vec<Sample> {
    let libraries = [
        "Material.lib",
        "objects.rlb",
        "turrets.rlb",
        "LightMap.lib",
        "BuildDat.lst",
    ];
    let folders = ["MAPS/Map01", "MISSIONS", "UNITS"];
    let mut samples = of_demo(&[&libraries[..], &folders].concat());
    samples.push(packed_library());
    samples
}

/// Zones have tests of their own.
fn evil_islands() -> Vec<Sample> {
    let mut samples = of_demo(&["EVIL_ISLANDS"]);
    samples.retain(|sample| sample.format.name() != "zone");
    samples
}

/// Maps have tests of their own.
fn source() -> Vec<Sample> {
    let mut samples = of_demo(&["SOURCE"]);
    samples.retain(|sample| sample.format.name() != "bsp");
    samples
}

#[test]
fn files_of_evil_islands_that_check_calls_sound_are_used() {
    hold_all(&evil_islands(), N_MUTANTS);
}

#[test]
fn files_of_parkan_that_check_calls_sound_are_used() {
    hold_all(&parkan(), N_MUTANTS);
}

#[test]
fn files_of_source_that_check_calls_sound_are_used() {
    hold_all(&source(), N_MUTANTS);
}

#[test]
#[ignore = "long: a hundred times as many mutants"]
fn files_of_evil_islands_that_check_calls_sound_are_used_at_length() {
    hold_all(&evil_islands(), N_MANY_MUTANTS);
}

#[test]
#[ignore = "long: a hundred times as many mutants"]
fn files_of_parkan_that_check_calls_sound_are_used_at_length() {
    hold_all(&parkan(), N_MANY_MUTANTS);
}

/// The quick form is a test of `sim`.
#[test]
#[ignore = "long: each mutant is converted to every format"]
fn regions_that_check_calls_sound_are_used_at_length() {
    hold_all(&regions(), N_MUTANTS);
}

#[test]
#[ignore = "long: a hundred times as many mutants"]
fn files_of_source_that_check_calls_sound_are_used_at_length() {
    hold_all(&source(), N_MANY_MUTANTS);
}
