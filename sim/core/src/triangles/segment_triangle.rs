//! Segment against triangle: where they are nearest, in f64, for a segment that does not cross the face.

use super::point_triangle::{NearestPoint, OnSegment};
use glam::DVec3;

/// Two points nearest to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// The point of the segment.
    pub on_segment: DVec3,
    /// The point of the face.
    pub on_face: DVec3,
}

impl Gap {
    /// Between a point and a triangle.
    pub fn from_point(point: DVec3, corners: [DVec3; 3]) -> Self {
        let nearest = NearestPoint::from_corners(corners.map(|corner| corner - point));
        Self {
            on_segment: point,
            on_face: point + nearest.offset,
        }
    }

    /// Between the segment from `a` to `b` and a triangle that it does not cross.
    ///
    /// An end of the segment and the face, a corner and the segment, or two insides of edges are nearest; each
    /// candidate is a pair of real points, so a nearly parallel pair can only cost the digits that it has not.
    pub fn from_segment([a, b]: [DVec3; 2], corners: [DVec3; 3]) -> Self {
        let mut nearest = Self::from_point(a, corners);
        nearest.improve(Self::from_point(b, corners));
        for i in 0..3 {
            let (corner, next) = (corners[i], corners[(i + 1) % 3]);
            nearest.improve(Self {
                on_segment: corner + OnSegment::nearest(a - corner, b - corner).offset,
                on_face: corner,
            });
            if let Some(gap) = Self::between_insides([a, b], [corner, next]) {
                nearest.improve(gap);
            }
        }
        nearest
    }

    /// Where segment and triangle meet.
    pub fn none_at(point: DVec3) -> Self {
        Self {
            on_segment: point,
            on_face: point,
        }
    }

    /// From the face to the segment.
    pub fn to_segment(self) -> DVec3 {
        self.on_segment - self.on_face
    }

    fn improve(&mut self, other: Self) {
        if other.to_segment().length_squared() < self.to_segment().length_squared() {
            *self = other;
        }
    }

    /// The feet of the common perpendicular of two lines, if both lie inside their segments.
    fn between_insides([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<Self> {
        let (ab, cd, ca) = (b - a, d - c, a - c);
        let normal = ab.cross(cd);
        let per_part = 1.0 / normal.length_squared();
        // Where the lines are parallel these are infinite or NaN, and the other candidates serve.
        let along_ab = cd.cross(ca).dot(normal) * per_part;
        let along_cd = ab.cross(ca).dot(normal) * per_part;
        let is_inside = (0.0..=1.0).contains(&along_ab) && (0.0..=1.0).contains(&along_cd);
        is_inside.then(|| Self {
            on_segment: a + along_ab * ab,
            on_face: c + along_cd * cd,
        })
    }
}
