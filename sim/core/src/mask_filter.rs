//! Which faces a query sees, by the mask words that they carry.

/// Sees the faces that have every `required` bit and no `forbidden` bit. The default sees all.
///
/// What a bit means is the world's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MaskFilter {
    /// Bits that a face must have.
    pub required: u32,
    /// Bits that a face must not have.
    pub forbidden: u32,
}

impl MaskFilter {
    /// Sees every face.
    pub const ALL: Self = Self {
        required: 0,
        forbidden: 0,
    };

    /// Whether something with this mask is seen.
    #[inline]
    pub fn accepts(self, mask: u32) -> bool {
        mask & self.required == self.required && mask & self.forbidden == 0
    }
}
