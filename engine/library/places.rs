//! Where games usually are: the folders of stores and of installers, and discs.
//!
//! Deliberately absent: names of games, which the worlds know; looking into the folders that are found.

use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};

use crate::assets::vfs;

/// A list of Steam's libraries is small; what is longer is something else.
const MAX_LIST_BYTES: u64 = 1 << 20;

/// Folders of this machine in which there are folders of games.
pub fn usual_bases() -> Vec<PathBuf> {
    let home = env::home_dir().unwrap_or_default();
    let mut bases = vec![home.join("Games"), home.join("GOG Games")];
    for steam in steam_folders(&home) {
        bases.extend(steam_libraries(&steam));
    }
    bases.extend(install_bases(&home));
    bases.extend(discs(&home));
    bases
}

/// The folders in `bases` that are named like one of `names`, in any case, and discs that install a program.
pub fn games_in(bases: &[PathBuf], names: &[&str]) -> Vec<PathBuf> {
    let names: HashSet<_> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut found = Vec::new();
    for base in bases {
        let entries = base.read_dir().into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        let name_of = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().to_lowercase()
        };
        // What discs of the time begin with.
        if paths.iter().any(|path| name_of(path) == "autorun.inf") {
            found.push(base.clone());
            continue;
        }
        found.extend(
            paths
                .into_iter()
                .filter(|path| names.contains(&name_of(path)) && path.is_dir()),
        );
    }
    // Links and libraries may lead to one folder by several paths.
    let mut seen = HashSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    found
}

/// Where Steam itself may be.
fn steam_folders(home: &Path) -> Vec<PathBuf> {
    if cfg!(windows) {
        let programs = ["ProgramFiles(x86)", "ProgramFiles"];
        let programs = programs.iter().filter_map(env::var_os);
        programs
            .map(|folder| PathBuf::from(folder).join("Steam"))
            .collect()
    } else if cfg!(target_vendor = "apple") {
        vec![home.join("Library/Application Support/Steam")]
    } else {
        // A package of its own has a home of its own.
        let packages = home.join(".var/app").read_dir().into_iter().flatten();
        let homes = packages.flatten().map(|package| package.path());
        let homes = homes.chain([home.to_owned(), home.join("snap/steam/common")]);
        let folders =
            homes.flat_map(|home| [home.join(".local/share/Steam"), home.join(".steam/steam")]);
        folders.filter(|folder| folder.is_dir()).collect()
    }
}

/// The folders of games in all of Steam's libraries, which may be on several disks.
fn steam_libraries(steam: &Path) -> Vec<PathBuf> {
    let list = steam.join("steamapps").join("libraryfolders.vdf");
    let list = vfs::read_head(&list, MAX_LIST_BYTES).unwrap_or_default();
    let mut libraries = vec![steam.to_owned()];
    libraries.extend(paths_in(&String::from_utf8_lossy(&list)));
    let common = |library: PathBuf| library.join("steamapps").join("common");
    libraries.into_iter().map(common).collect()
}

/// The values of `"path"` in a list of libraries, one a line.
fn paths_in(list: &str) -> Vec<PathBuf> {
    let of_line = |line: &str| {
        let mut quoted = line.split('"').skip(1).step_by(2);
        match (quoted.next()?, quoted.next()?) {
            ("path", path) => Some(PathBuf::from(path.replace("\\\\", "\\"))),
            _ => None,
        }
    };
    list.lines().filter_map(of_line).collect()
}

/// Where installers put games.
fn install_bases(home: &Path) -> Vec<PathBuf> {
    if cfg!(target_vendor = "apple") {
        return vec![PathBuf::from("/Applications")];
    }
    let drive = match cfg!(windows) {
        true => PathBuf::from("C:\\"),
        false => home.join(".wine/drive_c"),
    };
    let folders = ["Program Files", "Program Files (x86)", "GOG Games", "Games"];
    folders.iter().map(|folder| drive.join(folder)).collect()
}

/// Discs and other drives that are in the machine.
fn discs(home: &Path) -> Vec<PathBuf> {
    if cfg!(windows) {
        let drives = ('D'..='Z').map(|letter| PathBuf::from(format!("{letter}:\\")));
        return drives
            .flat_map(|drive| [drive.join("Games"), drive])
            .collect();
    }
    let user = home.file_name().unwrap_or_default();
    let parents = [
        PathBuf::from("/Volumes"),
        PathBuf::from("/mnt"),
        PathBuf::from("/media"),
        Path::new("/media").join(user),
        Path::new("/run/media").join(user),
    ];
    let entries = parents
        .iter()
        .flat_map(|parent| parent.read_dir().into_iter().flatten());
    entries.flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn libraries_of_steam_are_those_of_its_list() {
        let list = "\"libraryfolders\"\n{\n\t\"0\"\n\t{\n\t\t\"path\"\t\t\"/home/me/Steam\"\n\t\t\"label\"\t\"\"\n\t}\n\
            \t\"1\"\n\t{\n\t\t\"path\"\t\t\"D:\\\\Steam Library\"\n\t}\n}\n";
        let paths = ["/home/me/Steam", "D:\\Steam Library"].map(PathBuf::from);
        assert_eq!(paths_in(list), paths);
        let steam = tempfile::tempdir().unwrap();
        let folder = steam.path().join("steamapps");
        assert_eq!(steam_libraries(steam.path()), [folder.join("common")]);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("libraryfolders.vdf"), "\"path\" \"/games\"").unwrap();
        let common = PathBuf::from("/games/steamapps/common");
        assert_eq!(
            steam_libraries(steam.path()),
            [folder.join("common"), common]
        );
    }

    #[test]
    fn games_are_folders_of_known_names_and_discs_that_install() {
        let root = tempfile::tempdir().unwrap();
        let make = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(&path).unwrap();
            path
        };
        let [common, disc] = ["common", "disc"].map(make);
        let game = make("common/The GAME");
        make("common/Other");
        make("disc/setup");
        fs::write(common.join("the game two"), "a file").unwrap();
        let bases = [common, disc.clone(), root.path().join("nothing")];
        let found = || games_in(&bases, &["the Game", "The Game Two"]);
        assert_eq!(found(), std::slice::from_ref(&game));
        fs::write(disc.join("AUTORUN.INF"), "[autorun]").unwrap();
        assert_eq!(found(), [game, disc]);
    }
}
