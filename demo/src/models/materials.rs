//! Materials of models: plain ones, leaves, glass, glows, and lights that blink and swell.

use ironlands_assets_parkan::mat0::{Animation, AnimationKey, Mat0, Phase};

use crate::libraries::{SPECIAL, material, phase};

/// Blend code of "all of it".
const ONE: u8 = 2;

/// Modes of an animation, the low bits of its head, and the bits of what is interpolated above them.
const LOOP: u32 = 0;
const PING_PONG: u32 = 1;
const DIFFUSE: u32 = 2 << 3;
const EMISSIVE: u32 = 8 << 3;

/// All materials of models: name, attr1 of the entry, content.
pub fn materials() -> Vec<(&'static str, u32, Mat0)> {
    let plain = |name: &'static str, texture: &str| (name, 0, material(texture, false));
    let leaves = |name: &'static str, texture: &str| (name, SPECIAL, material(texture, false));
    vec![
        plain("WK_HULL", "WK_HULL.0"),
        plain("WK_STEEL", "WK_STEEL.0"),
        ("WK_GLASS", 0, shining("WK_GLASS.0", [24, 30, 34])),
        ("WK_LAMP", 0, shining("WK_LAMP.0", [235, 220, 180])),
        plain("TR_HULL", "TR_HULL.0"),
        plain("WRECK", "WRECK.0"),
        plain("FR_WALL", "FR_WALL.0"),
        plain("FR_STEEL", "FR_STEEL.0"),
        ("FR_WIN", 0, shining("FR_WIN.0", [110, 98, 70])),
        ("FR_GLASS", 0, glass()),
        ("FR_GLOW", 0, added(vec![glowing(255)], Vec::new())),
        ("FR_BLINK", 0, blinking()),
        plain("FR_DOOR", "FR_DOOR.0"),
        leaves("PINE_TW", "PINE_TW.0"),
        leaves("PINE_FAR", "PINE_FAR.0"),
        leaves("OAK_LEAF", "OAK_LEAF.0"),
        leaves("OAK_FAR", "OAK_FAR.0"),
        plain("BARK", "BARK.0"),
        plain("BOULDER", "ROCK.0"),
        plain("CRATE", "CRATE.0"),
        ("BEACON", 0, swelling()),
        ("BEACON_G", 0, swelling_glow()),
    ]
}

/// A phase that sends out light of its own.
fn bright(texture: &str, diffuse: [u8; 3], emissive: [u8; 3]) -> Phase {
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    Phase {
        diffuse: opaque(diffuse),
        emissive: opaque(emissive),
        ..phase(texture)
    }
}

fn shining(texture: &str, emissive: [u8; 3]) -> Mat0 {
    Mat0 {
        phases: vec![bright(texture, [255; 3], emissive)],
        ..material(texture, false)
    }
}

/// Glass lies over what is behind it.
fn glass() -> Mat0 {
    Mat0 {
        alpha_multiplier: 0.8,
        phases: vec![bright("FR_GLASS.0", [255; 3], [20, 28, 30])],
        ..material("FR_GLASS.0", true)
    }
}

fn glowing(light: u8) -> Phase {
    bright("GLOW.0", [light; 3], [light; 3])
}

/// A light that is added to what is behind it.
fn added(phases: Vec<Phase>, animations: Vec<Animation>) -> Mat0 {
    Mat0 {
        source_blend: ONE,
        destination_blend: ONE,
        phases,
        animations,
        ..material("GLOW.0", true)
    }
}

fn keys(keys: &[(u16, u16)]) -> Vec<AnimationKey> {
    let key = |(stage, duration_ms): &(u16, u16)| AnimationKey {
        stage: *stage,
        duration_ms: *duration_ms,
        unknown_4: 0,
    };
    keys.iter().map(key).collect()
}

/// A warning light: two short flashes, then dark; nothing is interpolated.
fn blinking() -> Mat0 {
    let dark = bright("WK_LAMP.0", [120, 26, 20], [0; 3]);
    let flash = bright("WK_LAMP.0", [255, 70, 50], [255, 60, 40]);
    Mat0 {
        phases: vec![dark, flash],
        animations: vec![Animation {
            head: LOOP,
            keys: keys(&[(1, 130), (0, 160), (1, 130), (0, 1080)]),
        }],
        ..material("", false)
    }
}

/// A beacon that swells and fades: through its phases and back, its light interpolated.
fn swelling() -> Mat0 {
    let lit = |share: u16| {
        let of = |full: u16| (full * share / 255) as u8;
        let light = [of(90), of(220), of(255)];
        bright("WK_LAMP.0", [70, 150, 170], light)
    };
    Mat0 {
        phases: vec![lit(10), lit(90), lit(255)],
        animations: vec![Animation {
            head: PING_PONG | EMISSIVE,
            keys: keys(&[(0, 450), (1, 450), (2, 300)]),
        }],
        ..material("", false)
    }
}

fn swelling_glow() -> Mat0 {
    let lit = |share: u8| {
        let light = [share / 4, (u16::from(share) * 3 / 4) as u8, share];
        bright("GLOW.0", light, light)
    };
    let swell = Animation {
        head: PING_PONG | DIFFUSE | EMISSIVE,
        keys: keys(&[(0, 450), (1, 450), (2, 300)]),
    };
    added(vec![lit(6), lit(90), lit(255)], vec![swell])
}
