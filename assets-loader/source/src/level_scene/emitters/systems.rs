//! Particle systems of the game as emitters: one for each way in which particles are born, of each sequence that they show
//! and of each way in which they are drawn.
//!
//! An emitter says where its particles are at any time, by formulas, or where forces depend on the place by steps of their own.
//! What depends on other particles, or on control points that move, is left out, and named in a note.

mod flight;
mod made;
mod points;
mod ramp;
mod recipe;
mod remaps;
mod scalars;

use std::collections::BTreeSet;

use ironlands_scene::effects::EffectPictures;
use ironlands_scene::{
    Affine, Anchor, Emitter, FramePlay, MAX_STEP_COST, Motion, ParticleBlend, ParticleForm, Rope,
    SpriteFrame, Throw,
};

use super::super::FORMAT;
use super::super::direct_light::{LightPath, Sight};
use super::super::placement::world_from_model;
use super::{Maker, left_out_finding, seen_up_to, starts_on};
use crate::bsp::is_place;
use crate::entities::Entity;
use crate::materials::{Materials, SpriteSequences};
use crate::particle_files::ParticleFiles;
use crate::pcf::{ParticleSystem, first_of};
use flight::Axes;
use ironlands_assets_core::bytes::{Finding, Severity};
use points::ControlPoints;
use recipe::Recipe;

/// The class of entities that let out the particles of a system.
pub const PARTICLE_SYSTEM: &str = "info_particle_system";
/// Systems that begin with others, this deep, and as many for one entity.
const MAX_DEPTH: usize = 8;
const MAX_SYSTEMS: usize = 64;
/// Emitters of one entity differ by this.
const SEED_STEP: u32 = 0x9E37_79B9;
/// In a system alone control points lie ahead of each other, this far apart.
const POINTS_APART: f32 = 128.0;
/// What particles fall on is looked for this deep below them, and found this exactly.
const FLOOR_DEPTH: f32 = 2048.0;
const FLOOR_EXACTNESS: f32 = 0.125;
/// Named among functions that are not drawn.
const TOO_MANY_STEPS: &str = "forces on too many particles";

/// What the particles of all entities come from, and what could not be taken over.
#[derive(Debug)]
pub(super) struct Systems {
    pub files: ParticleFiles,
    /// What steps of the particles of further emitters may cost for a frame.
    steps_left: u64,
    /// Names of systems that are nowhere.
    missing: BTreeSet<String>,
    /// Functions that are not drawn, by their names.
    left_out: BTreeSet<String>,
}

impl Systems {
    pub fn new(files: ParticleFiles) -> Self {
        Self {
            files,
            steps_left: MAX_STEP_COST,
            missing: BTreeSet::new(),
            left_out: BTreeSet::new(),
        }
    }

    /// What is missing of all systems that were drawn.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, what: &str, names: &BTreeSet<String>| {
            if !names.is_empty() {
                let message = format!("{what}: {}", first_of(names));
                findings.push(Finding::new(severity, FORMAT, message));
            }
        };
        find(
            Severity::Note,
            "particle systems are missing",
            &self.missing,
        );
        let what = "functions of particle systems are not drawn";
        find(Severity::Note, what, &self.left_out);
        findings
    }
}

/// What is made of one system and of those that begin with it.
struct Builder<'a, 'b> {
    materials: &'a mut Materials<'b>,
    /// What is shown of a material that is missing.
    disc: SpriteFrame,
    points: ControlPoints<'a>,
    seed: u32,
    starts_on: bool,
    emitters: Vec<Emitter>,
    steps_left: &'a mut u64,
    left_out: &'a mut BTreeSet<String>,
    n_left: usize,
    /// The systems that have begun each other, by their places in the file.
    path: Vec<usize>,
}

/// A system alone, at the origin, and the functions of it that are not drawn.
pub fn of_system_alone(
    system: &ParticleSystem<'_>,
    materials: &mut Materials<'_>,
) -> (Vec<Emitter>, Vec<Finding>) {
    let first = materials.add_textures(EffectPictures::textures());
    let mut systems = Systems::new(ParticleFiles::default());
    let mut builder = Builder {
        materials,
        disc: EffectPictures::new(first).disc,
        points: ControlPoints::new(
            &|number, _| {
                world_from_model([POINTS_APART * number as f32, 0.0, 0.0], [0.0; 3], [1.0; 3])
            },
            &|| None,
        ),
        seed: 0,
        // It is shown from its beginning, again and again.
        starts_on: false,
        emitters: Vec::new(),
        steps_left: &mut systems.steps_left,
        left_out: &mut systems.left_out,
        n_left: MAX_SYSTEMS,
        path: Vec::new(),
    };
    builder.add(system, 0.0);
    let mut emitters = builder.emitters;
    for emitter in &mut emitters {
        emitter.starts_on = true;
    }
    let n_left_out = Emitter::keep_possible(&mut emitters);
    let mut findings = systems.findings();
    findings.extend(left_out_finding(n_left_out));
    (emitters, findings)
}

impl Maker<'_, '_> {
    /// `effect_name` is the system; `cpoint1` and so on name entities at its other control points.
    pub(super) fn particle_system(&mut self, entity: &Entity, seed: u32) {
        let Self {
            systems:
                Systems {
                    files,
                    steps_left,
                    missing,
                    left_out,
                },
            places,
            materials,
            pictures,
            emitters,
            sight,
            ..
        } = self;
        let Some(origin) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let Some(name) = entity.get("effect_name") else {
            return;
        };
        let Some(system) = files.system(&name) else {
            missing.insert(name.into_owned());
            return;
        };
        let control_point = |number: i32, is_local: bool| {
            let named = match number {
                1.. => entity.get(&format!("cpoint{number}")),
                _ => None,
            };
            let named = named.and_then(|name| places.turned_of_name(&name));
            let named = named.filter(|(place, _)| is_place(*place));
            let own = || (origin, entity.angles().unwrap_or_default());
            let (place, angles) = named.unwrap_or_else(own);
            let angles = if is_local { angles } else { [0.0; 3] };
            world_from_model(place, angles, [1.0; 3])
        };
        let floor = || floor_below(origin, sight);
        let mut builder = Builder {
            materials,
            disc: pictures.disc,
            points: ControlPoints::new(&control_point, &floor),
            seed,
            starts_on: starts_on(entity),
            emitters: Vec::new(),
            steps_left,
            left_out,
            n_left: MAX_SYSTEMS,
            path: Vec::new(),
        };
        builder.add(&system, 0.0);
        emitters.append(&mut builder.emitters);
    }
}

impl Builder<'_, '_> {
    /// A system that begins after a delay, and those that begin with it.
    ///
    /// One that begins itself does so once.
    fn add(&mut self, system: &ParticleSystem<'_>, delay_secs: f32) {
        let begins = self.path.len() < MAX_DEPTH && !self.path.contains(&system.index());
        let Some(left) = self.n_left.checked_sub(1).filter(|_| begins) else {
            return;
        };
        self.n_left = left;
        self.path.push(system.index());
        let n_points = self.points.put(system);
        let mut recipe = Recipe::new(system, &self.points, self.left_out);
        let material = system.material().filter(|it| !it.is_empty());
        let shown = material.and_then(|it| self.materials.sprite_sequences(&it, recipe.sequences));
        let shown = shown.unwrap_or_else(|| SpriteSequences {
            sequences: vec![vec![self.disc]],
            adds: true,
            overbright: 1.0,
            softness: 0.0,
            is_fogged: true,
            height: 1,
        });
        // Sequences of one picture each: each particle shows one of them. Else a part of the particles shows each.
        let are_single = shown.sequences.iter().all(|it| it.len() == 1);
        let sequences = match are_single {
            true => vec![shown.sequences.concat()],
            false => shown.sequences.clone(),
        };
        let n_sequences = u32::try_from(sequences.len()).unwrap_or(u32::MAX);
        for (part, frames) in (0..).zip(sequences) {
            recipe.live_as_long_as(if are_single { 1 } else { frames.len() });
            for picture in &recipe.pictures {
                let like = self.emitter(&recipe, picture.form, &shown, are_single);
                let births = recipe.births.iter();
                let births = births.map(|it| it.shared(part, n_sequences));
                for birth in births.filter(|it| !it.is_none()) {
                    let (emission, window) = recipe.emission(birth, delay_secs, self.starts_on);
                    let number = self.emitters.len() as u32;
                    let mut emitter = Emitter {
                        name: system.name(),
                        seed: self.seed ^ number.wrapping_mul(SEED_STEP),
                        emission,
                        window,
                        frames: frames.clone(),
                        play: match are_single {
                            true => FramePlay::AtRandom,
                            false => picture.play(frames.len()),
                        },
                        ..like.clone()
                    };
                    self.let_fly(&recipe, &mut emitter);
                    self.emitters.push(emitter);
                }
            }
        }
        for child in system.children() {
            let delay_secs = delay_secs + child.delay_secs;
            self.add(&child.system, delay_secs);
        }
        self.points.take_back(n_points);
        self.path.pop();
    }

    /// Gives an emitter that is complete otherwise the forces and constraints of its system.
    fn let_fly(&mut self, recipe: &Recipe, emitter: &mut Emitter) {
        if !recipe.is_stepped() {
            return;
        }
        match recipe.motion(emitter, &self.place(recipe), *self.steps_left) {
            Some(motion) => {
                emitter.motion = motion;
                *self.steps_left = self.steps_left.saturating_sub(emitter.step_cost());
            }
            None => {
                self.left_out.insert(TOO_MANY_STEPS.to_owned());
            }
        }
    }

    fn place(&self, recipe: &Recipe) -> Affine {
        self.points.at(recipe.control_point, recipe.is_local)
    }

    /// All but how its particles are born, which frames they show, and what forces do.
    fn emitter(
        &self,
        recipe: &Recipe,
        form: ParticleForm,
        shown: &SpriteSequences,
        sequences_are_frames: bool,
    ) -> Emitter {
        let (size, size_spread) = recipe.sizes(form);
        let (color, tints) = recipe.colors(shown.overbright);
        let place = self.place(recipe);
        let axes = Axes::new(&place);
        let form = in_pixels(form, shown.height);
        let throw = recipe.throw();
        Emitter {
            anchor: Anchor::Place(place),
            starts_on: self.starts_on,
            life_secs: recipe.life_secs(),
            start_age: recipe.start_age,
            birthplace: recipe.birthplace(&axes),
            motion: Motion::Thrown(Throw {
                direction: axes.direction(throw.direction),
                ..throw
            }),
            modulations: recipe.modulations(form, &axes, sequences_are_frames),
            is_lit: recipe.is_lit,
            leaves_trail: !recipe.is_locked,
            size,
            size_spread,
            color,
            tints,
            angle_rad: recipe.angle_rad,
            spin_rad_per_sec: recipe.spin_rad_per_sec(),
            form,
            blend: match shown.adds {
                true => ParticleBlend::Add,
                false => ParticleBlend::Alpha,
            },
            is_fogged: shown.is_fogged,
            range: seen_up_to(recipe.draw_distance),
            softness: shown.softness,
            ..Emitter::default()
        }
    }
}

/// A form whose lengths count pixels of a texture of a height, in units of the world.
fn in_pixels(form: ParticleForm, height: u32) -> ParticleForm {
    match form {
        ParticleForm::Rope(rope) => {
            let frame_length = rope.frame_length * height.max(1) as f32;
            ParticleForm::Rope(Rope {
                frame_length,
                frames_per_sec: rope.frames_per_sec / frame_length,
                ..rope
            })
        }
        other => other,
    }
}

/// Where light ends that falls straight down from a place.
pub(super) fn floor_below([x, y, z]: [f32; 3], sight: &Sight<'_>) -> Option<[f32; 3]> {
    let is_free = |depth: f32| sight([x, y, z], [x, y, z - depth]) == LightPath::Free;
    let (mut free, mut hidden) = (FLOOR_EXACTNESS, FLOOR_DEPTH);
    if !is_free(free) || is_free(hidden) {
        return None;
    }
    while hidden - free > FLOOR_EXACTNESS {
        let middle = free.midpoint(hidden);
        match is_free(middle) {
            true => free = middle,
            false => hidden = middle,
        }
    }
    Some([x, y, z - free])
}
