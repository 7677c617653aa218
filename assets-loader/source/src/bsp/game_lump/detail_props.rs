//! Sub-lump `dprp`: grass and pebbles. Dossier section 9.3.

use super::ModelName;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

const FORMAT: &str = "dprp";

/// All detail props of a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DetailProps {
    /// Paths of models.
    pub models: Vec<ModelName>,
    /// Rectangles of the map's detail material.
    pub sprites: Vec<DetailSprite>,
    /// What stands where.
    pub objects: Vec<DetailObject>,
}

/// A rectangle of the detail material and the size that it is drawn at.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DetailSprite {
    /// Upper left corner in units.
    pub upper_left: [f32; 2],
    /// Lower right corner in units.
    pub lower_right: [f32; 2],
    /// Upper left corner, 0 to 1.
    pub upper_left_uv: [f32; 2],
    /// Lower right corner, 0 to 1.
    pub lower_right_uv: [f32; 2],
}

/// One detail prop.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DetailObject {
    /// Place.
    pub origin: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    pub angles: [f32; 3],
    /// Model or sprite.
    pub detail_model: u16,
    /// Leaf that it stands in.
    pub leaf: u16,
    /// Light: red, green, blue, and a signed exponent.
    pub lighting: [u8; 4],
    /// First of its styled lights in `dplt`.
    pub first_light_style: u32,
    /// Number of these.
    pub n_light_styles: u8,
    /// How much it sways.
    pub sway: u8,
    /// Angle of crossed and triangular shapes.
    pub shape_angle: u8,
    /// Size of crossed and triangular shapes.
    pub shape_size: u8,
    /// 0 as it stands, 1 facing the viewer, 2 facing the viewer upright.
    pub orientation: u8,
    /// Padding.
    pub unknown_29: [u8; 3],
    /// 0 model, 1 sprite, 2 cross, 3 triangle.
    pub kind: u8,
    /// Padding.
    pub unknown_2d: [u8; 3],
    /// Scale of sprites.
    pub scale: f32,
}

impl DetailProps {
    /// The only version that is known.
    pub const VERSION: u16 = 4;

    /// Reads the decompressed content of the sub-lump.
    pub fn read(data: &[u8], version: u16) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        if version != Self::VERSION {
            let what = format!("version {version} of detail props");
            return Err(r.error("version", FormatErrorKind::Unsupported { what }));
        }
        let models = (0..r.count("model count", ModelName::SIZE)?)
            .map(|_| ModelName::read(&mut r))
            .collect::<Result<_, _>>()?;
        let sprites = (0..r.count("sprite count", DetailSprite::SIZE)?)
            .map(|_| DetailSprite::read(&mut r))
            .collect::<Result<_, _>>()?;
        let objects = (0..r.count("object count", DetailObject::SIZE)?)
            .map(|_| DetailObject::read(&mut r))
            .collect::<Result<_, _>>()?;
        r.finish("after the last object")?;
        Ok(Self {
            models,
            sprites,
            objects,
        })
    }

    /// The content of the sub-lump.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            models,
            sprites,
            objects,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count("model count", models.len())?;
        for model in models {
            w.bytes(&model.0);
        }
        w.count("sprite count", sprites.len())?;
        for sprite in sprites {
            sprite.write(&mut w);
        }
        w.count("object count", objects.len())?;
        for object in objects {
            object.write(&mut w);
        }
        Ok(w.finish())
    }
}

impl DetailSprite {
    const SIZE: usize = 32;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let mut pair = |field| Ok([r.f32(field)?, r.f32(field)?]);
        Ok(Self {
            upper_left: pair("sprite upper left")?,
            lower_right: pair("sprite lower right")?,
            upper_left_uv: pair("sprite upper left uv")?,
            lower_right_uv: pair("sprite lower right uv")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            upper_left,
            lower_right,
            upper_left_uv,
            lower_right_uv,
        } = self;
        for [x, y] in [upper_left, lower_right, upper_left_uv, lower_right_uv] {
            w.f32(*x);
            w.f32(*y);
        }
    }
}

impl DetailObject {
    const SIZE: usize = 52;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            origin: r.f32x3("object origin")?,
            angles: r.f32x3("object angles")?,
            detail_model: r.u16("object model")?,
            leaf: r.u16("object leaf")?,
            lighting: r.array("object lighting")?,
            first_light_style: r.u32("object light styles")?,
            n_light_styles: r.u8("object light style count")?,
            sway: r.u8("object sway")?,
            shape_angle: r.u8("object shape angle")?,
            shape_size: r.u8("object shape size")?,
            orientation: r.u8("object orientation")?,
            unknown_29: r.array("object padding")?,
            kind: r.u8("object type")?,
            unknown_2d: r.array("object padding")?,
            scale: r.f32("object scale")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            origin,
            angles,
            detail_model,
            leaf,
            lighting,
            first_light_style,
            n_light_styles,
            sway,
            shape_angle,
            shape_size,
            orientation,
            unknown_29,
            kind,
            unknown_2d,
            scale,
        } = self;
        w.f32x3(*origin);
        w.f32x3(*angles);
        w.u16(*detail_model);
        w.u16(*leaf);
        w.bytes(lighting);
        w.u32(*first_light_style);
        for byte in [n_light_styles, sway, shape_angle, shape_size, orientation] {
            w.u8(*byte);
        }
        w.bytes(unknown_29);
        w.u8(*kind);
        w.bytes(unknown_2d);
        w.f32(*scale);
    }
}
