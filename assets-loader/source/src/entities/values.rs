//! What values of entities stand for (dossier sections 8.1 and 8.3).

use std::borrow::Cow;

use super::Entity;

/// Stands between the parts of an output, in newer maps; older ones have commas.
const ESCAPE: u8 = 0x1B;
/// Gamma of colors that are written as 0 to 255.
const GAMMA: f32 = 2.2;
/// Distance in units at which a point light is as bright as its value says.
const LIGHT_DISTANCE: f32 = 100.0;

/// What an entity does when something happens to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output<'a> {
    /// What happens, as in `OnTrigger`.
    pub event: Cow<'a, str>,
    /// Name or class of the target.
    pub target: Cow<'a, str>,
    /// The input that it receives.
    pub input: Cow<'a, str>,
    /// With what.
    pub parameter: Cow<'a, str>,
    /// Seconds until then, as stored.
    pub delay: Cow<'a, str>,
    /// How often, as stored; -1 = always.
    pub times_to_fire: Cow<'a, str>,
}

/// Value of `_light` and its kin (section 8.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightValue {
    /// Red, green, blue, 0 to 255.
    pub color: [f32; 3],
    /// Brightness; 255 = 1.
    pub brightness: f32,
}

impl LightValue {
    /// Linear intensity, as the compiler stores it for sun and sky.
    pub fn intensity(self) -> [f32; 3] {
        let brightness = self.brightness / 255.0;
        self.color.map(|c| (c / 255.0).powf(GAMMA) * brightness)
    }

    /// Linear intensity as the compiler stores it for points and spots, of the given constant, linear and quadratic
    /// attenuation.
    pub fn point_intensity(self, [constant, linear, quadratic]: [f32; 3]) -> [f32; 3] {
        let scale =
            constant + LIGHT_DISTANCE * linear + LIGHT_DISTANCE * LIGHT_DISTANCE * quadratic;
        self.intensity().map(|component| component * scale)
    }
}

impl Entity {
    /// `classname`; empty if there is none.
    pub fn class(&self) -> Cow<'_, str> {
        self.get("classname").unwrap_or_default()
    }

    /// `targetname`.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        self.get("targetname")
    }

    /// `origin` in file axes.
    pub fn origin(&self) -> Option<[f32; 3]> {
        self.vec3("origin")
    }

    /// `angles`: pitch, yaw, roll in degrees (section 13).
    pub fn angles(&self) -> Option<[f32; 3]> {
        self.vec3("angles")
    }

    /// `hammerid`: number of the entity in the editor.
    pub fn hammer_id(&self) -> Option<u32> {
        self.get("hammerid")?.trim().parse().ok()
    }

    /// `model` = `*k`: the brush model.
    pub fn brush_model(&self) -> Option<usize> {
        self.get("model")?.strip_prefix('*')?.parse().ok()
    }

    /// A finite number.
    pub fn number(&self, key: &str) -> Option<f32> {
        self.numbers(key)?.first().copied()
    }

    /// A whole number, as of flags.
    pub fn integer(&self, key: &str) -> Option<i32> {
        self.get(key)?.trim().parse().ok()
    }

    /// Three numbers: a place, angles, or a color from 0 to 255.
    pub fn vec3(&self, key: &str) -> Option<[f32; 3]> {
        match *self.numbers(key)? {
            [x, y, z] => Some([x, y, z]),
            _ => None,
        }
    }

    /// A color, with or without brightness: `r g b` or `r g b brightness`.
    pub fn light(&self, key: &str) -> Option<LightValue> {
        let (color, brightness) = match *self.numbers(key)? {
            [r, g, b] => ([r, g, b], 255.0),
            [r, g, b, brightness, ..] => ([r, g, b], brightness),
            _ => return None,
        };
        Some(LightValue { color, brightness })
    }

    /// Unit direction in which the light of a `light_environment` or `light_spot` travels (section 8.3).
    ///
    /// `None` if it has neither `angles` nor `pitch`.
    pub fn light_direction(&self) -> Option<[f32; 3]> {
        let angles = self.angles();
        let pitch = self.number("pitch");
        if angles.is_none() && pitch.is_none() {
            return None;
        }
        let [angles_pitch, yaw, _] = angles.unwrap_or_default();
        let pitch = pitch.filter(|p| *p != 0.0).unwrap_or(angles_pitch);
        let (pitch_sin, pitch_cos) = pitch.to_radians().sin_cos();
        let (yaw_sin, yaw_cos) = yaw.to_radians().sin_cos();
        Some([pitch_cos * yaw_cos, pitch_cos * yaw_sin, pitch_sin])
    }

    /// All values that have the form of outputs, in file order.
    pub fn outputs(&self) -> Vec<Output<'_>> {
        self.pairs
            .iter()
            .filter_map(|(key, value)| Output::read(key, value))
            .collect()
    }

    /// Numbers between spaces; `None` if something else stands there.
    fn numbers(&self, key: &str) -> Option<Vec<f32>> {
        self.get(key)?
            .split_ascii_whitespace()
            .map(|word| word.parse().ok().filter(|number: &f32| number.is_finite()))
            .collect()
    }
}

impl<'a> Output<'a> {
    /// Five parts: between escapes if there is one, else between commas, of which the parameter may have more.
    fn read(event: &'a [u8], value: &'a [u8]) -> Option<Self> {
        let text = String::from_utf8_lossy;
        let [target, input, parameter, delay, times_to_fire] = if value.contains(&ESCAPE) {
            let parts: Vec<_> = value.split(|byte| *byte == ESCAPE).collect();
            <[&[u8]; 5]>::try_from(parts).ok()?
        } else {
            let is_comma = |byte: &u8| *byte == b',';
            let mut front = value.splitn(3, is_comma);
            let (target, input, rest) = (front.next()?, front.next()?, front.next()?);
            let mut back = rest.rsplitn(3, is_comma);
            let (times_to_fire, delay) = (back.next()?, back.next()?);
            [target, input, back.next()?, delay, times_to_fire]
        };
        let is_output = text(delay).trim().parse::<f32>().is_ok()
            && text(times_to_fire).trim().parse::<i32>().is_ok();
        is_output.then(|| Self {
            event: text(event),
            target: text(target),
            input: text(input),
            parameter: text(parameter),
            delay: text(delay),
            times_to_fire: text(times_to_fire),
        })
    }
}
