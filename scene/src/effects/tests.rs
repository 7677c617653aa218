use super::*;
use crate::{EmitterAt, EmitterState, Scene};

/// All effects, of a size, in a scene of their own.
fn scene(size: f32) -> Scene {
    let mut scene = Scene::default();
    let pictures = EffectPictures::add_to(&mut scene.textures);
    let place = [100.0, 50.0, 10.0];
    let fire = Fire {
        place,
        height: size,
        smokes: true,
    };
    let fountain = Fountain {
        place,
        height: size,
        gravity: 9.8,
    };
    let sparkles = Sparkles {
        place,
        radius: size,
        color: [0.2, 1.0, 0.4],
        count: 40,
    };
    scene.emitters = fire.emitters("fire", 1, &pictures);
    scene
        .emitters
        .extend(fountain.emitters("fountain", 2, &pictures));
    scene
        .emitters
        .push(sparkles.emitter("sparkles", 3, &pictures));
    let light = soft_light("light", place, size, [1.0; 4], pictures.disc);
    scene.emitters.push(light);
    scene
}

#[test]
fn effects_are_sound_and_always_there() {
    for size in [0.01, 1.0, 300.0] {
        let scene = scene(size);
        assert_eq!(scene.validate(), Ok(()));
        for emitter in &scene.emitters {
            for clock_secs in [0.0, 0.3, 1e5] {
                let Anchor::Place(world_from_emitter) = emitter.anchor else {
                    panic!("effects stand in the world");
                };
                let at = EmitterAt {
                    clock_secs,
                    world_from_emitter,
                    velocity: [0.0; 3],
                    eye: [0.0; 3],
                    born_secs: EmitterState::EVER,
                };
                let mut n_alive = 0;
                emitter.for_each_particle(&at, |_| n_alive += 1);
                assert!(n_alive > 0, "{} at {clock_secs} s", emitter.name);
            }
        }
    }
}

#[test]
fn pictures_have_forms_within_clear_edges() {
    let scene = scene(1.0);
    assert_eq!(scene.textures.len(), 4);
    for texture in &scene.textures {
        let [width, height] = [texture.width, texture.height].map(|side| side as usize);
        let alpha = |x: usize, y: usize| texture.mips[0][(y * width + x) * 4 + 3];
        let n_seen = (0..width * height).filter(|i| alpha(i % width, i / width) > 32);
        assert!(n_seen.count() * 5 > width * height, "{}", texture.name);
        for along in 0..width {
            let edges = [
                alpha(along, 0),
                alpha(along, height - 1),
                alpha(0, along),
                alpha(width - 1, along),
            ];
            assert!(
                edges.iter().all(|it| *it == 0),
                "{}: {edges:?}",
                texture.name
            );
        }
    }
}
