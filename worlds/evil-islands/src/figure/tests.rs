use glam::{DQuat, DVec3, Quat, Vec3};
use ironlands_assets_evil_islands::anm::Anm;
use ironlands_assets_evil_islands::bon::Bon;
use ironlands_assets_evil_islands::fig::{
    BoundsConvention, DraftVertex, Fig, FigDraft, MorphComponent,
};
use ironlands_assets_evil_islands::figure::{Figure, FigureAnimation, FigurePart};
use ironlands_assets_evil_islands::figure_scene::{
    FigureTargets, places_at_rest, to_model, weights_at_rest,
};
use ironlands_scene::{Affine, Instance, MaterialIdx, ModelIdx, MorphWeight, Scene};

mod crowd;

use super::pose::slerp;
use super::*;
use ironlands_sim_core::Ray;
use ironlands_sim_core::RowMatrix;
use ironlands_sim_world::{Clock, Play, Poses};

const N_FRAMES: usize = 5;
const HEIGHTS: [f32; 3] = [1.5, 1.75, 2.0];

/// Numbers in -1..1 that look like any, the same every time.
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
        [0; 4].map(|_| self.number())
    }
}

fn fig(random: &mut Random) -> Fig {
    let points = (0..8).map(|_| (0..4).map(|_| random.vector()).collect());
    let corner = |point| DraftVertex {
        point,
        normal: [0.0, 0.0, 1.0],
        texcoord: [0.0; 2],
    };
    let draft = FigDraft {
        points: points.collect(),
        vertices: [0, 1, 2, 3].map(corner).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        group: 19,
        texture: 1,
        bounds: BoundsConvention::default(),
    };
    let mut fig = Fig::draft(&draft).unwrap();
    fig.morphs = vec![
        MorphComponent {
            morph: 0,
            vertex: 1,
        },
        MorphComponent {
            morph: 1,
            vertex: 3,
        },
    ];
    fig
}

fn anm(random: &mut Random, is_morphing: bool) -> Anm {
    // Not of unit length: a rotation is by q v q^-1.
    let rotations = (0..N_FRAMES).map(|_| random.rotation().map(|v| v * 3.0));
    let rotations = rotations.collect();
    let translations = (0..N_FRAMES).map(|_| random.vector()).collect();
    let morphs = (0..N_FRAMES).map(|_| vec![random.vector(), random.vector()]);
    let morphs: Vec<_> = morphs.filter(|_| is_morphing).collect();
    Anm::draft(rotations, translations, &morphs).unwrap()
}

/// Hip; body on the hip; two arms on the body, the second with no animation; a hand on the second arm.
fn figure() -> Figure {
    let random = &mut Random(7);
    let parents = [None, Some(0), Some(1), Some(1), Some(3)];
    let parts = parents.map(|parent| FigurePart {
        name: format!("part on {parent:?}"),
        parent,
        fig: Some(fig(random)),
        bon: Some(Bon {
            offsets: (0..8).map(|_| random.vector()).collect(),
            tail: Vec::new(),
        }),
    });
    let animation = |name: &str, random: &mut Random| FigureAnimation {
        name: name.to_owned(),
        parts: vec![
            Some(anm(random, false)),
            Some(anm(random, true)),
            Some(anm(random, true)),
            None,
            Some(anm(random, false)),
        ],
    };
    Figure {
        name: "arms".to_owned(),
        parts: parts.to_vec(),
        animations: vec![animation("uattack01", random), animation("crest", random)],
        ..Figure::default()
    }
}

fn targets() -> FigureTargets {
    FigureTargets::new(&figure(), |_, _| true)
}

fn rig() -> Rig {
    Rig::new(&figure(), &targets(), Some(HEIGHTS), |_, it| {
        it.is_named_cycle()
    })
}

fn place() -> RowMatrix {
    let turn = glam::Mat4::from_rotation_z(0.7);
    RowMatrix::from(glam::Mat4::from_translation(Vec3::new(100.0, -50.0, 7.0)) * turn)
}

struct Pose {
    nodes: Vec<RowMatrix>,
    weights: Vec<MorphWeight>,
}

fn pose(rig: &Rig, build: &Build, world_from_model: RowMatrix, at: Option<FrameAt>) -> Pose {
    let mut pose = Pose {
        nodes: vec![RowMatrix::IDENTITY; rig.n_parts()],
        // What was there before does not count.
        weights: vec![
            MorphWeight {
                target: 3,
                weight: 9.0
            };
            rig.n_weights()
        ],
    };
    let posed = Posed {
        world_from_model,
        build,
        at,
    };
    rig.pose(&posed, &mut pose.nodes, &mut pose.weights);
    pose
}

/// Where a point of each part is by the formulas of the dossier, with quaternions in f64, part after part.
fn slow_places(
    figure: &Figure,
    complection: [f32; 3],
    animation: usize,
    [first, second, share]: [f64; 3],
    point: DVec3,
) -> Vec<DVec3> {
    let dquat = |[w, x, y, z]: [f32; 4]| {
        DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into()).normalize()
    };
    let dvec = |it: [f32; 3]| DVec3::from(it.map(f64::from));
    let mut placed: Vec<(DQuat, DVec3)> = Vec::new();
    let anms = &figure.animations[animation].parts;
    for (part, anm) in figure.parts.iter().zip(anms) {
        let own = anm.as_ref().map_or(DQuat::IDENTITY, |anm| {
            let [a, b] = [first, second].map(|frame| dquat(anm.rotations[frame as usize]));
            let b = if a.dot(b) < 0.0 { -b } else { b };
            let dot = a.dot(b);
            if dot > 0.999 {
                (a * (1.0 - share) + b * share).normalize()
            } else {
                let angle = dot.acos();
                (a * ((1.0 - share) * angle).sin() + b * (share * angle).sin()) / angle.sin()
            }
        });
        let offset = dvec(part.bon.as_ref().unwrap().offset(complection));
        placed.push(match part.parent {
            None => {
                let translations = &anm.as_ref().unwrap().translations;
                let [a, b] = [first, second].map(|frame| dvec(translations[frame as usize]));
                let [least, middle, greatest] = HEIGHTS.map(f64::from);
                let scale = (least + f64::from(complection[2]) * (greatest - least)) / middle;
                (own, (a + (b - a) * share) * scale)
            }
            Some(parent) => {
                let (turned, position) = placed[parent as usize];
                (own * turned, position + turned * offset)
            }
        });
    }
    placed
        .iter()
        .map(|(turned, position)| *position + *turned * point)
        .collect()
}

#[test]
fn a_part_turns_after_its_parent_about_the_axes_of_the_model() {
    // Dossier section 13.10.
    let half = 0.5f32.sqrt();
    let turned = |rotation| Some(Anm::draft(vec![rotation], Vec::new(), &[]).unwrap());
    let part = |parent, offset| FigurePart {
        parent,
        bon: Some(Bon {
            offsets: vec![offset],
            tail: Vec::new(),
        }),
        ..FigurePart::default()
    };
    let figure = Figure {
        parts: vec![part(None, [5.0, 6.0, 7.0]), part(Some(0), [0.0, 1.0, 0.0])],
        animations: vec![FigureAnimation {
            name: "cidle".to_owned(),
            parts: vec![
                turned([half, 0.0, 0.0, half]),
                turned([half, half, 0.0, 0.0]),
            ],
        }],
        ..Figure::default()
    };
    let targets = FigureTargets::new(&figure, |_, _| true);
    let rig = Rig::new(&figure, &targets, None, |_, _| true);
    let at = FrameAt {
        animation: 0,
        frame: 0.0,
    };
    let found = pose(&rig, &rig.build([0.0; 3]), RowMatrix::IDENTITY, Some(at));
    let child = found.nodes[1].to_mat4();
    let parent = Vec3::new(5.0, 6.0, 7.0);
    let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-5, "{a} {b}");
    near(child.transform_point3(Vec3::ZERO), parent + Vec3::NEG_X);
    near(child.transform_vector3(Vec3::Y), Vec3::NEG_X);
    near(child.transform_vector3(Vec3::Z), Vec3::NEG_Y);
    let rotation = Quat::from_mat4(&child);
    let expected = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    assert!(rotation.dot(expected).abs() > 0.99999, "{rotation}");
}

#[test]
fn poses_are_those_of_the_plain_formulas() {
    let (figure, rig) = (figure(), rig());
    let complections = [[0.0; 3], [0.25, 0.5, 0.75], [1.0, -0.2, 1.4]];
    // A cycle repeats, an attack stays at its ends.
    let moments: [(usize, f32, [f64; 3]); 11] = [
        (1, 0.0, [0.0, 1.0, 0.0]),
        (1, 1.25, [1.0, 2.0, 0.25]),
        (1, 4.5, [4.0, 0.0, 0.5]),
        (1, 5.0, [0.0, 1.0, 0.0]),
        (1, 13.75, [3.0, 4.0, 0.75]),
        (1, -0.5, [4.0, 0.0, 0.5]),
        (0, 2.5, [2.0, 3.0, 0.5]),
        (0, 4.0, [4.0, 4.0, 0.0]),
        (0, 99.5, [4.0, 4.0, 0.0]),
        (0, -3.0, [0.0, 1.0, 0.0]),
        (0, f32::NAN, [0.0, 1.0, 0.0]),
    ];
    for complection in complections {
        let build = rig.build(complection);
        for (animation, frame, slow) in moments {
            let at = Some(FrameAt { animation, frame });
            let found = pose(&rig, &build, place(), at);
            let point = Vec3::new(0.5, -1.0, 2.0);
            let expected = slow_places(&figure, complection, animation, slow, point.as_dvec3());
            for (node, expected) in found.nodes.iter().zip(expected) {
                let found = node.to_mat4().transform_point3(point);
                let expected = place().to_mat4().transform_point3(expected.as_vec3());
                // f32 at a distance of 100.
                assert!(
                    found.distance(expected) < 1e-4,
                    "{animation} {frame}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn vertices_are_those_of_both_frames_in_proportion() {
    let (figure, rig) = (figure(), rig());
    let model = to_model(&figure, &targets(), &mut |_| MaterialIdx(0));
    let complection = [0.2, 0.7, 0.4];
    for (frame, [first, second], share) in
        [(1.0, [1, 2], 0.0), (2.25, [2, 3], 0.25), (4.5, [4, 0], 0.5)]
    {
        let at = FrameAt {
            animation: 1,
            frame,
        };
        let found = pose(&rig, &rig.build(complection), place(), Some(at));
        let morphed = model.mesh.morphed(&found.weights);
        let parts = figure
            .parts
            .iter()
            .zip(&figure.animations[1].parts)
            .enumerate();
        for (index, (part, anm)) in parts {
            let fig = part.fig.as_ref().unwrap();
            for (at, component) in fig.components.iter().enumerate() {
                let vertex = usize::from(component.position);
                let mut expected = Vec3::from(fig.position(vertex, complection));
                let moved_by = [None, Some(0), None, Some(1)][vertex];
                let anm = anm.as_ref().filter(|anm| !anm.morphs.is_empty());
                if let Some((anm, morph)) = anm.zip(moved_by) {
                    let [a, b] =
                        [first, second].map(|frame| Vec3::from(anm.morphs_of(frame)[morph]));
                    expected += a.lerp(b, share);
                }
                let found = Vec3::from(morphed[index * 4 + at]);
                assert!(
                    found.distance(expected) < 1e-5,
                    "{index} {at}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn at_rest_it_stands_as_the_scene_has_it() {
    let (figure, rig) = (figure(), rig());
    let complection = [0.2, 0.7, 0.4];
    let model = to_model(&figure, &targets(), &mut |_| MaterialIdx(0));
    let instance = Instance {
        world_from_model: Affine([
            [1.0, 0.0, 0.0, 9.0],
            [0.0, 1.0, 0.0, 8.0],
            [0.0, 0.0, 1.0, 7.0],
        ]),
        parent_from_nodes: places_at_rest(&figure, complection),
        ..Instance::default()
    };
    let mut expected = Vec::new();
    instance.rest_pose(&model, &mut expected);
    let world_from_model = RowMatrix::from_rows(instance.world_from_model.0);
    let nowhere = Some(FrameAt {
        animation: 77,
        frame: 1.0,
    });
    for at in [None, nowhere] {
        let found = pose(&rig, &rig.build(complection), world_from_model, at);
        let shown = found.weights.iter().filter(|it| it.weight != 0.0);
        assert_eq!(
            shown.copied().collect::<Vec<_>>(),
            weights_at_rest(complection)
        );
        for (found, expected) in found.nodes.iter().zip(&expected) {
            let expected = RowMatrix::from_rows(expected.0).to_mat4();
            assert!(found.to_mat4().abs_diff_eq(expected, 1e-5));
        }
    }
}

#[test]
fn rotations_go_the_shorter_way_and_nearly_equal_ones_in_a_line() {
    let at = |angle: f32| Quat::from_rotation_z(angle);
    for (from, to, share, expected) in [
        (at(0.0), at(1.0), 0.25, at(0.25)),
        (at(0.0), -at(1.0), 0.25, at(0.25)),
        (at(-0.5), at(0.5), 0.5, at(0.0)),
        (at(0.0), at(0.01), 0.5, at(0.005)),
        (at(0.3), at(0.3), 0.7, at(0.3)),
    ] {
        let found = slerp(from, to, share);
        assert!(found.dot(expected) > 1.0 - 1e-6, "{found} {expected}");
        assert!((found.length() - 1.0).abs() < 1e-6);
    }
    // Half a degree below and above the border both ways differ by less than what is seen.
    let border = 2.0 * 0.999f32.acos();
    let [below, above] = [0.99, 1.01].map(|part| slerp(at(0.0), at(border * part), 0.25));
    assert!(below.dot(at(border * 0.99 * 0.25)) > 1.0 - 1e-6);
    assert!(above.dot(at(border * 1.01 * 0.25)) > 1.0 - 1e-6);
}

#[test]
fn without_heights_the_root_goes_as_far_as_stored() {
    let figure = figure();
    let at = Some(FrameAt {
        animation: 0,
        frame: 2.0,
    });
    let stored = Vec3::from(figure.animations[0].parts[0].as_ref().unwrap().translations[2]);
    for (heights, height, scale) in [
        (None, 0.5, 1.0),
        (Some([1.0, 0.0, 2.0]), 0.5, 1.0),
        (Some([1.0, 1.5, 2.0]), 0.5, 1.0),
        (Some([1.0, 1.0, 3.0]), 0.5, 2.0),
        (Some([1.0, 1.0, 3.0]), 0.0, 1.0),
    ] {
        let rig = Rig::new(&figure, &targets(), heights, |_, _| false);
        let found = pose(
            &rig,
            &rig.build([0.0, 0.0, height]),
            RowMatrix::IDENTITY,
            at,
        );
        let place = found.nodes[0].to_mat4().transform_point3(Vec3::ZERO);
        assert!(
            place.distance(stored * scale) < 1e-5,
            "{heights:?}: {place}"
        );
    }
}

#[test]
fn idle_is_the_animation_of_that_name_or_the_first_cycle() {
    let mut figure = figure();
    let idle = |figure: &Figure| {
        let targets = FigureTargets::new(figure, |_, _| true);
        Rig::new(figure, &targets, None, |_, it| it.is_named_cycle()).idle()
    };
    assert_eq!(idle(&figure), Some(1));
    figure.animations.push(FigureAnimation {
        name: "CIdle".to_owned(),
        ..figure.animations[1].clone()
    });
    assert_eq!(idle(&figure), Some(2));
    figure.animations.truncate(1);
    assert_eq!(idle(&figure), None);
    let rig = rig();
    assert_eq!([0, 1, 2].map(|it| rig.last_frame(it)), [4.0, 5.0, 0.0]);
}

#[test]
fn batches_are_bit_for_bit_what_single_poses_are_on_any_number_of_threads() {
    let rig = rig();
    let random = &mut Random(1);
    let builds: Vec<_> = (0..300).map(|_| rig.build(random.vector())).collect();
    let posed = builds.iter().enumerate().map(|(index, build)| Posed {
        world_from_model: place(),
        build,
        at: (index % 7 > 0).then(|| FrameAt {
            animation: index % 2,
            frame: random.number() * 20.0,
        }),
    });
    let posed: Vec<_> = posed.collect();
    let bits = |nodes: &[RowMatrix], weights: &[MorphWeight]| -> Vec<u32> {
        let numbers = nodes.iter().flat_map(|it| it.0).map(f32::to_bits);
        numbers
            .chain(
                weights
                    .iter()
                    .flat_map(|it| [it.target, it.weight.to_bits()]),
            )
            .collect()
    };
    let mut singly = (Vec::new(), Vec::new());
    for it in &posed {
        let one = pose(&rig, it.build, it.world_from_model, it.at);
        singly.0.extend(one.nodes);
        singly.1.extend(one.weights);
    }
    for n_threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        let mut nodes = vec![RowMatrix::IDENTITY; posed.len() * rig.n_parts()];
        let mut weights = vec![MorphWeight::default(); posed.len() * rig.n_weights()];
        pool.install(|| rig.pose_batch(&posed, &mut nodes, &mut weights));
        assert!(
            bits(&nodes, &weights) == bits(&singly.0, &singly.1),
            "{n_threads} threads"
        );
    }
}
