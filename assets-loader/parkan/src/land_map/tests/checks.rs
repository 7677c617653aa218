//! What `check` finds: one row a rule, on the clean hand-typed map with one thing changed.

use super::*;
use ironlands_assets_core::bytes::Severity::{self, Error, Note, Warning};

#[test]
fn a_clean_map_has_no_findings() {
    assert_eq!(hand_typed_value().check(), []);
}

/// One thing changed in the clean map, and what `check` says of it.
type Row = (fn(&mut LandMap), Severity, &'static str, Option<usize>);

const ROWS: &[Row] = &[
    (
        |map| {
            let other = Entry::new(3, 0, 0, 0, "other", vec![]).unwrap();
            map.container.entries.push(other);
        },
        Error,
        "the archive has 2 entries, one is expected",
        None,
    ),
    (
        |map| map.areals[0].edge_links[1].edge = 3,
        Error,
        "type 12, areal 0 link 1: expected an edge below 3, found (1, 3)",
        Some(LINKS_0 + 8),
    ),
    (
        |map| map.cells[1][0] = 2,
        Error,
        "type 12, cell 1 areal id: expected an areal below 2, found 2",
        Some(CELL_1 + 2),
    ),
    (
        |map| map.areals[0].polygons = polygons([vec![], vec![]]),
        Note,
        "areal 0 has 2 polygon blocks, known maps have none",
        Some(AREAL_0 + 52),
    ),
    (
        |map| map.areals[0].polygons = polygons([vec![], vec![]]),
        Warning,
        "polygon link 2 of areal 0 names edge 9 of areal 0, which has fewer",
        Some(LINKS_0 + 4 * 8 + 2 * 8),
    ),
    (
        |map| {
            map.areals[0].polygons = polygons([vec![], vec![]]);
            map.areals[0].polygons[1].links[0].areal = 2;
        },
        Error,
        "type 12, areal 0 polygon link 3: expected an areal below 2 or -1, found (2, -1)",
        Some(LINKS_0 + 4 * 8 + 3 * 8),
    ),
    (
        |map| map.areals[1].anchor[2] = f32::NAN,
        Error,
        "areal 1 has a vertex or anchor that is not finite",
        Some(AREAL_1 + 48),
    ),
    (
        |map| map.areals[1].normal = [0.0, 1.0, 0.75],
        Error,
        "areal 1 has a normal of length 1.25",
        Some(AREAL_1 + 20),
    ),
    (
        |map| map.areals[1].normal = [f32::NAN, 1.0, 0.0],
        Error,
        "areal 1 has a normal of length NaN",
        Some(AREAL_1 + 20),
    ),
    (
        |map| {
            map.areals[1].vertices.truncate(2);
            map.areals[1].edge_links.truncate(2);
        },
        Warning,
        "areal 1 has 2 vertices",
        Some(AREAL_1 + 48),
    ),
    (
        |map| map.areals[0].anchor[0] = -1.0,
        Warning,
        "areal 0 has its anchor (-1, 1) outside its outline",
        Some(AREAL_0),
    ),
    (
        |map| map.areals[0].area_metric = 4.25,
        Note,
        "areal 0 has area_metric 4.25, its outline has an area of 4",
        Some(AREAL_0 + 16),
    ),
    (
        |map| map.areals[0].edge_links[2].edge = 1,
        Error,
        "type 12, areal 0 link 2: expected (-1, -1) for no neighbor, found (-1, 1)",
        Some(LINKS_0 + 16),
    ),
    (
        |map| map.areals[1].edge_links[2] = EdgeLink::NONE,
        Note,
        "link 1 of areal 0 leads to edge 2 of areal 1, which does not lead back",
        Some(LINKS_0 + 8),
    ),
    (
        |map| map.areals[0].reserved_0c = -0.0,
        Note,
        "areal 0 has reserved_12 -0",
        Some(AREAL_0 + 12),
    ),
    (
        |map| map.areals[0].reserved_24 = 16,
        Note,
        "areal 0 has reserved_36 0x10",
        Some(AREAL_0 + 36),
    ),
    (
        |map| map.areals[1].reserved_2c = 1,
        Note,
        "areal 1 has reserved_44 0x1",
        Some(AREAL_1 + 44),
    ),
    (
        |map| map.cells[0] = vec![1],
        Note,
        "areal 0 is in no cell of the grid",
        Some(AREAL_0),
    ),
];

#[test]
fn each_broken_rule_is_found_where_it_is_broken() {
    for (change, severity, message, offset) in ROWS {
        let mut map = hand_typed_value();
        change(&mut map);
        let findings = map.check();
        let found = findings.iter().find(|finding| finding.message == *message);
        let Some(found) = found else {
            panic!("\"{message}\" is not in {findings:#?}");
        };
        assert_eq!(found.severity, *severity, "{message}");
        assert_eq!(found.offset, offset.map(|at| at as u64), "{message}");
    }
}

#[test]
fn a_pool_beyond_the_packed_form_is_found() {
    let mut map = hand_typed_value();
    map.cells_y = 4102;
    map.cells = vec![vec![0; 1023]; 4102];
    let findings = map.check();
    let expected = "cell 4101 begins at id 4195324, the packed form reaches 4194303";
    assert!(
        findings
            .iter()
            .any(|f| f.severity == Error && f.message == expected)
    );
}
