//! tinybvh by the crate `tinybvh-rs`: its 8-wide tree, or its binary one. Feature `tinybvh` only, for it takes a C++
//! compiler, which compiles the library for the processor that it runs on.
//!
//! The crate offers the 8-wide tree only in a program that is compiled for AVX2 as a whole
//! (`RUSTFLAGS='-C target-feature=+avx2,+fma'`), which also makes our portable code faster. It has no
//! queries for boxes and nearest points, and for segments the first hit alone.

#![allow(
    unsafe_code,
    reason = "a C++ library whose types do not say that they may be read by several threads"
)]

use crate::peer::{Boxed, PerQuery, found};
use crate::{Form, Found, Mesh, Peer, RayQuery};
use glam::Vec3;
use ironlands_sim_core::triangles::Overlap;
#[cfg(not(target_feature = "avx2"))]
use tinybvh_rs::bvh::BVH as Tree;
#[cfg(target_feature = "avx2")]
use tinybvh_rs::bvh8_cpu::BVH as Tree;
use tinybvh_rs::{INFINITE, Intersector, Ray, bvh};

/// A tree at the default quality.
pub struct TinyBvh {
    #[cfg(not(target_feature = "avx2"))]
    tree: Tree<'static>,
    #[cfg(target_feature = "avx2")]
    tree: Tree,
}

// SAFETY: a query takes the tree as const in C++, too, and changes the ray alone.
unsafe impl Sync for TinyBvh {}

impl TinyBvh {
    /// Builds the tree. It refers to the triangles, which are never freed: a benchmark ends soon.
    ///
    /// # Panics
    /// If the mesh has no triangle.
    pub fn new(mesh: &Mesh) -> Self {
        let corners = mesh.corners().flatten().map(|v| [v.x, v.y, v.z, 0.0]);
        let corners: &'static [[f32; 4]] = Vec::leak(corners.collect());
        let tree = bvh::BVH::new(corners.into()).expect("three corners a triangle");
        Self {
            tree: Self::widened(tree),
        }
    }

    #[cfg(not(target_feature = "avx2"))]
    fn widened(tree: Tree<'static>) -> Tree<'static> {
        tree
    }

    #[cfg(target_feature = "avx2")]
    fn widened(mut tree: bvh::BVH<'static>) -> Tree {
        tree.split_leaves(4);
        let tree = tinybvh_rs::mbvh::BVH::new(&tree);
        Tree::new(&tree).expect("four triangles a leaf at most")
    }

    fn closest(&self, origin: Vec3, direction: Vec3, t_max: f32) -> Option<(u32, f32)> {
        let mut ray = Ray::new(origin.to_array(), direction.to_array());
        let t_max = t_max.min(INFINITE);
        ray.hit.t = t_max;
        self.tree.intersect(&mut ray);
        (ray.hit.t < t_max).then_some((ray.hit.prim, ray.hit.t))
    }
}

impl Peer for TinyBvh {
    fn name(&self) -> &'static str {
        "tinybvh"
    }

    fn version(&self) -> String {
        env!("VERSION_TINYBVH_RS").to_owned()
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
        let run_query = |query: &RayQuery| {
            let hit = self.closest(query.ray.origin, query.ray.direction, query.t_max);
            hit.is_some()
        };
        PerQuery::boxed(rays, form, run_query, |_, hit| hit)
    }

    fn boxes<'a>(&'a self, _: &'a [[Vec3; 2]], _: Overlap, _: Form) -> Option<Boxed<'a, Vec<u32>>> {
        None
    }

    fn nearest<'a>(&'a self, _: &'a [Vec3], _: Form) -> Option<Boxed<'a, Option<Found>>> {
        None
    }
}
