//! NDPR: what becomes of the nodes of a model that are shot at (`*.ndp`).
//!
//! Document: "Parkan: what is settled since", section 3.11. A count, then a record for each node of the model.

#[cfg(test)]
pub(crate) mod tests;

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

use crate::json;
use crate::record::record_offset;
use crate::registry::ObjectRef;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::record::{Record, read_all, write_all};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

const FORMAT: &str = Ndpr::NAME;
/// Type of the entries of archives that are this.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"NDPR");
/// Hit points from here on cannot be shot away.
const INDESTRUCTIBLE: f32 = 1_000_000.0;

/// What the nodes of a model endure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ndpr {
    /// By node.
    pub nodes: Vec<NodeDamage>,
}

/// What a node endures (76 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeDamage {
    /// See [`NodeDamage::flags`].
    #[field("node flags")]
    pub flag_bits: u32,
    /// Damage that it takes to destroy it.
    #[field("hit points")]
    pub hit_points: f32,
    /// Mass for each unit of the volume of the node's box.
    #[field("density")]
    pub density: f32,
    /// How it explodes.
    #[field("explosion")]
    pub explosion: ObjectRef,
}

bitflags! {
    /// What depends on a node; unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct NodeFlags: u32 {
        /// The object is lost with it.
        const VITAL = 1;
        /// It is running gear on the left.
        const LEFT_GEAR = 0x20;
        /// And on the right.
        const RIGHT_GEAR = 0x40;
        const _ = !0;
    }
}

impl Format for Ndpr {
    type Context = ();

    const NAME: &'static str = "ndpr";
    const EXTENSIONS: &'static [&'static str] = &["ndp"];
    const KIND: FileKind = FileKind::Effect;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("nodes", self.nodes.len());
        for (idx, node) in self.nodes.iter().enumerate() {
            report.fact("node", format!("{idx}: {}", node.summary()));
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Ndpr {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes cut short or left over, or a count that the bytes cannot hold.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_nodes = r.count("node count", NodeDamage::SIZE)?;
        let nodes = read_all(&mut r, "node", n_nodes, ())?;
        r.finish("after the last node")?;
        Ok(Self { nodes })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// More nodes than their count can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { nodes } = self;
        let mut w = Writer::new(FORMAT);
        w.count("node count", nodes.len())?;
        write_all(&mut w, "node", nodes, ())?;
        Ok(w.finish())
    }

    /// Values that no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let nodes = || self.nodes.iter().enumerate();
        let at = |idx: usize| Some(record_offset(4, idx, NodeDamage::SIZE) as u64);
        let is_amount = |value: f32| value.is_finite() && value >= 0.0;
        let amiss = nodes().filter(|(_, it)| !is_amount(it.hit_points) || !is_amount(it.density));
        findings.rule(
            Severity::Warning,
            amiss.map(|(idx, it)| {
                let NodeDamage {
                    hit_points,
                    density,
                    ..
                } = it;
                let message = format!("node {idx} has {hit_points} hit points, density {density}");
                (at(idx), message)
            }),
        );
        let half_named = nodes().filter(|(_, it)| {
            it.explosion.archive().is_empty() != it.explosion.resource().is_empty()
        });
        findings.rule(
            Severity::Warning,
            half_named
                .map(|(idx, _)| (at(idx), format!("node {idx}: half a name of an explosion"))),
        );
        findings.into_list()
    }
}

impl NodeDamage {
    /// What depends on it.
    pub const fn flags(&self) -> NodeFlags {
        NodeFlags::from_bits_retain(self.flag_bits)
    }

    /// Whether nothing destroys it.
    pub fn is_indestructible(&self) -> bool {
        self.hit_points >= INDESTRUCTIBLE
    }

    fn summary(&self) -> String {
        let endures = match self.is_indestructible() {
            true => "indestructible".to_owned(),
            false => format!("{} hit points", self.hit_points),
        };
        let vital = match self.flags().contains(NodeFlags::VITAL) {
            true => ", vital",
            false => "",
        };
        let density = self.density;
        let explosion = decode_cp1251(self.explosion.resource());
        format!("{endures}{vital}, density {density}, explodes as {explosion:?}")
    }
}
