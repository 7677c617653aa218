//! Maps of Evil Islands: what is read is written back byte for byte, and so is what has gone through JSON; a healed map
//! has no bytes that are no node.
#![no_main]

use ironlands_assets_evil_islands::map_entities::map_entities;
use ironlands_assets_evil_islands::map_overlays::map_overlays;
use ironlands_assets_evil_islands::mob::{Mob, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(strict) = Mob::read(data) {
        assert_eq!(strict.write().as_deref(), Ok(data));
    }
    let Ok((mob, _)) = Mob::read_with(data, Tolerance::all()) else {
        assert!(data.is_empty());
        return;
    };
    assert_eq!(mob.write().as_deref(), Ok(data));
    mob.check();
    map_overlays(&mob, &|x, y| Some(x + y));
    map_entities(&mob, &|_, _| None);
    let json = mob.to_json().expect("what can be written has a JSON form");
    let read = Mob::from_json(&json).expect("the JSON form is a map");
    assert_eq!(read.write().as_deref(), Ok(data));
    let mut healed = mob;
    healed.heal();
    let bytes = healed.write().expect("what was written can be written again");
    let rules = Tolerance::all() - Tolerance::TRAILING_BYTES;
    assert!(bytes.is_empty() || Mob::read_with(&bytes, rules).is_ok());
});
