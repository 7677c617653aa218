//! A demo level as our index and as a parry mesh.

use glam::{DVec3, Vec2};
use ironlands_assets_loader::parkan::land_map::LandMap;
use ironlands_assets_loader::parkan::land_msh::LandMsh;
use ironlands_sim::areal::ArealIndex;
use ironlands_sim::terrain::TerrainIndex;
use parry3d::math::Vector;
use parry3d::query::Ray as PeerRay;
use parry3d::shape::{CompositeShapeRef, TriMesh};
use std::path::Path;

/// A level as the two methods see it.
pub struct Level {
    pub name: &'static str,
    pub land: LandMsh,
    pub index: TerrainIndex,
    pub areals: ArealIndex,
    pub peer: TriMesh,
    /// Face of each triangle of `peer`.
    pub peer_faces: Vec<u32>,
    /// Corners of each triangle of `peer`, for the plain loop.
    pub corners: Vec<[DVec3; 3]>,
}

impl Level {
    pub fn open(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("DATA/MAPS")
            .join(name);
        let read = |file: &str| {
            let path = folder.join(file);
            std::fs::read(&path).unwrap_or_else(|e| {
                panic!("this bench reads the demo levels: {}: {e}", path.display())
            })
        };
        let land = LandMsh::read(&read("Land.msh")).expect("the demo level's Land.msh is sound");
        let map = LandMap::read(&read("Land.map")).expect("the demo level's Land.map is sound");
        let (peer, peer_faces) = peer_of(&land);
        let corners = peer_faces
            .iter()
            .map(|&face| corners_of(&land, face))
            .collect();
        let index = TerrainIndex::new(&land).expect("the demo level's faces are sound");
        let (min, max) = index.bounds();
        let bounds = Some((min.truncate(), max.truncate()));
        let areals = ArealIndex::new(&map, bounds).expect("the demo level's areals are sound");
        println!(
            "{name}: {} faces, {} areals, {min} to {max}",
            index.n_faces(),
            map.areals.len()
        );
        Self {
            name,
            areals,
            land,
            index,
            peer,
            peer_faces,
            corners,
        }
    }

    pub fn peer_ray(&self, ray: &PeerRay, t_max: f32) -> Option<(u32, f32)> {
        CompositeShapeRef(&self.peer).cast_local_ray(ray, t_max, true)
    }

    /// The even-odd rule over all outlines.
    pub fn plain_areal(&self, point: Vec2) -> Option<u32> {
        (0..self.areals.n_areals() as u32).find(|&areal| {
            let outline = self.areals.outline(areal);
            let edges = outline.iter().zip(outline.iter().cycle().skip(1));
            let n_right = edges.filter(|(a, b)| {
                let slope = (b.x - a.x) / (b.y - a.y);
                (a.y > point.y) != (b.y > point.y) && point.x < a.x + slope * (point.y - a.y)
            });
            n_right.count() % 2 == 1
        })
    }
}

fn corners_of(land: &LandMsh, face: u32) -> [DVec3; 3] {
    let vertices = land.faces[face as usize].vertices;
    vertices.map(|v| DVec3::from_array(land.positions[usize::from(v)].map(f64::from)))
}

/// The finest faces as a parry mesh, in query order, and the face of each of its triangles.
pub fn peer_of(land: &LandMsh) -> (TriMesh, Vec<u32>) {
    let faces: Vec<_> = land.lod0_face_indices().map(|face| face as u32).collect();
    let vertices = land
        .positions
        .iter()
        .map(|&[x, y, z]| Vector::new(x, y, z))
        .collect();
    let indices = faces
        .iter()
        .map(|&face| land.faces[face as usize].vertices.map(u32::from))
        .collect();
    (
        TriMesh::new(vertices, indices).expect("a level has faces"),
        faces,
    )
}
