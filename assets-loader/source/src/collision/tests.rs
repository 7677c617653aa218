use ironlands_assets_proof::{assert_survives_mutations, hex};

use super::sample::{HULL, tetrahedron};
use super::*;

const FORMAT: &str = "test";
/// Of the file that a solid is in.
const BASE: u64 = 1000;

fn read(data: &[u8]) -> Result<Shape, FormatError> {
    read_solid(FORMAT, data, BASE)
}

#[test]
fn narrow_and_wide_records_give_the_same_hull_in_map_axes() {
    let meter = 1.0 / 0.0254;
    let expected = Hull {
        // In the order in which triangles name them; y of the file is down.
        points: vec![
            [0.0, 0.0, -0.0],
            [0.0, 0.0, -meter],
            [meter, 0.0, -0.0],
            [0.0, meter, -0.0],
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3], [2, 1, 3], [1, 0, 3]],
        materials: vec![5; 4],
    };
    for version in [NARROW, WIDE] {
        assert_eq!(
            read(&tetrahedron(version)).unwrap(),
            Shape::Hulls(vec![expected.clone()])
        );
    }
}

#[test]
fn terrains_are_known_and_left_alone() {
    let data = hex("56 50 48 59 00 01 01 00 F8 7E");
    assert_eq!(read(&data).unwrap(), Shape::Terrain);
}

#[test]
fn edges_within_a_face_are_left_out() {
    // Two triangles of a square and one that stands on it.
    let hull = Hull {
        points: vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 4, 1]],
        materials: vec![0; 3],
    };
    let edges = hull.sharp_edges();
    let diagonal = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    assert_eq!(edges.len(), 6);
    assert!(!edges.contains(&diagonal));
}

#[track_caller]
fn assert_refused(change: impl FnOnce(&mut [u8]), field: &str, offset: usize) {
    let mut data = tetrahedron(NARROW);
    change(&mut data);
    let error = read(&data).unwrap_err();
    assert_eq!(
        (&*error.field, error.offset),
        (field, BASE + offset as u64),
        "{error}"
    );
}

fn set(data: &mut [u8], at: usize, word: i32) {
    data[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

#[test]
fn damage_is_refused_where_it_is() {
    let surface = HEADER_LEN;
    let hull = surface + HULL as usize;
    let root = hull + 16 + 4 * 16 + 4 * 16;
    assert_refused(|it| it[0] = b'W', "solid mark", 0);
    assert_refused(|it| it[4] = 2, "solid version", 4);
    assert_refused(|it| it[6] = 2, "solid kind", 6);
    assert_refused(|it| set(it, surface + 32, -1), "node", surface);
    assert_refused(|it| set(it, surface + 32, i32::MAX), "node", surface);
    assert_refused(|it| set(it, root, -28), "right child", root);
    assert_refused(|it| set(it, root + 4, i32::MIN), "hull", surface);
    assert_refused(|it| set(it, hull, i32::MAX), "point", surface);
    assert_refused(|it| set(it, hull + 12, 30_000), "triangle count", hull + 12);
    // A point beyond the end.
    let corner = hull + 16 + 4;
    let beyond = hull + 16 + 4 * 16 + 9 * 16;
    assert!(beyond > root + NODE_LEN);
    assert_refused(|it| set(it, corner, 9), "point", surface);
}

#[test]
fn nodes_that_lead_to_one_another_again_and_again_are_refused() {
    // Each leads twice to the next, so that their ways double with every one; the last is the leaf.
    let n = 60;
    let mut data = tetrahedron(NARROW);
    let leaf = data.split_off(data.len() - NODE_LEN);
    let root = data.len() - HEADER_LEN;
    for _ in 0..n {
        data.extend((NODE_LEN as i32).to_le_bytes());
        data.extend([0; NODE_LEN - 4]);
    }
    let at_leaf = data.len() - HEADER_LEN;
    data.extend(leaf);
    let at_hull = data.len() - NODE_LEN + 4;
    set(&mut data, at_hull, HULL - at_leaf as i32);
    set(&mut data, HEADER_LEN + 32, root as i32);
    let error = read(&data).unwrap_err();
    assert!(
        ["node", "triangle count"].contains(&&*error.field),
        "{error}"
    );
}

#[test]
fn every_truncation_is_refused() {
    for version in [NARROW, WIDE] {
        let whole = tetrahedron(version);
        // The last node's ball and box are not read.
        let needed = whole.len() - NODE_LEN + 8;
        for len in 0..needed {
            let cut = read(&whole[..len]);
            assert!(cut.is_err(), "{len} bytes of {needed}");
        }
        assert!(read(&whole[..needed]).is_ok());
    }
}

#[test]
fn mutants_are_refused_or_read_in_memory_of_their_size() {
    for version in [NARROW, WIDE] {
        let good = tetrahedron(version);
        assert_survives_mutations(&good, 20_000, 64, |data| {
            if let Shape::Hulls(hulls) = read(data)? {
                assert!(
                    hulls
                        .iter()
                        .all(|hull| hull.sharp_edges().len() <= 3 * hull.triangles.len())
                );
            }
            Ok(())
        });
    }
}
