//! The rules that compilers keep, broken one at a time.

use super::{Problem, VERSIONS};
use crate::bsp::test_map::{sample_file, sample_map};
use crate::bsp::*;
use ironlands_assets_core::bytes::Severity;

#[test]
fn sample_keeps_all_rules() {
    for version in VERSIONS {
        let map = sample_map(version);
        let worse = |findings: Vec<ironlands_assets_core::bytes::Finding>| {
            let is_worse =
                |finding: &ironlands_assets_core::bytes::Finding| finding.severity > Severity::Note;
            findings.into_iter().filter(is_worse).collect::<Vec<_>>()
        };
        assert_eq!(worse(map.check()), [], "version {version}");
        assert_eq!(worse(map.check_limits(version)), [], "version {version}");
        assert_eq!(sample_file(version).check(), [], "version {version}");
    }
}

#[test]
fn broken_rules_are_found() {
    let problems: [Problem; 27] = [
        ("planes stand beside their opposites", |m| {
            m.planes[1].dist = 3.0
        }),
        ("normals of planes have length 1", |m| {
            m.planes[1].normal = [-2.0, 0.0, 0.0]
        }),
        ("the type of a plane is its axis", |m| m.planes[0].kind = 1),
        ("edge 0 is a dummy", |m| m.edges[0].vertices = [0, 1]),
        ("edge 0 belongs to no face", |m| m.surfedges[0] = 0),
        ("an edge has one face on each side", |m| m.surfedges[6] = 1),
        ("the side of a face is that of its plane", |m| {
            m.faces[0].side = 1
        }),
        ("the corners of a face lie on its plane", |m| {
            m.faces[0].plane = 10
        }),
        ("a face is clockwise seen from the front", |m| {
            m.faces[0].plane = 9
        }),
        ("the area of a face is stored", |m| m.faces[0].area *= 1.01),
        ("the original of a face is there", |m| {
            m.faces[0].original_face = 3
        }),
        ("tables that go with others are as long", |m| {
            m.face_ids.truncate(2)
        }),
        ("a displacement and its face know each other", |m| {
            m.faces[2].disp_info = -1
        }),
        ("a displacement starts at a corner of its face", |m| {
            m.disp_infos[0].start_position[2] = 1.0;
        }),
        ("corners of faces lie on their luxels", |m| {
            m.faces[0].lightmap_size[0] = 3
        }),
        ("light of faces lies in the lump", |m| {
            m.faces[2].light_offset = 373
        }),
        ("light of faces fills the lump", |m| {
            m.faces[1].light_offset = 189
        }),
        ("sides of brushes follow each other", |m| {
            m.brushes[0].first_side = 1
        }),
        ("a brush has a side on every axis", |m| {
            m.brush_sides[0].plane = 1
        }),
        ("a side is a bevel or not", |m| m.brush_sides[0].bevel = 2),
        ("nodes have the first plane of a pair", |m| {
            m.nodes[0].plane = 13
        }),
        (
            "the trees of all models hold every leaf but leaf 0 once",
            |m| {
                m.nodes[1].children[0] = -1;
            },
        ),
        ("nodes hold the faces that lie on a node", |m| {
            m.nodes[1].n_faces = 0
        }),
        (
            "faces of the world that have no displacement are in some leaf",
            |m| {
                m.leaf_faces[0] = 1;
            },
        ),
        ("the cluster of a leaf is there", |m| {
            m.leaves[1].cluster = 2
        }),
        ("a cluster sees itself", |m| {
            m.visibility.as_mut().unwrap().rows[0] = 2
        }),
        ("a cluster hears what it sees", |m| {
            m.visibility.as_mut().unwrap().rows[2] = 1
        }),
    ];
    for (rule, problem) in problems {
        assert_reported(rule, 20, problem);
    }
}

/// Asserts that a problem in the sample of a version breaks a rule.
pub(super) fn assert_reported(rule: &str, version: u32, problem: fn(&mut Map)) {
    let mut map = sample_map(version);
    problem(&mut map);
    let findings = map.check();
    let is_reported = findings
        .iter()
        .any(|finding| finding.message.starts_with(rule));
    assert!(is_reported, "{rule}: {findings:?}");
}

#[test]
fn limits_of_the_original_are_reported() {
    let mut map = sample_map(20);
    map.brushes = vec![Brush::default(); 8193];
    map.vertices[0] = [20_000.0, 0.0, 0.0];
    let found: Vec<String> = map
        .check_limits(20)
        .into_iter()
        .map(|f| f.message)
        .collect();
    assert!(
        found[0].contains("8193 brushes, the limit is 8192"),
        "{found:?}"
    );
    assert!(
        found[1].starts_with("coordinates are at most 16384"),
        "{found:?}"
    );
    assert_eq!(map.check_limits(25), []);
}

/// What is changed in a map, and the rule whose breach is only noted.
type Carelessness = (&'static str, fn(&mut Map));

#[test]
fn what_compilers_are_careless_about_is_noted() {
    let rows: [Carelessness; 5] = [
        (
            "the corners of a face lie on its plane before they are welded",
            |m| {
                let corner = m.ring_vertices(&m.faces[0]).next().unwrap() as usize;
                m.vertices[corner][2] += 0.5;
            },
        ),
        ("a face is no sliver", |m| {
            for corner in m.ring_vertices(&m.faces[0]).collect::<Vec<_>>() {
                m.vertices[corner as usize][1] = 0.0;
            }
        }),
        ("the area of a face is stored", |m| m.faces[0].area *= 1.01),
        (
            "corners of faces lie on their luxels before they are welded",
            |m| {
                for vecs in &mut m.texinfos[0].lightmap_vecs {
                    vecs[3] -= 0.5;
                }
            },
        ),
        ("an edge has one face on each side", |m| m.surfedges[6] = 1),
    ];
    for (rule, change) in rows {
        let mut map = sample_map(20);
        change(&mut map);
        let findings = map.check();
        let found = findings.iter().find(|it| it.message.starts_with(rule));
        let found = found.unwrap_or_else(|| panic!("{rule}: {findings:?}"));
        assert_eq!(found.severity, Severity::Note, "{rule}");
    }
}

#[test]
fn a_map_without_visibility_data_is_a_warning() {
    let mut map = sample_map(20);
    map.visibility = None;
    let findings = map.check();
    let is_reported = |it: &ironlands_assets_core::bytes::Finding| {
        it.severity == Severity::Warning && it.message.starts_with("the map has no visibility data")
    };
    assert!(findings.iter().any(is_reported), "{findings:?}");
}
