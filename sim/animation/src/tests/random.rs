//! Random numbers and rotations from a seed.

use crate::blend::dot;

/// xorshift64*.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// `0.0..1.0`, 24 bits.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / (1 << 24) as f32
    }

    /// A rotation as keys store it: about unit length, 16 bits a component.
    pub(crate) fn rotation(&mut self) -> [f32; 4] {
        let raw: [f32; 4] = std::array::from_fn(|_| self.unit() - 0.5);
        let length = dot(raw, raw).sqrt().max(1e-3);
        raw.map(|v| (v / length * 32767.0).round() * (1.0 / 32767.0))
    }
}
