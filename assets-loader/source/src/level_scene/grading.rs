//! How the picture is exposed and what its colors become: `env_tonemap_controller`, `color_correction` and
//! `color_correction_volume`.
//!
//! No dossier has them. Inputs and keys are those of Valve's developer wiki ("env_tonemap_controller",
//! "color_correction"); their defaults are the engine's, from memory.

use ironlands_scene::{AutoExposure, ColorCorrection, ColorTable, CorrectionPlace};

use super::FORMAT;
use crate::bsp::{FaceSet, is_place};
use crate::color_lookup::ColorLookup;
use crate::entities::Entity;
use crate::level::SourceLevel;
use ironlands_assets_core::bytes::{Finding, Severity};

/// `mat_autoexposure_min` and `_max`, `mat_tonemap_percent_bright_pixels`, `_percent_target` and `_min_avglum`,
/// `mat_hdr_manual_tonemap_rate` and `mat_accelerate_adjust_exposure_down`, `mat_bloomscale`.
const DEFAULT_EXPOSURE: AutoExposure = AutoExposure {
    min: 0.5,
    max: 2.0,
    bright_share: 0.02,
    bright_target: 0.6,
    min_mean: 0.03,
    rate: 1.0,
    fall_factor: 3.0,
    bloom: 1.0,
};
/// Outputs of `logic_auto` that fire when a level begins.
const BEGINNINGS: [&str; 4] = [
    "OnMapSpawn",
    "OnNewGame",
    "OnMultiNewMap",
    "OnMultiNewRound",
];
/// What sets exposure.
pub const CONTROLLER: &str = "env_tonemap_controller";
/// Its inputs.
pub const CONTROLS: [&str; 9] = [
    "SetAutoExposureMin",
    "SetAutoExposureMax",
    "UseDefaultAutoExposure",
    "SetBloomScale",
    "UseDefaultBloomScale",
    "SetTonemapRate",
    "SetTonemapPercentBrightPixels",
    "SetTonemapPercentTarget",
    "SetTonemapMinAvgLum",
];
/// Beginning of the classes of what changes colors.
pub const CORRECTION: &str = "color_correction";
/// Most tables of a map; real ones have a few.
const MAX_TABLES: usize = 64;

/// What exposure is led to, for light of high range: as the map's `logic_auto` has set it when all its delays are over;
/// `None` for light of low range.
pub fn auto_exposure(level: &SourceLevel) -> Option<AutoExposure> {
    if level.face_set != FaceSet::Hdr {
        return None;
    }
    let entities = &level.entities.entities;
    let names = entities.iter().filter(|it| &*it.class() == CONTROLLER);
    let names: Vec<_> = names.filter_map(Entity::name).collect();
    let is_controller = |target: &str| {
        let is_named = |name: &str| name.eq_ignore_ascii_case(target);
        is_named(CONTROLLER) || names.iter().any(|name| is_named(name))
    };
    let autos = entities.iter().filter(|it| &*it.class() == "logic_auto");
    let mut sent: Vec<(f32, String, String)> = Vec::new();
    for output in autos.flat_map(Entity::outputs) {
        let begins = BEGINNINGS
            .iter()
            .any(|it| output.event.eq_ignore_ascii_case(it));
        if begins && is_controller(&output.target) {
            let delay = output.delay.trim().parse().unwrap_or(0.0);
            sent.push((
                delay,
                output.input.into_owned(),
                output.parameter.into_owned(),
            ));
        }
    }
    sent.sort_by(|a, b| a.0.total_cmp(&b.0));
    let sent = sent
        .iter()
        .map(|(_, input, parameter)| (&**input, &**parameter));
    Some(exposure_after(DEFAULT_EXPOSURE, sent))
}

/// What exposure is led to once a controller was sent inputs, each with its parameter.
pub fn exposure_after<'a>(
    mut exposure: AutoExposure,
    sent: impl Iterator<Item = (&'a str, &'a str)>,
) -> AutoExposure {
    for (input, parameter) in sent {
        send(&mut exposure, input, parameter);
    }
    exposure.max = exposure.max.max(exposure.min);
    exposure
}

/// An input of a controller; others, and what is no number, change nothing.
fn send(exposure: &mut AutoExposure, input: &str, parameter: &str) {
    let number: Option<f32> = parameter.trim().parse().ok();
    let number = number.filter(|it| it.is_finite() && *it >= 0.0);
    let factor = number.map(|it| it.clamp(0.01, 1000.0));
    let share = number.map(|percent| percent / 100.0);
    let set = |field: &mut f32, value: Option<f32>| *field = value.unwrap_or(*field);
    match &*input.to_ascii_lowercase() {
        "setautoexposuremin" => set(&mut exposure.min, factor),
        "setautoexposuremax" => set(&mut exposure.max, factor),
        "usedefaultautoexposure" => {
            (exposure.min, exposure.max) = (DEFAULT_EXPOSURE.min, DEFAULT_EXPOSURE.max);
        }
        "setbloomscale" => set(&mut exposure.bloom, number.map(|it| it.min(100.0))),
        "usedefaultbloomscale" => exposure.bloom = DEFAULT_EXPOSURE.bloom,
        "settonemaprate" => set(&mut exposure.rate, number.map(|it| it.min(1000.0))),
        "settonemappercentbrightpixels" => {
            set(&mut exposure.bright_share, share.map(|it| it.min(1.0)));
        }
        "settonemappercenttarget" => {
            set(
                &mut exposure.bright_target,
                share.map(|it| it.clamp(0.001, 1.0)),
            );
        }
        "settonemapminavglum" => set(&mut exposure.min_mean, share.map(|it| it.min(1.0))),
        _ => {}
    }
}

/// Tables, where they change colors, and whose that is: of all entities; those that are off when the level begins have no
/// weight.
pub fn color_corrections(
    level: &SourceLevel,
    findings: &mut Vec<Finding>,
) -> (Vec<ColorTable>, Vec<ColorCorrection>, Vec<usize>) {
    let mut tables: Vec<ColorTable> = Vec::new();
    let mut corrections = Vec::new();
    let mut owners = Vec::new();
    for (index, entity) in level.entities.entities.iter().enumerate() {
        let Some(place) = place_of(level, entity) else {
            continue;
        };
        let is_off = entity.number("StartDisabled").is_some_and(|it| it != 0.0);
        let file = entity.get("filename").unwrap_or_default();
        let known = tables.iter().position(|table| *table.name == *file);
        let table = match known {
            Some(known) => known,
            None if tables.len() >= MAX_TABLES => continue,
            None => {
                let Some(table) = table(level, &file, findings) else {
                    continue;
                };
                tables.push(table);
                tables.len().saturating_sub(1)
            }
        };
        corrections.push(ColorCorrection {
            // Below `MAX_TABLES`.
            table: table as u32,
            weight: match is_off {
                true => 0.0,
                false => full_weight(entity),
            },
            place,
            is_exclusive: entity.number("exclusive") == Some(1.0),
        });
        owners.push(index);
    }
    (tables, corrections, owners)
}

/// How much of a table there is where there is most, while its entity is on.
pub fn full_weight(entity: &Entity) -> f32 {
    entity.number("maxweight").unwrap_or(1.0).clamp(0.0, 1.0)
}

/// Where an entity changes colors; `None` for one that does not.
fn place_of(level: &SourceLevel, entity: &Entity) -> Option<CorrectionPlace> {
    match &*entity.class().to_ascii_lowercase() {
        "color_correction" => {
            let center = entity.origin().filter(|it| is_place(*it))?;
            let number = |key: &str, default| entity.number(key).unwrap_or(default);
            let [from, to] = [number("minfalloff", 0.0), number("maxfalloff", 200.0)];
            // -1 is no falloff.
            Some(match from < 0.0 || to < 0.0 {
                true => CorrectionPlace::Everywhere,
                false => CorrectionPlace::Ball {
                    center,
                    full_within: from.min(to),
                    none_beyond: from.max(to),
                },
            })
        }
        "color_correction_volume" => {
            super::emitters::box_of(level, entity).map(CorrectionPlace::Box)
        }
        _ => None,
    }
}

fn table(level: &SourceLevel, file: &str, findings: &mut Vec<Finding>) -> Option<ColorTable> {
    let mut report = |reason: String| {
        let message = format!("{file}: {reason}; it corrects no color");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    };
    let data = match level.game_files.open(file) {
        Ok(Some(data)) => data,
        Ok(None) => {
            report("the table is missing".to_owned());
            return None;
        }
        Err(error) => {
            report(error.to_string());
            return None;
        }
    };
    match ColorLookup::read(&data) {
        Ok(lookup) => Some(ColorTable {
            name: file.to_owned(),
            side: ColorLookup::SIDE as u32,
            entries: lookup.colors,
        }),
        Err(error) => {
            report(error.to_string());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_set_what_they_are_named_after() {
        let mut exposure = DEFAULT_EXPOSURE;
        for (input, parameter) in [
            ("SetAutoExposureMin", ".8"),
            ("SetAutoExposureMax", "6"),
            ("SetBloomScale", " 3 "),
            ("SetTonemapRate", "0.25"),
            ("SetTonemapPercentBrightPixels", "5"),
            ("SetTonemapPercentTarget", "45"),
            ("SetTonemapMinAvgLum", "7"),
            ("SetAutoExposureMax", "many"),
            ("Kill", "1"),
        ] {
            send(&mut exposure, input, parameter);
        }
        let expected = AutoExposure {
            min: 0.8,
            max: 6.0,
            bright_share: 0.05,
            bright_target: 0.45,
            min_mean: 0.07,
            rate: 0.25,
            fall_factor: 3.0,
            bloom: 3.0,
        };
        assert_eq!(exposure, expected);
        send(&mut exposure, "UseDefaultAutoExposure", "");
        send(&mut exposure, "UseDefaultBloomScale", "");
        assert_eq!(
            (exposure.min, exposure.max, exposure.bloom),
            (0.5, 2.0, 1.0)
        );
    }
}
