//! From the game's files to open forms.

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, RgbaImage};
use ironlands::assets_loader::bytes::{Finding, FormatError, FormatErrorKind};
use ironlands::assets_loader::evil_islands::cam::{self, Cam};
use ironlands::assets_loader::evil_islands::db::{self, Db, DbKind};
use ironlands::assets_loader::evil_islands::mmp::{self, Mmp, PixelRows};
use ironlands::assets_loader::evil_islands::mob::{self, Mob};
use ironlands::assets_loader::evil_islands::reg::{self, CodePage, Reg};

use super::{ConvertError, Files, GameKind, extension, json_fault, table_path};

/// The files of an open form, and what they do not hold or what is unusual. `to` has an ending of the kind's;
/// `code_page` is that of strings of packed settings.
///
/// # Errors
/// If the file is broken, or the form cannot hold it.
pub fn to_open(
    kind: GameKind,
    data: &[u8],
    to: &Path,
    code_page: CodePage,
) -> Result<(Files, Vec<Finding>), ConvertError> {
    let one = |bytes: Vec<u8>| vec![(to.to_owned(), bytes)];
    let json = |text: String| one(with_line_end(text).into_bytes());
    match kind {
        GameKind::Reg => {
            let file = Reg::read_with(data, reg::Tolerance::all())?;
            let (ini, findings) = file.to_ini(code_page);
            Ok((one(ini.into_bytes()), findings))
        }
        GameKind::Db(kind) => {
            let file = Db::read_with(data, kind, db::Tolerance::all())?;
            match &*extension(to) {
                "csv" => Ok(tables(&file, kind, to)),
                _ => Ok((json(file.to_json().map_err(json_fault)?), file.check())),
            }
        }
        GameKind::Mob => {
            let (file, findings) = Mob::read_with(data, mob::Tolerance::all())?;
            if file.roots.is_empty() {
                // Nothing but bytes that are no node: the strict reader tells why.
                Mob::read(data)?;
            }
            Ok((json(file.to_json()?), findings))
        }
        GameKind::Cam => {
            let file = Cam::read_with(data, cam::Tolerance::all())?;
            Ok((json(file.to_json().map_err(json_fault)?), file.check()))
        }
        GameKind::Mmp => {
            let file = Mmp::read_with(data, mmp::Tolerance::all())?;
            let bytes = match &*extension(to) {
                "png" => png(&file)?,
                _ => file.to_dds(PixelRows::Upright)?,
            };
            Ok((one(bytes), file.check()))
        }
    }
}

fn tables(file: &Db, kind: DbKind, to: &Path) -> (Files, Vec<Finding>) {
    let mut files = Files::new();
    let mut findings = Vec::new();
    for table in 0..kind.tables().len() {
        if let Some((text, losses)) = file.table_to_csv(table) {
            files.push((table_path(to, kind, table), text.into_bytes()));
            findings.extend(losses);
        }
    }
    (files, findings)
}

/// The largest level, as a person sees it upright.
fn png(file: &Mmp) -> Result<Vec<u8>, ConvertError> {
    let rgba = file.upright_rgba(0)?;
    let image = RgbaImage::from_raw(file.width, file.height, rgba).ok_or(FormatError {
        format: "mmp",
        entry: None,
        field: "level".into(),
        offset: 0,
        kind: FormatErrorKind::Unexpected {
            expected: "pixels for the whole picture".into(),
            found: "fewer".to_owned(),
        },
    })?;
    let mut bytes = Vec::new();
    image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
    Ok(bytes)
}

fn with_line_end(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
