//! Damaged and greedy files: a value or a typed error, never a panic, a hang, or memory out of proportion.

#[path = "exchange/common.rs"]
mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ironlands_assets_proof::{Rng, peak_of};
use ironlands_world_parkan::exchange::{
    GlbOptions, ImportOptions, ObjOptions, read_glb, read_obj, write_glb, write_obj,
};

ironlands_assets_proof::count_memory!();

fn walker_glb() -> Vec<u8> {
    write_glb(&common::walker().source(), &GlbOptions::default())
        .unwrap()
        .bytes
}

/// A file is damaged, read, and built if it can be.
fn take_glb(data: &[u8]) {
    if let Ok(imported) = read_glb(data, &ImportOptions::default()) {
        let _ = imported.wear().map(|wear| wear.write());
        let _ = imported.draft.build();
    }
}

fn take_obj(data: &[u8]) {
    if let Ok(imported) = read_obj(data) {
        let _ = imported.wear().map(|wear| wear.write());
        let _ = imported.draft.build();
    }
}

#[test]
fn every_truncation_is_refused() {
    let good = walker_glb();
    assert!(read_glb(&good, &ImportOptions::default()).is_ok());
    for len in 0..good.len() {
        let cut = read_glb(&good[..len], &ImportOptions::default());
        assert!(cut.is_err(), "the first {len} bytes were accepted");
    }
}

#[test]
fn mutations_of_glb_are_survived() {
    // An empty JSON object is 2 bytes and a node some 300; lists grow by doubling.
    assert_survives_mutations(&walker_glb(), 20_000, 600, take_glb);
}

/// Most damage to a GLB ends at its lengths; text has none, so this goes deeper.
#[test]
fn mutations_of_gltf_are_survived() {
    let glb = walker_glb();
    let json_end = 20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..json_end]).unwrap();
    let bin = STANDARD.encode(&glb[json_end + 8..]);
    json["buffers"][0]["uri"] = format!("data:;base64,{bin}").into();
    let text = serde_json::to_vec(&json).unwrap();
    assert!(read_glb(&text, &ImportOptions::default()).is_ok());
    assert_survives_mutations(&text, 20_000, 600, take_glb);
}

#[test]
fn mutations_of_obj_are_survived() {
    let options = ObjOptions {
        state: 0,
        lod: 0,
        stem: "walker".to_owned(),
    };
    let obj = write_obj(&common::walker().source(), &options).unwrap().obj;
    assert_survives_mutations(obj.as_bytes(), 20_000, 100, take_obj);
}

/// Thousands of nodes that each show a mesh of thousands of primitives over the same elements: without a count this
/// would take hours.
#[test]
fn elements_that_are_named_again_and_again_are_counted() {
    let text = |n_primitives: usize, n_nodes: usize, count: usize| {
        let primitives = vec![r#"{"attributes":{"POSITION":0},"mode":5}"#; n_primitives].join(",");
        let nodes = vec![r#"{"mesh":0}"#; n_nodes].join(",");
        let tops: Vec<String> = (0..n_nodes).map(|k| k.to_string()).collect();
        let zeros = "A".repeat(48);
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{}]}}],"nodes":[{nodes}],
            "meshes":[{{"primitives":[{primitives}]}}],"buffers":[{{"byteLength":36,
            "uri":"data:application/octet-stream;base64,{zeros}"}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":{count},
            "min":[0,0,0],"max":[0,0,0]}}]}}"#,
            tops.join(",")
        )
    };
    for (n_primitives, n_nodes, count, reported) in [
        // A triangle each: too many triangles.
        (2000, 2000, 3, "with 65536 triangles it is beyond"),
        // None each: too much looking.
        (4000, 4000, 2, "elements in all are named"),
    ] {
        let text = text(n_primitives, n_nodes, count);
        let error = read_glb(text.as_bytes(), &ImportOptions::default()).unwrap_err();
        assert!(error.to_string().contains(reported), "{error}");
    }
}

#[test]
fn nodes_as_deep_as_they_are_many_are_read() {
    let n_nodes = 60_000;
    let nodes: Vec<String> = (1..n_nodes)
        .map(|child| format!(r#"{{"children":[{child}]}}"#))
        .collect();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{},{{}}]}}"#,
        nodes.join(",")
    );
    let imported = read_glb(text.as_bytes(), &ImportOptions::default()).unwrap();
    assert_eq!(imported.draft.nodes.len(), n_nodes);
}

/// Asserts that `take` ends well for each of `runs` damaged copies of `good`, with no more memory at once than
/// `max_growth` times the input plus a mebibyte.
fn assert_survives_mutations(good: &[u8], runs: u64, max_growth: usize, take: impl Fn(&[u8])) {
    for run in 0..runs {
        let damaged = mutate(good, &mut Rng::new(run));
        let (outcome, grown) = peak_of(|| catch_unwind(AssertUnwindSafe(|| take(&damaged))));
        assert!(outcome.is_ok(), "mutation {run} made the reader panic");
        let allowed = damaged.len() * max_growth + (1 << 20);
        assert!(
            grown <= allowed,
            "mutation {run}: {grown} bytes for {}",
            damaged.len()
        );
    }
}

/// One to four changes: flipped bits, other digits, hostile words, cuts, copies.
fn mutate(good: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len());
        if bytes.is_empty() {
            break;
        }
        match rng.below(8) {
            0 => bytes[at] ^= 1 << rng.below(8),
            // Most of a text file is numbers; other numbers lead elsewhere.
            1..=3 => {
                let digits = (at..bytes.len()).find(|at| bytes[*at].is_ascii_digit());
                if let Some(at) = digits {
                    let numbers = [
                        "0",
                        "1",
                        "9",
                        "-1",
                        "99",
                        "65536",
                        "4294967295",
                        "1e39",
                        "x",
                    ];
                    let number = numbers[rng.below(numbers.len())];
                    bytes.splice(at..at + 1, number.bytes());
                }
            }
            4 => {
                let word = [0u32, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX][rng.below(5)];
                for (target, byte) in bytes.iter_mut().skip(at & !3).zip(word.to_le_bytes()) {
                    *target = byte;
                }
            }
            5 => bytes.truncate(at),
            6 => {
                bytes.remove(at);
            }
            _ => {
                let from = rng.below(bytes.len());
                let len = rng.below(64).min(bytes.len() - from.max(at));
                bytes.copy_within(from..from + len, at);
            }
        }
    }
    bytes
}
