//! Skies of the missions: in, nothing; out, `sky.ske` and `sky.wea`. Over the valley a clear day from dawn to a night with a
//! moon; over the islands a storm in the afternoon.

use ironlands_assets_parkan::ske::{Keyframe, Ske, SkySection, SkyTime, Slots};

use super::sky_looks::ROWS;
use crate::{DemoError, libraries};

/// Opcodes of keyframes.
const SUN_BEGINS: u32 = 0;
const SUN_ENDS: u32 = 1;
const NOTHING: u32 = 2;
const RAIN_BEGINS: u32 = 3;
const RAIN_ENDS: u32 = 4;
const LIGHTNING_BEGINS: u32 = 8;
const LIGHTNING_ENDS: u32 = 9;

/// Real minutes of a day.
const DAY_MINUTES: u32 = 15;
/// Red, green, blue.
type Color = [u8; 3];

/// The sky at a time.
struct SkyColors {
    at: [u32; 2],
    apex: Color,
    horizon: Color,
    /// How much of what lies behind the dome it hides.
    cover: u8,
    clouds: Color,
    sun: Color,
    /// Factor of the sun's light, not of what has its color.
    light: f32,
    scene: Color,
    /// World units at which fog begins and is whole.
    fog: [f32; 2],
}

const NIGHT: SkyColors = SkyColors {
    at: [0, 0],
    apex: [6, 9, 22],
    horizon: [22, 28, 48],
    cover: 40,
    clouds: [30, 34, 48],
    sun: [62, 72, 104],
    light: 1.0,
    scene: [40, 46, 68],
    fog: [90.0, 900.0],
};
const DAWN: SkyColors = SkyColors {
    at: [6, 0],
    apex: [70, 84, 132],
    horizon: [226, 140, 96],
    cover: 220,
    clouds: [206, 132, 110],
    sun: [238, 150, 92],
    light: 1.0,
    scene: [84, 74, 84],
    fog: [60.0, 1000.0],
};
const MORNING: SkyColors = SkyColors {
    at: [8, 30],
    apex: [76, 122, 184],
    horizon: [186, 202, 218],
    cover: 255,
    clouds: [224, 222, 220],
    sun: [206, 194, 172],
    light: 1.0,
    scene: [96, 98, 104],
    fog: [110.0, 1500.0],
};
const NOON: SkyColors = SkyColors {
    at: [12, 30],
    apex: [64, 112, 182],
    horizon: [184, 206, 226],
    cover: 255,
    clouds: [236, 238, 240],
    sun: [196, 192, 180],
    light: 1.0,
    scene: [98, 100, 104],
    fog: [110.0, 1600.0],
};
const DUSK: SkyColors = SkyColors {
    at: [19, 0],
    apex: [60, 66, 116],
    horizon: [220, 118, 84],
    cover: 200,
    clouds: [186, 108, 100],
    sun: [226, 122, 74],
    light: 1.0,
    scene: [76, 66, 80],
    fog: [70.0, 1100.0],
};
const STORM: SkyColors = SkyColors {
    at: [15, 0],
    apex: [44, 50, 58],
    horizon: [92, 98, 104],
    cover: 255,
    clouds: [64, 68, 74],
    sun: [188, 196, 206],
    light: 0.35,
    scene: [70, 74, 80],
    fog: [10.0, 420.0],
};

impl SkyColors {
    const fn at(self, hour: u32, minute: u32) -> Self {
        Self {
            at: [hour, minute],
            ..self
        }
    }

    fn keyframe(&self, opcode: u32, text: &str, intensity: f32) -> Keyframe {
        let color = |[r, g, b]: Color, alpha: u8| [b, g, r, alpha];
        // Halfway from the horizon to the apex, nearer to the one or the other.
        let between = |share: u16| {
            let mix = |k: usize| {
                let [low, high] = [self.horizon[k], self.apex[k]].map(u16::from);
                ((low * (4 - share) + high * share) / 4) as u8
            };
            [mix(0), mix(1), mix(2)]
        };
        // Where land ends nothing shines through, so that it fades into the sky.
        let horizon = color(self.horizon, 255);
        let [fog_start, fog_end] = self.fog.map(|units| units / 700.0);
        let [hour, minute] = self.at;
        let mut texts: [Vec<u8>; 6] = Default::default();
        texts[0] = text.as_bytes().to_vec();
        let is_rain = opcode == RAIN_BEGINS;
        Keyframe {
            version: 3,
            time: SkyTime::at(hour, minute),
            opcode,
            slots: Slots {
                unknown_00: [0; 4],
                horizon: [horizon; 4],
                fog_start,
                fog_end,
                ring_3: [color(between(1), self.cover.midpoint(255)); 4],
                ring_2: [color(between(3), self.cover); 4],
                apex: color(self.apex, self.cover),
                unknown_40: [0; 4],
                flare: [0, 0, 0, 120],
                clouds: color(self.clouds, 255),
                sun: color(self.sun, 0),
                scene: color(self.scene, 0),
                counter: color(self.scene.map(|it| it / 3), 0),
            },
            texts,
            numbers: [1.0, 1.0, self.light, intensity],
            sounds: match is_rain {
                true => vec![b"atm_rain1.wav".to_vec()],
                false => Vec::new(),
            },
        }
    }
}

fn sky(keyframes: Vec<Keyframe>, start: SkyTime) -> Ske {
    Ske {
        sections: vec![SkySection {
            unknown_00: 1,
            end: SkyTime::at(23, 59),
            day: SkyTime::at(0, DAY_MINUTES),
            keyframes,
        }],
        start,
        unknown_word: 0,
        flag: 0,
    }
}

/// A clear day that begins in the morning.
fn clear() -> Ske {
    let keyframes = vec![
        NIGHT.keyframe(NOTHING, "", 0.0),
        NIGHT.at(4, 30).keyframe(SUN_BEGINS, "sun", 0.0),
        DAWN.keyframe(NOTHING, "", 0.0),
        MORNING.keyframe(NOTHING, "", 0.0),
        NOON.keyframe(NOTHING, "", 0.0),
        MORNING.at(17, 0).keyframe(NOTHING, "", 0.0),
        DUSK.keyframe(NOTHING, "", 0.0),
        NIGHT.at(20, 30).keyframe(SUN_ENDS, "sun", 0.0),
        NIGHT.at(21, 0).keyframe(SUN_BEGINS, "moon", 0.0),
    ];
    sky(keyframes, SkyTime::at(10, 0))
}

/// A storm that comes at noon and goes in the evening.
fn stormy() -> Ske {
    let keyframes = vec![
        NIGHT.keyframe(NOTHING, "", 0.0),
        NIGHT.at(4, 30).keyframe(SUN_BEGINS, "sun", 0.0),
        DAWN.keyframe(NOTHING, "", 0.0),
        MORNING.keyframe(NOTHING, "", 0.0),
        NOON.keyframe(NOTHING, "", 0.0),
        STORM.at(14, 0).keyframe(RAIN_BEGINS, "", 0.6),
        STORM.keyframe(LIGHTNING_BEGINS, "", 0.9),
        STORM.at(17, 0).keyframe(LIGHTNING_ENDS, "", 0.9),
        STORM.at(18, 0).keyframe(RAIN_ENDS, "", 0.0),
        DUSK.at(19, 30).keyframe(NOTHING, "", 0.0),
        NIGHT.at(21, 0).keyframe(SUN_ENDS, "sun", 0.0),
    ];
    sky(keyframes, SkyTime::at(9, 30))
}

/// Files of the skies, by path below the root.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    let mut files = Vec::new();
    for (folder, sky) in [("single.01", clear()), ("single.02", stormy())] {
        let path = |file: &str| format!("MISSIONS/{folder}/{file}");
        files.push((path("sky.ske"), sky.write()?));
        let names = ROWS.map(str::to_owned).to_vec();
        files.push((path("sky.wea"), libraries::wear(names)?));
    }
    Ok(files)
}
