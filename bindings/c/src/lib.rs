//! Geodata for servers, for C and C++: `include/ironlands/geodata.h`.
//!
//! In: handles, numbers and arrays of the caller. Out: a status, and results through pointers. A handle may be used by any
//! number of threads at a time; only `il_geodata_free` must be the last call with it. No panic leaves this library.
//!
//! Deliberately absent: queries, which lie in the crate `ironlands-geodata-set`.
#![allow(
    unsafe_code,
    reason = "functions with C names, and arrays of C callers; each function says what it needs of them"
)]

mod arguments;

use arguments::{slice, slice_mut, text};
use ironlands_geodata_set::outcome::{self, Failure, last_error};
use ironlands_geodata_set::{
    GeoPoint, GeodataSet, GroundLayer, LineEnd, LoadOptions, ObjectKind, PathEnd, Status,
};
use std::ffi::c_char;
use std::path::Path;

/// The outcome of a call. `il_last_error` says more.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IlStatus {
    /// Done.
    Ok = 0,
    /// No region is loaded at a point.
    NoData = 1,
    /// A point is outside of all regions that can be.
    Outside = 2,
    /// Regions cannot be read.
    Load = 3,
    /// An argument has a value that it cannot have, or is NULL.
    Argument = 4,
    /// There is no such layer.
    NoLayer = 5,
    /// The array of the caller is too short; nothing was written to it, and the number of entries was returned.
    TooShort = 6,
    /// A defect of this library; the call changed nothing.
    Panic = 7,
}

/// Loaded regions with their doors and edits. A handle.
pub struct IlGeodata(GeodataSet);

/// A point in game coordinates: x east, y south, z up.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IlPoint {
    /// To the east.
    pub x: i32,
    /// To the south.
    pub y: i32,
    /// Up.
    pub z: i32,
}

/// Ground in a cell.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IlLayer {
    /// Its height.
    pub z: i32,
    /// Sides on which one may leave it: 1 east, 2 west, 4 south, 8 north.
    pub nswe: u8,
    /// Its place in the cell, 0 the lowest.
    pub index: u8,
}

/// How a line ends.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IlLine {
    /// Of steps and walks: 0 reached, 1 on another layer, blocked by 2 a closed side, 3 a climb, 4 a drop, 5 a missing
    /// region. Of swims: 0 reached, 1 on land, 2 a wall, 3 no ground. Of flights: 0 reached, 1 blocked.
    pub end: i32,
    /// The last valid point.
    pub point: IlPoint,
}

/// How a path ends.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IlPathEnd {
    /// At the goal.
    Reached = 0,
    /// No path leads there; the points lead to the nearest place.
    Unreachable = 1,
    /// The budget was used up first; the points lead to the nearest place.
    OutOfBudget = 2,
}

/// What the rows of a batch are. Numbers of rows are 32-bit integers.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IlBatch {
    /// x, y, z to the height of the nearest layer, or INT32_MIN.
    Height = 0,
    /// Two points to the end and the last valid point; the end is -1 where there is no region.
    StraightWalk = 1,
    /// Two points to 1 if the first sees the second, plus 2 for the reverse, or -1. The parameter is the height of both
    /// eyes.
    LineOfSight = 2,
    /// As straight walks.
    Swim = 3,
    /// As straight walks. The parameter is the required clearance.
    Fly = 4,
}

/// Loads a region's file or a folder of them, on all threads. `format` ("l2j", "conv.dat", ...) and `profile` ("pts",
/// "acis", ...) may be NULL: all formats, and the step rule that suits them. If `is_strict` is not 0, a region that
/// cannot be read is an error; otherwise it is left out.
///
/// # Safety
/// Texts end with a zero byte. `geodata` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_geodata_load(
    path: *const c_char,
    format: *const c_char,
    profile: *const c_char,
    is_strict: i32,
    geodata: Option<&mut *mut IlGeodata>,
) -> IlStatus {
    guarded(|| {
        let geodata = geodata.ok_or(Failure::null("geodata"))?;
        // SAFETY: The caller passes texts that end with a zero byte, or NULL.
        let [path, format, profile] = [path, format, profile].map(|it| unsafe { text(it) });
        let options = LoadOptions {
            format: format?.map(str::to_owned),
            profile: profile?.map(str::to_owned),
            is_strict: is_strict != 0,
        };
        let set = GeodataSet::load(Path::new(path?.ok_or(Failure::null("path"))?), &options)?;
        *geodata = Box::into_raw(Box::new(IlGeodata(set)));
        Ok(())
    })
}

/// Frees a handle; NULL is nothing.
///
/// # Safety
/// The handle is one of `il_geodata_load`, no other call uses it now, and none will.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_geodata_free(geodata: *mut IlGeodata) {
    if !geodata.is_null() {
        // SAFETY: It was made by `Box::into_raw`, and the caller promises that this is the last use.
        drop(unsafe { Box::from_raw(geodata) });
    }
}

/// Why the last call of this thread failed, as a text that ends with a zero byte. Returns the length of all of it without
/// that byte; what does not fit is left out.
///
/// # Safety
/// `buffer` has `capacity` bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_last_error(buffer: *mut c_char, capacity: usize) -> usize {
    last_error(|_, error| {
        if !buffer.is_null() && capacity > 0 {
            // SAFETY: The caller passes this many bytes.
            let buffer = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), capacity) };
            let n_bytes = error.len().min(capacity - 1);
            buffer[..n_bytes].copy_from_slice(&error.as_bytes()[..n_bytes]);
            buffer[n_bytes] = 0;
        }
        error.len()
    })
}

/// Number of loaded regions; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn il_region_count(geodata: Option<&IlGeodata>) -> usize {
    geodata.map_or(0, |geodata| geodata.0.n_regions())
}

/// Whether a region is loaded at a point: 1 or 0.
#[unsafe(no_mangle)]
pub extern "C" fn il_has_region_at(geodata: Option<&IlGeodata>, x: i32, y: i32) -> i32 {
    i32::from(geodata.is_some_and(|geodata| geodata.0.has_region_at(x, y)))
}

/// Height of the layer nearest to a point.
#[unsafe(no_mangle)]
pub extern "C" fn il_height(
    geodata: Option<&IlGeodata>,
    at: IlPoint,
    height: Option<&mut i32>,
) -> IlStatus {
    give(geodata, height, "height", |set| Ok(set.height(at.into())?))
}

/// The layer nearest to a point.
#[unsafe(no_mangle)]
pub extern "C" fn il_nearest_layer(
    geodata: Option<&IlGeodata>,
    at: IlPoint,
    layer: Option<&mut IlLayer>,
) -> IlStatus {
    give(geodata, layer, "layer", |set| {
        Ok(set.nearest_layer(at.into())?.into())
    })
}

/// The highest layer at or below a point; `NoLayer` if all are above.
#[unsafe(no_mangle)]
pub extern "C" fn il_layer_at_or_below(
    geodata: Option<&IlGeodata>,
    at: IlPoint,
    layer: Option<&mut IlLayer>,
) -> IlStatus {
    give(geodata, layer, "layer", |set| {
        let layer = set.layer_at_or_below(at.into())?;
        Ok(layer.ok_or(Failure::NoLayer)?.into())
    })
}

/// The lowest layer at or above a point; `NoLayer` if all are below.
#[unsafe(no_mangle)]
pub extern "C" fn il_layer_at_or_above(
    geodata: Option<&IlGeodata>,
    at: IlPoint,
    layer: Option<&mut IlLayer>,
) -> IlStatus {
    give(geodata, layer, "layer", |set| {
        let layer = set.layer_at_or_above(at.into())?;
        Ok(layer.ok_or(Failure::NoLayer)?.into())
    })
}

/// All layers at a point, from the ground up. `count` is set to their number.
///
/// # Safety
/// `layers` has `capacity` entries, or is NULL where that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_layers(
    geodata: Option<&IlGeodata>,
    x: i32,
    y: i32,
    layers: *mut IlLayer,
    capacity: usize,
    count: Option<&mut usize>,
) -> IlStatus {
    with(geodata, |set| {
        let count = count.ok_or(Failure::null("count"))?;
        let found: Vec<IlLayer> = set.layers(x, y)?.into_iter().map(Into::into).collect();
        *count = found.len();
        // SAFETY: The caller passes this many entries.
        copy(&found, unsafe { slice_mut(layers, capacity) }?)
    })
}

/// A step from the middle of a cell to one of its eight neighbors: `dx` and `dy` are -1, 0 or 1.
#[unsafe(no_mangle)]
pub extern "C" fn il_step(
    geodata: Option<&IlGeodata>,
    from: IlPoint,
    dx: i32,
    dy: i32,
    line: Option<&mut IlLine>,
) -> IlStatus {
    give(geodata, line, "line", |set| {
        Ok(set.step(from.into(), dx, dy)?.into())
    })
}

/// Walks straight from point to point.
#[unsafe(no_mangle)]
pub extern "C" fn il_straight_walk(
    geodata: Option<&IlGeodata>,
    from: IlPoint,
    to: IlPoint,
    line: Option<&mut IlLine>,
) -> IlStatus {
    give(geodata, line, "line", |set| {
        Ok(set.straight_walk(from.into(), to.into())?.into())
    })
}

/// Whether two see each other, 1 or 0, with their eyes at these heights above the points.
#[unsafe(no_mangle)]
pub extern "C" fn il_line_of_sight(
    geodata: Option<&IlGeodata>,
    from: IlPoint,
    to: IlPoint,
    from_eye: f32,
    to_eye: f32,
    is_visible: Option<&mut i32>,
) -> IlStatus {
    give(geodata, is_visible, "is_visible", |set| {
        let eyes = [from_eye, to_eye];
        Ok(i32::from(set.line_of_sight(
            from.into(),
            to.into(),
            eyes,
        )?))
    })
}

/// Swims straight from point to point.
#[unsafe(no_mangle)]
pub extern "C" fn il_swim(
    geodata: Option<&IlGeodata>,
    from: IlPoint,
    to: IlPoint,
    line: Option<&mut IlLine>,
) -> IlStatus {
    give(geodata, line, "line", |set| {
        Ok(set.swim(from.into(), to.into())?.into())
    })
}

/// Flies straight from point to point, with `height` points of clearance.
#[unsafe(no_mangle)]
pub extern "C" fn il_fly(
    geodata: Option<&IlGeodata>,
    from: IlPoint,
    to: IlPoint,
    height: i32,
    line: Option<&mut IlLine>,
) -> IlStatus {
    give(geodata, line, "line", |set| {
        Ok(set.fly(from.into(), to.into(), height)?.into())
    })
}

/// Finds a path that looks at no more than `budget` cells: its corners, with start and goal. `count` is set to their
/// number; if they are more than `capacity`, call again with room for them.
///
/// # Safety
/// `points` has `capacity` entries, or is NULL where that is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_path(
    geodata: Option<&IlGeodata>,
    from: IlPoint,
    to: IlPoint,
    budget: u32,
    points: *mut IlPoint,
    capacity: usize,
    count: Option<&mut usize>,
    end: Option<&mut IlPathEnd>,
) -> IlStatus {
    with(geodata, |set| {
        let count = count.ok_or(Failure::null("count"))?;
        let end = end.ok_or(Failure::null("end"))?;
        let path = set.path(from.into(), to.into(), budget)?;
        *end = match path.end {
            PathEnd::Reached => IlPathEnd::Reached,
            PathEnd::Unreachable => IlPathEnd::Unreachable,
            PathEnd::OutOfBudget | PathEnd::Canceled => IlPathEnd::OutOfBudget,
        };
        *count = path.points.len();
        let found: Vec<IlPoint> = path.points.into_iter().map(Into::into).collect();
        // SAFETY: The caller passes this many entries.
        copy(&found, unsafe { slice_mut(points, capacity) }?)
    })
}

/// Runs `n_rows` queries of a kind over arrays, on all threads. `queries` has 3 numbers a row for heights and 6 for all
/// others; `results` has 1 for heights and lines of sight and 4 for all others.
///
/// # Safety
/// Both arrays have that many numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_batch(
    geodata: Option<&IlGeodata>,
    kind: i32,
    parameter: f32,
    queries: *const i32,
    results: *mut i32,
    n_rows: usize,
) -> IlStatus {
    with(geodata, |set| {
        let kind = set.array_query(kind, parameter)?;
        let [n_in, n_out] = [kind.row_in(), kind.row_out()].map(|row| n_rows.saturating_mul(row));
        // SAFETY: The caller passes this many numbers.
        let (queries, results) = unsafe { (slice(queries, n_in)?, slice_mut(results, n_out)?) };
        Ok(set.array_batch(&kind, queries, results)?)
    })
}

/// Closes a door, or puts another object on the ground: a prism over an outline of `n_points` points, x and y each. What
/// has the same id is removed. A wall (`is_wall` not 0) reaches ground that is 192 points away, others 48.
///
/// # Safety
/// `outline` has 2 * `n_points` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_add_object(
    geodata: Option<&IlGeodata>,
    id: u64,
    outline: *const i32,
    n_points: usize,
    bottom: i16,
    top: i16,
    is_wall: i32,
) -> IlStatus {
    with(geodata, |set| {
        let n_numbers = n_points.saturating_mul(2);
        // SAFETY: The caller passes this many numbers.
        let (points, _) = unsafe { slice(outline, n_numbers)? }.as_chunks::<2>();
        let outline: Vec<(i32, i32)> = points.iter().map(|[x, y]| (*x, *y)).collect();
        let kind = match is_wall {
            0 => ObjectKind::Door,
            _ => ObjectKind::Wall,
        };
        Ok(set.add_object(id, &outline, [bottom, top], kind)?)
    })
}

/// Removes an object: the door is open. Nothing happens if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn il_remove_object(geodata: Option<&IlGeodata>, id: u64) -> IlStatus {
    with(geodata, |set| {
        set.remove_object(id);
        Ok(())
    })
}

/// Replaces the block that holds a point. `layer_counts` has the number of layers of each of its 64 cells, x-major;
/// `heights` and `nswe` those of all `n_layers` layers, cell after cell.
///
/// # Safety
/// The arrays have that many numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn il_set_block(
    geodata: Option<&IlGeodata>,
    x: i32,
    y: i32,
    layer_counts: *const u8,
    heights: *const i16,
    nswe: *const u8,
    n_layers: usize,
) -> IlStatus {
    with(geodata, |set| {
        let n_cells = ironlands_geodata_set::CELLS_PER_BLOCK;
        // SAFETY: The caller passes this many numbers.
        let (layer_counts, heights, nswe) = unsafe {
            (
                slice(layer_counts, n_cells)?,
                slice(heights, n_layers)?,
                slice(nswe, n_layers)?,
            )
        };
        Ok(set.set_block(x, y, layer_counts, heights, nswe)?)
    })
}

/// Runs a call; a panic ends here.
fn guarded(run: impl FnOnce() -> Result<(), Failure>) -> IlStatus {
    match outcome::guarded(run) {
        Ok(()) => IlStatus::Ok,
        Err(status) => status.into(),
    }
}

/// Runs a call on a handle.
fn with(
    geodata: Option<&IlGeodata>,
    run: impl FnOnce(&GeodataSet) -> Result<(), Failure>,
) -> IlStatus {
    guarded(|| run(&geodata.ok_or(Failure::null("geodata"))?.0))
}

/// Runs a query on a handle and writes its result.
fn give<T>(
    geodata: Option<&IlGeodata>,
    place: Option<&mut T>,
    name: &'static str,
    run: impl FnOnce(&GeodataSet) -> Result<T, Failure>,
) -> IlStatus {
    with(geodata, |set| {
        let place = place.ok_or(Failure::null(name))?;
        *place = run(set)?;
        Ok(())
    })
}

fn copy<T: Copy>(found: &[T], places: &mut [T]) -> Result<(), Failure> {
    let places = places.get_mut(..found.len()).ok_or(Failure::TooShort)?;
    places.copy_from_slice(found);
    Ok(())
}

impl From<IlPoint> for GeoPoint {
    fn from(IlPoint { x, y, z }: IlPoint) -> Self {
        Self { x, y, z }
    }
}

impl From<GeoPoint> for IlPoint {
    fn from(GeoPoint { x, y, z }: GeoPoint) -> Self {
        Self { x, y, z }
    }
}

impl From<GroundLayer> for IlLayer {
    fn from(layer: GroundLayer) -> Self {
        Self {
            z: layer.z,
            nswe: layer.nswe.bits(),
            index: layer.index,
        }
    }
}

impl From<LineEnd> for IlLine {
    fn from(LineEnd { end, point }: LineEnd) -> Self {
        Self {
            end,
            point: point.into(),
        }
    }
}

impl From<Status> for IlStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Ok => Self::Ok,
            Status::NoData => Self::NoData,
            Status::Outside => Self::Outside,
            Status::Load => Self::Load,
            Status::Argument => Self::Argument,
            Status::NoLayer => Self::NoLayer,
            Status::TooShort => Self::TooShort,
            Status::Panic => Self::Panic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IlStatus, Status};

    #[test]
    fn the_numbers_of_outcomes_are_those_of_all_bindings() {
        for status in [
            Status::Ok,
            Status::NoData,
            Status::Outside,
            Status::Load,
            Status::Argument,
            Status::NoLayer,
            Status::TooShort,
            Status::Panic,
        ] {
            assert_eq!(IlStatus::from(status) as i32, status as i32, "{status:?}");
        }
    }
}
