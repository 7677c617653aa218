//! REG: what any tolerance reads is written back byte for byte, and comes back from its text.
#![no_main]

use ironlands_assets_evil_islands::reg::{CodePage, Reg, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(reg) = Reg::read_with(data, Tolerance::all()) {
        assert_eq!(reg.write().as_deref(), Ok(data));
        reg.check();
        for page in [CodePage::Cp1251, CodePage::Cp866] {
            let (text, losses) = reg.to_ini(page);
            let again = Reg::from_ini(text.as_bytes()).expect("its own text is read");
            if losses.is_empty() {
                assert_eq!(again.write().as_deref(), Ok(data));
            }
        }
    }
    if let Ok(reg) = Reg::from_ini(data) {
        let _ = reg.write();
    }
});
