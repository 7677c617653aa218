use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};

proof! {
    VarSet {
        facts: facts(),
        damage: damage(),
        // A line that is cut before its end has no variable, or is one without its end.
        truncations: Truncations::ValidIf(|it| {
            let last = it.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            !last.trim_ascii_start().starts_with(KEYWORD) || last.contains(&b')')
        }),
        values: any_variables(),
        growth: 64,
        runs: 2_000,
        records: [],
    }
}

const TEXT: &[u8] = b"VAR( DWORD, dCount, 7 )\r\nVAR( float, fShare, 0.5 )\r\n";
const OTHER: &[u8] = b"// all\n\n VAR(DWORD,a, 1, 0, 9, how many);\n// end";

fn variable<'a>(type_name: &'a str, name: &'a str, default: &'a str) -> Variable<'a> {
    let [type_name, name, default] = [type_name, name, default].map(str::as_bytes);
    Variable {
        type_name,
        name,
        default,
    }
}

fn two() -> [Variable<'static>; 2] {
    [
        variable("DWORD", "dCount", "7"),
        variable("float", "fShare", "0.5"),
    ]
}

fn facts() -> Vec<Fact<VarSet>> {
    vec![
        Fact::new("none", VarSet::default(), []),
        Fact::new("two", VarSet::new(two()).unwrap(), TEXT),
        Fact::from_bytes("other spellings", OTHER),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        TEXT,
        [
            (|it| it.truncate(40), "variable", 25),
            (|it| it[10] = b'x', "variable", 0),
        ],
    )
}

#[test]
fn variables_are_read_whatever_is_around_them() {
    let read = VarSet::read(OTHER).unwrap();
    let found: Vec<_> = read.variables().collect();
    assert_eq!(found, [variable("DWORD", "a", "1")]);
    for wrong in ["a,b", "a)", "", " a"] {
        assert_eq!(
            VarSet::new([variable("DWORD", wrong, "1")]),
            None,
            "{wrong}"
        );
    }
}

#[test]
fn what_no_known_file_has_is_found() {
    let n_found = |variables: &[Variable<'_>]| {
        let set = VarSet::new(variables.iter().copied()).unwrap();
        set.check().len()
    };
    assert_eq!(n_found(&two()), 0);
    assert_eq!(n_found(&[variable("int", "a", "1")]), 1);
    assert_eq!(n_found(&[variable("float", "a", "one")]), 1);
    assert_eq!(n_found(&[variable("float", "a", "1"); 2]), 1);
}

prop_compose! {
    fn any_variables()(
        parts in prop::collection::vec(["[A-Za-z]{1,6}", "[a-z0-9_]{1,8}", "[0-9.-]{1,6}"], 0..5),
    ) -> VarSet {
        let variables = parts.iter().map(|[a, b, c]| variable(a, b, c));
        VarSet::new(variables).unwrap()
    }
}
