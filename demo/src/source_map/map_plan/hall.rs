//! The hall: plaster and planks, warm lamps, a fireplace that flickers, windows and a doorway to the east.

use super::palette::idx;
use super::{block, hanging_lamp, wall};
use crate::source_map::MapPlan;
use crate::source_map::entities::{EntityPlan, Lamp, LightColor};

/// Style of a flame.
const CANDLE: i32 = 6;

/// Adds the hall.
pub fn add(plan: &mut MapPlan) {
    shell(plan);
    facade(plan);
    fireplace(plan);
    furniture(plan);
    for x in [-464.0, -208.0] {
        hanging_lamp(plan, [x, 0.0, 224.0], 66.0, 320.0);
    }
    doorway_trigger(plan);
}

/// Floor, ceiling and three walls. The hall spans x -640..-32, y -256..256, z 0..224.
fn shell(plan: &mut MapPlan) {
    plan.brushes.extend([
        block([-672.0, -288.0, -32.0], [-32.0, 288.0, 0.0], idx::PLANKS),
        block([-672.0, -288.0, 224.0], [-32.0, 288.0, 256.0], idx::PLASTER),
        block([-640.0, 256.0, 0.0], [-32.0, 288.0, 224.0], idx::PLASTER),
        block([-640.0, -288.0, 0.0], [-32.0, -256.0, 224.0], idx::PLASTER),
    ]);
    let west =
        |y: [f64; 2], z: [f64; 2]| block([-672.0, y[0], z[0]], [-640.0, y[1], z[1]], idx::PLASTER);
    let hearth = ([-48.0, 48.0], [0.0, 80.0]);
    plan.brushes
        .extend(wall([-288.0, 288.0], [0.0, 224.0], &[hearth], west));
    for x in [-560.0, -432.0, -304.0, -176.0] {
        let beam = block([x, -256.0, 200.0], [x + 24.0, 256.0, 224.0], idx::TIMBER);
        plan.brushes.push(beam.detail());
    }
    for y in [-256.0, 253.0] {
        let board = block([-640.0, y, 0.0], [-32.0, y + 3.0, 8.0], idx::TIMBER);
        plan.brushes.push(board.detail());
    }
}

/// The wall between hall and courtyard, with a doorway and two windows.
fn facade(plan: &mut MapPlan) {
    let openings = [
        ([-208.0, -112.0], [56.0, 168.0]),
        ([-56.0, 56.0], [0.0, 144.0]),
        ([112.0, 208.0], [56.0, 168.0]),
    ];
    let piece = |y: [f64; 2], z: [f64; 2]| {
        block([-32.0, y[0], z[0]], [0.0, y[1], z[1]], idx::STONE_WALL)
            .facing([-1.0, 0.0, 0.0], idx::PLASTER)
    };
    plan.brushes
        .extend(wall([-544.0, 544.0], [0.0, 320.0], &openings, piece));
    plan.brushes
        .push(block([-32.0, -544.0, -32.0], [0.0, 544.0, 0.0], idx::TRIM));
    for (y, z) in openings {
        let sill = [[y[0] - 8.0, y[0]], [y[1], y[1] + 8.0]];
        for side in sill {
            let jamb = block([-36.0, side[0], z[0]], [4.0, side[1], z[1]], idx::TRIM);
            plan.brushes.push(jamb.detail());
        }
        let lintel = block(
            [-36.0, y[0] - 8.0, z[1]],
            [4.0, y[1] + 8.0, z[1] + 12.0],
            idx::TRIM,
        );
        plan.brushes.push(lintel.detail());
        if z[0] > 0.0 {
            let ledge = block(
                [-38.0, y[0] - 8.0, z[0] - 8.0],
                [6.0, y[1] + 8.0, z[0]],
                idx::TRIM,
            );
            plan.brushes.push(ledge.detail());
            let middle = (y[0] + y[1]) / 2.0;
            let bar = block(
                [-18.0, middle - 3.0, z[0]],
                [-14.0, middle + 3.0, z[1]],
                idx::TIMBER,
            );
            plan.brushes.push(bar.detail());
        }
    }
}

/// A hearth in the west wall, with embers and their light.
fn fireplace(plan: &mut MapPlan) {
    plan.brushes.extend([
        block([-752.0, -64.0, -32.0], [-672.0, 64.0, 0.0], idx::STONE_WALL),
        block(
            [-752.0, -64.0, 80.0],
            [-672.0, 64.0, 112.0],
            idx::STONE_WALL,
        ),
        block([-752.0, 48.0, 0.0], [-672.0, 64.0, 80.0], idx::STONE_WALL),
        block([-752.0, -64.0, 0.0], [-672.0, -48.0, 80.0], idx::STONE_WALL),
        block([-752.0, -48.0, 0.0], [-720.0, 48.0, 80.0], idx::STONE_WALL),
    ]);
    let details = [
        block([-640.0, -64.0, 0.0], [-624.0, -48.0, 88.0], idx::TRIM),
        block([-640.0, 48.0, 0.0], [-624.0, 64.0, 88.0], idx::TRIM),
        block([-640.0, -72.0, 88.0], [-616.0, 72.0, 100.0], idx::TRIM),
        block([-712.0, -28.0, 0.0], [-664.0, -16.0, 10.0], idx::TIMBER),
        block([-712.0, 16.0, 0.0], [-664.0, 28.0, 10.0], idx::TIMBER),
        block([-704.0, -24.0, 0.0], [-672.0, 24.0, 7.0], idx::EMBERS),
    ];
    plan.brushes.extend(details.map(|brush| brush.detail()));
    plan.lamps.push(Lamp {
        origin: [-680.0, 0.0, 36.0],
        color: LightColor {
            rgb: [255, 150, 64],
            brightness: 260.0,
        },
        style: CANDLE,
        name: None,
        cone: None,
    });
}

/// A table with two benches.
fn furniture(plan: &mut MapPlan) {
    let mut bench = |x: [f64; 2], y: [f64; 2], height: f64| {
        let top = block(
            [x[0], y[0], height - 4.0],
            [x[1], y[1], height],
            idx::TIMBER,
        );
        plan.brushes.push(top.detail());
        for lx in [x[0] + 4.0, x[1] - 12.0] {
            for ly in [y[0] + 4.0, y[1] - 12.0] {
                let leg = block(
                    [lx, ly, 0.0],
                    [lx + 8.0, ly + 8.0, height - 4.0],
                    idx::TIMBER,
                );
                plan.brushes.push(leg.detail());
            }
        }
    };
    bench([-420.0, -252.0], [104.0, 168.0], 38.0);
    bench([-412.0, -260.0], [60.0, 88.0], 22.0);
    bench([-412.0, -260.0], [184.0, 212.0], 22.0);
}

/// What notices who leaves the hall.
fn doorway_trigger(plan: &mut MapPlan) {
    plan.models.push(vec![block(
        [-24.0, -56.0, 0.0],
        [-8.0, 56.0, 144.0],
        idx::TRIGGER,
    )]);
    plan.entities.push(
        EntityPlan::new("trigger_multiple")
            .with("model", format!("*{}", plan.models.len()))
            .with("origin", "0 0 0")
            .with("spawnflags", 1)
            .with("wait", 2)
            .with("OnStartTouch", "store_gate,Open,,0,-1"),
    );
}
