//! Unit file: what is read is written back byte for byte.
#![no_main]

use ironlands_assets_parkan::unit_dat::UnitDat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(value) = UnitDat::read(data) {
        assert_eq!(value.write().as_deref(), Ok(data));
        value.check();
        let _ = value.parents();
    }
});
