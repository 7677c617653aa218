//! Where lightning strikes, and when (section 4.3).
//!
//! The original strikes anywhere at random moments. Here a few strikes come again and again in one order, so that pictures
//! repeat.

use ironlands_scene::{Affine, HourWindow};

use super::{Spell, by_hour, spells};
use crate::effect_scene::{moved, stretched};
use crate::land_msh::LandMsh;
use crate::ske::{Ske, SkyEvent};

/// The effect of a strike.
pub(crate) const LIGHTNING: &str = "env_lightning";
/// How many strikes come before the first comes again.
const N_STRIKES: u16 = 16;
/// The first strike.
const FIRST_SECS: f32 = 6.0;
/// Longest time from one strike to the next without intensity, and the most intensity that counts.
const LONGEST_WAIT_SECS: f32 = 60.0;
const MOST_INTENSITY: f32 = 0.95;
/// How high above the ground it begins, and how the effect is stretched.
const HEIGHT: f32 = 300.0;
const STRETCH: [f32; 3] = [40.0, 40.0, 600.0];

/// A strike that comes again and again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strike {
    pub(crate) world_from_effect: Affine,
    /// The first time, and after which time it comes again.
    pub(crate) at_secs: f32,
    pub(crate) period_secs: f32,
    /// When there is lightning at all.
    pub(crate) hours: HourWindow,
}

/// All strikes of a sky over some land.
pub(crate) fn strikes(sky: &Ske, land: &LandMsh) -> Vec<Strike> {
    let Some(section) = sky.sections.first() else {
        return Vec::new();
    };
    let lightning = spells(&by_hour(section), |it| match it {
        SkyEvent::Lightning { begins } => Some(begins),
        _ => None,
    });
    let mut random = Random(0x2545_F491);
    let mut all = Vec::new();
    for spell in &lightning {
        all.extend(strikes_of(spell, land, &mut random));
    }
    all
}

fn strikes_of(spell: &Spell, land: &LandMsh, random: &mut Random) -> Vec<Strike> {
    let intensity = spell.intensity.clamp(0.0, MOST_INTENSITY);
    let longest = (1.0 - intensity) * LONGEST_WAIT_SECS;
    let Some(places) = (0..N_STRIKES)
        .map(|_| random.place_over(land))
        .collect::<Option<Vec<_>>>()
    else {
        return Vec::new();
    };
    let mut at_secs = FIRST_SECS;
    let mut strikes = Vec::new();
    for place in places {
        strikes.push(Strike {
            world_from_effect: moved(place).times(&stretched(STRETCH)),
            at_secs,
            period_secs: 0.0,
            hours: spell.hours(),
        });
        at_secs += random.share() * longest;
    }
    let period_secs = at_secs - FIRST_SECS;
    for strike in &mut strikes {
        strike.period_secs = period_secs;
    }
    strikes
}

/// A sequence of numbers that is the same every time.
struct Random(u32);

impl Random {
    /// Above 0, up to 1.
    fn share(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        ((self.0 >> 8) as f32 + 1.0) / 16_777_216.0
    }

    /// A place above a vertex of the land; `None` without any that is somewhere.
    fn place_over(&mut self, land: &LandMsh) -> Option<[f32; 3]> {
        let n_vertices = land.positions.len();
        let idx = (self.share() * n_vertices as f32) as usize;
        let [x, y, z] = *land.positions.get(idx.min(n_vertices.checked_sub(1)?))?;
        let is_place = [x, y, z].iter().all(|it| it.is_finite());
        is_place.then_some([x, y, z + HEIGHT])
    }
}
