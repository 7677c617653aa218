//! Dynamic resolution: at which part of its size a frame is drawn so that the device draws it within a budget.
//!
//! In: how long frames took. Out: a scale. Times are taken to grow with the number of pixels, so the scale falls as far
//! as it must at once, and rises only where even that leaves room: part of a frame costs the same at any scale, so
//! that a larger one takes less than it is taken for. A scale that was too large is thus not tried again until the view
//! is another one, and the picture does not flicker.

use std::time::Duration;

use crate::renderer::ResolutionScale;

/// Parts of the width and height, and no others: for each, a device makes other textures to draw on.
const SCALES: [f32; 5] = [0.5, 0.625, 0.75, 0.875, 1.0];
/// Frames that decide together, by their median: one that is slow for reasons of its own decides nothing.
const N_FRAMES: usize = 10;
/// Frames after a change that do not count: they were begun before, or what they are drawn on is made for them.
const N_SKIPPED: usize = 6;
/// Times in a row that there must be room before the scale rises.
const N_CALM: usize = 2;
/// Largest part of the budget that a frame of the larger scale may be taken for.
const ROOM: f64 = 0.9;

/// Keeps frames within a budget of time.
#[derive(Debug, Clone)]
pub struct FrameBudget {
    budget: Option<Duration>,
    /// Index into [`SCALES`].
    scale: usize,
    /// Since the last decision.
    times: Vec<Duration>,
    n_skipped: usize,
    n_calm: usize,
    measured: Option<Duration>,
}

impl Default for FrameBudget {
    /// No budget.
    fn default() -> Self {
        Self {
            budget: None,
            scale: SCALES.len() - 1,
            times: Vec::with_capacity(N_FRAMES),
            n_skipped: 0,
            n_calm: 0,
            measured: None,
        }
    }
}

impl FrameBudget {
    /// With a budget.
    pub fn new(budget: Option<Duration>) -> Self {
        Self {
            budget,
            ..Self::default()
        }
    }

    /// Another budget begins at the full size; the same one changes nothing.
    pub fn set(&mut self, budget: Option<Duration>) {
        if self.budget != budget {
            *self = Self::new(budget);
        }
    }

    /// The budget, if there is one.
    pub fn budget(&self) -> Option<Duration> {
        self.budget
    }

    /// What the next frame is drawn at; `None` without a budget.
    pub fn scale(&self) -> Option<ResolutionScale> {
        self.budget?;
        ResolutionScale::new(SCALES[self.scale])
    }

    /// The median of the frames that decided last.
    pub fn measured(&self) -> Option<Duration> {
        self.measured
    }

    /// Takes what one more frame took.
    pub fn push(&mut self, time: Duration) {
        let Some(budget) = self.budget else { return };
        if self.n_skipped > 0 {
            self.n_skipped -= 1;
            return;
        }
        self.times.push(time);
        if self.times.len() < N_FRAMES {
            return;
        }
        self.times.sort_unstable();
        let median = self.times[N_FRAMES / 2];
        self.times.clear();
        self.measured = Some(median);
        let before = self.scale;
        self.scale = self.decided(median.as_secs_f64(), budget.as_secs_f64());
        if self.scale != before {
            self.n_skipped = N_SKIPPED;
            self.n_calm = 0;
        }
    }

    fn decided(&mut self, secs: f64, budget_secs: f64) -> usize {
        let now = f64::from(SCALES[self.scale]);
        let at = |scale: usize| secs * (f64::from(SCALES[scale]) / now).powi(2);
        if secs > budget_secs {
            let mut smaller = (0..self.scale).rev();
            return smaller.find(|scale| at(*scale) <= budget_secs).unwrap_or(0);
        }
        let larger = (self.scale + 1).min(SCALES.len() - 1);
        if larger == self.scale || at(larger) > ROOM * budget_secs {
            self.n_calm = 0;
            return self.scale;
        }
        self.n_calm += 1;
        if self.n_calm < N_CALM {
            return self.scale;
        }
        larger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET_MS: f64 = 20.0;

    fn ms(ms: f64) -> Duration {
        Duration::from_secs_f64(ms * 1e-3)
    }

    fn budget() -> FrameBudget {
        FrameBudget::new(Some(ms(BUDGET_MS)))
    }

    fn share(budget: &FrameBudget) -> f32 {
        budget.scale().expect("there is a budget").share()
    }

    /// Draws frames of a view: some milliseconds at any scale, and some more at the full one. Returns each scale that
    /// was decided, and after how many frames.
    fn draw(
        budget: &mut FrameBudget,
        [fixed, full]: [f64; 2],
        n_frames: usize,
    ) -> Vec<(usize, f32)> {
        let mut changes = Vec::new();
        for frame in 1..=n_frames {
            let before = share(budget);
            budget.push(ms(fixed + full * f64::from(before).powi(2)));
            if share(budget) != before {
                changes.push((frame, share(budget)));
            }
        }
        changes
    }

    fn scales(changes: &[(usize, f32)]) -> Vec<f32> {
        changes.iter().map(|(_, scale)| *scale).collect()
    }

    #[test]
    fn what_is_within_the_budget_is_drawn_at_full_size() {
        let mut budget = budget();
        assert_eq!(draw(&mut budget, [4.0, 15.0], 500), []);
        assert_eq!(share(&budget), 1.0);
        assert_eq!(budget.measured(), Some(ms(19.0)));
    }

    #[test]
    fn a_slow_view_is_drawn_as_small_as_it_must_be_and_stays_so() {
        for (cost, expected) in [
            // All of it by pixels: at once where it fits.
            ([0.0, 24.0], vec![0.875]),
            ([0.0, 60.0], vec![0.5]),
            // Part of it at any size: by steps.
            ([8.0, 22.0], vec![0.75, 0.625]),
            // More than the budget at any size.
            ([25.0, 10.0], vec![0.75, 0.5]),
        ] {
            let mut budget = budget();
            let changes = draw(&mut budget, cost, 2000);
            assert_eq!(scales(&changes), expected, "{cost:?}");
        }
    }

    #[test]
    fn where_there_is_room_the_picture_grows_step_by_step_and_later_than_it_shrank() {
        let mut budget = budget();
        let down = draw(&mut budget, [0.0, 70.0], 100);
        assert_eq!(scales(&down), [0.5]);
        let up = draw(&mut budget, [2.0, 10.0], 500);
        assert_eq!(scales(&up), [0.625, 0.75, 0.875, 1.0]);
        assert!(up[0].0 > down[0].0);
        assert!(
            up.windows(2)
                .all(|pair| pair[1].0 - pair[0].0 >= N_FRAMES * N_CALM)
        );
    }

    #[test]
    fn no_view_ever_makes_it_go_to_and_fro() {
        for fixed in 0..40u8 {
            for full in 0..80u8 {
                let cost = [fixed, full].map(f64::from);
                let mut budget = budget();
                draw(&mut budget, [60.0, 60.0], 60);
                let changes = scales(&draw(&mut budget, cost, 1000));
                let is_steady = changes.is_sorted() || changes.is_sorted_by(|a, b| a >= b);
                assert!(is_steady, "{cost:?}: {changes:?}");
                assert_eq!(draw(&mut budget, cost, 1000), [], "{cost:?}");
            }
        }
    }

    #[test]
    fn single_slow_frames_decide_nothing() {
        let mut budget = budget();
        for frame in 0..1000 {
            let is_slow = frame % 3 == 0;
            budget.push(ms(if is_slow { 300.0 } else { 12.0 }));
        }
        assert_eq!(share(&budget), 1.0);
    }

    #[test]
    fn without_a_budget_there_is_no_scale_and_another_one_begins_anew() {
        let mut budget = FrameBudget::default();
        budget.push(ms(500.0));
        assert_eq!((budget.scale(), budget.measured()), (None, None));
        budget.set(Some(ms(BUDGET_MS)));
        draw(&mut budget, [0.0, 70.0], 100);
        assert_eq!(share(&budget), 0.5);
        budget.set(Some(ms(BUDGET_MS)));
        assert_eq!(share(&budget), 0.5);
        budget.set(Some(ms(100.0)));
        assert_eq!(share(&budget), 1.0);
    }
}
