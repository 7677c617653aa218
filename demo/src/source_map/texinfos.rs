//! How materials and samples of light lie on sides.

use ironlands_assets_source::bsp::{Texdata, Texinfo};

use super::brushes::{MaterialIdx, SurfaceMaterial};
use crate::vector::{Vec3, dot, main_axis};

/// Samples of light along either side of a face, less one.
pub const MAX_LUXELS: i32 = 32;

/// Texinfos, each once.
#[derive(Debug, Clone, Default)]
pub struct TexinfoTable {
    /// Lump 6.
    pub texinfos: Vec<Texinfo>,
}

impl TexinfoTable {
    /// The texinfo of a side with this normal. Textures run along the world's axes, seen along the main axis of the
    /// normal, so that they fit together where brushes do.
    pub fn number(
        &mut self,
        materials: &[SurfaceMaterial],
        material: MaterialIdx,
        normal: Vec3,
    ) -> usize {
        let look = &materials[material];
        let axes = axes(normal);
        let rows = |units: f64| {
            axes.map(|axis| {
                let [x, y, z] = axis.map(|c| (c / units) as f32 + 0.0);
                [x, y, z, 0.0]
            })
        };
        let texinfo = Texinfo {
            texture_vecs: rows(look.units_per_texel),
            lightmap_vecs: rows(look.units_per_luxel),
            flags: look.flags,
            texdata: material as i32,
        };
        if let Some(found) = self.texinfos.iter().position(|known| *known == texinfo) {
            return found;
        }
        self.texinfos.push(texinfo);
        self.texinfos.len() - 1
    }
}

/// Lumps 2, 44 and 43: one texdata a material.
pub fn texdata(materials: &[SurfaceMaterial]) -> (Vec<Texdata>, Vec<i32>, Vec<u8>) {
    let (mut texdata, mut offsets, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for (at, material) in materials.iter().enumerate() {
        texdata.push(Texdata {
            reflectivity: material.reflectivity.map(|c| c as f32),
            name: at as i32,
            size: material.size,
            view_size: material.size,
        });
        offsets.push(names.len() as i32);
        names.extend(material.name.as_bytes());
        names.push(0);
    }
    (texdata, offsets, names)
}

/// S and T of a normal: to the right and down for who looks at a wall.
fn axes(normal: Vec3) -> [Vec3; 2] {
    match main_axis(normal) {
        0 => [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        1 => [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
        _ => [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    }
}

/// The grid of light samples on a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LuxelGrid {
    /// Smallest s and t.
    pub mins: [i32; 2],
    /// Number along s and t, less one.
    pub size: [i32; 2],
}

impl LuxelGrid {
    /// The grid that covers `corners`.
    pub fn around(texinfo: &Texinfo, corners: &[Vec3]) -> Self {
        let mut grid = Self {
            mins: [0; 2],
            size: [0; 2],
        };
        for k in 0..2 {
            let along = corners.iter().map(|p| luxel(texinfo, k, *p));
            let (low, high) = along.fold((f64::MAX, f64::MIN), |(low, high), s| {
                (low.min(s), high.max(s))
            });
            grid.mins[k] = low.floor() as i32;
            grid.size[k] = high.ceil() as i32 - grid.mins[k];
        }
        grid
    }
}

/// Coordinate of a point along s (0) or t (1), in luxels, from the corner as it is stored.
pub fn luxel(texinfo: &Texinfo, which: usize, point: Vec3) -> f64 {
    let [x, y, z, shift] = texinfo.lightmap_vecs[which].map(f64::from);
    dot([x, y, z], point.map(|c| f64::from(c as f32))) + shift
}
