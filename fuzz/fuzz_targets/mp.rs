//! The header of a zone's land: what is read is written back byte for byte.
#![no_main]

use ironlands_assets_loader::evil_islands::mp::{Mp, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for tolerance in [Tolerance::STRICT, Tolerance::all()] {
        if let Ok(value) = Mp::read_with(data, tolerance) {
            assert_eq!(value.write().as_deref(), Ok(data));
            value.check();
        }
    }
});
