//! Where the control points of a system are.

use ironlands_scene::Affine;

use super::flight::bounded;
use super::recipe::acts_from_the_start;
use crate::pcf::{FunctionList, ParticleSystem};

/// What puts control points somewhere else, in lower case.
pub(super) const PLACES: &str = "set control point positions";
/// Its parameters: the points, and where they are if it does not say.
const PLACED: [(&str, i32, [f32; 3]); 4] = [
    ("first", 1, [128.0, 0.0, 0.0]),
    ("second", 2, [0.0, 128.0, 0.0]),
    ("third", 3, [-128.0, 0.0, 0.0]),
    ("fourth", 4, [0.0, -128.0, 0.0]),
];

/// Where the control points of a system are.
pub(super) struct ControlPoints<'a> {
    /// World from control point, by its number; in the axes of the control point, or in those of the world.
    given: &'a dyn Fn(i32, bool) -> Affine,
    /// The ground straight below the first; it is looked for only where particles collide.
    pub floor: &'a dyn Fn() -> Option<[f32; 3]>,
    /// Those that a system or one that began it puts somewhere itself; the last of a number counts.
    placed: Vec<(i32, [f32; 3])>,
}

impl<'a> ControlPoints<'a> {
    pub fn new(
        given: &'a dyn Fn(i32, bool) -> Affine,
        floor: &'a dyn Fn() -> Option<[f32; 3]>,
    ) -> Self {
        Self {
            given,
            floor,
            placed: Vec::new(),
        }
    }

    /// World from control point, by its number; in the axes of the control point, or in those of the world.
    pub fn at(&self, number: i32, is_local: bool) -> Affine {
        let mut at = (self.given)(number, is_local);
        let placed = self.placed.iter().rev().find(|(it, _)| *it == number);
        if let Some((_, place)) = placed {
            for (row, coordinate) in at.0.iter_mut().zip(place) {
                row[3] = *coordinate;
            }
        }
        at
    }

    pub fn place(&self, number: i32) -> [f32; 3] {
        self.at(number, false).transform_point([0.0; 3])
    }

    /// What is a direction in the axes of a control point.
    pub fn direction(&self, number: i32, direction: [f32; 3]) -> [f32; 3] {
        self.at(number, true).transform_vector(direction)
    }

    /// Puts control points where a system has them; returns what [`Self::take_back`] needs.
    pub fn put(&mut self, system: &ParticleSystem<'_>) -> usize {
        let n_before = self.placed.len();
        let operators = system.functions().filter(|it| {
            it.list == FunctionList::Operators
                && it.name().eq_ignore_ascii_case(PLACES)
                && acts_from_the_start(it)
        });
        for function in operators {
            let p = &function.parameters;
            let base = self.at(p.int("control point to offset positions from", 0), true);
            for (which, number, place) in PLACED {
                let number = p.int(&format!("{which} control point number"), number);
                let place = bounded(p.vec3(&format!("{which} control point location"), place));
                // The first is where the system is.
                if number > 0 {
                    let place = match p.flag("set positions in world space", false) {
                        true => place,
                        false => base.transform_point(place),
                    };
                    self.placed.push((number, place));
                }
            }
        }
        n_before
    }

    pub fn take_back(&mut self, n_before: usize) {
        self.placed.truncate(n_before);
    }
}
