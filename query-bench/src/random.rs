//! SplitMix64: the same worlds and queries on every machine.

use glam::{Vec2, Vec3};

/// A generator of numbers; its whole state is the seed.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In `0.0..1.0`.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// In `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// In `0..n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// In `0..len`; `len` is above 0.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of the choices, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }

    /// In the box.
    pub fn vector(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|i| self.between(low[i], high[i])))
    }

    /// In the rectangle.
    pub fn point(&mut self, min: Vec2, max: Vec2) -> Vec2 {
        min + (max - min) * Vec2::new(self.unit(), self.unit())
    }

    /// Uniform on the unit circle.
    pub fn heading(&mut self) -> Vec2 {
        Vec2::from_angle(self.between(0.0, std::f32::consts::TAU))
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vec3 {
        let z = self.between(-1.0, 1.0);
        (self.heading() * (1.0 - z * z).sqrt()).extend(z)
    }
}
