//! A terrain, the libraries that query it, and the queries.

use ironlands::worlds::parkan::formats::land_msh::LandMsh;
use ironlands_query_bench::synthetic::{Layout, terrain};
use ironlands_query_bench::{Mesh, Ours, Peer, Queries, peers};
use ironlands_sim::MaskFilter;
use std::path::Path;

/// A terrain that is measured.
pub struct World {
    pub name: String,
    pub mesh: Mesh,
    pub ours: Ours,
    /// parry, and Embree with the feature.
    pub peers: Vec<Box<dyn Peer>>,
    pub queries: Queries,
}

impl World {
    /// The finest faces of a demo level.
    pub fn level(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("DATA/MAPS")
            .join(name)
            .join("Land.msh");
        let bytes = std::fs::read(&path).unwrap_or_else(|e| {
            panic!("this bench reads the demo levels: {}: {e}", path.display())
        });
        let land = LandMsh::read(&bytes).expect("the demo level's Land.msh is valid");
        Self::new(name, Mesh::from_land(&land))
    }

    /// Terrain from a seed.
    pub fn synthetic(name: &str, n_cells: usize, layout: Layout) -> Self {
        Self::new(name, terrain(n_cells, layout))
    }

    fn new(name: &str, mesh: Mesh) -> Self {
        let ours = Ours::new(&mesh).expect("a valid mesh");
        let (min, max) = mesh.bounds();
        println!("{name}: {} triangles, {min} to {max}", mesh.triangles.len());
        let ground = |x: f32, y: f32| {
            let hit = ours.index.height_at(x, y, MaskFilter::ALL);
            hit.map_or(min.z, |hit| hit.z)
        };
        let queries = Queries::new((min, max), ground);
        Self {
            name: name.to_owned(),
            peers: peers::main(&mesh),
            mesh,
            ours,
            queries,
        }
    }

    /// Ours first.
    pub fn libraries(&self) -> impl Iterator<Item = &dyn Peer> {
        let ours: &dyn Peer = &self.ours;
        std::iter::once(ours).chain(self.peers.iter().map(|peer| &**peer))
    }
}
