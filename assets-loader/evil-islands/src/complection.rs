//! How the extreme states of a figure are mixed (dossier section 9.4.2).
//!
//! Whatever of a figure depends on its build is stored eight times. Bit 0 of a state's number is the second
//! component of the complection, strength; bit 1 the first, dexterity; bit 2 the third, height.

/// Extreme states of a figure.
pub const N_STATES: usize = 8;

/// What the states are called, in file order.
pub const STATE_NAMES: [&str; N_STATES] = [
    "base",
    "strength",
    "dexterity",
    "strength_dexterity",
    "height",
    "height_strength",
    "height_dexterity",
    "height_strength_dexterity",
];

/// Mixes the eight states of one number by dexterity, strength, height.
///
/// A complection is usually within 0..1 and is not clamped. The order of operations is the original's, so that
/// results are equal bit for bit.
pub fn trilinear(values: &[f32; N_STATES], [dexterity, strength, height]: [f32; 3]) -> f32 {
    let [v0, v1, v2, v3, v4, v5, v6, v7] = *values;
    let low = lerp(lerp(v0, v1, strength), lerp(v2, v3, strength), dexterity);
    let high = lerp(lerp(v4, v5, strength), lerp(v6, v7, strength), dexterity);
    lerp(low, high, height)
}

/// Mixes eight states of a point or vector; a single state is the result itself.
pub fn blend(states: &[[f32; 3]], complection: [f32; 3]) -> Option<[f32; 3]> {
    let Some(states) = states.first_chunk::<N_STATES>() else {
        return states.first().copied();
    };
    let axis = |pick: fn(&[f32; 3]) -> f32| trilinear(&states.each_ref().map(pick), complection);
    Some([axis(|v| v[0]), axis(|v| v[1]), axis(|v| v[2])])
}

/// How much each state counts; the sum is 1. Mixing by these weights equals [`trilinear`] but for rounding.
pub fn weights([dexterity, strength, height]: [f32; 3]) -> [f32; N_STATES] {
    std::array::from_fn(|state| {
        let part = |bit: usize, t: f32| if state & bit == 0 { 1.0 - t } else { t };
        part(1, strength) * part(2, dexterity) * part(4, height)
    })
}

fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Dossier section 13.7.
    #[test]
    fn states_mix_as_in_the_worked_examples() {
        let c = [0.25, 0.5, 0.75];
        let counted = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert_eq!(trilinear(&counted, c), 4.0);
        let uneven = [10.0, 11.0, 20.0, 22.0, 40.0, 44.0, 80.0, 88.0];
        assert_eq!(trilinear(&uneven, c), 42.65625);
        let short = [0.0, -0.361_341, 1.110_468];
        let tall = [0.000_001, -0.735_542, 2.260_456];
        let head = [short, short, short, short, tall, tall, tall, tall];
        for (height, z) in [(0.0, 1.110_468_f32), (0.5, 1.685_462), (1.0, 2.260_456)] {
            let [_, _, found] = blend(&head, [0.3, 0.8, height]).unwrap();
            assert!((found - z).abs() < 1e-6, "{found} at height {height}");
        }
    }

    #[test]
    fn one_state_is_not_mixed() {
        assert_eq!(blend(&[[1.0, 2.0, 3.0]], [0.5; 3]), Some([1.0, 2.0, 3.0]));
        assert_eq!(blend(&[], [0.5; 3]), None);
    }

    /// Each name says which components lead to its state.
    #[test]
    fn corners_are_the_states_that_their_names_say() {
        let numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        for (number, name) in numbers.into_iter().zip(STATE_NAMES) {
            let of = |word: &str| if name.contains(word) { 1.0 } else { 0.0 };
            let corner = [of("dexterity"), of("strength"), of("height")];
            assert_eq!(trilinear(&numbers, corner), number, "{name}");
        }
    }

    proptest! {
        #[test]
        fn weights_are_the_same_mix(values: [i8; 8], c in prop::array::uniform3(-1.0f32..2.0)) {
            let values = values.map(f32::from);
            let mixed: f32 = weights(c).iter().zip(values).map(|(w, v)| w * v).sum();
            // 27 is the largest sum of absolute weights for components in -1..2; 1e-3 is 27 * 128 * eight roundings.
            prop_assert!((mixed - trilinear(&values, c)).abs() < 1e-2);
        }
    }
}
