//! Material table: what is read is written back byte for byte, spelling included.
#![no_main]

use ironlands_assets_loader::parkan::wear::Wear;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(value) = Wear::read(data) {
        assert_eq!(value.write().as_deref(), Ok(data));
        value.check();
    }
});
