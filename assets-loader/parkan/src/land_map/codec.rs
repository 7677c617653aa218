//! The whole file: areals and cells to bytes and back (dossier sections 5.1 to 5.4).

use super::links::{broken_links, no_areals, repair_links};
use super::{Areal, EdgeLink, FORMAT, LandMap, PolygonBlock, PolygonBlockLayout, Tolerance};
use crate::chunk::{Chunk, ChunkFile, RowField, accepted};
use crate::nres::{self, Entry, NRes};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Writer};
use ironlands_assets_core::record::Record;

/// Type of the only chunk.
pub(super) const AREAL_MAP: u32 = 12;

/// Name of the only chunk in all known maps.
const ENTRY_NAME: &str = "ArealMap";

/// The field of the directory that counts the areals.
pub(super) const AREAL_COUNT: &str = "attr1 (areal count)";

/// Bytes of an areal before its vertices.
const AREAL_HEADER_SIZE: usize = 56;

const VERTEX_SIZE: usize = 12;
const LINKS_PER_POLYGON: usize = 3;
const WORD_SIZE: usize = 4;

impl LandMap {
    /// Reads a whole file by the strict rules. Errors name the record and the offset in the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let (map, _) = Self::read_with(data, Tolerance::STRICT, PolygonBlockLayout::default())?;
        Ok(map)
    }

    /// Reads a whole file, waiving the named rules; the findings list every repair.
    pub fn read_with(
        data: &[u8],
        tolerance: Tolerance,
        polygon_blocks: PolygonBlockLayout,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let mut decoder = Decoder {
            file: ChunkFile::open(FORMAT, data, tolerance, Tolerance::CONTAINER)?,
            polygon_blocks,
        };
        decoder.check_entries()?;
        let mut map = decoder.payload()?;
        map.container = decoder.file.container;
        if let Some(entry) = areal_map_entry(&mut map.container) {
            entry.attr1 = 0;
            entry.data = Vec::new();
        }
        Ok((map, decoder.file.findings.into_list()))
    }

    /// Writes the file: attributes and name of the archive kept, size and attr1 recomputed.
    ///
    /// An archive that breaks its own rules, which a tolerant reader waived, is rewritten. Refuses a value that the
    /// strict reader would refuse.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let filled = self.filled_container()?;
        let file = filled.write()?;
        if let Some(broken) = broken_links(self).next() {
            let container = NRes::read_with(&file, nres::Tolerance::all())?;
            return Err(broken.into_error(FORMAT, file.len(), &container));
        }
        let layout = self.polygon_block_layout();
        accepted(file, &filled, |file| {
            Self::read_with(file, Tolerance::STRICT, layout).map(drop)
        })
    }

    /// How the bodies of the polygon blocks are laid out; [`PolygonBlockLayout::CountInside`] without any.
    fn polygon_block_layout(&self) -> PolygonBlockLayout {
        let mut blocks = self.areals.iter().flat_map(|areal| &areal.polygons);
        match blocks
            .next()
            .map(|block| block.body.len().is_multiple_of(3))
        {
            Some(false) => PolygonBlockLayout::CountBefore,
            Some(true) | None => PolygonBlockLayout::CountInside,
        }
    }

    /// An archive for an areal map that is built, not read: one chunk, named as in all known maps and still without
    /// its payload, which [`LandMap::write`] fills in.
    pub fn new_container() -> NRes {
        NRes::from_entries(vec![empty_entry()])
    }

    /// The archive with the payload in place, as [`LandMap::write`] writes it. Checks no rule between records.
    pub(super) fn filled_container(&self) -> Result<NRes, FormatError> {
        let Self {
            areals,
            cells_x,
            cells_y,
            cells,
            container,
        } = self;
        let mut w = Writer::new(FORMAT);
        for areal in areals {
            areal.write(&mut w)?;
        }
        w.u32(*cells_x);
        w.u32(*cells_y);
        for cell in cells {
            w.count_u16("cell hit count", cell.len())?;
            for id in cell {
                w.u16(*id);
            }
        }
        let Ok(attr1) = u32::try_from(areals.len()) else {
            return Err(w.too_large("areal count", areals.len() as u64, u64::from(u32::MAX)));
        };
        let mut filled = container.clone();
        if filled.find_type(AREAL_MAP).is_none() {
            filled.entries.push(empty_entry());
        }
        if let Some(entry) = areal_map_entry(&mut filled) {
            entry.attr1 = attr1;
            entry.data = w.finish();
        }
        Ok(filled)
    }
}

/// A file whose archive is open.
struct Decoder {
    file: ChunkFile<Tolerance>,
    polygon_blocks: PolygonBlockLayout,
}

impl Decoder {
    /// The archive holds exactly one entry; that it is of type 12 is seen when it is looked for.
    fn check_entries(&mut self) -> Result<(), FormatError> {
        let n_entries = self.file.container.entries.len();
        if n_entries <= 1 {
            return Ok(());
        }
        let error = (self.file.directory()).unexpected("directory", "exactly one entry", n_entries);
        self.file
            .waive(Tolerance::MORE_ENTRIES, error, "the others are kept")
    }

    /// The areals and the grid, links and cells in order. The archive is still to be put in.
    fn payload(&mut self) -> Result<LandMap, FormatError> {
        let chunk = self.file.chunk(AREAL_MAP)?;
        if let Some(broken) = no_areals(chunk.entry.attr1 as usize) {
            return Err(self.file.refuse(broken));
        }
        let label = chunk.label();
        let mut r = chunk.reader();
        let map = self.records(&mut r, &chunk);
        let rest = r.finish("after the last cell");
        let mut map = map.map_err(|error| error.in_entry(&label))?;
        self.file.settle(|| broken_links(&map))?;
        repair_links(&mut map);
        if let Err(error) = rest {
            let error = error.in_entry(&label);
            self.file
                .waive(Tolerance::TRAILING_BYTES, error, "they are dropped")?;
        }
        Ok(map)
    }

    fn records(&self, r: &mut Reader<'_>, chunk: &Chunk<'_>) -> Result<LandMap, FormatError> {
        // The count of areals stands in the directory.
        let at_count = Reader::nested(FORMAT, &[], chunk.row_field_offset(RowField::Attr1));
        let n_areals = u64::from(chunk.entry.attr1);
        let n_areals = claim_at(&at_count, AREAL_COUNT, r, n_areals, AREAL_HEADER_SIZE)?;
        let areals = (0..n_areals)
            .map(|_| Areal::read(r, self.polygon_blocks))
            .collect::<Result<_, _>>()?;
        let at_grid = r.clone();
        let cells_x = r.u32("cells in x")?;
        let cells_y = r.u32("cells in y")?;
        let n_cells = u64::from(cells_x).saturating_mul(cells_y.into());
        let n_cells = claim_at(&at_grid, "cells in x and y", r, n_cells, 2)?;
        let cells = (0..n_cells)
            .map(|_| read_cell(r))
            .collect::<Result<_, _>>()?;
        Ok(LandMap {
            areals,
            cells_x,
            cells_y,
            cells,
            container: NRes::new(),
        })
    }
}

impl Areal {
    fn read(r: &mut Reader<'_>, polygon_blocks: PolygonBlockLayout) -> Result<Self, FormatError> {
        let anchor = r.f32x3("areal anchor")?;
        let reserved_0c = r.f32("areal reserved_12")?;
        let area_metric = r.f32("areal area_metric")?;
        let normal = r.f32x3("areal normal")?;
        let logic_flag = r.u32("areal logic_flag")?;
        let reserved_24 = r.u32("areal reserved_36")?;
        let class_id = r.u32("areal class_id")?;
        let reserved_2c = r.u32("areal reserved_44")?;
        // Both counts stand before what they count.
        let at_vertex_count = r.clone();
        let n_vertices = r.u32("areal vertex_count")?;
        let at_poly_count = r.clone();
        let n_polygons = r.u32("areal poly_count")?;
        let size = VERTEX_SIZE.saturating_add(EdgeLink::SIZE);
        let n_vertices = claim_at(
            &at_vertex_count,
            "areal vertex_count",
            r,
            n_vertices.into(),
            size,
        )?;
        let vertices = (0..n_vertices)
            .map(|_| r.f32x3("areal vertex"))
            .collect::<Result<_, _>>()?;
        let edge_links = (0..n_vertices)
            .map(|_| EdgeLink::read(r, ()))
            .collect::<Result<_, _>>()?;
        let size = WORD_SIZE.saturating_add(LINKS_PER_POLYGON.saturating_mul(EdgeLink::SIZE));
        let n_polygons = claim_at(
            &at_poly_count,
            "areal poly_count",
            r,
            n_polygons.into(),
            size,
        )?;
        Ok(Self {
            anchor,
            reserved_0c,
            area_metric,
            normal,
            logic_flag,
            reserved_24,
            class_id,
            reserved_2c,
            vertices,
            edge_links,
            polygons: read_polygons(r, n_polygons, polygon_blocks)?,
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            anchor,
            reserved_0c,
            area_metric,
            normal,
            logic_flag,
            reserved_24,
            class_id,
            reserved_2c,
            vertices,
            edge_links,
            polygons,
        } = self;
        w.f32x3(*anchor);
        w.f32(*reserved_0c);
        w.f32(*area_metric);
        w.f32x3(*normal);
        w.u32(*logic_flag);
        w.u32(*reserved_24);
        w.u32(*class_id);
        w.u32(*reserved_2c);
        w.count("areal vertex_count", vertices.len())?;
        w.count("areal poly_count", polygons.len())?;
        for vertex in vertices {
            w.f32x3(*vertex);
        }
        let polygon_links = polygons.iter().flat_map(|polygon| &polygon.links);
        for link in edge_links.iter().chain(polygon_links) {
            link.write(w, ())?;
        }
        for PolygonBlock { links: _, body } in polygons {
            // A body is 3n words, or 3n + 1 by the other layout; both give n here.
            let count = body.len().checked_div(3).unwrap_or(0);
            w.count("polygon block count", count)?;
            for word in body {
                w.u32(*word);
            }
        }
        Ok(())
    }

    /// Bytes of the record.
    pub(super) fn size(&self) -> usize {
        let blocks = self.polygons.iter().fold(0usize, |size, polygon| {
            let words = polygon.body.len().saturating_add(1);
            size.saturating_add(words.saturating_mul(WORD_SIZE))
        });
        let n_polygon_links = self.polygons.len().saturating_mul(LINKS_PER_POLYGON);
        let n_links = self.edge_links.len().saturating_add(n_polygon_links);
        self.link_offset(n_links).saturating_add(blocks)
    }

    /// Byte of a link in the record; those of the outline come first.
    pub(super) fn link_offset(&self, link_idx: usize) -> usize {
        AREAL_HEADER_SIZE
            .saturating_add(self.vertices.len().saturating_mul(VERTEX_SIZE))
            .saturating_add(link_idx.saturating_mul(EdgeLink::SIZE))
    }
}

/// The links of all polygons, then their blocks.
fn read_polygons(
    r: &mut Reader<'_>,
    n_polygons: usize,
    layout: PolygonBlockLayout,
) -> Result<Vec<PolygonBlock>, FormatError> {
    let mut polygons = (0..n_polygons)
        .map(|_| {
            let link = |r: &mut Reader<'_>| EdgeLink::read(r, ());
            let links = [link(r)?, link(r)?, link(r)?];
            let body = Vec::new();
            Ok(PolygonBlock { links, body })
        })
        .collect::<Result<Vec<_>, FormatError>>()?;
    for polygon in &mut polygons {
        let at_count = r.clone();
        let count = u64::from(r.u32("polygon block count")?);
        let n_words = count.saturating_mul(3).saturating_add(match layout {
            PolygonBlockLayout::CountInside => 0,
            PolygonBlockLayout::CountBefore => 1,
        });
        let n_words = claim_at(&at_count, "polygon block count", r, n_words, WORD_SIZE)?;
        polygon.body = (0..n_words)
            .map(|_| r.u32("polygon block word"))
            .collect::<Result<_, _>>()?;
    }
    Ok(polygons)
}

fn read_cell(r: &mut Reader<'_>) -> Result<Vec<u16>, FormatError> {
    let at_count = r.clone();
    let count = r.u16("cell hit count")?;
    let count = claim_at(&at_count, "cell hit count", r, count.into(), 2)?;
    (0..count).map(|_| r.u16("cell areal id")).collect()
}

/// Checks a count against the bytes behind `r`; what is wrong with it is reported where the count stands.
fn claim_at(
    at_count: &Reader<'_>,
    field: &'static str,
    r: &Reader<'_>,
    count: u64,
    item_size: usize,
) -> Result<usize, FormatError> {
    let claimed = r.claim(field, count, item_size);
    claimed.map_err(|error| at_count.error(field, error.kind))
}

fn areal_map_entry(container: &mut NRes) -> Option<&mut Entry> {
    (container.entries.iter_mut()).find(|entry| entry.type_id == AREAL_MAP)
}

fn empty_entry() -> Entry {
    Entry::new(AREAL_MAP, 0, 0, 0, ENTRY_NAME, Vec::new()).expect("the name is short and plain")
}
