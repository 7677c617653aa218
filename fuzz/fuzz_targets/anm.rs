//! Animation of a part: what any tolerance reads is written back byte for byte; frames are as long as they say.
#![no_main]

use ironlands_assets_evil_islands::anm::{Anm, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(anm) = Anm::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(anm.write().as_deref(), Ok(data));
    anm.check();
    if !anm.morphs.is_empty() {
        let n_morphs = anm.n_morphs.map_or(0, |n| n as usize);
        assert!((0..anm.n_morph_frames as usize).all(|it| anm.morphs_of(it).len() == n_morphs));
    }
});
