//! Texture: what is read is written back byte for byte, and every level turns into pixels.
#![no_main]

use ironlands_assets_parkan::texm::Texm;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(texture) = Texm::read(data) {
        assert_eq!(texture.write().as_deref(), Ok(data));
        texture.check();
        for level in 0..texture.mips.len() as u32 {
            texture.to_rgba8(level).expect("a stored level has pixels");
        }
    }
});
