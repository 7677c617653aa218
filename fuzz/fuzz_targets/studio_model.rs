//! Studio model from its three files, each behind its length: no panic, whatever they say.
#![no_main]

use ironlands_assets_source::studio_model::StudioModel;
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
    let (Some(mdl), Some(vvd), Some(vtx)) = files else {
        return;
    };
    if let Ok(model) = StudioModel::read(&mdl, &vvd, &vtx) {
        for (_, mesh) in model.meshes_of(0) {
            let n_vertices = mesh.positions.len() as u32;
            assert!(mesh.indices.iter().all(|vertex| *vertex < n_vertices));
            model.material_paths(0, mesh.material, 0);
            model.material_paths(0, mesh.material, 1);
        }
    }
});
