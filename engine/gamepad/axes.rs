//! From what an axis reports to how far it is pushed.

use glam::Vec2;

/// What is left of a stick outside of its dead zone, in both directions at once, so that a diagonal has no corner: small
/// movements are finer than large ones, and a stick at its edge is at full speed. Length 0..1.
pub fn shaped(stick: Vec2, dead_zone: f32) -> Vec2 {
    let length = stick.length();
    if !length.is_finite() || length <= dead_zone {
        return Vec2::ZERO;
    }
    let pushed = ((length - dead_zone) / (1.0 - dead_zone)).min(1.0);
    stick / length * (pushed * pushed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_zone_is_a_circle_and_the_edge_is_full_speed() {
        for degrees in (0..360_u16).step_by(15) {
            let direction = Vec2::from_angle(f32::from(degrees).to_radians());
            assert_eq!(shaped(direction * 0.19, 0.2), Vec2::ZERO);
            let edge = shaped(direction, 0.2);
            assert!(edge.abs_diff_eq(direction, 1e-6), "{degrees}: {edge}");
            // A square stick reports more than 1 in its corners.
            assert!((shaped(direction * 1.4, 0.2).length() - 1.0).abs() < 1e-6);
            // Half of the way behind the dead zone is a quarter of the speed.
            let half = shaped(direction * 0.6, 0.2);
            assert!(
                half.abs_diff_eq(direction * 0.25, 1e-6),
                "{degrees}: {half}"
            );
        }
        assert_eq!(shaped(Vec2::NAN, 0.1), Vec2::ZERO);
        assert_eq!(shaped(Vec2::ZERO, 0.0), Vec2::ZERO);
    }
}
