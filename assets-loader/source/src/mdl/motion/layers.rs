//! Layers: further sequences that a sequence lays over itself while it plays. Layout as `studio.h` of the public SDK has it;
//! how much of a layer is seen is as in the engine.

#[cfg(test)]
mod tests;

use std::fmt;

use super::{Motion, PoseParameter};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::record::Record;

/// Flags of a layer.
const CURVED: u32 = 0x40;
const FADES_ACROSS: u32 = 0x80;
const IGNORES_WEIGHT: u32 = 0x200;
const LOCAL: u32 = 0x1000;
const BY_PARAMETER: u32 = 0x4000;

/// A sequence that another one lays over itself. It comes from `start` to `peak` and goes from `tail` to `end`; these are
/// shares of the sequence, or values of a pose parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct SequenceLayer {
    /// Number of the sequence in the same file.
    #[field("layer sequence")]
    pub sequence: u16,
    /// Number of the pose parameter, which counts with flag 0x4000 only.
    #[field("layer parameter")]
    pub parameter: i16,
    /// 0x40 comes and goes in a curve, 0x80 fades across to a layer that follows, 0x200 as much as it is whatever the weight
    /// of the sequence, 0x1000 laid over the sequence before that is blended, 0x4000 by a pose parameter.
    #[field("layer flags")]
    pub flags: u32,
    /// From here on it is seen.
    #[field("layer start")]
    pub start: f32,
    /// From here on all of it is seen.
    #[field("layer peak")]
    pub peak: f32,
    /// Up to here all of it is seen.
    #[field("layer tail")]
    pub tail: f32,
    /// From here on it is not seen; as `start` = it is always seen.
    #[field("layer end")]
    pub end: f32,
}

const _: () = assert!(SequenceLayer::SIZE == 24, "as `studio.h` has it");

/// A layer at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaidOver {
    /// How much of it is seen, 0 to 1.
    pub weight: f32,
    /// Where it is, as a share of its sequence.
    pub cycle: f32,
}

impl SequenceLayer {
    /// A layer that is seen all the time, as much as the sequence that lays it over itself.
    pub(crate) fn from_sequence(sequence: u16) -> Self {
        Self {
            sequence,
            parameter: -1,
            ..Self::default()
        }
    }

    /// Reads a layer of a sequence of a file with this many sequences.
    pub(super) fn read_checked(
        r: &mut Reader<'_>,
        n_sequences: usize,
    ) -> Result<Self, FormatError> {
        let at = r.clone();
        let layer = <Self as Record>::read(r, ())?;
        match usize::from(layer.sequence) < n_sequences {
            true => Ok(layer),
            false => {
                let expected = format!("a sequence below {n_sequences}");
                Err(at.unexpected("layer sequence", expected, layer.sequence))
            }
        }
    }

    /// Whether it is laid over the sequence itself, before that is blended with what plays below it.
    pub fn is_local(&self) -> bool {
        self.flags & LOCAL != 0
    }

    /// Whether a pose parameter says how much of it is seen. That of a local layer is not used.
    pub fn is_by_parameter(&self) -> bool {
        self.flags & BY_PARAMETER != 0 && !self.is_local()
    }

    /// The pose parameter that says how much of it is seen, among all of its file.
    pub fn parameter_among<'a>(&self, all: &'a [PoseParameter]) -> Option<&'a PoseParameter> {
        let number = usize::try_from(self.parameter).ok();
        let number = number.filter(|_| self.is_by_parameter());
        all.get(number?)
    }

    /// How much of it is seen, and where it is, while its sequence has this weight and is at this share of its length, of 0 up
    /// to but without 1. `value` is that of its pose parameter; `None` if there is none. Without result it is not seen.
    pub fn at(&self, weight: f32, cycle: f32, value: Option<f32>) -> Option<LaidOver> {
        let Self {
            start,
            peak,
            tail,
            end,
            ..
        } = *self;
        if start == end {
            // Newer games let a parameter raise such a layer from peak to tail; older ones know none that has both.
            let rises = self.is_by_parameter() && start == 0.0 && peak != tail;
            let share = match rises {
                true => self.curved((value? - peak) / (tail - peak)),
                false => 1.0,
            };
            let weight = weight * share;
            return Some(LaidOver { weight, cycle });
        }
        let at = match self.is_by_parameter() {
            true => value.unwrap_or(0.0),
            false => cycle,
        };
        if at < start || at >= end {
            return None;
        }
        let share = if at < peak && start != peak {
            (at - start) / (peak - start)
        } else if at > tail && end != tail {
            (end - at) / (end - tail)
        } else {
            1.0
        };
        let share = self.curved(share);
        let weight = if self.flags & FADES_ACROSS != 0 && at > tail {
            // What is left of a layer that is all but gone may be no number.
            (share * weight / (1.0 - weight + share * weight)).max(0.0)
        } else if self.flags & IGNORES_WEIGHT != 0 {
            share
        } else {
            share * weight
        };
        let own_cycle = (cycle - start) / (end - start);
        // Compilers divide by the length of a sequence of one frame, which leaves no numbers.
        let is_own = !self.is_by_parameter() && own_cycle.is_finite();
        Some(LaidOver {
            weight: weight.clamp(0.0, 1.0),
            cycle: if is_own { own_cycle } else { cycle },
        })
    }

    fn curved(&self, share: f32) -> f32 {
        let share = match share.is_finite() {
            true => share.clamp(0.0, 1.0),
            false => 1.0,
        };
        match self.flags & CURVED != 0 {
            true => share * share * (3.0 - 2.0 * share),
            false => share,
        }
    }
}

impl Motion {
    /// A sequence by its number, with the layers that it lays over itself.
    pub fn facts(&self, number: usize) -> String {
        let Some(sequence) = self.sequences.get(number) else {
            return String::new();
        };
        let layers = sequence.layers.iter().map(|layer| {
            let name = self.sequences.get(usize::from(layer.sequence));
            let name = name.map_or("", |it| it.name.as_str());
            format!(
                ", lays {name} over it{}",
                Ramp(layer, &self.pose_parameters)
            )
        });
        let layers: String = layers.collect();
        format!("{sequence}{layers}")
    }
}

/// When a layer is seen, as in ` (0.20, 0.30 to 0.80, 0.90 of move_yaw)`; nothing if it always is.
struct Ramp<'a>(&'a SequenceLayer, &'a [PoseParameter]);

impl fmt::Display for Ramp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(layer, parameters) = self;
        let SequenceLayer {
            start,
            peak,
            tail,
            end,
            ..
        } = layer;
        if start == end && !layer.is_by_parameter() {
            return Ok(());
        }
        write!(f, " ({start:.2}, {peak:.2} to {tail:.2}, {end:.2}")?;
        match layer.parameter_among(parameters) {
            Some(parameter) => write!(f, " of {})", parameter.name),
            None => f.write_str(")"),
        }
    }
}
