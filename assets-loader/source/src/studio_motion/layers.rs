//! What sequences lay over themselves: layers by the numbers under which sequences are played, and how they are blended.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::StudioMotion;
use crate::mdl::motion::{BonePose, LaidOver, Sequence, SequenceLayer};
use ironlands_assets_core::bytes::{FormatError, Severity};

/// Most layers upon each other; games have two or three.
const MAX_DEPTH: usize = 8;
/// Most sequences that play together.
const MAX_TOGETHER: usize = 64;
/// A sequence that does not loop stays just before its end, where layers up to its end are still seen.
const LAST_CYCLE: f32 = 0.999;

/// What a sequence lays over itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Layers {
    rows: Vec<Layer>,
    /// Sequences that play together with it, with the layers of its layers.
    n_together: usize,
}

/// A layer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Layer {
    /// As stored.
    stored: SequenceLayer,
    /// The number under which its sequence is played.
    sequence: usize,
    /// Value of its pose parameter.
    value: Option<f32>,
}

impl StudioMotion {
    /// Finds the sequences that layers name; `known` are numbers by names in lower case. Layers that lead in a circle, or
    /// are too many, are findings and not played.
    pub(super) fn resolve_layers(&mut self, known: &HashMap<String, usize>) {
        let all = 0..self.sequences.len();
        let rows: Vec<Vec<Layer>> = all.map(|index| self.layers_of(index, known)).collect();
        // In each round those are counted whose layers have been counted in an earlier one.
        let mut counts: Vec<Option<usize>> = rows
            .iter()
            .map(|layers| layers.is_empty().then_some(0))
            .collect();
        for _ in 0..MAX_DEPTH {
            let next = rows.iter().zip(&counts).map(|(layers, count)| {
                let layers = layers.iter().map(|layer| {
                    let below: usize = (*counts.get(layer.sequence)?)?;
                    // A count beyond the limit need not grow.
                    Some(below.min(MAX_TOGETHER).saturating_add(1))
                });
                count.or_else(|| layers.sum())
            });
            counts = next.collect();
        }
        let mut refused = Vec::new();
        let layers = rows.into_iter().zip(counts).enumerate();
        self.layers = layers
            .map(|(index, (rows, count))| match count {
                Some(n_together) if n_together <= MAX_TOGETHER => Layers { rows, n_together },
                _ => {
                    refused.push(index);
                    Layers::default()
                }
            })
            .collect();
        for index in refused {
            let name = self.sequence(index).map(|it| it.name.as_str());
            let name = name.unwrap_or_default();
            self.find(
                Severity::Warning,
                format!(
                    "the layers of sequence {name} are not shown: they lead in a circle, or are more than {MAX_TOGETHER}, or \
                     more than {MAX_DEPTH} upon each other"
                ),
            );
        }
    }

    fn layers_of(&self, index: usize, known: &HashMap<String, usize>) -> Vec<Layer> {
        let played = self.sequences.get(index);
        let source = played.and_then(|played| self.sources.get(played.source));
        let (Some(source), Some(sequence)) = (source, self.sequence(index)) else {
            return Vec::new();
        };
        let layers = sequence.layers.iter().filter_map(|stored| {
            let named = source.motion.sequences.get(usize::from(stored.sequence))?;
            let parameter = stored.parameter_among(&source.motion.pose_parameters);
            Some(Layer {
                stored: *stored,
                sequence: *known.get(&named.name.to_lowercase())?,
                value: parameter.map(|it| it.nearest_to(0.0)),
            })
        });
        layers.collect()
    }

    /// How many sequences are laid over a sequence, with those that are laid over them, and with those that play always; 128
    /// at most.
    pub fn n_layers(&self, index: usize) -> usize {
        let own = self.layers.get(index).map_or(0, |it| it.n_together);
        own.saturating_add(self.n_always())
    }

    /// How many sequences play always, with those that are laid over them.
    fn n_always(&self) -> usize {
        let together = self.always.iter().filter_map(|it| self.layers.get(*it));
        together.fold(0, |sum, it| {
            sum.saturating_add(it.n_together).saturating_add(1)
        })
    }

    /// Finds the sequences that play always. Too many are a finding and not played.
    pub(super) fn resolve_always(&mut self) {
        let all = 0..self.sequences.len();
        let always = all.filter(|&it| self.sequence(it).is_some_and(Sequence::plays_always));
        self.always = always.collect();
        if self.n_always() > MAX_TOGETHER {
            self.always.clear();
            let message = format!("more than {MAX_TOGETHER} sequences play always; none is shown");
            self.find(Severity::Warning, message);
        }
    }

    /// Lays the sequences that play always over another one, by the time since that began.
    pub(super) fn lay_always_over(
        &self,
        index: usize,
        time_secs: f32,
        poses: &mut [BonePose],
    ) -> Result<(), FormatError> {
        let over = self.always.iter().filter(|it| **it != index);
        over.copied().try_for_each(|always| {
            let at = LaidOver {
                weight: 1.0,
                cycle: self.cycle_at(always, time_secs),
            };
            self.lay_over(always, (at, time_secs), poses)
        })
    }

    /// Where a sequence is that has played again and again for a time, as a share of its length.
    fn cycle_at(&self, index: usize, time_secs: f32) -> f32 {
        let cycle = time_secs * self.fps(index) / self.last_frame(index);
        match cycle.is_finite() {
            true => cycle - cycle.floor(),
            false => 0.0,
        }
    }

    /// Where the bones of a sequence are, as a share of its length, if it is at this share by the sequence that it belongs to.
    fn own_cycle(&self, index: usize, cycle: f32, time_secs: f32) -> f32 {
        let played = self.sequences.get(index);
        let source = played.and_then(|played| self.sources.get(played.source));
        match source.zip(self.sequence(index)) {
            Some((source, sequence)) if sequence.cycles_by_parameter() => {
                let parameters = &source.motion.pose_parameters;
                let parameter = sequence.cycle_parameter.and_then(|it| parameters.get(it));
                parameter.map_or(0.0, |it| it.share_at(0.0))
            }
            Some((_, sequence)) if sequence.cycles_by_time() => self.cycle_at(index, time_secs),
            _ => cycle,
        }
    }

    /// Moves bones as a sequence and its layers do, at a time since the first of them began. Layers of layers end, since
    /// [`Self::resolve_layers`] has counted them.
    pub(super) fn lay_over(
        &self,
        index: usize,
        (at, time_secs): (LaidOver, f32),
        poses: &mut [BonePose],
    ) -> Result<(), FormatError> {
        let played = self.sequences.get(index);
        let source = played.and_then(|played| self.sources.get(played.source));
        let (Some(source), Some(sequence)) = (source, self.sequence(index)) else {
            return Ok(());
        };
        if sequence.animations.is_empty() {
            // It is declared, and no model has it.
            return Ok(());
        }
        let cycle = match sequence.loops() {
            true => at.cycle - at.cycle.floor(),
            false => at.cycle.clamp(0.0, LAST_CYCLE),
        };
        let layers = self.layers.get(index).map(|it| &it.rows[..]);
        let layers = layers.unwrap_or_default();
        let mut own = match sequence.adds() {
            true => vec![BonePose::NOTHING; poses.len()],
            false => self.rest_pose(),
        };
        let own_cycle = self.own_cycle(index, at.cycle, time_secs);
        source.place(sequence, own_cycle, &mut own)?;
        for layer in layers.iter().filter(|it| it.stored.is_local()) {
            if sequence.has_local_layers() {
                self.lay_layer_over(layer, (1.0, cycle, time_secs), &mut own)?;
            }
        }
        source.blend(sequence, at.weight, &own, poses);
        for layer in layers.iter().filter(|it| !it.stored.is_local()) {
            self.lay_layer_over(layer, (at.weight, cycle, time_secs), poses)?;
        }
        Ok(())
    }

    fn lay_layer_over(
        &self,
        layer: &Layer,
        (weight, cycle, time_secs): (f32, f32, f32),
        poses: &mut [BonePose],
    ) -> Result<(), FormatError> {
        match layer.stored.at(weight, cycle, layer.value) {
            Some(at) => self.lay_over(layer.sequence, (at, time_secs), poses),
            None => Ok(()),
        }
    }
}
