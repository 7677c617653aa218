//! The steps of a walker, as they are heard: when, on what, and how loud. Times, speeds and volumes are from the source SDK
//! of 2013.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ironlands_assets_source::level_scene::{Footsteps, StepSurface};
use ironlands_scene::SoundState;
use ironlands_sim_world::Walker;

/// Speeds from which steps are heard, and are loud: upright, and ducked or on a ladder.
const UPRIGHT_SPEEDS: [f32; 2] = [90.0, 220.0];
const DUCKED_SPEEDS: [f32; 2] = [60.0, 80.0];
/// Slower than this along the ground is none.
const LEAST_SPEED: f32 = 1e-4;
/// Seconds between soft and loud steps, on ladders and in water up to the waist; and how many more they are while ducked or on a
/// ladder.
const STEP_SECS: [f32; 2] = [0.4, 0.3];
const LADDER_SECS: f32 = 0.35;
const WADE_SECS: f32 = 0.6;
const DUCKED_SECS: f32 = 0.1;
/// Volumes of soft and loud steps in water, and of others.
const SHALLOW_VOLUMES: [f32; 2] = [0.2, 0.5];
const LADDER_VOLUME: f32 = 0.5;
const WADE_VOLUME: f32 = 0.65;
/// Share of the volume while ducked.
const DUCKED_VOLUME: f32 = 0.65;

/// What a walker steps on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Footing {
    /// A face, by its texinfo.
    Face(i32),
    /// A ladder.
    Ladder,
    /// Water up to the feet.
    Shallow,
    /// Water up to the waist.
    Deep,
}

/// The steps of the walker of a level.
#[derive(Debug, Default)]
pub(super) struct Steps {
    footsteps: Footsteps,
    heard: Mutex<HeardSteps>,
}

#[derive(Debug, Default)]
struct HeardSteps {
    wait_secs: f32,
    is_left_next: bool,
    /// Of each surface the left and the right foot.
    feet: Vec<[Foot; 2]>,
    last_secs: f64,
}

/// How often a foot has stepped somewhere, and how loud it did last.
#[derive(Debug, Clone, Copy, Default)]
struct Foot {
    n_steps: u64,
    volume: f32,
}

impl Steps {
    /// None yet.
    pub fn new(footsteps: Footsteps) -> Self {
        let heard = HeardSteps {
            feet: vec![[Foot::default(); 2]; footsteps.surfaces.len()],
            ..HeardSteps::default()
        };
        Self {
            footsteps,
            heard: Mutex::new(heard),
        }
    }

    fn heard(&self) -> MutexGuard<'_, HeardSteps> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a walker may step within some seconds.
    pub fn is_due(&self, secs: f32) -> bool {
        !self.footsteps.surfaces.is_empty() && self.heard().wait_secs <= secs
    }

    /// Lets a walker go on for some seconds; where it is due for a step, that is heard on what it steps on.
    pub fn advance(
        &self,
        walker: &Walker,
        secs: f32,
        footing: impl FnOnce() -> Option<Footing>,
    ) -> Option<()> {
        let mut heard = self.heard();
        heard.wait_secs = (heard.wait_secs - secs).max(0.0);
        if heard.wait_secs > 0.0 || self.footsteps.surfaces.is_empty() {
            return None;
        }
        let is_slow = walker.crouched || walker.on_ladder();
        let [least, loud] = if is_slow {
            DUCKED_SPEEDS
        } else {
            UPRIGHT_SPEEDS
        };
        let speed = walker.velocity.length();
        let walks = walker.on_ground && walker.velocity.truncate().length() > LEAST_SPEED;
        if speed < least || !(walks || walker.on_ladder()) {
            return None;
        }
        let (surface, mut volume, mut wait_secs) = self.step_on(footing()?, speed >= loud)?;
        if is_slow {
            wait_secs += DUCKED_SECS;
        }
        if walker.crouched {
            volume *= DUCKED_VOLUME;
        }
        heard.wait_secs = wait_secs;
        let is_left = heard.is_left_next;
        heard.is_left_next = !is_left;
        let [left, right] = heard.feet.get_mut(surface)?;
        let foot = if is_left { left } else { right };
        foot.n_steps = foot.n_steps.saturating_add(1);
        foot.volume = volume;
        Some(())
    }

    /// Surface and volume of a step, and seconds until the next one.
    fn step_on(&self, footing: Footing, is_loud: bool) -> Option<(usize, f32, f32)> {
        let Footsteps {
            surfaces,
            of_texinfos,
            ladder,
            shallow,
            wade,
        } = &self.footsteps;
        let of = |[soft, loud]: [f32; 2]| if is_loud { loud } else { soft };
        let step_secs = of(STEP_SECS);
        Some(match footing {
            Footing::Face(texinfo) => {
                let surface = *of_texinfos.get(&texinfo)?;
                (surface, of(surfaces.get(surface)?.volumes), step_secs)
            }
            Footing::Ladder => ((*ladder)?, LADDER_VOLUME, LADDER_SECS),
            Footing::Shallow => ((*shallow)?, of(SHALLOW_VOLUMES), step_secs),
            Footing::Deep => ((*wade)?, WADE_VOLUME, WADE_SECS),
        })
    }

    /// Calls the sounds of all steps until a time; where that went back, there were none.
    pub fn update(&self, time_secs: f64, states: &mut [SoundState]) {
        let mut heard = self.heard();
        if time_secs < heard.last_secs {
            heard.feet.fill([Foot::default(); 2]);
        }
        heard.last_secs = time_secs;
        for (StepSurface { sounds, .. }, feet) in self.footsteps.surfaces.iter().zip(&heard.feet) {
            for (sound, foot) in sounds.iter().zip(feet) {
                if let Some(state) = states.get_mut(*sound) {
                    state.n_calls = foot.n_steps;
                    state.gain = foot.volume;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Two surfaces: a duct, and what is on ladders and in water; the level has two other sounds.
    fn steps() -> Steps {
        let surface = |first: usize, volumes| StepSurface {
            sounds: [first, first + 1],
            volumes,
        };
        Steps::new(Footsteps {
            surfaces: vec![surface(2, [0.4, 0.7]), surface(4, [0.2, 0.5])],
            of_texinfos: [(7, 0)].into(),
            ladder: Some(1),
            shallow: Some(1),
            wade: Some(1),
        })
    }

    fn walker(speed: f32) -> Walker {
        let mut walker = Walker::new(Vec3::Z * 64.0, 64.0);
        walker.velocity = Vec3::X * speed;
        walker.on_ground = true;
        walker
    }

    /// Walks for some sixteenths of a second. How often each foot stepped, the left ones first, and how loud last.
    fn walk(steps: &Steps, walker: &Walker, footing: Footing, n: usize) -> Vec<(u64, f32)> {
        for _ in 0..n {
            steps.advance(walker, 1.0 / 16.0, || Some(footing));
        }
        let mut states = [SoundState::default(); 6];
        steps.update(1.0, &mut states);
        states[2..].iter().map(|it| (it.n_calls, it.gain)).collect()
    }

    #[test]
    fn steps_alternate_and_are_loud_when_fast() {
        let duct = Footing::Face(7);
        let still = [(0, 0.0); 4];
        assert_eq!(walk(&steps(), &walker(89.0), duct, 16), still);
        let mut falling = walker(300.0);
        falling.on_ground = false;
        assert_eq!(walk(&steps(), &falling, duct, 16), still);
        assert_eq!(walk(&steps(), &walker(300.0), Footing::Face(8), 16), still);
        // Soft ones every 7 sixteenths, the first of which that are not less than 0.4 seconds: at 1, 8, 15.
        let soft = [(1, 0.4), (2, 0.4), (0, 0.0), (0, 0.0)];
        assert_eq!(walk(&steps(), &walker(190.0), duct, 16), soft);
        // Loud ones every 5: at 1, 6, 11 and 16.
        let loud = [(2, 0.7), (2, 0.7), (0, 0.0), (0, 0.0)];
        assert_eq!(walk(&steps(), &walker(220.0), duct, 16), loud);
    }

    #[test]
    fn ladders_water_and_ducking_change_times_and_volumes() {
        let mut climber = walker(100.0);
        climber.on_ground = false;
        climber.ladder = Some(Vec3::X);
        // Every 0.45 seconds: 8 sixteenths.
        let climbed = walk(&steps(), &climber, Footing::Ladder, 16);
        assert_eq!(climbed[2..], [(1, 0.5), (1, 0.5)]);
        let waded = walk(&steps(), &walker(100.0), Footing::Deep, 16);
        assert_eq!(waded[2..], [(1, 0.65), (1, 0.65)], "at 1 and 11");
        let splashed = walk(&steps(), &walker(300.0), Footing::Shallow, 5);
        assert_eq!(splashed[2..], [(0, 0.0), (1, 0.5)]);
        let mut ducked = walker(60.0);
        ducked.crouched = true;
        let crept = walk(&steps(), &ducked, Footing::Face(7), 8);
        assert_eq!(crept[1], (1, 0.4 * 0.65), "the next one is at 9");
    }

    #[test]
    fn where_time_goes_back_no_step_was_heard() {
        let steps = steps();
        walk(&steps, &walker(300.0), Footing::Face(7), 16);
        let mut states = [SoundState::default(); 6];
        steps.update(0.5, &mut states);
        assert!(states.iter().all(|it| it.n_calls == 0));
    }
}
