//! A sheet of faces that a contour cuts: what is left outside of it, and the contour with a corner at each edge of the
//! land that it crosses.

use std::collections::HashMap;

use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, InsertionError, Point2, Triangulation};

use super::CutError;
use super::rings::{Place, bounds_of, contains, doubled_area, edges_of, minus, plan_of, turn};

/// A contour that passes a vertex of the land nearer than this, in world units, goes through it: what is narrower would
/// not survive the rounding of vertices.
const SNAP: f64 = 1e-3;
/// Faces that one contour can cut: a retail building cuts a few dozen.
const MAX_CUT_FACES: usize = 4096;
/// Vertices that come of it: all that the format can number.
const MAX_VERTICES: usize = 1 << 16;
/// How far outside of a face, as a part of it, a corner of the contour on its edge may come to lie by rounding.
const ON_FACE: f64 = 1e-6;

type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// A face of a sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct SheetFace {
    /// Its number for the caller.
    pub(super) id: usize,
    /// Its corners.
    pub(super) corners: [[f32; 3]; 3],
}

/// What becomes of a sheet.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// Faces that go, wholly or to be replaced by pieces.
    pub(super) removed: Vec<usize>,
    /// What is left of those that were cut.
    pub(super) pieces: Vec<FacePiece>,
    /// The contour with its new corners, on the sheet; empty where it reaches beyond.
    pub(super) contour: Vec<[f32; 3]>,
}

/// A part of a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct FacePiece {
    /// Which face it is a part of.
    pub(super) id: usize,
    /// Its corners, counterclockwise.
    pub(super) corners: [PieceCorner; 3],
}

/// A corner of a part of a face.
#[derive(Debug, Clone, Copy)]
pub(super) enum PieceCorner {
    /// A corner of the face itself.
    Own(usize),
    /// A new one, with the weights of the face's corners.
    New([f32; 3], [f64; 3]),
}

impl Region {
    /// Cuts a polygon out of a sheet of faces that lie side by side.
    pub(super) fn cut(faces: &[SheetFace], outer: &[Place]) -> Result<Self, CutError> {
        let snapped = snapped(faces, outer);
        let bounds = bounds_of(&snapped);
        let near = faces.iter().filter(|face| {
            let [[x0, y0], [x1, y1]] = bounds_of(&face.plan());
            let [[low_x, low_y], [high_x, high_y]] = bounds;
            x0 <= high_x && low_x <= x1 && y0 <= high_y && low_y <= y1
        });
        let (mut removed, mut cut) = (Vec::new(), Vec::new());
        for face in near {
            let plan = face.plan();
            if edges_of(&snapped).any(|edge| touches(edge, plan)) {
                cut.push(*face);
            } else if contains(&snapped, middle(plan)) {
                removed.push(face.id);
            }
        }
        if cut.len() > MAX_CUT_FACES {
            return Err(CutError::TooManyFaces);
        }
        if cut.is_empty() {
            return Ok(Self {
                removed,
                ..Self::default()
            });
        }
        let mut mesh = Mesh::new(&cut, *snapped.first().ok_or(CutError::NotSimple)?)?;
        let chain = mesh.add_contour(&snapped)?;
        let pieces = mesh.pieces_outside(&snapped)?;
        let contour: Vec<_> = match chain.iter().all(|it| mesh.has_height(*it)) {
            true => chain.into_iter().map(|it| mesh.position(it)).collect(),
            false => Vec::new(),
        };
        removed.extend(cut.iter().map(|face| face.id));
        Ok(Self {
            removed,
            pieces,
            contour,
        })
    }
}

impl SheetFace {
    fn plan(&self) -> [Place; 3] {
        self.corners.map(plan_of)
    }

    /// The weights of its corners at a place; those of a place inside are not below 0.
    fn weights(&self, place: Place) -> [f64; 3] {
        let [a, b, c] = self.plan();
        let area = turn(a, b, c);
        [turn(b, c, place), turn(c, a, place), turn(a, b, place)].map(|it| it / area)
    }

    fn height(&self, weights: [f64; 3]) -> f32 {
        let heights = self.corners.iter().zip(weights);
        heights
            .map(|([_, _, z], weight)| f64::from(*z) * weight)
            .sum::<f64>() as f32
    }
}

/// The edges of cut faces and the contour, as a constrained Delaunay triangulation around an origin near to them.
struct Mesh<'a> {
    faces: &'a [SheetFace],
    origin: Place,
    cdt: Cdt,
    /// Vertices of the land, exactly as they are.
    known: HashMap<FixedVertexHandle, [f32; 3]>,
    /// The heights of the others.
    heights: HashMap<FixedVertexHandle, f32>,
}

impl<'a> Mesh<'a> {
    fn new(faces: &'a [SheetFace], origin: Place) -> Result<Self, CutError> {
        let mut mesh = Self {
            faces,
            origin,
            cdt: Cdt::new(),
            known: HashMap::new(),
            heights: HashMap::new(),
        };
        for face in faces {
            let mut handles = [None; 3];
            for (handle, corner) in handles.iter_mut().zip(face.corners) {
                let at = mesh.insert(plan_of(corner))?;
                mesh.known.insert(at, corner);
                *handle = Some(at);
            }
            let [Some(a), Some(b), Some(c)] = handles else {
                continue;
            };
            for [from, to] in [[a, b], [b, c], [c, a]] {
                mesh.constrain(from, to)?;
            }
        }
        Ok(mesh)
    }

    fn insert(&mut self, place: Place) -> Result<FixedVertexHandle, CutError> {
        let [x, y] = minus(place, self.origin);
        Ok(self.cdt.insert(Point2::new(x, y))?)
    }

    /// Makes an edge, split where it crosses others; the vertices along it without the first.
    fn constrain(
        &mut self,
        from: FixedVertexHandle,
        to: FixedVertexHandle,
    ) -> Result<Vec<FixedVertexHandle>, CutError> {
        if from == to {
            return Ok(Vec::new());
        }
        let edges = self.cdt.add_constraint_and_split(from, to, |point| point);
        if self.cdt.num_vertices() > MAX_VERTICES {
            return Err(CutError::TooManyFaces);
        }
        let ends = edges.into_iter();
        Ok(ends
            .map(|it| self.cdt.directed_edge(it).to().fix())
            .collect())
    }

    /// Makes the edges of the contour, and finds the heights of their vertices; all vertices along it.
    fn add_contour(&mut self, outer: &[Place]) -> Result<Vec<FixedVertexHandle>, CutError> {
        let corners: Vec<_> = outer
            .iter()
            .map(|place| self.insert(*place))
            .collect::<Result<_, _>>()?;
        let mut chain = Vec::with_capacity(corners.len());
        let next = corners.iter().cycle().skip(1);
        for (from, to) in corners.iter().zip(next) {
            let along = self.constrain(*from, *to)?;
            if along.last() != Some(to) && from != to {
                return Err(CutError::Untriangulated);
            }
            chain.extend(along);
        }
        for vertex in &chain {
            if !self.known.contains_key(vertex) {
                let place = self.place(*vertex);
                let height = self.face_at(place).map(|it| it.height(it.weights(place)));
                self.heights.extend(height.map(|height| (*vertex, height)));
            }
        }
        Ok(chain)
    }

    /// The triangles between the contour and the edges of the faces, each as a part of its face.
    fn pieces_outside(&self, outer: &[Place]) -> Result<Vec<FacePiece>, CutError> {
        let mut pieces = Vec::new();
        for triangle in self.cdt.inner_faces() {
            let vertices = triangle.vertices().map(|it| it.fix());
            let corners = vertices.map(|it| self.place(it));
            let center = middle(corners);
            if contains(outer, center) {
                continue;
            }
            let Some(face) = self.face_at(center) else {
                continue;
            };
            let [a, b, c] = vertices.map(|it| self.position(it));
            // Vertices that are one after rounding leave nothing between them.
            if a == b || b == c || c == a {
                continue;
            }
            let corner = |vertex: FixedVertexHandle| {
                let position = self.position(vertex);
                let own = face.corners.iter().position(|it| *it == position);
                own.map_or_else(
                    || PieceCorner::New(position, face.weights(self.place(vertex))),
                    PieceCorner::Own,
                )
            };
            pieces.push(FacePiece {
                id: face.id,
                corners: vertices.map(corner),
            });
        }
        Ok(pieces)
    }

    fn has_height(&self, vertex: FixedVertexHandle) -> bool {
        self.known.contains_key(&vertex) || self.heights.contains_key(&vertex)
    }

    fn place(&self, vertex: FixedVertexHandle) -> Place {
        let Point2 { x, y } = self.cdt.vertex(vertex).position();
        let [origin_x, origin_y] = self.origin;
        [x + origin_x, y + origin_y]
    }

    /// Where a vertex is, in the numbers of the file.
    fn position(&self, vertex: FixedVertexHandle) -> [f32; 3] {
        if let Some(known) = self.known.get(&vertex) {
            return *known;
        }
        let place = self.place(vertex);
        let height = self.heights.get(&vertex).copied();
        let height = height.or_else(|| {
            let face = self.face_at(place)?;
            Some(face.height(face.weights(place)))
        });
        let [x, y] = place.map(|it| it as f32);
        [x, y, height.unwrap_or_default()]
    }

    /// The face that a place is in: of several the one in which it is deepest.
    fn face_at(&self, place: Place) -> Option<&SheetFace> {
        let depth = |face: &SheetFace| {
            let depths = face.weights(place).into_iter();
            depths.fold(f64::INFINITY, f64::min)
        };
        let depths = self.faces.iter().map(|face| (depth(face), face));
        let inside = depths.filter(|(depth, _)| *depth >= -ON_FACE);
        let deepest = inside.max_by(|(a, _), (b, _)| a.total_cmp(b));
        deepest.map(|(_, face)| face)
    }
}

/// Fills what is between a contour and those inside of it; corners as they are given.
pub(super) fn fill(
    outer: &[[f32; 3]],
    inner: &[Vec<[f32; 3]>],
) -> Result<Vec<[[f32; 3]; 3]>, CutError> {
    let mut cdt = Cdt::new();
    let mut corners = HashMap::new();
    let plan = |ring: &[[f32; 3]]| ring.iter().copied().map(plan_of).collect::<Vec<Place>>();
    let origin = *plan(outer).first().ok_or(CutError::OffLand)?;
    for ring in [outer].into_iter().chain(inner.iter().map(|it| &it[..])) {
        let mut handles = Vec::with_capacity(ring.len());
        for corner in ring {
            let [x, y] = minus(plan_of(*corner), origin);
            let handle = cdt.insert(Point2::new(x, y))?;
            corners.insert(handle, *corner);
            handles.push(handle);
        }
        let next = handles.iter().cycle().skip(1);
        for (from, to) in handles.iter().zip(next) {
            if from != to && cdt.try_add_constraint(*from, *to).is_empty() {
                return Err(CutError::InnerOutside);
            }
        }
    }
    let (outer, inner) = (plan(outer), inner.iter().map(|it| plan(it)));
    let inner: Vec<_> = inner.collect();
    let mut triangles = Vec::new();
    for triangle in cdt.inner_faces() {
        let vertices = triangle.vertices().map(|it| it.fix());
        let [Some(a), Some(b), Some(c)] = vertices.map(|it| corners.get(&it).copied()) else {
            return Err(CutError::Untriangulated);
        };
        let center = middle([a, b, c].map(plan_of));
        let is_hole = inner.iter().any(|ring| contains(ring, center));
        if contains(&outer, center) && !is_hole {
            triangles.push([a, b, c]);
        }
    }
    Ok(triangles)
}

impl From<InsertionError> for CutError {
    fn from(_: InsertionError) -> Self {
        Self::FarAway
    }
}

/// The contour through the vertices of the land that it passes closely.
fn snapped(faces: &[SheetFace], outer: &[Place]) -> Vec<Place> {
    let [[x0, y0], [x1, y1]] = bounds_of(outer);
    let is_near =
        |[x, y]: &Place| (x0 - SNAP..=x1 + SNAP).contains(x) && (y0 - SNAP..=y1 + SNAP).contains(y);
    let plans = faces.iter().flat_map(SheetFace::plan);
    let mut vertices: Vec<Place> = plans.filter(is_near).collect();
    vertices.sort_by(|[ax, ay], [bx, by]| ax.total_cmp(bx).then(ay.total_cmp(by)));
    vertices.dedup();
    let distance = |[dx, dy]: Place| dx.hypot(dy);
    let mut ring = Vec::with_capacity(outer.len());
    for [from, to] in edges_of(outer) {
        let corner = vertices
            .iter()
            .find(|it| distance(minus(**it, from)) < SNAP);
        ring.push(*corner.unwrap_or(&from));
        let [dx, dy] = minus(to, from);
        let length = distance([dx, dy]);
        let mut along: Vec<(f64, Place)> = Vec::new();
        for vertex in &vertices {
            let [vx, vy] = minus(*vertex, from);
            let at = (vx * dx + vy * dy) / length;
            let beside = (vx * dy - vy * dx) / length;
            if beside.abs() < SNAP && at >= SNAP && at <= length - SNAP {
                along.push((at, *vertex));
            }
        }
        along.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        ring.extend(along.into_iter().map(|(_, vertex)| vertex));
    }
    ring.dedup();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

/// Whether a segment and a triangle have a point in common, or nearly so. A triangle without area has none.
fn touches([from, to]: [Place; 2], corners: [Place; 3]) -> bool {
    let turned = doubled_area(&corners);
    if turned == 0.0 {
        return false;
    }
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for [a, b] in edges_of(&corners) {
        let [dx, dy] = minus(b, a);
        let slack = SNAP * dx.hypot(dy);
        let [at_from, at_to] = [from, to].map(|it| turn(a, b, it) * turned.signum() + slack);
        match (at_from < 0.0, at_to < 0.0) {
            (true, true) => return false,
            (false, false) => {}
            (true, false) => enters = enters.max(at_from / (at_from - at_to)),
            (false, true) => leaves = leaves.min(at_from / (at_from - at_to)),
        }
    }
    enters <= leaves
}

fn middle(corners: [Place; 3]) -> Place {
    let [[ax, ay], [bx, by], [cx, cy]] = corners;
    [(ax + bx + cx) / 3.0, (ay + by + cy) / 3.0]
}
