//! Models of entities whose bones sequences move.

use std::sync::Arc;

use ironlands_scene::Affine;

use crate::entities::Entity;
use crate::studio_model::{StudioBone, StudioModel, placed};
use crate::studio_motion::StudioMotion;

/// Beginnings of the classes that stand about and breathe, whatever their keys say.
const ACTORS: [&str; 3] = ["npc_", "monster_", "cycler"];

/// An instance whose bones sequences move.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Index of the instance.
    pub instance: usize,
    /// Index of its entity.
    pub entity: usize,
    /// What moves it.
    pub motion: Arc<StudioMotion>,
    /// What it shows when the level begins.
    pub first: FirstSequence,
}

/// What a model of an entity shows when the level begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSequence {
    /// Number of the sequence.
    pub sequence: usize,
    /// Whether it is played, again and again; else its first frame stands.
    pub plays: bool,
}

impl FirstSequence {
    /// By `DefaultAnim`, by what is named `idle` for those who stand about and for those that choose by chance, else the first
    /// frame of the first sequence.
    pub fn from_entity(entity: &Entity, motion: &StudioMotion) -> Self {
        let class = entity.class().to_ascii_lowercase();
        let named = entity.get("DefaultAnim");
        let named = named.and_then(|name| motion.sequence_named(&name));
        // The cast saturates.
        let numbered = entity.number("sequence").map(|it| it as usize);
        let is_actor = ACTORS.iter().any(|prefix| class.starts_with(prefix));
        let is_random = entity.number("RandomAnimation").is_some_and(|it| it != 0.0);
        let idle = || motion.idle().filter(|_| is_actor || is_random);
        let of_cycler =
            numbered.filter(|it| class.starts_with("cycler") && motion.sequence(*it).is_some());
        let played = named.or(of_cycler).or_else(idle);
        Self {
            sequence: played.unwrap_or(0),
            plays: played.is_some(),
        }
    }
}

/// Whether scenes can hold the bones of a model.
pub(super) fn has_sound_bones(studio: &StudioModel) -> bool {
    let mut bones = studio.bones.iter();
    let is_finite =
        |it: &StudioBone| it.parent_from_bone.is_finite() && it.bone_from_model.is_finite();
    !studio.bones.is_empty() && bones.all(is_finite)
}

/// Where the bones of a model are below their parents at the first frame of a sequence; none if it cannot be decoded, or they
/// are at no place.
pub(super) fn first_pose(motion: &StudioMotion, first: FirstSequence) -> Vec<Affine> {
    // What cannot be decoded is a finding of the motion.
    let poses = motion.local_pose(first.sequence, 0.0).unwrap_or_default();
    let places: Vec<Affine> = (poses.iter())
        .map(|it| placed(it.rotation, it.position))
        .collect();
    match places.iter().all(Affine::is_finite) {
        true => places,
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::{Entities, EntitySyntax};
    use crate::mdl::Mdl;
    use crate::studio_model::sample::sample;
    use crate::studio_model::{DraftBone, DraftSequence, StudioDraft};

    fn first(class: &str, keys: &str) -> (usize, bool) {
        let sequence = |name: &str, activity: &str| DraftSequence {
            name: name.to_owned(),
            activity: activity.to_owned(),
            fps: 10.0,
            loops: true,
            frames: vec![vec![[0.0; 3]], vec![[0.1; 3]]],
            ..DraftSequence::default()
        };
        let draft = StudioDraft {
            bones: vec![DraftBone {
                name: "bone".to_owned(),
                ..DraftBone::default()
            }],
            sequences: vec![
                sequence("rest", ""),
                sequence("turn", ""),
                sequence("stand", "ACT_IDLE"),
            ],
            ..sample()
        };
        let mdl = Mdl::read(&StudioModel::draft(&draft).unwrap().mdl).unwrap();
        let motion = StudioMotion::open("a.mdl", &mdl, &|_| Ok(None));
        let text = format!(r#"{{ "classname" "{class}" {keys} }}"#);
        let entities = Entities::read(text.as_bytes(), EntitySyntax::Plain).unwrap();
        let first = FirstSequence::from_entity(&entities.entities[0], &motion);
        (first.sequence, first.plays)
    }

    #[test]
    fn keys_and_classes_say_what_is_played() {
        assert_eq!(first("prop_dynamic", ""), (0, false));
        assert_eq!(first("prop_dynamic", r#""DefaultAnim" "TURN""#), (1, true));
        assert_eq!(first("prop_dynamic", r#""DefaultAnim" "leap""#), (0, false));
        assert_eq!(first("prop_dynamic", r#""RandomAnimation" "1""#), (2, true));
        assert_eq!(first("NPC_citizen", ""), (2, true));
        assert_eq!(first("cycler", r#""sequence" "1""#), (1, true));
        assert_eq!(first("cycler", r#""sequence" "7""#), (2, true));
        assert_eq!(first("prop_physics", ""), (0, false));
    }
}
