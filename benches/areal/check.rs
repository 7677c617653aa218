//! Compares every result with a plain method.

use crate::world::World;
use glam::Vec2;
use ironlands_query_bench::Checksum;
use ironlands_sim::areal::{
    ArealCrossing, ArealFilter, ArealRoute, NearestAreal, RouteOptions, RouteRequest, RouteSearch,
    StraightWalkEnd,
};

/// Distances are rounded to f32, in parts of themselves.
const ROUNDING: f64 = 1e-6;
/// Points on a path are rounded to f32, and coordinates are below 4,096: world units.
const NEAR: f64 = 1e-3;

impl World {
    /// Panics if a result is wrong.
    pub fn check(&self) {
        self.check_areals();
        self.check_nearest();
        self.check_walks();
        self.check_routes();
    }

    /// The areals do not overlap, and no point of the set lies on a border.
    fn check_areals(&self) {
        let found: Vec<Option<u32>> = self
            .points
            .iter()
            .map(|&point| self.index.areal_at(point))
            .collect();
        for (point, areal) in self.points.iter().zip(&found) {
            assert_eq!(*areal, self.plain_areal(*point), "{}: {point}", self.name);
        }
        let mut batch = vec![None; found.len()];
        self.index.areal_at_batch(&self.points, &mut batch);
        assert!(
            found == batch,
            "{}: single and batch results differ",
            self.name
        );
        let sum = Checksum::from_results(&found, Checksum::add_index);
        println!("{}/areal_at: checksum {sum}", self.name);
    }

    /// A loop over all outlines.
    pub fn plain_areal(&self, point: Vec2) -> Option<u32> {
        (0..self.index.n_areals() as u32).find(|&areal| self.holds(areal, point))
    }

    /// The even-odd rule.
    fn holds(&self, areal: u32, point: Vec2) -> bool {
        let outline = self.index.outline(areal);
        let edges = outline.iter().zip(outline.iter().cycle().skip(1));
        let n_right = edges.filter(|(a, b)| {
            let slope = (b.x - a.x) / (b.y - a.y);
            (a.y > point.y) != (b.y > point.y) && point.x < a.x + slope * (point.y - a.y)
        });
        n_right.count() % 2 == 1
    }

    /// Nothing outside is nearer by the loop; of equally near areals the choice is not looked at.
    fn check_nearest(&self) {
        let nearest: Vec<NearestAreal> = self
            .outside
            .iter()
            .map(|&point| self.nearest(point).expect("there are areals"))
            .collect();
        for (point, nearest) in self.outside.iter().zip(&nearest) {
            let right = self.plain_distance(*point);
            let off = (f64::from(nearest.distance) - right).abs();
            assert!(off <= ROUNDING * right, "{point}: {nearest:?}, not {right}");
            let border = self.distance_to(nearest.areal, *point);
            assert!((border - right).abs() <= ROUNDING * right, "{point}");
        }
        let sum = Checksum::from_results(&nearest, |nearest, sum| {
            Checksum::add_index(&Some(nearest.areal), sum)
        });
        println!("{}/nearest_areal: checksum {sum}", self.name);
    }

    /// Distance to the nearest edge of all areals, in a loop.
    pub fn plain_distance(&self, point: Vec2) -> f64 {
        let areals = 0..self.index.n_areals() as u32;
        let distances = areals.map(|areal| self.distance_to(areal, point));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// Distance to the outline of an areal.
    fn distance_to(&self, areal: u32, point: Vec2) -> f64 {
        let outline = self.index.outline(areal).iter().map(|v| v.truncate());
        let ends = outline.clone().cycle().skip(1);
        let distances = outline.zip(ends).map(|(a, b)| {
            let [a, b, p] = [a, b, point].map(Vec2::as_dvec2);
            let along = b - a;
            let t = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            p.distance(a + t * along)
        });
        distances.fold(f64::INFINITY, f64::min)
    }

    /// Areals follow each other over links and hold the middle of what the walk covers in them.
    fn check_walks(&self) {
        let mut ends = Vec::new();
        for pair in &self.pairs {
            let &RouteRequest { from, to } = pair;
            let mut crossings: Vec<ArealCrossing> = Vec::new();
            let visit = |crossing: &ArealCrossing| crossings.push(*crossing);
            let end = self.index.straight_walk(from, to, &ArealFilter::ALL, visit);
            assert_eq!((end, crossings.len()), self.walk(pair), "{pair:?}");
            let (last, t_end) = match end {
                StraightWalkEnd::Reached { areal } => (areal, 1.0),
                StraightWalkEnd::Blocked { areal, t, .. } => (areal, t),
                StraightWalkEnd::Outside | StraightWalkEnd::TooLong => {
                    assert!(self.plain_areal(from).is_none(), "{pair:?}: {end:?}");
                    ends.push(None);
                    continue;
                }
            };
            let first = self.plain_areal(from).expect("a walk begins in an areal");
            let areals = crossings.iter().map(|crossing| crossing.to_areal);
            let areals: Vec<u32> = std::iter::once(first).chain(areals).collect();
            let t = crossings.iter().map(|crossing| crossing.t);
            let t: Vec<f64> = std::iter::once(0.0).chain(t).chain([t_end]).collect();
            assert_eq!(areals.last(), Some(&last), "{pair:?}");
            self.check_links(&areals);
            for (&areal, t) in areals.iter().zip(t.windows(2)) {
                let middle = from.lerp(to, ((t[0] + t[1]) * 0.5) as f32);
                assert!(t[0] <= t[1], "{pair:?}");
                assert!(self.is_at(areal, middle), "{pair:?}: {middle} in {areal}");
            }
            ends.push(Some(last));
        }
        let n_walks = ends.iter().flatten().count();
        let sum = Checksum::from_results(&ends, Checksum::add_index);
        println!(
            "{}/walk: {n_walks} of {}, checksum {sum}",
            self.name,
            ends.len()
        );
    }

    fn check_routes(&self) {
        let mut lengths = Vec::new();
        let options = RouteOptions::default();
        let mut batch = vec![ArealRoute::default(); self.pairs.len()];
        self.index
            .find_route_batch(&self.pairs, &options, &mut batch);
        let (mut search, mut again) = (RouteSearch::default(), ArealRoute::default());
        for (pair, of_batch) in self.pairs.iter().zip(&batch) {
            let &RouteRequest { from, to } = pair;
            let ends = [from, to].map(|point| self.index.areal_at(point));
            let route = self.index.route(from, to);
            self.index
                .find_route(from, to, &options, &mut search, &mut again);
            let plain = route.clone().unwrap_or_default();
            assert!(
                plain == again && plain == *of_batch,
                "{pair:?}: forms differ"
            );
            match (&route, ends) {
                (Some(route), [Some(start), Some(goal)]) => {
                    assert_eq!(route.areals.first(), Some(&start), "{pair:?}");
                    assert_eq!(route.areals.last(), Some(&goal), "{pair:?}");
                    self.check_path(route, pair);
                }
                (None, [Some(start), Some(goal)]) => {
                    assert!(!self.is_flooded(start, goal), "{pair:?}");
                }
                (route, _) => assert!(route.is_none(), "{pair:?}"),
            }
            lengths.push(route.map(|route| route.length.to_bits()));
        }
        let n_routes = lengths.iter().flatten().count();
        let sum = Checksum::from_results(&lengths, Checksum::add_index);
        println!(
            "{}/route: {n_routes} of {}, checksum {sum}",
            self.name,
            lengths.len()
        );
    }

    /// The path leads from end to end within the areals of the route, is as long as it says, and no longer than the
    /// route over the middles of portals, whose cost is its length here.
    fn check_path(&self, route: &ArealRoute, pair: &RouteRequest) {
        self.check_links(&route.areals);
        let ends = [route.path.first(), route.path.last()];
        assert_eq!(ends, [Some(&pair.from), Some(&pair.to)], "{pair:?}");
        let pieces = route.path.windows(2);
        let length: f32 = pieces.clone().map(|leg| leg[0].distance(leg[1])).sum();
        let is_same = (length - route.length).abs() <= 1e-4 * length + 1e-3;
        assert!(is_same, "{pair:?}: {length}, not {}", route.length);
        assert!(route.length <= route.cost * (1.0 + 1e-5), "{pair:?}");
        for piece in pieces {
            for part in [0.1, 0.3, 0.5, 0.7, 0.9] {
                let point = piece[0].lerp(piece[1], part);
                let is_inside = route.areals.iter().any(|&areal| self.is_at(areal, point));
                assert!(is_inside, "{pair:?}: {point}");
            }
        }
    }

    /// Each areal is beside the one before it.
    fn check_links(&self, areals: &[u32]) {
        for pair in areals.windows(2) {
            let is_beside = self.index.neighbors(pair[0]).contains(&pair[1]);
            assert!(is_beside, "{} to {}", pair[0], pair[1]);
        }
    }

    /// Whether an areal holds a point, or its border is there but for the rounding of the point.
    fn is_at(&self, areal: u32, point: Vec2) -> bool {
        self.holds(areal, point) || self.distance_to(areal, point) <= NEAR
    }

    fn is_flooded(&self, start: u32, goal: u32) -> bool {
        let mut is_reached = vec![false; self.index.n_areals()];
        let mut waiting = vec![start];
        while let Some(areal) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[areal as usize], true) {
                waiting.extend(self.index.neighbors(areal));
            }
        }
        is_reached[goal as usize]
    }
}
