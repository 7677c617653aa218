//! Texture: what any tolerance reads is written back byte for byte; every level turns into pixels or is refused; DDS
//! goes both ways.
#![no_main]

use ironlands_assets_evil_islands::mmp::{Mmp, PixelRows, Tolerance};
use libfuzzer_sys::fuzz_target;

/// Packed pixels may unpack to a thousand times their size; larger pictures only cost time.
const MAX_PIXELS: u64 = 1 << 20;

fuzz_target!(|data: &[u8]| {
    if let Ok(texture) = Mmp::from_dds(data, PixelRows::Upright) {
        assert!(texture.write().is_ok());
    }
    let Ok(texture) = Mmp::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(texture.write().as_deref(), Ok(data));
    if u64::from(texture.width) * u64::from(texture.height) > MAX_PIXELS {
        return;
    }
    texture.check();
    for level in 0..texture.levels.len() {
        let _ = texture.upright_rgba(level);
    }
    let Ok(strict) = Mmp::read(data) else {
        return;
    };
    for rows in [PixelRows::Upright, PixelRows::Stored] {
        if let Ok(dds) = strict.to_dds(rows) {
            let again = Mmp::from_dds(&dds, rows).expect("what was written is read");
            assert_eq!(again.level_rgba(0), strict.level_rgba(0));
        }
    }
});
