//! A real archive of Evil Islands, and the twenty archives in it.
//!
//! It is not ours and is not in the repository. It is looked for in `IRONLANDS_DATA`, else in `../shared/data` beside
//! the checkout; where it is absent each trial is listed as *ignored*. The dossier says what it holds (section 0.3).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ironlands_assets_evil_islands::res::{
    NamesOrder, NestedArchives, Others, ResArchive, ResEntry, ResFile,
};
use ironlands_real_data as real_data;
use libtest_mimic::Failed;

const NAME: &str = "auxData.res";
const SIZE: usize = 433_994;

/// The archive on disk, its bytes, and what was read of them.
struct Subject {
    path: PathBuf,
    bytes: Vec<u8>,
    archive: ResArchive,
}

fn main() -> ExitCode {
    type Check = fn(&Subject) -> Result<(), Failed>;
    let checks: [(&str, Check); 6] = [
        ("content", content),
        ("rewritten", rewritten),
        ("drafted", drafted),
        ("on disk", on_disk),
        ("unpacked and packed", unpacked_and_packed),
        ("edited", edited),
    ];
    let trials = checks.map(|(name, check)| {
        let name = format!("{NAME}: {name}");
        real_data::trial(name, "evil-islands", move |folder| check(&open(folder)?))
    });
    real_data::run(trials)
}

fn open(folder: &Path) -> Result<Subject, Failed> {
    let path = folder.join(NAME);
    let bytes = std::fs::read(&path)?;
    let archive = ResArchive::read(&bytes)?;
    Ok(Subject {
        path,
        bytes,
        archive,
    })
}

fn same<T: PartialEq>(found: &T, expected: &T, what: &str) -> Result<(), Failed> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what} differs").into()),
    }
}

/// The archive and those in it, each with its bytes.
fn archives(subject: &Subject) -> Result<Vec<(String, Vec<u8>, ResArchive)>, Failed> {
    let outer = (
        NAME.to_owned(),
        subject.bytes.clone(),
        subject.archive.clone(),
    );
    let mut all = vec![outer];
    for entry in subject.archive.entries.iter().filter(|it| it.is_archive()) {
        let inner = ResArchive::read(&entry.data)?;
        all.push((entry.name_text().into_owned(), entry.data.to_vec(), inner));
    }
    same(&all.len(), &21, "the number of archives")?;
    Ok(all)
}

fn content(subject: &Subject) -> Result<(), Failed> {
    same(&subject.bytes.len(), &SIZE, "the size")?;
    let entries = &subject.archive.entries;
    let n_ending = |ending: &str| {
        let ends = |entry: &&ResEntry| entry.name.ends_with(ending.as_bytes());
        entries.iter().filter(ends).count()
    };
    let counts = [".mod", ".bon", ".mmp"].map(n_ending);
    same(&counts, &[10, 10, 10], "the number of files by ending")?;
    // The exporter names some model's links as the model; each holds a mesh beside them.
    for (name, _, archive) in archives(subject)?.into_iter().skip(1) {
        let expected = if name.ends_with(".mod") { 2 } else { 1 };
        same(
            &archive.entries.len(),
            &expected,
            &format!("the number of parts of {name}"),
        )?;
    }
    same(
        &subject.archive.names_order,
        &NamesOrder::Insertion,
        "the order of names",
    )?;
    same(&subject.archive.check(), &Vec::new(), "what check finds")?;
    for entry in entries {
        let upper = entry.name_text().to_uppercase();
        let found = subject
            .archive
            .find(&upper)
            .ok_or("an entry is not found")?;
        same(found, entry, &upper)?;
    }
    Ok(())
}

/// From what was read: header, table, names and gaps are put together again.
fn rewritten(subject: &Subject) -> Result<(), Failed> {
    for (name, bytes, archive) in archives(subject)? {
        same(&archive.write()?, &bytes, &name)?;
    }
    Ok(())
}

/// From names, times and contents alone, as the original's packer did.
fn drafted(subject: &Subject) -> Result<(), Failed> {
    for (name, bytes, archive) in archives(subject)? {
        let entries = archive.entries.iter();
        let files = entries.map(|entry| (entry.name.clone(), entry.data.to_vec()));
        let mut draft = ResArchive::draft(files.collect(), archive.names_order);
        for (entry, original) in draft.entries.iter_mut().zip(&archive.entries) {
            entry.mtime = original.mtime;
        }
        same(&draft.write()?, &bytes, &name)?;
    }
    Ok(())
}

fn on_disk(subject: &Subject) -> Result<(), Failed> {
    let file = ResFile::open(&subject.path)?;
    same(&file.names().len(), &30, "the number of names")?;
    for entry in &subject.archive.entries {
        let data = file.read(&entry.name_text().to_lowercase())?;
        same(&data.as_deref(), &Some(&*entry.data), &entry.name_text())?;
    }
    Ok(())
}

fn unpacked_and_packed(subject: &Subject) -> Result<(), Failed> {
    let files = subject.archive.files(NAME, NestedArchives::Unpack);
    same(&files.len(), &40, "the number of files")?;
    let n_meshes = files.iter().filter(|file| file.path.ends_with(".fig"));
    same(&n_meshes.count(), &10, "the number of meshes")?;
    let files = files
        .into_iter()
        .map(|file| (file.path, file.data.to_vec()));
    let files: Vec<_> = files.collect();
    let mut archive = subject.archive.clone();
    archive.put_files(NAME, &files, Others::Remove)?;
    same(
        &archive.write()?,
        &subject.bytes,
        "what was unpacked and packed",
    )
}

/// A file more and a file less: the others are what they were.
fn edited(subject: &Subject) -> Result<(), Failed> {
    let mut archive = subject.archive.clone();
    archive.put(b"new.mmp", vec![1, 2, 3]);
    archive.remove(b"light.mmp").ok_or("nothing was removed")?;
    let again = ResArchive::read(&archive.write()?)?;
    same(&again, &archive, "the edited archive")?;
    same(&again.check(), &Vec::new(), "what check finds")
}
