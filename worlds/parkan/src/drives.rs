//! What drives the emitters of effects.

use ironlands_assets_parkan::effect_scene::EmitterDrive;
use ironlands_scene::EmitterState;
use ironlands_world_kind::EffectDrive;

/// Drives of emitters, in the order of those.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drives(pub Vec<EmitterDrive>);

impl EffectDrive for Drives {
    fn drive(&self, secs: f64, moments: &mut [EmitterState]) {
        for (drive, moment) in self.0.iter().zip(moments) {
            (moment.is_on, moment.clock_secs) = drive.at(secs);
        }
    }
}
