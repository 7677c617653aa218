//! A model that is imported with the file that it was exported from: nothing is lost, or it is named.

use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_core::format::ConversionOptions;
use ironlands_assets_parkan::msh::{LightProbe, Msh, NodeTable};
use ironlands_assets_parkan::nres::Entry;
use ironlands_world_parkan::exchange::{
    GlbOptions, ImportOptions, MODEL_EXPORTS, MODEL_IMPORTS, read_glb, write_glb,
};
use tempfile::TempDir;

use crate::common::walker;

/// A built model with all that glTF has no place for.
fn decorated() -> Msh {
    let glb = write_glb(&walker().source(), &GlbOptions::default()).unwrap();
    let imported = read_glb(&glb.bytes, &ImportOptions::default()).unwrap();
    let mut msh = imported.draft.build().unwrap();
    let n_vertices = msh.positions.len();
    for (k, batch) in msh.batches.iter_mut().enumerate() {
        batch.material_02 = 100 + k as u16;
    }
    msh.batches[1].beyond_portal = 1;
    for (k, slot) in msh.slots.iter_mut().enumerate() {
        slot.unknown_30 = [k as u32 + 1; 5];
        slot.sphere_radius += 1.0;
    }
    for (k, triangle) in msh.triangles.as_mut().unwrap().iter_mut().enumerate() {
        triangle.flags = 2 + k as u16;
    }
    msh.unknown_15 = Some((0..n_vertices).map(|k| [k as u8; 8]).collect());
    msh.probes = Some(vec![LightProbe {
        piece: 1,
        position: [1.0, 2.0, 3.0],
        direction: [0.0; 3],
        color: [1.0; 4],
        intensity: 0.5,
    }]);
    msh.header.sphere_radius += 2.0;
    let named = |type_id, data| Entry::new(type_id, 1, 0, 0, "chunk", data).unwrap();
    let entries = &mut msh.container.entries;
    let graph = entries.iter_mut().find(|it| it.type_id == 17).unwrap();
    graph.data = vec![5; 20];
    entries.push(named(77, vec![1, 2, 3]));
    // As a file of others has it: read once, so that the archive knows its layout.
    Msh::read(&msh.write().unwrap()).unwrap()
}

fn files(msh: &Msh, folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, msh.write().unwrap()).unwrap();
    let wear = walker().wear.write().unwrap();
    fs::write(path.with_extension("wea"), wear).unwrap();
    path
}

/// Exports a model and imports it on a base; the new model's path and what is reported.
fn imported_on(model: &Path, base: Option<&Path>) -> (PathBuf, Vec<String>) {
    let glb = model.with_extension("glb");
    let export = MODEL_EXPORTS.iter().find(|it| it.extension == "glb");
    let exported = (export.unwrap().export)(model, &glb, &ConversionOptions::default()).unwrap();
    fs::write(&glb, &exported.files[0].1).unwrap();
    let options = ConversionOptions {
        base_file: base.map(Path::to_owned),
        ..ConversionOptions::default()
    };
    let to = model.with_file_name("back.msh");
    let imported = (MODEL_IMPORTS[0].import)(&glb, &to, &options).unwrap();
    for (path, bytes) in &imported.files {
        fs::write(path, bytes).unwrap();
    }
    let messages = imported.findings.into_iter().map(|it| it.message);
    (to, messages.collect())
}

#[test]
fn an_unchanged_model_comes_back_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let model = files(&decorated(), &folder, "walker.msh");
    let bytes = |path: &Path| fs::read(path).unwrap();
    let (back, _) = imported_on(&model, None);
    assert_ne!(bytes(&back), bytes(&model));
    let (back, _) = imported_on(&model, Some(&model));
    assert_eq!(bytes(&back), bytes(&model));
    let wear = |path: &Path| bytes(&path.with_extension("wea"));
    assert_eq!(wear(&back), wear(&model));
}

#[test]
fn what_has_not_changed_keeps_what_the_base_has() {
    let folder = TempDir::new().unwrap();
    let old = decorated();
    let base = files(&old, &folder, "walker.msh");
    // The arm's triangle grows; all else stays.
    let mut edited = old.clone();
    let NodeTable::Nodes(nodes) = &old.nodes else {
        panic!("the nodes can be read")
    };
    let arm = usize::from(nodes[1].slot_word(0, 0).unwrap());
    let arm_batch = usize::from(old.slots[arm].batch_start);
    let vertex = old.batch_vertices(&old.batches[arm_batch]).next().unwrap();
    edited.positions[vertex][2] -= 1.0;
    let edited = files(&edited, &folder, "edited.msh");
    let (back, messages) = imported_on(&edited, Some(&base));
    let made = Msh::read(&fs::read(&back).unwrap()).unwrap();
    let changed: Vec<&String> = messages
        .iter()
        .filter(|it| it.contains("its shape has changed"))
        .collect();
    assert_eq!(changed.len(), 1, "{messages:#?}");
    assert_eq!(made.animation, old.animation);
    assert_eq!(made.probes, old.probes);
    for type_id in [17, 77] {
        let data = |msh: &Msh| {
            let entry = msh.container.find_type(type_id).unwrap();
            msh.container.entries[entry].data.clone()
        };
        assert_eq!(data(&made), data(&old), "{type_id}");
    }
    for (idx, (slot, before)) in made.slots.iter().zip(&old.slots).enumerate() {
        match idx == arm {
            true => assert_eq!(slot.unknown_30, [0; 5]),
            false => assert_eq!(slot, before, "slot {idx}"),
        }
    }
    for (idx, (batch, before)) in made.batches.iter().zip(&old.batches).enumerate() {
        let expected = match idx == arm_batch {
            true => 0,
            false => before.material_02,
        };
        assert_eq!(batch.material_02, expected, "batch {idx}");
        for (v, w) in made.batch_vertices(batch).zip(old.batch_vertices(before)) {
            if idx != arm_batch {
                let stream = |msh: &Msh, v: usize| msh.unknown_15.as_ref().unwrap()[v];
                assert_eq!(stream(&made, v), stream(&old, w));
            }
        }
    }
    assert_eq!(made.batches[1].beyond_portal, 1);
    let flags = |msh: &Msh| msh.triangles.clone().unwrap();
    let n_kept = (flags(&made).iter().zip(flags(&old)))
        .filter(|(made, old)| **made == *old)
        .count();
    assert_eq!(n_kept, flags(&old).len() - 1);
}
