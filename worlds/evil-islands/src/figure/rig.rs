//! What of a figure is the same in every pose.

use glam::{Quat, Vec3};
use ironlands_assets_evil_islands::adb::Stage;
use ironlands_assets_evil_islands::anm::{Anm, FRAMES_PER_SEC};
use ironlands_assets_evil_islands::bon::Bon;
use ironlands_assets_evil_islands::figure::{Figure, FigureAnimation};
use ironlands_assets_evil_islands::figure_scene::{FigureTargets, state_weights};
use ironlands_scene::MorphWeight;

/// How fast frames follow each other.
pub const FIGURE_FRAMES_PER_SEC: f32 = FRAMES_PER_SEC;

/// Weights of extreme states; those of frames follow.
pub(super) const N_STATE_WEIGHTS: usize = 7;

/// The parts of a figure and its animations, checked once. Immutable, shared between threads.
#[derive(Debug, Clone, Default)]
pub struct Rig {
    pub(super) parts: Vec<RigPart>,
    pub(super) animations: Vec<RigAnimation>,
    /// Least, middle and greatest height of who moves like this, if that is known.
    heights: Option<[f32; 3]>,
    n_weights: usize,
    idle: Option<usize>,
}

/// What carries a part, and where it stands from there in each extreme state.
#[derive(Debug, Clone)]
pub(super) struct RigPart {
    /// Before the part itself.
    pub parent: Option<usize>,
    bon: Bon,
}

#[derive(Debug, Clone)]
pub(super) struct RigAnimation {
    pub n_frames: usize,
    /// After the last frame comes the first.
    pub is_cycle: bool,
    /// One for each part.
    pub tracks: Vec<Track>,
}

/// How a part moves; empty for one that keeps to its parent.
#[derive(Debug, Clone, Default)]
pub(super) struct Track {
    /// Of unit length.
    pub rotations: Vec<Quat>,
    pub translations: Vec<Vec3>,
    /// Target of the first frame, and how many there are.
    pub morphs: Option<(u32, u32)>,
}

/// What a complection makes of a rig.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Build {
    /// Of each part from its parent.
    pub(super) offsets: Vec<Vec3>,
    pub(super) states: [MorphWeight; N_STATE_WEIGHTS],
    /// Of the way that the root goes in animations.
    pub(super) root_scale: f32,
}

impl Rig {
    /// The rig of a figure; `targets` are those of its model. `heights` are the least, middle and greatest height of
    /// its table of animations. `is_cycle` says of each animation whether it starts over after its last frame.
    ///
    /// # Panics
    /// If a part does not stand behind its parent, which no reader lets through.
    pub fn new(
        figure: &Figure,
        targets: &FigureTargets,
        heights: Option<[f32; 3]>,
        is_cycle: impl Fn(usize, &FigureAnimation) -> bool,
    ) -> Self {
        let parts = figure.parts.iter().enumerate().map(|(index, part)| {
            let parent = part.parent.map(|parent| parent as usize);
            let is_behind = parent.is_none_or(|parent| parent < index);
            assert!(is_behind, "part {index} stands before its parent");
            RigPart {
                parent,
                bon: part.bon.clone().unwrap_or_default(),
            }
        });
        let parts: Vec<_> = parts.collect();
        let animations = figure.animations.iter().enumerate();
        let animations = animations.map(|(index, animation)| {
            let tracks = (0..parts.len()).map(|part| {
                let anm = animation.parts.get(part).and_then(Option::as_ref);
                anm.map_or_else(Track::default, |anm| {
                    Track::new(anm, targets.first_frame(index, part))
                })
            });
            RigAnimation {
                n_frames: animation.n_frames(),
                is_cycle: is_cycle(index, animation),
                tracks: tracks.collect(),
            }
        });
        let animations: Vec<_> = animations.collect();
        let n_moving = animations.iter().map(RigAnimation::n_moving).max();
        Self {
            parts,
            animations,
            heights: heights.filter(is_usable),
            n_weights: N_STATE_WEIGHTS.saturating_add(n_moving.unwrap_or(0).saturating_mul(2)),
            idle: figure.idle_animation(),
        }
    }

    /// The rig of a figure by the table of its animations, if it has one: it has heights and cycles. What the
    /// table does not know is decided by its name.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn from_figure(figure: &Figure, targets: &FigureTargets) -> Self {
        let table = figure.adb.as_ref();
        let heights = table.map(|table| table.heights);
        Self::new(figure, targets, heights, |_, animation| {
            let row = table.and_then(|table| table.find(&animation.name));
            row.map_or_else(
                || animation.is_named_cycle(),
                |row| row.action.stage() == Stage::Cycle,
            )
        })
    }

    /// Matrices of a pose.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// Weights of a pose, those included that are 0.
    pub fn n_weights(&self) -> usize {
        self.n_weights
    }

    /// Number of animations.
    pub fn n_animations(&self) -> usize {
        self.animations.len()
    }

    /// The last frame of an animation; of a cycle the one that is its first again. 0 for one that is not there.
    pub fn last_frame(&self, animation: usize) -> f32 {
        let Some(animation) = self.animations.get(animation) else {
            return 0.0;
        };
        let n_frames = animation.n_frames;
        let last = if animation.is_cycle {
            n_frames
        } else {
            n_frames.saturating_sub(1)
        };
        last as f32
    }

    /// Whether an animation starts over after its last frame.
    pub fn is_cycle(&self, animation: usize) -> bool {
        let animation = self.animations.get(animation);
        animation.is_some_and(|animation| animation.is_cycle)
    }

    /// [`Figure::idle_animation`].
    pub fn idle(&self) -> Option<usize> {
        self.idle
    }

    /// What a complection (dexterity, strength, height) makes of it.
    pub fn build(&self, complection: [f32; 3]) -> Build {
        let offsets = self.parts.iter().map(|part| {
            // As the scene has it; checks report numbers that are not finite.
            let offset = part.bon.offset(complection);
            Vec3::from(offset.map(|v| if v.is_finite() { v } else { 0.0 }))
        });
        let [_, _, height] = complection;
        Build {
            offsets: offsets.collect(),
            states: state_weights(complection),
            // The height of this one in middle heights. Whether the game scales so is not certain (section 9.6).
            root_scale: self.heights.map_or(1.0, |[least, middle, greatest]| {
                (least + height * (greatest - least)) / middle
            }),
        }
    }
}

impl RigAnimation {
    /// Parts whose vertices move.
    fn n_moving(&self) -> usize {
        let tracks = self.tracks.iter();
        tracks.filter(|track| track.morphs.is_some()).count()
    }
}

impl Track {
    fn new(anm: &Anm, first_target: Option<u32>) -> Self {
        let rotations = anm.rotations.iter();
        Self {
            rotations: rotations.map(|it| unit_quat(*it)).collect(),
            translations: anm.translations.iter().map(|it| Vec3::from(*it)).collect(),
            morphs: first_target.map(|first| (first, anm.n_morph_frames)),
        }
    }
}

/// Whether heights can be divided by the middle one.
fn is_usable(heights: &[f32; 3]) -> bool {
    let [_, middle, _] = *heights;
    heights.iter().all(|height| height.is_finite()) && middle != 0.0
}

/// A rotation is by `q v q^-1`, whatever the length of q; without one that turns, nothing turns.
fn unit_quat([w, x, y, z]: [f32; 4]) -> Quat {
    let quat = Quat::from_xyzw(x, y, z, w);
    let length = quat.length();
    if length.is_finite() && length > 0.0 {
        quat / length
    } else {
        Quat::IDENTITY
    }
}
