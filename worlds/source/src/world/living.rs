//! The living entities of a map as panels and keys reach them, and a walker among them.

use std::sync::{PoisonError, RwLockReadGuard, RwLockWriteGuard};

use glam::Vec3;
use ironlands_scene::SoundState;
use ironlands_sim_brush::{CastScratch, Obstacle, Obstacles, ShapeCast};
use ironlands_sim_entities::{Body as EntityBody, COMMON_INPUTS, Entity, Kind, matches_name};
use ironlands_sim_world::{Clock, FiredOutput, LivingEntities, Play, WalkInput, Walker, WorldHit};

use super::body::{self, GROUND_REACH};
use super::footsteps::Footing;
use super::walk::{self, Ground};
use super::{FALL, HIDING, SEEN, SourceWorld};
use crate::kind::EntityInput;
use crate::life::Life;

/// How far a character reaches to use something.
const USE_REACH: f32 = 80.0;

impl SourceWorld {
    pub(super) fn life(&self) -> RwLockReadGuard<'_, Life> {
        self.life.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn life_mut(&self) -> RwLockWriteGuard<'_, Life> {
        self.life.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn send_at_start(&self, inputs: &[EntityInput]) {
        let mut life = self.life_mut();
        for it in inputs {
            life.send_at_start(&it.target, &it.input, &it.parameter);
        }
    }

    /// Lets time pass for the entities until a moment; none for a level that stands still.
    pub(super) fn advance_to(&self, clock: &Clock) -> RwLockWriteGuard<'_, Life> {
        let mut life = self.life_mut();
        match clock.play {
            Play::Level | Play::All { .. } => life.advance_to(clock.time_secs, &self.brushes),
            Play::Still | Play::Frame(_) | Play::Figure { .. } => life.restart(),
        }
        life
    }

    /// What the entities make of the sounds of the level, for a listener.
    pub(super) fn sound_states(&self, clock: &Clock, listener: Vec3, states: &mut [SoundState]) {
        if states.is_empty() {
            return;
        }
        let life = self.life();
        let is_enabled = |entity: usize| {
            let entity = life.now().entities().get(entity);
            entity.is_some_and(|it| match &it.kind {
                _ if it.is_removed => false,
                Kind::Gate(gate) => gate.is_open,
                Kind::Trigger(trigger) => trigger.is_enabled,
                _ => true,
            })
        };
        let is_in = |entity: usize| {
            let model = life.model_of(entity);
            model.is_some_and(|it| it.overlaps([listener; 2]))
        };
        let sees = |place: Vec3| {
            let cast = ShapeCast::from_ray(listener, place, HIDING);
            let obstacles = self.obstacles(&life);
            CastScratch::with_thread_scratch(|scratch| {
                obstacles.cast_shape(&cast, scratch).hit.is_none()
            })
        };
        let soundscape =
            self.soundscapes
                .heard_from((listener, clock.time_secs), is_enabled, is_in, sees);
        self.sounds.update(life.now(), soundscape, states);
        // Steps are locked without it elsewhere.
        drop(life);
        self.steps.update(clock.time_secs, states);
    }

    /// How many connections the entities have, how many of them lead to an entity of the map, and how many to one that knows
    /// their input. A special name such as `!self` leads nowhere before it fires.
    pub fn connection_counts(&self) -> [usize; 3] {
        let life = self.life();
        let all = life.now().entities();
        let mut counts = [0_usize; 3];
        for connection in all.iter().flat_map(|it| &it.connections) {
            let of_name = |it: &&Entity| matches_name(&connection.target, &it.name);
            let of_class = |it: &&Entity| matches_name(&connection.target, &it.class);
            let named = all.iter().any(|it| of_name(&it));
            let mut meant = all
                .iter()
                .filter(|it| if named { of_name(it) } else { of_class(it) });
            let is_common = COMMON_INPUTS
                .iter()
                .any(|it| it.eq_ignore_ascii_case(&connection.input));
            let knows = |it: &Entity| {
                let mut own = it.kind.inputs().iter();
                is_common || own.any(|it| it.eq_ignore_ascii_case(&connection.input))
            };
            let is_there = meant.clone().next().is_some();
            let found = [true, is_there, meant.any(knows)];
            for (count, is_found) in counts.iter_mut().zip(found) {
                *count = count.saturating_add(usize::from(is_found));
            }
        }
        counts
    }

    /// Takes what movers did to a walker, moves it for a step, and has it met by entities.
    pub(super) fn walk_among_entities(
        &self,
        walker: &mut Walker,
        wish: &WalkInput,
        step_secs: f32,
    ) {
        let mut life = self.life_mut();
        let arrival = life.take_arrival();
        walker.feet += arrival.carried;
        if let Some((feet, _)) = arrival.teleported {
            walker.feet = feet;
            walker.velocity = Vec3::ZERO;
        }
        let obstacles = Obstacles {
            level: &self.brushes,
            moving: life.models(),
        };
        let hit = CastScratch::with_thread_scratch(|scratch| {
            let ground = Ground {
                obstacles,
                ladders: &self.ladders,
                rules: self.rules,
                floor: self.heights[0] - FALL,
                push: arrival.push,
            };
            walk::walk(&ground, scratch, walker, wish, step_secs);
            let down = walker.feet - Vec3::Z * GROUND_REACH;
            let bounds = walk::bounds_of(self.rules, walker.crouched);
            let below = ShapeCast::from_box(walker.feet, down, bounds, body::MASK);
            obstacles.cast_shape(&below, scratch).hit
        });
        let hit = hit.filter(|_| walker.on_ground);
        let is_due = self.steps.is_due(step_secs);
        let water = is_due.then(|| self.water_at(walker, &obstacles)).flatten();
        let ground = hit.and_then(|hit| match hit.obstacle {
            Obstacle::Entity { entity, .. } => Some(entity as usize),
            _ => None,
        });
        if walker.feet.is_finite() {
            life.set_body(EntityBody {
                feet: walker.feet,
                bounds: walk::bounds_of(self.rules, walker.crouched),
                facing: wish.view,
                ground,
            });
        }
        // Faces of entities are found where these are.
        drop(life);
        self.steps.advance(walker, step_secs, || {
            let ladder = walker.on_ladder().then_some(Footing::Ladder);
            let place = hit.map(|hit| WorldHit {
                element: hit.element,
                t: 0.0,
                position: walker.feet,
                normal: hit.normal,
            });
            let face = || self.texinfo_at(&place?).map(Footing::Face);
            ladder.or(water).or_else(face)
        });
    }

    /// How deep a walker stands in water.
    fn water_at(&self, walker: &Walker, obstacles: &Obstacles<'_>) -> Option<Footing> {
        let [_, top] = walk::bounds_of(self.rules, walker.crouched);
        let is_wet = |height: f32| {
            let contents = obstacles.contents_at(walker.feet + Vec3::Z * height);
            contents.intersects(walk::LIQUID)
        };
        match () {
            () if is_wet(0.5 * top.z) => Some(Footing::Deep),
            () if is_wet(1.0) => Some(Footing::Shallow),
            () => None,
        }
    }

    /// The texinfo of the face that was hit, or of the side of its brush.
    fn texinfo_at(&self, hit: &WorldHit) -> Option<i32> {
        let surface = self.brushes.surface(hit.element)?;
        let of_face = self.face_of(&surface, hit).map(|it| it.texinfo);
        of_face.or_else(|| i32::try_from(surface.texinfo?).ok())
    }
}

fn name_of(entity: Option<&Entity>) -> String {
    entity.map_or_else(String::new, |it| match it.name.is_empty() {
        true => it.class.clone(),
        false => it.name.clone(),
    })
}

impl LivingEntities for SourceWorld {
    fn inputs_of(&self, entity: usize) -> Vec<&'static str> {
        let life = self.life();
        match life.now().entities().get(entity) {
            Some(it) if !it.is_removed => life.inputs_of(entity),
            _ => Vec::new(),
        }
    }

    fn state_of(&self, entity: usize) -> String {
        let life = self.life();
        match life.now().entities().get(entity) {
            Some(it) if it.is_removed => "removed".to_owned(),
            it => it.map_or_else(String::new, |it| it.kind.state()),
        }
    }

    fn send(&self, entity: usize, input: &str, parameter: &str) {
        self.life_mut().send(entity, input, parameter);
    }

    fn use_from(&self, eye: Vec3, direction: Vec3) -> Option<String> {
        let end = eye + direction.normalize_or_zero() * USE_REACH;
        let hit = self.cast_shape(&ShapeCast::from_ray(eye, end, SEEN)).hit?;
        let Obstacle::Entity { entity, .. } = hit.obstacle else {
            return None;
        };
        let mut life = self.life_mut();
        let is_used = life.use_entity(entity as usize);
        is_used.then(|| name_of(life.now().entities().get(entity as usize)))
    }

    fn fired(&self, n: usize) -> Vec<FiredOutput> {
        let life = self.life();
        let now = life.now();
        let entries = now.log().rev().take(n).map(|entry| {
            let source = entry.entity.map_or_else(String::new, |index| {
                let name = name_of(now.entities().get(index));
                format!("{name} {}", entry.output)
            });
            let parameter = match entry.parameter.is_empty() {
                true => String::new(),
                false => format!(" {}", entry.parameter),
            };
            FiredOutput {
                time_secs: entry.tick as f64 * now.tick_secs(),
                source,
                sent: format!("{} {}{parameter}", entry.target, entry.input),
                delay_secs: entry.delay_secs,
            }
        });
        entries.collect()
    }
}
