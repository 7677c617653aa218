use ironlands_assets_proof::{Change, Damage, Fact, Truncations, proof};
use proptest::prelude::*;

use super::*;

proof! {
    ColorLookup {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_lookup(),
        growth: 64,
        runs: 200,
        records: [],
    }
}

/// Each color as it is, but that the last of red alone has become blue.
fn typed() -> ColorLookup {
    let mut lookup = ColorLookup::draft(|color| color);
    lookup.colors[31] = [0, 0, 255];
    lookup
}

/// The bytes that the document has for it, entry by entry: steps of 255 / 31, rounded down.
fn hand_typed() -> Vec<u8> {
    let mut bytes = Vec::new();
    for blue in 0..32u32 {
        for green in 0..32u32 {
            for red in 0..32u32 {
                let steps = [red, green, blue].map(|it| (it * 255 / 31) as u8);
                bytes.extend(steps);
            }
        }
    }
    bytes[93..96].copy_from_slice(&[0, 0, 255]);
    bytes
}

fn facts() -> Vec<Fact<ColorLookup>> {
    vec![Fact::new("all colors but one", typed(), hand_typed())]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 2] = [
        (|d| d.push(0), "after the last color", 98_304),
        (|d| d.truncate(98_303), "colors", 0),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

fn any_lookup() -> impl Strategy<Value = ColorLookup> {
    any::<[u8; 3]>().prop_map(|[a, b, c]| {
        ColorLookup::draft(|[r, g, blue]| [r ^ a, g.wrapping_add(b), blue.wrapping_mul(c)])
    })
}

#[test]
fn tables_of_other_sizes_are_no_files() {
    let mut lookup = typed();
    lookup.colors.pop();
    assert!(lookup.write().is_err());
}

#[test]
fn what_changes_nothing_is_reported() {
    assert_eq!(typed().check(), []);
    let same = ColorLookup::draft(|color| color);
    assert_eq!(same.check()[0].message, "it changes no color");
}

#[test]
fn the_picture_of_a_table_has_red_and_blue_to_the_right() {
    let pixels = typed().picture(0).unwrap();
    assert_eq!(pixels.len(), 4 * 1024 * 32);
    let at = |x: usize, y: usize| &pixels[4 * (y * 1024 + x)..][..4];
    assert_eq!(at(0, 0), [0, 0, 0, 255]);
    assert_eq!(at(31, 0), [0, 0, 255, 255]);
    assert_eq!(at(1023, 31), [255, 255, 255, 255]);
    assert_eq!(at(32, 1), [0, 8, 8, 255]);
}
