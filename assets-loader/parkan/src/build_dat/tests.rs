use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};

proof! {
    BuildDat {
        facts: facts(),
        damage: damage(),
        // A text may end between sections; where it may not has a test of its own.
        truncations: Truncations::Valid,
        values: any_list(),
        // A path of three bytes becomes two strings and its spelling.
        growth: 128,
        runs: 2_000,
    }
}

fn section(category: Category, paths: &[&str]) -> Section {
    Section {
        category,
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
    }
}

/// All twelve sections, names and order as in the dossier.
const WHOLE: &str = "Bunker_Small 1\r\n\"UNITS\\BUILDS\\b_s-1.dat\"\r\n\
    Bunker_Medium 0\r\nBunker_Large 0\r\nGenerator 0\r\nMine 0\r\nStorage 0\r\nPlant 0\r\nHangar 0\r\n\
    MainTeleport 0\r\nInstitute 0\r\nTower_Medium 0\r\n\
    Tower_Large 2\r\n\"UNITS\\BUILDS\\AI\\t1.dat\"\r\n\"units/builds/T2.DAT\"\r\n";

fn whole() -> BuildDat {
    let mut sections: Vec<_> = Category::ALL
        .into_iter()
        .map(|category| section(category, &[]))
        .collect();
    sections[0].paths = vec!["UNITS\\BUILDS\\b_s-1.dat".to_owned()];
    sections[11].paths = vec![
        "UNITS\\BUILDS\\AI\\t1.dat".to_owned(),
        "units/builds/T2.DAT".to_owned(),
    ];
    BuildDat::new(sections)
}

fn facts() -> Vec<Fact<BuildDat>> {
    vec![
        Fact::new("no section", BuildDat::new(Vec::new()), []),
        Fact::new("all sections", whole(), WHOLE),
    ]
}

#[test]
fn masks_are_the_dossiers() {
    let masks = Category::ALL.map(Category::mask);
    let expected = [
        0x8001_0000,
        0x8002_0000,
        0x8004_0000,
        0x8000_0002,
        0x8000_0004,
        0x8000_0008,
        0x8000_0010,
        0x8000_0040,
        0x8000_0200,
        0x8000_0400,
        0x8010_0000,
        0x8020_0000,
    ];
    assert_eq!(masks, expected);
}

#[test]
fn every_spelling_is_written_back() {
    let text = b"// buildings\n\n Mine\t 02 \r\n  \"a.dat\" \n\"b.dat\"\n\t\n// last\nHangar 0";
    let mut list = BuildDat::read(text).unwrap();
    assert_eq!(list.write().unwrap(), text);

    list.sections[0].paths.push("c.dat".to_owned());
    list.sections.swap(0, 1);
    let edited =
        b"\t\n// last\nHangar 0\n// buildings\n\nMine 3\n  \"a.dat\" \n\"b.dat\"\n\"c.dat\"\n";
    assert_eq!(
        String::from_utf8(list.write().unwrap()).unwrap(),
        String::from_utf8_lossy(edited)
    );
}

fn damage() -> Vec<Damage> {
    let rows: [(&str, &str, &str, u64); 13] = [
        ("unknown name", "Mine 0\nBunker 0\n", "section name", 7),
        ("other case", "mine 0\n", "section name", 0),
        ("section twice", "Mine 0\n\nMine 0\n", "section name", 8),
        ("no count", "Mine\n", "section count", 0),
        ("three fields", "Mine 0 0\n", "section count", 0),
        ("negative count", "Mine -1\n", "section count", 0),
        ("hostile count", "Mine 4000000000\n", "section count", 16),
        (
            "overflowing count",
            "Mine 99999999999999999999\n",
            "section count",
            26,
        ),
        ("missing path", "Mine 2\n\"a.dat\"    \n", "path", 19),
        ("comment inside", "Mine 1\n// a\n\"a.dat\"\n", "path", 7),
        ("missing quote", "Mine 1\n\"a.dat\n", "path", 7),
        ("empty path", "Mine 1\n\"\"      \n", "path", 7),
        ("byte outside the set", "Mine 1\n\"a b.dat\"\n", "path", 7),
    ];
    let damaged = rows.map(|(name, text, field, offset)| Damage::new(name, text, field, offset));
    damaged.into()
}

#[test]
fn case_and_repeats_pass_where_tolerated() {
    let text = b"mine 0\r\nMINE 1\r\n\"a.dat\"\r\n";
    let tolerance = BuildDatTolerance::FoldedNamesAndRepeats;
    let list = BuildDat::read_with(text, tolerance).unwrap();
    let expected = [
        section(Category::Mine, &[]),
        section(Category::Mine, &["a.dat"]),
    ];
    assert_eq!(list.sections, expected);
    assert_eq!(list.write().unwrap(), text);
    assert!(BuildDat::read_with(b"mines 0\r\n", tolerance).is_err());
}

#[test]
fn paths_that_could_not_be_read_back_are_not_written() {
    for path in ["", "a b.dat", "a\".dat", "земля.dat", "a.dat\n"] {
        let list = BuildDat::new(vec![section(Category::Mine, &[path])]);
        assert_eq!(list.write().unwrap_err().field, "path", "{path:?}");
    }
}

#[test]
fn unusual_lists_are_found() {
    assert_eq!(whole().check(), []);
    let mut unusual = whole();
    unusual.sections.swap(0, 1);
    unusual.sections.pop();
    unusual.sections[3].paths = vec!["UNITS\\BUILDS\\..\\x.dat".to_owned(), "x.dat".to_owned()];
    let messages: Vec<_> = unusual.check().into_iter().map(|f| f.message).collect();
    assert_eq!(messages.len(), 4, "{messages:#?}");
    assert_eq!(messages[0], "section Tower_Large is missing");
}

#[test]
fn a_text_that_is_cut_inside_a_section_is_refused() {
    // Cuts go unseen only where every begun section is whole: at the start, after a count of 0, and after
    // the last path of a section.
    for len in 0..WHOLE.len() {
        let text = WHOLE[..len].trim_end();
        let last_path_is_first_of_two = text.ends_with("t1.dat\"");
        let is_whole = text.is_empty()
            || text.ends_with(" 0")
            || (text.ends_with("dat\"") && !last_path_is_first_of_two)
            || text.ends_with("DAT\"");
        assert_eq!(BuildDat::read(text.as_bytes()).is_ok(), is_whole, "{text}");
    }
}

fn any_list() -> impl Strategy<Value = BuildDat> {
    let paths = prop::collection::vec("[A-Za-z0-9_./\\\\-]{1,20}", 0..3);
    prop::collection::vec(paths, 0..=12).prop_map(|paths| {
        let sections = Category::ALL.into_iter().zip(paths);
        let sections = sections.map(|(category, paths)| Section { category, paths });
        BuildDat::new(sections.collect())
    })
}
