//! What of a scene is heard of entities: when, how loud and how high.

use glam::DVec3;
use ironlands_assets_source::level_scene::{Heard, Motion, Owners, SoundOwner};
use ironlands_scene::SoundState;
use ironlands_sim_entities::{Entity, Kind, Simulation};

/// Share of the pitch of a recording that a fan has as it begins to turn.
const LOWEST_FAN: f32 = 0.3;

/// The sounds of a map, as far as entities play them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sounds(Vec<OwnedSound>);

/// A sound that an entity plays, and perhaps another carries.
#[derive(Debug, Clone)]
struct OwnedSound {
    owner: SoundOwner,
    /// Where what carries it is when the level begins; `None` where nothing does.
    carrier_at_start: Option<DVec3>,
}

impl Sounds {
    /// Those of a scene, by their owners.
    pub fn new(owners: &Owners, start: &Simulation) -> Self {
        let sounds = owners.sounds.iter().map(|owner| OwnedSound {
            owner: *owner,
            carrier_at_start: owner
                .carrier
                .map(|it| start.world_from_entity(it).translation),
        });
        Self(sounds.collect())
    }

    /// What entities make of the sounds, where a soundscape is heard.
    pub fn update(&self, now: &Simulation, soundscape: Option<usize>, states: &mut [SoundState]) {
        for (state, sound) in states.iter_mut().zip(&self.0) {
            let owner = &sound.owner;
            if let Some((at_start, carrier)) = sound.carrier_at_start.zip(owner.carrier) {
                let moved = now.world_from_entity(carrier).translation - at_start;
                state.moved = moved.as_vec3().to_array();
            }
            if let Some(entity) = now.entities().get(owner.entity) {
                sound.update(now, entity, soundscape, state);
            }
        }
    }
}

impl OwnedSound {
    fn update(
        &self,
        now: &Simulation,
        entity: &Entity,
        soundscape: Option<usize>,
        state: &mut SoundState,
    ) {
        let SoundOwner {
            entity: index,
            heard,
            ..
        } = self.owner;
        let kind = &entity.kind;
        match heard {
            Heard::AsTold => follow_speaker(kind, state),
            Heard::AsWord { after_ms } => {
                follow_speaker(kind, state);
                // Before its turn it is silent, and so is the rest of a sentence that begins again.
                if !is_its_turn(now, kind, after_ms) {
                    state.is_on = false;
                    state.n_calls = state.n_calls.saturating_sub(1);
                }
            }
            Heard::InSoundscape => state.is_on = soundscape == Some(index),
            // What has broken is heard though it is no more.
            Heard::AtOutputs(outputs) => {
                state.n_calls = n_fired(now, index, outputs);
                return;
            }
            Heard::Moving(motion) => {
                state.is_on = is_in_motion(kind, motion);
                state.n_calls = match motion {
                    Motion::Opening => n_fired(now, index, &["OnOpen"]),
                    Motion::Closing => n_fired(now, index, &["OnClose"]),
                    // One that turns back begins again without a stop.
                    _ if matches!(kind, Kind::Door(_)) => {
                        n_fired(now, index, &["OnOpen", "OnClose"])
                    }
                    _ => now.moves_of(index).n_begun,
                };
                follow_speed(kind, motion, state);
            }
            Heard::UntilClosed => {
                state.is_on = !kind.is_closed();
                state.n_calls = n_fired(now, index, &["OnOpen", "OnClose"]);
            }
            Heard::Departing => state.n_calls = now.moves_of(index).n_begun,
            Heard::Arriving => state.n_calls = now.moves_of(index).n_ended,
            Heard::Pinging => {
                if let Kind::Train(train) = kind {
                    state.n_calls = train.n_calls();
                }
            }
        }
        state.is_on &= !entity.is_removed;
    }
}

fn n_fired(now: &Simulation, index: usize, outputs: &[&str]) -> u64 {
    let n_fired = outputs.iter().map(|it| now.n_fired_by(index, it));
    n_fired.fold(0, u64::saturating_add)
}

fn follow_speaker(kind: &Kind, state: &mut SoundState) {
    if let Kind::Speaker(speaker) = kind {
        let moment = speaker.moment();
        state.is_on = moment.is_on;
        state.n_calls = moment.n_calls;
        state.gain = moment.volume as f32;
        state.rate = moment.rate as f32;
    }
}

/// Whether a time has passed since a speaker was called.
fn is_its_turn(now: &Simulation, kind: &Kind, after_ms: u32) -> bool {
    let Kind::Speaker(speaker) = kind else {
        return false;
    };
    let n_ticks = now.tick_number().saturating_sub(speaker.moment().called_at);
    n_ticks as f64 * now.tick_secs() * 1000.0 >= f64::from(after_ms)
}

fn is_in_motion(kind: &Kind, motion: Motion) -> bool {
    match (kind, motion) {
        (Kind::Door(door), Motion::Opening) => door.is_opening(),
        (Kind::Door(door), Motion::Closing) => door.is_closing(),
        _ => kind.is_moving(),
    }
}

/// Fans and trains sound higher the faster they are.
fn follow_speed(kind: &Kind, motion: Motion, state: &mut SoundState) {
    match (kind, motion) {
        (Kind::Rotator(rotator), Motion::Turning) => {
            let share = rotator.share_of_speed() as f32;
            state.gain = share;
            state.rate = LOWEST_FAN + (1.0 - LOWEST_FAN) * share;
        }
        (Kind::Train(train), Motion::Running { pitches }) => {
            let [slow, fast] = pitches.map(f32::from);
            let pitch = slow + (fast - slow) * train.share_of_speed() as f32;
            state.rate = pitch.trunc().max(1.0) / 100.0;
        }
        _ => {}
    }
}
