//! Sub-lump `sprp`: models that never move. Dossier section 9.2.

use std::borrow::Cow;
use std::fmt;

use super::layout::{Parts, PropLayout};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};
use ironlands_assets_core::record::{Field, Record};
use ironlands_assets_core::report::Report;

const FORMAT: &str = StaticProps::NAME;

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

/// What determines the layout of static props, with the size of their records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PropVersions {
    /// That of the sub-lump, 4 to 13.
    pub sub_lump: u16,
    /// That of the map.
    pub map: u32,
}

impl Default for PropVersions {
    /// Those of the games that most maps are of.
    fn default() -> Self {
        Self {
            sub_lump: 10,
            map: 20,
        }
    }
}

/// One static prop.
#[derive(Debug, Clone, PartialEq, Record)]
#[record(layout = PropLayout)]
pub struct StaticProp {
    /// Place.
    #[field("prop origin")]
    pub origin: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    #[field("prop angles")]
    pub angles: [f32; 3],
    /// Model.
    #[field("prop model")]
    pub model: u16,
    /// First of its leaves.
    #[field("prop first leaf")]
    pub first_leaf: u16,
    /// Leaves from `first_leaf` on.
    #[field("prop leaf count")]
    pub n_leaves: u16,
    /// 0 not, 2 as a box, 6 by its collision model.
    #[field("prop solid")]
    pub solid: u8,
    /// Byte 31: the flags in all layouts but `Sdk2013*`, where it is a leftover. See [`StaticProp::flags`].
    #[field("prop flags")]
    pub byte_1f: u8,
    /// Skin of the model, from 0.
    #[field("prop skin")]
    pub skin: i32,
    /// Distances at which it begins to fade and is gone; 0 = never.
    #[field("prop fade distances")]
    pub fade_distances: [f32; 2],
    /// Where its light is sampled, if the flags say so.
    #[field("prop lighting origin")]
    pub lighting_origin: [f32; 3],
    /// Scale of fading.
    #[field("prop forced fade scale", default = 1.0, if = layout.has(Parts::FADE_SCALE))]
    pub forced_fade_scale: f32,
    /// Smallest and largest DirectX level, 0 = any.
    #[field("prop dx levels", if = layout.has(Parts::DX_LEVELS))]
    pub dx_levels: [u16; 2],
    /// Flags of the `Sdk2013*` layouts.
    #[field("prop flags", if = layout.has(Parts::SDK2013))]
    pub sdk2013_flags: u32,
    /// Luxels of its lightmap along x and y.
    #[field("prop lightmap size", if = layout.has(Parts::SDK2013))]
    pub lightmap_size: [u16; 2],
    /// Smallest and largest processor level, then graphics level, 0 = any.
    #[field("prop cpu and gpu levels", if = layout.has(Parts::CPU_GPU_LEVELS))]
    pub cpu_gpu_levels: [u8; 4],
    /// Red, green, blue, alpha.
    #[field("prop diffuse", default = [255; 4], if = layout.has(Parts::TINT))]
    pub diffuse: [u8; 4],
    /// Not shown on one console. Only the first byte counts.
    #[field("prop disable x360", if = layout.has(Parts::X360))]
    pub disable_x360: u32,
    /// More flags.
    #[field("prop extended flags", if = layout.has(Parts::FLAGS_EX))]
    pub flags_ex: u32,
    /// Scale along its axes; all three are one number before version 13.
    #[field("prop scale", sized)]
    pub scale: [f32; 3],
    /// Bytes of an unknown layout.
    #[field("prop tail", sized)]
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

impl Format for StaticProps {
    type Context = PropVersions;

    const NAME: &'static str = "sprp";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(write);

    fn contexts() -> Vec<PropVersions> {
        let versions = [
            (4, 17),
            (5, 19),
            (6, 20),
            (7, 19),
            (7, 20),
            (8, 20),
            (9, 21),
            (10, 20),
            (10, 21),
            (11, 20),
            (11, 21),
            (12, 25),
            (13, 25),
        ];
        let versions = versions.map(|(sub_lump, map)| PropVersions { sub_lump, map });
        versions.to_vec()
    }

    fn read(data: &[u8], versions: &PropVersions) -> Result<Self, FormatError> {
        Self::read(data, versions.sub_lump, versions.map)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("static props", self.props.len());
    }
}

impl StaticProps {
    /// Reads the decompressed content of the sub-lump.
    ///
    /// The size of the records and `version` determine their layout; `bsp_version`, that of the map, decides
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
                PropLayout::from_version(version, size, bsp_version)
            }
            Some(_) => {
                let found = format!("{n_props} props in {} bytes", r.remaining());
                return Err(at.unexpected("prop count", "records of one size", found));
            }
        };
        let props = (0..n_props)
            .map(|_| StaticProp::read_checked(&mut r, layout, models.len(), leaves.len()))
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
            Record::write(prop, &mut w, *layout)?;
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
        match layout.has(Parts::SDK2013) {
            true => self.sdk2013_flags,
            false => u32::from(self.byte_1f),
        }
    }

    /// Reads a prop, whose model and leaves must exist.
    fn read_checked(
        r: &mut Reader<'_>,
        layout: PropLayout,
        n_models: usize,
        n_leaves: usize,
    ) -> Result<Self, FormatError> {
        let at = r.clone();
        let prop: Self = Record::read(r, layout)?;
        let leaves_left = n_leaves.saturating_sub(usize::from(prop.first_leaf));
        let n_leaves_limit = leaves_left.saturating_add(1);
        for (field, value, limit) in [
            ("prop model", prop.model, n_models),
            ("prop leaf count", prop.n_leaves, n_leaves_limit),
        ] {
            if usize::from(value) >= limit {
                let places = <Self as Record>::fields(layout);
                let place = places.iter().find(|place| place.name == field);
                let offset = place.map_or(0, |place| place.offset);
                let at = at.sub(field, at.position().saturating_add(offset), 2)?;
                return Err(at.unexpected(field, format!("less than {limit}"), value));
            }
        }
        Ok(prop)
    }
}

/// All three scales, or one for all.
impl Field<PropLayout> for [f32; 3] {
    fn size(layout: PropLayout) -> usize {
        match (layout.has(Parts::SCALE_XYZ), layout.has(Parts::SCALE)) {
            (true, _) => 12,
            (false, true) => 4,
            (false, false) => 0,
        }
    }

    fn read(
        r: &mut Reader<'_>,
        name: &'static str,
        layout: PropLayout,
    ) -> Result<Self, FormatError> {
        match <Self as Field<PropLayout>>::size(layout) {
            12 => r.f32x3(name),
            4 => Ok([r.f32(name)?; 3]),
            _ => Ok([1.0; 3]),
        }
    }

    fn write(
        &self,
        w: &mut Writer,
        _: &'static str,
        layout: PropLayout,
    ) -> Result<(), FormatError> {
        match <Self as Field<PropLayout>>::size(layout) {
            12 => w.f32x3(*self),
            4 => w.f32(self[0]),
            _ => {}
        }
        Ok(())
    }
}

/// What follows the first bytes in an unknown layout.
impl Field<PropLayout> for Vec<u8> {
    fn size(layout: PropLayout) -> usize {
        match layout {
            PropLayout::Unknown { record_size } => {
                record_size.saturating_sub(StaticProp::HEAD_SIZE)
            }
            _ => 0,
        }
    }

    fn read(
        r: &mut Reader<'_>,
        name: &'static str,
        layout: PropLayout,
    ) -> Result<Self, FormatError> {
        let bytes = r.bytes(name, <Self as Field<PropLayout>>::size(layout))?;
        Ok(bytes.to_vec())
    }

    fn write(
        &self,
        w: &mut Writer,
        name: &'static str,
        layout: PropLayout,
    ) -> Result<(), FormatError> {
        let len = <Self as Field<PropLayout>>::size(layout);
        if self.len() != len {
            return Err(w.too_large(name, self.len() as u64, len as u64));
        }
        w.bytes(self);
        Ok(())
    }
}
