//! How bright linear light is shown where the eye gets used to what it sees.

/// Between which bounds the picture's brightness follows what is in it, and what it is led to. Exposure is a factor of
/// linear light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AutoExposure {
    /// Least exposure, above 0.
    pub min: f32,
    /// Greatest exposure, at least `min`.
    pub max: f32,
    /// Share of the picture that may be brighter than `bright_target`, `0.0..=1.0`.
    pub bright_share: f32,
    /// Linear luminance that the darkest of that share is led to; above 0.
    pub bright_target: f32,
    /// Linear luminance that the middle of the picture does not fall below, if `max` allows it; at least 0.
    pub min_mean: f32,
    /// How fast it follows: the part that is missing falls to a share of `exp(-rate)` in a second; at least 0.
    pub rate: f32,
    /// How many times as fast it falls as it rises; at least 1.
    pub fall_factor: f32,
    /// How strong the light around what is bright is, as a factor; at least 0.
    pub bloom: f32,
}

impl AutoExposure {
    /// The exposure that a picture calls for. `bright` and `mean` are the linear luminances that a share of
    /// `bright_share` and half of its pixels exceed when it is shown at an exposure.
    pub fn wanted(&self, exposure: f32, bright: f32, mean: f32) -> f32 {
        let by = |target: f32, seen: f32| exposure * target / seen.max(DARKEST);
        let wanted = by(self.bright_target, bright).max(by(self.min_mean, mean));
        wanted.clamp(self.min, self.max)
    }

    /// How much of the way from one exposure to another is come in a time.
    pub fn share_in(&self, from: f32, to: f32, secs: f32) -> f32 {
        let factor = if to < from { self.fall_factor } else { 1.0 };
        1.0 - (-secs.max(0.0) * self.rate * factor).exp()
    }
}

/// Luminances below this count as this.
pub const DARKEST: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    const EXPOSURE: AutoExposure = AutoExposure {
        min: 0.5,
        max: 2.0,
        bright_share: 0.02,
        bright_target: 0.6,
        min_mean: 0.03,
        rate: 1.0,
        fall_factor: 3.0,
        bloom: 1.0,
    };

    #[test]
    fn exposure_brings_what_is_bright_to_its_target_within_its_bounds() {
        for (exposure, bright, mean, wanted) in [
            (1.0, 0.6, 0.3, 1.0),
            (1.0, 1.0, 0.3, 0.6),
            (0.6, 1.0, 0.3, 0.5),
            (1.0, 0.4, 0.3, 1.5),
            (1.0, 0.1, 0.05, 2.0),
            // The middle of the picture would be too dark.
            (1.0, 0.8, 0.02, 1.5),
            (1.0, 0.0, 0.0, 2.0),
        ] {
            let found = EXPOSURE.wanted(exposure, bright, mean);
            assert!((found - wanted).abs() < 1e-5, "{bright} {mean}: {found}");
        }
    }

    #[test]
    fn eyes_get_used_to_light_faster_than_to_darkness() {
        let rises = EXPOSURE.share_in(0.5, 2.0, 1.0);
        let falls = EXPOSURE.share_in(2.0, 0.5, 1.0);
        assert!((rises - 0.632_12).abs() < 1e-4 && (falls - 0.950_21).abs() < 1e-4);
        assert_eq!(EXPOSURE.share_in(1.0, 2.0, 0.0), 0.0);
    }
}
