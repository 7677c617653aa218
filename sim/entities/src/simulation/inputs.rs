//! Delivery of inputs: who a target is, and what all entities know.

use super::{MAX_DELIVERED, Simulation};
use crate::event::Event;
use crate::kind::number;
use crate::{Activator, Connection, Kind, matches_name};

/// The inputs that every entity knows.
pub const COMMON_INPUTS: [&str; 10] = [
    "Kill",
    "KillHierarchy",
    "FireUser1",
    "FireUser2",
    "FireUser3",
    "FireUser4",
    "Use",
    "AddOutput",
    "SetParent",
    "ClearParent",
];

impl Simulation {
    /// Delivers what is due, and what that causes without delay.
    pub(super) fn deliver(&mut self) {
        for _ in 0..MAX_DELIVERED {
            let Some(event) = self.queue.due(self.tick) else {
                return;
            };
            for receiver in self.receivers(&event) {
                self.receive(receiver, &event);
            }
        }
    }

    /// The entities that a target means: by name, or by class if none has the name.
    fn receivers(&self, event: &Event) -> Vec<usize> {
        if event.receiver.is_some() {
            return event.receiver.into_iter().collect();
        }
        if let Some(special) = event.target.strip_prefix('!') {
            let entity = match &*special.to_ascii_lowercase() {
                "self" | "caller" => event.caller,
                "activator" => match event.activator {
                    Activator::Entity(index) => Some(index),
                    Activator::Nothing | Activator::Body => None,
                },
                _ => None,
            };
            return entity.into_iter().collect();
        }
        let named = self.matching(|it| matches_name(&event.target, &it.name));
        match named.is_empty() {
            true => self.matching(|it| matches_name(&event.target, &it.class)),
            false => named,
        }
    }

    fn matching(&self, is_meant: impl Fn(&crate::Entity) -> bool) -> Vec<usize> {
        let there = self.entities.iter().enumerate();
        let there = there.filter(|(_, it)| !it.is_removed && is_meant(it));
        there.map(|(index, _)| index).collect()
    }

    fn receive(&mut self, index: usize, event: &Event) {
        let Some(entity) = self.entities.get(index).filter(|it| !it.is_removed) else {
            return;
        };
        let is_it = |known: &&&str| known.eq_ignore_ascii_case(&event.input);
        let own = entity.kind.inputs().iter().find(is_it).copied();
        let common = COMMON_INPUTS.iter().find(is_it).copied();
        if let Some(input) = own {
            if matches!(entity.kind, Kind::Train(_)) && input.starts_with("TeleportTo") {
                return self.put_on_track(index, &event.parameter);
            }
            self.run(index, event.activator, |machine, context| {
                machine.receive(input, &event.parameter, context);
            });
        } else if let Some(input) = common {
            self.receive_common(index, input, event);
        }
    }

    fn receive_common(&mut self, index: usize, input: &str, event: &Event) {
        match input {
            "Kill" => self.remove(index),
            "KillHierarchy" => {
                let carried: Vec<usize> = (0..self.entities.len())
                    .filter(|&it| self.carries(index, it))
                    .collect();
                for index in carried {
                    self.remove(index);
                }
            }
            "Use" => {
                self.run(index, event.activator, |machine, context| {
                    machine.on_use(context);
                });
            }
            "AddOutput" => {
                let connection = connection_of(&event.parameter);
                if let Some((entity, it)) = self.entities.get_mut(index).zip(connection) {
                    entity.connections.push(it);
                }
            }
            "SetParent" => {
                let parent = self.matching(|it| matches_name(&event.parameter, &it.name));
                if let Some(&parent) = parent.first() {
                    self.detach(index);
                    self.attach(index, parent);
                }
            }
            "ClearParent" => self.detach(index),
            _ => {
                let output = input.replacen("Fire", "On", 1);
                self.fire(index, &output, "", event.activator);
            }
        }
    }

    fn remove(&mut self, index: usize) {
        if let Some(entity) = self.entities.get_mut(index) {
            entity.is_removed = true;
        }
    }

    fn put_on_track(&mut self, index: usize, name: &str) {
        let nodes = self.matching(|it| matches_name(name, &it.name));
        let is_node = |node: &&usize| {
            let entity = self.entities.get(**node);
            entity.is_some_and(|it| matches!(it.kind, Kind::Track(_)))
        };
        let Some(&node) = nodes.iter().find(is_node) else {
            return;
        };
        if let Some(Kind::Train(train)) = self.entities.get_mut(index).map(|it| &mut it.kind) {
            train.put_on(node);
        }
        self.place_train(index);
    }
}

/// A connection of the input `AddOutput`: the output, a blank, and its parts between colons.
fn connection_of(text: &str) -> Option<Connection> {
    let (output, parts) = text.trim().split_once(' ')?;
    let mut parts = parts.split(':');
    let (target, input) = (parts.next()?, parts.next()?);
    let parameter = parts.next().unwrap_or_default();
    let delay_secs = parts.next().and_then(number).unwrap_or(0.0).max(0.0);
    let times: Option<i64> = parts.next().and_then(|it| it.trim().parse().ok());
    Some(Connection {
        output: output.to_owned(),
        target: target.to_owned(),
        input: input.to_owned(),
        parameter: parameter.to_owned(),
        delay_secs,
        times_left: times.and_then(|it| u32::try_from(it).ok()),
    })
}
