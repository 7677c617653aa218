//! Instances against one index over all their triangles where these are in the world.

use crate::{ALL, N_RAYS, N_TURNS, REACH, SIGHT, shortest};
use glam::Vec3;
use ironlands_sim::instances::{Instance, InstanceIndex};
use ironlands_sim::triangles::{Face, Overlap, SimdLevel, TriangleIndex};
use ironlands_sim::{MaskFilter, Ray};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// More triangles than this are not put into one index.
const MAX_FACES: usize = 1 << 21;
/// Half the side of boxes.
const HALF_BOX: f32 = 5.0;

/// Rows of the table: times of both, and their ratio. Of an index with too many triangles, the first instances are
/// taken.
pub fn report(name: &str, index: &InstanceIndex, rays: &[Ray]) {
    let (n_instances, flat) = flatten(index);
    for level in [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512] {
        if !level.is_available() {
            continue;
        }
        let shapes = index.shapes().iter().cloned();
        let shapes: Arc<[_]> = shapes.map(|it| it.with_simd_level(level)).collect();
        let instances = &index.instances()[..n_instances];
        let ours = InstanceIndex::new(shapes, instances).expect("as before");
        let flat = flat.clone().with_simd_level(level);
        let n_faces = flat.n_faces();
        println!("{name}, {level:?}: {n_instances} instances against {n_faces} triangles");
        check(&ours, &flat, rays);
        measure(name, &ours, &flat, rays);
    }
}

/// The triangles of as many instances as one index takes.
fn flatten(index: &InstanceIndex) -> (usize, TriangleIndex) {
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    let mut n_instances = 0;
    for Instance {
        shape,
        world_from_local,
        ..
    } in index.instances()
    {
        let shape = &index.shapes()[*shape as usize];
        if faces.len() + shape.n_faces() > MAX_FACES {
            break;
        }
        n_instances += 1;
        let world_from_local = world_from_local.to_mat4().as_dmat4();
        for face in shape.faces() {
            let corners = shape.face_corners(face).expect("a face of the shape");
            let first = positions.len() as u32;
            positions.extend(corners.map(|corner| {
                let placed = world_from_local.transform_point3(corner.as_dvec3());
                placed.as_vec3().to_array()
            }));
            faces.push(Some(Face {
                corners: [first, first + 1, first + 2],
                ..Face::default()
            }));
        }
    }
    let flat = TriangleIndex::new(&positions, &faces).expect("corners are there");
    (n_instances, flat)
}

/// Both round to f32 at other places, so a ray at an edge may end elsewhere.
fn check(ours: &InstanceIndex, flat: &TriangleIndex, rays: &[Ray]) {
    let is_same = |ray: &&Ray| {
        let ours = ours.cast_ray(ray, REACH, ALL).map(|hit| hit.t);
        let flat = flat.cast_ray(ray, REACH, MaskFilter::ALL);
        match (ours, flat.map(|hit| hit.t)) {
            (Some(ours), Some(flat)) => (ours - flat).abs() < 1e-2,
            (None, None) => true,
            _ => false,
        }
    };
    let n_same = rays.iter().filter(is_same).count();
    assert!(n_same * 1000 > rays.len() * 998, "{n_same} end alike");
}

fn measure(name: &str, ours: &InstanceIndex, flat: &TriangleIndex, rays: &[Ray]) {
    const FACES: MaskFilter = MaskFilter::ALL;
    let boxes = rays
        .iter()
        .map(|ray| [ray.origin - HALF_BOX, ray.origin + HALF_BOX]);
    let boxes: Vec<[Vec3; 2]> = boxes.collect();
    let t_max = vec![REACH; rays.len()];
    let (mut hits, mut flat_hits) = (vec![None; rays.len()], vec![None; rays.len()]);
    let mut list = Vec::new();
    let mut times = [[Duration::MAX; 2]; 4];
    for _ in 0..N_TURNS {
        let [ray, segment, gather, batch] = &mut times;
        shortest(&mut ray[0], || {
            each(rays, |ray| ours.cast_ray(ray, REACH, ALL))
        });
        shortest(&mut ray[1], || {
            each(rays, |ray| flat.cast_ray(ray, REACH, FACES))
        });
        shortest(&mut segment[0], || {
            each(rays, |ray| {
                ours.cast_segment(ray.origin, ray.at(SIGHT), ALL)
            })
        });
        shortest(&mut segment[1], || {
            each(rays, |ray| {
                flat.cast_segment(ray.origin, ray.at(SIGHT), FACES)
            })
        });
        shortest(&mut gather[0], || {
            each(&boxes, |[min, max]| {
                ours.instances_in_aabb(*min, *max, FACES, &mut list)
            })
        });
        shortest(&mut gather[1], || {
            each(&boxes, |[min, max]| {
                flat.faces_in_aabb(*min, *max, FACES, Overlap::Bounds, &mut list)
            })
        });
        shortest(&mut batch[0], || {
            ours.cast_ray_batch(rays, &t_max, ALL, &mut hits)
        });
        shortest(&mut batch[1], || {
            flat.cast_ray_batch(rays, &t_max, FACES, &mut flat_hits)
        });
    }
    for (query, times) in ["ray", "segment", "box", "ray batch"].iter().zip(times) {
        let [ours, flat] = times.map(|time| time.as_secs_f64() * 1e9 / N_RAYS as f64);
        let ratio = ours / flat;
        println!("{name}/{query}: {ours:.0} ns, triangles {flat:.0} ns, ratio {ratio:.2}");
    }
}

fn each<Query, Found>(queries: &[Query], mut run: impl FnMut(&Query) -> Found) {
    for query in black_box(queries) {
        black_box(run(query));
    }
}
