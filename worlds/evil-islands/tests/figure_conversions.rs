//! The lists that the program walks: figures to GLB and back, by their paths.

#[path = "common/figure.rs"]
#[expect(dead_code, reason = "the texture is for other tests")]
mod figure;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_core::format::ConversionOptions;
use ironlands_assets_evil_islands::adb::Adb;
use ironlands_assets_evil_islands::figure::Figure;
use ironlands_exchange::conversion::{Imported, ModelImportError};
use ironlands_world_evil_islands::exchange::{MODEL_EXPORTS, MODEL_IMPORTS, read_figure_glb};
use tempfile::TempDir;

/// The sample as files of the game, with a table of animations; the path of its meshes.
fn figure_in(folder: &TempDir) -> PathBuf {
    let figure = figure::figure();
    let path = folder.path().join(format!("{}.mod", figure.name));
    let put = |extension: &str, bytes: Vec<u8>| {
        fs::write(path.with_extension(extension), bytes).unwrap();
    };
    put("mod", figure.write_mod().unwrap());
    put("bon", figure.write_bon().unwrap());
    put("anm", figure.write_anm().unwrap().unwrap());
    put("adb", Adb::default().write().unwrap());
    path
}

/// Exports the sample; the path of the GLB.
fn export(figure: &Path, options: &ConversionOptions) -> PathBuf {
    let to = figure.with_file_name("out.glb");
    let exported = (MODEL_EXPORTS[0].export)(figure, &to, options).unwrap();
    let [(path, bytes)] = exported.files.as_slice() else {
        panic!("{:?}", exported.files);
    };
    assert_eq!(*path, to);
    let findings = &exported.findings;
    assert!(
        findings.iter().any(
            |it| it.format == "glb" && it.message == "adb: the table of animations is left out"
        ),
        "{findings:?}"
    );
    fs::write(path, bytes).unwrap();
    to
}

fn import(from: &Path, base_file: Option<&Path>) -> Result<Imported, ModelImportError> {
    let options = ConversionOptions {
        base_file: base_file.map(Path::to_owned),
        ..ConversionOptions::default()
    };
    (MODEL_IMPORTS[0].import)(from, &from.with_file_name("unhuma.mod"), &options)
}

fn extensions(imported: &Imported) -> Vec<String> {
    let extension = |path: &PathBuf| path.extension().unwrap().to_string_lossy().into_owned();
    imported
        .files
        .iter()
        .map(|(path, _)| extension(path))
        .collect()
}

#[test]
fn a_figure_comes_back_with_its_meshes_last() {
    let folder = TempDir::new().unwrap();
    let glb = export(&figure_in(&folder), &ConversionOptions::default());
    let imported = import(&glb, None).unwrap();
    assert_eq!(extensions(&imported), ["bon", "anm", "mod"]);
    for (path, bytes) in &imported.files {
        fs::write(path, bytes).unwrap();
    }
    let back = Figure::open(&folder.path().join("unhuma.mod")).unwrap();
    let names = |figure: &Figure| -> Vec<String> {
        figure.parts.iter().map(|it| it.name.clone()).collect()
    };
    assert_eq!(names(&back), names(&figure::figure()));
}

#[test]
fn the_base_gives_its_files_back_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let base = figure_in(&folder);
    let glb = export(&base, &ConversionOptions::default());
    let imported = import(&glb, Some(&base)).unwrap();
    assert_eq!(extensions(&imported), ["bon", "anm", "adb", "mod"]);
    for (path, bytes) in &imported.files {
        let extension = path.extension().unwrap();
        let before = fs::read(base.with_extension(extension)).unwrap();
        assert!(before == *bytes, "{extension:?}");
    }
}

#[test]
fn the_shape_that_is_requested_is_shown() {
    let folder = TempDir::new().unwrap();
    let options = ConversionOptions {
        shape: Some([0.25, 0.5, 0.75]),
        ..ConversionOptions::default()
    };
    let glb = export(&figure_in(&folder), &options);
    let read = read_figure_glb(&fs::read(glb).unwrap()).unwrap();
    assert_eq!(Some(read.complection), options.shape);
}

#[test]
fn errors_name_the_file_and_the_cause() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let glb = export(&figure_in(&folder), &ConversionOptions::default());
    let error = import(&glb, Some(&path("none.mod"))).unwrap_err();
    let wanted = format!("cannot use {} as the base", path("none.mod").display());
    assert_eq!(error.to_string(), wanted);
    assert!(error.source().is_some());
    fs::write(path("bad.glb"), "glTF").unwrap();
    let error = import(&path("bad.glb"), None).unwrap_err();
    assert!(
        matches!(error, ModelImportError::Import { .. }),
        "{error:?}"
    );
    let none = (MODEL_EXPORTS[0].export)(&path("none.mod"), &glb, &ConversionOptions::default());
    assert!(none.unwrap_err().to_string().contains("none.mod"));
}
