use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set32};

proof! {
    Tfnt {
        facts: facts(),
        damage: damage(),
        // What follows the glyphs is the picture, however long it is.
        truncations: Truncations::ValidIf(|it| it.len() >= GLYPHS_OFFSET + N_GLYPHS * 16),
        values: any_font(),
        growth: 16,
        runs: 300,
        records: [
            RecordPlace::new::<FontHead>(4, ()),
            RecordPlace::new::<Glyph>(GLYPHS_OFFSET, ()),
        ],
    }
}

/// The letter A in the left half of the upper half of a picture of which three bytes are there.
fn font() -> Tfnt {
    let mut glyphs = vec![Glyph::default(); N_GLYPHS];
    glyphs[65] = Glyph {
        sides: [0.0, 0.5],
        top: 0.5,
        advance: 9,
    };
    Tfnt {
        head: FontHead {
            cell_width: 8,
            height: 16,
            glyph_height: 0.5,
            spacing: 1,
        },
        glyphs,
        picture: vec![7, 8, 9],
    }
}

fn bytes() -> Vec<u8> {
    let mut bytes = b"Tfnt".to_vec();
    bytes.extend([8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0x3F, 1, 0, 0, 0]);
    bytes.resize(20 + 65 * 16, 0);
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0x3F, 0, 0, 0, 0x3F, 9, 0, 0, 0]);
    bytes.resize(20 + 256 * 16, 0);
    bytes.extend([7, 8, 9]);
    bytes
}

fn facts() -> Vec<Fact<Tfnt>> {
    vec![Fact::new("one letter", font(), bytes())]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| set32(it, 0, 0), "magic", 0),
            (|it| it.truncate(10), "font height", 8),
            (|it| it.truncate(4000), "advance", 4000),
        ],
    )
}

#[test]
fn glyphs_are_drawn_if_they_are_wide_and_checked_if_they_are_drawn() {
    let shown: Vec<usize> = (0..N_GLYPHS)
        .filter(|it| font().glyphs[*it].is_shown())
        .collect();
    assert_eq!(shown, [65]);
    let messages = |font: &Tfnt| {
        let findings = font.check();
        findings.iter().map(|it| it.offset).collect::<Vec<_>>()
    };
    let picture = Some(20 + 256 * 16);
    assert_eq!(messages(&font()), [picture]);
    let mut outside = font();
    outside.glyphs[65].top = 0.75;
    assert_eq!(messages(&outside), [Some(20 + 65 * 16), picture]);
    let mut flat = font();
    flat.head.height = 0;
    assert_eq!(messages(&flat), [Some(4), picture]);
    flat.glyphs.pop();
    assert_eq!(flat.write().unwrap_err().field, "glyph");
}

prop_compose! {
    fn any_glyph()(sides in any::<[f32; 2]>(), top in any::<f32>(), advance in any::<i32>()) -> Glyph {
        Glyph { sides, top, advance }
    }
}

prop_compose! {
    fn any_font()(
        [cell_width, height, spacing] in any::<[i32; 3]>(),
        glyph_height in any::<f32>(),
        glyphs in prop::collection::vec(any_glyph(), N_GLYPHS),
        picture in prop::collection::vec(any::<u8>(), 0..20),
    ) -> Tfnt {
        Tfnt { head: FontHead { cell_width, height, glyph_height, spacing }, glyphs, picture }
    }
}
