//! Packed normals and texture coordinates (dossier sections 4.4 and 7.5).
//!
//! Rounding is half away from zero; what does not fit is clamped; NaN packs to 0.

/// Unpacks a vertex normal: `n / 127`, clamped to `-1..=1` because -128 exists. The fourth byte is not part of it.
pub fn unpack_normal(packed: [i8; 4]) -> [f32; 3] {
    let [x, y, z, _] = packed;
    [x, y, z].map(|n| (f32::from(n) / 127.0).clamp(-1.0, 1.0))
}

/// Packs a vertex normal. `w` is the fourth byte, whose meaning is unknown: keep that of the edited vertex.
pub fn pack_normal(normal: [f32; 3], w: i8) -> [i8; 4] {
    let [x, y, z] = normal.map(|v| (v * 127.0).round().clamp(-128.0, 127.0) as i8);
    [x, y, z, w]
}

/// Unpacks a texture coordinate: `c / 1024`, so -32 up to just below 32; v = 0 is the first row of the texture.
pub fn unpack_uv(packed: [i16; 2]) -> [f32; 2] {
    packed.map(|c| f32::from(c) / 1024.0)
}

/// Packs a texture coordinate.
pub fn pack_uv(uv: [f32; 2]) -> [i16; 2] {
    uv.map(|c| (c * 1024.0).round().clamp(-32768.0, 32767.0) as i16)
}

/// Unpacks a face normal: `n / 32767`, clamped to `-1..=1`. The scale is inferred from the models' Res7.
pub fn unpack_face_normal(packed: [i16; 3]) -> [f32; 3] {
    packed.map(|n| (f32::from(n) / 32767.0).clamp(-1.0, 1.0))
}

/// Packs a face normal.
pub fn pack_face_normal(normal: [f32; 3]) -> [i16; 3] {
    normal.map(|v| (v * 32767.0).round().clamp(-32768.0, 32767.0) as i16)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn normals_divide_by_127_and_clamp() {
        assert_eq!(unpack_normal([127, -127, -128, 55]), [1.0, -1.0, -1.0]);
        assert_eq!(
            unpack_normal([0, 1, -1, 0]),
            [0.0, 1.0 / 127.0, -1.0 / 127.0]
        );
        assert_eq!(pack_normal([1.0, -1.0, 0.5], 7), [127, -127, 64, 7]);
        assert_eq!(pack_normal([-0.5, 2.0, -2.0], 0), [-64, 127, -128, 0]);
        assert_eq!(pack_normal([f32::NAN, 0.0, 0.0], 0), [0; 4]);
    }

    #[test]
    fn texture_coordinates_divide_by_1024() {
        assert_eq!(unpack_uv([1024, -512]), [1.0, -0.5]);
        assert_eq!(unpack_uv([32767, -32768]), [31.999_023_f32, -32.0]);
        assert_eq!(pack_uv([0.5 / 1024.0, -0.5 / 1024.0]), [1, -1]);
        assert_eq!(pack_uv([40.0, f32::NEG_INFINITY]), [32767, -32768]);
    }

    #[test]
    fn face_normals_divide_by_32767_and_clamp() {
        assert_eq!(unpack_face_normal([32767, -32768, 0]), [1.0, -1.0, 0.0]);
        assert_eq!(pack_face_normal([1.0, -1.0, 0.25]), [32767, -32767, 8192]);
    }

    proptest! {
        #[test]
        fn unpacking_and_packing_gives_the_same_bytes(normal: [i8; 4], uv: [i16; 2], face: [i16; 3]) {
            let least = |n: i8| n.max(-127);
            let [x, y, z, w] = normal;
            prop_assert_eq!(pack_normal(unpack_normal(normal), w), [least(x), least(y), least(z), w]);
            prop_assert_eq!(pack_uv(unpack_uv(uv)), uv);
            prop_assert_eq!(pack_face_normal(unpack_face_normal(face)), face.map(|n| n.max(-32767)));
        }
    }
}
