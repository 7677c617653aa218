use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};

proof! {
    Palette {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::ValidIf(|it| it.len() == N_COLORS * COLOR_SIZE),
        values: any_palette(),
        growth: 16,
        runs: 100,
        records: [],
    }
}

/// Color i is gray i; a mixture is the darker one.
fn grays() -> Palette {
    let gray = |level: usize| [level as u8, level as u8, level as u8, 0];
    let darker = |idx: usize| (idx % N_COLORS).min(idx / N_COLORS) as u8;
    Palette {
        colors: (0..N_COLORS).map(gray).collect(),
        blends: Some((0..N_BLENDS).map(darker).collect()),
    }
}

fn bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    for level in 0..=255u8 {
        bytes.extend([level, level, level, 0]);
    }
    bytes.extend(b"Ipol");
    for row in 0..=255u8 {
        bytes.extend((0..=255u8).map(|column| column.min(row)));
    }
    bytes
}

fn facts() -> Vec<Fact<Palette>> {
    let short = Palette {
        blends: None,
        ..grays()
    };
    vec![
        Fact::new("without mixtures", short, &bytes()[..1024]),
        Fact::new("grays", grays(), bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| it.truncate(1022), "color", 1020),
            (|it| it[1024] = b'x', "mark of mixtures", 1024),
            (|it| it.truncate(5000), "mixtures", 1028),
            (|it| it.push(0), "after the mixtures", 1028 + 65_536),
        ],
    )
}

#[test]
fn what_no_known_palette_has_is_found() {
    assert_eq!(grays().check(), []);
    let mut other = grays();
    other.colors[3][3] = 9;
    other.blends.as_mut().unwrap()[5 * 256 + 5] = 4;
    let found: Vec<_> = other.check().iter().map(|it| it.offset).collect();
    assert_eq!(found, [Some(12), None]);
    other.colors.pop();
    assert_eq!(other.write().unwrap_err().field, "color");
}

prop_compose! {
    fn any_palette()(
        colors in prop::collection::vec(any::<[u8; 4]>(), N_COLORS),
        blends in prop::option::of(prop::collection::vec(any::<u8>(), N_BLENDS)),
    ) -> Palette {
        Palette { colors, blends }
    }
}
