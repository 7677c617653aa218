//! What a written file does not hold is named, if the model has it.

mod common;

use common::{Walker, walker};
use ironlands_assets_loader::parkan::msh::{BatchFlags, NONE, TriDesc};
use ironlands_exchange::{GlbOptions, ObjOptions, write_glb, write_obj};
use ironlands_scene::Pass;

const TRIANGLE: TriDesc = TriDesc {
    flags: 0,
    links: [NONE; 3],
    normal: [0, 0, 32767],
    packed_selectors: 0,
};

fn told_of_glb(walker: &Walker) -> Vec<String> {
    let glb = write_glb(&walker.source(), &GlbOptions::default()).unwrap();
    glb.findings.iter().map(ToString::to_string).collect()
}

fn told_of_obj(walker: &Walker) -> Vec<String> {
    let options = ObjOptions {
        state: 0,
        lod: 0,
        stem: "walker".to_owned(),
    };
    let files = write_obj(&walker.source(), &options).unwrap();
    files.findings.iter().map(ToString::to_string).collect()
}

/// A change to the model, and what is told of it.
type Case = (fn(&mut Walker), &'static str);

const LIGHTMAPS: &str =
    "lightmaps: pictures of lightmaps are left out; their names and texture coordinates are kept";

#[test]
fn a_glb_lacks_what_gltf_has_no_place_for() {
    assert_eq!(told_of_glb(&walker()), [LIGHTMAPS]);
    let mut plain = walker();
    for batch in &mut plain.msh.batches {
        batch.flags.remove(BatchFlags::LIGHTMAP);
    }
    assert_eq!(told_of_glb(&plain), [""; 0]);
    let cases: [Case; 7] = [
        (
            |it| it.materials[1].passes[0].uv_scroll_per_sec[0] = 0.5,
            "material 1: it changes with time and is written as it begins",
        ),
        (
            |it| it.materials[2].passes.push(Pass::default()),
            "material 2: passes beyond the main one are left out",
        ),
        (
            |it| it.msh.batches[3].index_count = 2,
            "batch 3: indices at its end that make no triangle are left out",
        ),
        (
            |it| it.msh.slots[0].batch_count = 1,
            "batch 1: no node shows it; it is left out",
        ),
        (
            |it| it.msh.triangles = Some(vec![TRIANGLE]),
            "table 7: triangles for collision are left out",
        ),
        (
            |it| it.msh.unknown_18 = Some(vec![[0; 4]; 7]),
            "table 18: a stream of unknown meaning is left out",
        ),
        (
            |it| it.msh.tangents = Some(vec![[[0; 4]; 2]; 7]),
            "table 16: tangents are left out",
        ),
    ];
    for (change, wanted) in cases {
        let mut walker = walker();
        change(&mut walker);
        let told = told_of_glb(&walker);
        assert!(told.iter().any(|it| it == wanted), "{wanted}: {told:#?}");
    }
}

#[test]
fn an_obj_lacks_all_but_one_look() {
    let told = [
        "animation: OBJ does not move; the nodes stand as at frame 0",
        "nodes: OBJ has no tree of nodes; each stands for itself",
        "states: OBJ shows one state; the others are left out",
        "levels of detail: OBJ shows one level of detail; the others are left out",
        "lightmaps: OBJ has none; they are left out",
    ];
    assert_eq!(told_of_obj(&walker()), told);
}
