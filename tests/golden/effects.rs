//! Fires, smoke, water and lights that are particles, before a wall and behind a pane of glass, at three times.

use ironlands_renderer::{FrameState, Style};
use ironlands_scene::effects::{
    EffectPictures, Fire, Fountain, Smoke, Sparkles, soft_light, standing_at,
};
use ironlands_scene::{
    Aabb, Batch, Beam, Blend, Cluster, Curve, Emission, Emitter, Lighting, Material, MaterialIdx,
    Mesh, ParticleBlend, ParticleForm, Pass, PassKind, Scene, Sky, SpriteFrame, Sun,
};

use super::compare::compare_with_golden;
use super::studio::{Studio, camera_at};

const SIZE: [u32; 2] = [320, 180];
const N_PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;

/// A quad with its corners counter-clockwise from the front.
fn quad(scene: &mut Scene, corners: [[f32; 3]; 4], normal: [f32; 3], pass: Pass) {
    scene.materials.push(Material {
        passes: vec![pass],
        ..Material::default()
    });
    scene.meshes.push(Mesh {
        positions: corners.to_vec(),
        normals: vec![normal; 4],
        uv_sets: [vec![[0.0; 2]; 4], vec![[0.0; 2]; 4]],
        indices: vec![0, 1, 2, 0, 2, 3],
        batches: vec![Batch {
            first_index: 0,
            n_indices: 6,
            material: MaterialIdx(scene.materials.len() as u32 - 1),
        }],
        clusters: vec![Cluster {
            bounds: Aabb::around(&corners).expect("four corners"),
            cell: [0; 2],
            lods: std::iter::once(0..1).collect(),
            cells: Vec::new(),
        }],
        ..Mesh::default()
    });
}

fn painted([r, g, b]: [f32; 3]) -> Pass {
    Pass {
        diffuse: [r, g, b, 1.0],
        ambient: [r, g, b],
        ..Pass::default()
    }
}

/// At dusk, from left to right: fire, smoke, fountain, a shield under a bolt, sparkles.
fn scene() -> Scene {
    let dusk = [0.16, 0.17, 0.26];
    let mut scene = Scene {
        sun: Sun {
            direction_to_sun: [-0.6, 0.0, 0.8],
            color: [0.4, 0.36, 0.34],
            ambient: [0.2, 0.2, 0.26],
            counter: [0.0; 3],
        },
        sky: Sky {
            zenith: [0.05, 0.06, 0.14],
            horizon: dusk,
            nadir: dusk,
            sun_disc: [0.0; 3],
            ..Sky::default()
        },
        ..Scene::default()
    };
    let ground = [[-20.0, 20.0], [-20.0, -20.0], [40.0, -20.0], [40.0, 20.0]];
    let ground = ground.map(|[x, y]| [x, y, 0.0]);
    quad(
        &mut scene,
        ground,
        [0.0, 0.0, 1.0],
        painted([0.45, 0.42, 0.36]),
    );
    let wall = [
        [14.0, 9.0, 0.0],
        [14.0, -9.0, 0.0],
        [14.0, -9.0, 3.0],
        [14.0, 9.0, 3.0],
    ];
    quad(
        &mut scene,
        wall,
        [-1.0, 0.0, 0.0],
        painted([0.5, 0.5, 0.55]),
    );
    let glass = Pass {
        kind: PassKind::Translucent,
        lighting: Lighting::Unlit,
        diffuse: [0.1, 0.5, 0.3, 0.35],
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..Pass::default()
    };
    let pane = [
        [9.0, 7.5, 0.0],
        [9.0, 4.0, 0.0],
        [9.0, 4.0, 2.2],
        [9.0, 7.5, 2.2],
    ];
    quad(&mut scene, pane, [-1.0, 0.0, 0.0], glass);
    let pictures = EffectPictures::add_to(&mut scene.textures);
    scene.emitters = emitters(&pictures);
    scene
}

fn emitters(pictures: &EffectPictures) -> Vec<Emitter> {
    let fire = Fire {
        place: [11.0, 5.5, 0.0],
        height: 2.0,
        smokes: true,
    };
    let smoke = Smoke {
        // Its puffs reach through the wall.
        place: [13.7, 2.5, 0.2],
        width: 0.8,
        color: [0.7, 0.68, 0.64, 0.5],
        wind: [0.0; 3],
    };
    let fountain = Fountain {
        place: [11.0, -0.5, 0.0],
        height: 2.5,
        gravity: 9.8,
    };
    let sparkles = Sparkles {
        place: [11.0, -6.5, 1.2],
        radius: 1.2,
        color: [0.4, 1.0, 0.5],
        count: 60,
    };
    let shield = Emitter {
        name: "shield".to_owned(),
        anchor: standing_at([11.0, -3.5, 0.0]),
        emission: Emission::Steady { count: 1 },
        size: Curve::constant([2.6, 2.6]),
        color: Curve::constant([0.3, 0.5, 1.0, 0.35]),
        frames: vec![pictures.disc],
        form: ParticleForm::Dome {
            segments: 16,
            rings: 6,
        },
        blend: ParticleBlend::Add,
        ..Emitter::default()
    };
    let bolt = Emitter {
        name: "bolt".to_owned(),
        anchor: standing_at([11.0, -3.5, 1.3]),
        size: Curve::constant([0.12, 0.0]),
        color: Curve::constant([0.7, 0.8, 1.0, 1.0]),
        frames: vec![SpriteFrame::default()],
        form: ParticleForm::Beam(Beam {
            to: [0.0, 1.0, 3.5],
            end_width: 0.3,
            segments: 12,
            noise: 0.3,
            jumps_per_sec: 12.0,
        }),
        ..shield.clone()
    };
    let lamp = soft_light(
        "lamp",
        [13.8, 7.5, 2.6],
        1.6,
        [1.0, 0.8, 0.5, 0.9],
        pictures.disc,
    );
    let mut emitters = fire.emitters("fire", 1, pictures);
    emitters.push(smoke.emitter("smoke", 2, pictures));
    emitters.extend(fountain.emitters("fountain", 3, pictures));
    emitters.push(sparkles.emitter("sparkles", 4, pictures));
    emitters.extend([shield, bolt, lamp]);
    emitters
}

#[test]
fn effects_look_as_they_did_at_three_times() {
    let mut studio = Studio::open(SIZE);
    let scene = studio.upload(&scene());
    let mut failures = Vec::new();
    for (name, time_secs) in [("effects_0", 0.5), ("effects_1", 2.0), ("effects_2", 7.25)] {
        let state = FrameState {
            camera: camera_at([0.0, 0.0, 1.9, 0.0, -2.0]),
            time_secs,
            style: Style::Enhanced,
            ..FrameState::default()
        };
        let picture = studio.shoot(&scene, &state);
        failures.extend(compare_with_golden(name, &picture, N_PIXELS).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
