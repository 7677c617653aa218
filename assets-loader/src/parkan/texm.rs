//! Texm: textures with mips, palette and page rectangles (dossier section 9.1).

/// A texture as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texm {
    /// Width of level 0 in pixels.
    pub width: u32,
    /// Height of level 0 in pixels.
    pub height: u32,
    /// 0 or 32; kept.
    pub flags4: u32,
    /// Mip-skip bits; kept.
    pub flags5: u32,
    /// Unknown; kept.
    pub unknown_18: u32,
    /// Pixel format.
    pub format: TexmFormat,
    /// 256 entries of B, G, R, x; only with [`TexmFormat::Indexed8`].
    pub palette: Option<Box<[[u8; 4]; 256]>>,
    /// Stored bytes of each level, largest first, no row padding.
    pub mips: Vec<Vec<u8>>,
    /// Rectangles of the `Page` block, if there is one.
    pub page: Option<Vec<PageRect>>,
}

/// Pixel formats by the number in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TexmFormat {
    /// 0: one byte, index into the palette.
    Indexed8,
    /// 565: red 5, green 6, blue 5.
    Rgb565,
    /// 556: red 5, green 5, blue 6.
    Rgb556,
    /// 4444: alpha, red, green, blue from the top.
    Argb4444,
    /// 88: luminance and alpha.
    LuminanceAlpha88,
    /// 888: bytes B, G, R, x.
    Rgb888,
    /// 8888: bytes B, G, R, A.
    Argb8888,
}

/// A rectangle in pixels of level 0. Stored in this order: x, w, y, h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a rectangle")]
pub struct PageRect {
    pub x: i16,
    pub w: i16,
    pub y: i16,
    pub h: i16,
}
