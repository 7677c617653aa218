//! Plain triangles, the same for every library.

use glam::{DVec3, Vec3};
use ironlands_assets_parkan::land_msh::LandMsh;

/// Triangles by their corners. World axes (right-handed, +Z up), world units.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Corners.
    pub positions: Vec<[f32; 3]>,
    /// Indices of three corners each, counter-clockwise from outside. A triangle is called by its position here.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The finest faces of a terrain, in query order.
    pub fn from_land(land: &LandMsh) -> Self {
        let faces = land.lod0_face_indices();
        Self {
            positions: land.positions.clone(),
            triangles: faces
                .map(|face| land.faces[face].vertices.map(u32::from))
                .collect(),
        }
    }

    /// Corners of all triangles, in their order.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> + '_ {
        let corner = |v: u32| Vec3::from(self.positions[v as usize]);
        self.triangles.iter().map(move |t| t.map(corner))
    }

    /// Corners of one triangle, for arithmetic in f64.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn exact_corners(&self, triangle: u32) -> [DVec3; 3] {
        let corner = |v: u32| DVec3::from_array(self.positions[v as usize].map(f64::from));
        self.triangles[triangle as usize].map(corner)
    }

    /// Smallest and largest corner of all triangles; both zero when there is none.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let used = self.corners().flatten();
        let bounds = used.fold(None, |bounds: Option<(Vec3, Vec3)>, v| {
            Some(bounds.map_or((v, v), |(min, max)| (min.min(v), max.max(v))))
        });
        bounds.unwrap_or_default()
    }
}
