//! Which morph target of a figure's model is what.

use ironlands_scene::MorphTarget;

use super::finite;
use crate::anm::Anm;
use crate::complection::{N_STATES, STATE_NAMES};
use crate::fig::Fig;
use crate::figure::{Figure, FigureAnimation, FigurePart};

/// The morph targets of a figure: first its extreme states but for the first one, then the frames of animations that
/// move vertices, part after part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FigureTargets {
    /// For each animation and each part the target of its first frame, where it moves vertices.
    first_frames: Vec<Vec<Option<u32>>>,
    n_targets: u32,
}

impl FigureTargets {
    /// Those of the animations that may be played; of the others only parts move, not vertices.
    pub fn new(figure: &Figure, may_play: impl Fn(usize, &FigureAnimation) -> bool) -> Self {
        let mut n_targets = N_STATES as u32 - 1;
        let animations = figure.animations.iter().enumerate();
        let first_frames = animations.map(|(index, animation)| {
            let may_play = may_play(index, animation);
            let parts = figure.parts.iter().zip(&animation.parts);
            let first_frames = parts.map(|(part, anm)| {
                let (_, anm) = moving(part, anm.as_ref()).filter(|_| may_play)?;
                let first = n_targets;
                n_targets = n_targets.checked_add(anm.n_morph_frames)?;
                Some(first)
            });
            first_frames.collect()
        });
        Self {
            first_frames: first_frames.collect(),
            n_targets,
        }
    }

    /// The target of the first frame of an animation of a part, if it moves vertices; the other frames follow.
    pub fn first_frame(&self, animation: usize, part: usize) -> Option<u32> {
        *self.first_frames.get(animation)?.get(part)?
    }

    /// Number of targets.
    pub fn n_targets(&self) -> u32 {
        self.n_targets
    }

    /// The targets, where the vertices of each part begin at these places in the mesh: component after component.
    pub(super) fn of_mesh(&self, figure: &Figure, first_vertices: &[u32]) -> Vec<MorphTarget> {
        let mut targets: Vec<_> = (1..N_STATES).map(|state| of_state(figure, state)).collect();
        for (animation, first_frames) in figure.animations.iter().zip(&self.first_frames) {
            let parts = figure.parts.iter().zip(&animation.parts);
            let parts = parts.zip(first_frames).zip(first_vertices);
            for (((part, anm), first_frame), first_vertex) in parts {
                let Some((fig, anm)) = moving(part, anm.as_ref()).filter(|_| first_frame.is_some())
                else {
                    continue;
                };
                let frames = 0..anm.n_morph_frames as usize;
                targets.extend(frames.map(|frame| {
                    let name = format!("{} {} {frame}", animation.name, part.name);
                    trimmed(name, *first_vertex, of_frame(fig, anm.morphs_of(frame)))
                }));
            }
        }
        targets
    }
}

/// The mesh and the animation of a part, if that moves its vertices.
fn moving<'a>(part: &'a FigurePart, anm: Option<&'a Anm>) -> Option<(&'a Fig, &'a Anm)> {
    let (fig, anm) = part.fig.as_ref().zip(anm)?;
    (!anm.morphs.is_empty() && !fig.morphs.is_empty()).then_some((fig, anm))
}

/// How far each vertex of the model goes from the first state to another.
fn of_state(figure: &Figure, state: usize) -> MorphTarget {
    let figs = figure.parts.iter().filter_map(|part| part.fig.as_ref());
    let offsets = figs.flat_map(|fig| {
        fig.components.iter().map(move |component| {
            let vertex = component.position.into();
            let [ax, ay, az] = fig.state_position(0, vertex).map(finite);
            let [bx, by, bz] = fig.state_position(state, vertex).map(finite);
            [bx - ax, by - ay, bz - az].map(finite)
        })
    });
    let name = STATE_NAMES.get(state).copied().unwrap_or_default();
    trimmed(name.to_owned(), 0, offsets.collect())
}

/// How far each vertex of a part goes in a frame. Several offsets may move one position, and one several.
fn of_frame(fig: &Fig, morphs: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let mut of_positions = vec![[0.0f32; 3]; fig.n_vertices()];
    for morph in &fig.morphs {
        let offset = morphs.get(usize::from(morph.morph));
        let position = of_positions.get_mut(usize::from(morph.vertex));
        if let (Some(offset), Some(position)) = (offset, position) {
            for (sum, value) in position.iter_mut().zip(offset) {
                *sum = finite(*sum + finite(*value));
            }
        }
    }
    let components = fig.components.iter();
    let offsets = components.map(|it| of_positions.get(usize::from(it.position)));
    offsets.map(|it| it.copied().unwrap_or_default()).collect()
}

/// Without vertices that stay, at both ends.
fn trimmed(name: String, first_vertex: u32, mut offsets: Vec<[f32; 3]>) -> MorphTarget {
    let moves = |offset: &[f32; 3]| *offset != [0.0; 3];
    let n_moved = offsets.iter().rposition(moves).map_or(0, |last| last + 1);
    offsets.truncate(n_moved);
    let n_still = offsets.iter().position(moves).unwrap_or(0);
    offsets.drain(..n_still);
    offsets.shrink_to_fit();
    MorphTarget {
        name,
        first_vertex: first_vertex + n_still as u32,
        offsets,
    }
}
