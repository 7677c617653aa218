//! CTPT: control points of a model, where effects and turrets are (`*.cpt`).
//!
//! Document: "Parkan: what is settled since", section 3.11. Count, records, then as many names of 32 bytes.

#[cfg(test)]
pub(crate) mod tests;

use serde::{Deserialize, Serialize};

use crate::json;
use crate::registry::NAME_SIZE;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::record::{self, Record};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::{decode_cp1251, fixed_name, until_nul};

const FORMAT: &str = Ctpt::NAME;
/// Type of the entries of archives that are control points.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"CTPT");

/// The control points of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ctpt {
    /// In file order; control data names them by index.
    pub points: Vec<ControlPoint>,
}

/// A control point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlPoint {
    /// Where it is.
    pub place: PointPlace,
    /// See [`ControlPoint::name`].
    #[serde(with = "crate::json::field")]
    pub name_field: [u8; NAME_SIZE],
}

/// Where a control point is (36 bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointPlace {
    /// 0 in all known files.
    #[field("point flags")]
    pub flags: i32,
    /// The node of the model that it is on.
    #[field("node")]
    pub node: i32,
    /// The node that it carries.
    #[field("carried node")]
    pub carried_node: i32,
    /// Where it is on its node.
    #[field("point position")]
    pub position: [f32; 3],
    /// Its direction; the length is a size.
    #[field("point direction")]
    pub direction: [f32; 3],
}

impl Format for Ctpt {
    type Context = ();

    const NAME: &'static str = "ctpt";
    const EXTENSIONS: &'static [&'static str] = &["cpt"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("control points", self.points.len());
        for (idx, point) in self.points.iter().enumerate() {
            report.fact("control point", format!("{idx}: {}", point.summary()));
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Ctpt {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes cut short or left over, or a count that the bytes cannot hold.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_points = r.count("point count", PointPlace::SIZE.saturating_add(NAME_SIZE))?;
        let places: Vec<PointPlace> = (0..n_points)
            .map(|_| PointPlace::read(&mut r, ()))
            .collect::<Result<_, _>>()?;
        let points = places
            .into_iter()
            .map(|place| {
                let name_field = r.array("point name")?;
                Ok(ControlPoint { place, name_field })
            })
            .collect::<Result<_, _>>()?;
        r.finish("after the last name")?;
        Ok(Self { points })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// More points than their count can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { points } = self;
        let mut w = Writer::new(FORMAT);
        w.count("point count", points.len())?;
        let places: Vec<PointPlace> = points.iter().map(|it| it.place).collect();
        w.bytes(&record::encode(FORMAT, &places, ())?);
        points.iter().for_each(|it| w.bytes(&it.name_field));
        Ok(w.finish())
    }

    /// Values that no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let points = || self.points.iter().enumerate();
        let at = |idx: usize| Some(crate::record::record_offset(4, idx, PointPlace::SIZE) as u64);
        let nodeless = points().filter(|(_, point)| point.place.node < 0);
        findings.rule(
            Severity::Warning,
            nodeless.map(|(idx, point)| {
                let node = point.place.node;
                (at(idx), format!("point {idx} is on node {node}"))
            }),
        );
        let flagged = points().filter(|(_, point)| point.place.flags != 0);
        findings.rule(
            Severity::Note,
            flagged.map(|(idx, point)| {
                let flags = point.place.flags;
                (at(idx), format!("point {idx}: flags {flags:#x}"))
            }),
        );
        findings.into_list()
    }

    /// What it is, for a line.
    pub fn summary(&self) -> String {
        let names = self.points.iter().map(|it| decode_cp1251(it.name()));
        let names: Vec<_> = names.collect();
        format!("{}: {}", names.len(), names.join(" "))
    }
}

impl ControlPoint {
    /// A point; `None` if the name is longer than its field or holds a NUL.
    pub fn new(name: &str, node: u32, position: [f32; 3], direction: [f32; 3]) -> Option<Self> {
        Some(Self {
            place: PointPlace {
                flags: 0,
                node: i32::try_from(node).ok()?,
                carried_node: -1,
                position,
                direction,
            },
            name_field: fixed_name(name.as_bytes(), NAME_SIZE)?,
        })
    }

    /// Its name, up to the NUL.
    pub fn name(&self) -> &[u8] {
        until_nul(&self.name_field)
    }

    fn summary(&self) -> String {
        let PointPlace {
            flags: _,
            node,
            carried_node,
            position: [x, y, z],
            direction: [dx, dy, dz],
        } = self.place;
        let carries = match carried_node {
            -1 => String::new(),
            carried => format!(", carries node {carried}"),
        };
        let name = decode_cp1251(self.name());
        format!("{name} on node {node} at {x} {y} {z}, toward {dx} {dy} {dz}{carries}")
    }
}
