//! Walks over links: what is promised, and the walk against plain intersection.

use crate::checks::{check_samples, straight_walk};
use crate::common::*;
use glam::Vec2;
use ironlands_sim_areal::{
    Areal, ArealCrossing, ArealFilter, ClassFilter, EdgeLink, StraightWalkEnd,
};
use proptest::prelude::*;

fn steps(crossings: &[ArealCrossing]) -> Vec<(u32, u32, u32)> {
    crossings
        .iter()
        .map(|it| (it.areal, it.edge, it.to_areal))
        .collect()
}

#[test]
fn a_walk_reports_what_it_crosses() {
    let index = index(field(3, 1, |_, _| true));
    let (end, crossings) = straight_walk(&index, [5.0, 2.0], [25.0, 6.0]);
    assert_eq!(end, StraightWalkEnd::Reached { areal: 2 });
    assert_eq!(steps(&crossings), [(0, 1, 1), (1, 1, 2)]);
    assert_eq!(
        (crossings[0].t, crossings[0].point),
        (0.25, Vec2::new(10.0, 3.0))
    );
    assert_eq!(
        (crossings[1].t, crossings[1].point),
        (0.75, Vec2::new(20.0, 5.0))
    );
    let (end, _) = straight_walk(&index, [5.0, 5.0], [5.0, 15.0]);
    let point = Vec2::new(5.0, 10.0);
    assert_eq!(
        end,
        StraightWalkEnd::Blocked {
            areal: 0,
            edge: 2,
            t: 0.5,
            point
        }
    );
    assert!(index.is_straight_walk_free(
        Vec2::new(1.0, 1.0),
        Vec2::new(29.0, 9.0),
        &ArealFilter::ALL
    ));
    assert!(!index.is_straight_walk_free(
        Vec2::new(1.0, 1.0),
        Vec2::new(29.0, 11.0),
        &ArealFilter::ALL
    ));
}

#[test]
fn a_walk_through_a_vertex_goes_around_it_over_links() {
    let diagonal = |is_open: &dyn Fn(usize, usize) -> bool| {
        let index = index(field(2, 2, is_open));
        straight_walk(&index, [5.0, 5.0], [15.0, 15.0])
    };
    let (end, crossings) = diagonal(&|_, _| true);
    assert_eq!(end, StraightWalkEnd::Reached { areal: 3 });
    assert_eq!(
        steps(&crossings),
        [(0, 1, 2), (2, 2, 3)],
        "fewest links, then the lowest edge"
    );
    let (end, crossings) = diagonal(&|a, b| (a, b) != (0, 2));
    assert_eq!(end, StraightWalkEnd::Reached { areal: 3 });
    assert_eq!(
        steps(&crossings),
        [(0, 2, 1), (1, 1, 3)],
        "the other way around"
    );
    let (end, _) = diagonal(&|a, b| [(0, 1), (2, 3)].contains(&(a, b)));
    let point = Vec2::new(10.0, 10.0);
    assert_eq!(
        end,
        StraightWalkEnd::Blocked {
            areal: 0,
            edge: 1,
            t: 0.5,
            point
        },
        "no way around"
    );
}

#[test]
fn a_walk_along_a_border_stays_where_it_is() {
    let index = index(field(3, 2, |a, b| (a, b) != (0, 1)));
    // Along the border of 0 and 1, which is closed; on from its end.
    let (end, crossings) = straight_walk(&index, [2.0, 10.0], [18.0, 10.0]);
    assert_eq!(end, StraightWalkEnd::Reached { areal: 2 });
    assert_eq!(steps(&crossings), [(0, 1, 2)]);
    let (end, crossings) = straight_walk(&index, [0.0, 10.0], [10.0, 10.0]);
    assert_eq!(
        (end, crossings.len()),
        (StraightWalkEnd::Reached { areal: 0 }, 0),
        "from vertex to vertex"
    );
    // Along the outer border.
    let (end, crossings) = straight_walk(&index, [0.0, 0.0], [30.0, 0.0]);
    assert_eq!(
        (end, crossings.len()),
        (StraightWalkEnd::Reached { areal: 4 }, 2)
    );
    let (end, _) = straight_walk(&index, [0.0, 0.0], [31.0, 0.0]);
    assert!(
        matches!(
            end,
            StraightWalkEnd::Blocked {
                areal: 4,
                edge: 0,
                ..
            }
        ),
        "{end:?}"
    );
}

#[test]
fn a_walk_may_begin_and_end_on_borders() {
    let index = index(field(3, 1, |_, _| true));
    let (end, crossings) = straight_walk(&index, [10.0, 5.0], [20.0, 5.0]);
    assert_eq!(
        (end, steps(&crossings)),
        (StraightWalkEnd::Reached { areal: 1 }, vec![(0, 1, 1)])
    );
    let (end, crossings) = straight_walk(&index, [15.0, 5.0], [20.0, 10.0]);
    assert_eq!(
        (end, crossings.len()),
        (StraightWalkEnd::Reached { areal: 1 }, 0),
        "a corner"
    );
    let (end, crossings) = straight_walk(&index, [10.0, 0.0], [10.0, 0.0]);
    assert_eq!(
        (end, crossings.len()),
        (StraightWalkEnd::Reached { areal: 0 }, 0),
        "no way at all"
    );
    let (end, _) = straight_walk(&index, [0.0, 5.0], [-1.0, 5.0]);
    assert!(
        matches!(
            end,
            StraightWalkEnd::Blocked {
                areal: 0,
                edge: 3,
                t: 0.0,
                ..
            }
        ),
        "{end:?}"
    );
}

#[test]
fn an_areal_that_is_not_convex_can_be_left_and_entered_again() {
    // A U around a square that fills it.
    let u = [
        [0.0, 0.0],
        [30.0, 0.0],
        [30.0, 20.0],
        [20.0, 20.0],
        [20.0, 10.0],
        [10.0, 10.0],
        [10.0, 20.0],
        [0.0, 20.0],
    ];
    for is_filled in [true, false] {
        let mut areals = vec![areal(&u), rectangle([10.0, 10.0], [20.0, 20.0])];
        link_equal_edges(&mut areals, |_, _| is_filled);
        let index = index(areals);
        let (end, crossings) = straight_walk(&index, [5.0, 15.0], [25.0, 15.0]);
        if is_filled {
            assert_eq!(end, StraightWalkEnd::Reached { areal: 0 });
            assert_eq!(steps(&crossings), [(0, 5, 1), (1, 1, 0)]);
        } else {
            let point = Vec2::new(10.0, 15.0);
            assert_eq!(
                end,
                StraightWalkEnd::Blocked {
                    areal: 0,
                    edge: 5,
                    t: 0.25,
                    point
                }
            );
        }
        let (end, crossings) = straight_walk(&index, [5.0, 10.0], [25.0, 10.0]);
        assert_eq!(
            (end, crossings.len()),
            (StraightWalkEnd::Reached { areal: 0 }, 0),
            "along the inner edge"
        );
        let (end, crossings) = straight_walk(&index, [5.0, 20.0], [9.0, 12.0]);
        assert_eq!(
            (end, crossings.len()),
            (StraightWalkEnd::Reached { areal: 0 }, 0)
        );
    }
}

#[test]
fn links_open_their_own_direction_and_only_to_what_is_seen() {
    let mut areals = field(2, 1, |_, _| true);
    areals[1].edge_links[3] = NO_LINK;
    areals[1].class_id = 3;
    let index = index(areals);
    let is_straight = |from: f32, to: f32, filter: &ArealFilter| {
        index.is_straight_walk_free(Vec2::new(from, 5.0), Vec2::new(to, 5.0), filter)
    };
    assert!(is_straight(5.0, 15.0, &ArealFilter::ALL));
    assert!(!is_straight(15.0, 5.0, &ArealFilter::ALL));
    let filter = ArealFilter {
        classes: ClassFilter::Not(&[3]),
        ..ArealFilter::ALL
    };
    assert!(!is_straight(5.0, 15.0, &filter));
    assert!(is_straight(5.0, 9.0, &filter));
    let end = index.straight_walk(Vec2::new(15.0, 5.0), Vec2::new(16.0, 5.0), &filter, |_| {});
    assert_eq!(end, StraightWalkEnd::Outside, "its start is not seen");
    let from = |start| {
        index.straight_walk_from(
            start,
            Vec2::new(10.0, 5.0),
            Vec2::new(12.0, 5.0),
            &ArealFilter::ALL,
            |_| {},
        )
    };
    assert_eq!(from(1), StraightWalkEnd::Reached { areal: 1 });
    assert_eq!(from(2), StraightWalkEnd::Outside, "there is no such areal");
    let nowhere = [[f32::NAN, 5.0], [5.0, f32::INFINITY], [-5.0, 5.0]];
    for from in nowhere {
        assert_eq!(
            straight_walk(&index, from, [5.0, 5.0]).0,
            StraightWalkEnd::Outside
        );
    }
    assert_eq!(
        straight_walk(&index, [5.0, 5.0], nowhere[0]).0,
        StraightWalkEnd::Outside
    );
    assert_eq!(
        straight_walk(&index, [5.0, 5.0], nowhere[1]).0,
        StraightWalkEnd::Outside
    );
}

#[test]
fn links_that_outlines_contradict_are_closed() {
    let square = |x: f32| rectangle([x, 0.0], [x + 10.0, 10.0]);
    let mut areals = vec![square(0.0), square(100.0), areal(&[[f32::NAN; 2]; 4])];
    areals[0].edge_links[1] = EdgeLink { areal: 1, edge: 3 };
    areals[0].edge_links[2] = EdgeLink { areal: 2, edge: 0 };
    areals[0].edge_links[3] = EdgeLink { areal: 0, edge: 1 };
    let index = index(areals);
    for to in [[105.0, 5.0], [5.0, 15.0], [-5.0, 5.0], [f32::MAX, f32::MAX]] {
        let (end, crossings) = straight_walk(&index, [5.0, 5.0], to);
        assert!(
            matches!(end, StraightWalkEnd::Blocked { areal: 0, .. }),
            "{end:?}"
        );
        assert_eq!(crossings, []);
    }
}

#[test]
fn a_gap_of_rounding_is_stepped_over() {
    // The corner of the upper right one lies a step beside the long edge.
    let outline = |x: f32| [[10.0, 0.0], [20.0, 0.0], [20.0, 10.0], [x, 5.0]];
    for (x, is_near) in [(10.000_01, true), (9.999_99, true), (10.1, false)] {
        let mut areals = vec![rectangle([0.0, 0.0], [10.0, 10.0]), areal(&outline(x))];
        link(&mut areals, (0, 1), (1, 3));
        let index = index(areals);
        let (end, crossings) = straight_walk(&index, [5.0, 4.0], [15.0, 4.0]);
        assert_eq!(
            matches!(end, StraightWalkEnd::Reached { areal: 1 }),
            is_near,
            "{end:?}"
        );
        assert_eq!(crossings.len(), usize::from(is_near));
    }
}

#[test]
fn outlines_that_wind_along_a_walk_do_not_hang_it() {
    // A zigzag that crosses the walk 40,000 times, and areals that link in rings around one point.
    let zigzag: Vec<_> = (0..40_000)
        .map(|i| [i as f32, if i % 2 == 0 { -1.0 } else { 1.0 }])
        .collect();
    let back = [[40_000.0, -2.0], [0.0, -2.0]];
    let mut areals = vec![areal(&[zigzag, back.to_vec()].concat())];
    for link in &mut areals[0].edge_links {
        *link = EdgeLink { areal: 0, edge: 0 };
    }
    let n = 200;
    for i in 0..n {
        let angle = |i: i32| i as f32 / n as f32 * std::f32::consts::TAU;
        let [a, b] = [angle(i), angle(i + 1)].map(|a| [a.cos() * 10.0, a.sin() * 10.0 - 100.0]);
        let mut wedge = areal(&[[0.0, -100.0], a, b]);
        wedge.edge_links[2] = EdgeLink {
            areal: 1 + (i + 1) % n,
            edge: 0,
        };
        areals.push(wedge);
    }
    let index = index(areals);
    let (end, _) = straight_walk(&index, [0.1, -1.5], [39_000.0, 0.5]);
    assert!(!matches!(end, StraightWalkEnd::Reached { .. }), "{end:?}");
    let (end, _) = straight_walk(&index, [5.0, -99.9], [-5.0, -100.1]);
    assert!(
        matches!(
            end,
            StraightWalkEnd::Blocked { .. } | StraightWalkEnd::Reached { .. }
        ),
        "{end:?}"
    );
}

/// Edges of areals on a lattice of quarters, as whole numbers.
fn whole_edges(areals: &[Areal]) -> Vec<([[i64; 2]; 2], bool)> {
    let whole = |v: [f32; 3]| [v[0], v[1]].map(|c| (c * 4.0) as i64);
    let in_areal = |areal: &Areal| {
        let n = areal.vertices.len();
        let ends = |i: usize| [whole(areal.vertices[i]), whole(areal.vertices[(i + 1) % n])];
        let edges = areal.edge_links.iter().enumerate();
        edges
            .map(|(i, link)| (ends(i), link.areal >= 0))
            .collect::<Vec<_>>()
    };
    areals.iter().flat_map(in_areal).collect()
}

fn cross([ax, ay]: [i64; 2], [bx, by]: [i64; 2], [cx, cy]: [i64; 2]) -> i64 {
    ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).signum()
}

/// How two segments lie to each other: 2 if they cross inside of both, 1 if they touch, 0 if they are apart.
fn meet([a, b]: [[i64; 2]; 2], [p, q]: [[i64; 2]; 2]) -> i32 {
    let sides = [
        cross(a, b, p),
        cross(a, b, q),
        cross(p, q, a),
        cross(p, q, b),
    ];
    let overlaps =
        (0..2).all(|k| a[k].min(b[k]) <= p[k].max(q[k]) && p[k].min(q[k]) <= a[k].max(b[k]));
    if sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0 {
        2
    } else {
        i32::from(overlaps && sides[0] * sides[1] <= 0 && sides[2] * sides[3] <= 0)
    }
}

proptest! {
    #[test]
    fn walks_cross_what_whole_numbers_say(
        (n_x, n_y) in (1_usize..6, 1_usize..6),
        bends in prop::collection::vec([-18_i32..=18, -18..=18], 49),
        open in prop::collection::vec(prop::bool::weighted(0.85), 36 * 36),
        points in prop::collection::vec([-4_i32..=220, -4..=220], 12),
    ) {
        let areals = bent_field(n_x, n_y, &bends, |a, b| open[a * 36 + b]);
        let index = index(areals.clone());
        let all_edges = whole_edges(&areals);
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|p| p.map(|c| c as f32 * 0.25));
            let segment = [pair[0], pair[1]].map(|p| p.map(i64::from));
            let met: Vec<_> = all_edges.iter().map(|&(edge, is_open)| (meet(segment, edge), is_open)).collect();
            let (end, crossings) = straight_walk(&index, from, to);
            if index.areal_at(from.into()).is_none() {
                prop_assert_eq!(end, StraightWalkEnd::Outside);
                continue;
            }
            let is_reached = matches!(end, StraightWalkEnd::Reached { .. });
            if met.contains(&(2, false)) {
                prop_assert!(!is_reached, "it crosses a closed edge");
            }
            if met.iter().all(|&(how, is_open)| how == 0 || is_open) {
                prop_assert!(is_reached, "it crosses no closed edge: {end:?}");
            }
            if is_reached && met.iter().all(|(how, _)| *how != 1) {
                // Each border that it crosses is an edge of two areals.
                let n_crossed = met.iter().filter(|(how, _)| *how == 2).count();
                prop_assert_eq!(crossings.len() * 2, n_crossed);
            }
            check_samples(&index, [from.into(), to.into()], &end, &crossings)?;
        }
    }
}
