//! The tree of boxes against loops over all of them.

use glam::{DVec3, Vec3};
use ironlands_sim_core::bvh::{Bounds, BoxRay, Bvh};

/// Evenly spread numbers from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (high - low) * ((z ^ z >> 31) >> 40) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self, low: f32, high: f32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.between(low, high)))
    }

    /// Boxes of all sizes; some are flat, some hold nothing, some are endless along an axis.
    fn boxes(&mut self, n: usize) -> Vec<Bounds> {
        let mut boxes = Vec::new();
        for i in 0..n {
            let middle = self.vector(-500.0, 500.0);
            let mut half = self.vector(0.0, 1.0).powf(3.0) * 100.0;
            match i % 16 {
                0 => half.z = 0.0,
                1 => half.x = f32::INFINITY,
                2 => half = Vec3::NEG_INFINITY,
                _ => {}
            }
            let [min, max] = [middle - half, middle + half].map(|it| it.to_array());
            boxes.push(Bounds { min, max });
        }
        boxes
    }
}

/// Where the center of a moving box reaches another one, by all shares of the motion that are within the limit.
fn share(bounds: &Bounds, start: Vec3, delta: Vec3, half: Vec3, slack: f64) -> Option<f64> {
    let half = half.as_dvec3() + slack;
    let [start, delta] = [start, delta].map(Vec3::as_dvec3);
    let [min, max] = [bounds.min, bounds.max].map(|it| DVec3::from_array(it.map(f64::from)));
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    if min.x > max.x {
        return None;
    }
    for axis in 0..3 {
        let [low, high] = [min - half - start, max + half - start].map(|it| it[axis]);
        if delta[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (a, b) = (low / delta[axis], high / delta[axis]);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    (enter <= leave).then_some(enter)
}

#[test]
fn all_boxes_that_a_moving_box_hits_are_visited_and_hardly_any_other() {
    let (mut n_hits, mut n_other) = (0, 0);
    for seed in 0..20 {
        let numbers = &mut Numbers(seed);
        let boxes = numbers.boxes(1 + seed as usize * 40);
        let mut bvh = Bvh::default();
        bvh.build(&boxes);
        for i in 0..300 {
            let start = numbers.vector(-600.0, 600.0);
            let mut delta = numbers.vector(-900.0, 900.0);
            match i % 5 {
                0 => delta.y = 0.0,
                1 => delta = Vec3::X * delta.x,
                2 => delta = Vec3::ZERO,
                _ => {}
            }
            let half = numbers.vector(0.0, 30.0) * (i % 2) as f32;
            let ray = BoxRay::from_box(start.to_array(), delta.to_array(), half.to_array());
            let mut is_visited = vec![false; boxes.len()];
            bvh.cast_ray(&ray, 1.0, |item| {
                assert!(!is_visited[item], "box {item} is visited twice");
                is_visited[item] = true;
                1.0
            });
            for (bounds, is_visited) in boxes.iter().zip(is_visited) {
                let is_hit = share(bounds, start, delta, half, -1e-3).is_some();
                assert!(is_visited || !is_hit, "{bounds:?}: {start} {delta} {half}");
                let is_near = share(bounds, start, delta, half, 1e-3).is_some();
                assert!(is_near || !is_visited, "{bounds:?}: {start} {delta} {half}");
                n_hits += usize::from(is_hit);
                n_other += usize::from(!is_near);
            }
        }
    }
    assert!(n_hits > 2000 && n_other > 10_000, "{n_hits}, {n_other}");
}

#[test]
fn a_search_for_the_first_box_finds_what_a_loop_finds() {
    let mut n_found = 0;
    for seed in 0..20 {
        let numbers = &mut Numbers(seed);
        let boxes = numbers.boxes(300);
        let mut bvh = Bvh::default();
        bvh.build(&boxes);
        for _ in 0..300 {
            let (start, delta) = (numbers.vector(-600.0, 600.0), numbers.vector(-900.0, 900.0));
            let share_of = |bounds: &Bounds| share(bounds, start, delta, Vec3::ZERO, 0.0);
            let ray = BoxRay::new(start.to_array(), delta.to_array());
            let mut first = 1.0_f64;
            bvh.cast_ray(&ray, 1.0, |item| {
                first = first.min(share_of(&boxes[item]).unwrap_or(1.0));
                first as f32
            });
            let expected = boxes.iter().filter_map(share_of).fold(1.0, f64::min);
            assert_eq!(first, expected, "{start} {delta}");
            n_found += usize::from(first < 1.0);
        }
    }
    assert!(n_found > 1000, "{n_found}");
}

#[test]
fn a_limit_below_zero_ends_the_traversal() {
    let boxes = vec![Bounds::from_point([0.0; 3]); 40];
    let mut bvh = Bvh::default();
    bvh.build(&boxes);
    let ray = BoxRay::new([-1.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    let mut n_visited = 0;
    bvh.cast_ray(&ray, 1.0, |_| {
        n_visited += 1;
        if n_visited == 3 { -1.0 } else { 1.0 }
    });
    assert_eq!(n_visited, 3);
}

#[test]
fn overlaps_are_those_of_a_loop() {
    let numbers = &mut Numbers(3);
    let boxes = numbers.boxes(500);
    let mut bvh = Bvh::default();
    bvh.build(&boxes);
    for _ in 0..500 {
        let middle = numbers.vector(-500.0, 500.0);
        let half = numbers.vector(0.0, 60.0);
        let [min, max] = [middle - half, middle + half].map(|it| it.to_array());
        let around = Bounds { min, max };
        let mut found = Vec::new();
        bvh.for_overlapping(&around, |item| found.push(item));
        found.sort_unstable();
        let overlaps = |it: &Bounds| {
            (0..3).all(|axis| it.min[axis] <= max[axis] && it.max[axis] >= min[axis])
                && it.min[0] <= it.max[0]
        };
        let expected = boxes.iter().enumerate().filter(|(_, it)| overlaps(it));
        let expected: Vec<usize> = expected.map(|(i, _)| i).collect();
        assert_eq!(found, expected);
    }
}
