//! Zones of servers as named areas.

use super::xml::{Element, ServerFileError, ServerFileErrorKind, XmlPlace};

/// An area with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerZone {
    /// Its name; where it has none, the comment at its begin, or else its type and id.
    pub name: String,
    /// Its type, which some servers have as the name of the file.
    pub kind: String,
    /// Seen from above.
    pub shape: ZoneShape,
    /// Lowest and highest height, in points.
    pub heights: (i32, i32),
    /// Where its element begins.
    pub place: XmlPlace,
}

/// The shape of a zone, in points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ZoneShape {
    /// Corners in turn.
    Polygon(Vec<(i32, i32)>),
    /// Two opposite corners, the lower numbers first.
    Rectangle((i32, i32), (i32, i32)),
    /// A circle.
    Circle {
        /// x and y.
        center: (i32, i32),
        /// In points.
        radius: i32,
    },
}

impl ServerZone {
    /// A `<zone>` or `<territory>` with corners; `None` for other elements. `file_kind` is the name of the file.
    pub(super) fn from_element(
        element: &Element,
        file_kind: &str,
    ) -> Result<Option<Self>, ServerFileError> {
        let is_zone = |name: &str| element.name.eq_ignore_ascii_case(name);
        let corners = element.children_of("node");
        let corners = corners.map(|node| Ok((node.needed("x")?, node.needed("y")?)));
        let corners: Vec<(i32, i32)> = corners.collect::<Result<_, _>>()?;
        if !(is_zone("zone") || is_zone("territory")) || corners.is_empty() {
            return Ok(None);
        }
        let kind = element.attribute("type").unwrap_or(match is_zone("zone") {
            true => file_kind,
            false => "territory",
        });
        let id = element.attribute("id").map(|id| format!("{kind} {id}"));
        let name = element.attribute("name").map(str::to_owned);
        let named = name.or_else(|| element.comment.clone()).or(id);
        let heights: [i32; 2] = [element.needed("minz")?, element.needed("maxz")?];
        Ok(Some(Self {
            name: named.unwrap_or_else(|| kind.to_owned()),
            kind: kind.to_owned(),
            shape: shape_of(element, corners)?,
            // Some are stored the other way around.
            heights: (heights[0].min(heights[1]), heights[0].max(heights[1])),
            place: element.place,
        }))
    }

    /// Whether a point is in it, its borders included.
    pub fn contains(&self, x: i32, y: i32, z: i32) -> bool {
        (self.heights.0..=self.heights.1).contains(&z) && self.shape.contains(x, y)
    }
}

fn shape_of(element: &Element, corners: Vec<(i32, i32)>) -> Result<ZoneShape, ServerFileError> {
    let count = |expected| {
        element.failed(ServerFileErrorKind::PointCount {
            element: element.name.clone(),
            n_points: corners.len(),
            expected,
        })
    };
    let shape = element.attribute("shape").map(str::to_ascii_lowercase);
    match (shape.as_deref(), &corners[..]) {
        (Some("cuboid"), &[a, b]) => Ok(ZoneShape::Rectangle(
            (a.0.min(b.0), a.1.min(b.1)),
            (a.0.max(b.0), a.1.max(b.1)),
        )),
        (Some("cuboid"), _) => Err(count("2")),
        (Some("cylinder"), &[center]) => Ok(ZoneShape::Circle {
            center,
            radius: element.needed("rad")?,
        }),
        (Some("cylinder"), _) => Err(count("1")),
        (Some("npoly") | None, [_, _, _, ..]) => Ok(ZoneShape::Polygon(corners)),
        (Some("npoly") | None, _) => Err(count("3 or more")),
        (Some(_), _) => Err(element.bad_value("shape", "NPoly, Cuboid or Cylinder")),
    }
}

impl ZoneShape {
    /// Whether a point is in it, its borders included but for those of a polygon to the east and south.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        match self {
            Self::Polygon(corners) => is_in_polygon(corners, (x, y)),
            Self::Rectangle(low, high) => {
                (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y)
            }
            Self::Circle { center, radius } => {
                let distance = |a: i32, b: i32| (i64::from(a) - i64::from(b)).pow(2);
                i128::from(distance(x, center.0)) + i128::from(distance(y, center.1))
                    <= i128::from(*radius).pow(2)
            }
        }
    }

    /// Its corners with the lowest and the highest numbers.
    pub fn bounds(&self) -> ((i32, i32), (i32, i32)) {
        match self {
            Self::Polygon(corners) => {
                let bound = |of: fn(&(i32, i32)) -> i32| {
                    let numbers = || corners.iter().map(of);
                    let low = numbers().min().unwrap_or_default();
                    (low, numbers().max().unwrap_or_default())
                };
                let ((x0, x1), (y0, y1)) = (bound(|it| it.0), bound(|it| it.1));
                ((x0, y0), (x1, y1))
            }
            Self::Rectangle(low, high) => (*low, *high),
            Self::Circle { center, radius } => {
                let (x, y) = *center;
                (
                    (x.saturating_sub(*radius), y.saturating_sub(*radius)),
                    (x.saturating_add(*radius), y.saturating_add(*radius)),
                )
            }
        }
    }
}

/// By the number of edges to the east of a point.
fn is_in_polygon(corners: &[(i32, i32)], (x, y): (i32, i32)) -> bool {
    let Some(&(mut before)) = corners.last() else {
        return false;
    };
    let mut is_inside = false;
    for &at in corners {
        if (before.1 > y) != (at.1 > y) {
            let d = |from: i32, to: i32| i128::from(to) - i128::from(from);
            // Where the edge is at this y, compared without a division.
            let side = d(before.0, x) * d(before.1, at.1) - d(before.0, at.0) * d(before.1, y);
            is_inside ^= (side < 0) == (at.1 > before.1);
        }
        before = at;
    }
    is_inside
}
