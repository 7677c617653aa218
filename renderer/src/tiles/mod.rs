//! Tiles of land on the device: which are there, which are shown, which go when room is short.
//!
//! In: a scene's [`TileTree`], and tiles as they are made. Out: what the tile pass draws, and what is wanted.
//! Deliberately absent: making tiles, waiting for them.

mod choose;

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use ironlands_scene::{Aabb, Facet, Tile, TileKey, TileTree};

use self::choose::{Choice, Land, Resident, SunFrusta, TileCullContext};
use crate::{
    Camera, FrameState, Gpu, RenderError, SceneGpu, frame_lights::sun_maps_of,
    scene_upload::filled_buffer,
};

/// Room that is left free for what comes next: tiles in view take at most this part of the budget.
const MOST_IN_VIEW: f64 = 0.8;
/// Below this part of the budget in view, finer tiles may come back.
const LITTLE_IN_VIEW: f64 = 0.5;
/// How much coarser the land gets until what is in view fits, and how much finer from frame to frame after that.
const COARSER: f32 = 1.15;
const FINER: f32 = 1.02;
/// Most factors of [`COARSER`] by which land is coarser: four thousand times.
const MOST_TRIES: usize = 60;

/// What tiles take and what they may take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TileMemory {
    /// Tiles on the device.
    pub n_tiles: usize,
    /// Their bytes there.
    pub bytes: u64,
    /// Most bytes that they may take.
    pub budget_bytes: u64,
    /// Tiles that are shown.
    pub n_shown: usize,
    /// Tiles that would be shown if they were there.
    pub n_wanted: usize,
}

/// A facet as the shader reads it.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FacetVertex {
    /// x, y, size along x, size along y.
    pub place: [u8; 4],
    pub z: [i16; 4],
    /// Where it faces, open sides, layer, mark.
    pub marks: [u8; 4],
}

impl From<&Facet> for FacetVertex {
    fn from(facet: &Facet) -> Self {
        let Facet {
            at,
            size,
            z,
            facing,
            open_sides,
            layer,
            mark,
        } = *facet;
        Self {
            place: [at[0], at[1], size[0], size[1]],
            z,
            marks: [facing as u8, open_sides, layer, mark],
        }
    }
}

/// A tile on the device.
#[derive(Debug)]
struct GpuTile {
    /// None if it has no facets.
    facets: Option<wgpu::Buffer>,
    n_facets: u32,
    z_range: [f32; 2],
    /// When it was last looked at, by [`SceneTiles::choose`]'s count.
    looked_at: u64,
}

/// All tiles of a scene that are on the device. Dropped with it.
#[derive(Debug)]
pub(crate) struct SceneTiles {
    pub tree: TileTree,
    land: Land,
    resident: ResidentTiles,
    choice: Choice,
    budget_bytes: u64,
    /// How much larger than requested steps may be, so that what is in view fits the budget; at least 1.
    coarseness: f32,
    n_choices: u64,
    /// Those of the choice before, and its casters.
    shown_before: [Vec<TileKey>; 2],
    revision: u64,
}

#[derive(Debug, Default)]
struct ResidentTiles(HashMap<TileKey, GpuTile>);

impl Resident for ResidentTiles {
    fn z_range(&self, key: TileKey) -> Option<[f32; 2]> {
        self.0.get(&key).map(|tile| tile.z_range)
    }
}

/// A tile to draw.
pub(crate) struct ShownTile<'a> {
    pub facets: &'a wgpu::Buffer,
    pub n_facets: u32,
    pub corner_in_world: [f32; 2],
    pub step: f32,
    pub bounds: Aabb,
}

impl SceneTiles {
    pub fn new(tree: TileTree, budget_bytes: u64) -> Self {
        Self {
            land: Land::new(&tree),
            tree,
            resident: ResidentTiles::default(),
            choice: Choice::default(),
            budget_bytes,
            coarseness: 1.0,
            n_choices: 0,
            shown_before: Default::default(),
            revision: 0,
        }
    }

    /// Distinguishes one set of tiles that are shown, or throw shadows, from the next.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    fn choose(
        &mut self,
        camera: &Camera,
        size: [u32; 2],
        max_step_px: f32,
        sun_frusta: Option<SunFrusta>,
    ) {
        self.n_choices += 1;
        self.shown_before[0].clone_from(&self.choice.shown);
        self.shown_before[1].clone_from(&self.choice.casters);
        let part_in_view = |tiles: &Self| tiles.bytes_in_view() as f64 / tiles.budget_bytes as f64;
        for _ in 0..MOST_TRIES {
            let max_step_px = max_step_px * self.coarseness;
            let cull_context = TileCullContext::new(camera, size, max_step_px, sun_frusta);
            self.choice
                .make(&self.tree, &self.land, &self.resident, &cull_context);
            if part_in_view(self) <= MOST_IN_VIEW {
                break;
            }
            self.coarseness *= COARSER;
        }
        if part_in_view(self) < LITTLE_IN_VIEW {
            self.coarseness = (self.coarseness / FINER).max(1.0);
        }
        let [shown, casters] = &self.shown_before;
        let is_same = *shown == self.choice.shown && *casters == self.choice.casters;
        self.revision += u64::from(!is_same);
        for key in self.choice.looked_at() {
            if let Some(tile) = self.resident.0.get_mut(key) {
                tile.looked_at = self.n_choices;
            }
        }
        self.make_room();
    }

    fn bytes_in_view(&self) -> u64 {
        let tiles = self
            .choice
            .looked_at()
            .filter_map(|key| self.resident.0.get(key));
        tiles.map(GpuTile::bytes).sum()
    }

    fn add(&mut self, gpu: &Gpu, tile: &Tile) -> Result<(), RenderError> {
        let facets: Vec<FacetVertex> = tile.facets.iter().map(FacetVertex::from).collect();
        let TileKey { level, x, y } = tile.key;
        let label = format!("tile {x}, {y} of level {level}");
        let buffer = filled_buffer(gpu, &label, &facets, wgpu::BufferUsages::VERTEX)?;
        let tile = GpuTile {
            facets: buffer,
            n_facets: facets.len() as u32,
            z_range: tile.z_range,
            looked_at: self.n_choices,
        };
        let key = TileKey { level, x, y };
        let replaced = self.resident.0.insert(key, tile);
        self.revision += u64::from(replaced.is_some());
        self.make_room();
        Ok(())
    }

    /// Lets go of what was not looked at for longest until the rest fits the budget. What the last choice looked at
    /// stays.
    fn make_room(&mut self) {
        let mut bytes = self.bytes();
        if bytes <= self.budget_bytes {
            return;
        }
        let tiles = self.resident.0.iter();
        let mut unseen: Vec<(u64, TileKey)> = tiles
            .filter(|(_, tile)| tile.looked_at < self.n_choices)
            .map(|(key, tile)| (tile.looked_at, *key))
            .collect();
        unseen.sort_unstable();
        for (_, key) in unseen {
            if bytes <= self.budget_bytes {
                return;
            }
            if let Some(tile) = self.resident.0.remove(&key) {
                bytes -= tile.bytes();
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.resident.0.values().map(GpuTile::bytes).sum()
    }

    /// The tiles that were chosen last, without those that have nothing to draw.
    pub fn shown(&self) -> impl Iterator<Item = ShownTile<'_>> {
        self.drawable(&self.choice.shown)
    }

    /// Those, and behind them the ones that are out of view and throw shadows into it.
    pub fn shown_and_casters(&self) -> impl Iterator<Item = ShownTile<'_>> {
        self.shown().chain(self.drawable(&self.choice.casters))
    }

    fn drawable<'a>(&'a self, keys: &'a [TileKey]) -> impl Iterator<Item = ShownTile<'a>> {
        keys.iter().filter_map(|key| {
            let tile = self.resident.0.get(key)?;
            let ([x, y], side) = self.tree.square_of(*key);
            let [low, high] = tile.z_range;
            Some(ShownTile {
                facets: tile.facets.as_ref()?,
                n_facets: tile.n_facets,
                corner_in_world: [x, y],
                step: self.tree.step_of(key.level),
                bounds: Aabb {
                    min: [x, y, low],
                    max: [x + side, y + side, high],
                },
            })
        })
    }
}

impl GpuTile {
    fn bytes(&self) -> u64 {
        u64::from(self.n_facets) * size_of::<FacetVertex>() as u64
    }
}

impl SceneGpu {
    /// Chooses the tiles of land that the next frames show: those of this camera, as fine as `state` requests, as far
    /// as they are here, and those whose shadows fall on them. A scene with tiles shows what was chosen last. `size` of the
    /// picture in pixels.
    pub fn choose_tiles(&mut self, state: &FrameState, size: [u32; 2]) {
        let sun_maps = sun_maps_of(self, state, size);
        let sun_frusta = sun_maps.map(|it| it.maps.map(|map| map.frustum));
        let Some(tiles) = &mut self.tiles else { return };
        let camera = state.culling_camera.as_ref().unwrap_or(&state.camera);
        tiles.choose(camera, size, state.tiles.max_step_px, sun_frusta);
    }

    /// Tiles that the last choice misses, the most needed first; empty for a scene without tiles.
    pub fn wanted_tiles(&self) -> &[TileKey] {
        self.tiles
            .as_ref()
            .map_or(&[], |tiles| &tiles.choice.wanted)
    }

    /// Takes a tile to the device in place of one with the same key. Those that were not looked at for longest go if
    /// the budget requires it. A scene without tiles takes none.
    ///
    /// # Errors
    /// If the device has no room for it.
    pub fn add_tile(&mut self, gpu: &Gpu, tile: &Tile) -> Result<(), RenderError> {
        match &mut self.tiles {
            Some(tiles) => tiles.add(gpu, tile),
            None => Ok(()),
        }
    }

    /// The tiles that are here and touch a rectangle, given by its smallest and largest x and y, or come within two of
    /// their steps of it.
    pub fn tiles_at(&self, [low, high]: [Vec2; 2]) -> Vec<TileKey> {
        let Some(tiles) = &self.tiles else {
            return Vec::new();
        };
        let touches = |key: &TileKey| {
            let (corner, side) = tiles.tree.square_of(*key);
            let (corner, reach) = (Vec2::from(corner), 2.0 * tiles.tree.step_of(key.level));
            (corner - reach).cmple(high).all() && (corner + side + reach).cmpge(low).all()
        };
        let keys = tiles.resident.0.keys().copied();
        keys.filter(touches).collect()
    }

    /// Drops all tiles, to be generated again.
    pub fn forget_tiles(&mut self) {
        if let Some(tiles) = &mut self.tiles {
            tiles.resident.0.clear();
            tiles.revision += 1;
        }
    }

    /// What tiles take; `None` for a scene without.
    pub fn tile_memory(&self) -> Option<TileMemory> {
        let tiles = self.tiles.as_ref()?;
        Some(TileMemory {
            n_tiles: tiles.resident.0.len(),
            bytes: tiles.bytes(),
            budget_bytes: tiles.budget_bytes,
            n_shown: tiles.choice.shown.len(),
            n_wanted: tiles.choice.wanted.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use ironlands_scene::RampColor;

    use super::*;

    #[test]
    fn the_revision_rises_when_other_tiles_are_shown() {
        let tree = TileTree {
            corner: [0.0, 0.0],
            step: 16.0,
            steps_per_tile: 128,
            n_levels: 4,
            z_unit: 1.0,
            z_range: [0.0, 0.0],
            land: vec![TileKey {
                level: 2,
                x: 0,
                y: 0,
            }],
            ramp: vec![RampColor {
                z: 0.0,
                color: [0.5; 3],
            }],
            color_by: Vec::new(),
        };
        let root = tree.root();
        let mut tiles = SceneTiles::new(tree, 1 << 20);
        for key in root.children().into_iter().flatten().chain([root]) {
            let empty = GpuTile {
                facets: None,
                n_facets: 0,
                z_range: [0.0, 0.0],
                looked_at: 0,
            };
            tiles.resident.0.insert(key, empty);
        }
        let mut revision_at = |height| {
            let camera = Camera {
                position: Vec3::new(4000.0, 4000.0, height),
                pitch_rad: -1.5,
                ..Camera::default()
            };
            tiles.choose(&camera, [1280, 720], 4.0, None);
            tiles.revision()
        };
        let far = revision_at(1e6);
        assert_eq!(revision_at(1e6), far);
        assert_eq!(revision_at(9e5), far, "another view of the same tiles");
        let near = revision_at(5000.0);
        assert!(near > far);
        assert_eq!(revision_at(5000.0), near);
        assert!(revision_at(1e6) > near);
    }
}
