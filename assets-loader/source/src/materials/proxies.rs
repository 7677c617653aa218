//! Proxies of materials: small programs that change parameters with time.
//!
//! In: the proxies of a material in their order, and a time. Out: its color, opacity and base transform then. What a proxy
//! leaves behind for the next frame is not kept, so that a moment looks the same whatever was shown before. Those of
//! entities and players stay at what the material says itself.

use std::collections::BTreeMap;

use crate::key_values::Entry;
use crate::vmt::{Look, Proxy, Transform, number_of};

/// How often a changing material is looked at, and for how long if it does not say after how long it repeats.
pub(super) const STEP_MS: u32 = 50;
const PERIOD_MS: u32 = 10_000;
const LONGEST_MS: u32 = 60_000;

/// A material at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MaterialState {
    /// `$color`.
    pub color: [f32; 3],
    /// `$color2`.
    pub color_2: [f32; 3],
    /// `$alpha`.
    pub alpha: f32,
    /// `$basetexturetransform`.
    pub transform: Transform,
}

/// The moments of a material, [`STEP_MS`] apart, until it repeats; `None` if it never changes.
pub(super) fn moments(look: &Look) -> Option<Vec<MaterialState>> {
    if !look.proxies.iter().any(is_run) {
        return None;
    }
    let n_steps = period_ms(look).div_ceil(STEP_MS).max(2);
    let at = |step: u32| moment(look, f64::from(step) * f64::from(STEP_MS) / 1000.0);
    let moments: Vec<_> = (0..n_steps).map(at).collect();
    let first = moments.first()?;
    moments.iter().any(|it| it != first).then_some(moments)
}

/// Whether this module knows a proxy; the rest is drawn otherwise, or not at all.
fn is_run(proxy: &Proxy) -> bool {
    !matches!(
        proxy,
        Proxy::AnimatedTexture { .. } | Proxy::TextureScroll { .. }
    )
}

/// After how long all that swings is where it began.
fn period_ms(look: &Look) -> u32 {
    let periods = look.proxies.iter().filter_map(|proxy| match proxy {
        // The cast saturates.
        Proxy::Sine { period_secs, .. } => Some((period_secs * 1000.0) as u32),
        _ => None,
    });
    let common = periods
        .filter(|it| *it > 0)
        .reduce(|a, b| least_common_multiple(a, b).unwrap_or(LONGEST_MS));
    common.unwrap_or(PERIOD_MS).clamp(STEP_MS, LONGEST_MS)
}

fn least_common_multiple(a: u32, b: u32) -> Option<u32> {
    let (mut x, mut y) = (a, b);
    while let Some(rest) = x.checked_rem(y) {
        (x, y) = (y, rest);
    }
    a.checked_div(x)?.checked_mul(b)
}

fn moment(look: &Look, time_secs: f64) -> MaterialState {
    let mut state = State {
        variables: look.variables.clone(),
        transforms: BTreeMap::new(),
        time_secs,
    };
    for (name, value) in [
        ("$color", look.color.to_vec()),
        ("$color2", look.color_2.to_vec()),
        ("$alpha", vec![look.blending.alpha]),
    ] {
        state.variables.insert(name.to_owned(), value);
    }
    for (number, proxy) in look.proxies.iter().enumerate() {
        // Noise of one proxy is not that of the next.
        state.run(proxy, number as u32);
    }
    let transform = state.transforms.get("$basetexturetransform");
    MaterialState {
        color: color(&state.get("$color")),
        color_2: color(&state.get("$color2")),
        alpha: first(&state.get("$alpha")).clamp(0.0, 1.0),
        transform: transform.copied().unwrap_or(look.base_transform),
    }
}

struct State {
    variables: BTreeMap<String, Vec<f32>>,
    transforms: BTreeMap<String, Transform>,
    time_secs: f64,
}

impl State {
    fn run(&mut self, proxy: &Proxy, number: u32) {
        match proxy {
            Proxy::AnimatedTexture { .. } | Proxy::TextureScroll { .. } => {}
            Proxy::Sine {
                result,
                min,
                max,
                period_secs,
                offset_secs,
            } => {
                let period = f64::from(*period_secs);
                let turns = (self.time_secs + f64::from(*offset_secs)) / period;
                let share = match turns.is_finite() {
                    true => ((turns * std::f64::consts::TAU).sin() * 0.5 + 0.5) as f32,
                    false => 0.5,
                };
                self.set(result, &[min + (max - min) * share]);
            }
            Proxy::Other(entry) => self.run_other(entry, number),
        }
    }

    fn run_other(&mut self, entry: &Entry, number: u32) {
        let text = |key: &str| entry.get(key).unwrap_or_default().to_ascii_lowercase();
        let source = |key: &str| self.get(&text(key));
        let or = |key: &str, default: f32| entry.get(key).map_or(default, |it| self.scalar(it));
        let [a, b] = ["srcvar1", "srcvar2"].map(source);
        let [low, high] = [or("minval", 0.0), or("maxval", 1.0)];
        let noise = |salt: u32| noise(self.time_secs, number, salt);
        let value = match entry.key.to_ascii_lowercase().as_str() {
            "add" => both(&a, &b, |a, b| a + b),
            "subtract" => both(&a, &b, |a, b| a - b),
            "multiply" => both(&a, &b, |a, b| a * b),
            "divide" => both(&a, &b, |a, b| if b == 0.0 { a } else { a / b }),
            "equals" => a,
            "abs" => each(&a, f32::abs),
            "frac" => each(&a, f32::fract),
            "int" => each(&a, f32::trunc),
            "clamp" => {
                let [low, high] = [or("min", 0.0), or("max", 1.0)];
                each(&a, |it| it.min(high.max(low)).max(low.min(high)))
            }
            "wrapminmax" => each(&a, |it| wrapped(it, low, high)),
            "selectfirstifnonzero" => match a.iter().any(|it| *it != 0.0) {
                true => a,
                false => b,
            },
            "lessorequal" => match first(&a) <= first(&b) {
                true => source("lessequalvar"),
                false => source("greatervar"),
            },
            "exponential" => {
                let [scale, offset] = [or("scale", 1.0), or("offset", 0.0)];
                let grown = |it: f32| scale * (it + offset).exp();
                each(&a, |it| grown(it).min(high.max(low)).max(low.min(high)))
            }
            "linearramp" => {
                let grown = f64::from(or("rate", 1.0)) * self.time_secs;
                vec![(f64::from(or("initialvalue", 0.0)) + grown) as f32]
            }
            "currenttime" => vec![self.time_secs as f32],
            "uniformnoise" => vec![low + (high - low) * noise(0)],
            "gaussiannoise" => {
                // The sum of twelve even numbers is nearly normal, with a deviation of 1.
                let sum: f32 = (0..12).map(noise).sum();
                let value = or("mean", 0.0) + or("halfwidth", 1.0) * (sum - 6.0);
                vec![value.min(high.max(low)).max(low.min(high))]
            }
            "intrandom" => vec![(low + (high - low + 1.0) * noise(0)).floor().min(high)],
            "texturetransform" | "matrixrotate" => {
                let transform = self.transform(entry);
                self.transforms.insert(text("resultvar"), transform);
                return;
            }
            _ => return,
        };
        self.set(&text("resultvar"), &value);
    }

    fn transform(&self, entry: &Entry) -> Transform {
        let pair = |key: &str, default: f32| match entry.get(key) {
            Some(name) => match *self.get(&name.to_ascii_lowercase()) {
                [u, v, ..] => [u, v],
                [both] => [both; 2],
                [] => [default; 2],
            },
            None => [default; 2],
        };
        let [rotate_deg, _] = pair("rotatevar", 0.0);
        Transform::new(
            pair("centervar", 0.5),
            pair("scalevar", 1.0),
            rotate_deg,
            pair("translatevar", 0.0),
        )
    }

    /// A number, or what a variable of that name holds.
    fn scalar(&self, text: &str) -> f32 {
        match text.trim_start().starts_with('$') {
            true => first(&self.get(&text.trim().to_ascii_lowercase())),
            false => number_of(text),
        }
    }

    /// All numbers of a variable, or of one of its places as in `$color[1]`; none of one that is not there.
    fn get(&self, name: &str) -> Vec<f32> {
        let (name, place) = place_of(name);
        let all = self.variables.get(name).cloned().unwrap_or_default();
        match place {
            Some(place) => all.get(place).copied().into_iter().collect(),
            None => all,
        }
    }

    fn set(&mut self, name: &str, value: &[f32]) {
        let is_sound = value.iter().all(|it| it.is_finite());
        let (name, place) = place_of(name);
        if !is_sound || value.is_empty() || name.is_empty() {
            return;
        }
        let known = self.variables.entry(name.to_owned()).or_default();
        match (place, value.first()) {
            (Some(place), Some(value)) => {
                if let Some(known) = known.get_mut(place) {
                    *known = *value;
                }
            }
            _ => *known = value.to_vec(),
        }
    }
}

/// The name and the place of `$name[place]`.
fn place_of(name: &str) -> (&str, Option<usize>) {
    let name = name.trim();
    let place = name
        .split_once('[')
        .map(|(name, place)| (name, place.trim_end_matches(']').trim().parse().ok()));
    place.unwrap_or((name, None))
}

fn first(numbers: &[f32]) -> f32 {
    numbers.first().copied().unwrap_or(0.0)
}

fn color(numbers: &[f32]) -> [f32; 3] {
    match numbers {
        [r, g, b, ..] => [*r, *g, *b],
        _ => [first(numbers); 3],
    }
}

fn each(numbers: &[f32], change: impl Fn(f32) -> f32) -> Vec<f32> {
    numbers.iter().map(|it| change(*it)).collect()
}

/// Place by place; a single number goes with each of several.
fn both(a: &[f32], b: &[f32], join: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    let at = |numbers: &[f32], place: usize| match numbers {
        [single] => *single,
        _ => numbers.get(place).copied().unwrap_or(0.0),
    };
    let places = 0..a.len().max(b.len());
    places.map(|it| join(at(a, it), at(b, it))).collect()
}

/// A number moved into a range by whole lengths of it.
fn wrapped(number: f32, low: f32, high: f32) -> f32 {
    match high > low {
        true => low + (number - low).rem_euclid(high - low),
        false => low,
    }
}

/// A number from 0 to 1 that another moment, proxy or salt makes another: the finalizer of `MurmurHash3`.
fn noise(time_secs: f64, number: u32, salt: u32) -> f32 {
    let step = (time_secs * 1000.0) as u32;
    let mut bits = step
        .wrapping_add(number.wrapping_mul(0x9E37_79B9))
        .wrapping_add(salt.wrapping_mul(0x85EB_CA77));
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x85EB_CA6B);
    bits ^= bits >> 13;
    bits = bits.wrapping_mul(0xC2B2_AE35);
    bits ^= bits >> 16;
    (f64::from(bits) / f64::from(u32::MAX)) as f32
}
