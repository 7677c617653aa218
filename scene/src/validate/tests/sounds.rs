//! Sounds that make no sense.

use super::assert_refused;
use crate::{
    Affine, Anchor, ClipIdx, EmitterWindow, HourWindow, Scene, Sound, SoundClip, SoundPlay,
    SoundReach, SoundSource, SoundStart,
};

pub(super) fn clips() -> Vec<SoundClip> {
    vec![SoundClip {
        name: "hum".to_owned(),
        file: [][..].into(),
    }]
}

/// One of each source and play.
pub(super) fn sounds() -> Vec<Sound> {
    let around = |anchor| SoundSource::Around {
        anchor,
        reach: SoundReach {
            near: 10.0,
            far: f32::INFINITY,
        },
    };
    let on_a_node = Anchor::Node {
        instance: 0,
        node: 0,
        node_from_emitter: Affine::IDENTITY,
    };
    let window = EmitterWindow {
        start_secs: 1.0,
        duration_secs: 2.0,
        period_secs: Some(4.0),
    };
    let start = SoundStart {
        at_secs: 0.5,
        period_secs: Some(2.0),
    };
    let sound = |source, play| Sound {
        name: "hum".to_owned(),
        clip: ClipIdx(0),
        source,
        play,
        gain: 1.0,
        rate: 1.0,
        hours: Some(HourWindow {
            from: 6.0,
            to: 18.0,
        }),
    };
    vec![
        sound(around(on_a_node), SoundPlay::Loop(vec![window])),
        sound(SoundSource::Everywhere, SoundPlay::Once(vec![start])),
    ]
}

fn reach(scene: &mut Scene) -> &mut SoundReach {
    match &mut scene.sounds[0].source {
        SoundSource::Around { reach, .. } => reach,
        SoundSource::Everywhere => unreachable!("the first is somewhere"),
    }
}

#[test]
fn sounds_that_make_no_sense_are_refused() {
    assert_refused(&[
        ("a speed", "speed_of_sound", 0, |it| {
            it.speed_of_sound = f32::NAN
        }),
        ("a missing clip", "sounds", 1, |it| {
            it.sounds[1].clip = ClipIdx(1)
        }),
        ("a missing node", "sounds", 0, |it| {
            it.sounds[0].source = SoundSource::Around {
                anchor: Anchor::Node {
                    instance: 0,
                    node: 9,
                    node_from_emitter: Affine::IDENTITY,
                },
                reach: *reach(it),
            };
        }),
        ("near at nothing", "sounds", 0, |it| reach(it).near = 0.0),
        ("far before near", "sounds", 0, |it| reach(it).far = 9.0),
        ("far at no number", "sounds", 0, |it| {
            reach(it).far = f32::NAN
        }),
        ("a gain", "sounds", 1, |it| it.sounds[1].gain = 1.5),
        ("a rate", "sounds", 1, |it| it.sounds[1].rate = 0.0),
        ("a start", "sounds", 1, |it| {
            it.sounds[1].play = SoundPlay::Once(vec![SoundStart {
                at_secs: f32::NAN,
                period_secs: None,
            }]);
        }),
        ("no period", "sounds", 0, |it| {
            it.sounds[0].play = SoundPlay::Loop(vec![EmitterWindow {
                start_secs: 0.0,
                duration_secs: 1.0,
                period_secs: Some(0.0),
            }]);
        }),
        ("an hour", "sounds", 0, |it| {
            it.sounds[0].hours = Some(HourWindow {
                from: 0.0,
                to: 25.0,
            });
        }),
    ]);
}
