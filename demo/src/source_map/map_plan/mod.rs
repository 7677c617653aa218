//! The demo map: a hall with a fireplace, a courtyard with a pool under an open sky, a balcony over a colonnade, a
//! store behind a grate, and hills around.
//!
//! Units are those of the game: a player is 72 high. +X is east, +Y north. The floor lies at 0.

mod courtyard;
mod hall;
mod machines;
mod palette;
mod sky_box;
mod store;

use super::brushes::Brush;
use super::entities::{EntityPlan, Lamp, LightColor, Sun};
use super::textures::Texture;
use super::{MapPlan, vase};
use crate::vector::Vec3;

/// First part of the names of the sky's textures.
pub const SKY_NAME: &str = "demo_day";

/// The plan of the demo map.
pub fn demo(textures: &[Texture]) -> MapPlan {
    let mut plan = MapPlan {
        materials: palette::all(textures),
        n_bounces: 3,
        sun: Some(sun()),
        ..MapPlan::default()
    };
    plan.entities.push(
        EntityPlan::new("worldspawn")
            .with("skyname", SKY_NAME)
            .with("message", "Ironlands courtyard")
            .with("mapversion", 1),
    );
    hall::add(&mut plan);
    courtyard::add(&mut plan);
    store::add(&mut plan);
    machines::add(&mut plan);
    sky_box::add(&mut plan);
    place_vases(&mut plan);
    plan.entities.push(
        EntityPlan::new("info_player_start")
            .at([-480.0, 0.0, 1.0])
            .with("angles", "0 0 0"),
    );
    plan.entities.push(fog());
    plan
}

/// From the south-east, high enough to fall through the hall's windows.
pub fn sun() -> Sun {
    Sun {
        origin: [512.0, 0.0, 600.0],
        pitch: -42.0,
        yaw: 155.0,
        color: LightColor {
            rgb: [255, 236, 200],
            brightness: 440.0,
        },
        sky: LightColor {
            rgb: [170, 200, 235],
            brightness: 150.0,
        },
        spread: 0.02,
    }
}

/// Vases at the corners of the pool, before the hall and on the balcony.
fn place_vases(plan: &mut MapPlan) {
    plan.vases = vec![
        [320.0, -192.0, 0.0],
        [320.0, 192.0, 0.0],
        [704.0, -192.0, 0.0],
        [704.0, 192.0, 0.0],
        [40.0, -96.0, 0.0],
        [40.0, 96.0, 0.0],
        [680.0, 488.0, 144.0],
        [-336.0, 136.0, 38.0],
    ];
    plan.shadow_casters = plan
        .vases
        .iter()
        .flat_map(|place| vase::shadow(*place))
        .collect();
}

fn fog() -> EntityPlan {
    EntityPlan::new("env_fog_controller")
        .at([512.0, 64.0, 600.0])
        .with("fogenable", 1)
        .with("fogblend", 0)
        .with("fogcolor", "178 196 214")
        .with("fogcolor2", "178 196 214")
        .with("fogstart", 600)
        .with("fogend", 6000)
        .with("fogmaxdensity", 0.5)
        .with("farz", -1)
}

/// A box.
fn block(low: [f64; 3], high: [f64; 3], material: usize) -> Brush {
    Brush::block(low, high, material)
}

/// A steady lamp that hangs from `ceiling`, `drop` below it.
fn hanging_lamp(plan: &mut MapPlan, ceiling: Vec3, drop: f64, brightness: f64) {
    let [x, y, top] = ceiling;
    let cap = top - drop + 14.0;
    let details = [
        block(
            [x - 1.0, y - 1.0, cap],
            [x + 1.0, y + 1.0, top],
            palette::idx::LADDER,
        ),
        block(
            [x - 7.0, y - 7.0, cap],
            [x + 7.0, y + 7.0, cap + 3.0],
            palette::idx::LADDER,
        ),
        block(
            [x - 6.0, y - 6.0, cap - 14.0],
            [x + 6.0, y + 6.0, cap],
            palette::idx::GLOW,
        ),
    ];
    plan.brushes.extend(details.map(|brush| brush.detail()));
    plan.lamps.push(Lamp {
        // Right below its glass: the farther below, the wider is the shadow of the cap on the ceiling.
        origin: [x, y, cap - 16.0],
        color: LightColor {
            rgb: [255, 198, 126],
            brightness,
        },
        style: 0,
        name: None,
        cone: None,
    });
}

/// An upright column with eight sides; `radius` is that of the circle inside.
fn column(middle: [f64; 2], radius: f64, low: f64, high: f64, material: usize) -> Brush {
    // tan(22.5 degrees), half the side of an octagon around the unit circle.
    let half = radius * 0.414_213_562_373_095_05;
    let outline: Vec<Vec3> = [
        [radius, -half],
        [radius, half],
        [half, radius],
        [-half, radius],
        [-radius, half],
        [-radius, -half],
        [-half, -radius],
        [half, -radius],
    ]
    .iter()
    .map(|[x, y]| [middle[0] + x, middle[1] + y, low])
    .collect();
    Brush::prism(&outline, [0.0, 0.0, high - low], material)
}

/// A wall along one axis with rectangular openings in it: `openings` are ranges along the wall and upward, in order
/// and apart from each other. `box_at` makes a box of ranges along the wall and upward.
fn wall(
    along: [f64; 2],
    upward: [f64; 2],
    openings: &[([f64; 2], [f64; 2])],
    box_at: impl Fn([f64; 2], [f64; 2]) -> Brush,
) -> Vec<Brush> {
    let mut brushes = Vec::new();
    let mut from = along[0];
    for (range, height) in openings {
        brushes.push(box_at([from, range[0]], upward));
        if height[0] > upward[0] {
            brushes.push(box_at(*range, [upward[0], height[0]]));
        }
        if height[1] < upward[1] {
            brushes.push(box_at(*range, [height[1], upward[1]]));
        }
        from = range[1];
    }
    brushes.push(box_at([from, along[1]], upward));
    brushes
}
