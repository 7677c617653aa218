//! Keys that entities of many classes have.

use glam::DVec3;
use ironlands_assets_source::entities::{Entity, Output};
use ironlands_sim_entities::{Connection, Place, direction_of};

/// A number; 0 if there is none.
pub fn number(entity: &Entity, key: &str) -> f64 {
    number_or(entity, key, 0.0)
}

/// A number, or another if there is none.
pub fn number_or(entity: &Entity, key: &str, otherwise: f64) -> f64 {
    entity.number(key).map_or(otherwise, f64::from)
}

/// A switch that is a number other than 0.
pub fn is_set(entity: &Entity, key: &str) -> bool {
    number(entity, key) != 0.0
}

/// Whether a bit of `spawnflags` is set.
pub fn has_flag(entity: &Entity, flag: u32) -> bool {
    // The cast saturates; no flag is above 32 bits.
    number(entity, "spawnflags") as u32 & flag != 0
}

/// Where an entity stands in the world.
pub fn place(entity: &Entity) -> Place {
    let finite = |it: [f32; 3]| {
        let it = DVec3::from_array(it.map(f64::from));
        if it.is_finite() { it } else { DVec3::ZERO }
    };
    Place {
        origin: finite(entity.origin().unwrap_or_default()),
        angles: finite(entity.angles().unwrap_or_default()),
    }
}

/// The direction of a key of angles.
pub fn direction(entity: &Entity, key: &str) -> DVec3 {
    let angles = entity.vec3(key).unwrap_or_default();
    let angles = DVec3::from_array(angles.map(f64::from));
    if angles.is_finite() {
        direction_of(angles)
    } else {
        DVec3::X
    }
}

/// The connections of an entity.
pub fn connections(entity: &Entity) -> Vec<Connection> {
    entity.outputs().iter().filter_map(connection).collect()
}

fn connection(output: &Output<'_>) -> Option<Connection> {
    let delay: f64 = output.delay.trim().parse().ok()?;
    let times: i64 = output.times_to_fire.trim().parse().ok()?;
    Some(Connection {
        output: output.event.to_string(),
        target: output.target.trim().to_owned(),
        input: output.input.trim().to_owned(),
        parameter: output.parameter.to_string(),
        delay_secs: if delay.is_finite() {
            delay.max(0.0)
        } else {
            0.0
        },
        // Below 0 is without end, as is 0, which editors do not write.
        times_left: u32::try_from(times).ok().filter(|&times| times > 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_read_with_delay_parameter_and_times() {
        let mut entity = Entity::new("logic_relay");
        entity.push("OnTrigger", "door*,Open,,1.5,-1");
        entity.push("OnTrigger", "case,InValue,a,b,0,3");
        entity.push("message", "a,b,c");
        let found = connections(&entity);
        let facts = found
            .iter()
            .map(|it| (&*it.input, &*it.parameter, it.delay_secs, it.times_left));
        let expected = [("Open", "", 1.5, None), ("InValue", "a,b", 0.0, Some(3))];
        assert_eq!(facts.collect::<Vec<_>>(), expected);
    }
}
