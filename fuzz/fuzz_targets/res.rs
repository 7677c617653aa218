//! RES: what any tolerance reads is written back byte for byte, and an edited archive is a strict one's equal.
#![no_main]

use ironlands_assets_evil_islands::res::{NestedArchives, Others, ResArchive, Tolerance};
use libfuzzer_sys::fuzz_target;

fn by_name(archive: &ResArchive) -> Vec<(&[u8], &[u8])> {
    let entries = archive.entries.iter();
    let mut entries: Vec<(&[u8], &[u8])> = entries.map(|it| (&*it.name, &*it.data)).collect();
    entries.sort_unstable();
    entries
}

fuzz_target!(|data: &[u8]| {
    let Ok(archive) = ResArchive::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(archive.write().as_deref(), Ok(data));
    archive.check();
    for entry in &archive.entries {
        let found = archive.find_bytes(&entry.name);
        assert!(found.is_some(), "an entry is not found by its name");
    }
    let files = archive.files("a.anm", NestedArchives::Unpack).into_iter();
    let files: Vec<_> = files.map(|file| (file.path, file.data.to_vec())).collect();
    let mut edited = archive;
    edited.put(b"new", vec![1]);
    edited.share_equal_data();
    if let Ok(bytes) = edited.write() {
        let again = ResArchive::read_with(&bytes, Tolerance::all()).expect("our own archive");
        // Entries are read in the order of their data, which sharing changes.
        assert!(by_name(&again) == by_name(&edited));
    }
    let _ = edited.put_files("a.anm", &files, Others::Remove);
});
