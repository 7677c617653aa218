//! Tables that change the colors of a picture, and where they do.

use crate::Aabb;

/// Most entries along an axis of a table.
pub const MAX_TABLE_SIDE: u32 = 64;

/// What colors become: red, green, blue in display space for each red, green and blue in equal steps from 0 to 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColorTable {
    /// Name for reports.
    pub name: String,
    /// Entries along each axis, 2 to [`MAX_TABLE_SIDE`].
    pub side: u32,
    /// `side³` colors; red changes first, blue last.
    pub entries: Vec<[u8; 3]>,
}

/// Where a table changes colors.
#[derive(Debug, Clone, PartialEq)]
pub struct ColorCorrection {
    /// Index into `Scene::color_tables`.
    pub table: u32,
    /// How much of it there is where there is most, `0.0..=1.0`.
    pub weight: f32,
    /// By where the eye is.
    pub place: CorrectionPlace,
    /// Whether it leaves no weight to those that are not.
    pub is_exclusive: bool,
}

/// Where the eye sees through a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CorrectionPlace {
    /// Wherever it is.
    Everywhere,
    /// Around a place.
    Ball {
        /// The place.
        center: [f32; 3],
        /// Distance up to which there is all of it.
        full_within: f32,
        /// Distance from which on there is none, at least `full_within`. In between it falls evenly.
        none_beyond: f32,
    },
    /// In a box.
    Box(Aabb),
}

impl ColorCorrection {
    /// How much of it there is for an eye, `0.0..=weight`.
    pub fn weight_at(&self, eye: [f32; 3]) -> f32 {
        let share = match self.place {
            CorrectionPlace::Everywhere => 1.0,
            CorrectionPlace::Box(bounds) => f32::from(u8::from(bounds.contains(eye))),
            CorrectionPlace::Ball {
                center,
                full_within,
                none_beyond,
            } => {
                let squares = (0..3).map(|axis: usize| (eye[axis] - center[axis]).powi(2));
                let distance = squares.sum::<f32>().sqrt();
                if distance <= full_within {
                    1.0
                } else if distance >= none_beyond {
                    0.0
                } else {
                    (none_beyond - distance) / (none_beyond - full_within)
                }
            }
        };
        self.weight * share
    }
}

/// The weight of each correction for an eye, in their order, into `weights`, which replaces what it was. They add up to at
/// most 1; what is missing is the picture as it is.
pub fn correction_weights(corrections: &[ColorCorrection], eye: [f32; 3], weights: &mut Vec<f32>) {
    weights.clear();
    weights.extend(corrections.iter().map(|it| it.weight_at(eye)));
    let is_excluding = |(it, weight): (&ColorCorrection, &f32)| it.is_exclusive && *weight > 0.0;
    if corrections.iter().zip(&*weights).any(is_excluding) {
        for (correction, weight) in corrections.iter().zip(&mut *weights) {
            if !correction.is_exclusive {
                *weight = 0.0;
            }
        }
    }
    let sum: f32 = weights.iter().sum();
    if sum > 1.0 {
        for weight in weights {
            *weight /= sum;
        }
    }
}

impl ColorTable {
    /// The table that changes nothing, as far as its entries are exact.
    pub fn identity(side: u32) -> Self {
        let step = |index: u32| (255 * index / (side - 1)) as u8;
        let entries = (0..side.pow(3)).map(|index| {
            let [r, g, b] = [index % side, index / side % side, index / side / side];
            [step(r), step(g), step(b)]
        });
        Self {
            name: "identity".to_owned(),
            side,
            entries: entries.collect(),
        }
    }

    /// What a color becomes: between eight entries.
    pub fn corrected(&self, color: [f32; 3]) -> [f32; 3] {
        let last = (self.side - 1) as f32;
        let scaled = color.map(|it| it.clamp(0.0, 1.0) * last);
        let low = scaled.map(|it| (it.floor() as u32).min(self.side - 2));
        let share: [f32; 3] = std::array::from_fn(|axis| scaled[axis] - low[axis] as f32);
        let mut sum = [0.0; 3];
        for corner in 0..8u32 {
            let bit = |axis: usize| corner >> axis & 1;
            let at = [0, 1, 2].map(|axis| low[axis] + bit(axis));
            let parts = [0, 1, 2].map(|axis| match bit(axis) {
                0 => 1.0 - share[axis],
                _ => share[axis],
            });
            let weight: f32 = parts.iter().product();
            let index = at[0] + self.side * (at[1] + self.side * at[2]);
            let entry = self.entries[index as usize];
            for axis in 0..3 {
                sum[axis] += weight * f32::from(entry[axis]) / 255.0;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correction(place: CorrectionPlace) -> ColorCorrection {
        ColorCorrection {
            table: 0,
            weight: 0.8,
            place,
            is_exclusive: false,
        }
    }

    #[test]
    fn weights_fall_evenly_with_the_distance() {
        let ball = correction(CorrectionPlace::Ball {
            center: [10.0, 0.0, 0.0],
            full_within: 100.0,
            none_beyond: 300.0,
        });
        for (x, weight) in [
            (10.0, 0.8),
            (110.0, 0.8),
            (210.0, 0.4),
            (260.0, 0.2),
            (310.0, 0.0),
        ] {
            assert!((ball.weight_at([x, 0.0, 0.0]) - weight).abs() < 1e-6, "{x}");
        }
        let inside = correction(CorrectionPlace::Box(Aabb {
            min: [0.0; 3],
            max: [1.0; 3],
        }));
        assert_eq!(inside.weight_at([0.5; 3]), 0.8);
        assert_eq!(inside.weight_at([1.5; 3]), 0.0);
    }

    #[test]
    fn weights_add_up_to_no_more_than_the_whole_picture() {
        let everywhere = correction(CorrectionPlace::Everywhere);
        let mut weights = vec![9.0; 7];
        correction_weights(
            &[everywhere.clone(), everywhere.clone()],
            [0.0; 3],
            &mut weights,
        );
        assert_eq!(weights, [0.5, 0.5]);
        let exclusive = ColorCorrection {
            is_exclusive: true,
            ..everywhere.clone()
        };
        correction_weights(&[everywhere, exclusive], [0.0; 3], &mut weights);
        assert_eq!(weights, [0.0, 0.8]);
    }

    #[test]
    fn tables_are_read_between_their_entries() {
        let identity = ColorTable::identity(16);
        for color in [[0.0, 0.5, 1.0], [0.3, 0.21, 0.77], [1.0; 3]] {
            let found = identity.corrected(color);
            for axis in 0..3 {
                assert!(
                    (found[axis] - color[axis]).abs() < 1e-3,
                    "{color:?} {found:?}"
                );
            }
        }
        // Red changes first: only where red is full.
        let mut table = ColorTable::identity(2);
        table.entries[1] = [0, 0, 255];
        assert_eq!(table.corrected([0.5, 0.0, 0.0]), [0.0, 0.0, 0.5]);
        assert_eq!(table.corrected([0.5, 1.0, 0.0]), [0.5, 1.0, 0.0]);
    }
}
