//! What is exported, and why it could not be.

use ironlands_assets_loader::parkan::msh::{Batch, MaterialReading, Msh};
use ironlands_assets_loader::parkan::wear::{Wear, WearRow};
use ironlands_scene::{Blend, BlendFactor, Material, MaterialIdx, Pass, PassKind, Texture};
use ironlands_world_parkan::skeleton::MshSkeletonError;
use thiserror::Error;

/// A quarter turn about +X, backwards: +Z up becomes +Y up.
pub(crate) const Y_UP_FROM_Z_UP: [f32; 4] = [
    -std::f32::consts::FRAC_1_SQRT_2,
    0.0,
    0.0,
    std::f32::consts::FRAC_1_SQRT_2,
];

/// A model with everything that its look is made of.
#[derive(Debug, Clone, Copy)]
pub struct ModelSource<'a> {
    /// What the model is called.
    pub name: &'a str,
    /// The model.
    pub msh: &'a Msh,
    /// Names of the material rows and of the lightmaps, if known; they stand in the file that is written.
    pub wear: Option<&'a Wear>,
    /// Material of each WEAR row, as an index into `materials`. Without rows the model is plain white.
    pub rows: &'a [MaterialIdx],
    /// What `rows` name.
    pub materials: &'a [Material],
    /// What the passes of `materials` name.
    pub textures: &'a [Texture],
}

/// Why a model could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Nodes that cannot be posed.
    #[error(transparent)]
    Skeleton(#[from] MshSkeletonError),
    /// JSON and OBJ have no infinity and no NaN.
    #[error("{what} is not finite")]
    NotFinite {
        /// The number.
        what: String,
    },
    /// A batch names a vertex that is not there, which no model that was read does.
    #[error("batch {batch} names vertex {vertex}, there are {n_vertices}")]
    NoVertex {
        /// Index of the batch.
        batch: usize,
        /// The vertex.
        vertex: usize,
        /// Number of vertices.
        n_vertices: usize,
    },
    /// A row names a material, or a pass a texture, that is not there.
    #[error("{what} {index} does not exist, there are {len}")]
    Missing {
        /// "material" or "texture".
        what: &'static str,
        /// Its index.
        index: usize,
        /// Length of the table.
        len: usize,
    },
    /// The pixels of a texture do not fill its size.
    #[error("texture {name}: {width}x{height} pixels need other than {n_bytes} bytes")]
    Pixels {
        /// The texture's name.
        name: String,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes that are there.
        n_bytes: usize,
    },
    /// A texture could not be made a PNG.
    #[error("texture {name} cannot be encoded")]
    Encode {
        /// The texture's name.
        name: String,
        /// What the encoder said.
        source: image::ImageError,
    },
    /// Frames that go by per second must be a number above 0.
    #[error("{rate} frames per second; a number above 0 is needed")]
    Rate {
        /// What was asked for.
        rate: f32,
    },
    /// An OBJ of it would show nothing.
    #[error("it shows no face in state {state} at level of detail {lod}")]
    NoFace {
        /// State.
        state: u8,
        /// Level of detail.
        lod: u8,
    },
    /// Many slots over the same batches, or many nodes over the same frames, grow beyond any use.
    #[error("the model has {count} {what}; at most {limit} are written")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How much.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// The sizes in a GLB have 32 bits.
    #[error("the file would be longer than 4 GiB")]
    TooLong,
    /// The JSON writer refused.
    #[error("the JSON cannot be written")]
    Json(#[from] serde_json::Error),
}

impl ModelSource<'_> {
    /// The WEAR row of a batch; `None` for a model without rows.
    pub(crate) fn row(&self, batch: &Batch) -> Option<usize> {
        let row = batch.material_row(MaterialReading::ByteAt4, self.rows.len())?;
        Some(row.row)
    }

    /// What a row looks like.
    pub(crate) fn material(&self, row: usize) -> Result<&Material, ExportError> {
        let index = self.rows[row].0 as usize;
        self.materials.get(index).ok_or(ExportError::Missing {
            what: "material",
            index,
            len: self.materials.len(),
        })
    }

    /// The name of a row: that of the WEAR table, else that of the material.
    pub(crate) fn row_name(&self, row: usize) -> Result<String, ExportError> {
        let from_wear = self.wear.and_then(|wear| wear.materials.get(row));
        Ok(match from_wear {
            Some(row) => decode(&row.name),
            None => self.material(row)?.name.clone(),
        })
    }

    /// Names of the rows of the WEAR table, materials and lightmaps.
    pub(crate) fn wear_names(&self) -> (Vec<String>, Vec<String>) {
        let names = |rows: &[WearRow]| rows.iter().map(|row| decode(&row.name)).collect();
        self.wear.map_or_else(Default::default, |wear| {
            let lightmaps = wear.lightmaps.as_deref().unwrap_or_default();
            (names(&wear.materials), names(lightmaps))
        })
    }

    /// The texture at an index.
    pub(crate) fn texture(&self, index: usize) -> Result<&Texture, ExportError> {
        self.textures.get(index).ok_or(ExportError::Missing {
            what: "texture",
            index,
            len: self.textures.len(),
        })
    }
}

/// The pass that stands for the whole material where there can be only one.
pub(crate) fn main_pass(material: &Material) -> Option<&Pass> {
    let kinds = [PassKind::Base, PassKind::Translucent];
    let of_kind = |kind| material.passes.iter().find(|pass| pass.kind == kind);
    (kinds.into_iter().find_map(of_kind)).or(material.passes.first())
}

/// What the alpha of a picture is. glTF and OBJ can only cover what is behind; what a surface adds light to has to
/// be seen through it, most where it is dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PictureAlpha {
    /// That of the texture.
    Stored,
    /// The brightest channel, for light that is added as it is.
    Brightness,
    /// That times the alpha of the texture, for light that is added by it.
    WeightedBrightness,
}

impl PictureAlpha {
    pub(crate) fn of(pass: &Pass) -> Self {
        match pass.blend {
            Some(Blend {
                source: BlendFactor::SourceAlpha,
                destination: BlendFactor::One,
            }) => Self::WeightedBrightness,
            Some(Blend {
                destination: BlendFactor::One,
                ..
            }) => Self::Brightness,
            _ => Self::Stored,
        }
    }

    fn of_pixel(self, [r, g, b, alpha]: [u8; 4]) -> u8 {
        let brightest = r.max(g).max(b);
        match self {
            Self::Stored => alpha,
            Self::Brightness => brightest,
            Self::WeightedBrightness => {
                let product = u16::from(brightest) * u16::from(alpha);
                (product / u16::from(u8::MAX)) as u8
            }
        }
    }
}

/// How much of what is behind a surface it covers, beside its picture; 1 = all. One that adds light covers as much as
/// it is bright, so that a dark one is not seen.
pub(crate) fn opacity(pass: &Pass) -> f32 {
    let [r, g, b, alpha] = pass.diffuse;
    let brightest = || {
        [r, g, b]
            .into_iter()
            .chain(pass.emissive)
            .fold(0.0, f32::max)
    };
    match PictureAlpha::of(pass) {
        PictureAlpha::Stored => alpha,
        PictureAlpha::Brightness => brightest(),
        PictureAlpha::WeightedBrightness => brightest() * alpha,
    }
}

/// The largest level of a texture as PNG.
pub(crate) fn encode_png(texture: &Texture, alpha: PictureAlpha) -> Result<Vec<u8>, ExportError> {
    let pixels = texture.rgba8(0, 0).ok_or_else(|| ExportError::Pixels {
        name: texture.name.clone(),
        width: texture.width,
        height: texture.height,
        n_bytes: texture.mips.first().map_or(0, Vec::len),
    })?;
    let mut pixels = pixels.into_owned();
    for pixel in pixels.as_chunks_mut().0 {
        pixel[3] = alpha.of_pixel(*pixel);
    }
    let color = image::ExtendedColorType::Rgba8;
    write_png(
        &texture.name,
        &pixels,
        [texture.width, texture.height],
        color,
    )
}

/// Pixels as a PNG file; those of 16 bits in the machine's byte order.
pub(crate) fn write_png(
    name: &str,
    pixels: &[u8],
    [width, height]: [u32; 2],
    color: image::ExtendedColorType,
) -> Result<Vec<u8>, ExportError> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    image::ImageEncoder::write_image(encoder, pixels, width, height, color).map_err(|source| {
        ExportError::Encode {
            name: name.to_owned(),
            source,
        }
    })?;
    Ok(png)
}

/// Refuses NaN and infinities.
pub(crate) fn finite<const N: usize>(
    values: [f32; N],
    what: impl Fn() -> String,
) -> Result<[f32; N], ExportError> {
    if values.iter().all(|value| value.is_finite()) {
        return Ok(values);
    }
    Err(ExportError::NotFinite { what: what() })
}

fn decode(name: &[u8]) -> String {
    ironlands_assets_loader::text::decode_cp1251(name).into_owned()
}
