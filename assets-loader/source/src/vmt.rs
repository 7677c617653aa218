//! `*.vmt`: a material (dossier section 10.2).
//!
//! In: KeyValues text. Out: [`Vmt`], one file as it stands; [`ResolvedVmt`], the result once patches have taken
//! in what they include; and [`Look`], its parameters with their types.
//!
//! Deliberately absent: pixels, and how a shader draws.

mod conditions;
mod json;
mod look;
mod names;
mod resolve;
#[cfg(test)]
mod tests;
mod values;

pub use look::{
    Blending, Detail, Envmap, EnvmapMask, EnvmapSource, Layer, Look, Phong, Proxy, RimLight,
    SelfIllum, Shader, Transform, Water,
};
pub use names::{material_path, original_name, texture_path};
pub use resolve::{LightRange, ResolvedVmt, VmtError};
pub(crate) use values::number as number_of;

use std::path::Path;

use super::key_values::{Entry, KeyValues, Tolerance, Value};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::format::{
    Conversion, FileKind, Format, Match, Reference, inherent_methods,
};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Vmt::NAME;

/// What parameters begin with that name a texture.
const TEXTURE_PARAMETERS: [&str; 10] = [
    "$basetexture",
    "$bumpmap",
    "$normalmap",
    "$detail",
    "$envmapmask",
    "$selfillummask",
    "$phongexponenttexture",
    "$lightwarptexture",
    "$blendmodulatetexture",
    "$texture2",
];
/// Parameters of these names begin like textures, and are numbers or matrices.
const NO_TEXTURES: [&str; 6] = [
    "transform",
    "scale",
    "frame",
    "blendfactor",
    "blendmode",
    "tint",
];

/// One material file.
#[derive(Debug, Clone, PartialEq)]
pub struct Vmt {
    /// The text; its first block is the material.
    pub text: KeyValues,
}

impl Format for Vmt {
    type Context = ();

    const NAME: &'static str = "vmt";
    const EXTENSIONS: &'static [&'static str] = &["vmt"];
    const KIND: FileKind = FileKind::Material;

    inherent_methods!(read, write);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".vmt").then_some(Match::Name)
    }

    fn conversions() -> &'static [Conversion] {
        json::CONVERSIONS
    }

    fn describe(&self, report: &mut Report) {
        report.fact("shader", self.shader());
        report.fact("parameters", self.parameters().len());
    }

    /// Parameters name textures below `materials/`, or a material that this one is a patch of.
    fn references(&self, _: &Path) -> Vec<Reference> {
        let parameters = self.parameters().iter();
        let texts = parameters.filter_map(|it| match &it.value {
            Value::Text(text) => Some((it.key.to_ascii_lowercase(), &**text)),
            Value::Block(_) => None,
        });
        let reference = |(key, text): (String, &str)| {
            if key == "include" {
                return Some(Reference::new(FileKind::Material, text));
            }
            let is_texture = TEXTURE_PARAMETERS
                .iter()
                .any(|known| key.starts_with(known))
                && !NO_TEXTURES.iter().any(|end| key.contains(end));
            let texture = || Reference::new(FileKind::Texture, format!("materials/{text}"));
            is_texture.then(|| texture().with_extensions(&[".vtf", ".tth"]))
        };
        texts.filter_map(reference).collect()
    }
}

impl Vmt {
    /// Reads a material as the engine does, which overlooks missing and unmatched braces and the like.
    ///
    /// # Errors
    /// Text that is no KeyValues, or that has no block.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let text = KeyValues::read_with(FORMAT, data, Tolerance::all())?;
        let vmt = Self { text };
        match vmt.material() {
            Some(_) => Ok(vmt),
            None => {
                let r = Reader::new(FORMAT, data);
                Err(r.unexpected("shader", "a block", "none"))
            }
        }
    }

    /// Writes the material: the same bytes if nothing was changed.
    ///
    /// # Errors
    /// As [`KeyValues::write`].
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.text.write()
    }

    /// Name of the shader as stored, or `patch`; empty if there is no block.
    pub fn shader(&self) -> &str {
        self.material().map_or("", |material| &material.key)
    }

    /// The parameters, in file order.
    pub fn parameters(&self) -> &[Entry] {
        self.material().map_or(&[], Entry::entries)
    }

    /// The text of a parameter, whatever its case: of duplicates the last counts.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.material()?.get(key)
    }

    /// The first block.
    fn material(&self) -> Option<&Entry> {
        let is_block = |entry: &&Entry| matches!(entry.value, Value::Block(_));
        self.text.entries.iter().find(is_block)
    }
}
