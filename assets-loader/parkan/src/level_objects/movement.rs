//! How objects move by properties of our own: no known file of the game has them, so that its objects stand still.
//!
//! What the game's objects do is in scripts that no one runs here. Properties whose names begin with `Ironlands.`
//! say in plain words what a mission of ours wants to be seen moving:
//!
//! | property | type | meaning |
//! | --- | --- | --- |
//! | `Ironlands.ClipFirst`, `Ironlands.ClipLast` | int | frames that are played in a loop, `0 <= first <= last` |
//! | `Ironlands.ClipRate` | float | frames per second |
//! | `Ironlands.ClipStart` | float | frames that have gone by at the start; 0 if left out |
//! | `Ironlands.Path` | int | id of the mission's path to walk, which is taken for closed |
//! | `Ironlands.PathSpeed` | float | world units per second |
//! | `Ironlands.PathStart` | float | distance along the path at the start; 0 if left out |
//!
//! The clip and the path are each left out if one of their properties is missing or unusable, which is reported.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::problems::Problems;
use crate::mission::{Mission, Object, Property};
use ironlands_assets_core::bytes::Severity;

const CLIP_FIRST: &str = "Ironlands.ClipFirst";
const CLIP_LAST: &str = "Ironlands.ClipLast";
const CLIP_RATE: &str = "Ironlands.ClipRate";
const CLIP_START: &str = "Ironlands.ClipStart";
const PATH: &str = "Ironlands.Path";
const PATH_SPEED: &str = "Ironlands.PathSpeed";
const PATH_START: &str = "Ironlands.PathStart";

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
    /// First frame, at least 0.
    pub first: f32,
    /// Last frame, which looks like the first where the loop closes. Not before the first.
    pub last: f32,
    /// Frames per second, finite.
    pub rate: f32,
    /// Frames that have gone by at the start, finite: what keeps many of a kind from moving as one.
    pub start: f32,
}

/// A closed way, walked at an even speed. All numbers are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// Corners of the way in world units; from the last it goes back to the first. At least two. Shared by all that
    /// walk it.
    pub points: Arc<[[f32; 3]]>,
    /// World units per second.
    pub speed: f32,
    /// Distance along the way at the start.
    pub start: f32,
}

/// The paths of a mission by id: their points, or why they cannot be walked.
pub(super) struct Paths(HashMap<i32, Result<Points, &'static str>>);

/// Of a path, shared by all that walk it.
type Points = Arc<[[f32; 3]]>;

impl Paths {
    /// Of paths with one id, the first counts.
    pub(super) fn from_mission(mission: &Mission) -> Self {
        let mut paths = HashMap::new();
        for path in &mission.paths {
            paths.entry(path.id).or_insert_with(|| {
                let is_finite = path.points.as_flattened().iter().all(|v| v.is_finite());
                match path.points.len() {
                    0 | 1 => Err("which has fewer than two points"),
                    _ if !is_finite => Err("a point of which is not finite"),
                    _ => Ok(path.points.as_slice().into()),
                }
            });
        }
        Self(paths)
    }

    /// The movement by the properties of an object; `None` without any.
    pub(super) fn movement(
        &self,
        object: &Object,
        object_name: &str,
        problems: &mut Problems,
    ) -> Option<Movement> {
        let mut properties = Properties {
            object,
            object_name,
            problems,
        };
        let movement = Movement {
            clip: properties.clip(),
            walk: properties.walk(self),
        };
        (movement != Movement::default()).then_some(movement)
    }
}

/// The properties of an object, and where to report what is wrong with them.
struct Properties<'a> {
    object: &'a Object,
    object_name: &'a str,
    problems: &'a mut Problems,
}

impl Properties<'_> {
    fn clip(&mut self) -> Option<Clip> {
        if !self.has_any(&[CLIP_FIRST, CLIP_LAST, CLIP_RATE, CLIP_START]) {
            return None;
        }
        // All are read, so that all errors are reported.
        let (first, last) = (self.int(CLIP_FIRST), self.int(CLIP_LAST));
        let (rate, start) = (self.float(CLIP_RATE), self.start(CLIP_START));
        let (first, last, rate, start) = (first?, last?, rate?, start?);
        if first < 0 {
            return self.problem(CLIP_FIRST, "is below 0");
        }
        if last < first {
            return self.problem(CLIP_LAST, format_args!("is before {CLIP_FIRST}"));
        }
        Some(Clip {
            first: first as f32,
            last: last as f32,
            rate,
            start,
        })
    }

    fn walk(&mut self, paths: &Paths) -> Option<Walk> {
        if !self.has_any(&[PATH, PATH_SPEED, PATH_START]) {
            return None;
        }
        let points = self.int(PATH).and_then(|id| self.points(id, paths));
        let speed = self.float(PATH_SPEED);
        let start = self.start(PATH_START);
        Some(Walk {
            points: points?,
            speed: speed?,
            start: start?,
        })
    }

    /// A float that is 0 if it is left out.
    fn start(&mut self, name: &'static str) -> Option<f32> {
        match self.has_any(&[name]) {
            true => self.float(name),
            false => Some(0.0),
        }
    }

    fn points(&mut self, id: i32, Paths(paths): &Paths) -> Option<Points> {
        match paths.get(&id) {
            Some(Ok(points)) => Some(Arc::clone(points)),
            Some(Err(why)) => self.problem(PATH, format_args!("names path {id}, {why}")),
            None => self.problem(PATH, format_args!("names path {id}, which is not there")),
        }
    }

    fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|it| self.object.property(it).is_some())
    }

    fn int(&mut self, name: &'static str) -> Option<i32> {
        let property = self.property(name)?;
        property
            .as_int()
            .or_else(|| self.problem(name, "is no int"))
    }

    fn float(&mut self, name: &'static str) -> Option<f32> {
        match self.property(name)?.as_float() {
            None => self.problem(name, "is no float"),
            Some(value) if !value.is_finite() => self.problem(name, "is not finite"),
            finite => finite,
        }
    }

    fn property(&mut self, name: &'static str) -> Option<Property> {
        let property = self.object.property(name).cloned();
        property.or_else(|| self.problem(name, "is missing beside others"))
    }

    /// Nothing, and a finding that says why.
    fn problem<T>(&mut self, property: &'static str, what: impl fmt::Display) -> Option<T> {
        let message = format!("{property} {what}; the object goes without");
        self.problems
            .add((Severity::Warning, property), message, self.object_name);
        None
    }
}
