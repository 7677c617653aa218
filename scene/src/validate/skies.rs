//! Days, skies and clouds.

use std::f32::consts::FRAC_PI_2;

use super::{SceneError, ensure, is_amount};
use crate::{
    CloudLayer, DayCycle, FlareSpot, HOURS_PER_DAY, HourColors, HourWindow, LensFlare,
    MAX_CLOUD_LAYERS, MAX_FLARE_SPOTS, PaintedColors, PaintedSky, Scene, SkyBody, SkyDome,
    SkyPicture, SpriteFrame,
};

pub(super) fn check_day(day: &DayCycle, scene: &Scene) -> Result<(), SceneError> {
    for (index, HourColors { sky, ambient, sun }) in day.hours.iter().enumerate() {
        let mut amounts = [sky, ambient, sun].into_iter().flatten().copied();
        let is_light = amounts.all(is_amount);
        ensure(
            is_light,
            "day.hours",
            index,
            "colors are finite, at least 0",
        )?;
    }
    let rule = "the start is an hour from 0 to below 24";
    ensure(is_hour(day.start_hour), "day", 0, rule)?;
    let lasts = day
        .day_secs
        .is_none_or(|secs| secs.is_finite() && secs > 0.0);
    ensure(lasts, "day", 0, "a day takes a finite time above 0")?;
    if let Some(painted) = &day.painted {
        check_painted(painted, scene)?;
    }
    let Some(SkyDome { keys, sun_path, .. }) = &day.dome else {
        return Ok(());
    };
    let rise = keys.is_sorted_by(|a, b| a.hour < b.hour);
    let are_hours = !keys.is_empty() && keys.iter().all(|key| is_hour(key.hour)) && rise;
    ensure(
        are_hours,
        "day.dome.keys",
        0,
        "at least one, by rising hour",
    )?;
    let [rise, set] = [sun_path.rise_hour, sun_path.set_hour];
    let is_path = is_hour(rise) && is_hour(set) && rise != set && sun_path.noon[2] > 0.0;
    ensure(is_path, "day.dome.sun_path", 0, "the sun rises and sets")
}

fn is_hour(hour: f32) -> bool {
    (0.0..HOURS_PER_DAY).contains(&hour)
}

fn check_painted(sky: &PaintedSky, scene: &Scene) -> Result<(), SceneError> {
    let PaintedSky {
        keys,
        span_rad,
        backdrop,
        clouds,
        bodies,
        flare,
    } = sky;
    let rise = keys.is_sorted_by(|a, b| a.hour < b.hour);
    let are_hours = !keys.is_empty() && keys.iter().all(|key| is_hour(key.hour)) && rise;
    let rule = "at least one, by rising hour";
    ensure(are_hours, "day.painted.keys", 0, rule)?;
    for (index, key) in keys.iter().enumerate() {
        let rule = "finite amounts, and fog begins before it is whole";
        ensure(are_colors(&key.colors), "day.painted.keys", index, rule)?;
    }
    let is_span = *span_rad > 0.0 && *span_rad < FRAC_PI_2;
    let rule = "the dome spans less than a quarter turn";
    ensure(is_span, "day.painted", 0, rule)?;
    for picture in backdrop.iter().chain(clouds) {
        let exists = (picture.texture.0 as usize) < scene.textures.len();
        let rule = "pictures that exist and repeat, and fog that begins before it is whole";
        ensure(exists && is_picture(picture), "day.painted", 0, rule)?;
    }
    for (index, body) in bodies.iter().enumerate() {
        let rule = "hours of a day, unit vectors, finite angles";
        ensure(is_body(body), "day.painted.bodies", index, rule)?;
    }
    if let Some(flare) = flare {
        let rule = "at most 16 spots of finite numbers, reach and heights that rise";
        ensure(is_flare(flare), "day.painted.flare", 0, rule)?;
    }
    for (index, frame) in sky.frames().enumerate() {
        let rule = "a picture names a missing texture";
        let exists = is_frame(frame, scene);
        ensure(exists, "day.painted.frames", index, rule)?;
    }
    Ok(())
}

fn are_colors(colors: &PaintedColors) -> bool {
    let [start, end] = colors.fog_range;
    colors.numbers().all(is_amount) && start < end && colors.flare <= 1.0
}

fn is_picture(picture: &SkyPicture) -> bool {
    let SkyPicture {
        texture: _,
        repeats,
        sinks,
        fog_range,
    } = *picture;
    let is_range = fog_range.is_none_or(|[start, end]| is_amount(start) && start < end);
    repeats.is_finite() && repeats > 0.0 && is_amount(sinks) && is_range
}

fn is_body(body: &SkyBody) -> bool {
    let HourWindow { from, to } = body.hours;
    let are_hours = [from, to]
        .iter()
        .all(|it| (0.0..=HOURS_PER_DAY).contains(it));
    let is_unit = |vector: &[f32; 3]| {
        let length: f32 = vector.iter().map(|it| it * it).sum();
        (length - 1.0).abs() < 1e-3
    };
    let are_angles = body.angles_rad.iter().all(|it| it.is_finite());
    are_hours && are_angles && body.arc.iter().all(is_unit)
}

fn is_flare(flare: &LensFlare) -> bool {
    let LensFlare {
        spots,
        reach_rad,
        heights: [low, high],
        least,
    } = flare;
    let is_spot = |spot: &FlareSpot| {
        let are_amounts = spot.color.iter().copied().all(is_amount);
        spot.place.is_finite() && is_amount(spot.half_size) && are_amounts
    };
    let is_gate = *reach_rad > 0.0 && reach_rad.is_finite() && low < high && is_amount(*least);
    spots.len() <= MAX_FLARE_SPOTS && spots.iter().all(is_spot) && is_gate
}

fn is_frame(frame: &SpriteFrame, scene: &Scene) -> bool {
    let corners = frame.min.iter().chain(&frame.max);
    let texture = frame.texture.map(|it| scene.textures.get(it.0 as usize));
    let has_layer = texture.is_none_or(|it| it.is_some_and(|it| frame.layer < it.n_layers));
    has_layer && corners.copied().all(|it| (0.0..=1.0).contains(&it))
}

pub(super) fn check_clouds(clouds: &[CloudLayer]) -> Result<(), SceneError> {
    let fit = clouds.len() <= MAX_CLOUD_LAYERS;
    ensure(fit, "clouds", clouds.len(), "at most two layers")?;
    for (index, layer) in clouds.iter().enumerate() {
        let shares = [layer.cover, layer.opacity];
        let are_shares = shares.iter().all(|it| (0.0..=1.0).contains(it));
        let is_size = layer.size.is_finite() && layer.size > 0.0;
        let moves = layer.drift_per_sec.iter().all(|it| it.is_finite());
        let rule = "shares from 0 to 1, a size above 0, a finite drift";
        ensure(are_shares && is_size && moves, "clouds", index, rule)?;
    }
    Ok(())
}
