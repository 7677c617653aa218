//! Material: what is read is written back byte for byte, and has a look in either range of light.
#![no_main]

use ironlands_assets_source::vmt::{LightRange, ResolvedVmt, Vmt};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(material) = Vmt::read(data) {
        assert_eq!(material.write().as_deref(), Ok(data));
        let resolved = ResolvedVmt::from_vmt(&material);
        resolved.look(LightRange::Ldr);
        resolved.look(LightRange::Hdr);
    }
});
