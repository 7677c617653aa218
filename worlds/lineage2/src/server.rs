//! Doors, zones and spawn points from the XML files of servers.
//!
//! In: files as the L2J family of servers has them, in the forms of aCis, L2J and L2J Mobius. Out: doors as objects that
//! close the ground, zones as named areas, and points with the lines that they are from. What is no door, zone or point is
//! left out.
//!
//! Deliberately absent: what servers store beside places, and writing.

mod door;
mod door_set;
mod file;
mod layers;
mod place;
mod spawn_check;
mod xml;
mod zone;

pub use door::{Door, DoorOutside};
pub use door_set::{DoorSet, UnknownDoor};
pub use file::{ServerFile, Spawn};
pub use layers::ServerLayers;
pub use place::{NamedPlace, PlaceError, Places};
pub use spawn_check::{SpawnCheck, SpawnProblem};
pub use xml::{ServerFileError, ServerFileErrorKind, XmlPlace};
pub use zone::{ServerZone, ZoneShape};
