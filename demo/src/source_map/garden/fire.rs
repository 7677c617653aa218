//! Particle systems of the garden: a bowl of fire, with flames, sparks and smoke, and a vent that a timer lets blow.

use std::f64::consts::TAU;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::pcf::{DraftFunction, DraftSystem, DraftValue, FunctionList, Pcf};

use super::{WALL, motes, random_unit};
use crate::noise::smoothstep;
use crate::source_map::brushes::Brush;
use crate::source_map::entities::EntityPlan;
use crate::source_map::textures::vtf;
use crate::textures::{Canvas, Rgb};
use crate::vector::{Vec3, add};
use DraftValue::{Color, Flag, Float, Int, Text, Vec3 as Three};
use FunctionList::{Emitters, Initializers, Operators, Renderers};

/// Path of the systems, which the manifest of the map lists.
const SYSTEMS: &str = "particles/garden.pcf";
const MANIFEST: &str = "maps/garden_particles.txt";
const FIRE: &str = "garden_fire";
const VENT: &str = "garden_vent";
/// Where the bowl stands, and its height.
const BOWL: Vec3 = [640.0, 440.0, 0.0];
const BOWL_TOP: f64 = 40.0;
/// Where it blows out of the north wall.
const VENT_PLACE: Vec3 = [1056.0, 634.0, 72.0];
/// Cells of the sheet of flames along each side.
const CELLS: u32 = 2;
const SHEET_SIDE: usize = 64;
const SMOKE_SIDE: usize = 32;

/// The foot of the bowl and its rim.
pub fn brushes() -> Vec<Brush> {
    let around = |half: f64, from: f64, to: f64| {
        let low = add(BOWL, [-half, -half, from]);
        Brush::block(low, add(BOWL, [half, half, to]), WALL).detail()
    };
    vec![
        around(8.0, 0.0, BOWL_TOP - 12.0),
        around(16.0, BOWL_TOP - 12.0, BOWL_TOP),
    ]
}

/// The fire, and the vent with its timer.
pub fn entities() -> Vec<EntityPlan> {
    let system = |name: &str, effect: &str| {
        EntityPlan::new("info_particle_system")
            .with("targetname", name)
            .with("effect_name", effect)
    };
    vec![
        system("fire", FIRE)
            .at(add(BOWL, [0.0, 0.0, BOWL_TOP]))
            .with("start_active", 1),
        // Ahead is out of the wall.
        system("vent", VENT)
            .at(VENT_PLACE)
            .with("angles", "0 270 0")
            .with("start_active", 0),
        EntityPlan::new("logic_timer")
            .at(add(VENT_PLACE, [0.0, -16.0, 32.0]))
            .with("targetname", "vent_timer")
            .with("RefireTime", 4)
            .with("OnTimer", "vent,Start,,0,-1")
            .with("OnTimer", "vent,Stop,,1.5,-1"),
    ]
}

/// Systems, their manifest, textures and materials, by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let flames = vtf::sheet(&Canvas::paint(SHEET_SIDE, flames), CELLS)?;
    let mut smoke = Canvas::paint(SMOKE_SIDE, |_, _| [255.0; 3]);
    let alpha = Canvas::paint(SMOKE_SIDE, |u, v| [puff(u, v); 3]);
    smoke.alpha = alpha.rgb.iter().map(|[it, ..]| *it).collect();
    let material = |name: &str, more: &str| {
        let text = format!(
            "\"SpriteCard\"\n{{\n\t\"$basetexture\" \"garden/{name}\"\n\t\"$vertexcolor\" \"1\"\n{more}}}\n"
        );
        (format!("materials/garden/{name}.vmt"), text.into_bytes())
    };
    let listed = [SYSTEMS, motes::SYSTEMS].map(|path| format!("\t\"file\" \"{path}\"\n"));
    let manifest = format!("\"particles_manifest\"\n{{\n{}}}\n", listed.concat());
    Ok(vec![
        ("materials/garden/flames.vtf".to_owned(), flames),
        material("flames", "\t\"$additive\" \"1\"\n"),
        (
            "materials/garden/smoke.vtf".to_owned(),
            vtf::repeating(&smoke, false)?,
        ),
        material(
            "smoke",
            "\t\"$depthblend\" \"1\"\n\t\"$depthblendscale\" \"12\"\n",
        ),
        (SYSTEMS.to_owned(), systems().write()?),
        (MANIFEST.to_owned(), manifest.into_bytes()),
    ])
}

fn systems() -> Pcf {
    let function = |list, name, parameters| DraftFunction {
        list,
        name,
        parameters,
    };
    let sprites = function(
        Renderers,
        "render_animated_sprites",
        &[("animation_fit_lifetime", Flag(true))],
    );
    let decay = function(Operators, "Lifespan Decay", &[]);
    let turned = function(Initializers, "Rotation Random", &[]);
    let stream = |parameters| function(Emitters, "emit_continuously", parameters);
    let life = |parameters| function(Initializers, "Lifetime Random", parameters);
    let radius = |parameters| function(Initializers, "Radius Random", parameters);
    let place = |parameters| function(Initializers, "Position Within Sphere Random", parameters);
    let moved = |parameters| function(Operators, "Movement Basic", parameters);
    let scaled = |parameters| function(Operators, "Radius Scale", parameters);
    let fades = |parameters| function(Operators, "Alpha Fade and Decay", parameters);
    let flames = [
        sprites,
        fades(&[
            ("end_fade_in_time", Float(0.2)),
            ("start_fade_out_time", Float(0.5)),
            ("start_alpha", Float(0.0)),
        ]),
        moved(&[("gravity", Three([0.0, 0.0, 60.0]))]),
        scaled(&[
            ("radius_start_scale", Float(1.0)),
            ("radius_end_scale", Float(0.35)),
        ]),
        function(
            Operators,
            "Color Fade",
            &[("color_fade", Color([150, 24, 0, 255]))],
        ),
        life(&[("lifetime_min", Float(0.5)), ("lifetime_max", Float(0.9))]),
        radius(&[("radius_min", Float(9.0)), ("radius_max", Float(14.0))]),
        function(
            Initializers,
            "Color Random",
            &[
                ("color1", Color([235, 150, 60, 255])),
                ("color2", Color([215, 105, 30, 255])),
            ],
        ),
        function(
            Initializers,
            "Rotation Random",
            &[
                ("rotation_offset_min", Float(-25.0)),
                ("rotation_offset_max", Float(25.0)),
            ],
        ),
        place(&[
            ("distance_max", Float(9.0)),
            ("distance_bias", Three([1.0, 1.0, 0.2])),
            ("speed_min", Float(2.0)),
            ("speed_max", Float(8.0)),
        ]),
        function(
            Initializers,
            "Position Modify Offset Random",
            &[
                ("offset min", Three([0.0, 0.0, 4.0])),
                ("offset max", Three([0.0, 0.0, 10.0])),
            ],
        ),
        stream(&[("emission_rate", Float(24.0))]),
    ];
    let sparks = [
        function(
            Renderers,
            "render_sprite_trail",
            &[("animation rate", Float(0.1))],
        ),
        decay,
        moved(&[("gravity", Three([0.0, 0.0, 40.0])), ("drag", Float(0.02))]),
        function(
            Operators,
            "Oscillate Vector",
            &[
                ("oscillation field", Int(0)),
                ("oscillation rate min", Three([-30.0, -30.0, 0.0])),
                ("oscillation rate max", Three([60.0, 60.0, 0.0])),
            ],
        ),
        function(
            Operators,
            "Alpha Fade Out Random",
            &[
                ("fade out time min", Float(0.5)),
                ("fade out time max", Float(0.8)),
            ],
        ),
        life(&[("lifetime_min", Float(0.9)), ("lifetime_max", Float(2.0))]),
        radius(&[("radius_min", Float(0.4)), ("radius_max", Float(0.8))]),
        function(
            Initializers,
            "Trail Length Random",
            &[("length_min", Float(0.03)), ("length_max", Float(0.06))],
        ),
        place(&[
            ("distance_max", Float(10.0)),
            ("speed_min", Float(10.0)),
            ("speed_max", Float(40.0)),
            ("distance_bias_absolute_value", Three([0.0, 0.0, 1.0])),
        ]),
        stream(&[("emission_rate", Float(14.0))]),
    ];
    let smoke = [
        function(Renderers, "render_animated_sprites", &[]),
        fades(&[
            ("end_fade_in_time", Float(0.15)),
            ("start_fade_out_time", Float(0.3)),
            ("start_alpha", Float(0.0)),
        ]),
        moved(&[("gravity", Three([6.0, 3.0, 8.0])), ("drag", Float(0.01))]),
        scaled(&[
            ("radius_start_scale", Float(0.5)),
            ("radius_end_scale", Float(2.2)),
            ("scale_bias", Float(0.6)),
        ]),
        function(Operators, "Rotation Basic", &[]),
        life(&[("lifetime_min", Float(3.0)), ("lifetime_max", Float(4.5))]),
        radius(&[("radius_min", Float(12.0)), ("radius_max", Float(18.0))]),
        function(
            Initializers,
            "Alpha Random",
            &[("alpha_min", Int(40)), ("alpha_max", Int(90))],
        ),
        turned,
        function(
            Initializers,
            "Rotation Speed Random",
            &[("rotation_speed_random_max", Float(20.0))],
        ),
        place(&[("distance_max", Float(6.0)), ("speed_max", Float(4.0))]),
        function(
            Initializers,
            "Position Modify Offset Random",
            &[
                ("offset min", Three([0.0, 0.0, 16.0])),
                ("offset max", Three([0.0, 0.0, 24.0])),
            ],
        ),
        function(
            Initializers,
            "Velocity Noise",
            &[
                ("output minimum", Three([-6.0, -6.0, 26.0])),
                ("output maximum", Three([6.0, 6.0, 40.0])),
            ],
        ),
        stream(&[("emission_rate", Float(7.0))]),
    ];
    let steam = [
        function(Renderers, "render_animated_sprites", &[]),
        fades(&[
            ("end_fade_in_time", Float(0.1)),
            ("start_fade_out_time", Float(0.2)),
        ]),
        moved(&[("gravity", Three([0.0, 0.0, 24.0])), ("drag", Float(0.05))]),
        scaled(&[
            ("radius_start_scale", Float(0.4)),
            ("radius_end_scale", Float(3.0)),
        ]),
        life(&[("lifetime_min", Float(0.8)), ("lifetime_max", Float(1.4))]),
        radius(&[("radius_min", Float(6.0)), ("radius_max", Float(9.0))]),
        turned,
        place(&[
            ("distance_max", Float(2.0)),
            (
                "speed_in_local_coordinate_system_min",
                Three([120.0, -14.0, -6.0]),
            ),
            (
                "speed_in_local_coordinate_system_max",
                Three([170.0, 14.0, 20.0]),
            ),
        ]),
        stream(&[("emission_rate", Float(40.0))]),
    ];
    let system = |name, parameters, functions, children| DraftSystem {
        name,
        parameters,
        functions,
        children,
    };
    Pcf::draft(
        2,
        &[
            system(
                FIRE,
                &[
                    ("material", Text("garden\\flames.vmt")),
                    ("max_particles", Int(60)),
                ][..],
                &flames[..],
                &[(1, 0.0), (2, 0.0)][..],
            ),
            system(
                "garden_fire_sparks",
                &[
                    ("material", Text("garden\\glow.vmt")),
                    ("max_particles", Int(60)),
                    ("color", Color([255, 190, 90, 255])),
                ],
                &sparks,
                &[],
            ),
            system(
                "garden_fire_smoke",
                &[
                    ("material", Text("garden\\smoke.vmt")),
                    ("max_particles", Int(60)),
                    ("color", Color([70, 66, 62, 255])),
                ],
                &smoke,
                &[],
            ),
            system(
                VENT,
                &[
                    ("material", Text("garden\\smoke.vmt")),
                    ("max_particles", Int(80)),
                    ("color", Color([235, 240, 245, 170])),
                ],
                &steam,
                &[],
            ),
        ],
    )
}

/// Four tongues, each in its cell, black around them.
fn flames(u: f64, v: f64) -> Rgb {
    let cells = f64::from(CELLS);
    let [column, row] = [u, v].map(|it| (it * cells).floor());
    let cell = (column + cells * row) as i32;
    let [x, y] = [u, v].map(|it| (it * cells).fract() * 2.0 - 1.0);
    let up = -y;
    let phase = random_unit(610, cell, 1) * TAU;
    let lean = 0.22 * libm::sin(2.2 * up + phase) * (0.5 + 0.5 * up);
    let width = 0.62 * smoothstep(1.0, -0.4, up) * smoothstep(-1.0, -0.6, up);
    let inside = smoothstep(width, 0.25 * width, (x - lean).abs());
    let lick = 0.75 + 0.25 * libm::sin(7.0 * up + 5.0 * x + 2.0 * phase);
    let shade = if width > 0.0 { inside * lick } else { 0.0 };
    [shade; 3].map(|it| 255.0 * it)
}

/// How much a puff of smoke covers.
fn puff(u: f64, v: f64) -> f64 {
    let [x, y] = [u, v].map(|it| it * 2.0 - 1.0);
    let bumps = (0..7).map(|at| {
        let turn = TAU * random_unit(620, at, 3);
        let from = 0.42 * random_unit(621, at, 3);
        let size = 0.34 + 0.2 * random_unit(622, at, 3);
        let [dx, dy] = [x - from * libm::cos(turn), y - from * libm::sin(turn)];
        0.45 * smoothstep(size, 0.0, libm::sqrt(dx * dx + dy * dy))
    });
    let edge = libm::sqrt(x * x + y * y);
    bumps.sum::<f64>().min(1.0) * smoothstep(1.0, 0.6, edge)
}
