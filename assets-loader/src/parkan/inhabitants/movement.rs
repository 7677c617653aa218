//! How objects move by properties of our own: no known file of the game has them, so that its objects stand still.
//!
//! What the game's objects do is in scripts that no one runs here. Properties whose names begin with `Ironlands.`
//! say in plain words what a mission of ours wants to be seen moving:
//!
//! | property | type | meaning |
//! | --- | --- | --- |
//! | `Ironlands.ClipFirst`, `Ironlands.ClipLast` | int | frames that are played in a loop |
//! | `Ironlands.ClipRate` | float | frames per second |
//! | `Ironlands.Path` | int | id of the mission's path to walk, which is taken for closed |
//! | `Ironlands.PathSpeed` | float | world units per second |
//! | `Ironlands.PathStart` | float | distance along the path at the start; 0 if left out |

use super::FORMAT;
use crate::bytes::{Finding, Severity};
use crate::parkan::mission::{Mission, Object};

/// Motion by our own convention: no known file of the game has such properties.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Movement {
    /// Frames that are played in a loop.
    pub clip: Option<Clip>,
    /// The way that it goes.
    pub walk: Option<Walk>,
}

/// A run of frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// First frame.
    pub first: f32,
    /// Last frame, which looks like the first where the loop closes.
    pub last: f32,
    /// Frames per second.
    pub rate: f32,
}

/// A closed way, walked at an even speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// Corners of the way in world units; from the last it goes back to the first. At least two.
    pub points: Vec<[f32; 3]>,
    /// World units per second.
    pub speed: f32,
    /// Distance along the way at the start.
    pub start: f32,
}

impl Movement {
    /// What the properties of an object ask for; `None` without any.
    pub(super) fn of_object(
        object: &Object,
        mission: &Mission,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let int = |name| object.property(name).and_then(|property| property.as_int());
        let float = |name| {
            object
                .property(name)
                .and_then(|property| property.as_float())
        };
        let frames = int("Ironlands.ClipFirst").zip(int("Ironlands.ClipLast"));
        let clip = frames.map(|(first, last)| Clip {
            first: first as f32,
            last: last as f32,
            rate: float("Ironlands.ClipRate").unwrap_or(0.0),
        });
        let path = int("Ironlands.Path").and_then(|id| {
            let path = mission.path(id);
            if path.is_none() {
                let message = format!("an object is to walk path {id}, which is not there");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
            path
        });
        let walk = path.map(|path| Walk {
            points: path.points.clone(),
            speed: float("Ironlands.PathSpeed").unwrap_or(0.0),
            start: float("Ironlands.PathStart").unwrap_or(0.0),
        });
        let movement = Self { clip, walk };
        (movement != Self::default()).then_some(movement)
    }
}
