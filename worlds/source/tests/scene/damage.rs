//! Files with wrong bytes in them.

use ironlands_world_source::{SourceOptions, open_level};
use libtest_mimic::Failed;

use crate::facts::Facts;
use crate::{Opened, ensure};

/// Damaged files of each map.
const N_FILES: u64 = 24;
/// Bytes that are changed in each.
const N_CHANGES: usize = 12;

/// Whatever a file holds, opening it ends; what is opened can be drawn.
pub fn survives(_: &Facts, opened: &Opened) -> Result<(), Failed> {
    let sound = std::fs::read(&opened.level.path)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("damaged.bsp");
    for seed in 1..=N_FILES {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % below as u64) as usize
        };
        let mut data = sound.clone();
        for _ in 0..N_CHANGES {
            let at = next(data.len());
            data[at] = next(256) as u8;
        }
        std::fs::write(&path, &data)?;
        if let Ok(opened) = open_level(&path, &[], &SourceOptions::default()) {
            let valid = opened.scene.validate();
            ensure(valid.is_ok(), || format!("seed {seed}: {valid:?}"))?;
        }
    }
    Ok(())
}
