//! CTLD: control data of a model: states of motion, channels that pose nodes, devices, and what happens when (`*.ctl`).
//!
//! Document: "Parkan: what is settled since", section 5. Two editions differ in two sizes; the one whose file ends where
//! it should is the right one.
//!
//! Deliberately absent: what any of it does, but for the effects that actions create ([`crate::level_effects`]).

mod check;
mod describe;
mod records;
#[cfg(test)]
pub(crate) mod tests;

pub use self::records::{Action, ChannelRecord, ComponentRecord, Contact, Parameters, StateRecord};

use serde::{Deserialize, Serialize};

use crate::json;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::record::{Record, read_all, write_all};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Ctld::NAME;
/// Type of the entries of archives that are control data.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"CTLD");
/// Groups of actions that the game itself calls.
pub const N_HOOKS: usize = 21;
/// The hook that is called once when the object is loaded.
pub const ON_LOAD: usize = 0;
/// Bytes of a component's counts.
const COMPONENT_COUNTS: usize = 8;

/// The control data of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ctld {
    /// Which sizes the records have.
    pub edition: Edition,
    /// How it moves as a whole.
    pub parameters: Parameters,
    /// How many contacts each state has.
    pub n_contacts: u32,
    /// States of motion.
    pub states: Vec<State>,
    /// What it costs to go from each state to each: rows are destinations.
    pub costs: Vec<f32>,
    /// Values that pose nodes.
    pub channels: Vec<ChannelRecord>,
    /// Devices.
    pub components: Vec<Component>,
    /// Indices of groups, -1 for none.
    pub hooks: [i32; N_HOOKS],
    /// Groups of actions.
    pub groups: Vec<Vec<Action>>,
}

/// Which sizes channels and components have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Edition {
    /// 36 and 176 bytes: Part 1.
    #[default]
    First,
    /// 48 and 180 bytes.
    Later,
}

/// A state of motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Itself.
    pub record: StateRecord,
    /// What is on the ground in it.
    pub contacts: Vec<Contact>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Itself.
    pub record: ComponentRecord,
    /// Channels that it drives.
    pub channels: Vec<i32>,
    /// Label with the byte behind it; empty for none.
    #[serde(with = "crate::json::cp1251")]
    pub label: Vec<u8>,
}

impl Default for Ctld {
    /// Nothing moves and nothing happens.
    fn default() -> Self {
        Self {
            edition: Edition::First,
            parameters: Parameters::default(),
            n_contacts: 0,
            states: Vec::new(),
            costs: Vec::new(),
            channels: Vec::new(),
            components: Vec::new(),
            hooks: [-1; N_HOOKS],
            groups: Vec::new(),
        }
    }
}

impl Format for Ctld {
    type Context = ();

    const NAME: &'static str = "ctld";
    const EXTENSIONS: &'static [&'static str] = &["ctl"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("control data", self.summary());
        describe::describe(self, report);
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Ctld {
    /// Reads the whole payload of an entry, in the edition in which it ends exactly.
    ///
    /// # Errors
    /// Those of the first edition if it is neither: bytes cut short or left over, or a count that they cannot hold.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let first = Self::read_edition(data, Edition::First);
        first.or_else(|error| Self::read_edition(data, Edition::Later).map_err(|_| error))
    }

    fn read_edition(data: &[u8], edition: Edition) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut count = |name| -> Result<_, FormatError> {
            let at = r.clone();
            Ok((at, name, u64::from(r.u32(name)?)))
        };
        let states = count("state count")?;
        let contacts = count("contact count")?;
        let channels = count("channel count")?;
        let components = count("component count")?;
        let groups = count("group count")?;
        let parameters = Parameters::read(&mut r, ())?;
        // What is left must hold them all; an error is one of the count.
        let claim = |r: &Reader<'_>, count: &(Reader<'_>, &'static str, u64), items: u64, size| {
            let (at, name, _) = count;
            let claimed = r.claim(name, items, size);
            claimed.map_err(|error| at.error(*name, error.kind))
        };
        let n_states = claim(&r, &states, states.2, StateRecord::SIZE)?;
        let n_all = (n_states as u64).saturating_mul(contacts.2);
        claim(&r, &contacts, n_all, Contact::SIZE)?;
        let n_contacts = contacts.2 as u32;
        let state_list = (0..n_states)
            .map(|_| {
                let record = StateRecord::read(&mut r, ())?;
                let contacts = read_all(&mut r, "contact", n_contacts as usize, ())?;
                Ok(State { record, contacts })
            })
            .collect::<Result<_, _>>()?;
        let n_costs = (n_states as u64).saturating_mul(n_states as u64);
        let n_costs = claim(&r, &states, n_costs, size_of::<f32>())?;
        let costs = read_all(&mut r, "cost", n_costs, ())?;
        let size = <ChannelRecord as Record>::size(edition);
        let n_channels = claim(&r, &channels, channels.2, size)?;
        let channels = read_all(&mut r, "channel", n_channels, edition)?;
        let size = <ComponentRecord as Record>::size(edition).saturating_add(COMPONENT_COUNTS);
        let n_components = claim(&r, &components, components.2, size)?;
        let components = (0..n_components)
            .map(|_| Component::read(&mut r, edition))
            .collect::<Result<_, _>>()?;
        let hooks: Vec<i32> = read_all(&mut r, "hook", N_HOOKS, ())?;
        let n_groups = claim(&r, &groups, groups.2, size_of::<u32>())?;
        let groups = (0..n_groups)
            .map(|_| {
                let n_actions = r.count("action count", Action::SIZE)?;
                read_all(&mut r, "action", n_actions, ())
            })
            .collect::<Result<_, _>>()?;
        r.finish("after the last group")?;
        Ok(Self {
            edition,
            parameters,
            n_contacts,
            states: state_list,
            costs,
            channels,
            components,
            hooks: std::array::from_fn(|idx| hooks.get(idx).copied().unwrap_or(-1)),
            groups,
        })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// More of anything than its count can hold, states with another number of contacts, other costs than one for each
    /// pair of states, or values that the edition has no place for.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            edition,
            parameters,
            n_contacts,
            states,
            costs,
            channels,
            components,
            hooks,
            groups,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count("state count", states.len())?;
        w.u32(*n_contacts);
        w.count("channel count", channels.len())?;
        w.count("component count", components.len())?;
        w.count("group count", groups.len())?;
        parameters.write(&mut w, ())?;
        for State { record, contacts } in states {
            if contacts.len() as u64 != u64::from(*n_contacts) {
                let expected = format!("{n_contacts} for each state");
                return Err(w.unexpected("contact count", expected, contacts.len()));
            }
            record.write(&mut w, ())?;
            write_all(&mut w, "contact", contacts, ())?;
        }
        let n_costs = states.len().saturating_mul(states.len());
        if costs.len() != n_costs {
            return Err(w.unexpected("cost", format!("{n_costs} of them"), costs.len()));
        }
        write_all(&mut w, "cost", costs, ())?;
        for channel in channels {
            channel.require_edition(*edition, &w)?;
            channel.write(&mut w, *edition)?;
        }
        for component in components {
            component.write(&mut w, *edition)?;
        }
        write_all(&mut w, "hook", hooks, ())?;
        for actions in groups {
            w.count("action count", actions.len())?;
            write_all(&mut w, "action", actions, ())?;
        }
        Ok(w.finish())
    }

    /// What it is, for a line.
    pub fn summary(&self) -> String {
        let n_actions: usize = self.groups.iter().map(Vec::len).sum();
        format!(
            "{} states, {} channels, {} components, {n_actions} actions in {} groups",
            self.states.len(),
            self.channels.len(),
            self.components.len(),
            self.groups.len()
        )
    }

    /// The actions of a hook; none if it has no group.
    pub fn hook(&self, hook: usize) -> &[Action] {
        let group = self
            .hooks
            .get(hook)
            .and_then(|it| usize::try_from(*it).ok());
        let group = group.and_then(|it| self.groups.get(it));
        group.map_or(&[], Vec::as_slice)
    }
}

impl ChannelRecord {
    fn require_edition(&self, edition: Edition, w: &Writer) -> Result<(), FormatError> {
        let has_more = self.second_frames != [0.0; 2] || self.blend.to_bits() != 0;
        if edition == Edition::First && has_more {
            return Err(w.unexpected("second frames", "zeros in this edition", "others"));
        }
        Ok(())
    }
}

impl Component {
    fn read(r: &mut Reader<'_>, edition: Edition) -> Result<Self, FormatError> {
        let record = ComponentRecord::read(r, edition)?;
        let n_channels = r.count("driven channel count", size_of::<i32>())?;
        let channels = read_all(r, "driven channel", n_channels, ())?;
        let at_label = r.clone();
        let label_len = r.u32("label length")?;
        let label = match label_len {
            0 => Vec::new(),
            // The byte behind it is not counted.
            _ => {
                let len = u64::from(label_len).saturating_add(1);
                let len = (r.claim("label length", len, 1))
                    .map_err(|error| at_label.error("label length", error.kind))?;
                r.bytes("label", len)?.to_vec()
            }
        };
        Ok(Self {
            record,
            channels,
            label,
        })
    }

    fn write(&self, w: &mut Writer, edition: Edition) -> Result<(), FormatError> {
        let Self {
            record,
            channels,
            label,
        } = self;
        if edition == Edition::First && record.unknown_2c != 0 {
            return Err(w.unexpected("unknown_2c", "0 in this edition", record.unknown_2c));
        }
        if label.len() == 1 {
            return Err(w.unexpected("label length", "a label before its last byte", 0));
        }
        record.write(w, edition)?;
        w.count("driven channel count", channels.len())?;
        write_all(w, "driven channel", channels, ())?;
        w.count("label length", label.len().saturating_sub(1))?;
        w.bytes(label);
        Ok(())
    }
}
