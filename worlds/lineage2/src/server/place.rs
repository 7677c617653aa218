//! Places with names: of zones, and of text files.

use super::zone::ServerZone;
use ironlands_sim_geodata::GeoPoint;
use thiserror::Error;

/// A place with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPlace {
    /// Its name.
    pub name: String,
    /// Where one may stand.
    pub point: GeoPoint,
}

/// Named places and areas.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// In the order in which they were added.
    pub places: Vec<NamedPlace>,
    zones: Vec<ServerZone>,
}

/// A line of a file of places has another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("line {line}: expected x, y, z and a name, separated by spaces, commas or tabs")]
pub struct PlaceError {
    /// From 1.
    pub line: usize,
}

impl Places {
    /// Adds the lines of a text: x, y, z and a name each. Empty lines and those that begin with `#` are left out.
    ///
    /// # Errors
    /// If a line has another form; those before it are added.
    pub fn add_text(&mut self, text: &str) -> Result<(), PlaceError> {
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            self.places
                .push(read_place(text).ok_or(PlaceError { line })?);
        }
        Ok(())
    }

    /// Adds a zone, and its middle as a place.
    pub fn add_zone(&mut self, zone: ServerZone) {
        let (low, high) = zone.shape.bounds();
        let middle = |a: i32, b: i32| i32::midpoint(a, b);
        let (x, y) = inside_point(&zone, (middle(low.0, high.0), middle(low.1, high.1)));
        let z = middle(zone.heights.0, zone.heights.1);
        self.places.push(NamedPlace {
            name: zone.name.clone(),
            point: GeoPoint::new(x, y, z),
        });
        self.zones.push(zone);
    }

    /// The name of where a point is: the smallest zone that holds it, or else the nearest place within a distance in
    /// points, seen from above.
    pub fn name_of(&self, point: GeoPoint, within: i32) -> Option<&str> {
        let GeoPoint { x, y, z } = point;
        let holding = self.zones.iter().filter(|zone| zone.contains(x, y, z));
        let size = |zone: &&ServerZone| {
            let (low, high) = zone.shape.bounds();
            let side = |low: i32, high: i32| i128::from(high) - i128::from(low);
            side(low.0, high.0) * side(low.1, high.1)
        };
        if let Some(zone) = holding.min_by_key(size) {
            return Some(&zone.name);
        }
        let distance = |place: &&NamedPlace| {
            let d = |a: i32, b: i32| (i64::from(a) - i64::from(b)).unsigned_abs();
            u128::from(d(place.point.x, x)).pow(2) + u128::from(d(place.point.y, y)).pow(2)
        };
        let nearest = self.places.iter().min_by_key(distance)?;
        let is_near = distance(&nearest) <= u128::from(within.unsigned_abs()).pow(2);
        is_near.then_some(&*nearest.name)
    }
}

fn read_place(text: &str) -> Option<NamedPlace> {
    let is_between = |it: char| it == ',' || it == ';' || it.is_whitespace();
    let mut rest = text;
    let mut numbers = [0; 3];
    for number in &mut numbers {
        let (first, after) = rest.split_once(is_between)?;
        *number = first.parse().ok()?;
        rest = after.trim_start_matches(is_between);
    }
    let name = rest.trim();
    let [x, y, z] = numbers;
    (!name.is_empty()).then(|| NamedPlace {
        name: name.to_owned(),
        point: GeoPoint::new(x, y, z),
    })
}

/// A point of a zone: a wanted one if it is inside, else the middle of the first part of a row through it.
fn inside_point(zone: &ServerZone, (x, y): (i32, i32)) -> (i32, i32) {
    if zone.shape.contains(x, y) {
        return (x, y);
    }
    let (low, high) = zone.shape.bounds();
    // Of an area that its middle is not in, a part of the middle row is inside.
    let step = (high.0.saturating_sub(low.0) / 256).max(1);
    let row = || (low.0..high.0).step_by(step.unsigned_abs() as usize);
    let Some(first) = row().find(|x| zone.shape.contains(*x, y)) else {
        return (x, y);
    };
    let inside = row().filter(|x| *x >= first);
    let last = inside.take_while(|x| zone.shape.contains(*x, y)).last();
    (i32::midpoint(first, last.unwrap_or(first)), y)
}
