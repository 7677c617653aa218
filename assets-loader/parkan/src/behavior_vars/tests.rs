use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof, set32};

proof! {
    BehaviorVars {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_vars(),
        growth: 16,
        runs: 2_000,
        records: [],
    }
}

/// The kind of a chassis: walking, of four.
fn chassis() -> BehaviorVar {
    BehaviorVar {
        value_size: 4,
        type_word: DWORD,
        name: b"ChassisType".to_vec(),
        values: [2, 1, 1, 4],
        ..BehaviorVar::default()
    }
}

fn reach() -> BehaviorVar {
    BehaviorVar {
        value_size: 4,
        type_word: FLOAT,
        name: b"R".to_vec(),
        values: [0.5_f32, 0.0, 0.0, 1.0].map(f32::to_bits),
        ..BehaviorVar::default()
    }
}

pub(crate) fn bytes() -> Vec<u8> {
    let word = |number: u8| [number, 0, 0, 0];
    [
        [word(2), word(4), word(5), word(0), word(11)].as_flattened(),
        b"ChassisType",
        [word(0), word(2), word(1), word(1), word(4)].as_flattened(),
        [word(4), word(3), word(0), word(1)].as_flattened(),
        b"R",
        [
            word(0),
            [0, 0, 0, 0x3F],
            word(0),
            word(0),
            [0, 0, 0x80, 0x3F],
        ]
        .as_flattened(),
    ]
    .concat()
}

fn two() -> BehaviorVars {
    BehaviorVars {
        variables: vec![chassis(), reach()],
    }
}

fn facts() -> Vec<Fact<BehaviorVars>> {
    vec![
        Fact::new("nothing", BehaviorVars::default(), [0; 4]),
        Fact::new("two variables", two(), bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    // The second variable begins at 51.
    Damage::from_changes(
        &bytes(),
        [
            (|it| set32(it, 0, 99), "variable count", 0),
            (|it| set32(it, 16, 999), "name length", 16),
            (|it| set32(it, 31, 999), "text length", 31),
            (|it| set32(it, 0, 1), "after the last variable", 51),
            (|it| it.push(0), "after the last variable", 88),
        ],
    )
}

#[test]
fn numbers_are_what_their_type_says() {
    let of = |variable: BehaviorVar| variable.values.map(|bits| variable.number(bits));
    assert_eq!(of(chassis()), [2.0, 1.0, 1.0, 4.0]);
    assert_eq!(of(reach()), [0.5, 0.0, 0.0, 1.0]);
    assert_eq!(chassis().summary(), "ChassisType = 2, at first 1, 1 to 4");
}

#[test]
fn what_no_known_set_has_is_found() {
    assert_eq!(two().check(), []);
    let found = |edit: fn(&mut BehaviorVar)| {
        let mut bad = two();
        edit(&mut bad.variables[1]);
        bad.check()
            .iter()
            .map(|it| it.message.clone())
            .collect::<Vec<_>>()
    };
    let of = |what: &str| [format!("variable 1, \"R\", {what}")];
    assert_eq!(
        found(|it| it.type_word = 9)[..1],
        of("is of another kind than known ones")
    );
    assert_eq!(
        found(|it| it.values[0] = 2.0_f32.to_bits()),
        of("is not between its limits")
    );
    assert_eq!(
        found(|it| it.values[1] = f32::NAN.to_bits()),
        of("is not between its limits")
    );
    assert_eq!(
        found(|it| it.name.clear()),
        ["variable 1, \"\", has no name"]
    );
}

prop_compose! {
    fn any_var()(
        [value_size, type_word, unknown_8] in any::<[u32; 3]>(),
        name in prop::collection::vec(any::<u8>(), 0..9),
        unknown_text in prop::collection::vec(any::<u8>(), 0..4),
        values in any::<[u32; 4]>(),
    ) -> BehaviorVar {
        BehaviorVar { value_size, type_word, unknown_8, name, unknown_text, values }
    }
}

prop_compose! {
    fn any_vars()(variables in prop::collection::vec(any_var(), 0..4)) -> BehaviorVars {
        BehaviorVars { variables }
    }
}
