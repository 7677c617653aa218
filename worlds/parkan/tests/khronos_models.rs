//! The Khronos glTF validator over written models.

#[path = "exchange/common.rs"]
mod common;
#[path = "../../../exchange/tests/common/khronos.rs"]
mod khronos;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ironlands_assets_parkan::model_file::ModelFile;
use ironlands_assets_parkan::msh::{NodeTable, TYPE_ID};
use ironlands_assets_parkan::nres::NRes;
use ironlands_assets_parkan::texm::PixelOptions;
use ironlands_world_parkan::exchange::{GlbOptions, ModelAppearance, write_glb};

const TRIALS: [khronos::Validated; 5] = [
    ("khronos_demo_models", demo_models),
    ("khronos_walker", || glb(|_| {})),
    ("khronos_still_walker", || {
        glb(|walker| {
            walker.msh.animation.map.clear();
            walker.msh.animation.frame_count = 1;
            let NodeTable::Nodes(nodes) = &mut walker.msh.nodes else {
                panic!("nodes of 38 bytes");
            };
            nodes[1].map_start = u16::MAX;
        })
    }),
    ("khronos_unreadable_nodes", || {
        glb(|walker| walker.msh.nodes = NodeTable::Stride24(vec![[0; 24]]))
    }),
    ("khronos_nothing_but_nodes", || {
        glb(|walker| walker.msh.slots.clear())
    }),
];

fn main() -> ExitCode {
    khronos::run(TRIALS)
}

fn glb(change: fn(&mut common::Walker)) -> Vec<Vec<u8>> {
    let mut walker = common::walker();
    change(&mut walker);
    vec![
        write_glb(&walker.source(), &GlbOptions::default())
            .expect("a model that can be written")
            .bytes,
    ]
}

/// Every model of the archives in `DATA`.
fn demo_models() -> Vec<Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA");
    let files = std::fs::read_dir(data).expect("the demo's folder");
    let paths = files.map(|file| file.expect("a file").path());
    let archives = paths.filter(|path| path.extension().is_some_and(|it| it == "rlb"));
    let mut models: Vec<PathBuf> = Vec::new();
    for path in archives {
        let archive = NRes::read(&std::fs::read(&path).expect("bytes")).expect("an archive");
        let entries = archive
            .entries
            .iter()
            .filter(|entry| entry.type_id == TYPE_ID);
        models.extend(entries.map(|entry| path.join(&*entry.name_text())));
    }
    assert!(models.len() >= 10, "the demo has models: {models:?}");
    let glb = |path: PathBuf| {
        let file = ModelFile::open(&path).expect("a model");
        let look = ModelAppearance::new(&file, PixelOptions::default());
        write_glb(&look.source(&file), &GlbOptions::default())
            .expect("a sound model")
            .bytes
    };
    models.into_iter().map(glb).collect()
}
