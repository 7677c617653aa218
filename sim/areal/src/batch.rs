//! Routes of many agents on all threads.

use super::{ArealIndex, ArealRoute, RouteOptions, RouteSearch};
use glam::Vec2;
use rayon::prelude::*;

/// Routes that one rayon task takes at least, so that its scratch memory pays.
const MIN_ROUTES_PER_TASK: usize = 64;

/// Where an agent is and where it wants to go, in the ground plane, world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteRequest {
    /// Start.
    pub from: Vec2,
    /// Goal.
    pub to: Vec2,
}

impl ArealIndex {
    /// [`find_route`](Self::find_route) for many requests on all threads, each task with its own scratch memory.
    /// Reuses the memory of `routes`; a request without a route leaves an empty one.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn find_route_batch(
        &self,
        requests: &[RouteRequest],
        options: &RouteOptions,
        routes: &mut [ArealRoute],
    ) {
        assert_eq!(requests.len(), routes.len(), "one route a request");
        routes
            .par_iter_mut()
            .zip(requests)
            .with_min_len(MIN_ROUTES_PER_TASK)
            .for_each_init(RouteSearch::default, |search, (route, request)| {
                self.find_route(request.from, request.to, options, search, route);
            });
    }
}
