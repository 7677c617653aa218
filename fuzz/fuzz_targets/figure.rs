//! Model from its archives, each behind its length: no panic, whatever they say, and parents before children.
#![no_main]

use ironlands_assets_evil_islands::figure::Figure;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let take = |data: &mut &[u8]| -> Option<Vec<u8>> {
        let (len, rest) = data.split_first_chunk()?;
        let (file, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        *data = rest;
        Some(file.to_vec())
    };
    let mut rest = data;
    let files = (take(&mut rest), take(&mut rest), take(&mut rest));
    let (Some(model), Some(bon), Some(anm)) = files else {
        return;
    };
    let Ok(figure) = Figure::read("unhuma", &model, &bon, Some(&anm), None) else {
        return;
    };
    for (index, part) in figure.parts.iter().enumerate() {
        assert!(part.parent.is_none_or(|parent| (parent as usize) < index));
    }
    for animation in &figure.animations {
        assert_eq!(animation.parts.len(), figure.parts.len());
    }
    assert_eq!(figure.rest_positions([0.5; 3]).len(), figure.parts.len());
    let _ = (figure.write_mod(), figure.write_bon(), figure.write_anm());
});
