//! How a sound at a place is heard from another.

use glam::Vec3;
use ironlands_scene::SoundReach;

/// How much of a sound that comes from one side is kept from the ear on the other.
const SIDE_SHARE: f32 = 0.75;
/// Nothing moves faster than this share of the speed of sound; what seems to has jumped.
const FASTEST: f32 = 0.5;

/// Who hears.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Listener {
    /// Where the ears are.
    pub position: Vec3,
    /// Toward the right ear; of length 1.
    pub right: Vec3,
}

/// How a sound is heard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heard {
    /// Share of its full loudness.
    pub gain: f32,
    /// From -1 (left) to 1 (right).
    pub side: f32,
    /// How far away it is.
    pub distance: f32,
}

impl Listener {
    /// How a sound at a place is heard.
    pub fn hear(&self, place: Vec3, reach: &SoundReach) -> Heard {
        let toward = place - self.position;
        let distance = toward.length();
        // Within reach there is no side to speak of right beside the ears.
        let side = toward.dot(self.right) / distance.max(reach.near.min(1.0));
        Heard {
            gain: reach.gain_at(distance),
            side: (side * SIDE_SHARE).clamp(-1.0, 1.0),
            distance,
        }
    }
}

/// The factor by which a sound is higher (above 1) whose distance changes at a speed, away being positive.
pub(crate) fn doppler(speed: f32, speed_of_sound: f32) -> f32 {
    match speed.abs() <= FASTEST * speed_of_sound && speed_of_sound > 0.0 {
        true => speed_of_sound / (speed_of_sound + speed),
        false => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_the_right_is_heard_on_the_right() {
        let reach = SoundReach {
            near: 10.0,
            far: 1000.0,
        };
        let listener = Listener {
            position: Vec3::new(100.0, 0.0, 0.0),
            right: Vec3::Y,
        };
        let rows = [
            (Vec3::new(100.0, 20.0, 0.0), 0.75, 0.5),
            (Vec3::new(100.0, -40.0, 0.0), -0.75, 0.25),
            (Vec3::new(180.0, 0.0, 0.0), 0.0, 0.125),
            (Vec3::new(100.0, 0.0, 5.0), 0.0, 1.0),
            (Vec3::new(100.0, 3.0, 4.0), 0.45, 1.0),
            (Vec3::new(100.0, 0.0, 0.0), 0.0, 1.0),
        ];
        for (place, side, gain) in rows {
            let heard = listener.hear(place, &reach);
            assert!((heard.side - side).abs() < 1e-6, "{place}: {heard:?}");
            assert_eq!(heard.gain, gain, "{place}");
        }
    }

    #[test]
    fn what_comes_is_higher_and_what_goes_is_lower() {
        assert_eq!(doppler(0.0, 343.0), 1.0);
        assert_eq!(doppler(-68.6, 343.0), 1.25);
        assert_eq!(doppler(85.75, 343.0), 0.8);
        for speed in [1e9, f32::NAN] {
            assert_eq!(doppler(speed, 343.0), 1.0, "a jump");
        }
        assert_eq!(doppler(5.0, 0.0), 1.0, "no speed of sound");
    }
}
