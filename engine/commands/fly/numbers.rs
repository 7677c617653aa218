//! Numbers of the command line, and how far they may go.

use crate::day_clock::SPEEDS;
use crate::playback::RATES;
use crate::renderer::ResolutionScale;
use crate::settings::FRAME_BUDGETS_MS;

/// Pictures in a second of a recording.
const FPS: [f32; 2] = [0.1, 1000.0];

/// Pixels of a step of land.
pub fn parse_step_px(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|pixels| (0.25..=64.0).contains(pixels))
        .ok_or("write pixels from 0.25 to 64")
}

/// Milliseconds that a frame may take.
pub fn parse_frame_budget(text: &str) -> Result<f32, String> {
    let [least, most] = FRAME_BUDGETS_MS;
    text.parse()
        .ok()
        .filter(|ms| (least..=most).contains(ms))
        .ok_or_else(|| format!("write milliseconds from {least} to {most}"))
}

/// A part of the width and height.
pub fn parse_scale(text: &str) -> Result<ResolutionScale, &'static str> {
    let share = text.parse().ok();
    (share.and_then(ResolutionScale::new)).ok_or("write a share from 0.5 to 1, as in 0.75")
}

/// Seconds since the start.
pub fn parse_time(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|secs: &f32| secs.is_finite() && *secs >= 0.0)
        .ok_or("write seconds from 0 on, as in 2.5")
}

/// A field of view in degrees.
pub fn parse_fov(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|degrees| (10.0..=150.0).contains(degrees))
        .ok_or("write an angle of 10 to 150 degrees")
}

/// Frames per second.
pub fn parse_rate(text: &str) -> Result<f32, String> {
    let [slowest, fastest] = RATES;
    text.parse()
        .ok()
        .filter(|rate| (slowest..=fastest).contains(rate))
        .ok_or_else(|| format!("write frames per second from {slowest} to {fastest}"))
}

/// Pictures for a second of a recording.
pub fn parse_fps(text: &str) -> Result<f32, String> {
    let [fewest, most] = FPS;
    text.parse()
        .ok()
        .filter(|fps| (fewest..=most).contains(fps))
        .ok_or_else(|| format!("write pictures per second from {fewest} to {most}"))
}

/// Hours of a day in a second.
pub fn parse_day_speed(text: &str) -> Result<f32, String> {
    let [slowest, fastest] = SPEEDS;
    text.parse()
        .ok()
        .filter(|speed| (slowest..=fastest).contains(speed))
        .ok_or_else(|| format!("write hours per second from {slowest} to {fastest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_at_0() {
        assert_eq!(parse_time("0"), Ok(0.0));
        for wrong in ["-5", "nan", "inf", "soon"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn fields_of_view_have_bounds() {
        assert_eq!(parse_fov("90"), Ok(90.0));
        for wrong in ["9", "151", "NaN", "wide"] {
            assert!(parse_fov(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn budgets_and_scales_have_bounds() {
        assert_eq!(parse_frame_budget("16.7"), Ok(16.7));
        for wrong in ["0", "1001", "NaN", "16ms"] {
            assert!(parse_frame_budget(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_scale("0.5"), Ok(ResolutionScale::LEAST));
        for wrong in ["0.4", "1.5", "NaN", "half"] {
            assert!(parse_scale(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rates_have_bounds() {
        assert_eq!(parse_fps("29.97"), Ok(29.97));
        assert_eq!(parse_day_speed("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "1001", "NaN", "fast"] {
            assert!(parse_fps(wrong).is_err(), "{wrong}");
            assert!(parse_day_speed(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_rate("15"), Ok(15.0));
        for wrong in ["0", "-1", "121", "NaN", "fast"] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
    }
}
