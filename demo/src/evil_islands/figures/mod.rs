//! The figures of the island, each as a function of its build: what the format stores is that function's eight
//! extreme states.
//!
//! In: nothing. Out: [`FigurePlan`]s, and through [`archive`] the files of `figures.res`. Figures look along -Y and are
//! 1 to a meter; parts hang on parts, and what a part shows is drawn around its own origin.

mod archive;
mod buildings;
mod human;
mod loft;
mod motion;
mod props;
mod trees;

pub use archive::files;
pub use buildings::wall;
pub use human::{HEIGHTS, HUMAN, arms, skin};
pub use props::chest;

use crate::models::shape::Shape;
use crate::models::turn::Turn;
use crate::noise::mix;
use crate::vector::Vec3;

/// Render group of what is opaque: units.
pub const OPAQUE_UNIT: u32 = 19;
/// Render group of what is opaque: buildings and stones.
pub const OPAQUE: u32 = 22;
/// Render group of what is cut out by alpha.
pub const CUT_OUT: u32 = 18;
/// Render group of what is blended.
pub const BLENDED: u32 = 25;

/// A build, 0 to 1 along each way that figures differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Build {
    /// Clumsy to nimble; of things, most often narrow to wide.
    pub dexterity: f64,
    /// Thin to strong; of things, thickness, or how far they are open.
    pub strength: f64,
    /// Child to tall.
    pub height: f64,
}

impl Build {
    /// An extreme state by its place in files: bit 0 strength, bit 1 dexterity, bit 2 height.
    pub fn state(k: usize) -> Self {
        let bit = |bit: usize| f64::from((k >> bit & 1) as u32);
        Self {
            strength: bit(0),
            dexterity: bit(1),
            height: bit(2),
        }
    }

    /// A measure that goes from `clumsy` to `nimble`.
    pub fn by_dexterity(self, clumsy: f64, nimble: f64) -> f64 {
        mix(clumsy, nimble, self.dexterity)
    }

    /// A measure that goes from `thin` to `strong`.
    pub fn by_strength(self, thin: f64, strong: f64) -> f64 {
        mix(thin, strong, self.strength)
    }

    /// A measure that goes from `low` to `tall`.
    pub fn by_height(self, low: f64, tall: f64) -> f64 {
        mix(low, tall, self.height)
    }
}

/// A part of a figure.
pub struct PartPlan {
    pub name: &'static str,
    pub parent: Option<&'static str>,
    /// Where its origin is, from its parent's.
    pub offset: fn(Build) -> Vec3,
    /// What it shows; the same triangles in the same order for every build.
    pub shape: fn(Build) -> Shape,
    pub group: u32,
    /// 1 for the first texture of the object, 2 for its second.
    pub texture: u32,
    /// Which of the moving points of its animations a point of it follows, in the build of state 0.
    pub morph: Option<fn(Vec3) -> u16>,
}

/// An animation of a whole figure.
pub struct MotionPlan {
    pub name: &'static str,
    /// One for each part that moves, by name; the others stay as they are.
    pub parts: Vec<PartMotion>,
    pub n_frames: usize,
}

/// An animation of a part.
pub struct PartMotion {
    pub part: &'static str,
    /// A rotation for each frame, about the figure's axes, after that of the parent.
    pub rotations: Vec<Turn>,
    /// A position for each frame; only the root's counts.
    pub translations: Vec<Vec3>,
    /// For each frame how far its moving points are from where they rest, or nothing.
    pub morphs: Vec<Vec<Vec3>>,
}

/// A figure.
pub struct FigurePlan {
    /// Name of its files.
    pub name: &'static str,
    pub parts: Vec<PartPlan>,
    pub motions: Vec<MotionPlan>,
}

/// All figures, by name.
pub fn all() -> Vec<FigurePlan> {
    let mut all = vec![human::human()];
    all.extend(trees::all());
    all.extend(buildings::all());
    all.extend(props::all());
    all.sort_by_key(|plan| plan.name);
    all
}

/// A part that hangs nowhere, at the figure's origin.
fn root(name: &'static str, shape: fn(Build) -> Shape, group: u32) -> PartPlan {
    PartPlan {
        name,
        parent: None,
        offset: |_| [0.0; 3],
        shape,
        group,
        texture: 1,
        morph: None,
    }
}

impl PartPlan {
    /// The same part, hanging on another.
    fn on(mut self, parent: &'static str, offset: fn(Build) -> Vec3) -> Self {
        self.parent = Some(parent);
        self.offset = offset;
        self
    }

    /// The same part, drawn with the object's texture 2.
    fn with_second_texture(mut self) -> Self {
        self.texture = 2;
        self
    }
}
