//! Heights on a grid, and masks of what covers it, to terrain and areals.
//!
//! A quad between four heights is two triangles. Of what covers its corners the two strongest layers are its materials, weighted at the
//! vertices, so that neighbors with the same two blend without a seam.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "corners of a grid, which is compared with all that lies on it first; axes"
)]

use super::merge::{Polygon, convex_polygons};
use super::{ArealDraft, DraftFace, GridPoint, LandDraft, LandDraftError, LandVertex, N_LODS};
use crate::face_mask::FaceFlags;
use crate::land_map::LandMap;
use crate::land_msh::{LandMsh, NO_MATERIAL, pack_normal, pack_uv};

/// World units that a microtexture covers, as in the retail levels.
const MICROTEXTURE_SIZE: f64 = 20.0;
/// Less of a layer at the corners of a quad is not drawn.
const LEAST_WEIGHT: f32 = 1.0 / 255.0;
/// Steepest ground that can be walked, rise over run.
pub(super) const WALKABLE_SLOPE: f64 = 0.8;
/// Deepest water that can be waded, world units.
pub(super) const WADING_DEPTH: f64 = 1.5;
/// Side of the largest areals, world units.
pub(super) const AREAL_SIDE: f64 = 130.0;
/// The class of areals that nothing else is said of.
pub(super) const PLAIN: u32 = 1;

/// How a grid is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridSize {
    /// Tiles in x and in y.
    pub tiles: [u32; 2],
    /// Quads along each side of a tile.
    pub quads_per_tile: u32,
}

/// A level as heights and masks. Grids are row by row from the south, in each row from the west.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightLand {
    /// How the grid is divided.
    pub grid: GridSize,
    /// World units along a side of a tile.
    pub tile_size: f64,
    /// World z at each corner of a quad.
    pub heights: Vec<f32>,
    /// What covers it, from below; the first fills everything.
    pub layers: Vec<SurfaceLayer>,
    /// Water or another liquid.
    pub liquid: Option<Liquid>,
    /// World units that a texture covers.
    pub texture_size: f64,
}

/// What covers some of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceLayer {
    /// Row of `Land1.wea` and of `Land2.wea`.
    pub row: u8,
    /// How much of it is seen at each corner of a quad, `0.0..=1.0`. That of the first layer does not matter.
    pub mask: Vec<f32>,
}

/// A liquid that fills what is lower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Liquid {
    /// World z of its surface.
    pub level: f32,
    /// Row of `Land1.wea`.
    pub row: u8,
}

impl GridSize {
    /// Quads in x and in y.
    pub fn quads(self) -> [usize; 2] {
        self.tiles
            .map(|n| n as usize * self.quads_per_tile as usize)
    }

    /// Corners of quads in x and in y.
    pub fn corners(self) -> [usize; 2] {
        self.quads().map(|n| n + 1)
    }
}

impl HeightLand {
    /// `Land.msh`.
    ///
    /// # Errors
    /// Numbers that make no terrain, grids of different sizes, or more than the format can number.
    pub fn land_msh(&self) -> Result<LandMsh, LandDraftError> {
        self.validate()?;
        let GridSize {
            tiles: [columns, rows],
            quads_per_tile,
        } = self.grid;
        let per_tile = quads_per_tile as usize;
        let coarse_step = if per_tile.is_multiple_of(2) { 2 } else { 1 };
        let mut lods: [Vec<Vec<DraftFace>>; N_LODS] = Default::default();
        for (tiles, step) in lods.iter_mut().zip([1, coarse_step]) {
            for tile_x in 0..columns as usize {
                for tile_y in 0..rows as usize {
                    let origin = [tile_x * per_tile, tile_y * per_tile];
                    tiles.push(self.tile(origin, step));
                }
            }
        }
        LandDraft {
            cells_x: columns,
            lods,
        }
        .build()
    }

    /// `Land.map`: what can be walked on.
    ///
    /// # Errors
    /// As [`land_msh`](Self::land_msh).
    pub fn land_map(&self) -> Result<LandMap, LandDraftError> {
        self.validate()?;
        let [quads_x, quads_y] = self.grid.quads();
        for n in [quads_x, quads_y] {
            super::to_u16("quads along a side", 2 * n)?;
        }
        let mut quads = Vec::new();
        for x in 0..quads_x {
            for y in 0..quads_y {
                if self.is_walkable([x, y]) {
                    let at = |dx: usize, dy: usize| [(2 * (x + dx)) as u16, (2 * (y + dy)) as u16];
                    quads.push(Polygon {
                        points: vec![at(0, 0), at(1, 0), at(1, 1), at(0, 1)],
                        class: PLAIN,
                    });
                }
            }
        }
        let side = AREAL_SIDE / self.quad_size();
        let polygons = convex_polygons(quads, (4.0 * side * side) as i64);
        ArealDraft {
            polygons: &polygons,
            position: &|[x, y]: GridPoint| self.position([usize::from(x) / 2, usize::from(y) / 2]),
            height: &|place| self.height_at(place),
            last: [2 * quads_x as u16, 2 * quads_y as u16],
        }
        .build()
    }

    fn quad_size(&self) -> f64 {
        self.tile_size / f64::from(self.grid.quads_per_tile)
    }

    fn validate(&self) -> Result<(), LandDraftError> {
        let bad = |what, value: String| Err(LandDraftError::BadNumber { what, value });
        let GridSize {
            tiles,
            quads_per_tile,
        } = self.grid;
        if tiles.contains(&0) || quads_per_tile == 0 {
            return bad(
                "the size of the grid",
                format!("{tiles:?} of {quads_per_tile}"),
            );
        }
        // Before anything is multiplied: each quad is two faces.
        let n_quads = [tiles[0], tiles[1], quads_per_tile, quads_per_tile].map(u64::from);
        let n_quads = n_quads.into_iter().fold(1_u64, u64::saturating_mul);
        if n_quads.saturating_mul(2) >= u64::from(u16::MAX) {
            let value = usize::try_from(n_quads.saturating_mul(2)).unwrap_or(usize::MAX);
            return Err(LandDraftError::TooMany {
                what: "faces",
                value,
            });
        }
        let is_size = |size: f64| size.is_finite() && size > 0.0;
        if !is_size(self.tile_size) {
            return bad("the size of a tile", self.tile_size.to_string());
        }
        if !is_size(self.texture_size) {
            return bad("the size of a texture", self.texture_size.to_string());
        }
        if let Some(height) = self.heights.iter().find(|it| !it.is_finite()) {
            return bad("a height", height.to_string());
        }
        if let Some(level) = self.liquid.map(|it| it.level).filter(|it| !it.is_finite()) {
            return bad("the level of the liquid", level.to_string());
        }
        if self.layers.is_empty() {
            return bad("the number of layers", 0.to_string());
        }
        let [n_x, n_y] = self.grid.corners();
        let masks = self.layers.iter().enumerate().skip(1);
        let masks = masks.map(|(idx, layer)| (format!("mask of layer {idx}"), layer.mask.len()));
        let grids = [("heights".to_owned(), self.heights.len())]
            .into_iter()
            .chain(masks);
        for (what, found) in grids {
            if found != n_x * n_y {
                return Err(LandDraftError::GridSize {
                    what,
                    found,
                    expected: n_x * n_y,
                });
            }
        }
        Ok(())
    }

    /// The faces of a tile, its liquid last.
    fn tile(&self, [tile_x, tile_y]: [usize; 2], step: usize) -> Vec<DraftFace> {
        let per_tile = self.grid.quads_per_tile as usize;
        let mut faces = Vec::new();
        let mut lowest = f32::INFINITY;
        for x in (tile_x..tile_x + per_tile).step_by(step) {
            for y in (tile_y..tile_y + per_tile).step_by(step) {
                let quad = [[x, y], [x + step, y], [x + step, y + step], [x, y + step]];
                faces.extend(self.quad(quad, [tile_x, tile_y]));
                let heights = quad.map(|corner| self.height(corner));
                lowest = heights.into_iter().fold(lowest, f32::min);
            }
        }
        if let Some(liquid) = self.liquid.filter(|liquid| lowest < liquid.level) {
            let (x, y) = (tile_x + per_tile, tile_y + per_tile);
            let corners = [[tile_x, tile_y], [x, tile_y], [x, y], [tile_x, y]];
            let corners = corners.map(|corner| {
                let [x, y, _] = self.position(corner);
                let position = [x, y, liquid.level];
                self.vertex(corner, [tile_x, tile_y], position, [0.0, 0.0, 1.0], 1.0)
            });
            let [a, b, c, d] = corners;
            let flags = FaceFlags::GROUND | FaceFlags::WATER | FaceFlags::TWO_SIDED;
            faces.extend([[a, b, c], [a, c, d]].map(|corners| DraftFace {
                flags,
                first_material: liquid.row,
                second_material: NO_MATERIAL,
                corners,
            }));
        }
        faces
    }

    /// Two triangles, by the diagonal between the corners that are nearer to each other in height.
    fn quad(&self, corners: [[usize; 2]; 4], origin: [usize; 2]) -> [DraftFace; 2] {
        let (first, second) = self.materials(corners);
        let vertices = corners.map(|corner| {
            let weight = second.map_or(1.0, |second| self.share(corner, first, second));
            let normal = self.normal(corner);
            self.vertex(corner, origin, self.position(corner), normal, weight)
        });
        let [a, b, c, d] = vertices;
        let rise = |p: LandVertex, q: LandVertex| {
            let ([.., p], [.., q]) = (p.position, q.position);
            (p - q).abs()
        };
        let triangles = match rise(a, c) <= rise(b, d) {
            true => [[a, b, c], [a, c, d]],
            false => [[a, b, d], [b, c, d]],
        };
        triangles.map(|corners| {
            let is_below = |level: f32| corners.iter().all(|it| it.position[2] < level);
            let mut flags = FaceFlags::GROUND;
            flags.set(FaceFlags::SECOND_MATERIAL, second.is_some());
            let is_bed = self.liquid.is_some_and(|liquid| is_below(liquid.level));
            flags.set(FaceFlags::LIQUID_BED, is_bed);
            DraftFace {
                flags,
                first_material: self.layers[first].row,
                second_material: second.map_or(NO_MATERIAL, |layer| self.layers[layer].row),
                corners,
            }
        })
    }

    /// The two layers that are seen most at the corners of a quad, the lower one first.
    fn materials(&self, corners: [[usize; 2]; 4]) -> (usize, Option<usize>) {
        let weight = |layer: usize| -> f32 {
            let weights = corners.iter().map(|corner| self.weight(*corner, layer));
            weights.sum()
        };
        let mut weights: Vec<(f32, usize)> = (0..self.layers.len())
            .map(|layer| (weight(layer), layer))
            .collect();
        weights.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let first = weights[0].1;
        let second = weights.get(1).filter(|(weight, _)| *weight > LEAST_WEIGHT);
        match second {
            None => (first, None),
            Some((_, second)) => (first.min(*second), Some(first.max(*second))),
        }
    }

    /// How much of a layer is seen at a corner, below those over it.
    fn weight(&self, corner: [usize; 2], layer: usize) -> f32 {
        let idx = self.index(corner);
        let mask = |layer: usize| match layer {
            0 => 1.0,
            _ => self.layers[layer].mask[idx].clamp(0.0, 1.0),
        };
        let over = layer + 1..self.layers.len();
        over.fold(mask(layer), |weight, over| weight * (1.0 - mask(over)))
    }

    /// The second layer's part of two.
    fn share(&self, corner: [usize; 2], first: usize, second: usize) -> f32 {
        let [first, second] = [first, second].map(|layer| self.weight(corner, layer));
        let whole = first + second;
        if whole > 0.0 { second / whole } else { 0.0 }
    }

    fn vertex(
        &self,
        [x, y]: [usize; 2],
        origin: [usize; 2],
        position: [f32; 3],
        normal: [f64; 3],
        second_weight: f32,
    ) -> LandVertex {
        let [_, n_y] = self.grid.corners();
        // South to north, textures run from their last row to their first.
        let quads = [x as f64, (n_y - 1 - y) as f64];
        let start = [origin[0] as f64, (n_y - 1 - origin[1]) as f64];
        let repeats = |size: f64| {
            let for_quad = self.quad_size() / size;
            // Whole repeats less, so that the numbers fit anywhere on a level.
            [0, 1].map(|axis| {
                let whole = (start[axis] * for_quad).floor();
                (quads[axis] * for_quad - whole) as f32
            })
        };
        LandVertex {
            position,
            normal: pack_normal(normal.map(|it| it as f32), 0),
            uv0: pack_uv(repeats(self.texture_size)),
            micro_uv: pack_uv(repeats(MICROTEXTURE_SIZE)),
            second_weight,
        }
    }

    fn index(&self, [x, y]: [usize; 2]) -> usize {
        let [n_x, _] = self.grid.corners();
        y * n_x + x
    }

    fn height(&self, corner: [usize; 2]) -> f32 {
        self.heights[self.index(corner)]
    }

    fn position(&self, corner: [usize; 2]) -> [f32; 3] {
        let [x, y] = corner.map(|it| (it as f64 * self.quad_size()) as f32);
        [x, y, self.height(corner)]
    }

    /// Rise over run in x and in y, between the neighbors of a corner.
    fn gradient(&self, corner: [usize; 2]) -> [f64; 2] {
        let last = self.grid.quads();
        [0, 1].map(|axis| {
            let (mut low, mut high) = (corner, corner);
            low[axis] = corner[axis].saturating_sub(1);
            high[axis] = (corner[axis] + 1).min(last[axis]);
            let rise = f64::from(self.height(high)) - f64::from(self.height(low));
            rise / ((high[axis] - low[axis]) as f64 * self.quad_size())
        })
    }

    fn normal(&self, corner: [usize; 2]) -> [f64; 3] {
        let [dx, dy] = self.gradient(corner);
        let length = (dx * dx + dy * dy + 1.0).sqrt();
        [-dx / length, -dy / length, 1.0 / length]
    }

    /// Whether the ground of a quad is neither too steep nor too deep below a liquid.
    fn is_walkable(&self, [x, y]: [usize; 2]) -> bool {
        let corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        let [a, b, c, d] = corners.map(|corner| f64::from(self.height(corner)));
        let dx = (b - a + c - d) / (2.0 * self.quad_size());
        let dy = (d - a + c - b) / (2.0 * self.quad_size());
        let is_deep = self.liquid.is_some_and(|liquid| {
            let middle = (a + b + c + d) / 4.0;
            f64::from(liquid.level) - middle > WADING_DEPTH
        });
        !is_deep && (dx * dx + dy * dy).sqrt() <= WALKABLE_SLOPE
    }

    /// Height between the corners of a quad; outside that of the nearest edge.
    fn height_at(&self, place: [f64; 2]) -> f64 {
        let last = self.grid.quads();
        let at: [(usize, f64); 2] = [0, 1].map(|axis| {
            let quads = (place[axis] / self.quad_size()).clamp(0.0, last[axis] as f64);
            let quad = (quads as usize).min(last[axis] - 1);
            (quad, quads - quad as f64)
        });
        let [(x, part_x), (y, part_y)] = at;
        let row = |y: usize| {
            let [west, east] = [x, x + 1].map(|x| f64::from(self.height([x, y])));
            west + (east - west) * part_x
        };
        row(y) + (row(y + 1) - row(y)) * part_y
    }
}
