//! What a walker touches: triggers, and doors and buttons that open to it.

use glam::{DVec3, Vec3};

use super::Simulation;
use crate::{Activator, Kind, Shapes, TriggerEffect, matches_name};

/// How near a walker touches what stops it: more than the gap that it keeps.
const TOUCH: f32 = 1.0;

impl Simulation {
    /// Lets all that notices a walker look for it.
    pub(super) fn touch(&mut self, shapes: &mut dyn Shapes) {
        for index in 0..self.entities.len() {
            let Some(entity) = self.entities.get(index).filter(|it| !it.is_removed) else {
                continue;
            };
            match &entity.kind {
                Kind::Trigger(trigger) if trigger.is_watching() => self.watch(index, shapes),
                Kind::Door(door) if door.opening.by_touch => self.touch_solid(index, shapes),
                Kind::Door(door)
                    if door.opening.by_standing
                        && self.body.is_some_and(|body| body.ground == Some(index)) =>
                {
                    self.run(index, Activator::Body, |machine, context| {
                        machine.on_stand(context);
                    });
                }
                Kind::Button(button) if button.by_touch => self.touch_solid(index, shapes),
                _ => {}
            }
        }
    }

    fn touch_solid(&mut self, index: usize, shapes: &mut dyn Shapes) {
        let place = self.world_from_entity(index);
        let corners = self.body.map(|body| body.corners_grown(TOUCH));
        if corners.is_some_and(|corners| shapes.overlaps(index, &place, corners)) {
            self.run(index, Activator::Body, |machine, context| {
                machine.on_touch(context);
            });
        }
    }

    fn watch(&mut self, index: usize, shapes: &mut dyn Shapes) {
        let place = self.world_from_entity(index);
        let is_inside = self
            .body
            .is_some_and(|body| shapes.overlaps(index, &place, body.corners()));
        let mut context = self.context(index, Activator::Body);
        let entity = self.entities.get_mut(index).map(|it| &mut it.kind);
        let Some(Kind::Trigger(trigger)) = entity else {
            return;
        };
        trigger.update(is_inside, &mut context);
        let effect = trigger.is_touched.then(|| trigger.effect.clone());
        self.apply(index, context);
        match effect {
            Some(TriggerEffect::Push { velocity }) => self.arrival.push += velocity.as_vec3(),
            Some(TriggerEffect::Teleport { target }) => self.teleport(&target),
            Some(TriggerEffect::Nothing) | None => {}
        }
    }

    fn teleport(&mut self, target: &str) {
        let is_there = |it: &&crate::Entity| !it.is_removed && matches_name(target, &it.name);
        let Some(place) = self.entities.iter().find(is_there).map(|it| it.place) else {
            return;
        };
        if let Some(body) = &mut self.body {
            body.feet = place.origin.as_vec3();
            body.ground = None;
            let DVec3 { y: yaw, .. } = place.angles;
            self.arrival.teleported = Some((body.feet, yaw as f32));
            self.arrival.carried = Vec3::ZERO;
        }
    }
}
