//! All entities of a level, from tick to tick.

mod inputs;
mod motion;
mod touch;

use std::collections::BTreeMap;

use glam::{DAffine3, Vec3};

use crate::event::{Event, Log, Queue};
use crate::kind::{Context, Machine, Wish, ticks_of};
use crate::slide::Way;
use crate::{Activator, Arrival, Body, Entity, Kind, LogEntry, Place, Shapes};

pub use self::inputs::COMMON_INPUTS;
pub use self::motion::Moves;

/// Most events that are delivered in a tick; the others are in the next one.
const MAX_DELIVERED: usize = 4096;
/// Most entities that carry one another.
const MAX_PARENTS: usize = 16;

/// Entities and the time that has passed for them.
#[derive(Debug, Clone)]
pub struct Simulation {
    entities: Vec<Entity>,
    /// Where movers are at the beginning of their ways, in their parents.
    rest: Vec<Place>,
    /// Who last set each entity off.
    activators: Vec<Activator>,
    tick_secs: f64,
    tick: u64,
    queue: Queue,
    log: Log,
    /// How often each entity has moved.
    moves: Vec<Moves>,
    /// How often each output of an entity fired, connected or not.
    fired: BTreeMap<usize, Vec<(String, u64)>>,
    chance: u64,
    body: Option<Body>,
    arrival: Arrival,
}

impl Simulation {
    /// Entities when the level begins, and the length of a tick in seconds, which is above 0. Places are those in the world,
    /// also of entities with a parent; movers are at the beginning of their ways.
    pub fn new(entities: Vec<Entity>, tick_secs: f64) -> Self {
        let n = entities.len();
        let mut simulation = Self {
            rest: entities.iter().map(|it| it.place).collect(),
            activators: vec![Activator::Nothing; n],
            moves: vec![Moves::default(); n],
            entities,
            tick_secs,
            tick: 0,
            queue: Queue::default(),
            log: Log::default(),
            fired: BTreeMap::new(),
            chance: 0,
            body: None,
            arrival: Arrival::default(),
        };
        // Parents are taken away first: places are still those in the world.
        let parents: Vec<Option<usize>> =
            (simulation.entities.iter_mut().map(|it| it.parent.take())).collect();
        for (index, parent) in parents.into_iter().enumerate() {
            if let Some(parent) = parent {
                simulation.attach(index, parent);
            }
        }
        for index in 0..n {
            simulation.put_at_start(index);
            simulation.run(index, Activator::Nothing, |machine, context| {
                machine.start(context);
            });
        }
        simulation
    }

    /// All entities, as they are.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Ticks that have passed.
    pub fn tick_number(&self) -> u64 {
        self.tick
    }

    /// Seconds of a tick.
    pub fn tick_secs(&self) -> f64 {
        self.tick_secs
    }

    /// Inputs that wait to be delivered.
    pub fn n_waiting(&self) -> usize {
        self.queue.len()
    }

    /// The last connections that fired, the oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &LogEntry> {
        self.log.entries.iter()
    }

    /// How many connections have fired.
    pub fn n_fired(&self) -> u64 {
        self.log.n_logged
    }

    /// How often an output of an entity has fired, whether anything is connected to it or not.
    pub fn n_fired_by(&self, index: usize, output: &str) -> u64 {
        let known = self.fired.get(&index).map_or(&[][..], Vec::as_slice);
        let known = known.iter().find(|(it, _)| it == output);
        known.map_or(0, |(_, n_fired)| *n_fired)
    }

    /// How often an entity has begun to move, and come to rest, by the last tick.
    pub fn moves_of(&self, index: usize) -> Moves {
        self.moves.get(index).copied().unwrap_or_default()
    }

    /// Where an entity is: the transform of its own axes to the world.
    pub fn world_from_entity(&self, index: usize) -> DAffine3 {
        let mut transform = DAffine3::IDENTITY;
        let mut next = Some(index);
        for _ in 0..MAX_PARENTS {
            let Some(entity) = next.and_then(|index| self.entities.get(index)) else {
                break;
            };
            transform = entity.place.parent_from_entity() * transform;
            next = entity.parent;
        }
        transform
    }

    /// Whether an entity may ever be elsewhere than it is: it moves, or what carries it does.
    pub fn may_move(&self, index: usize) -> bool {
        let mut next = Some(index);
        for _ in 0..MAX_PARENTS {
            let Some(entity) = next.and_then(|index| self.entities.get(index)) else {
                return false;
            };
            if entity.kind.moves() {
                return true;
            }
            next = entity.parent;
        }
        false
    }

    /// Puts the walker where it is now; `None` without one.
    pub fn set_body(&mut self, body: Option<Body>) {
        self.body = body;
    }

    /// The walker, where movers have taken it.
    pub fn body(&self) -> Option<Body> {
        self.body
    }

    /// What was done to the walker since this was last called; a push holds on.
    pub fn take_arrival(&mut self) -> Arrival {
        let push = self.arrival.push;
        std::mem::replace(
            &mut self.arrival,
            Arrival {
                push,
                ..Arrival::default()
            },
        )
    }

    /// Lets a tick pass.
    pub fn tick(&mut self, shapes: &mut dyn Shapes) {
        self.tick = self.tick.saturating_add(1);
        self.arrival.push = Vec3::ZERO;
        for index in 0..self.entities.len() {
            let Some(entity) = self.entities.get(index) else {
                continue;
            };
            if entity.is_removed {
                continue;
            }
            let thinks = matches!(
                entity.kind,
                Kind::Door(_)
                    | Kind::Button(_)
                    | Kind::Timer(_)
                    | Kind::Auto(_)
                    | Kind::Animator(_)
                    | Kind::Speaker(_)
                    | Kind::Train(_)
            );
            self.advance(index, shapes);
            if thinks {
                self.run(index, self.activator_of(index), |machine, context| {
                    machine.think(context);
                });
            }
            self.count_moves(index);
        }
        self.touch(shapes);
        self.deliver();
    }

    /// Lets the walker use an entity; whether that can be used.
    pub fn use_entity(&mut self, index: usize) -> bool {
        let is_there = self.entities.get(index).is_some_and(|it| !it.is_removed);
        is_there
            && self
                .run(index, Activator::Body, |machine, context| {
                    machine.on_use(context)
                })
                .unwrap_or(false)
    }

    /// Sends an input to an entity by hand; it is received in the next tick.
    pub fn send(&mut self, index: usize, input: &str, parameter: &str) {
        let Some(entity) = self.entities.get(index) else {
            return;
        };
        let target = match entity.name.is_empty() {
            true => entity.class.clone(),
            false => entity.name.clone(),
        };
        self.log.push(LogEntry {
            tick: self.tick,
            entity: None,
            output: String::new(),
            target: target.clone(),
            input: input.to_owned(),
            parameter: parameter.to_owned(),
            delay_secs: 0.0,
        });
        self.queue.send(Event {
            tick: self.tick,
            number: 0,
            target,
            input: input.to_owned(),
            parameter: parameter.to_owned(),
            activator: Activator::Nothing,
            caller: None,
            receiver: Some(index),
        });
    }

    fn activator_of(&self, index: usize) -> Activator {
        self.activators.get(index).copied().unwrap_or_default()
    }

    /// Movers may begin elsewhere than at the beginning of their ways.
    fn put_at_start(&mut self, index: usize) {
        let Some(rest) = self.rest.get(index).copied() else {
            return;
        };
        let Some(entity) = self.entities.get(index) else {
            return;
        };
        let place = match &entity.kind {
            Kind::Door(door) => Some(door.slide.place(&rest)),
            Kind::Train(train) => train.first_place(&self.entities, &rest),
            _ => None,
        };
        if let Some((entity, place)) = self.entities.get_mut(index).zip(place) {
            entity.place = place;
        }
    }

    /// Has an entity carried by another from now on, without moving it.
    fn attach(&mut self, index: usize, parent: usize) {
        if parent == index || self.carries(index, parent) {
            return;
        }
        self.change_axes(
            index,
            self.world_from_entity(parent).inverse(),
            Some(parent),
        );
    }

    fn detach(&mut self, index: usize) {
        let parent = self.entities.get(index).and_then(|it| it.parent);
        if let Some(parent) = parent {
            self.change_axes(index, self.world_from_entity(parent), None);
        }
    }

    /// Gives an entity other axes to be placed in.
    fn change_axes(&mut self, index: usize, new_from_old: DAffine3, parent: Option<usize>) {
        let moved =
            |place: &Place| Place::from_transform(&(new_from_old * place.parent_from_entity()));
        if let Some((entity, rest)) = self.entities.get_mut(index).zip(self.rest.get_mut(index)) {
            entity.place = moved(&entity.place);
            entity.parent = parent;
            *rest = moved(rest);
            let slide = match &mut entity.kind {
                Kind::Door(door) => Some(&mut door.slide),
                Kind::Button(button) => Some(&mut button.slide),
                _ => None,
            };
            if let Some(Way::Straight(direction)) = slide.map(|it| &mut it.way) {
                *direction = new_from_old.transform_vector3(*direction);
            }
        }
    }

    /// Whether one entity carries another, however many are between them.
    fn carries(&self, index: usize, carried: usize) -> bool {
        let mut next = Some(carried);
        for _ in 0..MAX_PARENTS {
            match next {
                Some(at) if at == index => return true,
                Some(at) => next = self.entities.get(at).and_then(|it| it.parent),
                None => return false,
            }
        }
        // Too many: another one would lead nowhere.
        true
    }

    /// Lets the machine of an entity do something, and does what it wants.
    fn run<R>(
        &mut self,
        index: usize,
        activator: Activator,
        act: impl FnOnce(&mut dyn Machine, &mut Context) -> R,
    ) -> Option<R> {
        let mut context = self.context(index, activator);
        let machine = self.entities.get_mut(index)?.kind.machine_mut()?;
        let result = act(machine, &mut context);
        self.apply(index, context);
        Some(result)
    }

    fn context(&mut self, index: usize, activator: Activator) -> Context {
        if let Some(known) = self.activators.get_mut(index) {
            *known = activator;
        }
        Context {
            tick: self.tick,
            tick_secs: self.tick_secs,
            activator,
            body: self.body.as_ref().map(Body::view),
            position: self.world_from_entity(index).translation,
            chance: self.next_chance(),
            fired: Vec::new(),
            wishes: Vec::new(),
        }
    }

    fn apply(&mut self, index: usize, context: Context) {
        for (output, value) in &context.fired {
            self.fire(index, output, value, context.activator);
            self.count_fired(index, output);
        }
        for wish in context.wishes {
            let Some(entity) = self.entities.get_mut(index) else {
                continue;
            };
            match wish {
                Wish::Remove => entity.is_removed = true,
                Wish::CancelPending => self.queue.cancel(index),
                Wish::Solid(is_solid) => entity.is_solid = is_solid,
                Wish::Shown(is_shown) => entity.is_shown = is_shown,
            }
        }
    }

    fn count_fired(&mut self, index: usize, output: &str) {
        let known = self.fired.entry(index).or_default();
        match known.iter_mut().find(|(it, _)| it == output) {
            Some((_, n_fired)) => *n_fired = n_fired.saturating_add(1),
            None => known.push((output.to_owned(), 1)),
        }
    }

    /// Fires an output: sends what is connected to it.
    fn fire(&mut self, index: usize, output: &str, value: &str, activator: Activator) {
        let Self {
            entities,
            queue,
            log,
            tick,
            tick_secs,
            ..
        } = self;
        let Some(entity) = entities.get_mut(index) else {
            return;
        };
        for connection in &mut entity.connections {
            let is_spent = connection.times_left == Some(0);
            if is_spent || !connection.output.eq_ignore_ascii_case(output) {
                continue;
            }
            if let Some(left) = &mut connection.times_left {
                *left = left.saturating_sub(1);
            }
            let parameter = match connection.parameter.is_empty() {
                true => value,
                false => &connection.parameter,
            };
            log.push(LogEntry {
                tick: *tick,
                entity: Some(index),
                output: connection.output.clone(),
                target: connection.target.clone(),
                input: connection.input.clone(),
                parameter: parameter.to_owned(),
                delay_secs: connection.delay_secs,
            });
            queue.send(Event {
                tick: tick.saturating_add(ticks_of(connection.delay_secs, *tick_secs)),
                number: 0,
                target: connection.target.clone(),
                input: connection.input.clone(),
                parameter: parameter.to_owned(),
                activator,
                caller: Some(index),
                receiver: None,
            });
        }
    }

    /// The next number of chance, the same in every run.
    fn next_chance(&mut self) -> f64 {
        // SplitMix64.
        self.chance = self.chance.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.chance;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}
