//! Rest position of a part: what any tolerance reads is written back byte for byte.
#![no_main]

use ironlands_assets_evil_islands::bon::{Bon, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(bon) = Bon::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(bon.write().as_deref(), Ok(data));
    bon.check();
    bon.offset([0.25, 0.5, 0.75]);
});
