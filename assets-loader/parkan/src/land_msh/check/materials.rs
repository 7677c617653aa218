//! The second material of faces and its weights.

use super::{Checker, Findings, Severity};
use crate::face_mask::FaceFlags;
use crate::record::record_offset;

/// Borders between one and two materials fit on known maps but for one of 700; where more than one of this many do
/// not, the bytes mean something else.
const MISFITS: usize = 20;

impl Checker<'_> {
    pub(super) fn check_materials(&self, findings: &mut Findings) {
        let has_flag = |flags: FaceFlags| flags.contains(FaceFlags::SECOND_MATERIAL);
        let faces = self.faces();
        let unflagged = faces.filter(|(_, face)| has_flag(face.flags) != face.second().is_some());
        findings.rule(
            Severity::Warning,
            unflagged.map(|(idx, face)| {
                let message = format!(
                    "face {idx} has second material {} and flags {:#x}: bit 4 says whether there is one",
                    face.second_material,
                    face.flags.bits()
                );
                (self.at_face(idx, 0), message)
            }),
        );
        self.check_weights(findings);
        let borders = self.land.material_borders();
        let misfits = borders.n_other.saturating_mul(MISFITS) > borders.total();
        findings.rule(
            Severity::Warning,
            misfits.then(|| {
                let message = format!(
                    "at {} of {} edges where two materials meet one, weights and materials do not fit together",
                    borders.n_other,
                    borders.total()
                );
                (self.at(21, 0), message)
            }),
        );
    }

    fn check_weights(&self, findings: &mut Findings) {
        let weights = || (self.land.second_weights.iter().flatten().copied()).enumerate();
        let at = |vertex: usize| self.at(14, record_offset(0, vertex, size_of::<f32>()));
        let broken = weights().filter(|(_, weight)| !(0.0..=1.0).contains(weight));
        findings.rule(
            Severity::Error,
            broken.map(|(vertex, weight)| {
                let message = format!("vertex {vertex} has weight {weight}, expected 0 to 1");
                (at(vertex), message)
            }),
        );
        let mut is_blended = vec![false; self.land.positions.len()];
        let blended = self.faces().filter(|(_, face)| face.second().is_some());
        for vertex in blended.flat_map(|(_, face)| face.vertices) {
            if let Some(is_blended) = is_blended.get_mut(usize::from(vertex)) {
                *is_blended = true;
            }
        }
        let unused = weights().zip(is_blended);
        let unused = unused.filter(|((_, weight), is_blended)| !is_blended && *weight != 1.0);
        findings.rule(
            Severity::Note,
            unused.map(|((vertex, weight), _)| {
                let message =
                    format!("vertex {vertex} has weight {weight} and no face with two materials");
                (at(vertex), message)
            }),
        );
    }
}
