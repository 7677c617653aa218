//! Where an object stands, as a matrix (dossier section 10.2).

use ironlands_scene::Affine;

use crate::mission::Object;

/// `T(position) * Rz * Ry * Rx * S(scale)`, for column vectors.
///
/// Computed in `f64` and rounded once. Not finite if a number of the object is not, or if they are too large.
pub fn world_from_object(object: &Object) -> Affine {
    let [x, y, z] = object.orientation.map(f64::from);
    let ((sx, cx), (sy, cy), (sz, cz)) = (x.sin_cos(), y.sin_cos(), z.sin_cos());
    let rotation = [
        [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
        [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
        [-sy, cy * sx, cy * cx],
    ];
    let [scale_x, scale_y, scale_z] = object.scale.map(f64::from);
    let row = |[a, b, c]: [f64; 3], position: f32| {
        let [a, b, c] = [a * scale_x, b * scale_y, c * scale_z].map(|value| value as f32);
        [a, b, c, position]
    };
    let ([first, second, third], [x, y, z]) = (rotation, object.position);
    Affine([row(first, x), row(second, y), row(third, z)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(orientation: [f32; 3], scale: [f32; 3]) -> Object {
        Object {
            position: [10.0, 20.0, 30.0],
            orientation,
            scale,
            ..Object::default()
        }
    }

    #[test]
    fn a_turn_about_z_is_that_of_the_live_game() {
        let Affine([row_x, row_y, row_z]) =
            world_from_object(&object([0.0, 0.0, 1.626_236_3], [1.0; 3]));
        // The dossier's two numbers from live memory, to its five digits.
        assert!((row_x[1] - -0.998_46).abs() < 5e-6, "{row_x:?}");
        assert!((row_x[0] - -0.055_41).abs() < 5e-6, "{row_x:?}");
        assert_eq!((row_y[0], row_y[1]), (-row_x[1], row_x[0]));
        assert_eq!(row_z, [0.0, 0.0, 1.0, 30.0]);
        assert_eq!([row_x[3], row_y[3]], [10.0, 20.0]);
    }

    /// One step at a time: scale, turn about x, about y, about z, move.
    fn slowly(object: &Object, point: [f32; 3]) -> [f64; 3] {
        let [x, y, z] = point.map(f64::from);
        let [kx, ky, kz] = object.scale.map(f64::from);
        let [ox, oy, oz] = object.orientation.map(f64::from);
        let turn =
            |a: f64, b: f64, by: f64| (a * by.cos() - b * by.sin(), a * by.sin() + b * by.cos());
        let (x, y, z) = (x * kx, y * ky, z * kz);
        let (y, z) = turn(y, z, ox);
        let (z, x) = turn(z, x, oy);
        let (x, y) = turn(x, y, oz);
        let [px, py, pz] = object.position.map(f64::from);
        [x + px, y + py, z + pz]
    }

    #[test]
    fn scale_turns_and_move_act_in_this_order() {
        let orientations = [[0.3, -0.7, 2.1], [1.5, 0.0, 0.0], [0.0, 3.0, -0.2]];
        for orientation in orientations {
            let object = object(orientation, [2.0, 0.5, 3.0]);
            for point in [
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
                [3.0, -4.0, 5.0],
            ] {
                let moved = world_from_object(&object).transform_point(point);
                for (fast, slow) in moved.into_iter().zip(slowly(&object, point)) {
                    assert!((f64::from(fast) - slow).abs() < 1e-5, "{orientation:?}");
                }
            }
        }
    }
}
