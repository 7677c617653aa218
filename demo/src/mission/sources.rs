//! Where effects are seen: braziers, fountains, pads of teleports, wrecks, and ore.

use ironlands_assets_parkan::land_msh::LandMsh;
use ironlands_assets_parkan::mission::{Extra, Mission};

use super::ground::Ground;
use super::site::Site;
use super::{BASE, BUILDING, OUTPOST, PLAYER, clans, thing};

/// What an ore deposit of a known kind says of itself: found, its kind, an amount, and 0.
const ORE: [u32; 4] = [1, 0x1000_1000, 0x457A_0000, 0];
/// Middle of the landing place on Map02.
const ISLAND: [f64; 2] = [1196.0, 700.0];

/// A thing, the radius that it needs, and where it is wished.
type Wish = (&'static str, f64, [f64; 2]);

/// Puts them on Map01.
pub fn place(site: &mut Site<'_>) {
    let [x, y] = BASE;
    let [ox, oy] = OUTPOST;
    put(
        site,
        &[
            ("brazier", 1.6, [x - 8.0, y - 20.0]),
            ("brazier", 1.6, [x + 8.0, y - 20.0]),
            ("brazier", 1.6, [ox + 12.0, oy - 18.0]),
            ("fountain", 3.6, [x - 18.0, y - 16.0]),
            ("portal", 3.6, [x + 20.0, y - 14.0]),
            ("portal", 3.6, [ox - 16.0, oy + 18.0]),
            ("scrap", 2.8, [x + 2.0, y - 44.0]),
            ("scrap", 2.8, [ox - 30.0, oy - 44.0]),
        ],
    );
    ore(
        site,
        &[
            [x + 40.0, y - 50.0],
            [x - 60.0, y - 30.0],
            [ox + 30.0, oy - 60.0],
        ],
    );
}

/// The mission on Map02: a landing place on the islands.
pub fn island_mission(land: &LandMsh) -> Mission {
    let ground = Ground::new(land);
    let mission = Mission {
        clans: clans(),
        land_base: b"DATA\\MAPS\\Map02\\land".to_vec(),
        description: b"A landing place on the islands.".to_vec(),
        ..Mission::default()
    };
    let mut site = Site::new(&ground, mission);
    let [x, y] = ISLAND;
    if let Some(at) = site.level_place([x, y + 40.0], 14.5, 1.6) {
        let post = super::site::Plan {
            kind: BUILDING,
            clan: PLAYER,
            turn: -1.6,
            ..thing("fr_post_01", 14.5)
        };
        site.put(post, at);
    }
    put(
        &mut site,
        &[
            ("fountain", 3.6, [x, y]),
            ("brazier", 1.6, [x - 9.0, y + 4.0]),
            ("brazier", 1.6, [x + 9.0, y + 4.0]),
            ("portal", 3.6, [x + 14.0, y + 14.0]),
            ("scrap", 2.8, [x - 16.0, y + 12.0]),
            ("beacon", 1.7, [x + 20.0, y - 4.0]),
            ("beacon", 1.7, [x - 20.0, y - 4.0]),
        ],
    );
    ore(&mut site, &[[x + 6.0, y - 14.0], [x - 30.0, y + 30.0]]);
    site.mission
}

fn put(site: &mut Site<'_>, wishes: &[Wish]) {
    for (resource, radius, wish) in wishes {
        if let Some(at) = site.level_place(*wish, *radius, 0.5) {
            site.put(thing(resource, *radius), at);
        }
    }
}

/// Ore on dry ground.
fn ore(site: &mut Site<'_>, wishes: &[[f64; 2]]) {
    for [x, y] in wishes {
        let Some(spot) = site.ground.dry(*x, *y, 0.6) else {
            continue;
        };
        site.mission.extras.push(Extra {
            position: [*x as f32, *y as f32, spot.z as f32],
            unknown_0c: ORE,
        });
    }
}
