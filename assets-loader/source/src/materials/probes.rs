//! Cubemaps that were taken in the rooms of a map. Dossier section 11.3.

use crate::bsp::Map;
use crate::pakfile::Pakfile;

/// Folder of what the compiler made for maps.
const MAPS: &str = "materials/maps/";
/// What is mirrored where nothing was taken.
const DEFAULT: &str = "cubemapdefault";

/// Places of cubemaps, and how their textures are called.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Probes {
    /// The name of the map when it was compiled; `None` where nothing in its archive says it.
    folder: Option<String>,
    places: Vec<[i32; 3]>,
}

impl Probes {
    /// Those of a map.
    pub fn new(map: &Map, pakfile: Option<&Pakfile>) -> Self {
        // The file may have another name by now: what is in its archive does not.
        let folder_of = |name: &str| {
            let lower = name.to_ascii_lowercase().replace('\\', "/");
            let (folder, _) = lower.strip_prefix(MAPS)?.split_once('/')?;
            Some(folder.to_owned())
        };
        let mut names = pakfile.into_iter().flat_map(Pakfile::names);
        Self {
            folder: names.find_map(folder_of),
            places: map.cubemaps.iter().map(|it| it.origin).collect(),
        }
    }

    /// Number of the cubemap that was taken nearest to a place; `None` without any.
    pub fn nearest(&self, place: [f32; 3]) -> Option<usize> {
        let distance_sq = |origin: &[i32; 3]| -> f64 {
            let axes = origin.iter().zip(place);
            axes.map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2))
                .sum()
        };
        let numbered = self.places.iter().map(distance_sq).enumerate();
        let nearest = numbered.min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.map(|(number, _)| number)
    }

    /// Names of the textures that may show what a surface mirrors, the best first.
    pub(super) fn names_of(&self, number: Option<usize>) -> Vec<String> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let taken = number.and_then(|number| self.places.get(number));
        let taken = taken.map(|[x, y, z]| format!("maps/{folder}/c{x}_{y}_{z}"));
        let default = format!("maps/{folder}/{DEFAULT}");
        taken.into_iter().chain([default]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bsp::CubemapSample;
    use crate::pakfile::Comment;

    #[test]
    fn the_nearest_cubemap_has_the_name_of_the_map_when_it_was_compiled() {
        let sample = |origin| CubemapSample {
            origin,
            ..CubemapSample::default()
        };
        let map = Map {
            cubemaps: vec![sample([0, 0, 64]), sample([-512, 16, 64])],
            ..Map::default()
        };
        let files: [(&str, &[u8]); 2] = [
            ("materials/concrete/a.vmt", b""),
            ("materials/maps/Old_Name/c0_0_64.vtf", b""),
        ];
        let pakfile = Pakfile::draft(&files, Comment::None).unwrap();
        let probes = Probes::new(&map, Some(&pakfile));
        assert_eq!(probes.nearest([-200.0, 0.0, 0.0]), Some(0));
        assert_eq!(probes.nearest([-300.0, 0.0, 0.0]), Some(1));
        assert_eq!(
            probes.names_of(Some(1)),
            ["maps/old_name/c-512_16_64", "maps/old_name/cubemapdefault"]
        );
        assert_eq!(probes.names_of(None), ["maps/old_name/cubemapdefault"]);
        let without = Probes::new(&Map::default(), None);
        assert_eq!(without.nearest([0.0; 3]), None);
        assert_eq!(without.names_of(None), [""; 0]);
    }
}
