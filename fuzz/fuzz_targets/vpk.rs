//! VPK: what is read is written back byte for byte, of either kind; every file is found or refused.
#![no_main]

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::vpk::{VpkDirectory, VtmbPack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(directory) = VpkDirectory::read(data) {
        assert_eq!(directory.write().as_deref(), Ok(data));
        for (path, _) in directory.tree.files().take(100) {
            let _ = directory.open(&path, |_| Ok::<_, FormatError>(Vec::new()));
        }
    }
    if let Ok(pack) = VtmbPack::read(data) {
        assert_eq!(pack.write().as_deref(), Ok(data));
        for file in pack.files.iter().take(100) {
            assert!(pack.open(&file.path()).is_some());
        }
    }
});
