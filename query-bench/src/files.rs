//! `PREFIX.mesh`, `PREFIX.{h,r,l,b,n}.q` and their `.a`: a mesh, queries to it and the expected results.
//!
//! Little-endian words: a count, then as many items. What an item holds stands at each reader below. Everything is
//! refused that the layout does not promise, by file, byte offset and field; nothing is allocated before its count
//! fits the bytes that are left.

use crate::{Found, Mesh, Queries, RayQuery};
use glam::Vec3;
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::vfs;
use ironlands_sim_core::Ray;
use std::path::{Path, PathBuf};

/// A result names a triangle that does not exist.
const NO_TRIANGLE: u32 = u32::MAX;
/// The largest coordinate that is taken: beyond it f32 has no eighth of a unit left.
const MAX_COORDINATE: f32 = 1_048_576.0;

/// Why a query set cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refuses the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file holds something else than the layout says.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where and what.
        source: Box<FormatError>,
    },
    /// A file of results for other queries.
    #[error("{}: expected {expected} results, one for each query, found {found}", path.display())]
    WrongResultCount {
        /// The file of results.
        path: PathBuf,
        /// Number of queries.
        expected: usize,
        /// Number of results.
        found: usize,
    },
}

/// A mesh, queries and the expected results. A kind of query without a file is empty.
#[derive(Debug, Default)]
pub struct QuerySet {
    /// The mesh to query.
    pub mesh: Mesh,
    /// The queries.
    pub queries: Queries,
    /// The expected results.
    pub results: ExpectedResults,
}

/// Expected results, in the order of the queries; `None` where there is no file of them.
#[derive(Debug, Default)]
pub struct ExpectedResults {
    /// Of `heights`; depth below the point.
    pub heights: Option<Vec<Option<Found>>>,
    /// Of `rays`.
    pub rays: Option<Vec<Option<Found>>>,
    /// Of `segments`: is anything between the ends?
    pub segments: Option<Vec<bool>>,
    /// Of `boxes`: number of triangles and sum of their indices, first by bounds, then exactly.
    pub boxes: Option<Vec<[[u32; 2]; 2]>>,
    /// Of `points`.
    pub points: Option<Vec<Option<Found>>>,
}

impl QuerySet {
    /// Reads `PREFIX.mesh` and whichever files of queries and results lie next to it.
    ///
    /// # Errors
    /// If a file cannot be read or is not as the layout says.
    pub fn read(prefix: &Path) -> Result<Self, FileError> {
        let mesh_path = with_suffix(prefix, "mesh");
        let mesh = parse(&mesh_path, &bytes_of(&mesh_path)?, read_mesh)?;
        let (bottom, top) = mesh.bounds();
        let height = |r: &mut Reader| read_height(r, bottom.z, top.z);
        let queries = Queries {
            heights: list(prefix, "h.q", 28, height)?.unwrap_or_default(),
            rays: list(prefix, "r.q", 28, read_ray)?.unwrap_or_default(),
            segments: list(prefix, "l.q", 28, read_ray)?.unwrap_or_default(),
            boxes: list(prefix, "b.q", 24, read_box)?.unwrap_or_default(),
            points: list(prefix, "n.q", 12, |r| read_point(r, "point"))?.unwrap_or_default(),
        };
        let n_triangles = mesh.triangles.len();
        let found = |r: &mut Reader| read_found(r, n_triangles);
        let pairs = |r: &mut Reader| Ok([read_sum(r)?, read_sum(r)?]);
        let q = &queries;
        let results = ExpectedResults {
            heights: results(prefix, "h.a", q.heights.len(), 8, found)?,
            rays: results(prefix, "r.a", q.rays.len(), 8, found)?,
            segments: results(prefix, "l.a", q.segments.len(), 4, read_blocked)?,
            boxes: results(prefix, "b.a", q.boxes.len(), 16, pairs)?,
            points: results(prefix, "n.a", q.points.len(), 8, found)?,
        };
        Ok(Self {
            mesh,
            queries,
            results,
        })
    }
}

/// `g128` and `h.q` are `g128.h.q`, whatever dots the prefix has.
fn with_suffix(prefix: &Path, suffix: &str) -> PathBuf {
    let mut path = prefix.as_os_str().to_owned();
    path.push(".");
    path.push(suffix);
    path.into()
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, FileError> {
    vfs::read(path).map_err(|source| FileError::Io {
        path: path.to_owned(),
        source,
    })
}

fn parse<T>(
    path: &Path,
    bytes: &[u8],
    read: impl FnOnce(&mut Reader) -> Result<T, FormatError>,
) -> Result<T, FileError> {
    let mut r = Reader::new("query set", bytes);
    let read = read(&mut r).and_then(|value| r.finish("after the last item").map(|()| value));
    read.map_err(|source| FileError::Format {
        path: path.to_owned(),
        source: Box::new(source),
    })
}

/// The items of a file; `None` if there is no such file.
fn list<T>(
    prefix: &Path,
    suffix: &str,
    item_size: usize,
    mut item: impl FnMut(&mut Reader) -> Result<T, FormatError>,
) -> Result<Option<Vec<T>>, FileError> {
    let path = with_suffix(prefix, suffix);
    let bytes = match bytes_of(&path) {
        Err(FileError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            return Ok(None);
        }
        bytes => bytes?,
    };
    let items = parse(&path, &bytes, |r| {
        let n = r.count("count", item_size)?;
        (0..n).map(|_| item(r)).collect()
    });
    items.map(Some)
}

fn results<T>(
    prefix: &Path,
    suffix: &str,
    n_queries: usize,
    item_size: usize,
    item: impl FnMut(&mut Reader) -> Result<T, FormatError>,
) -> Result<Option<Vec<T>>, FileError> {
    let results = list(prefix, suffix, item_size, item)?;
    match &results {
        Some(results) if results.len() != n_queries => Err(FileError::WrongResultCount {
            path: with_suffix(prefix, suffix),
            expected: n_queries,
            found: results.len(),
        }),
        _ => Ok(results),
    }
}

/// u32 vertices, f3 each; u32 triangles, u32 x 3 each.
fn read_mesh(r: &mut Reader) -> Result<Mesh, FormatError> {
    let n_vertices = r.count("vertex count", 12)?;
    let positions = (0..n_vertices).map(|_| Ok(read_point(r, "vertex")?.to_array()));
    let positions = positions.collect::<Result<_, _>>()?;
    let at_count = r.clone();
    let n_triangles = r.count("triangle count", 12)?;
    if n_triangles == 0 {
        return Err(at_count.unexpected("triangle count", "at least 1", "0"));
    }
    let triangles = (0..n_triangles).map(|_| {
        let mut corner = || {
            let at = r.clone();
            let vertex = r.u32("vertex of a triangle")?;
            if vertex as usize >= n_vertices {
                let expected = format!("an index below {n_vertices}");
                return Err(at.unexpected("vertex of a triangle", expected, vertex.to_string()));
            }
            Ok(vertex)
        };
        Ok([corner()?, corner()?, corner()?])
    });
    let triangles = triangles.collect::<Result<_, _>>()?;
    Ok(Mesh {
        positions,
        triangles,
    })
}

/// f3.
fn read_point(r: &mut Reader, field: &'static str) -> Result<Vec3, FormatError> {
    let at = r.clone();
    let point = Vec3::from(r.f32x3(field)?);
    if point.is_finite() && point.abs().max_element() <= MAX_COORDINATE {
        return Ok(point);
    }
    let expected = format!("three finite coordinates of at most {MAX_COORDINATE}");
    Err(at.unexpected(field, expected, point.to_string()))
}

/// f3 origin, f3 unit direction, f32 tmax.
fn read_ray(r: &mut Reader) -> Result<RayQuery, FormatError> {
    let origin = read_point(r, "ray origin")?;
    let at_direction = r.clone();
    let direction = read_point(r, "ray direction")?;
    if !direction.is_normalized() {
        let found = format!("{direction} of length {}", direction.length());
        return Err(at_direction.unexpected("ray direction", "a length of 1", found));
    }
    let at_length = r.clone();
    let t_max = r.f32("ray length")?;
    if t_max.is_nan() || t_max < 0.0 {
        return Err(at_length.unexpected("ray length", "0 or more", t_max.to_string()));
    }
    Ok(RayQuery {
        ray: Ray { origin, direction },
        t_max,
    })
}

/// A ray that is straight down, from above everything to below it.
fn read_height(r: &mut Reader, bottom: f32, top: f32) -> Result<Vec3, FormatError> {
    let at = r.clone();
    let RayQuery { ray, t_max } = read_ray(r)?;
    let is_through = ray.origin.z >= top && ray.origin.z - t_max <= bottom;
    if ray.direction == Vec3::NEG_Z && is_through {
        return Ok(ray.origin);
    }
    let expected = format!("straight down from z >= {top} to z <= {bottom}");
    let found = format!("along {} from {}, {t_max} long", ray.direction, ray.origin);
    Err(at.unexpected("height ray", expected, found))
}

/// f3 low, f3 high.
fn read_box(r: &mut Reader) -> Result<[Vec3; 2], FormatError> {
    let at = r.clone();
    let [low, high] = [read_point(r, "box, low")?, read_point(r, "box, high")?];
    if low.cmple(high).all() {
        return Ok([low, high]);
    }
    let found = format!("{low} and {high}");
    Err(at.unexpected("box", "low <= high on every axis", found))
}

/// u32 triangle or none, f32 ray parameter or distance.
fn read_found(r: &mut Reader, n_triangles: usize) -> Result<Option<Found>, FormatError> {
    let start = r.clone();
    let (triangle, at) = (r.u32("triangle")?, r.f32("t")?);
    match triangle {
        NO_TRIANGLE => Ok(None),
        _ if (triangle as usize) < n_triangles => Ok(Some(Found { triangle, at })),
        _ => {
            let expected = format!("{NO_TRIANGLE:#x} or an index below {n_triangles}");
            Err(start.unexpected("triangle", expected, triangle.to_string()))
        }
    }
}

/// u32: 1 blocked, 0 free.
fn read_blocked(r: &mut Reader) -> Result<bool, FormatError> {
    let at = r.clone();
    match r.u32("blocked")? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(at.unexpected("blocked", "0 or 1", other.to_string())),
    }
}

/// u32 number, u32 sum of indices mod 2^32.
fn read_sum(r: &mut Reader) -> Result<[u32; 2], FormatError> {
    Ok([r.u32("number of triangles")?, r.u32("sum of triangles")?])
}

#[cfg(test)]
mod tests;
