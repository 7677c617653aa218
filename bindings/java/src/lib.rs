//! Geodata for servers, for Java: the native methods of `org.ironlands.geodata.Geodata`.
//!
//! In: handles, numbers and arrays of Java. Out: numbers with the status in their upper half, or arrays. What is called
//! often neither allocates nor calls back into the JVM. No panic leaves this library.
//!
//! Deliberately absent: queries, which lie in the crate `ironlands-geodata-set`; exceptions, which the Java class throws.
#![allow(
    unsafe_code,
    reason = "functions with the names that a JVM looks for, and handles that it keeps"
)]

use ironlands_geodata_set::outcome::{Failure, guarded, last_error};
use ironlands_geodata_set::{
    GeoPoint, GeodataSet, GeodataSetError, GroundLayer, LineEnd, LoadOptions, ObjectKind, PathEnd,
    Status,
};
use jni::errors::ThrowRuntimeExAndDefault;
use jni::objects::{JByteArray, JClass, JIntArray, JShortArray, JString};
use jni::sys::{jboolean, jfloat, jint, jlong};
use jni::{Env, EnvUnowned};
use std::path::Path;

type JniResult<T> = Result<T, jni::errors::Error>;

/// In place of a line's number: the call failed.
const FAILED: jlong = -1;

/// Loads regions; 0 if it fails.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeLoad<'a>(
    mut env: EnvUnowned<'a>,
    _class: JClass<'a>,
    path: JString<'a>,
    format: JString<'a>,
    profile: JString<'a>,
    is_strict: jboolean,
) -> jlong {
    let texts = env.with_env(|env| -> JniResult<_> {
        let text = |text: &JString<'_>| match text.is_null() {
            true => Ok(None),
            false => text.try_to_string(env).map(Some),
        };
        Ok((text(&path)?, text(&format)?, text(&profile)?))
    });
    let (path, format, profile) = texts.resolve::<ThrowRuntimeExAndDefault>();
    let set = guarded(|| {
        let path = path.ok_or(Failure::null("path"))?;
        let options = LoadOptions {
            format,
            profile,
            is_strict,
        };
        Ok(GeodataSet::load(Path::new(&path), &options)?)
    });
    // A set is never freed: a thread may be in a call when another closes it. What is left of a closed one is an empty
    // table.
    set.map_or(0, |set| {
        std::ptr::from_ref(Box::leak(Box::new(set))) as jlong
    })
}

/// Unloads all regions of a set.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeClose(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(handle, |set| {
        set.clear();
        Ok(0)
    });
}

/// The status of the last call of this thread that failed.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeStatus(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
) -> jint {
    last_error(|status, _| status as jint)
}

/// Why the last call of this thread failed.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeError<'a>(
    mut env: EnvUnowned<'a>,
    _class: JClass<'a>,
) -> JString<'a> {
    let text = last_error(|_, text| text.to_owned());
    env.with_env(|env| JString::from_str(env, text))
        .resolve::<ThrowRuntimeExAndDefault>()
}

/// Number of loaded regions.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeRegionCount(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(handle, |set| Ok(set.n_regions() as i32))
}

/// Whether a region is loaded at a point.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeHasRegion(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    x: jint,
    y: jint,
) -> jlong {
    call(handle, |set| Ok(i32::from(set.has_region_at(x, y))))
}

/// Height of the nearest layer.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeHeight(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    x: jint,
    y: jint,
    z: jint,
) -> jlong {
    call(handle, |set| Ok(set.height(GeoPoint { x, y, z })?))
}

/// A layer: its height in the lower 16 bits, open sides above. `which` is 0 for the nearest one, -1 for the highest at
/// or below, 1 for the lowest at or above.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeLayer(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    x: jint,
    y: jint,
    z: jint,
    which: jint,
) -> jlong {
    call(handle, |set| {
        let at = GeoPoint { x, y, z };
        let layer = match which {
            0 => Some(set.nearest_layer(at)?),
            ..0 => set.layer_at_or_below(at)?,
            1.. => set.layer_at_or_above(at)?,
        };
        Ok(layer_number(layer.ok_or(Failure::NoLayer)?))
    })
}

/// All layers from the ground up, as [`layer_number`]s; `null` if there is no region.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeLayers<'a>(
    env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    x: jint,
    y: jint,
) -> JIntArray<'a> {
    let layers = guarded(|| Ok(set_of(handle)?.layers(x, y)?));
    let numbers = layers.map(|layers| layers.into_iter().map(layer_number).collect());
    array(env, numbers)
}

/// Whether a straight walk arrives.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeCanWalk(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    ax: jint,
    ay: jint,
    az: jint,
    bx: jint,
    by: jint,
    bz: jint,
) -> jlong {
    call(handle, |set| {
        let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
        Ok(i32::from(set.is_straight_walk_free(from, to)?))
    })
}

/// Whether two see each other.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeCanSee(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    ax: jint,
    ay: jint,
    az: jint,
    bx: jint,
    by: jint,
    bz: jint,
    a_eye: jfloat,
    b_eye: jfloat,
) -> jlong {
    call(handle, |set| {
        let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
        Ok(i32::from(set.line_of_sight(from, to, [a_eye, b_eye])?))
    })
}

/// A step, as a [`ground_line_number`], or [`FAILED`].
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeStep(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    x: jint,
    y: jint,
    z: jint,
    dx: jint,
    dy: jint,
) -> jlong {
    ground_line(handle, |set| set.step(GeoPoint { x, y, z }, dx, dy))
}

/// A straight walk, as a [`ground_line_number`], or [`FAILED`].
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeStraightWalk(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    ax: jint,
    ay: jint,
    az: jint,
    bx: jint,
    by: jint,
    bz: jint,
) -> jlong {
    let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
    ground_line(handle, |set| set.straight_walk(from, to))
}

/// A swim, as [`line_array`]; `null` if it fails.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeSwim<'a>(
    env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    ax: jint,
    ay: jint,
    az: jint,
    bx: jint,
    by: jint,
    bz: jint,
) -> JIntArray<'a> {
    let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
    line_array(env, handle, |set| set.swim(from, to))
}

/// A flight, as [`line_array`]; `null` if it fails.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeFly<'a>(
    env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    ax: jint,
    ay: jint,
    az: jint,
    bx: jint,
    by: jint,
    bz: jint,
    height: jint,
) -> JIntArray<'a> {
    let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
    line_array(env, handle, |set| set.fly(from, to, height))
}

/// A path: its end, then its points; `null` if it fails.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativePath<'a>(
    env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    ax: jint,
    ay: jint,
    az: jint,
    bx: jint,
    by: jint,
    bz: jint,
    budget: jint,
) -> JIntArray<'a> {
    let numbers = guarded(|| {
        let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
        let path = set_of(handle)?.path(from, to, budget.max(0).cast_unsigned())?;
        let end = match path.end {
            PathEnd::Reached => 0,
            PathEnd::Unreachable => 1,
            PathEnd::OutOfBudget | PathEnd::Canceled => 2,
        };
        let points = path
            .points
            .iter()
            .flat_map(|point| [point.x, point.y, point.z]);
        Ok([end].into_iter().chain(points).collect())
    });
    array(env, numbers)
}

/// A batch of one kind, as `ironlands_sim_geodata::arrays` has them.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeBatch<'a>(
    mut env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    kind: jint,
    parameter: jfloat,
    queries: JIntArray<'a>,
    results: JIntArray<'a>,
) -> jlong {
    env.with_env(|env| -> JniResult<_> {
        let numbers = numbers_of(env, &queries)?;
        let mut result_numbers = vec![0; results.len(env)?];
        let status = call(handle, |set| {
            let kind = set.array_query(kind, parameter)?;
            set.array_batch(&kind, &numbers, &mut result_numbers)?;
            Ok(0)
        });
        results.set_region(env, 0, &result_numbers)?;
        Ok(status)
    })
    .resolve::<ThrowRuntimeExAndDefault>()
}

/// Closes a door, or puts another object on the ground.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeAddObject<'a>(
    mut env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    id: jlong,
    outline: JIntArray<'a>,
    bottom: jint,
    top: jint,
    is_wall: jboolean,
) -> jlong {
    env.with_env(|env| -> JniResult<_> {
        let numbers = numbers_of(env, &outline)?;
        Ok(call(handle, |set| {
            let (points, _) = numbers.as_chunks::<2>();
            let outline: Vec<(i32, i32)> = points.iter().map(|[x, y]| (*x, *y)).collect();
            let height = |z: jint| {
                i16::try_from(z).map_err(|_| GeodataSetError::argument("a height has 16 bits"))
            };
            let kind = match is_wall {
                true => ObjectKind::Wall,
                false => ObjectKind::Door,
            };
            let heights = [height(bottom)?, height(top)?];
            set.add_object(id.cast_unsigned(), &outline, heights, kind)?;
            Ok(0)
        }))
    })
    .resolve::<ThrowRuntimeExAndDefault>()
}

/// Removes an object.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeRemoveObject(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    id: jlong,
) -> jlong {
    call(handle, |set| {
        set.remove_object(id.cast_unsigned());
        Ok(0)
    })
}

/// Replaces a block.
#[unsafe(no_mangle)]
pub extern "system" fn Java_org_ironlands_geodata_Geodata_nativeSetBlock<'a>(
    mut env: EnvUnowned<'a>,
    _class: JClass<'a>,
    handle: jlong,
    x: jint,
    y: jint,
    layer_counts: JByteArray<'a>,
    heights: JShortArray<'a>,
    nswe: JByteArray<'a>,
) -> jlong {
    env.with_env(|env| -> JniResult<_> {
        let mut height_numbers = vec![0; heights.len(env)?];
        heights.get_region(env, 0, &mut height_numbers)?;
        let bytes = |array: &JByteArray<'_>| -> JniResult<Vec<u8>> {
            let mut bytes = vec![0; array.len(env)?];
            array.get_region(env, 0, &mut bytes)?;
            Ok(bytes.into_iter().map(i8::cast_unsigned).collect())
        };
        let (counts, sides) = (bytes(&layer_counts)?, bytes(&nswe)?);
        Ok(call(handle, |set| {
            set.set_block(x, y, &counts, &height_numbers, &sides)?;
            Ok(0)
        }))
    })
    .resolve::<ThrowRuntimeExAndDefault>()
}

/// A call: its number in the lower half of the result, its status in the upper.
#[inline]
fn call(handle: jlong, run: impl FnOnce(&GeodataSet) -> Result<i32, Failure>) -> jlong {
    let number = guarded(|| run(set_of(handle)?));
    match number {
        Ok(number) => jlong::from(number.cast_unsigned()),
        Err(status) => jlong::from(status as i32) << 32,
    }
}

#[inline]
fn ground_line(
    handle: jlong,
    run: impl FnOnce(&GeodataSet) -> Result<LineEnd, GeodataSetError>,
) -> jlong {
    let line = guarded(|| Ok(run(set_of(handle)?)?));
    line.map_or(FAILED, ground_line_number)
}

/// A line over the ground in one number, as calls that allocate nothing return it: from the lowest bit 16 of the height,
/// 21 of x, 21 of y, the end above. Layers have heights of 16 bits, and all regions lie between -2^20 and 2^20.
#[inline]
fn ground_line_number(line: LineEnd) -> jlong {
    let LineEnd { end, point } = line;
    let bits = |number: i32, n_bits: u32| jlong::from(number) & ((1 << n_bits) - 1);
    bits(point.z, 16) | bits(point.x, 21) << 16 | bits(point.y, 21) << 37 | bits(end, 5) << 58
}

/// A line's end and the three coordinates of its last valid point.
fn line_array<'a>(
    env: EnvUnowned<'a>,
    handle: jlong,
    run: impl FnOnce(&GeodataSet) -> Result<LineEnd, GeodataSetError>,
) -> JIntArray<'a> {
    let line = guarded(|| Ok(run(set_of(handle)?)?));
    let numbers = line.map(|LineEnd { end, point }| vec![end, point.x, point.y, point.z]);
    array(env, numbers)
}

/// The set of a handle.
#[inline]
fn set_of<'a>(handle: jlong) -> Result<&'a GeodataSet, Failure> {
    let set = handle as usize as *const GeodataSet;
    // SAFETY: The Java class passes 0 or what `nativeLoad` returned, and no set is ever freed.
    unsafe { set.as_ref() }.ok_or(Failure::null("the handle"))
}

/// Height in the lower 16 bits, which it fits, and open sides above them.
fn layer_number(layer: GroundLayer) -> jint {
    (layer.z & 0xFFFF) | jint::from(layer.nswe.bits() & 0xF) << 16
}

fn numbers_of(env: &Env<'_>, array: &JIntArray<'_>) -> JniResult<Vec<i32>> {
    let mut numbers = vec![0; array.len(env)?];
    array.get_region(env, 0, &mut numbers)?;
    Ok(numbers)
}

fn array(mut env: EnvUnowned<'_>, numbers: Result<Vec<i32>, Status>) -> JIntArray<'_> {
    let Ok(numbers) = numbers else {
        return JIntArray::default();
    };
    env.with_env(|env| -> JniResult<_> {
        let array = JIntArray::new(env, numbers.len())?;
        array.set_region(env, 0, &numbers)?;
        Ok(array)
    })
    .resolve::<ThrowRuntimeExAndDefault>()
}
