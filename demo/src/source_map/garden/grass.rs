//! Detail props: tufts of all shapes on the ground of the yard.

use ironlands_assets_source::bsp::game_lump::{
    DetailLight, DetailLights, DetailObject, DetailProps, DetailSprite, ModelName,
};

use super::random_unit;
use crate::source_map::vase;

/// Tufts along x and y, and how far they are from each other.
const COLUMNS: usize = 44;
const ROWS: usize = 14;
const PITCH: f64 = 18.0;
/// The corner of the field.
const CORNER: [f64; 2] = [320.0, 160.0];
/// Light on all of them: the sun of the yard, as three mantissas and an exponent.
const LIGHT: [u8; 4] = [250, 240, 220, 0];

/// Half the width and the height of each picture of the atlas, which has four in two rows.
const SIZES: [[f32; 2]; 4] = [[9.0, 22.0], [8.0, 12.0], [6.0, 18.0], [12.0, 16.0]];

/// All of them. Leaves are found when the map is compiled.
pub fn detail_props() -> DetailProps {
    let sprite = |(at, [half, height]): (usize, [f32; 2])| {
        let corner = [at % 2, at / 2].map(|it| it as f32 * 0.5);
        DetailSprite {
            upper_left: [-half, height],
            lower_right: [half, 0.0],
            upper_left_uv: corner,
            lower_right_uv: corner.map(|it| it + 0.5),
        }
    };
    let places = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| [column, row]));
    let mut objects: Vec<DetailObject> = places.map(tuft).collect();
    objects.extend([0.0, 1.0, 2.0].map(|at| pot(480.0 + 160.0 * at)));
    DetailProps {
        models: vec![ModelName::new(vase::MODEL).expect("the path is short")],
        sprites: SIZES.into_iter().enumerate().map(sprite).collect(),
        objects,
    }
}

/// Light of the southernmost row that flickers like a candle.
pub fn lights() -> DetailLights {
    DetailLights {
        lights: vec![DetailLight {
            lighting: [255, 140, 40, 1],
            style: 3,
        }],
    }
}

fn tuft([column, row]: [usize; 2]) -> DetailObject {
    let random = |n: u32| random_unit(900 + n, column as i32, row as i32);
    let along = |at: usize, n: u32| at as f64 * PITCH + 10.0 * random(n);
    let picture = (random(3) * 4.0) as u16 % 4;
    // Columns from west to east: turned to the viewer, crossed, in triangles.
    let kind = match column * 3 / COLUMNS {
        0 => DetailObject::SPRITE,
        1 => DetailObject::CROSS,
        _ => DetailObject::TRIANGLE,
    };
    let is_lit_by_candle = row == 0;
    DetailObject {
        origin: [CORNER[0] + along(column, 1), CORNER[1] + along(row, 2), 0.0].map(|it| it as f32),
        angles: [0.0, (360.0 * random(4)) as f32, 0.0],
        detail_model: picture,
        lighting: LIGHT,
        n_light_styles: u8::from(is_lit_by_candle),
        sway: 100,
        shape_angle: 18,
        shape_size: 120,
        orientation: DetailObject::FACES_VIEWER_UPRIGHT,
        kind,
        scale: (0.7 + 0.6 * random(5)) as f32,
        ..DetailObject::default()
    }
}

/// A small vase between the tufts and the posts.
fn pot(x: f64) -> DetailObject {
    DetailObject {
        origin: [x as f32, 480.0, 0.0],
        lighting: LIGHT,
        kind: DetailObject::MODEL,
        scale: 0.4,
        ..DetailObject::default()
    }
}
