//! The files, and how pairs of points are drawn from them.

use ironlands_assets_lineage2::{Region, RegionPath, Tolerance};
use ironlands_sim_geodata::{GeoPoint, Geodata};
use ironlands_world_lineage2::load_regions;
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub const FILES: [&str; 14] = [
    "16_11.l2j",
    "16_13.l2j",
    "17_12_conv.dat",
    "17_25.l2j",
    "17_25_conv.dat",
    "18_14.l2j",
    "19_21_conv.dat",
    "20_18_conv.dat",
    "21_17.l2j",
    "21_17_conv.dat",
    "22_22.l2j",
    "24_10_conv.dat",
    "24_14.l2j",
    "26_12_conv.dat",
];

/// One region, alone in its world.
pub struct Loaded {
    pub file: &'static str,
    pub path: PathBuf,
    pub n_file_bytes: u64,
    pub region: Region,
    pub geodata: Geodata,
}

impl Loaded {
    pub fn open(folder: &Path, file: &'static str) -> Result<Self, Failed> {
        let path = folder.join(file);
        let n_file_bytes = std::fs::metadata(&path)?.len();
        let path = RegionPath::new(&path)?;
        let region = Region::from(path.open(Tolerance::STRICT)?);
        let never = AtomicBool::new(false);
        let geodata = load_regions(
            std::slice::from_ref(&path),
            Tolerance::STRICT,
            &|_| {},
            &never,
        )?;
        Ok(Self {
            file,
            path: path.path.clone(),
            n_file_bytes,
            region,
            geodata,
        })
    }

    /// A point on the ground that is nearest to `z`; at `z` outside of the region.
    fn on_ground(&self, x: i32, y: i32, z: i32) -> GeoPoint {
        let z = self.geodata.height(GeoPoint::new(x, y, z)).unwrap_or(z);
        GeoPoint::new(x, y, z)
    }

    /// Pairs of points on the ground around a center: section 4.6.
    pub fn pairs(&self, center: (i32, i32, i32), reach: i32) -> Vec<(GeoPoint, GeoPoint)> {
        let mut draw = Draw(7);
        let mut point = || {
            let x = center.0 - reach + draw.below(2 * reach + 1);
            let y = center.1 - reach + draw.below(2 * reach + 1);
            self.on_ground(x, y, center.2)
        };
        (0..10_000).map(|_| (point(), point())).collect()
    }
}

/// The generator of the dossier.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, n: i32) -> i32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as i32
    }
}
