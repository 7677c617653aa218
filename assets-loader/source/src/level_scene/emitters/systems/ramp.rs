//! Values that change between two ages.

/// In how many steps a whole life is cut where values change.
const N_STEPS: u16 = 24;

/// A value that is one thing until an age, another from a later age on, and between them in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ramp {
    /// Shares of a life.
    pub ages: [f32; 2],
    pub values: [f32; 2],
    pub ease: Ease,
}

/// How a value comes from one to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ease {
    /// Slowly at both ends.
    Smooth,
    /// Evenly for 0.5; sooner above, later below.
    Bias(f32),
}

impl Ramp {
    /// From 0 to 1.
    pub fn up(ages: [f32; 2]) -> Self {
        Self {
            ages,
            values: [0.0, 1.0],
            ease: Ease::Smooth,
        }
    }

    /// From 1 to 0.
    pub fn down(ages: [f32; 2]) -> Self {
        Self {
            values: [1.0, 0.0],
            ..Self::up(ages)
        }
    }

    /// The value at an age.
    pub fn at(&self, age: f32) -> f32 {
        let [from, to] = self.ages;
        let share = match to > from {
            true => ((age - from) / (to - from)).clamp(0.0, 1.0),
            false if age < from => 0.0,
            false => 1.0,
        };
        let share = match self.ease {
            Ease::Smooth => share * share * (3.0 - 2.0 * share),
            Ease::Bias(bias) => {
                let bias = bias.clamp(0.01, 0.99);
                share / ((1.0 / bias - 2.0) * (1.0 - share) + 1.0)
            }
        };
        let [first, last] = self.values;
        first + (last - first) * share
    }
}

/// The ages at which the product of ramps is worth a key: birth and death, where they begin and end, and steps between.
pub(super) fn ages<'a>(ramps: impl IntoIterator<Item = &'a Ramp>) -> Vec<f32> {
    let mut ages = vec![0.0, 1.0];
    for ramp in ramps {
        let [from, to] = ramp.ages.map(|age| age.clamp(0.0, 1.0));
        let steps = (1..N_STEPS).map(|step| f32::from(step) / f32::from(N_STEPS));
        ages.extend(steps.filter(|it| (from..to).contains(it)));
        ages.extend([from, to]);
        // What changes at once changes within no time that is seen.
        if from == to {
            ages.push((from - 1e-4).max(0.0));
        }
    }
    ages.sort_by(f32::total_cmp);
    ages.dedup();
    ages
}
