//! The step rule: sections 4.3 to 4.5.

use crate::step::{GroundPosition, Steps};
use crate::test_world::{Ground, bridge, cell, middle, open};
use crate::{BlockedBy, Geodata, NoDataRule, Profile, StraightWalkEnd};
use ironlands_sim_regions::{Cell, Nswe};

/// Complex ground at a height in block (0, 0), a flat pair east of it, and the step from one to the other.
fn onto_flat(from: i16, high: i16, low: i16, profile: Profile) -> Result<i32, BlockedBy> {
    let mut ground = Ground::new();
    ground.block(0, 0, |_, _| vec![open(from)]);
    ground.flat(1, 0, high, low);
    east(&ground.geodata(), (7, 3), i32::from(from), profile)
}

fn east(geodata: &Geodata, (x, y): (u16, u16), z: i32, profile: Profile) -> Result<i32, BlockedBy> {
    let mut steps = Steps::new(geodata, profile);
    let start = steps.stand(cell(x, y), z).unwrap();
    steps.axial(&start, 1, 0).map(|stand| stand.z)
}

/// Section 4.3, with the seed's own numbers first.
#[test]
fn a_flat_block_is_stepped_on_by_its_lower_height() {
    let one_height = Profile {
        uses_flat_pair: false,
        ..Profile::PTS
    };
    assert_eq!(
        onto_flat(3498, 3532, 3500, one_height),
        Err(BlockedBy::Climb)
    );
    assert_eq!(onto_flat(3498, 3532, 3500, Profile::PTS), Ok(3532));
    assert_eq!(onto_flat(3496, 3528, 3496, one_height), Ok(3528));
    assert_eq!(
        onto_flat(3488, 3528, 3496, one_height),
        Err(BlockedBy::Climb)
    );
    assert_eq!(onto_flat(3488, 3528, 3496, Profile::PTS), Ok(3528));
    assert_eq!(
        onto_flat(3463, 3528, 3496, Profile::PTS),
        Err(BlockedBy::Climb)
    );
    assert_eq!(
        onto_flat(9000, 3528, 3496, Profile::PTS),
        Ok(3528),
        "down is free"
    );
    let mut ground = Ground::new();
    ground.flat(0, 0, 3528, 3496);
    ground.flat(1, 0, 3568, 3536);
    let geodata = ground.geodata();
    assert_eq!(east(&geodata, (7, 3), 3528, Profile::PTS), Ok(3568));
    assert_eq!(
        east(&geodata, (7, 3), 3528, one_height),
        Err(BlockedBy::Climb)
    );
}

#[test]
fn profiles_differ_in_how_high_one_steps() {
    let highest = |profile: Profile| {
        let rises = (0..100).map(|rise| rise * 8);
        rises
            .take_while(|&rise| onto_flat(0, rise, rise, profile).is_ok())
            .last()
    };
    assert_eq!(highest(Profile::PTS), Some(32));
    assert_eq!(highest(Profile::ACIS), Some(40));
    assert_eq!(highest(Profile::LOOSE), Some(56));
    let careful = Profile {
        max_down: Some(64),
        ..Profile::ACIS
    };
    assert_eq!(onto_flat(64, 0, 0, careful), Ok(0));
    assert_eq!(onto_flat(72, 0, 0, careful), Err(BlockedBy::Drop));
}

#[test]
fn the_source_alone_says_whether_one_may_leave() {
    let mut ground = Ground::new();
    ground.block(0, 0, |x, _| match x {
        3 => vec![Cell::new(0, Nswe::ALL_SIDES - Nswe::EAST)],
        5 => vec![Cell::new(0, Nswe::empty())],
        _ => vec![open(0)],
    });
    let geodata = ground.geodata();
    let step = |x, dx| {
        let mut steps = Steps::new(&geodata, Profile::ACIS);
        let start = steps.stand(cell(x, 2), 0).unwrap();
        steps.axial(&start, dx, 0).map(|stand| stand.z)
    };
    assert_eq!(step(3, 1), Err(BlockedBy::ClosedSide));
    assert_eq!(step(4, -1), Ok(0), "its other side is open");
    assert_eq!(step(4, 1), Ok(0), "into a closed cell");
    assert_eq!(step(5, 1), Err(BlockedBy::ClosedSide));
}

#[test]
fn the_highest_layer_in_reach_is_taken() {
    let geodata = bridge().geodata();
    // From the ramp's end onto the bridge, from the ground below it under the bridge.
    assert_eq!(east(&geodata, (7, 3), 160, Profile::PTS), Ok(160));
    assert_eq!(east(&geodata, (8, 3), 0, Profile::PTS), Ok(0));
    let mut steps = Steps::new(&geodata, Profile::PTS);
    let under = steps.stand(cell(12, 2), 0).unwrap();
    assert_eq!(
        steps
            .axial(&under, 0, 1)
            .map(|stand| (stand.z, stand.layer)),
        Ok((0, 0))
    );
    let above = steps.stand(cell(12, 3), 160).unwrap();
    assert_eq!(above.layer, 1);
    assert_eq!(steps.axial(&above, 0, -1), Err(BlockedBy::ClosedSide));
}

/// Every way in which one of the four cells around a corner closes the diagonal: section 4.5.
#[test]
fn corners_are_never_cut() {
    let diagonal = |change: &dyn Fn(usize, usize) -> Cell| {
        let mut ground = Ground::new();
        ground.block(0, 0, |x, y| vec![change(x, y)]);
        let geodata = ground.geodata();
        let mut steps = Steps::new(&geodata, Profile::ACIS);
        let start = steps.stand(cell(3, 3), 0).unwrap();
        let by_rule = steps.step(&start, 1, 1);
        let south_east = steps.neighbors(&start)[4];
        assert_eq!(by_rule.ok(), south_east, "both forms say the same");
        by_rule.map(|stand| stand.z)
    };
    assert_eq!(diagonal(&|_, _| open(0)), Ok(0));
    let closed = |at: (usize, usize), side: Nswe| {
        diagonal(&move |x, y| {
            let nswe = if (x, y) == at {
                Nswe::ALL_SIDES - side
            } else {
                Nswe::ALL_SIDES
            };
            Cell::new(0, nswe)
        })
    };
    for (at, side) in [
        ((3, 3), Nswe::EAST),
        ((3, 3), Nswe::SOUTH),
        ((4, 3), Nswe::SOUTH),
        ((3, 4), Nswe::EAST),
    ] {
        assert_eq!(
            closed(at, side),
            Err(BlockedBy::ClosedSide),
            "{at:?} {side:?}"
        );
    }
    for (at, side) in [
        ((4, 3), Nswe::NORTH),
        ((3, 4), Nswe::WEST),
        ((4, 4), Nswe::all()),
    ] {
        assert_eq!(closed(at, side), Ok(0), "{at:?} {side:?}");
    }
    let raised = |at: (usize, usize), height: i16| {
        diagonal(&move |x, y| open(if (x, y) == at { height } else { 0 }))
    };
    for at in [(4, 3), (3, 4), (4, 4)] {
        assert_eq!(raised(at, 48), Err(BlockedBy::Climb), "{at:?}");
        assert!(raised(at, 40).is_ok(), "{at:?}");
    }
    // Over a hole on both sides: the end is measured from where the step began.
    let over_holes = diagonal(&|x, y| match (x, y) {
        (4, 3) | (3, 4) => open(-400),
        (4, 4) => open(40),
        _ => open(0),
    });
    assert_eq!(over_holes, Ok(40));
}

#[test]
fn neighbors_are_the_steps_one_by_one() {
    let ground = crate::test_world::random(5);
    let geodata = ground.geodata();
    for profile in [Profile::PTS, Profile::ACIS, Profile::LOOSE] {
        let mut steps = Steps::new(&geodata, profile);
        for x in 1..160 {
            for y in 1..160 {
                let Some(stand) = steps.stand(cell(x, y), 100) else {
                    panic!("ground everywhere");
                };
                let together = steps.neighbors(&stand);
                let one_by_one: [Option<GroundPosition>; 8] =
                    crate::step::DIRECTIONS.map(|(dx, dy)| steps.step(&stand, dx, dy).ok());
                assert_eq!(together, one_by_one, "{x}, {y}");
            }
        }
    }
}

#[test]
fn where_no_region_is_the_profile_decides() {
    let geodata = Ground::new().geodata();
    let west = |profile| {
        let mut steps = Steps::new(&geodata, profile);
        let start = steps.stand(cell(0, 9), 0).unwrap();
        steps
            .axial(&start, -1, 0)
            .map(|stand| (stand.z, stand.nswe))
    };
    assert_eq!(west(Profile::PTS), Err(BlockedBy::NoData));
    let open = Profile::PTS.with_no_data(NoDataRule::Open);
    assert_eq!(west(open), Ok((0, Nswe::ALL_SIDES)));
}

/// Open ground is as high as the character, and a query point may be at any height.
#[test]
fn heights_beyond_all_ground_are_stepped_from_without_overflow() {
    let mut ground = Ground::new();
    ground.block(0, 0, |_, _| vec![open(-16)]);
    let geodata = ground.geodata();
    for (z, max_up, expected) in [
        (i32::MAX, 47, BlockedBy::Drop),
        (i32::MAX, i32::MAX, BlockedBy::Drop),
        (i32::MIN, 47, BlockedBy::Climb),
        (i32::MIN, i32::MIN, BlockedBy::Climb),
    ] {
        let profile = Profile {
            max_up,
            max_down: Some(64),
            no_data: NoDataRule::Open,
            ..Profile::ACIS
        };
        let (outside, inside) = (middle(-1, 3, z), middle(2, 3, -16));
        let movement = geodata.straight_walk(outside, inside, &profile).unwrap();
        assert_eq!(
            movement.end,
            StraightWalkEnd::Blocked(expected),
            "{z} {max_up}"
        );
        assert_eq!(movement.point.z, z);
    }
}
