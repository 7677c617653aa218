//! Which faces a query sees, by the mask words that they carry.

use ironlands_assets_loader::parkan::face_mask::{CompactFilter, FaceFilter};

/// Sees the faces that have every `required` bit and no `forbidden` bit. The default sees all.
///
/// What a bit means is the world's business. Parkan's two forms, full and compact, turn into this one.
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

impl From<FaceFilter> for MaskFilter {
    fn from(filter: FaceFilter) -> Self {
        let FaceFilter {
            required,
            forbidden,
        } = filter;
        Self {
            required,
            forbidden,
        }
    }
}

impl From<CompactFilter> for MaskFilter {
    fn from(filter: CompactFilter) -> Self {
        FaceFilter::from(filter).into()
    }
}
