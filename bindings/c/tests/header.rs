//! The header in the tree is the one that cbindgen writes. `BLESS=1` writes it.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    // The two files, not the crate: cargo is not run for it.
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(folder.join("src/lib.rs"))
        .generate()
        .unwrap();
    let mut written = Vec::new();
    bindings.write(&mut written);
    let written = String::from_utf8(written).unwrap();
    let path = folder.join("include/ironlands/geodata.h");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == written,
        "{} is not what cbindgen writes; BLESS=1 writes it again",
        path.display()
    );
}
