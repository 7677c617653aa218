//! Figure from glTF: no panic, and what comes of it can be written or says why not.
#![no_main]

use ironlands_world_evil_islands::exchange::read_figure_glb;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(found) = read_figure_glb(data) else {
        return;
    };
    let figure = found.figure;
    for (index, part) in figure.parts.iter().enumerate() {
        assert!(part.parent.is_none_or(|parent| (parent as usize) < index));
        if let Some(fig) = &part.fig {
            fig.write().expect("a drafted mesh can be written");
        }
    }
    let _ = (figure.write_mod(), figure.write_bon(), figure.write_anm());
});
