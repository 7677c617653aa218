//! Doors and walls that close, as servers store them.

use super::xml::{Element, ServerFileError, ServerFileErrorKind, XmlPlace};
use ironlands_sim_geodata::{GeoObject, ObjectKind};
use thiserror::Error;

/// How high a door is that does not say so.
const DEFAULT_HEIGHT: i32 = 150;
/// Half the width of a door whose corners are on one line: with it, the cells that the line passes are covered.
const HALF_WIDTH: f64 = 8.0;

/// A door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Door {
    /// As the server knows it.
    pub id: u32,
    /// As the server calls it; may be empty.
    pub name: String,
    /// The convex outline of its corners, in points.
    pub outline: Vec<(i32, i32)>,
    /// Bottom and top, in points.
    pub heights: (i32, i32),
    /// Doors and walls reach differently far.
    pub kind: ObjectKind,
    /// Whether it is open unless something closes it.
    pub is_open_at_first: bool,
    /// Where its element begins.
    pub place: XmlPlace,
}

/// A door cannot be put on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("door {id} leaves the grid of regions, is longer than one or has no height")]
pub struct DoorOutside {
    /// The door.
    pub id: u32,
}

impl Door {
    /// A `<door>`; `None` if it only names one that is defined elsewhere.
    pub(super) fn from_element(element: &Element) -> Result<Option<Self>, ServerFileError> {
        let Some((corners, bottom)) = corners_of(element)? else {
            return Ok(None);
        };
        if corners.len() < 2 {
            return Err(element.failed(ServerFileErrorKind::PointCount {
                element: element.name.clone(),
                n_points: corners.len(),
                expected: "2 or more",
            }));
        }
        let height = height_of(element)?.unwrap_or(DEFAULT_HEIGHT);
        Ok(Some(Self {
            id: element.needed("id")?,
            name: element.attribute("name").unwrap_or_default().to_owned(),
            outline: outline_of(corners),
            heights: (bottom, bottom.saturating_add(height)),
            kind: match is_wall(element) {
                true => ObjectKind::Wall,
                false => ObjectKind::Door,
            },
            is_open_at_first: is_open(element),
            place: element.place,
        }))
    }

    /// What it does to the ground while it is closed.
    ///
    /// # Errors
    /// If it lies outside of the grid of regions, or is as long as one.
    pub fn object(&self) -> Result<GeoObject, DoorOutside> {
        let (bottom, top) = self.heights;
        let made = i16::try_from(bottom).ok().and_then(|bottom| {
            let top = i16::try_from(top).ok()?;
            GeoObject::from_outline(&self.outline, bottom, top, self.kind)
        });
        made.ok_or(DoorOutside { id: self.id })
    }
}

/// The corners and the bottom of a door, in any of the three forms.
type Corners = (Vec<(i32, i32)>, i32);

fn corners_of(element: &Element) -> Result<Option<Corners>, ServerFileError> {
    // aCis: each corner with its height.
    if let Some(coordinates) = element.child("coordinates") {
        let mut bottom: Option<i32> = None;
        let mut corners = Vec::new();
        for corner in coordinates.children_of("loc") {
            corners.push((corner.needed("x")?, corner.needed("y")?));
            let z = corner.needed("z")?;
            bottom = Some(bottom.map_or(z, |bottom| bottom.min(z)));
        }
        let bottom = bottom.ok_or_else(|| coordinates.missing("loc"))?;
        return Ok(Some((corners, bottom)));
    }
    // L2J Mobius: corners at one height.
    if let Some(nodes) = element.child("nodes") {
        let corners = nodes.children_of("node");
        let corners = corners.map(|node| Ok((node.needed("x")?, node.needed("y")?)));
        let corners = corners.collect::<Result<_, _>>()?;
        return Ok(Some((corners, nodes.needed("nodez")?)));
    }
    // L2J: attributes.
    let mut corners = Vec::new();
    for name in ["node1", "node2", "node3", "node4"] {
        let Some(value) = element.attribute(name) else {
            continue;
        };
        let numbers = value
            .split([',', ';'])
            .map(|number| number.trim().parse().ok());
        let numbers: Option<Vec<i32>> = numbers.collect();
        match numbers.as_deref() {
            Some(&[x, y]) => corners.push((x, y)),
            _ => return Err(element.bad_value(name, "x,y")),
        }
    }
    match corners.is_empty() {
        true => Ok(None),
        false => Ok(Some((corners, element.needed("nodez")?))),
    }
}

fn height_of(element: &Element) -> Result<Option<i32>, ServerFileError> {
    let children = ["stats", "location"].into_iter();
    let children = children.filter_map(|name| element.child(name));
    for part in std::iter::once(element).chain(children) {
        if let Some(height) = part.number("height")? {
            return Ok(Some(height));
        }
    }
    Ok(None)
}

fn is_wall(element: &Element) -> bool {
    let is = |name, value: &str| {
        let parts = [Some(element), element.child("status")];
        let mut values = parts
            .into_iter()
            .flatten()
            .filter_map(|part| part.attribute(name));
        values.any(|it| it.eq_ignore_ascii_case(value))
    };
    is("type", "wall") || is("is_wall", "true") || is("iswall", "true")
}

fn is_open(element: &Element) -> bool {
    let values = [
        element
            .child("openStatus")
            .map(|it| it.attribute("default")),
        element.child("function").map(|it| it.attribute("opened")),
        Some(element.attribute("opened")),
        Some(element.attribute("default_status")),
    ];
    let mut values = values.into_iter().flatten().flatten();
    values.any(|it| it.eq_ignore_ascii_case("open") || it.eq_ignore_ascii_case("true"))
}

/// The convex outline of corners, which servers store in any order; corners on a line are made as wide as a cell.
fn outline_of(corners: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    let outline = convex_outline(corners);
    if outline.len() > 2 {
        return outline;
    }
    let (Some(&(ax, ay)), Some(&(bx, by))) = (outline.first(), outline.last()) else {
        return outline;
    };
    let (dx, dy) = (f64::from(bx) - f64::from(ax), f64::from(by) - f64::from(ay));
    let length = dx.hypot(dy);
    // Along the line and across it.
    let (ux, uy) = match length > 0.0 {
        true => (dx / length * HALF_WIDTH, dy / length * HALF_WIDTH),
        false => (HALF_WIDTH, 0.0),
    };
    let corner = |x: i32, y: i32, along: f64, across: f64| {
        let moved = |at: i32, by: f64| (f64::from(at) + by).round() as i32;
        (
            moved(x, ux * along - uy * across),
            moved(y, uy * along + ux * across),
        )
    };
    // A point is a square; a line keeps its length.
    let along = if length > 0.0 { 0.0 } else { 1.0 };
    vec![
        corner(ax, ay, -along, -1.0),
        corner(bx, by, along, -1.0),
        corner(bx, by, along, 1.0),
        corner(ax, ay, -along, 1.0),
    ]
}

/// Corners of the convex hull, counter-clockwise by x and y; those on its edges are left out.
fn convex_outline(mut points: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let is_left = |a: (i32, i32), b: (i32, i32), c: (i32, i32)| {
        let d = |from: i32, to: i32| i128::from(to) - i128::from(from);
        d(a.0, b.0) * d(a.1, c.1) - d(a.1, b.1) * d(a.0, c.0) > 0
    };
    let half = |points: &mut dyn Iterator<Item = (i32, i32)>| {
        let mut chain: Vec<(i32, i32)> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !is_left(a, b, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        // The last one begins the other half.
        chain.pop();
        chain
    };
    let mut outline = half(&mut points.iter().copied());
    outline.extend(half(&mut points.iter().rev().copied()));
    outline
}
