//! The lists that the program walks: models to files and back, by their paths.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_core::format::{ConversionOption, ConversionOptions};
use ironlands_assets_parkan::msh::Msh;
use ironlands_exchange::conversion::{ModelExport, ModelImportError};
use ironlands_world_parkan::exchange::{
    GlbOptions, ImportOptions, MODEL_EXPORTS, MODEL_IMPORTS, read_glb, write_glb,
};
use tempfile::TempDir;

use crate::common::walker;
use crate::glb::Glb;

/// The sample as files of the game; its path.
fn model_in(folder: &TempDir) -> PathBuf {
    let glb = write_glb(&walker().source(), &GlbOptions::default()).unwrap();
    let imported = read_glb(&glb.bytes, &ImportOptions::default()).unwrap();
    let path = folder.path().join("walker.msh");
    fs::write(&path, imported.draft.build().unwrap().write().unwrap()).unwrap();
    let wear = imported.wear().unwrap().write().unwrap();
    fs::write(path.with_extension("wea"), wear).unwrap();
    path
}

fn export_to(extension: &str) -> &'static ModelExport {
    let found = MODEL_EXPORTS.iter().find(|it| it.extension == extension);
    found.expect("a format of the list")
}

fn import(from: &Path, to: &Path) -> Result<Vec<PathBuf>, ModelImportError> {
    let imported = (MODEL_IMPORTS[0].import)(from, to, &ConversionOptions::default())?;
    for (path, bytes) in &imported.files {
        fs::write(path, bytes).unwrap();
    }
    Ok(imported.files.into_iter().map(|(path, _)| path).collect())
}

/// The error and its causes, as the program prints them.
fn reported(error: &dyn Error) -> String {
    match error.source() {
        None => error.to_string(),
        Some(cause) => format!("{error}: {}", reported(cause)),
    }
}

#[test]
fn a_model_goes_to_every_format_and_back_with_what_is_named_first() {
    let folder = TempDir::new().unwrap();
    let model = model_in(&folder);
    for format in MODEL_EXPORTS {
        let to = folder.path().join("out").with_extension(format.extension);
        let exported = (format.export)(&model, &to, &ConversionOptions::default()).unwrap();
        let last = exported.files.last().map(|(path, _)| path);
        assert_eq!(last, Some(&to), "{}", format.extension);
        let mut left_out = exported
            .findings
            .iter()
            .filter(|it| it.format == format.extension);
        assert!(
            left_out.any(|it| it.message.starts_with("lightmaps: ")),
            "{exported:?}"
        );
        for (path, bytes) in &exported.files {
            fs::write(path, bytes).unwrap();
        }
        let back = folder.path().join("back.msh");
        let files = import(&to, &back).unwrap();
        assert_eq!(files, [folder.path().join("back.wea"), back.clone()]);
        let [before, after] =
            [&model, &back].map(|path| Msh::read(&fs::read(path).unwrap()).unwrap());
        match format.extension {
            "glb" => assert_eq!(before.indices, after.indices),
            // The quad of the base and the triangle of the arm: state 0 at its finest.
            _ => assert_eq!(after.indices.len(), 9),
        }
    }
}

#[test]
fn options_that_make_a_difference_are_listed() {
    let folder = TempDir::new().unwrap();
    let model = model_in(&folder);
    let options = ConversionOptions {
        frames_per_sec: Some(30.0),
        state: Some(1),
        lod: Some(0),
        ..ConversionOptions::default()
    };
    for format in MODEL_EXPORTS {
        let to = folder.path().join("out").with_extension(format.extension);
        let plain = (format.export)(&model, &to, &ConversionOptions::default()).unwrap();
        let all = (format.export)(&model, &to, &options).unwrap();
        assert_ne!(plain.files, all.files, "{}", format.extension);
        let mut unlisted = options.clone();
        for option in format.options {
            match option {
                ConversionOption::FramesPerSec => unlisted.frames_per_sec = None,
                ConversionOption::State => unlisted.state = None,
                ConversionOption::Lod => unlisted.lod = None,
                other => panic!("{other:?}"),
            }
        }
        let without = (format.export)(&model, &to, &unlisted).unwrap();
        assert_eq!(plain.files, without.files, "{}", format.extension);
    }
}

#[test]
fn a_choice_that_the_model_lacks_is_refused_with_those_that_it_has() {
    let folder = TempDir::new().unwrap();
    let model = model_in(&folder);
    let to = folder.path().join("out.obj");
    let error_of = |options: &ConversionOptions| {
        let error = (export_to("obj").export)(&model, &to, options).unwrap_err();
        reported(&*error)
    };
    let state = ConversionOptions {
        state: Some(2),
        ..ConversionOptions::default()
    };
    assert_eq!(error_of(&state), "no model has state 2; there are 0, 1");
    let lod = ConversionOptions {
        lod: Some(4),
        ..ConversionOptions::default()
    };
    assert_eq!(
        error_of(&lod),
        "no model has level of detail 4; there are 0, 1"
    );
}

#[test]
fn a_gltf_names_files_of_its_own_folder() {
    let folder = TempDir::new().unwrap();
    let glb = write_glb(&walker().source(), &GlbOptions::default()).unwrap();
    let mut glb = Glb::read(&glb.bytes);
    fs::write(folder.path().join("a b.bin"), &glb.bin).unwrap();
    let gltf = folder.path().join("walker.gltf");
    let back = folder.path().join("back.msh");
    for (uri, error) in [
        ("a%20b.bin", None),
        ("../a%20b.bin", Some("only files in the same folder")),
        ("none.bin", Some("the file \"none.bin\" cannot be read")),
    ] {
        glb.json["buffers"][0]["uri"] = uri.into();
        fs::write(&gltf, glb.json.to_string()).unwrap();
        match (import(&gltf, &back), error) {
            (Ok(files), None) => assert_eq!(files.len(), 2),
            (Err(found), Some(wanted)) => assert!(reported(&found).contains(wanted), "{found:?}"),
            (found, _) => panic!("{uri}: {found:?}"),
        }
    }
}

#[test]
fn errors_name_the_file_and_the_cause() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bad.glb"), "glTF").unwrap();
    let error = import(&path("bad.glb"), &path("x.msh")).unwrap_err();
    let wanted = format!(
        "cannot import {}: glb: byte 0x4: expected four bytes",
        path("bad.glb").display()
    );
    assert!(reported(&error).starts_with(&wanted), "{error:?}");
    let error = import(&path("none.glb"), &path("x.msh")).unwrap_err();
    assert!(matches!(error, ModelImportError::Read { .. }), "{error:?}");
    let model = model_in(&folder);
    let options = ConversionOptions {
        frames_per_sec: Some(-3.0),
        ..ConversionOptions::default()
    };
    let error = (export_to("glb").export)(&model, &path("x.glb"), &options).unwrap_err();
    assert_eq!(
        reported(&*error),
        "-3 frames per second; a number above 0 is needed"
    );
}
