//! Tree of parts: what any tolerance reads is written back byte for byte, and is a tree.
#![no_main]

use ironlands_assets_evil_islands::lnk::{Lnk, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(lnk) = Lnk::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(lnk.write().as_deref(), Ok(data));
    lnk.check();
    let order = lnk.depth_first();
    assert_eq!(order.len(), lnk.links.len());
    let parents = lnk.parents();
    let mut is_placed = vec![false; order.len()];
    for part in order {
        assert!(parents[part].is_none_or(|parent| is_placed[parent]));
        is_placed[part] = true;
    }
});
