//! All that a file of a server has of places.

use super::door::Door;
use super::xml::{Element, ServerFileError, XmlPlace, read_elements};
use super::zone::ServerZone;
use ironlands_sim_geodata::GeoPoint;

/// What a file has, in its order.
#[derive(Debug, Clone, Default)]
pub struct ServerFile {
    /// Doors and walls.
    pub doors: Vec<Door>,
    /// Named areas.
    pub zones: Vec<ServerZone>,
    /// All other elements with a point.
    pub spawns: Vec<Spawn>,
    /// Doors and zones that were left out, as they have no meaning.
    pub problems: Vec<ServerFileError>,
}

/// A point of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawn {
    /// Name of its element.
    pub element: String,
    /// Its name, or else the number of what appears there; may be empty.
    pub name: String,
    /// Where it is.
    pub point: GeoPoint,
    /// Where its element begins.
    pub place: XmlPlace,
}

impl ServerFile {
    /// Reads a file. `name` is that of the file without its ending, which is the type of zones that have none.
    ///
    /// # Errors
    /// If it is no XML. Doors and zones without meaning are listed as problems.
    pub fn read(text: &[u8], name: &str) -> Result<Self, ServerFileError> {
        let mut file = Self::default();
        for element in read_elements(text)? {
            file.add(&element, name);
        }
        Ok(file)
    }

    fn add(&mut self, element: &Element, file_name: &str) {
        if element.name.eq_ignore_ascii_case("door") {
            match Door::from_element(element) {
                Ok(door) => self.doors.extend(door),
                Err(problem) => self.problems.push(problem),
            }
            // Where it stands and its corners are no spawns.
            return;
        }
        match ServerZone::from_element(element, file_name) {
            Ok(zone) => self.zones.extend(zone),
            Err(problem) => self.problems.push(problem),
        }
        if let Some(point) = point_of(element) {
            self.spawns.push(Spawn {
                element: element.name.clone(),
                name: name_of(element).unwrap_or_default().to_owned(),
                point,
                place: element.place,
            });
        }
        for child in &element.children {
            self.add(child, file_name);
        }
    }
}

/// What an element calls what appears at its point.
fn name_of(element: &Element) -> Option<&str> {
    let names = ["name", "npcid", "npc_id", "id"];
    names.iter().find_map(|name| element.attribute(name))
}

/// The point of an element, if it has one: x, y and z, or a pos of at least three numbers.
fn point_of(element: &Element) -> Option<GeoPoint> {
    let axis = |names: [&str; 2]| -> Option<i32> {
        let mut values = names.iter().filter_map(|name| element.attribute(name));
        values.next()?.trim().parse().ok()
    };
    if let Some(pos) = element.attribute("pos") {
        let numbers = pos.split(';').map(|number| number.trim().parse().ok());
        let numbers: Option<Vec<i32>> = numbers.collect();
        if let Some(&[x, y, z, ..]) = numbers.as_deref() {
            return Some(GeoPoint::new(x, y, z));
        }
    }
    Some(GeoPoint::new(
        axis(["x", "locx"])?,
        axis(["y", "locy"])?,
        axis(["z", "locz"])?,
    ))
}
