//! Queries that other libraries do not offer: the eight nearest faces, and the first contact of a moving sphere.

use crate::Bench;
use crate::world::World;
use glam::Vec3;
use ironlands_query_bench::Checksum;
use ironlands_query_bench::plain::{distance, is_same};
use ironlands_sim::MaskFilter;
use ironlands_sim::triangles::{NearestFace, ShapeHit};
use std::hint::black_box;

const ALL: MaskFilter = MaskFilter::ALL;
/// How many nearest faces.
const K: usize = 8;
/// Radius of the balls, world units.
const RADIUS: f32 = 2.0;
/// How far they move, in lengths of the rays that give their directions: 1 to 50 units.
const MOTION_OF_RAY: f32 = 0.1;
/// Points that are checked with a loop over all triangles.
const N_PLAIN: usize = 32;
/// Sampled positions along the motion of a sphere.
const N_PLACES: u8 = 5;

/// From where balls move, and how.
struct Balls<'a> {
    centers: &'a [Vec3],
    radii: Vec<f32>,
    motions: Vec<Vec3>,
}

impl Bench<'_> {
    /// One call after another, and the batch form where there is one.
    pub fn alone(&mut self) {
        let world = self.world;
        let (index, points) = (&world.ours.index, &world.queries.points);
        let mut faces = Vec::new();
        self.group("nearest 8", points.len())
            .bench_function("ours single", |bencher| {
                bencher.iter(|| {
                    for &point in black_box(points) {
                        index.nearest_faces(point, K, f32::INFINITY, ALL, &mut faces);
                        black_box(&faces);
                    }
                })
            });
        let balls = world.balls();
        let mut hits = vec![None; points.len()];
        let mut group = self.group("sweep", points.len());
        group.bench_function("ours single", |bencher| {
            bencher.iter(|| black_box(&balls).touch_one_by_one(world, &mut hits))
        });
        group.bench_function("ours batch", |bencher| {
            bencher.iter(|| black_box(&balls).touch(world, &mut hits))
        });
    }
}

impl World {
    /// Panics if a result is wrong.
    pub fn check_alone(&self) {
        self.check_nearest_8();
        self.check_sweeps();
    }

    /// A loop over all triangles in f64 finds the same distances.
    fn check_nearest_8(&self) {
        let (index, mesh) = (&self.ours.index, &self.mesh);
        let mut faces: Vec<NearestFace> = Vec::new();
        let mut found = Vec::new();
        for &point in self.queries.points.iter().take(N_PLAIN) {
            index.nearest_faces(point, K, f32::INFINITY, ALL, &mut faces);
            let triangles = 0..mesh.triangles.len() as u32;
            let distances = triangles.map(|it| distance(point.as_dvec3(), mesh.exact_corners(it)));
            let mut distances: Vec<f64> = distances.collect();
            distances.sort_unstable_by(f64::total_cmp);
            assert_eq!(faces.len(), K.min(distances.len()), "{point}");
            for (face, right) in faces.iter().zip(distances) {
                let is_right = is_same(face.distance, right as f32);
                assert!(is_right, "{point}: {face:?}, should be {right} away");
            }
            found.extend(faces.iter().map(|face| Some(face.face)));
        }
        let sum = Checksum::from_results(&found, Checksum::add_index);
        println!("{}/nearest 8: checksum {sum} of {N_PLAIN}", self.name);
    }

    /// Where a ball is stopped the nearest face is a radius away, and none is nearer before; the nearest faces have
    /// been checked themselves.
    fn check_sweeps(&self) {
        let balls = self.balls();
        let [mut hits, mut batch] = [(); 2].map(|()| vec![None; balls.centers.len()]);
        balls.touch_one_by_one(self, &mut hits);
        balls.touch(self, &mut batch);
        assert!(
            hits == batch,
            "{}: single and batch results differ",
            self.name
        );
        let gap = |center: Vec3| {
            let nearest = self.ours.index.closest_point(center, f32::INFINITY, ALL);
            nearest.map_or(f32::INFINITY, |nearest| nearest.distance)
        };
        for ((&center, &motion), hit) in balls.centers.iter().zip(&balls.motions).zip(&hits) {
            if gap(center) <= RADIUS {
                continue; // it touches something from the start, which holds it only if it leads there
            }
            let t_end = hit.map_or(1.0, |hit| hit.t);
            for place in 0..=N_PLACES {
                let t = t_end * f32::from(place) / f32::from(N_PLACES);
                let gap = gap(center + t * motion);
                let is_free = gap >= RADIUS || is_same(gap, RADIUS);
                assert!(is_free, "{center} by {motion}: {gap} at {t}");
            }
            if let Some(hit) = hit {
                let gap = gap(hit.position);
                assert!(is_same(gap, RADIUS), "{center} by {motion}: {gap}");
            }
        }
        let faces: Vec<Option<u32>> = hits.iter().map(|hit| Some((*hit)?.face)).collect();
        let n_hits = faces.iter().flatten().count();
        let sum = Checksum::from_results(&faces, Checksum::add_index);
        println!(
            "{}/sweep: {n_hits} of {}, checksum {sum}",
            self.name,
            faces.len()
        );
    }

    fn balls(&self) -> Balls<'_> {
        let queries = &self.queries;
        let motions = queries.rays.iter().take(queries.points.len());
        Balls {
            centers: &queries.points,
            radii: vec![RADIUS; queries.points.len()],
            motions: motions
                .map(|query| query.ray.direction * query.t_max * MOTION_OF_RAY)
                .collect(),
        }
    }
}

impl Balls<'_> {
    fn touch_one_by_one(&self, world: &World, hits: &mut [Option<ShapeHit>]) {
        let balls = self.centers.iter().zip(&self.radii).zip(&self.motions);
        for (((&center, &radius), &motion), hit) in balls.zip(hits) {
            *hit = world.ours.index.cast_sphere(center, radius, motion, ALL);
        }
    }

    fn touch(&self, world: &World, hits: &mut [Option<ShapeHit>]) {
        let index = &world.ours.index;
        index.cast_sphere_batch(self.centers, &self.radii, &self.motions, ALL, hits);
    }
}
