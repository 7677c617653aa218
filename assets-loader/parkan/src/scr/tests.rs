use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof, set32};

proof! {
    Scr {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_script(),
        growth: 16,
        runs: 2_000,
        records: [],
    }
}

/// Raises a problem if a variable is at least another.
fn script() -> Scr {
    let compare = Node {
        kind: NodeKind::If,
        relation: Relation::AtLeast,
        operands: vec![3, 4],
        ..Node::default()
    };
    let call = Node {
        function: Some(2),
        destination: Some(7),
        formula: Some(1),
        operands: vec![5],
        ..Node::default()
    };
    let back = Node {
        kind: NodeKind::Goto,
        operands: vec![0],
        ..Node::default()
    };
    Scr {
        n_functions: 73,
        handlers: vec![Handler {
            name: b"Init".to_vec(),
            index: 9,
            nodes: vec![compare, call, back],
        }],
    }
}

pub(crate) fn bytes() -> Vec<u8> {
    const NO: [u8; 4] = [0xFF; 4];
    let word = |number: u8| [number, 0, 0, 0];
    let nodes = [
        [NO, NO, NO, word(0), word(4), word(2), word(3), word(4), NO].as_flattened(),
        [word(2), word(7), NO, NO, word(6), word(1), word(5), word(1)].as_flattened(),
        [NO, NO, NO, word(3), word(6), word(1), word(0), NO].as_flattened(),
    ]
    .concat();
    [
        &[73, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0][..],
        b"Init\0",
        &[9, 0, 0, 0, 3, 0, 0, 0],
        &nodes,
    ]
    .concat()
}

fn facts() -> Vec<Fact<Scr>> {
    let empty = Scr {
        n_functions: 73,
        handlers: Vec::new(),
    };
    vec![
        Fact::new("no handler", empty, [73, 0, 0, 0, 0, 0, 0, 0]),
        Fact::new("a handler", script(), bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| set32(it, 4, 99), "handler count", 4),
            (|it| set32(it, 8, 999), "name length", 8),
            (|it| it[16] = b'x', "end of the name", 16),
            (|it| set32(it, 21, 99), "node count", 21),
            (|it| set32(it, 45, 999), "operand count", 45),
            (|it| set32(it, 21, 2), "after the last handler", 93),
            (|it| it.push(0), "after the last handler", 125),
        ],
    )
}

#[test]
fn kinds_and_relations_are_known_by_their_words() {
    for word in -3..12 {
        assert_eq!(NodeKind::from_word(word).word(), word);
        assert_eq!(Relation::from_word(word).word(), word);
    }
    assert_eq!(NodeKind::from_word(6), NodeKind::Constant);
    assert_eq!(NodeKind::from_word(7), NodeKind::Unknown(7));
    assert_eq!(Relation::from_word(5), Relation::Differs);
}

#[test]
fn what_no_known_script_has_is_found() {
    assert_eq!(script().check(), []);
    let found = |edit: fn(&mut Scr)| {
        let mut script = script();
        edit(&mut script);
        let findings = script.check();
        findings.iter().map(|it| it.severity).collect::<Vec<_>>()
    };
    assert_eq!(found(|it| it.n_functions = 74), [Severity::Note]);
    assert_eq!(
        found(|it| it.handlers[0].nodes[2].operands[0] = 3),
        [Severity::Error]
    );
    assert_eq!(
        found(|it| it.handlers[0].nodes[1].function = Some(73)),
        [Severity::Error]
    );
    assert_eq!(
        found(|it| it.handlers[0].nodes[0].operands.push(1)),
        [Severity::Warning]
    );
    assert_eq!(
        found(|it| it.handlers[0].nodes[0].relation = Relation::None),
        [Severity::Warning]
    );
    assert_eq!(
        found(|it| it.handlers[0].nodes[1].kind = NodeKind::Unknown(9)),
        [Severity::Warning]
    );
}

prop_compose! {
    fn any_node()(
        words in any::<[i32; 2]>(),
        optional in any::<[Option<u16>; 4]>(),
        operands in prop::collection::vec(any::<i32>(), 0..4),
    ) -> Node {
        let [kind, relation] = words.map(|word| word % 12);
        let [function, destination, source, formula] = optional.map(|it| it.map(i32::from));
        Node {
            function,
            destination,
            source,
            kind: NodeKind::from_word(kind),
            relation: Relation::from_word(relation),
            operands,
            formula,
        }
    }
}

prop_compose! {
    fn any_handler()(
        name in prop::collection::vec(any::<u8>(), 0..8),
        index in any::<i32>(),
        nodes in prop::collection::vec(any_node(), 0..4),
    ) -> Handler {
        Handler { name, index, nodes }
    }
}

prop_compose! {
    fn any_script()(
        n_functions in any::<i32>(),
        handlers in prop::collection::vec(any_handler(), 0..3),
    ) -> Scr {
        Scr { n_functions, handlers }
    }
}
