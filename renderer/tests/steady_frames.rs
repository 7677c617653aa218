//! A frame like the ones before takes no memory of its own: neither to decide what it draws, nor to draw it.
//!
//! wgpu takes memory for what it records, and frees it. Its allocations are distinguished by their callers: each allocation
//! of a frame is traced.

mod set_up;

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::process::Command;

use glam::Vec3;
use ironlands_renderer::{Camera, FrameState, RenderSettings, Style};
use ironlands_scene::{
    Affine, Anchor, Cull, Emission, Emitter, Flicker, Instance, Light, Liquid, Material,
    MaterialIdx, Mesh, Model, ModelIdx, ParticleBlend, Pass, PassKind, Scene,
};

use set_up::{Stage, as_ground, as_model, level_mesh};

const SIZE: [u32; 2] = [64, 36];

/// Traces what the thread of a test allocates; others (the driver's) are let be.
struct Tracing;

thread_local! {
    /// Whether allocations are traced. Those of a trace itself are not.
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static TRACES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

#[expect(unsafe_code, reason = "there is no other way to see allocations")]
// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Tracing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends has neither any more.
        if IS_ON.try_with(|is_on| is_on.replace(false)) == Ok(true) {
            let trace = Backtrace::force_capture().to_string();
            let _ = TRACES.try_with(|traces| traces.borrow_mut().push(trace));
            let _ = IS_ON.try_with(|is_on| is_on.set(true));
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Tracing = Tracing;

/// Whether this process can trace allocations; else runs the test of this name in one that can. Where the environment
/// requests traces of errors, wgpu itself takes some in each frame, and one cannot be taken within another.
fn is_traceable(test: &str) -> bool {
    const SWITCH: &str = "RUST_LIB_BACKTRACE";
    if std::env::var_os(SWITCH).is_some_and(|it| it == "0") {
        return true;
    }
    let program = std::env::current_exe().expect("this test");
    let run = Command::new(program)
        .args([test, "--exact", "--nocapture"])
        .env(SWITCH, "0")
        .status();
    assert!(run.expect("it runs").success(), "see above");
    false
}

/// What something allocates, as a trace each.
fn traced<T>(does: impl FnOnce() -> T) -> (T, Vec<String>) {
    IS_ON.set(true);
    let done = does();
    IS_ON.set(false);
    (done, TRACES.take())
}

/// Whether wgpu requested the memory of a trace: the renderer calls it, and it never calls the renderer.
fn is_of_wgpu(trace: &str) -> bool {
    let mut names = trace.lines().filter_map(|line| line.split_once(": "));
    names.any(|(_, name)| {
        // Of a trait's functions the type comes first.
        let name = name.trim_start_matches('<').trim_start_matches("dyn ");
        name.starts_with("wgpu") || name.starts_with("naga::")
    })
}

/// A field of posts, some opaque, some seen through and some that glow, with lamps, smoke and sparks, on a pond.
fn scene() -> Scene {
    let kinds = [PassKind::Base, PassKind::Translucent, PassKind::Water];
    let material = |kind: PassKind| Material {
        passes: vec![Pass {
            kind,
            depth_write: kind == PassKind::Base,
            liquid: (kind == PassKind::Water).then(Liquid::default),
            cull: Cull::None,
            glows: kind == PassKind::Translucent,
            ..Pass::default()
        }],
        ..Material::default()
    };
    let instance = |i: u16| Instance {
        model: ModelIdx(u32::from(i % 2)),
        world_from_model: at(f32::from(i % 40) * 5.0, f32::from(i / 40) * 5.0),
        ..Instance::default()
    };
    let light = |i: u16| Light {
        position: [f32::from(i % 8) * 25.0, f32::from(i / 8) * 25.0, 1.0],
        flicker: Flicker {
            share: 0.5,
            per_sec: 4.0,
            seed: i.into(),
        },
        ..Light::default()
    };
    let emitter = |blend| Emitter {
        anchor: Anchor::Place(at(30.0, 100.0)),
        emission: Emission::Steady { count: 20 },
        blend,
        softness: 1.0,
        ..Emitter::default()
    };
    Scene {
        materials: kinds.map(material).into(),
        meshes: vec![as_ground(
            triangle(
                [[-500.0, -500.0, 0.1], [500.0, 0.0, 0.1], [0.0, 500.0, 0.1]],
                MaterialIdx(2),
            ),
            500.0,
            0.1,
        )],
        models: [0, 1].map(|index| post(MaterialIdx(index))).into(),
        instances: (0..1600).map(instance).collect(),
        emitters: [ParticleBlend::Alpha, ParticleBlend::Add]
            .map(emitter)
            .into(),
        lights: (0..64).map(light).collect(),
        occlusion_radius: 1.0,
        ..Scene::default()
    }
}

fn post(material: MaterialIdx) -> Model {
    let corners = [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]];
    as_model(triangle(corners, material), 2.0)
}

fn triangle(corners: [[f32; 3]; 3], material: MaterialIdx) -> Mesh {
    level_mesh(&corners, &[0, 1, 2], material)
}

fn at(x: f32, y: f32) -> Affine {
    Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, 0.0]])
}

/// A frame of a flight past the posts, every tenth of which moves unless all are at rest.
fn state(scene: &Scene, frame: u16, is_posed: bool) -> FrameState {
    let mut poses = Vec::new();
    if is_posed {
        poses = scene.rest_poses();
        for pose in poses.iter_mut().step_by(10) {
            pose.0[2][3] = 0.1 * f32::from(frame % 2);
        }
    }
    FrameState {
        camera: Camera {
            position: Vec3::new(-5.0, 100.0, 10.0 + 0.1 * f32::from(frame % 2)),
            pitch_rad: -0.1,
            ..Camera::default()
        },
        poses,
        style: Style::Enhanced,
        time_secs: f32::from(frame % 2),
        ..FrameState::default()
    }
}

#[test]
fn a_steady_frame_takes_no_memory_to_list_what_it_draws() {
    if !is_traceable("a_steady_frame_takes_no_memory_to_list_what_it_draws") {
        return;
    }
    let scene = scene();
    let mut stage = Stage::open(&scene, SIZE, RenderSettings::default());
    for is_posed in [false, true] {
        let state = state(&scene, 0, is_posed);
        let mut list = || {
            let listed = stage.renderer.list(&stage.scene, &state, SIZE);
            listed.expect("sound poses")
        };
        let first = list();
        assert!(first.instances_drawn > 100, "{first:?}");
        let (again, traces) = traced(list);
        assert_eq!(again, first);
        assert!(traces.is_empty(), "{}", traces[0]);
    }
}

#[test]
fn a_steady_frame_takes_no_memory_but_what_wgpu_takes() {
    if !is_traceable("a_steady_frame_takes_no_memory_but_what_wgpu_takes") {
        return;
    }
    let scene = scene();
    let mut stage = Stage::open(&scene, SIZE, RenderSettings::default());
    for is_posed in [false, true] {
        let states = [0, 1].map(|frame| state(&scene, frame, is_posed));
        for state in states.iter().chain(&states) {
            let stats = stage.draw(state);
            assert!(stats.instances_drawn > 100, "{stats:?}");
            assert!(stats.particles_drawn > 0, "{stats:?}");
        }
        let (_, traces) = traced(|| {
            for state in &states {
                stage.draw(state);
            }
        });
        let (of_wgpu, own): (Vec<_>, Vec<_>) = traces.iter().partition(|it| is_of_wgpu(it));
        assert!(of_wgpu.len() > 100, "wgpu takes memory, and is recognized");
        assert_eq!(own.first(), None, "posed: {is_posed}");
    }
}
