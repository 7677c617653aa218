//! OBJ: what is read becomes a model or a typed error.
#![no_main]

use ironlands_world_parkan::exchange::read_obj;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(imported) = read_obj(data) else {
        return;
    };
    if let Some(wear) = imported.wear() {
        wear.write().expect("rows that were read can be written");
    }
    let _ = imported.draft.build();
});
