//! What a body of liquid does with light.

/// How a liquid looks that is more than a colored surface: what is above it is mirrored in it, what is below is seen
/// through it, the less the deeper it lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Liquid {
    /// Color of deep liquid in full light.
    pub color: [f32; 3],
    /// Distance in it over which it hides nearly all (95 %), in world units; above 0.
    pub clarity: f32,
    /// How steep waves are: 1 is open water in a breeze, 0 lies still.
    pub waves: f32,
    /// Length of the longest waves in world units; above 0.
    pub wave_length: f32,
    /// The texture of the pass holds the normals of its waves instead of colors: red along u, green along v, blue out of
    /// the surface. `waves` then is a factor of their slopes. For passes without a lightmap, a blend texture or effects.
    pub has_wave_texture: bool,
    /// How much of what is above it is mirrored, as a factor: 1 is water.
    pub reflectance: f32,
    /// How far below the surface it reaches at most, in world units: an eye further below is not in it. Above 0.
    pub depth: f32,
}

impl Default for Liquid {
    /// Clear water in a breeze where units are meters.
    fn default() -> Self {
        Self {
            color: [0.06, 0.22, 0.28],
            clarity: 9.0,
            waves: 1.0,
            wave_length: 28.0,
            has_wave_texture: false,
            reflectance: 1.0,
            depth: f32::MAX,
        }
    }
}

impl Liquid {
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let mut amounts = self.color.into_iter().chain([self.waves, self.reflectance]);
        let mut lengths = [self.clarity, self.wave_length, self.depth].into_iter();
        let are_amounts = amounts.all(|it| it.is_finite() && it >= 0.0);
        match are_amounts && lengths.all(|it| it.is_finite() && it > 0.0) {
            true => Ok(()),
            false => Err("amounts of a liquid are finite, at least 0, and lengths above 0"),
        }
    }
}
