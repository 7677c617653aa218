//! Places along a Hilbert curve: what lies next to each other on the curve lies next to each other in space.

/// Bits a coordinate in the plane.
pub(super) const PLANE_BITS: u32 = 12;
/// Bits a coordinate in space.
pub(super) const SPACE_BITS: u32 = 12;

/// Place of a point of the plane, coordinates of [`PLANE_BITS`] bits.
///
/// The curve fills a square by its four quarters, each filled by a copy of the curve that is turned or mirrored. So
/// two bits of the place come from one bit of each coordinate and from how this quarter is turned. Three bits of each
/// are taken at once: each step waits for the one before.
pub(super) fn place_in_plane([x, y]: [u32; 2]) -> u32 {
    let (mut place, mut turn) = (0, 0_usize);
    for shift in (0..PLANE_BITS).step_by(3).rev() {
        let part = (x >> shift & 7) << 3 | (y >> shift & 7);
        let step = TRIPLE_STEPS[turn << 6 | part as usize];
        place = place << 6 | u32::from(step & 63);
        turn = usize::from(step >> 6);
    }
    place
}

/// Three steps of the curve: for each turn, and three bits of x above three bits of y, six bits of the place, and the
/// turn within that part above them.
const TRIPLE_STEPS: [u8; 256] = {
    let mut triple = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut place, mut turn) = (0, i >> 6);
        let mut bit = 3;
        while bit > 0 {
            bit -= 1;
            let step = STEPS[turn << 2 | (i >> (3 + bit) & 1) << 1 | i >> bit & 1];
            place = place << 2 | step & 3;
            turn = (step >> 2) as usize;
        }
        triple[i] = (turn as u8) << 6 | place;
        i += 1;
    }
    triple
};

/// For each of the four rotations, and each quarter (x bit, y bit): two bits of the place, and the turn of
/// the curve within that quarter above them. Turns: 0 starts along y, 1 along x; 2 and 3 are these by half a turn.
const STEPS: [u8; 16] = {
    let mut steps = [0; 16];
    // Quarters in the order of the curve, as x bit and y bit, and the turn within each.
    let curves: [[(u8, u8); 4]; 4] = [
        [(0b00, 1), (0b01, 0), (0b11, 0), (0b10, 3)],
        [(0b00, 0), (0b10, 1), (0b11, 1), (0b01, 2)],
        [(0b11, 3), (0b10, 2), (0b00, 2), (0b01, 1)],
        [(0b11, 2), (0b01, 3), (0b00, 3), (0b10, 0)],
    ];
    let mut turn = 0;
    while turn < 4 {
        let mut place = 0;
        while place < 4 {
            let (quarter, next) = curves[turn][place];
            steps[turn << 2 | quarter as usize] = next << 2 | place as u8;
            place += 1;
        }
        turn += 1;
    }
    steps
};

/// Place of a point of space on a Z-order curve, coordinates of [`SPACE_BITS`] bits.
pub(super) fn place_in_space(point: [u32; 3]) -> u64 {
    // Spreads the bits of a coordinate, two zeros between each two.
    let spread = |v: u32| {
        let v = u64::from(v);
        let v = (v | v << 16) & 0x0000_0000_FF00_00FF;
        let v = (v | v << 8) & 0x0000_00F0_0F00_F00F;
        let v = (v | v << 4) & 0x0000_0C30_C30C_30C3;
        (v | v << 2) & 0x0000_2492_4924_9249
    };
    spread(point[0]) << 2 | spread(point[1]) << 1 | spread(point[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_on_the_curve_are_neighbors_in_the_plane() {
        const SIDE: u32 = 64;
        let unit = 1 << (PLANE_BITS - SIDE.ilog2());
        let cells = (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| [x, y]));
        let mut way: Vec<_> = cells
            .map(|[x, y]| (place_in_plane([x * unit, y * unit]), [x, y]))
            .collect();
        way.sort_unstable();
        assert_eq!(way[0].1, [0, 0]);
        for pair in way.windows(2) {
            let ([a, b], [c, d]) = (pair[0].1, pair[1].1);
            assert_eq!(a.abs_diff(c) + b.abs_diff(d), 1, "{pair:?}");
        }
    }

    #[test]
    fn bits_of_space_alternate() {
        assert_eq!(place_in_space([1, 0, 0]), 0b100);
        assert_eq!(place_in_space([0, 0, 0x800]), 1 << 33);
        assert_eq!(place_in_space([0xFFF; 3]), (1 << 36) - 1);
        assert_eq!(place_in_space([0b11, 0, 0b10]), 0b10_1100);
        for v in 0..1 << SPACE_BITS {
            let spread =
                (0..SPACE_BITS).fold(0, |place, bit| place | u64::from(v >> bit & 1) << (3 * bit));
            assert_eq!(place_in_space([v, 0, v]), spread << 2 | spread, "{v:#x}");
        }
    }
}
