//! Type 17: the paths inside a building ("hall way"), which characters take between its doors, lifts and docks.
//!
//! Document: "Parkan: what is settled since", sections 2.5 and 7.4. attr1 places of 20 bytes, then attr2 links of 40. The
//! chunk stays in the archive as it is; this reads it.

use bitflags::bitflags;

use super::{FORMAT, Msh};
use crate::nres::Entry;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::{Record, read_all, write_all};

/// The type of the chunk.
pub const HALL_WAY: u32 = 17;

/// The paths inside a building.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HallWay {
    /// Where paths begin, end and meet.
    pub places: Vec<HallPlace>,
    /// Which of them are joined.
    pub links: Vec<HallLink>,
}

/// A place on paths (20 bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct HallPlace {
    /// In the space of its node.
    #[field("place position")]
    pub position: [f32; 3],
    /// See [`HallPlace::flags`].
    #[field("place flags")]
    pub flag_bits: u32,
    /// The node of the model that it hangs on.
    #[field("place node")]
    pub node: u32,
}

/// Two places that are joined (40 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct HallLink {
    /// From one place to another.
    #[field("link ends")]
    pub ends: [u32; 2],
    /// 0xFFFFFFFF in all known files.
    #[field("unknown_08")]
    pub unknown_08: [u32; 8],
}

bitflags! {
    /// What a place is for; unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct HallFlags: u32 {
        /// A way out.
        const EXIT = 1;
        /// Cargo is taken.
        const LOADING = 8;
        /// Cargo is left.
        const UNLOADING = 0x10;
        /// Who stands here takes the building.
        const CONTROL_POD = 0x40;
        /// New units appear.
        const CREATION = 0x80;
        /// New units appear, too.
        const SECOND_CREATION = 0x800;
        /// Teleports lead here.
        const TELEPORT_OUT = 0x4000;
        const _ = !0;
    }
}

/// Flags with what they are called.
const NAMES: [(HallFlags, &str); 6] = [
    (HallFlags::EXIT, "exits"),
    (HallFlags::LOADING, "loading places"),
    (HallFlags::UNLOADING, "unloading places"),
    (HallFlags::CONTROL_POD, "control pods"),
    (
        HallFlags::CREATION.union(HallFlags::SECOND_CREATION),
        "creation places",
    ),
    (HallFlags::TELEPORT_OUT, "teleport targets"),
];

impl HallPlace {
    /// What it is for.
    pub const fn flags(&self) -> HallFlags {
        HallFlags::from_bits_retain(self.flag_bits)
    }
}

impl HallWay {
    /// Reads the payload of a chunk with these numbers of places and links.
    ///
    /// # Errors
    /// A payload of another size.
    pub fn read(data: &[u8], [n_places, n_links]: [u32; 2]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let of = |count: u32, size: usize| u64::from(count).saturating_mul(size as u64);
        let expected = of(n_places, HallPlace::SIZE).saturating_add(of(n_links, HallLink::SIZE));
        if data.len() as u64 != expected {
            let kind = FormatErrorKind::unexpected(format!("{expected} bytes"), data.len());
            return Err(r.error("hall way", kind));
        }
        let places = read_all(&mut r, "place", n_places as usize, ())?;
        let links = read_all(&mut r, "link", n_links as usize, ())?;
        Ok(Self { places, links })
    }

    /// The payload, and the numbers of places and links that its directory row has.
    ///
    /// # Errors
    /// More than 32 bits can count.
    pub fn write(&self) -> Result<(Vec<u8>, [u32; 2]), FormatError> {
        let Self { places, links } = self;
        let mut w = Writer::new(FORMAT);
        let count = |len: usize| {
            u32::try_from(len).map_err(|_| {
                let limit = u64::from(u32::MAX);
                Writer::new(FORMAT).too_large("hall way", len as u64, limit)
            })
        };
        let counts = [count(places.len())?, count(links.len())?];
        write_all(&mut w, "place", places, ())?;
        write_all(&mut w, "link", links, ())?;
        Ok((w.finish(), counts))
    }

    /// How many there are, for a line.
    pub fn summary(&self) -> String {
        let mut parts = vec![
            format!("{} places", self.places.len()),
            format!("{} links", self.links.len()),
        ];
        for (flags, name) in NAMES {
            let n = (self.places.iter())
                .filter(|it| it.flags().intersects(flags))
                .count();
            if n > 0 {
                parts.push(format!("{n} {name}"));
            }
        }
        parts.join(", ")
    }

    /// What leads nowhere: places on nodes beyond `n_nodes`, links of places that are not there.
    pub fn problems(&self, n_nodes: usize) -> Vec<String> {
        let mut problems = Vec::new();
        for (idx, place) in self.places.iter().enumerate() {
            if place.node as usize >= n_nodes {
                let node = place.node;
                problems.push(format!("place {idx} hangs on node {node} of {n_nodes}"));
            }
        }
        let n_places = self.places.len();
        for (idx, link) in self.links.iter().enumerate() {
            if let Some(end) = link.ends.into_iter().find(|it| *it as usize >= n_places) {
                problems.push(format!("link {idx} names place {end} of {n_places}"));
            }
        }
        problems
    }
}

impl Msh {
    /// The paths inside; `None` for a model that has none, or a chunk of another size than its row says.
    pub fn hall_way(&self) -> Option<HallWay> {
        let index = self.container.find_type(HALL_WAY)?;
        let entry = self.container.entries.get(index)?;
        let hall_way = HallWay::read(&entry.data, [entry.attr1, entry.attr2]).ok();
        hall_way.filter(|it| !it.places.is_empty())
    }

    /// Puts paths inside, in place of those that it has; the chunk is called as the first one is.
    ///
    /// # Errors
    /// More than 32 bits can count.
    pub fn set_hall_way(&mut self, hall_way: &HallWay) -> Result<(), FormatError> {
        let (data, [n_places, n_links]) = hall_way.write()?;
        let name = self
            .container
            .entries
            .first()
            .map(|it| it.name_text().into_owned());
        let name = name.unwrap_or_default();
        let entry = Entry::new(HALL_WAY, n_places, n_links, 0, &name, data)?;
        let index = self.container.find_type(HALL_WAY);
        let entries = &mut self.container.entries;
        match index.and_then(|index| entries.get_mut(index)) {
            Some(old) => *old = entry,
            None => entries.push(entry),
        }
        Ok(())
    }

    /// The names of type 9, one of 32 bytes for each node, up to the NUL; none for a chunk of another size.
    pub fn long_node_names(&self) -> Vec<&[u8]> {
        const SIZE: usize = 32;
        let index = self.container.find_type(9);
        let entry = index.and_then(|it| self.container.entries.get(it));
        let data = entry.map_or(&[][..], |entry| &entry.data);
        let (names, rest) = data.as_chunks::<SIZE>();
        let is_table = rest.is_empty() && names.len() == self.nodes.len();
        let names = names.iter().filter(|_| is_table);
        names
            .map(|name| ironlands_assets_core::text::until_nul(name))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::msh::{DraftKey, DraftNode, ModelDraft};
    use ironlands_assets_proof::hex;

    fn two_places() -> HallWay {
        HallWay {
            places: vec![
                HallPlace {
                    position: [1.0, 2.0, 3.0],
                    flag_bits: 1,
                    node: 0,
                },
                HallPlace {
                    position: [0.0, 0.0, -1.0],
                    flag_bits: 0x848,
                    node: 2,
                },
            ],
            links: vec![HallLink {
                ends: [0, 1],
                unknown_08: [u32::MAX; 8],
            }],
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = hex("\
            00 00 80 3F 00 00 00 40 00 00 40 40 01 00 00 00 00 00 00 00 \
            00 00 00 00 00 00 00 00 00 00 80 BF 48 08 00 00 02 00 00 00 \
            00 00 00 00 01 00 00 00");
        bytes.extend([0xFF; 32]);
        bytes
    }

    #[test]
    fn places_come_before_links_and_the_row_counts_both() {
        assert_eq!(HallWay::read(&bytes(), [2, 1]), Ok(two_places()));
        assert_eq!(two_places().write(), Ok((bytes(), [2, 1])));
        for counts in [[2, 0], [1, 1], [u32::MAX, u32::MAX]] {
            let error = HallWay::read(&bytes(), counts).unwrap_err();
            assert_eq!((&*error.field, error.offset), ("hall way", 0));
        }
    }

    #[test]
    fn places_say_what_they_are_for() {
        let expected =
            "2 places, 1 links, 1 exits, 1 loading places, 1 control pods, 1 creation places";
        assert_eq!(two_places().summary(), expected);
    }

    #[test]
    fn a_model_gets_paths_and_then_others() {
        let draft = ModelDraft {
            name: b"HALL".to_vec(),
            nodes: vec![DraftNode {
                keys: vec![DraftKey {
                    time: 0.0,
                    position: [0.0; 3],
                    rotation: [1.0, 0.0, 0.0, 0.0],
                }],
                ..DraftNode::default()
            }],
        };
        let mut msh = draft.build().unwrap();
        assert_eq!(msh.hall_way(), None);
        let mut paths = two_places();
        for _ in 0..2 {
            msh.set_hall_way(&paths).unwrap();
            let again = Msh::read(&msh.write().unwrap()).unwrap();
            assert_eq!(again.hall_way().as_ref(), Some(&paths));
            let of_type = again.container.entries.iter();
            let of_type: Vec<_> = of_type.filter(|it| it.type_id == HALL_WAY).collect();
            assert_eq!(of_type.len(), 1);
            paths.places.pop();
        }
    }

    #[test]
    fn what_leads_nowhere_is_named() {
        assert_eq!(two_places().problems(3), [""; 0]);
        let mut broken = two_places();
        broken.links[0].ends[1] = 2;
        assert_eq!(
            broken.problems(2),
            ["place 1 hangs on node 2 of 2", "link 0 names place 2 of 2"]
        );
    }
}
