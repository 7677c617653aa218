//! A moving sphere or capsule against a triangle: the first moment at which they touch, in f64.
//!
//! A capsule with its axis from `a` to `b` touches a face when `a` comes within the radius of the *reach* of the
//! face: all differences of a point of the face and a point of the axis. That is a prism, the face drawn along
//! the axis backward; for a sphere it is the face. So the query is where a point on a straight line enters a
//! convex solid with a round skin. The skin is covered by planes over the sides of the prism, cylinders around its
//! edges and balls around its corners. Each is a part of the solid, so the first entry of any is the entry of the
//! whole, and where a plane ends its cylinder continues: nothing slips between them. What is nearly an edge may be
//! entered by either; the two moments agree there.
//!
//! Distance to something convex is a convex function along a straight motion. So a shape that touches at the start and
//! does not come nearer at once never will, and is let go.

use super::segment_triangle::Gap;
use crate::ray_triangle::ShearedRay;
use glam::DVec3;

/// A moving sphere or capsule, prepared for many triangles.
pub(super) struct MovingCapsule {
    /// Center of the sphere, or the end of the axis where the capsule begins.
    pub start: DVec3,
    /// From there to the other end of the axis; zero for a sphere.
    pub axis: DVec3,
    pub radius: f64,
    /// The whole motion.
    pub motion: DVec3,
    /// Motions of the axis' two ends. A radius that is nothing beside the coordinates leaves no digits for the skin;
    /// what an end goes through is hit all the same.
    paths: [Option<ShearedRay>; 2],
    /// The axis at the start; a sphere has none.
    axis_line: Option<ShearedRay>,
}

/// The first moment at which a face is touched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// Part of the motion, `0.0..=1.0`.
    pub t: f64,
    /// Distance of axis and face then: the radius, or less for what is touched at the start.
    pub distance: f64,
}

/// Where the shape touches a face.
pub(super) struct Contact {
    /// Point of the face.
    pub point: DVec3,
    /// Unit vector from there toward the axis.
    pub normal: DVec3,
}

impl MovingCapsule {
    /// All numbers must be finite and the radius not negative.
    pub fn new(start: DVec3, axis: DVec3, radius: f64, motion: DVec3) -> Self {
        let line =
            |from: DVec3, along: DVec3| ShearedRay::from_f64(from.to_array(), along.to_array());
        let is_sphere = axis == DVec3::ZERO;
        let end_path = if is_sphere {
            None
        } else {
            line(start + axis, motion)
        };
        Self {
            start,
            axis,
            radius,
            motion,
            paths: [line(start, motion), end_path],
            axis_line: line(start, axis),
        }
    }

    /// When the face is first touched.
    ///
    /// A face that is touched at the start counts then (t = 0) if the motion brings the axis nearer to it at once,
    /// or if there is no motion. One that the axis itself meets at the start has no side to be kept on and does
    /// not count, unless there is no motion. A sphere without radius is a ray: it hits what the ray hits.
    pub fn touch(&self, vertices: &[[f32; 3]; 3]) -> Option<Touch> {
        let is_moving = self.motion != DVec3::ZERO;
        if is_moving && self.is_ray() {
            return self.crossing(vertices).map(|t| Touch { t, distance: 0.0 });
        }
        let to_axis = self.to_axis_at_start(vertices);
        let distance = to_axis.length();
        if distance <= self.radius {
            // Along a wall is not toward it, whatever rounding says.
            let along = -1e-12 * self.motion.length() * distance;
            let is_beside = has_direction(to_axis, &corners_from(self.start, vertices));
            let comes_nearer = is_beside && self.motion.dot(to_axis) < along;
            return (comes_nearer || !is_moving).then_some(Touch { t: 0.0, distance });
        }
        let crossing = self.crossing(vertices).unwrap_or(f64::INFINITY);
        let t = self.entry(vertices).min(crossing);
        (t <= 1.0).then_some(Touch {
            t,
            distance: self.radius,
        })
    }

    /// Where the face is touched, at the moment that [`touch`](Self::touch) gave.
    pub fn contact(&self, touch: &Touch, vertices: &[[f32; 3]; 3]) -> Contact {
        let start = self.start + touch.t * self.motion;
        let corners = corners_from(start, vertices);
        let met = self.axis_crossing(vertices).filter(|_| touch.t == 0.0);
        let gap = match met {
            Some(along) => Gap::none_at(along * self.axis),
            None => self.gap(corners),
        };
        let normal = if has_direction(gap.to_segment(), &corners) {
            gap.to_segment().normalize()
        } else {
            self.side_of(corners)
        };
        Contact {
            point: start + gap.on_face,
            normal,
        }
    }

    /// The part of the motion, within `0.0..=1.0`, during which the shape's bounds overlap a box, each grown by
    /// `margin`.
    pub fn times_in(&self, low: DVec3, high: DVec3, margin: f64) -> Option<[f64; 2]> {
        let reach = DVec3::splat(self.radius + margin);
        let low = low - self.start - self.axis.max(DVec3::ZERO) - reach;
        let high = high - self.start - self.axis.min(DVec3::ZERO) + reach;
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            if self.motion[axis] == 0.0 {
                if low[axis] > 0.0 || high[axis] < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (
                low[axis] / self.motion[axis],
                high[axis] / self.motion[axis],
            );
            begin = begin.max(a.min(b));
            end = end.min(a.max(b));
        }
        (begin <= end).then_some([begin, end])
    }

    fn is_ray(&self) -> bool {
        self.radius == 0.0 && self.axis == DVec3::ZERO
    }

    /// From the face to the axis at the start; zero if they meet.
    fn to_axis_at_start(&self, vertices: &[[f32; 3]; 3]) -> DVec3 {
        if self.axis_crossing(vertices).is_some() {
            return DVec3::ZERO;
        }
        self.gap(corners_from(self.start, vertices)).to_segment()
    }

    /// Where the axis goes through the face at the start, as part of the axis. Later the radius keeps them apart.
    fn axis_crossing(&self, vertices: &[[f32; 3]; 3]) -> Option<f64> {
        let crossing = self.axis_line.as_ref()?.cross(vertices)?;
        (0.0..=1.0).contains(&crossing.t).then_some(crossing.t)
    }

    /// Between the axis and a face whose corners are relative to the axis' start.
    fn gap(&self, corners: [DVec3; 3]) -> Gap {
        if self.axis == DVec3::ZERO {
            Gap::from_point(DVec3::ZERO, corners)
        } else {
            Gap::from_segment([DVec3::ZERO, self.axis], corners)
        }
    }

    /// When an end of the axis first goes through the face.
    fn crossing(&self, vertices: &[[f32; 3]; 3]) -> Option<f64> {
        let paths = self.paths.iter().flatten();
        let times = paths.filter_map(|path| path.cross(vertices).map(|crossing| crossing.t));
        // As f32, like the results of a ray cast.
        times
            .filter(|t| (0.0..=1.0).contains(&(*t as f32)))
            .min_by(f64::total_cmp)
    }

    /// The normal where there is no distance: the face's own, against the motion; without area against the motion;
    /// without motion upward.
    fn side_of(&self, [a, b, c]: [DVec3; 3]) -> DVec3 {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal != DVec3::ZERO {
            let is_behind = normal.dot(self.motion) > 0.0;
            return if is_behind { -normal } else { normal };
        }
        (-self.motion).normalize_or(DVec3::Z)
    }

    /// When the skin around the face's reach is entered; infinite if never.
    fn entry(&self, vertices: &[[f32; 3]; 3]) -> f64 {
        let way = NodeStack {
            radius: self.radius,
            motion: self.motion,
        };
        let near = corners_from(self.start, vertices);
        let [a, b, c] = near;
        let mut t = way.side_entry(a, [b - a, c - a], Outline::Triangle);
        for i in 0..3 {
            t = t.min(way.cylinder_entry(near[i], near[(i + 1) % 3] - near[i]));
            t = t.min(way.ball_entry(near[i]));
        }
        if self.axis == DVec3::ZERO {
            return t;
        }
        let far = near.map(|corner| corner - self.axis);
        t = t.min(way.side_entry(
            far[0],
            [far[1] - far[0], far[2] - far[0]],
            Outline::Triangle,
        ));
        for i in 0..3 {
            let next = (i + 1) % 3;
            t = t.min(way.cylinder_entry(far[i], far[next] - far[i]));
            t = t.min(way.ball_entry(far[i]));
            t = t.min(way.cylinder_entry(near[i], -self.axis));
            let sides = [near[next] - near[i], -self.axis];
            t = t.min(way.side_entry(near[i], sides, Outline::Parallelogram));
        }
        t
    }
}

/// Is a distance more than rounding, given the corners that it was measured to?
fn has_direction(distance: DVec3, corners: &[DVec3; 3]) -> bool {
    let size = corners.iter().map(|corner| corner.length());
    distance.length() > 1e-12 * size.fold(0.0, f64::max)
}

fn corners_from(origin: DVec3, vertices: &[[f32; 3]; 3]) -> [DVec3; 3] {
    vertices.map(|v| DVec3::from_array(v.map(f64::from)) - origin)
}

/// The straight motion of the origin, and the skin that it may enter. Every moment is at least 0, infinite for never;
/// a shape that is in the skin already, by rounding, and gets nearer enters at 0.
struct NodeStack {
    radius: f64,
    motion: DVec3,
}

/// What two sides at a corner span.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outline {
    Triangle,
    Parallelogram,
}

impl NodeStack {
    /// The skin over either side of a flat outline.
    fn side_entry(&self, corner: DVec3, [e, f]: [DVec3; 2], outline: Outline) -> f64 {
        let span = e.cross(f);
        let area = span.length();
        let normal = if span.dot(self.motion) > 0.0 {
            -span / area
        } else {
            span / area
        };
        let speed = -normal.dot(self.motion);
        let height = -normal.dot(corner);
        // Also without area, and along the plane.
        let approaches = speed > 0.0 && height >= -self.radius;
        if !approaches {
            return f64::INFINITY;
        }
        let t = ((height - self.radius) / speed).max(0.0);
        let at = t * self.motion - corner;
        let (u, v) = (at.cross(f).dot(span), e.cross(at).dot(span));
        let whole = area * area;
        let is_over = match outline {
            Outline::Triangle => u >= 0.0 && v >= 0.0 && u + v <= whole,
            Outline::Parallelogram => (0.0..=whole).contains(&u) && (0.0..=whole).contains(&v),
        };
        if is_over { t } else { f64::INFINITY }
    }

    /// The side of a cylinder around the edge from `corner`; its ends are left to the balls.
    fn cylinder_entry(&self, corner: DVec3, edge: DVec3) -> f64 {
        let length = edge.length();
        let axis = edge / length;
        let across = |v: DVec3| v - axis * axis.dot(v);
        let miss = axis.dot(corner.cross(self.motion));
        let t = self.round_entry(across(-corner), across(self.motion), miss * miss);
        let along = axis.dot(t * self.motion - corner);
        // NaN too: of an edge without length, and of never.
        if (0.0..=length).contains(&along) {
            t
        } else {
            f64::INFINITY
        }
    }

    fn ball_entry(&self, center: DVec3) -> f64 {
        self.round_entry(
            -center,
            self.motion,
            center.cross(self.motion).length_squared(),
        )
    }

    /// Where `from + t * motion` comes within the radius of zero, in the plane or in space. `miss` is the square of
    /// their cross product: taken directly, since as a difference of squares it loses its digits far away.
    fn round_entry(&self, from: DVec3, motion: DVec3, miss: f64) -> f64 {
        let approach = -from.dot(motion);
        let root = motion.length_squared() * self.radius * self.radius - miss;
        let approaches = approach > 0.0 && root >= 0.0;
        if !approaches {
            return f64::INFINITY;
        }
        // The smaller root of the quadratic in the form that subtracts nothing of like size.
        let outside = from.length_squared() - self.radius * self.radius;
        (outside / (approach + root.sqrt())).max(0.0)
    }
}
