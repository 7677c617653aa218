//! Regions as text: what is read is written and read again as the same.
#![no_main]

use ironlands_assets_lineage2::ZERO_REGION;
use ironlands_assets_lineage2::path_txt::PathTxt;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(file) = PathTxt::read(ZERO_REGION, data) {
        let text = file.write().expect("what was read can be written");
        assert_eq!(PathTxt::read(ZERO_REGION, &text).as_ref(), Ok(&file));
        file.check();
    }
});
