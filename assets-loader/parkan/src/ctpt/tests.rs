use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set32};

proof! {
    Ctpt {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_points(),
        growth: 16,
        runs: 2_000,
        records: [RecordPlace::new::<PointPlace>(4, ()).refused_from(0)],
    }
}

fn two_points() -> Ctpt {
    let mut second = ControlPoint::new("Smoke_d", 3, [1.0, 2.0, 0.5], [0.0, 0.0, 2.0]).unwrap();
    second.name_field[31] = 0xCD;
    let first = ControlPoint::new("LeftFoot", 0, [0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    Ctpt {
        points: vec![first, second],
    }
}

pub(crate) fn bytes() -> Vec<u8> {
    let one = [0, 0, 0x80, 0x3F];
    let zero = [0; 4];
    let two = [0, 0, 0, 0x40];
    let half = [0, 0, 0, 0x3F];
    let none = [0xFF; 4];
    let first = [[0; 4], [0; 4], none, zero, zero, zero, one, zero, zero];
    let second = [[0; 4], [3, 0, 0, 0], none, one, two, half, zero, zero, two];
    let mut names = b"LeftFoot".to_vec();
    names.resize(32, 0);
    names.extend(b"Smoke_d");
    names.resize(63, 0);
    names.push(0xCD);
    [
        &[2, 0, 0, 0],
        first.as_flattened(),
        second.as_flattened(),
        &names,
    ]
    .concat()
}

fn facts() -> Vec<Fact<Ctpt>> {
    vec![
        Fact::new("nothing", Ctpt::default(), [0; 4]),
        Fact::new("two points", two_points(), bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| set32(it, 0, 3), "point count", 0),
            (|it| set32(it, 0, 1), "after the last name", 4 + 36 + 32),
            (|it| it.push(0), "after the last name", 4 + 2 * (36 + 32)),
        ],
    )
}

#[test]
fn names_end_at_nul_and_fit_their_fields() {
    assert_eq!(two_points().points[1].name(), b"Smoke_d");
    assert_eq!(two_points().summary(), "2: LeftFoot Smoke_d");
    assert_eq!(
        ControlPoint::new(&"x".repeat(33), 0, [0.0; 3], [0.0; 3]),
        None
    );
}

#[test]
fn what_no_known_file_has_is_found_at_its_point() {
    assert_eq!(two_points().check(), []);
    let mut bad = two_points();
    bad.points[0].place.flags = 1;
    bad.points[1].place.node = -1;
    let findings = bad.check();
    let found: Vec<_> = findings.iter().map(|it| (it.severity, it.offset)).collect();
    assert_eq!(
        found,
        [(Severity::Warning, Some(40)), (Severity::Note, Some(4))]
    );
}

prop_compose! {
    fn any_point()(
        words in any::<[i32; 3]>(),
        position in any::<[f32; 3]>(),
        direction in any::<[f32; 3]>(),
        name_field in any::<[u8; 32]>(),
    ) -> ControlPoint {
        let [flags, node, carried_node] = words;
        ControlPoint {
            place: PointPlace { flags, node, carried_node, position, direction },
            name_field,
        }
    }
}

prop_compose! {
    fn any_points()(points in prop::collection::vec(any_point(), 0..5)) -> Ctpt {
        Ctpt { points }
    }
}
