//! Forces, constraints, paths and ropes of particle systems.

use ironlands_scene::{BirthPath, Constraint, Force, Rope, Stepped};

use super::*;

/// Of the basic functions, Movement Basic and others the one emitter, at 8 16 24 with a second control point at 1 2 3.
fn moving(functions: &[DraftFunction<'static>]) -> (Emitter, Vec<String>) {
    let moves = vec![function(Operators, "Movement Basic", &[])];
    let functions = [basic(), moves, functions.to_vec()].concat();
    let system = DraftSystem {
        name: "a",
        parameters: &[],
        functions: &functions,
        children: &[],
    };
    let target =
        "}\n{\n\"classname\" \"info_target\"\n\"targetname\" \"there\"\n\"origin\" \"1 2 3\"";
    let keys = format!("\"effect_name\" \"a\"\n\"cpoint1\" \"there\"\n{target}");
    let (scene, messages) = scene_with(&[system], &keys);
    let [emitter] = <[_; 1]>::try_from(scene.emitters).expect("one emitter");
    (emitter, messages)
}

fn stepped(functions: &[DraftFunction<'static>]) -> Stepped {
    let (emitter, messages) = moving(functions);
    assert!(
        !messages.iter().any(|it| it.contains("not drawn")),
        "{messages:?}"
    );
    let Motion::Stepped(stepped) = emitter.motion else {
        panic!("{:?}", emitter.motion);
    };
    stepped
}

#[test]
fn forces_are_around_their_control_points() {
    let found = stepped(&[
        function(
            Forces,
            concat!("Pull toward", "s control point"),
            &[
                ("amount of force", Float(50.0)),
                ("falloff power", Float(1.0)),
                ("control point number", Int(1)),
            ],
        ),
        function(
            Forces,
            "twist around axis",
            &[
                ("amount of force", Float(-7.0)),
                ("twist axis", Vec3([0.0, 3.0, 4.0])),
            ],
        ),
        function(
            Forces,
            "random force",
            &[
                ("min force", Vec3([0.0, -2.0, 0.0])),
                ("max force", Vec3([4.0, 6.0, 0.0])),
            ],
        ),
        function(
            Forces,
            "time varying force",
            &[
                ("time to start transition", Float(1.0)),
                ("ending force", Vec3([0.0, 0.0, 9.0])),
            ],
        ),
        function(
            Forces,
            "Force based on distance from plane",
            &[
                ("Max Distance from plane", Float(20.0)),
                ("Force at Min distance", Vec3([1.0, 0.0, 0.0])),
            ],
        ),
        function(
            Forces,
            "turbulent force",
            &[
                ("Noise scale 0", Float(0.5)),
                ("Noise amount 0", Vec3([1.0, 2.0, 3.0])),
                ("Noise scale 2", Float(0.25)),
            ],
        ),
    ]);
    let up = [0.0, 0.0, 1.0];
    assert_eq!(
        found.forces,
        [
            Force::Pull {
                to: [-7.0, -14.0, -21.0],
                strength: 50.0,
                falloff: 1.0
            },
            Force::Twist {
                center: [0.0; 3],
                axis: [0.0, 0.6, 0.8],
                strength: -7.0
            },
            // What is left of it beside the mean, which is gravity.
            Force::Random {
                least: [-2.0, -4.0, 0.0],
                greatest: [2.0, 4.0, 0.0]
            },
            Force::Timed {
                secs: [1.0, 10.0],
                accelerations: [[0.0; 3], [0.0, 0.0, 9.0]]
            },
            Force::Layered {
                point: [0.0; 3],
                normal: up,
                distances: [0.0, 20.0],
                accelerations: [[1.0, 0.0, 0.0], [0.0; 3]]
            },
            Force::Turbulence {
                scale: 0.5,
                strength: [1.0, 2.0, 3.0]
            },
            Force::Turbulence {
                scale: 0.25,
                strength: [0.25; 3]
            },
        ]
    );
    assert_eq!(found.throw.gravity, [2.0, 2.0, 0.0]);
}

#[test]
fn constraints_and_movements_hold_particles() {
    let found = stepped(&[
        function(
            Constraints,
            "Constrain distance to control point",
            &[
                ("minimum distance", Float(4.0)),
                ("maximum distance", Float(9.0)),
                ("control point number", Int(1)),
                ("offset of center", Vec3([0.0, 0.0, 1.0])),
            ],
        ),
        function(
            Constraints,
            "Constrain distance to path between two control points",
            &[("end control point number", Int(1))],
        ),
        function(
            Constraints,
            "Prevent passing through a plane",
            &[("plane point", Vec3([0.0, 0.0, -5.0]))],
        ),
        function(
            Operators,
            "Movement Set To Control Point",
            &[("control point number", Int(1))],
        ),
        function(
            Operators,
            "Movement Max Velocity",
            &[("Maximum Velocity", Float(30.0))],
        ),
        function(
            Operators,
            "Movement Rotate Particle Around Axis",
            &[("Rotation Axis", Vec3([0.0, 2.0, 0.0]))],
        ),
        function(
            Operators,
            "Movement Dampen Relative to Control Point",
            &[("falloff range", Float(50.0)), ("dampen scale", Float(2.0))],
        ),
        function(
            Operators,
            "Cull when crossing plane",
            &[("Cull plane offset", Float(-2.0))],
        ),
    ]);
    let plane = |height: f32, is_deadly: bool| Constraint::Plane {
        point: [0.0, 0.0, height],
        normal: [0.0, 0.0, 1.0],
        kept: [0.0, 1.0],
        is_deadly,
    };
    let mut expected = vec![
        Constraint::Distance {
            ends: [[-7.0, -14.0, -21.0]; 2],
            range: [0.0; 2],
        },
        Constraint::Speed { most: 30.0 },
        Constraint::Turn {
            center: [0.0; 3],
            axis: [0.0, 1.0, 0.0],
            rad_per_sec: std::f32::consts::PI,
        },
        Constraint::Slow {
            center: [0.0; 3],
            radius: 25.0,
        },
        plane(-2.0, true),
    ];
    // Operators come before constraints.
    expected.extend([
        Constraint::Distance {
            ends: [[-7.0, -14.0, -20.0]; 2],
            range: [4.0, 9.0],
        },
        Constraint::Distance {
            ends: [[0.0; 3], [-7.0, -14.0, -21.0]],
            range: [0.0, 100.0],
        },
        plane(-5.0, false),
    ]);
    assert_eq!(found.constraints, expected);
}

#[test]
fn nothing_pushes_what_does_not_move_and_a_steady_force_needs_no_steps() {
    let twist = function(
        Forces,
        "twist around axis",
        &[("amount of force", Float(9.0))],
    );
    let still = emitter_of(&[twist], &[]);
    assert!(
        matches!(still.motion, Motion::Thrown(_)),
        "{:?}",
        still.motion
    );
    let (steady, _) = moving(&[function(
        Forces,
        "random force",
        &[
            ("min force", Vec3([0.0, 0.0, 5.0])),
            ("max force", Vec3([0.0, 0.0, 5.0])),
        ],
    )]);
    assert_eq!(throw_of(&steady).gravity, [0.0, 0.0, 5.0]);
}

#[test]
fn what_would_take_too_many_steps_is_thrown_and_said() {
    let many = [
        function(
            Emitters,
            "emit_instantaneously",
            &[("num_to_emit", Int(5000))],
        ),
        function(
            Forces,
            "twist around axis",
            &[("amount of force", Float(9.0))],
        ),
        function(
            Initializers,
            "Lifetime Random",
            &[("lifetime_min", Float(30.0)), ("lifetime_max", Float(30.0))],
        ),
    ];
    let functions = [
        &basic()[..2],
        &many[..],
        &[function(Operators, "Movement Basic", &[])],
    ];
    let functions = functions.concat();
    let system = DraftSystem {
        name: "a",
        parameters: &[("max_particles", Int(5000))],
        functions: &functions,
        children: &[],
    };
    let (scene, messages) = scene_with(&[system], "\"effect_name\" \"a\"");
    assert!(matches!(scene.emitters[0].motion, Motion::Thrown(_)));
    let expected = "functions of particle systems are not drawn: forces on too many particles";
    assert!(messages.iter().any(|it| it == expected), "{messages:?}");
}

#[test]
fn particles_stay_within_the_reach_that_was_looked_for() {
    let (emitter, _) = moving(&[
        function(
            Forces,
            "twist around axis",
            &[("amount of force", Float(90.0))],
        ),
        function(
            Initializers,
            "Position Within Sphere Random",
            &[("distance_max", Float(30.0)), ("speed_max", Float(40.0))],
        ),
    ]);
    let Motion::Stepped(stepped) = &emitter.motion else {
        panic!("{:?}", emitter.motion);
    };
    let (mut farthest, mut n_found) = (0.0f32, 0);
    for step in 0..200 {
        emitter.for_each_particle(&at(f64::from(step) * 0.1), |particle| {
            let [x, y, z] = particle.position;
            farthest = farthest.max(x.hypot(y).hypot(z));
            n_found += 1;
        });
    }
    // None is lost, and culling is not for nothing.
    assert!(n_found > 4000, "{n_found}");
    assert!(farthest < stepped.reach && stepped.reach < 6.0 * farthest + 64.0);
}

#[test]
fn births_lie_along_paths_between_control_points() {
    let along = |name: &'static str| {
        let parameters: Parameters = &[
            ("end control point number", Int(1)),
            ("maximum distance", Float(2.0)),
            ("particles to map from start to end", Int(20)),
        ];
        let (emitter, messages) = moving(&[function(Initializers, name, parameters)]);
        assert!(
            !messages.iter().any(|it| it.contains("not drawn")),
            "{messages:?}"
        );
        emitter.birthplace
    };
    let path = |count: u32| {
        Birthplace::Path(BirthPath {
            points: [[0.0; 3], [-3.5, -7.0, -10.5], [-7.0, -14.0, -21.0]],
            radius: 2.0,
            count,
        })
    };
    assert_eq!(along("Position Along Path Random"), path(0));
    assert_eq!(along("Position Along Path Sequential"), path(20));
}

#[test]
fn particles_fly_from_one_control_point_to_another() {
    let (emitter, _) = moving(&[function(
        Initializers,
        "Move Particles Between 2 Control Points",
        &[
            ("minimum speed", Float(10.0)),
            ("maximum speed", Float(20.0)),
        ],
    )]);
    let throw = throw_of(&emitter);
    let length = 7f32.hypot(14.0).hypot(21.0);
    assert_eq!(throw.speed, [10.0, 20.0]);
    for (found, expected) in throw.direction.into_iter().zip([-7.0, -14.0, -21.0]) {
        assert!((found * length - expected).abs() < 1e-4);
    }
    let [shortest, longest] = emitter.life_secs;
    assert!((shortest - length / 20.0).abs() < 1e-4 && (longest - length / 10.0).abs() < 1e-4);
}

#[test]
fn a_rope_is_drawn_through_particles() {
    let functions = [
        &basic()[1..],
        &[function(
            Renderers,
            "render_rope",
            &[
                ("subdivision_count", Int(5)),
                ("texel_size", Float(0.5)),
                ("texture_scroll_rate", Float(3.0)),
            ],
        )],
    ]
    .concat();
    let [rope] = <[_; 1]>::try_from(emitters_of(&functions, &[])).expect("one emitter");
    // A material that is missing is one pixel high.
    let expected = Rope {
        segments: 5,
        frame_length: 0.5,
        frames_per_sec: 6.0,
    };
    assert_eq!(rope.form, ParticleForm::Rope(expected));
}

#[test]
fn particles_collide_with_the_ground_below() {
    use crate::level_scene::direct_light::LightPath;
    let sight = |_: [f32; 3], to: [f32; 3]| match to[2] < -10.0 {
        true => LightPath::Hidden,
        false => LightPath::Free,
    };
    let below = super::super::super::systems::floor_below;
    let [x, y, z] = below([1.0, 2.0, 30.0], &sight).expect("there is a floor");
    assert!((x, y) == (1.0, 2.0) && (-10.0..-9.8).contains(&z), "{z}");
    assert_eq!(below([0.0, 0.0, 5000.0], &sight), None, "too deep");
    assert_eq!(
        below([0.0, 0.0, -30.0], &sight),
        None,
        "it is in the ground"
    );
}
