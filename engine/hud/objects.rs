//! The panel's part about the objects of a level: a list to search, the facts of one, and a way to it.

use crate::camera::Pose;
use crate::sim::world::WorldEntity;
use egui::{CollapsingHeader, Grid, ScrollArea, TextEdit, Ui};
use glam::Vec3;

use super::HudView;
use super::living::{self, InputChoice};
use super::widgets::row;
use crate::objects::LevelObject;
use crate::view_options::ViewOptions;
use crate::words::{tr, tr_with};

/// Height of the list in logical points.
const LIST_HEIGHT: f32 = 160.0;
/// How far from an object one looks at it, for each unit that is flown in a second.
const DISTANCE_PER_SPEED: f32 = 0.6;
/// How far down one looks at it.
const LOOK_DOWN_RAD: f32 = 0.35;

/// What is chosen in the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObjectChoice {
    /// Only objects with this in their class, name or keys are listed.
    pub filter: String,
    /// Index into the level's objects.
    pub selected: Option<usize>,
    /// Where to look from next; taken by the code that moves the eye.
    pub look_from: Option<Pose>,
    /// What is sent to it.
    pub input: InputChoice,
}

/// Lays out the part; nothing where a level has no objects.
pub fn show(ui: &mut Ui, view: &HudView<'_>, options: &mut ViewOptions) {
    let objects = &view.level.objects;
    let choice = &mut options.objects;
    if objects.is_empty() {
        return;
    }
    let n_objects = objects.len().into();
    CollapsingHeader::new(tr_with("{n} objects", &[("n", n_objects)]))
        .id_salt("objects")
        .show(ui, |ui| {
            let filter =
                TextEdit::singleline(&mut choice.filter).hint_text(tr("name, class, model or key"));
            ui.add(filter);
            show_list(ui, objects, choice);
            if let Some(object) = choice.selected.and_then(|index| objects.get(index)) {
                show_object(ui, &object.entity, &mut choice.look_from, view);
                if let (Some(index), Some(living)) =
                    (choice.selected, view.level.world.living_entities())
                {
                    living::show_entity(ui, living, index, &mut choice.input);
                }
            }
        });
}

fn show_list(ui: &mut Ui, objects: &[LevelObject], choice: &mut ObjectChoice) {
    let listed = matching(objects, &choice.filter);
    let row_height = ui.spacing().interact_size.y;
    ScrollArea::vertical()
        .id_salt("object list")
        .max_height(LIST_HEIGHT)
        .auto_shrink([false, true])
        .show_rows(ui, row_height, listed.len(), |ui, rows| {
            for index in listed.get(rows).unwrap_or_default() {
                let WorldEntity { class, name, .. } = &objects[*index].entity;
                let text = match name.as_str() {
                    "" => class.clone(),
                    name => format!("{class}  {name}"),
                };
                let is_selected = choice.selected == Some(*index);
                if ui.selectable_label(is_selected, text).clicked() {
                    choice.selected = (!is_selected).then_some(*index);
                }
            }
        });
}

fn show_object(
    ui: &mut Ui,
    entity: &WorldEntity,
    look_from: &mut Option<Pose>,
    view: &HudView<'_>,
) {
    match entity.position {
        Some(position) if ui.button(tr("fly to it")).clicked() => {
            let distance = view.level.fly_speed() * DISTANCE_PER_SPEED;
            *look_from = Some(looking_at(position, view.eye.pose().yaw_rad, distance));
        }
        Some(_) => {}
        None => {
            ui.weak(tr("it is nowhere in particular"));
        }
    }
    Grid::new("object").num_columns(2).show(ui, |ui| {
        for fact in &entity.facts {
            row(ui, &fact.label, fact.value.clone());
        }
    });
}

/// Indices of the objects that have a text in their class, name, keys or values, whatever its case.
fn matching(objects: &[LevelObject], filter: &str) -> Vec<usize> {
    let filter = filter.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&filter);
    let is_listed = |entity: &WorldEntity| {
        let mut facts = entity.facts.iter();
        has(&entity.class)
            || has(&entity.name)
            || facts.any(|fact| has(&fact.label) || has(&fact.value))
    };
    (0..objects.len())
        .filter(|index| is_listed(&objects[*index].entity))
        .collect()
}

/// A view of a point from some distance above and before it.
fn looking_at(point: Vec3, yaw_rad: f32, distance: f32) -> Pose {
    let from_there = Pose::new(point, yaw_rad, -LOOK_DOWN_RAD);
    Pose {
        position: point - from_there.forward() * distance,
        ..from_there
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::world::Fact;

    use super::*;

    fn object(class: &str, name: &str, key: &str, value: &str) -> LevelObject {
        let entity = WorldEntity {
            class: class.to_owned(),
            name: name.to_owned(),
            position: None,
            facts: vec![Fact {
                label: key.to_owned(),
                value: value.to_owned(),
            }],
        };
        LevelObject {
            entity,
            instance: None,
        }
    }

    #[test]
    fn objects_are_found_by_any_of_their_words() {
        let objects = [
            object("light", "lamp_1", "_light", "255 240 200 300"),
            object("func_door", "", "OnOpen", "lamp_1,TurnOn,,0,-1"),
            object("info_player_start", "", "angles", "0 90 0"),
        ];
        for (filter, expected) in [
            ("", &[0, 1, 2][..]),
            ("LAMP", &[0, 1]),
            (" door ", &[1]),
            ("0 90", &[2]),
            ("onopen", &[1]),
            ("nothing of it", &[]),
        ] {
            assert_eq!(matching(&objects, filter), expected, "{filter:?}");
        }
    }

    #[test]
    fn the_eye_looks_at_what_it_flew_to() {
        let point = Vec3::new(10.0, -20.0, 30.0);
        let pose = looking_at(point, 2.0, 150.0);
        let seen = pose.position + pose.forward() * 150.0;
        assert!(seen.distance(point) < 1e-3, "{seen}");
        assert!(pose.position.z > point.z, "from above");
    }
}
