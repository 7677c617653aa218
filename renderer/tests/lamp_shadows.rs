//! Shadows of lamps, pixel by pixel against plain geometry: a lamp above a slab that hangs above a floor.

mod set_up;

use glam::{Vec2, Vec3};
use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState, RenderSettings, Style, Switches, capture};
use ironlands_scene::{
    Affine, Instance, Light, LightCone, Material, MaterialIdx, Mesh, ModelIdx, Pass, Scene, Sun,
};

use set_up::{Stage, as_ground, as_model, level_mesh};

const SIZE: [u32; 2] = [96, 64];
const LAMP: Vec3 = Vec3::new(0.3, -0.4, 3.0);
const RANGE: f32 = 12.0;
/// Half the side of the slab, and how high it hangs.
const HALF: f32 = 1.0;
const HEIGHT: f32 = 1.2;
/// Places nearer than this to the edge of the slab, where light passes it, are not looked at: some texels of a map.
const EDGE: f32 = 0.08;

/// A square around the origin at a height.
fn square(half: f32, z: f32) -> Mesh {
    let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
    let corners = corners.map(|[x, y]| [x, y, z]);
    level_mesh(&corners, &[0, 1, 2, 0, 2, 3], MaterialIdx(0))
}

fn scene(light: Light) -> Scene {
    Scene {
        materials: vec![Material {
            passes: vec![Pass::default()],
            ..Material::default()
        }],
        meshes: vec![as_ground(square(20.0, 0.0), 20.0, 0.0)],
        models: vec![as_model(square(HALF, 0.0), 2.0 * HALF)],
        instances: vec![Instance {
            model: ModelIdx(0),
            world_from_model: slab_at(0.0),
            ..Instance::default()
        }],
        lights: vec![light],
        sun: Sun {
            color: [0.0; 3],
            ambient: [0.0; 3],
            ..Sun::default()
        },
        ..Scene::default()
    }
}

fn slab_at(x: f32) -> Affine {
    Affine([
        [1.0, 0.0, 0.0, x],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, HEIGHT],
    ])
}

fn lamp() -> Light {
    Light {
        position: LAMP.to_array(),
        color: [3.0; 3],
        range: RANGE,
        ..Light::default()
    }
}

fn camera() -> Camera {
    Camera {
        position: Vec3::new(-6.0, 1.0, 4.5),
        ..Camera::default()
    }
    .looking_at(Vec3::new(0.5, 0.0, 0.0))
}

fn open(light: Light) -> Stage {
    let settings = RenderSettings::new(1, 1).expect("they are possible");
    Stage::open(&scene(light), SIZE, settings)
}

fn shoot(stage: &mut Stage, state: &FrameState) -> RgbaImage {
    stage.draw(state);
    capture(&stage.gpu, &stage.target).expect("it comes back")
}

fn state(slab_x: f32) -> FrameState {
    FrameState {
        camera: camera(),
        style: Style::Enhanced,
        poses: vec![slab_at(slab_x)],
        switches: Switches {
            fog: false,
            ..Switches::default()
        },
        ..FrameState::default()
    }
}

/// Compares the floor of a picture with what light passes the slab; the pixels in its shadow, and the others.
fn compare(
    picture: &RgbaImage,
    slab_x: f32,
    is_in_light: impl Fn(Vec3) -> Option<bool>,
) -> [usize; 2] {
    let camera = camera();
    let mut n = [0; 2];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let center = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let direction = camera.direction_through(center, SIZE);
        let along = |height: f32| {
            camera.position + direction * ((height - camera.position.z) / direction.z)
        };
        if direction.z >= 0.0 {
            continue;
        }
        // How far a place at the slab's height is outside of its edge.
        let outside = |at: Vec3| (at.x - slab_x).abs().max(at.y.abs()) - HALF;
        let floor = along(0.0);
        if outside(along(HEIGHT)) < EDGE || floor.distance(LAMP) > 0.6 * RANGE {
            continue;
        }
        let passing = LAMP + (floor - LAMP) * ((HEIGHT - LAMP.z) / (floor.z - LAMP.z));
        let outside = outside(passing);
        let Some(in_light) = is_in_light(floor).filter(|_| outside.abs() > EDGE) else {
            continue;
        };
        let is_lit = outside > 0.0 && in_light;
        n[usize::from(is_lit)] += 1;
        let [red, ..] = pixel.0;
        // A lamp of 3.0 leaves 0.4 of full light at 0.6 of its range, and more than 30 of 255 at the slant of the floor.
        let is_right = if is_lit { red > 30 } else { red == 0 };
        assert!(is_right, "{x}, {y} shows {floor}: {red}, {outside} outside");
    }
    n
}

#[test]
fn a_lamp_lights_what_the_slab_does_not_hide_wherever_it_moves() {
    let mut stage = open(lamp());
    // At rest, then moving: the second frame finds out; the last is drawn from maps of the one before.
    for slab_x in [0.0, 0.5, 1.3, 1.3] {
        let picture = shoot(&mut stage, &state(slab_x));
        let n = compare(&picture, slab_x, |_| Some(true));
        assert!(n.iter().all(|n| *n > 100), "{n:?} at {slab_x}");
    }
}

#[test]
fn a_cone_has_the_shadow_too_and_the_switch_takes_it_away() {
    let spot = Light {
        cone: Some(LightCone {
            direction: [0.0, 0.0, -1.0],
            cos_inner: 0.71,
            cos_outer: 0.7,
        }),
        ..lamp()
    };
    let mut stage = open(spot);
    let in_cone = |floor: Vec3| {
        let cosine = (LAMP - floor).normalize().z;
        (!(0.68..0.73).contains(&cosine)).then_some(cosine > 0.7)
    };
    let picture = shoot(&mut stage, &state(0.0));
    let n = compare(&picture, 0.0, in_cone);
    assert!(n.iter().all(|n| *n > 100), "{n:?}");
    let mut without = state(0.0);
    without.switches.lamp_shadows = false;
    let unshadowed = shoot(&mut stage, &without);
    let mean = |picture: &RgbaImage| {
        let sum: u64 = picture.pixels().map(|pixel| u64::from(pixel.0[0])).sum();
        sum / u64::from(SIZE[0] * SIZE[1])
    };
    assert!(
        mean(&unshadowed) > mean(&picture),
        "light in place of the shadow"
    );
}
