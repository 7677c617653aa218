//! Scripted trials: what happens in which tick, as computed by hand.

mod animation;
mod lift;
mod logic;
mod riding;
mod sound;
mod trains;

use glam::{DAffine3, DVec3, Vec3};

use crate::{Connection, Entity, Kind, Shapes, Simulation};

/// A tick that floats hold exactly.
pub const TICK: f64 = 1.0 / 64.0;

/// Boxes of entities in their own axes, and boxes of the level.
#[derive(Debug, Default)]
pub struct Boxes {
    pub entities: Vec<Option<[Vec3; 2]>>,
    pub level: Vec<[Vec3; 2]>,
}

impl Shapes for Boxes {
    fn overlaps(&mut self, entity: usize, place: &DAffine3, bounds: [Vec3; 2]) -> bool {
        let of_entity = self.entities.get(entity).copied().flatten();
        let moved = |corner: Vec3| place.transform_point3(corner.as_dvec3()).as_vec3();
        of_entity.is_some_and(|[low, high]| {
            // Turned boxes are those around them: the tests turn by right angles.
            let (a, b) = (moved(low), moved(high));
            overlap([a.min(b), a.max(b)], bounds)
        })
    }

    fn is_free(&mut self, bounds: [Vec3; 2]) -> bool {
        !self.level.iter().any(|it| overlap(*it, bounds))
    }
}

fn overlap([low, high]: [Vec3; 2], [other_low, other_high]: [Vec3; 2]) -> bool {
    low.cmplt(other_high).all() && high.cmpgt(other_low).all()
}

/// A connection written as `output target input parameter delay times`, with `-` for an empty parameter.
pub fn connection(text: &str) -> Connection {
    let words: Vec<&str> = text.split(' ').collect();
    let [output, target, input, parameter, delay, times] = words[..] else {
        panic!("{text}");
    };
    Connection {
        output: output.into(),
        target: target.into(),
        input: input.into(),
        parameter: parameter.replace('-', ""),
        delay_secs: delay.parse().unwrap(),
        times_left: times.parse().ok(),
    }
}

pub fn entity(name: &str, kind: Kind, connections: &[&str]) -> Entity {
    Entity {
        name: name.into(),
        class: "thing".into(),
        connections: connections.iter().map(|it| connection(it)).collect(),
        ..Entity::new(kind)
    }
}

/// Each connection that fired: its tick, the name of its entity, the output, and what it sent.
pub fn fired(simulation: &Simulation) -> Vec<String> {
    let entries = simulation.log().map(|it| {
        let name = it.entity.map_or("", |at| &simulation.entities()[at].name);
        format!(
            "{} {name}.{} {}.{}({})",
            it.tick, it.output, it.target, it.input, it.parameter
        )
    });
    entries.collect()
}

/// Lets ticks pass.
pub fn pass(simulation: &mut Simulation, n_ticks: u64, shapes: &mut dyn Shapes) {
    for _ in 0..n_ticks {
        simulation.tick(shapes);
    }
}

pub fn height(simulation: &Simulation, index: usize) -> f64 {
    position(simulation, index).z
}

pub fn position(simulation: &Simulation, index: usize) -> DVec3 {
    simulation.world_from_entity(index).translation
}
