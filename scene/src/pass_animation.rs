//! Passes that change with time: phases, and the order and speed in which they are shown.

#[cfg(test)]
mod tests;

use crate::{TextureCell, TextureIdx};

/// How a pass changes with time. It replaces the texture and the colors of the pass.
#[derive(Debug, Clone, PartialEq)]
pub struct PassAnimation {
    /// The looks that there are; never empty.
    pub phases: Vec<PassPhase>,
    /// Phases in the order in which they are shown; never empty.
    pub keys: Vec<PhaseKey>,
    /// What comes after the last key.
    pub mode: PhaseMode,
    /// Which colors glide from one key to the next; the others stay until the next key.
    pub glides: Glides,
}

/// One look of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassPhase {
    /// As [`crate::Pass::texture`].
    pub texture: Option<TextureIdx>,
    /// As [`crate::Pass::cell`].
    pub cell: TextureCell,
    /// As [`crate::Pass::diffuse`].
    pub diffuse: [f32; 4],
    /// As [`crate::Pass::ambient`].
    pub ambient: [f32; 3],
    /// As [`crate::Pass::emissive`].
    pub emissive: [f32; 3],
}

/// A phase for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseKey {
    /// Index into [`PassAnimation::phases`].
    pub phase: u32,
    /// How long it takes from here to the next key; 0 = the key is passed over.
    pub duration_ms: u32,
}

/// What comes after the last key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PhaseMode {
    /// The first again; the last key leads to it.
    Loop,
    /// All backward, then forward again; at the turn, the last key leads to the first and back.
    PingPong,
    /// Nothing: the last one stays, whatever its duration.
    Clamp,
    /// Any moment of the loop, at any time.
    Random,
}

/// Colors that glide from one key to the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Glides {
    /// [`PassPhase::diffuse`] without its alpha.
    pub diffuse: bool,
    /// The alpha of [`PassPhase::diffuse`].
    pub alpha: bool,
    /// [`PassPhase::ambient`].
    pub ambient: bool,
    /// [`PassPhase::emissive`].
    pub emissive: bool,
}

impl PassAnimation {
    /// The phase at a time in milliseconds; a clock that wraps around continues from time 0.
    ///
    /// One pass through the keys is a cycle, as long as their durations together; a cycle without length shows the
    /// first key. From a key to the next the colors that glide do so evenly; everything else is that of the key
    /// until its duration is over. Where no key follows ([`PhaseMode::Clamp`]) the last one
    /// stays. The result depends on the time alone, at random too: there a hash of the time chooses the moment.
    ///
    /// Visits keys in order, so the cost grows with their number.
    ///
    /// # Panics
    /// On an animation that [`crate::Scene::validate`] refuses: without keys, or with keys that name no phase.
    pub fn at(&self, time_ms: u32) -> PassPhase {
        let cycle_ms: u64 = self.keys.iter().map(|key| u64::from(key.duration_ms)).sum();
        if cycle_ms == 0 {
            return self.look(0);
        }
        let (key, fraction) = self.segment_at(self.moment_at(u64::from(time_ms), cycle_ms));
        let from = self.look(key);
        let next = match self.mode {
            _ if key + 1 < self.keys.len() => key + 1,
            PhaseMode::Loop | PhaseMode::Random | PhaseMode::PingPong => 0,
            PhaseMode::Clamp => return from,
        };
        self.glide(from, self.look(next), fraction)
    }

    /// Where on the cycle a time lies, `0..=cycle_ms`; `cycle_ms` itself is the end of the last key.
    fn moment_at(&self, time_ms: u64, cycle_ms: u64) -> u64 {
        let since_start = time_ms % cycle_ms;
        match self.mode {
            PhaseMode::Loop => since_start,
            PhaseMode::PingPong if (time_ms / cycle_ms).is_multiple_of(2) => since_start,
            PhaseMode::PingPong => cycle_ms - since_start,
            PhaseMode::Clamp => time_ms.min(cycle_ms),
            PhaseMode::Random => u64::from(hash(time_ms as u32)) % cycle_ms,
        }
    }

    /// The key whose duration holds a moment of the cycle, and the part of it that is over.
    fn segment_at(&self, moment_ms: u64) -> (usize, f32) {
        let mut left_ms = moment_ms;
        for (index, key) in self.keys.iter().enumerate() {
            let duration_ms = u64::from(key.duration_ms);
            if left_ms < duration_ms {
                return (index, left_ms as f32 / duration_ms as f32);
            }
            left_ms -= duration_ms;
        }
        (self.keys.len() - 1, 1.0)
    }

    fn look(&self, key: usize) -> PassPhase {
        self.phases[self.keys[key].phase as usize]
    }

    fn glide(&self, from: PassPhase, to: PassPhase, fraction: f32) -> PassPhase {
        let mix = |from: f32, to: f32| from + (to - from) * fraction;
        let mut look = from;
        if self.glides.alpha {
            look.diffuse[3] = mix(from.diffuse[3], to.diffuse[3]);
        }
        for channel in 0..3 {
            if self.glides.diffuse {
                look.diffuse[channel] = mix(from.diffuse[channel], to.diffuse[channel]);
            }
            if self.glides.ambient {
                look.ambient[channel] = mix(from.ambient[channel], to.ambient[channel]);
            }
            if self.glides.emissive {
                look.emissive[channel] = mix(from.emissive[channel], to.emissive[channel]);
            }
        }
        look
    }
}

/// Scatters neighboring times over all 32 bits: the finalizer of MurmurHash3, whose every input bit changes every
/// output bit in about half of all cases. The same time gives the same moment, so that pictures can be repeated.
fn hash(time_ms: u32) -> u32 {
    let mut bits = time_ms;
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x85EB_CA6B);
    bits ^= bits >> 13;
    bits = bits.wrapping_mul(0xC2B2_AE35);
    bits ^ (bits >> 16)
}
