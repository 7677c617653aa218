//! Numbers that change over the life of a particle.

/// Values by age, in straight lines from key to key.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve<const N: usize> {
    /// Rise from 0 to 1, the first at any age; never empty. Before the first and after the last key the value stays.
    pub keys: Vec<CurveKey<N>>,
    /// The age to the power of this is what keys are looked up by: 1 is even, above 1 begins slowly, 0 is the end at
    /// once. At least 0.
    pub ease: f32,
}

/// A value at an age.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey<const N: usize> {
    /// From 0, birth, to 1, the end of a life.
    pub age: f32,
    /// The value there.
    pub value: [f32; N],
}

impl<const N: usize> Curve<N> {
    /// The same at all ages.
    pub fn constant(value: [f32; N]) -> Self {
        Self {
            keys: vec![CurveKey { age: 0.0, value }],
            ease: 1.0,
        }
    }

    /// Even from one value at birth to another at the end.
    pub fn line(from: [f32; N], to: [f32; N]) -> Self {
        Self::through(&[(0.0, from), (1.0, to)])
    }

    /// Even from key to key.
    pub fn through(keys: &[(f32, [f32; N])]) -> Self {
        let keys = keys.iter().map(|(age, value)| CurveKey {
            age: *age,
            value: *value,
        });
        Self {
            keys: keys.collect(),
            ease: 1.0,
        }
    }

    /// The value at an age of `0.0..=1.0`; zeros for a curve without keys.
    pub fn at(&self, age: f32) -> [f32; N] {
        let age = eased(age, self.ease);
        let after = self.keys.iter().position(|key| key.age > age);
        let after = after.unwrap_or(self.keys.len());
        let before = after.checked_sub(1).and_then(|index| self.keys.get(index));
        match (before, self.keys.get(after)) {
            (Some(from), Some(to)) => {
                let share = (age - from.age) / (to.age - from.age);
                std::array::from_fn(|i| from.value[i] + (to.value[i] - from.value[i]) * share)
            }
            (Some(key), None) | (None, Some(key)) => key.value,
            (None, None) => [0.0; N],
        }
    }

    /// The largest of each number over all ages, without its sign.
    pub(super) fn largest(&self) -> [f32; N] {
        let largest = |i: usize| self.keys.iter().map(move |key| key.value[i].abs());
        std::array::from_fn(|i| largest(i).fold(0.0, f32::max))
    }
}

/// `age` to the power of `ease`; the usual 1 costs nothing.
pub(super) fn eased(age: f32, ease: f32) -> f32 {
    if ease == 1.0 { age } else { age.powf(ease) }
}
