use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof, set32};

proof! {
    Bas {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_basement(),
        growth: 16,
        runs: 2_000,
        records: [],
    }
}

/// A triangle around a smaller one.
fn basement() -> Bas {
    let inner = Ring::new(vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.5]]);
    let outer = Ring::new(vec![[-1.0, -1.0, 0.0], [2.0, -1.0, 0.0], [-1.0, 1.0, 0.0]]);
    Bas {
        inner: vec![InnerRing {
            ring: inner,
            words: [vec![1, 2, 3], vec![4, 5, 6]],
        }],
        outer: vec![outer],
    }
}

pub(crate) fn bytes() -> Vec<u8> {
    const ZERO: [u8; 4] = [0; 4];
    const HALF: [u8; 4] = [0, 0, 0, 0x3F];
    const ONE: [u8; 4] = [0, 0, 0x80, 0x3F];
    const TWO: [u8; 4] = [0, 0, 0, 0x40];
    const MINUS: [u8; 4] = [0, 0, 0x80, 0xBF];
    let word = |number: u8| [number, 0, 0, 0];
    let inner = [
        ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, TWO, HALF, ZERO, ZERO, ZERO,
    ];
    let outer = [
        MINUS, MINUS, ZERO, TWO, MINUS, ZERO, MINUS, ONE, ZERO, MINUS, MINUS, ZERO,
    ];
    [
        [word(1), word(3)].as_flattened(),
        inner.as_flattened(),
        [1, 2, 3, 4, 5, 6].map(word).as_flattened(),
        [word(1), word(3)].as_flattened(),
        outer.as_flattened(),
    ]
    .concat()
}

fn facts() -> Vec<Fact<Bas>> {
    vec![
        Fact::new("nothing", Bas::default(), [0; 8]),
        Fact::new("a ring in a ring", basement(), bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| set32(it, 0, 99), "inner ring count", 0),
            (|it| set32(it, 4, 99), "corner count", 4),
            (|it| set32(it, 80, 99), "outer ring count", 80),
            (|it| set32(it, 84, 99), "corner count", 84),
            (|it| set32(it, 84, 2), "after the last ring", 124),
            (|it| it.push(0), "after the last ring", 136),
        ],
    )
}

#[test]
fn rings_know_their_corners_and_areas() {
    let Bas { inner, outer } = basement();
    assert_eq!((inner[0].ring.n_edges(), inner[0].ring.area()), (3, 1.0));
    assert_eq!((outer[0].n_edges(), outer[0].area()), (3, 3.0));
    assert!(outer[0].is_closed());
}

#[test]
fn what_no_known_basement_has_is_found() {
    assert_eq!(basement().check(), []);
    let found = |edit: fn(&mut Bas)| {
        let mut bas = basement();
        edit(&mut bas);
        let findings = bas.check();
        findings.iter().map(|it| it.severity).collect::<Vec<_>>()
    };
    assert_eq!(
        found(|it| it.outer[0].corners[1][2] = f32::NAN),
        [Severity::Error]
    );
    assert_eq!(
        found(|it| it.outer[0].corners.reverse()),
        [Severity::Warning]
    );
    assert_eq!(
        found(|it| it.outer[0].corners[3] = [-1.0, -0.5, 0.0]),
        [Severity::Warning]
    );
    let two = |it: &mut Bas| it.outer[0].corners.truncate(3);
    assert_eq!(found(two), [Severity::Error, Severity::Warning]);
    assert_eq!(found(|it| it.outer.clear()), [Severity::Note]);
}

#[test]
fn a_ring_without_corners_or_with_other_words_is_not_written() {
    let mut bas = basement();
    bas.inner[0].words[1].pop();
    assert_eq!(bas.write().unwrap_err().field, "second edge word");
    bas.inner[0].ring.corners.clear();
    assert_eq!(bas.write().unwrap_err().field, "corner count");
}

prop_compose! {
    fn any_ring()(corners in prop::collection::vec(any::<[f32; 3]>(), 1..6)) -> Ring {
        Ring { corners }
    }
}

prop_compose! {
    fn any_inner()(ring in any_ring())(
        words in [prop::collection::vec(any::<u32>(), ring.n_edges()), prop::collection::vec(any::<u32>(), ring.n_edges())],
        ring in Just(ring),
    ) -> InnerRing {
        InnerRing { ring, words }
    }
}

prop_compose! {
    fn any_basement()(
        inner in prop::collection::vec(any_inner(), 0..3),
        outer in prop::collection::vec(any_ring(), 0..3),
    ) -> Bas {
        Bas { inner, outer }
    }
}
