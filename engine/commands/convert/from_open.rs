//! From open forms to the game's files.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use image::{ImageFormat, ImageReader, RgbaImage};
use ironlands::assets_loader::evil_islands::cam::Cam;
use ironlands::assets_loader::evil_islands::db::{self, Db, DbKind};
use ironlands::assets_loader::evil_islands::mmp::{MipChain, Mmp, MmpDraft, MmpFormat, PixelRows};
use ironlands::assets_loader::evil_islands::mob::Mob;
use ironlands::assets_loader::evil_islands::reg::Reg;
use ironlands::assets_loader::vfs;

use super::{ConvertError, GameKind, extension, json_fault, table_path};

/// How a picture becomes a texture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextureForm {
    /// How pixels are stored; by default blocks, with alpha where the picture has any.
    pub format: Option<MmpFormat>,
    /// Only the picture itself, without the smaller ones for the distance.
    pub is_single: bool,
}

/// Texts of tables, in the order of the database; `None` for a table whose file is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CsvTables(pub Vec<Option<String>>);

/// The bytes of a file of the game, of an open form other than tables. `from` has an ending of the kind's.
///
/// # Errors
/// If the open form is no such file, with the place that is at fault.
pub fn from_open(
    kind: GameKind,
    from: &Path,
    data: &[u8],
    form: TextureForm,
) -> Result<Vec<u8>, ConvertError> {
    match kind {
        GameKind::Reg => Ok(Reg::from_ini(data)?.write()?),
        GameKind::Db(kind) => {
            let file = Db::from_json(text(data)?).map_err(json_fault)?;
            if file.kind != kind {
                return Err(ConvertError::OtherDatabase {
                    expected: kind.name(),
                    found: file.kind.name(),
                });
            }
            Ok(file.write()?)
        }
        GameKind::Mob => Ok(Mob::from_json(text(data)?)?.write()?),
        GameKind::Cam => {
            let file = Cam::from_json(text(data)?).map_err(json_fault)?;
            Ok(file.write()?)
        }
        GameKind::Mmp => match &*extension(from) {
            "png" => texture(data, form),
            _ => Ok(Mmp::from_dds(data, PixelRows::Upright)?.write()?),
        },
    }
}

impl CsvTables {
    /// Reads the tables of a database that were written beside `csv`.
    ///
    /// # Errors
    /// If none is there, or one cannot be read.
    pub fn read(csv: &Path, kind: DbKind) -> io::Result<Result<Self, ConvertError>> {
        let paths: Vec<PathBuf> = (0..kind.tables().len())
            .map(|table| table_path(csv, kind, table))
            .collect();
        let mut tables = Vec::new();
        for path in &paths {
            tables.push(match vfs::read(path) {
                Ok(data) => match text(&data) {
                    Ok(text) => Some(text.to_owned()),
                    Err(error) => return Ok(Err(error)),
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            });
        }
        if tables.iter().all(Option::is_none) {
            let names = paths.iter().map(|path| path.display().to_string());
            return Ok(Err(ConvertError::NoTable {
                names: names.collect(),
            }));
        }
        Ok(Ok(Self(tables)))
    }

    /// The database of the tables: `base` with those that are there, or a fresh one of all.
    ///
    /// # Errors
    /// If a text is no such table, or one is missing without a base.
    pub fn database(
        &self,
        csv: &Path,
        kind: DbKind,
        base: Option<&[u8]>,
    ) -> Result<Vec<u8>, ConvertError> {
        let Some(base) = base else {
            let tables = self.0.iter().enumerate().map(|(table, text)| {
                text.as_deref().ok_or_else(|| ConvertError::MissingTable {
                    missing: table_path(csv, kind, table).display().to_string(),
                })
            });
            let tables = tables.collect::<Result<Vec<&str>, _>>()?;
            return Ok(Db::from_csv(kind, &tables)?.write()?);
        };
        let mut file = Db::read_with(base, kind, db::Tolerance::all())?;
        for (table, text) in self.0.iter().enumerate() {
            if let Some(text) = text {
                file.set_table_from_csv(table, text)?;
            }
        }
        Ok(file.write()?)
    }
}

fn texture(png: &[u8], form: TextureForm) -> Result<Vec<u8>, ConvertError> {
    let reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let image = reader.decode()?.into_rgba8();
    let draft = MmpDraft {
        width: image.width(),
        height: image.height(),
        format: form.format.unwrap_or_else(|| fitting_format(&image)),
        mips: match form.is_single {
            true => MipChain::LevelZero,
            false => MipChain::Full,
        },
        rgba: image.as_raw(),
        rows: PixelRows::Upright,
    };
    Ok(Mmp::encode(&draft)?.write()?)
}

/// Blocks: alpha of four bits where any pixel is seen through partly, of one bit else.
fn fitting_format(image: &RgbaImage) -> MmpFormat {
    let is_partly = |alpha: u8| alpha != 0 && alpha != u8::MAX;
    match image.pixels().any(|pixel| is_partly(pixel.0[3])) {
        true => MmpFormat::Dxt3,
        false => MmpFormat::Dxt1,
    }
}

fn text(data: &[u8]) -> Result<&str, ConvertError> {
    let text = std::str::from_utf8(data).map_err(|error| ConvertError::NotUtf8 {
        offset: error.valid_up_to(),
    })?;
    Ok(text.trim_start_matches('\u{FEFF}'))
}
