//! Animations outside of a model: what is read is written back byte for byte.
#![no_main]

use ironlands_assets_loader::source::ani::Ani;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(value) = Ani::read(data) {
        assert_eq!(value.write().as_deref(), Ok(data));
    }
});
