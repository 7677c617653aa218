//! Choices that last as long as a renderer.

use crate::RenderError;

/// Quality settings; a change of them makes a new [`crate::Renderer`] and a new upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderSettings {
    msaa_samples: u32,
    anisotropy: u16,
    tile_budget_bytes: u64,
}

/// Room for a few hundred tiles: several times what a view over a continent shows at once.
const TILE_BUDGET_BYTES: u64 = 256 << 20;

impl RenderSettings {
    /// `msaa_samples` per pixel: 1 (off) or 4. `anisotropy`: texture samples along a slanted surface, 1..=16;
    /// an adapter takes fewer where [`crate::GpuCaps::max_anisotropy`] says so.
    ///
    /// # Errors
    /// [`RenderError::Setting`] for any other number.
    pub fn new(msaa_samples: u32, anisotropy: u16) -> Result<Self, RenderError> {
        if !matches!(msaa_samples, 1 | 4) {
            return Err(RenderError::Setting {
                setting: "multisampling",
                value: msaa_samples,
                rule: "1 or 4 samples per pixel",
            });
        }
        if !(1..=16).contains(&anisotropy) {
            return Err(RenderError::Setting {
                setting: "anisotropy",
                value: anisotropy.into(),
                rule: "1 to 16",
            });
        }
        Ok(Self {
            msaa_samples,
            anisotropy,
            tile_budget_bytes: TILE_BUDGET_BYTES,
        })
    }

    /// The same with another limit for the tiles of a scene on the device, in bytes; at least 1 MiB, which is about
    /// what a picture of the coarsest kind takes.
    ///
    /// # Errors
    /// [`RenderError::Setting`] for less.
    pub fn with_tile_budget(self, bytes: u64) -> Result<Self, RenderError> {
        if bytes < 1 << 20 {
            return Err(RenderError::Setting {
                setting: "memory for land",
                value: bytes as u32,
                rule: "at least 1 MiB",
            });
        }
        Ok(Self {
            tile_budget_bytes: bytes,
            ..self
        })
    }

    /// Most bytes that the tiles of a scene take on the device.
    pub fn tile_budget_bytes(&self) -> u64 {
        self.tile_budget_bytes
    }

    /// Samples per pixel: 1 or 4.
    pub fn msaa_samples(&self) -> u32 {
        self.msaa_samples
    }

    /// Texture samples along a slanted surface, 1..=16.
    pub fn anisotropy(&self) -> u16 {
        self.anisotropy
    }
}

impl Default for RenderSettings {
    /// Four samples per pixel, anisotropy 16.
    fn default() -> Self {
        Self {
            msaa_samples: 4,
            anisotropy: 16,
            tile_budget_bytes: TILE_BUDGET_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_possible_settings_are_taken() {
        for (msaa_samples, anisotropy, possible) in [
            (1, 1, true),
            (4, 16, true),
            (2, 1, false),
            (0, 1, false),
            (4, 0, false),
            (4, 17, false),
        ] {
            let settings = RenderSettings::new(msaa_samples, anisotropy);
            assert_eq!(settings.is_ok(), possible, "{msaa_samples} {anisotropy}");
        }
    }
}
