//! Materials of models: plain ones, leaves, glass, glows, and lights that blink and swell.

use ironlands_assets_parkan::mat0::{Mat0, Phase, Track};

use crate::libraries::{ADD, ALPHA, LEAVES, METAL, material, phase, track};

/// Modes of a track, the low bits of its head, and the bits of what is interpolated above them.
const LOOP: u32 = 0;
const PING_PONG: u32 = 1;
const OWN_LIGHT: u32 = 1 << 3;

/// All materials of models: name, attr1 of the entry, content.
pub fn materials() -> Vec<(&'static str, u32, Mat0)> {
    let of_class = |class, texture: &str| Mat0 {
        class,
        ..material(texture)
    };
    let plain = |name: &'static str, texture: &str| (name, 0, of_class(METAL, texture));
    let leaves = |name: &'static str, texture: &str| (name, ALPHA, of_class(LEAVES, texture));
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
        ("FR_GLASS", ALPHA, glass()),
        ("FR_GLOW", ADD, glow(vec![glowing([255; 3])], Vec::new())),
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
        ("BEACON_G", ADD, swelling_glow()),
    ]
}

/// A phase that sends out light of its own.
fn bright(texture: &str, diffuse: [u8; 3], light: [u8; 3]) -> Phase {
    let [r, g, b] = diffuse;
    let [own_r, own_g, own_b] = light;
    Phase {
        diffuse: [r, g, b, 255],
        ambient: [own_r, own_g, own_b, 100],
        ..phase(texture)
    }
}

fn shining(texture: &str, light: [u8; 3]) -> Mat0 {
    Mat0 {
        class: METAL,
        phases: vec![bright(texture, [255; 3], light)],
        ..material(texture)
    }
}

/// Glass lies over what is behind it.
fn glass() -> Mat0 {
    let mut pane = bright("FR_GLASS.0", [255; 3], [20, 28, 30]);
    pane.ambient[3] = 80;
    Mat0 {
        phases: vec![pane],
        ..material("")
    }
}

/// Light alone, which nothing lights.
fn glowing(light: [u8; 3]) -> Phase {
    bright("GLOW.0", [0; 3], light)
}

fn glow(phases: Vec<Phase>, tracks: Vec<Track>) -> Mat0 {
    Mat0 {
        phases,
        tracks,
        ..material("")
    }
}

/// A warning light: two short flashes, then dark; nothing is interpolated.
fn blinking() -> Mat0 {
    let dark = bright("WK_LAMP.0", [120, 26, 20], [0; 3]);
    let flash = bright("WK_LAMP.0", [255, 70, 50], [255, 60, 40]);
    Mat0 {
        phases: vec![dark, flash],
        tracks: vec![track(LOOP, &[(1, 130), (0, 290), (1, 420), (0, 1500)])],
        ..material("")
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
        tracks: vec![swell()],
        ..material("")
    }
}

/// Through three phases, then back to the first and the same way again.
fn swell() -> Track {
    track(PING_PONG | OWN_LIGHT, &[(0, 450), (1, 900), (2, 1500)])
}

fn swelling_glow() -> Mat0 {
    let lit = |share: u8| glowing([share / 4, (u16::from(share) * 3 / 4) as u8, share]);
    glow(vec![lit(6), lit(90), lit(255)], vec![swell()])
}
