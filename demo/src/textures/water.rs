//! The sea: frames of an animation that closes on itself, as indices into one palette.

use ironlands_assets_parkan::texm::{Texm, TexmFormat};

use super::canvas::{self, Canvas};
use crate::noise::{gradient, mix, smoothstep, wave};

/// Frames of one round of the animation.
pub const N_WATER_FRAMES: usize = 12;

/// Side of a frame in pixels.
const SIZE: usize = 128;

/// Waves: whole periods in u and v over the texture, and in one round of the animation. None is long, and many run
/// all ways at like strength, so that no spot stands out that would be seen again in every repeat of the texture.
const WAVES: [([f64; 2], f64); 16] = [
    ([5.0, 2.0], 1.0),
    ([-3.0, 6.0], 1.0),
    ([6.0, -4.0], -1.0),
    ([1.0, 7.0], 1.0),
    ([7.0, 4.0], 1.0),
    ([-7.0, 3.0], 1.0),
    ([4.0, 8.0], -1.0),
    ([9.0, -2.0], 1.0),
    ([-5.0, 8.0], 1.0),
    ([3.0, 10.0], 1.0),
    ([10.0, 5.0], -1.0),
    ([-9.0, 6.0], 1.0),
    ([11.0, -4.0], 1.0),
    ([6.0, 11.0], 1.0),
    ([-2.0, 12.0], -1.0),
    ([12.0, 7.0], 1.0),
];

/// A frame of the sea, indexed, with mips.
pub fn frame(frame: usize) -> Texm {
    let time = frame as f64 / N_WATER_FRAMES as f64;
    let light = Canvas::paint(SIZE, |u, v| [255.0 * brightness(u, v, time); 3]);
    let mut levels = vec![light];
    while let Some(last) = levels.last().filter(|level| level.n > 1) {
        levels.push(last.halved());
    }
    // The palette is one ramp, so that means of indices are means of colors.
    let indices = |level: &Canvas| {
        level
            .rgb
            .iter()
            .map(|[light, ..]| (light + 0.5) as u8)
            .collect()
    };
    let mut texm = canvas::texm(
        SIZE,
        TexmFormat::Indexed8,
        levels.iter().map(indices).collect(),
    );
    texm.palette = Some(Box::new(std::array::from_fn(palette_entry)));
    texm
}

fn brightness(u: f64, v: f64, time: f64) -> f64 {
    let bend = |seed: u32| 0.02 * gradient(seed, u * 5.0, v * 5.0, 5);
    let (wu, wv) = (u + bend(91), v + bend(92));
    let (mut height, mut variance) = (0.0, 0.0);
    for (i, (k, speed)) in WAVES.iter().enumerate() {
        let weight = 1.0 / (k[0] * k[0] + k[1] * k[1]).sqrt();
        let phase = k[0] * wu + k[1] * wv + speed * time + 0.37 * i as f64;
        height += weight * wave(phase);
        variance += weight * weight / 2.0;
    }
    // Levels out the rare heights where many crests meet.
    let swell = smoothstep(-1.9, 1.9, height / variance.sqrt());
    0.24 + 0.21 * swell
}

/// From deep blue over green to the light of the sky; bytes B, G, R, unused.
fn palette_entry(index: usize) -> [u8; 4] {
    const RAMP: [[f64; 3]; 4] = [
        [12.0, 46.0, 74.0],
        [28.0, 80.0, 106.0],
        [70.0, 130.0, 148.0],
        [206.0, 228.0, 232.0],
    ];
    let t = index as f64 / 255.0 * 3.0;
    let low = (t.floor() as usize).min(2);
    let [r, g, b] =
        [0, 1, 2].map(|k| (mix(RAMP[low][k], RAMP[low + 1][k], t - low as f64) + 0.5) as u8);
    [b, g, r, 0]
}
