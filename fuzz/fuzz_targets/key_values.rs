//! KeyValues: what any tolerance reads is written back byte for byte, and reads as itself in our own layout.
#![no_main]

use ironlands_assets_source::key_values::{KeyValues, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = KeyValues::read(data);
    if let Ok(text) = KeyValues::read_with("key_values", data, Tolerance::all()) {
        assert_eq!(text.write().as_deref(), Ok(data));
    }
});
