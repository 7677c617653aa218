//! From display-space values to linear light, for numbers that are the same for all pixels.

/// As in `shared/light_curve.wgsl`.
pub(crate) fn linear_from_display(display: f32) -> f32 {
    if display <= 0.04045 {
        display / 12.92
    } else {
        ((display + 0.055) / 1.055).powf(2.4)
    }
}
