//! Game lump, as if it stood 4096 bytes into a map: it and its props are written back byte for byte.
#![no_main]

use ironlands_assets_source::bsp::game_lump::{DetailProps, GameLump, StaticProps};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(lump) = GameLump::read(data, 4096) else {
        return;
    };
    assert_eq!(lump.write(4096).as_deref(), Ok(data));
    for sub_lump in lump.sub_lumps() {
        let Ok(content) = sub_lump.content() else {
            continue;
        };
        for bsp_version in [20, 21] {
            if let Ok(props) = StaticProps::read(&content, sub_lump.version(), bsp_version) {
                assert_eq!(props.write().as_deref(), Ok(&*content));
            }
        }
        if let Ok(props) = DetailProps::read(&content, sub_lump.version()) {
            assert_eq!(props.write().as_deref(), Ok(&*content));
        }
    }
});
