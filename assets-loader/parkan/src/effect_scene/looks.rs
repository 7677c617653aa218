//! What particles show of a material: pictures and colors by the place in its track (sections 2.4 and 3.4).

use ironlands_scene::{ParticleBlend, SpriteFrame, TextureCell, TextureIdx};

use crate::mat0::{Mat0, Phase, Track};
use crate::material_scene::cell_of;
use crate::material_table::{BlendMode, MaterialTable, TableMaterial};

/// In how many steps an animation is shown.
pub(super) const N_STEPS: u16 = 32;
/// Of a track's mask: the ambient color glides from key to key.
const AMBIENT_GLIDES: u32 = 1;
/// The place in the animation where there is none.
const NO_PLACE: f32 = 0.5;

/// A material as particles show it.
#[derive(Clone, Copy)]
pub(super) struct Looks<'a> {
    table: &'a MaterialTable,
    material: Option<&'a TableMaterial>,
}

/// What a particle shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) frame: SpriteFrame,
    pub(super) color: [f32; 3],
}

/// What a material shows at the beginning of its animation.
pub(crate) fn first_frame(table: &MaterialTable, material: Option<usize>) -> Option<SpriteFrame> {
    let looks = Looks::new(table, Some(material?));
    Some(looks.at(0.0).frame)
}

impl<'a> Looks<'a> {
    /// A material of a table; plain white without one.
    pub(super) fn new(table: &'a MaterialTable, material: Option<usize>) -> Self {
        Self {
            table,
            material: material.and_then(|idx| table.materials.get(idx)),
        }
    }

    pub(super) fn blend(&self) -> ParticleBlend {
        match self.material.and_then(TableMaterial::blend_mode) {
            Some(BlendMode::Add) => ParticleBlend::Add,
            _ => ParticleBlend::Alpha,
        }
    }

    /// In the middle of each of [`N_STEPS`] steps, the place in the animation being what `phase` makes of the share of
    /// steps; a single one if they are all alike.
    pub(super) fn steps(&self, phase: impl Fn(f32) -> f32) -> Vec<Look> {
        let middle = |step: u16| (f32::from(step) + 0.5) / f32::from(N_STEPS);
        let mut looks: Vec<Look> = (0..N_STEPS).map(|it| self.at(phase(middle(it)))).collect();
        let first = looks.first().copied();
        if looks.iter().all(|look| Some(*look) == first) {
            looks.truncate(1);
        }
        looks
    }

    /// The look at a place in the animation, in lengths of it: of the key that is shown there.
    fn at(&self, place: f32) -> Look {
        let Some(material) = self.material else {
            return Look {
                frame: SpriteFrame::default(),
                color: [1.0; 3],
            };
        };
        let played = material.mat0.first_track().ok().flatten();
        let (from, to, share) = played.map_or((0, 0, 0.0), |it| key_at(it, place));
        let color = |idx: usize| ambient(&material.mat0, idx);
        let [from_color, to_color] = [from, to].map(color);
        let glides = played.is_some_and(|it| it.interpolation_mask() & AMBIENT_GLIDES != 0);
        let share = if glides { share } else { 0.0 };
        Look {
            frame: self.frame(material, from),
            color: [0, 1, 2].map(|i: usize| mix(from_color, to_color, i, share)),
        }
    }

    fn frame(&self, material: &TableMaterial, phase: usize) -> SpriteFrame {
        let texture = material.textures.get(phase).copied().flatten();
        let Some(texture) = texture else {
            return SpriteFrame::default();
        };
        let whole = SpriteFrame::whole(TextureIdx(texture as u32));
        let texm = self.table.textures.get(texture);
        let texm = texm.and_then(|it| it.texm.as_ref());
        let cell = texm.zip(material.mat0.phases.get(phase));
        let cell = cell.and_then(|(texm, phase)| cell_of(texm, phase));
        cell.map_or(whole, |TextureCell { min: [x, y], size }| {
            let [width, height] = size;
            SpriteFrame {
                min: within([x, y]),
                max: within([x + width, y + height]),
                ..whole
            }
        })
    }
}

fn within(place: [f32; 2]) -> [f32; 2] {
    place.map(|share| share.clamp(0.0, 1.0))
}

fn mix(from: [f32; 3], to: [f32; 3], i: usize, share: f32) -> f32 {
    let [from, to] = [from, to].map(|it| it.get(i).copied().unwrap_or(1.0));
    from + (to - from) * share
}

/// The ambient color of a phase, which is the color of sprites.
fn ambient(mat0: &Mat0, phase: usize) -> [f32; 3] {
    mat0.phases.get(phase).map_or([1.0; 3], |phase: &Phase| {
        let [r, g, b, _] = phase.ambient;
        [r, g, b].map(|channel| f32::from(channel) / 255.0)
    })
}

/// The phases before and behind a place in an animation, and the share of the way from the one to the other. The word
/// of a key is the end of its time.
fn key_at(track: &Track, place: f32) -> (usize, usize, f32) {
    let place = place - place.floor();
    let place = if place.is_finite() { place } else { NO_PLACE };
    let keys = &track.keys;
    let end = keys.last().map_or(0, |key| key.end_ms);
    let time = place * f32::from(end);
    let shown = keys.iter().position(|key| time < f32::from(key.end_ms));
    let shown = shown.unwrap_or(keys.len().saturating_sub(1));
    let phase = |idx: usize| keys.get(idx).map_or(0, |key| usize::from(key.phase));
    let end_of = |idx: usize| keys.get(idx).map_or(0.0, |key| f32::from(key.end_ms));
    let before = shown.checked_sub(1).map_or(0.0, end_of);
    let next = shown.saturating_add(1);
    let next = if next < keys.len() { next } else { 0 };
    let length = end_of(shown) - before;
    let share = if length > 0.0 {
        ((time - before) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (phase(shown), phase(next), share)
}
