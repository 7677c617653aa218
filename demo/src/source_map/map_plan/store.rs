//! A corridor behind the north wall and a store around its corner, which the hall cannot see.

use super::block;
use super::palette::idx;
use crate::source_map::brushes::flags;
use crate::source_map::entities::{EntityPlan, Lamp, LightColor};
use crate::source_map::{MapPlan, Room};

/// Style of a lamp that is about to fail.
const FLUORESCENT: i32 = 10;

/// Adds corridor, store and gate.
pub fn add(plan: &mut MapPlan) {
    // Corridor x 448..544, y 544..832; store x 576..832, y 672..832 with an opening at y 720..800.
    plan.brushes.extend([
        block([416.0, 544.0, -32.0], [864.0, 864.0, 0.0], idx::FLAGSTONES),
        block([416.0, 544.0, 128.0], [576.0, 864.0, 160.0], idx::PLANKS),
        block([576.0, 640.0, 128.0], [864.0, 864.0, 160.0], idx::PLANKS),
        block([416.0, 544.0, 0.0], [448.0, 832.0, 128.0], idx::STONE_WALL),
        block([416.0, 832.0, 0.0], [864.0, 864.0, 128.0], idx::STONE_WALL),
        block([544.0, 544.0, 0.0], [576.0, 720.0, 128.0], idx::STONE_WALL),
        block([544.0, 800.0, 0.0], [576.0, 832.0, 128.0], idx::STONE_WALL),
        block(
            [544.0, 720.0, 104.0],
            [576.0, 800.0, 128.0],
            idx::STONE_WALL,
        ),
        block([576.0, 640.0, 0.0], [832.0, 672.0, 128.0], idx::STONE_WALL),
        block([832.0, 640.0, 0.0], [864.0, 832.0, 128.0], idx::STONE_WALL),
    ]);
    for (low, size) in [
        ([760.0, 688.0, 0.0], 40.0),
        ([784.0, 744.0, 0.0], 32.0),
        ([764.0, 692.0, 40.0], 28.0),
        ([600.0, 684.0, 0.0], 36.0),
    ] {
        let high = low.map(|c: f64| c + size);
        plan.brushes.push(block(low, high, idx::PLANKS).detail());
    }
    let lamp = [
        block([700.0, 748.0, 124.0], [708.0, 756.0, 128.0], idx::TRIM),
        block([698.0, 746.0, 114.0], [710.0, 758.0, 124.0], idx::GLOW),
    ];
    plan.brushes.extend(lamp.map(|brush| brush.detail()));
    plan.lamps.push(Lamp {
        origin: [704.0, 752.0, 112.0],
        color: LightColor {
            rgb: [255, 214, 150],
            brightness: 170.0,
        },
        style: FLUORESCENT,
        name: None,
        cone: None,
    });
    area(plan);
    gate(plan);
}

/// The store is an area of its own, which is seen through its opening.
fn area(plan: &mut MapPlan) {
    let corner = |y, z| [576.0, y, z];
    plan.rooms.push(Room {
        bounds: [[576.0, 672.0, 0.0], [832.0, 832.0, 128.0]],
        opening: [
            corner(720.0, 0.0),
            corner(800.0, 0.0),
            corner(800.0, 104.0),
            corner(720.0, 104.0),
        ],
        portal: 1,
    });
    plan.entities.push(
        EntityPlan::new("func_areaportal")
            .with("targetname", "store_opening")
            .with("portalnumber", 1)
            .with("StartOpen", 1),
    );
}

/// A grate that slides up.
fn gate(plan: &mut MapPlan) {
    let grate = block([448.0, 526.0, 0.0], [544.0, 530.0, 128.0], idx::GRATE);
    plan.models
        .push(vec![grate.with_contents(flags::GRATE | flags::TRANSLUCENT)]);
    plan.entities.push(
        EntityPlan::new("func_door")
            .with("model", format!("*{}", plan.models.len()))
            .with("targetname", "store_gate")
            .with("origin", "0 0 0")
            .with("angles", "0 0 0")
            .with("movedir", "-90 0 0")
            .with("speed", 60)
            .with("wait", 4)
            .with("lip", 8),
    );
}
