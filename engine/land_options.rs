//! How land is shown that comes in tiles: the choices that command line, keys and the panel all change.

use crate::renderer::TileView;
use crate::scene::{TileOptions, TileShape, TileTree};
use crate::sim::Ray;

/// Height by which the cut is moved at a press of a key, world units.
const CUT_STEP: f32 = 64.0;

/// What is shown of a level's land.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LandOptions {
    /// What is between steps of different heights.
    pub shape: TileShape,
    /// All else.
    pub view: TileView,
    /// Layers that the land has where it has most of them.
    pub n_layers: u8,
}

/// What keys do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LandCommand {
    /// The next property to color by, or the land's own after the last.
    NextColorBy,
    /// Slopes or plateaus.
    ToggleShape,
    /// Bars along closed sides.
    ToggleSides,
    /// Lines between steps.
    ToggleGrid,
    /// The next layer alone, or all after the last.
    NextLayer,
    /// Moves the height above which all is cut off, up or down.
    MoveCut(i8),
    /// Cuts off nothing.
    Uncut,
}

impl LandOptions {
    /// Obeys a command and returns a text about what is shown now. `eye_z` is where the eye is: a cut begins there.
    pub fn obey(&mut self, command: LandCommand, tree: &TileTree, eye_z: f32) -> String {
        let view = &mut self.view;
        match command {
            LandCommand::NextColorBy => {
                let next = view.color_by.map_or(0, |idx| idx + 1);
                view.color_by = (next < tree.color_by.len()).then_some(next);
                let name = view
                    .color_by
                    .map_or("height", |idx| &*tree.color_by[idx].name);
                format!("the land's color shows: {name}")
            }
            LandCommand::ToggleShape => {
                self.shape = match self.shape {
                    TileShape::Slopes => TileShape::Plateaus,
                    TileShape::Plateaus => TileShape::Slopes,
                };
                format!("the land is shown {}", self.shape_label())
            }
            LandCommand::ToggleSides => {
                view.sides = !view.sides;
                reported("bars along closed sides", view.sides)
            }
            LandCommand::ToggleGrid => {
                view.grid = !view.grid;
                reported("lines between cells and blocks", view.grid)
            }
            LandCommand::NextLayer => {
                let next = view.layer.map_or(0, |layer| layer + 1);
                view.layer = (next < self.n_layers).then_some(next);
                match view.layer {
                    Some(layer) => format!("layer {layer} alone"),
                    None => "all layers".to_owned(),
                }
            }
            LandCommand::MoveCut(steps) => {
                let from = view.hidden_above.unwrap_or(eye_z);
                let z = ((from / CUT_STEP).round() + f32::from(steps)) * CUT_STEP;
                view.hidden_above = Some(z);
                format!("cut off above {z}")
            }
            LandCommand::Uncut => {
                view.hidden_above = None;
                "nothing is cut off".to_owned()
            }
        }
    }

    /// What is made of its tiles.
    pub fn tile_options(&self) -> TileOptions {
        TileOptions {
            shape: self.shape,
            layer: self.view.layer,
        }
    }

    /// The part of a ray from the eye that is not where all is cut off, and how far it goes at most.
    pub fn shown_part(&self, ray: &Ray, reach: f32) -> Option<(Ray, f32)> {
        let below = self.view.hidden_above.map(|z| z - ray.origin.z);
        match below {
            Some(below) if below < 0.0 => (ray.direction.z < 0.0).then(|| {
                let origin = ray.at(below / ray.direction.z);
                (Ray { origin, ..*ray }, reach)
            }),
            Some(below) if ray.direction.z > 0.0 => {
                Some((*ray, reach.min(below / ray.direction.z)))
            }
            _ => Some((*ray, reach)),
        }
    }

    /// The shape in words.
    pub fn shape_label(&self) -> &'static str {
        match self.shape {
            TileShape::Slopes => "with slopes between cells",
            TileShape::Plateaus => "cell by cell, as its files have it",
        }
    }
}

fn reported(what: &str, is_on: bool) -> String {
    match is_on {
        true => what.to_owned(),
        false => format!("no {what}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::{ColorBy, FacetProperty, RampColor};
    use glam::Vec3;

    use super::*;

    fn tree() -> TileTree {
        let color_by = |name: &str| ColorBy {
            legend: Vec::new(),
            name: name.to_owned(),
            property: FacetProperty::Mark,
            colors: vec![[0.0; 4]],
        };
        TileTree {
            corner: [0.0; 2],
            step: 16.0,
            steps_per_tile: 128,
            n_levels: 1,
            z_unit: 1.0,
            z_range: [0.0, 1.0],
            land: Vec::new(),
            ramp: vec![RampColor {
                z: 0.0,
                color: [0.0; 3],
            }],
            color_by: vec![color_by("sides"), color_by("layers")],
        }
    }

    fn plain() -> LandOptions {
        LandOptions {
            shape: TileShape::Slopes,
            view: TileView::default(),
            n_layers: 7,
        }
    }

    #[test]
    fn colors_and_layers_come_around() {
        let (tree, mut options) = (tree(), plain());
        let mut press = |command| {
            options.obey(command, &tree, 0.0);
            (options.view.color_by, options.view.layer)
        };
        let colored_by: Vec<_> = (0..4).map(|_| press(LandCommand::NextColorBy).0).collect();
        assert_eq!(colored_by, [Some(0), Some(1), None, Some(0)]);
        let layers: Vec<_> = (0..9).map(|_| press(LandCommand::NextLayer).1).collect();
        assert_eq!(layers[..2], [Some(0), Some(1)]);
        assert_eq!(layers[6..], [Some(6), None, Some(0)], "seven layers");
    }

    #[test]
    fn what_is_cut_off_is_not_pointed_at() {
        let mut options = plain();
        let part = |options: &LandOptions, z: f32, up: f32| {
            let ray = Ray {
                origin: Vec3::new(5.0, 0.0, z),
                direction: Vec3::new(1.0, 0.0, up),
            };
            let part = options.shown_part(&ray, 1000.0);
            part.map(|(part, reach)| (part.origin.to_array(), reach))
        };
        assert_eq!(part(&options, 50.0, -2.0), Some(([5.0, 0.0, 50.0], 1000.0)));
        options.view.hidden_above = Some(20.0);
        // From above it begins at the cut, from below it ends there.
        assert_eq!(
            part(&options, 50.0, -2.0),
            Some(([20.0, 0.0, 20.0], 1000.0))
        );
        assert_eq!(part(&options, 50.0, 0.0), None);
        assert_eq!(part(&options, 50.0, 2.0), None);
        assert_eq!(part(&options, 10.0, 2.0), Some(([5.0, 0.0, 10.0], 5.0)));
        for down in [0.0, -2.0] {
            assert_eq!(part(&options, 10.0, down), Some(([5.0, 0.0, 10.0], 1000.0)));
        }
    }

    #[test]
    fn a_cut_begins_at_the_eye_and_moves_by_whole_steps() {
        let (tree, mut options) = (tree(), plain());
        let reported = options.obey(LandCommand::MoveCut(-1), &tree, -3010.0);
        assert_eq!(options.view.hidden_above, Some(-3072.0));
        assert_eq!(reported, "cut off above -3072");
        options.obey(LandCommand::MoveCut(1), &tree, 500.0);
        assert_eq!(
            options.view.hidden_above,
            Some(-3008.0),
            "not at the eye again"
        );
        options.obey(LandCommand::Uncut, &tree, 0.0);
        assert_eq!(options.view.hidden_above, None);
    }
}
