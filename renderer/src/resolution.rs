//! At which part of its target's size a frame is drawn.

/// Part of a target's width and height, 0.5..=1: what is drawn smaller is enlarged to the target, and the user
/// interface is painted over it at full size.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ResolutionScale(f32);

impl ResolutionScale {
    /// Half of the width and height.
    pub const LEAST: Self = Self(0.5);
    /// As large as the target.
    pub const FULL: Self = Self(1.0);

    /// `None` for what is not in 0.5..=1.
    pub fn new(share: f32) -> Option<Self> {
        let is_possible = (Self::LEAST.0..=Self::FULL.0).contains(&share);
        is_possible.then_some(Self(share))
    }

    /// 0.5..=1.
    pub fn share(self) -> f32 {
        self.0
    }

    /// Width and height of what is drawn for a target of this size in pixels.
    pub fn size_of(self, target: [u32; 2]) -> [u32; 2] {
        target.map(|side| ((side as f32 * self.0).round() as u32).max(1))
    }
}

impl Default for ResolutionScale {
    fn default() -> Self {
        Self::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_from_a_half_to_the_whole() {
        for (share, is_possible) in [
            (0.5, true),
            (0.61, true),
            (1.0, true),
            (0.49, false),
            (1.01, false),
            (f32::NAN, false),
        ] {
            assert_eq!(
                ResolutionScale::new(share).is_some(),
                is_possible,
                "{share}"
            );
        }
    }

    #[test]
    fn no_side_is_ever_without_a_pixel() {
        let half = ResolutionScale::LEAST;
        assert_eq!(half.size_of([1300, 761]), [650, 381]);
        assert_eq!(half.size_of([1, 2]), [1, 1]);
        assert_eq!(ResolutionScale::FULL.size_of([1301, 7]), [1301, 7]);
    }
}
