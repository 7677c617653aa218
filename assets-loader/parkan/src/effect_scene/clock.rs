//! How the time of an effect passes (section 3.2).

use ironlands_scene::{EmitterWindow, SoundStart};

use crate::fxid::{EffectFlags, Header, TimeMode, Window};

/// Length of a window that stays open, in seconds.
const FOREVER: f32 = 1.0e9;
/// Random numbers that are added to the time change as often as the original updates an effect.
const UPDATES_PER_SEC: f64 = 10.0;

/// How the time of an effect passes from its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectClock {
    progress: Progress,
    /// Above 0.
    duration_secs: f32,
    flags: EffectFlags,
    jitter: f32,
    /// When it begins, and after which time it begins again.
    begins: Option<[f32; 2]>,
}

/// What its time does before the flags change it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Progress {
    /// It stays at a value.
    Held(f32),
    /// From 0 to 1, where it stays.
    Once,
    /// From 0 to 1, again and again.
    Loop,
    /// From 1 to 0, where it stays.
    Falling,
}

impl EffectClock {
    /// In a level where nothing happens: what waits is not started, channels are at 0, and nothing is damaged.
    /// `started` is the mode that something started it in; `speed` is what its owner has of its top speed.
    pub fn in_level(header: &Header, started: Option<u32>, speed: f32) -> Self {
        let mode = TimeMode::from_word(started.unwrap_or(header.mode));
        let progress = match mode.unwrap_or(TimeMode::Waiting) {
            TimeMode::Waiting | TimeMode::Channel | TimeMode::Spin | TimeMode::Damage => {
                Progress::Held(0.0)
            }
            TimeMode::OneLessChannel => Progress::Held(1.0),
            TimeMode::Speed | TimeMode::SpeedOrSpin => Progress::Held(speed.clamp(0.0, 1.0)),
            TimeMode::Once => Progress::Once,
            TimeMode::Loop => Progress::Loop,
            TimeMode::Falling => Progress::Falling,
        };
        Self::new(header, progress)
    }

    /// By itself: what follows something else goes from 0 to 1 once, so that all of it is seen.
    pub fn alone(header: &Header) -> Self {
        let progress = match header.time_mode() {
            Some(TimeMode::Loop) => Progress::Loop,
            Some(TimeMode::Falling) => Progress::Falling,
            _ => Progress::Once,
        };
        Self::new(header, progress)
    }

    fn new(header: &Header, progress: Progress) -> Self {
        let duration_secs = header.duration_secs;
        let jitter = header.time_jitter;
        Self {
            progress,
            // Without a duration something else decides its time; then it only says how fast seconds count.
            duration_secs: match duration_secs.is_finite() && duration_secs > 0.0 {
                true => duration_secs,
                false => 1.0,
            },
            flags: header.flags(),
            jitter: if jitter.is_finite() { jitter } else { 0.0 },
            begins: None,
        }
    }

    /// The same, but it begins at a time, and again after each period.
    pub(crate) fn beginning(self, at_secs: f32, period_secs: f32) -> Self {
        Self {
            begins: Some([at_secs, period_secs]),
            ..self
        }
    }

    /// When it begins.
    pub(super) fn begins_secs(&self) -> f32 {
        self.begins.map_or(0.0, |[at_secs, _]| at_secs)
    }

    /// Seconds since it began last, at a time of the level.
    pub(super) fn since_begin(&self, secs: f64) -> f64 {
        self.begins.map_or(secs, |[at_secs, period_secs]| {
            let since = secs - f64::from(at_secs);
            match since < 0.0 {
                true => since,
                false => since.rem_euclid(f64::from(period_secs)),
            }
        })
    }

    /// Seconds in which its time goes from 0 to 1.
    pub const fn duration_secs(&self) -> f32 {
        self.duration_secs
    }

    /// After which time all of it comes again.
    fn period_secs(&self) -> Option<f32> {
        let period = self.begins.map(|[_, period_secs]| period_secs);
        period.or(self.is_loop().then_some(self.duration_secs))
    }

    pub(crate) fn is_loop(&self) -> bool {
        self.progress == Progress::Loop
    }

    /// The value that it stays at, if it does.
    pub(super) fn held(&self) -> Option<f32> {
        match self.progress {
            Progress::Held(time) => Some(self.folded(time).clamp(0.0, 1.0)),
            Progress::Once | Progress::Loop | Progress::Falling => None,
        }
    }

    /// Its time, `0.0..=1.0`, some seconds after its start.
    pub fn time(&self, secs: f64) -> f32 {
        let secs = self.since_begin(secs);
        let risen = (secs / f64::from(self.duration_secs)).max(0.0);
        let once = risen.min(1.0) as f32;
        let mut time = match self.progress {
            Progress::Held(time) => time,
            Progress::Once => once,
            Progress::Loop => risen.fract() as f32,
            Progress::Falling => 1.0 - once,
        };
        if self.flags.contains(EffectFlags::TIMES_PROGRESS) {
            time *= once;
        }
        time = self.folded(time);
        if self.flags.contains(EffectFlags::JITTER) {
            time += self.jitter * (noise((secs * UPDATES_PER_SEC) as u32) - 0.5);
        }
        time.clamp(0.0, 1.0)
    }

    pub(super) fn folded(&self, time: f32) -> f32 {
        match self.flags.contains(EffectFlags::PING_PONG) {
            true => 1.0 - (2.0 * time - 1.0).abs(),
            false => time,
        }
    }

    /// Seconds after its start from which on it is gone, if it ever is.
    pub(super) fn end_secs(&self) -> Option<f32> {
        let ends = self.progress == Progress::Once && self.flags.contains(EffectFlags::ENDS);
        ends.then_some(self.duration_secs)
    }

    /// Whether it is still there some seconds after its start.
    pub fn is_on(&self, secs: f64) -> bool {
        let secs = self.since_begin(secs);
        secs >= 0.0 && self.end_secs().is_none_or(|end| secs < f64::from(end))
    }

    /// When its time rises past a value, in seconds after its start; `None` for never.
    pub(super) fn start(&self, time: f32) -> Option<SoundStart> {
        // With a way back, time rises in the first half, wherever it comes from.
        let share = match (self.flags.contains(EffectFlags::PING_PONG), self.progress) {
            (_, Progress::Held(_)) | (false, Progress::Falling) => return None,
            (true, _) => 0.5 * time,
            (false, _) => time,
        };
        (0.0..1.0).contains(&time).then(|| SoundStart {
            at_secs: self.begins_secs() + share * self.duration_secs,
            period_secs: self.period_secs(),
        })
    }

    /// When a window of its time is open, in seconds after its start; `None` for always.
    pub(super) fn open(&self, window: Window) -> Vec<Option<EmitterWindow>> {
        let is_within = |time: f32| window[0] <= time && time <= window[1];
        if let Some(time) = self.held() {
            return if is_within(time) {
                vec![None]
            } else {
                Vec::new()
            };
        }
        let is_whole = window[0] <= 0.0 && window[1] >= 1.0;
        if is_whole && self.progress == Progress::Loop {
            return vec![None];
        }
        let [low, high] = window;
        let shares = match (self.flags.contains(EffectFlags::PING_PONG), self.progress) {
            (true, _) if is_whole => vec![window],
            (true, _) => vec![[0.5 * low, 0.5 * high], [1.0 - 0.5 * high, 1.0 - 0.5 * low]],
            (false, Progress::Falling) => vec![[1.0 - high, 1.0 - low]],
            (false, _) => vec![window],
        };
        let is_loop = self.progress == Progress::Loop;
        // Where its time stays in the end.
        let rests = is_within(self.folded(if self.progress == Progress::Once {
            1.0
        } else {
            0.0
        }));
        let to_window = |[low, high]: Window| {
            let stays = !is_loop && rests && high >= 1.0;
            Some(EmitterWindow {
                start_secs: low * self.duration_secs,
                duration_secs: match stays {
                    true => FOREVER,
                    false => (high - low) * self.duration_secs,
                },
                period_secs: is_loop.then_some(self.duration_secs),
            })
        };
        shares.into_iter().map(to_window).collect()
    }
}

/// A number in `0.0..1.0` that belongs to a count.
fn noise(count: u32) -> f32 {
    let mut bits = count.wrapping_add(0x9E37_79B9);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x7FEB_352D);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x846C_A68B);
    ((bits ^ (bits >> 16)) >> 8) as f32 / 16_777_216.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(mode: u32, flags: EffectFlags) -> Header {
        Header {
            mode,
            duration_secs: 4.0,
            flag_bits: flags.bits(),
            time_jitter: 0.5,
            ..Header::default()
        }
    }

    fn clock(mode: u32, flags: EffectFlags) -> EffectClock {
        EffectClock::in_level(&header(mode, flags), None, 0.25)
    }

    #[test]
    fn time_goes_as_the_mode_and_the_flags_say() {
        let none = EffectFlags::empty();
        let there_and_back = EffectFlags::PING_PONG;
        let progress = EffectFlags::TIMES_PROGRESS;
        // Mode, flags; time at 0, 1, 3, 4 and 5 seconds.
        let rows = [
            (0, none, [0.0; 5]),
            (1, none, [0.0, 0.25, 0.75, 1.0, 1.0]),
            (2, none, [0.0, 0.25, 0.75, 0.0, 0.25]),
            (3, none, [1.0, 0.75, 0.25, 0.0, 0.0]),
            (1, there_and_back, [0.0, 0.5, 0.5, 0.0, 0.0]),
            (2, there_and_back, [0.0, 0.5, 0.5, 0.0, 0.5]),
            (5, none, [0.25; 5]),
            (13, progress, [0.0, 0.25, 0.75, 1.0, 1.0]),
            (14, none, [0.0; 5]),
            (99, none, [0.0; 5]),
        ];
        for (mode, flags, times) in rows {
            let clock = clock(mode, flags);
            let found = [0.0, 1.0, 3.0, 4.0, 5.0].map(|secs| clock.time(secs));
            assert_eq!(found, times, "{mode} {flags:?}");
        }
    }

    #[test]
    fn what_waits_goes_on_in_the_mode_that_it_is_started_in() {
        let waiting = header(0, EffectFlags::empty());
        assert_eq!(
            EffectClock::in_level(&waiting, Some(2), 0.0).time(5.0),
            0.25
        );
        assert_eq!(EffectClock::alone(&waiting).time(2.0), 0.5);
    }

    #[test]
    fn jitter_stays_in_its_range_and_repeats() {
        let held = header(1, EffectFlags::JITTER);
        let clock = EffectClock::in_level(&held, None, 0.0);
        let times: Vec<f32> = (0..40)
            .map(|i| clock.time(2.0 + f64::from(i) * 0.001))
            .collect();
        assert!(
            times.iter().all(|time| (0.25..=0.76).contains(time)),
            "{times:?}"
        );
        let later = clock.time(2.15);
        assert!((later - clock.time(2.05)).abs() > 0.026, "another number");
        assert_eq!(later, clock.time(2.15));
    }

    #[test]
    fn an_effect_that_ends_is_gone_when_its_time_is_one() {
        let ends = clock(1, EffectFlags::ENDS);
        assert!(ends.is_on(3.9) && !ends.is_on(4.0));
        assert!(clock(1, EffectFlags::empty()).is_on(100.0));
        assert!(
            clock(2, EffectFlags::ENDS).is_on(100.0),
            "a loop is never over"
        );
    }

    #[test]
    fn sounds_start_when_the_time_rises_past_their_value() {
        for mode in [0, 1, 2, 3] {
            for flags in [EffectFlags::empty(), EffectFlags::PING_PONG] {
                for trigger in [0.1, 0.3, 0.65] {
                    let clock = clock(mode, flags);
                    let start = clock.start(trigger);
                    let at = |step: i32| f64::from(step) * 0.0625;
                    for step in 1..160 {
                        let [before, now] = [step - 1, step].map(at);
                        let [low, high] = [before, now].map(|secs| clock.time(secs));
                        let expected = low <= trigger && trigger < high;
                        let found = start.is_some_and(|it| it.is_within(before, now));
                        assert_eq!(found, expected, "{mode} {flags:?} {trigger} {now}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_begins_later_begins_again_after_each_period() {
        let clock = clock(1, EffectFlags::ENDS).beginning(10.0, 30.0);
        // Time and whether it is on.
        for (secs, time) in [
            (0.0, None),
            (9.9, None),
            (11.0, Some(0.25)),
            (13.0, Some(0.75)),
            (14.5, None),
            (41.0, Some(0.25)),
        ] {
            assert_eq!(clock.is_on(secs).then(|| clock.time(secs)), time, "{secs}");
        }
        let start = clock.start(0.5).unwrap();
        assert_eq!((start.at_secs, start.period_secs), (12.0, Some(30.0)));
    }

    #[test]
    fn windows_are_open_when_the_time_is_in_them() {
        let flags = [
            EffectFlags::empty(),
            EffectFlags::PING_PONG,
            EffectFlags::ENDS,
        ];
        for mode in [0, 1, 2, 3] {
            for flags in flags {
                for window in [[0.0, 1.0], [0.0, 0.5], [0.25, 0.75], [0.5, 1.0]] {
                    let clock = clock(mode, flags);
                    let open = clock.open(window);
                    // Between the moments at which windows open or close.
                    for step in 0..96 {
                        let secs = 0.03 + f64::from(step) * 0.0625;
                        if !clock.is_on(secs) {
                            continue;
                        }
                        let time = clock.time(secs);
                        let expected = window[0] <= time && time <= window[1];
                        let is_open = open.iter().any(|it| it.is_none_or(|it| it.is_open(secs)));
                        assert_eq!(is_open, expected, "{mode} {flags:?} {window:?} {secs}");
                    }
                }
            }
        }
    }
}
