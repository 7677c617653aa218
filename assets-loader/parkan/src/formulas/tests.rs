use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};

proof! {
    Formulas {
        facts: facts(),
        damage: damage(),
        // A line that is cut before its end has no formula, or is one without its end.
        truncations: Truncations::ValidIf(|it| {
            let last = it.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            !last.trim_ascii_start().starts_with(KEYWORD) || last.contains(&b')')
        }),
        values: any_formulas(),
        growth: 64,
        runs: 2_000,
        records: [],
    }
}

const TEXT: &[u8] =
    b"//FormulaSet export file\r\n\r\nFUNCTION( , f1 + 2.5,  )\r\nFUNCTION( , f2*0.5,  )\r\n";

fn two() -> Formulas {
    Formulas::new([&b"f1 + 2.5"[..], b"f2*0.5"]).unwrap()
}

fn facts() -> Vec<Fact<Formulas>> {
    vec![
        Fact::new("none", Formulas::new([]).unwrap(), HEAD),
        Fact::new("two", two(), TEXT),
        Fact::from_bytes("other spellings", &b" FUNCTION(x,\tf1 ,)\n// end"[..]),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        TEXT,
        [
            (|it| it.truncate(40), "formula", 28),
            (|it| it[38] = b'x', "formula", 28),
        ],
    )
}

#[test]
fn expressions_have_no_blanks_around_them() {
    let expressions: Vec<_> = two().expressions().map(<[u8]>::to_vec).collect();
    assert_eq!(expressions, [b"f1 + 2.5".to_vec(), b"f2*0.5".to_vec()]);
    for wrong in [&b"a,b"[..], b"a\nb", b" a"] {
        assert_eq!(Formulas::new([wrong]), None);
    }
}

#[test]
fn expressions_that_are_none_are_found() {
    for good in [
        "1",
        "f1 + 2.5",
        "-(a*b)",
        "N(f0)*S( d1 )",
        "!a|b&c",
        "2^-x",
        "(((1)))",
    ] {
        assert_eq!(grammar::problem_in(good.as_bytes()), None, "{good}");
    }
    for (bad, problem) in [
        ("", "an operand is missing"),
        ("1 +", "an operand is missing"),
        ("* 2", "an operand is missing"),
        ("()", "an operand is missing"),
        ("a b", "an operator is missing"),
        ("(1", "a parenthesis is not closed"),
        ("1)", "a parenthesis is closed that is not open"),
        ("a ? b", "an operator is missing"),
    ] {
        let found = grammar::problem_in(bad.as_bytes());
        assert_eq!(found, Some(problem), "{bad}");
    }
    let broken = Formulas::new([&b"1 +"[..]]).unwrap();
    assert_eq!(broken.check().len(), 1);
    assert_eq!(two().check(), []);
}

prop_compose! {
    fn any_formulas()(
        expressions in prop::collection::vec("[a-z0-9+*()]{1,12}", 0..5),
    ) -> Formulas {
        Formulas::new(expressions.iter().map(|it| it.as_bytes())).unwrap()
    }
}
