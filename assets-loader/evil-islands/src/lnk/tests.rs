use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    assert_refuses_every_truncation, assert_survives_mutations, hex, set32,
};

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

/// Name, value, bytes typed from the dossier's table.
fn facts() -> Vec<(&'static str, Lnk, Vec<u8>)> {
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
        (
            "one part, as in real files",
            tree(&[(b"mesh", b"")]),
            hex("01 00 00 00 05 00 00 00 6D 65 73 68 00 00 00 00 00"),
        ),
        (
            "without a NUL",
            without_nul,
            hex("01 00 00 00 02 00 00 00 68 70 00 00 00 00"),
        ),
        (
            "a child",
            tree(&[(b"hp", b""), (b"bd", b"hp")]),
            hex(
                "02 00 00 00 03 00 00 00 68 70 00 00 00 00 00 03 00 00 00 62 64 00 03 00 00 00 68 70 00",
            ),
        ),
    ]
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    for (name, value, bytes) in facts() {
        assert_eq!(Lnk::read(&bytes).as_ref(), Ok(&value), "{name}");
        assert_eq!(value.write().as_ref(), Ok(&bytes), "{name}");
        assert_eq!(value.check(), [], "{name}");
    }
}

/// What is wrong with a tree, and at which byte its record begins.
#[test]
fn damage_is_named_where_it_stands() {
    let rows: [(&str, Lnk, &str, u64); 7] = [
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
    ];
    for (name, lnk, field, offset) in rows {
        let bytes = lnk.write().unwrap();
        let error = Lnk::read(&bytes).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset),
            "{name}: {error}"
        );
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
    let mut nameless = facts()[0].2.clone();
    set32(&mut nameless, 4, 6);
    let error = Lnk::read(&nameless).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("parent", 14), "{error}");
    let mut longer = facts()[0].2.clone();
    longer.push(1);
    let error = Lnk::read(&longer).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("after the last part", 17));
    let read = Lnk::read_with(&longer, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(read.write(), Ok(longer));
}

#[test]
fn every_truncation_is_refused() {
    for (_, _, good) in facts() {
        assert_refuses_every_truncation(&good, |data| Lnk::read(data).map(drop));
    }
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
fn a_nul_that_is_not_told_is_not_written() {
    let mut lnk = human();
    lnk.links[1].name = LinkName {
        bytes: b"bd\0".to_vec(),
        has_nul: false,
    };
    assert_eq!(lnk.write().unwrap_err().field, "name");
}

#[test]
fn mutations_never_panic() {
    assert_survives_mutations(&human().write().unwrap(), 2000, 32, |data| {
        Lnk::read_with(data, Tolerance::all()).map(|lnk| {
            assert_eq!(lnk.write().unwrap(), data);
            assert_eq!(lnk.depth_first().len(), lnk.links.len());
            lnk.check();
        })
    });
}

proptest! {
    /// A tree from parents that come before their children, its names in any case, read back in any order.
    #[test]
    fn any_tree_survives(parents in prop::collection::vec(any::<prop::sample::Index>(), 1..12), has_nul: bool) {
        let mut parts = vec![(b"root".to_vec(), None)];
        for parent in parents {
            let parent = parent.index(parts.len());
            parts.push((format!("p{}", parts.len()).into_bytes(), Some(parent)));
        }
        let mut lnk = Lnk::draft(&parts).unwrap();
        for link in &mut lnk.links {
            link.name.has_nul = has_nul;
        }
        let bytes = lnk.write().unwrap();
        let read = Lnk::read(&bytes).unwrap();
        prop_assert_eq!(&read, &lnk);
        prop_assert_eq!(read.depth_first(), (0..parts.len()).collect::<Vec<_>>());
    }
}
