//! Numbers of the command line, and how far they may go.

use crate::playback::RATES;

/// Any number.
pub fn parse_finite(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|number: &f32| number.is_finite())
        .ok_or("write a number as in 2.5")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite() {
        assert_eq!(parse_finite("-2.5"), Ok(-2.5));
        for wrong in ["nan", "inf", "1e99", "soon", ""] {
            assert!(parse_finite(wrong).is_err(), "{wrong}");
        }
    }

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
    fn rates_have_bounds() {
        assert_eq!(parse_rate("15"), Ok(15.0));
        for wrong in ["0", "-1", "121", "NaN", "fast"] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
    }
}
