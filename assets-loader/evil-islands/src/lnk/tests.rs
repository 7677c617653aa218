use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, hex, proof, set32};

proof! {
    Lnk {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_tree(),
        growth: 32,
        runs: 1_000,
        records: facts().iter().map(record).collect::<Vec<_>>(),
        of_bytes: |data, ()| {
            if let Ok(lnk) = Lnk::read_with(data, Tolerance::all()) {
                assert_eq!(lnk.write().as_deref(), Ok(data));
                assert_eq!(lnk.depth_first().len(), lnk.links.len());
            }
        },
    }
}

fn name(bytes: &[u8]) -> LinkName {
    LinkName::ended(bytes)
}

fn link(part: &[u8], parent: &[u8]) -> Link {
    let parent = match parent {
        [] => LinkName::default(),
        parent => name(parent),
    };
    Link {
        name: name(part),
        parent,
    }
}

fn tree(links: &[(&[u8], &[u8])]) -> Lnk {
    Lnk {
        links: links
            .iter()
            .map(|(part, parent)| link(part, parent))
            .collect(),
        tail: Vec::new(),
    }
}

fn human() -> Lnk {
    tree(&[
        (b"hp", b""),
        (b"bd", b"hp"),
        (b"hd", b"bd"),
        (b"ll1", b"hp"),
    ])
}

fn record(fact: &Fact<Lnk>) -> RecordPlace {
    let mut lnk = fact.value.clone().unwrap();
    RecordPlace::from_walk(&fact.bytes, 0, |c| lnk.walk(c))
}

/// Typed from the dossier's table.
fn facts() -> Vec<Fact<Lnk>> {
    let without_nul = Lnk {
        links: vec![Link {
            name: LinkName {
                bytes: b"hp".to_vec(),
                has_nul: false,
            },
            parent: LinkName::default(),
        }],
        tail: Vec::new(),
    };
    vec![
        Fact::new(
            "one part, as in real files",
            tree(&[(b"mesh", b"")]),
            hex("01 00 00 00 05 00 00 00 6D 65 73 68 00 00 00 00 00"),
        ),
        Fact::new(
            "without a NUL",
            without_nul,
            hex("01 00 00 00 02 00 00 00 68 70 00 00 00 00"),
        ),
        Fact::new(
            "a child",
            tree(&[(b"hp", b""), (b"bd", b"hp")]),
            hex(
                "02 00 00 00 03 00 00 00 68 70 00 00 00 00 00 03 00 00 00 62 64 00 03 00 00 00 68 70 00",
            ),
        ),
        Fact::new("four parts", human(), human().write().unwrap()),
    ]
}

#[test]
fn sound_trees_have_no_findings() {
    for fact in facts() {
        assert_eq!(fact.value.unwrap().check(), [], "{}", fact.name);
    }
}

/// What is wrong with a tree, and at which byte its record begins.
fn broken_trees() -> Vec<(&'static str, Lnk, &'static str, u64)> {
    vec![
        ("no part", Lnk::default(), "parent", 4),
        ("no root", tree(&[(b"a", b"b"), (b"b", b"a")]), "parent", 4),
        ("two roots", tree(&[(b"a", b""), (b"b", b"")]), "parent", 14),
        (
            "a name twice",
            tree(&[(b"a", b""), (b"A", b"a")]),
            "name",
            14,
        ),
        (
            "a parent that is not there",
            tree(&[(b"a", b""), (b"b", b"c")]),
            "parent",
            14,
        ),
        (
            "a part that hangs on itself",
            tree(&[(b"a", b""), (b"b", b"b")]),
            "parent",
            14,
        ),
        (
            "a circle",
            tree(&[(b"a", b""), (b"b", b"c"), (b"c", b"b")]),
            "parent",
            26,
        ),
    ]
}

fn damage() -> Vec<Damage> {
    let trees = broken_trees().into_iter();
    let trees = trees
        .map(|(name, lnk, field, offset)| Damage::new(name, lnk.write().unwrap(), field, offset));
    let good = facts().swap_remove(0).bytes;
    let mut nameless = good.clone();
    set32(&mut nameless, 4, 6);
    let longer = [&good[..], &[1]].concat();
    let others = [
        Damage::new("a name of the next length", nameless, "parent", 14),
        Damage::new("a byte more", longer, "after the last part", 17),
    ];
    trees.chain(others).collect()
}

#[test]
fn broken_trees_are_waived_by_name_and_kept() {
    for (name, lnk, ..) in broken_trees() {
        let bytes = lnk.write().unwrap();
        let read = Lnk::read_with(&bytes, Tolerance::BROKEN_TREE).unwrap();
        assert_eq!(read, lnk, "{name}");
        assert!(!read.check().is_empty(), "{name}");
        let mut order = read.depth_first();
        order.sort_unstable();
        assert_eq!(
            order,
            (0..lnk.links.len()).collect::<Vec<_>>(),
            "{name}: each part once"
        );
    }
    let longer = [&facts()[0].bytes[..], &[1]].concat();
    let read = Lnk::read_with(&longer, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(read.write(), Ok(longer));
}

#[test]
fn a_circle_is_cut_once_and_the_rest_hangs_on() {
    let lnk = tree(&[
        (b"a", b""),
        (b"b", b"d"),
        (b"c", b"b"),
        (b"d", b"c"),
        (b"e", b"c"),
    ]);
    let parents = lnk.parents();
    assert_eq!(
        parents.iter().filter(|it| it.is_none()).count(),
        2,
        "{parents:?}"
    );
    assert_eq!(parents[4], Some(2));
}

#[test]
fn parents_are_found_in_any_case_and_order() {
    let lnk = tree(&[(b"HD", b"Bd"), (b"bd", b"HP"), (b"hp", b""), (b"ll", b"hp")]);
    assert_eq!(lnk.parents(), [Some(1), Some(2), None, Some(2)]);
    assert_eq!(lnk.depth_first(), [2, 1, 0, 3]);
    assert_eq!(Lnk::read(&lnk.write().unwrap()), Ok(lnk.clone()));
    assert_eq!(lnk.check().len(), 1, "not depth first");
}

#[test]
fn drafts_are_written_depth_first() {
    let part = |name: &[u8], parent| (name.to_vec(), parent);
    let parts = [
        part(b"ll1", Some(3)),
        part(b"bd", Some(3)),
        part(b"hd", Some(1)),
        part(b"hp", None),
    ];
    let lnk = Lnk::draft(&parts).unwrap();
    let names: Vec<_> = lnk
        .links
        .iter()
        .map(|link| link.name.bytes.as_slice())
        .collect();
    assert_eq!(names, [&b"hp"[..], b"ll1", b"bd", b"hd"]);
    assert_eq!(lnk.check(), []);
    assert_eq!(Lnk::draft(&human_parts()), Ok(human()));
    assert_eq!(
        Lnk::draft(&[part(b"a", Some(1))]).unwrap_err().field,
        "parent"
    );
    assert_eq!(
        Lnk::draft(&[part(b"a", Some(0))]).unwrap_err().field,
        "parent"
    );
    assert_eq!(Lnk::draft(&[part(b"", None)]).unwrap_err().field, "name");
}

fn human_parts() -> [(Vec<u8>, Option<usize>); 4] {
    [
        (&b"hp"[..], None),
        (b"bd", Some(0)),
        (b"hd", Some(1)),
        (b"ll1", Some(0)),
    ]
    .map(|(name, parent)| (name.to_vec(), parent))
}

#[test]
fn a_nul_that_is_not_reported_is_not_written() {
    let mut lnk = human();
    lnk.links[1].name = LinkName {
        bytes: b"bd\0".to_vec(),
        has_nul: false,
    };
    assert_eq!(lnk.write().unwrap_err().field, "name");
}

prop_compose! {
    /// A tree from parents that come before their children.
    fn any_tree()(
        parents in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
        has_nul: bool,
    ) -> Lnk {
        let mut parts = vec![(b"root".to_vec(), None)];
        for parent in parents {
            let parent = parent.index(parts.len());
            parts.push((format!("p{}", parts.len()).into_bytes(), Some(parent)));
        }
        let mut lnk = Lnk::draft(&parts).unwrap();
        for link in &mut lnk.links {
            link.name.has_nul = has_nul;
        }
        lnk
    }
}

proptest! {
    #[test]
    fn drafts_stand_depth_first(lnk in any_tree()) {
        prop_assert_eq!(lnk.depth_first(), (0..lnk.links.len()).collect::<Vec<_>>());
    }
}
