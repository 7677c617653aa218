//! Intel Embree 3 or 4: SIMD trees and triangle tests, the fastest there is on a CPU. Feature `embree` only.
//!
//! Single rays (`rtcIntersect1`, `rtcOccluded1`) as a game casts them, medium build quality, f32. It has no query
//! for boxes. `unsafe` is confined to this file: declarations by hand of the dozen functions that are called, after
//! the headers `rtcore_*.h` of versions 3.13 and 4.3. Structs that Embree fills are declared at least as large as
//! in any of these versions; what lies behind the fields that are used differs and is not read.

#![allow(
    unsafe_code,
    reason = "a C library; each use states why it is valid, and the tests of the peers run it"
)]

use super::triangle::Triangle;
use crate::peer::{Boxed, PerQuery, found};
use crate::{Form, Found, Mesh, Peer, RayQuery};
use glam::Vec3;
use ironlands_sim_core::triangles::Overlap;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::null;
use std::sync::atomic::{AtomicIsize, Ordering};

/// What Embree does about edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `RTC_SCENE_FLAG_ROBUST`: rays do not slip through edges. The fair comparison, as ours do not either.
    Robust,
    /// The default.
    Fast,
}

/// A committed scene of one triangle mesh.
pub struct Embree {
    device: Handle,
    scene: Handle,
    arithmetic: Arithmetic,
    /// For nearest points, of which Embree finds candidates only.
    triangles: Vec<Triangle>,
    /// What Embree has allocated, kept by its monitor.
    allocated: Box<AtomicIsize>,
    /// The scene reads these for as long as it lives; nothing changes or moves them.
    positions: Vec<[f32; 3]>,
    indices: Vec<[u32; 3]>,
}

// SAFETY: a committed scene is only read by queries, which Embree documents as safe from several threads at once.
unsafe impl Sync for Embree {}

impl Embree {
    /// Builds the scene on the calling thread alone.
    ///
    /// # Panics
    /// If Embree cannot make a device.
    pub fn new(mesh: &Mesh, arithmetic: Arithmetic) -> Self {
        let (mut positions, mut indices) = (mesh.positions.clone(), mesh.triangles.clone());
        // Embree reads 16 bytes of each element, so one more has to follow the last.
        positions.push([0.0; 3]);
        indices.push([0; 3]);
        let allocated = Box::new(AtomicIsize::new(0));
        // SAFETY: the calls are in the order that the headers require, on handles that Embree has just returned. The
        // shared buffers hold the stated numbers of items of the stated size and one more. They and the sum of bytes
        // belong to the returned value, whose `drop` releases scene and device before they go. Every index is below the
        // number of positions, as `Mesh` says.
        let (device, scene) = unsafe {
            let device = rtcNewDevice(c"threads=1".as_ptr());
            assert!(!device.is_null(), "Embree makes no device");
            let sum: *const AtomicIsize = &*allocated;
            rtcSetDeviceMemoryMonitorFunction(device, count_bytes, sum.cast_mut().cast());
            let geometry = rtcNewGeometry(device, GEOMETRY_TYPE_TRIANGLE);
            let share = |kind, format, data: *const c_void, n_items| {
                rtcSetSharedGeometryBuffer(geometry, kind, 0, format, data, 0, 12, n_items);
            };
            let n_positions = mesh.positions.len();
            share(
                BUFFER_TYPE_VERTEX,
                FORMAT_FLOAT3,
                positions.as_ptr().cast(),
                n_positions,
            );
            let n_triangles = mesh.triangles.len();
            share(
                BUFFER_TYPE_INDEX,
                FORMAT_UINT3,
                indices.as_ptr().cast(),
                n_triangles,
            );
            rtcCommitGeometry(geometry);
            let scene = rtcNewScene(device);
            if arithmetic == Arithmetic::Robust {
                rtcSetSceneFlags(scene, SCENE_FLAG_ROBUST);
            }
            rtcSetSceneBuildQuality(scene, BUILD_QUALITY_MEDIUM);
            rtcAttachGeometry(scene, geometry);
            rtcReleaseGeometry(geometry);
            rtcCommitScene(scene);
            (device, scene)
        };
        Self {
            device,
            scene,
            arithmetic,
            triangles: mesh.corners().map(Triangle::new).collect(),
            allocated,
            positions,
            indices,
        }
    }

    fn closest(&self, origin: Vec3, direction: Vec3, t_max: f32) -> Option<(u32, f32)> {
        let mut ray_hit = RayHit {
            ray: Ray::new(origin, direction, t_max),
            hit: Hit {
                normal_uv: [0.0; 5],
                prim_id: INVALID_ID,
                geom_id: INVALID_ID,
                inst_ids: [INVALID_ID; 5],
            },
        };
        // SAFETY: the scene is committed; ray, hit and context are valid, aligned and ours alone during the call.
        unsafe {
            #[cfg(not(embree4))]
            rtcIntersect1(self.scene, &mut IntersectContext::new(), &mut ray_hit);
            #[cfg(embree4)]
            rtcIntersect1(self.scene, &mut ray_hit, null());
        }
        (ray_hit.hit.geom_id != INVALID_ID).then_some((ray_hit.hit.prim_id, ray_hit.ray.t_far))
    }

    fn is_blocked(&self, query: &RayQuery) -> bool {
        let mut ray = Ray::new(query.ray.origin, query.ray.direction, query.t_max);
        // SAFETY: as for `rtcIntersect1`.
        unsafe {
            #[cfg(not(embree4))]
            rtcOccluded1(self.scene, &mut IntersectContext::new(), &mut ray);
            #[cfg(embree4)]
            rtcOccluded1(self.scene, &mut ray, null());
        }
        ray.t_far < 0.0 // minus infinity is how it says yes
    }

    fn nearest_to(&self, point: Vec3) -> Option<(u32, f32)> {
        let mut query = PointQuery {
            point: point.to_array(),
            time: 0.0,
            radius: f32::INFINITY,
        };
        let mut context = PointQueryContext {
            matrices: [0.0; 32],
            inst_id: INVALID_ID,
            stack_size: 0,
            more: 0,
        };
        let mut nearest = NearestSoFar {
            triangles: &self.triangles,
            found: None,
        };
        // SAFETY: the scene is committed; all three pointers are valid and ours alone during the call, and `closer`
        // takes the last for what it is.
        unsafe {
            let user: *mut NearestSoFar = &mut nearest;
            rtcPointQuery(self.scene, &mut query, &mut context, closer, user.cast());
        }
        nearest.found
    }
}

impl Drop for Embree {
    fn drop(&mut self) {
        // SAFETY: both came from Embree, are released once, and the shared buffers are still there.
        unsafe {
            rtcReleaseScene(self.scene);
            rtcReleaseDevice(self.device);
        }
    }
}

/// Called before Embree allocates and after it frees; `true` lets it continue.
extern "C" fn count_bytes(sum: *mut c_void, n_bytes: isize, _is_done: bool) -> bool {
    // SAFETY: the pointer is the one that `Embree::new` gave, and its target outlives the device.
    let sum = unsafe { &*sum.cast::<AtomicIsize>() };
    sum.fetch_add(n_bytes, Ordering::Relaxed);
    true
}

struct NearestSoFar<'a> {
    triangles: &'a [Triangle],
    found: Option<(u32, f32)>,
}

/// Called for each candidate; `true` signals to Embree that the radius has shrunk.
extern "C" fn closer(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: Embree passes valid arguments, in which the query and our pointer are those of `nearest_to`. Nothing else
    // else uses either during the call back.
    let (query, nearest, triangle) = unsafe {
        let arguments = &*arguments;
        let nearest = arguments.user.cast::<NearestSoFar>();
        (&mut *arguments.query, &mut *nearest, arguments.prim_id)
    };
    let corners = &nearest.triangles[triangle as usize];
    let distance = corners
        .distance_squared(Vec3::from(query.point).into())
        .sqrt();
    let is_closer = distance < query.radius;
    if is_closer {
        query.radius = distance;
        nearest.found = Some((triangle, distance));
    }
    is_closer
}

impl Peer for Embree {
    fn name(&self) -> &'static str {
        match self.arithmetic {
            Arithmetic::Robust => "embree",
            Arithmetic::Fast => "embree-fast",
        }
    }

    fn version(&self) -> String {
        // SAFETY: the device is released when this value is dropped, and its properties are only read.
        let part = |property| unsafe { rtcGetDeviceProperty(self.device, property) };
        [
            DEVICE_PROPERTY_VERSION_MAJOR,
            DEVICE_PROPERTY_VERSION_MINOR,
            DEVICE_PROPERTY_VERSION_PATCH,
        ]
        .map(|property| part(property).to_string())
        .join(".")
    }

    fn memory_bytes(&self) -> Option<usize> {
        let shared = size_of_val(&*self.positions) + size_of_val(&*self.indices);
        Some(shared + self.allocated.load(Ordering::Relaxed).max(0).unsigned_abs())
    }

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |&from: &Vec3| self.closest(from, Vec3::NEG_Z, f32::INFINITY);
        PerQuery::boxed(from, form, run_query, found)
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query =
            |query: &RayQuery| self.closest(query.ray.origin, query.ray.direction, query.t_max);
        PerQuery::boxed(rays, form, run_query, found)
    }

    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>> {
        PerQuery::boxed(rays, form, |query| self.is_blocked(query), |_, hit| hit)
    }

    fn boxes<'a>(&'a self, _: &'a [[Vec3; 2]], _: Overlap, _: Form) -> Option<Boxed<'a, Vec<u32>>> {
        None
    }

    fn nearest<'a>(&'a self, points: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        PerQuery::boxed(points, form, |&point| self.nearest_to(point), found)
    }
}

type Handle = *mut c_void;

const INVALID_ID: u32 = u32::MAX;
const DEVICE_PROPERTY_VERSION_MAJOR: c_int = 1;
const DEVICE_PROPERTY_VERSION_MINOR: c_int = 2;
const DEVICE_PROPERTY_VERSION_PATCH: c_int = 3;
const GEOMETRY_TYPE_TRIANGLE: c_int = 0;
const BUFFER_TYPE_INDEX: c_int = 0;
const BUFFER_TYPE_VERTEX: c_int = 1;
const FORMAT_UINT3: c_int = 0x5003;
const FORMAT_FLOAT3: c_int = 0x9003;
const SCENE_FLAG_ROBUST: c_int = 1 << 2;
const BUILD_QUALITY_MEDIUM: c_int = 1;

#[repr(C, align(16))]
struct Ray {
    origin: [f32; 3],
    t_near: f32,
    direction: [f32; 3],
    time: f32,
    t_far: f32,
    mask: u32,
    id: u32,
    flags: u32,
}

impl Ray {
    fn new(origin: Vec3, direction: Vec3, t_far: f32) -> Self {
        Self {
            origin: origin.to_array(),
            t_near: 0.0,
            direction: direction.to_array(),
            time: 0.0,
            t_far,
            mask: u32::MAX,
            id: 0,
            flags: 0,
        }
    }
}

#[repr(C, align(16))]
struct Hit {
    normal_uv: [f32; 5],
    prim_id: u32,
    geom_id: u32,
    /// One in version 3, up to two in version 4.
    inst_ids: [u32; 5],
}

#[repr(C)]
struct RayHit {
    ray: Ray,
    hit: Hit,
}

/// Version 3 takes it where version 4 takes optional arguments.
#[cfg(not(embree4))]
#[repr(C)]
struct IntersectContext {
    /// 0: rays are incoherent.
    flags: c_int,
    filter: *const c_void,
    inst_id: u32,
    /// Only some builds have it.
    min_width_factor: f32,
}

#[cfg(not(embree4))]
impl IntersectContext {
    fn new() -> Self {
        Self {
            flags: 0,
            filter: null(),
            inst_id: INVALID_ID,
            min_width_factor: 0.0,
        }
    }
}

#[repr(C, align(16))]
struct PointQuery {
    point: [f32; 3],
    time: f32,
    radius: f32,
}

/// Used with instances only, of which there are none.
#[repr(C, align(16))]
struct PointQueryContext {
    matrices: [f32; 32],
    inst_id: u32,
    /// From version 4.3 on the first of these is one more index and the second the size of the stack.
    stack_size: u32,
    more: u32,
}

#[repr(C, align(16))]
struct PointQueryArguments {
    query: *mut PointQuery,
    user: *mut c_void,
    prim_id: u32,
    geom_id: u32,
    context: *mut PointQueryContext,
    similarity_scale: f32,
}

unsafe extern "C" {
    fn rtcNewDevice(config: *const c_char) -> Handle;
    fn rtcReleaseDevice(device: Handle);
    fn rtcGetDeviceProperty(device: Handle, property: c_int) -> isize;
    fn rtcSetDeviceMemoryMonitorFunction(
        device: Handle,
        monitor: extern "C" fn(*mut c_void, isize, bool) -> bool,
        user: *mut c_void,
    );
    fn rtcNewGeometry(device: Handle, kind: c_int) -> Handle;
    fn rtcSetSharedGeometryBuffer(
        geometry: Handle,
        kind: c_int,
        slot: c_uint,
        format: c_int,
        data: *const c_void,
        byte_offset: usize,
        byte_stride: usize,
        n_items: usize,
    );
    fn rtcCommitGeometry(geometry: Handle);
    fn rtcReleaseGeometry(geometry: Handle);
    fn rtcNewScene(device: Handle) -> Handle;
    fn rtcReleaseScene(scene: Handle);
    fn rtcSetSceneFlags(scene: Handle, flags: c_int);
    fn rtcSetSceneBuildQuality(scene: Handle, quality: c_int);
    fn rtcAttachGeometry(scene: Handle, geometry: Handle) -> c_uint;
    fn rtcCommitScene(scene: Handle);
    #[cfg(not(embree4))]
    fn rtcIntersect1(scene: Handle, context: *mut IntersectContext, ray_hit: *mut RayHit);
    #[cfg(not(embree4))]
    fn rtcOccluded1(scene: Handle, context: *mut IntersectContext, ray: *mut Ray);
    #[cfg(embree4)]
    fn rtcIntersect1(scene: Handle, ray_hit: *mut RayHit, arguments: *const c_void);
    #[cfg(embree4)]
    fn rtcOccluded1(scene: Handle, ray: *mut Ray, arguments: *const c_void);
    fn rtcPointQuery(
        scene: Handle,
        query: *mut PointQuery,
        context: *mut PointQueryContext,
        function: extern "C" fn(*mut PointQueryArguments) -> bool,
        user: *mut c_void,
    ) -> bool;
}
