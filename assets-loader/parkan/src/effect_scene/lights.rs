//! Lights of effects (section 3.5, type 1).

use ironlands_scene::{Affine, Light as SceneLight, LightStyle, MAX_LIGHT_STYLES};

use super::{EffectClock, LoadedEffect};
use crate::fxid::{Emits, Light};

/// Kinds of lights that light the ground; all others light nothing that is drawn.
const LIGHTS_GROUND: [u32; 2] = [2, 5];
/// Least range.
const LEAST_RANGE: f32 = 0.01;
/// How often a second a light changes that follows a loop.
const STEPS_PER_SEC: f32 = 12.0;
/// Most steps of a loop.
const MAX_STEPS: f32 = 256.0;

/// Where an effect shines from.
pub(crate) struct Shining<'a> {
    pub(crate) effect: &'a LoadedEffect,
    pub(crate) world_from_effect: Affine,
    pub(crate) clock: EffectClock,
}

/// Lights of the scene for the effects of a level, and how they change with time. What plays once has the light that
/// it ends with.
pub(crate) fn lights(effects: &[Shining<'_>]) -> (Vec<SceneLight>, Vec<LightStyle>) {
    let mut lights = Vec::new();
    let mut styles = vec![LightStyle {
        factors: vec![1.0],
        factors_per_sec: 0.0,
    }];
    for Shining {
        effect,
        world_from_effect,
        clock,
    } in effects
    {
        let blocks = effect.fxid.blocks.iter();
        let of_effect = blocks.filter_map(|block| match &block.emits {
            Emits::Light(light) if LIGHTS_GROUND.contains(&light.kind) => Some(light),
            _ => None,
        });
        for light in of_effect {
            let made = scene_light(light, &effect.name, world_from_effect, clock, &mut styles);
            lights.extend(made.filter(is_possible));
        }
    }
    // The constant one alone says nothing.
    if styles.len() == 1 {
        styles.clear();
    }
    (lights, styles)
}

fn scene_light(
    light: &Light,
    name: &str,
    world_from_effect: &Affine,
    clock: &EffectClock,
    styles: &mut Vec<LightStyle>,
) -> Option<SceneLight> {
    let rest = clock.time(f64::from(clock.duration_secs()));
    let factor = |time: f32| progress(light.window, time).map_or(0.0, |at| strength(light, at));
    let loop_steps = (clock.is_loop())
        .then(|| (clock.duration_secs() * STEPS_PER_SEC).clamp(1.0, MAX_STEPS) as u16);
    let (at, style) = match loop_steps {
        None => (progress(light.window, rest)?, None),
        Some(n_steps) => {
            let time = |step: u16| (f32::from(step) + 0.5) / f32::from(n_steps);
            let factors: Vec<f32> = (0..n_steps)
                .map(|step| factor(clock.folded(time(step))))
                .collect();
            let style = LightStyle {
                factors_per_sec: f32::from(n_steps) / clock.duration_secs(),
                factors,
            };
            (0.5, style_of(style, styles))
        }
    };
    let strongest = [light.color[0], light.color[1]].map(|[r, g, b, _]| r.max(g).max(b));
    let full = strongest[0].max(strongest[1]);
    let color = mixed(light.color, at);
    let brightness = color[0].max(color[1]).max(color[2]);
    // A style counts in shares of the strongest light.
    let factor = if style.is_some() && brightness > 0.0 {
        full / brightness
    } else {
        1.0
    };
    let [r, g, b, _] = color;
    Some(SceneLight {
        name: name.to_owned(),
        position: world_from_effect.transform_point(mixed(light.position, at)),
        color: [r, g, b].map(|channel| (channel * factor).max(0.0)),
        range: (mix(light.range, at) * world_from_effect.max_scale()).max(LEAST_RANGE),
        style,
        ..SceneLight::default()
    })
}

/// The share of its strongest light at a progress.
fn strength(light: &Light, at: f32) -> f32 {
    let brightness = |[r, g, b, _]: [f32; 4]| r.max(g).max(b);
    let [from, to] = light.color;
    let full = brightness(from).max(brightness(to));
    let now = brightness(mixed(light.color, at));
    if full > 0.0 {
        (now / full).max(0.0)
    } else {
        0.0
    }
}

/// The index of a style among those of the scene; `None` if there is no room for it.
fn style_of(style: LightStyle, styles: &mut Vec<LightStyle>) -> Option<u16> {
    let known = styles.iter().position(|it| *it == style);
    let index = known.unwrap_or(styles.len());
    if known.is_none() {
        let is_finite = style.factors.iter().all(|it| it.is_finite());
        if styles.len() >= MAX_LIGHT_STYLES || !is_finite {
            return None;
        }
        styles.push(style);
    }
    u16::try_from(index).ok()
}

/// How far through its window a light is; `None` outside.
fn progress([low, high]: [f32; 2], time: f32) -> Option<f32> {
    if !(low <= time && time <= high) {
        return None;
    }
    Some(if high > low {
        (time - low) / (high - low)
    } else {
        0.0
    })
}

fn mix([from, to]: [f32; 2], share: f32) -> f32 {
    from + (to - from) * share
}

fn mixed<const N: usize>([from, to]: [[f32; N]; 2], share: f32) -> [f32; N] {
    let mut value = from;
    for (value, to) in value.iter_mut().zip(to) {
        *value = mix([*value, to], share);
    }
    value
}

fn is_possible(light: &SceneLight) -> bool {
    let numbers = [light.position, light.color];
    light.range.is_finite() && numbers.as_flattened().iter().all(|it| it.is_finite())
}
