//! Model: what is read is written back byte for byte; what is repaired stays repaired.
#![no_main]

use ironlands_assets_parkan::msh::{Msh, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(model) = Msh::read(data) {
        assert_eq!(model.write().as_deref(), Ok(data));
        model.check();
        model.tracks();
    }
    if let Ok((model, _)) = Msh::read_with(data, Tolerance::all()) {
        let repaired = model.write().expect("what was repaired can be written");
        assert!(Msh::read_with(&repaired, Tolerance::CONTAINER).is_ok());
    }
});
