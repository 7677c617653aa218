//! What a written file does not hold is named, if the model has it.

use crate::common::{Walker, walker};
use ironlands_assets_parkan::msh::{BatchFlags, NONE, NodeTable, TriDesc};
use ironlands_assets_parkan::nres::Entry;
use ironlands_exchange::write_gltf::Glb;
use ironlands_scene::Pass;
use ironlands_world_parkan::exchange::{
    GlbOptions, ImportOptions, ObjOptions, read_glb, write_glb, write_obj,
};

const TRIANGLE: TriDesc = TriDesc {
    flags: 0,
    links: [NONE; 3],
    normal: [0, 0, 32767],
    packed_selectors: 0,
};

fn glb_of(walker: &Walker) -> Glb {
    write_glb(&walker.source(), &GlbOptions::default()).unwrap()
}

fn findings_of_glb(walker: &Walker) -> Vec<String> {
    glb_of(walker)
        .findings
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn findings_of_obj(walker: &Walker) -> Vec<String> {
    let options = ObjOptions {
        state: 0,
        lod: 0,
        stem: "walker".to_owned(),
    };
    let files = write_obj(&walker.source(), &options).unwrap();
    files.findings.iter().map(ToString::to_string).collect()
}

/// A change to the model, and what is reported.
type Case = (fn(&mut Walker), &'static str);

fn chunk(type_id: u32, attr2: u32) -> Entry {
    let data = if attr2 == 0 { vec![1] } else { Vec::new() };
    Entry::new(type_id, 0, attr2, 0, "chunk", data).unwrap()
}

/// The file comes back with the fourth bytes of its normals, the model does not get them.
#[test]
fn an_import_names_what_of_packed_normals_it_leaves_out() {
    let mut walker = walker();
    walker.msh.normals.as_mut().unwrap()[4][3] = 17;
    let read = read_glb(&glb_of(&walker).bytes, &ImportOptions::default()).unwrap();
    let reported: Vec<String> = read.findings.iter().map(ToString::to_string).collect();
    let wanted = "fourth bytes of normals are left out, and -128 in a normal becomes -127";
    assert!(
        reported.iter().any(|it| it.contains(wanted)),
        "{reported:#?}"
    );
}

const BOUNDS: &str = "table 2: bounds are left out; an import makes those of the triangles";

const LIGHTMAPS: &str =
    "lightmaps: pictures of lightmaps are left out; their names and texture coordinates are kept";

#[test]
fn a_glb_lacks_what_gltf_has_no_place_for() {
    assert_eq!(findings_of_glb(&walker()), [LIGHTMAPS, BOUNDS]);
    let mut plain = walker();
    for batch in &mut plain.msh.batches {
        batch.flags.remove(BatchFlags::LIGHTMAP);
    }
    plain.msh.lightmap_uv = None;
    // What the builder makes has its bounds.
    let built = read_glb(&glb_of(&plain).bytes, &ImportOptions::default()).unwrap();
    plain.msh = built.draft.build().unwrap();
    plain.msh.triangles = None;
    assert_eq!(findings_of_glb(&plain), [""; 0]);
    let cases: [Case; 18] = [
        (
            |it| it.msh.batches[1].material_02 = 1,
            "batch 1: the word at byte 2 of its record is left out",
        ),
        (
            |it| it.msh.batches[1].beyond_portal = 1,
            "batch 1: the node beyond its portal is left out",
        ),
        (
            |it| it.msh.batches[2].n_vertices = 9,
            "batch 2: its number of vertices is left out",
        ),
        (
            |it| it.msh.slots[1].unknown_30[4] = 1,
            "slot 1: the five words at the end of its record are left out",
        ),
        (|it| it.msh.slots[1].sphere_radius = 99.0, BOUNDS),
        (
            |it| it.msh.lightmap_uv.as_mut().unwrap()[6][0] = 1,
            "table 18, vertex 6: its coordinates for a lightmap that its batches do not have are left out",
        ),
        (
            |it| {
                it.msh.indices[11] = 1;
                it.msh.batches[3].n_vertices = 2;
            },
            "vertex 6: vertices that no batch names are left out",
        ),
        (
            |it| it.msh.container.entries.push(chunk(9, 0)),
            "table 9: a chunk of unknown meaning is left out",
        ),
        (
            |it| it.msh.container.entries.push(chunk(3, 5)),
            "table 3: a word of unknown meaning in the directory (attr2) is left out",
        ),
        (
            |it| it.msh.animation.map[1] = 2,
            "node 1: its frame map is left out; it is written as it moves",
        ),
        (
            |it| {
                let NodeTable::Nodes(nodes) = &mut it.msh.nodes else {
                    panic!("the nodes of the sample can be read");
                };
                nodes[1].map_start = NONE;
                it.msh.animation.map.clear();
            },
            "node 1: keys before the last are left out",
        ),
        (
            |it| it.materials[1].passes[0].uv_scroll_per_sec[0] = 0.5,
            "material 1: it changes with time and is written as it begins",
        ),
        (
            |it| it.materials[2].passes.push(Pass::default()),
            "material 2: passes beyond the main one are left out",
        ),
        (
            |it| {
                it.msh.batches[3].index_count = 2;
                it.msh.batches[3].n_vertices = 2;
            },
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
            |it| it.msh.unknown_15 = Some(vec![[0; 8]; 7]),
            "table 15: a stream of unknown meaning is left out",
        ),
        (
            |it| it.msh.tangents = Some(vec![[[0; 4]; 2]; 7]),
            "table 16: tangents are left out",
        ),
    ];
    for (change, wanted) in cases {
        let mut walker = walker();
        change(&mut walker);
        let reported = findings_of_glb(&walker);
        assert!(
            reported.iter().any(|it| it == wanted),
            "{wanted}: {reported:#?}"
        );
    }
}

#[test]
fn an_obj_lacks_all_but_one_look() {
    let reported = [
        "animation: OBJ does not move; the nodes stand as at frame 0",
        "nodes: OBJ has no tree of nodes; each stands for itself",
        "states: OBJ shows one state; the others are left out",
        "levels of detail: OBJ shows one level of detail; the others are left out",
        "lightmaps: OBJ has none; they are left out",
    ];
    assert_eq!(findings_of_obj(&walker()), reported);
}
