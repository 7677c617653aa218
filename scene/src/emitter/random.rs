//! Numbers without a pattern that follow from a particle's number alone.

use glam::Vec3;

/// A sequence of numbers that its beginning decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Random(u32);

impl Random {
    /// The sequence of a particle, which two numbers name, of an emitter with this seed.
    pub fn new(seed: u32, id: [u32; 2]) -> Self {
        // So that seed 0 is no fixed point.
        let seed = scattered(seed ^ 0x9E37_79B9);
        Self(
            id.into_iter()
                .fold(seed, |state, part| scattered(state.wrapping_add(part))),
        )
    }

    /// The next 32 bits: PCG (O'Neill 2014), a linear congruential step whose output is permuted.
    pub fn bits(&mut self) -> u32 {
        let state = self.0;
        self.0 = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
        (word >> 22) ^ word
    }

    /// In `0.0..1.0`.
    pub fn unit(&mut self) -> f32 {
        unit_of(self.bits())
    }

    /// In `-1.0..1.0`.
    pub fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// Between two numbers.
    pub fn between(&mut self, [from, to]: [f32; 2]) -> f32 {
        from + (to - from) * self.unit()
    }

    /// A unit vector, all directions alike, whose angle to +z has a cosine from `least_cosine` up.
    pub fn direction(&mut self, least_cosine: f32) -> [f32; 3] {
        let z = self.between([least_cosine, 1.0]);
        let across = (1.0 - z * z).max(0.0).sqrt();
        let (sin, cos) = (self.unit() * std::f32::consts::TAU).sin_cos();
        [across * cos, across * sin, z]
    }
}

/// A number in `0.0..1.0` by all of its bits.
pub(super) fn unit_of(bits: u32) -> f32 {
    // As many bits as a float below 1 has.
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// Smooth noise between -1 and 1: values at the points of a lattice of side 1, and between them in between.
pub(super) fn noise(place: Vec3) -> f32 {
    let corner = place.floor();
    let within = place - corner;
    let [x, y, z] = (within * within * (3.0 - 2.0 * within)).to_array();
    // Saturates for what is no place.
    let [left, back, low] = corner.to_array().map(|it| it as i32 as u32);
    let value = |by_x: u32, by_y: u32, by_z: u32| {
        let column = scattered(left.wrapping_add(by_x)).wrapping_add(back.wrapping_add(by_y));
        let bits = scattered(scattered(column).wrapping_add(low.wrapping_add(by_z)));
        unit_of(bits) * 2.0 - 1.0
    };
    let along_x = |by_y, by_z| mix(value(0, by_y, by_z), value(1, by_y, by_z), x);
    let along_y = |by_z| mix(along_x(0, by_z), along_x(1, by_z), y);
    mix(along_y(0), along_y(1), z)
}

fn mix(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

/// Every bit of the input changes every bit of the output in about half of all cases (`lowbias32`, C. Wellons).
pub(super) fn scattered(mut bits: u32) -> u32 {
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x7FEB_352D);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x846C_A68B);
    bits ^ (bits >> 16)
}
