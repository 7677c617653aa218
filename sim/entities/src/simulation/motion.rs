//! Motion of entities, with the walker on them or in their way.

use glam::{DAffine3, Vec3};

use super::Simulation;
use crate::train::TrainStep;
use crate::{Activator, Body, Kind, Place, Shapes};

/// How often an entity has begun to move from rest, and come to rest again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moves {
    /// How often it has begun.
    pub n_begun: u64,
    /// How often it has ended.
    pub n_ended: u64,
}

impl Simulation {
    /// Notices that an entity has begun to move, or come to rest.
    pub(super) fn count_moves(&mut self, index: usize) {
        let entity = self.entities.get(index);
        let is_moving = entity.is_some_and(|it| it.kind.is_moving());
        if let Some(moves) = self.moves.get_mut(index) {
            match (is_moving, moves.n_begun > moves.n_ended) {
                (true, false) => moves.n_begun = moves.n_begun.saturating_add(1),
                (false, true) => moves.n_ended = moves.n_ended.saturating_add(1),
                _ => {}
            }
        }
    }

    /// Moves an entity for a tick, if it moves.
    pub(super) fn advance(&mut self, index: usize, shapes: &mut dyn Shapes) {
        let (secs, tick) = (self.tick_secs, self.tick);
        let Some(rest) = self.rest.get(index).copied() else {
            return;
        };
        let Some(entity) = self.entities.get_mut(index) else {
            return;
        };
        match &mut entity.kind {
            Kind::Door(door) => {
                let Some(at) = door.slide.after(secs) else {
                    return;
                };
                let place = door.slide.place_at(&rest, at);
                self.slide_to(index, place, at, shapes);
            }
            Kind::Button(button) => {
                let Some(at) = button.slide.after(secs) else {
                    return;
                };
                let place = button.slide.place_at(&rest, at);
                self.slide_to(index, place, at, shapes);
            }
            Kind::Rotator(rotator) => {
                let Some(turned) = rotator.after(secs) else {
                    return;
                };
                let place = rotator.place_at(&rest, turned);
                if self.try_move(index, place, shapes)
                    && let Some(Kind::Rotator(rotator)) = self.kind_mut(index)
                {
                    rotator.turned = turned;
                }
            }
            Kind::Train(train) => {
                let (train, place) = (train.clone(), entity.place);
                if let Some(step) = train.step(&self.entities, &place, tick, secs)
                    && self.try_move(index, step.place, shapes)
                {
                    self.take_train_step(index, &step);
                }
            }
            _ => {}
        }
    }

    fn kind_mut(&mut self, index: usize) -> Option<&mut Kind> {
        self.entities.get_mut(index).map(|it| &mut it.kind)
    }

    /// A step of a door or button, which something may be in the way of.
    fn slide_to(&mut self, index: usize, place: Place, at: f64, shapes: &mut dyn Shapes) {
        let is_free = self.try_move(index, place, shapes);
        let mut context = self.context(index, self.activator_of(index));
        match self.kind_mut(index) {
            Some(Kind::Door(door)) if is_free => {
                door.slide.at = at;
                door.arrive_if_there(&mut context);
            }
            Some(Kind::Door(door)) => door.on_blocked(&mut context),
            Some(Kind::Button(button)) if is_free => {
                button.slide.at = at;
                button.arrive_if_there(&mut context);
            }
            _ => {}
        }
        self.apply(index, context);
    }

    fn take_train_step(&mut self, index: usize, step: &TrainStep) {
        let mut context = self.context(index, self.activator_of(index));
        if let Some(Kind::Train(train)) = self.kind_mut(index) {
            train.take(step, &mut context);
        }
        self.apply(index, context);
        for &node in &step.passed {
            self.fire(node, "OnPass", "", Activator::Entity(index));
            let node = self.entities.get_mut(node);
            if let Some(node) = node.filter(|it| matches!(&it.kind, Kind::Track(it) if it.is_once))
            {
                node.connections.clear();
            }
        }
    }

    /// Puts a train where it is on its track.
    pub(super) fn place_train(&mut self, index: usize) {
        let entity = self.entities.get(index);
        let place = entity.and_then(|entity| match &entity.kind {
            Kind::Train(train) => train.first_place(&self.entities, &entity.place),
            _ => None,
        });
        if let Some((entity, place)) = self.entities.get_mut(index).zip(place) {
            entity.place = place;
        }
    }

    /// Moves an entity and what it carries, and the walker that stands on them or is in their way; `false`, and nothing
    /// has moved, where the walker cannot get out of the way.
    fn try_move(&mut self, index: usize, place: Place, shapes: &mut dyn Shapes) -> bool {
        let family = match self.body {
            Some(_) => self.solid_family(index),
            None => Vec::new(),
        };
        let before: Vec<DAffine3> = family
            .iter()
            .map(|&it| self.world_from_entity(it))
            .collect();
        let Some(entity) = self.entities.get_mut(index) else {
            return false;
        };
        let old_place = std::mem::replace(&mut entity.place, place);
        let Some(mut body) = self.body else {
            return true;
        };
        let start = body.feet;
        for (&member, before) in family.iter().zip(&before) {
            if !self.carry(&mut body, member, before, shapes) {
                if let Some(entity) = self.entities.get_mut(index) {
                    entity.place = old_place;
                }
                return false;
            }
        }
        self.arrival.carried += body.feet - start;
        self.body = Some(body);
        true
    }

    /// Takes the walker along with an entity that has moved from where it was before; `false` if that gets stuck.
    fn carry(
        &self,
        body: &mut Body,
        member: usize,
        before: &DAffine3,
        shapes: &mut dyn Shapes,
    ) -> bool {
        let after = self.world_from_entity(member);
        let is_in_the_way = shapes.overlaps(member, &after, body.corners());
        if !is_in_the_way && body.ground != Some(member) {
            return true;
        }
        let feet = body.feet.as_dvec3();
        let in_entity = before.inverse().transform_point3(feet);
        let moved = after.transform_point3(in_entity) - feet;
        let there = Body {
            feet: (feet + moved).as_vec3(),
            ..*body
        };
        if self.is_room(&there, shapes) {
            *body = there;
            return true;
        }
        // Who only stands on it may stay behind.
        !is_in_the_way
    }

    /// Whether a body is in nothing solid.
    fn is_room(&self, body: &Body, shapes: &mut dyn Shapes) -> bool {
        let bounds: [Vec3; 2] = body.corners();
        let solid = self.entities.iter().enumerate();
        let mut solid = solid.filter(|(_, it)| it.stops_bodies());
        shapes.is_free(bounds)
            && !solid
                .any(|(index, _)| shapes.overlaps(index, &self.world_from_entity(index), bounds))
    }

    /// An entity and all that it carries, as far as they stop bodies.
    fn solid_family(&self, index: usize) -> Vec<usize> {
        let solid = self.entities.iter().enumerate();
        let solid = solid.filter(|(_, it)| it.stops_bodies());
        solid
            .map(|(it, _)| it)
            .filter(|&it| self.carries(index, it))
            .collect()
    }
}
