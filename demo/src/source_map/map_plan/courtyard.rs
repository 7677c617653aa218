//! The courtyard: a pool, a colonnade along the south, stairs and a ladder to a balcony, a bed of grass. It spans
//! x 0..1024, y -512..512, and the sky begins above its walls.

use super::palette::idx;
use super::{block, column, hanging_lamp, wall};
use crate::source_map::MapPlan;
use crate::source_map::brushes::{Brush, flags};
use crate::source_map::displacement::{Displacement, raised};

const WALL_TOP: f64 = 192.0;
/// Where the sky ends above.
const SKY_TOP: f64 = 768.0;
/// Height of the balcony.
pub const DECK: f64 = 144.0;

/// Adds the courtyard.
pub fn add(plan: &mut MapPlan) {
    ground(plan);
    walls(plan);
    sky(plan);
    pool(plan);
    colonnade(plan);
    balcony(plan);
    stairs(plan);
    garden(plan);
    for x in [128.0, 512.0, 896.0] {
        hanging_lamp(plan, [x, -440.0, 184.0], 40.0, 120.0);
    }
    hanging_lamp(plan, [828.0, 440.0, DECK - 16.0], 24.0, 110.0);
}

/// Four plates around the pool, which spans x 352..672, y -160..160.
fn ground(plan: &mut MapPlan) {
    let plate =
        |x: [f64; 2], y: [f64; 2]| block([x[0], y[0], -32.0], [x[1], y[1], 0.0], idx::FLAGSTONES);
    plan.brushes.extend([
        plate([0.0, 352.0], [-544.0, 544.0]),
        plate([672.0, 1056.0], [-544.0, 544.0]),
        plate([352.0, 672.0], [160.0, 544.0]),
        plate([352.0, 672.0], [-544.0, -160.0]),
    ]);
}

fn walls(plan: &mut MapPlan) {
    let north =
        |x: [f64; 2], z: [f64; 2]| block([x[0], 512.0, z[0]], [x[1], 544.0, z[1]], idx::STONE_WALL);
    let store = ([448.0, 544.0], [0.0, 128.0]);
    plan.brushes
        .extend(wall([0.0, 1056.0], [0.0, WALL_TOP], &[store], north));
    plan.brushes.extend([
        block(
            [0.0, -544.0, 0.0],
            [1056.0, -512.0, WALL_TOP],
            idx::STONE_WALL,
        ),
        block(
            [1024.0, -512.0, 0.0],
            [1056.0, 512.0, WALL_TOP],
            idx::STONE_WALL,
        ),
    ]);
    // The coping stands out a little over the inner side.
    let coping = [
        block(
            [4.0, 504.0, WALL_TOP],
            [1056.0, 544.0, WALL_TOP + 10.0],
            idx::TRIM,
        ),
        block(
            [4.0, -544.0, WALL_TOP],
            [1056.0, -504.0, WALL_TOP + 10.0],
            idx::TRIM,
        ),
        block(
            [1016.0, -504.0, WALL_TOP],
            [1056.0, 504.0, WALL_TOP + 10.0],
            idx::TRIM,
        ),
        block([-32.0, -544.0, 320.0], [10.0, 544.0, 332.0], idx::TRIM),
        block([0.0, -504.0, 248.0], [6.0, 504.0, 256.0], idx::TRIM),
    ];
    plan.brushes.extend(coping.map(|brush| brush.detail()));
    let jambs = [
        block([440.0, 508.0, 0.0], [448.0, 548.0, 128.0], idx::TRIM),
        block([544.0, 508.0, 0.0], [552.0, 548.0, 128.0], idx::TRIM),
        block([440.0, 508.0, 128.0], [552.0, 512.0, 140.0], idx::TRIM),
    ];
    plan.brushes.extend(jambs.map(|brush| brush.detail()));
}

fn sky(plan: &mut MapPlan) {
    plan.brushes.extend([
        block(
            [-48.0, -560.0, SKY_TOP],
            [1072.0, 560.0, SKY_TOP + 16.0],
            idx::SKY,
        ),
        block([-48.0, -560.0, 320.0], [-32.0, 560.0, SKY_TOP], idx::SKY),
        block(
            [1056.0, -560.0, WALL_TOP],
            [1072.0, 560.0, SKY_TOP],
            idx::SKY,
        ),
        block([-48.0, 544.0, WALL_TOP], [1072.0, 560.0, SKY_TOP], idx::SKY),
        block(
            [-48.0, -560.0, WALL_TOP],
            [1072.0, -544.0, SKY_TOP],
            idx::SKY,
        ),
    ]);
}

/// A pool of water with steps at its west end and a low rim.
fn pool(plan: &mut MapPlan) {
    let low = -96.0;
    plan.brushes.extend([
        block(
            [320.0, -192.0, low - 32.0],
            [704.0, 192.0, low],
            idx::POOL_TILES,
        ),
        block([320.0, -192.0, low], [352.0, 192.0, -32.0], idx::POOL_TILES),
        block([672.0, -192.0, low], [704.0, 192.0, -32.0], idx::POOL_TILES),
        block([352.0, 160.0, low], [672.0, 192.0, -32.0], idx::POOL_TILES),
        block(
            [352.0, -192.0, low],
            [672.0, -160.0, -32.0],
            idx::POOL_TILES,
        ),
    ]);
    let water = block([352.0, -160.0, low], [672.0, 160.0, -12.0], idx::NODRAW)
        .facing([0.0, 0.0, 1.0], idx::WATER)
        .with_contents(flags::WATER | flags::TRANSLUCENT);
    plan.brushes.push(water);
    for step in 0..5 {
        let (near, top) = (
            352.0 + 24.0 * f64::from(step),
            -16.0 - 16.0 * f64::from(step),
        );
        let tread = block(
            [near, -64.0, low],
            [near + 24.0, 64.0, top],
            idx::POOL_TILES,
        );
        plan.brushes.push(tread.detail());
    }
    let rim = [
        block([336.0, -176.0, 0.0], [352.0, -64.0, 8.0], idx::TRIM),
        block([336.0, 64.0, 0.0], [352.0, 176.0, 8.0], idx::TRIM),
        block([672.0, -176.0, 0.0], [688.0, 176.0, 8.0], idx::TRIM),
        block([352.0, 160.0, 0.0], [672.0, 176.0, 8.0], idx::TRIM),
        block([352.0, -176.0, 0.0], [672.0, -160.0, 8.0], idx::TRIM),
    ];
    plan.brushes.extend(rim.map(|brush| brush.detail()));
}

/// Columns with a tiled roof along the south wall.
fn colonnade(plan: &mut MapPlan) {
    for at in 0..8 {
        let x = 64.0 + 128.0 * f64::from(at);
        plan.brushes
            .extend(pillar([x, -360.0], 160.0).map(|brush| brush.detail()));
    }
    let architrave = block([0.0, -376.0, 160.0], [1024.0, -344.0, 184.0], idx::TRIM);
    plan.brushes.push(architrave.detail());
    // A roof that falls from the wall to the columns, and what is seen of it from below.
    let outline = [
        [0.0, -512.0, 184.0],
        [0.0, -328.0, 184.0],
        [0.0, -328.0, 190.0],
        [0.0, -512.0, 250.0],
    ];
    let roof = Brush::prism(&outline, [1024.0, 0.0, 0.0], idx::ROOF_TILES)
        .facing([0.0, 0.0, -1.0], idx::PLANKS);
    plan.brushes.push(roof.detail());
    for at in 0..8 {
        let x = 64.0 + 128.0 * f64::from(at);
        let rafter = block(
            [x - 5.0, -512.0, 174.0],
            [x + 5.0, -376.0, 184.0],
            idx::TIMBER,
        );
        plan.brushes.push(rafter.detail());
    }
}

/// A column with base and capital.
fn pillar(at: [f64; 2], top: f64) -> [Brush; 3] {
    let plate = |half: f64, low: f64, high: f64| {
        block(
            [at[0] - half, at[1] - half, low],
            [at[0] + half, at[1] + half, high],
            idx::TRIM,
        )
    };
    [
        plate(16.0, 0.0, 12.0),
        column(at, 11.0, 12.0, top - 12.0, idx::TRIM),
        plate(16.0, top - 12.0, top),
    ]
}

/// A deck in the north-east on columns, with a balustrade and a ladder.
fn balcony(plan: &mut MapPlan) {
    let deck = block(
        [640.0, 352.0, DECK - 16.0],
        [1024.0, 512.0, DECK],
        idx::PLANKS,
    )
    .facing([0.0, -1.0, 0.0], idx::TRIM)
    .facing([-1.0, 0.0, 0.0], idx::TRIM);
    plan.brushes.push(deck.detail());
    for x in [656.0, 776.0, 880.0] {
        plan.brushes
            .extend(pillar([x, 370.0], DECK - 16.0).map(|brush| brush.detail()));
    }
    // The stairs arrive at x 912..1024, the ladder at y 416..464, the lift at y 472..512.
    let rail = [
        block(
            [640.0, 352.0, DECK + 34.0],
            [912.0, 360.0, DECK + 40.0],
            idx::TRIM,
        ),
        block(
            [640.0, 360.0, DECK + 34.0],
            [648.0, 408.0, DECK + 40.0],
            idx::TRIM,
        ),
    ];
    plan.brushes.extend(rail.map(|brush| brush.detail()));
    for at in 0..17 {
        let x = 644.0 + 16.75 * f64::from(at);
        let x = x.floor();
        let baluster = block(
            [x - 2.0, 354.0, DECK],
            [x + 2.0, 358.0, DECK + 34.0],
            idx::TRIM,
        );
        plan.brushes.push(baluster.detail());
    }
    for y in [374.0, 390.0, 404.0] {
        let baluster = block([642.0, y, DECK], [646.0, y + 4.0, DECK + 34.0], idx::TRIM);
        plan.brushes.push(baluster.detail());
    }
    ladder(plan);
}

fn ladder(plan: &mut MapPlan) {
    for y in [420.0, 456.0] {
        let post = block([630.0, y, 0.0], [634.0, y + 4.0, DECK + 24.0], idx::LADDER);
        plan.brushes.push(post.detail());
    }
    for at in 0..9 {
        let z = 12.0 + 16.0 * f64::from(at);
        let rung = block([631.0, 424.0, z], [633.0, 456.0, z + 2.0], idx::LADDER);
        plan.brushes.push(rung.detail());
    }
    let climb = block([624.0, 416.0, 0.0], [640.0, 464.0, DECK + 8.0], idx::NODRAW);
    plan.brushes
        .push(climb.with_contents(flags::LADDER | flags::GRATE | flags::DETAIL));
}

/// Steps along the east wall.
fn stairs(plan: &mut MapPlan) {
    let n_steps = 9;
    for step in 0..n_steps {
        let south = 352.0 - 32.0 * f64::from(n_steps - step);
        let top = 16.0 * f64::from(step + 1);
        let tread = block([912.0, south, 0.0], [1024.0, south + 32.0, top], idx::TRIM);
        plan.brushes.push(tread.detail());
    }
    let cheek = [
        [904.0, 40.0, 0.0],
        [904.0, 352.0, 0.0],
        [904.0, 352.0, DECK + 40.0],
        [904.0, 40.0, 40.0],
    ];
    let cheek = Brush::prism(&cheek, [8.0, 0.0, 0.0], idx::TRIM);
    plan.brushes.push(cheek.detail());
}

/// A mound of grass and earth in a stone border, in the north-west.
fn garden(plan: &mut MapPlan) {
    let border = [
        block([48.0, 208.0, 0.0], [304.0, 220.0, 14.0], idx::TRIM),
        block([48.0, 468.0, 0.0], [304.0, 480.0, 14.0], idx::TRIM),
        block([48.0, 220.0, 0.0], [60.0, 468.0, 14.0], idx::TRIM),
        block([292.0, 220.0, 0.0], [304.0, 468.0, 14.0], idx::TRIM),
    ];
    plan.brushes.extend(border.map(|brush| brush.detail()));
    let corners = [
        [56.0, 216.0, 6.0],
        [56.0, 472.0, 6.0],
        [296.0, 472.0, 6.0],
        [296.0, 216.0, 6.0],
    ];
    let shape = |p: [f64; 3]| {
        let (u, v) = ((p[0] - 176.0) / 120.0, (p[1] - 344.0) / 128.0);
        let fall = (1.0 - u * u).max(0.0) * (1.0 - v * v).max(0.0);
        let rough = crate::noise::fbm(77, p[0] / 48.0, p[1] / 48.0, 3, crate::noise::ENDLESS);
        let height = fall * (44.0 + 26.0 * rough);
        let earth = 0.5 + 0.9 * rough - 0.6 * fall;
        (raised(height), earth.clamp(0.0, 1.0))
    };
    plan.displacements
        .push(Displacement::new(corners, 4, idx::GARDEN, shape));
}
