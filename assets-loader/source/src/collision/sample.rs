//! A solid for tests.

/// Where the hull begins in narrow records, from the start of the surface.
pub const HULL: i32 = 48;

/// A tetrahedron with an edge of a meter along each axis, as narrow or wide records, with its points behind its
/// triangles and one node behind them.
pub fn tetrahedron(version: u16) -> Vec<u8> {
    let wide = version == super::WIDE;
    let hull = if wide { 64 } else { HULL };
    let (head_len, triangle_len) = if wide { (64, 64) } else { (16, 16) };
    let points_at = head_len + 4 * triangle_len;
    let root = hull + points_at + 4 * 16;
    let mut bytes = Vec::new();
    let mut word = |word: i32| bytes.extend(word.to_le_bytes());
    // Mass, inertia and radius are not used.
    (0..7).for_each(|_| word(0));
    if wide {
        [0, 0, root, 0].into_iter().for_each(&mut word);
        word(i32::from_le_bytes(*b"IVPS"));
        (0..4).for_each(|_| word(0));
    } else {
        [0, root, 0, 0].into_iter().for_each(&mut word);
        word(i32::from_le_bytes(*b"IVPS"));
    }
    [points_at, 0, 0x1504, 4].into_iter().for_each(&mut word);
    if wide {
        (0..12).for_each(|_| word(0));
    }
    for (number, corners) in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        .iter()
        .enumerate()
    {
        let number = number as i32;
        if wide {
            [number, 0, 5, 0].into_iter().for_each(&mut word);
        } else {
            word(number | 5 << 24);
        }
        for corner in corners {
            word(*corner);
            if wide {
                (0..3).for_each(|_| word(-7));
            }
        }
    }
    for [x, y, z] in [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0_f32],
    ] {
        [x, y, z, 9.0]
            .map(f32::to_bits)
            .into_iter()
            .for_each(|bits| word(bits as i32));
    }
    // The node: no children, its hull, a ball and a box.
    word(0);
    word(hull - root);
    (0..5).for_each(|_| word(0));
    let mut solid = super::MAGIC.to_vec();
    solid.extend(version.to_le_bytes());
    solid.extend(super::KIND_HULLS.to_le_bytes());
    solid.extend((bytes.len() as u32).to_le_bytes());
    solid.extend([0; 16]);
    solid.extend(bytes);
    solid
}
