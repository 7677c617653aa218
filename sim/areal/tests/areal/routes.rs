//! Routes: what is promised, the search against a plain one over the same portals, and the path against all
//! lines in the corridor.

use crate::checks::check_path;
use crate::common::*;
use crate::plain::edges;
use glam::{Vec2, Vec3};
use ironlands_sim_areal::{
    Areal, ArealFilter, ArealIndex, ArealRoute, ClassCosts, ClassFilter, EdgeLink, RouteOptions,
    RouteRequest, RouteSearch,
};
use proptest::prelude::*;

fn middles(route: &ArealRoute) -> Vec<Vec3> {
    route.portals.iter().map(|portal| portal.middle()).collect()
}

fn find(index: &ArealIndex, from: Vec2, to: Vec2, options: &RouteOptions) -> Option<ArealRoute> {
    let mut route = ArealRoute::default();
    let is_found = index.find_route(from, to, options, &mut RouteSearch::default(), &mut route);
    assert_eq!(is_found, route.is_some());
    is_found.then_some(route)
}

#[test]
fn a_route_passes_the_portals() {
    let index = index(field(3, 1, |_, _| true));
    let route = index
        .route(Vec2::new(5.0, 5.0), Vec2::new(25.0, 5.0))
        .expect("the row is open");
    assert_eq!(route.areals, [0, 1, 2]);
    assert_eq!(
        middles(&route),
        [Vec3::new(10.0, 5.0, 0.0), Vec3::new(20.0, 5.0, 0.0)]
    );
    let portal = route.portals[0];
    assert_eq!(
        (portal.left.y, portal.right.y),
        (10.0, 0.0),
        "seen by a character that walks east"
    );
    assert_eq!((route.length, route.cost), (20.0, 20.0));
    assert_eq!(route.path, [Vec2::new(5.0, 5.0), Vec2::new(25.0, 5.0)]);
    assert_eq!(index.neighbors(1), [2, 0], "in edge order");
    assert_eq!(index.neighbors(9), [0_u32; 0]);
}

#[test]
fn start_and_goal_in_one_areal_need_no_portal() {
    let index = index(field(2, 1, |_, _| true));
    let (from, to) = (Vec2::new(1.0, 1.0), Vec2::new(4.0, 5.0));
    let route = index.route(from, to).expect("it is one areal");
    assert_eq!((route.areals, route.portals), (vec![0], vec![]));
    assert_eq!(
        (route.path, route.length, route.cost),
        (vec![from, to], 5.0, 5.0)
    );
}

/// The areal of the goal must be crossed at once, but it is cheaper to leave it for free ones and to come back.
#[test]
fn a_detour_out_of_the_areal_of_the_goal_may_be_the_cheapest_route() {
    // Columns of two squares: 0 and 1, 2 and 3, 4 and 5. Only the goal's, 2, leads out of the start's, 4.
    let links = [(0, 1), (0, 2), (1, 3), (2, 3), (2, 4)];
    let mut areals = field(3, 2, |a, b| links.contains(&(a.min(b), a.max(b))));
    for free in [0, 1, 3] {
        areals[free].class_id = 1;
    }
    let options = RouteOptions {
        costs: ClassCosts {
            by_class: &[(1, 0.0)],
            others: 1.0,
        },
        ..RouteOptions::default()
    };
    let (from, to) = (Vec2::new(29.0, 5.0), Vec2::new(11.0, 5.0));
    let route = find(&index(areals), from, to, &options).expect("links lead there");
    assert_eq!(route.areals, [4, 2, 3, 1, 0, 2]);
    let cost = 9.0 + Vec2::new(5.0, 5.0).length() + 1.0;
    assert!(
        (route.cost - cost).abs() < 1e-4,
        "{} and not 18",
        route.cost
    );
}

#[test]
fn a_route_from_the_middle_of_a_portal_does_not_cross_it_twice() {
    let index = index(field(2, 2, |_, _| true));
    let route = index
        .route(Vec2::new(10.0, 5.0), Vec2::new(5.0, 15.0))
        .expect("the field is open");
    assert_eq!(route.areals, [0, 1]);
    assert_eq!(route.path.len(), 2);
}

#[test]
fn no_route_leads_where_no_link_does() {
    let index = index(field(2, 2, |a, b| (a, b) == (0, 1)));
    let route = |from: [f32; 2], to: [f32; 2]| index.route(from.into(), to.into());
    assert!(route([5.0, 5.0], [5.0, 15.0]).is_some());
    assert_eq!(route([5.0, 5.0], [15.0, 15.0]), None);
    assert_eq!(
        route([5.0, 5.0], [50.0, 5.0]),
        None,
        "the goal is in no areal"
    );
    assert_eq!(route([f32::NAN, f32::NAN], [5.0, 5.0]), None);
}

#[test]
fn of_equal_routes_the_one_whose_last_portal_is_lowest_wins() {
    // Around the middle of a field of 2 x 2 both routes are equally long.
    let index = index(field(2, 2, |_, _| true));
    let route = index
        .route(Vec2::new(5.0, 5.0), Vec2::new(15.0, 15.0))
        .expect("the field is open");
    // Portals count by areal, then edge: that from 1 to 3 comes before that from 2 to 3.
    assert_eq!(route.areals, [0, 1, 3]);
    assert_eq!(route.cost, (20.0_f64 / 2.0 + (50.0_f64).sqrt()) as f32);
    assert_eq!(
        route.length,
        (200.0_f64).sqrt() as f32,
        "straight, over the middle of the field"
    );
}

#[test]
fn of_a_long_and_a_short_edge_the_shared_part_is_the_portal() {
    let mut areals = vec![
        rectangle([0.0, 0.0], [10.0, 30.0]),
        rectangle([10.0, 0.0], [20.0, 10.0]),
        rectangle([10.0, 20.0], [20.0, 40.0]),
    ];
    link(&mut areals, (0, 1), (1, 3));
    // The third borders on the long edge too, and says so by areal alone.
    areals[2].edge_links[3] = EdgeLink { areal: 0, edge: -1 };
    let index = index(areals);
    for (from, to) in [([5.0, 5.0], [15.0, 5.0]), ([15.0, 5.0], [5.0, 5.0])] {
        let route = index
            .route(from.into(), to.into())
            .expect("they are linked");
        assert_eq!(
            (middles(&route), route.cost),
            (vec![Vec3::new(10.0, 5.0, 0.0)], 10.0)
        );
    }
    let route = index
        .route(Vec2::new(15.0, 35.0), Vec2::new(5.0, 29.0))
        .expect("it is linked one way");
    let ys = route
        .portals
        .iter()
        .map(|portal| (portal.left.y, portal.right.y));
    assert_eq!(ys.collect::<Vec<_>>(), [(20.0, 30.0)]);
    assert_eq!(
        route.path,
        [
            Vec2::new(15.0, 35.0),
            Vec2::new(10.0, 30.0),
            Vec2::new(5.0, 29.0)
        ]
    );
    assert_eq!(
        index.route(Vec2::new(5.0, 29.0), Vec2::new(15.0, 35.0)),
        None,
        "not the other way"
    );
}

#[test]
fn links_that_outlines_contradict_lead_nowhere() {
    let square = |x: f32| rectangle([x, 0.0], [x + 10.0, 10.0]);
    let mut areals = vec![square(0.0), square(100.0), square(10.0)];
    link(&mut areals, (0, 1), (1, 3)); // far away
    areals[0].edge_links[0] = EdgeLink { areal: 2, edge: 1 }; // beside it, but not there
    areals[0].edge_links[2] = EdgeLink { areal: 0, edge: 2 }; // itself
    let index = index(areals);
    assert_eq!(index.neighbors(0), [2, 1, 0]);
    assert_eq!(index.route(Vec2::splat(5.0), Vec2::new(105.0, 5.0)), None);
    assert_eq!(index.route(Vec2::splat(5.0), Vec2::new(15.0, 5.0)), None);
}

/// A comb: three teeth down from a back, so that the route from tooth to tooth leads around two gaps.
fn comb() -> Areal {
    let teeth = [0.0, 20.0, 40.0];
    let mut outline = vec![[0.0, 30.0], [50.0, 30.0]];
    for x in teeth.into_iter().rev() {
        outline.extend([[x + 10.0, 20.0], [x + 10.0, 0.0], [x, 0.0], [x, 20.0]]);
    }
    areal(&outline)
}

#[test]
fn a_path_in_an_areal_that_is_not_convex_goes_around_its_corners() {
    let mut reversed = comb();
    reversed.vertices.reverse();
    for comb in [comb(), reversed] {
        let index = index(vec![comb]);
        let (from, to) = (Vec2::new(5.0, 1.0), Vec2::new(45.0, 1.0));
        let route = index.route(from, to).expect("it is one areal");
        assert_eq!(route.areals, [0]);
        assert_eq!(
            route.path,
            [from, Vec2::new(10.0, 20.0), Vec2::new(40.0, 20.0), to]
        );
        assert_eq!(
            route.length,
            (2.0 * (25.0_f64 + 361.0).sqrt() + 30.0) as f32
        );
    }
}

#[test]
fn an_outline_that_crosses_itself_is_left_out() {
    let bow = areal(&[[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 10.0]]);
    let mut areals = vec![bow, rectangle([10.0, 0.0], [20.0, 10.0])];
    link(&mut areals, (0, 1), (1, 3));
    let index = index(areals);
    let route = |from: [f32; 2], to: [f32; 2]| {
        index
            .route(from.into(), to.into())
            .map(|route| route.path.len())
    };
    assert_eq!(route([9.0, 5.0], [15.0, 5.0]), None);
    assert_eq!(
        route([9.0, 4.0], [9.0, 6.0]),
        Some(2),
        "within one half of it"
    );
    assert_eq!(route([9.0, 2.0], [9.0, 8.0]), Some(2));
    assert_eq!(
        route([9.0, 8.5], [1.0, 8.5]),
        None,
        "out of it and in again"
    );
}

#[test]
fn a_star_is_left_out_too() {
    // It turns left only, but twice around; its middle is outside.
    let tip = |k: f32| {
        let angle = (90.0 + 144.0 * k).to_radians();
        [angle.cos() * 10.0, angle.sin() * 10.0]
    };
    let index = index(vec![areal(&[0.0, 1.0, 2.0, 3.0, 4.0].map(tip))]);
    let (from, to) = (Vec2::new(0.0, 9.0), Vec2::from(tip(1.0)) * 0.9);
    assert_eq!(
        [from, to, Vec2::ZERO].map(|point| index.areal_at(point)),
        [Some(0), Some(0), None]
    );
    assert_eq!(
        index
            .route(from, Vec2::new(0.0, 8.0))
            .map(|route| route.length),
        Some(1.0)
    );
    assert_eq!(index.route(from, to), None);
}

#[test]
fn a_band_that_runs_over_itself_is_left_out() {
    // Around by a turn and a quarter while it widens: where it overlaps is outside, and no bent path is known.
    let at = |step: usize, width: f32| {
        let angle = step as f32 * 30.0_f32.to_radians();
        let radius = 5.0 + 0.5 * angle + width;
        [angle.cos() * radius, angle.sin() * radius]
    };
    let outline: Vec<_> = (0..=15)
        .map(|i| at(i, 5.0))
        .chain((0..=15).rev().map(|i| at(i, 0.0)))
        .collect();
    let points = [3, 9].map(|step| Vec2::from(at(step, 2.5)));
    let open: Vec<_> = (0..=11)
        .map(|i| at(i, 5.0))
        .chain((0..=11).rev().map(|i| at(i, 0.0)))
        .collect();
    for (outline, is_known) in [(outline, false), (open, true)] {
        let index = index(vec![areal(&outline)]);
        assert_eq!(points.map(|point| index.areal_at(point)), [Some(0); 2]);
        assert_eq!(index.route(points[0], points[1]).is_some(), is_known);
    }
}

#[test]
fn a_path_may_begin_in_a_portal_and_turn_by_its_end() {
    let index = index(field(2, 2, |a, b| (a, b) != (0, 1)));
    let (from, to) = (Vec2::new(10.0, 15.0), Vec2::new(15.0, 5.0));
    let route = index.route(from, to).expect("the field is open");
    assert_eq!(route.areals, [1, 3, 2]);
    assert_eq!(route.path, [from, to]);
}

#[test]
fn costs_and_filters_lead_around() {
    // A row of three and a detour above it; the middle one is of class 7.
    let mut areals = field(3, 2, |_, _| true);
    areals[2].class_id = 7;
    areals[2].logic_flag = 0b100;
    let index = index(areals);
    let (from, to) = (Vec2::new(5.0, 5.0), Vec2::new(25.0, 5.0));
    let areals = |options: &RouteOptions| find(&index, from, to, options).map(|route| route.areals);
    let detour = Some(vec![0, 1, 3, 5, 4]);
    let straight = Some(vec![0, 2, 4]);
    let by_factor = |factor: f32| {
        let by_class = [(7, factor)];
        let costs = ClassCosts {
            by_class: &by_class,
            others: 1.0,
        };
        areals(&RouteOptions {
            costs,
            ..RouteOptions::default()
        })
    };
    assert_eq!(by_factor(1.0), straight);
    assert_eq!(by_factor(1.2), straight);
    for factor in [3.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(by_factor(factor), detour, "{factor}");
    }
    assert_eq!(by_factor(0.0), straight);
    let filters = [
        ArealFilter {
            classes: ClassFilter::Not(&[7]),
            ..ArealFilter::ALL
        },
        ArealFilter {
            classes: ClassFilter::Only(&[0]),
            ..ArealFilter::ALL
        },
        ArealFilter {
            logic_flags: ironlands_sim_core::MaskFilter {
                required: 0,
                forbidden: 0b100,
            },
            ..ArealFilter::ALL
        },
    ];
    for filter in filters {
        assert_eq!(
            areals(&RouteOptions {
                filter,
                ..RouteOptions::default()
            }),
            detour,
            "{filter:?}"
        );
    }
    let filter = ArealFilter {
        classes: ClassFilter::Only(&[7]),
        ..ArealFilter::ALL
    };
    assert_eq!(
        areals(&RouteOptions {
            filter,
            ..RouteOptions::default()
        }),
        None,
        "its ends are not seen"
    );
    let closed = ClassCosts {
        by_class: &[],
        others: -1.0,
    };
    assert_eq!(
        areals(&RouteOptions {
            costs: closed,
            ..RouteOptions::default()
        }),
        None
    );
}

/// Cost of the cheapest route over middles: Floyd and Warshall over start, goal and all portals.
fn plain_cost(
    areals: &[Areal],
    index: &ArealIndex,
    from: Vec2,
    to: Vec2,
    factor: &dyn Fn(u32) -> f64,
) -> Option<f64> {
    let (start, goal) = (index.areal_at(from)? as i32, index.areal_at(to)? as i32);
    let factor_of = |areal: i32| factor(areals[areal as usize].class_id);
    if start == goal {
        return Some(from.as_dvec2().distance(to.as_dvec2()) * factor_of(start));
    }
    // (areal left, areal entered, point); start enters, goal leaves.
    let mut nodes = vec![(-1, start, from.as_dvec2()), (goal, -1, to.as_dvec2())];
    for (areal_idx, areal) in areals.iter().enumerate() {
        let edges = edges(&plan(areal));
        let linked = areal
            .edge_links
            .iter()
            .zip(edges)
            .filter(|(link, _)| link.areal >= 0);
        nodes.extend(linked.map(|(link, [a, b])| (areal_idx as i32, link.areal, (a + b) / 2.0)));
    }
    let n = nodes.len();
    let mut cost = vec![f64::INFINITY; n * n];
    for (i, a) in nodes.iter().enumerate() {
        for (j, b) in nodes
            .iter()
            .enumerate()
            .filter(|(_, b)| a.1 >= 0 && a.1 == b.0)
        {
            cost[i * n + j] = a.2.distance(b.2) * factor_of(a.1);
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                cost[i * n + j] = cost[i * n + j].min(cost[i * n + k] + cost[k * n + j]);
            }
        }
    }
    Some(cost[1]).filter(|cost| cost.is_finite())
}

proptest! {
    #[test]
    fn routes_are_as_cheap_as_the_cheapest(
        (n_x, n_y) in (1_usize..6, 1_usize..6),
        open in prop::collection::vec(prop::bool::weighted(0.7), 36 * 36),
        classes in prop::collection::vec(0_u32..3, 36),
        factors in [1.0_f32..3.0, 0.0_f32..2.0, 0.5_f32..0.6],
        points in prop::collection::vec(point(50.0), 8),
    ) {
        let mut areals = field(n_x, n_y, |a, b| open[a * 36 + b]);
        for (areal, class) in areals.iter_mut().zip(classes) {
            areal.class_id = class;
        }
        let index = index(areals.clone());
        let by_class = [(0, factors[0]), (1, factors[1])];
        let priced = ClassCosts { by_class: &by_class, others: factors[2] };
        let own = |class: u32| f64::from(factors[class as usize]);
        let (mut search, mut route) = (RouteSearch::default(), ArealRoute::default());
        for pair in points.windows(2) {
            for (costs, factor) in [(ClassCosts::default(), &(|_| 1.0) as &dyn Fn(u32) -> f64), (priced, &own)] {
                let options = RouteOptions { costs, ..RouteOptions::default() };
                let is_found = index.find_route(pair[0], pair[1], &options, &mut search, &mut route);
                prop_assert_eq!(find(&index, pair[0], pair[1], &options), is_found.then(|| route.clone()));
                let plain = plain_cost(&areals, &index, pair[0], pair[1], factor);
                prop_assert_eq!(is_found, plain.is_some());
                let Some(plain) = plain else { continue };
                prop_assert!((f64::from(route.cost) - plain).abs() < 1e-4, "{} against {plain}", route.cost);
                check_path(&index, &route, [pair[0], pair[1]])?;
                let middles = middles(&route).into_iter().map(|p| p.truncate());
                let stops = std::iter::once(pair[0]).chain(middles).chain([pair[1]]);
                let stops: Vec<_> = stops.collect();
                let over_middles: f32 = stops.windows(2).map(|s| s[0].distance(s[1])).sum();
                prop_assert!(route.length <= over_middles + 1e-3);
            }
        }
    }

    #[test]
    fn batches_find_the_same_routes_on_any_number_of_threads(
        bends in prop::collection::vec([-18_i32..=18, -18..=18], 36),
        open in prop::collection::vec(prop::bool::weighted(0.8), 36 * 36),
        points in prop::collection::vec((point(55.0), point(55.0)), 300),
    ) {
        let index = index(bent_field(5, 5, &bends, |a, b| open[a * 36 + b]));
        let requests: Vec<_> = points.iter().map(|&(from, to)| RouteRequest { from, to }).collect();
        let options = RouteOptions::default();
        let single: Vec<_> = points.iter().map(|&(from, to)| index.route(from, to).unwrap_or_default()).collect();
        for n_threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started");
            let mut routes = vec![single[0].clone(); points.len()];
            pool.install(|| index.find_route_batch(&requests, &options, &mut routes));
            prop_assert_eq!(&routes, &single);
        }
    }
}
