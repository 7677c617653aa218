//! Samplers of animations: the value of a channel at any time.

use glam::{DQuat, DVec3};
use gltf_json::animation::{Interpolation, Sampler};
use gltf_json::validation::Checked;

use super::accessor::Elements;
use super::document::{Document, unexpected};
use super::transform::unit;
use crate::error::ImportError;
use crate::findings::Findings;

/// A time this near to a whole frame, in frames, is at it.
pub const NEAR: f64 = 0.01;

/// A sampler with what it samples.
pub struct Curve<'a, const N: usize> {
    /// Seconds, increasing.
    pub times: Elements<'a, 1>,
    /// One for each time; three for cubic splines.
    pub values: Elements<'a, N>,
    /// What lies between the times.
    pub interpolation: Interpolation,
    /// The channel, for errors.
    pub place: String,
}

impl<'a, const N: usize> Curve<'a, N> {
    /// Opens a sampler of one value for each time; curves and steps are findings.
    ///
    /// # Errors
    /// Times that do not increase from 0 on, or another number of values.
    pub fn open(
        document: &'a Document<'_>,
        sampler: &Sampler,
        place: &str,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let Checked::Valid(interpolation) = sampler.interpolation else {
            return Err(unexpected(place, "an interpolation of glTF 2.0", "another"));
        };
        let curve = Self {
            times: Elements::open(document, sampler.input, place)?,
            values: Elements::open(document, sampler.output, place)?,
            interpolation,
            place: place.to_owned(),
        };
        if interpolation != Interpolation::Linear {
            let message = format!("{interpolation:?} becomes straight lines between frames");
            findings.add(place, message);
        }
        let n_times = curve.times.len;
        let per_time = if interpolation == Interpolation::CubicSpline {
            3
        } else {
            1
        };
        let is_one_each = n_times.checked_mul(per_time) == Some(curve.values.len);
        if n_times == 0 || !is_one_each {
            let expected = format!("{per_time} values for each of one or more times");
            let found = format!("{} for {n_times}", curve.values.len);
            return Err(unexpected(place, &expected, found));
        }
        document.spend(n_times, place)?;
        let mut before = None;
        for index in 0..n_times {
            let [time] = curve.times.floats(index)?;
            if time < before.unwrap_or(0.0) || before == Some(time) {
                return Err(unexpected(place, "increasing times from 0 on", time));
            }
            before = Some(time);
        }
        Ok(curve)
    }

    /// The time before or at a moment, the one after it, and the part of the way between them. What is as near as `near`
    /// to a time is at it; both count in seconds.
    ///
    /// # Errors
    /// A time that cannot be read.
    pub fn segment(&self, seconds: f64, near: f64) -> Result<(usize, usize, f64), ImportError> {
        let time = |index: usize| self.times.floats(index).map(|[time]| f64::from(time));
        let (mut low, mut high) = (0, self.times.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            match time(middle)? <= seconds + near {
                true => low = middle.saturating_add(1),
                false => high = middle,
            }
        }
        let Some(from) = low.checked_sub(1) else {
            return Ok((0, 0, 0.0));
        };
        let start = time(from)?;
        if low >= self.times.len || (seconds - start).abs() <= near {
            return Ok((from, from, 0.0));
        }
        Ok((from, low, (seconds - start) / (time(low)? - start)))
    }

    /// The value of a time, without its tangents.
    fn value(&self, time: usize) -> Result<[f64; N], ImportError> {
        self.part(time, 1)
    }

    /// 0 the tangent before, 1 the value, 2 the tangent after.
    fn part(&self, time: usize, part: usize) -> Result<[f64; N], ImportError> {
        let element = match self.interpolation {
            Interpolation::CubicSpline => time.saturating_mul(3).saturating_add(part),
            Interpolation::Linear | Interpolation::Step => time,
        };
        Ok(self.values.floats(element)?.map(f64::from))
    }

    /// A cubic Hermite spline (glTF 2.0, appendix C).
    fn cubic(&self, from: usize, to: usize, a: f64) -> Result<[f64; N], ImportError> {
        let [start] = self.times.floats(from)?;
        let [end] = self.times.floats(to)?;
        let step = f64::from(end) - f64::from(start);
        let (p0, m0) = (self.value(from)?, self.part(from, 2)?);
        let (p1, m1) = (self.value(to)?, self.part(to, 0)?);
        let (a2, a3) = (a * a, a * a * a);
        let weights = [
            2.0 * a3 - 3.0 * a2 + 1.0,
            step * (a3 - 2.0 * a2 + a),
            3.0 * a2 - 2.0 * a3,
            step * (a3 - a2),
        ];
        let mut sum = [0.0; N];
        for (values, weight) in [p0, m0, p1, m1].iter().zip(weights) {
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum += value * weight;
            }
        }
        Ok(sum)
    }
}

impl Curve<'_, 3> {
    /// The value at a moment.
    ///
    /// # Errors
    /// A value that cannot be read.
    pub fn translation(&self, seconds: f64, near: f64) -> Result<DVec3, ImportError> {
        let (from, to, a) = self.segment(seconds, near)?;
        Ok(match self.interpolation {
            Interpolation::CubicSpline if from != to => self.cubic(from, to, a)?.into(),
            Interpolation::Linear => DVec3::from(self.value(from)?).lerp(self.value(to)?.into(), a),
            Interpolation::Step | Interpolation::CubicSpline => self.value(from)?.into(),
        })
    }
}

impl Curve<'_, 4> {
    /// The value at a moment, of length 1.
    ///
    /// # Errors
    /// A value that cannot be read, or is no rotation.
    pub fn rotation(&self, seconds: f64, near: f64) -> Result<DQuat, ImportError> {
        let (from, to, a) = self.segment(seconds, near)?;
        let rotation = |values| unit(values, &self.place);
        match self.interpolation {
            Interpolation::CubicSpline if from != to => rotation(self.cubic(from, to, a)?),
            Interpolation::Linear if from != to => {
                let (from, to) = (rotation(self.value(from)?)?, rotation(self.value(to)?)?);
                Ok(from.slerp(to, a))
            }
            _ => rotation(self.value(from)?),
        }
    }
}
