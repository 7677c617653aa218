//! Light of regions: what is read is written back byte for byte, and what is set is there after that.
#![no_main]

use ironlands_assets_evil_islands::lights_config::{LightsConfig, LightsSection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(mut config) = LightsConfig::read(data) else {
        return;
    };
    assert_eq!(config.write().as_deref(), Ok(data));
    config.check();
    for section in LightsSection::ALL {
        config.set_color(section, 5, [1, 2, 3]);
    }
    let bytes = config.write().expect("all can be written");
    assert_eq!(LightsConfig::read(&bytes), Ok(config));
});
