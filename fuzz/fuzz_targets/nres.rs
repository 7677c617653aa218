//! NRes: what any tolerance reads is written back byte for byte, and its canonical form holds the same entries.
#![no_main]

use ironlands_assets_parkan::nres::{NRes, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(archive) = NRes::read_with(data, Tolerance::all()) {
        assert_eq!(archive.write().as_deref(), Ok(data));
        archive.check();
        for entry in &archive.entries {
            let found = archive.find(entry.name_bytes());
            assert!(found.is_some(), "an entry is not found by its name");
        }
    }
    if let Ok(archive) = NRes::read(data) {
        let canonical = archive
            .write_canonical()
            .expect("a strict archive can be written");
        let again = NRes::read(&canonical).expect("a canonical archive is strict");
        assert_eq!(again.entries.len(), archive.entries.len());
    }
});
