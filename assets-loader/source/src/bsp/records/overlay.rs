//! Overlays (dossier section 11.1).

use super::{LumpLayout, Place, Width, read_table, write_table};
use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::Overlay;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Field;

/// Places for faces in a record: of an overlay, of one on water.
const N_FACES: usize = 64;
const N_WATER_FACES: usize = 256;
/// The count of faces and the order of drawing share a word.
const COUNT_BITS: u32 = 14;
/// Lump version of a list of faces that all overlays share.
const SHARED_FACES: u32 = 3;
const SHARED_RECORD_SIZE: usize = 108;
/// Flag of that version: the second axis is flipped.
const FLIPPED: u16 = 1;

/// A lump of overlays in any version.
pub(in crate::bsp) fn read_overlays(
    file: &BspFile,
    id: LumpId,
) -> Result<Vec<Overlay>, FormatError> {
    if !has_shared_faces(file, id) {
        return read_table(file, id);
    }
    let content = file.content(id)?;
    let mut r = file.reader(id, &content);
    let n_overlays = r.u32("overlay count")?;
    let n_faces = r.count("overlay face count", 4)?;
    let faces: Vec<i32> = (0..n_faces)
        .map(|_| r.i32("overlay face"))
        .collect::<Result<_, _>>()?;
    let n_overlays = r.claim("overlay count", u64::from(n_overlays), SHARED_RECORD_SIZE)?;
    let mut overlays = Vec::new();
    let mut n_left = n_faces;
    for _ in 0..n_overlays {
        let at = r.clone();
        let overlay = Overlay::read_shared(&mut r, &faces)?;
        let n_own = overlay.faces.len();
        // Faces that many overlays share would take more memory than the file.
        n_left = n_left.checked_sub(n_own).ok_or_else(|| {
            let expected = format!("at most {n_left} more faces");
            at.unexpected("overlay faces", expected, n_own)
        })?;
        overlays.push(overlay);
    }
    r.finish("after the overlays")?;
    Ok(overlays)
}

/// The lump and its version. Where faces are shared, each overlay gets a copy of its own unless nothing has changed.
pub(in crate::bsp) fn write_overlays(
    file: &BspFile,
    id: LumpId,
    overlays: &[Overlay],
) -> Result<(u32, Vec<u8>), FormatError> {
    if !has_shared_faces(file, id) {
        return write_table(file, id, overlays);
    }
    if read_overlays(file, id).as_deref() == Ok(overlays) {
        return Ok((SHARED_FACES, file.content(id)?.into_owned()));
    }
    let mut w = Writer::new(FORMAT);
    w.count("overlay count", overlays.len())?;
    w.count(
        "overlay face count",
        overlays.iter().map(|o| o.faces.len()).sum(),
    )?;
    for face in overlays.iter().flat_map(|overlay| &overlay.faces) {
        w.i32(*face);
    }
    let mut first_face = 0;
    for overlay in overlays {
        overlay.write_shared(&mut w, first_face)?;
        first_face = first_face.saturating_add(overlay.faces.len());
    }
    Ok((SHARED_FACES, w.finish()))
}

fn has_shared_faces(file: &BspFile, id: LumpId) -> bool {
    let place = Place::new(file, id);
    file.version >= 25 && place.version == SHARED_FACES && !file.lump(id).is_empty()
}

/// The layouts of an overlay with its own faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverlayLayout {
    /// Places for faces.
    n_faces: usize,
    version: u32,
}

impl OverlayLayout {
    /// Of the texinfo.
    fn width(self) -> Width {
        match self.version {
            0 => Width::Narrow,
            _ => Width::Wide,
        }
    }
}

impl LumpLayout for OverlayLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        let is_known = match place.is_wide_file() {
            false => place.version == 0,
            true => matches!(place.version, 1 | 2),
        };
        is_known.then_some(Self {
            n_faces: match place.id {
                LumpId::WaterOverlays => N_WATER_FACES,
                _ => N_FACES,
            },
            version: place.version,
        })
    }
}

/// Written by hand: the number of faces says which places count, and the axis is spread over the corners.
impl Field<OverlayLayout> for Overlay {
    fn size(layout: OverlayLayout) -> usize {
        let numbers: usize = match layout.version {
            0 => 96,
            1 => 100,
            _ => 104,
        };
        numbers.saturating_add(layout.n_faces.saturating_mul(4))
    }

    fn read(
        r: &mut Reader<'_>,
        _: &'static str,
        layout: OverlayLayout,
    ) -> Result<Self, FormatError> {
        let mut overlay = Self {
            id: r.i32("overlay id")?,
            texinfo: Field::read(r, "overlay texinfo", layout.width())?,
            ..Self::default()
        };
        let at = r.clone();
        let word = r.u16("overlay face count")?;
        let n_faces = usize::from(word & !(u16::MAX << COUNT_BITS));
        overlay.render_order = word >> COUNT_BITS;
        if n_faces > layout.n_faces {
            let expected = format!("at most {}", layout.n_faces);
            return Err(at.unexpected("overlay face count", expected, n_faces));
        }
        if layout.version > 0 {
            overlay.unknown_0a = r.array("overlay padding")?;
        }
        for index in 0..layout.n_faces {
            let face = r.i32("overlay face")?;
            if index < n_faces {
                overlay.faces.push(face);
            } else {
                overlay.unknown_faces.push(face);
            }
        }
        overlay.u = Field::read(r, "overlay U", ())?;
        overlay.v = Field::read(r, "overlay V", ())?;
        let mut depths = [0.0; 4];
        for (corner, depth) in overlay.corners.iter_mut().zip(&mut depths) {
            *corner = Field::read(r, "overlay corner", ())?;
            *depth = r.f32("overlay basis")?;
        }
        let [x, y, z, flip] = depths;
        overlay.basis_u = [x, y, z];
        overlay.is_v_flipped = flip == 1.0;
        overlay.unknown_flip = flip;
        overlay.origin = r.f32x3("overlay origin")?;
        overlay.normal = r.f32x3("overlay normal")?;
        if layout.version > 1 {
            overlay.tint = r.array("overlay tint")?;
        }
        Ok(overlay)
    }

    fn write(
        &self,
        w: &mut Writer,
        _: &'static str,
        layout: OverlayLayout,
    ) -> Result<(), FormatError> {
        w.i32(self.id);
        self.texinfo.write(w, "overlay texinfo", layout.width())?;
        w.u16(self.order_and_count(w, layout)?);
        if layout.version > 0 {
            w.bytes(&self.unknown_0a);
        }
        let nothing = std::iter::repeat(&0);
        let places = self.faces.iter().chain(&self.unknown_faces).chain(nothing);
        for face in places.take(layout.n_faces) {
            w.i32(*face);
        }
        self.u.write(w, "overlay U", ())?;
        self.v.write(w, "overlay V", ())?;
        let flip = match (self.is_v_flipped, self.unknown_flip == 1.0) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => self.unknown_flip,
        };
        let [x, y, z] = self.basis_u;
        for (corner, depth) in self.corners.iter().zip([x, y, z, flip]) {
            corner.write(w, "overlay corner", ())?;
            w.f32(depth);
        }
        w.f32x3(self.origin);
        w.f32x3(self.normal);
        if layout.version > 1 {
            w.bytes(&self.tint);
        }
        Ok(())
    }
}

impl Overlay {
    /// The word of both; what does not fit is reported at the cursor.
    fn order_and_count(&self, w: &Writer, layout: OverlayLayout) -> Result<u16, FormatError> {
        let max_order = u16::MAX >> COUNT_BITS;
        if self.render_order > max_order {
            let (order, limit) = (u64::from(self.render_order), u64::from(max_order));
            return Err(w.too_large("overlay render order", order, limit));
        }
        let n_faces = self.faces.len();
        match u16::try_from(n_faces) {
            Ok(count) if n_faces <= layout.n_faces => Ok(count | self.render_order << COUNT_BITS),
            _ => Err(w.too_large("overlay face count", n_faces as u64, layout.n_faces as u64)),
        }
    }

    /// A record of the version with shared faces.
    fn read_shared(r: &mut Reader<'_>, faces: &[i32]) -> Result<Self, FormatError> {
        let mut overlay = Self {
            id: r.i32("overlay id")?,
            texinfo: r.i32("overlay texinfo")?,
            v3_flags: r.u16("overlay flags")?,
            render_order: r.u16("overlay render order")?,
            ..Self::default()
        };
        overlay.is_v_flipped = overlay.v3_flags & FLIPPED != 0;
        let at = r.clone();
        let (first, n_faces) = (r.u32("overlay first face")?, r.u32("overlay face count")?);
        let end = (first as usize).checked_add(n_faces as usize);
        let Some(own) = end.and_then(|end| faces.get(first as usize..end)) else {
            let expected = format!("faces of {}", faces.len());
            return Err(at.unexpected("overlay faces", expected, format!("{n_faces} at {first}")));
        };
        overlay.faces = own.to_vec();
        overlay.u = Field::read(r, "overlay U", ())?;
        overlay.v = Field::read(r, "overlay V", ())?;
        overlay.corners = Field::read(r, "overlay corner", ())?;
        overlay.basis_u = r.f32x3("overlay basis")?;
        overlay.origin = r.f32x3("overlay origin")?;
        overlay.normal = r.f32x3("overlay normal")?;
        overlay.tint = r.array("overlay tint")?;
        Ok(overlay)
    }

    fn write_shared(&self, w: &mut Writer, first_face: usize) -> Result<(), FormatError> {
        w.i32(self.id);
        w.i32(self.texinfo);
        w.u16(self.v3_flags & !FLIPPED | u16::from(self.is_v_flipped));
        w.u16(self.render_order);
        w.count("overlay first face", first_face)?;
        w.count("overlay face count", self.faces.len())?;
        self.u.write(w, "overlay U", ())?;
        self.v.write(w, "overlay V", ())?;
        self.corners.write(w, "overlay corner", ())?;
        w.f32x3(self.basis_u);
        w.f32x3(self.origin);
        w.f32x3(self.normal);
        w.bytes(&self.tint);
        Ok(())
    }
}
