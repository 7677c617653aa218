//! White pictures whose alpha has the forms that effects are made of.

use crate::{Addressing, PixelFormat, SpriteFrame, Texture, TextureIdx};

/// Width and height of a form in pixels.
const SIDE: usize = 64;
/// How many forms of one kind stand along a side of their square.
const PER_SIDE: usize = 2;

/// What effects show, once its textures are part of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectPictures {
    /// A disc that fades out evenly.
    pub disc: SpriteFrame,
    /// A ray: from nothing at its left edge to all at its right one, soft above and below.
    pub ray: SpriteFrame,
    /// Puffs of smoke.
    pub puffs: Vec<SpriteFrame>,
    /// Tongues of flame, their foot at the lower edge.
    pub flames: Vec<SpriteFrame>,
}

impl EffectPictures {
    /// The textures to add to those of a scene.
    pub fn textures() -> [Texture; 4] {
        [
            texture("soft disc", 1, |_, at| disc(at)),
            texture("ray", 1, |_, at| ray(at)),
            texture("puffs of smoke", PER_SIDE, puff),
            texture("flames", PER_SIDE, flame),
        ]
    }

    /// What they show, given what the first of them has become.
    pub fn new(TextureIdx(first): TextureIdx) -> Self {
        let n_per_side = PER_SIDE as u32;
        let grid = |index| SpriteFrame::grid(TextureIdx(index), n_per_side, n_per_side);
        Self {
            disc: SpriteFrame::whole(TextureIdx(first)),
            ray: SpriteFrame::whole(TextureIdx(first + 1)),
            puffs: grid(first + 2),
            flames: grid(first + 3),
        }
    }

    /// Adds the textures to those of a scene.
    pub fn add_to(textures: &mut Vec<Texture>) -> Self {
        let first = TextureIdx(textures.len() as u32);
        textures.extend(Self::textures());
        Self::new(first)
    }
}

/// `alpha` has the number of a form and a place in it, both axes from -1 to 1, the second downward.
fn texture(name: &str, n_per_side: usize, alpha: fn(usize, [f32; 2]) -> f32) -> Texture {
    let side = SIDE * n_per_side;
    let pixel = |index: usize| {
        let [x, y] = [index % side, index / side];
        let form = y / SIDE * n_per_side + x / SIDE;
        let at = [x, y].map(|at| ((at % SIDE) as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0);
        // Forms do not touch, so that smaller levels do not mix them: their outermost pixels are clear.
        let edge = 1.0 - at[0].abs().max(at[1].abs());
        let alpha = alpha(form, at).clamp(0.0, 1.0) * risen(1.0 / SIDE as f32, 0.12, edge);
        [255, 255, 255, (alpha * 255.0).round() as u8]
    };
    Texture {
        name: name.to_owned(),
        width: side as u32,
        height: side as u32,
        format: PixelFormat::Rgba8,
        n_layers: 1,
        mips: vec![(0..side * side).flat_map(pixel).collect()],
        addressing: Addressing::Clamp,
    }
}

fn disc([x, y]: [f32; 2]) -> f32 {
    let inside = (1.0 - x.hypot(y)).max(0.0);
    inside * inside * (3.0 - 2.0 * inside)
}

fn ray([x, y]: [f32; 2]) -> f32 {
    let along = (x + 1.0) * 0.5;
    along * along * risen(1.0, 0.0, y.abs())
}

/// A ball of cloud.
fn puff(form: usize, [x, y]: [f32; 2]) -> f32 {
    let noise = cloud(form as u32, [x * 2.2, y * 2.2]);
    let distance = x.hypot(y) + 0.55 * (noise - 0.5);
    let body = risen(0.95, 0.25, distance);
    body * (0.45 + 0.55 * cloud(form as u32 + 8, [x * 3.1, y * 3.1]))
}

/// Wide and dense below, narrow and thin above, and bent as the air bends it.
fn flame(form: usize, [x, y]: [f32; 2]) -> f32 {
    let height = (1.0 - y) * 0.5;
    let bent =
        x + 0.5 * height * (cloud(form as u32 + 16, [1.7 * form as f32, y * 1.6]) - 0.5) * 2.0;
    let half_width = 0.62 * (1.0 - height).powf(0.75) * (0.35 + 1.9 * height).min(1.0);
    let ragged = 0.3 * (cloud(form as u32 + 24, [x * 3.0, y * 2.4]) - 0.5);
    let across = bent.abs() / half_width.max(1e-3) + ragged;
    risen(1.0, 0.2, across) * risen(0.0, 0.2, height) * risen(1.0, 0.6, height)
}

/// 0 at `from`, 1 at `to`, level at both.
fn risen(from: f32, to: f32, at: f32) -> f32 {
    let share = ((at - from) / (to - from)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// Noise of three sizes, from 0 to 1.
fn cloud(seed: u32, [x, y]: [f32; 2]) -> f32 {
    let octave = |index: u32, weight: f32| {
        let scale = (1 << index) as f32;
        weight
            * value_noise(
                seed.wrapping_mul(31).wrapping_add(index),
                [x * scale, y * scale],
            )
    };
    octave(0, 0.55) + octave(1, 0.3) + octave(2, 0.15)
}

fn value_noise(seed: u32, at: [f32; 2]) -> f32 {
    let cell = at.map(f32::floor);
    let [u, v] = [0, 1].map(|axis| risen(0.0, 1.0, at[axis] - cell[axis]));
    let corner = |dx: i32, dy: i32| lattice(seed, [cell[0] as i32 + dx, cell[1] as i32 + dy]);
    let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
    let [upper, lower] = [0, 1].map(|dy| mix(corner(0, dy), corner(1, dy), u));
    mix(upper, lower, v)
}

/// A number from 0 to 1 for each cell.
fn lattice(seed: u32, [x, y]: [i32; 2]) -> f32 {
    let mut bits = seed.wrapping_mul(0x27D4_EB2F)
        ^ (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77);
    bits = (bits ^ bits >> 15).wrapping_mul(0xC2B2_AE3D);
    bits = (bits ^ bits >> 13).wrapping_mul(0x27D4_EB2F);
    ((bits ^ bits >> 16) >> 8) as f32 / 16_777_216.0
}
