//! A map that shows small things that stand and hang in levels, and how light of high range is shown: a yard with grass, ropes, glows
//! and sprayed pictures, vases that are gone from afar, a wheel that turns and creaks, a chime, a bowl of fire,
//! a vent that blows from time to time, an arc between two rods, a corner in other colors, and a dark shed that the eye gets
//! used to, with fireflies.
//!
//! - `fire`: particle systems
//! - [`grass`]: detail props
//! - `motes`: particle systems whose particles are stepped, or joined
//! - `pictures`: textures, and the table of colors
//! - `pinwheel`: a model that moves
//! - `sounds`: what is heard

mod fire;
mod grass;
mod motes;
mod pictures;
mod pinwheel;
mod sounds;

use super::brushes::{Brush, MaterialIdx, SurfaceMaterial, flags};
use super::entities::{EntityPlan, Lamp, LightColor, Sun};
use super::textures::{files_of_vase, sky};
use super::{MapPlan, SourceMapError, file, vase};
use crate::noise;
use crate::vector::Vec3;

/// Path of the map below `DATA`.
pub const GARDEN_PATH: &str = "SOURCE/garden.bsp";
/// First part of the names of the sky's textures, and their side in pixels.
const SKY_NAME: &str = "garden_day";
const SKY_SIDE: usize = 32;
/// The yard from x and y 0, and the shed east of it.
const YARD: [f64; 2] = [1152.0, 640.0];
const SHED_END: f64 = 1472.0;
const SHED_TOP: f64 = 128.0;
/// The door of the shed along y, and its height.
const DOOR: [f64; 2] = [272.0, 368.0];
const DOOR_TOP: f64 = 96.0;
/// Where walls end and the sky begins, and where that ends.
const WALL_TOP: f64 = 160.0;
const SKY_TOP: f64 = 512.0;

const GROUND: MaterialIdx = 0;
const WALL: MaterialIdx = 1;
const SKY: MaterialIdx = 2;

/// The file of the map.
///
/// # Errors
/// None that a caller can cause: a level that leaks or has outgrown its format.
pub fn garden_file() -> Result<Vec<u8>, SourceMapError> {
    let mut pak = pictures::files()?;
    pak.extend(vase::files()?);
    pak.extend(pinwheel::files()?);
    pak.extend(sounds::files());
    pak.extend(fire::files()?);
    pak.extend(motes::files()?);
    pak.extend(files_of_vase()?);
    pak.extend(sky::files(SKY_NAME, &sun(), SKY_SIDE)?);
    file::write(&plan(), &pak)
}

/// The plan of the map.
pub fn plan() -> MapPlan {
    let mut plan = MapPlan {
        materials: materials(),
        n_bounces: 2,
        sun: Some(sun()),
        is_high_range: true,
        detail: grass::detail_props(),
        detail_lights: grass::lights(),
        ..MapPlan::default()
    };
    plan.entities.push(
        EntityPlan::new("worldspawn")
            .with("skyname", SKY_NAME)
            .with("message", "Ironlands garden")
            .with("detailmaterial", pictures::DETAIL)
            .with("mapversion", 1),
    );
    shell(&mut plan);
    ropes(&mut plan);
    vases(&mut plan);
    plan.entities.extend(decals());
    plan.entities.extend(lights());
    plan.entities.push(pinwheel::entity());
    plan.entities.extend(sounds::entities());
    plan.brushes.extend(fire::brushes());
    plan.entities.extend(fire::entities());
    plan.brushes.extend(motes::brushes());
    plan.entities.extend(motes::entities());
    plan.entities.extend(exposure());
    plan.lamps.push(Lamp {
        origin: [1312.0, 320.0, 100.0],
        color: LightColor {
            rgb: [255, 190, 120],
            brightness: 14.0,
        },
        style: 0,
        name: None,
        cone: None,
    });
    plan.entities.push(
        EntityPlan::new("info_player_start")
            .at([160.0, 320.0, 1.0])
            .with("angles", "0 0 0"),
    );
    plan
}

/// From the south-west, so that it falls on the north wall and through the door of the shed.
fn sun() -> Sun {
    Sun {
        origin: [576.0, 100.0, 400.0],
        pitch: -44.0,
        yaw: 48.0,
        color: LightColor {
            rgb: [255, 240, 214],
            brightness: 420.0,
        },
        sky: LightColor {
            rgb: [176, 204, 236],
            brightness: 150.0,
        },
        spread: 0.02,
    }
}

fn materials() -> Vec<SurfaceMaterial> {
    let base = |name: &str, reflectivity| SurfaceMaterial {
        name: name.to_owned(),
        flags: 0,
        size: [64; 2],
        units_per_texel: 1.5,
        units_per_luxel: 16.0,
        reflectivity: [reflectivity; 3],
        beneath: None,
    };
    vec![
        base("garden/ground", 0.2),
        base("garden/wall", 0.4),
        SurfaceMaterial {
            flags: flags::SKY | flags::NOLIGHT,
            ..base("tools/toolsskybox", 0.2)
        },
    ]
}

/// Ground, walls, the shed, and the sky.
fn shell(plan: &mut MapPlan) {
    let [x, y] = YARD;
    let block = Brush::block;
    let end = SHED_END;
    plan.brushes.extend([
        block([-32.0, -32.0, -32.0], [end + 32.0, y + 32.0, 0.0], GROUND),
        block([-32.0, y, 0.0], [end + 32.0, y + 32.0, WALL_TOP], WALL),
        block([-32.0, -32.0, 0.0], [end + 32.0, 0.0, WALL_TOP], WALL),
        block([-32.0, 0.0, 0.0], [0.0, y, WALL_TOP], WALL),
        // The wall of the shed with its door, its end and its roof.
        block([x, 0.0, 0.0], [x + 16.0, DOOR[0], WALL_TOP], WALL),
        block([x, DOOR[1], 0.0], [x + 16.0, y, WALL_TOP], WALL),
        block([x, DOOR[0], DOOR_TOP], [x + 16.0, DOOR[1], WALL_TOP], WALL),
        block([end, 0.0, 0.0], [end + 32.0, y, WALL_TOP], WALL),
        block([x + 16.0, 0.0, SHED_TOP], [end, y, WALL_TOP], WALL),
        block(
            [-32.0, -32.0, SKY_TOP],
            [end + 32.0, y + 32.0, SKY_TOP + 16.0],
            SKY,
        ),
        block([-48.0, y + 32.0, 0.0], [end + 48.0, y + 48.0, SKY_TOP], SKY),
        block([-48.0, -48.0, 0.0], [end + 48.0, -32.0, SKY_TOP], SKY),
        block([-48.0, -32.0, 0.0], [-32.0, y + 32.0, SKY_TOP], SKY),
        block(
            [end + 32.0, -32.0, 0.0],
            [end + 48.0, y + 32.0, SKY_TOP],
            SKY,
        ),
    ]);
}

/// Two rows of posts with ropes between them: straight, with a little slack, with much, and one that is cut.
fn ropes(plan: &mut MapPlan) {
    let posts = [384.0, 576.0, 768.0, 960.0];
    for x in posts {
        let post = Brush::block([x - 4.0, 556.0, 0.0], [x + 4.0, 564.0, 132.0], WALL);
        plan.brushes.push(post.detail());
    }
    let rope = |class: &str, at: usize| {
        EntityPlan::new(class)
            .at([posts[at], 560.0, 130.0])
            .with("targetname", format!("rope_{at}"))
            .with("Width", 3)
            .with("TextureScale", 1)
            .with("RopeMaterial", "garden/rope.vmt")
    };
    let next = |at: usize| format!("rope_{at}");
    plan.entities.extend([
        rope("move_rope", 0)
            .with("NextKey", next(1))
            .with("Slack", 0),
        rope("keyframe_rope", 1)
            .with("NextKey", next(2))
            .with("Slack", 25),
        rope("keyframe_rope", 2)
            .with("NextKey", next(3))
            .with("Slack", 110),
        rope("keyframe_rope", 3),
    ]);
    // Cut: it hangs from the wall of the shed.
    let cut = |class: &str, place: Vec3| {
        EntityPlan::new(class)
            .at(place)
            .with("Slack", 0)
            .with("Dangling", 1)
            .with("Width", 3)
            .with("RopeMaterial", "garden/rope.vmt")
    };
    plan.entities.extend([
        cut("move_rope", [1148.0, 480.0, 150.0]).with("NextKey", "rope_end"),
        cut("keyframe_rope", [1130.0, 480.0, 60.0]).with("targetname", "rope_end"),
    ]);
}

/// Vases along the south wall that are gone from afar.
fn vases(plan: &mut MapPlan) {
    plan.vases = [320.0, 480.0, 640.0, 800.0, 960.0]
        .map(|x| [x, 40.0, 0.0])
        .into();
    plan.vase_fade = [400.0, 560.0];
    let places = plan.vases.iter();
    plan.shadow_casters = places.flat_map(|place| vase::shadow(*place)).collect();
}

/// On the north wall, on the ground, and where both meet.
fn decals() -> Vec<EntityPlan> {
    let [_, y] = YARD;
    let places: [Vec3; 4] = [
        [192.0, y - 2.0, 80.0],
        [272.0, y - 2.0, 2.0],
        [224.0, 448.0, 2.0],
        [2.0, 448.0, 80.0],
    ];
    let decal = |place: Vec3| {
        EntityPlan::new("infodecal")
            .at(place)
            .with("texture", "garden/arrow")
    };
    places.into_iter().map(decal).collect()
}

/// A glow before the shed's lamp, and one over the yard that comes with the distance.
fn lights() -> Vec<EntityPlan> {
    vec![
        EntityPlan::new("env_sprite")
            .at([1312.0, 320.0, 100.0])
            .with("model", "garden/glow.vmt")
            .with("scale", 0.6)
            .with("rendermode", 9)
            .with("rendercolor", "255 190 120"),
        EntityPlan::new("env_lightglow")
            .at([960.0, 560.0, 142.0])
            .with("rendercolor", "255 220 160")
            .with("HorizontalGlowSize", 24)
            .with("VerticalGlowSize", 24)
            .with("MinDist", 200)
            .with("MaxDist", 600),
    ]
}

/// What the eye gets used to, and a corner in other colors.
fn exposure() -> Vec<EntityPlan> {
    let at_beginning = |input: &str, parameter: &str| format!("tonemap,{input},{parameter},0,-1");
    vec![
        EntityPlan::new("env_tonemap_controller")
            .at([576.0, 320.0, 64.0])
            .with("targetname", "tonemap"),
        EntityPlan::new("logic_auto")
            .at([576.0, 340.0, 64.0])
            .with("OnMapSpawn", at_beginning("SetAutoExposureMin", "0.4"))
            .with("OnMapSpawn", at_beginning("SetAutoExposureMax", "4"))
            .with("OnMapSpawn", at_beginning("SetBloomScale", "0.6")),
        EntityPlan::new("color_correction")
            .at([64.0, 64.0, 64.0])
            .with("filename", pictures::TABLE)
            .with("maxweight", 1)
            .with("minfalloff", 64)
            .with("maxfalloff", 192),
    ]
}

/// A number from 0 to 1 without a pattern.
fn random_unit(seed: u32, x: i32, y: i32) -> f64 {
    noise::unit(noise::hash2(seed, x, y))
}
