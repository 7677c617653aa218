//! ADB: what any tolerance reads is written back byte for byte.
#![no_main]

use ironlands_assets_loader::evil_islands::adb::{Adb, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(adb) = Adb::read_with(data, Tolerance::all()) {
        assert_eq!(adb.write().as_deref(), Ok(data));
        adb.check();
    }
    if let Ok(adb) = Adb::read(data) {
        assert_eq!(adb.write().as_deref(), Ok(data));
    }
});
