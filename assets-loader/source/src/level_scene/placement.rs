//! Places and angles of entities. Dossier section 13.

use ironlands_scene::{Aabb, Affine};

use super::FORMAT;
use crate::bsp::MAX_COORDINATE;
use ironlands_assets_core::bytes::{Finding, Severity};

/// World from model: moved, and turned by pitch (down), yaw and roll in degrees. What is not finite is 0, and no
/// scale.
#[expect(clippy::indexing_slicing, reason = "three axes")]
pub fn world_from_model(origin: [f32; 3], angles: [f32; 3], scale: [f32; 3]) -> Affine {
    let finite = |value: f32, otherwise: f32| if value.is_finite() { value } else { otherwise };
    let [pitch, yaw, roll] = angles.map(|angle| finite(angle, 0.0).to_radians().sin_cos());
    let ((sp, cp), (sy, cy), (sr, cr)) = (pitch, yaw, roll);
    let forward = [cp * cy, cp * sy, -sp];
    let left = [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp];
    let up = [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp];
    let [x, y, z] = scale.map(|factor| finite(factor, 1.0));
    let row = |axis: usize| {
        let place = finite(origin[axis], 0.0);
        [forward[axis] * x, left[axis] * y, up[axis] * z, place]
    };
    Affine([row(0), row(1), row(2)])
}

/// What is said of something whose place or scale no scene can hold.
pub fn out_of_map(name: &str) -> Finding {
    let message = format!(
        "{name} stands beyond {MAX_COORDINATE} units, or is scaled by as much; it is left out"
    );
    Finding::new(Severity::Warning, FORMAT, message)
}

/// The smallest box around a box that was moved.
#[expect(clippy::indexing_slicing, reason = "three axes")]
pub fn moved_box(world_from_model: &Affine, bounds: &Aabb) -> Aabb {
    let corners: [[f32; 3]; 8] = std::array::from_fn(|corner| {
        let pick = |axis: usize| match corner >> axis & 1 {
            0 => bounds.min[axis],
            _ => bounds.max[axis],
        };
        world_from_model.transform_point([pick(0), pick(1), pick(2)])
    });
    Aabb::around(&corners).unwrap_or(*bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns one after the other, as section 10.5 has them: yaw about z, pitch about y, roll about x.
    fn turned(angles: [f32; 3], point: [f32; 3]) -> [f32; 3] {
        let [pitch, yaw, roll] = angles.map(|angle| f64::from(angle).to_radians());
        let [x, y, z] = point.map(f64::from);
        let (y, z) = (
            y * roll.cos() - z * roll.sin(),
            y * roll.sin() + z * roll.cos(),
        );
        let (x, z) = (
            x * pitch.cos() + z * pitch.sin(),
            z * pitch.cos() - x * pitch.sin(),
        );
        let (x, y) = (x * yaw.cos() - y * yaw.sin(), x * yaw.sin() + y * yaw.cos());
        [x as f32, y as f32, z as f32]
    }

    #[test]
    fn angles_turn_about_x_then_y_then_z() {
        for angles in [
            [0.0, 90.0, 0.0],
            [30.0, 0.0, 0.0],
            [0.0, 0.0, 45.0],
            [-20.0, 130.0, 75.0],
        ] {
            let place = world_from_model([5.0, 6.0, 7.0], angles, [1.0; 3]);
            for point in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, -2.0, 4.0]] {
                let moved = place.transform_point(point);
                let expected = turned(angles, point);
                for axis in 0..3 {
                    let expected = expected[axis] + [5.0, 6.0, 7.0][axis];
                    assert!(
                        (moved[axis] - expected).abs() < 1e-5,
                        "{angles:?} {point:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn positive_pitch_looks_down() {
        let place = world_from_model([0.0; 3], [90.0, 0.0, 0.0], [1.0; 3]);
        let [_, _, z] = place.transform_point([1.0, 0.0, 0.0]);
        assert!((z + 1.0).abs() < 1e-6);
    }
}
