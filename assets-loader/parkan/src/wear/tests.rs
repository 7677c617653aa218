use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

use super::*;

proof! {
    Wear {
        facts: facts(),
        damage: damage(),
        // A text may end after any name; where it may not has a test of its own.
        truncations: Truncations::Valid,
        values: any_wear(),
        // A row of three bytes becomes two rows with their names and spelling.
        growth: 128,
        runs: 1_000,
    }
}

fn row(legacy_id: i32, name: &str) -> WearRow {
    WearRow {
        legacy_id,
        name: name.as_bytes().to_vec(),
    }
}

fn facts() -> Vec<Fact<Wear>> {
    let rows = vec![
        row(0, "DEFAULT"),
        row(1, "L05"),
        row(2, "L03"),
        row(3, "L01"),
    ];
    vec![
        Fact::new(
            "SC_1's base table",
            Wear::new(rows, None),
            b"4\r\n0 DEFAULT\r\n1 L05\r\n2 L03\r\n3 L01\r\n",
        ),
        Fact::new(
            "a negative id and a lightmap after one blank line",
            Wear::new(vec![row(-7, "B_S0")], Some(vec![row(0, "LM.0")])),
            b"1\r\n-7 B_S0\r\n\r\nLIGHTMAPS\r\n1\r\n0 LM.0\r\n",
        ),
    ]
}

#[test]
fn every_spelling_is_written_back() {
    let texts: [&[u8]; 5] = [
        b"1\n0 A",
        b" 02\t\r\n+0\tA \n 007  L04\r\n\r\n\r\n",
        b"1\n0 A\n\t\nLIGHTMAPS \n01\n 5 LM\n \n",
        b"1\r\n0 \xC7\xE5\xEC\xEB\xFF\r\n",
        b"1\n0 two words\n",
    ];
    for text in texts {
        let wear = Wear::read(text).unwrap();
        assert_eq!(wear.write().unwrap(), text, "{}", text.escape_ascii());
    }
}

#[test]
fn an_edit_leaves_the_other_rows_as_they_were() {
    let mut wear = Wear::read(b" 2\n0\tA\n007  B").unwrap();
    assert_eq!(wear.materials[1], row(7, "B"));
    wear.materials[0].name = b"NEW".to_vec();
    wear.materials.push(row(2, "C"));
    wear.lightmaps = Some(vec![row(0, "LM")]);
    assert_eq!(
        wear.write().unwrap(),
        b"3\n0 NEW\n007  B\n2 C\n\nLIGHTMAPS\n1\n0 LM\n"
    );
}

fn damage() -> Vec<Damage> {
    let rows: [(&'static str, &[u8], &'static str, u64); 12] = [
        ("no text", b"", "material count", 0),
        ("count 0", b"0\r\n", "material count", 0),
        ("negative count", b"-1\r\n", "material count", 0),
        ("count of letters", b"x\r\n0 A\r\n", "material count", 0),
        ("hostile count", b"4000000000\n0 A\n", "material count", 11),
        (
            "overflowing count",
            b"99999999999999999999\n",
            "material count",
            21,
        ),
        ("missing row", b"2\n0 A\n   \n", "material row", 6),
        ("row without a name", b"1\n00 \n", "material row", 2),
        ("row without an id", b"1\nL04 x\n", "material row", 2),
        ("other block", b"1\n0 A\n\nSHADOWS\n", "LIGHTMAPS", 7),
        (
            "lightmap count 0",
            b"1\n0 A\n\nLIGHTMAPS\n0\n",
            "lightmap count",
            17,
        ),
        (
            "text after the lightmaps",
            b"1\n0 A\n\nLIGHTMAPS\n1\n0 B\n0 C\n",
            "end of text",
            23,
        ),
    ];
    let rows = rows.map(|(name, text, field, offset)| Damage::new(name, text, field, offset));
    rows.to_vec()
}

#[test]
fn the_gap_before_lightmaps_is_one_line_unless_tolerated() {
    let texts: [&[u8]; 2] = [
        b"1\n0 A\nLIGHTMAPS\n1\n0 LM\n",
        b"1\n0 A\n\n\nLIGHTMAPS\n1\n0 LM\n",
    ];
    for text in texts {
        let error = Wear::read(text).unwrap_err();
        assert_eq!(error.field, "LIGHTMAPS");
        let wear = Wear::read_with(text, WearTolerance::AnyGapBeforeLightmaps).unwrap();
        assert_eq!(wear.lightmaps, Some(vec![row(0, "LM")]));
        assert_eq!(wear.write().unwrap(), text);
    }
}

#[test]
fn names_that_could_not_be_read_back_are_not_written() {
    for name in ["", " A", "A ", "A\nB"] {
        let wear = Wear::new(vec![row(0, name)], None);
        assert_eq!(wear.write().unwrap_err().field, "material row", "{name:?}");
    }
    let error = Wear::new(Vec::new(), None).write().unwrap_err();
    assert!(error.to_string().contains("Illegal wear length."));
}

#[test]
fn rows_are_no_more_than_handles_can_name() {
    let table = |n_rows: usize| {
        let text = format!("{n_rows}\n{}", "0 A\n".repeat(n_rows));
        Wear::read(text.as_bytes())
    };
    let most = table(65_536).unwrap();
    assert!(most.write().is_ok());
    assert_eq!(table(65_537).unwrap_err().field, "material count");
    let too_many = Wear::new(vec![row(0, "A"); 65_537], None);
    assert_eq!(too_many.write().unwrap_err().field, "material count");
}

#[test]
fn a_text_that_is_cut_short_of_its_last_name_is_refused() {
    let good = b"2\r\n0 A\r\n1 LAST\r\n";
    let last_name = good.len() - "LAST\r\n".len();
    for len in 0..good.len() {
        // The name itself may be any length, so only cuts before it can be seen.
        assert_eq!(Wear::read(&good[..len]).is_err(), len <= last_name, "{len}");
    }
}

#[test]
fn unusual_tables_are_found() {
    let usual = Wear::new(vec![row(0, "A")], Some(vec![row(0, "LM")]));
    assert_eq!(usual.check(), []);
    let mut unusual = usual;
    unusual.materials.push(row(0, "two words"));
    unusual.materials.push(row(0, &"x".repeat(36)));
    unusual.lightmaps = Some(vec![row(0, "LM"), row(0, "LM2")]);
    assert_eq!(unusual.check().len(), 3);
}

fn any_row() -> impl Strategy<Value = WearRow> {
    (any::<i32>(), "[!-~]{1,35}").prop_map(|(legacy_id, name)| row(legacy_id, &name))
}

fn any_wear() -> impl Strategy<Value = Wear> {
    let materials = prop::collection::vec(any_row(), 1..6);
    let lightmaps = prop::option::of(prop::collection::vec(any_row(), 1..3));
    (materials, lightmaps).prop_map(|(materials, lightmaps)| Wear::new(materials, lightmaps))
}
