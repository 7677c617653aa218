//! The village: houses around a square, a well, a fenced field with a gate, the bridge, torches and a trap.

use ironlands_assets_evil_islands::mob::view::{Lever, MagicTrap, ObjectKind, Torch};
use ironlands_assets_evil_islands::mob::{Area, LeverStats};

use super::{Plan, Thing, degrees_toward};
use crate::evil_islands::island::{BRIDGE, FIELD, SQUARE};

/// Object types as the game numbers them.
const TORCH: u32 = 58;
const MAGIC_TRAP: u32 = 59;
const LEVER: u32 = 60;
/// Kinds of particles: a fire, and smoke.
const FIRE: u32 = 8195;
const SMOKE: u32 = 8196;

/// Where houses stand, how they are built, and which of the two sets of textures they have.
const HOUSES: [([f64; 2], [f64; 3], usize); 6] = [
    ([79.0, 60.5], [0.35, 0.45, 0.2], 0),
    ([98.5, 63.0], [0.75, 0.25, 0.75], 1),
    ([105.5, 52.0], [0.2, 0.7, 0.45], 0),
    ([100.0, 40.0], [0.55, 0.4, 0.3], 1),
    ([86.5, 37.5], [0.15, 0.8, 0.6], 0),
    ([75.5, 42.0], [0.4, 0.3, 0.05], 1),
];

/// Length of a fence between its outer posts, for the complection that is used here.
const FENCE_LENGTH: f64 = 2.0;

/// Builds it.
pub fn build(plan: &mut Plan<'_>) {
    houses(plan);
    bridge(plan);
    field(plan);
    square(plan);
    trap(plan);
}

fn houses(plan: &mut Plan<'_>) {
    for (at, complection, set) in HOUSES {
        let house = Thing {
            name: "House",
            template: "stbuho01",
            textures: [["walls00", "roof00"], ["walls01", "roof01"]][set],
            complection,
        };
        let degrees = degrees_toward(at, SQUARE);
        plan.put(&house, at, degrees);
        let smoke = plan.above(at, 6.6);
        plan.particles("Hearth", smoke, SMOKE, 0.6);
    }
}

/// Its deck meets the road on both banks.
fn bridge(plan: &mut Plan<'_>) {
    let bridge = Thing {
        name: "Bridge",
        template: "stbr01",
        textures: ["wood00", "wood00"],
        complection: [0.83, 0.55, 0.45],
    };
    let half = 4.4 + 3.0 * bridge.complection[0];
    let banks = [-half, half].map(|x| plan.land.height(BRIDGE[0] + x, BRIDGE[1]));
    let lift = banks[0].max(banks[1]) + 0.06 - plan.land.height(BRIDGE[0], BRIDGE[1]);
    plan.put(&bridge, BRIDGE, 0.0).position[2] = lift as f32;
    let river = plan.above(BRIDGE, 0.5);
    plan.sound("River", river, 30, &["river01.wav", "river02.wav"]);
    for [x, y] in [[-half - 0.6, 2.0], [half + 0.6, -2.0]] {
        torch(plan, [BRIDGE[0] + x, BRIDGE[1] + y]);
    }
}

fn torch(plan: &mut Plan<'_>, at: [f64; 2]) {
    let thing = Thing {
        name: "Torch",
        template: "stto01",
        textures: ["wood00", "flame00"],
        complection: [0.5, 0.5, 0.6],
    };
    let high = 1.4 + 0.7 * thing.complection[2];
    let object = plan.put(&thing, at, 0.0);
    object.object_type = TORCH;
    object.kind = ObjectKind::Torch(Torch {
        flame: [0.0, 0.0, high as f32 + 0.3],
        strength: 1.0,
        sound: "torch.wav".to_owned(),
    });
    let flame = plan.above(at, high + 0.35);
    plan.light("Torch", flame, [1.0, 0.72, 0.38], 9.0);
    plan.particles("Torch", flame, FIRE, 0.4);
}

/// Fences around the field, but for a gate toward the road, which a lever opens.
fn field(plan: &mut Plan<'_>) {
    let [east, north] = FIELD.map(|ends| ends.map(|tile| 2.0 * tile as f64));
    let fence = Thing {
        name: "Fence",
        template: "stwali01",
        textures: ["wood00", "wood00"],
        complection: [0.0, 0.45, 0.35],
    };
    let (west, south) = (east[0] + 0.4, north[0] + 0.4);
    let n_east = ((east[1] - east[0]) / FENCE_LENGTH) as i32;
    let n_north = ((north[1] - north[0]) / FENCE_LENGTH) as i32;
    let gate_at = n_east / 2;
    let along = |start: f64, k: i32| start + FENCE_LENGTH * (f64::from(k) + 0.5) - 0.4;
    for k in 0..n_east {
        let x = along(west, k);
        if k != gate_at {
            plan.put(&fence, [x, south], 0.0);
        }
        plan.put(&fence, [x, north[1] - 0.4], 180.0);
    }
    for k in 0..n_north {
        let y = along(south, k);
        plan.put(&fence, [west, y], -90.0);
        plan.put(&fence, [east[1] - 0.4, y], 90.0);
    }
    let gate = Thing {
        name: "Gate",
        template: "stga01",
        textures: ["wood00", "wood00"],
        complection: [0.0, 0.15, 0.0],
    };
    let at = [along(west, gate_at), south];
    let door = plan.put(&gate, at, 0.0);
    door.object_type = LEVER;
    door.use_in_script = true;
    door.kind = ObjectKind::Lever(lever(true));
    let handle = Thing {
        name: "GateLever",
        template: "stsi01",
        textures: ["masonry00", "wood00"],
        complection: [0.5, 0.0, 0.5],
    };
    let lever_object = plan.put(&handle, [at[0] + 2.6, south - 1.0], 20.0);
    lever_object.object_type = LEVER;
    lever_object.use_in_script = true;
    lever_object.kind = ObjectKind::Lever(lever(false));
    lever_object.comments = "Opens the gate of the field.".to_owned();
}

/// What is opened by hand, in two states.
fn lever(is_door: bool) -> Lever {
    Lever {
        stats: LeverStats {
            open_type: 1,
            key_id: 0,
            sleight_of_hand: 0,
        },
        current_state: 0,
        total_states: 2,
        is_cycled: true,
        is_door,
        recalculates_graph: is_door,
    }
}

fn square(plan: &mut Plan<'_>) {
    let well = Thing {
        name: "Well",
        template: "stwe01",
        textures: ["masonry00", "wood00"],
        complection: [0.5, 0.5, 0.4],
    };
    plan.put(&well, [91.5, 53.5], 25.0);
    let chest = |open: f64| Thing {
        name: "Chest",
        template: "stst01",
        textures: ["chest00", "chest00"],
        complection: [0.5, open, 0.6],
    };
    plan.put(&chest(0.85), [84.5, 57.0], 40.0);
    plan.put(&chest(0.0), [99.5, 47.0], -60.0);
    for at in [[85.5, 54.2], [95.8, 47.4], [95.5, 56.5], [86.5, 46.0]] {
        torch(plan, at);
    }
    let square = plan.above(SQUARE, 2.0);
    plan.sound("Village", square, 22, &["village01.wav"]);
    for k in 0..3 {
        let at = [106.5 + 0.2 * f64::from(k), 58.0 - 2.2 * f64::from(k)];
        let fence = Thing {
            name: "Fence",
            template: "stwali01",
            textures: ["wood00", "wood00"],
            complection: [0.1, 0.3, 0.2],
        };
        plan.put(&fence, at, 85.0);
    }
}

/// A circle of signs on the way to the table mountain.
fn trap(plan: &mut Plan<'_>) {
    let rune = Thing {
        name: "Trap",
        template: "efcu0",
        textures: ["rune00", "none"],
        complection: [0.6, 0.5, 0.5],
    };
    let at = [97.0, 72.5];
    let object = plan.put(&rune, at, 0.0);
    object.object_type = MAGIC_TRAP;
    let center = at.map(|c| c as f32);
    object.kind = ObjectKind::MagicTrap(MagicTrap {
        diplomacy: 1,
        spell: "firearrow".to_owned(),
        cast_interval: 45,
        casts_once: false,
        areas: vec![Area {
            center,
            radius: 3.0,
        }],
        targets: vec![center, [center[0] + 1.5, center[1] + 1.0]],
    });
}
