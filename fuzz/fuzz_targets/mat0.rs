//! Material: the first byte is the version; what is read is written back byte for byte.
#![no_main]

use ironlands_assets_parkan::mat0::Mat0;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((version, payload)) = data.split_first() else {
        return;
    };
    if let Ok(material) = Mat0::read(payload, u32::from(*version)) {
        assert_eq!(material.write().as_deref(), Ok(payload));
        material.check();
        let _ = material.first_track();
    }
});
