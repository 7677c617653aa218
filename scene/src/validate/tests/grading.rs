//! Foliage, exposure and color correction that make no sense.

use super::assert_refused;
use crate::{
    Aabb, AutoExposure, ColorCorrection, ColorTable, CorrectionPlace, Foliage, FoliagePatch,
    FoliageSprite, SpriteFacing, SpriteFrame, StyledLight, TextureIdx, ViewRange,
};

pub(super) fn foliage() -> Foliage {
    Foliage {
        frames: vec![SpriteFrame::whole(TextureIdx(0))],
        sprites: vec![FoliageSprite {
            position: [1.0; 3],
            min: [-1.0, 0.0],
            max: [1.0, 2.0],
            facing: SpriteFacing::Upright,
            frame: 0,
            light: [0.5; 3],
            styled_lights: 0..1,
            sway: 0.1,
        }],
        patches: vec![FoliagePatch {
            bounds: Aabb {
                min: [0.0; 3],
                max: [4.0; 3],
            },
            sprites: 0..1,
            cells: vec![0],
        }],
        styled_lights: vec![StyledLight {
            color: [1.0; 3],
            style: 1,
        }],
        range: ViewRange {
            far: [10.0, 20.0],
            ..ViewRange::ALL
        },
        sways_per_sec: 0.5,
    }
}

pub(super) const EXPOSURE: AutoExposure = AutoExposure {
    min: 0.5,
    max: 2.0,
    bright_share: 0.02,
    bright_target: 0.6,
    min_mean: 0.03,
    rate: 1.0,
    fall_factor: 3.0,
    bloom: 1.0,
};

pub(super) fn tables() -> Vec<ColorTable> {
    vec![ColorTable::identity(4)]
}

pub(super) fn corrections() -> Vec<ColorCorrection> {
    let correction = |place| ColorCorrection {
        table: 0,
        weight: 1.0,
        place,
        is_exclusive: false,
    };
    vec![
        correction(CorrectionPlace::Ball {
            center: [0.0; 3],
            full_within: 10.0,
            none_beyond: 20.0,
        }),
        correction(CorrectionPlace::Everywhere),
    ]
}

#[test]
fn foliage_names_what_is_there() {
    assert_refused(&[
        ("a missing texture", "foliage.frames", 0, |it| {
            it.foliage.as_mut().unwrap().frames[0].texture = Some(TextureIdx(99));
        }),
        ("a missing frame", "foliage.sprites", 0, |it| {
            it.foliage.as_mut().unwrap().sprites[0].frame = 1;
        }),
        ("missing lights", "foliage.sprites", 0, |it| {
            it.foliage.as_mut().unwrap().sprites[0].styled_lights = 0..2;
        }),
        ("nowhere", "foliage.sprites", 0, |it| {
            it.foliage.as_mut().unwrap().sprites[0].max[1] = f32::NAN;
        }),
        ("a missing style", "foliage.styled_lights", 0, |it| {
            it.foliage.as_mut().unwrap().styled_lights[0].style = 99;
        }),
        ("missing sprites", "foliage.patches", 0, |it| {
            it.foliage.as_mut().unwrap().patches[0].sprites = 0..2;
        }),
        ("a missing cell", "foliage.patches", 0, |it| {
            it.foliage.as_mut().unwrap().patches[0].cells = vec![99];
        }),
        ("a range that falls", "foliage", 0, |it| {
            it.foliage.as_mut().unwrap().range.far = [20.0, 10.0];
        }),
        ("a range of an instance that falls", "instances", 0, |it| {
            it.instances[0].range.far = [20.0, 10.0];
        }),
    ]);
}

#[test]
fn exposure_has_bounds_and_corrections_have_tables() {
    assert_refused(&[
        ("no exposure at all", "auto_exposure", 0, |it| {
            it.auto_exposure.as_mut().unwrap().min = 0.0;
        }),
        ("bounds that fall", "auto_exposure", 0, |it| {
            it.auto_exposure.as_mut().unwrap().max = 0.4;
        }),
        ("no target", "auto_exposure", 0, |it| {
            it.auto_exposure.as_mut().unwrap().bright_target = 0.0;
        }),
        ("a rate that is none", "auto_exposure", 0, |it| {
            it.auto_exposure.as_mut().unwrap().rate = f32::NAN;
        }),
        ("a color too few", "color_tables", 0, |it| {
            it.color_tables[0].entries.truncate(63);
        }),
        ("no cube", "color_tables", 0, |it| {
            it.color_tables[0].side = 1
        }),
        ("a missing table", "color_corrections", 1, |it| {
            it.color_corrections[1].table = 1;
        }),
        ("more than all", "color_corrections", 1, |it| {
            it.color_corrections[1].weight = 1.5;
        }),
        ("distances that fall", "color_corrections", 0, |it| {
            it.color_corrections[0].place = CorrectionPlace::Ball {
                center: [0.0; 3],
                full_within: 20.0,
                none_beyond: 10.0,
            };
        }),
    ]);
}
