//! Lamps, torches and fires: light that comes from a place.

/// Light from a point, all around or in a cone. A surface gets its color times the cosine of the angle at which it
/// falls and what [`Self::share_at`] says of the distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Name for reports.
    pub name: String,
    /// Where it is in the world.
    pub position: [f32; 3],
    /// Color of a white surface that it falls on from nearby; may be above 1.
    pub color: [f32; 3],
    /// Distance from which on there is none; above 0.
    pub range: f32,
    /// What it fills; `None` is everything around.
    pub cone: Option<LightCone>,
    /// How it wavers.
    pub flicker: Flicker,
    /// Index into `Scene::light_styles` of what it is multiplied by; `None` is always 1.
    pub style: Option<u16>,
    /// Whether lightmaps hold it already: then it falls only on what has none.
    pub is_baked: bool,
}

/// A cone of light, with a soft edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightCone {
    /// Unit vector from the light into the middle of the cone.
    pub direction: [f32; 3],
    /// Cosine of the angle from the middle up to which it is full, ...
    pub cos_inner: f32,
    /// ... and of that from which on there is none; `-1.0 <= cos_outer < cos_inner <= 1.0`.
    pub cos_outer: f32,
}

/// How a light wavers: the same at the same time, whatever was shown before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Flicker {
    /// Share of the light that comes and goes, `0.0..=1.0`; 0 is a steady light.
    pub share: f32,
    /// How often in a second it takes another value, at least 0; between them it glides.
    pub per_sec: f32,
    /// Distinguishes lights that would waver together.
    pub seed: u32,
}

impl Default for Light {
    /// White, steady, all around, ten units far.
    fn default() -> Self {
        Self {
            name: String::new(),
            position: [0.0; 3],
            color: [1.0; 3],
            range: 10.0,
            cone: None,
            flicker: Flicker::default(),
            style: None,
            is_baked: false,
        }
    }
}

impl Light {
    /// Share of the light that is left at a distance: 1 at the light, 0 with a slope of 0 at its range.
    pub fn share_at(&self, distance: f32) -> f32 {
        let part = distance / self.range;
        let share = (1.0 - part * part).max(0.0);
        share * share
    }
}

impl Flicker {
    /// What the light is multiplied by at a time: `1.0 - share` to 1.
    pub fn at(&self, time_secs: f32) -> f32 {
        if self.share == 0.0 {
            return 1.0;
        }
        // In 64 bits, as days of seconds leave no room for their parts in 32.
        let step = f64::from(time_secs) * f64::from(self.per_sec);
        let before = step.floor();
        let part = (step - before) as f32;
        let eased = part * part * (3.0 - 2.0 * part);
        let [from, to] = [before, before + 1.0].map(|step| self.value(step as i64));
        1.0 - self.share * (from + (to - from) * eased)
    }

    /// A number in 0..1 for each step.
    fn value(&self, step: i64) -> f32 {
        let mut bits =
            (step as u64 as u32).wrapping_mul(0x9E37_79B1) ^ self.seed.wrapping_mul(0x85EB_CA77);
        bits = (bits ^ (bits >> 15)).wrapping_mul(0xC2B2_AE3D);
        bits = (bits ^ (bits >> 13)).wrapping_mul(0x27D4_EB2F);
        ((bits ^ (bits >> 16)) >> 8) as f32 / 16_777_216.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_ends_softly_at_its_range() {
        let light = Light {
            range: 8.0,
            ..Light::default()
        };
        for (distance, share) in [(0.0, 1.0), (4.0, 0.5625), (8.0, 0.0), (9.0, 0.0)] {
            assert_eq!(light.share_at(distance), share, "{distance}");
        }
    }

    #[test]
    fn a_flicker_stays_in_its_share_glides_and_repeats_itself() {
        let flicker = Flicker {
            share: 0.25,
            per_sec: 8.0,
            seed: 3,
        };
        let samples: Vec<f32> = (0..4000u16)
            .map(|i| flicker.at(f32::from(i) / 400.0))
            .collect();
        let [min, max] = [
            samples.iter().copied().fold(f32::MAX, f32::min),
            samples.iter().copied().fold(f32::MIN, f32::max),
        ];
        assert!((0.75..0.80).contains(&min), "{min}");
        assert!((0.95..=1.0).contains(&max), "{max}");
        // A step takes fifty samples; eased, it is at most half again as steep as a straight one.
        let steepest = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(steepest.fold(0.0, f32::max) <= 0.25 * 1.5 / 50.0 + 1e-5);
        assert_eq!(
            flicker.at(5.0),
            samples[2000],
            "whatever was sampled before"
        );
        let other = Flicker { seed: 4, ..flicker };
        assert_ne!(other.at(5.3), flicker.at(5.3));
    }

    #[test]
    fn a_steady_light_is_steady() {
        for time_secs in [0.0, -3.5, 1e9, f32::MAX] {
            assert_eq!(Flicker::default().at(time_secs), 1.0);
        }
    }
}
