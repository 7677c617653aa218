use ironlands_scene::{Material, ModelIdx, Scene};

use super::*;
use crate::anm::Anm;
use crate::fig::{BoundsConvention, DraftVertex, FigDraft, MorphComponent};
use crate::figure::{FigureAnimation, FigurePart};

const COMPLECTIONS: [[f32; 3]; 6] = [
    [0.0; 3],
    [1.0; 3],
    [0.25, 0.5, 0.75],
    [0.0, 1.0, 0.0],
    [-0.5, 1.5, 0.3],
    [0.9, 0.1, 2.0],
];

/// Numbers in -1..1 that look like any, the same every time.
fn random(state: &mut u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) as f32 / 8_388_608.0 - 1.0
}

/// A mesh of this many states over a square of five points and two triangles.
fn fig(seed: u32, n_states: usize, group: u32, texture: u32) -> Fig {
    let mut state = seed;
    let mut point = || [0; 3].map(|_| random(&mut state));
    let points = (0..n_states).map(|_| (0..5).map(|_| point()).collect());
    let corner = |point| DraftVertex {
        point,
        normal: [0.0, 0.6, 0.8],
        texcoord: [point as f32, 0.5],
    };
    let draft = FigDraft {
        points: points.collect(),
        vertices: [4, 1, 2, 3, 1].map(corner).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        group,
        texture,
        bounds: BoundsConvention::default(),
    };
    Fig::draft(&draft).unwrap()
}

fn bon(seed: u32) -> Bon {
    let mut state = seed;
    Bon {
        offsets: (0..8).map(|_| [0; 3].map(|_| random(&mut state))).collect(),
        tail: Vec::new(),
    }
}

/// A hip that carries a body, which carries a nameless nothing with a head. The head's vertices move.
fn figure() -> Figure {
    let part = |name: &str, parent, fig, bon| FigurePart {
        name: name.to_owned(),
        parent,
        fig,
        bon,
    };
    let mut head = fig(3, 8, 25, 8);
    // Two offsets for three positions; one of them moves twice.
    let pairs = [(0, 1), (1, 4), (1, 1), (0, 3)];
    head.morphs = pairs
        .map(|(morph, vertex)| MorphComponent { morph, vertex })
        .to_vec();
    let rotations = vec![[1.0, 0.0, 0.0, 0.0]; 2];
    let morphs = [
        vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
        vec![[0.0, 0.0, 4.0], [8.0, 0.0, 0.0]],
    ];
    let moving = Anm::draft(rotations.clone(), Vec::new(), &morphs).unwrap();
    let turning = Anm::draft(rotations, vec![[0.0; 3]; 2], &[]).unwrap();
    let animation = |name: &str, head: &Anm| FigureAnimation {
        name: name.to_owned(),
        parts: vec![Some(turning.clone()), None, None, Some(head.clone())],
    };
    Figure {
        name: "unhufe".to_owned(),
        parts: vec![
            part("hp", None, Some(fig(1, 8, 19, 1)), Some(bon(10))),
            part("bd", Some(0), Some(fig(2, 1, 18, 2)), Some(bon(11))),
            part("", Some(1), None, None),
            part("Hd.hair", Some(2), Some(head), Some(bon(12))),
        ],
        animations: vec![
            animation("cidle", &turning),
            animation("crun", &moving),
            animation("udie", &moving),
        ],
        ..Figure::default()
    }
}

fn made(targets: &FigureTargets) -> (Model, Vec<PartSurface>) {
    let mut surfaces = Vec::new();
    let model = to_model(&figure(), targets, &mut |surface| {
        surfaces.push(surface);
        MaterialIdx(surfaces.len() as u32 - 1)
    });
    (model, surfaces)
}

fn all_targets() -> FigureTargets {
    FigureTargets::new(&figure(), |_, _| true)
}

fn assert_near(found: [f32; 3], expected: [f32; 3], what: &str) {
    // Sums of eight products of numbers below 8 in f32.
    let is_near = found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() < 2e-5);
    assert!(is_near, "{what}: {found:?}, not {expected:?}");
}

#[test]
fn vertices_are_where_the_trilinear_formula_has_them() {
    let figure = figure();
    let (model, _) = made(&all_targets());
    for complection in COMPLECTIONS {
        let morphed = model.mesh.morphed(&weights_at_rest(complection));
        let figs = figure.parts.iter().filter_map(|part| part.fig.as_ref());
        let expected = figs.flat_map(|fig| {
            let components = fig.components.iter();
            components.map(|it| fig.position(it.position.into(), complection))
        });
        let expected: Vec<_> = expected.collect();
        assert_eq!(morphed.len(), expected.len());
        for (found, expected) in morphed.iter().zip(expected) {
            assert_near(*found, expected, &format!("{complection:?}"));
        }
    }
}

#[test]
fn parts_stand_where_their_offsets_have_them() {
    let figure = figure();
    let (model, _) = made(&all_targets());
    for complection in COMPLECTIONS {
        let instance = Instance {
            parent_from_nodes: places_at_rest(&figure, complection),
            ..Instance::default()
        };
        let mut poses = Vec::new();
        instance.rest_pose(&model, &mut poses);
        let expected = figure.rest_positions(complection);
        assert_eq!(poses.len(), expected.len());
        for (pose, expected) in poses.iter().zip(expected) {
            assert_near(
                pose.transform_point([0.0; 3]),
                expected,
                &format!("{complection:?}"),
            );
        }
    }
}

#[test]
fn frames_that_move_vertices_are_targets_of_their_part() {
    let (model, _) = made(&all_targets());
    let targets = all_targets();
    assert_eq!(targets.n_targets(), 7 + 2 * 2);
    assert_eq!(targets.n_targets() as usize, model.mesh.morph_targets.len());
    let first = |animation, part| targets.first_frame(animation, part);
    assert_eq!(
        [first(0, 3), first(1, 0), first(1, 3), first(2, 3)],
        [None, None, Some(7), Some(9)]
    );
    // Components 4 1 2 3 1 of the head stand behind ten others; position 2 stays.
    let second = &model.mesh.morph_targets[8];
    assert_eq!(second.name, "crun Hd.hair 1");
    assert_eq!(second.first_vertex, 10);
    let [of_1, of_3, of_4] = [[8.0, 0.0, 4.0], [0.0, 0.0, 4.0], [8.0, 0.0, 0.0]];
    assert_eq!(second.offsets, [of_4, of_1, [0.0; 3], of_3, of_1]);
    let only_death = FigureTargets::new(&figure(), |_, it| it.name == "udie");
    assert_eq!(
        (only_death.first_frame(1, 3), only_death.first_frame(2, 3)),
        (None, Some(7))
    );
}

#[test]
fn states_that_are_all_alike_cost_nothing() {
    let mut figure = figure();
    figure.parts.truncate(1);
    figure.parts[0].fig = Some(fig(1, 1, 19, 1));
    figure.animations.clear();
    let targets = FigureTargets::new(&figure, |_, _| true);
    let model = to_model(&figure, &targets, &mut |_| MaterialIdx(0));
    assert_eq!(model.mesh.morph_targets.len(), 7);
    assert!(
        model
            .mesh
            .morph_targets
            .iter()
            .all(|target| target.offsets.is_empty())
    );
}

#[test]
fn groups_and_numbers_of_textures_choose_materials() {
    let (model, surfaces) = made(&all_targets());
    let surface = |group, texture| PartSurface { group, texture };
    let expected = [
        surface(19, TextureSlot::Primary),
        surface(18, TextureSlot::Secondary),
        surface(25, TextureSlot::Primary),
    ];
    assert_eq!(surfaces, expected);
    let [opaque, tested, blended] = expected.map(|it| it.pass(Some(TextureIdx(4))));
    assert_eq!(
        (opaque.alpha_test, opaque.blend, opaque.depth_write),
        (None, None, true)
    );
    assert_eq!((tested.alpha_test, tested.blend), (Some(0.5), None));
    assert_eq!(
        (blended.kind, blended.blend),
        (PassKind::Translucent, Some(Blend::ALPHA))
    );
    assert!(!blended.depth_write);
    let unknown = surface(99, TextureSlot::Primary).pass(None);
    assert_eq!(unknown.alpha_test, Some(0.5));
    let nodes: Vec<_> = model.pieces.iter().map(|piece| piece.node).collect();
    assert_eq!(nodes, [0, 1, 3]);
}

#[test]
fn body_parts_are_recognized_by_name_in_any_case() {
    let (model, _) = made(&all_targets());
    assert_eq!(hidden_pieces(&model, &[] as &[&str]), Vec::<u32>::new());
    assert_eq!(hidden_pieces(&model, &["HP", "hd.HAIR"]), [1]);
    assert_eq!(hidden_pieces(&model, &["nothing"]), [0, 1, 2]);
}

#[test]
fn the_lowest_vertex_is_that_of_shown_pieces_where_they_stand() {
    let figure = figure();
    let (model, _) = made(&all_targets());
    let complection = [0.3, 0.6, 0.9];
    let mut instance = Instance {
        // A half turn about x: what was up is down.
        world_from_model: Affine([
            [1.0, 0.0, 0.0, 0.0],
            [0.0, -1.0, 0.0, 0.0],
            [0.0, 0.0, -1.0, 100.0],
        ]),
        parent_from_nodes: places_at_rest(&figure, complection),
        morph: weights_at_rest(complection),
        ..Instance::default()
    };
    let of_part = |part: usize| {
        let [_, _, up] = figure.rest_positions(complection)[part];
        let fig = figure.parts[part].fig.as_ref().unwrap();
        // Component 4 is on no triangle, but has the position of another.
        let heights = fig.components.iter().map(|it| {
            let [_, _, z] = fig.position(it.position.into(), complection);
            100.0 - (up + z)
        });
        heights.fold(f32::INFINITY, f32::min)
    };
    let all = [0, 1, 3]
        .map(of_part)
        .into_iter()
        .fold(f32::INFINITY, f32::min);
    assert!((lowest_vertex(&model, &instance).unwrap() - all).abs() < 1e-4);
    instance.hidden_pieces = vec![0, 2];
    assert!((lowest_vertex(&model, &instance).unwrap() - of_part(1)).abs() < 1e-4);
    instance.hidden_pieces = vec![0, 1, 2];
    assert_eq!(lowest_vertex(&model, &instance), None);
}

#[test]
fn numbers_that_are_none_make_no_broken_scene() {
    let mut figure = figure();
    for part in &mut figure.parts {
        if let Some(fig) = &mut part.fig {
            fig.states[0].positions[1][2] = f32::NAN;
            fig.normals[0] = [f32::INFINITY; 4];
            fig.texcoords[0] = [f32::NAN; 2];
        }
        if let Some(bon) = &mut part.bon {
            bon.offsets[0][1] = f32::INFINITY;
        }
    }
    figure.animations[1].parts[3].as_mut().unwrap().morphs[0] = [f32::NAN; 3];
    let targets = FigureTargets::new(&figure, |_, _| true);
    let model = to_model(&figure, &targets, &mut |_| MaterialIdx(0));
    let scene = Scene {
        materials: vec![Material::default()],
        models: vec![model],
        instances: vec![Instance {
            model: ModelIdx(0),
            parent_from_nodes: places_at_rest(&figure, [0.5, f32::NAN, 0.5]),
            morph: weights_at_rest([0.5, f32::NAN, 0.5]),
            ..Instance::default()
        }],
        ..Scene::default()
    };
    assert_eq!(scene.validate(), Ok(()));
}
