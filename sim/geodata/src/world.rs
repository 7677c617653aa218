//! All loaded regions as one ground.

use super::edits::{GeoObject, RegionEdits};
use super::pack::{BlockView, RegionPack, TILE_SIDE};
use ironlands_sim_regions::{Block, GeoCell, OutsideWorld, RegionId};
use std::sync::Arc;
use thiserror::Error;

/// Places in the table of regions.
const N_REGIONS: usize = 1024;

/// A point of the world, in points: x to the east, y to the south, z up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct GeoPoint {
    /// To the east.
    pub x: i32,
    /// To the south.
    pub y: i32,
    /// Up.
    pub z: i32,
}

/// Why a query has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GeodataError {
    /// No region can have that point.
    #[error(transparent)]
    Outside(#[from] OutsideWorld),
    /// The region of that point is not loaded.
    #[error("region {region} is not loaded")]
    NoData {
        /// The region.
        region: RegionId,
    },
}

/// Bytes by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    /// Regions that are loaded.
    pub n_regions: usize,
    /// Their packs; those that are the same count once.
    pub packs: usize,
    /// Edited blocks.
    pub edits: usize,
}

/// All loaded regions with the edits over them. Immutable; a clone shares everything.
///
/// ```
/// use ironlands_sim_geodata::path::{PathEnd, PathFinder, PathOptions, PathRequest, PathSearch};
/// use ironlands_sim_geodata::{GeoPoint, Geodata, Profile, RegionPack};
/// use ironlands_sim_regions::{Region, ZERO_REGION};
///
/// let region = Region::flat(ZERO_REGION, -64);
/// let geodata = Geodata::new([(ZERO_REGION, RegionPack::new(&region))]);
///
/// let request = PathRequest {
///     from: GeoPoint::new(100, 100, -64),
///     to: GeoPoint::new(500, 900, -64),
/// };
/// let finder = PathFinder::exact(&geodata, &Profile::PTS);
/// let path = finder.find(&request, &PathOptions::default(), &mut PathSearch::default())?;
/// assert_eq!(path.end, PathEnd::Reached);
/// // Nothing is in the way, so start and goal are all of its points.
/// assert_eq!(path.points, [request.from, request.to]);
/// # Ok::<(), ironlands_sim_geodata::GeodataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Geodata {
    regions: Arc<[Option<RegionSlot>]>,
    generation: u64,
}

#[derive(Debug, Clone)]
struct RegionSlot {
    pack: Arc<RegionPack>,
    edits: Option<Arc<RegionEdits>>,
}

impl GeoPoint {
    /// A point.
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// Its cell.
    ///
    /// # Errors
    /// If no region can have it.
    pub fn cell(self) -> Result<GeoCell, OutsideWorld> {
        GeoCell::from_point(self.x, self.y)
    }

    /// The middle of a cell at a height.
    pub fn from_cell(cell: GeoCell, z: i32) -> Self {
        let (x, y) = cell.center();
        Self { x, y, z }
    }
}

impl Default for Geodata {
    fn default() -> Self {
        Self {
            regions: vec![None; N_REGIONS].into(),
            generation: 0,
        }
    }
}

impl Geodata {
    /// All given regions; of two with the same number the later one. Packs with the same content are kept once.
    pub fn new(regions: impl IntoIterator<Item = (RegionId, RegionPack)>) -> Self {
        let mut slots = vec![None; N_REGIONS];
        let mut distinct: Vec<Arc<RegionPack>> = Vec::new();
        for (id, pack) in regions {
            let known = distinct.iter().find(|known| ***known == pack);
            let pack = known.cloned().unwrap_or_else(|| Arc::new(pack));
            if known.is_none() {
                distinct.push(pack.clone());
            }
            slots[id.index()] = Some(RegionSlot { pack, edits: None });
        }
        Self {
            regions: slots.into(),
            generation: 0,
        }
    }

    /// Counts edits and regions that came or went: a cache of results compares it.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether a region is loaded.
    pub fn has_region(&self, id: RegionId) -> bool {
        self.regions[id.index()].is_some()
    }

    /// Numbers of all loaded regions.
    pub fn regions(&self) -> impl Iterator<Item = RegionId> {
        let all = (0..32).flat_map(|x| (0..32).filter_map(move |y| RegionId::new(x, y)));
        all.filter(|id| self.has_region(*id))
    }

    /// The pack of a region, without edits.
    pub fn pack(&self, id: RegionId) -> Option<&Arc<RegionPack>> {
        self.regions[id.index()].as_ref().map(|slot| &slot.pack)
    }

    /// Bytes that all this takes.
    pub fn memory(&self) -> MemoryUse {
        let mut memory = MemoryUse::default();
        let mut seen: Vec<*const RegionPack> = Vec::new();
        for slot in self.regions.iter().flatten() {
            memory.n_regions += 1;
            memory.edits += slot.edits.as_ref().map_or(0, |edits| edits.n_bytes());
            let pack = Arc::as_ptr(&slot.pack);
            if !seen.contains(&pack) {
                seen.push(pack);
                memory.packs += slot.pack.n_bytes();
            }
        }
        memory.packs += size_of_val(&*self.regions);
        memory
    }

    /// The same with a region, which replaces one of its number and the edits over it.
    #[must_use]
    pub fn with_region(&self, id: RegionId, pack: Arc<RegionPack>) -> Self {
        self.changed(|slots| slots[id.index()] = Some(RegionSlot { pack, edits: None }))
    }

    /// The same without a region and the edits over it.
    #[must_use]
    pub fn without_region(&self, id: RegionId) -> Self {
        self.changed(|slots| slots[id.index()] = None)
    }

    /// The same with a block in place of the one that was there; objects over it stay. Blocks of regions that are
    /// not loaded are left out.
    #[must_use]
    pub fn with_block(&self, region: RegionId, index: u16, block: Block) -> Self {
        self.with_blocks([(region, index, block)])
    }

    /// The same with many blocks, as [`with_block`](Self::with_block) has one, in one change. A block that is as the
    /// pack has it is no edit any more.
    #[must_use]
    pub fn with_blocks(&self, blocks: impl IntoIterator<Item = (RegionId, u16, Block)>) -> Self {
        self.changed(|slots| {
            for (region, index, block) in blocks {
                if let Some(slot) = &mut slots[region.index()] {
                    slot.edit(|pack, edits| edits.replace(pack, region, index, block));
                }
            }
        })
    }

    /// The same with an object (a closed door, a fence) that stands there under an id, which one that has it loses.
    #[must_use]
    pub fn with_object(&self, id: u64, object: &Arc<GeoObject>) -> Self {
        self.without_object(id).changed(|slots| {
            for (region, blocks) in object.blocks() {
                if let Some(slot) = &mut slots[region.index()] {
                    slot.edit(|pack, edits| {
                        for &index in &blocks {
                            edits.add(pack, region, index, id, object);
                        }
                    });
                }
            }
        })
    }

    /// The same without the object of an id: the door is open, the ground as it was.
    #[must_use]
    pub fn without_object(&self, id: u64) -> Self {
        let has = |slot: &RegionSlot| slot.edits.as_ref().is_some_and(|edits| edits.has(id));
        if !self.regions.iter().flatten().any(has) {
            return self.clone();
        }
        self.changed(|slots| {
            for (index, slot) in slots.iter_mut().enumerate() {
                // The table is x-major, 32 by 32.
                let region = RegionId::new((index / 32) as u8, (index % 32) as u8);
                if let (Some(slot), Some(region)) = (slot, region)
                    && has(slot)
                {
                    slot.edit(|pack, edits| edits.remove(pack, region, id));
                }
            }
        })
    }

    fn changed(&self, change: impl FnOnce(&mut [Option<RegionSlot>])) -> Self {
        let mut slots = self.regions.to_vec();
        change(&mut slots);
        Self {
            regions: slots.into(),
            generation: self.generation + 1,
        }
    }

    /// The block that holds a cell; `None` where no region is.
    #[inline]
    pub(super) fn block(&self, cell: GeoCell) -> Option<BlockView<'_>> {
        let slot = self.regions[cell.region().index()].as_ref()?;
        let index = cell.block_index();
        if let Some(edits) = &slot.edits
            && let Some(edited) = edits.block(index)
        {
            return Some(edited);
        }
        Some(slot.pack.block(index))
    }

    /// Whether the block that holds a cell is another than its pack has.
    pub(super) fn is_edited(&self, cell: GeoCell) -> bool {
        let slot = self.regions[cell.region().index()].as_ref();
        let edits = slot.and_then(|slot| slot.edits.as_ref());
        edits.is_some_and(|edits| edits.block(cell.block_index()).is_some())
    }

    /// Cells along a side of a square of one flat ground, whose corner is a multiple of them; given that the block of
    /// `cell` is flat.
    #[inline]
    pub(super) fn flat_side(&self, cell: GeoCell) -> u16 {
        let slot = self.regions[cell.region().index()].as_ref();
        let is_tile = slot
            .is_some_and(|slot| slot.edits.is_none() && slot.pack.is_one_flat(cell.block_index()));
        if is_tile { 8 * TILE_SIDE as u16 } else { 8 }
    }
}

impl RegionSlot {
    /// Changes its own copy of the edits; none are kept if nothing is left of them.
    fn edit(&mut self, change: impl FnOnce(&RegionPack, &mut RegionEdits)) {
        let edits = self.edits.get_or_insert_default();
        change(&self.pack, Arc::make_mut(edits));
        if edits.is_empty() {
            self.edits = None;
        }
    }
}
