use super::*;

const SCRIPT: &str = "\
// of the level ( not counted
globalvars
(
  Hero : object, #count-1 : FLOAT // one ) more
)
DeclareScript Go ( who : object, name : string )
DeclareScript Stay ( )
Script Go
(
  if ( IsAlive( who ) )
  then (
    Say( who, \"(he said\" )
    for ( i, Group ) ( x = 5 )
  )
)
SCRIPT stay ( then ( ) )
WorldScript
(
  Go( Hero, \"Script\" ) Show( Script )
)
";

fn variable(name: &str, type_name: &str, line: usize) -> ScriptVariable {
    ScriptVariable {
        name: name.to_owned(),
        type_name: type_name.to_owned(),
        line,
    }
}

fn body(name: &str, lines: RangeInclusive<usize>) -> ScriptBody {
    let name = name.to_owned();
    ScriptBody { name, lines }
}

#[test]
fn an_outline_gives_the_line_of_each_part() {
    for text in [SCRIPT.to_owned(), SCRIPT.replace('\n', "\r\n")] {
        let outline = ScriptOutline::from_text(&text);
        let globals = [
            variable("Hero", "object", 4),
            variable("#count-1", "FLOAT", 4),
        ];
        assert_eq!(outline.globals, globals);
        assert_eq!(outline.declared.len(), 2);
        let [go, stay] = &outline.declared[..] else {
            panic!("two declared scripts");
        };
        assert_eq!((&*go.name, go.line), ("Go", 6));
        assert_eq!(
            go.arguments,
            [variable("who", "object", 6), variable("name", "string", 6)]
        );
        assert_eq!((&*stay.name, stay.arguments.len()), ("Stay", 0));
        assert_eq!(outline.bodies, [body("Go", 8..=15), body("stay", 16..=16)]);
        assert_eq!(outline.world_script, Some(17..=20));
        assert_eq!(outline.check(), []);
    }
}

#[test]
fn a_body_that_is_not_closed_ends_where_the_next_begins() {
    let broken = SCRIPT.replace("x = 5 )\n  )", "x = 5 )\n");
    let outline = ScriptOutline::from_text(&broken);
    assert_eq!(outline.bodies, [body("Go", 8..=15), body("stay", 16..=16)]);
    assert_eq!(outline.world_script, Some(17..=20));
    let messages: Vec<_> = outline
        .check()
        .into_iter()
        .map(|it| (it.severity, it.message))
        .collect();
    let expected = "line 8: a parenthesis that opens here is not closed".to_owned();
    assert_eq!(messages, [(Severity::Error, expected)]);
}

#[test]
fn problems_name_their_lines() {
    let rows = [
        (
            "WorldScript ( ) )",
            Severity::Error,
            "line 1: a closing parenthesis closes nothing",
        ),
        (
            "\nWorldScript (",
            Severity::Error,
            "line 2: a parenthesis that opens here is not closed",
        ),
        (
            "Script x then",
            Severity::Error,
            "line 1: an opening parenthesis is missing",
        ),
        (
            "WorldScript ( Say(\"x) )\n)",
            Severity::Warning,
            "line 1: a string is not closed",
        ),
        (
            "WorldScript ()\nWorldScript ()",
            Severity::Warning,
            "line 2: there is more than one WorldScript",
        ),
        (
            "Script a ()",
            Severity::Warning,
            "line 1: script a is not declared",
        ),
        (
            "DeclareScript a ()",
            Severity::Warning,
            "line 1: script a has no body",
        ),
        (
            "DeclareScript a ()\nScript A ()\nScript a ()",
            Severity::Warning,
            "line 3: script a has more than one body",
        ),
        (
            "GlobalVars ( a : int )",
            Severity::Warning,
            "line 1: a is of no known type: \"int\"",
        ),
        (
            "GlobalVars ( a )",
            Severity::Warning,
            "line 1: a is of no known type: \"\"",
        ),
    ];
    for (text, severity, message) in rows {
        let findings = ScriptOutline::from_text(text).check();
        let is_it = |it: &Finding| it.severity == severity && it.message == message;
        assert!(findings.iter().any(is_it), "{message}: {findings:?}");
    }
}

#[test]
fn any_text_has_an_outline() {
    for text in [
        "",
        "Земля (",
        "\"",
        "))))",
        "((((",
        "Script",
        "Script Script Script (",
        ":::",
        "\u{98}\0",
    ] {
        ScriptOutline::from_text(text).check();
    }
    let many = "Script a (\n".repeat(20_000);
    let outline = ScriptOutline::from_text(&many);
    assert_eq!(outline.bodies.len(), 20_000);
    assert!(outline.check().len() < 60);
    let deep = "WorldScript ".to_owned() + &"(".repeat(200_000);
    assert_eq!(ScriptOutline::from_text(&deep).world_script, Some(1..=1));
}
