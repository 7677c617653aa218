//! What a filter sees.

use crate::common::*;
use glam::Vec2;
use ironlands_sim_areal::{ArealBuildings, ArealFilter, ClassFilter};
use ironlands_sim_core::MaskFilter;

#[test]
fn buildings_stand_on_the_areals_that_hold_them() {
    let index = index(field(3, 1, |_, _| true));
    let [mine, storage, hangar] = [1 << 4, 1 << 5, 1 << 31];
    let buildings = [
        (mine, Vec2::new(5.0, 5.0)),
        (storage, Vec2::new(6.0, 6.0)),
        (mine, Vec2::new(25.0, 5.0)),
        (hangar, Vec2::new(25.0, 50.0)),
        (hangar, Vec2::splat(f32::NAN)),
    ];
    let buildings = ArealBuildings::new(&index, buildings);
    assert_eq!(
        [0, 1, 2, 3].map(|areal| buildings.on(areal)),
        [mine | storage, 0, mine, 0]
    );
    let nearest = |required, forbidden, buildings| {
        let categories = MaskFilter {
            required,
            forbidden,
        };
        let filter = ArealFilter {
            categories,
            buildings,
            ..ArealFilter::ALL
        };
        let found = index.nearest_areal(Vec2::new(14.0, 5.0), 100.0, &filter);
        found.map(|found| (found.areal, found.distance))
    };
    let there = Some(&buildings);
    assert_eq!(nearest(0, 0, there), Some((1, 0.0)));
    assert_eq!(nearest(mine, 0, there), Some((0, 4.0)));
    assert_eq!(nearest(mine, storage, there), Some((2, 6.0)));
    assert_eq!(nearest(mine | storage, 0, there), Some((0, 4.0)));
    assert_eq!(nearest(storage, mine, there), None);
    assert_eq!(nearest(mine, 0, None), None, "nothing stands anywhere");
    assert_eq!(nearest(0, mine, None), Some((1, 0.0)));
}

#[test]
fn all_parts_of_a_filter_must_accept() {
    let mut areals = vec![rectangle([0.0, 0.0], [10.0, 10.0]); 4];
    for (i, areal) in areals.iter_mut().enumerate() {
        areal.class_id = i as u32 / 2;
        areal.logic_flag = 1 << (i % 2);
    }
    let index = index(areals);
    assert_eq!(
        (index.class_id(2), index.logic_flag(3), index.class_id(4)),
        (Some(1), Some(2), None)
    );
    let at = |classes, required, forbidden| {
        let logic_flags = MaskFilter {
            required,
            forbidden,
        };
        let filter = ArealFilter {
            classes,
            logic_flags,
            ..ArealFilter::ALL
        };
        index.areal_at_filtered(Vec2::splat(5.0), &filter)
    };
    assert_eq!(at(ClassFilter::All, 0, 0), Some(0));
    assert_eq!(at(ClassFilter::Only(&[1]), 0, 0), Some(2));
    assert_eq!(at(ClassFilter::Not(&[0]), 2, 0), Some(3));
    assert_eq!(at(ClassFilter::Not(&[1, 7]), 0, 1), Some(1));
    assert_eq!(at(ClassFilter::Only(&[]), 0, 0), None);
    assert_eq!(at(ClassFilter::All, 3, 0), None);
}
