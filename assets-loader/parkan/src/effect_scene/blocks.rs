//! A block as emitters (sections 3.4 to 3.6).

use ironlands_scene::{
    Affine, Anchor, Beam, Burst as GroupOfParticles, Curve, CurveKey, Emission, Emitter,
    EmitterWindow, FramePlay, Motion, ParticleForm,
};

use super::looks::{Look, Looks};
use super::{
    EffectEmitter, EmitterDrive, Follows, LoadedEffect, PlacedEffect, moved, stretched, within,
};
use crate::fxid::{
    Block, Bolt, Burst, Channel, Dome, EffectFlags, Emits, Glow, Ramp, SpreadChannel, Sprite,
    Stream,
};
use crate::material_table::MaterialTable;

/// Lives end within the window; without this much more of it a particle would be gone at the window's end, where an
/// effect may stay for good.
const AT_THE_END: f32 = 1.0001;
/// Most groups of a burst; known files have a few.
const MAX_GROUPS: u32 = 1 << 10;
/// How long a particle lives that is always there.
const ALWAYS_SECS: f32 = 3600.0;
/// Share of its width over which a particle fades out before a surface.
const SOFTNESS: f32 = 0.2;
/// Keys of a curve whose numbers rise by different powers.
const N_KEYS: u16 = 16;

/// The emitters of a block.
pub(super) fn emitters_of(
    effect: &LoadedEffect,
    placed: &PlacedEffect,
    idx: usize,
    block: &Block,
    (table, material): (&MaterialTable, Option<usize>),
) -> Vec<EffectEmitter> {
    let header = &effect.fxid.header;
    let looks = Looks::new(table, material);
    let emission = Emitting {
        placed,
        anchor: within(&placed.anchor, &stretched(header.scale)),
        looks,
        common: Emitter {
            name: effect.name.clone(),
            seed: placed
                .seed
                .wrapping_mul(0x9E37_79B1)
                .wrapping_add(idx as u32),
            blend: looks.blend(),
            is_fogged: !header.flags().contains(EffectFlags::NO_FOG),
            ..Emitter::default()
        },
    };
    match &block.emits {
        Emits::Sprite(sprite) => emission.sprite(sprite, ParticleForm::Sprite, 0.0),
        Emits::Glow(Glow {
            sprite,
            full_distance,
        }) => {
            let distance = full_distance.max(0.0) * emission.scale();
            emission.sprite(sprite, ParticleForm::Sprite, distance)
        }
        Emits::Dome(dome) => emission.dome(dome),
        Emits::Bolt(bolt) => emission.bolt(bolt),
        Emits::Burst(burst) | Emits::Debris(burst) => emission.burst(burst),
        Emits::Stream(stream) => emission.stream(stream),
        Emits::Light(_) | Emits::Sound(_) | Emits::Nothing => Vec::new(),
    }
}

/// What the emitters of a block have in common.
struct Emitting<'a> {
    placed: &'a PlacedEffect,
    /// Of the effect's frame.
    anchor: Anchor,
    looks: Looks<'a>,
    common: Emitter,
}

impl Emitting<'_> {
    fn scale(&self) -> f32 {
        match &self.anchor {
            Anchor::Place(place) => place.max_scale(),
            Anchor::Node {
                node_from_emitter, ..
            } => node_from_emitter.max_scale(),
            Anchor::Eye { .. } => 1.0,
        }
    }

    /// A sprite whose progress is that of the effect: one particle that lives through the window.
    fn sprite(
        &self,
        sprite: &Sprite,
        form: ParticleForm,
        full_distance: f32,
    ) -> Vec<EffectEmitter> {
        let clock = &self.placed.clock;
        let Sprite { phase, window, .. } = *sprite;
        let counts_secs = phase.low < 0.0;
        let first = phase.low.max(0.0);
        let looks = match counts_secs {
            // One turn of the animation, which is repeated.
            true => self.looks.steps(|share| share),
            false => self
                .looks
                .steps(|share| first + (phase.high - first) * powered(share, phase.exponent)),
        };
        let play = match counts_secs {
            true => FramePlay::PerSecond {
                rate: phase.high * looks.len() as f32,
            },
            false => FramePlay::OverLife { turns: 1.0 },
        };
        let emitter = Emitter {
            anchor: within(&self.anchor, &moved(sprite.position.low)),
            motion: travel(&sprite.position.into()),
            size: size(&sprite.size.into()),
            color: colors(&looks, &sprite.fade),
            frames: frames(&looks),
            full_age_distance: full_distance,
            play,
            form,
            ..self.common.clone()
        };
        let emitter = softened(emitter);
        if let (Some(time), true) = (clock.held(), counts_secs) {
            return self.standing(emitter, window, time);
        }
        let [low, high] = window.map(|share| share * clock.duration_secs());
        let life_secs = (high - low) * AT_THE_END;
        if life_secs <= 0.0 {
            return Vec::new();
        }
        let emitter = Emitter {
            emission: once(1),
            window: Some(EmitterWindow {
                start_secs: low,
                duration_secs: 0.0,
                period_secs: None,
            }),
            life_secs: [life_secs; 2],
            ..emitter
        };
        vec![self.driven(emitter, Follows::EffectTime)]
    }

    /// A sprite of an effect whose time stands still while its animation plays.
    fn standing(&self, emitter: Emitter, [low, high]: [f32; 2], time: f32) -> Vec<EffectEmitter> {
        if !(low <= time && time <= high) {
            return Vec::new();
        }
        let progress = if high > low {
            (time - low) / (high - low)
        } else {
            0.0
        };
        let emitter = Emitter {
            emission: Emission::Steady { count: 1 },
            life_secs: [ALWAYS_SECS; 2],
            motion: Motion::default(),
            size: Curve::constant(emitter.size.at(progress)),
            color: Curve::constant(emitter.color.at(progress)),
            full_age_distance: 0.0,
            ..emitter
        };
        vec![self.driven(emitter, Follows::Seconds)]
    }

    fn dome(&self, dome: &Dome) -> Vec<EffectEmitter> {
        let Some([segments, rings]) = dome.grid() else {
            return Vec::new();
        };
        let mut sprite = dome.sprite;
        // Its radii, where others have widths.
        for side in [&mut sprite.size.low, &mut sprite.size.high] {
            let [x, y, z] = *side;
            *side = [x, x + y, 2.0 * z];
        }
        self.sprite(&sprite, ParticleForm::Dome { segments, rings }, 0.0)
    }

    fn bolt(&self, bolt: &Bolt) -> Vec<EffectEmitter> {
        let Some(to) = self.placed.bolts_to else {
            return Vec::new();
        };
        let [x, y, z] = to;
        let length = (x * x + y * y + z * z).sqrt();
        let repeats = (length / bolt.repeat_length).clamp(1.0, Beam::MAX_SEGMENTS as f32);
        let [fade, width, phase] = [bolt.fade, bolt.width, bolt.phase].map(|[low, high]| Ramp {
            low,
            high,
            exponent: 1.0,
        });
        let beam = Beam {
            to,
            end_width: 1.0,
            segments: repeats as u32,
            noise: 0.0,
            jumps_per_sec: 0.0,
        };
        let three = |value: f32| [value; 3];
        let sprite = Sprite {
            mode: 0,
            phase,
            fade,
            window: bolt.window,
            position: Channel::default(),
            direction: Default::default(),
            size: Channel {
                low: three(width.low),
                high: three(width.high),
                exponent: three(1.0),
            },
            material: bolt.material,
        };
        self.sprite(&sprite, ParticleForm::Beam(beam), 0.0)
    }

    /// Groups of particles at equally long distances of the window: how the original spreads them is not known.
    fn burst(&self, burst: &Burst) -> Vec<EffectEmitter> {
        let clock = &self.placed.clock;
        let rate = burst.phase_rate;
        let looks = self.looks.steps(|age| {
            let place = match rate {
                ..0.0 => 0.0,
                ..=1.0 => age / rate,
                _ => (age * rate).fract(),
            };
            place.min(0.99)
        });
        let Burst {
            n_groups,
            n_particles,
            window: [low, high],
            life_secs,
            ..
        } = *burst;
        if n_particles == 0 || n_groups == 0 || n_groups > MAX_GROUPS || life_secs <= 0.0 {
            return Vec::new();
        }
        let emitter = Emitter {
            anchor: within(&self.anchor, &moved(burst.position.low)),
            life_secs: [life_secs; 2],
            motion: travel(&burst.position),
            size: size(&burst.size),
            size_spread: size_spread(&burst.size),
            color: colors(&looks, &burst.fade),
            frames: frames(&looks),
            play: FramePlay::OverLife { turns: 1.0 },
            ..self.common.clone()
        };
        let emitter = softened(emitter);
        // Where the effect's time stands still, groups come as often as they die.
        let span = match clock.held() {
            Some(_) => life_secs,
            None => (high - low) * clock.duration_secs(),
        };
        let group = |idx: u32| GroupOfParticles {
            at_secs: span * (f32::from(idx as u16) / f32::from(n_groups as u16)),
            count: n_particles,
        };
        let groups: Vec<_> = (0..n_groups).map(group).collect();
        let always = EmitterWindow {
            start_secs: 0.0,
            duration_secs: span,
            period_secs: Some(span),
        };
        let windows = clock.open(burst.window).into_iter();
        windows
            .map(|window| Emitter {
                emission: Emission::Bursts(groups.clone()),
                window: Some(window.unwrap_or(always)),
                ..emitter.clone()
            })
            .map(|emitter| self.driven(emitter, Follows::Seconds))
            .collect()
    }

    /// Particles one after the other, at the mean of the intervals at the window's beginning and end. They keep place and
    /// turn of their birth, not what the effect is stretched by.
    fn stream(&self, stream: &Stream) -> Vec<EffectEmitter> {
        let [from, to] = stream.interval_secs;
        let interval_secs = 0.5 * (from + to);
        if interval_secs <= 0.0 || stream.n_particles == 0 {
            return Vec::new();
        }
        let exponent = stream.phase_exponent;
        let is_random = exponent < 0.0;
        let looks = match is_random {
            true => self.looks.steps(|share| share),
            false => self.looks.steps(|age| powered(age, exponent)),
        };
        let emitter = Emitter {
            anchor: within(&unstretched(&self.anchor), &moved(stream.position.low)),
            emission: Emission::Stream {
                per_sec: 1.0 / interval_secs,
            },
            life_secs: [stream.n_particles as f32 * interval_secs; 2],
            motion: travel(&stream.position),
            leaves_trail: true,
            size: size(&stream.size),
            size_spread: size_spread(&stream.size),
            color: colors(&looks, &stream.fade),
            frames: frames(&looks),
            play: match is_random {
                true => FramePlay::AtRandom,
                false => FramePlay::OverLife { turns: 1.0 },
            },
            ..self.common.clone()
        };
        let emitter = softened(emitter);
        let windows = self.placed.clock.open(stream.window).into_iter();
        windows
            .map(|window| Emitter {
                window,
                ..emitter.clone()
            })
            .map(|emitter| self.driven(emitter, Follows::Seconds))
            .collect()
    }

    fn driven(&self, emitter: Emitter, follows: Follows) -> EffectEmitter {
        let clock = self.placed.clock;
        EffectEmitter {
            emitter,
            drive: EmitterDrive { clock, follows },
        }
    }
}

fn once(count: u32) -> Emission {
    Emission::Bursts(vec![GroupOfParticles {
        at_secs: 0.0,
        count,
    }])
}

/// A share to a power; the power 0 is the end at once.
fn powered(share: f32, exponent: f32) -> f32 {
    if exponent == 1.0 {
        share
    } else {
        share.powf(exponent)
    }
}

impl From<Channel> for SpreadChannel {
    /// Without a spread.
    fn from(channel: Channel) -> Self {
        Self {
            low: channel.low,
            high: channel.high,
            jitter: [0.0; 3],
            exponent: channel.exponent,
        }
    }
}

/// A straight way. Where its axes have different exponents, that of the longest one holds for all.
fn travel(position: &SpreadChannel) -> Motion {
    let SpreadChannel {
        low,
        high,
        jitter,
        exponent,
    } = position;
    let way = zip(high, low, |high, low| high - low);
    let reach = zip(&way, jitter, |way, jitter| way.abs() + jitter.abs());
    let longest = reach.iter().zip(exponent).max_by(|a, b| a.0.total_cmp(b.0));
    Motion::Eased {
        travel: way,
        jitter: jitter.map(|width| 0.5 * width.abs()),
        ease: longest.map_or(1.0, |(_, exponent)| *exponent),
    }
}

/// Width and height: what the channel has to the side and up.
fn size(size: &SpreadChannel) -> Curve<2> {
    let [_, low_side, low_up] = size.low;
    let [_, high_side, high_up] = size.high;
    let [_, side, up] = size.exponent;
    let ends = [[low_side, low_up], [high_side, high_up]];
    if side == up {
        return Curve {
            ease: side,
            ..Curve::line(ends[0], ends[1])
        };
    }
    let at = |age: f32| {
        let [low, high] = ends;
        let [side, up] = [powered(age, side), powered(age, up)];
        [
            low[0] + (high[0] - low[0]) * side,
            low[1] + (high[1] - low[1]) * up,
        ]
    };
    sampled(N_KEYS, at)
}

/// What particles differ in size by, as a share of their size at the end.
fn size_spread(size: &SpreadChannel) -> f32 {
    let [_, jitter, _] = size.jitter;
    let [_, high, _] = size.high;
    if jitter == 0.0 || high == 0.0 {
        return 0.0;
    }
    (0.5 * jitter / high).abs().min(1.0)
}

fn sampled<const N: usize>(n_keys: u16, at: impl Fn(f32) -> [f32; N]) -> Curve<N> {
    let keys = (0..=n_keys).map(|key| {
        let age = f32::from(key) / f32::from(n_keys);
        CurveKey {
            age,
            value: at(age),
        }
    });
    Curve {
        keys: keys.collect(),
        ease: 1.0,
    }
}

/// The colors of the looks, with the fade as their alpha.
fn colors(looks: &[Look], fade: &Ramp) -> Curve<4> {
    let color = |step: usize| looks.get(step).map_or([1.0; 3], |look| look.color);
    let with_alpha = |[r, g, b]: [f32; 3], alpha| [r, g, b, alpha];
    let first = color(0);
    if looks.iter().all(|look| look.color == first) {
        let ends = [fade.low, fade.high].map(|alpha| with_alpha(first, alpha));
        return Curve {
            ease: fade.exponent,
            ..Curve::line(ends[0], ends[1])
        };
    }
    let last = looks.len().saturating_sub(1);
    sampled(super::looks::N_STEPS, |age| {
        let step = (age * looks.len() as f32) as usize;
        let alpha = fade.low + (fade.high - fade.low) * powered(age, fade.exponent);
        with_alpha(color(step.min(last)), alpha)
    })
}

fn frames(looks: &[Look]) -> Vec<ironlands_scene::SpriteFrame> {
    looks.iter().map(|look| look.frame).collect()
}

fn softened(emitter: Emitter) -> Emitter {
    let largest = [0.0, 0.5, 1.0].map(|age| {
        let [width, _] = emitter.size.at(age);
        width.abs()
    });
    Emitter {
        softness: SOFTNESS * largest.into_iter().fold(0.0, f32::max),
        ..emitter
    }
}

/// The same place and turn, with axes of unit length; axes without a length stay so.
fn unstretched(anchor: &Anchor) -> Anchor {
    let unit = |place: &Affine| {
        let [x, y, z] = place.0;
        let length = |axis: usize| {
            let part = |row: [f32; 4]| row.get(axis).copied().unwrap_or(0.0);
            let length = [x, y, z].map(|row| part(row) * part(row));
            let length = length.iter().sum::<f32>().sqrt();
            if length > 0.0 { length } else { 1.0 }
        };
        let lengths = [length(0), length(1), length(2)];
        let [a, b, c] = lengths;
        place.times(&stretched([1.0 / a, 1.0 / b, 1.0 / c]))
    };
    match anchor {
        Anchor::Place(place) => Anchor::Place(unit(place)),
        Anchor::Node {
            instance,
            node,
            node_from_emitter,
        } => Anchor::Node {
            instance: *instance,
            node: *node,
            node_from_emitter: unit(node_from_emitter),
        },
        Anchor::Eye { .. } => anchor.clone(),
    }
}

fn zip(a: &[f32; 3], b: &[f32; 3], of: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (*a, *b);
    [of(ax, bx), of(ay, by), of(az, bz)]
}
