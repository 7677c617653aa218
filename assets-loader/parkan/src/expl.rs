//! EXPL: an explosion: what it damages, and which effects it has by what it strikes (`*.exp`).
//!
//! Document: "Parkan: what is settled since", section 3.10. One record of 792 bytes.

#[cfg(test)]
pub(crate) mod tests;

use serde::{Deserialize, Serialize};

use crate::json;
use crate::registry::ObjectRef;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::record::{Record, read_all, write_all};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

const FORMAT: &str = Expl::NAME;
/// Type of the entries of archives that are explosions.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"EXPL");
/// Effects of an explosion: the usual one, then one for each surface class.
pub const N_EFFECTS: usize = 12;
/// What surfaces are, by class.
const SURFACES: [&str; N_EFFECTS - 1] = [
    "snow", "stone", "grass", "class 3", "ice", "metal", "leaves", "water", "teleport", "animal",
    "shield",
];

/// An explosion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expl {
    /// What it does.
    pub head: ExplosionHead,
    /// The usual effect, then one for each surface class; without a name it is the usual one.
    pub effects: [ObjectRef; N_EFFECTS],
}

/// What an explosion does (24 bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplosionHead {
    /// 1 nothing, 2 damages one node, 3 all that is near.
    #[field("explosion kind")]
    pub kind: i32,
    /// Damage in its middle.
    #[field("damage")]
    pub damage: f32,
    /// How far it reaches, and how large its effect is.
    #[field("radius")]
    pub radius: f32,
    /// 1 in all known files.
    #[field("unknown_0c")]
    pub unknown_0c: [f32; 2],
    /// Where the effect's axis comes from; 7 is the struck face.
    #[field("placement")]
    pub placement: i32,
}

impl Format for Expl {
    type Context = ();

    const NAME: &'static str = "expl";
    const EXTENSIONS: &'static [&'static str] = &["exp"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("explosion", self.summary());
        for (idx, effect) in self.named() {
            let surface = idx.checked_sub(1).and_then(|class| SURFACES.get(class));
            let surface = surface.copied().unwrap_or("anything");
            report.fact(
                "effect",
                format!("on {surface}: {}", decode_cp1251(effect.resource())),
            );
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Expl {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes cut short or left over.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let head = ExplosionHead::read(&mut r, ())?;
        let effects: Vec<ObjectRef> = read_all(&mut r, "effect", N_EFFECTS, ())?;
        r.finish("after the last effect")?;
        let effects = effects.try_into();
        let effects =
            effects.map_err(|_| Reader::new(FORMAT, data).unexpected("effect", "12", "others"))?;
        Ok(Self { head, effects })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// None today: every value can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { head, effects } = self;
        let mut w = Writer::new(FORMAT);
        head.write(&mut w, ())?;
        write_all(&mut w, "effect", effects, ())?;
        Ok(w.finish())
    }

    /// Values that no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let ExplosionHead {
            kind,
            damage,
            radius,
            ..
        } = self.head;
        if !(1..=3).contains(&kind) {
            let message = format!("unknown kind {kind}");
            findings.rule(Severity::Warning, [(Some(0), message)]);
        }
        if !(damage.is_finite() && radius.is_finite() && radius >= 0.0) {
            let message = format!("damage {damage} within {radius}");
            findings.rule(Severity::Warning, [(Some(4), message)]);
        }
        findings.into_list()
    }

    /// The effect on a surface of a class: its own, else the usual one; `None` if that has no name.
    pub fn effect_on(&self, class: usize) -> Option<&ObjectRef> {
        let own = self.effects.get(class.saturating_add(1));
        let usual = self.effects.first();
        let named = |it: &&ObjectRef| !it.resource().is_empty();
        own.filter(named).or(usual.filter(named))
    }

    /// What it is, for a line.
    pub fn summary(&self) -> String {
        let ExplosionHead {
            kind,
            damage,
            radius,
            ..
        } = self.head;
        let n_named = self.named().count();
        format!("kind {kind}, damage {damage} within {radius}, {n_named} effects")
    }

    /// Effects with a name, by slot: 0 is the usual one, the others are those of surface classes.
    pub fn named(&self) -> impl Iterator<Item = (usize, &ObjectRef)> {
        let effects = self.effects.iter().enumerate();
        effects.filter(|(_, it)| !it.resource().is_empty())
    }
}
