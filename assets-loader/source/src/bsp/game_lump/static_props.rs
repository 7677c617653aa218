//! Sub-lump `sprp`: models that never move. Dossier section 9.2.

use std::borrow::Cow;
use std::fmt;

use super::layout::{Parts, PropLayout};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

const FORMAT: &str = "sprp";

/// All static props of a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StaticProps {
    /// Version of the sub-lump, 4 to 13.
    pub version: u16,
    /// What a record holds beyond its first 56 bytes.
    pub layout: PropLayout,
    /// Paths of models.
    pub models: Vec<ModelName>,
    /// Leaves that props are seen from.
    pub leaves: Vec<u32>,
    /// The props.
    pub props: Vec<StaticProp>,
}

/// One static prop.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticProp {
    /// Place.
    pub origin: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    pub angles: [f32; 3],
    /// Model.
    pub model: u16,
    /// First of its leaves.
    pub first_leaf: u16,
    /// Number of its leaves.
    pub n_leaves: u16,
    /// 0 not, 2 as a box, 6 by its collision model.
    pub solid: u8,
    /// Byte 31: the flags in all layouts but `Sdk2013*`, where it is a leftover. See [`StaticProp::flags`].
    pub byte_1f: u8,
    /// Skin.
    pub skin: i32,
    /// Distances at which it begins to fade and is gone; 0 = never.
    pub fade_distances: [f32; 2],
    /// Where its light is sampled, if the flags say so.
    pub lighting_origin: [f32; 3],
    /// Scale of fading.
    pub forced_fade_scale: f32,
    /// Smallest and largest DirectX level, 0 = any.
    pub dx_levels: [u16; 2],
    /// Smallest and largest processor level, then graphics level, 0 = any.
    pub cpu_gpu_levels: [u8; 4],
    /// Red, green, blue, alpha.
    pub diffuse: [u8; 4],
    /// Not shown on one console. Only the first byte counts.
    pub disable_x360: u32,
    /// Flags of the `Sdk2013*` layouts.
    pub sdk2013_flags: u32,
    /// Luxels of its lightmap along x and y.
    pub lightmap_size: [u16; 2],
    /// More flags.
    pub flags_ex: u32,
    /// Scale along its axes; all three are one number before version 13.
    pub scale: [f32; 3],
    /// Bytes of an unknown layout.
    pub unknown_38: Vec<u8>,
}

/// A path of a model: 128 bytes of which the text ends at the first NUL.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModelName(pub [u8; 128]);

impl ModelName {
    /// Bytes of the field.
    pub(super) const SIZE: usize = 128;

    /// The field for a path; `None` if it is longer than 127 bytes or has a NUL.
    pub fn new(path: &str) -> Option<Self> {
        let bytes = path.as_bytes();
        let mut field = [0; Self::SIZE];
        if bytes.contains(&0) || bytes.len() >= Self::SIZE {
            return None;
        }
        field.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(Self(field))
    }

    /// The path, as written.
    pub fn path(&self) -> Cow<'_, str> {
        let text = self.0.split(|byte| *byte == 0).next();
        String::from_utf8_lossy(text.unwrap_or_default())
    }

    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.array("model name").map(Self)
    }
}

impl fmt::Debug for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.path())
    }
}

impl StaticProps {
    /// Reads the decompressed content of the sub-lump.
    ///
    /// The size of the records tells their layout together with `version`; `bsp_version`, that of the map, decides
    /// where both do not. Props of an unknown layout keep the bytes that are not understood.
    pub fn read(data: &[u8], version: u16, bsp_version: u32) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let models = (0..r.count("model count", ModelName::SIZE)?)
            .map(|_| ModelName::read(&mut r))
            .collect::<Result<Vec<_>, _>>()?;
        let leaves = match has_wide_leaves(version) {
            false => (0..r.count("leaf count", 2)?)
                .map(|_| r.u16("leaf").map(u32::from))
                .collect::<Result<Vec<_>, _>>()?,
            true => (0..r.count("leaf count", 4)?)
                .map(|_| r.u32("leaf"))
                .collect::<Result<Vec<_>, _>>()?,
        };
        let at = r.clone();
        let n_props = r.count("prop count", StaticProp::HEAD_SIZE)?;
        let layout = match r.remaining().checked_div(n_props) {
            None => PropLayout::usual(version, bsp_version),
            Some(size) if size.checked_mul(n_props) == Some(r.remaining()) => {
                PropLayout::of(version, size, bsp_version)
            }
            Some(_) => {
                let found = format!("{n_props} props in {} bytes", r.remaining());
                return Err(at.unexpected("prop count", "records of one size", found));
            }
        };
        let props = (0..n_props)
            .map(|_| StaticProp::read(&mut r, layout, models.len(), leaves.len()))
            .collect::<Result<_, _>>()?;
        r.finish("after the last prop")?;
        Ok(Self {
            version,
            layout,
            models,
            leaves,
            props,
        })
    }

    /// The content of the sub-lump.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            version,
            layout,
            models,
            leaves,
            props,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count("model count", models.len())?;
        for model in models {
            w.bytes(&model.0);
        }
        w.count("leaf count", leaves.len())?;
        for leaf in leaves {
            match (has_wide_leaves(*version), u16::try_from(*leaf)) {
                (true, _) => w.u32(*leaf),
                (false, Ok(leaf)) => w.u16(leaf),
                (false, Err(_)) => {
                    return Err(w.too_large("leaf", u64::from(*leaf), u64::from(u16::MAX)));
                }
            }
        }
        w.count("prop count", props.len())?;
        for prop in props {
            prop.write(&mut w, *layout)?;
        }
        Ok(w.finish())
    }

    /// The leaves that a prop is seen from; fewer than it names where the list ends before.
    pub fn leaves_of(&self, prop: &StaticProp) -> &[u32] {
        let first = usize::from(prop.first_leaf);
        let leaves = self.leaves.get(first..).unwrap_or_default();
        leaves.get(..usize::from(prop.n_leaves)).unwrap_or(leaves)
    }
}

/// From version 12 on leaves are numbered with four bytes.
fn has_wide_leaves(version: u16) -> bool {
    version >= 12
}

impl Default for StaticProp {
    /// A prop at the origin, of its model's own size, that is solid by its collision model and never fades.
    fn default() -> Self {
        Self {
            origin: [0.0; 3],
            angles: [0.0; 3],
            model: 0,
            first_leaf: 0,
            n_leaves: 0,
            solid: 6,
            byte_1f: 0,
            skin: 0,
            fade_distances: [0.0; 2],
            lighting_origin: [0.0; 3],
            forced_fade_scale: 1.0,
            dx_levels: [0; 2],
            cpu_gpu_levels: [0; 4],
            diffuse: [255; 4],
            disable_x360: 0,
            sdk2013_flags: 0,
            lightmap_size: [0; 2],
            flags_ex: 0,
            scale: [1.0; 3],
            unknown_38: Vec::new(),
        }
    }
}

impl StaticProp {
    /// Bytes that all layouts begin with.
    const HEAD_SIZE: usize = 56;

    /// Flags, wherever the layout keeps them: 0x1 fades, 0x2 uses `lighting_origin`, 0x4 not drawn, 0x8 ignores
    /// normals, 0x10 no shadow, 0x20 fades by its size on the screen, 0x40 no light per vertex, 0x80 no shadow on
    /// itself, 0x100 no light per texel.
    pub fn flags(&self, layout: PropLayout) -> u32 {
        match layout.parts().contains(Parts::SDK2013) {
            true => self.sdk2013_flags,
            false => u32::from(self.byte_1f),
        }
    }

    fn read(
        r: &mut Reader<'_>,
        layout: PropLayout,
        n_models: usize,
        n_leaves: usize,
    ) -> Result<Self, FormatError> {
        let mut prop = Self {
            origin: r.f32x3("prop origin")?,
            angles: r.f32x3("prop angles")?,
            model: below(r, "prop model", n_models)?,
            first_leaf: r.u16("prop first leaf")?,
            ..Self::default()
        };
        let leaves_left = n_leaves.saturating_sub(usize::from(prop.first_leaf));
        prop.n_leaves = below(r, "prop leaf count", leaves_left.saturating_add(1))?;
        prop.solid = r.u8("prop solid")?;
        prop.byte_1f = r.u8("prop flags")?;
        prop.skin = r.i32("prop skin")?;
        prop.fade_distances = [r.f32("prop fade min")?, r.f32("prop fade max")?];
        prop.lighting_origin = r.f32x3("prop lighting origin")?;
        prop.read_tail(r, layout)?;
        Ok(prop)
    }

    fn read_tail(&mut self, r: &mut Reader<'_>, layout: PropLayout) -> Result<(), FormatError> {
        let parts = layout.parts();
        if parts.contains(Parts::FADE_SCALE) {
            self.forced_fade_scale = r.f32("prop forced fade scale")?;
        }
        if parts.contains(Parts::DX_LEVELS) {
            self.dx_levels = [r.u16("prop min dx level")?, r.u16("prop max dx level")?];
        }
        if parts.contains(Parts::SDK2013) {
            self.sdk2013_flags = r.u32("prop flags")?;
            self.lightmap_size = [r.u16("prop lightmap x")?, r.u16("prop lightmap y")?];
        }
        if parts.contains(Parts::CPU_GPU_LEVELS) {
            self.cpu_gpu_levels = r.array("prop cpu and gpu levels")?;
        }
        if parts.contains(Parts::TINT) {
            self.diffuse = r.array("prop diffuse")?;
        }
        if parts.contains(Parts::X360) {
            self.disable_x360 = r.u32("prop disable x360")?;
        }
        if parts.contains(Parts::FLAGS_EX) {
            self.flags_ex = r.u32("prop extended flags")?;
        }
        if parts.contains(Parts::SCALE) {
            self.scale = [r.f32("prop scale")?; 3];
        }
        if parts.contains(Parts::SCALE_XYZ) {
            self.scale = r.f32x3("prop scale")?;
        }
        if let PropLayout::Unknown { record_size } = layout {
            let len = record_size.saturating_sub(Self::HEAD_SIZE);
            self.unknown_38 = r.bytes("prop tail", len)?.to_vec();
        }
        Ok(())
    }

    fn write(&self, w: &mut Writer, layout: PropLayout) -> Result<(), FormatError> {
        let Self {
            origin,
            angles,
            model,
            first_leaf,
            n_leaves,
            solid,
            byte_1f,
            skin,
            fade_distances: [fade_min, fade_max],
            lighting_origin,
            forced_fade_scale,
            dx_levels,
            cpu_gpu_levels,
            diffuse,
            disable_x360,
            sdk2013_flags,
            lightmap_size,
            flags_ex,
            scale,
            unknown_38,
        } = self;
        w.f32x3(*origin);
        w.f32x3(*angles);
        w.u16(*model);
        w.u16(*first_leaf);
        w.u16(*n_leaves);
        w.u8(*solid);
        w.u8(*byte_1f);
        w.i32(*skin);
        w.f32(*fade_min);
        w.f32(*fade_max);
        w.f32x3(*lighting_origin);
        let parts = layout.parts();
        if parts.contains(Parts::FADE_SCALE) {
            w.f32(*forced_fade_scale);
        }
        if parts.contains(Parts::DX_LEVELS) {
            for level in dx_levels {
                w.u16(*level);
            }
        }
        if parts.contains(Parts::SDK2013) {
            w.u32(*sdk2013_flags);
            for luxels in lightmap_size {
                w.u16(*luxels);
            }
        }
        if parts.contains(Parts::CPU_GPU_LEVELS) {
            w.bytes(cpu_gpu_levels);
        }
        if parts.contains(Parts::TINT) {
            w.bytes(diffuse);
        }
        if parts.contains(Parts::X360) {
            w.u32(*disable_x360);
        }
        if parts.contains(Parts::FLAGS_EX) {
            w.u32(*flags_ex);
        }
        if parts.contains(Parts::SCALE) {
            w.f32(scale[0]);
        }
        if parts.contains(Parts::SCALE_XYZ) {
            w.f32x3(*scale);
        }
        let tail_len = match layout {
            PropLayout::Unknown { record_size } => record_size.saturating_sub(Self::HEAD_SIZE),
            _ => 0,
        };
        if unknown_38.len() != tail_len {
            let (len, limit) = (unknown_38.len() as u64, tail_len as u64);
            return Err(w.too_large("prop tail", len, limit));
        }
        w.bytes(unknown_38);
        Ok(())
    }
}

/// Takes a `u16` that must be less than `limit`.
fn below(r: &mut Reader<'_>, field: &'static str, limit: usize) -> Result<u16, FormatError> {
    let at = r.clone();
    let value = r.u16(field)?;
    if usize::from(value) < limit {
        return Ok(value);
    }
    Err(at.unexpected(field, format!("less than {limit}"), value))
}
