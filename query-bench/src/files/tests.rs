//! The reader against typed bytes and against damage.

use super::*;
use glam::vec3;

const NONE: f32 = f32::INFINITY;

/// Words of a file, each as the layout types it.
#[derive(Clone, Copy)]
enum Word {
    U(u32),
    F(f32),
}
use Word::{F, U};

/// A square of two triangles at z = 1, and one query of each kind with its result.
fn files() -> Vec<(&'static str, Vec<Word>)> {
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let mut mesh = vec![U(4)];
    mesh.extend(corners.into_iter().flat_map(|[x, y]| [F(x), F(y), F(1.0)]));
    mesh.extend([U(2), U(0), U(1), U(2), U(0), U(2), U(3)]);
    let ray = |origin: [f32; 3], direction: [f32; 3], t_max: f32| {
        let mut words = vec![U(1)];
        words.extend(origin.into_iter().chain(direction).chain([t_max]).map(F));
        words
    };
    vec![
        ("mesh", mesh),
        ("h.q", ray([3.0, 1.0, 9.0], [0.0, 0.0, -1.0], 20.0)),
        ("h.a", vec![U(1), U(0), F(8.0)]),
        ("r.q", ray([1.0, 3.0, 0.0], [0.0, 0.0, 1.0], 0.5)),
        ("r.a", vec![U(1), U(NO_TRIANGLE), F(NONE)]),
        ("l.q", ray([1.0, 3.0, 0.0], [0.0, 0.0, 1.0], 2.0)),
        ("l.a", vec![U(1), U(1)]),
        (
            "b.q",
            vec![U(1), F(-1.0), F(1.0), F(0.0), F(1.0), F(2.0), F(3.0)],
        ),
        ("b.a", vec![U(1), U(2), U(1), U(1), U(1)]),
        ("n.q", vec![U(1), F(1.0), F(3.0), F(5.0)]),
        ("n.a", vec![U(1), U(1), F(4.0)]),
    ]
}

fn bytes(words: &[Word]) -> Vec<u8> {
    let word = |word: &Word| match word {
        U(u) => u.to_le_bytes(),
        F(f) => f.to_le_bytes(),
    };
    words.iter().flat_map(word).collect()
}

/// Writes the files with one of them changed, and reads them.
fn read_with(changed: &str, change: impl Fn(&mut Vec<u8>)) -> Result<QuerySet, FileError> {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("set.1");
    for (name, words) in files() {
        let mut bytes = bytes(&words);
        if name == changed {
            change(&mut bytes);
        }
        std::fs::write(with_suffix(&prefix, name), bytes).expect("a file");
    }
    QuerySet::read(&prefix)
}

#[test]
fn reader_agrees_with_the_facts() {
    let set = read_with("", |_| {}).expect("valid files");
    assert_eq!(set.mesh.positions[2], [4.0, 4.0, 1.0]);
    assert_eq!(set.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(set.queries.heights, [vec3(3.0, 1.0, 9.0)]);
    let rays = [&set.queries.rays, &set.queries.segments].map(|rays| rays[0]);
    assert_eq!(rays.map(|query| query.t_max), [0.5, 2.0]);
    assert_eq!(rays[0].ray.origin, vec3(1.0, 3.0, 0.0));
    assert_eq!(rays[0].ray.direction, Vec3::Z);
    assert_eq!(
        set.queries.boxes,
        [[vec3(-1.0, 1.0, 0.0), vec3(1.0, 2.0, 3.0)]]
    );
    assert_eq!(set.queries.points, [vec3(1.0, 3.0, 5.0)]);
    let found = |triangle, at| Some(vec![Some(Found { triangle, at })]);
    assert_eq!(set.results.heights, found(0, 8.0));
    assert_eq!(set.results.rays, Some(vec![None]));
    assert_eq!(set.results.segments, Some(vec![true]));
    assert_eq!(set.results.boxes, Some(vec![[[2, 1], [1, 1]]]));
    assert_eq!(set.results.points, found(1, 4.0));
}

#[test]
fn a_mesh_alone_is_a_set_without_queries() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("set");
    std::fs::write(with_suffix(&prefix, "mesh"), bytes(&files()[0].1)).expect("a file");
    let set = QuerySet::read(&prefix).expect("a mesh");
    assert!(set.queries.rays.is_empty() && set.results.rays.is_none());
    let error = QuerySet::read(&folder.path().join("other")).expect_err("no mesh");
    assert!(matches!(error, FileError::Io { .. }), "{error}");
}

#[test]
fn damage_is_named_by_file_offset_and_field() {
    let (nan, huge) = (f32::NAN.to_le_bytes(), u32::MAX.to_le_bytes());
    let two = 2.0_f32.to_le_bytes();
    let rows: [(&str, usize, [u8; 4], &str); 15] = [
        ("mesh", 0, huge, "byte 0x0, vertex count"),
        ("mesh", 12, nan, "byte 0x4, vertex"),
        ("mesh", 52, huge, "byte 0x34, triangle count"),
        ("mesh", 52, [0; 4], "byte 0x34, triangle count"),
        ("mesh", 60, [4, 0, 0, 0], "byte 0x3c, vertex of a triangle"),
        ("h.q", 0, huge, "byte 0x0, count"),
        ("h.q", 12, [0; 4], "byte 0x4, height ray"),
        ("h.q", 28, two, "byte 0x4, height ray"),
        ("r.q", 16, two, "byte 0x10, ray direction"),
        ("r.q", 28, nan, "byte 0x1c, ray length"),
        ("b.q", 16, (-2.0_f32).to_le_bytes(), "byte 0x4, box"),
        ("n.q", 4, 1e30_f32.to_le_bytes(), "byte 0x4, point"),
        ("h.a", 4, [2, 0, 0, 0], "byte 0x4, triangle"),
        ("l.a", 4, [2, 0, 0, 0], "byte 0x4, blocked"),
        ("b.a", 0, [2, 0, 0, 0], "byte 0x0, count"),
    ];
    for (name, at, word, expected) in rows {
        let error = read_with(name, |bytes| bytes[at..at + 4].copy_from_slice(&word));
        let message = error.expect_err(expected).to_string();
        let file = format!("set.1.{name}: ");
        assert!(
            message.contains(&file) && message.contains(expected),
            "{message}"
        );
    }
}

#[test]
fn every_truncation_and_every_longer_file_is_refused() {
    for (name, words) in files() {
        for n_left in 0..4 * words.len() {
            let set = read_with(name, |bytes| bytes.truncate(n_left));
            assert!(set.is_err(), "{name} of {n_left} bytes");
        }
        assert!(read_with(name, |bytes| bytes.push(0)).is_err(), "{name}");
    }
}

#[test]
fn results_of_other_queries_are_refused() {
    let error = read_with("h.a", |bytes| *bytes = vec![0; 4]).expect_err("no results");
    let expected = "expected 1 results, one for each query, found 0";
    assert!(error.to_string().contains(expected), "{error}");
}
