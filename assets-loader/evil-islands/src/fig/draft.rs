//! New meshes from plain geometry.

use std::collections::HashMap;

use super::{
    BoundsConvention, Component, FORMAT, Fig, FigState, LANES, MorphComponent, NormalLayout,
};
use crate::complection::N_STATES;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

/// What a new mesh is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigDraft {
    /// Points in each extreme state: eight lists of the same length, or one. Meters from the part's origin, +Z up.
    pub points: Vec<Vec<[f32; 3]>>,
    /// What triangles are drawn between. Their order is kept: vertex after vertex becomes component after component.
    pub vertices: Vec<DraftVertex>,
    /// Indices of vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Render group; 18 is alpha-tested, 19 and 22 are opaque, 25 is blended.
    pub group: u32,
    /// 1 for the object's first texture, 2 for its second.
    pub texture: u32,
    /// How the bounds are stored.
    pub bounds: BoundsConvention,
}

/// A point with its normal and texture coordinate.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DraftVertex {
    /// Index of the point.
    pub point: u32,
    /// Unit normal.
    pub normal: [f32; 3],
    /// Texture coordinate; the first stored row of the texture is at v = 0.
    pub texcoord: [f32; 2],
}

impl FigDraft {
    /// Geometry whose vertices have a position of their own, as most programs keep it: those that coincide in all
    /// states become one point. `positions` has one or eight lists as long as `normals` and `texcoords`; what is
    /// beyond the shortest list is left out.
    pub fn from_vertices(
        positions: &[Vec<[f32; 3]>],
        normals: &[[f32; 3]],
        texcoords: &[[f32; 2]],
        triangles: Vec<[u32; 3]>,
    ) -> Self {
        let mut points = vec![Vec::new(); positions.len()];
        let mut known = HashMap::new();
        let mut vertices = Vec::with_capacity(normals.len());
        for (index, (normal, texcoord)) in normals.iter().zip(texcoords).enumerate() {
            let states = positions.iter().map(|state| state.get(index).copied());
            let Some(states) = states.collect::<Option<Vec<_>>>() else {
                break;
            };
            let next = known.len();
            let point = *known.entry(bits(states.as_flattened())).or_insert(next);
            if point == next {
                for (target, position) in points.iter_mut().zip(states) {
                    target.push(position);
                }
            }
            vertices.push(DraftVertex {
                // As many as the vertices, which a file numbers by 16 bits.
                point: u32::try_from(point).unwrap_or(u32::MAX),
                normal: *normal,
                texcoord: *texcoord,
            });
        }
        Self {
            points,
            vertices,
            triangles,
            group: 18,
            texture: 1,
            bounds: BoundsConvention::default(),
        }
    }
}

pub(super) fn draft(draft: &FigDraft) -> Result<Fig, FormatError> {
    let FigDraft {
        points,
        vertices,
        triangles,
        group,
        texture,
        bounds,
    } = draft;
    let n_points = points.first().map_or(0, Vec::len);
    if !matches!(points.len(), 1 | N_STATES) {
        return Err(unexpected("states", "1 or 8", points.len()));
    }
    if let Some(odd) = points.iter().find(|it| it.len() != n_points) {
        let expected = format!("{n_points} in each state");
        return Err(unexpected("vertices", expected, odd.len()));
    }
    let states: Vec<_> = points.iter().map(|points| state(points, *bounds)).collect();
    if let Some(state) = states.iter().position(|state| !state.has_finite_bounds()) {
        let found = format!("more in state {state}");
        return Err(unexpected(
            "bounds",
            "vertices within the range of 32 bits",
            found,
        ));
    }
    let mut normals = Table::default();
    let mut texcoords = Table::default();
    let mut components = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        if vertex.point as usize >= n_points {
            let expected = format!("an index below {n_points}");
            return Err(unexpected(
                "point of a vertex",
                expected,
                vertex.point as usize,
            ));
        }
        components.push(Component {
            position: index("point of a vertex", vertex.point as usize)?,
            normal: index("normals", normals.add(vertex.normal))?,
            texcoord: index("texture coordinates", texcoords.add(vertex.texcoord))?,
        });
    }
    let mut indices = Vec::with_capacity(triangles.len().saturating_mul(3));
    for vertex in triangles.as_flattened() {
        if *vertex as usize >= vertices.len() {
            let expected = format!("an index below {}", vertices.len());
            return Err(unexpected("triangle", expected, *vertex as usize));
        }
        indices.push(index("triangle", *vertex as usize)?);
    }
    let identity = (0..n_points).map(|point| {
        let point = index("points", point)?;
        Ok(MorphComponent {
            morph: point,
            vertex: point,
        })
    });
    let with_w = |[x, y, z]: &[f32; 3]| [*x, *y, *z, 1.0];
    Ok(Fig {
        states,
        normals: filled(
            normals.rows.iter().map(with_w).collect(),
            [0.0, 0.0, 0.0, 1.0],
        ),
        normal_layout: NormalLayout::Grouped,
        texcoords: texcoords.rows,
        indices,
        components,
        morphs: identity.collect::<Result<_, FormatError>>()?,
        unknown_1c: 0,
        group: *group,
        texture: *texture,
        tail: Vec::new(),
    })
}

/// A state with the bounds of its points.
fn state(points: &[[f32; 3]], convention: BoundsConvention) -> FigState {
    let first = points.first().copied().unwrap_or_default();
    let fold = |pick: fn(f32, f32) -> f32| {
        points.iter().fold(first, |[ax, ay, az], [bx, by, bz]| {
            [pick(ax, *bx), pick(ay, *by), pick(az, *bz)]
        })
    };
    let ([ax, ay, az], [bx, by, bz]) = (fold(f32::min), fold(f32::max));
    let center = [
        f32::midpoint(ax, bx),
        f32::midpoint(ay, by),
        f32::midpoint(az, bz),
    ];
    let half = [
        bx / 2.0 - ax / 2.0,
        by / 2.0 - ay / 2.0,
        bz / 2.0 - az / 2.0,
    ];
    let (min, max) = match convention {
        BoundsConvention::FromCenter => (half.map(|v| -v), half),
        BoundsConvention::FromOrigin => ([ax, ay, az], [bx, by, bz]),
    };
    FigState {
        center,
        min,
        max,
        radius: length(half),
        positions: filled(points.to_vec(), [0.0; 3]),
    }
}

fn length(vector: [f32; 3]) -> f32 {
    let square: f32 = vector.iter().map(|v| v * v).sum();
    if square.is_finite() {
        return square.sqrt();
    }
    // Squares of 32 bits end at a length of 1.8e19.
    let square: f64 = vector.iter().map(|v| f64::from(*v) * f64::from(*v)).sum();
    square.sqrt() as f32
}

/// Rows up to a whole block.
fn filled<T: Clone>(mut rows: Vec<T>, filling: T) -> Vec<T> {
    let len = rows.len().next_multiple_of(LANES);
    rows.resize(len, filling);
    rows
}

/// Rows, each once, found by their bits.
struct Table<const N: usize> {
    rows: Vec<[f32; N]>,
    known: HashMap<Vec<u32>, usize>,
}

impl<const N: usize> Default for Table<N> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            known: HashMap::new(),
        }
    }
}

impl<const N: usize> Table<N> {
    fn add(&mut self, row: [f32; N]) -> usize {
        let next = self.rows.len();
        let index = *self.known.entry(bits(&row)).or_insert(next);
        if index == next {
            self.rows.push(row);
        }
        index
    }
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn index(field: &'static str, index: usize) -> Result<u16, FormatError> {
    u16::try_from(index).map_err(|_| {
        let kind = FormatErrorKind::TooLargeToWrite {
            value: index as u64,
            limit: u16::MAX.into(),
        };
        Reader::new(FORMAT, &[]).error(field, kind)
    })
}

fn unexpected(
    field: &'static str,
    expected: impl Into<std::borrow::Cow<'static, str>>,
    found: impl ToString,
) -> FormatError {
    Reader::new(FORMAT, &[]).unexpected(field, expected, found)
}
