//! Many figures in a level: each by itself, their places, and rays cast at them.

use super::*;

/// This many characters with the same figure, each a little different, on a line.
fn crowd(n_actors: usize) -> (Crowd, Scene) {
    let random = &mut Random(99);
    let figure = figure();
    let mut scene = Scene {
        models: vec![to_model(&figure, &targets(), &mut |_| MaterialIdx(0))],
        ..Scene::default()
    };
    let mut actors = Vec::new();
    for index in 0..n_actors {
        let complection = random.vector();
        let place = |z| {
            Affine([
                [1.0, 0.0, 0.0, index as f32 * 10.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, z],
            ])
        };
        scene.instances.push(Instance {
            name: format!("actor {index}"),
            model: ModelIdx(0),
            world_from_model: place(0.0),
            parent_from_nodes: places_at_rest(&figure, complection),
            hidden_pieces: if index % 2 == 1 {
                vec![1, 4]
            } else {
                Vec::new()
            },
            morph: weights_at_rest(complection),
            ..Instance::default()
        });
        actors.push(Actor {
            rig: 0,
            complection,
            animation: [Some(1), Some(0), None][index % 3],
            playing_place: Some(place(-(index as f32))),
            start_secs: f64::from(random.number()),
        });
    }
    (Crowd::new(vec![rig()], actors, &scene), scene)
}

fn at_level(time_secs: f64) -> Clock {
    Clock {
        time_secs,
        play: Play::Level,
    }
}

#[test]
fn a_crowd_is_everyone_by_himself_at_his_own_time() {
    let (crowd, scene) = crowd(20);
    let rig = rig();
    let random = &mut Random(99);
    let mut poses = Poses::default();
    crowd.pose(&at_level(12.3), &mut poses);
    assert_eq!(
        (poses.world_from_nodes().len(), poses.morphs().len()),
        (100, 20)
    );
    assert_eq!(crowd.n_nodes(), 100);
    for (index, instance) in scene.instances.iter().enumerate() {
        let complection = random.vector();
        let secs = 12.3 + f64::from(random.number());
        let frame = (secs * 15.0) as f32;
        let at = [Some(1), Some(0), None][index % 3].map(|animation| FrameAt { animation, frame });
        let mut world_from_model = RowMatrix::from_rows(instance.world_from_model.0);
        if at.is_some() {
            world_from_model.0[11] -= index as f32;
        }
        let expected = pose(&rig, &rig.build(complection), world_from_model, at);
        let found = &poses.world_from_nodes()[index * 5..index * 5 + 5];
        for (found, expected) in found.iter().zip(&expected.nodes) {
            // The time wraps in f64 there.
            assert!(
                found.to_mat4().abs_diff_eq(expected.to_mat4(), 1e-3),
                "{index}"
            );
        }
        let shown = expected
            .weights
            .iter()
            .filter(|it| it.weight != 0.0)
            .count();
        assert_eq!(poses.morphs().of(index).len(), shown);
    }
    assert_eq!(
        crowd.names_at(7),
        Some(["actor 1", "arms", "part on Some(1)"])
    );
    assert_eq!(crowd.names_at(100), None);
    assert_eq!(crowd.last_frame(), 5.0);
}

#[test]
fn who_plays_may_stand_elsewhere_than_at_rest() {
    let (_, mut scene) = crowd(1);
    let at_height = |z| {
        Affine([
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, z],
        ])
    };
    let mut posed = |height, playing_place, clock: &Clock| {
        scene.instances[0].world_from_model = at_height(height);
        let actor = Actor {
            animation: Some(1),
            playing_place,
            ..Actor::default()
        };
        let mut poses = Poses::default();
        Crowd::new(vec![rig()], vec![actor], &scene).pose(clock, &mut poses);
        poses.world_from_nodes().to_vec()
    };
    let playing = at_level(0.5);
    let still = Clock {
        play: Play::Still,
        ..playing
    };
    let elsewhere = Some(at_height(50.0));
    assert_eq!(posed(0.0, elsewhere, &playing), posed(50.0, None, &playing));
    assert_eq!(posed(0.0, elsewhere, &still), posed(0.0, None, &still));
    assert_ne!(posed(0.0, None, &playing), posed(50.0, None, &playing));
}

#[test]
fn rays_meet_figures_where_they_are_posed() {
    let (crowd, scene) = crowd(9);
    let mut poses = Poses::default();
    crowd.pose(&at_level(3.21), &mut poses);
    let model = &scene.models[0];
    let random = &mut Random(5);
    let mut n_hits = 0;
    for _ in 0..3000 {
        let target =
            Vec3::from(random.vector()) * 2.0 + Vec3::X * (random.number().abs() * 90.0).round();
        let origin = Vec3::from(random.vector()) * 50.0;
        let ray = Ray {
            origin,
            direction: target - origin,
        };
        // Every triangle of every shown piece, with glam's numbers.
        let mut nearest: Option<(f32, usize)> = None;
        for (index, instance) in scene.instances.iter().enumerate() {
            let positions = model.mesh.morphed(poses.morphs().of(index));
            let pieces = model.pieces.iter().enumerate();
            for (_, piece) in pieces.filter(|(it, piece)| instance.shows(*it, piece)) {
                let node = index * 5 + piece.node as usize;
                let matrix = poses.world_from_nodes()[node].to_mat4();
                let first =
                    model.mesh.batches[piece.lods[0].batches.start as usize].first_index as usize;
                for corners in model.mesh.indices[first..first + 6].chunks_exact(3) {
                    let [a, b, c] = [0, 1, 2]
                        .map(|it| matrix.transform_point3(positions[corners[it] as usize].into()));
                    if let Some(t) =
                        plain_hit(&ray, [a, b, c]).filter(|t| nearest.is_none_or(|it| *t < it.0))
                    {
                        nearest = Some((t, node));
                    }
                }
            }
        }
        let found = crowd.cast_ray(&ray, 3.0, &poses);
        let nearest = nearest.filter(|(t, _)| *t <= 3.0);
        n_hits += usize::from(nearest.is_some());
        match (&found, nearest) {
            (Some(found), Some((t, node))) => {
                assert!((found.t - t).abs() < 1e-3, "{} {t}", found.t);
                assert!(found.node == node || (found.t - t).abs() < 1e-6);
                assert!(found.normal.dot(ray.direction) <= 1e-3);
            }
            (None, None) => {}
            _ => panic!("{found:?}, not {nearest:?}"),
        }
        let blocked = crowd.cast_segment(origin, origin + ray.direction * 3.0, &poses);
        assert_eq!(blocked, nearest.is_some());
    }
    assert!(n_hits > 100, "only {n_hits} rays test anything");
    let ray = Ray {
        origin: Vec3::ZERO,
        direction: Vec3::X,
    };
    assert_eq!(crowd.cast_ray(&ray, 1e3, &Poses::default()), None);
}

/// Moeller and Trumbore's test, in f64.
fn plain_hit(ray: &Ray, corners: [Vec3; 3]) -> Option<f32> {
    let [a, b, c] = corners.map(|it| it.as_dvec3());
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let [ab, ac, to] = [b - a, c - a, origin - a];
    let across = direction.cross(ac);
    let volume = ab.dot(across);
    let u = to.dot(across) / volume;
    let v = direction.dot(to.cross(ab)) / volume;
    let t = ac.dot(to.cross(ab)) / volume;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t as f32)
}
