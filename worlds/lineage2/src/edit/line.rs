//! A line of JSON as an edit.

use super::area::Area;
use super::fill::Fill;
use super::operation::{Edit, LayerChoice};
use ironlands_assets_lineage2::Nswe;
use serde::Deserialize;
use thiserror::Error;

/// How far a layer may be from the height that chooses it, unless a line says otherwise.
const DEFAULT_REACH: i32 = 48;
/// The largest step between neighbors of a fill, unless a line says otherwise: a slope of 45 degrees.
const DEFAULT_STEP: i32 = 16;
/// Layers that a fill may have, unless a line says otherwise.
const DEFAULT_LIMIT: usize = 100_000;

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditLine {
    /// An edit.
    Edit(Edit),
    /// Takes the last one back.
    Undo,
    /// Makes it again.
    Redo,
}

/// Why a line is no edit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct EditLineError {
    /// What is wrong with it.
    pub what: String,
    /// Where the text is no JSON of an edit.
    pub column: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the member \"edit\"")]
struct Line {
    edit: Kind,
    rectangle: Option<[i32; 4]>,
    brush: Option<[i32; 2]>,
    radius: Option<i32>,
    path: Option<Vec<[i32; 2]>>,
    width: Option<i32>,
    fill: Option<[i32; 3]>,
    step: Option<i32>,
    limit: Option<usize>,
    z: Option<i32>,
    reach: Option<i32>,
    by: Option<i32>,
    height: Option<i32>,
    sides: Option<String>,
    to: Option<[i32; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Raise,
    Lower,
    Level,
    Smooth,
    AddLayer,
    RemoveLayer,
    Open,
    Close,
    Paste,
    Undo,
    Redo,
}

impl EditLine {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is no JSON object, or lacks a member or has one that its edit does not take.
    pub fn read(text: &[u8]) -> Result<Self, EditLineError> {
        let line: Line = serde_json::from_slice(text).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let what = error.to_string();
            EditLineError {
                what: what.strip_suffix(&place).unwrap_or(&what).to_owned(),
                column: Some(error.column()),
            }
        })?;
        line.read()
            .map_err(|what| EditLineError { what, column: None })
    }
}

impl Line {
    fn read(self) -> Result<EditLine, String> {
        self.refuse_unused()?;
        let layers = match self.z {
            Some(z) => LayerChoice::Near {
                z,
                reach: self.reach.unwrap_or(DEFAULT_REACH),
            },
            None => LayerChoice::All,
        };
        let by = || self.by.ok_or("\"by\" is missing");
        let height = || self.height.ok_or("\"height\" is missing");
        let sides = || self.sides.as_deref().ok_or("\"sides\" is missing");
        let area = match self.edit {
            Kind::Undo => return Ok(EditLine::Undo),
            Kind::Redo => return Ok(EditLine::Redo),
            _ => self.area()?,
        };
        Ok(EditLine::Edit(match self.edit {
            Kind::Raise => Edit::Raise {
                area,
                layers,
                by: by()?,
            },
            Kind::Lower => Edit::Raise {
                area,
                layers,
                by: by()?.saturating_neg(),
            },
            Kind::Level => Edit::Level {
                area,
                layers,
                height: height()?,
            },
            Kind::Smooth => Edit::Smooth { area, layers },
            Kind::AddLayer => Edit::AddLayer {
                area,
                height: height()?,
                sides: match &self.sides {
                    Some(sides) => sides_of(sides)?,
                    None => Nswe::ALL_SIDES,
                },
            },
            Kind::RemoveLayer => Edit::RemoveLayer { area, layers },
            Kind::Open => Edit::Open {
                area,
                layers,
                sides: sides_of(sides()?)?,
            },
            Kind::Close => Edit::Close {
                area,
                layers,
                sides: sides_of(sides()?)?,
            },
            Kind::Paste | Kind::Undo | Kind::Redo => {
                let [x, y] = self.to.ok_or("\"to\" is missing")?;
                Edit::Paste {
                    from: area,
                    to: (x, y),
                }
            }
        }))
    }

    fn area(&self) -> Result<Area, String> {
        match (&self.rectangle, self.brush, &self.path, self.fill) {
            (Some([ax, ay, bx, by]), None, None, None) => Ok(Area::Rectangle {
                from: (*ax, *ay),
                to: (*bx, *by),
            }),
            (None, Some([x, y]), None, None) => Ok(Area::Brush {
                center: (x, y),
                radius: self.radius.ok_or("\"radius\" is missing")?,
            }),
            (None, None, Some(points), None) if !points.is_empty() => Ok(Area::Path {
                points: points.iter().map(|[x, y]| (*x, *y)).collect(),
                width: self.width.ok_or("\"width\" is missing")?,
            }),
            (None, None, None, Some([x, y, z])) => Ok(Area::Fill(Fill {
                from: (x, y),
                z,
                max_step: self.step.unwrap_or(DEFAULT_STEP),
                limit: self.limit.unwrap_or(DEFAULT_LIMIT),
            })),
            _ => Err("expected one of \"rectangle\", \"brush\", \"path\" and \"fill\"".to_owned()),
        }
    }

    fn refuse_unused(&self) -> Result<(), String> {
        let used: &[&str] = match self.edit {
            Kind::Raise | Kind::Lower => &["by", "z", "reach"],
            Kind::Level => &["height", "z", "reach"],
            Kind::Smooth | Kind::RemoveLayer => &["z", "reach"],
            Kind::AddLayer => &["height", "sides"],
            Kind::Open | Kind::Close => &["sides", "z", "reach"],
            Kind::Paste => &["to"],
            Kind::Undo | Kind::Redo => &[],
        };
        // Members that go with one kind of area.
        let of_area: &[&str] = match (self.brush, &self.path, self.fill) {
            (Some(_), _, _) => &["radius"],
            (_, Some(_), _) => &["width"],
            (_, _, Some(_)) => &["step", "limit"],
            (None, None, None) => &[],
        };
        let members = [
            ("z", self.z.is_some()),
            ("reach", self.reach.is_some()),
            ("by", self.by.is_some()),
            ("height", self.height.is_some()),
            ("sides", self.sides.is_some()),
            ("to", self.to.is_some()),
            ("radius", self.radius.is_some()),
            ("width", self.width.is_some()),
            ("step", self.step.is_some()),
            ("limit", self.limit.is_some()),
        ];
        // A fill chooses layers itself.
        let is_fill = self.fill.is_some();
        let is_chosen = |name: &str| is_fill && matches!(name, "z" | "reach");
        let is_used =
            |name: &str| of_area.contains(&name) || used.contains(&name) && !is_chosen(name);
        let mut unused = members
            .iter()
            .filter(|(name, is_there)| *is_there && !is_used(name));
        match unused.next() {
            Some((name, _)) => Err(format!("this edit does not take \"{name}\"")),
            None => Ok(()),
        }
    }
}

/// Sides by their letters.
fn sides_of(letters: &str) -> Result<Nswe, String> {
    let mut sides = Nswe::empty();
    for letter in letters.chars() {
        sides |= match letter {
            'N' => Nswe::NORTH,
            'S' => Nswe::SOUTH,
            'W' => Nswe::WEST,
            'E' => Nswe::EAST,
            _ => return Err(format!("\"{letters}\" has letters that are none of NSWE")),
        };
    }
    Ok(sides)
}
