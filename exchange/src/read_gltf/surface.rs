//! Primitives that are surfaces: their triangles and the streams of their vertices.

use gltf_json::Index;
use gltf_json::accessor::Accessor;
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;

use super::accessor::Elements;
use super::document::{Document, unexpected};
use crate::error::ImportError;
use crate::findings::Findings;

/// The accessor of an attribute; `None` without it.
pub fn attribute(primitive: &Primitive, semantic: Semantic) -> Option<Index<Accessor>> {
    let attributes = &primitive.attributes;
    attributes.get(&Checked::Valid(semantic)).copied()
}

/// A primitive of triangles.
pub struct Surface<'a> {
    /// One for each vertex.
    pub positions: Elements<'a, 3>,
    document: &'a Document<'a>,
    primitive: &'a Primitive,
    place: String,
    indices: Option<Elements<'a, 1>>,
    mode: Mode,
}

impl<'a> Surface<'a> {
    /// Opens a primitive; `None` for what is no surface, which is a finding.
    ///
    /// # Errors
    /// A mode that glTF has not, positions or indices that cannot be read.
    pub fn open(
        document: &'a Document<'a>,
        primitive: &'a Primitive,
        place: &str,
        findings: &mut Findings,
    ) -> Result<Option<Self>, ImportError> {
        let mode = match primitive.mode {
            Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => {
                mode
            }
            Checked::Valid(mode) => {
                findings.add(place, format!("models have no {mode:?}; they are left out"));
                return Ok(None);
            }
            Checked::Invalid => return Err(unexpected(place, "a mode of glTF 2.0", "another")),
        };
        let Some(positions) = attribute(primitive, Semantic::Positions) else {
            findings.add(place, "it has no positions and is left out");
            return Ok(None);
        };
        Ok(Some(Self {
            positions: Elements::open(document, positions, place)?,
            indices: match primitive.indices {
                None => None,
                Some(indices) => Some(Elements::open(document, indices, place)?),
            },
            document,
            primitive,
            place: place.to_owned(),
            mode,
        }))
    }

    /// A stream with one element for each vertex; `None` without it.
    ///
    /// # Errors
    /// Another number of elements, or of components.
    pub fn stream<const N: usize>(
        &self,
        semantic: Semantic,
    ) -> Result<Option<Elements<'a, N>>, ImportError> {
        let Some(accessor) = attribute(self.primitive, semantic) else {
            return Ok(None);
        };
        let elements: Elements<'_, N> = Elements::open(self.document, accessor, &self.place)?;
        let n_vertices = self.positions.len;
        if elements.len != n_vertices {
            let expected = format!("attributes of {n_vertices} elements each");
            return Err(unexpected(&self.place, &expected, elements.len));
        }
        Ok(Some(elements))
    }

    /// Number of triangles; indices at the end that make none do not count.
    pub fn n_triangles(&self) -> usize {
        let n_corners = self
            .indices
            .as_ref()
            .map_or(self.positions.len, |it| it.len);
        match self.mode {
            Mode::TriangleStrip | Mode::TriangleFan => n_corners.saturating_sub(2),
            _ => n_corners / 3,
        }
    }

    /// The vertices of a triangle (glTF 2.0, section 3.7.2.1), counter-clockwise.
    ///
    /// # Errors
    /// There is no such triangle. Whether the vertices exist is not checked.
    pub fn corners(&self, triangle: usize) -> Result<[usize; 3], ImportError> {
        let add = |k: usize| triangle.saturating_add(k);
        let corners = match self.mode {
            Mode::TriangleStrip if triangle % 2 == 1 => [triangle, add(2), add(1)],
            Mode::TriangleStrip => [triangle, add(1), add(2)],
            Mode::TriangleFan => [add(1), add(2), 0],
            _ => [0, 1, 2].map(|k: usize| triangle.saturating_mul(3).saturating_add(k)),
        };
        let Some(indices) = &self.indices else {
            return Ok(corners);
        };
        let [a, b, c] = corners;
        Ok([indices.index(a)?, indices.index(b)?, indices.index(c)?])
    }
}
