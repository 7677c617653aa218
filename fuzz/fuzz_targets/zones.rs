//! Zones of geodata that are kept on disk: what is read is written back byte for byte.
#![no_main]

use ironlands_assets_loader::lineage2::zone_file::ZoneFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(file) = ZoneFile::read(data) {
        assert_eq!(file.write().as_deref(), Ok(data));
    }
});
