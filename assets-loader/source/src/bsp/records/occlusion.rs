//! Occluders (dossier section 11.6).

use super::{LumpLayout, OccluderLayout, Place};
use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::Occlusion;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Record;

impl Occlusion {
    pub(in crate::bsp) fn read(file: &BspFile) -> Result<Self, FormatError> {
        let content = file.content(LumpId::Occlusion)?;
        if content.is_empty() {
            return Ok(Self::default());
        }
        let layout = OccluderLayout::require(&Place::new(file, LumpId::Occlusion))?;
        let mut r = file.reader(LumpId::Occlusion, &content);
        let occluders = read_counted(&mut r, "occluder count", layout)?;
        let polys = read_counted(&mut r, "occluder polygon count", ())?;
        let n_indices = r.count("occluder vertex count", 4)?;
        let vertex_indices = (0..n_indices)
            .map(|_| r.i32("occluder vertex"))
            .collect::<Result<_, _>>()?;
        r.finish("after the occluders")?;
        Ok(Self {
            occluders,
            polys,
            vertex_indices,
        })
    }

    /// The lump and its version. An empty one stays as empty as it was.
    pub(in crate::bsp) fn write(&self, file: &BspFile) -> Result<(u32, Vec<u8>), FormatError> {
        let place = Place::new(file, LumpId::Occlusion);
        if *self == Self::default() && file.lump(LumpId::Occlusion).is_empty() {
            return Ok((place.version, Vec::new()));
        }
        let layout = OccluderLayout::require(&place)?;
        let mut w = Writer::new(FORMAT);
        write_counted(&mut w, "occluder count", &self.occluders, layout)?;
        write_counted(&mut w, "occluder polygon count", &self.polys, ())?;
        w.count("occluder vertex count", self.vertex_indices.len())?;
        self.vertex_indices.iter().for_each(|index| w.i32(*index));
        Ok((place.version, w.finish()))
    }
}

fn read_counted<T: Record>(
    r: &mut Reader<'_>,
    count: &'static str,
    layout: T::Layout,
) -> Result<Vec<T>, FormatError> {
    let n_records = r.count(count, T::size(layout))?;
    (0..n_records).map(|_| T::read(r, layout)).collect()
}

fn write_counted<T: Record>(
    w: &mut Writer,
    count: &'static str,
    records: &[T],
    layout: T::Layout,
) -> Result<(), FormatError> {
    w.count(count, records.len())?;
    records
        .iter()
        .try_for_each(|record| record.write(w, layout))
}
