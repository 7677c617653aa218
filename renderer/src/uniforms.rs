//! Rust twins of the structs in `shaders/shared/`; their layouts are compared in the tests of `shaders.rs`.

mod effects;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};
use ironlands_scene::{
    Affine, AmbientCube, Atmosphere, DirectLight, Fog, FogFalloff, LightStyle, Lighting,
    MAX_CLOUD_LAYERS, MAX_DIRECT_LIGHTS, MAX_LIGHT_STYLES, Pass, PassPhase, Scene, SkinVertex,
};

pub(crate) use self::effects::EffectsUniform;
use crate::{
    FrameState, linear_light::linear_from_display, viewpoint::Viewpoint, waters::SeenSurface,
};

const FLAG_WATER_REFLECTION: u32 = 1;
const FLAG_SEA: u32 = 2;
const FLAG_STORED_LIGHT: u32 = 8;
const FLAG_HAZE: u32 = 32;
const FLAG_BELOW_WATER: u32 = 64;
const FLAG_SQUARED_FOG: u32 = 128;
const FLAG_DETAIL: u32 = 256;
const FLAG_STARS: u32 = 512;
const FLAG_ADAPTS: u32 = 1024;
const FLAG_RIPPLES: u32 = 2048;

/// The sea reaches this many times the end of the fog, or the size of a level without fog, beyond what it
/// surrounds: so far that its end is within a pixel or two of the horizon for a camera over the level.
const SEA_EXTENTS: f32 = 24.0;

/// Part of a level's smaller side over which water grows opaque toward the edge.
const SHORE_PART: f32 = 0.08;

/// Length of the longest wave of `shared/waves.wgsl`, in its units.
const WAVE_LENGTH: f32 = 28.0;

/// All waves turn by whole tenths of a radian a second (`WAVE_SPEEDS` in `shared/waves.wgsl`), so that
/// each of them is where it was after this time.
const WAVE_PERIOD_SECS: f64 = std::f64::consts::TAU / 0.1;

/// `shared/frame.wgsl`, `Frame`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FrameUniform {
    pub clip_from_eye: [[f32; 4]; 4],
    pub camera_in_world: [f32; 3],
    pub time_secs: f32,
    pub ray_forward: [f32; 3],
    pub fog_scale: f32,
    pub ray_right: [f32; 3],
    pub fog_offset: f32,
    pub ray_up: [f32; 3],
    pub flags: u32,
    pub viewport_px: [f32; 2],
    pub wave_secs: f32,
    pub exposure: f32,
    pub fog_full_below: f32,
    pub fog_thinning: f32,
    pub occlusion_radius: f32,
    pub cut_off: f32,
}

/// What lies between the eye and things.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Air {
    /// Whether exposure follows the picture, and so does the color of fog.
    pub adapts: bool,
    pub fog: Option<Fog>,
    /// Whether it takes the color of the sky behind what it hides.
    pub is_haze: bool,
    /// Whether it is water.
    pub is_water: bool,
}

impl FrameUniform {
    /// `has_sea`: whether there is water beyond the edge of what is seen.
    pub fn new(
        state: &FrameState,
        viewpoint: &Viewpoint,
        Air {
            adapts,
            fog,
            is_haze,
            is_water,
        }: Air,
        has_sea: bool,
        size: [u32; 2],
    ) -> Self {
        let viewport_px = size.map(|side| side as f32);
        let aspect = viewport_px[0] / viewport_px[1];
        let camera = &viewpoint.camera;
        let half = camera.half_extent(aspect);
        let fog = fog.filter(|_| state.switches.fog);
        let [fog_scale, fog_offset] = fog.map_or([0.0; 2], |fog| fog_line(&fog, viewpoint.scale));
        let is_squared = fog.is_some_and(|fog| fog.falloff == FogFalloff::Squared);
        let [fog_full_below, fog_thinning] = fog_layer(fog, state, viewpoint);
        let flags = [
            (state.switches.water_reflection, FLAG_WATER_REFLECTION),
            (state.switches.sea_beyond_edge && has_sea, FLAG_SEA),
            (state.switches.lightmap, FLAG_STORED_LIGHT),
            (adapts, FLAG_ADAPTS),
            (is_haze, FLAG_HAZE),
            (is_water, FLAG_BELOW_WATER),
            (is_squared, FLAG_SQUARED_FOG),
            (state.switches.detail, FLAG_DETAIL),
            // Waves spread a star over a part of the sky in which its light is lost.
            (viewpoint.floor.is_none(), FLAG_STARS),
            (state.switches.ripples, FLAG_RIPPLES),
        ];
        Self {
            clip_from_eye: viewpoint.clip_from_eye(aspect).to_cols_array_2d(),
            camera_in_world: camera.position.to_array(),
            time_secs: state.time_secs,
            ray_forward: camera.forward().to_array(),
            fog_scale,
            ray_right: (camera.right() * half.x).to_array(),
            fog_offset,
            ray_up: (camera.up() * half.y).to_array(),
            flags: flags
                .iter()
                .filter(|(on, _)| *on)
                .map(|(_, flag)| flag)
                .sum(),
            viewport_px,
            wave_secs: wave_secs(state.time_secs),
            exposure: state.exposure_stops.exp2(),
            fog_full_below,
            fog_thinning,
            occlusion_radius: 0.0,
            cut_off: 0.0,
        }
    }
}

impl FrameUniform {
    /// The same frame for a map of what the sun sees.
    pub fn for_sun_map(self, clip_from_eye: &Mat4) -> Self {
        Self {
            clip_from_eye: clip_from_eye.to_cols_array_2d(),
            // No pixel of the picture has a size in the map.
            ray_up: [0.0; 3],
            ..self
        }
    }

    /// The same frame for a map of what a lamp sees.
    pub fn for_lamp_map(self, lamp_in_world: [f32; 3], clip_from_eye: &Mat4) -> Self {
        Self {
            camera_in_world: lamp_in_world,
            cut_off: f32::MAX,
            ..self.for_sun_map(clip_from_eye)
        }
    }
}

/// Factor and offset that make an amount of fog of a distance in units of the viewpoint, or of its square.
fn fog_line(fog: &Fog, scale_of_viewpoint: f32) -> [f32; 2] {
    let measure = |distance: f32| match fog.falloff {
        FogFalloff::Linear => distance,
        FogFalloff::Squared => distance * distance,
    };
    let scale = 1.0 / (measure(fog.end) - measure(fog.start));
    [
        scale * measure(scale_of_viewpoint),
        -measure(fog.start) * scale,
    ]
}

/// In units of the viewpoint: how far above the eye fog begins to thin out, and over how much height it does. Fog
/// without a layer begins to nowhere.
fn fog_layer(fog: Option<Fog>, state: &FrameState, viewpoint: &Viewpoint) -> [f32; 2] {
    let layer = fog.and_then(|fog| fog.layer);
    layer.map_or([f32::MAX, 1.0], |layer| {
        let above_eye = layer.full_below - state.camera.position.z;
        [above_eye, layer.none_above - layer.full_below].map(|height| height / viewpoint.scale)
    })
}

/// The time within the waves' period: shaders promise a sine no more than a few turns from 0.
fn wave_secs(time_secs: f32) -> f32 {
    f64::from(time_secs).rem_euclid(WAVE_PERIOD_SECS) as f32
}

/// `shared/environment.wgsl`, `Environment`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct EnvironmentUniform {
    pub direction_to_sun: [f32; 3],
    pub water_level: f32,
    pub sun_color: [f32; 3],
    pub sea_uv_per_unit: f32,
    pub ambient: [f32; 3],
    pub sea_extent: f32,
    pub fog_color: [f32; 3],
    pub shore_width: f32,
    pub sky_zenith: [f32; 3],
    pub fog_density: f32,
    pub sky_horizon: [f32; 3],
    pub padding_1: u32,
    pub sky_nadir: [f32; 3],
    pub padding_2: u32,
    pub sun_disc: [f32; 3],
    pub padding_3: u32,
    pub sun_color_linear: [f32; 3],
    pub padding_4: u32,
    pub ambient_linear: [f32; 3],
    pub padding_5: u32,
    pub level_min: [f32; 2],
    pub level_max: [f32; 2],
    pub sky_glow: [f32; 3],
    pub stars: f32,
    pub cloud_light: [f32; 3],
    pub padding_6: u32,
    pub cloud_shade: [f32; 3],
    pub padding_7: u32,
    pub cloud_layers: [[f32; 4]; MAX_CLOUD_LAYERS],
    pub cloud_drift: [[f32; 2]; MAX_CLOUD_LAYERS],
    pub sea_bed_color: [f32; 3],
    pub sea_bed_depth: f32,
    pub counter_color: [f32; 3],
    pub padding_8: u32,
}

impl EnvironmentUniform {
    /// `atmosphere` may be another than the scene's own.
    pub fn new(scene: &Scene, atmosphere: &Atmosphere) -> Self {
        let mut uniform = Self::zeroed().within(atmosphere);
        if let Some(water) = &scene.water {
            let sides: [f32; 2] =
                std::array::from_fn(|axis| water.level_max[axis] - water.level_min[axis]);
            let reach = scene.fog.map_or(sides[0].max(sides[1]), |fog| fog.end);
            uniform.water_level = water.level;
            uniform.sea_uv_per_unit = water.uv_per_unit;
            uniform.sea_extent = reach * SEA_EXTENTS;
            uniform.shore_width = sides[0].min(sides[1]) * SHORE_PART;
            uniform.level_min = water.level_min;
            uniform.level_max = water.level_max;
            if let Some(bed) = water.bed {
                uniform.sea_bed_color = bed.color;
                uniform.sea_bed_depth = bed.depth;
            }
        }
        for (index, layer) in scene.clouds.iter().enumerate() {
            uniform.cloud_layers[index] = [layer.cover, layer.opacity, layer.size.recip(), 0.0];
            uniform.cloud_drift[index] = layer.drift_per_sec;
        }
        uniform
    }

    /// The same with the light, sky and fog of another moment.
    pub fn within(self, Atmosphere { sun, sky, fog }: &Atmosphere) -> Self {
        Self {
            direction_to_sun: sun.direction_to_sun,
            sun_color: sun.color,
            ambient: sun.ambient,
            counter_color: sun.counter,
            sun_color_linear: sun.color.map(linear_from_display),
            ambient_linear: sun.ambient.map(linear_from_display),
            sky_zenith: sky.zenith,
            sky_horizon: sky.horizon,
            sky_nadir: sky.nadir,
            sun_disc: sky.sun_disc,
            sky_glow: sky.glow,
            stars: sky.stars,
            cloud_light: sky.cloud_light,
            cloud_shade: sky.cloud_shade,
            fog_color: fog.map_or([0.0; 3], |fog| fog.color),
            fog_density: fog.map_or(0.0, |fog| fog.density),
            ..self
        }
    }
}

/// `shared/surface_color.wgsl`, `Material`. Colors are linear light where the pass is lit in it.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MaterialUniform {
    pub diffuse: [f32; 4],
    /// Smallest u and v, width and height.
    pub uv_cell: [[f32; 2]; 2],
    pub ambient: [f32; 3],
    pub alpha_reference: f32,
    pub emissive: [f32; 3],
    pub ripples_per_sec: f32,
    pub reflectance: [f32; 3],
    pub padding_0: u32,
    pub uv_scroll_per_sec: [f32; 2],
    pub padding_1: [u32; 2],
    pub liquid_color: [f32; 3],
    pub clarity: f32,
    pub waves: [f32; 2],
    /// Repeats along a side of the mirror, and how far ripples reach.
    pub ripples: [f32; 2],
    /// Smallest and largest x and y; nothing without a mirror.
    pub sheet: [[f32; 2]; 2],
}

impl MaterialUniform {
    /// A pass in one of its looks.
    pub fn new(pass: &Pass, look: &PassPhase) -> Self {
        let liquid = pass.liquid.unwrap_or_default();
        let is_linear = match pass.lighting {
            Lighting::Unlit | Lighting::Display | Lighting::DisplayFloor => false,
            Lighting::Linear | Lighting::Lightmap | Lighting::Ambient => true,
        };
        let lit = |color: [f32; 3]| {
            if is_linear {
                color.map(linear_from_display)
            } else {
                color
            }
        };
        let [r, g, b, alpha] = look.diffuse;
        let [r, g, b] = lit([r, g, b]);
        let sheet = liquid.sheet.as_ref();
        Self {
            diffuse: [r, g, b, alpha],
            uv_cell: [look.cell.min, look.cell.size],
            ambient: lit(look.ambient),
            alpha_reference: pass.alpha_test.unwrap_or(0.0),
            emissive: lit(look.emissive),
            uv_scroll_per_sec: pass.uv_scroll_per_sec,
            reflectance: liquid.reflectance,
            liquid_color: liquid.color,
            clarity: liquid.clarity,
            waves: match pass.refraction {
                Some(refraction) => [refraction.bend, 0.0],
                None => [liquid.waves, WAVE_LENGTH / liquid.wave_length],
            },
            ripples: sheet.map_or([0.0; 2], |it| [it.repeats, it.ripple]),
            ripples_per_sec: sheet.map_or(0.0, |it| 1.0 / it.period_secs),
            sheet: sheet.map_or([[0.0; 2]; 2], |it| [it.min, it.max]),
            ..Self::zeroed()
        }
    }
}

/// Most heights of water that mirror what is above them.
pub(crate) const MAX_MIRRORS: usize = 2;

/// `shared/deep_water_color.wgsl`, `Mirrors`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MirrorsUniform {
    pub heights: [f32; MAX_MIRRORS],
}

impl MirrorsUniform {
    pub fn new(mirrored: &[SeenSurface]) -> Self {
        let height = |mirror: usize| mirrored.get(mirror).map_or(f32::MAX, |it| it.height);
        Self {
            heights: std::array::from_fn(height),
        }
    }
}

/// `shared/baked_color.wgsl`, `Baked`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BakedUniform {
    pub styles: [u32; 4],
    pub is_linear: u32,
    pub padding: [u32; 3],
    /// 1 for the component of colors that is the weight.
    pub fade_channel: [f32; 4],
    /// Ranges of luminance and of weights.
    pub edge: [[f32; 2]; 2],
}

/// `shared/baked_color.wgsl`, `Styles`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct StylesUniform {
    pub factors: [[f32; 4]; MAX_LIGHT_STYLES / 4],
}

impl StylesUniform {
    /// Styles that are not there do not change.
    pub fn new(styles: &[LightStyle], time_secs: f32) -> Self {
        let mut factors = [[1.0; 4]; MAX_LIGHT_STYLES / 4];
        for (factor, style) in factors.as_flattened_mut().iter_mut().zip(styles) {
            *factor = style.at(time_secs);
        }
        Self { factors }
    }
}

/// `sky_box.wgsl`, `SkyFace`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SkyFaceUniform {
    pub ahead: [f32; 3],
    pub flags: u32,
    pub right: [f32; 3],
    pub padding_0: u32,
    pub down: [f32; 3],
    pub padding_1: u32,
    pub color: [f32; 3],
    pub padding_2: u32,
    pub uv_scale: [f32; 2],
    pub padding_3: [u32; 2],
}

/// `shared/ambient_cube.wgsl`, `AmbientCube`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CubeOfNode {
    pub sides: [[f32; 4]; 6],
    /// Those that are not there are black.
    pub direct: [GpuDirectLight; MAX_DIRECT_LIGHTS],
}

/// `shared/ambient_cube.wgsl`, `DirectLight`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuDirectLight {
    pub direction_to_light: [f32; 3],
    pub style: u32,
    pub color: [f32; 3],
    pub padding: u32,
}

impl CubeOfNode {
    /// The scene's ambient light from all sides, whatever it is at the moment.
    pub const OF_SCENE: Self = Self {
        sides: [[0.0, 0.0, 0.0, 1.0]; 6],
        direct: [GpuDirectLight::NONE; MAX_DIRECT_LIGHTS],
    };

    /// The same with light from single directions.
    pub fn with_direct(mut self, lights: &[DirectLight]) -> Self {
        for (to, light) in self.direct.iter_mut().zip(lights) {
            *to = GpuDirectLight {
                direction_to_light: light.direction_to_light,
                // The first is constant.
                style: light.style.unwrap_or(0).into(),
                color: light.color,
                padding: 0,
            };
        }
        self
    }
}

impl GpuDirectLight {
    const NONE: Self = Self {
        direction_to_light: [0.0; 3],
        style: 0,
        color: [0.0; 3],
        padding: 0,
    };
}

impl From<&AmbientCube> for CubeOfNode {
    fn from(AmbientCube(sides): &AmbientCube) -> Self {
        Self {
            sides: sides.map(|[r, g, b]| [r, g, b, 0.0]),
            ..Self::OF_SCENE
        }
    }
}

/// `model.wgsl`, `NodeMatrix`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct NodeMatrix {
    pub row_x: [f32; 4],
    pub row_y: [f32; 4],
    pub row_z: [f32; 4],
}

impl NodeMatrix {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self {
        row_x: [1.0, 0.0, 0.0, 0.0],
        row_y: [0.0, 1.0, 0.0, 0.0],
        row_z: [0.0, 0.0, 1.0, 0.0],
    };

    /// Where it puts a place.
    pub fn place(&self, place: Vec3) -> Vec3 {
        let rows = [self.row_x, self.row_y, self.row_z].map(Vec4::from);
        Vec3::from_array(rows.map(|row| row.dot(place.extend(1.0))))
    }
}

impl From<&Affine> for NodeMatrix {
    fn from(world_from_node: &Affine) -> Self {
        let [row_x, row_y, row_z] = world_from_node.0;
        Self {
            row_x,
            row_y,
            row_z,
        }
    }
}

/// `morphed_model.wgsl`, `MorphedNode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MorphedNode {
    pub node: u32,
    pub first_morph: u32,
    pub n_morphs: u32,
    pub first_joint: u32,
    pub first_skin: u32,
}

impl MorphedNode {
    /// In place of the first joint of what has none.
    pub const NO_JOINTS: u32 = u32::MAX;
}

/// `morphed_model.wgsl`, an item of `skin_vertices`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuSkinVertex {
    pub joints: [u16; 4],
    /// Parts of 65535.
    pub weights: [u16; 4],
}

impl From<&SkinVertex> for GpuSkinVertex {
    fn from(SkinVertex { joints, weights }: &SkinVertex) -> Self {
        Self {
            joints: *joints,
            weights: weights.map(|weight| (weight * 65_535.0).round() as u16),
        }
    }
}

/// `morphed_model.wgsl`, `ActiveMorph`.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ActiveMorph {
    pub first_vertex: u32,
    pub n_vertices: u32,
    pub first_offset: u32,
    pub weight: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in `shared/waves.wgsl`.
    const WAVE_SPEEDS: [f64; 7] = [0.7, 0.9, 1.2, 1.5, 1.9, 2.6, 3.3];

    #[test]
    fn waves_are_as_the_whole_time_has_them_even_after_days() {
        let shader = include_str!("../../shaders/shared/waves.wgsl");
        let speeds = WAVE_SPEEDS.map(|speed| speed.to_string()).join(", ");
        assert!(shader.contains(&format!("WAVE_SPEEDS = array({speeds});")));
        for time_secs in [0.0, 1.5, 62.8, 63.0, 3600.25, 86_400.5, 1e6, -3.25] {
            let wrapped = wave_secs(time_secs);
            assert!((0.0..=WAVE_PERIOD_SECS as f32).contains(&wrapped));
            for speed in WAVE_SPEEDS {
                let whole = (speed * f64::from(time_secs)).cos();
                let found = (speed * f64::from(wrapped)).cos();
                assert!((whole - found).abs() < 1e-4, "{speed} after {time_secs} s");
            }
        }
        assert_eq!(wave_secs(1.5), 1.5, "as it is within the first period");
    }
}
