//! glTF, text or binary: what is read becomes a model or a typed error, and that model goes to glTF and back.
#![no_main]

use ironlands_world_parkan::exchange::{
    GlbOptions, ImportOptions, ModelSource, read_glb, write_glb,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(imported) = read_glb(data, &ImportOptions::default()) else {
        return;
    };
    if let Some(wear) = imported.wear() {
        wear.write().expect("rows that were read can be written");
    }
    let Ok(msh) = imported.draft.build() else {
        return;
    };
    let source = ModelSource {
        name: "fuzz",
        msh: &msh,
        wear: None,
        rows: &[],
        materials: &[],
        textures: &[],
    };
    if let Ok(glb) = write_glb(&source, &GlbOptions::default()) {
        let again =
            read_glb(&glb.bytes, &ImportOptions::default()).expect("our own files are valid");
        assert_eq!(again.draft.nodes.len(), imported.draft.nodes.len());
    }
});
