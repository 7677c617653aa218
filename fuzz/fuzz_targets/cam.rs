//! CAM: any bytes are written back as they are, also by way of JSON.
#![no_main]

use ironlands_assets_evil_islands::cam::{Cam, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let cam = Cam::read_with(data, Tolerance::all()).expect("any bytes are records and a rest");
    assert_eq!(cam.write().as_deref(), Ok(data));
    cam.check();
    let json = cam.to_json().expect("a path is JSON");
    let again = Cam::from_json(&json).expect("its own JSON is read");
    assert_eq!(again.write().as_deref(), Ok(data));
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Cam::from_json(text);
    }
});
