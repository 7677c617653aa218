//! `*.vhv`: light that was baked into the vertices of a prop. Dossier section 10.6.

#[cfg(test)]
mod tests;

use super::studio_file::{File, Image, Row, Table};
use super::vvd::expect_version;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Vhv::NAME;
const VERSION: i32 = 2;

/// Baked light of one prop.
#[derive(Debug, Clone, PartialEq)]
pub struct Vhv {
    /// That of the model.
    pub checksum: u32,
    /// What a vertex holds.
    pub vertex_flags: u32,
    /// Vertices of all meshes.
    pub n_vertices: u32,
    /// Bytes that mean nothing.
    pub unknown_18: [u8; 16],
    /// Meshes of all levels of detail.
    pub meshes: Table<VhvMesh>,
    vertex_size: u32,
    image: Vec<u8>,
}

/// Baked light of a mesh.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VhvMesh {
    /// Level of detail.
    pub lod: u32,
    /// For each vertex of the mesh's strip groups in order: one color, or three from three directions.
    pub colors: Table<Bgra>,
    /// Number of vertices.
    n_vertices: u32,
    /// Bytes that mean nothing.
    pub unknown_0c: [u8; 16],
}

/// A color: blue, green, red, alpha.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bgra(pub [u8; 4]);

impl Bgra {
    const SIZE: usize = 4;

    /// Red, green, blue as linear light: 1 where the byte is 127.5.
    pub fn linear(self) -> [f32; 3] {
        let [b, g, r, _] = self.0;
        [r, g, b].map(|c| (2.0 * f32::from(c) / 255.0).powf(2.2))
    }
}

impl Format for Vhv {
    type Context = ();

    const NAME: &'static str = "vhv";
    const EXTENSIONS: &'static [&'static str] = &["vhv"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".vhv").then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("checksum", format!("{:08x}", self.checksum));
        report.fact("meshes", self.meshes.len());
        report.fact("vertices", self.n_vertices);
    }
}

impl Vhv {
    const HEADER_SIZE: usize = 40;

    /// Reads a whole file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        expect_version(&mut r, VERSION)?;
        let checksum = r.u32("checksum")?;
        let vertex_flags = r.u32("vertex flags")?;
        let at = r.clone();
        let vertex_size = r.u32("vertex size")?;
        if ![4, 12].contains(&vertex_size) {
            return Err(at.unexpected("vertex size", "4 or 12", vertex_size));
        }
        let vertex_parts = if vertex_size == 4 { 1 } else { 3 };
        let file = File::new(FORMAT, data).with_vertex_parts(vertex_parts);
        let n_vertices = r.u32("vertex count")?;
        let at = r.clone();
        let n_meshes = r.i32("mesh count")?;
        let unknown_18 = r.array("header")?;
        let place = (n_meshes, VhvMesh::SIZE);
        let meshes = file.table(&at, "meshes", place, (Self::HEADER_SIZE, 0))?;
        Ok(Self {
            checksum,
            vertex_flags,
            n_vertices,
            unknown_18,
            meshes,
            vertex_size,
            image: data.to_vec(),
        })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            checksum,
            vertex_flags,
            n_vertices,
            unknown_18,
            meshes,
            vertex_size,
            image,
        } = self;
        let mut image = Image::new(FORMAT, image);
        let mut w = Writer::new(FORMAT);
        w.i32(VERSION);
        w.u32(*checksum);
        w.u32(*vertex_flags);
        w.u32(*vertex_size);
        w.u32(*n_vertices);
        w.count("mesh count", meshes.len())?;
        w.bytes(unknown_18);
        image.put(0, &w.finish());
        image.put_table(meshes, Self::HEADER_SIZE)?;
        Ok(image.finish())
    }

    /// Colors that each vertex has: 1, or 3 from three directions.
    pub fn n_colors_per_vertex(&self) -> usize {
        self.vertex_size as usize / Bgra::SIZE
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let n_stored: u64 = self
            .meshes
            .iter()
            .map(|mesh| u64::from(mesh.n_vertices))
            .sum();
        if n_stored == u64::from(self.n_vertices) {
            return Vec::new();
        }
        let reported = self.n_vertices;
        let message = format!("meshes have {n_stored} vertices, the header says {reported}");
        vec![Finding::new(Severity::Warning, FORMAT, message)]
    }
}

impl VhvMesh {
    const SIZE: usize = 28;
}

impl Row for VhvMesh {
    fn read(r: &mut Reader<'_>, file: &File<'_>, _: usize) -> Result<Self, FormatError> {
        let lod = r.u32("mesh lod")?;
        let at = r.clone();
        let n_vertices = r.u32("mesh vertex count")?;
        let offset = r.i32("mesh offset")?;
        let n_colors = i32::try_from(n_vertices).ok();
        let n_colors = n_colors.and_then(|n| n.checked_mul(file.vertex_parts()));
        let Some(n_colors) = n_colors else {
            return Err(at.unexpected("mesh vertex count", "a count", n_vertices));
        };
        let place = (n_colors, Bgra::SIZE);
        Ok(Self {
            lod,
            n_vertices,
            colors: file.table(&at, "mesh vertex count", place, (0, offset))?,
            unknown_0c: r.array("mesh")?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self {
            lod,
            colors,
            n_vertices,
            unknown_0c,
        } = self;
        w.u32(*lod);
        w.u32(*n_vertices);
        w.i32(colors.offset());
        w.bytes(unknown_0c);
        image.put_table(colors, 0)?;
        Ok(())
    }
}

impl Row for Bgra {
    fn read(r: &mut Reader<'_>, _: &File<'_>, _: usize) -> Result<Self, FormatError> {
        r.array("color").map(Self)
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        w.bytes(&self.0);
        Ok(())
    }
}
