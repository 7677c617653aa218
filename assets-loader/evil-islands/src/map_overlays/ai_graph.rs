//! Cells of the movement graph: cells with the same record have the same color.

use std::collections::BTreeMap;

use super::shapes::{Color, LIFT, Layer};
use crate::ai_graph::{AiRecord, CELL_SIZE};
use crate::map_entities::GroundHeight;
use crate::mob::Mob;

pub(super) const OUTLINE: Color = [255, 255, 255, 90];
const FILL_ALPHA: u8 = 90;

/// All cells as they lie on the ground: two triangles each, and the edges between cells that differ.
pub(super) fn cells(mob: &Mob, ground: &GroundHeight<'_>) -> Layer {
    let mut layer = Layer::new("movement graph");
    let Some(graph) = mob.ai_graph() else {
        return layer;
    };
    let mut rows = Corners::new(ground);
    for y in 0..graph.height() {
        for x in 0..graph.width() {
            let Some(record) = graph.record(x, y) else {
                continue;
            };
            let [a, b, c, d] =
                [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)].map(|(x, y)| rows.corner(x, y));
            let color = color_of(record);
            layer.triangle([a, b, c], color);
            layer.triangle([a, c, d], color);
            let differs = |x: Option<u32>, y: Option<u32>| {
                let other = x.zip(y).and_then(|(x, y)| graph.record(x, y));
                other != Some(record)
            };
            if differs(x.checked_sub(1), Some(y)) {
                layer.line(a, d, OUTLINE);
            }
            if differs(Some(x), y.checked_sub(1)) {
                layer.line(a, b, OUTLINE);
            }
        }
        rows.forget_before(y + 1);
    }
    layer
}

/// Corners of cells on the ground, of the two rows that are in use.
struct Corners<'a> {
    ground: &'a GroundHeight<'a>,
    known: BTreeMap<(u32, u32), [f32; 3]>,
}

impl<'a> Corners<'a> {
    fn new(ground: &'a GroundHeight<'a>) -> Self {
        Self {
            ground,
            known: BTreeMap::new(),
        }
    }

    fn corner(&mut self, x: u32, y: u32) -> [f32; 3] {
        *self.known.entry((y, x)).or_insert_with(|| {
            let [x, y] = [x, y].map(|it| it as f32 * CELL_SIZE);
            [x, y, (self.ground)(x, y).unwrap_or_default() + LIFT]
        })
    }

    fn forget_before(&mut self, y: u32) {
        self.known = self.known.split_off(&(y, 0));
    }
}

/// A color of full saturation by a hash of the record (FNV-1a).
fn color_of(record: &AiRecord) -> Color {
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    let hash = record.iter().fold(0x811C_9DC5, step);
    // Six parts of the color wheel, and how far into the part.
    let [part, rise, ..] = hash.to_be_bytes();
    let fall = 255 - rise;
    let [r, g, b] = match part % 6 {
        0 => [255, rise, 0],
        1 => [fall, 255, 0],
        2 => [0, 255, rise],
        3 => [0, fall, 255],
        4 => [rise, 0, 255],
        _ => [255, 0, fall],
    };
    [r, g, b, FILL_ALPHA]
}
