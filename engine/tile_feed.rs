//! Makes the tiles of land that a picture misses: on other threads while frames go on, or all of them at once.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::renderer::{FrameState, Gpu, SceneGpu};
use crate::scene::{Tile, TileKey, TileOptions};
use crate::sim::world::World;
use rayon::prelude::*;

use crate::background::Background;
use crate::error::AppError;
use crate::headless::check_interrupt;

/// Tiles that are taken to the device in a frame at most: the rest waits, so that no frame takes much longer than
/// others.
const MOST_PER_FRAME: usize = 16;
/// Tiles that are made together before the missing ones are determined again.
const MOST_AT_ONCE: usize = 64;
/// Rounds after which a picture is drawn as it is: each brings one level of detail, and room may be short in between.
const MOST_ROUNDS: usize = 200;

/// Tiles on their way from a world to a device.
pub struct TileFeed {
    world: Arc<dyn World>,
    options: TileOptions,
    requested: HashSet<TileKey>,
    /// The revision of the world that tiles are made of.
    revision: u64,
    /// Tiles that are there as the world was before.
    outdated: BTreeSet<TileKey>,
    max_requested: usize,
    made: Background<Tile>,
}

impl TileFeed {
    /// Tiles of a world, none of which are there yet.
    pub fn new(world: Arc<dyn World>) -> Self {
        Self {
            revision: world.revision(),
            world,
            outdated: BTreeSet::new(),
            options: TileOptions::default(),
            requested: HashSet::new(),
            max_requested: 2 * rayon::current_num_threads(),
            made: Background::default(),
        }
    }

    /// Before a frame: chooses its tiles, hands the device what was made since the last one, and requests what is
    /// missing. Waits for nothing.
    ///
    /// # Errors
    /// If the device has no room.
    pub fn feed(
        &mut self,
        gpu: &Gpu,
        scene: &mut SceneGpu,
        (state, options): (&FrameState, TileOptions),
        size: [u32; 2],
    ) -> Result<(), AppError> {
        self.take_options(scene, options);
        self.take_changes(scene);
        for _ in 0..MOST_PER_FRAME {
            let Some(tile) = self.made.fetch() else {
                break;
            };
            self.requested.remove(&tile.key);
            scene.add_tile(gpu, &tile).map_err(AppError::Draw)?;
        }
        scene.choose_tiles(state, size);
        // One that is on its way may be as the world was before.
        let is_free = |key: &TileKey| !self.requested.contains(key);
        let outdated: Vec<TileKey> = self.outdated.iter().copied().filter(is_free).collect();
        for key in outdated.iter().chain(scene.wanted_tiles()) {
            if self.requested.len() >= self.max_requested {
                break;
            }
            if self.requested.insert(*key) {
                self.outdated.remove(key);
                self.spawn(*key);
            }
        }
        Ok(())
    }

    /// Before a picture: makes all tiles that it needs.
    ///
    /// # Errors
    /// If the device has no room, and [`AppError::Stopped`] on Ctrl-C.
    pub fn fill(
        &mut self,
        gpu: &Gpu,
        scene: &mut SceneGpu,
        (state, options): (&FrameState, TileOptions),
        size: [u32; 2],
    ) -> Result<(), AppError> {
        self.take_options(scene, options);
        self.take_changes(scene);
        for _ in 0..MOST_ROUNDS {
            scene.choose_tiles(state, size);
            let outdated = self.outdated.iter();
            let wanted: Vec<TileKey> = outdated.chain(scene.wanted_tiles()).copied().collect();
            if wanted.is_empty() {
                return Ok(());
            }
            check_interrupt()?;
            let first = &wanted[..wanted.len().min(MOST_AT_ONCE)];
            let make = |key: &TileKey| make(&*self.world, *key, options);
            let tiles: Vec<Tile> = first.par_iter().map(make).collect();
            for tile in &tiles {
                self.outdated.remove(&tile.key);
                scene.add_tile(gpu, tile).map_err(AppError::Draw)?;
            }
        }
        log::warn!("the land is drawn coarser than requested: there is no room for more of it");
        Ok(())
    }

    /// Starts over if other tiles are to be made.
    fn take_options(&mut self, scene: &mut SceneGpu, options: TileOptions) {
        if self.options != options {
            self.options = options;
            // Tiles that were requested before come too late.
            self.made = Background::default();
            self.requested.clear();
            self.outdated.clear();
            scene.forget_tiles();
        }
    }

    /// Has tiles made again where the world changed; until then they are shown as they were.
    fn take_changes(&mut self, scene: &mut SceneGpu) {
        let revision = self.world.revision();
        if self.revision == revision {
            return;
        }
        match self.world.changes_since(self.revision) {
            Some(rectangles) => {
                let touched = rectangles.into_iter().flat_map(|it| scene.tiles_at(it));
                self.outdated.extend(touched);
                self.outdated.extend(&self.requested);
            }
            None => {
                self.made = Background::default();
                self.requested.clear();
                self.outdated.clear();
                scene.forget_tiles();
            }
        }
        self.revision = revision;
    }

    fn spawn(&mut self, key: TileKey) {
        let (world, options) = (Arc::clone(&self.world), self.options);
        self.made.spawn(move |_| make(&*world, key, options));
    }
}

/// A world that knows nothing of a tile has no land there.
fn make(world: &dyn World, key: TileKey, options: TileOptions) -> Tile {
    world.tile(key, options).unwrap_or_else(|| Tile::empty(key))
}
