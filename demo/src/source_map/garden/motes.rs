//! Particle systems of the garden whose particles are stepped, or joined: fireflies in the shed, and an arc between two rods.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::pcf::{DraftFunction, DraftSystem, DraftValue, FunctionList, Pcf};

use super::WALL;
use crate::noise::smoothstep;
use crate::source_map::brushes::Brush;
use crate::source_map::entities::EntityPlan;
use crate::source_map::textures::vtf;
use crate::textures::Canvas;
use crate::vector::{Vec3, add};
use DraftValue::{Color, Flag, Float, Int, Text, Vec3 as Three};
use FunctionList::{Constraints, Emitters, Forces, Initializers, Operators, Renderers};

/// Path of the systems, which the manifest of the map lists.
pub const SYSTEMS: &str = "particles/garden_motes.pcf";
const FIREFLIES: &str = "garden_fireflies";
const ARC: &str = "garden_arc";
/// What fireflies fly around.
const SWARM: Vec3 = [1330.0, 320.0, 52.0];
/// The tops of the rods that the arc leaps between.
const RODS: [Vec3; 2] = [[800.0, 608.0, 56.0], [880.0, 608.0, 56.0]];
const ARC_SIDE: usize = 16;

/// The rods.
pub fn brushes() -> Vec<Brush> {
    let rod = |[x, y, top]: Vec3| {
        Brush::block([x - 3.0, y - 3.0, 0.0], [x + 3.0, y + 3.0, top], WALL).detail()
    };
    RODS.map(rod).into()
}

/// The swarm, and the arc with its end.
pub fn entities() -> Vec<EntityPlan> {
    let system = |effect: &str| {
        EntityPlan::new("info_particle_system")
            .with("effect_name", effect)
            .with("start_active", 1)
    };
    let [from, to] = RODS.map(|top| add(top, [0.0, 0.0, 2.0]));
    vec![
        system(FIREFLIES).at(SWARM),
        system(ARC).at(from).with("cpoint1", "arc_end"),
        EntityPlan::new("info_target")
            .at(to)
            .with("targetname", "arc_end"),
    ]
}

/// Systems, and the texture and material of the arc, by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let arc = Canvas::paint(ARC_SIDE, |u, _| {
        let from_middle = (2.0 * u - 1.0).abs();
        let core = smoothstep(0.35, 0.0, from_middle);
        let glow = smoothstep(1.0, 0.0, from_middle);
        [0.35, 0.45, 0.9].map(|part| 255.0 * (core + part * glow).min(1.0))
    });
    let material =
        "\"SpriteCard\"\n{\n\t\"$basetexture\" \"garden/arc\"\n\t\"$additive\" \"1\"\n}\n";
    Ok(vec![
        (
            "materials/garden/arc.vtf".to_owned(),
            vtf::repeating(&arc, false)?,
        ),
        ("materials/garden/arc.vmt".to_owned(), material.into()),
        (SYSTEMS.to_owned(), systems().write()?),
    ])
}

fn systems() -> Pcf {
    let function = |list, name, parameters| DraftFunction {
        list,
        name,
        parameters,
    };
    let decay = function(Operators, "Lifespan Decay", &[]);
    let fireflies = [
        function(Renderers, "render_animated_sprites", &[]),
        decay,
        function(Operators, "Movement Basic", &[("drag", Float(0.06))]),
        function(
            Operators,
            "Alpha Fade In Simple",
            &[("proportional fade in time", Float(0.15))],
        ),
        function(
            Operators,
            "Alpha Fade Out Simple",
            &[("proportional fade out time", Float(0.2))],
        ),
        // Each blinks in its own time.
        function(
            Operators,
            "Oscillate Scalar",
            &[
                ("proportional 0/1", Flag(false)),
                ("oscillation rate min", Float(-2.4)),
                ("oscillation rate max", Float(2.4)),
                ("oscillation frequency min", Float(0.5)),
                ("oscillation frequency max", Float(1.1)),
            ],
        ),
        function(
            Initializers,
            "Lifetime Random",
            &[("lifetime_min", Float(6.0)), ("lifetime_max", Float(10.0))],
        ),
        function(
            Initializers,
            "Radius Random",
            &[("radius_min", Float(1.0)), ("radius_max", Float(1.8))],
        ),
        function(
            Initializers,
            "Position Within Sphere Random",
            &[
                ("distance_min", Float(20.0)),
                ("distance_max", Float(70.0)),
                ("distance_bias", Three([1.0, 1.0, 0.5])),
            ],
        ),
        function(
            Emitters,
            "emit to maintain count",
            &[("count to maintain", Int(28))],
        ),
        function(
            Forces,
            concat!("Pull toward", "s control point"),
            &[
                ("amount of force", Float(26.0)),
                ("falloff power", Float(0.0)),
            ],
        ),
        function(
            Forces,
            "twist around axis",
            &[("amount of force", Float(44.0))],
        ),
        function(
            Forces,
            "turbulent force",
            &[
                ("Noise scale 0", Float(0.04)),
                ("Noise amount 0", Three([90.0, 90.0, 70.0])),
            ],
        ),
        function(
            Constraints,
            "Constrain distance to control point",
            &[("maximum distance", Float(84.0))],
        ),
        function(
            Constraints,
            "Prevent passing through a plane",
            &[("plane point", Three([0.0, 0.0, -48.0]))],
        ),
    ];
    // Joints jump one at a time: each at the end of its short life.
    let arc = [
        function(
            Renderers,
            "render_rope",
            &[("subdivision_count", Int(4)), ("texel_size", Float(1.0))],
        ),
        decay,
        function(
            Initializers,
            "Lifetime Random",
            &[("lifetime_min", Float(0.06)), ("lifetime_max", Float(0.2))],
        ),
        function(
            Initializers,
            "Radius Random",
            &[("radius_min", Float(1.2)), ("radius_max", Float(2.6))],
        ),
        function(
            Initializers,
            "Position Along Path Sequential",
            &[
                ("end control point number", Int(1)),
                ("maximum distance", Float(5.0)),
                ("particles to map from start to end", Int(14)),
            ],
        ),
        function(
            Emitters,
            "emit to maintain count",
            &[("count to maintain", Int(14))],
        ),
    ];
    let system = |name, parameters, functions| DraftSystem {
        name,
        parameters,
        functions,
        children: &[],
    };
    Pcf::draft(
        2,
        &[
            system(
                FIREFLIES,
                &[
                    ("material", Text("garden\\glow.vmt")),
                    ("max_particles", Int(40)),
                    ("color", Color([190, 255, 90, 170])),
                ][..],
                &fireflies[..],
            ),
            system(
                ARC,
                &[
                    ("material", Text("garden\\arc.vmt")),
                    ("max_particles", Int(40)),
                ],
                &arc,
            ),
        ],
    )
}
