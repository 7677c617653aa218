//! Random triangle soups for property tests: several layers, upright and degenerate faces.

use glam::DVec3;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::TriangleIndex;
use proptest::prelude::*;

/// A soup in the arrays that an index is built from.
#[derive(Debug, Clone)]
pub struct Soup {
    pub positions: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub masks: Vec<u32>,
}

impl Soup {
    pub fn index(&self) -> TriangleIndex {
        crate::common::index(&self.positions, &self.triangles, &self.masks)
    }

    pub fn corners(&self, face: usize) -> [DVec3; 3] {
        self.triangles[face].map(|v| DVec3::from_array(self.positions[v as usize].map(f64::from)))
    }

    /// The faces that a filter sees.
    pub fn accepted(&self, filter: MaskFilter) -> impl Iterator<Item = usize> {
        let bits = self.masks.iter().enumerate();
        bits.filter(move |&(_, &f)| {
            f & filter.required == filter.required && f & filter.forbidden == 0
        })
        .map(|(i, _)| i)
    }
}

/// Half units make edges, corners and ties common; the rest is anywhere.
pub fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![3 => (0_i32..=16).prop_map(|i| i as f32 * 0.5), 1 => 0.0_f32..8.0]
}

pub fn point() -> impl Strategy<Value = [f32; 3]> {
    [coordinate(), coordinate(), coordinate()]
}

pub fn mask() -> impl Strategy<Value = u32> {
    prop::sample::select(vec![0, 0x8, 0x2000, 0x2_0000, 0x2_2008, 0x8000_0000])
}

pub fn filter() -> impl Strategy<Value = MaskFilter> {
    let masks = vec![
        (0, 0),
        (0, 0),
        (0x2000, 0),
        (0, 0x2_0000),
        (0x8, 0x2000),
        (0x2000, 0x2000),
    ];
    prop::sample::select(masks).prop_map(|(required, forbidden)| MaskFilter {
        required,
        forbidden,
    })
}

pub fn soup() -> impl Strategy<Value = Soup> {
    (prop::collection::vec(point(), 3..40), 1_usize..80).prop_flat_map(
        |(positions, n_triangles)| {
            let n = positions.len() as u32;
            let triangles = prop::collection::vec([0..n, 0..n, 0..n], n_triangles);
            let masks = prop::collection::vec(mask(), n_triangles);
            (Just(positions), triangles, masks).prop_map(|(positions, triangles, masks)| Soup {
                positions,
                triangles,
                masks,
            })
        },
    )
}
