//! Regions of community servers: what is read is written back byte for byte, strictly or not.
#![no_main]

use ironlands_assets_loader::lineage2::l2j::L2j;
use ironlands_assets_loader::lineage2::{Tolerance, ZERO_REGION};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(file) = L2j::read(ZERO_REGION, data) {
        assert_eq!(file.write().as_deref(), Ok(data));
        file.check();
    }
    if let Ok(file) = L2j::read_with(ZERO_REGION, data, Tolerance::all()) {
        // Too many layers are read and never written.
        if let Ok(bytes) = file.write() {
            assert_eq!(bytes, data);
        }
        file.check();
    }
});
