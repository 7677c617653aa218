//! Databases as JSON, and as CSV files, one for each table.

use std::io;
use std::path::{Path, PathBuf};

use super::{Db, DbKind, Tolerance};
use crate::interchange::{no_such_json, one_text};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionOption, ConversionRequest, Exported, Fidelity, text,
};
use ironlands_assets_core::vfs;

pub(super) const CONVERSIONS: &[Conversion] = &[
    Conversion {
        extension: "json",
        fidelity: Fidelity::SameBytes,
        options: &[],
        export: Some(to_json),
        import: Some(from_json),
    },
    Conversion {
        extension: "csv",
        fidelity: Fidelity::Valid,
        options: &[ConversionOption::Base],
        export: Some(to_csv),
        import: Some(from_csv),
    },
];

fn to_json(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let file = Db::read_with(data, kind_of(request)?, Tolerance::all())?;
    let json = file.to_json().map_err(no_such_json)?;
    Ok(one_text(request, json, file.check()))
}

fn from_json(data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let kind = kind_of(request)?;
    let file = Db::from_json(text(data)?).map_err(no_such_json)?;
    if file.kind != kind {
        return Err(ConversionError::other(format!(
            "it is the database \"{}\", and the file is to be \"{}\"",
            file.kind.name(),
            kind.name()
        )));
    }
    Ok(file.write()?)
}

fn to_csv(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let kind = kind_of(request)?;
    let file = Db::read_with(data, kind, Tolerance::all())?;
    let mut exported = Exported::default();
    for table in 0..kind.tables().len() {
        if let Some((text, losses)) = file.table_to_csv(table) {
            let path = table_path(request.interchange, kind, table);
            exported.files.push((path, text.into_bytes()));
            exported.findings.extend(losses);
        }
    }
    Ok(exported)
}

/// The base with those tables that are there, or a fresh database of all. Where there is more than one table, none has
/// the requested name: the bytes that come with the request say nothing, the files beside it do.
fn from_csv(_data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let kind = kind_of(request)?;
    let tables = read_tables(request.interchange, kind)?;
    if let Some(base) = &request.options.base {
        let mut file = Db::read_with(base, kind, Tolerance::all())?;
        for (table, (_, text)) in tables.iter().enumerate() {
            if let Some(text) = text {
                file.set_table_from_csv(table, text)?;
            }
        }
        return Ok(file.write()?);
    }
    let texts = tables.iter().map(|(path, text)| {
        text.as_deref().ok_or_else(|| {
            ConversionError::other(format!(
                "there is no {}; with --base the tables that are not there stay as they are",
                path.display()
            ))
        })
    });
    let texts = texts.collect::<Result<Vec<&str>, _>>()?;
    Ok(Db::from_csv(kind, &texts)?.write()?)
}

/// The file of each table, and its text; `None` for one that is not there.
fn read_tables(
    csv: &Path,
    kind: DbKind,
) -> Result<Vec<(PathBuf, Option<String>)>, ConversionError> {
    let mut tables = Vec::new();
    for table in 0..kind.tables().len() {
        let path = table_path(csv, kind, table);
        let text = match vfs::read(&path) {
            Ok(data) => Some(text(&data)?.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(ConversionError::Io { path, error }),
        };
        tables.push((path, text));
    }
    if tables.iter().all(|(_, text)| text.is_none()) {
        let names = tables.iter().map(|(path, _)| path.display().to_string());
        let names = names.collect::<Vec<_>>().join(", ");
        let message = format!("none of its tables is there: {names}");
        return Err(ConversionError::other(message));
    }
    Ok(tables)
}

/// Which database the file is, by its name.
fn kind_of(request: &ConversionRequest<'_>) -> Result<DbKind, ConversionError> {
    let name = request.file.file_name().unwrap_or_default();
    DbKind::from_file_name(&name.to_string_lossy())
        .ok_or_else(|| ConversionError::other("only its name would say which database it is"))
}

/// The name of a table's file: `items.quick-items.csv` for `items.csv`; that itself where there is one table only.
fn table_path(csv: &Path, kind: DbKind, table: usize) -> PathBuf {
    match kind.tables() {
        [_] => csv.to_owned(),
        tables => {
            let name = tables.get(table).map_or("", |schema| schema.name);
            let name = name.replace(' ', "-");
            csv.with_extension(format!("{name}.csv"))
        }
    }
}

#[cfg(test)]
mod tests {
    use ironlands_assets_core::format::ConversionOptions;

    use super::*;

    #[test]
    fn a_database_of_one_table_is_one_file() {
        let csv = Path::new("out/items.csv");
        for kind in DbKind::ALL {
            let tables = kind.tables();
            let paths: Vec<_> = (0..tables.len())
                .map(|it| table_path(csv, kind, it))
                .collect();
            match tables {
                [_] => assert_eq!(paths, [csv]),
                _ => {
                    let names = tables.iter().map(|it| it.name.replace(' ', "-"));
                    let expected = names.map(|it| PathBuf::from(format!("out/items.{it}.csv")));
                    assert_eq!(paths, expected.collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn tables_that_are_not_there_are_named_or_come_from_the_base() {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("prints.csv");
        let request = |options| ConversionRequest {
            file: Path::new("PRINTS.db"),
            interchange: &csv,
            options,
        };
        let plain = ConversionOptions::default();
        let empty = Db::draft(DbKind::Prints, vec![Vec::new(); 3]);
        let bytes = empty.write().unwrap();
        let exported = to_csv(&bytes, &request(&plain)).unwrap();
        assert_eq!((exported.files.len(), exported.findings.len()), (3, 0));
        let error = from_csv(&[], &request(&plain)).unwrap_err().to_string();
        assert!(
            error.starts_with("none of its tables is there: "),
            "{error}"
        );
        for (path, text) in &exported.files[1..] {
            std::fs::write(path, text).unwrap();
        }
        let error = from_csv(&[], &request(&plain)).unwrap_err().to_string();
        assert!(error.ends_with("stay as they are"), "{error}");
        let based = ConversionOptions {
            base: Some(bytes.clone()),
            ..ConversionOptions::default()
        };
        assert_eq!(from_csv(&[], &request(&based)).unwrap(), bytes);
        let (path, text) = &exported.files[0];
        std::fs::write(path, text).unwrap();
        assert_eq!(from_csv(&[], &request(&plain)).unwrap(), bytes);
    }

    #[test]
    fn json_of_another_database_is_refused() {
        let options = ConversionOptions::default();
        let mut request = ConversionRequest {
            file: Path::new("a.ldb"),
            interchange: Path::new("a.json"),
            options: &options,
        };
        let bytes = Db::draft(DbKind::Levers, vec![Vec::new()]).write().unwrap();
        let json = to_json(&bytes, &request).unwrap().files.swap_remove(0).1;
        assert_eq!(from_json(&json, &request).unwrap(), bytes);
        request.file = Path::new("a.idb");
        let error = from_json(&json, &request).unwrap_err().to_string();
        assert!(error.contains("\"levers\", and the file is to be \"items\""));
        request.file = Path::new("other.db");
        assert!(from_json(&json, &request).is_err());
    }
}
