//! Rules that hold on all known maps, and which show whether the map of an owner is read as the game reads it.

use super::{Face, LandMsh, NO_MATERIAL};
use crate::packing::unpack_face_normal;
use ironlands_assets_core::report::Report;

/// Raw units of type 18 a world unit: one turn of the microtexture in 20 units.
const MICRO_UNITS: f32 = 51.2;
/// Each coordinate of type 18 is rounded to a whole unit: both ends by half a unit along both axes.
const MICRO_ROUNDING: f32 = 1.5;
/// Longest edge along which type 18 cannot wrap, in raw units.
const MICRO_REACH: f32 = 30_000.0;
/// A normal is stored in steps of 1/32767 a component.
const NORMAL_ROUNDING: f32 = 1e-4;

impl LandMsh {
    /// Adds how often each rule holds.
    pub(super) fn add_fits(&self, report: &mut Report) {
        let borders = self.material_borders();
        let n_fitting = borders.n_second.saturating_add(borders.n_first);
        let cases = (0..borders.total()).map(|case| case < n_fitting);
        report.fit(
            "at edges where two materials meet one, weights select the right one",
            cases,
        );
        report.fit(
            "vertices without a second material have weight 1",
            self.plain_weights(),
        );
        report.fit(
            "edge codes name the same edge of the neighbor",
            self.edge_codes(),
        );
        report.fit("face normals are of unit length", self.unit_normals());
        report.fit(
            "faces run counter-clockwise around their normals",
            self.windings(),
        );
        report.fit("microtextures turn once in 20 units", self.micro_turns());
    }

    fn plain_weights(&self) -> impl Iterator<Item = bool> {
        let mut is_blended = vec![false; self.positions.len()];
        let blended = self
            .faces
            .iter()
            .filter(|face| face.second_material != NO_MATERIAL);
        for vertex in blended.flat_map(|face| face.vertices) {
            if let Some(is_blended) = is_blended.get_mut(usize::from(vertex)) {
                *is_blended = true;
            }
        }
        let weights = self.second_weights.iter().flatten().zip(is_blended);
        let plain = weights.filter(|(_, is_blended)| !is_blended);
        plain.map(|(weight, _)| *weight == 1.0)
    }

    fn edge_codes(&self) -> impl Iterator<Item = bool> {
        let edges = self.edge_order().edges();
        self.faces.iter().flat_map(move |face| {
            let links = face
                .neighbors
                .into_iter()
                .zip(edges)
                .zip(face.edge_classes());
            links.filter_map(move |((word, edge), code)| {
                let neighbor = self.neighbor(word)?;
                let shared = self.edge_at(neighbor, self.edge_places(face, edge)?);
                Some(shared == Some(code))
            })
        })
    }

    fn unit_normals(&self) -> impl Iterator<Item = bool> {
        self.faces.iter().map(|face| {
            let normal = unpack_face_normal(face.normal);
            (dot(normal, normal).sqrt() - 1.0).abs() <= NORMAL_ROUNDING
        })
    }

    fn windings(&self) -> impl Iterator<Item = bool> {
        self.faces.iter().filter_map(|face| {
            let [a, b, c] = self.corners(face)?;
            let across = cross(minus(b, a), minus(c, a));
            Some(dot(across, unpack_face_normal(face.normal)) > 0.0)
        })
    }

    fn micro_turns(&self) -> impl Iterator<Item = bool> {
        let sides = self
            .faces
            .iter()
            .flat_map(|face| [0, 1, 2].map(|edge| face.edge_vertices(edge)));
        sides.filter_map(|[from, to]| {
            let [from, to] = [from, to].map(usize::from);
            let [dx, dy, _] = minus(*self.positions.get(to)?, *self.positions.get(from)?);
            let ([u0, v0], [u1, v1]) = (self.micro_uv.get(from)?, self.micro_uv.get(to)?);
            let along = dx.hypot(dy) * MICRO_UNITS;
            let turned = [u1.wrapping_sub(*u0), v1.wrapping_sub(*v0)].map(f32::from);
            let [du, dv] = turned;
            let is_measured = along < MICRO_REACH;
            is_measured.then(|| (du.hypot(dv) - along).abs() <= MICRO_ROUNDING)
        })
    }

    fn corners(&self, face: &Face) -> Option<[[f32; 3]; 3]> {
        let [a, b, c] = face
            .vertices
            .map(|it| self.positions.get(usize::from(it)).copied());
        Some([a?, b?, c?])
    }
}

fn minus([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ax - bx, ay - by, az - bz]
}

fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}
