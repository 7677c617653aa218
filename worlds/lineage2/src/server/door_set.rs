//! Doors that open and close on loaded geodata.

use super::door::{Door, DoorOutside};
use ironlands_assets_lineage2::RegionId;
use ironlands_sim_geodata::{GeoObject, Geodata};
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// The number of the first object that is a door: other objects have smaller ones.
const FIRST_OBJECT: u64 = 1 << 32;

/// All doors of a server, each open or closed.
#[derive(Debug, Clone, Default)]
pub struct DoorSet {
    doors: BTreeMap<u32, DoorState>,
}

#[derive(Debug, Clone)]
struct DoorState {
    door: Door,
    object: Arc<GeoObject>,
    is_open: bool,
}

/// No door has an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no door has the id {0}")]
pub struct UnknownDoor(pub u32);

impl DoorSet {
    /// Doors as they are at first; of two with an id the later one. Also those that cannot be put on the ground.
    pub fn new(doors: impl IntoIterator<Item = Door>) -> (Self, Vec<DoorOutside>) {
        let (mut set, mut outside) = (Self::default(), Vec::new());
        for door in doors {
            match door.object() {
                Ok(object) => {
                    let state = DoorState {
                        is_open: door.is_open_at_first,
                        object: Arc::new(object),
                        door,
                    };
                    set.doors.insert(state.door.id, state);
                }
                Err(error) => outside.push(error),
            }
        }
        (set, outside)
    }

    /// All doors by their ids, and whether each is open.
    pub fn doors(&self) -> impl ExactSizeIterator<Item = (&Door, bool)> {
        let states = self.doors.values();
        states.map(|state| (&state.door, state.is_open))
    }

    /// Opens or closes a door. [`apply`](Self::apply) puts it on geodata.
    ///
    /// # Errors
    /// If no door has the id.
    pub fn set_open(&mut self, id: u32, is_open: bool) -> Result<(), UnknownDoor> {
        let state = self.doors.get_mut(&id).ok_or(UnknownDoor(id))?;
        state.is_open = is_open;
        Ok(())
    }

    /// The blocks that a door stands on, by their region and number; none of a door that is not there.
    pub fn blocks(&self, id: u32) -> Vec<(RegionId, u16)> {
        let state = self.doors.get(&id);
        let regions = state.map(|state| state.object.blocks());
        let of_region = |(region, blocks): (RegionId, Vec<u16>)| {
            blocks.into_iter().map(move |index| (region, index))
        };
        regions.into_iter().flatten().flat_map(of_region).collect()
    }

    /// Opens or closes all.
    pub fn set_all_open(&mut self, is_open: bool) {
        for state in self.doors.values_mut() {
            state.is_open = is_open;
        }
    }

    /// The same geodata with the doors that are closed, and without those that are open.
    #[must_use]
    pub fn apply(&self, geodata: &Geodata) -> Geodata {
        let apply = |geodata: Geodata, (id, state): (&u32, &DoorState)| state.apply(*id, &geodata);
        self.doors.iter().fold(geodata.clone(), apply)
    }

    /// The same geodata with one door as it is now.
    ///
    /// # Errors
    /// If no door has the id.
    pub fn apply_one(&self, geodata: &Geodata, id: u32) -> Result<Geodata, UnknownDoor> {
        let state = self.doors.get(&id).ok_or(UnknownDoor(id))?;
        Ok(state.apply(id, geodata))
    }
}

impl DoorState {
    fn apply(&self, id: u32, geodata: &Geodata) -> Geodata {
        let object = FIRST_OBJECT + u64::from(id);
        match self.is_open {
            true => geodata.without_object(object),
            false => geodata.with_object(object, &self.object),
        }
    }
}
