//! Texture: what any tolerance reads is written back byte for byte; every picture turns into pixels or is refused.
#![no_main]

use ironlands_assets_source::vtf::{Tolerance, Vtf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(texture) = Vtf::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(texture.write().as_deref(), Ok(data));
    texture.check();
    let _ = texture.decode_thumbnail();
    for mip in 0..texture.n_mips.into() {
        for frame in 0..texture.n_frames.into() {
            for face in 0..texture.n_faces() {
                assert!(texture.picture(mip, frame, face).is_some());
                let _ = texture.decode_rgba8(mip, frame, face);
                let _ = texture.decode_rgba16f(mip, frame, face);
            }
        }
    }
});
