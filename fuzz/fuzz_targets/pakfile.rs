//! Pakfile: what is read is written back byte for byte; every entry unpacks or is refused; an edit leaves the others.
#![no_main]

use ironlands_assets_source::pakfile::Pakfile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(archive) = Pakfile::read(data) else {
        return;
    };
    assert_eq!(archive.write(), data);
    archive.check();
    let mut edited = archive.clone();
    if edited.replace("a", b"1").is_err() {
        return;
    }
    for entry in archive.entries() {
        let unpacked = archive.unpack(entry);
        if !entry.name().eq_ignore_ascii_case("a") {
            let found = archive.open(entry.name());
            assert_eq!(edited.open(entry.name()).is_ok(), found.is_ok());
        }
        if let Ok(unpacked) = unpacked {
            assert_eq!(unpacked.len(), entry.size() as usize);
        }
    }
});
