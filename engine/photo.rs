//! Photo mode: nothing over the picture, time stands still, and pictures of any size.

/// How pictures are taken from the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Photo {
    /// Whether nothing but the level is shown, and time stands still.
    pub is_on: bool,
    pub size: PhotoSize,
}

/// Sizes to choose from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PhotoSize {
    /// That of the window.
    #[default]
    Window,
    /// That of the window, this many times.
    Times(u32),
    /// Width and height in pixels.
    Pixels([u32; 2]),
}

impl PhotoSize {
    /// In the order of the panel.
    pub const ALL: [Self; 6] = [
        Self::Window,
        Self::Times(2),
        Self::Times(4),
        Self::Pixels([1920, 1080]),
        Self::Pixels([3840, 2160]),
        Self::Pixels([7680, 4320]),
    ];

    /// In a few words.
    pub fn label(self) -> String {
        match self {
            Self::Window => "as the window".to_owned(),
            Self::Times(times) => format!("window x {times}"),
            Self::Pixels([width, height]) => format!("{width} x {height}"),
        }
    }

    /// Width and height in pixels, with a window of this size.
    pub fn pixels(self, window: [u32; 2]) -> [u32; 2] {
        match self {
            Self::Window => window,
            Self::Times(times) => window.map(|side| side.saturating_mul(times)),
            Self::Pixels(size) => size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_their_labels() {
        let sizes = PhotoSize::ALL.map(|size| (size.label(), size.pixels([800, 600])));
        let [window, twice, _, full_hd, ..] = sizes;
        assert_eq!(window, ("as the window".to_owned(), [800, 600]));
        assert_eq!(twice, ("window x 2".to_owned(), [1600, 1200]));
        assert_eq!(full_hd, ("1920 x 1080".to_owned(), [1920, 1080]));
    }
}
