//! Occluders (dossier section 11.6).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::{Place, write_i32s};
use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::{Occluder, OccluderPoly, Occlusion};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// Bytes of an occluder without its area, and with it.
const SIZES: [usize; 2] = [36, 40];
const POLY_SIZE: usize = 12;

impl Occlusion {
    pub(in crate::bsp) fn read(file: &BspFile) -> Result<Self, FormatError> {
        let content = file.content(LumpId::Occlusion)?;
        if content.is_empty() {
            return Ok(Self::default());
        }
        let has_area = has_area(&Place::new(file, LumpId::Occlusion))?;
        let mut r = file.reader(LumpId::Occlusion, &content);
        let [without, with] = SIZES;
        let n_occluders = r.count("occluder count", if has_area { with } else { without })?;
        let occluders = (0..n_occluders)
            .map(|_| Occluder::read(&mut r, has_area))
            .collect::<Result<_, _>>()?;
        let n_polys = r.count("occluder polygon count", POLY_SIZE)?;
        let polys = (0..n_polys)
            .map(|_| OccluderPoly::read(&mut r))
            .collect::<Result<_, _>>()?;
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
        let has_area = has_area(&place)?;
        let Self {
            occluders,
            polys,
            vertex_indices,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count("occluder count", occluders.len())?;
        for occluder in occluders {
            occluder.write(&mut w, has_area);
        }
        w.count("occluder polygon count", polys.len())?;
        for poly in polys {
            poly.write(&mut w);
        }
        w.count("occluder vertex count", vertex_indices.len())?;
        write_i32s(&mut w, vertex_indices);
        Ok((place.version, w.finish()))
    }
}

/// Whether occluders have an area: from version 2 on.
fn has_area(place: &Place<'_>) -> Result<bool, FormatError> {
    match place.version {
        0 | 1 => Ok(false),
        2 => Ok(true),
        _ => Err(place.unsupported()),
    }
}

impl Occluder {
    fn read(r: &mut Reader<'_>, has_area: bool) -> Result<Self, FormatError> {
        Ok(Self {
            flags: r.i32("occluder flags")?,
            first_poly: r.i32("occluder first polygon")?,
            n_polys: r.i32("occluder polygon count")?,
            mins: r.f32x3("occluder mins")?,
            maxs: r.f32x3("occluder maxs")?,
            area: if has_area { r.i32("occluder area")? } else { 0 },
        })
    }

    fn write(&self, w: &mut Writer, has_area: bool) {
        let Self {
            flags,
            first_poly,
            n_polys,
            mins,
            maxs,
            area,
        } = *self;
        write_i32s(w, &[flags, first_poly, n_polys]);
        w.f32x3(mins);
        w.f32x3(maxs);
        if has_area {
            w.i32(area);
        }
    }
}

impl OccluderPoly {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            first_vertex_index: r.i32("occluder polygon first vertex")?,
            n_vertices: r.i32("occluder polygon vertex count")?,
            plane: r.i32("occluder polygon plane")?,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            first_vertex_index,
            n_vertices,
            plane,
        } = *self;
        write_i32s(w, &[first_vertex_index, n_vertices, plane]);
    }
}
