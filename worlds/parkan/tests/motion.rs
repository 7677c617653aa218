//! Objects of a level that stand, play clips, walk, and hang on each other.

use glam::{Mat4, Quat, Vec3};
use ironlands_assets_parkan::level_objects::{
    Attachment, Clip, LevelComponent, LevelModel, LevelObject, LevelObjects, Movement, Walk,
};
use ironlands_assets_parkan::material_table::WearRows;
use ironlands_assets_parkan::model_scene::{FirstNode, to_model};
use ironlands_assets_parkan::msh::{
    DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft, stored_rotation,
};
use ironlands_scene::{Affine, MaterialIdx};
use ironlands_sim_core::Ray;
use ironlands_sim_core::RowMatrix;
use ironlands_sim_world::{Clock, Play, Poses};
use ironlands_world_parkan::motion::Motion;

/// Two nodes: a hip that stands still one unit up, and a leg that swings forward in frames 0 to 4 and back in
/// frames 4 to 8.
fn leg() -> ModelDraft {
    let swing = |frame: f32, angle_deg: f32| {
        let turn = Quat::from_rotation_y(angle_deg.to_radians());
        DraftKey {
            time: frame,
            position: [0.0, 0.0, -0.5],
            rotation: stored_rotation([turn.w, turn.x, turn.y, turn.z]),
        }
    };
    let still = DraftKey {
        time: 0.0,
        position: [0.0, 0.0, 1.0],
        rotation: [1.0, 0.0, 0.0, 0.0],
    };
    ModelDraft {
        nodes: vec![
            DraftNode {
                name: b"hip".to_vec(),
                keys: vec![still],
                pieces: vec![triangle()],
                ..DraftNode::default()
            },
            DraftNode {
                name: b"leg".to_vec(),
                parent: Some(0),
                keys: vec![swing(0.0, 0.0), swing(4.0, 90.0), swing(8.0, 0.0)],
                pieces: vec![triangle()],
                ..DraftNode::default()
            },
        ],
        ..ModelDraft::default()
    }
}

fn triangle() -> DraftPiece {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..DraftVertex::default()
    };
    DraftPiece {
        state: 0,
        lod: 0,
        batches: vec![DraftBatch {
            triangles: vec![[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]],
            ..DraftBatch::default()
        }],
    }
}

fn model(first_node: FirstNode) -> LevelModel {
    LevelModel {
        name: "LEG.MSH".to_owned(),
        msh: leg().build().expect("a sound draft").into(),
        rows: WearRows::default(),
        first_node,
    }
}

/// At (10, 20, 30), turned a quarter from +X to +Y, twice as large.
fn place() -> Affine {
    Affine([
        [0.0, -2.0, 0.0, 10.0],
        [2.0, 0.0, 0.0, 20.0],
        [0.0, 0.0, 2.0, 30.0],
    ])
}

fn object(movement: Option<Movement>) -> LevelObject {
    LevelObject {
        name: "walker".to_owned(),
        world_from_object: place(),
        components: vec![LevelComponent {
            model: 0,
            attached_to: None,
        }],
        movement,
    }
}

fn one(movement: Option<Movement>) -> Motion {
    Motion::new(&LevelObjects {
        models: vec![model(FirstNode::Own)],
        objects: vec![object(movement)],
        basements: Vec::new(),
    })
    .expect("sound skeletons")
}

fn pose(motion: &Motion, time_secs: f64, play: Play) -> Poses {
    let mut poses = Poses::from(vec![RowMatrix::IDENTITY; 3]); // left from a frame before
    motion.pose(&Clock { time_secs, play }, &|_| None, &mut poses);
    assert_eq!(poses.world_from_nodes().len(), motion.n_nodes());
    poses
}

/// Where the leg's own (0, 0, -1) is.
fn foot(poses: &Poses) -> Vec3 {
    let matrices = poses.world_from_nodes();
    matrices[1].to_mat4().transform_point3(Vec3::NEG_Z)
}

fn assert_near(found: Vec3, expected: [f32; 3]) {
    // Stored quaternions have steps of 1/32767, which the size of the level does not multiply.
    let distance = found.distance(Vec3::from(expected));
    assert!(distance < 1e-3, "{found}, expected {expected:?}");
}

#[test]
fn what_the_level_says_nothing_of_stands_at_frame_0() {
    let motion = one(None);
    // Hip at 1, leg half a unit below, foot one unit further; all twice as large.
    for play in [Play::Still, Play::Level, Play::Frame(0.0)] {
        assert_near(foot(&pose(&motion, 5.0, play)), [10.0, 20.0, 29.0]);
    }
}

#[test]
fn a_still_pose_is_the_rest_pose_of_the_scene() {
    let level_objects = LevelObjects {
        models: vec![model(FirstNode::Own), model(FirstNode::AttachRoot)],
        objects: vec![hung_on_the_leg()],
        basements: Vec::new(),
    };
    let motion = Motion::new(&level_objects).expect("sound skeletons");
    let poses = pose(&motion, 0.0, Play::Still);
    let matrices = poses.world_from_nodes();
    let mut expected = Vec::new();
    for (model, world_from_model) in [(0, place()), (1, Affine::default())] {
        let LevelModel {
            name,
            msh,
            rows: _,
            first_node,
        } = &level_objects.models[model];
        let model = to_model(name, msh, *first_node, &mut |_| MaterialIdx(0));
        let world_from_model = expected.get(1).copied().unwrap_or(world_from_model);
        model.rest_pose(&world_from_model, &mut expected);
    }
    for (found, Affine(rows)) in matrices.iter().zip(&expected) {
        assert_eq!(&found.0[..12], rows.as_flattened());
    }
    assert_eq!(matrices.len(), expected.len());
}

#[test]
fn a_clip_loops_and_its_last_frame_is_its_first() {
    let clip = Clip {
        first: 4.0,
        last: 8.0,
        rate: 2.0,
        start: 0.0,
    };
    let motion = one(Some(Movement {
        clip: Some(clip),
        walk: None,
    }));
    let at = |time_secs| foot(&pose(&motion, time_secs, Play::Level));
    // Frame 4: the leg points along the model's -X, which the place turns to -Y.
    assert_near(at(0.0), [10.0, 18.0, 31.0]);
    let eighth = std::f32::consts::FRAC_1_SQRT_2 * 2.0;
    assert_near(at(1.0), [10.0, 20.0 - eighth, 31.0 - eighth]);
    assert_near(at(2.0), [10.0, 18.0, 31.0]);
    assert_near(at(2001.0), at(1.0).to_array());
    assert_near(at(-1.0), at(1.0).to_array());
    assert_near(foot(&pose(&motion, 1.0, Play::Still)), [10.0, 20.0, 29.0]);
}

#[test]
fn a_clip_may_have_begun_before() {
    let clip = |start| Clip {
        first: 0.0,
        last: 8.0,
        rate: 2.0,
        start,
    };
    let at = |start, time_secs| {
        let motion = one(Some(Movement {
            clip: Some(clip(start)),
            walk: None,
        }));
        foot(&pose(&motion, time_secs, Play::Level))
    };
    assert_near(at(6.0, 0.0), at(0.0, 3.0).to_array());
    assert_near(at(-2.0, 2.0), at(0.0, 1.0).to_array());
    // After a day a frame is still a frame.
    let day = 86_400.0;
    assert_near(at(0.0, day + 0.01), at(0.0, 0.01).to_array());
}

#[test]
fn all_can_be_made_to_play_and_any_frame_be_shown() {
    let motion = one(None);
    let eighth = std::f32::consts::FRAC_1_SQRT_2 * 2.0;
    let bent = [10.0, 20.0 - eighth, 31.0 - eighth];
    let all = Play::All { rate: 10.0 };
    assert_near(foot(&pose(&motion, 0.2, all.clone())), bent);
    assert_near(foot(&pose(&motion, 1.0, all)), bent);
    assert_near(foot(&pose(&motion, 0.0, Play::Frame(6.0))), bent);
    assert_eq!(motion.last_frame(), 8.0);
}

/// The leg with a second one, whose hip is the first one's leg.
fn hung_on_the_leg() -> LevelObject {
    let attached = LevelComponent {
        model: 1,
        attached_to: Some(Attachment {
            component: 0,
            node: Some(1),
        }),
    };
    let mut object = object(None);
    object.components.push(attached);
    object
}

#[test]
fn a_component_hangs_on_the_node_of_another() {
    let motion = Motion::new(&LevelObjects {
        models: vec![model(FirstNode::Own), model(FirstNode::AttachRoot)],
        objects: vec![hung_on_the_leg()],
        basements: Vec::new(),
    })
    .expect("sound skeletons");
    let poses = pose(&motion, 0.0, Play::Frame(4.0));
    let matrices = poses.world_from_nodes();
    // Its first node has no pose of its own: it is where the node is that it hangs on.
    assert_eq!(matrices[2], matrices[1]);
    let [parent, own] = [1, 3].map(|node: usize| matrices[node].to_mat4());
    let local = parent.inverse() * own;
    let expected = Mat4::from_rotation_translation(
        Quat::from_rotation_y(90.0f32.to_radians()),
        Vec3::new(0.0, 0.0, -0.5),
    );
    assert!(local.abs_diff_eq(expected, 1e-3), "{local}");
}

#[test]
fn what_hangs_on_nothing_stands_where_its_object_does() {
    let hung_on = |component, node| LevelComponent {
        model: 0,
        attached_to: Some(Attachment { component, node }),
    };
    let missing_model = LevelComponent {
        model: 7,
        attached_to: None,
    };
    let mut object = object(None);
    object.components.extend([
        missing_model,
        hung_on(9, None),
        hung_on(0, Some(99)),
        hung_on(0, Some(usize::MAX)),
        hung_on(1, Some(0)),
    ]);
    let motion = Motion::new(&LevelObjects {
        models: vec![model(FirstNode::Own)],
        objects: vec![object],
        basements: Vec::new(),
    });
    let motion = motion.expect("sound skeletons");
    let poses = pose(&motion, 0.0, Play::Still);
    let (pairs, _) = poses.world_from_nodes().as_chunks::<2>();
    assert_eq!(
        pairs.len(),
        5,
        "a pair of nodes for each model that is there"
    );
    for pair in &pairs[1..4] {
        assert_eq!(pair, &pairs[0]);
    }
    assert_eq!(motion.names_at(10), None);
}

fn square_walk(speed: f32, start: f32) -> Option<Movement> {
    let points = [
        [0.0, 0.0, 5.0],
        [100.0, 0.0, 5.0],
        [100.0, 100.0, 5.0],
        [0.0, 100.0, 5.0],
    ];
    Some(Movement {
        clip: None,
        walk: Some(Walk {
            points: points.into(),
            speed,
            start,
        }),
    })
}

#[test]
fn a_walker_goes_around_its_way_at_its_speed_and_looks_ahead() {
    let motion = one(square_walk(4.0, 10.0));
    for (time_secs, position, ahead) in [
        (0.0, [10.0, 0.0, 5.0], Vec3::X),
        (10.0, [50.0, 0.0, 5.0], Vec3::X),
        (35.0, [100.0, 50.0, 5.0], Vec3::Y),
        (60.0, [50.0, 100.0, 5.0], Vec3::NEG_X),
        (85.0, [0.0, 50.0, 5.0], Vec3::NEG_Y),
        (110.0, [50.0, 0.0, 5.0], Vec3::X),
    ] {
        let hip = pose(&motion, time_secs, Play::Level).world_from_nodes()[0].to_mat4();
        // The hip is a unit above the ground, twice as large as modeled.
        assert_near(
            hip.w_axis.truncate(),
            [position[0], position[1], position[2] + 2.0],
        );
        assert_near(hip.transform_vector3(Vec3::X), (ahead * 2.0).to_array());
    }
}

#[test]
fn a_walker_turns_its_corners_and_walks_backward_looking_where_it_goes() {
    let motion = one(square_walk(4.0, 0.0));
    let ahead = |time_secs| {
        let hip = pose(&motion, time_secs, Play::Level).world_from_nodes()[0].to_mat4();
        hip.transform_vector3(Vec3::X).normalize()
    };
    assert_near(ahead(25.0), [0.5f32.sqrt(), 0.5f32.sqrt(), 0.0]);
    assert!(ahead(24.9).x > ahead(25.0).x);
    let backward = one(square_walk(-4.0, 50.0));
    let hip = pose(&backward, 5.0, Play::Level).world_from_nodes()[0].to_mat4();
    assert_near(hip.w_axis.truncate(), [30.0, 0.0, 7.0]);
    assert_near(hip.transform_vector3(Vec3::X), [-2.0, 0.0, 0.0]);
}

#[test]
fn a_walker_stands_on_the_ground_where_there_is_any() {
    let motion = one(square_walk(4.0, 10.0));
    let mut poses = Poses::default();
    let clock = Clock {
        time_secs: 0.0,
        play: Play::Level,
    };
    motion.pose(&clock, &|[x, _, _]| Some(x + 100.0), &mut poses);
    assert_near(
        poses.world_from_nodes()[0].to_mat4().w_axis.truncate(),
        [10.0, 0.0, 112.0],
    );
}

#[test]
fn a_way_that_cannot_be_walked_is_not_walked() {
    let mut cases = vec![square_walk(0.0, 0.0), square_walk(f32::NAN, 0.0)];
    for points in [
        vec![],
        vec![[1.0; 3]],
        vec![[1.0; 3]; 5],
        vec![[f32::NAN; 3]; 3],
    ] {
        cases.push(Some(Movement {
            clip: None,
            walk: Some(Walk {
                points: points.into(),
                speed: 1.0,
                start: 0.0,
            }),
        }));
    }
    for movement in cases {
        let motion = one(movement.clone());
        let found = foot(&pose(&motion, 3.0, Play::Level));
        assert_near(found, [10.0, 20.0, 29.0]);
    }
}

/// Where a ray straight down meets the two models, by a slow look at all triangles of all nodes.
fn slow_hit(motion: &Motion, poses: &Poses, ray: &Ray) -> Option<(usize, f32)> {
    let mut nearest: Option<(usize, f32)> = None;
    for node in 0..motion.n_nodes() {
        for [a, b, c] in motion.node_triangles(node, poses) {
            let normal = (b - a).cross(c - a).as_dvec3();
            let along = ray.direction.as_dvec3().dot(normal);
            let t = (a - ray.origin).as_dvec3().dot(normal) / along;
            let point = ray.origin.as_dvec3() + ray.direction.as_dvec3() * t;
            let is_inside = [[a, b], [b, c], [c, a]].iter().all(|[from, to]| {
                let from = from.as_dvec3();
                (to.as_dvec3() - from).cross(point - from).dot(normal) >= 0.0
            });
            if is_inside && t >= 0.0 && nearest.is_none_or(|(_, nearest)| (t as f32) < nearest) {
                nearest = Some((node, t as f32));
            }
        }
    }
    nearest
}

#[test]
fn rays_meet_posed_models_where_their_triangles_are() {
    let mut objects = vec![hung_on_the_leg()];
    for step in 1..4 {
        let mut object = object(None);
        object.world_from_object.0[0][3] += 1.5 * step as f32;
        objects.push(object);
    }
    let motion = Motion::new(&LevelObjects {
        models: vec![model(FirstNode::Own), model(FirstNode::AttachRoot)],
        objects,
        basements: Vec::new(),
    })
    .expect("sound skeletons");
    let poses = pose(&motion, 0.0, Play::Frame(1.5));
    let mut n_hits = 0;
    for i in 0..400 {
        let (row, column) = ((i / 20) as f32, (i % 20) as f32);
        let ray = Ray {
            origin: Vec3::new(5.0 + row * 0.537, 16.0 + column * 0.411, 60.0),
            direction: Vec3::new(0.05, -0.03, -2.0),
        };
        let found = motion.cast_ray(&ray, 1.0e6, &poses);
        let expected = slow_hit(&motion, &poses, &ray);
        assert_eq!(
            found.map(|hit| hit.node),
            expected.map(|(node, _)| node),
            "{i}"
        );
        if let (Some(hit), Some((_, t))) = (found, expected) {
            assert!((hit.t - t).abs() < 1e-4, "{} {t}", hit.t);
            assert!(
                hit.normal.dot(ray.direction) < 0.0,
                "toward the ray's start"
            );
            assert_eq!(motion.cast_ray(&ray, t - 0.01, &poses), None);
            let [before, behind] = [t - 0.01, t + 0.01].map(|t| ray.at(t));
            assert!(!motion.cast_segment(ray.origin, before, &poses));
            assert!(motion.cast_segment(ray.origin, behind, &poses));
            n_hits += 1;
        }
    }
    assert!(n_hits > 20, "{n_hits}");
}

/// The byte at +4 is drawn, the word at +2 is not, unless the table is too short (dossier section 7.6).
#[test]
fn a_hit_names_the_material_that_is_drawn() {
    for (n_rows, drawn) in [(0, 2), (9, 2), (3, 2), (2, 1), (1, 0)] {
        let mut msh = leg().build().expect("a sound draft");
        for batch in &mut msh.batches {
            (batch.material_02, batch.wear_row) = (1, 2);
        }
        let rows = WearRows {
            materials: vec![0; n_rows],
            ..WearRows::default()
        };
        let model = LevelModel {
            msh: msh.into(),
            rows,
            ..model(FirstNode::Own)
        };
        let motion = Motion::new(&LevelObjects {
            models: vec![model],
            objects: vec![object(None)],
            basements: Vec::new(),
        })
        .expect("sound skeletons");
        let poses = pose(&motion, 0.0, Play::Still);
        let down = Ray {
            origin: Vec3::new(9.5, 20.2, 60.0),
            direction: Vec3::NEG_Z,
        };
        let hit = motion.cast_ray(&down, 100.0, &poses).expect("the hip");
        assert_eq!(hit.material, Some(drawn), "{n_rows} rows");
    }
}

#[test]
fn a_place_in_a_pose_has_names() {
    let motion = Motion::new(&LevelObjects {
        models: vec![model(FirstNode::Own), model(FirstNode::AttachRoot)],
        objects: vec![hung_on_the_leg(), object(None)],
        basements: Vec::new(),
    })
    .expect("sound skeletons");
    let names = |node| motion.names_at(node).map(|[_, _, node]| node.to_owned());
    let found: Vec<_> = (0..7).map(names).collect();
    let expected = ["hip", "leg", "hip", "leg", "hip", "leg"].map(|it| Some(it.to_owned()));
    assert_eq!(found[..6], expected);
    assert_eq!(found[6], None);
    assert_eq!(motion.names_at(0).map(|names| names[0]), Some("walker"));
}

#[test]
fn a_pose_of_another_level_is_met_by_nothing() {
    let motion = one(None);
    let down = Ray {
        origin: Vec3::new(9.5, 20.2, 60.0),
        direction: Vec3::NEG_Z,
    };
    let mut poses = pose(&motion, 0.0, Play::Still);
    assert!(motion.cast_ray(&down, 100.0, &poses).is_some());
    assert_eq!(motion.cast_ray(&down, f32::NAN, &poses), None);
    let endless = Ray {
        origin: Vec3::splat(f32::NAN),
        ..down
    };
    assert_eq!(motion.cast_ray(&endless, 100.0, &poses), None);

    // As large a level, with a model that only looks the same.
    let of_another = pose(&one(None), 0.0, Play::Still);
    let of_none = Poses::from(poses.world_from_nodes().to_vec());
    for poses in [&of_another, &of_none, &Poses::default()] {
        assert_eq!(motion.cast_ray(&down, 100.0, poses), None);
        assert!(motion.node_triangles(0, poses).is_empty());
    }
    poses.clear();
    assert_eq!(motion.cast_ray(&down, 100.0, &poses), None);
    assert!(poses.instances().is_none());
    // The memory of another level's pose can be used again.
    let mut poses = of_another;
    let clock = Clock {
        time_secs: 0.0,
        play: Play::Still,
    };
    motion.pose(&clock, &|_| None, &mut poses);
    assert!(motion.cast_ray(&down, 100.0, &poses).is_some());
}

#[test]
fn rays_follow_what_moves() {
    let motion = one(square_walk(4.0, 10.0));
    let mut poses = Poses::default();
    for step in 0..100 {
        let clock = Clock {
            time_secs: f64::from(step),
            play: Play::Level,
        };
        motion.pose(&clock, &|_| None, &mut poses);
        let hip = poses.world_from_nodes()[0].to_mat4();
        let point = hip.transform_point3(Vec3::new(0.25, 0.25, 0.0));
        let down = Ray {
            origin: point + Vec3::Z,
            direction: Vec3::NEG_Z,
        };
        let hit = motion.cast_ray(&down, 2.0, &poses).expect("the hip");
        assert_eq!(hit.node, 0, "{step}");
        assert_near(hit.position, point.to_array());
    }
}

#[test]
fn instances_of_a_pose_show_whose_they_are_and_what_of() {
    let motion = Motion::new(&LevelObjects {
        models: vec![model(FirstNode::Own), model(FirstNode::AttachRoot)],
        objects: vec![object(None), hung_on_the_leg()],
        basements: Vec::new(),
    })
    .expect("sound skeletons");
    let poses = pose(&motion, 0.0, Play::Still);
    let instances = poses.instances().expect("posed").instances();
    let reported: Vec<_> = instances.iter().map(|it| (it.id, it.shape)).collect();
    assert_eq!(reported, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3)]);
    for (instance, matrix) in instances.iter().zip(poses.world_from_nodes()) {
        assert_eq!(instance.world_from_local, *matrix);
    }
}
