//! Sub-lump `dprp`: grass and pebbles. Dossier section 9.3.

use super::ModelName;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};
use ironlands_assets_core::record::Record;

const FORMAT: &str = DetailProps::NAME;

/// All detail props of a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DetailProps {
    /// Paths of models.
    pub models: Vec<ModelName>,
    /// Rectangles of the map's detail material.
    pub sprites: Vec<DetailSprite>,
    /// The placements.
    pub objects: Vec<DetailObject>,
}

/// A rectangle of the detail material and the size that it is drawn at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct DetailSprite {
    /// Upper left corner in units.
    #[field("sprite upper left")]
    pub upper_left: [f32; 2],
    /// Lower right corner in units.
    #[field("sprite lower right")]
    pub lower_right: [f32; 2],
    /// Upper left corner, 0 to 1.
    #[field("sprite upper left uv")]
    pub upper_left_uv: [f32; 2],
    /// Lower right corner, 0 to 1.
    #[field("sprite lower right uv")]
    pub lower_right_uv: [f32; 2],
}

/// One detail prop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct DetailObject {
    /// Place.
    #[field("object origin")]
    pub origin: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    #[field("object angles")]
    pub angles: [f32; 3],
    /// Model or sprite.
    #[field("object model")]
    pub detail_model: u16,
    /// Leaf that it stands in.
    #[field("object leaf")]
    pub leaf: u16,
    /// Light: red, green, blue, and a signed exponent.
    #[field("object lighting")]
    pub lighting: [u8; 4],
    /// First of its styled lights in `dplt`.
    #[field("object light styles")]
    pub first_light_style: u32,
    /// Number of these.
    #[field("object light style count")]
    pub n_light_styles: u8,
    /// How much it sways.
    #[field("object sway")]
    pub sway: u8,
    /// Angle of crossed and triangular shapes.
    #[field("object shape angle")]
    pub shape_angle: u8,
    /// Size of crossed and triangular shapes.
    #[field("object shape size")]
    pub shape_size: u8,
    /// 0 as it stands, 1 facing the viewer, 2 facing the viewer upright.
    #[field("object orientation")]
    pub orientation: u8,
    /// Padding.
    #[field("object padding")]
    pub unknown_29: [u8; 3],
    /// 0 model, 1 sprite, 2 cross, 3 triangle.
    #[field("object type")]
    pub kind: u8,
    /// Padding.
    #[field("object padding")]
    pub unknown_2d: [u8; 3],
    /// Scale of sprites.
    #[field("object scale")]
    pub scale: f32,
}

impl DetailObject {
    /// [`Self::kind`] of a model; of a sprite; of two that cross; of three in a triangle.
    pub const MODEL: u8 = 0;
    /// See [`Self::MODEL`].
    pub const SPRITE: u8 = 1;
    /// See [`Self::MODEL`].
    pub const CROSS: u8 = 2;
    /// See [`Self::MODEL`].
    pub const TRIANGLE: u8 = 3;
    /// [`Self::orientation`] of what faces the viewer; of what does so upright.
    pub const FACES_VIEWER: u8 = 1;
    /// See [`Self::FACES_VIEWER`].
    pub const FACES_VIEWER_UPRIGHT: u8 = 2;
}

impl Format for DetailProps {
    type Context = ();

    const NAME: &'static str = "dprp";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(write);

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Self::read(data, Self::VERSION)
    }
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
            .map(|_| DetailSprite::read(&mut r, ()))
            .collect::<Result<_, _>>()?;
        let objects = (0..r.count("object count", DetailObject::SIZE)?)
            .map(|_| DetailObject::read(&mut r, ()))
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
            sprite.write(&mut w, ())?;
        }
        w.count("object count", objects.len())?;
        for object in objects {
            object.write(&mut w, ())?;
        }
        Ok(w.finish())
    }
}
