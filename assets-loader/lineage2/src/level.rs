//! A level of Lineage II: the regions of a folder, or one alone. Dossier section 1.1.
//!
//! In: a path. Out: which file stands for which region. Deliberately absent: what is in them, which is too much to be
//! held as typed files; `sim::geodata` reads and packs them one at a time.

use std::path::{Path, PathBuf};

use super::names::GeodataFormat;
use super::region_folder::{FolderError, RegionFolder, RegionPath};

/// Regions that are looked at together.
#[derive(Debug, Clone, PartialEq)]
pub struct GeodataLevel {
    /// The region or folder that was opened.
    pub path: PathBuf,
    /// Name for titles.
    pub name: String,
    /// One file a region, in the order of regions; at least one.
    pub files: Vec<RegionPath>,
    /// Height of the sea, in points; no file has one.
    pub water_level: Option<f32>,
}

impl GeodataLevel {
    /// Finds the files of a region or a folder of regions, of which only those of `format` count if one is given. None
    /// of them is read.
    ///
    /// # Errors
    /// If there is no region (of the format), a region has two files, the folder cannot be read, or the file's name is
    /// none of a region.
    pub fn open(
        path: &Path,
        format: Option<GeodataFormat>,
        water_level: Option<f32>,
    ) -> Result<Self, FolderError> {
        let mut folder = if path.is_dir() {
            RegionFolder::scan(path)?
        } else {
            let file = RegionPath::new(path)?;
            RegionFolder {
                files: [(file.name.id, vec![file])].into(),
            }
        };
        if let Some(format) = format {
            folder = folder.of_format(format);
        }
        let files = folder.one_each()?;
        if files.is_empty() {
            let path = path.to_owned();
            return Err(FolderError::NoRegion { path, format });
        }
        Ok(Self {
            path: path.to_owned(),
            name: name_of(path),
            files,
            water_level,
        })
    }

    /// Whether all files are of a format.
    pub fn has_only(&self, format: GeodataFormat) -> bool {
        self.files.iter().all(|file| file.name.format == format)
    }
}

/// The last part of a path; of one that ends in dots, that of where it leads.
fn name_of(path: &Path) -> String {
    let full = path.canonicalize();
    let full = full.as_deref().unwrap_or(path);
    let name = if path.is_dir() {
        full.file_name()
    } else {
        full.file_stem()
    };
    name.map_or_else(
        || "geodata".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_one_file_a_region() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("world");
        std::fs::create_dir(&root).unwrap();
        for name in ["20_18.l2j", "21_18.l2j", "20_18_conv.dat", "notes.txt"] {
            std::fs::write(root.join(name), b"").unwrap();
        }
        let error = GeodataLevel::open(&root, None, None).unwrap_err();
        assert!(matches!(error, FolderError::Duplicate { .. }), "{error}");
        let level = GeodataLevel::open(&root, Some(GeodataFormat::L2j), Some(-3780.0)).unwrap();
        assert_eq!((&*level.name, level.files.len()), ("world", 2));
        assert_eq!(level.water_level, Some(-3780.0));
        assert!(level.has_only(GeodataFormat::L2j));
        assert!(!level.has_only(GeodataFormat::ConvDat));
        let error = GeodataLevel::open(&root, Some(GeodataFormat::Rp), None).unwrap_err();
        assert!(
            error.to_string().ends_with("no region in a file *.rp"),
            "{error}"
        );

        let file = root.join("20_18_conv.dat");
        let level = GeodataLevel::open(&file, None, None).unwrap();
        assert_eq!((&*level.name, level.files.len()), ("20_18_conv", 1));
        let error = GeodataLevel::open(&file, Some(GeodataFormat::L2j), None).unwrap_err();
        assert!(matches!(error, FolderError::NoRegion { .. }), "{error}");
    }
}
