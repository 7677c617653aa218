//! The effects of a level: what control data creates when objects are loaded, and ore deposits.
//!
//! In: the objects of a level, the mission, and the game's archives. Out: effects, each read once, and where they are.
//! Document: "Parkan: what is settled since", sections 3.6, 5.6 and 7.1. Control data and control points of a model are
//! the entries of its archive with its name.
//!
//! Deliberately absent: what happens later than at loading: no gun fires, and nothing explodes.

mod control;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use ironlands_scene::{Affine, Anchor, Emitter, HourWindow, Light, LightStyle, Model};

use self::control::{ControlFiles, CreatedEffect};
use crate::effect_scene::{
    EffectClock, EffectEmitter, LoadedEffect, PlacedEffect, SceneSounds, Shining, SoundFiles,
    lights, moved,
};
use crate::fxid::{ARCHIVE, EffectFlags, Fxid};
use crate::level_objects::{LevelObject, LevelObjects, Place};
use crate::material_table::{MaterialResolver, MaterialTable};
use crate::mission::Mission;
use crate::model_scene::nodes_of;
use crate::registry::ObjectRef;
use crate::sky_scene::{LIGHTNING, Strike};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::missing_file;
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::Vfs;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan effects";
/// The effect over an ore deposit.
const MINERAL: &str = "env_mineral";
/// Most effects of a level; a large factory has some fifty.
const MAX_PLACED: usize = 1 << 14;

/// The effects of a level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelEffects {
    /// Each once.
    pub effects: Vec<LoadedEffect>,
    /// Where they are.
    pub placed: Vec<LevelEffect>,
}

/// An effect in a level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelEffect {
    /// Index into [`LevelEffects::effects`].
    pub effect: usize,
    /// Where it is, and how its time passes.
    pub placed: PlacedEffect,
    /// Where its frame is at rest.
    pub world_from_effect: Affine,
    /// The hours of the day at which it is there; `None` is always.
    pub hours: Option<HourWindow>,
}

impl LevelEffects {
    /// Loads the effects of objects, of a mission and of its lightning; their materials are resolved into the level's own
    /// table.
    pub(crate) fn load(
        objects: &LevelObjects,
        (mission, strikes): (&Mission, &[Strike]),
        vfs: &Vfs,
        resolver: &mut MaterialResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut loader = Loader {
            vfs,
            resolver,
            findings,
            sounds: SoundFiles::new(vfs),
            known: HashMap::new(),
            level: Self::default(),
        };
        loader.add_objects(objects);
        loader.add_minerals(mission);
        loader.add_lightning(strikes);
        let Loader {
            level, findings, ..
        } = loader;
        if level.placed.len() >= MAX_PLACED {
            let message = format!("more than {MAX_PLACED} effects; the rest is left out");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        level
    }

    /// All emitters, as many as a scene can have, and what is left out.
    pub fn emitters(&self, table: &MaterialTable) -> (Vec<EffectEmitter>, Vec<Finding>) {
        let mut all = Vec::new();
        let mut findings = Vec::new();
        for it in &self.placed {
            let Some(effect) = self.effects.get(it.effect) else {
                continue;
            };
            let (mut made, found) = effect.emitters(&it.placed, table);
            made.iter_mut()
                .for_each(|made| made.emitter.hours = it.hours);
            all.extend(made);
            findings.extend(
                found
                    .into_iter()
                    .filter(|it| !findings.contains(it))
                    .collect::<Vec<_>>(),
            );
        }
        let mut emitters: Vec<Emitter> = all.iter().map(|it| it.emitter.clone()).collect();
        let n_left_out = Emitter::keep_possible(&mut emitters);
        if n_left_out > 0 {
            let message = format!("{n_left_out} emitters of effects are more than can be shown");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
            let mut kept = emitters.iter().peekable();
            all.retain(|it| kept.next_if(|kept| **kept == it.emitter).is_some());
        }
        (all, findings)
    }

    /// Sounds of the scene, and their recordings.
    pub(crate) fn sounds(&self) -> SceneSounds {
        let mut sounds = SceneSounds::default();
        for it in &self.placed {
            if let Some(effect) = self.effects.get(it.effect) {
                sounds.add(effect, &it.placed, it.hours);
            }
        }
        sounds
    }

    /// Lights of the scene, and how they change.
    pub(crate) fn lights(&self) -> (Vec<Light>, Vec<LightStyle>) {
        // Lights know no hours.
        let always = self.placed.iter().filter(|it| it.hours.is_none());
        let shining = always.filter_map(|it| {
            Some(Shining {
                effect: self.effects.get(it.effect)?,
                world_from_effect: it.world_from_effect,
                clock: it.placed.clock,
            })
        });
        lights(&shining.collect::<Vec<_>>())
    }
}

struct Loader<'a, 'v> {
    vfs: &'a Vfs,
    resolver: &'a mut MaterialResolver<'v>,
    findings: &'a mut Vec<Finding>,
    sounds: SoundFiles<'a>,
    /// Effects by archive and entry in lower case; `None` for one that could not be opened, which has been said.
    known: HashMap<(String, Vec<u8>), Option<usize>>,
    level: LevelEffects,
}

impl Loader<'_, '_> {
    fn add_objects(&mut self, objects: &LevelObjects) {
        let controls: Vec<Option<ControlFiles>> = (objects.models.iter())
            .map(|model| ControlFiles::open(&model.name, self.vfs, self.findings))
            .collect();
        if controls.iter().all(Option::is_none) {
            return;
        }
        let models: Vec<Model> = (objects.models.iter())
            .map(|it| Model {
                nodes: nodes_of(&it.msh, it.first_node),
                ..Model::default()
            })
            .collect();
        let mut first_instance = 0_usize;
        for object in &objects.objects {
            let has_control = |model: usize| controls.get(model).is_some_and(Option::is_some);
            if object.components.iter().any(|it| has_control(it.model)) {
                self.add_object(object, &models, &controls, first_instance);
            }
            first_instance = first_instance.saturating_add(object.components.len());
        }
    }

    fn add_object(
        &mut self,
        object: &LevelObject,
        models: &[Model],
        controls: &[Option<ControlFiles>],
        first_instance: usize,
    ) {
        let places = object.at_rest(models);
        for (idx, (component, place)) in object.components.iter().zip(&places).enumerate() {
            let Some(control) = controls.get(component.model).and_then(Option::as_ref) else {
                continue;
            };
            let walk = object.movement.as_ref().and_then(|it| it.walk.as_ref());
            let speed = walk.map_or(0.0, |walk| control.share_of_top_speed(walk.speed));
            let instance = first_instance.saturating_add(idx) as u32;
            for created in control.created() {
                self.add_created(created, control, (instance, place), speed);
            }
        }
    }

    fn add_created(
        &mut self,
        created: &CreatedEffect,
        control: &ControlFiles,
        (instance, place): (u32, &Place),
        speed: f32,
    ) {
        let Some(effect) = self.effect(&created.resource) else {
            return;
        };
        let Some((node, node_from_effect)) = control.frame(&created.on) else {
            let message = format!("{}: an effect is on nothing", control.name);
            return self.find(message);
        };
        let world_from_node = usize::try_from(node)
            .ok()
            .and_then(|node| place.world_from_nodes.get(node));
        let Some(world_from_node) = world_from_node else {
            let message = format!(
                "{}: an effect is on node {node}, which is not there",
                control.name
            );
            return self.find(message);
        };
        let world_from_effect = world_from_node.times(&node_from_effect);
        let anchor = Anchor::Node {
            instance,
            node,
            node_from_emitter: node_from_effect,
        };
        self.place(effect, anchor, world_from_effect, (created.started, speed));
    }

    /// The sparkle of ore in the ground.
    fn add_minerals(&mut self, mission: &Mission) {
        let Some(resource) = ObjectRef::new(ARCHIVE, MINERAL) else {
            return;
        };
        for extra in &mission.extras {
            if !extra.position.iter().all(|it| it.is_finite()) {
                continue;
            }
            let Some(effect) = self.effect(&resource) else {
                return;
            };
            let place = moved(extra.position);
            self.place(effect, Anchor::Place(place), place, (None, 0.0));
        }
    }

    /// Strikes of lightning, each at its times.
    fn add_lightning(&mut self, strikes: &[Strike]) {
        let Some(resource) = ObjectRef::new(ARCHIVE, LIGHTNING) else {
            return;
        };
        for strike in strikes {
            let Some(effect) = self.effect(&resource) else {
                return;
            };
            let place = strike.world_from_effect;
            let n_before = self.level.placed.len();
            self.place(effect, Anchor::Place(place), place, (None, 0.0));
            if let Some(placed) = self.level.placed.get_mut(n_before) {
                let clock = placed.placed.clock;
                placed.placed.clock = clock.beginning(strike.at_secs, strike.period_secs);
                placed.hours = Some(strike.hours);
            }
        }
    }

    fn place(
        &mut self,
        effect: usize,
        anchor: Anchor,
        world_from_effect: Affine,
        (started, speed): (Option<u32>, f32),
    ) {
        let n_placed = self.level.placed.len();
        let Some(loaded) = self
            .level
            .effects
            .get(effect)
            .filter(|_| n_placed < MAX_PLACED)
        else {
            return;
        };
        let header = &loaded.fxid.header;
        let flags = header.flags();
        if flags.contains(EffectFlags::STARTS_OFF) && started.is_none() {
            return;
        }
        let anchor = match flags.contains(EffectFlags::STAYS) {
            true => Anchor::Place(world_from_effect),
            false => anchor,
        };
        let clock = EffectClock::in_level(header, started, speed);
        self.level.placed.push(LevelEffect {
            effect,
            placed: PlacedEffect {
                anchor,
                clock,
                seed: n_placed as u32,
                bolts_to: None,
            },
            world_from_effect,
            hours: None,
        });
    }

    fn effect(&mut self, resource: &ObjectRef) -> Option<usize> {
        let archive = decode_cp1251(resource.archive()).to_ascii_lowercase();
        let entry = resource.resource();
        let key = (archive.clone(), entry.to_ascii_lowercase());
        let vacant = match self.known.entry(key) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(vacant) => vacant,
        };
        let name = decode_cp1251(entry).into_owned();
        let data = self.vfs.open_entry(&archive, entry);
        let data = data.map_err(|error| self.findings.push(missing_file(FORMAT, &error)));
        let fxid = data.ok().and_then(|data| {
            let fxid = Fxid::read(&data);
            let broken = |error| {
                let message = format!("effect {name} is broken: {error}");
                self.findings
                    .push(Finding::new(Severity::Warning, FORMAT, message));
            };
            fxid.map_err(broken).ok()
        });
        let loaded = fxid.map(|fxid| {
            let fxid = Arc::new(fxid);
            let (resolver, sounds) = (&mut *self.resolver, &mut self.sounds);
            let effect = LoadedEffect::new(name, fxid, resolver, sounds, self.findings);
            self.level.effects.push(effect);
            self.level.effects.len().saturating_sub(1)
        });
        *vacant.insert(loaded)
    }

    /// Each thing is said once.
    fn find(&mut self, message: String) {
        let finding = Finding::new(Severity::Warning, FORMAT, message);
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}
