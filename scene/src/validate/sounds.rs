//! Sounds: their clips, places and numbers.

use super::emitters::check_anchor;
use super::{SceneError, broken, ensure, is_amount};
use crate::{HOURS_PER_DAY, Scene, Sound, SoundPlay, SoundSource};

impl Scene {
    pub(super) fn validate_sounds(&self) -> Result<(), SceneError> {
        let is_speed = is_amount(self.speed_of_sound);
        ensure(
            is_speed,
            "speed_of_sound",
            0,
            "a finite speed of at least 0",
        )?;
        for (index, sound) in self.sounds.iter().enumerate() {
            let has_clip = (sound.clip.0 as usize) < self.clips.len();
            ensure(has_clip, "sounds", index, "a sound names a missing clip")?;
            if let SoundSource::Around { anchor, reach } = &sound.source {
                check_anchor(self, anchor).map_err(|rule| broken("sounds", index, rule))?;
                let reaches = reach.near > 0.0 && reach.near.is_finite() && reach.near <= reach.far;
                ensure(reaches, "sounds", index, "a sound is near before it is far")?;
            }
            let is_loud = (0.0..=1.0).contains(&sound.gain);
            ensure(is_loud, "sounds", index, "a gain is from 0 to 1")?;
            let has_rate = sound.rate.is_finite() && sound.rate > 0.0;
            ensure(has_rate, "sounds", index, "a finite rate above 0")?;
            ensure(has_times(sound), "sounds", index, "finite times in order")?;
        }
        Ok(())
    }
}

fn has_times(sound: &Sound) -> bool {
    let is_period = |secs: Option<f32>| secs.is_none_or(|it| it.is_finite() && it > 0.0);
    let is_hour = |hour: f32| (0.0..=HOURS_PER_DAY).contains(&hour);
    let are_times = match &sound.play {
        SoundPlay::Loop(windows) => windows.iter().all(|it| {
            it.start_secs.is_finite() && is_amount(it.duration_secs) && is_period(it.period_secs)
        }),
        SoundPlay::Once(starts) => {
            (starts.iter()).all(|it| is_amount(it.at_secs) && is_period(it.period_secs))
        }
        SoundPlay::OnCall => true,
    };
    are_times && (sound.hours).is_none_or(|it| is_hour(it.from) && is_hour(it.to))
}
