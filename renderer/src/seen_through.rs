//! The order of what is seen through: surfaces and particles, far to near. Plain arithmetic, no GPU.

use std::ops::Range;

use crate::{draw_list::DrawItem, particle_list::ParticleList};

/// Particles, and surfaces that are nearer than all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// Range of the sorted particles; may be empty.
    pub quads: Range<usize>,
    /// Range of the surfaces; may be empty.
    pub items: Range<usize>,
}

/// The runs of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct SeenThrough {
    pub runs: Vec<Run>,
}

impl SeenThrough {
    /// Merges surfaces, farthest first, and sorted particles. A surface is as far away as its middle.
    pub fn arrange(&mut self, items: &[DrawItem], particles: &ParticleList) {
        self.runs.clear();
        let mut run = Run {
            quads: 0..0,
            items: 0..0,
        };
        for (index, item) in items.iter().enumerate() {
            let n_beyond = particles.n_beyond(item.distance_sq());
            if n_beyond > run.quads.end {
                self.finish(run);
                run = Run {
                    quads: self.n_quads()..n_beyond,
                    items: index..index,
                };
            }
            run.items.end = index + 1;
        }
        self.finish(run);
        self.finish(Run {
            quads: self.n_quads()..particles.len(),
            items: items.len()..items.len(),
        });
    }

    /// How many runs have particles.
    pub fn n_particle_calls(&self) -> usize {
        self.runs.iter().filter(|run| !run.quads.is_empty()).count()
    }

    fn finish(&mut self, run: Run) {
        if !run.quads.is_empty() || !run.items.is_empty() {
            self.runs.push(run);
        }
    }

    /// Particles of all runs so far.
    fn n_quads(&self) -> usize {
        self.runs.last().map_or(0, |run| run.quads.end)
    }
}
