//! What it takes to decide what a frame draws of 100,000 instances: at rest, posed as in the frame before, and all of them
//! moved since then. `cargo bench --bench culling`

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use ironlands::renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer,
};
use ironlands::scene::{
    Affine, Batch, Instance, Material, MaterialIdx, Mesh, Model, ModelIdx, ModelNode, ModelPiece,
    Pass, PieceLod, Scene, Sphere,
};

const N_INSTANCES: u32 = 100_000;
/// Instances of a row, and units between them.
const N_COLUMNS: u32 = 316;
const SPACING: f32 = 10.0;
const N_MODELS: u32 = 20;
const SIZE: [u32; 2] = [1300, 760];

/// Models of two nodes with a piece each, at two levels of detail.
fn model(material: MaterialIdx) -> Model {
    let lod = |batches| PieceLod {
        bounds: Sphere {
            center: [0.0, 0.5, 1.0],
            radius: 1.2,
        },
        batches,
    };
    let batch = |first_index| Batch {
        first_index,
        n_indices: 3,
        material,
    };
    Model {
        nodes: vec![ModelNode::default(); 2],
        mesh: Mesh {
            positions: vec![[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]],
            normals: vec![[-1.0, 0.0, 0.0]; 3],
            uv_sets: [vec![[0.0; 2]; 3], vec![[0.0; 2]; 3]],
            indices: vec![0, 1, 2, 0, 1, 2],
            batches: vec![batch(0), batch(3)],
            ..Mesh::default()
        },
        pieces: [0, 1]
            .map(|node| ModelPiece {
                node,
                state: 0,
                lods: vec![lod(0..1), lod(1..2)],
            })
            .into(),
        lod_sizes: vec![0.02],
        bounds: Sphere {
            center: [0.0, 0.5, 1.0],
            radius: 1.2,
        },
        ..Model::default()
    }
}

fn scene() -> Scene {
    let instance = |index: u32| {
        let [column, row] = [index % N_COLUMNS, index / N_COLUMNS];
        let [x, y] = [column, row].map(|it| it as f32 * SPACING);
        Instance {
            model: ModelIdx(index % N_MODELS),
            world_from_model: Affine([
                [1.0, 0.0, 0.0, x],
                [0.0, 1.0, 0.0, y],
                [0.0, 0.0, 1.0, 0.0],
            ]),
            ..Instance::default()
        }
    };
    Scene {
        materials: vec![Material {
            passes: vec![Pass::default()],
            ..Material::default()
        }],
        models: vec![model(MaterialIdx(0)); N_MODELS as usize],
        instances: (0..N_INSTANCES).map(instance).collect(),
        ..Scene::default()
    }
}

fn culling(criterion: &mut Criterion) {
    let gpu = Gpu::offscreen(&GpuOptions::default()).expect("a device");
    let target = OffscreenTarget::new(&gpu, [64, 36]).expect("a small picture");
    let settings = RenderSettings::default();
    let mut renderer = Renderer::new(&gpu, target.format(), settings).expect("a renderer");
    let scene = scene();
    let on_device = renderer.upload(&gpu, &scene).expect("a sound scene");
    let camera = Camera {
        // In the middle of the field, which is a quarter in view.
        position: Vec3::new(1500.0, 1500.0, 20.0),
        yaw_rad: 0.7,
        ..Camera::default()
    };
    let mut group = criterion.benchmark_group("culling");
    group.throughput(Throughput::Elements(N_INSTANCES.into()));
    let posed = scene.rest_poses();
    let mut moved = posed.clone();
    for pose in &mut moved {
        pose.0[2][3] += 0.1;
    }
    for (name, frames) in [
        ("at rest", vec![Vec::new()]),
        ("posed", vec![posed.clone()]),
        ("moved", vec![posed, moved]),
    ] {
        let states = frames.into_iter().map(|poses| FrameState {
            camera,
            poses,
            ..FrameState::default()
        });
        let states: Vec<_> = states.collect();
        let mut turn = states.iter().cycle();
        let mut list = || {
            let state = turn.next().expect("there are frames");
            renderer.list(&on_device, state, SIZE).expect("sound poses")
        };
        let stats = list();
        // Counted plainly: what is in front of the camera, between the sides of the picture.
        let half = camera.half_extent(SIZE[0] as f32 / SIZE[1] as f32);
        let is_in_view = |instance: &&Instance| {
            let place = Vec3::from(instance.world_from_model.transform_point([0.0, 0.5, 1.0]));
            let ahead = place - camera.position;
            let [x, y, z] = [camera.right(), camera.up(), camera.forward()].map(|it| it.dot(ahead));
            x.abs() < half.x * z && y.abs() < half.y * z
        };
        let n_centers = scene.instances.iter().filter(is_in_view).count();
        assert!(stats.instances_drawn >= n_centers);
        assert!(stats.instances_drawn < n_centers + n_centers / 20 + 1000);
        println!("{name}: {} of {N_INSTANCES} in view", stats.instances_drawn);
        group.bench_function(name, |bencher| bencher.iter(&mut list));
    }
    group.finish();
}

criterion_group!(benches, culling);
criterion_main!(benches);
