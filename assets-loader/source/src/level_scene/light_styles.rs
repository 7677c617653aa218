//! How lights flicker and which are on. Dossier section 4.4.

use ironlands_scene::LightStyle;

use crate::bsp::Face;
use crate::entities::Entities;

/// Characters a second.
const FACTORS_PER_SEC: f32 = 10.0;
/// Styles from here on are switches, but for the last one.
const FIRST_SWITCH: usize = 32;
/// Styles that every scene has.
const N_STYLES: usize = 64;
/// Style 63: never on.
const TEST_STYLE: usize = 63;
/// `spawnflags` of a light that begins dark.
const STARTS_DARK: u32 = 1;
/// Styles 1 to 12.
const PATTERNS: [&str; 12] = [
    "mmnmmommommnonmmonqnmmo",
    "abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba",
    "mmmmmaaaaammmmmaaaaaabcdefgabcdefg",
    "mamamamamama",
    "jklmnopqrstuvwxyzyxwvutsrqponmlkj",
    "nmonqnmomnmomomno",
    "mmmaaaabcdefgmmmmaaaammmaamm",
    "mmmaaammmaaammmabcdefaaaammmmabcdefmmmaaaa",
    "aaaaaaaazzzzzzzz",
    "mmamammmmammamamaaamammma",
    "abcdefghijklmnopqrrqponmlkjihgfedcba",
    "mmnnmmnnnmmnn",
];

/// The styles of a level by number: as many as its faces name, 64 at least.
#[expect(
    clippy::indexing_slicing,
    reason = "there are at least `N_STYLES` styles"
)]
pub fn light_styles(faces: &[Face], entities: &Entities) -> Vec<LightStyle> {
    let used = faces.iter().flat_map(|face| &face.styles);
    let last_used = used.filter(|style| **style != u8::MAX).max();
    let n_styles = last_used.map_or(0, |last| usize::from(*last) + 1);
    let mut styles = vec![constant(1.0); n_styles.max(N_STYLES)];
    for (style, text) in styles.iter_mut().skip(1).zip(PATTERNS) {
        *style = pattern(text);
    }
    styles[TEST_STYLE] = constant(0.0);
    for light in entities.of_class("light") {
        let Some(number) = light.number("style").filter(|it| it.fract() == 0.0) else {
            continue;
        };
        // The cast saturates, and what is negative is no switch.
        let number = number as usize;
        let Some(style) = styles.get_mut(number).filter(|_| number >= FIRST_SWITCH) else {
            continue;
        };
        let flags = light.number("spawnflags").unwrap_or_default() as u32;
        let custom = light.get("pattern").map(|text| pattern(&text));
        *style = match custom.filter(|style| !style.factors.is_empty()) {
            _ if flags & STARTS_DARK != 0 => constant(0.0),
            Some(custom) => custom,
            None => constant(1.0),
        };
    }
    styles
}

fn constant(factor: f32) -> LightStyle {
    LightStyle {
        factors: vec![factor],
        factors_per_sec: FACTORS_PER_SEC,
    }
}

/// A style of letters: `a` is dark, `m` is 1, `z` is about 2; without any of these it has no factor.
pub fn pattern(text: &str) -> LightStyle {
    let letters = text.bytes().filter(u8::is_ascii_lowercase);
    LightStyle {
        factors: letters
            .map(|it| f32::from(it.saturating_sub(b'a')) / 12.0)
            .collect(),
        factors_per_sec: FACTORS_PER_SEC,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_go_from_dark_over_one_to_two() {
        assert_eq!(pattern("amz").factors, [0.0, 1.0, 25.0 / 12.0]);
        assert_eq!(pattern("").factors, [0.0; 0]);
    }

    #[test]
    fn style_0_is_constant_and_63_dark() {
        let styles = light_styles(&[], &Entities::default());
        assert_eq!(styles.len(), 64);
        assert_eq!(styles[0].factors, [1.0]);
        assert_eq!(styles[4].at(0.05), 1.0);
        assert_eq!(styles[4].at(0.15), 0.0);
        assert_eq!(styles[63].factors, [0.0]);
    }

    #[test]
    fn styles_of_faces_always_exist() {
        let face = Face {
            styles: [0, 200, 255, 255, 255, 255, 255, 255],
            ..Face::default()
        };
        assert_eq!(light_styles(&[face], &Entities::default()).len(), 201);
    }
}
