//! Light, sky, fog, water and places to start from.

use crate::{MaterialIdx, TextureIdx};

/// The one directional light and the ambient light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sun {
    /// Unit vector from the ground toward the sun.
    pub direction_to_sun: [f32; 3],
    /// Color of the direct light.
    pub color: [f32; 3],
    /// Color of the light that reaches every surface.
    pub ambient: [f32; 3],
    /// Color of light from the opposite direction, on surfaces that are lit in display space.
    pub counter: [f32; 3],
}

impl Default for Sun {
    /// Straight from above, white, with ambient 0.35 (Parkan dossier, section 11.6).
    fn default() -> Self {
        Self {
            direction_to_sun: [0.0, 0.0, 1.0],
            color: [0.65; 3],
            ambient: [0.35; 3],
            counter: [0.0; 3],
        }
    }
}

/// Gradient sky dome, centered on the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sky {
    /// Color straight up.
    pub zenith: [f32; 3],
    /// Color at the horizon; equals the fog color where the level has fog, so that land fades into it.
    pub horizon: [f32; 3],
    /// Color straight down, seen only past the edge of a level.
    pub nadir: [f32; 3],
    /// Color of the disc and halo of the sun, or of the moon; black draws none.
    pub sun_disc: [f32; 3],
    /// What a low sun adds to the horizon below it.
    pub glow: [f32; 3],
    /// How bright stars are, `0.0..=1.0`; 0 shows none.
    pub stars: f32,
    /// Color of clouds where light falls on them.
    pub cloud_light: [f32; 3],
    /// Color of clouds where none does.
    pub cloud_shade: [f32; 3],
}

impl Default for Sky {
    fn default() -> Self {
        Self {
            zenith: [0.25, 0.42, 0.70],
            horizon: [0.72, 0.80, 0.88],
            nadir: [0.55, 0.62, 0.70],
            sun_disc: [1.0, 0.95, 0.80],
            glow: [0.0; 3],
            stars: 0.0,
            cloud_light: [0.98, 0.98, 0.97],
            cloud_shade: [0.62, 0.69, 0.78],
        }
    }
}

/// Six pictures at infinity, in place of the gradient of [`Sky`].
///
/// Looking at the middle of a face, u goes to the right and v down: the sides +x, -y, -x, +y as a viewer who
/// stands upright sees them; above, right is -y and down is +x; below, right is -y and down is -x.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkyBox {
    /// +x, -x, +y, -y, +z, -z. A face without a picture shows `color`.
    pub faces: [Option<SkyFace>; 6],
    /// Color of faces without a picture.
    pub color: [f32; 3],
}

/// A picture of the sky box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkyFace {
    /// The picture; clamped.
    pub texture: TextureIdx,
    /// Multiplies u and v: (1, 2) is a picture that covers the upper half only, and its last row continues below.
    pub uv_scale: [f32; 2],
}

/// A part of the scene, much smaller than the rest, that is drawn behind all else as if it were `scale` times as large:
/// from `origin + camera / scale`, with its own fog.
#[derive(Debug, Clone, PartialEq)]
pub struct Backdrop {
    /// What the camera sees there when it is at the world's origin.
    pub origin: [f32; 3],
    /// How many units of the level one unit of it stands for; above 0.
    pub scale: f32,
    /// Fog between it and the eye, distances in units of the level.
    pub fog: Option<Fog>,
    /// Cells of `Scene::visibility` that hold it, in rising order: drawn here and not in the level itself.
    pub cells: Vec<u32>,
}

/// Most styles that a scene can have.
pub const MAX_LIGHT_STYLES: usize = 256;

/// How stored lights of one kind change with time: factors, in turn. Style 0 is always 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LightStyle {
    /// Factors of the light, each at least 0; never empty.
    pub factors: Vec<f32>,
    /// How many go by per second; at least 0.
    pub factors_per_sec: f32,
}

impl LightStyle {
    /// The factor at a time; times before 0 show the first.
    pub fn at(&self, time_secs: f32) -> f32 {
        let step = (f64::from(time_secs) * f64::from(self.factors_per_sec)) as usize;
        let step = step.checked_rem(self.factors.len());
        step.and_then(|step| self.factors.get(step))
            .copied()
            .unwrap_or(1.0)
    }
}

/// Distance fog. Distance is measured from the eye, not along the view axis, and counts only as far as it leads
/// through the fog's layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fog {
    /// Color that far things take.
    pub color: [f32; 3],
    /// Distance at which it begins; `0.0 <= start < end`.
    pub start: f32,
    /// Distance from which on it is as dense as it gets.
    pub end: f32,
    /// How it thickens in between.
    pub falloff: FogFalloff,
    /// Share of the color that it takes there, `0.0..=1.0`; 1 = nothing else is seen.
    pub density: f32,
    /// How high it reaches; `None` is everywhere.
    pub layer: Option<FogLayer>,
}

/// How fog thickens from where it begins to where it is as dense as it gets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum FogFalloff {
    /// Evenly with the distance.
    #[default]
    Linear,
    /// Evenly with the square of the distance: thin over most of the way.
    Squared,
}

/// How high fog reaches. Below, it is as if there were no end to it; from high above, the ground is seen through it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FogLayer {
    /// Height (z) up to which it does not thin out.
    pub full_below: f32,
    /// Height from which on there is none, above `full_below`. In between it thins out evenly.
    pub none_above: f32,
}

/// The still water of a level beyond its own water faces: from the level's edge to the horizon.
///
/// The faces inside the level are ordinary mesh faces with a [`crate::PassKind::Water`] pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Water {
    /// Height of the surface (z).
    pub level: f32,
    /// What the sea beyond the level's edge is drawn with.
    pub material: MaterialIdx,
    /// Repeats of the material's texture per world unit.
    pub uv_per_unit: f32,
    /// Smallest x and y of the level; the sea is drawn outside of these.
    pub level_min: [f32; 2],
    /// Largest x and y of the level.
    pub level_max: [f32; 2],
    /// What is seen through the sea; without it the sea is opaque. Water of the level shows more and more of it toward the
    /// level's edge, so that the two meet without a seam.
    pub bed: Option<SeaBed>,
}

/// The ground below a sea, even and level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeaBed {
    /// Color of the ground, to be lit as the ground of the level is; display space.
    pub color: [f32; 3],
    /// How far below the water's surface it lies; above 0.
    pub depth: f32,
}

/// A place and direction to look from.
#[derive(Debug, Clone, PartialEq)]
pub struct Spawn {
    /// What it is, as in "overview" or an entity's name.
    pub name: String,
    /// Position of the eye.
    pub position: [f32; 3],
    /// Turn about +Z from +X toward +Y.
    pub yaw_rad: f32,
    /// Above the horizon positive.
    pub pitch_rad: f32,
}

impl Spawn {
    /// Times the radius of a model that it is looked at from.
    const MODEL_DISTANCE: f32 = 2.6;

    /// A view of the whole of a model, of which its bounding sphere is given, from a direction.
    pub fn model_view(center: [f32; 3], radius: f32, from: [f32; 3]) -> Self {
        // A model may reach to the ends of f32; a place outside of it would be beyond them.
        let coordinate = |axis: usize| {
            let away = f64::from(from[axis] * Self::MODEL_DISTANCE) * f64::from(radius.max(0.1));
            let at = f64::from(center[axis]) + away;
            at.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
        };
        let [x, y, z] = from;
        Self {
            name: "model".to_owned(),
            position: std::array::from_fn(coordinate),
            yaw_rad: (-y).atan2(-x),
            pitch_rad: (-z).atan2(x.hypot(y)),
        }
    }
}
