//! Geodata of Lineage II for server programs: one loaded set, queried and edited by any number of threads.
//!
//! In: a folder of regions. Out: the queries of [`Geodata`], with numbers in place of the types that other languages
//! do not have. The bindings in the folders beside this one translate calls and errors, nothing else.
//!
//! Deliberately absent: pointers, JVMs, interpreters.

mod error;
#[cfg(feature = "fixtures")]
pub mod fixtures;
pub mod outcome;

pub use error::{GeodataSetError, Status};
pub use ironlands_sim_geodata::arrays::{ArrayQuery, NO_HEIGHT, NO_RESULT};
pub use ironlands_sim_geodata::path::{DEFAULT_BUDGET, PathEnd, WalkPath};
pub use ironlands_sim_geodata::{GeoPoint, Geodata, GroundLayer, ObjectKind, Profile};

use ironlands_assets_lineage2::{
    Block, Cell, GeoCell, GeodataFormat, Multilayer, Nswe, RegionId, Tolerance,
};
use ironlands_sim_geodata::path::PathRequest;
use ironlands_sim_geodata::{
    GeoObject, GeoQuery, GeoQueryResult, NoStoredZones, QueryContexts, SharedGeodata,
    StraightWalkEnd, Viewer,
};
use ironlands_world_lineage2::{
    KeptZones, LoadedRegions, load_readable_regions, profile_of_formats, region_files,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Cells of a block.
pub const CELLS_PER_BLOCK: usize = 64;

/// How to load a set.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Format to read if a region has files in several: `l2j`, `conv.dat` and so on.
    pub format: Option<String>,
    /// Step rule: `pts`, `acis`, `loose` and so on; by default the one that suits the formats.
    pub profile: Option<String>,
    /// Whether a region that cannot be read is an error; otherwise it is left out.
    pub is_strict: bool,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineEnd {
    /// Its number, as [`ironlands_sim_geodata::arrays`] lists them.
    pub end: i32,
    /// The last valid point.
    pub point: GeoPoint,
}

/// Loaded regions with the doors and blocks that were edited since, and a step rule.
pub struct GeodataSet {
    shared: Arc<SharedGeodata>,
    profile: Profile,
    left_out: Vec<String>,
    /// For the set as it was loaded, with the zones beside it.
    contexts_as_loaded: QueryContexts<'static>,
    /// For one that was edited, to which those zones do not fit.
    contexts: QueryContexts<'static>,
}

impl GeodataSet {
    /// Loads a region's file or a folder of them, on all threads.
    ///
    /// # Errors
    /// If there are no regions, one has two files, an option has no such value, or a strict load meets a broken
    /// region.
    pub fn load(path: &Path, options: &LoadOptions) -> Result<Self, GeodataSetError> {
        let format = options.format.as_deref().map(format_named).transpose()?;
        let profile = options.profile.as_deref().map(profile_named).transpose()?;
        let files = region_files(path, format).map_err(GeodataSetError::load)?;
        let loaded =
            load_readable_regions(&files, Tolerance::STRICT, &|_| {}, &AtomicBool::new(false));
        let LoadedRegions { geodata, left_out } = loaded.map_err(GeodataSetError::load)?;
        let mut left_out = left_out.into_iter();
        if options.is_strict
            && let Some(first) = left_out.next()
        {
            return Err(GeodataSetError::load(first.error));
        }
        let formats = files.iter().map(|file| file.name.format);
        Ok(Self {
            shared: SharedGeodata::new(geodata),
            profile: profile.unwrap_or_else(|| profile_of_formats(formats)),
            left_out: left_out.map(|it| error::chain(&it.error)).collect(),
            contexts_as_loaded: QueryContexts::new(Arc::new(KeptZones::new(path, &files)), None),
            contexts: QueryContexts::new(Arc::new(NoStoredZones), None),
        })
    }

    /// The geodata as it is now; edits that follow do not change it.
    pub fn newest(&self) -> Geodata {
        self.shared.newest()
    }

    /// The step rule of all walks.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Regions that could not be read, each with the reason.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Unloads all regions and edits, which frees their memory once the calls in progress have ended.
    pub fn clear(&self) {
        self.shared.edit(|geodata| {
            let ids: Vec<RegionId> = geodata.regions().collect();
            let without = |geodata: Geodata, id: &RegionId| geodata.without_region(*id);
            ids.iter().fold(geodata.clone(), without)
        });
    }

    /// Number of loaded regions.
    pub fn n_regions(&self) -> usize {
        self.newest().regions().count()
    }

    /// Whether there is a region at a point.
    pub fn has_region_at(&self, x: i32, y: i32) -> bool {
        let cell = GeoCell::from_point(x, y);
        cell.is_ok_and(|cell| {
            self.shared
                .with(|geodata| geodata.has_region(cell.region()))
        })
    }

    /// Height of the layer nearest to a point.
    ///
    /// # Errors
    /// If there is no region.
    pub fn height(&self, at: GeoPoint) -> Result<i32, GeodataSetError> {
        Ok(self.shared.with(|geodata| geodata.height(at))?)
    }

    /// The layer nearest to a point.
    ///
    /// # Errors
    /// If there is no region.
    pub fn nearest_layer(&self, at: GeoPoint) -> Result<GroundLayer, GeodataSetError> {
        let cell = at.cell()?;
        Ok(self
            .shared
            .with(|geodata| geodata.nearest_layer(cell, at.z))?)
    }

    /// The highest layer at or below a point.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layer_at_or_below(&self, at: GeoPoint) -> Result<Option<GroundLayer>, GeodataSetError> {
        let cell = at.cell()?;
        Ok(self
            .shared
            .with(|geodata| geodata.layer_at_or_below(cell, at.z))?)
    }

    /// The lowest layer at or above a point.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layer_at_or_above(&self, at: GeoPoint) -> Result<Option<GroundLayer>, GeodataSetError> {
        let cell = at.cell()?;
        Ok(self
            .shared
            .with(|geodata| geodata.layer_at_or_above(cell, at.z))?)
    }

    /// All layers at a point, from the ground up.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layers(&self, x: i32, y: i32) -> Result<Vec<GroundLayer>, GeodataSetError> {
        let cell = GeoPoint::new(x, y, 0).cell()?;
        Ok(self.shared.with(|geodata| geodata.layers(cell))?)
    }

    /// A step to a neighboring cell, `dx` and `dy` in `-1..=1`: how it ends, and the point that it leads to.
    ///
    /// # Errors
    /// If there is no region, or `dx` and `dy` lead to no neighbor.
    pub fn step(&self, from: GeoPoint, dx: i32, dy: i32) -> Result<LineEnd, GeodataSetError> {
        let is_step = |d: i32| (-1..=1).contains(&d);
        if !is_step(dx) || !is_step(dy) || (dx, dy) == (0, 0) {
            return Err(GeodataSetError::argument(
                "a step leads to one of the eight neighbors",
            ));
        }
        let step = |geodata: &Geodata| geodata.step(from, dx, dy, &self.profile);
        let (end, point) = self.shared.with(step)?;
        Ok(LineEnd {
            end: end.number(),
            point,
        })
    }

    /// Walks straight from point to point.
    ///
    /// # Errors
    /// If a point is outside of all regions, or there is none at the start.
    pub fn straight_walk(&self, from: GeoPoint, to: GeoPoint) -> Result<LineEnd, GeodataSetError> {
        let walk = |geodata: &Geodata| geodata.straight_walk(from, to, &self.profile);
        let walk = self.shared.with(walk)?;
        Ok(LineEnd {
            end: walk.end.number(),
            point: walk.point,
        })
    }

    /// Whether a straight walk arrives.
    ///
    /// # Errors
    /// As [`straight_walk`](Self::straight_walk).
    pub fn is_straight_walk_free(
        &self,
        from: GeoPoint,
        to: GeoPoint,
    ) -> Result<bool, GeodataSetError> {
        Ok(self.straight_walk(from, to)?.end == StraightWalkEnd::Reached.number())
    }

    /// Whether two see each other, with their eyes at these heights above the points.
    ///
    /// # Errors
    /// If a point is outside of all regions, or there is none at the first.
    pub fn line_of_sight(
        &self,
        from: GeoPoint,
        to: GeoPoint,
        [from_eye, to_eye]: [f32; 2],
    ) -> Result<bool, GeodataSetError> {
        let (a, b) = (Viewer::new(from, from_eye), Viewer::new(to, to_eye));
        let sees = |geodata: &Geodata| geodata.line_of_sight_both_ways(&a, &b, &self.profile);
        Ok(self.shared.with(sees)? == [true; 2])
    }

    /// Swims straight from point to point.
    ///
    /// # Errors
    /// If a point is outside of all regions, or there is none at the start.
    pub fn swim(&self, from: GeoPoint, to: GeoPoint) -> Result<LineEnd, GeodataSetError> {
        let swim = self.shared.with(|geodata| geodata.swim(from, to))?;
        Ok(LineEnd {
            end: swim.end.number(),
            point: swim.point,
        })
    }

    /// Flies straight from point to point, with `height` points of clearance.
    ///
    /// # Errors
    /// If a point is outside of all regions.
    pub fn fly(
        &self,
        from: GeoPoint,
        to: GeoPoint,
        height: i32,
    ) -> Result<LineEnd, GeodataSetError> {
        let flight = self.shared.with(|geodata| geodata.fly(from, to, height))?;
        Ok(LineEnd {
            end: i32::from(!flight.is_reached),
            point: flight.point,
        })
    }

    /// Finds a path that looks at no more than `budget` cells.
    ///
    /// # Errors
    /// If a point is outside of all regions or there is none.
    pub fn path(
        &self,
        from: GeoPoint,
        to: GeoPoint,
        budget: u32,
    ) -> Result<WalkPath, GeodataSetError> {
        // A search may be long, and edits need not wait for it.
        let geodata = self.newest();
        let contexts = match geodata.generation() {
            0 => &self.contexts_as_loaded,
            _ => &self.contexts,
        };
        let query = GeoQuery::Path {
            request: PathRequest { from, to },
            profile: self.profile,
            budget,
            rough_factor: 1,
        };
        match contexts.with(|context| geodata.query(&query, context))? {
            GeoQueryResult::Path(path) => Ok(*path),
            _ => unreachable!("a result is of the kind of its query"),
        }
    }

    /// Runs a batch of one kind over arrays of numbers, on all threads; see [`ironlands_sim_geodata::arrays`].
    ///
    /// # Errors
    /// If the arrays have other lengths than the same number of rows.
    pub fn array_batch(
        &self,
        kind: &ArrayQuery,
        queries: &[i32],
        results: &mut [i32],
    ) -> Result<(), GeodataSetError> {
        let done = self.newest().array_batch(kind, queries, results);
        done.map_err(|error| GeodataSetError::argument(&error.to_string()))
    }

    /// The kind of a batch by its number: 0 heights, 1 straight walks, 2 lines of sight, 3 swims, 4 flights.
    /// `parameter` is the height of both eyes or the clearance of flights.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn array_query(&self, kind: i32, parameter: f32) -> Result<ArrayQuery, GeodataSetError> {
        Ok(match kind {
            0 => ArrayQuery::Height,
            1 => ArrayQuery::StraightWalk(self.profile),
            2 => ArrayQuery::LineOfSight {
                eye_height: parameter,
                profile: self.profile,
            },
            3 => ArrayQuery::Swim,
            4 => ArrayQuery::Fly {
                height: parameter as i32,
            },
            _ => return Err(GeodataSetError::argument("no such kind of batch")),
        })
    }

    /// Puts an object (a closed door, a fence, a wall) on the ground under an id, which one that has it loses.
    ///
    /// # Errors
    /// If the outline has less than three points, the top is below the bottom, or it leaves the grid of regions.
    pub fn add_object(
        &self,
        id: u64,
        outline: &[(i32, i32)],
        [bottom, top]: [i16; 2],
        kind: ObjectKind,
    ) -> Result<(), GeodataSetError> {
        let object = GeoObject::from_outline(outline, bottom, top, kind);
        let object = object.ok_or(GeodataSetError::argument(
            "an object needs an outline of three points or more, smaller than a region, and a top above its bottom",
        ))?;
        let object = Arc::new(object);
        self.shared.edit(|geodata| geodata.with_object(id, &object));
        Ok(())
    }

    /// Removes an object: the door is open. Nothing happens if there is none.
    pub fn remove_object(&self, id: u64) {
        self.shared.edit(|geodata| geodata.without_object(id));
    }

    /// Replaces the block that holds a point. `n_layers` has the number of layers of each of its 64 cells, x-major;
    /// `heights` and `nswe` those of all layers, cell after cell.
    ///
    /// # Errors
    /// If there is no region, or the lengths or values do not fit.
    pub fn set_block(
        &self,
        x: i32,
        y: i32,
        n_layers: &[u8],
        heights: &[i16],
        nswe: &[u8],
    ) -> Result<(), GeodataSetError> {
        let cell = GeoPoint::new(x, y, 0).cell()?;
        if !self.has_region_at(x, y) {
            return Err(GeodataSetError::no_data(cell.region()));
        }
        let block = block_of(n_layers, heights, nswe)?;
        self.shared
            .edit(|geodata| geodata.with_block(cell.region(), cell.block_index(), block));
        Ok(())
    }
}

fn format_named(name: &str) -> Result<GeodataFormat, GeodataSetError> {
    GeodataFormat::from_word(name)
        .ok_or_else(|| GeodataSetError::argument(&format!("no format is named {name}")))
}

fn profile_named(name: &str) -> Result<Profile, GeodataSetError> {
    Profile::from_name(name)
        .ok_or_else(|| GeodataSetError::argument(&format!("no step rule is named {name}")))
}

fn block_of(n_layers: &[u8], heights: &[i16], nswe: &[u8]) -> Result<Block, GeodataSetError> {
    let n_cells = n_layers.iter().map(|n| usize::from(*n)).sum::<usize>();
    if n_layers.len() != CELLS_PER_BLOCK || n_cells != heights.len() || n_cells != nswe.len() {
        return Err(GeodataSetError::argument(
            "a block has 64 numbers of layers, and as many heights and sides as these add up to",
        ));
    }
    let cells = heights.iter().zip(nswe);
    let cells: Vec<Cell> = cells
        .map(|(height, nswe)| Cell::new(*height, Nswe::from_bits_retain(nswe & 0xF)))
        .collect();
    if let Some(odd) = cells.iter().find(|cell| !cell.fits_word()) {
        return Err(GeodataSetError::argument(&format!(
            "{} is no height of a cell: a multiple of 8 from -16384 to 16376",
            odd.height
        )));
    }
    let mut rest = &cells[..];
    let columns = n_layers.iter().map(|n| {
        let (column, after) = rest.split_at(usize::from(*n));
        rest = after;
        column
    });
    let block = Multilayer::new(columns)
        .ok_or(GeodataSetError::argument("every cell has 1 to 255 layers"))?;
    Ok(
        match <Box<[Cell; CELLS_PER_BLOCK]>>::try_from(block.all_layers().to_vec()) {
            Ok(cells) => Block::Complex(cells),
            Err(_) => Block::Multilayer(Box::new(block.sorted())),
        },
    )
}

impl GeodataSetError {
    fn no_data(region: RegionId) -> Self {
        ironlands_sim_geodata::GeodataError::NoData { region }.into()
    }
}
