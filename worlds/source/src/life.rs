//! The entities of a map, living: a simulation of them, and where their brushes and models are.
//!
//! `build` makes the simulation from the keys of the entities, which `keys`, `movers`, `logic`, `speakers` and `figures` read;
//! `drawn` and `heard` say what becomes of the scene. The time of the level drives it; a walker meets it as a body.

mod build;
mod drawn;
mod figures;
mod heard;
mod keys;
mod logic;
mod movers;
mod speakers;

use std::collections::HashMap;

use glam::{DAffine3, Vec3};
use ironlands_assets_source::bsp::Map;
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_assets_source::level_scene::Figure;
use ironlands_sim_brush::{BrushWorld, CastScratch, MovingModel, ShapeCast};
use ironlands_sim_entities::{
    Arrival, Body, COMMON_INPUTS, Kind, Shapes, Simulation, matches_name,
};

use crate::world::WALKER_MASK;
use build::{BrushBox, Names};
pub(crate) use drawn::Drawn;
pub(crate) use heard::Sounds;

/// Most ticks that are made up for at once: an hour. A picture of a later moment shows that one.
const MAX_TICKS: u64 = 1 << 18;
/// Seconds without a step after which a walker is gone.
const BODY_SECS: f64 = 0.25;

/// The living entities of a map.
#[derive(Debug, Clone)]
pub(crate) struct Life {
    /// When the level begins.
    start: Simulation,
    now: Simulation,
    /// Shapes of the entities that may move or vanish, and of triggers.
    models: Vec<MovingModel>,
    /// Which of them each entity has.
    model_of: HashMap<usize, usize>,
    /// Entity of each of them.
    entity_of: Vec<usize>,
    /// A walker that took a step since the last tick, and when it was last seen.
    body: Option<(Body, f64)>,
    has_stepped: bool,
    time_secs: f64,
}

/// The entities of a map, and what they are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LevelEntities<'a> {
    pub map: &'a Map,
    pub entities: &'a Entities,
    /// Those whose models play sequences.
    pub figures: &'a [Figure],
}

/// Whether the brushes of an entity may ever be elsewhere, or not there.
pub(crate) fn may_change(entity: &Entity) -> bool {
    let has = |key: &str| entity.get_bytes(key).is_some_and(|it| !it.is_empty());
    has("targetname") || has("parentname") || is_mover_class(&entity.class())
}

fn is_mover_class(class: &str) -> bool {
    const MOVERS: [&str; 11] = [
        "func_door",
        "func_movelinear",
        "func_plat",
        "func_button",
        "func_rot_button",
        "momentary_",
        "func_rotating",
        "func_tracktrain",
        "func_train",
        "func_breakable",
        "func_water",
    ];
    MOVERS.iter().any(|start| class.starts_with(start))
}

impl Life {
    /// The entities of a map when the level begins. `is_solid` says which stop bodies then.
    pub fn new(
        level: &LevelEntities<'_>,
        brushes: &BrushWorld,
        tick_secs: f64,
        is_solid: impl Fn(usize) -> bool,
    ) -> Self {
        let mut simulated = build::simulated(level);
        let LevelEntities { map, entities, .. } = level;
        let mut life = Self {
            start: Simulation::new(Vec::new(), tick_secs),
            now: Simulation::new(Vec::new(), tick_secs),
            models: Vec::new(),
            model_of: HashMap::new(),
            entity_of: Vec::new(),
            body: None,
            has_stepped: false,
            time_secs: 0.0,
        };
        for (index, entity) in entities.entities.iter().enumerate() {
            let Some(model) = entity.brush_model().filter(|&model| model > 0) else {
                continue;
            };
            let Some(simulated) = simulated.get_mut(index) else {
                continue;
            };
            let is_trigger = matches!(simulated.kind, Kind::Trigger(_));
            if !is_trigger && !may_change(entity) {
                continue;
            }
            let head = map.models.get(model).map(|it| it.head_node);
            let shape = head.map(|head| brushes.moving_model(index as u32, model as u32, head));
            if let Some(Ok(shape)) = shape {
                simulated.is_solid = !is_trigger && is_solid(index);
                life.model_of.insert(index, life.models.len());
                life.entity_of.push(index);
                life.models.push(shape);
            }
        }
        life.start = Simulation::new(simulated, tick_secs);
        life.now = life.start.clone();
        life.place_models();
        life
    }

    /// What moves in the level, where it is now.
    pub fn models(&self) -> &[MovingModel] {
        &self.models
    }

    /// The shape of an entity that may move.
    pub fn model_of(&self, entity: usize) -> Option<&MovingModel> {
        self.models.get(*self.model_of.get(&entity)?)
    }

    /// All entities now.
    pub fn now(&self) -> &Simulation {
        &self.now
    }

    /// Goes back to the beginning.
    pub fn restart(&mut self) {
        if self.now.tick_number() > 0 {
            self.now = self.start.clone();
            self.place_models();
        }
        self.time_secs = 0.0;
    }

    /// Lets time pass until a moment, in seconds since the level began; before the last one, it begins again.
    pub fn advance_to(&mut self, time_secs: f64, level: &BrushWorld) {
        if time_secs < self.time_secs {
            self.restart();
        }
        self.time_secs = time_secs;
        let goal = (time_secs / self.now.tick_secs() + 1e-6) as u64;
        let goal = goal.min(self.now.tick_number().saturating_add(MAX_TICKS));
        self.meet_walker(time_secs);
        while self.now.tick_number() < goal {
            let Self {
                now,
                models,
                model_of,
                ..
            } = self;
            let mut shapes = LevelShapes {
                models,
                model_of,
                level,
            };
            now.tick(&mut shapes);
        }
        self.place_models();
        if let Some((body, _)) = &mut self.body
            && let Some(moved) = self.now.body()
        {
            *body = moved;
        }
    }

    /// A walker that took no step for a while walks no more.
    fn meet_walker(&mut self, time_secs: f64) {
        if let Some((_, seen_secs)) = &mut self.body {
            if self.has_stepped {
                *seen_secs = time_secs;
            }
            if time_secs - *seen_secs > BODY_SECS {
                self.body = None;
            }
        }
        self.has_stepped = false;
        self.now.set_body(self.body.map(|(body, _)| body));
    }

    /// Takes a step of a walker, and whether it stands on an entity.
    pub fn set_body(&mut self, body: Body) {
        self.body = Some((body, self.time_secs));
        self.has_stepped = true;
    }

    /// What was done to the walker since its last step.
    pub fn take_arrival(&mut self) -> Arrival {
        self.now.take_arrival()
    }

    /// The inputs that an entity knows.
    pub fn inputs_of(&self, entity: usize) -> Vec<&'static str> {
        let own = self.now.entities().get(entity).map(|it| it.kind.inputs());
        let own = own.unwrap_or_default().iter();
        own.chain(&COMMON_INPUTS).copied().collect()
    }

    /// Sends an input to the entities of a name, or of a class if none has it, whenever the level begins.
    pub fn send_at_start(&mut self, target: &str, input: &str, parameter: &str) {
        let all = self.start.entities();
        let is_named = all.iter().any(|it| matches_name(target, &it.name));
        let is_meant = |it: &ironlands_sim_entities::Entity| {
            matches_name(target, if is_named { &it.name } else { &it.class })
        };
        let meant = all.iter().enumerate().filter(|(_, it)| is_meant(it));
        let meant: Vec<usize> = meant.map(|(index, _)| index).collect();
        for index in meant {
            self.start.send(index, input, parameter);
        }
        self.now = self.start.clone();
    }

    pub fn send(&mut self, entity: usize, input: &str, parameter: &str) {
        self.now.send(entity, input, parameter);
    }

    pub fn use_entity(&mut self, entity: usize) -> bool {
        self.now.use_entity(entity)
    }

    fn place_models(&mut self) {
        for (model, &entity) in self.models.iter_mut().zip(&self.entity_of) {
            let place = self.now.world_from_entity(entity);
            model.move_to(place.translation, place.matrix3);
            let entity = self.now.entities().get(entity);
            model.is_solid = entity.is_some_and(|it| it.stops_bodies());
        }
    }
}

/// Shapes of the entities and of the level.
struct LevelShapes<'a> {
    models: &'a mut [MovingModel],
    model_of: &'a HashMap<usize, usize>,
    level: &'a BrushWorld,
}

impl Shapes for LevelShapes<'_> {
    fn overlaps(&mut self, entity: usize, place: &DAffine3, bounds: [Vec3; 2]) -> bool {
        let model = self.model_of.get(&entity);
        let Some(model) = model.and_then(|&it| self.models.get_mut(it)) else {
            return false;
        };
        model.move_to(place.translation, place.matrix3);
        model.overlaps(bounds)
    }

    fn is_free(&mut self, [low, high]: [Vec3; 2]) -> bool {
        let cast = ShapeCast::from_box(Vec3::ZERO, Vec3::ZERO, [low, high], WALKER_MASK);
        CastScratch::with_thread_scratch(|scratch| {
            !self.level.cast_shape(&cast, scratch).start_solid
        })
    }
}
