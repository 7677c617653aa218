//! FIG: the mesh of one part, in one or eight extreme states (dossier section 9.4).
//!
//! A header, bounds of each state, vertices and normals in groups of four, texture coordinates, triangles over
//! components (a position, a normal, a texture coordinate), and which vertices an animation moves. Model axes and
//! meters from the part's own origin, +Z up, counter-clockwise faces; the first row of a texture is at v = 0.

mod bounds;
mod codec;
mod draft;
mod normals;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

pub use self::bounds::{BoundsConvention, FigBounds};
pub use self::draft::{DraftVertex, FigDraft};
pub use self::normals::NormalLayout;
use super::complection::{N_STATES, blend, trilinear};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;

const FORMAT: &str = Fig::NAME;
/// Vertices and normals come in blocks of this many.
const LANES: usize = 4;

/// Render groups that are known (dossier section 9.4.8).
const KNOWN_GROUPS: [u32; 7] = [17, 18, 19, 21, 22, 23, 25];

/// The mesh of a part, as stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fig {
    /// Eight, in the order of [`STATE_NAMES`](super::complection::STATE_NAMES), or one.
    pub states: Vec<FigState>,
    /// Normals x, y, z, w, a multiple of four: the last block is filled up. The same in all states.
    pub normals: Vec<[f32; 4]>,
    /// How the file has them.
    pub normal_layout: NormalLayout,
    /// Texture coordinates u, v.
    pub texcoords: Vec<[f32; 2]>,
    /// Three components a triangle.
    pub indices: Vec<u16>,
    /// What is drawn at the corners of triangles; each is a vertex as a renderer knows it.
    pub components: Vec<Component>,
    /// Which offset of an animation moves which vertex.
    pub morphs: Vec<MorphComponent>,
    /// 0 in all known files; kept.
    pub unknown_1c: u32,
    /// Render group, which is the draw priority too.
    pub group: u32,
    /// Number of the texture of the object: 2 is its second one, all else its first.
    pub texture: u32,
    /// Bytes after the last table; kept.
    pub tail: Vec<u8>,
}

/// One extreme state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigState {
    /// Middle of the bounds.
    pub center: [f32; 3],
    /// Smallest corner, from the center or from the origin; see [`Fig::bounds`].
    pub min: [f32; 3],
    /// Largest corner, likewise.
    pub max: [f32; 3],
    /// Radius about the center.
    pub radius: f32,
    /// Vertices, a multiple of four: the last block is filled up. As many in each state.
    pub positions: Vec<[f32; 3]>,
}

/// Indices of what makes a vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct Component {
    /// Into the positions of a state.
    #[field("position of a component")]
    pub position: u16,
    /// Into [`Fig::normals`].
    #[field("normal of a component")]
    pub normal: u16,
    /// Into [`Fig::texcoords`].
    #[field("texture coordinate of a component")]
    pub texcoord: u16,
}

/// An offset of an animation and a vertex that it moves; an offset may move several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct MorphComponent {
    /// Index of the offset in a frame of an animation.
    #[field("offset of a morph component")]
    pub morph: u16,
    /// Index of the vertex in the positions of a state.
    #[field("vertex of a morph component")]
    pub vertex: u16,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes follow the last table. They are kept.
        const TRAILING_BYTES = 1 << 0;
        /// Bounds of a mesh with vertices that are no numbers. They are kept; [`Fig::bounds`] takes them for zero.
        const BROKEN_BOUNDS = 1 << 1;
        /// Normals that stand one after the other instead of in groups, as an early exporter wrote them. They are
        /// recognized by their lengths and written back as they were.
        const UNGROUPED_NORMALS = 1 << 2;
    }
}

impl Format for Fig {
    type Context = ();

    const NAME: &'static str = "fig";
    const EXTENSIONS: &'static [&'static str] = &["fig"];
    const KIND: FileKind = FileKind::Model;

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(b"FIG1") || head.starts_with(b"FIG8") {
            return Some(Match::Content);
        }
        name.ends_with(".fig").then_some(Match::Extension)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("states", self.states.len());
        report.fact("vertices", self.n_vertices());
        report.fact("components", self.components.len());
        report.fact("triangles", self.n_triangles());
        report.fact("moving vertices", self.morphs.len());
        report.fact("group", self.group);
        report.fact("texture", self.texture);
    }
}

impl Fig {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::empty())
    }

    /// Reads a whole file, waiving the given rules.
    ///
    /// # Errors
    /// Another magic, tables beyond the bytes that are there, part of a triangle, indices of what is not there,
    /// bounds that are no numbers, trailing bytes. Other numbers of states than one and eight are unsupported.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        codec::read(data, tolerance)
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// What the reader would refuse, states with other numbers of vertices than the first, vertices or normals that
    /// do not fill blocks of four.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        codec::write(self)
    }

    /// A new mesh from plain geometry.
    ///
    /// # Errors
    /// Neither one nor eight states, states with other numbers of points than the first, indices of what is not
    /// there, and more than the 16-bit indices reach.
    pub fn draft(draft: &FigDraft) -> Result<Self, FormatError> {
        draft::draft(draft)
    }

    /// What is unusual.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, message| findings.push(Finding::new(severity, FORMAT, message));
        if !KNOWN_GROUPS.contains(&self.group) {
            let message = format!("render group {} is not known", self.group);
            find(Severity::Warning, message);
        }
        if self.unknown_1c != 0 {
            let message = format!("the word at 0x1c is {:#x}", self.unknown_1c);
            find(Severity::Note, message);
        }
        match self.normal_layout {
            NormalLayout::Ungrouped => {
                let message = "normals stand one after the other, not in groups of four";
                find(Severity::Warning, message.to_owned());
            }
            NormalLayout::Grouped if normals::look_ungrouped(&self.normals) => {
                let message = "normals have the lengths of such as do not stand in groups of four";
                find(Severity::Warning, message.to_owned());
            }
            NormalLayout::Grouped => {}
        }
        if self.n_vertices() > 0 && self.states.iter().any(|state| !state.has_finite_bounds()) {
            find(Severity::Warning, "bounds are not finite".to_owned());
        }
        for (offset, what) in self.not_finite() {
            let message = format!("{what} is not finite");
            findings.push(Finding::new(Severity::Error, FORMAT, message).at(offset));
        }
        findings
    }

    /// Number of vertices in each state, with those that only fill up the last block.
    pub fn n_vertices(&self) -> usize {
        self.states.first().map_or(0, |state| state.positions.len())
    }

    /// Number of triangles.
    pub fn n_triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// A vertex for dexterity, strength, height; zero beyond the last.
    pub fn position(&self, vertex: usize, complection: [f32; 3]) -> [f32; 3] {
        self.blend_of(complection, |state| state.positions.get(vertex).copied())
    }

    /// A vertex in an extreme state, 0..8; in the only one if there is one. Zero beyond the last.
    pub fn state_position(&self, state: usize, vertex: usize) -> [f32; 3] {
        let stored = self.state(state).and_then(|it| it.positions.get(vertex));
        stored.copied().unwrap_or_default()
    }

    /// An extreme state, 0..8; the only one if there is one.
    pub fn state(&self, state: usize) -> Option<&FigState> {
        let is_blended = self.states.len() >= N_STATES;
        self.states.get(if is_blended { state } else { 0 })
    }

    /// A normal as it is to be used, divided by its w if that is a number other than zero; up beyond the last.
    pub fn normal(&self, normal: usize) -> [f32; 3] {
        let Some([x, y, z, w]) = self.normals.get(normal).copied() else {
            return [0.0, 0.0, 1.0];
        };
        match w.is_finite() && w != 0.0 {
            true => [x / w, y / w, z / w],
            false => [x, y, z],
        }
    }

    /// Puts normals right that were read as grouped and are not, as [`Tolerance::UNGROUPED_NORMALS`] does on reading;
    /// whether there was anything to do.
    pub fn regroup_normals(&mut self) -> bool {
        let is_needed =
            self.normal_layout == NormalLayout::Grouped && normals::look_ungrouped(&self.normals);
        if is_needed {
            self.normals = normals::transposed(&self.normals);
            self.normal_layout = NormalLayout::Ungrouped;
        }
        is_needed
    }

    /// Mixes eight states of a point or vector of the mesh.
    fn blend_of(
        &self,
        complection: [f32; 3],
        of: impl Fn(&FigState) -> Option<[f32; 3]>,
    ) -> [f32; 3] {
        let states = self
            .states
            .iter()
            .map(|state| of(state).unwrap_or_default());
        match self.states.len() {
            N_STATES => {
                let mut eight = [[0.0; 3]; N_STATES];
                for (target, value) in eight.iter_mut().zip(states) {
                    *target = value;
                }
                blend(&eight, complection).unwrap_or_default()
            }
            _ => states.take(1).next().unwrap_or_default(),
        }
    }

    /// Mixes the radii of the bounds.
    fn blended_radius(&self, complection: [f32; 3]) -> f32 {
        let mut radii = [self.states.first().map_or(0.0, |state| state.radius); N_STATES];
        if self.states.len() == N_STATES {
            for (radius, state) in radii.iter_mut().zip(&self.states) {
                *radius = state.radius;
            }
        }
        trilinear(&radii, complection)
    }
}

impl FigState {
    fn has_finite_bounds(&self) -> bool {
        let corners = [self.center, self.min, self.max];
        self.radius.is_finite() && corners.as_flattened().iter().all(|v| v.is_finite())
    }
}
