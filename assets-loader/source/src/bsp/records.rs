//! Records of the lumps: for each its layout by version (dossier section 16), and those that no declaration can describe.

mod face;
mod layout;
mod leaf;
mod occlusion;
mod overlay;
mod reused;
#[cfg(test)]
mod tests;
mod visibility;

use super::file::{BspFile, FORMAT};
use super::lump_id::LumpId;
use super::map::{
    Area, AreaPortal, Brush, BrushSide, CubemapSample, DispInfo, DispMultiBlend, DispVert, Edge,
    Face, FaceBrushList, Leaf, LeafAmbientIndex, LeafAmbientSample, LeafWater, Model, Node,
    Overlay, OverlayLevels, Plane, Primitive, PropHull, PropHulls, PropTriangles, Texdata, Texinfo,
    VisCluster, VisPortal, WorldLight,
};
use face::FaceLayout;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Writer};
use ironlands_assets_core::record::Field;
use leaf::LeafLayout;
use overlay::OverlayLayout;

pub(super) use layout::{
    AmbientSampleLayout, DispLayout, LightLayout, LumpLayout, OccluderLayout, Width,
};
pub(super) use overlay::{read_overlays, write_overlays};

/// What a lump is a table of.
pub(super) trait LumpRow: Field<<Self as LumpRow>::Layout> {
    type Layout: LumpLayout;

    /// What errors call a row that has no fields with names.
    const NAME: &'static str = "record";
}

macro_rules! lump_rows {
    ($($layout:ty: $($row:ty),*;)*) => {$($(
        impl LumpRow for $row {
            type Layout = $layout;
        }
    )*)*};
}

lump_rows! {
    (): Plane, Texinfo, Texdata, Model, Area, Brush, DispVert, DispMultiBlend, CubemapSample,
        OverlayLevels, VisPortal, VisCluster, PropHulls, PropHull, PropTriangles;
    Width: Edge, Primitive, Node, BrushSide, AreaPortal, LeafWater, LeafAmbientIndex, FaceBrushList;
    FaceLayout: Face;
    LeafLayout: Leaf;
    AmbientSampleLayout: LeafAmbientSample;
    LightLayout: WorldLight;
    DispLayout: DispInfo;
    OverlayLayout: Overlay;
}

/// A point or a normal.
impl LumpRow for [f32; 3] {
    type Layout = ();
    const NAME: &'static str = "point";
}

/// Two distances.
impl LumpRow for [f32; 2] {
    type Layout = ();
    const NAME: &'static str = "distances";
}

/// A surfedge, or an offset.
impl LumpRow for i32 {
    type Layout = ();
    const NAME: &'static str = "number";
}

/// A tag, a distance, or an index of portals.
impl LumpRow for u16 {
    type Layout = ();
    const NAME: &'static str = "number";
}

/// An index into another lump.
impl LumpRow for u32 {
    type Layout = Width;
    const NAME: &'static str = "index";
}

/// A lump that is to be read or written.
pub(super) struct Place<'a> {
    pub(super) file: &'a BspFile,
    pub(super) id: LumpId,
    /// Version of the lump: the stored one, or what compilers store if it is empty.
    pub(super) version: u32,
}

impl<'a> Place<'a> {
    pub(super) fn new(file: &'a BspFile, id: LumpId) -> Self {
        let version = if file.lump(id).is_empty() {
            compiled_version(file.version, id)
        } else {
            file.lump_version(id)
        };
        Self { file, id, version }
    }

    fn is_wide_file(&self) -> bool {
        self.file.version >= 25
    }

    fn unsupported(&self) -> FormatError {
        let Self { file, id, version } = self;
        let what = format!(
            "version {version} of lump {id:?} in a file of version {}",
            file.version
        );
        file.reader(*id, &[])
            .error("lump version", FormatErrorKind::Unsupported { what })
    }
}

/// Version that the compilers of a file version give to a lump (section 1.3).
pub(super) fn compiled_version(file_version: u32, id: LumpId) -> u32 {
    use LumpId::*;
    match (file_version, id) {
        (25.., Faces | FacesHdr | Leafs | PhysDisp) => 2,
        (
            25..,
            Nodes | FaceIds | Edges | LeafFaces | LeafBrushes | BrushSides | AreaPortals | Portals
            | Clusters | DispInfo | VertNormalIndices | LeafWaterData | Primitives | PrimIndices
            | Overlays | WaterOverlays | LeafAmbientIndex | LeafAmbientIndexHdr,
        ) => 1,
        (21.., Worldlights | WorldlightsHdr) => 1,
        (20.., Leafs) => 1,
        (19.., Faces | FacesHdr | Lighting | LightingHdr) => 1,
        (19.., LeafAmbientLighting | LeafAmbientLightingHdr) => 1,
        (19.., Occlusion) => 2,
        (_, Occlusion) => 1,
        _ => 0,
    }
}

/// All records of a lump.
///
/// Errors: an unknown version, a length that is no multiple of the record's size.
pub(super) fn read_table<T: LumpRow>(file: &BspFile, id: LumpId) -> Result<Vec<T>, FormatError> {
    let content = file.content(id)?;
    if content.is_empty() {
        return Ok(Vec::new());
    }
    let place = Place::new(file, id);
    let layout = T::Layout::require(&place)?;
    let mut r = file.reader(id, &content);
    let size = T::size(layout);
    let n_records = content.len().checked_div(size).unwrap_or(0);
    if n_records.checked_mul(size) != Some(content.len()) {
        let expected = format!("a multiple of {size} bytes");
        return Err(r.unexpected(format!("length of lump {id:?}"), expected, content.len()));
    }
    (0..n_records)
        .map(|_| T::read(&mut r, T::NAME, layout))
        .collect()
}

/// The bytes of a lump and their version.
pub(super) fn write_table<T: LumpRow>(
    file: &BspFile,
    id: LumpId,
    records: &[T],
) -> Result<(u32, Vec<u8>), FormatError> {
    let place = Place::new(file, id);
    let layout = T::Layout::require(&place)?;
    let mut w = Writer::new(FORMAT);
    for record in records {
        record
            .write(&mut w, T::NAME, layout)
            .map_err(|error| error.in_entry(&format!("{id:?}")))?;
    }
    Ok((place.version, w.finish()))
}
