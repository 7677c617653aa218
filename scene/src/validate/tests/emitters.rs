//! Emitters that make no sense.

use super::assert_refused;
use crate::{
    Aabb, Affine, Anchor, Beam, Birthplace, Burst, Curve, Emission, Emitter, EmitterWindow,
    FramePlay, Motion, ParticleForm, Scene, SpriteFrame, TextureIdx, Throw, ViewRange,
};

/// One of each anchor, emission and motion.
pub(super) fn sound() -> Vec<Emitter> {
    let around_the_eye = Emitter {
        anchor: Anchor::Eye {
            half_extent: [1.0, 2.0, 3.0],
            within: Some(Aabb {
                min: [0.0; 3],
                max: [9.0; 3],
            }),
        },
        emission: Emission::Steady { count: 100 },
        form: ParticleForm::Streak { secs: 0.1 },
        ..Emitter::default()
    };
    let on_a_node = Emitter {
        anchor: Anchor::Node {
            instance: 0,
            node: 0,
            node_from_emitter: Affine::IDENTITY,
        },
        emission: Emission::Bursts(vec![Burst {
            at_secs: 0.0,
            count: 5,
        }]),
        window: Some(EmitterWindow {
            start_secs: -1.0,
            duration_secs: 2.0,
            period_secs: Some(2.0),
        }),
        motion: Motion::Eased {
            travel: [1.0; 3],
            jitter: [1.0; 3],
            ease: 0.5,
        },
        form: ParticleForm::Dome {
            segments: 8,
            rings: 3,
        },
        cells: vec![1],
        ..Emitter::default()
    };
    let in_the_world = Emitter {
        motion: Motion::Thrown(Throw {
            direction: [0.6, 0.0, 0.8],
            ..Throw::default()
        }),
        frames: vec![SpriteFrame {
            layer: 7,
            ..SpriteFrame::whole(TextureIdx(1))
        }],
        form: ParticleForm::Beam(Beam {
            to: [1.0; 3],
            end_width: 0.5,
            segments: 4,
            noise: 1.0,
            jumps_per_sec: 10.0,
        }),
        ..Emitter::default()
    };
    vec![around_the_eye, on_a_node, in_the_world]
}

fn throw(scene: &mut Scene) -> &mut Throw {
    let Motion::Thrown(throw) = &mut scene.emitters[2].motion else {
        panic!("the last emitter throws");
    };
    throw
}

fn beam(scene: &mut Scene) -> &mut Beam {
    let ParticleForm::Beam(beam) = &mut scene.emitters[2].form else {
        panic!("the last emitter has beams");
    };
    beam
}

fn node(instance: u32, node: u32) -> Anchor {
    Anchor::Node {
        instance,
        node,
        node_from_emitter: Affine::IDENTITY,
    }
}

#[test]
fn emitters_have_times_and_hang_on_what_is_there() {
    assert_refused(&[
        ("a life of nothing", "emitters", 0, |it| {
            it.emitters[0].life_secs = [0.0, 1.0]
        }),
        ("lives upside down", "emitters", 0, |it| {
            it.emitters[0].life_secs = [2.0, 1.0]
        }),
        ("an endless life", "emitters", 2, |it| {
            it.emitters[2].life_secs[1] = f32::INFINITY
        }),
        ("a window that overlaps itself", "emitters", 1, |it| {
            let window = it.emitters[1].window.as_mut().expect("it has one");
            window.duration_secs = 2.5;
        }),
        ("no rate", "emitters", 2, |it| {
            it.emitters[2].emission = Emission::Stream { per_sec: 0.0 };
        }),
        ("a burst of nothing", "emitters", 1, |it| {
            it.emitters[1].emission = Emission::Bursts(vec![Burst::default()]);
        }),
        ("nothing around the eye", "emitters", 0, |it| {
            it.emitters[0].emission = Emission::Steady { count: 0 };
        }),
        ("a stream around the eye", "emitters", 0, |it| {
            it.emitters[0].emission = Emission::Stream { per_sec: 1.0 };
        }),
        ("no box around the eye", "emitters", 0, |it| {
            it.emitters[0].anchor = Anchor::Eye {
                half_extent: [1.0, 0.0, 1.0],
                within: None,
            };
        }),
        ("a missing instance", "emitters", 1, |it| {
            it.emitters[1].anchor = node(1, 0);
        }),
        ("a missing node", "emitters", 1, |it| {
            it.emitters[1].anchor = node(0, 1);
        }),
        ("nowhere", "emitters", 2, |it| {
            it.emitters[2].anchor = Anchor::Place(Affine([[f32::NAN; 4]; 3]));
        }),
        ("a missing cell", "emitters", 1, |it| {
            it.emitters[1].cells[0] = 2
        }),
        ("more than fit into memory", "emitters", 2, |it| {
            it.emitters[2].emission = Emission::Stream { per_sec: 262_200.0 };
        }),
    ]);
}

#[test]
fn particles_move_and_look_by_numbers() {
    assert_refused(&[
        ("a birthplace", "emitters", 2, |it| {
            it.emitters[2].birthplace = Birthplace::Ball {
                radius: -1.0,
                is_hollow: false,
            };
        }),
        ("a long direction", "emitters", 2, |it| {
            throw(it).direction = [1.0; 3]
        }),
        ("a spread", "emitters", 2, |it| throw(it).spread_rad = 4.0),
        ("a speed", "emitters", 2, |it| throw(it).speed[1] = f32::NAN),
        ("a drag", "emitters", 2, |it| throw(it).drag_per_sec = -1.0),
        ("an ease", "emitters", 1, |it| {
            it.emitters[1].motion = Motion::Eased {
                travel: [0.0; 3],
                jitter: [0.0; 3],
                ease: -1.0,
            };
        }),
        ("an empty curve", "emitters", 0, |it| {
            it.emitters[0].size.keys.clear();
        }),
        ("ages that fall", "emitters", 0, |it| {
            it.emitters[0].size = Curve::through(&[(0.5, [1.0; 2]), (0.25, [1.0; 2])]);
        }),
        ("an age after the end", "emitters", 0, |it| {
            it.emitters[0].size = Curve::through(&[(1.5, [1.0; 2])]);
        }),
        ("no color", "emitters", 0, |it| {
            it.emitters[0].color.keys[0].value[3] = f32::NAN;
        }),
        ("a softness", "emitters", 0, |it| {
            it.emitters[0].softness = -1.0
        }),
        ("a range", "emitters", 0, |it| {
            it.emitters[0].range = ViewRange {
                near: [0.0, 5.0],
                far: [4.0, 9.0],
            };
        }),
        ("a speed of frames", "emitters", 0, |it| {
            it.emitters[0].play = FramePlay::PerSecond { rate: -1.0 };
        }),
        ("no frame", "emitters", 0, |it| {
            it.emitters[0].frames.clear()
        }),
        ("a missing texture", "emitters", 2, |it| {
            it.emitters[2].frames[0].texture = Some(TextureIdx(2));
        }),
        ("a missing layer", "emitters", 2, |it| {
            it.emitters[2].frames[0].layer = 8;
        }),
        ("a frame beyond its texture", "emitters", 2, |it| {
            it.emitters[2].frames[0].max = [1.5, 1.0];
        }),
        ("a flat dome", "emitters", 1, |it| {
            it.emitters[1].form = ParticleForm::Dome {
                segments: 2,
                rings: 1,
            };
        }),
        ("a beam in too many pieces", "emitters", 2, |it| {
            beam(it).segments = 65
        }),
        ("a beam to nowhere", "emitters", 2, |it| {
            beam(it).to[0] = f32::INFINITY;
        }),
    ]);
}
