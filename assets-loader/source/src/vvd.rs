//! `*.vvd`: the vertices of a studio model. Dossier section 10.5. Model axes and units, +Z up.

#[cfg(test)]
mod tests;

use super::bsp::{MAX_COORDINATE, is_place};
use super::studio_file::{File, Image, PlainRow, Table};
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::{Field, Record};
use ironlands_assets_core::report::{Report, refusal};

const FORMAT: &str = Vvd::NAME;
/// First bytes of every file.
const MAGIC: &[u8] = b"IDSV";

/// Levels of detail that the fields of all files have room for.
pub const MAX_LODS: usize = 8;

/// The vertices of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Vvd {
    /// That of the model's other files.
    pub checksum: u32,
    /// Levels of detail.
    pub n_lods: i32,
    /// Vertices of each level of detail.
    pub lod_vertex_counts: [i32; MAX_LODS],
    /// Which vertices a level of detail has; none if each begins with those of the next.
    pub fixups: Table<Fixup>,
    /// All vertices.
    pub vertices: Table<VvdVertex>,
    /// A tangent for each vertex, with the handedness; none in old files.
    pub tangents: Table<[f32; 4]>,
    image: Vec<u8>,
}

/// A run of vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct Fixup {
    /// The coarsest level of detail that has them.
    #[field("fixup lod")]
    pub lod: i32,
    /// The first.
    #[field("fixup source vertex")]
    pub source_vertex: i32,
    /// Vertices from `source_vertex` on.
    #[field("fixup vertex count")]
    pub n_vertices: i32,
}

/// A vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct VvdVertex {
    /// Weights of its bones.
    #[field("vertex weights")]
    pub weights: [f32; 3],
    /// Bones by number, of which `n_bones` count.
    #[field("vertex bones")]
    pub bones: [u8; 3],
    /// At most 3.
    #[field("vertex bone count")]
    pub n_bones: u8,
    /// Place.
    #[field("vertex position")]
    pub position: [f32; 3],
    /// Unit normal.
    #[field("vertex normal")]
    pub normal: [f32; 3],
    /// Texture coordinates, v down.
    #[field("vertex uv")]
    pub uv: [f32; 2],
}

impl Format for Vvd {
    type Context = ();

    const NAME: &'static str = "vvd";
    const EXTENSIONS: &'static [&'static str] = &["vvd"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".vvd").then_some(Match::Extension)
    }

    fn check(&self) -> Vec<Finding> {
        let mut findings = self.check();
        findings.extend(self.check_places());
        findings
    }

    fn describe(&self, report: &mut Report) {
        report.fact("checksum", format!("{:08x}", self.checksum));
        report.fact("levels of detail", self.n_lods);
        report.fact("vertices", self.vertices.len());
    }
}

impl Vvd {
    pub(super) const HEADER_SIZE: usize = 64;

    /// Reads a whole file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, data);
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        expect_version(&mut r, 4)?;
        let checksum = r.u32("checksum")?;
        let at = r.clone();
        let n_lods = r.i32("lod count")?;
        if !(1..=MAX_LODS as i32).contains(&n_lods) {
            return Err(at.unexpected("lod count", "1 to 8", n_lods));
        }
        let counts_at = r.clone();
        let lod_vertex_counts: [i32; MAX_LODS] = Field::read(&mut r, "vertices of lod", ())?;
        let n_vertices = lod_vertex_counts[0];
        let fixups = file.take_table::<Fixup>(&mut r, "fixups", Fixup::SIZE, 0)?;
        let vertex_offset = r.i32("vertices")?;
        let vertex_place = (n_vertices, VvdVertex::SIZE);
        let vertices = file.table(&counts_at, "vertices", vertex_place, (0, vertex_offset))?;
        let tangent_offset = r.i32("tangents")?;
        let n_tangents = if tangent_offset == 0 { 0 } else { n_vertices };
        let tangent_place = (n_tangents, 16);
        let tangents = file.table(&counts_at, "tangents", tangent_place, (0, tangent_offset))?;
        let vvd = Self {
            checksum,
            n_lods,
            lod_vertex_counts,
            fixups,
            vertices,
            tangents,
            image: data.to_vec(),
        };
        vvd.check_fixups(data)?;
        Ok(vvd)
    }

    /// The bytes of the file.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            checksum,
            n_lods,
            lod_vertex_counts,
            fixups,
            vertices,
            tangents,
            image,
        } = self;
        let mut image = Image::new(FORMAT, image);
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.i32(4);
        w.u32(*checksum);
        w.i32(*n_lods);
        lod_vertex_counts.write(&mut w, "vertices of lod", ())?;
        fixups.write_place(&mut w);
        w.i32(vertices.offset());
        w.i32(tangents.offset());
        image.put(0, &w.finish());
        image.put_table(fixups, 0)?;
        image.put_table(vertices, 0)?;
        image.put_table(tangents, 0)?;
        Ok(image.finish())
    }

    /// The numbers of the vertices that a level of detail has, in its order.
    pub fn vertices_of_lod(&self, lod: usize) -> Vec<usize> {
        let Some(n_vertices) = self.lod_vertex_counts.get(lod) else {
            return Vec::new();
        };
        if self.fixups.is_empty() {
            let n_vertices = usize::try_from(*n_vertices).unwrap_or(0);
            return (0..n_vertices.min(self.vertices.len())).collect();
        }
        let fixups = self.fixups.iter();
        fixups
            .filter(|fixup| usize::try_from(fixup.lod).is_ok_and(|of| of >= lod))
            .flat_map(|fixup| fixup.range().unwrap_or_default())
            .collect()
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let lods = self.lod_vertex_counts.iter().enumerate();
        let lods = lods.take(usize::try_from(self.n_lods).unwrap_or(0));
        lods.filter_map(|(lod, count)| {
            let found = self.vertices_of_lod(lod).len();
            let is_reported = usize::try_from(*count).is_ok_and(|count| count == found);
            let message = format!("level of detail {lod} has {found} vertices and says {count}");
            (!is_reported).then(|| Finding::new(Severity::Warning, FORMAT, message))
        })
        .collect()
    }

    /// Finds the first vertex that no scene can hold, and how many more there are.
    fn check_places(&self) -> Vec<Finding> {
        let vertices = self.vertices.iter().enumerate();
        let mut wild = vertices.filter_map(|(i, vertex)| self.refuse_wild_vertex(i, vertex).err());
        let Some(first) = wild.next() else {
            return Vec::new();
        };
        let mut findings = vec![refusal(&first)];
        let n_more = wild.count();
        if n_more > 0 {
            let message = format!("{n_more} more vertices of the kind before");
            findings.push(Finding::new(Severity::Error, FORMAT, message));
        }
        findings
    }

    /// Refuses a vertex that no scene can hold: one that is not finite, or lies outside of any map.
    pub fn refuse_wild_vertex(&self, index: usize, vertex: &VvdVertex) -> Result<(), FormatError> {
        let VvdVertex {
            position,
            normal,
            uv,
            ..
        } = vertex;
        let offset = usize::try_from(self.vertices.offset()).unwrap_or(0);
        let offset = offset.saturating_add(index.saturating_mul(VvdVertex::SIZE)) as u64;
        let refuse = |at: u64, field: &str, expected: String, found: String| {
            let r = Reader::nested(FORMAT, &[], offset.saturating_add(at));
            Err(r.unexpected(format!("{field} of vertex {index}"), expected, found))
        };
        if !is_place(*position) {
            let expected = format!("coordinates up to {MAX_COORDINATE}");
            return refuse(16, "position", expected, format!("{position:?}"));
        }
        let mut others = normal.iter().chain(uv);
        if !others.all(|number| number.is_finite()) {
            let expected = "finite numbers".to_owned();
            return refuse(28, "normal or u, v", expected, format!("{normal:?} {uv:?}"));
        }
        Ok(())
    }

    /// Fixups lead to vertices that exist, and name no more than there are.
    fn check_fixups(&self, data: &[u8]) -> Result<(), FormatError> {
        let mut n_named = 0_usize;
        for (index, fixup) in self.fixups.iter().enumerate() {
            let range = fixup.range();
            n_named = n_named.saturating_add(range.as_ref().map_or(0, ExactSizeIterator::len));
            let n_vertices = self.vertices.len();
            let is_sound = range.is_some_and(|range| range.end <= n_vertices);
            if !is_sound || n_named > n_vertices {
                let position = index.saturating_mul(Fixup::SIZE);
                let at = usize::try_from(self.fixups.offset()).unwrap_or(0);
                let at = at.saturating_add(position);
                let r = Reader::new(FORMAT, data).sub("fixup", at, Fixup::SIZE)?;
                let expected = format!("each of {n_vertices} vertices at most once");
                return Err(r.unexpected("fixup", expected, format!("{fixup:?}")));
            }
        }
        Ok(())
    }
}

/// Takes a version number that must be `version`.
pub(super) fn expect_version(r: &mut Reader<'_>, version: i32) -> Result<(), FormatError> {
    let at = r.clone();
    let found = r.i32("version")?;
    if found == version {
        return Ok(());
    }
    let what = format!("version {found}");
    Err(at.error("version", FormatErrorKind::Unsupported { what }))
}

impl Fixup {
    fn range(&self) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(self.source_vertex).ok()?;
        let len = usize::try_from(self.n_vertices).ok()?;
        Some(start..start.checked_add(len)?)
    }
}

impl PlainRow for Fixup {}

impl PlainRow for VvdVertex {}
