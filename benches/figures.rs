//! 4,000 figures of 24 parts posed for one frame, each in a build and at a time of its own, two parts of each with
//! moving vertices; compared with a plain sampler written with glam's `slerp` and affine products.
//!
//! `cargo bench --bench figures -- --quick`.
//!
//! `single` is one thread, `batch` all of them. Before anything is timed every pose is compared with the plain
//! sampler's, and batches bit for bit with single poses; a checksum is printed, so that two runs can be seen to have
//! done the same work.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a bench prints to stdout; criterion's macros have no docs"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3A, Mat4, Quat, Vec3};
use ironlands::worlds::evil_islands::figure::{Build, FrameAt, Posed, Rig};
use ironlands::worlds::evil_islands::formats::anm::Anm;
use ironlands::worlds::evil_islands::formats::bon::Bon;
use ironlands::worlds::evil_islands::formats::fig::{
    BoundsConvention, DraftVertex, Fig, FigDraft, MorphComponent,
};
use ironlands::worlds::evil_islands::formats::figure::{Figure, FigureAnimation, FigurePart};
use ironlands::worlds::evil_islands::formats::figure_scene::FigureTargets;
use ironlands_scene::MorphWeight;
use ironlands_sim::animation::RowMatrix;

const N_PARTS: usize = 24;
const N_FIGURES: usize = 4000;
const N_FRAMES: usize = 30;
/// Parts whose vertices move, as wings do.
const N_MORPHING: usize = 2;
/// Largest difference of a place, in meters: f32 at most 10 from the origin, through eight parents.
const TOLERANCE: f32 = 1e-4;

criterion_group!(figures, benches);
criterion_main!(figures);

fn benches(criterion: &mut Criterion) {
    let figure = figure();
    let targets = FigureTargets::new(&figure, |_, _| true);
    let rig = Rig::new(&figure, &targets, None, |_, _| true);
    let random = &mut Random(1);
    let complections: Vec<_> = (0..N_FIGURES)
        .map(|_| random.vector().map(f32::abs))
        .collect();
    let builds: Vec<Build> = complections.iter().map(|it| rig.build(*it)).collect();
    let posed = builds.iter().map(|build| Posed {
        world_from_model: RowMatrix::from(Mat4::from_rotation_z(random.number())),
        build,
        at: Some(FrameAt {
            animation: 0,
            frame: random.number().abs() * 100.0,
        }),
    });
    let posed: Vec<_> = posed.collect();
    let mut batch = Stage::new(&rig);
    rig.pose_batch(&posed, &mut batch.nodes, &mut batch.weights);
    let mut single = Stage::new(&rig);
    single.pose_all(&rig, &posed);
    let bits = |stage: &Stage| {
        stage
            .nodes
            .iter()
            .flat_map(|it| it.0.map(f32::to_bits))
            .collect::<Vec<_>>()
    };
    assert!(
        bits(&batch) == bits(&single),
        "a batch is what single poses are"
    );
    let worst = check(&figure, &complections, &posed, &single);
    let sum = bits(&single)
        .into_iter()
        .fold(0u32, |sum, it| sum.rotate_left(5) ^ it);
    println!("checksum {sum:#010x}, at most {worst:.1e} m from the plain sampler");
    let mut group = criterion.benchmark_group("figures");
    group.throughput(Throughput::Elements((N_FIGURES * N_PARTS) as u64));
    group.bench_function("single", |bencher| {
        bencher.iter(|| single.pose_all(&rig, black_box(&posed)));
    });
    group.bench_function("batch", |bencher| {
        bencher.iter(|| rig.pose_batch(black_box(&posed), &mut batch.nodes, &mut batch.weights));
    });
    let mut plain = Vec::new();
    group.bench_function("plain", |bencher| {
        bencher.iter(|| {
            for (posed, complection) in black_box(&posed).iter().zip(&complections) {
                plain_pose(&figure, *complection, posed, &mut plain);
                black_box(&plain);
            }
        });
    });
    group.finish();
}

/// Where poses go.
struct Stage {
    nodes: Vec<RowMatrix>,
    weights: Vec<MorphWeight>,
}

impl Stage {
    fn new(rig: &Rig) -> Self {
        Self {
            nodes: vec![RowMatrix::IDENTITY; N_FIGURES * rig.n_parts()],
            weights: vec![MorphWeight::default(); N_FIGURES * rig.n_weights()],
        }
    }

    fn pose_all(&mut self, rig: &Rig, posed: &[Posed<'_>]) {
        let nodes = self.nodes.chunks_exact_mut(rig.n_parts());
        let weights = self.weights.chunks_exact_mut(rig.n_weights());
        for ((posed, nodes), weights) in posed.iter().zip(nodes).zip(weights) {
            rig.pose(posed, nodes, weights);
        }
    }
}

/// The largest distance of a part's place from where the plain sampler has it.
fn check(figure: &Figure, complections: &[[f32; 3]], posed: &[Posed<'_>], found: &Stage) -> f32 {
    let mut worst = 0.0f32;
    let mut plain = Vec::new();
    for (index, (posed, complection)) in posed.iter().zip(complections).enumerate() {
        plain_pose(figure, *complection, posed, &mut plain);
        let found = &found.nodes[index * N_PARTS..];
        for (found, plain) in found.iter().zip(&plain) {
            let found = found.to_mat4().transform_point3(Vec3::ONE);
            worst = worst.max(found.distance(plain.transform_point3(Vec3::ONE)));
        }
    }
    assert!(worst < TOLERANCE, "{worst} m from the plain sampler");
    worst
}

/// World from node of each part, straight from the files' numbers.
fn plain_pose(
    figure: &Figure,
    complection: [f32; 3],
    posed: &Posed<'_>,
    world_from_nodes: &mut Vec<Affine3A>,
) {
    let frame = posed
        .at
        .expect("all play")
        .frame
        .rem_euclid(N_FRAMES as f32);
    let (first, share) = (frame as usize % N_FRAMES, frame.fract());
    let second = (first + 1) % N_FRAMES;
    world_from_nodes.clear();
    let mut turned: [(Quat, Vec3); N_PARTS] = [(Quat::IDENTITY, Vec3::ZERO); N_PARTS];
    let parts = figure
        .parts
        .iter()
        .zip(&figure.animations[0].parts)
        .enumerate();
    for (index, (part, anm)) in parts {
        let anm = anm.as_ref().expect("all parts turn");
        let [a, b] = [first, second].map(|frame| {
            let [w, x, y, z] = anm.rotations[frame];
            Quat::from_xyzw(x, y, z, w)
        });
        let own = a.slerp(b, share);
        let offset = Vec3::from(
            part.bon
                .as_ref()
                .expect("all parts stand")
                .offset(complection),
        );
        turned[index] = match part.parent {
            None => {
                let [a, b] = [first, second].map(|frame| Vec3::from(anm.translations[frame]));
                (own, a.lerp(b, share))
            }
            Some(parent) => {
                let (of_parent, place) = turned[parent as usize];
                (own * of_parent, place + of_parent * offset)
            }
        };
    }
    let world_from_model = Affine3A::from_mat4(posed.world_from_model.to_mat4());
    let nodes = turned.iter();
    world_from_nodes.extend(nodes.map(|(turn, place)| {
        world_from_model * Affine3A::from_rotation_translation(*turn, *place)
    }));
}

/// Numbers in -1..1, the same in every run.
struct Random(u32);

impl Random {
    fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }

    fn vector(&mut self) -> [f32; 3] {
        [0; 3].map(|_| self.number())
    }

    fn rotation(&mut self) -> [f32; 4] {
        let [x, y, z] = [0; 3].map(|_| self.number());
        let turn = Quat::from_xyzw(x, y, z, 1.0).normalize();
        [turn.w, turn.x, turn.y, turn.z]
    }
}

/// A tree of parts, each on the one half-way before it.
fn figure() -> Figure {
    let random = &mut Random(7);
    let parts = (0..N_PARTS).map(|index| FigurePart {
        name: format!("part {index}"),
        parent: (index > 0).then(|| (index as u32 - 1) / 2),
        fig: (index < N_MORPHING).then(wing),
        bon: Some(Bon {
            offsets: (0..8).map(|_| random.vector()).collect(),
            tail: Vec::new(),
        }),
    });
    let parts: Vec<_> = parts.collect();
    let tracks = (0..N_PARTS).map(|index| {
        let rotations = (0..N_FRAMES).map(|_| random.rotation()).collect();
        let translations = (0..N_FRAMES).map(|_| random.vector()).collect();
        let morphs = (0..N_FRAMES).map(|_| vec![random.vector(); 3]);
        let morphs: Vec<_> = morphs.filter(|_| index < N_MORPHING).collect();
        Some(Anm::draft(rotations, translations, &morphs).expect("all frames agree"))
    });
    Figure {
        animations: vec![FigureAnimation {
            name: "cidle".to_owned(),
            parts: tracks.collect(),
        }],
        parts,
        ..Figure::default()
    }
}

/// A triangle whose corners all move.
fn wing() -> Fig {
    let corner = |point| DraftVertex {
        point,
        ..DraftVertex::default()
    };
    let mut fig = Fig::draft(&FigDraft {
        points: vec![vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]; 8],
        vertices: [0, 1, 2].map(corner).to_vec(),
        triangles: vec![[0, 1, 2]],
        group: 19,
        texture: 1,
        bounds: BoundsConvention::default(),
    })
    .expect("a triangle is a mesh");
    fig.morphs = [0, 1, 2]
        .map(|it| MorphComponent {
            morph: it,
            vertex: it,
        })
        .to_vec();
    fig
}
