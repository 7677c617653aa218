//! Particle systems of the game, as emitters.

mod flight;
mod hostile;
mod remaps;
mod scalars;

use ironlands_scene::{
    Affine, Burst, EmitterAt, EmitterState, EmitterWindow, FramePlay, Shell, Throw,
};

use super::*;
use crate::pakfile::{Comment, Pakfile};
use crate::pcf::{DraftFunction, DraftSystem, DraftValue, FunctionList, Pcf};
use DraftValue::{Color, Flag, Float, Int, Text, Vec3};
use FunctionList::{Constraints, Emitters, Forces, Initializers, Operators, Renderers};

type Parameters = &'static [(&'static str, DraftValue<'static>)];

fn function(
    list: FunctionList,
    name: &'static str,
    parameters: Parameters,
) -> DraftFunction<'static> {
    DraftFunction {
        list,
        name,
        parameters,
    }
}

/// What every system of these tests has: it is drawn, born and dies.
fn basic() -> Vec<DraftFunction<'static>> {
    vec![
        function(Renderers, "render_animated_sprites", &[]),
        function(Operators, "Lifespan Decay", &[]),
        function(
            Initializers,
            "Lifetime Random",
            &[("lifetime_min", Float(2.0)), ("lifetime_max", Float(4.0))],
        ),
        function(
            Emitters,
            "emit_continuously",
            &[("emission_rate", Float(10.0))],
        ),
    ]
}

/// The scene of a map that has a file of systems and an entity with these keys, which shows the first.
fn scene_with(systems: &[DraftSystem<'_>], keys: &str) -> (Scene, Vec<String>) {
    let file = Pcf::draft(2, systems).write().unwrap();
    let manifest: &[u8] = b"particles_manifest { file \"!particles/a.pcf\" }";
    let files: [(&str, &[u8]); 2] = [
        ("particles/a.pcf", &file),
        ("maps/a_particles.txt", manifest),
    ];
    let pak = Pakfile::draft(&files, Comment::None).unwrap();
    let entity =
        format!("{{\n\"classname\" \"info_particle_system\"\n\"origin\" \"8 16 24\"\n{keys}\n}}\n");
    let (scene, findings) = scene_of_files(&entity, Some(pak));
    (scene, findings.into_iter().map(|it| it.message).collect())
}

/// The emitters of a system that is on, and what is noted.
fn emitters_and_notes(
    functions: &[DraftFunction<'_>],
    parameters: Parameters,
) -> (Vec<Emitter>, Vec<String>) {
    let system = DraftSystem {
        name: "a",
        parameters,
        functions,
        children: &[],
    };
    let keys = "\"effect_name\" \"A\"\n\"start_active\" \"1\"";
    let (scene, notes) = scene_with(&[system], keys);
    (scene.emitters, notes)
}

fn emitters_of(functions: &[DraftFunction<'_>], parameters: Parameters) -> Vec<Emitter> {
    emitters_and_notes(functions, parameters).0
}

/// Of the basic functions and others the one emitter.
fn emitter_of(functions: &[DraftFunction<'static>], parameters: Parameters) -> Emitter {
    let functions = [basic(), functions.to_vec()].concat();
    let [emitter] = <[_; 1]>::try_from(emitters_of(&functions, parameters)).expect("one emitter");
    emitter
}

/// At rest in the world, seen from its origin.
fn at(clock_secs: f64) -> EmitterAt {
    EmitterAt {
        clock_secs,
        world_from_emitter: Affine::IDENTITY,
        velocity: [0.0; 3],
        eye: [0.0; 3],
        born_secs: EmitterState::EVER,
    }
}

fn throw_of(emitter: &Emitter) -> &Throw {
    let Motion::Thrown(throw) = &emitter.motion else {
        panic!("{:?}", emitter.motion);
    };
    throw
}

fn shell_of(emitter: &Emitter) -> &Shell {
    let Birthplace::Shell(shell) = &emitter.birthplace else {
        panic!("{:?}", emitter.birthplace);
    };
    shell
}

#[test]
fn a_system_says_how_many_of_what_size_and_color_live_how_long() {
    let emitter = emitter_of(
        &[],
        &[
            ("radius", Float(3.0)),
            ("color", Color([255, 0, 51, 102])),
            ("maximum draw distance", Float(500.0)),
        ],
    );
    assert_eq!(place_of(&emitter), [8.0, 16.0, 24.0]);
    assert_eq!(emitter.emission, Emission::Stream { per_sec: 10.0 });
    assert_eq!(emitter.window, None, "it has been on for long");
    assert_eq!(emitter.life_secs, [2.0, 4.0]);
    assert_eq!(emitter.size.at(0.3), [6.0; 2]);
    let [r, g, b, alpha] = emitter.color.at(0.3);
    assert_eq!([r, g, b, alpha * emitter.tints[0][3]], [1.0, 0.0, 0.2, 0.4]);
    assert_eq!(emitter.range.far, [400.0, 500.0]);
    assert!(emitter.starts_on && emitter.leaves_trail);
    let full = emitter_of(&[], &[("max_particles", Int(20))]);
    assert_eq!(
        full.emission,
        Emission::Stream { per_sec: 5.0 },
        "20 live together"
    );
}

#[test]
fn initializers_say_where_births_are_and_what_differs() {
    let emitter = emitter_of(
        &[
            function(Operators, "Movement Basic", &[]),
            function(
                Initializers,
                "Position Within Sphere Random",
                &[
                    ("distance_min", Float(2.0)),
                    ("distance_max", Float(6.0)),
                    ("distance_bias", Vec3([1.0, 1.0, 0.0])),
                    ("distance_bias_absolute_value", Vec3([0.0, 0.0, 1.0])),
                    ("speed_min", Float(1.0)),
                    ("speed_max", Float(9.0)),
                    (
                        "speed_in_local_coordinate_system_min",
                        Vec3([1.0, 2.0, 3.0]),
                    ),
                    (
                        "speed_in_local_coordinate_system_max",
                        Vec3([4.0, 5.0, 6.0]),
                    ),
                ],
            ),
            function(
                Initializers,
                "Position Modify Offset Random",
                &[
                    ("offset min", Vec3([-1.0, 0.0, 0.0])),
                    ("offset max", Vec3([1.0, 0.0, 8.0])),
                ],
            ),
            function(
                Initializers,
                "Radius Random",
                &[("radius_min", Float(3.0)), ("radius_max", Float(5.0))],
            ),
            function(
                Initializers,
                "Alpha Random",
                &[("alpha_min", Int(51)), ("alpha_max", Int(102))],
            ),
            function(
                Initializers,
                "Color Random",
                &[
                    ("color1", Color([255, 0, 0, 255])),
                    ("color2", Color([0, 0, 255, 255])),
                ],
            ),
            function(
                Initializers,
                "Rotation Random",
                &[
                    ("rotation_initial", Float(90.0)),
                    ("rotation_offset_max", Float(90.0)),
                ],
            ),
        ],
        &[],
    );
    let shell = shell_of(&emitter);
    assert_eq!((shell.radii, shell.bias), ([2.0, 6.0], [1.0, 1.0, 0.0]));
    assert_eq!(shell.is_half, [false, false, true]);
    assert_eq!(shell.offset, [[-1.0, 0.0, 0.0], [1.0, 0.0, 8.0]]);
    let throw = throw_of(&emitter);
    assert_eq!(throw.outward_speed, [1.0, 9.0]);
    // To the right there is to the left here.
    assert_eq!(throw.extra_velocity, [[1.0, -2.0, 3.0], [4.0, -5.0, 6.0]]);
    assert_eq!(
        (emitter.size.at(0.0), emitter.size_spread),
        ([8.0; 2], 0.25)
    );
    assert_eq!(emitter.tints, [[1.0, 0.0, 0.0, 0.2], [0.0, 0.0, 1.0, 0.4]]);
    let half_turn = std::f32::consts::PI;
    assert_eq!(emitter.angle_rad, [0.5 * half_turn, half_turn]);
}

#[test]
fn nothing_moves_turns_or_dies_without_its_operator() {
    let sphere: Parameters = &[("speed_max", Float(9.0))];
    let functions = [
        function(Renderers, "render_animated_sprites", &[]),
        function(Initializers, "Position Within Sphere Random", sphere),
        function(
            Initializers,
            "Rotation Speed Random",
            &[("rotation_speed_constant", Float(180.0))],
        ),
        function(
            Emitters,
            "emit_continuously",
            &[("emission_rate", Float(10.0))],
        ),
    ];
    let [emitter] = &emitters_of(&functions, &[("max_particles", Int(7))])[..] else {
        panic!("one emitter");
    };
    assert_eq!(throw_of(emitter), &Throw::default());
    assert_eq!(emitter.spin_rad_per_sec, [0.0; 2]);
    let all = Burst {
        at_secs: 0.0,
        count: 7,
    };
    assert_eq!(emitter.emission, Emission::Bursts(vec![all]));
    assert!(emitter.life_secs[0] > 3600.0);
}

#[test]
fn operators_change_what_lives() {
    let emitter = emitter_of(
        &[
            function(
                Operators,
                "Movement Basic",
                &[("gravity", Vec3([0.0, 0.0, -10.0])), ("drag", Float(0.1))],
            ),
            function(
                Forces,
                "random force",
                &[
                    ("min force", Vec3([2.0, 0.0, 0.0])),
                    ("max force", Vec3([2.0, 0.0, 0.0])),
                ],
            ),
            function(
                Operators,
                "Rotation Spin Roll",
                &[("spin_rate_degrees", Int(180))],
            ),
            function(Operators, "Movement Lock to Control Point", &[]),
            function(
                Operators,
                "Radius Scale",
                &[("start_time", Float(0.5)), ("radius_end_scale", Float(3.0))],
            ),
            function(
                Operators,
                "Color Fade",
                &[("color_fade", Color([0, 0, 255, 255]))],
            ),
            function(
                Operators,
                "Alpha Fade In Random",
                &[
                    ("fade in time min", Float(0.6)),
                    ("fade in time max", Float(0.6)),
                    ("proportional 0/1", Flag(false)),
                ],
            ),
            function(
                Operators,
                "Alpha Fade Out Simple",
                &[("proportional fade out time", Float(0.5))],
            ),
        ],
        &[],
    );
    let throw = throw_of(&emitter);
    assert_eq!(throw.gravity, [2.0, 0.0, -10.0]);
    // In a thirtieth of a second a tenth is lost.
    assert!(((-throw.drag_per_sec / 30.0).exp() - 0.9).abs() < 1e-6);
    assert!(!emitter.leaves_trail);
    let [slowest, fastest] = emitter.spin_rad_per_sec;
    assert!(slowest == fastest && (slowest - std::f32::consts::PI).abs() < 1e-6);
    let width = |age: f32| emitter.size.at(age)[0];
    assert_eq!(
        [width(0.0), width(0.5), width(0.75), width(1.0)],
        [10.0, 10.0, 20.0, 30.0]
    );
    let [r, _, b, _] = emitter.color.at(0.5);
    assert!((r - 0.5).abs() < 1e-3 && b == 1.0);
    // 0.6 of three seconds are a fifth of a life; the middle of a smooth rise is half.
    let alpha = |age: f32| emitter.color.at(age)[3];
    assert!(alpha(0.0) == 0.0 && (alpha(0.1) - 0.5).abs() < 0.02);
    assert!(alpha(0.3) == 1.0 && (alpha(0.75) - 0.5).abs() < 0.02 && alpha(1.0) == 0.0);
}

#[test]
fn births_come_at_once_evenly_or_later() {
    let window = |start_secs, duration_secs| {
        Some(EmitterWindow {
            start_secs,
            duration_secs,
            period_secs: None,
        })
    };
    let functions = [
        function(Renderers, "render_sprite_trail", &[]),
        function(Operators, "Lifespan Decay", &[]),
        function(
            Initializers,
            "Trail Length Random",
            &[("length_min", Float(0.2)), ("length_max", Float(0.4))],
        ),
        function(
            Emitters,
            "emit_continuously",
            &[
                ("emission_start_time", Float(1.0)),
                ("emission_duration", Float(2.0)),
                ("emission_rate", Float(4.0)),
            ],
        ),
        function(
            Emitters,
            "emit_instantaneously",
            &[
                ("num_to_emit", Int(12)),
                ("emission_start_time", Float(0.5)),
            ],
        ),
        function(
            Emitters,
            "emit to maintain count",
            &[("count to maintain", Int(3))],
        ),
    ];
    let found = emitters_of(&functions, &[("initial_particles", Int(2))]);
    let births: Vec<_> = found
        .iter()
        .map(|it| (it.emission.clone(), it.window))
        .collect();
    let burst = |count| {
        let at_secs = 0.0;
        Emission::Bursts(vec![Burst { at_secs, count }])
    };
    assert_eq!(
        births,
        [
            (burst(2), window(0.0, 0.0)),
            (Emission::Stream { per_sec: 4.0 }, window(1.0, 2.0)),
            (burst(12), window(0.5, 0.0)),
            (Emission::Steady { count: 3 }, None),
        ]
    );
    let ParticleForm::Streak { secs } = found[0].form else {
        panic!("{:?}", found[0].form);
    };
    assert!((secs - 0.3).abs() < 1e-6);
    assert_eq!(found[0].play, FramePlay::AtRandom, "there is no sheet");
}

#[test]
fn children_begin_later_and_systems_that_begin_each_other_end() {
    let functions = basic();
    let draft = |name, children| DraftSystem {
        name,
        parameters: &[],
        functions: &functions,
        children,
    };
    let systems = [draft("a", &[(1, 0.5)][..]), draft("b", &[(0, 1.0)])];
    let (scene, _) = scene_with(&systems, "\"effect_name\" \"a\"");
    let starts = scene
        .emitters
        .iter()
        .map(|it| it.window.unwrap().start_secs);
    let starts: Vec<_> = starts.collect();
    assert_eq!(starts, [0.0, 0.5], "each once");
    assert!(
        scene.emitters.iter().all(|it| !it.starts_on),
        "nothing has started it"
    );
    let seeds: std::collections::HashSet<_> = scene.emitters.iter().map(|it| it.seed).collect();
    assert_eq!(seeds.len(), starts.len());
}

#[test]
fn what_is_missing_and_what_is_not_drawn_is_said() {
    let functions = [
        basic(),
        vec![
            function(Forces, "up and down force", &[]),
            function(Constraints, "Collision via traces", &[]),
            function(Renderers, "Render models", &[]),
        ],
    ]
    .concat();
    let system = DraftSystem {
        name: "a",
        parameters: &[("material", Text("nowhere"))],
        functions: &functions,
        children: &[],
    };
    let (scene, messages) = scene_with(&[system], "\"effect_name\" \"a\"");
    assert_eq!(scene.emitters.len(), 1);
    let expected = "functions of particle systems are not drawn: Collision via traces, Render models, up and down force";
    assert!(messages.iter().any(|it| it == expected), "{messages:?}");
    let (scene, messages) = scene_with(&[system], "\"effect_name\" \"gone\"");
    assert_eq!(scene.emitters, []);
    let expected = "particle systems are missing: gone";
    assert!(messages.iter().any(|it| it == expected), "{messages:?}");
}

#[test]
fn lives_are_lives_whichever_is_the_longer() {
    let lives = |parameters| {
        let mut functions = basic();
        functions[2] = function(Initializers, "Lifetime Random", parameters);
        emitters_of(&functions, &[])[0].life_secs
    };
    let turned: Parameters = &[("lifetime_min", Float(3.0)), ("lifetime_max", Float(1.0))];
    assert_eq!(lives(turned), [1.0, 3.0]);
    assert_eq!(lives(&[("lifetime_min", Float(3.0))])[1], 3.0);
}

#[test]
fn many_links_to_one_function_make_no_more_emitters_than_there_can_be() {
    let functions = [basic(), vec![basic()[0]; 100], vec![basic()[3]; 100]].concat();
    assert_eq!(emitters_of(&functions, &[]).len(), 8 * 8);
    let fade = function(Operators, "Alpha Fade In Simple", &[]);
    let functions = [basic(), vec![fade; 1000]].concat();
    assert!(emitters_of(&functions, &[])[0].color.keys.len() < 100);
}

#[test]
fn other_control_points_are_where_the_entities_are_that_they_name() {
    let functions = [
        basic(),
        vec![function(
            Initializers,
            "Position Within Sphere Random",
            &[("control_point_number", Int(1))],
        )],
    ]
    .concat();
    let system = DraftSystem {
        name: "a",
        parameters: &[],
        functions: &functions,
        children: &[],
    };
    let target =
        "}\n{\n\"classname\" \"info_target\"\n\"targetname\" \"there\"\n\"origin\" \"1 2 3\"";
    let keys = format!("\"effect_name\" \"a\"\n\"cpoint1\" \"there\"\n{target}");
    let (scene, _) = scene_with(&[system], &keys);
    assert_eq!(place_of(&scene.emitters[0]), [1.0, 2.0, 3.0]);
}
