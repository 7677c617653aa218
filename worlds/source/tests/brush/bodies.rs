//! Convex bodies as plain corners, and how far a box is from one: the slow method beside sweeps.

use crate::common::{GAP, trace};
use glam::{DMat3, DVec3, Vec3};
use ironlands_sim_brush::{BrushWorld, ShapeCast};

/// A convex body.
pub struct Body {
    pub corners: Vec<DVec3>,
    /// Of its faces.
    pub normals: Vec<DVec3>,
    /// Directions of its edges.
    pub edges: Vec<DVec3>,
}

impl Body {
    /// A box with its own axes.
    pub fn turned_box(origin: Vec3, turn: DMat3, mins: Vec3, maxs: Vec3) -> Self {
        let corners = (0..8).map(|i| {
            let corner = |axis: usize| {
                if i >> axis & 1 == 0 {
                    mins[axis]
                } else {
                    maxs[axis]
                }
            };
            origin.as_dvec3() + turn * Vec3::new(corner(0), corner(1), corner(2)).as_dvec3()
        });
        let axes = vec![turn.x_axis, turn.y_axis, turn.z_axis];
        Self {
            corners: corners.collect(),
            normals: axes.clone(),
            edges: axes,
        }
    }

    pub fn triangle(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        Self {
            corners: corners.to_vec(),
            normals: vec![(b - a).cross(c - a).normalize()],
            edges: vec![b - a, c - b, a - c],
        }
    }

    /// How far a box is from it along the axis that separates them most; negative where none does.
    pub fn separation(&self, middle: DVec3, half: DVec3) -> f64 {
        let across = self
            .edges
            .iter()
            .flat_map(|edge| DVec3::AXES.map(|axis| edge.cross(axis)));
        let across = across
            .filter(|axis| axis.length() > 1e-6)
            .map(|axis| axis.normalize());
        let axes = DVec3::AXES
            .into_iter()
            .chain(self.normals.iter().copied())
            .chain(across);
        let apart = axes.map(|axis| {
            let along = || self.corners.iter().map(|corner| axis.dot(*corner - middle));
            let (low, high) = (
                along().fold(f64::INFINITY, f64::min),
                along().fold(f64::NEG_INFINITY, f64::max),
            );
            low.max(-high) - axis.abs().dot(half)
        });
        apart.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Checks a shape cast of a box among bodies, given which of them may stop it and which one did: it is a gap before
/// that one in the end, and inside of none on its way. Bodies that it starts in are ignored.
pub fn check_sweep(
    world: &BrushWorld,
    sweep: &ShapeCast,
    bodies: &[(bool, Body)],
    stopped_by: impl Fn(&ironlands_sim_brush::CastHit) -> usize,
) -> bool {
    let found = trace(world, sweep);
    let half = (sweep.maxs - sweep.mins).as_dvec3() * 0.5;
    let middle = (sweep.maxs + sweep.mins).as_dvec3() * 0.5;
    let at = |share: f64| sweep.start.as_dvec3().lerp(sweep.end.as_dvec3(), share) + middle;
    let starts_in: Vec<_> = bodies
        .iter()
        .map(|(_, body)| body.separation(at(0.0), half) <= 1e-6)
        .collect();
    if found.all_solid {
        assert!(starts_in.contains(&true), "{sweep:?}: {found:?}");
        return false;
    }
    if let Some(hit) = &found.hit {
        let (may, body) = &bodies[stopped_by(hit)];
        assert!(may, "{sweep:?}: {found:?}");
        let apart = body.separation(at(f64::from(found.fraction)), half);
        // Fractions are f32.
        let rounding = 1e-3 + sweep.start.distance(sweep.end) as f64 * 1e-7;
        let is_at_start = found.fraction == 0.0 && apart < GAP + rounding;
        assert!(
            is_at_start || (apart - GAP).abs() < rounding,
            "{sweep:?}: {found:?}, {apart} apart"
        );
    }
    for (i, (may, body)) in bodies.iter().enumerate() {
        if !may || starts_in[i] {
            continue;
        }
        for share in 0..=100 {
            let share = f64::from(found.fraction) * f64::from(share) / 100.0;
            let apart = body.separation(at(share), half);
            assert!(
                apart > -1e-3,
                "{sweep:?}: {found:?}, {i} is {apart} apart at {share}"
            );
        }
    }
    found.hit.is_some()
}

/// World from local axes (section 13), by three turns one after the other: roll about x, pitch about y, yaw about z.
pub fn turn(angles: Vec3) -> DMat3 {
    let [pitch, yaw, roll] = angles
        .to_array()
        .map(|degrees| f64::from(degrees).to_radians());
    DMat3::from_rotation_z(yaw) * DMat3::from_rotation_y(pitch) * DMat3::from_rotation_x(roll)
}
