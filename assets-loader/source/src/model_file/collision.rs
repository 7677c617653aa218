//! What a model collides with, beside its picture: the hulls of `NAME.phy` as an overlay.

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_scene::{Affine, LegendEntry, Overlay};

use crate::collision::Shape;
use crate::key_values::{KeyValues, Tolerance};
use crate::level_scene::add_hull;
use crate::phy::Phy;
use crate::studio_model::{StudioBone, bones_at_rest};

const FORMAT: &str = "phy";
const COLOR: [u8; 3] = [70, 220, 220];

/// The hulls of a model at rest. Solids of a model that has several are where their bones are, whose names the text says;
/// a single one is where the model is.
pub fn overlay(phy: &Phy, bones: &[StudioBone], findings: &mut Vec<Finding>) -> Overlay {
    let mut layer = Overlay {
        name: "collision".to_owned(),
        ..Overlay::default()
    };
    let [r, g, b] = COLOR;
    for (number, shape) in phy.shapes().enumerate() {
        let place = match phy.solids.len() {
            1 => Affine::IDENTITY,
            _ => place_of(phy, number, bones),
        };
        match shape {
            Ok(Shape::Hulls(hulls)) => {
                for hull in &hulls {
                    add_hull(hull, &place, [r, g, b, 255], &mut layer);
                }
            }
            Ok(Shape::Terrain) => {}
            Err(error) => {
                let message = format!("solid {number} is not shown: {error}");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
    }
    layer.with_legend([LegendEntry::new(COLOR, "hull of the physics")])
}

/// Where the bone of a solid is at rest; where the model is if the text names none that there is.
fn place_of(phy: &Phy, number: usize, bones: &[StudioBone]) -> Affine {
    let text = KeyValues::read_with(FORMAT, &phy.text, Tolerance::all()).unwrap_or_default();
    let solid = text.entries.iter().find(|entry| {
        let index = entry.get("index").and_then(|index| index.parse().ok());
        entry.is("solid") && index == Some(number)
    });
    let name = solid.and_then(|solid| solid.get("name"));
    let bone = name.and_then(|name| {
        let is_named = |bone: &StudioBone| bone.name.eq_ignore_ascii_case(name);
        bones.iter().position(is_named)
    });
    let place = bone.and_then(|bone| bones_at_rest(bones).get(bone).copied());
    place.unwrap_or(Affine::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::sample::tetrahedron;

    fn bone(name: &str, parent: Option<usize>, x: f32) -> StudioBone {
        let mut parent_from_bone = Affine::IDENTITY;
        parent_from_bone.0[0][3] = x;
        StudioBone {
            name: name.to_owned(),
            parent,
            parent_from_bone,
            ..StudioBone::default()
        }
    }

    /// The smallest x of all lines of each solid.
    fn left_ends(phy: &Phy) -> Vec<f32> {
        let bones = [bone("root", None, 100.0), bone("Arm", Some(0), 20.0)];
        let mut findings = Vec::new();
        let layer = overlay(phy, &bones, &mut findings);
        assert_eq!(findings, []);
        let per_solid = layer.lines.len() / phy.solids.len();
        let left = |lines: &[ironlands_scene::OverlayVertex]| {
            lines
                .iter()
                .map(|it| it.position[0])
                .fold(f32::MAX, f32::min)
        };
        layer.lines.chunks(per_solid).map(left).collect()
    }

    #[test]
    fn several_solids_are_where_their_bones_are_and_one_is_where_the_model_is() {
        let text = br#"solid { "index" "0" "name" "root" } solid { "index" "1" "name" "arm" }"#;
        let two = Phy {
            solids: vec![tetrahedron(0x100); 2],
            text: [text, &[0][..]].concat(),
            ..Phy::default()
        };
        assert_eq!(left_ends(&two), [100.0, 120.0]);
        let one = Phy {
            solids: vec![tetrahedron(0x101)],
            ..two
        };
        assert_eq!(left_ends(&one), [0.0]);
    }

    #[test]
    fn a_solid_that_cannot_be_read_is_a_finding() {
        let phy = Phy {
            solids: vec![b"VPHX".to_vec()],
            ..Phy::default()
        };
        let mut findings = Vec::new();
        assert_eq!(overlay(&phy, &[], &mut findings).lines, []);
        assert_eq!(findings.len(), 1);
    }
}
