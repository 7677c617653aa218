//! Which fields a static prop has, by the version of the sub-lump and the size of its records. Dossier section 9.2.

use bitflags::bitflags;

use super::static_props::StaticProp;
use ironlands_assets_core::record::Record;

/// What a record holds beyond its first 56 bytes; several versions share a layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PropLayout {
    /// Nothing: version 4.
    #[default]
    V4,
    /// Scale of fading: version 5.
    V5,
    /// And DirectX levels: version 6.
    V6,
    /// And a tint: version 7 of 68 bytes.
    V7Tint,
    /// V6, flags and the size of a lightmap: versions 7 and 10 of 72 bytes.
    Sdk2013,
    /// And a tint: version 11 of 76 bytes.
    Sdk2013Tint,
    /// And more flags: version 11 of 80 bytes in maps of version 20.
    Sdk2013More,
    /// V5, processor levels and a tint: version 8.
    V8,
    /// And a console switch: version 9.
    V9,
    /// And more flags: version 10 of 76 bytes.
    V10,
    /// And a scale: version 11 of 80 bytes from maps of version 21 on, and version 12.
    V11,
    /// V10 and a scale for each axis: version 13.
    V13,
    /// Nothing known; records are this long.
    Unknown {
        /// Bytes per record, at least 56.
        record_size: usize,
    },
}

bitflags! {
    /// What follows the first 56 bytes of a record, in the order in which it follows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Parts: u16 {
        /// Scale of fading.
        const FADE_SCALE = 0x1;
        /// DirectX levels.
        const DX_LEVELS = 0x2;
        /// Flags and the size of a lightmap.
        const SDK2013 = 0x4;
        /// Processor levels.
        const CPU_GPU_LEVELS = 0x8;
        /// A color.
        const TINT = 0x10;
        /// A console switch.
        const X360 = 0x20;
        /// More flags.
        const FLAGS_EX = 0x40;
        /// One scale.
        const SCALE = 0x80;
        /// Three scales.
        const SCALE_XYZ = 0x100;
    }
}

impl PropLayout {
    /// All layouts of a known size.
    const KNOWN: [Self; 12] = [
        Self::V4,
        Self::V5,
        Self::V6,
        Self::V7Tint,
        Self::Sdk2013,
        Self::Sdk2013Tint,
        Self::Sdk2013More,
        Self::V8,
        Self::V9,
        Self::V10,
        Self::V11,
        Self::V13,
    ];

    /// The layout of records of this size; `bsp_version` decides between two of 80 bytes.
    pub(super) fn from_version(version: u16, record_size: usize, bsp_version: u32) -> Self {
        let fits = |layout: &Self| {
            let is_of_branch = !matches!(layout, Self::Sdk2013More) || bsp_version < 21;
            layout.versions().contains(&version) && layout.size() == record_size && is_of_branch
        };
        let layout = Self::KNOWN.into_iter().find(fits);
        layout.unwrap_or(Self::Unknown { record_size })
    }

    /// The layout that props of this version have in most maps of that version.
    pub fn usual(version: u16, bsp_version: u32) -> Self {
        match version {
            ..=4 => Self::V4,
            5 => Self::V5,
            6 => Self::V6,
            7 if bsp_version < 20 => Self::V7Tint,
            7 => Self::Sdk2013,
            8 => Self::V8,
            9 => Self::V9,
            10 if bsp_version < 21 => Self::Sdk2013,
            10 => Self::V10,
            11 if bsp_version < 21 => Self::Sdk2013Tint,
            11 | 12 => Self::V11,
            13.. => Self::V13,
        }
    }

    /// Versions of the sub-lump that have been seen with the layout.
    fn versions(self) -> &'static [u16] {
        match self {
            Self::V4 => &[4],
            Self::V5 => &[5],
            Self::V6 => &[6],
            Self::V7Tint => &[7],
            Self::Sdk2013 => &[7, 10],
            Self::V8 => &[8],
            Self::V9 => &[9],
            Self::V10 => &[10],
            Self::Sdk2013Tint | Self::Sdk2013More | Self::V11 => &[11, 12],
            Self::V13 => &[13],
            Self::Unknown { .. } => &[],
        }
    }

    /// Whether records have this after their first 56 bytes.
    pub(super) fn has(self, part: Parts) -> bool {
        self.parts().contains(part)
    }

    fn parts(self) -> Parts {
        let v6 = Parts::FADE_SCALE | Parts::DX_LEVELS;
        let v8 = Parts::FADE_SCALE | Parts::CPU_GPU_LEVELS | Parts::TINT;
        let v10 = v8 | Parts::X360 | Parts::FLAGS_EX;
        match self {
            Self::V4 | Self::Unknown { .. } => Parts::empty(),
            Self::V5 => Parts::FADE_SCALE,
            Self::V6 => v6,
            Self::V7Tint => v6 | Parts::TINT,
            Self::Sdk2013 => v6 | Parts::SDK2013,
            Self::Sdk2013Tint => v6 | Parts::SDK2013 | Parts::TINT,
            Self::Sdk2013More => v6 | Parts::SDK2013 | Parts::TINT | Parts::FLAGS_EX,
            Self::V8 => v8,
            Self::V9 => v8 | Parts::X360,
            Self::V10 => v10,
            Self::V11 => v10 | Parts::SCALE,
            Self::V13 => v10 | Parts::SCALE_XYZ,
        }
    }

    /// Bytes of a record.
    pub fn size(self) -> usize {
        <StaticProp as Record>::size(self)
    }
}
