//! Back to the bytes of archives.

use std::collections::HashSet;

use super::{FORMAT, Figure, FigureAnimation, FigurePart};
use crate::lnk::Lnk;
use crate::res::{NamesOrder, ResArchive};
use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::text::encode_cp1251;

impl Figure {
    /// The bytes of `NAME.mod`: the tree, then the meshes in the order of parts.
    ///
    /// The archive is a new one, its entries are untouched. A tree has one root: meshes that stand beside it, with
    /// nothing hanging on them, are not in it, and are read so again.
    ///
    /// # Errors
    /// Other parts that make no tree with one root, a name twice or one that CP1251 cannot spell, and what writers of
    /// meshes refuse.
    pub fn write_mod(&self) -> Result<Vec<u8>, FormatError> {
        let mut meshes = Vec::with_capacity(self.parts.len());
        let mut links: Vec<(Vec<u8>, Option<usize>)> = Vec::with_capacity(self.parts.len());
        // Of each part the link that it becomes.
        let mut link_of_part = Vec::with_capacity(self.parts.len());
        let beside = self.meshes_beside_the_tree();
        for (index, part) in self.parts.iter().enumerate() {
            let name = encoded(&part.name)?;
            if let Some(fig) = &part.fig {
                let bytes = fig.write().map_err(|error| error.in_entry(&part.name))?;
                meshes.push((name.clone(), bytes));
            }
            link_of_part.push(links.len());
            if !beside.contains(&index) {
                links.push((name, part.parent.map(|parent| parent as usize)));
            }
        }
        for (_, parent) in &mut links {
            // One that is not there stays so, and is refused.
            *parent = parent.map(|it| link_of_part.get(it).copied().unwrap_or(usize::MAX));
        }
        let tree = Lnk::draft(&links)?.write()?;
        let mut entries = vec![(encoded(&self.name)?, tree)];
        entries.extend(meshes);
        ResArchive::draft(entries, NamesOrder::default()).write()
    }

    /// Roots with a mesh on which nothing hangs, but for one where all are such.
    fn meshes_beside_the_tree(&self) -> HashSet<usize> {
        let parents: HashSet<usize> = (self.parts.iter())
            .filter_map(|part| Some(part.parent? as usize))
            .collect();
        let is_root = |(index, part): &(usize, &FigurePart)| {
            part.parent.is_none() && (parents.contains(index) || part.fig.is_none())
        };
        let parts = || self.parts.iter().enumerate();
        let root = parts().find(is_root).map_or(0, |(index, _)| index);
        let beside = parts().filter(|(index, part)| {
            let is_alone = part.parent.is_none() && !parents.contains(index);
            *index != root && is_alone && part.fig.is_some()
        });
        beside.map(|(index, _)| index).collect()
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
