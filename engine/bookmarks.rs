//! Places of a level that are remembered with names, in a file beside the settings.

use std::path::{Path, PathBuf, absolute};

use image::RgbaImage;
use toml::{Table, Value};

use crate::camera::Pose;
use crate::cli::CameraArg;
use crate::console::output::{Existing, make_folder_of, write_file, write_png};
use crate::error::AppError;
use crate::settings::text_of;
use crate::user_folders::beside_settings;

/// Places of a level, one for each of the keys 1 to 9.
pub const N_PLACES: usize = 9;
/// Width and height of the picture of a place.
pub const PICTURE_SIZE: [u32; 2] = [320, 180];
/// The folder of pictures, beside the file.
const PICTURES: &str = "bookmarks";
/// The file's name. It has a table for each level, by its path, with a table for each place, by its number.
const FILE_NAME: &str = "bookmarks.toml";
const NAME: &str = "name";
const CAMERA: &str = "camera";

/// A remembered place.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// What the user calls it; may be empty.
    pub name: String,
    pub pose: Pose,
}

/// The places of one level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bookmarks {
    /// The level's path, which is its name in the file.
    level: String,
    pub places: [Option<Place>; N_PLACES],
    /// Whether something changed that is not in the file yet.
    pub is_changed: bool,
    /// The place whose picture is to be taken.
    pub wants_picture: Option<usize>,
    /// How many pictures were taken: those of before are old.
    pub n_taken: usize,
}

impl Bookmarks {
    /// Those of a level; what cannot be read is logged.
    pub fn load(level: &Path) -> Self {
        let level = absolute(level).unwrap_or_else(|_| level.to_owned());
        let none = Self {
            level: level.to_string_lossy().into_owned(),
            ..Self::default()
        };
        let Some((path, table)) = read_file() else {
            return none;
        };
        match table {
            Ok(table) => none.with_places_of(&table),
            Err(error) => {
                log::warn!("{}: {error}", path.display());
                none
            }
        }
    }

    /// Writes those of this level; those of others stay.
    ///
    /// # Errors
    /// The file cannot be written, or is there and broken.
    pub fn save(&mut self) -> Result<(), AppError> {
        self.is_changed = false;
        let Some((path, table)) = read_file() else {
            return Ok(());
        };
        let mut table = table.map_err(|error| AppError::Read {
            path: path.clone(),
            source: std::io::Error::other(error),
        })?;
        self.put_into(&mut table);
        make_folder_of(&path)?;
        Ok(write_file(
            &path,
            Existing::Replace,
            table.to_string().as_bytes(),
        )?)
    }

    /// Remembers a pose under an index below [`N_PLACES`]; the name of the place stays.
    pub fn store(&mut self, index: usize, pose: Pose) {
        let before = self.places[index].take();
        let name = before.map(|place| place.name).unwrap_or_default();
        self.places[index] = Some(Place { name, pose });
        self.is_changed = true;
        self.wants_picture = Some(index);
    }

    /// Where the picture of a place is kept, by the level and the number of the place; `None` where the system has no
    /// place for it.
    pub fn picture_path(&self, index: usize) -> Option<PathBuf> {
        let name = format!("{:016x}-{}.png", hash_of(&self.level), index + 1);
        Some(
            beside_settings(FILE_NAME)?
                .with_file_name(PICTURES)
                .join(name),
        )
    }

    /// Keeps the picture of a place.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep_picture(&mut self, index: usize, picture: RgbaImage) -> Result<(), AppError> {
        self.n_taken += 1;
        let Some(path) = self.picture_path(index) else {
            return Ok(());
        };
        make_folder_of(&path)?;
        Ok(write_png(&path, Existing::Replace, picture)?)
    }

    /// Forgets a place and its picture.
    pub fn forget(&mut self, index: usize) {
        self.places[index] = None;
        self.is_changed = true;
        if let Some(path) = self.picture_path(index) {
            // There may be none.
            let _ = std::fs::remove_file(path);
        }
    }

    /// The place under an index below [`N_PLACES`], if one is remembered.
    pub fn recall(&self, index: usize) -> Option<&Place> {
        self.places[index].as_ref()
    }

    fn with_places_of(mut self, table: &Table) -> Self {
        let of_level = table.get(&self.level).and_then(Value::as_table);
        for (index, place) in self.places.iter_mut().enumerate() {
            let number = (index + 1).to_string();
            let stored = of_level.and_then(|places| places.get(&number)?.as_table());
            *place = stored.and_then(|stored| {
                let text = |key| stored.get(key).and_then(Value::as_str);
                let CameraArg(pose) = text(CAMERA)?.parse().ok()?;
                let name = text(NAME).unwrap_or_default().to_owned();
                Some(Place { name, pose })
            });
        }
        self
    }

    fn put_into(&self, table: &mut Table) {
        let places = self.places.iter().enumerate();
        let of_level: Table = places
            .filter_map(|(index, place)| {
                let Place { name, pose } = place.as_ref()?;
                let stored = Table::from_iter([
                    (NAME.to_owned(), Value::from(name.clone())),
                    (CAMERA.to_owned(), Value::from(CameraArg(*pose).to_string())),
                ]);
                Some(((index + 1).to_string(), Value::from(stored)))
            })
            .collect();
        match of_level.is_empty() {
            true => drop(table.remove(&self.level)),
            false => drop(table.insert(self.level.clone(), of_level.into())),
        }
    }
}

/// The 64 bits of FNV-1a, which stay the same from version to version, as those of the standard library need not.
fn hash_of(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// The file and what it says; `None` where there is no place for it.
fn read_file() -> Option<(PathBuf, Result<Table, String>)> {
    let path = beside_settings(FILE_NAME)?;
    let text = text_of(&path).map_err(|error| error.to_string());
    let table = text.and_then(|text| {
        text.parse()
            .map_err(|error: toml::de::Error| error.to_string())
    });
    Some((path, table))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn bookmarks(level: &str) -> Bookmarks {
        Bookmarks {
            level: level.to_owned(),
            ..Bookmarks::default()
        }
    }

    fn pose(x: f32) -> Pose {
        Pose::new(Vec3::new(x, 0.0, 0.0), 0.0, 0.0)
    }

    #[test]
    fn each_place_is_remembered_under_its_own_number() {
        let mut bookmarks = bookmarks("a");
        bookmarks.store(0, pose(1.0));
        bookmarks.store(8, pose(9.0));
        bookmarks.places[0].as_mut().unwrap().name = "the bridge".to_owned();
        bookmarks.store(0, pose(2.0));
        let place = |index| {
            bookmarks
                .recall(index)
                .map(|place| (&*place.name, place.pose))
        };
        assert_eq!(place(0), Some(("the bridge", pose(2.0))));
        assert_eq!(place(8), Some(("", pose(9.0))));
        assert_eq!(place(4), None);
    }

    #[test]
    fn pictures_have_names_that_stay() {
        // From the pages of the hash's authors.
        assert_eq!(hash_of(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(hash_of("foobar"), 0x8594_4171_F739_67E8);
        let [first, second] = ["a", "b"].map(bookmarks);
        let path = |bookmarks: &Bookmarks, index| bookmarks.picture_path(index);
        if let Some(of_first) = path(&first, 0) {
            assert!(of_first.ends_with("bookmarks/af63dc4c8601ec8c-1.png"));
            assert_ne!(path(&second, 0), Some(of_first));
        }
    }

    #[test]
    fn places_are_written_and_read_and_those_of_other_levels_stay() {
        let [mut first, mut second] = ["/maps/first", "C:\\maps\\zweite.map"].map(bookmarks);
        first.store(2, pose(3.5));
        second.store(0, pose(-7.25));
        second.places[0].as_mut().unwrap().name = "\"мост\"".to_owned();
        let mut table = Table::new();
        first.put_into(&mut table);
        second.put_into(&mut table);
        let table: Table = table.to_string().parse().unwrap();
        let read = |level: &str| bookmarks(level).with_places_of(&table).places;
        assert_eq!(read(&first.level), first.places);
        assert_eq!(read(&second.level), second.places);
        assert_eq!(read("/maps/third"), bookmarks("").places);
        let mut table = table.clone();
        first.places[2] = None;
        first.put_into(&mut table);
        assert!(!table.contains_key(&first.level) && table.contains_key(&second.level));
    }
}
