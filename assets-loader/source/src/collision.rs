//! Solids that things collide with, as `*.phy` and lumps 29 and 49 have them: convex hulls, the leaves of a tree.
//!
//! The framing is that of section 7.7 of the dossier; what is inside follows from the files of the five real maps, in
//! which the hulls of each model fill its box exactly. File axes have y down, in meters; hulls come out in the axes and
//! units of maps.
//!
//! | size | what |
//! | --- | --- |
//! | 28 | `VPHY`, version 0x100 or 0x101, kind (0 hulls, 1 a terrain), size of the rest, three areas, size of an axis map |
//! | 48 | center of mass, inertia, radius, sizes, offset of the first node from here, ..., `IVPS` |
//! | 28 | a node: offset of its right child, 0 in leaves (the left one follows it), offset of its hull, ball, box |
//! | 16 or 64 | a hull: offset of its points, client data, size, number of triangles |
//! | 16 or 64 | a triangle: its number, material, three corners and what lies opposite, narrow or a word each |
//! | 16 | a point |
//!
//! Deliberately absent: terrains, which displacements describe as well, and writing hulls; files keep their bytes.

#[cfg(test)]
pub mod sample;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::Vec3;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

const MAGIC: &[u8; 4] = b"VPHY";
const NARROW: u16 = 0x100;
const WIDE: u16 = 0x101;
const KIND_HULLS: u16 = 0;
const KIND_TERRAIN: u16 = 1;
/// Up to the surface, from whose start offsets count.
const HEADER_LEN: usize = 28;
const NODE_LEN: usize = 28;
const POINT_LEN: usize = 16;
const UNITS_PER_METER: f32 = 1.0 / 0.0254;

/// What a solid is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Convex hulls.
    Hulls(Vec<Hull>),
    /// Displaced terrain in a tree of its own, which is not read.
    Terrain,
}

/// A convex hull.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hull {
    /// Corners, map axes and units.
    pub points: Vec<[f32; 3]>,
    /// Indices into `points`, counterclockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle a number in the `materialtable` of the text beside the solids; 0 without one.
    pub materials: Vec<u32>,
}

/// Cosine between the normals of triangles that count as one face.
const SAME_FACE: f32 = 0.9995;

impl Hull {
    /// Edges between faces, and the ends of each; not those between triangles of one face.
    pub fn sharp_edges(&self) -> Vec<[[f32; 3]; 2]> {
        let point = |index: u32| self.points.get(index as usize).copied().map(Vec3::from);
        let mut normals_at = BTreeMap::<[u32; 2], Vec<Vec3>>::new();
        for &[a, b, c] in &self.triangles {
            let (Some(p), Some(q), Some(r)) = (point(a), point(b), point(c)) else {
                continue;
            };
            let normal = (q - p).cross(r - p).normalize_or_zero();
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let edge = [from.min(to), from.max(to)];
                normals_at.entry(edge).or_default().push(normal);
            }
        }
        let is_sharp = |normals: &[Vec3]| match normals {
            [one, other] => one.dot(*other) < SAME_FACE,
            _ => true,
        };
        let edges = normals_at.iter().filter(|(_, normals)| is_sharp(normals));
        edges
            .filter_map(|([a, b], _)| Some([point(*a)?.to_array(), point(*b)?.to_array()]))
            .collect()
    }
}

/// The shapes of solids that stand one after the other, each behind its size, from `base` on.
pub fn shapes_of(
    format: &'static str,
    solids: &[Vec<u8>],
    base: u64,
) -> impl Iterator<Item = Result<Shape, FormatError>> {
    solids.iter().scan(base, move |at, solid| {
        let first = at.saturating_add(4);
        *at = first.saturating_add(solid.len() as u64);
        Some(read_solid(format, solid, first))
    })
}

/// The shape of a solid. `format` and `base`, the place of the solid in its file, are for errors.
///
/// # Errors
/// Another mark, version or kind; a node, hull or point outside of the solid; nodes or triangles that are used twice.
pub fn read_solid(format: &'static str, data: &[u8], base: u64) -> Result<Shape, FormatError> {
    let mut r = Reader::nested(format, data, base);
    r.expect("solid mark", MAGIC)?;
    let at_version = r.clone();
    let version = r.u16("solid version")?;
    let layout = match version {
        NARROW => Layout::NARROW,
        WIDE => Layout::WIDE,
        _ => return Err(at_version.unexpected("solid version", "0x100 or 0x101", version)),
    };
    let at_kind = r.clone();
    match r.u16("solid kind")? {
        KIND_HULLS => {}
        KIND_TERRAIN => return Ok(Shape::Terrain),
        kind => return Err(at_kind.unexpected("solid kind", "0 or 1", kind)),
    }
    let surface = data.get(HEADER_LEN..).unwrap_or_default();
    let surface = Surface {
        format,
        data: surface,
        base: base.saturating_add(HEADER_LEN as u64),
        layout,
    };
    surface.hulls().map(Shape::Hulls)
}

/// How wide the records of a version are.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Where the offset of the first node is.
    root_at: usize,
    hull_len: usize,
    triangle_len: usize,
}

impl Layout {
    const NARROW: Self = Self {
        root_at: 32,
        hull_len: 16,
        triangle_len: 16,
    };
    const WIDE: Self = Self {
        root_at: 36,
        hull_len: 64,
        triangle_len: 64,
    };

    fn is_wide(self) -> bool {
        self.triangle_len == Self::WIDE.triangle_len
    }
}

/// The bytes that offsets count in.
struct Surface<'a> {
    format: &'static str,
    data: &'a [u8],
    base: u64,
    layout: Layout,
}

impl<'a> Surface<'a> {
    fn hulls(&self) -> Result<Vec<Hull>, FormatError> {
        let mut root = self.reader("first node", self.layout.root_at as i64)?;
        let root = i64::from(root.i32("first node")?);
        let mut hulls = Vec::new();
        let mut open = vec![root];
        // Each has bytes of its own, so that damage cannot make more of them than there is room for.
        let mut nodes_left = self.data.len() / NODE_LEN;
        let triangle_len = self.layout.triangle_len;
        let mut triangles_left = self.data.len().checked_div(triangle_len).unwrap_or(0);
        while let Some(at) = open.pop() {
            let mut r = self.reader("node", at)?;
            let at_node = r.clone();
            nodes_left = (nodes_left.checked_sub(1))
                .ok_or_else(|| at_node.unexpected("node", "each once", "one again"))?;
            let right = i64::from(r.i32("right child")?);
            let hull = i64::from(r.i32("hull of a node")?);
            if right == 0 {
                hulls.push(self.hull(at.saturating_add(hull), &mut triangles_left)?);
                continue;
            }
            if right < 0 {
                return Err(at_node.unexpected("right child", "an offset ahead", right));
            }
            open.extend([right, NODE_LEN as i64].map(|ahead| at.saturating_add(ahead)));
        }
        Ok(hulls)
    }

    fn hull(&self, at: i64, triangles_left: &mut usize) -> Result<Hull, FormatError> {
        let mut r = self.reader("hull", at)?;
        let points_at = at.saturating_add(r.i32("offset of points")?.into());
        r.u32("client data")?;
        r.u32("hull size")?;
        let at_count = r.clone();
        let n_triangles = usize::from(r.u16("triangle count")?);
        let left = triangles_left.checked_sub(n_triangles);
        *triangles_left = left.ok_or_else(|| {
            let kind = FormatErrorKind::CountTooLarge {
                count: n_triangles as u64,
                item_size: self.layout.triangle_len as u64,
                available: self.data.len() as u64,
            };
            at_count.error("triangle count", kind)
        })?;
        let triangles_at = at.saturating_add(self.layout.hull_len as i64);
        let mut r = self.reader("triangles", triangles_at)?;
        let mut hull = Hull::default();
        // Points of all hulls are in one array, so that those of one have any numbers.
        let mut known = BTreeMap::new();
        for _ in 0..n_triangles {
            let (material, corners) = self.triangle(&mut r)?;
            hull.materials.push(material);
            let mut triangle = [0; 3];
            for (place, number) in triangle.iter_mut().zip(corners) {
                *place = match known.get(&number) {
                    Some(index) => *index,
                    None => {
                        let index = hull.points.len() as u32;
                        hull.points.push(self.point(points_at, number)?);
                        known.insert(number, index);
                        index
                    }
                };
            }
            hull.triangles.push(triangle);
        }
        Ok(hull)
    }

    fn triangle(&self, r: &mut Reader<'a>) -> Result<(u32, [u32; 3]), FormatError> {
        let mut corners = [0; 3];
        if self.layout.is_wide() {
            r.u32("triangle number")?;
            r.u32("opposite triangle")?;
            let material = r.u32("triangle material")?;
            r.u32("triangle flags")?;
            for corner in &mut corners {
                *corner = r.u32("triangle corner")?;
                r.bytes("triangle edge", 12)?;
            }
            return Ok((material, corners));
        }
        let material = r.u32("triangle")? >> 24 & 0x7f;
        for corner in &mut corners {
            *corner = r.u32("triangle corner")? & 0xffff;
        }
        Ok((material, corners))
    }

    fn point(&self, points_at: i64, number: u32) -> Result<[f32; 3], FormatError> {
        let from_first = i64::from(number).saturating_mul(POINT_LEN as i64);
        let at = points_at.saturating_add(from_first);
        let [x, y, z] = self.reader("point", at)?.f32x3("point")?;
        Ok([x, z, -y].map(|meters| meters * UNITS_PER_METER))
    }

    /// From an offset on.
    fn reader(&self, field: &'static str, at: i64) -> Result<Reader<'a>, FormatError> {
        let rest = usize::try_from(at).ok().and_then(|at| self.data.get(at..));
        match rest {
            Some(rest) => {
                let base = self.base.saturating_add(at as u64);
                Ok(Reader::nested(self.format, rest, base))
            }
            None => {
                let whole = Reader::nested(self.format, self.data, self.base);
                let within = format!("an offset within {} bytes", self.data.len());
                Err(whole.unexpected(field, within, at))
            }
        }
    }
}
