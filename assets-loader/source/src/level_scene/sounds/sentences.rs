//! Sentences that entities say, word by word.

use ironlands_scene::{Sound, SoundPlay, SoundReach, SoundSource};

use super::{EVERYWHERE, Heard, KnownClip, Maker};
use crate::entities::Entity;
use crate::level_scene::brush_models::entity_name;
use crate::level_scene::emitters::has_flag;
use crate::missing_files::MissingKind;
use crate::sentences::{Sentences, WordEffects};
use crate::sound_scripts::wave_path;

/// Taken for the length of a word whose recording does not say it: one that is no WAV.
const WORD_SECS: f32 = 0.5;

impl Maker<'_> {
    /// Adds the words of a sentence, each of which begins when those before it have ended.
    pub(super) fn add_sentence(
        &mut self,
        index: usize,
        entity: &Entity,
        (name, reach): (&str, Option<SoundReach>),
    ) -> Option<()> {
        let Self {
            level, findings, ..
        } = self;
        let sentences = self
            .sentences
            .get_or_insert_with(|| Sentences::open(&level.game_files, findings));
        let Some(words) = sentences.get(name).map(<[_]>::to_vec) else {
            let what = format!("sentence {}", name.trim());
            self.missing.add(what, MissingKind::Sound);
            return None;
        };
        let reach = reach.filter(|_| !has_flag(entity, EVERYWHERE));
        let mut after_secs = 0.0;
        for word in words {
            let (source, carrier) = match reach {
                Some(reach) => self.place(index, entity)?.around(Some(reach)),
                None => (SoundSource::Everywhere, None),
            };
            let Some(KnownClip {
                index: clip, secs, ..
            }) = self.clip(&wave_path(&word.wave))
            else {
                continue;
            };
            let WordEffects { volume, rate } = word.effects;
            let sound = Sound {
                name: format!("{} ({name})", entity_name(entity)),
                clip,
                source,
                play: SoundPlay::OnCall,
                gain: volume,
                rate,
                hours: None,
            };
            // The cast saturates.
            let after_ms = (after_secs * 1000.0) as u32;
            self.add(index, carrier, Heard::AsWord { after_ms }, sound);
            after_secs += secs.unwrap_or(WORD_SECS) / rate;
        }
        Some(())
    }
}
