//! How long frames took: the figures of the HUD's graph and of `--frames`.

use std::collections::VecDeque;
use std::time::Duration;

/// Frames that the window remembers: four seconds at 60 a second.
const N_REMEMBERED: usize = 240;

/// Times of the latest frames, oldest first.
#[derive(Debug, Clone, Default)]
pub struct FrameTimes {
    times: VecDeque<Duration>,
}

impl FrameTimes {
    /// Remembers one more frame and forgets the oldest beyond 240.
    pub fn push(&mut self, time: Duration) {
        if self.times.len() == N_REMEMBERED {
            self.times.pop_front();
        }
        self.times.push_back(time);
    }

    /// The remembered times, oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Duration> + DoubleEndedIterator {
        self.times.iter().copied()
    }

    /// Figures of the remembered frames; `None` before the first.
    pub fn summary(&self) -> Option<FrameSummary> {
        FrameSummary::from_times(self.iter())
    }
}

/// Figures of a number of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameSummary {
    /// Frames counted.
    pub n_frames: usize,
    /// The quickest.
    pub min: Duration,
    /// Half of the frames took no longer.
    pub median: Duration,
    /// 99 of 100 frames took no longer.
    pub p99: Duration,
    /// The slowest.
    pub max: Duration,
    /// All together.
    pub total: Duration,
}

impl FrameSummary {
    /// Figures of the given frames in any order; `None` without frames.
    pub fn from_times(times: impl IntoIterator<Item = Duration>) -> Option<Self> {
        let mut sorted: Vec<Duration> = times.into_iter().collect();
        sorted.sort_unstable();
        // Nearest rank: the smallest time that at least this share of all frames stays within.
        let percentile = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100);
            sorted.get(rank.saturating_sub(1)).copied()
        };
        Some(Self {
            n_frames: sorted.len(),
            min: *sorted.first()?,
            median: percentile(50)?,
            p99: percentile(99)?,
            max: *sorted.last()?,
            total: sorted.iter().sum(),
        })
    }

    /// Frames in a second, on average.
    pub fn frames_per_sec(&self) -> f64 {
        self.n_frames as f64 / self.total.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// A duration in milliseconds, for print.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(times: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        times.into_iter().map(Duration::from_millis).collect()
    }

    #[test]
    fn figures_follow_the_nearest_rank() {
        let summary = FrameSummary::from_times(ms((1..=100).rev())).unwrap();
        assert_eq!(summary.min, Duration::from_millis(1));
        assert_eq!(summary.median, Duration::from_millis(50));
        assert_eq!(summary.p99, Duration::from_millis(99));
        assert_eq!(summary.max, Duration::from_millis(100));
        assert_eq!(summary.total, Duration::from_millis(5050));
    }

    #[test]
    fn one_frame_is_all_figures_and_no_frame_is_none() {
        let summary = FrameSummary::from_times(ms([4])).unwrap();
        let four = Duration::from_millis(4);
        assert_eq!([summary.min, summary.median, summary.p99], [four; 3]);
        assert!((summary.frames_per_sec() - 250.0).abs() < 1e-9);
        assert_eq!(FrameSummary::from_times([]), None);
    }

    #[test]
    fn the_oldest_frames_are_forgotten() {
        let mut times = FrameTimes::default();
        for time in ms(0..1000) {
            times.push(time);
        }
        let kept: Vec<_> = times.iter().collect();
        assert_eq!(kept, ms(760..1000));
    }
}
