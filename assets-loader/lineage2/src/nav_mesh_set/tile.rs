//! A tile of a navigation mesh: polygons, what they lead to, and a tree over them.

use super::FORMAT;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::{Record, read_all, write_all};

const MAGIC: u32 = u32::from_le_bytes(*b"VAND");
const VERSION: u32 = 7;

/// Vertices of a polygon, at most.
pub const MAX_POLYGON_VERTICES: usize = 6;

/// The bit of a neighbor that is in another tile; the lowest bits are its side: 0 for x+, 2 for z+, 4 for x-, 6 for z-.
pub const PORTAL: u16 = 0x8000;

/// The type of a polygon that is an off-mesh connection, in the upper bits of its area.
const CONNECTION_TYPE: u8 = 1;

/// A tile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NavTile {
    /// What is not counted by the other fields.
    pub header: NavTileHeader,
    /// Vertices of all polygons.
    pub vertices: Vec<[f32; 3]>,
    /// Polygons on the ground, then those of off-mesh connections.
    pub polygons: Vec<NavPolygon>,
    /// Room for links, which Detour makes when it adds the tile.
    pub links: Vec<DetourLink>,
    /// Triangles of each polygon on the ground.
    pub details: Vec<DetailMesh>,
    /// Vertices of triangles beside those of the polygons.
    pub detail_vertices: Vec<[f32; 3]>,
    /// Three vertices and flags: those of the polygon first, then its own.
    pub detail_triangles: Vec<[u8; 4]>,
    /// A tree over the polygons on the ground; may be absent.
    pub tree: Vec<NavBounds>,
    /// Off-mesh connections.
    pub connections: Vec<OffMeshConnection>,
}

/// The header of a tile. Counts are those of the vectors of its [`NavTile`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NavTileHeader {
    /// Place in the grid, and number among the tiles of that place.
    pub place: [i32; 3],
    /// Anything.
    pub user_id: u32,
    /// First polygon that is an off-mesh connection.
    pub first_connection: u32,
    /// Of agents.
    pub walkable_height: f32,
    /// Of agents.
    pub walkable_radius: f32,
    /// Largest step between polygons.
    pub walkable_climb: f32,
    /// Lowest corner.
    pub low: [f32; 3],
    /// Highest corner.
    pub high: [f32; 3],
    /// Steps of the tree's numbers in a unit.
    pub tree_steps: f32,
}

/// The header as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
struct StoredHeader {
    #[field("tile magic", check = is_magic)]
    magic: u32,
    #[field("tile version", check = is_version)]
    version: u32,
    #[field("tile place")]
    place: [i32; 3],
    #[field("tile user id")]
    user_id: u32,
    #[field("polygon count")]
    n_polygons: u32,
    #[field("vertex count")]
    n_vertices: u32,
    #[field("link count")]
    n_links: u32,
    #[field("detail mesh count")]
    n_details: u32,
    #[field("detail vertex count")]
    n_detail_vertices: u32,
    #[field("detail triangle count")]
    n_detail_triangles: u32,
    #[field("tree node count")]
    n_tree_nodes: u32,
    #[field("off-mesh connection count")]
    n_connections: u32,
    #[field("first off-mesh connection")]
    first_connection: u32,
    #[field("walkable height")]
    walkable_height: f32,
    #[field("walkable radius")]
    walkable_radius: f32,
    #[field("walkable climb")]
    walkable_climb: f32,
    #[field("tile low corner")]
    low: [f32; 3],
    #[field("tile high corner")]
    high: [f32; 3],
    #[field("tree steps")]
    tree_steps: f32,
}

/// A convex polygon, clockwise as seen from above with north up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Record)]
pub struct NavPolygon {
    /// Made by Detour.
    #[field("polygon first link")]
    pub first_link: u32,
    /// Places of its vertices; the rest is 0.
    #[field("polygon vertices")]
    pub vertices: [u16; MAX_POLYGON_VERTICES],
    /// What is behind each edge: 0 for nothing, a polygon's number and 1, or [`PORTAL`] and a side.
    #[field("polygon neighbors")]
    pub neighbors: [u16; MAX_POLYGON_VERTICES],
    /// Anything; a filter compares them.
    #[field("polygon flags")]
    pub flags: u16,
    /// Vertices that count.
    #[field("polygon vertex count")]
    pub n_vertices: u8,
    /// Area in six bits, and type in two: 0 for ground, 1 for an off-mesh connection.
    #[field("polygon area and type")]
    pub area_and_type: u8,
}

/// A link between polygons, made by Detour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Record)]
pub struct DetourLink {
    /// Polygon that it leads to.
    #[field("link")]
    pub reference: u32,
    /// The next one of the polygon.
    #[field("link next")]
    pub next: u32,
    /// Edge, side, and the part of the edge.
    #[field("link edge")]
    pub edge: [u8; 4],
}

/// Triangles of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Record)]
pub struct DetailMesh {
    /// First of its own vertices.
    #[field("detail first vertex")]
    pub first_vertex: u32,
    /// First of its triangles.
    #[field("detail first triangle")]
    pub first_triangle: u32,
    /// Its own vertices.
    #[field("detail vertices")]
    pub n_vertices: u8,
    /// Its triangles.
    #[field("detail triangles")]
    pub n_triangles: u8,
    /// Padding of the structure.
    #[field("detail padding")]
    pub unknown_0a: [u8; 2],
}

/// A node of the tree, in steps from the lowest corner of the tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Record)]
pub struct NavBounds {
    /// Lowest corner.
    #[field("node low corner")]
    pub low: [u16; 3],
    /// Highest corner.
    #[field("node high corner")]
    pub high: [u16; 3],
    /// A polygon, or as a negative number how many nodes its part of the tree has.
    #[field("node index")]
    pub index: i32,
}

/// A connection that is no edge.
#[derive(Debug, Clone, Copy, PartialEq, Default, Record)]
pub struct OffMeshConnection {
    /// Start.
    #[field("connection start")]
    pub start: [f32; 3],
    /// End.
    #[field("connection end")]
    pub end: [f32; 3],
    /// How far polygons may be from the ends.
    #[field("connection radius")]
    pub radius: f32,
    /// Its polygon.
    #[field("connection polygon")]
    pub polygon: u16,
    /// 1 if it leads both ways.
    #[field("connection flags")]
    pub flags: u8,
    /// Which neighbor of the tile it ends in; 255 for the tile itself.
    #[field("connection side")]
    pub side: u8,
    /// Anything.
    #[field("connection user id")]
    pub user_id: u32,
}

fn is_magic(at: &Reader<'_>, name: &'static str, value: &u32) -> Result<(), FormatError> {
    is_number(at, name, *value, MAGIC)
}

fn is_version(at: &Reader<'_>, name: &'static str, value: &u32) -> Result<(), FormatError> {
    is_number(at, name, *value, VERSION)
}

fn is_number(
    at: &Reader<'_>,
    name: &'static str,
    value: u32,
    expected: u32,
) -> Result<(), FormatError> {
    match value == expected {
        true => Ok(()),
        false => Err(at.unexpected(name, expected.to_string(), value)),
    }
}

impl NavPolygon {
    /// The places of its vertices.
    pub fn corners(&self) -> &[u16] {
        let n = usize::from(self.n_vertices).min(MAX_POLYGON_VERTICES);
        self.vertices.get(..n).unwrap_or_default()
    }

    /// Whether it is an off-mesh connection.
    pub fn is_connection(&self) -> bool {
        self.area_and_type >> 6 == CONNECTION_TYPE
    }
}

impl NavTileHeader {
    /// Bytes of a header.
    pub(super) const SIZE: usize = StoredHeader::SIZE;
}

impl NavTile {
    pub(super) fn read(mut r: Reader<'_>) -> Result<Self, FormatError> {
        let r = &mut r;
        let stored = StoredHeader::read(r, ())?;
        let vertices = read_part(r, "vertex", stored.n_vertices, 12)?;
        let polygons = read_polygons(r, &stored)?;
        let links = read_part(r, "link", stored.n_links, DetourLink::SIZE)?;
        let details = read_details(r, &stored)?;
        let detail_vertices = read_part(r, "detail vertex", stored.n_detail_vertices, 12)?;
        let detail_triangles = read_part(r, "detail triangle", stored.n_detail_triangles, 4)?;
        let tree = read_tree(r, &stored)?;
        let connections = read_connections(r, &stored)?;
        r.clone().finish("after the tile")?;
        Ok(Self {
            header: NavTileHeader {
                place: stored.place,
                user_id: stored.user_id,
                first_connection: stored.first_connection,
                walkable_height: stored.walkable_height,
                walkable_radius: stored.walkable_radius,
                walkable_climb: stored.walkable_climb,
                low: stored.low,
                high: stored.high,
                tree_steps: stored.tree_steps,
            },
            vertices,
            polygons,
            links,
            details,
            detail_vertices,
            detail_triangles,
            tree,
            connections,
        })
    }

    pub(super) fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            header,
            vertices,
            polygons,
            links,
            details,
            detail_vertices,
            detail_triangles,
            tree,
            connections,
        } = self;
        let mut w = Writer::new(FORMAT);
        let count = |field, count: usize| {
            u32::try_from(count)
                .map_err(|_| Writer::new(FORMAT).too_large(field, count as u64, u32::MAX.into()))
        };
        let stored = StoredHeader {
            magic: MAGIC,
            version: VERSION,
            place: header.place,
            user_id: header.user_id,
            n_polygons: count("polygon count", polygons.len())?,
            n_vertices: count("vertex count", vertices.len())?,
            n_links: count("link count", links.len())?,
            n_details: count("detail mesh count", details.len())?,
            n_detail_vertices: count("detail vertex count", detail_vertices.len())?,
            n_detail_triangles: count("detail triangle count", detail_triangles.len())?,
            n_tree_nodes: count("tree node count", tree.len())?,
            n_connections: count("off-mesh connection count", connections.len())?,
            first_connection: header.first_connection,
            walkable_height: header.walkable_height,
            walkable_radius: header.walkable_radius,
            walkable_climb: header.walkable_climb,
            low: header.low,
            high: header.high,
            tree_steps: header.tree_steps,
        };
        stored.write(&mut w, ())?;
        write_all(&mut w, "vertex", vertices, ())?;
        write_all(&mut w, "polygon", polygons, ())?;
        write_all(&mut w, "link", links, ())?;
        write_all(&mut w, "detail mesh", details, ())?;
        write_all(&mut w, "detail vertex", detail_vertices, ())?;
        write_all(&mut w, "detail triangle", detail_triangles, ())?;
        write_all(&mut w, "tree node", tree, ())?;
        write_all(&mut w, "off-mesh connection", connections, ())?;
        Ok(w.finish())
    }
}

fn read_part<T: ironlands_assets_core::record::Field<()>>(
    r: &mut Reader<'_>,
    name: &'static str,
    count: u32,
    size: usize,
) -> Result<Vec<T>, FormatError> {
    let count = r.claim(name, count.into(), size)?;
    read_all(r, name, count, ())
}

fn read_polygons(
    r: &mut Reader<'_>,
    header: &StoredHeader,
) -> Result<Vec<NavPolygon>, FormatError> {
    let n_polygons = r.claim("polygon", header.n_polygons.into(), NavPolygon::SIZE)?;
    let mut polygons = Vec::with_capacity(n_polygons);
    for _ in 0..n_polygons {
        let at = r.clone();
        let polygon = NavPolygon::read(r, ())?;
        let is_vertex = |corner: &u16| u32::from(*corner) < header.n_vertices;
        // Of off-mesh connections two.
        let is_count = (2..=MAX_POLYGON_VERTICES).contains(&usize::from(polygon.n_vertices));
        if !is_count || !polygon.corners().iter().all(is_vertex) {
            let expected = format!("2 to 6 vertices of {}", header.n_vertices);
            let found = format!("{} of {:?}", polygon.n_vertices, polygon.vertices);
            return Err(at.unexpected("polygon vertices", expected, found));
        }
        let is_polygon =
            |neighbor: &u16| neighbor & PORTAL != 0 || u32::from(*neighbor) <= header.n_polygons;
        if !polygon.neighbors.iter().all(is_polygon) {
            let expected = format!("polygons up to {}, or portals", header.n_polygons);
            let found = format!("{:?}", polygon.neighbors);
            return Err(at.unexpected("polygon neighbors", expected, found));
        }
        polygons.push(polygon);
    }
    Ok(polygons)
}

fn read_details(r: &mut Reader<'_>, header: &StoredHeader) -> Result<Vec<DetailMesh>, FormatError> {
    let n_details = r.claim("detail mesh", header.n_details.into(), DetailMesh::SIZE)?;
    let mut details = Vec::with_capacity(n_details);
    for _ in 0..n_details {
        let at = r.clone();
        let detail = DetailMesh::read(r, ())?;
        let is_inside = |first: u32, count: u8, n: u32| {
            let end = first.checked_add(u32::from(count));
            end.is_some_and(|end| end <= n)
        };
        let (n_vertices, n_triangles) = (header.n_detail_vertices, header.n_detail_triangles);
        if !is_inside(detail.first_vertex, detail.n_vertices, n_vertices)
            || !is_inside(detail.first_triangle, detail.n_triangles, n_triangles)
        {
            let expected = format!("parts of {n_vertices} vertices and {n_triangles} triangles");
            return Err(at.unexpected("detail mesh", expected, format!("{detail:?}")));
        }
        details.push(detail);
    }
    Ok(details)
}

fn read_tree(r: &mut Reader<'_>, header: &StoredHeader) -> Result<Vec<NavBounds>, FormatError> {
    let n_nodes = r.claim("tree node", header.n_tree_nodes.into(), NavBounds::SIZE)?;
    let mut tree = Vec::with_capacity(n_nodes);
    for at_node in 0..n_nodes {
        let at = r.clone();
        let node = NavBounds::read(r, ())?;
        let left = n_nodes.saturating_sub(at_node) as u64;
        let is_valid = match u32::try_from(node.index) {
            Ok(polygon) => polygon < header.n_polygons,
            Err(_) => u64::from(node.index.unsigned_abs()) <= left,
        };
        if !is_valid {
            let expected = format!("a polygon below {}, or -1 to -{left}", header.n_polygons);
            return Err(at.unexpected("node index", expected, node.index));
        }
        tree.push(node);
    }
    Ok(tree)
}

fn read_connections(
    r: &mut Reader<'_>,
    header: &StoredHeader,
) -> Result<Vec<OffMeshConnection>, FormatError> {
    let count = u64::from(header.n_connections);
    let count = r.claim("off-mesh connection", count, OffMeshConnection::SIZE)?;
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        let at = r.clone();
        let connection = OffMeshConnection::read(r, ())?;
        if u32::from(connection.polygon) >= header.n_polygons {
            let expected = format!("a polygon below {}", header.n_polygons);
            return Err(at.unexpected("connection polygon", expected, connection.polygon));
        }
        connections.push(connection);
    }
    Ok(connections)
}
