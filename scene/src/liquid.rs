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
    /// How much of what is above it is mirrored, as a factor of red, green and blue: 1 is water.
    pub reflectance: [f32; 3],
    /// How far below the surface it reaches at most, in world units: an eye further below is not in it. Above 0.
    pub depth: f32,
    /// How it looks in the style of its world, where that shows a mirror and nothing else.
    pub sheet: Option<MirrorSheet>,
}

/// A surface that shows what is above it, rippling, times its own light.
///
/// Ripples run over the picture in the mirror: the point at a share (u, v) of its sides, counted from the far corner, shows
/// the point at `(u, v) + ripple * (cos a, sin a)`, where `a = 4 pi * (repeats * (u + v) + 2 * t / period_secs)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MirrorSheet {
    /// Smallest x and y of what the picture covers, world units. u runs against y, v against x.
    pub min: [f32; 2],
    /// Largest x and y, both above those.
    pub max: [f32; 2],
    /// How often the pattern of ripples repeats along each side; two ripples each.
    pub repeats: f32,
    /// Farthest that ripples move a point, as a share of the sides.
    pub ripple: f32,
    /// Seconds in which the pattern moves on by one repeat along both sides; above 0.
    pub period_secs: f32,
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
            reflectance: [1.0; 3],
            depth: f32::MAX,
            sheet: None,
        }
    }
}

impl Liquid {
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let mut amounts = (self.color.into_iter().chain(self.reflectance)).chain([self.waves]);
        let mut lengths = [self.clarity, self.wave_length, self.depth].into_iter();
        let are_amounts = amounts.all(|it| it.is_finite() && it >= 0.0);
        match are_amounts && lengths.all(|it| it.is_finite() && it > 0.0) {
            true => self.sheet.map_or(Ok(()), |sheet| sheet.check()),
            false => Err("amounts of a liquid are finite, at least 0, and lengths above 0"),
        }
    }
}

impl MirrorSheet {
    fn check(&self) -> Result<(), &'static str> {
        let Self {
            min: [x0, y0],
            max: [x1, y1],
            repeats,
            ripple,
            period_secs,
        } = *self;
        let [width, depth] = [x1 - x0, y1 - y0];
        let are_lengths = [width, depth, period_secs].iter().all(|it| *it > 0.0);
        let are_amounts = [repeats, ripple].iter().all(|it| *it >= 0.0);
        let all = [x0, y0, x1, y1, width, depth, repeats, ripple, period_secs];
        match are_lengths && are_amounts && all.iter().all(|it| it.is_finite()) {
            true => Ok(()),
            false => Err("a mirror has sides and a period above 0, and finite ripples"),
        }
    }
}
