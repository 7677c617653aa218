//! Tables that change the colors of a picture, and where they do.

use crate::{Aabb, AutoExposure};

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

/// What a level makes of how a picture is shown, at a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GradingState {
    /// What exposure is led to, in place of `Scene::auto_exposure`, where the scene has that.
    pub auto_exposure: Option<AutoExposure>,
    /// How much there is of each of `Scene::color_corrections` in place of [`ColorCorrection::weight`]; empty: as the scene
    /// has them.
    pub correction_weights: Vec<f32>,
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
    /// How much of it there is for an eye, `0.0..=1.0`, as a share of its weight where there is most.
    fn share_at(&self, eye: [f32; 3]) -> f32 {
        match self.place {
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
        }
    }
}

/// The weight of each correction for an eye, in their order, into `weights`, which replaces what it was. `full_weights` is how
/// much there is of each where there is most; of those that it lacks that is their own weight. They add up to at most 1; what is
/// missing is the picture as it is.
pub fn correction_weights(
    corrections: &[ColorCorrection],
    full_weights: &[f32],
    eye: [f32; 3],
    weights: &mut Vec<f32>,
) {
    weights.clear();
    let full_weights = full_weights
        .iter()
        .copied()
        .map(Some)
        .chain(std::iter::repeat(None));
    let weight = |(it, full_weights): (&ColorCorrection, Option<f32>)| {
        full_weights.unwrap_or(it.weight) * it.share_at(eye)
    };
    weights.extend(corrections.iter().zip(full_weights).map(weight));
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

    fn weight_at(correction: &ColorCorrection, eye: [f32; 3]) -> f32 {
        let mut weights = Vec::new();
        correction_weights(std::slice::from_ref(correction), &[], eye, &mut weights);
        weights[0]
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
            assert!(
                (weight_at(&ball, [x, 0.0, 0.0]) - weight).abs() < 1e-6,
                "{x}"
            );
        }
        let inside = correction(CorrectionPlace::Box(Aabb {
            min: [0.0; 3],
            max: [1.0; 3],
        }));
        assert_eq!(weight_at(&inside, [0.5; 3]), 0.8);
        assert_eq!(weight_at(&inside, [1.5; 3]), 0.0);
    }

    #[test]
    fn weights_add_up_to_no_more_than_the_whole_picture() {
        let everywhere = correction(CorrectionPlace::Everywhere);
        let mut weights = vec![9.0; 7];
        correction_weights(
            &[everywhere.clone(), everywhere.clone()],
            &[],
            [0.0; 3],
            &mut weights,
        );
        assert_eq!(weights, [0.5, 0.5]);
        let exclusive = ColorCorrection {
            is_exclusive: true,
            ..everywhere.clone()
        };
        let both = [everywhere, exclusive];
        correction_weights(&both, &[], [0.0; 3], &mut weights);
        assert_eq!(weights, [0.0, 0.8]);
        // The level has less of the second, and then none of it.
        correction_weights(&both, &[0.1, 0.3], [0.0; 3], &mut weights);
        assert_eq!(weights, [0.0, 0.3]);
        correction_weights(&both, &[0.1, 0.0], [0.0; 3], &mut weights);
        assert_eq!(weights, [0.1, 0.0]);
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
