//! What an imported figure takes over from the figure that its file was exported from.
//!
//! A GLB holds less than the files of a figure: it has no table of animations, and turns come back with the rounding of
//! quaternions about other axes. So the base goes the same way once more, to GLB and back: whatever the imported figure
//! has just as that round trip left it was not touched, and the base's own is better.

use ironlands_assets_evil_islands::anm::Anm;
use ironlands_assets_evil_islands::figure::{Figure, FigureAnimation};
use ironlands_exchange::{ExportError, Findings, ImportError};

use super::read_gltf::{ImportedFigure, read_figure_glb};
use super::write_glb::{FigureSource, write_figure_glb};

/// How far numbers of an unedited track may be apart: meters, and parts of unit quaternions. Programs
/// that load and save a GLB round each number to 24 bits, some of them twice.
const UNTOUCHED: f32 = 1e-5;

/// Why a base cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    /// It cannot be written as GLB, so that nothing can be compared.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// What was written of it cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl ImportedFigure {
    /// Takes over from `base`, the figure that the file was exported from: tracks, meshes and rest positions that the
    /// file holds as the base's export had them, all animations if the file has none, and the table of animations.
    ///
    /// Animations of the base that the file lacks while it has others count as deleted; a finding names them.
    ///
    /// # Errors
    /// The base cannot be exported.
    pub fn take_over(&mut self, base: &Figure) -> Result<(), BaseError> {
        let source = FigureSource {
            figure: base,
            primary: None,
            secondary: None,
            complection: self.complection,
        };
        let round_trip = read_figure_glb(&write_figure_glb(&source)?.bytes)?.figure;
        let mut findings = Findings::default();
        self.take_over_parts(base, &round_trip);
        if self.figure.animations.is_empty() {
            self.add_animations(base);
        } else {
            self.take_over_tracks(base, &round_trip);
            for animation in &base.animations {
                if animation_of(&self.figure, &animation.name).is_none() {
                    let message = "an animation of the base is not in the file and is left out";
                    findings.add(format!("animation {}", animation.name), message);
                }
            }
        }
        self.figure.adb.clone_from(&base.adb);
        self.findings.extend(findings.into_list());
        Ok(())
    }

    fn take_over_parts(&mut self, base: &Figure, round_trip: &Figure) {
        for part in &mut self.figure.parts {
            let [of_base, again] = [base, round_trip].map(|figure| {
                let index = figure.part(&part.name)?;
                figure.parts.get(index)
            });
            let (Some(of_base), Some(again)) = (of_base, again) else {
                continue;
            };
            if part.fig == again.fig {
                part.fig.clone_from(&of_base.fig);
            }
            if part.bon == again.bon {
                part.bon.clone_from(&of_base.bon);
            }
        }
    }

    /// All animations of the base, for the parts that there are.
    fn add_animations(&mut self, base: &Figure) {
        let parts = &self.figure.parts;
        let animations = base.animations.iter().map(|animation| FigureAnimation {
            name: animation.name.clone(),
            parts: parts
                .iter()
                .map(|part| track_of(base, animation, &part.name).cloned())
                .collect(),
        });
        self.figure.animations = animations.collect();
    }

    fn take_over_tracks(&mut self, base: &Figure, round_trip: &Figure) {
        let parts = &self.figure.parts;
        for animation in &mut self.figure.animations {
            let [of_base, again] =
                [base, round_trip].map(|figure| animation_of(figure, &animation.name));
            let (Some(of_base), Some(again)) = (of_base, again) else {
                continue;
            };
            for (part, track) in parts.iter().zip(&mut animation.parts) {
                let again = track_of(round_trip, again, &part.name);
                if base.part(&part.name).is_some() && is_untouched(track.as_ref(), again) {
                    *track = track_of(base, of_base, &part.name).cloned();
                }
            }
        }
    }
}

fn animation_of<'a>(figure: &'a Figure, name: &str) -> Option<&'a FigureAnimation> {
    let mut animations = figure.animations.iter();
    animations.find(|it| it.name.eq_ignore_ascii_case(name))
}

fn track_of<'a>(figure: &Figure, animation: &'a FigureAnimation, part: &str) -> Option<&'a Anm> {
    animation.parts.get(figure.part(part)?)?.as_ref()
}

fn is_untouched(track: Option<&Anm>, again: Option<&Anm>) -> bool {
    match (track, again) {
        (None, None) => true,
        (Some(track), Some(again)) => {
            are_near(&track.translations, &again.translations)
                && are_near(&track.morphs, &again.morphs)
                && are_same_turns(&track.rotations, &again.rotations)
        }
        _ => false,
    }
}

fn are_near<const N: usize>(a: &[[f32; N]], b: &[[f32; N]]) -> bool {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    a.len() == b.len() && pairs.into_iter().all(|(a, b)| (a - b).abs() <= UNTOUCHED)
}

/// Quaternions of opposite signs are the same turn.
fn are_same_turns(a: &[[f32; 4]], b: &[[f32; 4]]) -> bool {
    let is_same = |(a, b): (&[f32; 4], &[f32; 4])| {
        let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let b = b.map(|v| if dot < 0.0 { -v } else { v });
        are_near(&[*a], &[b])
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}
