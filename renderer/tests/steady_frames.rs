//! A frame like the one before takes no memory to decide what it draws.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::Vec3;
use ironlands_renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer,
};
use ironlands_scene::{
    Affine, Batch, Instance, Material, MaterialIdx, Mesh, Model, ModelIdx, ModelNode, ModelPiece,
    Pass, PassKind, PieceLod, Scene, Sphere,
};

/// Counts what the thread of a test allocates; others (the driver's) are let be.
struct Counting;

thread_local! {
    static N_ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "there is no other way to count allocations")]
// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends has no counter any more.
        let _ = N_ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A field of posts, some opaque and some seen through.
fn scene() -> Scene {
    let pass = |kind| Pass {
        kind,
        depth_write: kind != PassKind::Translucent,
        ..Pass::default()
    };
    let material = |kind| Material {
        passes: vec![pass(kind)],
        ..Material::default()
    };
    let model = |material| Model {
        nodes: vec![ModelNode::default()],
        mesh: Mesh {
            positions: vec![[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]],
            normals: vec![[-1.0, 0.0, 0.0]; 3],
            uv_sets: [vec![[0.0; 2]; 3], vec![[0.0; 2]; 3]],
            indices: vec![0, 1, 2],
            batches: vec![Batch {
                first_index: 0,
                n_indices: 3,
                material,
            }],
            ..Mesh::default()
        },
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod {
                bounds: Sphere {
                    center: [0.0; 3],
                    radius: 2.0,
                },
                batches: 0..1,
            }],
        }],
        ..Model::default()
    };
    let instance = |i: u16| Instance {
        model: ModelIdx(u32::from(i % 2)),
        world_from_model: at(f32::from(i % 40) * 5.0, f32::from(i / 40) * 5.0),
        ..Instance::default()
    };
    Scene {
        materials: [PassKind::Base, PassKind::Translucent].map(material).into(),
        models: [0, 1].map(|index| model(MaterialIdx(index))).into(),
        instances: (0..1600).map(instance).collect(),
        ..Scene::default()
    }
}

fn at(x: f32, y: f32) -> Affine {
    Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, 0.0]])
}

#[test]
fn a_steady_frame_takes_no_memory_to_list_what_it_draws() {
    let options = GpuOptions {
        force_software: true,
    };
    let gpu = Gpu::offscreen(&options).expect("these tests draw");
    let target = OffscreenTarget::new(&gpu, [64, 36]).expect("a small picture");
    let settings = RenderSettings::default();
    let mut renderer = Renderer::new(&gpu, target.format(), settings).expect("a renderer");
    let scene = scene();
    let at_rest = renderer.upload(&gpu, &scene).expect("a sound scene");
    for poses in [Vec::new(), scene.rest_poses()] {
        let state = FrameState {
            camera: Camera {
                position: Vec3::new(-5.0, 100.0, 10.0),
                ..Camera::default()
            },
            poses,
            ..FrameState::default()
        };
        let mut list = || {
            renderer
                .list(&at_rest, &state, [64, 36])
                .expect("sound poses")
        };
        let first = list();
        assert!(first.instances_drawn > 100, "{first:?}");
        let before = N_ALLOCATIONS.get();
        assert_eq!(list(), first);
        assert_eq!(N_ALLOCATIONS.get() - before, 0);
    }
}
