//! The list that the program walks: maps to the format of their editor, by their paths.

use std::fs;
use std::path::Path;

use ironlands_assets_core::format::ConversionOptions;
use ironlands_assets_source::decompile::to_vmf;
use ironlands_assets_source::level::SourceLevel;
use ironlands_assets_source::vmf::Vmf;
use ironlands_world_source::exchange::LEVEL_EXPORTS;

#[test]
fn the_demo_map_is_decompiled_with_what_is_lost() {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/demo.bsp");
    let [vmf] = LEVEL_EXPORTS else {
        panic!("one format");
    };
    assert_eq!(vmf.extension, "vmf");
    let to = Path::new("out/demo.vmf");
    let exported = (vmf.export)(&map, to, &ConversionOptions::default()).unwrap();
    let [(path, bytes)] = exported.files.as_slice() else {
        panic!("{:?}", exported.files);
    };
    assert_eq!(path, to);
    Vmf::read(bytes).unwrap();
    let level = SourceLevel::open(&map, &[], None).unwrap();
    let (expected, lost) = to_vmf(&level.map, &level.entities, &level.static_props);
    assert!(expected.write().unwrap() == *bytes);
    assert!(
        exported.findings.ends_with(&lost),
        "{:?}",
        exported.findings
    );
}

#[test]
fn what_is_no_map_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.bsp");
    fs::write(&path, "no map").unwrap();
    let options = ConversionOptions::default();
    let error = (LEVEL_EXPORTS[0].export)(&path, Path::new("bad.vmf"), &options).unwrap_err();
    assert!(error.to_string().contains("bad.bsp"), "{error}");
}
