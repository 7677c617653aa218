//! Sounds as plain data: what is heard, when, from where and how far.
//!
//! Nothing is stepped: whether a loop plays at a time, and whether a sound begins between two times, follows from the
//! times alone, so that recordings repeat.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::{Anchor, EmitterWindow, HourWindow};

/// A recording that sounds play.
#[derive(Debug, Clone, PartialEq)]
pub struct SoundClip {
    /// Name for reports.
    pub name: String,
    /// A whole WAV, Ogg Vorbis or MP3 file, as the game has it; decoded when it is first heard.
    pub file: Arc<[u8]>,
}

/// Index into `Scene::clips`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClipIdx(pub u32);

/// Something that is heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// Name for reports.
    pub name: String,
    /// What is played.
    pub clip: ClipIdx,
    /// Where it is heard.
    pub source: SoundSource,
    /// When it is heard.
    pub play: SoundPlay,
    /// Share of its full loudness, `0.0..=1.0`.
    pub gain: f32,
    /// Factor of speed and pitch; above 0.
    pub rate: f32,
    /// The hours of the day at which it is there; `None` is always.
    pub hours: Option<HourWindow>,
}

/// Where a sound is heard.
#[derive(Debug, Clone, PartialEq)]
pub enum SoundSource {
    /// Everywhere alike.
    Everywhere,
    /// Around a place, from whose side it comes.
    Around {
        /// What carries it. With [`Anchor::Eye`] it is heard everywhere alike.
        anchor: Anchor,
        /// How it fades with distance.
        reach: SoundReach,
    },
}

/// How a sound fades with distance, world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoundReach {
    /// Within it the sound is at its full loudness, which halves with each doubling of the distance beyond; above 0.
    pub near: f32,
    /// From here on it is not heard; at least `near`, may be infinite.
    pub far: f32,
}

/// When a sound is heard.
#[derive(Debug, Clone, PartialEq)]
pub enum SoundPlay {
    /// Again and again while one of the windows is open; always if there are none.
    Loop(Vec<EmitterWindow>),
    /// From its beginning to its end at each of these times. It begins again if it still plays.
    Once(Vec<SoundStart>),
    /// From its beginning to its end each time that its [state](SoundState) calls it.
    OnCall,
}

/// What the level makes of a sound at a moment, beside what the sound does by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoundState {
    /// Whether it is heard at all; a loop that is turned on again continues where it is by then.
    pub is_on: bool,
    /// How often it has been called since the level began, for [`SoundPlay::OnCall`].
    pub n_calls: u64,
    /// Share of its loudness, `0.0..=1.0`.
    pub gain: f32,
    /// Factor of its speed and pitch; above 0.
    pub rate: f32,
    /// From where the scene has it, if that is a fixed place; world units.
    pub moved: [f32; 3],
}

impl Default for SoundState {
    /// On, as the sound is by itself, and never called.
    fn default() -> Self {
        Self {
            is_on: true,
            n_calls: 0,
            gain: 1.0,
            rate: 1.0,
            moved: [0.0; 3],
        }
    }
}

/// A time at which a sound begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoundStart {
    /// At least 0.
    pub at_secs: f32,
    /// After which it begins again, for ever; above 0. `None`: never.
    pub period_secs: Option<f32>,
}

impl SoundReach {
    /// Share of its full loudness at a distance.
    pub fn gain_at(&self, distance: f32) -> f32 {
        match distance < self.far {
            true => self.near / distance.max(self.near),
            false => 0.0,
        }
    }
}

impl SoundStart {
    /// Whether the sound begins after the first of two times, or at the second.
    pub fn is_within(&self, from_secs: f64, to_secs: f64) -> bool {
        // How often it has begun by a time.
        let n_begun = |secs: f64| {
            let since = secs - f64::from(self.at_secs);
            match self.period_secs {
                _ if since < 0.0 => 0.0,
                None => 1.0,
                Some(period) => (since / f64::from(period)).floor() + 1.0,
            }
        };
        n_begun(from_secs) < n_begun(to_secs)
    }
}

impl Sound {
    /// Whether it is a loop that plays at a time.
    pub fn loops_at(&self, secs: f64) -> bool {
        match &self.play {
            SoundPlay::Loop(windows) => {
                windows.is_empty() || windows.iter().any(|window| window.is_open(secs))
            }
            SoundPlay::Once(_) | SoundPlay::OnCall => false,
        }
    }

    /// Whether it begins after the first of two times, or at the second.
    pub fn starts_within(&self, from_secs: f64, to_secs: f64) -> bool {
        match &self.play {
            SoundPlay::Loop(_) | SoundPlay::OnCall => false,
            SoundPlay::Once(starts) => starts.iter().any(|it| it.is_within(from_secs, to_secs)),
        }
    }
}
