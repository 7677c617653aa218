//! Which soundscape is heard from where.

use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use ironlands_assets_source::entities::Entities;
use ironlands_assets_source::level_scene::SOUNDSCAPE;

/// Those that only a trigger chooses, and these triggers.
const TRIGGERED: &str = "env_soundscape_triggerable";
const TRIGGER: &str = "trigger_soundscape";
/// The radius of a soundscape where that is not written, and the radius that means everywhere.
const USUAL_RADIUS: f32 = 128.0;
const EVERYWHERE: f32 = -1.0;

/// The soundscapes of a map, of which one is heard at a time.
#[derive(Debug, Default)]
pub(super) struct Soundscapes {
    chosen_by_place: Vec<PlacedScape>,
    /// Entities of triggers, with those of the soundscapes that they choose.
    triggers: Vec<[usize; 2]>,
    /// The last one that was chosen, which is heard until another one is, and when it last was.
    last: Mutex<(Option<usize>, f64)>,
}

/// A soundscape that is chosen where the listener has a line of sight to it within its radius.
#[derive(Debug, Clone, Copy)]
struct PlacedScape {
    entity: usize,
    origin: Vec3,
    radius: f32,
}

impl Soundscapes {
    /// Those of a map.
    pub fn new(entities: &Entities) -> Self {
        let mut scapes = Self::default();
        for (index, entity) in entities.entities.iter().enumerate() {
            let class = entity.class().to_ascii_lowercase();
            let is_placed = is_soundscape(&class) && class != TRIGGERED;
            let origin = entity.origin().map(Vec3::from).filter(|it| it.is_finite());
            if let Some(origin) = origin.filter(|_| is_placed) {
                scapes.chosen_by_place.push(PlacedScape {
                    entity: index,
                    origin,
                    radius: entity.number("radius").unwrap_or(USUAL_RADIUS),
                });
            }
            let named = entity.get("soundscape").filter(|_| class == TRIGGER);
            let scape = named.and_then(|name| {
                let mut all = entities.entities.iter();
                all.position(|it| {
                    let is_named = it.name().is_some_and(|own| own.eq_ignore_ascii_case(&name));
                    is_named && is_soundscape(&it.class())
                })
            });
            scapes.triggers.extend(scape.map(|scape| [index, scape]));
        }
        scapes
    }

    /// The entity of the one that is heard from a place: that of a trigger around it, else the nearest that is seen within its
    /// radius, else the last one; triggers and soundscapes that are disabled do not count.
    pub fn heard_from(
        &self,
        (place, time_secs): (Vec3, f64),
        is_enabled: impl Fn(usize) -> bool,
        is_in: impl Fn(usize) -> bool,
        sees: impl Fn(Vec3) -> bool,
    ) -> Option<usize> {
        let mut triggers = self.triggers.iter();
        let triggered = triggers.find_map(|&[trigger, scape]| {
            let chooses = is_enabled(trigger) && is_enabled(scape) && is_in(trigger);
            chooses.then_some(scape)
        });
        let chosen = triggered.or_else(|| self.nearest(place, is_enabled, sees));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, since_secs) = *last;
        // Where time went back, nothing was chosen before.
        let before = before.filter(|_| time_secs >= since_secs);
        *last = (chosen.or(before), time_secs);
        last.0
    }

    fn nearest(
        &self,
        place: Vec3,
        is_enabled: impl Fn(usize) -> bool,
        sees: impl Fn(Vec3) -> bool,
    ) -> Option<usize> {
        let distance = |it: &PlacedScape| it.origin.distance_squared(place);
        let reaches =
            |it: &&PlacedScape| it.radius == EVERYWHERE || distance(it) <= it.radius * it.radius;
        let mut near: Vec<_> = self.chosen_by_place.iter().filter(reaches).collect();
        near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.into_iter()
            .find(|it| is_enabled(it.entity) && sees(it.origin))
            .map(|it| it.entity)
    }
}

fn is_soundscape(class: &str) -> bool {
    class.to_ascii_lowercase().starts_with(SOUNDSCAPE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironlands_assets_source::entities::EntitySyntax;

    #[test]
    fn the_nearest_that_is_seen_is_heard_until_another_one_is() {
        let text = br#"
            { "classname" "worldspawn" }
            { "classname" "env_soundscape" "origin" "0 0 0" "radius" "100" }
            { "classname" "env_soundscape" "origin" "150 0 0" "radius" "100" }
            { "classname" "env_soundscape_triggerable" "targetname" "cave" "origin" "0 0 0" }
            { "classname" "trigger_soundscape" "soundscape" "CAVE" }
            { "classname" "env_soundscape" "origin" "0 0 0" "StartDisabled" "1" }
        "#;
        let entities = Entities::read(text, EntitySyntax::Plain).unwrap();
        let scapes = Soundscapes::new(&entities);
        let nowhere = |_| false;
        let first = |entity: usize| entity != 5;
        let at = |x: f32| (Vec3::new(x, 0.0, 0.0), 1.0);
        assert_eq!(scapes.heard_from(at(500.0), first, nowhere, |_| true), None);
        assert_eq!(
            scapes.heard_from(at(40.0), first, nowhere, |_| true),
            Some(1)
        );
        let nearer = scapes.heard_from(at(80.0), first, nowhere, |_| true);
        assert_eq!(nearer, Some(2));
        let seen = scapes.heard_from(at(80.0), first, nowhere, |it| it.x == 0.0);
        assert_eq!(seen, Some(1));
        let triggered = scapes.heard_from(at(80.0), first, |it| it == 4, |_| true);
        assert_eq!(triggered, Some(3));
        let last = scapes.heard_from(at(500.0), first, nowhere, |_| true);
        assert_eq!(last, Some(3));
        let (far, _) = at(500.0);
        let before = scapes.heard_from((far, 0.5), first, nowhere, |_| true);
        assert_eq!(before, None, "time went back");
    }
}
