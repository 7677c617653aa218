//! Numbers that no effect has.

use super::*;

#[test]
fn hostile_numbers_leave_a_scene_that_can_be_shown() {
    const KEYS: [&str; 61] = [
        "radius",
        "rotation",
        "rotation_speed",
        "maximum draw distance",
        "animation rate",
        "emission_start_time",
        "emission_duration",
        "emission_rate",
        "lifetime_min",
        "lifetime_max",
        "radius_min",
        "radius_max",
        "rotation_initial",
        "rotation_offset_max",
        "rotation_speed_constant",
        "rotation_speed_random_max",
        "length_max",
        "distance_max",
        "speed_max",
        "initial radius",
        "thickness",
        "drag",
        "spin_rate_degrees",
        "fade in time max",
        "end_fade_in_time",
        "radius_end_scale",
        "fade_end_time",
        "oscillation multiplier",
        "amount of force",
        "falloff power",
        "noise scale 0",
        "output minimum",
        "input maximum",
        "oscillation rate",
        "oscillation start phase",
        "ramp rate",
        "distance maximum",
        "maximum velocity",
        "minimum distance",
        "falloff range",
        "rotation rate",
        "texel_size",
        "texture_scroll_rate",
        "minimum speed",
        "end spread",
        "amount of bounce",
        "noise coordinate scale",
        "time to start transition",
        "max distance from plane",
        "start age maximum",
        "operator end cap state",
        "emission start time",
        "value to lerp to",
        "start time",
        "minimum alpha",
        "minimum radius",
        "percentage maximum",
        "rotation offset",
        "yaw_rate_degrees",
        "duration at which to stop",
        "frames per second",
    ];
    const VECTORS: [&str; 15] = [
        "distance_bias",
        "speed_in_local_coordinate_system_max",
        "offset min",
        "max",
        "output maximum",
        "gravity",
        "max force",
        "oscillation rate max",
        "twist axis",
        "noise amount 0",
        "starting force",
        "offset of center",
        "rotation axis",
        "control point offset",
        "first control point location",
    ];
    for value in [3e38, -3e38, 1e-38, -1.0] {
        let numbers = KEYS.map(|key| (key, Float(value)));
        let vectors = VECTORS.map(|key| (key, Vec3([value; 3])));
        let parameters = [&numbers[..], &vectors[..]].concat();
        let functions = [
            (Renderers, "render_animated_sprites"),
            (Renderers, "render_sprite_trail"),
            (Operators, "Movement Basic"),
            (Operators, "Lifespan Decay"),
            (Operators, "Rotation Spin Roll"),
            (Operators, "Rotation Basic"),
            (Operators, "Alpha Fade In Random"),
            (Operators, "Alpha Fade and Decay"),
            (Operators, "Radius Scale"),
            (Operators, "Color Fade"),
            (Operators, "Oscillate Vector"),
            (Initializers, "Lifetime Random"),
            (Initializers, "Radius Random"),
            (Initializers, "Rotation Random"),
            (Initializers, "Rotation Speed Random"),
            (Initializers, "Trail Length Random"),
            (Initializers, "Position Within Sphere Random"),
            (Initializers, "Position Along Ring"),
            (Initializers, "Position Modify Offset Random"),
            (Initializers, "Position Within Box Random"),
            (Initializers, "Velocity Noise"),
            (Initializers, "Position Along Path Sequential"),
            (Initializers, "Move Particles Between 2 Control Points"),
            (Initializers, "Remap Noise to Scalar"),
            (Initializers, "Lifetime Pre-Age Noise"),
            (Operators, "Oscillate Scalar"),
            (Operators, "Ramp Scalar Linear Simple"),
            (Operators, "Remap Distance to Control Point to Scalar"),
            (Operators, "Noise Vector"),
            (Operators, "Movement Max Velocity"),
            (Operators, "Movement Rotate Particle Around Axis"),
            (Operators, "Movement Dampen Relative to Control Point"),
            (Operators, "Remap Scalar"),
            (Operators, "Clamp Scalar"),
            (Operators, "Clamp Vector"),
            (Operators, "Lerp Initial Scalar"),
            (Operators, "Lifespan Minimum Alpha Decay"),
            (Operators, "Lifespan Minimum Radius Decay"),
            (
                Operators,
                "Remap Percentage Between Two Control Points to Scalar",
            ),
            (
                Operators,
                "Remap Percentage Between Two Control Points to Vector",
            ),
            (Operators, "Remap Dot Product to Scalar"),
            (Operators, "Rotation Orient to 2D Direction"),
            (Operators, "Rotation Orient Relative to CP"),
            (Operators, "Rotation Spin Yaw"),
            (Operators, "Cull when crossing sphere"),
            (Operators, "Set Control Point Positions"),
            (Operators, "Stop Effect after Duration"),
            (Initializers, "Lifetime From Sequence"),
            (Initializers, "Remap Scalar to Vector"),
            (Renderers, "render_rope"),
            (Forces, "random force"),
            (Forces, concat!("Pull toward", "s control point")),
            (Forces, "twist around axis"),
            (Forces, "time varying force"),
            (Forces, "Force based on distance from plane"),
            (Forces, "turbulent force"),
            (Constraints, "Constrain distance to control point"),
            (Constraints, "Prevent passing through a plane"),
            (Emitters, "emit_continuously"),
            (Emitters, "emit_instantaneously"),
            (Emitters, "emit to maintain count"),
        ];
        // Each alone, and then all together.
        for shown in 0..=functions.len() {
            let chosen = match shown == functions.len() {
                true => &functions[..],
                false => &functions[shown..=shown],
            };
            let chosen = chosen.iter().map(|(list, name)| DraftFunction {
                list: *list,
                name,
                parameters: &parameters,
            });
            let functions: Vec<_> = chosen.chain(basic()).collect();
            let system = DraftSystem {
                name: "a",
                parameters: &parameters,
                functions: &functions,
                children: &[],
            };
            // It is validated there.
            let (scene, _) = scene_with(&[system], "\"effect_name\" \"a\"");
            scene.emitters.iter().for_each(check_particles);
        }
    }
}

/// Sizes and colors are numbers.
fn check_particles(emitter: &Emitter) {
    for clock_secs in [0.0, 0.5, 3.0] {
        emitter.for_each_particle(&at(clock_secs), |particle| {
            let numbers = particle.size.iter().chain(&particle.color);
            let mut numbers = numbers.chain([&particle.stretch, &particle.angle_rad]);
            assert!(
                numbers.all(|it| it.is_finite()),
                "{particle:?} of {emitter:?}"
            );
        });
    }
}
