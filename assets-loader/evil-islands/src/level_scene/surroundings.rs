//! Light and the first view: what a zone's own files do not say (dossier section 12.4).

use ironlands_scene::{
    DayCycle, Fog, FogColor, FogFalloff, FogLayer, HourColors, SkyDome, Spawn, Sun,
};

use crate::land::Land;
use crate::lights_config::{LightsConfig, LightsSection, Region};
use crate::mob::view::WorldSettings;
use crate::zone::Zone;

/// Where the sun stands at all hours: the files do not say.
const TO_SUN: [f32; 3] = [0.4, 0.3, 0.85];
/// Light of every surface without tables of light, and what direct light adds at most: together the texture as it is.
const AMBIENT: f32 = 0.5;

/// The hour that is shown where the map names none.
const NOON: f32 = 12.0;

/// Where haze begins and where it hides all, meters: beyond what the game draws, so that a zone is seen whole.
const HAZE: [f32; 2] = [60.0, 1800.0];
/// How far above the highest ground haze begins to thin out, and over which height it does.
const HAZE_ABOVE: f32 = 20.0;
const HAZE_THINNING: f32 = 120.0;

/// How far around a surface things keep light from it, meters.
pub(super) const OCCLUSION_RADIUS: f32 = 0.9;

/// Height of the first view above the ground, meters.
const EYE_HEIGHT: f32 = 14.0;
/// Where it is, as a part of the zone's extent.
const EYE_INSET: f32 = 0.2;
const EYE_PITCH_DEGREES: f32 = -14.0;
/// Ground this near to the eye stays this far below it, meters.
const CLEARANCE_RADIUS: i32 = 24;
const CLEARANCE: f32 = 8.0;
/// Meters between the places where it is looked for.
const CLEARANCE_STEP: usize = 6;

/// White light from above, slanted.
pub(super) fn sun() -> Sun {
    Sun {
        direction_to_sun: glam::Vec3::from_array(TO_SUN).normalize().to_array(),
        color: [1.0 - AMBIENT; 3],
        ambient: [AMBIENT; 3],
        counter: [0.0; 3],
    }
}

/// A day for each region whose light is known, that of the zone first.
pub(super) fn days(zone: &Zone) -> Vec<DayCycle> {
    let lights = zone.lights.iter();
    lights
        .map(|(region, config)| day(zone, *region, config))
        .collect()
}

/// The day of a region. What the map says of ambient light and of the sun multiplies its colors, as it seems; numbers
/// that would leave no light or are none are let be.
fn day(zone: &Zone, region: Region, config: &LightsConfig) -> DayCycle {
    let settings = zone.world_settings();
    let factor = |of: fn(&WorldSettings) -> f32| {
        let factor = settings.as_ref().map(of);
        factor
            .filter(|it| it.is_finite() && *it > 0.0)
            .unwrap_or(1.0)
    };
    let [ambient, sun] = [factor(|it| it.ambient), factor(|it| it.sun_light)];
    let own = self::sun();
    let hours = std::array::from_fn(|hour| {
        let color = |section| config.color_at(section, hour as f32);
        let lit = |section, factor: f32, default: [f32; 3]| {
            let color = color(section).unwrap_or(default);
            color.map(|channel| (channel * factor).min(1.0))
        };
        HourColors {
            sky: color(LightsSection::Sky).unwrap_or_default(),
            ambient: lit(LightsSection::Ambient, ambient, own.ambient),
            sun: lit(LightsSection::Sunlight, sun, own.color),
        }
    });
    let time = settings.map_or(NOON, |it| it.time);
    DayCycle {
        day_secs: None,
        dome: SkyDome::from_hours(&hours, own.direction_to_sun),
        painted: None,
        name: region.name().to_owned(),
        hours,
        start_hour: if (0.0..24.0).contains(&time) {
            time
        } else {
            NOON
        },
        fog_color: FogColor::OfSky,
    }
}

/// Air over land and sea, of which the files say nothing; it is shown on request only.
pub(super) fn haze(land: &Land<'_>) -> Fog {
    let full_below = land.mp().max_altitude + HAZE_ABOVE;
    Fog {
        color: [0.0; 3],
        start: HAZE[0],
        end: HAZE[1],
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: Some(FogLayer {
            full_below,
            none_above: full_below + HAZE_THINNING,
        }),
    }
}

/// A view across the middle of the zone from near its first corner; `None` without ground.
pub(super) fn overview(land: &Land<'_>) -> Option<Spawn> {
    // Sectors may be missing: only those that there are count.
    let places = || land.sectors().map(|sector| sector.place);
    let range = |axis: usize| {
        let along = || places().map(move |place| place[axis]);
        Some([along().min()?, along().max()? + 1].map(|it| it as f32 * 32.0))
    };
    let [[x_min, x_max], [y_min, y_max]] = [range(0)?, range(1)?];
    let [x, y] = [[x_min, x_max], [y_min, y_max]].map(|[min, max]| min + (max - min) * EYE_INSET);
    let around = || (-CLEARANCE_RADIUS..=CLEARANCE_RADIUS).step_by(CLEARANCE_STEP);
    let offsets = around().flat_map(|dy| around().map(move |dx| [dx as f32, dy as f32]));
    let heights = offsets.filter_map(|[dx, dy]| land.height_at([x + dx, y + dy]));
    let highest_nearby = heights.fold(f32::NEG_INFINITY, f32::max);
    let below = land.height_at([x, y]).unwrap_or(highest_nearby);
    let height = (below + EYE_HEIGHT).max(highest_nearby + CLEARANCE);
    let middle = [f32::midpoint(x_min, x_max), f32::midpoint(y_min, y_max)];
    Some(Spawn {
        name: "overview".to_owned(),
        position: [
            x,
            y,
            if height.is_finite() {
                height
            } else {
                land.mp().max_altitude
            },
        ],
        yaw_rad: (middle[1] - y).atan2(middle[0] - x),
        pitch_rad: EYE_PITCH_DEGREES.to_radians(),
    })
}
