//! Mesh of a part: what any tolerance reads is written back byte for byte, and every index leads somewhere.
#![no_main]

use ironlands_assets_evil_islands::fig::{Fig, Tolerance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(fig) = Fig::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(fig.write().as_deref(), Ok(data));
    fig.check();
    let bounds = fig.bounds([0.25, 0.5, 0.75]);
    assert!(bounds.radius.is_finite());
    for index in &fig.indices {
        let component = fig.components[usize::from(*index)];
        assert!(usize::from(component.position) < fig.n_vertices());
        assert!(usize::from(component.normal) < fig.normals.len());
        assert!(usize::from(component.texcoord) < fig.texcoords.len());
    }
});
