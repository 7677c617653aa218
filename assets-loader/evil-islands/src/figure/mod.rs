//! A model put together: its tree of parts with meshes and rest positions, and its animations (dossier sections 9.1
//! and 9.5).
//!
//! In: the bytes of `NAME.mod`, `NAME.bon` and, where there are any, `NAME.anm` and `NAME.adb`. Out: parts, parents
//! before children, and everything else by the index of the part. What is missing or broken is a finding as long as
//! anything is left to show.
//!
//! Deliberately absent: complection, poses and textures, which belong to the object that wears the figure.

mod open;
mod read;
#[cfg(test)]
mod tests;
mod write;

use super::adb::Adb;
use super::anm::Anm;
use super::bon::Bon;
use super::fig::Fig;
use ironlands_assets_core::bytes::{Finding, FormatError};

const FORMAT: &str = "figure";

/// A model put together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figure {
    /// What its files are called, without extension.
    pub name: String,
    /// The parts, parents before children: first a part, then all below it, then the next.
    pub parts: Vec<FigurePart>,
    /// The animations, in file order.
    pub animations: Vec<FigureAnimation>,
    /// The table that says when animations are played, if there is one.
    pub adb: Option<Adb>,
    /// What is missing or broken.
    pub findings: Vec<Finding>,
}

/// A part of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigurePart {
    /// Its name; equipment has that of the part that carries it and more after a dot.
    pub name: String,
    /// The part that it hangs on; `None` for a root.
    pub parent: Option<u32>,
    /// What it shows; a part without a mesh only carries others.
    pub fig: Option<Fig>,
    /// Its place relative to its parent; at the same place if none is stored.
    pub bon: Option<Bon>,
}

/// An animation of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureAnimation {
    /// Its name. A first letter c marks a cycle, u an animation that is played once.
    pub name: String,
    /// As [`Figure::parts`]; `None` for parts that keep to their parents.
    pub parts: Vec<Option<Anm>>,
}

impl Figure {
    /// Puts a model together from the bytes of its files.
    ///
    /// `bon` may be empty if there is no such file: all parts stand at the origin then. What the strict readers refuse
    /// and the tolerant ones read is a finding; a part that cannot be read at all is a finding and empty.
    ///
    /// # Errors
    /// `model` is no archive.
    pub fn read(
        name: &str,
        model: &[u8],
        bon: &[u8],
        anm: Option<&[u8]>,
        adb: Option<&[u8]>,
    ) -> Result<Self, FormatError> {
        read::read(name, model, bon, anm, adb)
    }

    /// The index of the part of that name, whatever its case.
    pub fn part(&self, name: &str) -> Option<usize> {
        let is_named = |part: &FigurePart| part.name.eq_ignore_ascii_case(name);
        self.parts.iter().position(is_named)
    }

    /// The idle animation: `cidle`, else the first cycle by name.
    pub fn idle_animation(&self) -> Option<usize> {
        let mut animations = self.animations.iter();
        let is_idle = |it: &FigureAnimation| it.name.eq_ignore_ascii_case("cidle");
        let idle = animations.clone().position(is_idle);
        idle.or_else(|| animations.position(FigureAnimation::is_named_cycle))
    }

    /// Where each part stands at rest, in model axes and meters, for dexterity, strength, height.
    pub fn rest_positions(&self, complection: [f32; 3]) -> Vec<[f32; 3]> {
        let mut places: Vec<[f32; 3]> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let parent = part.parent.and_then(|parent| places.get(parent as usize));
            let [px, py, pz] = parent.copied().unwrap_or_default();
            let bon = part.bon.as_ref();
            let [x, y, z] = bon.map_or([0.0; 3], |bon| bon.offset(complection));
            places.push([px + x, py + y, pz + z]);
        }
        places
    }
}

impl FigureAnimation {
    /// Whether it repeats after its last frame, by its name: a first letter c says so.
    pub fn is_named_cycle(&self) -> bool {
        self.name.starts_with(['c', 'C'])
    }

    /// Number of frames of the longest part.
    pub fn n_frames(&self) -> usize {
        let parts = self.parts.iter().flatten();
        parts.map(Anm::n_frames).max().unwrap_or(0)
    }
}
