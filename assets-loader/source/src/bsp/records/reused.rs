//! Lumps 22 to 25 by what a version uses them for (dossier section 1.3), and lump 28 (section 7.7).

use super::{Place, Width, read_table, write_table};
use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::{
    DispHulls, FaceBrushList, FaceBrushes, Map, PropCollision, ReusedLumps, Uncertain, VisPortals,
};
use crate::bsp::verify::verify_reused;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::{Field, Record};

/// The lumps in the order of their numbers.
const IDS: [LumpId; 4] = [
    LumpId::Portals,
    LumpId::Clusters,
    LumpId::PortalVerts,
    LumpId::ClusterPortals,
];

/// A lump as it is encoded.
type Encoded = (LumpId, u32, Vec<u8>);

impl<T> Uncertain<T> {
    fn from_result(content: Result<T, FormatError>) -> Self {
        match content {
            Ok(content) => Self::Typed(content),
            Err(error) => Self::Bytes {
                reason: error.to_string(),
            },
        }
    }
}

impl Uncertain<ReusedLumps> {
    /// Reads the lumps of a map whose other lumps were read.
    pub(in crate::bsp) fn read(file: &BspFile, map: &Map) -> Self {
        Self::from_result(ReusedLumps::read(file, map))
    }

    /// The lumps and their versions; none if they are bytes.
    pub(in crate::bsp) fn write(&self, file: &BspFile) -> Result<Vec<Encoded>, FormatError> {
        self.typed()
            .map_or(Ok(Vec::new()), |lumps| lumps.write(file))
    }
}

impl ReusedLumps {
    fn read(file: &BspFile, map: &Map) -> Result<Self, FormatError> {
        // A lump without bytes that is marked as compressed has a length, and is not empty but broken.
        if IDS.iter().all(|id| file.content_len(*id) == 0) {
            return Ok(Self::Empty);
        }
        let lumps = match file.version {
            ..21 => Self::Portals(VisPortals::read(file)?),
            21 if !has_face_brushes(file, map) => Self::PropCollision(PropCollision::read(file)?),
            _ => Self::FaceBrushes(FaceBrushes::read(file)?),
        };
        verify_reused(&lumps, map, file)?;
        Ok(lumps)
    }

    fn write(&self, file: &BspFile) -> Result<Vec<Encoded>, FormatError> {
        let is_used = match self {
            Self::Empty => true,
            Self::Portals(_) => file.version < 21,
            Self::PropCollision(_) => file.version == 21,
            Self::FaceBrushes(_) => file.version >= 21,
        };
        if !is_used {
            return Err(Place::new(file, LumpId::Portals).unsupported());
        }
        let empty = |id| (Place::new(file, id).version, Vec::new());
        let [first, second, third, fourth] = IDS;
        let tables = match self {
            Self::Empty => IDS.map(empty),
            Self::Portals(it) => [
                write_table(file, first, &it.portals)?,
                write_table(file, second, &it.clusters)?,
                write_table(file, third, &it.vertex_indices)?,
                write_table(file, fourth, &it.portal_indices)?,
            ],
            Self::PropCollision(it) => [
                write_table(file, first, &it.props)?,
                write_table(file, second, &it.hulls)?,
                write_table(file, third, &it.vertices)?,
                write_table(file, fourth, &it.triangles)?,
            ],
            Self::FaceBrushes(it) => [
                write_table(file, first, &it.brushes)?,
                write_table(file, second, &it.lists)?,
                empty(third),
                empty(fourth),
            ],
        };
        let lumps = IDS.into_iter().zip(tables);
        Ok(lumps
            .map(|(id, (version, data))| (id, version, data))
            .collect())
    }
}

/// Version 21 has no mark of the game. Only brushes of faces leave the last two lumps empty, and have as many lists as
/// the map has faces.
fn has_face_brushes(file: &BspFile, map: &Map) -> bool {
    let n_bytes = map
        .faces
        .len()
        .saturating_mul(<FaceBrushList as Record>::size(Width::Narrow));
    let [_, lists, third, fourth] = IDS;
    file.content_len(lists) == n_bytes
        && [third, fourth].iter().all(|id| file.content_len(*id) == 0)
}

impl VisPortals {
    fn read(file: &BspFile) -> Result<Self, FormatError> {
        let [portals, clusters, vertices, indices] = IDS;
        Ok(Self {
            portals: read_table(file, portals)?,
            clusters: read_table(file, clusters)?,
            vertex_indices: read_table(file, vertices)?,
            portal_indices: read_table(file, indices)?,
        })
    }
}

impl PropCollision {
    fn read(file: &BspFile) -> Result<Self, FormatError> {
        let [props, hulls, vertices, triangles] = IDS;
        Ok(Self {
            props: read_table(file, props)?,
            hulls: read_table(file, hulls)?,
            vertices: read_table(file, vertices)?,
            triangles: read_table(file, triangles)?,
        })
    }
}

impl FaceBrushes {
    fn read(file: &BspFile) -> Result<Self, FormatError> {
        let [brushes, lists, third, fourth] = IDS;
        for id in [third, fourth] {
            let content = file.content(id)?;
            let r = file.reader(id, &content);
            r.finish("lump of no known use")?;
        }
        Ok(Self {
            lists: read_table(file, lists)?,
            brushes: read_table(file, brushes)?,
        })
    }
}

/// How wide the count and the sizes of [`DispHulls`] are. The lump has versions of its own.
fn width_of_hulls(place: &Place<'_>) -> Result<Width, FormatError> {
    match (place.is_wide_file(), place.version) {
        (false, 0) => Ok(Width::Narrow),
        (true, 2) => Ok(Width::Wide),
        _ => Err(place.unsupported()),
    }
}

/// In place of the size of a displacement without a hull.
fn no_hull(width: Width) -> u32 {
    match width {
        Width::Narrow => u16::MAX.into(),
        Width::Wide => u32::MAX,
    }
}

impl Uncertain<DispHulls> {
    /// Reads the lump.
    pub(in crate::bsp) fn read(file: &BspFile) -> Self {
        Self::from_result(DispHulls::read(file))
    }

    /// The lump and its version; none if it is bytes.
    pub(in crate::bsp) fn write(&self, file: &BspFile) -> Result<Option<Encoded>, FormatError> {
        self.typed().map(|hulls| hulls.write(file)).transpose()
    }
}

impl DispHulls {
    fn read(file: &BspFile) -> Result<Self, FormatError> {
        let content = file.content(LumpId::PhysDisp)?;
        if content.is_empty() {
            return Ok(Self::default());
        }
        let width = width_of_hulls(&Place::new(file, LumpId::PhysDisp))?;
        let mut r = file.reader(LumpId::PhysDisp, &content);
        let n_hulls: u32 = Field::read(&mut r, "displacement hull count", width)?;
        let size = <u32 as Field<Width>>::size(width);
        // Sizes stand before all hulls: too many of them are refused before they take memory.
        let n_bytes = (n_hulls as usize).saturating_mul(size);
        let first = r.offset();
        let sizes = r.bytes("displacement hull sizes", n_bytes)?;
        let mut sizes = Reader::nested(FORMAT, sizes, first);
        let mut hulls = Vec::with_capacity(n_hulls as usize);
        for _ in 0..n_hulls {
            let size: u32 = Field::read(&mut sizes, "displacement hull size", width)?;
            let hull = (size != no_hull(width)).then(|| {
                r.bytes("displacement hull", size as usize)
                    .map(<[u8]>::to_vec)
            });
            hulls.push(hull.transpose()?);
        }
        r.finish("after the last displacement hull")?;
        Ok(Self { hulls: Some(hulls) })
    }

    fn write(&self, file: &BspFile) -> Result<Encoded, FormatError> {
        let Self { hulls } = self;
        let place = Place::new(file, LumpId::PhysDisp);
        let Some(hulls) = hulls else {
            return Ok((LumpId::PhysDisp, place.version, Vec::new()));
        };
        let width = width_of_hulls(&place)?;
        let mut w = Writer::new(FORMAT);
        write_count(&mut w, "displacement hull count", hulls.len(), width)?;
        for hull in hulls {
            let name = "displacement hull size";
            match hull {
                Some(hull) if hull.len() as u64 == u64::from(no_hull(width)) => {
                    return Err(w.unexpected(
                        name,
                        "another size: this one means none",
                        hull.len(),
                    ));
                }
                Some(hull) => write_count(&mut w, name, hull.len(), width)?,
                None => no_hull(width).write(&mut w, name, width)?,
            }
        }
        hulls.iter().flatten().for_each(|hull| w.bytes(hull));
        Ok((LumpId::PhysDisp, place.version, w.finish()))
    }
}

fn write_count(
    w: &mut Writer,
    name: &'static str,
    count: usize,
    width: Width,
) -> Result<(), FormatError> {
    match u32::try_from(count) {
        Ok(count) => count.write(w, name, width),
        Err(_) => Err(w.too_large(name, count as u64, u32::MAX.into())),
    }
}
