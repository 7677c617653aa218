//! RsLi: what any tolerance reads is written back byte for byte; every payload unpacks or is refused.
#![no_main]

use ironlands_assets_parkan::rsli::{LzhPosition, RsLi, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(library) = RsLi::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(library.write().as_deref(), Ok(data));
    library.check();
    for entry in &library.entries {
        for position in [LzhPosition::Classic, LzhPosition::Peer] {
            if let Ok(unpacked) = entry.unpack_with(position, Tolerance::all()) {
                assert_eq!(unpacked.len(), entry.unpacked_size as usize);
            }
        }
    }
});
