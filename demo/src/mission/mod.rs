//! The demo's missions: in, the finished ground; out, `data.tma`.
//!
//! A base on the plain behind the western beach, an outpost at the crossroads, walkers that patrol between woods.
//! Everything stands on the ground that the level draws. Motion is a convention of our own, as properties of an
//! object that no known file has: `Ironlands.Path` (id of a closed path), `Ironlands.PathSpeed` (units a second),
//! `Ironlands.PathStart` (units along it), `Ironlands.ClipFirst`, `Ironlands.ClipLast` (frames that are looped) and
//! `Ironlands.ClipRate` (frames a second), `Ironlands.ClipStart` (frames that have gone by at the start). A walker's speed fits its stride, so that its feet do not slide.

mod ground;
mod site;
mod sky;
pub mod sky_looks;
mod sources;

use ironlands_assets_parkan::foundations::{Affine, Basement, Foundations};
use ironlands_assets_parkan::land_msh::LandMsh;
use ironlands_assets_parkan::mission::{Clan, Mission, NO_CLAN, Object, Relation};

use crate::DemoError;
use crate::models::{self, SWAY_FRAMES, SWEEP_FRAMES, WALK_FRAMES, WALK_STRIDE};
use crate::noise::{ENDLESS, fbm};
use ground::Ground;
use site::{Clip, Plan, Site, lot, set_clip, set_path};

/// Positions of the clans.
const ENVIRONMENT: i32 = 0;
const PLAYER: i32 = 1;
const RAIDERS: i32 = 2;

/// Kinds of objects.
const BUILDING: u32 = 0;
const MACHINE: u32 = 1;
const THING: u32 = 2;
const STONE: u32 = 3;

const FULL_TURN: f64 = 2.0 * std::f64::consts::PI;

/// Middle of the base, and of the outpost.
const BASE: [f64; 2] = [392.0, 402.0];
const OUTPOST: [f64; 2] = [512.0, 590.0];

/// Files of the missions on Map01 and Map02, by path below the root.
pub fn files(bay: &LandMsh, archipelago: &LandMsh) -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    let missions = [
        (
            "single.01",
            mission(&Ground::new(bay), bay),
            "The valley by the sea",
        ),
        (
            "single.02",
            sources::island_mission(archipelago),
            "The islands",
        ),
    ];
    let mut files = Vec::new();
    for (folder, mission, title) in missions {
        let path = |file: &str| format!("MISSIONS/{folder}/{file}");
        files.push((path("data.tma"), mission.write()?));
        files.push((path("descr"), format!("{title}\r\n").into_bytes()));
    }
    files.extend(sky::files()?);
    Ok(files)
}

fn mission(ground: &Ground, land: &LandMsh) -> Mission {
    let mission = Mission {
        clans: clans(),
        land_base: b"DATA\\MAPS\\Map01\\land".to_vec(),
        description: b"The valley by the sea: a base, an outpost and those who walk between."
            .to_vec(),
        ..Mission::default()
    };
    let mut site = Site::new(ground, mission);
    let n_posts = buildings(&mut site);
    stand_on_foundations(&mut site.mission, land);
    patrols(&mut site);
    supplies(&mut site, n_posts);
    woods(&mut site);
    stones(&mut site);
    sources::place(&mut site);
    site.mission
}

fn clans() -> Vec<Clan> {
    let clan = |id: i32, name: &str, type_word: u32, [x, y]: [f64; 2]| Clan {
        name: name.as_bytes().to_vec(),
        id,
        position: [x as f32, y as f32],
        type_word,
        ..Clan::default()
    };
    let enemy_of = |clan: Clan, other: &str| Clan {
        relations: vec![Relation {
            clan: other.as_bytes().to_vec(),
            relation: 1,
        }],
        ..clan
    };
    vec![
        clan(0, "Environment", 0, [0.0; 2]),
        enemy_of(clan(1, "Garrison", 1, BASE), "Raiders"),
        enemy_of(clan(2, "Raiders", 2, OUTPOST), "Garrison"),
    ]
}

/// A thing of no one's that needs `radius` for itself.
fn thing(resource: &'static str, radius: f64) -> Plan {
    Plan {
        kind: THING,
        resource,
        clan: NO_CLAN,
        radius,
        turn: 0.0,
        scale: 1.0,
    }
}

const POST: &str = "fr_post_01";
const DAT: &str = "UNITS\\BUILDS\\SCIENCE\\INST_1.dat";
const GUN: &str = "UNITS\\BUILDS\\BUNKERS\\BUNK_S1.dat";
const TOWER: &str = "UNITS\\BUILDS\\TOWERS\\TOWER_M1.dat";

/// Puts buildings where the game would: at the mean height of the land where their basements end.
fn stand_on_foundations(mission: &mut Mission, land: &LandMsh) {
    let basement = |object: &Object| {
        let is_gun = [GUN, TOWER]
            .map(str::as_bytes)
            .contains(&&object.resource[..]);
        let bas = models::basement(if is_gun { "FR_GUN" } else { "FR_POST" })?;
        Some(Basement {
            name: String::new(),
            bas: bas.into(),
            world_from_object: turned(object),
            keeps_height: false,
        })
    };
    let basements: Vec<_> = mission.objects.iter().filter_map(basement).collect();
    let rises = Foundations::new(land, &basements).rises;
    for (object, rise) in mission.objects.iter_mut().zip(rises) {
        object.position[2] += rise;
    }
}

/// Where an object that is turned about z alone stands, the same on every machine.
fn turned(object: &Object) -> Affine {
    let [.., turn] = object.orientation;
    let [cos, sin] = models::direction(f64::from(turn).to_degrees()).map(|it| it as f32);
    let [x, y, z] = object.position;
    Affine([[cos, -sin, 0.0, x], [sin, cos, 0.0, y], [0.0, 0.0, 1.0, z]])
}

/// Posts and gun emplacements of both sides; the number of objects so far.
fn buildings(site: &mut Site<'_>) -> usize {
    let wishes: [(&'static str, i32, [f64; 2], f64); 12] = [
        (DAT, PLAYER, BASE, -1.9),
        (POST, PLAYER, [BASE[0] + 42.0, BASE[1] + 18.0], -2.6),
        (POST, PLAYER, [BASE[0] - 44.0, BASE[1] + 22.0], -1.2),
        (DAT, RAIDERS, OUTPOST, -0.9),
        (POST, RAIDERS, [OUTPOST[0] + 40.0, OUTPOST[1] - 22.0], -2.2),
        (GUN, PLAYER, [BASE[0] - 26.0, BASE[1] - 34.0], -1.8),
        (GUN, PLAYER, [BASE[0] + 30.0, BASE[1] - 28.0], -1.4),
        (TOWER, PLAYER, [BASE[0] + 70.0, BASE[1] + 10.0], -0.4),
        (TOWER, PLAYER, [BASE[0] - 72.0, BASE[1] + 6.0], -2.8),
        (GUN, RAIDERS, [OUTPOST[0] - 34.0, OUTPOST[1] - 24.0], -2.0),
        (TOWER, RAIDERS, [OUTPOST[0] + 6.0, OUTPOST[1] + 42.0], 1.6),
        (GUN, RAIDERS, [OUTPOST[0] + 46.0, OUTPOST[1] + 26.0], 0.4),
    ];
    for (k, (resource, clan, wish, turn)) in wishes.into_iter().enumerate() {
        let is_gun = resource == GUN || resource == TOWER;
        let (radius, step) = if is_gun { (6.5, 0.9) } else { (14.5, 1.3) };
        let Some(at) = site.level_place(wish, radius, step) else {
            continue;
        };
        let plan = Plan {
            kind: BUILDING,
            clan,
            turn,
            ..thing(resource, radius)
        };
        let object = site.put(plan, at);
        if is_gun {
            let rate = 11.0 + k as f64 / 2.0;
            let (first, last) = (0, SWEEP_FRAMES);
            set_clip(object, Clip { first, last, rate });
        }
    }
    site.mission.objects.len()
}

/// Walkers on closed paths, and two that stand and look around.
fn patrols(site: &mut Site<'_>) {
    const WALKER: &str = "UNITS\\UNITS\\WALKER.dat";
    const SCOUT: &str = "UNITS\\UNITS\\SCOUT.dat";
    let machine = |resource, clan| Plan {
        kind: MACHINE,
        clan,
        ..thing(resource, 3.0)
    };
    let wishes: [([f64; 2], [f64; 2], i32, usize); 7] = [
        ([BASE[0] - 6.0, BASE[1] - 62.0], [34.0, 13.0], PLAYER, 2),
        ([BASE[0] + 100.0, BASE[1] + 20.0], [24.0, 20.0], PLAYER, 1),
        ([BASE[0] - 20.0, BASE[1] + 70.0], [40.0, 18.0], PLAYER, 2),
        (
            [OUTPOST[0] - 50.0, OUTPOST[1] + 20.0],
            [26.0, 22.0],
            RAIDERS,
            2,
        ),
        (
            [OUTPOST[0] + 10.0, OUTPOST[1] - 60.0],
            [36.0, 16.0],
            RAIDERS,
            1,
        ),
        ([640.0, 560.0], [34.0, 26.0], RAIDERS, 1),
        ([760.0, 470.0], [30.0, 24.0], RAIDERS, 1),
    ];
    for (k, (wish, radii, clan, n_walkers)) in wishes.into_iter().enumerate() {
        let Some(id) = site.loop_path(wish, radii) else {
            continue;
        };
        for walker in 0..n_walkers {
            let rate = 17.0 + f64::from(k as u32 % 3) * 2.0;
            let points = &site.mission.path(id).expect("it was laid").points;
            let (start, at) = on_path(points, points.len() * walker / n_walkers);
            let resource = if k % 2 == 0 { WALKER } else { SCOUT };
            let object = site.put(machine(resource, clan), at);
            set_path(
                object,
                id,
                WALK_STRIDE * rate / f64::from(WALK_FRAMES[1]),
                start,
            );
            let [first, last] = WALK_FRAMES;
            set_clip(object, Clip { first, last, rate });
        }
    }
    for (clan, wish) in [
        (PLAYER, [BASE[0] + 16.0, BASE[1] - 30.0]),
        (RAIDERS, OUTPOST),
    ] {
        if let Some(at) = site.level_place(wish, 4.0, 0.8) {
            let plan = Plan {
                turn: -1.7,
                ..machine(WALKER, clan)
            };
            let [first, last] = models::SCAN_FRAMES;
            set_clip(
                site.put(plan, at),
                Clip {
                    first,
                    last,
                    rate: 5.0,
                },
            );
        }
    }
}

/// How far along a path one of its points is, and where.
fn on_path(points: &[[f32; 3]], idx: usize) -> (f64, [f64; 2]) {
    let steps = points[..=idx].windows(2).map(|pair| {
        let [dx, dy, dz] = [0, 1, 2].map(|k| f64::from(pair[1][k]) - f64::from(pair[0][k]));
        (dx * dx + dy * dy + dz * dz).sqrt()
    });
    let [x, y, _] = points[idx].map(f64::from);
    (steps.sum(), [x, y])
}

/// Stacks of crates and beacons around the buildings.
fn supplies(site: &mut Site<'_>, n_buildings: usize) {
    for k in 0..n_buildings {
        let [x, y, _] = site.mission.objects[k].position.map(f64::from);
        for j in 0..4 {
            let seed = (16 * k + j) as u32;
            let [ux, uy] = models::direction(360.0 * lot(21, seed));
            let resource = if j == 3 { "beacon" } else { "crate" };
            let far = if j == 3 { 22.0 } else { 17.0 };
            let wish = [x + far * ux, y + far * uy];
            let Some(at) = site.level_place(wish, 1.7, 0.35) else {
                continue;
            };
            let plan = Plan {
                turn: FULL_TURN * lot(22, seed),
                ..thing(resource, 1.7)
            };
            site.put(plan, at);
        }
    }
}

/// Woods: clumps of trees, dense in the middle; pines on high and steep ground, oaks below.
fn woods(site: &mut Site<'_>) {
    const NEAR: [[f64; 2]; 16] = [
        [372.0, 520.0],
        [560.0, 450.0],
        [650.0, 480.0],
        [690.0, 640.0],
        [520.0, 740.0],
        [350.0, 640.0],
        [330.0, 372.0],
        [452.0, 388.0],
        [352.0, 470.0],
        [470.0, 470.0],
        [300.0, 430.0],
        [430.0, 560.0],
        [470.0, 650.0],
        [560.0, 640.0],
        [600.0, 520.0],
        [540.0, 470.0],
    ];
    let far = (0..26).map(|k| [120.0 + 950.0 * lot(31, k), 330.0 + 620.0 * lot(32, k)]);
    for (clump, middle) in NEAR.into_iter().chain(far).enumerate() {
        let n_trees = 24 + (18.0 * lot(33, clump as u32)) as u32;
        for k in 0..n_trees {
            let seed = clump as u32 * 64 + k;
            let [ux, uy] = models::direction(360.0 * lot(34, seed));
            let far = 34.0 * lot(35, seed).sqrt();
            tree(site, [middle[0] + far * ux, middle[1] + far * uy], seed);
        }
    }
}

/// A tree where the ground allows one.
fn tree(site: &mut Site<'_>, [x, y]: [f64; 2], seed: u32) {
    let Some(spot) = site.ground.dry(x, y, 0.55) else {
        return;
    };
    if spot.is_road || !site.is_free([x, y], 2.6) {
        return;
    }
    let high = (spot.z - site.ground.water_level) / 40.0 + spot.slope;
    let is_pine = high + 0.5 * fbm(77, x / 90.0, y / 90.0, 2, ENDLESS) > 0.42;
    let resource = match (is_pine, seed % 3) {
        (true, 0) => "tree_pine_01",
        (true, _) => "tree_pine",
        (false, _) => "tree_oak",
    };
    let plan = Plan {
        clan: ENVIRONMENT,
        turn: FULL_TURN * lot(36, seed),
        scale: 0.75 + 0.5 * lot(37, seed),
        ..thing(resource, 2.6)
    };
    let rate = 8.0 + 8.0 * lot(38, seed);
    let (first, last) = (0, SWAY_FRAMES);
    set_clip(site.put(plan, [x, y]), Clip { first, last, rate });
}

/// Steepest ground that a boulder lies on, rise over run: on steeper ground little of it would look out.
const STONE_SLOPE: f64 = 0.45;

/// Boulders, wherever one can lie, as deep in the ground as hides their undersides.
fn stones(site: &mut Site<'_>) {
    let underside = models::plants::boulder_underside();
    for k in 0..90 {
        let at = [220.0 + 640.0 * lot(41, k), 320.0 + 460.0 * lot(42, k)];
        let spot = site.ground.dry(at[0], at[1], STONE_SLOPE);
        let is_open = spot.is_some_and(|spot| !spot.is_road) && site.is_free(at, 3.5);
        if !is_open {
            continue;
        }
        let resource = if k % 2 == 0 { "stone_01" } else { "stone_02" };
        let plan = Plan {
            kind: STONE,
            clan: ENVIRONMENT,
            turn: FULL_TURN * lot(43, k),
            scale: 0.5 + 0.9 * lot(44, k) * lot(44, k),
            ..thing(resource, 3.5)
        };
        let z = resting_height(site.ground, &underside, plan, at);
        site.put(plan, at).position[2] = z as f32;
    }
}

/// The height of a thing at which no point of its underside is above the ground.
fn resting_height(ground: &Ground, underside: &[[f64; 3]], plan: Plan, [x, y]: [f64; 2]) -> f64 {
    let [cos, sin] = models::direction(plan.turn.to_degrees());
    let heights = underside.iter().filter_map(|point| {
        let [px, py, pz] = point.map(|c| c * plan.scale);
        let spot = ground.at(x + cos * px - sin * py, y + sin * px + cos * py)?;
        Some(spot.z - pz)
    });
    heights.fold(f64::INFINITY, f64::min)
}
