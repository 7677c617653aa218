//! Models of entities that play sequences: as they begin, and where their bones are.

use std::sync::Arc;

use ironlands_assets_source::entities::Entity;
use ironlands_assets_source::level_scene::Figure;
use ironlands_assets_source::studio_motion::StudioMotion;
use ironlands_sim_entities::{Animator, Clip, Kind, RandomClips, Switch};

use super::keys::{is_set, number_or};

/// The least and most seconds between sequences that are chosen by chance, where they are not written.
const USUAL_SECS: [f64; 2] = [5.0, 10.0];

/// Lets an entity that does nothing else, or is there or not, play the sequences of its model.
pub(super) fn animate(entity: &Entity, figure: &Figure, kind: &mut Kind) {
    let switch = match kind {
        Kind::Switch(switch) => switch.clone(),
        // Who else is turned off stays where it is.
        Kind::Other => Switch {
            hides: false,
            ..Switch::new(true)
        },
        _ => return,
    };
    let first = figure.first;
    let random = is_set(entity, "RandomAnimation").then(|| {
        let least = number_or(entity, "MinAnimTime", USUAL_SECS[0]);
        let most = number_or(entity, "MaxAnimTime", USUAL_SECS[1]).max(least);
        RandomClips::new(figure.motion.idles(), [least, most])
    });
    let mut animator = Animator::new(clips(&figure.motion), first.sequence, switch);
    animator.default = first.plays.then_some(first.sequence);
    animator.holds = is_set(entity, "HoldAnimation");
    animator.random = random.flatten();
    *kind = Kind::Animator(animator);
}

fn clips(motion: &StudioMotion) -> Arc<[Clip]> {
    let clips = (0..motion.sequences.len()).map(|index| {
        let sequence = motion.sequence(index);
        Clip {
            name: sequence.map_or_else(String::new, |it| it.name.clone()),
            length_secs: motion.length_secs(index),
            loops: sequence.is_some_and(|it| it.loops()),
        }
    });
    clips.collect()
}
