//! Passes that change with time, on meshes, models, water and the sea.

use ironlands_renderer::FrameState;
use ironlands_scene::{
    Affine, Batch, Blend, Glides, MaterialIdx, Pass, PassAnimation, PassKind, PassPhase, PhaseKey,
    PhaseMode, Scene, TextureCell, Water,
};

use crate::{models::*, stage::*};

const TIMES_MS: [u32; 6] = [0, 500, 1000, 1500, 2250, 3000];

/// One second of red by texture, one of blue by color, one of another texture with a color, in a loop.
fn changing(scene: &mut Scene, kind: PassKind) -> Pass {
    let phase = |texture, diffuse| PassPhase {
        cell: TextureCell::default(),
        texture,
        diffuse,
        ambient: [0.0; 3],
        emissive: [0.0; 3],
    };
    let red = solid(scene, [255, 0, 0, 255]);
    let pale = solid(scene, [200, 250, 200, 255]);
    let phases = vec![
        phase(Some(red), [1.0; 4]),
        phase(None, [0.0, 0.0, 1.0, 1.0]),
        phase(Some(pale), [1.0, 0.5, 1.0, 1.0]),
    ];
    let keys = [0, 1, 2].map(|phase| PhaseKey {
        phase,
        duration_ms: 1000,
    });
    Pass {
        kind,
        animation: Some(PassAnimation {
            phases,
            keys: keys.to_vec(),
            mode: PhaseMode::Loop,
            glides: Glides::default(),
        }),
        ..unlit(scene, gray(0))
    }
}

/// What an unlit pass with an animation shows: texture times color.
fn shown_at(scene: &Scene, pass: &Pass, time_ms: u32) -> [u8; 3] {
    let animation = pass.animation.as_ref().expect("it changes");
    let look = animation.at(time_ms);
    let texel = look.texture.map_or([255; 4], |texture| {
        let pixels = &scene.textures[texture.0 as usize].mips[0];
        [pixels[0], pixels[1], pixels[2], pixels[3]]
    });
    [0, 1, 2].map(|c| (f32::from(texel[c]) * look.diffuse[c]).round() as u8)
}

#[track_caller]
fn assert_changes(scene: &Scene, pass: &Pass, state: &FrameState) {
    for time_ms in TIMES_MS {
        let state = FrameState {
            time_secs: time_ms as f32 / 1000.0,
            ..state.clone()
        };
        let expected = shown_at(scene, pass, time_ms);
        assert_pixel(&shoot(scene, &state), CENTER, expected, 1);
    }
}

#[test]
fn a_wall_changes_with_time() {
    let mut scene = empty();
    let pass = changing(&mut scene, PassKind::Base);
    let material = material(&mut scene, vec![pass.clone()]);
    add_wall(&mut scene, 10.0, material);
    assert_changes(&scene, &pass, &state());
}

#[test]
fn a_model_changes_with_time() {
    let mut scene = empty();
    let pass = changing(&mut scene, PassKind::Base);
    let material = material(&mut scene, vec![pass.clone()]);
    let place = Affine([
        [1.0, 0.0, 0.0, 3.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]);
    let scene = one(scene, plate_of(material), place);
    assert_changes(&scene, &pass, &state());
}

/// Seen straight from above, without mirrored sky.
fn above() -> FrameState {
    let mut state = state();
    state.camera.pitch_rad = -std::f32::consts::FRAC_PI_2;
    state.switches.water_reflection = false;
    state
}

fn level_corners(z: f32) -> [[f32; 3]; 4] {
    [
        [-50.0, -50.0, z],
        [50.0, -50.0, z],
        [50.0, 50.0, z],
        [-50.0, 50.0, z],
    ]
}

#[test]
fn water_and_the_sea_beyond_change_with_time() {
    let mut inside = empty();
    let pass = changing(&mut inside, PassKind::Water);
    let material = material(&mut inside, vec![pass.clone()]);
    let mut beyond = inside.clone();
    add_quad(&mut inside, level_corners(-5.0), [0.0, 0.0, 1.0], material);
    assert_changes(&inside, &pass, &above());
    beyond.water = Some(Water {
        level: -5.0,
        material,
        uv_per_unit: 0.1,
        level_min: [900.0; 2],
        level_max: [1000.0; 2],
        bed: None,
    });
    assert_changes(&beyond, &pass, &above());
}

#[test]
fn two_passes_that_change_do_not_share_their_moment() {
    let mut scene = empty();
    let base = changing(&mut scene, PassKind::Base);
    let mut decal = Pass {
        blend: Some(Blend::ALPHA),
        ..changing(&mut scene, PassKind::Decal)
    };
    let animation = decal.animation.as_mut().expect("it changes");
    animation.keys.rotate_left(1);
    animation.phases[1].diffuse[3] = 0.0;
    let material = material(&mut scene, vec![base.clone(), decal.clone()]);
    add_wall(&mut scene, 10.0, material);
    // What the decal shows covers the base, but for the phase without alpha.
    for time_ms in TIMES_MS {
        let animation = decal.animation.as_ref().expect("it changes");
        let is_clear = animation.at(time_ms).diffuse[3] == 0.0;
        let seen = if is_clear { &base } else { &decal };
        let state = FrameState {
            time_secs: time_ms as f32 / 1000.0,
            ..state()
        };
        let expected = shown_at(&scene, seen, time_ms);
        assert_pixel(&shoot(&scene, &state), CENTER, expected, 1);
    }
}

#[test]
fn equal_passes_that_change_are_drawn_at_once() {
    let mut scene = empty();
    let pass = changing(&mut scene, PassKind::Base);
    let first = material(&mut scene, vec![pass.clone()]);
    let second = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 10.0, first);
    let halves = [(0, first), (3, second)];
    let batch = |(first_index, material): (u32, MaterialIdx)| Batch {
        first_index,
        n_indices: 3,
        material,
    };
    let mesh = &mut scene.meshes[0];
    mesh.batches = halves.map(batch).to_vec();
    mesh.clusters[0].lods[0] = 0..2;
    assert_eq!(shoot_with(&scene, &state(), 1, None).1.draw_calls, 1);
}
