//! What materials are made of, by the names of `$surfaceprop`: what steps on them sound like.
//!
//! In: `scripts/surfaceproperties_manifest.txt` and the tables that it lists. Source: Valve's developer wiki, page
//! `Material surface properties`, and the source SDK of 2013.

use std::collections::HashMap;

use ironlands_assets_core::bytes::Finding;

use crate::game_files::GameFiles;
use crate::key_values::Entry;
use crate::sound_scripts::TableReader;

const MANIFEST: &str = "scripts/surfaceproperties_manifest.txt";
/// Has what others lack.
const USUAL: &str = "default";
/// Surfaces take from others, this deep.
const MAX_DEPTH: usize = 8;

/// Surfaces by their names in lower case.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SurfaceProperties(HashMap<String, Entry>);

/// What a step sounds like.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct StepNames {
    /// Names of the sounds of the left and the right foot.
    pub feet: [String; 2],
    /// The letter of its material, which says how loud steps are.
    pub material: char,
}

impl SurfaceProperties {
    /// All tables of a game. What is missing has no surfaces; what cannot be read is a finding.
    pub fn open(files: &GameFiles, findings: &mut Vec<Finding>) -> Self {
        let mut reader = TableReader {
            format: "surface properties",
            files,
            findings,
        };
        let surfaces = reader.listed(MANIFEST, &["scripts/surfaceproperties.txt"]);
        Self::from_entries(surfaces)
    }

    fn from_entries(surfaces: Vec<Entry>) -> Self {
        let named = surfaces.into_iter().map(|it| (it.key.to_lowercase(), it));
        Self(named.collect())
    }

    /// What steps on a surface sound like; on an unknown one as on the usual one.
    pub fn steps(&self, name: &str) -> Option<StepNames> {
        let value = |key: &str| {
            let value = self.value(name, key).or_else(|| self.value(USUAL, key))?;
            Some(value.trim()).filter(|it| !it.is_empty())
        };
        Some(StepNames {
            feet: [
                value("stepleft")?.to_owned(),
                value("stepright")?.to_owned(),
            ],
            material: value("gamematerial")
                .and_then(|it| it.chars().next())
                .unwrap_or_default()
                .to_ascii_uppercase(),
        })
    }

    /// The value of a key, its own or that of the surface that it is based on.
    fn value(&self, name: &str, key: &str) -> Option<&str> {
        let mut surface = self.0.get(&name.trim().to_lowercase())?;
        for _ in 0..MAX_DEPTH {
            if let Some(value) = surface.get(key) {
                return Some(value);
            }
            surface = self.0.get(&surface.get("base")?.trim().to_lowercase())?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_values::{KeyValues, Tolerance};

    #[test]
    fn steps_are_those_of_a_surface_its_base_or_the_usual_one() {
        let text = br#"
            "default" { "stepleft" "Default.StepLeft" "stepright" "Default.StepRight" "gamematerial" "C" }
            "Wood" { "stepleft" "Wood.StepLeft" "stepright" "Wood.StepRight" "gamematerial" "W" }
            "wood_box" { "base" "wood" "gamematerial" "v" }
            "rope" { "base" "rope" "stepleft" "Rope.StepLeft" }
            "silent" { "stepleft" "" "stepright" "" }
        "#;
        let table = KeyValues::read_with("surface properties", text, Tolerance::all()).unwrap();
        let surfaces = SurfaceProperties::from_entries(table.entries);
        let facts = |name: &str| {
            let steps = surfaces.steps(name)?;
            Some((steps.feet.join(" "), steps.material))
        };
        let expected = |feet: &str, material| Some((feet.to_owned(), material));
        let wood = "Wood.StepLeft Wood.StepRight";
        assert_eq!(facts("WOOD"), expected(wood, 'W'));
        assert_eq!(facts("wood_box"), expected(wood, 'V'));
        let usual = "Default.StepLeft Default.StepRight";
        assert_eq!(facts("no such"), expected(usual, 'C'));
        assert_eq!(
            facts("rope"),
            expected("Rope.StepLeft Default.StepRight", 'C')
        );
        assert_eq!(facts("silent"), None);
        assert_eq!(SurfaceProperties::default().steps("wood"), None);
    }
}
