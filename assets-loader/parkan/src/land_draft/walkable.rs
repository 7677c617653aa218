//! The areals of a terrain that is there as faces: those that are neither too steep nor too deep below a liquid.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "axes, tiles of a grid, and points that are snapped to 16 bits"
)]

use std::collections::BTreeMap;

use super::heights::{AREAL_SIDE, PLAIN, WADING_DEPTH, WALKABLE_SLOPE};
use super::merge::{Polygon, convex_polygons};
use super::{ArealDraft, DraftFace, GridPoint, LandDraft, LandDraftError};
use crate::face_mask::FaceFlags;
use crate::land_map::LandMap;
use crate::land_msh::{TileGrid, face_normal};

/// Steps that the longer side of a terrain is divided into for its points.
const STEPS: f64 = 65534.0;
/// Pairs of faces in a tile that may be looked at for heights.
const MAX_PAIRS: usize = 1 << 28;

impl LandDraft {
    /// `Land.map`: convex polygons of the finest faces that can be walked on. The ground is taken as a height field: of
    /// faces over each other all count, and edges one over the other join.
    ///
    /// # Errors
    /// No such face, more areals than the format can number, or far too many faces in one tile.
    pub fn land_map(&self, grid: &TileGrid) -> Result<LandMap, LandDraftError> {
        let [fine, _] = &self.lods;
        let pairs = fine
            .iter()
            .map(|faces| faces.len().saturating_mul(faces.len()));
        if pairs.fold(0, usize::saturating_add) > MAX_PAIRS {
            let value = fine.iter().map(Vec::len).max().unwrap_or(0);
            let what = "faces of a tile";
            return Err(LandDraftError::TooMany { what, value });
        }
        let mut points = Points::new(grid);
        let level = self.liquid_level();
        let mut outlines = Vec::new();
        for face in fine.iter().flatten() {
            if is_walkable(face, level) {
                let corners = face.corners.map(|corner| points.snap(corner.position));
                if is_counterclockwise(corners) {
                    outlines.push(Polygon {
                        points: corners.to_vec(),
                        class: PLAIN,
                    });
                }
            }
        }
        let side = AREAL_SIDE / points.step;
        let polygons = convex_polygons(outlines, (side * side) as i64);
        let last = points.last;
        ArealDraft {
            polygons: &polygons,
            position: &|point| points.position(point),
            height: &|place| self.height_at(grid, place),
            last,
        }
        .build()
    }

    /// Height of the first liquid surface.
    fn liquid_level(&self) -> Option<f32> {
        let mut faces = self.lods[0].iter().flatten();
        let face = faces.find(|face| face.flags.contains(FaceFlags::WATER))?;
        Some(face.corners[0].position[2])
    }

    /// Height of the ground at a place; where there is none, that of the nearest corner in the tile.
    fn height_at(&self, grid: &TileGrid, place: [f64; 2]) -> f64 {
        let cell = grid.cell_at(place.map(|it| it as f32)).unwrap_or([0, 0]);
        let tile = cell[0] as usize * grid.cells[1] as usize + cell[1] as usize;
        let faces = self.lods[0].get(tile).map_or(&[][..], Vec::as_slice);
        let ground = faces
            .iter()
            .filter(|face| !face.flags.contains(FaceFlags::WATER));
        let on_face = ground.clone().find_map(|face| height_on(face, place));
        on_face.unwrap_or_else(|| {
            let corners = ground.flat_map(|face| face.corners);
            let distance = |[x, y, _]: [f32; 3]| {
                let (x, y) = (f64::from(x) - place[0], f64::from(y) - place[1]);
                x * x + y * y
            };
            let nearest = corners
                .map(|corner| corner.position)
                .min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
            nearest.map_or(0.0, |[.., z]| f64::from(z))
        })
    }
}

/// Points of the ground by their numbers.
struct Points {
    origin: [f64; 2],
    far: [f64; 2],
    /// World units of a step.
    step: f64,
    last: GridPoint,
    known: BTreeMap<GridPoint, [f32; 3]>,
}

impl Points {
    fn new(grid: &TileGrid) -> Self {
        let last = grid.cells.map(|n| n.saturating_sub(1));
        let (origin, _) = grid.cell_bounds([0, 0]);
        let (_, far) = grid.cell_bounds(last);
        let (origin, far) = (origin.map(f64::from), far.map(f64::from));
        let step = (far[0] - origin[0]).max(far[1] - origin[1]) / STEPS;
        // The casts saturate.
        let last = [0, 1].map(|axis| ((far[axis] - origin[axis]) / step).round() as u16);
        Self {
            origin,
            far,
            step,
            last,
            known: BTreeMap::new(),
        }
    }

    fn snap(&mut self, position: [f32; 3]) -> GridPoint {
        let steps = |axis: usize| (f64::from(position[axis]) - self.origin[axis]) / self.step;
        let point = [0, 1].map(|axis| steps(axis).round() as u16);
        self.known.entry(point).or_insert(position);
        point
    }

    fn position(&self, point: GridPoint) -> [f32; 3] {
        if let Some(known) = self.known.get(&point) {
            return *known;
        }
        let [x, y] = [0, 1].map(|axis| match point[axis] == self.last[axis] {
            true => self.far[axis],
            false => self.origin[axis] + f64::from(point[axis]) * self.step,
        });
        [x as f32, y as f32, 0.0]
    }
}

fn is_walkable(face: &DraftFace, liquid_level: Option<f32>) -> bool {
    let corners = face.corners.map(|corner| corner.position);
    let Some([x, y, z]) = face_normal(corners).map(|it| it.map(f64::from)) else {
        return false;
    };
    let is_flat = z > 0.0 && (x * x + y * y).sqrt() <= WALKABLE_SLOPE * z;
    let is_bed = face.flags.contains(FaceFlags::LIQUID_BED);
    let is_deep = liquid_level.filter(|_| is_bed).is_some_and(|level| {
        let middle: f64 = corners.iter().map(|[.., z]| f64::from(*z)).sum::<f64>() / 3.0;
        f64::from(level) - middle > WADING_DEPTH
    });
    is_flat && !is_deep && !face.flags.contains(FaceFlags::WATER)
}

fn is_counterclockwise([a, b, c]: [GridPoint; 3]) -> bool {
    let turn = |p: GridPoint, q: GridPoint, r: GridPoint| {
        let [p, q, r] = [p, q, r].map(|it| it.map(i64::from));
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    turn(a, b, c) > 0
}

/// Height of a face at a place in it.
fn height_on(face: &DraftFace, [x, y]: [f64; 2]) -> Option<f64> {
    let [a, b, c] = face.corners.map(|corner| corner.position.map(f64::from));
    let turn = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let weights = [turn(b, c), turn(c, a), turn(a, b)].map(|it| it / area);
    let is_inside = area != 0.0 && weights.iter().all(|it| *it >= -1e-6);
    is_inside.then(|| weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2])
}
