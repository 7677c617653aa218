//! Back to the bytes of archives.

use super::{FORMAT, Figure, FigureAnimation};
use crate::lnk::Lnk;
use crate::res::{NamesOrder, ResArchive};
use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::text::encode_cp1251;

impl Figure {
    /// The bytes of `NAME.mod`: the tree, then the meshes in the order of parts.
    ///
    /// The archive is a new one, its entries are untouched.
    ///
    /// # Errors
    /// Parts that make no tree with one root, a name twice or one that CP1251 cannot spell, and what writers of
    /// meshes refuse.
    pub fn write_mod(&self) -> Result<Vec<u8>, FormatError> {
        let mut meshes = Vec::with_capacity(self.parts.len());
        let mut links = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let name = encoded(&part.name)?;
            if let Some(fig) = &part.fig {
                let bytes = fig.write().map_err(|error| error.in_entry(&part.name))?;
                meshes.push((name.clone(), bytes));
            }
            links.push((name, part.parent.map(|parent| parent as usize)));
        }
        let tree = Lnk::draft(&links)?.write()?;
        let mut entries = vec![(encoded(&self.name)?, tree)];
        entries.extend(meshes);
        ResArchive::draft(entries, NamesOrder::default()).write()
    }

    /// The bytes of `NAME.bon`.
    ///
    /// # Errors
    /// A name that CP1251 cannot spell.
    pub fn write_bon(&self) -> Result<Vec<u8>, FormatError> {
        let mut entries = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            if let Some(bon) = &part.bon {
                entries.push((encoded(&part.name)?, bon.write()?));
            }
        }
        ResArchive::draft(entries, NamesOrder::default()).write()
    }

    /// The bytes of `NAME.anm`; `None` without animations.
    ///
    /// # Errors
    /// A name that CP1251 cannot spell, and what writers of animations refuse.
    pub fn write_anm(&self) -> Result<Option<Vec<u8>>, FormatError> {
        if self.animations.is_empty() {
            return Ok(None);
        }
        let mut entries = Vec::with_capacity(self.animations.len());
        for animation in &self.animations {
            let bytes = self.write_animation(animation);
            let bytes = bytes.map_err(|error| error.in_entry(&animation.name))?;
            entries.push((encoded(&animation.name)?, bytes));
        }
        ResArchive::draft(entries, NamesOrder::default())
            .write()
            .map(Some)
    }

    fn write_animation(&self, animation: &FigureAnimation) -> Result<Vec<u8>, FormatError> {
        let mut entries = Vec::with_capacity(animation.parts.len());
        for (part, anm) in self.parts.iter().zip(&animation.parts) {
            if let Some(anm) = anm {
                let bytes = anm.write().map_err(|error| error.in_entry(&part.name))?;
                entries.push((encoded(&part.name)?, bytes));
            }
        }
        ResArchive::draft(entries, NamesOrder::default()).write()
    }
}

fn encoded(name: &str) -> Result<Vec<u8>, FormatError> {
    encode_cp1251(name).ok_or_else(|| {
        Writer::new(FORMAT).unexpected("name", "characters of CP1251", format!("\"{name}\""))
    })
}
