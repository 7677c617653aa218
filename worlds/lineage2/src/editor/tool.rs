//! The tool of the editor with its settings, and what a stroke makes of it.

use crate::edit::{Area, Edit, Fill, LayerChoice};
use ironlands_assets_lineage2::{CELL_SIZE, Nswe};
use ironlands_sim_geodata::GeoPoint;
use ironlands_world_kind::EditField;

/// What a stroke does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Moves ground up.
    Raise,
    /// Moves ground down.
    Lower,
    /// Moves ground to the height of the place where the stroke begins.
    Level,
    /// Moves ground to the mean of that around it.
    Smooth,
    /// Adds a layer above the place.
    AddLayer,
    /// Removes a layer.
    RemoveLayer,
    /// Opens sides.
    Open,
    /// Closes sides.
    Close,
    /// Remembers a rectangle.
    Copy,
    /// Puts down what was copied.
    Paste,
    /// Opens or closes the door that the mouse points at.
    Door,
}

/// What a stroke covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// All within a radius of where the mouse goes.
    Brush,
    /// From where it is pressed to where it is released.
    Rectangle,
    /// Along lines from click to click.
    Path,
    /// Ground that is connected to where the mouse is pressed.
    Fill,
}

/// The last one only where there are doors.
const TOOLS: [(Tool, &str); 11] = [
    (Tool::Raise, "raise"),
    (Tool::Lower, "lower"),
    (Tool::Level, "level"),
    (Tool::Smooth, "smooth"),
    (Tool::AddLayer, "add a layer"),
    (Tool::RemoveLayer, "remove a layer"),
    (Tool::Open, "open sides"),
    (Tool::Close, "close sides"),
    (Tool::Copy, "copy"),
    (Tool::Paste, "paste"),
    (Tool::Door, "doors"),
];

const SHAPES: [(Shape, &str); 4] = [
    (Shape::Brush, "brush"),
    (Shape::Rectangle, "rectangle"),
    (Shape::Path, "path"),
    (Shape::Fill, "fill"),
];

/// The sides of a cell with their labels.
const SIDES: [(Nswe, &str); 4] = [
    (Nswe::NORTH, "north"),
    (Nswe::SOUTH, "south"),
    (Nswe::WEST, "west"),
    (Nswe::EAST, "east"),
];

/// The tool and its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSettings {
    tool: usize,
    shape: usize,
    /// Points.
    radius: i32,
    /// Of a path, points.
    width: i32,
    /// The largest step of a fill, points.
    max_step: i32,
    /// Layers that a fill may have.
    fill_limit: i32,
    /// By how much ground is raised or lowered, points.
    by: i32,
    /// How far over the place ground is leveled to, points.
    over: i32,
    /// How far over the place a layer is added, points.
    layer_over: i32,
    /// In the order of [`SIDES`].
    sides: [bool; 4],
    /// Every layer of a cell is changed, not only that near the place.
    has_all_layers: bool,
    /// How far a layer may be from the height of the place, points.
    reach: i32,
    /// Saving keeps the files that it replaces.
    pub keeps_backup: bool,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            tool: 0,
            shape: 0,
            radius: 64,
            width: 32,
            max_step: 16,
            fill_limit: 100_000,
            by: 8,
            over: 0,
            layer_over: 128,
            sides: [true; 4],
            has_all_layers: false,
            reach: 128,
            keeps_backup: true,
        }
    }
}

impl ToolSettings {
    /// What a stroke does.
    pub fn tool(&self) -> Tool {
        TOOLS.get(self.tool).map_or(Tool::Raise, |(tool, _)| *tool)
    }

    /// What a stroke covers.
    pub fn shape(&self) -> Shape {
        match self.tool() {
            Tool::Copy => Shape::Rectangle,
            Tool::Paste | Tool::Door => Shape::Brush,
            _ => SHAPES
                .get(self.shape)
                .map_or(Shape::Brush, |(shape, _)| *shape),
        }
    }

    /// All that matters to the tool, to be shown and changed.
    pub fn fields(&mut self, has_doors: bool) -> Vec<EditField<'_>> {
        let (tool, shape) = (self.tool(), self.shape());
        let mut fields = vec![EditField::Choice {
            label: "tool",
            names: TOOLS
                .iter()
                .filter(|(tool, _)| has_doors || *tool != Tool::Door)
                .map(|(_, name)| *name)
                .collect(),
            chosen: &mut self.tool,
        }];
        if tool == Tool::Door {
            return fields;
        }
        let number = |label, value, range| EditField::Number {
            label,
            value,
            range,
        };
        if !matches!(tool, Tool::Copy | Tool::Paste) {
            fields.push(EditField::Choice {
                label: "shape",
                names: SHAPES.iter().map(|(_, name)| *name).collect(),
                chosen: &mut self.shape,
            });
            match shape {
                Shape::Brush => fields.push(number("radius", &mut self.radius, 0..=4096)),
                Shape::Path => fields.push(number("width", &mut self.width, 1..=4096)),
                Shape::Rectangle => {}
                Shape::Fill => {
                    fields.push(number("largest step", &mut self.max_step, 0..=4096));
                    fields.push(number("most layers", &mut self.fill_limit, 1..=1_000_000));
                }
            }
        }
        match tool {
            Tool::Raise | Tool::Lower => fields.push(number("by", &mut self.by, 8..=4096)),
            Tool::Level => fields.push(number("over the place", &mut self.over, -4096..=4096)),
            Tool::AddLayer => {
                fields.push(number("over the place", &mut self.layer_over, -4096..=4096));
            }
            _ => {}
        }
        if matches!(tool, Tool::AddLayer | Tool::Open | Tool::Close) {
            let sides = SIDES.iter().zip(&mut self.sides);
            fields.extend(sides.map(|((_, label), is_on)| EditField::Switch { label, is_on }));
        }
        if !matches!(tool, Tool::AddLayer | Tool::Copy | Tool::Paste) && shape != Shape::Fill {
            if !self.has_all_layers {
                fields.push(number("reach up and down", &mut self.reach, 0..=8192));
            }
            fields.push(EditField::Switch {
                label: "all layers",
                is_on: &mut self.has_all_layers,
            });
        }
        fields.push(EditField::Switch {
            label: "keep a backup when saving",
            is_on: &mut self.keeps_backup,
        });
        fields
    }

    /// The cells of a stroke; `None` of one that has not begun.
    pub fn area(&self, stroke: &[GeoPoint]) -> Option<Area> {
        let (first, last) = (stroke.first()?, stroke.last()?);
        let flat = |point: &GeoPoint| (point.x, point.y);
        let points = || stroke.iter().map(flat).collect();
        Some(match self.shape() {
            Shape::Rectangle => Area::Rectangle {
                from: flat(first),
                to: flat(last),
            },
            Shape::Brush if stroke.len() == 1 => Area::Brush {
                center: flat(first),
                radius: self.radius,
            },
            Shape::Brush => Area::Path {
                points: points(),
                width: self.radius * 2,
            },
            Shape::Path => Area::Path {
                points: points(),
                width: self.width,
            },
            Shape::Fill => Area::Fill(Fill {
                from: flat(first),
                z: first.z,
                max_step: self.max_step,
                limit: self.fill_limit.unsigned_abs() as usize,
            }),
        })
    }

    /// How far the mouse goes until a stroke has another point, so that it has no more of them than its shape shows.
    pub fn stride(&self) -> i32 {
        match self.shape() {
            Shape::Brush => (self.radius / 2).max(CELL_SIZE),
            Shape::Rectangle | Shape::Path | Shape::Fill => 0,
        }
    }

    /// Which layers of its cells a stroke changes that begins at a place.
    pub fn layers(&self, place: &GeoPoint) -> LayerChoice {
        match self.has_all_layers {
            true => LayerChoice::All,
            false => LayerChoice::Near {
                z: place.z,
                reach: self.reach,
            },
        }
    }

    /// The edit of a stroke; `None` of one that has not begun, for copying and doors, and for pasting if nothing was copied.
    pub fn edit(&self, stroke: &[GeoPoint], copied: Option<&Area>) -> Option<Edit> {
        let place = stroke.first()?;
        let (area, layers) = (self.area(stroke)?, self.layers(place));
        Some(match self.tool() {
            Tool::Raise => Edit::Raise {
                area,
                layers,
                by: self.by,
            },
            Tool::Lower => Edit::Raise {
                area,
                layers,
                by: -self.by,
            },
            Tool::Level => Edit::Level {
                area,
                layers,
                height: place.z + self.over,
            },
            Tool::Smooth => Edit::Smooth { area, layers },
            Tool::AddLayer => Edit::AddLayer {
                area,
                height: place.z + self.layer_over,
                sides: self.chosen_sides(),
            },
            Tool::RemoveLayer => Edit::RemoveLayer { area, layers },
            Tool::Open => Edit::Open {
                area,
                layers,
                sides: self.chosen_sides(),
            },
            Tool::Close => Edit::Close {
                area,
                layers,
                sides: self.chosen_sides(),
            },
            Tool::Copy | Tool::Door => return None,
            Tool::Paste => Edit::Paste {
                from: copied?.clone(),
                to: (place.x, place.y),
            },
        })
    }

    fn chosen_sides(&self) -> Nswe {
        let chosen = SIDES.iter().zip(self.sides).filter(|(_, is_on)| *is_on);
        chosen.fold(Nswe::empty(), |sides, ((side, _), _)| sides | *side)
    }
}

/// Cells of the rectangle around an area; of a fill that where it begins.
pub fn n_cells_around(area: &Area) -> usize {
    let (points, reach) = match area {
        Area::Rectangle { from, to } => (vec![*from, *to], 0),
        Area::Brush { center, radius } => (vec![*center], *radius),
        Area::Path { points, width } => (points.clone(), width / 2),
        Area::Fill(fill) => (vec![fill.from], 0),
    };
    let side = |of: fn(&(i32, i32)) -> i32| {
        let cells = points.iter().map(|point| of(point).div_euclid(CELL_SIZE));
        let (low, high) = (cells.clone().min().unwrap_or(0), cells.max().unwrap_or(0));
        (high - low + 2 * (reach / CELL_SIZE) + 1) as usize
    };
    side(|it| it.0) * side(|it| it.1)
}

/// Where a rectangle would be after pasting it at a place; `None` if it is no rectangle.
pub fn pasted_area(copied: &Area, place: &GeoPoint) -> Option<Area> {
    let Area::Rectangle { from, to } = copied else {
        return None;
    };
    let along = |from: i32, to: i32| {
        (to.div_euclid(CELL_SIZE) - from.div_euclid(CELL_SIZE)).abs() * CELL_SIZE
    };
    Some(Area::Rectangle {
        from: (place.x, place.y),
        to: (place.x + along(from.0, to.0), place.y + along(from.1, to.1)),
    })
}
