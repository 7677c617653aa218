use ironlands_scene::{EmitterAt, EmitterState, Particle, ParticleBlend, ParticleForm, TextureIdx};

use super::*;
use crate::fxid::{
    Block, Bolt, Burst, Channel, Dome, Glow, Header, Light, Ramp, SpreadChannel, Sprite, Stream,
};
use crate::mat0::{Mat0, Track, TrackKey};
use crate::material_table::{TableMaterial, TableTexture, TextureKind};
use crate::registry::ObjectRef;
use crate::sample_level::material;
use crate::texm::{MipChain, PageRect, Texm, TexmFormat};

const LOOP: u32 = 2;
const ONCE: u32 = 1;
const WAITING: u32 = 0;

fn header(mode: u32) -> Header {
    Header {
        mode,
        duration_secs: 4.0,
        scale: [1.0; 3],
        ..Header::default()
    }
}

fn ramp(low: f32, high: f32) -> Ramp {
    Ramp {
        low,
        high,
        exponent: 1.0,
    }
}

fn even(low: [f32; 3], high: [f32; 3]) -> Channel {
    Channel {
        low,
        high,
        exponent: [1.0; 3],
    }
}

fn name() -> ObjectRef {
    ObjectRef::new("material.lib", "FX").unwrap()
}

/// From 1 to 3 large and from clear to opaque, through the middle half of the effect.
fn sprite() -> Sprite {
    Sprite {
        mode: 0,
        phase: ramp(0.0, 1.0),
        fade: ramp(0.0, 1.0),
        window: [0.25, 0.75],
        position: even([1.0, 0.0, 0.0], [1.0, 0.0, 8.0]),
        direction: Default::default(),
        size: even([1.0; 3], [3.0; 3]),
        material: name(),
    }
}

/// A texture of four cells in a square, and a material that shows them one after the other, red to blue.
fn table(attr1: u32) -> MaterialTable {
    let entry = material("FX", "FX.0");
    let mut mat0 = Mat0::read(&entry.data, entry.attr2).unwrap();
    let phase = mat0.phases[0];
    mat0.phases = (0..4u8)
        .map(|cell| crate::mat0::Phase {
            ambient: [255 - 85 * cell, 0, 85 * cell, 100],
            cell: cell as i8,
            ..phase
        })
        .collect();
    let keys = (0..4u16).map(|phase| TrackKey {
        phase,
        end_ms: 100 * (phase + 1),
        unknown_4: 0,
    });
    mat0.tracks = vec![Track {
        head: 0,
        keys: keys.collect(),
    }];
    let rect = |cell: i16| PageRect {
        x: cell % 2 * 4,
        w: 4,
        y: cell / 2 * 4,
        h: 4,
    };
    let pixels = vec![255; 8 * 8 * 4];
    let texm = Texm::from_rgba8(TexmFormat::Argb8888, 8, 8, &pixels, MipChain::Full);
    let texm = Texm {
        page: Some((0..4).map(rect).collect()),
        ..texm.unwrap()
    };
    MaterialTable {
        materials: vec![TableMaterial {
            name: "FX".to_owned(),
            attr1,
            mat0: Arc::new(mat0),
            textures: vec![Some(0); 4].into(),
        }],
        textures: vec![TableTexture {
            name: "FX.0".to_owned(),
            kind: TextureKind::Surface,
            texm: Some(texm),
        }],
    }
}

fn effect(header: Header, emits: Emits) -> LoadedEffect {
    LoadedEffect {
        name: "test".to_owned(),
        fxid: Arc::new(Fxid {
            header,
            blocks: vec![Block::new(emits)],
        }),
        materials: vec![Some(0)],
        clips: vec![None],
    }
}

fn placed(header: &Header) -> PlacedEffect {
    PlacedEffect {
        anchor: Anchor::Place(moved([10.0, 0.0, 0.0])),
        clock: EffectClock::in_level(header, None, 0.0),
        seed: 7,
        bolts_to: None,
    }
}

fn made(header: Header, emits: Emits) -> Vec<EffectEmitter> {
    let (made, findings) = effect(header, emits).emitters(&placed(&header), &table(0));
    assert_eq!(findings, []);
    made
}

fn particles(made: &[EffectEmitter], secs: f64, eye: [f32; 3]) -> Vec<Particle> {
    let mut particles = Vec::new();
    for EffectEmitter { emitter, drive } in made {
        let (is_on, clock_secs) = drive.at(secs);
        let Anchor::Place(world_from_emitter) = emitter.anchor else {
            panic!("it has a place");
        };
        let at = EmitterAt {
            clock_secs: clock_secs.into(),
            world_from_emitter,
            velocity: [0.0; 3],
            eye,
            born_secs: EmitterState::EVER,
        };
        if is_on {
            emitter.for_each_particle(&at, |it| particles.push(*it));
        }
    }
    particles
}

const FAR: [f32; 3] = [1000.0, 0.0, 0.0];

#[test]
fn a_sprite_goes_its_way_through_its_window() {
    let made = made(header(LOOP), Emits::Sprite(sprite()));
    for secs in [0.5, 3.5, 4.5] {
        assert_eq!(particles(&made, secs, FAR), [], "{secs}");
    }
    // Three fifths of the way, in the first turn and in the fourth.
    for secs in [2.2, 14.2] {
        let [it] = particles(&made, secs, FAR)[..] else {
            panic!("one particle at {secs}");
        };
        let near = |a: f32, b: f32| (a - b).abs() < 2e-3;
        assert!(near(it.size[0], 2.2) && near(it.color[3], 0.6), "{it:?}");
        let [x, _, z] = it.position;
        assert!(near(x, 11.0) && near(z, 4.8), "{it:?}");
        // The third of four pictures, of 32 steps.
        assert_eq!(made[0].emitter.frames[it.frame as usize].min, [0.0, 0.5]);
        assert!(
            near(it.color[0], 85.0 / 255.0) && near(it.color[2], 170.0 / 255.0),
            "{it:?}"
        );
    }
}

#[test]
fn what_goes_on_once_stays_as_it_ends_and_what_waits_as_it_begins() {
    let whole = Sprite {
        window: [0.0, 1.0],
        ..sprite()
    };
    let sizes = |mode, secs| -> Vec<f32> {
        let made = made(header(mode), Emits::Sprite(whole));
        let particles = particles(&made, secs, FAR);
        particles
            .iter()
            .map(|it| (it.size[0] * 100.0).round() / 100.0)
            .collect()
    };
    assert_eq!(sizes(ONCE, 100.0), [3.0]);
    assert_eq!(sizes(WAITING, 100.0), [1.0]);
    assert_eq!(made(header(WAITING), Emits::Sprite(sprite())).len(), 1);
    let made = made(header(WAITING), Emits::Sprite(sprite()));
    assert_eq!(particles(&made, 9.0, FAR), [], "its window is not open");
}

#[test]
fn a_glow_is_small_from_nearby() {
    let glow = Glow {
        sprite: Sprite {
            window: [0.0, 1.0],
            ..sprite()
        },
        full_distance: 100.0,
    };
    let made = made(header(ONCE), Emits::Glow(glow));
    let size = |away: f32| {
        let [it] = particles(&made, 50.0, [11.0, away, 8.0])[..] else {
            panic!("one particle");
        };
        it.size[0]
    };
    assert!((size(200.0) - 3.0).abs() < 2e-3, "{}", size(200.0));
    assert!((size(25.0) - 1.5).abs() < 2e-3, "{}", size(25.0));
}

fn stream(n_particles: u32) -> Stream {
    Stream {
        fade: ramp(1.0, 0.0),
        window: [0.0, 1.0],
        interval_secs: [0.2, 0.3],
        phase_exponent: -1.0,
        n_particles,
        unknown_28: SpreadChannel::default(),
        position: SpreadChannel {
            high: [0.0, 0.0, 4.0],
            jitter: [2.0, 0.0, 0.0],
            exponent: [1.0; 3],
            ..SpreadChannel::default()
        },
        size: SpreadChannel {
            low: [1.0; 3],
            high: [1.0; 3],
            exponent: [1.0; 3],
            ..SpreadChannel::default()
        },
        material: name(),
    }
}

#[test]
fn a_stream_has_as_many_particles_as_its_ring() {
    for (mode, secs) in [(WAITING, 0.1), (LOOP, 77.7), (ONCE, 30.0)] {
        let made = made(header(mode), Emits::Stream(stream(8)));
        let particles = particles(&made, secs, FAR);
        assert_eq!(particles.len(), 8, "{mode}");
        // Jitter is the width of the range.
        assert!(
            particles
                .iter()
                .all(|it| (it.position[0] - 10.0).abs() <= 1.0)
        );
        assert!(
            particles
                .iter()
                .any(|it| (it.position[0] - 10.0).abs() > 0.05)
        );
        assert!(made[0].emitter.leaves_trail);
    }
    let begins = made(header(ONCE), Emits::Stream(stream(8)));
    assert_eq!(
        particles(&begins, 0.6, FAR).len(),
        3,
        "none were born before"
    );
}

#[test]
fn a_stream_does_not_stretch_with_its_effect() {
    let large = Header {
        scale: [3.0; 3],
        ..header(LOOP)
    };
    let [stream] = &made(large, Emits::Stream(stream(4)))[..] else {
        panic!("one emitter");
    };
    assert_eq!(
        stream.emitter.anchor,
        Anchor::Place(moved([10.0, 0.0, 0.0]))
    );
    let [sprite] = &made(large, Emits::Sprite(sprite()))[..] else {
        panic!("one emitter");
    };
    let Anchor::Place(place) = sprite.emitter.anchor else {
        panic!("a place");
    };
    assert_eq!(
        (place.max_scale(), place.transform_point([0.0; 3])),
        (3.0, [13.0, 0.0, 0.0])
    );
}

fn burst() -> Burst {
    Burst {
        mode: 1,
        fade: ramp(1.0, 1.0),
        window: [0.25, 0.75],
        life_secs: 0.5,
        phase_rate: 1.0,
        n_groups: 4,
        n_particles: 3,
        position: SpreadChannel::default(),
        size: SpreadChannel::default(),
        unknown_8c: 1.0,
        material: name(),
    }
}

#[test]
fn groups_of_a_burst_are_spread_over_its_window() {
    // Groups at 1, 1.5, 2 and 2.5 seconds live for half a second each.
    for emits in [Emits::Burst(burst()), Emits::Debris(burst())] {
        let made = made(header(LOOP), emits);
        for (secs, count) in [(0.9, 0), (1.1, 3), (2.9, 3), (3.1, 0), (5.1, 3), (7.1, 0)] {
            assert_eq!(particles(&made, secs, FAR).len(), count, "{secs}");
        }
    }
}

#[test]
fn a_bolt_leads_to_its_target_and_has_no_length_without() {
    let bolt = Bolt {
        fade: [1.0, 0.5],
        window: [0.0, 1.0],
        n_sprites: 20,
        width: [2.0, 4.0],
        repeat_length: 5.0,
        segment_length: 50.0,
        phase: [0.0, 1.0],
        material: name(),
    };
    let header = header(LOOP);
    let effect = effect(header, Emits::Bolt(bolt));
    assert_eq!(
        effect.emitters(&placed(&header), &table(0)),
        (Vec::new(), Vec::new())
    );
    let aimed = PlacedEffect {
        bolts_to: Some([0.0, 12.0, 16.0]),
        ..placed(&header)
    };
    let (made, _) = effect.emitters(&aimed, &table(0));
    let ParticleForm::Beam(beam) = made[0].emitter.form else {
        panic!("a beam");
    };
    assert_eq!((beam.to, beam.segments), ([0.0, 12.0, 16.0], 4));
    let [it] = particles(&made, 2.0, FAR)[..] else {
        panic!("one particle");
    };
    assert!(
        (it.size[1] - 3.0).abs() < 2e-3 && (it.color[3] - 0.75).abs() < 2e-3,
        "{it:?}"
    );
}

#[test]
fn a_dome_has_its_sizes_as_radii() {
    let dome = Dome {
        sprite: Sprite {
            size: even([2.0, 2.0, 5.0], [2.0, 2.0, 5.0]),
            ..sprite()
        },
        fineness: 1,
        unknown_cc: 1,
    };
    let made = made(header(LOOP), Emits::Dome(dome));
    let form = ParticleForm::Dome {
        segments: 16,
        rings: 6,
    };
    assert_eq!(made[0].emitter.form, form);
    assert_eq!(particles(&made, 2.0, FAR)[0].size, [4.0, 10.0]);
}

#[test]
fn the_blend_is_that_of_the_entry() {
    let header = header(LOOP);
    let effect = effect(header, Emits::Sprite(sprite()));
    for (attr1, blend) in [
        (0, ParticleBlend::Alpha),
        (4, ParticleBlend::Alpha),
        (8, ParticleBlend::Add),
        (9, ParticleBlend::Add),
    ] {
        let (made, _) = effect.emitters(&placed(&header), &table(attr1));
        assert_eq!(made[0].emitter.blend, blend, "{attr1}");
        assert_eq!(made[0].emitter.frames[0].texture, Some(TextureIdx(0)));
    }
}

#[test]
fn what_no_scene_can_hold_is_left_out_and_said() {
    let header = header(LOOP);
    let refused = |emits| {
        let (made, findings) = effect(header, emits).emitters(&placed(&header), &table(0));
        (made.len(), findings.len())
    };
    let endless = Sprite {
        size: even([f32::NAN; 3], [1.0; 3]),
        ..sprite()
    };
    assert_eq!(refused(Emits::Sprite(endless)), (0, 1));
    let many = Burst {
        n_particles: u32::MAX,
        ..burst()
    };
    assert_eq!(refused(Emits::Burst(many)), (0, 1));
    let fast = Stream {
        interval_secs: [1e-30, 1e-30],
        ..stream(u32::MAX)
    };
    assert_eq!(refused(Emits::Stream(fast)), (0, 1));
}

fn light(kind: u32) -> Light {
    Light {
        kind,
        window: [0.0, 0.5],
        position: [[0.0; 3], [0.0, 0.0, 2.0]],
        direction: Default::default(),
        color: [[2.0, 1.0, 0.0, 1.0], [0.0; 4]],
        color_jitter: [0.0; 4],
        range: [8.0, 8.0],
        range_jitter: 0.0,
        attenuation: [0.0; 3],
        unknown_88: [0; 6],
        material: ObjectRef::new("", "").unwrap(),
    }
}

#[test]
fn lights_of_loops_change_and_those_of_what_is_over_are_as_it_ends() {
    let shine = |mode, light| {
        let header = header(mode);
        let effect = effect(header, Emits::Light(light));
        let shining = Shining {
            effect: &effect,
            world_from_effect: stretched([2.0; 3]),
            clock: EffectClock::in_level(&header, None, 0.0),
        };
        lights(&[shining])
    };
    assert_eq!(
        shine(ONCE, light(5)),
        (Vec::new(), Vec::new()),
        "its window is over"
    );
    assert_eq!(shine(LOOP, light(7)).0, [], "no light of the ground");
    let (held, styles) = shine(WAITING, light(5));
    assert_eq!(
        (held[0].color, held[0].range, styles.len()),
        ([2.0, 1.0, 0.0], 16.0, 0)
    );
    let (looped, styles) = shine(LOOP, light(5));
    assert_eq!(
        (looped[0].style, looped[0].color),
        (Some(1), [2.0, 1.0, 0.0])
    );
    let at = |secs| styles[1].at(secs);
    assert!(at(0.05) > 0.95 && (at(1.0) - 0.5).abs() < 0.05 && at(3.0) == 0.0);
    assert_eq!(at(4.05), at(0.05), "again");
}
