//! Colors of a painted sky at a moment.

use std::f32::consts::FRAC_PI_2;

/// Colors of a ring, at quarter turns.
pub const N_COMPASS: usize = 4;
/// Rings that have colors of their own: the second and the third from the apex, and the horizon, which the two lowest
/// share. The first has the apex's.
pub const N_SKY_RINGS: usize = 3;

/// Colors of a ring toward +y, +x, -y and -x: red, green, blue, and how much they hide of what is behind.
pub type SkyRing = [[f32; 4]; N_COMPASS];

/// What a painted sky looks like at a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PaintedColors {
    /// Straight up, with alpha.
    pub apex: [f32; 4],
    /// From above.
    pub rings: [SkyRing; N_SKY_RINGS],
    /// What clouds are multiplied by.
    pub clouds: [f32; 3],
    /// Light of the body in the sky.
    pub sun: [f32; 3],
    /// Light from the opposite side.
    pub counter: [f32; 3],
    /// Light that reaches every surface; seen where neither picture nor color covers the sky.
    pub ambient: [f32; 3],
    /// Half the width and height of bodies, as tangents of the angle from their middle.
    pub body_half_size: [f32; 2],
    /// How strong the flare may get, `0.0..=1.0`.
    pub flare: f32,
    /// Distances at which fog begins and is whole.
    pub fog_range: [f32; 2],
}

impl PaintedColors {
    /// Part of the way to others.
    #[must_use]
    pub fn blended(&self, next: &Self, share: f32) -> Self {
        let ring = |of: usize| -> SkyRing {
            std::array::from_fn(|i| mix(self.rings[of][i], next.rings[of][i], share))
        };
        let [flare] = mix([self.flare], [next.flare], share);
        Self {
            apex: mix(self.apex, next.apex, share),
            rings: std::array::from_fn(ring),
            clouds: mix(self.clouds, next.clouds, share),
            sun: mix(self.sun, next.sun, share),
            counter: mix(self.counter, next.counter, share),
            ambient: mix(self.ambient, next.ambient, share),
            body_half_size: mix(self.body_half_size, next.body_half_size, share),
            flare,
            fog_range: mix(self.fog_range, next.fog_range, share),
        }
    }

    /// The mean color of the horizon.
    pub fn mean_horizon(&self) -> [f32; 3] {
        let [.., horizon] = &self.rings;
        let share = 1.0 / N_COMPASS as f32;
        std::array::from_fn(|i| horizon.iter().map(|color| color[i]).sum::<f32>() * share)
    }

    /// The color of the horizon in a direction.
    pub fn horizon_toward(&self, [x, y, _]: [f32; 3]) -> [f32; 3] {
        let [.., horizon] = &self.rings;
        let quarter = (x.atan2(y) / FRAC_PI_2).rem_euclid(N_COMPASS as f32);
        let before = quarter as usize % N_COMPASS;
        let [from, to] = [before, (before + 1) % N_COMPASS].map(|idx| horizon[idx]);
        let [r, g, b, _] = mix(from, to, quarter.fract());
        [r, g, b]
    }

    /// All its numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f32> {
        let rings = self.rings.iter().flatten().flatten();
        let light = [self.clouds, self.sun, self.counter, self.ambient];
        (self.apex.iter().chain(rings).copied())
            .chain(light.into_iter().flatten())
            .chain(self.body_half_size)
            .chain([self.flare])
            .chain(self.fog_range)
    }
}

fn mix<const N: usize>(from: [f32; N], to: [f32; N], share: f32) -> [f32; N] {
    std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share)
}
