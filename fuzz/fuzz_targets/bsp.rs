//! Source maps: what is read is written back byte for byte, and so are the typed lumps, whose indices can be followed.
#![no_main]

use ironlands_assets_source::bsp::{BspFile, DisplacementGrid, Map, PatchFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(patch) = PatchFile::read(data) {
        assert_eq!(patch.write().as_deref(), Ok(data));
    }
    let Ok(file) = BspFile::read(data) else {
        return;
    };
    assert_eq!(file.write().as_deref(), Ok(data));
    file.check();
    let Ok(map) = Map::read(&file) else {
        return;
    };
    map.check();
    map.check_limits(file.version);
    for face in &map.faces {
        assert_eq!(map.ring(face).len(), face.n_edges as usize);
        map.triangles_of(face, &mut Vec::new());
    }
    DisplacementGrid::all(&map).expect("displacements were checked");
    let mut again = file.clone();
    map.write_into(&mut again).expect("what was read fits");
    assert_eq!(again, file);
});
