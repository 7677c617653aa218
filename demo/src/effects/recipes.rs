//! What each effect emits.

use ironlands_assets_parkan::fxid::{
    Bolt, Burst, Channel, Dome, EffectFlags, Emits, Glow, Light, Ramp, Sound, SpreadChannel,
    Sprite, Stream, Window,
};
use ironlands_assets_parkan::registry::ObjectRef;

use super::{LOOP, ONCE, Recipe, SPEED, blocks};

const WHOLE: Window = [0.0, 1.0];

/// All effects.
pub fn all() -> Vec<Recipe> {
    vec![
        smoke(),
        fire(),
        muzzle(),
        engine(),
        spray(),
        explosion(),
        teleport(),
        dust(),
        beacon(),
        sparks(),
        bolt(),
        ore(),
        lightning(),
    ]
}

fn recipe(name: &'static str, mode: u32, duration_secs: f32) -> Recipe {
    Recipe {
        name,
        mode,
        duration_secs,
        flags: EffectFlags::empty(),
        blocks: Vec::new(),
    }
}

fn material(name: &str) -> ObjectRef {
    ObjectRef::new("material.lib", name).expect("names are short")
}

fn ramp(low: f32, high: f32, exponent: f32) -> Ramp {
    Ramp {
        low,
        high,
        exponent,
    }
}

/// From one place to another; how far that differs; and the power of the age.
fn way(low: [f32; 3], high: [f32; 3], jitter: [f32; 3], exponent: f32) -> SpreadChannel {
    SpreadChannel {
        low,
        high,
        jitter,
        exponent: [exponent; 3],
    }
}

/// Width and height from one value to another.
fn sides(low: f32, high: f32, jitter: f32, exponent: f32) -> SpreadChannel {
    way([low; 3], [high; 3], [jitter; 3], exponent)
}

fn even(low: [f32; 3], high: [f32; 3], exponent: f32) -> Channel {
    Channel {
        low,
        high,
        exponent: [exponent; 3],
    }
}

/// Particles every `interval_secs`, this many of them alive.
fn stream(name: &str, interval_secs: f32, n_particles: u32) -> Stream {
    Stream {
        fade: ramp(1.0, 0.0, 1.0),
        window: WHOLE,
        interval_secs: [interval_secs; 2],
        phase_exponent: 1.0,
        n_particles,
        unknown_28: SpreadChannel::default(),
        position: SpreadChannel::default(),
        size: SpreadChannel::default(),
        material: material(name),
    }
}

fn burst(name: &str, window: Window, [n_groups, n_particles]: [u32; 2], life_secs: f32) -> Burst {
    Burst {
        mode: 0,
        fade: ramp(1.0, 0.0, 1.0),
        window,
        life_secs,
        phase_rate: 1.0,
        n_groups,
        n_particles,
        position: SpreadChannel::default(),
        size: SpreadChannel::default(),
        unknown_8c: 0.0,
        material: material(name),
    }
}

/// A sprite at a place whose size goes from one value to another.
fn sprite(name: &str, window: Window, at: [f32; 3], [from, to]: [f32; 2]) -> Sprite {
    Sprite {
        mode: 0,
        phase: ramp(0.0, 1.0, 1.0),
        fade: ramp(1.0, 0.0, 1.0),
        window,
        position: even(at, at, 1.0),
        direction: Default::default(),
        size: even([from; 3], [to; 3], 1.0),
        material: material(name),
    }
}

fn light(window: Window, at: [f32; 3], color: [[f32; 3]; 2], range: f32) -> Light {
    Light {
        kind: 5,
        window,
        position: [at; 2],
        direction: Default::default(),
        color: color.map(|[r, g, b]| [r, g, b, 1.0]),
        color_jitter: [0.0; 4],
        range: [range; 2],
        range_jitter: 0.0,
        attenuation: [1.0, 0.0, 0.0],
        unknown_88: [0; 6],
        material: ObjectRef::new("", "").expect("no name is short"),
    }
}

fn sound(name: &str, is_loop: bool) -> Sound {
    Sound {
        kind: if is_loop { 2 } else { 0 },
        window: WHOLE,
        position: Default::default(),
        direction: Default::default(),
        distances: [4.0, 120.0],
        rate: [1.0; 2],
        device_mode: 0,
        sound: ObjectRef::new("sounds.lib", name).expect("names are short"),
    }
}

/// Puffs from a chimney.
fn smoke() -> Recipe {
    Recipe {
        blocks: blocks([Emits::Stream(Stream {
            fade: ramp(0.5, 0.0, 0.8),
            phase_exponent: -1.0,
            position: way([0.0; 3], [2.4, 1.2, 7.5], [2.2, 2.2, 2.0], 0.9),
            size: sides(0.6, 4.2, 1.6, 0.8),
            ..stream("FX_SMOKE", 0.22, 22)
        })]),
        ..recipe("SMOKE", LOOP, 4.0)
    }
}

/// Flames, their glow, embers and smoke.
fn fire() -> Recipe {
    let tongue = |[x, y]: [f32; 2], tall: f32| {
        Emits::Stream(Stream {
            fade: ramp(0.34, 0.0, 1.5),
            position: way([x, y, 0.1], [0.4 * x, 0.4 * y, tall], [0.3, 0.3, 0.5], 1.0),
            size: sides(0.95, 0.25, 0.2, 1.2),
            ..stream("FX_FIRE", 0.075, 12)
        })
    };
    let glow = Glow {
        sprite: Sprite {
            fade: ramp(0.22, 0.22, 1.0),
            ..sprite("FX_WARM", WHOLE, [0.0, 0.0, 0.7], [3.4, 3.4])
        },
        full_distance: 4.0,
    };
    let embers = Stream {
        position: way([0.0, 0.0, 0.6], [0.4, 0.3, 4.2], [1.8, 1.8, 1.6], 0.8),
        size: sides(0.09, 0.04, 0.04, 1.0),
        ..stream("FX_WARM", 0.19, 10)
    };
    let smoke = Stream {
        fade: ramp(0.3, 0.0, 0.8),
        phase_exponent: -1.0,
        position: way([0.0, 0.0, 1.5], [1.6, 0.8, 6.5], [1.4, 1.4, 1.4], 0.9),
        size: sides(0.6, 2.8, 0.8, 0.8),
        ..stream("FX_SMOKE", 0.25, 14)
    };
    Recipe {
        blocks: blocks([
            Emits::Stream(smoke),
            Emits::Glow(glow),
            tongue([0.32, 0.1], 1.5),
            tongue([-0.2, 0.3], 1.7),
            tongue([-0.1, -0.34], 1.4),
            tongue([0.0, 0.0], 2.1),
            Emits::Stream(embers),
            Emits::Light(light(
                WHOLE,
                [0.0, 0.0, 1.6],
                [[1.5, 0.8, 0.3], [1.2, 0.6, 0.22]],
                11.0,
            )),
            Emits::Sound(sound("fx_fire.wav", true)),
        ]),
        flags: EffectFlags::PING_PONG,
        ..recipe("FIRE", LOOP, 0.9)
    }
}

/// A shot: a flash at the barrel's end, sparks ahead and smoke that stays.
fn muzzle() -> Recipe {
    let flash = [0.0, 0.08];
    let sparks = Burst {
        position: way([0.2, 0.0, 0.0], [4.5, 0.0, 0.0], [2.5, 1.4, 1.4], 0.6),
        size: sides(0.14, 0.03, 0.05, 1.0),
        ..burst("FX_WARM", [0.0, 0.04], [1, 14], 0.35)
    };
    let smoke = Burst {
        fade: ramp(0.4, 0.0, 0.9),
        position: way([0.2, 0.0, 0.0], [2.2, 0.0, 0.7], [1.2, 0.8, 0.8], 0.6),
        size: sides(0.35, 1.7, 0.6, 0.7),
        ..burst("FX_SMOKE", [0.0, 0.1], [2, 4], 1.2)
    };
    Recipe {
        blocks: blocks([
            Emits::Burst(smoke),
            Emits::Sprite(sprite("FX_STAR", flash, [0.4, 0.0, 0.0], [0.8, 2.4])),
            Emits::Sprite(sprite("FX_WARM", flash, [1.0, 0.0, 0.0], [1.6, 0.7])),
            Emits::Burst(sparks),
            Emits::Light(light(
                flash,
                [0.6, 0.0, 0.0],
                [[2.0, 1.5, 0.8], [0.2, 0.1, 0.0]],
                9.0,
            )),
            Emits::Sound(sound("fx_gun.wav", false)),
        ]),
        ..recipe("MUZZLE", ONCE, 1.6)
    }
}

/// The glow of an engine at work: the faster, the longer.
fn engine() -> Recipe {
    let jet = Stream {
        window: [0.05, 1.0],
        fade: ramp(0.8, 0.0, 1.0),
        position: way([0.0; 3], [1.9, 0.0, 0.0], [0.5, 0.3, 0.3], 0.8),
        size: sides(0.5, 0.12, 0.1, 1.0),
        ..stream("FX_BLUE", 0.04, 11)
    };
    let core = Sprite {
        fade: ramp(0.5, 1.0, 1.0),
        ..sprite("FX_BLUE", WHOLE, [0.1, 0.0, 0.0], [0.5, 1.1])
    };
    Recipe {
        blocks: blocks([Emits::Stream(jet), Emits::Sprite(core)]),
        ..recipe("ENGINE", SPEED, 1.0)
    }
}

/// A jet of water that rises, falls in a ring, and its mist.
fn spray() -> Recipe {
    let rise = Stream {
        fade: ramp(0.95, 0.8, 1.0),
        position: way([0.0, 0.0, 0.2], [0.0, 0.0, 4.2], [1.2, 1.2, 0.7], 0.55),
        size: sides(0.3, 0.4, 0.1, 1.0),
        ..stream("FX_DROP", 0.012, 75)
    };
    let fall = Stream {
        fade: ramp(0.85, 0.4, 1.0),
        position: way([0.0, 0.0, 4.1], [0.0, 0.0, 0.2], [4.6, 4.6, 0.2], 1.8),
        size: sides(0.4, 0.3, 0.1, 1.0),
        ..stream("FX_DROP", 0.012, 75)
    };
    let mist = Stream {
        fade: ramp(0.26, 0.0, 1.0),
        phase_exponent: -1.0,
        position: way([0.0, 0.0, 0.4], [0.6, 0.3, 2.6], [3.6, 3.6, 1.4], 0.7),
        size: sides(0.8, 2.4, 0.8, 0.8),
        ..stream("FX_STEAM", 0.14, 14)
    };
    Recipe {
        blocks: blocks([
            Emits::Stream(mist),
            Emits::Stream(fall),
            Emits::Stream(rise),
        ]),
        ..recipe("SPRAY", LOOP, 2.0)
    }
}

/// A flash, a shock wave, fire, debris and a column of smoke.
fn explosion() -> Recipe {
    let fire = Burst {
        fade: ramp(1.0, 0.0, 1.6),
        position: way([0.0, 0.0, 0.5], [0.0, 0.0, 2.6], [6.5, 6.5, 4.4], 0.45),
        size: sides(1.2, 2.8, 1.0, 0.5),
        ..burst("FX_FIRE", [0.0, 0.06], [3, 9], 0.9)
    };
    let debris = Burst {
        mode: 16,
        fade: ramp(1.0, 0.6, 3.0),
        position: way([0.0, 0.0, 0.6], [0.0, 0.0, 2.4], [17.0, 17.0, 7.0], 0.8),
        size: sides(0.3, 0.16, 0.2, 1.0),
        ..burst("FX_WARM", [0.0, 0.02], [1, 26], 1.1)
    };
    let smoke = Burst {
        fade: ramp(0.62, 0.0, 0.9),
        position: way([0.0, 0.0, 0.8], [0.8, 0.4, 6.2], [6.0, 6.0, 4.5], 0.55),
        size: sides(1.6, 5.0, 1.6, 0.6),
        ..burst("FX_SMOKE", [0.02, 0.2], [4, 6], 2.9)
    };
    let shock = Dome {
        sprite: Sprite {
            fade: ramp(0.5, 0.0, 1.0),
            size: even([0.4; 3], [8.5, 8.5, 4.5], 0.6),
            ..sprite("FX_SHOCK", [0.0, 0.12], [0.0; 3], [0.0, 0.0])
        },
        fineness: 2,
        unknown_cc: 1,
    };
    Recipe {
        blocks: blocks([
            Emits::Burst(smoke),
            Emits::Burst(fire),
            Emits::Debris(debris),
            Emits::Dome(shock),
            Emits::Sprite(sprite("FX_STAR", [0.0, 0.06], [0.0, 0.0, 1.2], [4.0, 10.0])),
            Emits::Light(light(
                [0.0, 0.2],
                [0.0, 0.0, 2.0],
                [[3.0, 2.0, 0.9], [0.0; 3]],
                24.0,
            )),
            Emits::Sound(sound("fx_bang.wav", false)),
        ]),
        flags: EffectFlags::STAYS,
        ..recipe("EXPLODE", ONCE, 4.0)
    }
}

/// Rings that rise in a dome of light, and sparkles.
fn teleport() -> Recipe {
    let ring = |at: f32| {
        Emits::Sprite(Sprite {
            fade: ramp(0.9, 0.0, 1.5),
            position: even([0.0, 0.0, 0.2], [0.0, 0.0, 3.6], 1.0),
            ..sprite("FX_RING", [at, at + 0.5], [0.0; 3], [3.6, 1.6])
        })
    };
    let dome = Dome {
        sprite: Sprite {
            fade: ramp(0.3, 0.14, 1.0),
            size: even([2.2, 2.2, 3.4], [2.4, 2.4, 3.8], 1.0),
            ..sprite("FX_SHOCK", WHOLE, [0.0; 3], [0.0, 0.0])
        },
        fineness: 2,
        unknown_cc: 1,
    };
    let sparkles = Stream {
        fade: ramp(1.0, 0.0, 2.0),
        position: way([0.0, 0.0, 0.2], [0.0, 0.0, 3.8], [4.2, 4.2, 1.6], 1.3),
        size: sides(0.12, 0.2, 0.1, 1.0),
        ..stream("FX_BLUE", 0.04, 45)
    };
    Recipe {
        blocks: blocks([
            Emits::Dome(dome),
            ring(0.0),
            ring(0.25),
            ring(0.5),
            Emits::Stream(sparkles),
            Emits::Light(light(
                WHOLE,
                [0.0, 0.0, 2.0],
                [[0.5, 0.9, 1.4], [0.3, 0.6, 1.0]],
                12.0,
            )),
            Emits::Sound(sound("fx_hum.wav", true)),
        ]),
        ..recipe("TELEPORT", LOOP, 2.4)
    }
}

/// What feet stir up while their owner moves.
fn dust() -> Recipe {
    Recipe {
        blocks: blocks([Emits::Stream(Stream {
            window: [0.05, 1.0],
            fade: ramp(0.5, 0.0, 0.8),
            phase_exponent: -1.0,
            position: way([0.0, 0.0, 0.2], [0.0, 0.0, 1.5], [3.4, 3.4, 1.2], 0.7),
            size: sides(0.8, 2.8, 0.8, 0.7),
            ..stream("FX_DUST", 0.13, 15)
        })]),
        ..recipe("DUST", SPEED, 1.0)
    }
}

/// A red light that swells and fades; hidden where its place is.
fn beacon() -> Recipe {
    let lamp = Glow {
        sprite: Sprite {
            fade: ramp(0.1, 1.0, 2.0),
            ..sprite("FX_RED", WHOLE, [0.0; 3], [0.7, 3.0])
        },
        full_distance: 9.0,
    };
    let mut recipe = Recipe {
        blocks: blocks([
            Emits::Glow(lamp),
            Emits::Light(light(
                WHOLE,
                [0.0; 3],
                [[0.1, 0.02, 0.01], [1.4, 0.25, 0.15]],
                14.0,
            )),
        ]),
        flags: EffectFlags::PING_PONG | EffectFlags::IN_VIEW_ONLY,
        ..recipe("BEACON", LOOP, 2.2)
    };
    // Nothing hides it where it is in view.
    recipe.blocks[0].flag_bits = 0x100;
    recipe
}

/// A broken cable: now and then sparks spring and fall.
fn sparks() -> Recipe {
    let shower = |window: Window, n_particles: u32| {
        Emits::Burst(Burst {
            fade: ramp(1.0, 0.2, 1.5),
            position: way([0.0; 3], [0.8, 0.0, -1.6], [2.6, 2.6, 1.4], 1.2),
            size: sides(0.13, 0.05, 0.06, 1.0),
            ..burst("FX_WARM", window, [3, n_particles], 0.7)
        })
    };
    let flash = |at: f32| Emits::Sprite(sprite("FX_STAR", [at, at + 0.05], [0.0; 3], [1.2, 0.3]));
    Recipe {
        blocks: blocks([
            shower([0.0, 0.06], 9),
            shower([0.35, 0.4], 5),
            flash(0.0),
            flash(0.35),
            Emits::Light(light(
                [0.0, 0.06],
                [0.0; 3],
                [[1.0, 0.9, 0.6], [0.2, 0.2, 0.1]],
                7.0,
            )),
        ]),
        ..recipe("SPARKS", LOOP, 1.9)
    }
}

/// A ray from a barrel to what it hits.
fn bolt() -> Recipe {
    let ray = Bolt {
        fade: [1.0, 0.2],
        window: WHOLE,
        n_sprites: 20,
        width: [0.5, 0.2],
        repeat_length: 5.0,
        segment_length: 50.0,
        phase: [0.0, 1.0],
        material: material("FX_RAY"),
    };
    Recipe {
        blocks: blocks([
            Emits::Bolt(ray),
            Emits::Sprite(sprite("FX_BLUE", WHOLE, [0.0; 3], [1.2, 0.6])),
        ]),
        flags: EffectFlags::HAS_TARGET,
        ..recipe("BOLT", LOOP, 0.6)
    }
}

/// A bolt between ground and cloud that flickers twice; its frame is stretched to where the two are.
fn lightning() -> Recipe {
    let flash = |window: Window| {
        Emits::Sprite(Sprite {
            fade: ramp(1.0, 0.2, 0.5),
            ..sprite("SKY_FLASH", window, [0.0; 3], [1.0, 1.0])
        })
    };
    let thunder = Sound {
        window: [0.1, 1.0],
        distances: [700.0, 4000.0],
        ..sound("fx_thunder.wav", false)
    };
    Recipe {
        blocks: blocks([flash([0.0, 0.35]), flash([0.5, 1.0]), Emits::Sound(thunder)]),
        flags: EffectFlags::ENDS | EffectFlags::NO_FOG,
        ..recipe("env_lightning", ONCE, 0.4)
    }
}

/// Glints over ore in the ground.
fn ore() -> Recipe {
    Recipe {
        blocks: blocks([Emits::Stream(Stream {
            fade: ramp(1.0, 0.0, 2.0),
            position: way([0.0, 0.0, 0.2], [0.0, 0.0, 1.8], [7.0, 7.0, 2.0], 0.6),
            size: sides(0.1, 0.5, 0.3, 1.0),
            ..stream("FX_STAR", 0.16, 12)
        })]),
        ..recipe("env_mineral", LOOP, 2.0)
    }
}
