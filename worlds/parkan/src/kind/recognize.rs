//! What a path is to Parkan, by names and first bytes.

use std::io;
use std::path::{Path, PathBuf};

use ironlands_assets_core::vfs::{self, path_in_archive};
use ironlands_assets_parkan::level::BASE_NAME;
use ironlands_assets_parkan::nres::{self, NRes};
use ironlands_assets_parkan::nres_kind::NResKind;
use ironlands_assets_parkan::placement::mission_file;
use ironlands_assets_parkan::{expl, fxid, msh};
use ironlands_world_kind::{Opener, Recognized};

/// Which files are a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LevelFiles {
    /// Their folder.
    pub folder: PathBuf,
    /// What they begin with, as in `Land` for `Land.msh`.
    pub base: String,
}

/// The files of the level that a path is, be it damaged; `None` if it is none.
pub(super) fn level_files(path: &Path) -> Option<LevelFiles> {
    if path.is_dir() {
        let mut names = path.read_dir().ok()?.flatten().map(|it| it.file_name());
        let has_land = names.any(|name| is_land_msh(&name.to_string_lossy()));
        return has_land.then(|| LevelFiles {
            folder: path.to_owned(),
            base: BASE_NAME.to_owned(),
        });
    }
    let name = path.file_name()?.to_string_lossy();
    let is_land = is_land_msh(&name) || kind_of(path) == Some(Some(NResKind::LandMsh));
    // Its neighbors begin with the same name.
    is_land.then(|| LevelFiles {
        folder: folder_of(path).to_owned(),
        base: path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    })
}

pub(super) fn recognize(path: &Path) -> io::Result<Option<Recognized>> {
    if is_mission(path) {
        let mission = Recognized::new(Opener::Option("--mission"), "a mission");
        return Ok(Some(mission));
    }
    if let Some((archive, entry)) = path_in_archive(path) {
        if is_effect(path) {
            let effect = Recognized::new(Opener::Model, "a Parkan effect");
            return Ok(Some(effect));
        }
        if !is_nres(archive)? {
            return Ok(None);
        }
        let is_model = entry_type(archive, entry).map(|it| it == msh::TYPE_ID);
        return Ok(match is_model {
            // Opening a model that is not there says which are.
            None if !is_named_model(path) => None,
            Some(false) => Some(Recognized::new(
                Opener::Nothing,
                "an entry of an archive that is no model",
            )),
            Some(true) | None => Some(Recognized::new(Opener::Model, "a Parkan model")),
        });
    }
    if level_files(path).is_some() {
        return Ok(Some(Recognized::new(Opener::Level, "a Parkan level")));
    }
    if path.is_dir() || !is_nres(path)? {
        return Ok(None);
    }
    let is_named_model = is_named_model(path);
    Ok(Some(match archive(path) {
        Some(archive) if is_named_model || NResKind::from_archive(&archive) == NResKind::Msh => {
            Recognized::new(Opener::Model, "a Parkan model")
        }
        // Opening it says what is wrong with it.
        None if is_named_model => Recognized::new(Opener::Model, "a broken Parkan model"),
        Some(archive) => Recognized::new(
            Opener::Nothing,
            format!(
                "an NRes archive of {} entries without terrain",
                archive.entries.len()
            ),
        ),
        None => Recognized::new(Opener::Nothing, "a broken NRes archive"),
    }))
}

/// Whether a path leads to an entry of an archive that is an effect, or an explosion, which has one.
pub(super) fn is_effect(path: &Path) -> bool {
    let of_entry = path_in_archive(path).and_then(|(archive, entry)| entry_type(archive, entry));
    of_entry.is_some_and(|it| [fxid::TYPE_ID, expl::TYPE_ID].contains(&it))
}

/// The type of an archive's entry; `None` if there is none of that name.
fn entry_type(path: &Path, entry: &Path) -> Option<u32> {
    let archive = archive(path)?;
    let index = archive.find(entry.to_string_lossy().as_bytes())?;
    Some(archive.entries.get(index)?.type_id)
}

/// Whether a file name is that of a terrain.
pub(super) fn is_land_msh(name: &str) -> bool {
    name.eq_ignore_ascii_case("Land.msh")
}

/// A folder with a mission's file, or that file.
pub(super) fn is_mission(path: &Path) -> bool {
    let file = mission_file(path);
    let name = file.file_name().unwrap_or_default();
    name.eq_ignore_ascii_case("data.tma") && file.is_file()
}

/// The folder that a file is in, as one can list it.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn is_named_model(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("msh")
}

fn is_nres(path: &Path) -> io::Result<bool> {
    let head = vfs::read_head(path, 4).map_err(io::Error::other)?;
    Ok(head == *b"NRes")
}

fn archive(path: &Path) -> Option<NRes> {
    let data = vfs::read(path).ok()?;
    NRes::read_with(&data, nres::Tolerance::all()).ok()
}

/// What an archive is for; `Some(None)` if it is broken, `None` for another file.
fn kind_of(path: &Path) -> Option<Option<NResKind>> {
    let is_archive = path.is_file() && is_nres(path).unwrap_or(false);
    is_archive.then(|| archive(path).map(|archive| NResKind::from_archive(&archive)))
}
