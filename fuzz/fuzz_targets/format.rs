//! Any format, by its name in `IRONLANDS_FORMAT`: what is read strictly is written back byte for byte, and what is read at
//! all is checked.
#![no_main]

use std::sync::LazyLock;

use ironlands_assets_core::format::AnyFormat;
use ironlands_worlds::registry;
use libfuzzer_sys::fuzz_target;

static FORMAT: LazyLock<&'static dyn AnyFormat> = LazyLock::new(|| {
    let name = std::env::var("IRONLANDS_FORMAT").expect("IRONLANDS_FORMAT names a format");
    let format = registry().formats().by_name(&name);
    format.unwrap_or_else(|| panic!("there is no format {name}"))
});

fuzz_target!(|data: &[u8]| FORMAT.exercise(data));
