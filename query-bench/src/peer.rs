//! The common interface of all libraries, so that one clock measures all of them. A peer is another library.
//!
//! A [`Peer`] turns a slice of queries into a [`QueryRun`]: queries in its own types and memory for
//! results, made before the clock runs. What only a peer's ray constructor can precompute (a reciprocal of the
//! direction, say) is part of its query and is timed, as a caller with a new ray would pay for it.

use crate::RayQuery;
use glam::Vec3;
use ironlands_sim_core::triangles::Overlap;
use rayon::prelude::*;
use std::hint::black_box;

/// The least size of a rayon task for libraries without a batch form, as ours has it.
const MIN_QUERIES_PER_TASK: usize = 64;

/// A triangle and where it was hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The triangle, by its position in the mesh.
    pub triangle: u32,
    /// Ray parameter or distance, world units; for heights the depth below the query point.
    pub at: f32,
}

/// How a set of queries is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One call after another on the calling thread.
    Single,
    /// All at once on the threads of the current rayon pool: the library's batch form if it has one, else a parallel
    /// loop.
    Batch,
}

/// A set of queries, prepared for one library.
pub trait QueryRun<A> {
    /// Runs all of them. This is what is timed; nothing is allocated but what the queries themselves allocate.
    fn run(&mut self);

    /// The results, in the order of the queries. Not timed.
    fn results(&mut self) -> Vec<A>;
}

/// A set of queries for one peer, of whatever type.
pub type Boxed<'a, A> = Box<dyn QueryRun<A> + 'a>;

/// A library that runs queries on a [`Mesh`](crate::Mesh). `None`: there is no such query.
pub trait Peer: Sync {
    /// The name of the library in tables.
    fn name(&self) -> &'static str;

    /// Its version.
    fn version(&self) -> String;

    /// Bytes that queries read, the triangles included; `None` if it does not say.
    fn memory_bytes(&self) -> Option<usize> {
        None
    }

    /// The first triangle straight below each point.
    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>>;

    /// The nearest triangle on each ray, hit from either side.
    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>>;

    /// Whether anything is on each ray.
    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>>;

    /// The triangles in each box `[min, max]`, in any order.
    fn boxes<'a>(
        &'a self,
        boxes: &'a [[Vec3; 2]],
        overlap: Overlap,
        form: Form,
    ) -> Option<Boxed<'a, Vec<u32>>>;

    /// The triangle nearest to each point, however far.
    fn nearest<'a>(&'a self, points: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>>;
}

/// A peer's triangle and where it is, in the common form.
pub(crate) fn found<Q>(_: &Q, hit: Option<(u32, f32)>) -> Option<Found> {
    hit.map(|(triangle, at)| Found { triangle, at })
}

/// Queries that are run one at a time: `run_query` runs one, `convert` turns its result into the common form later.
pub struct PerQuery<'a, Q, B, F, C> {
    queries: &'a [Q],
    run_query: F,
    convert: C,
    form: Form,
    results: Vec<B>,
}

impl<'a, Q, B, A, F, C> PerQuery<'a, Q, B, F, C>
where
    Q: Sync,
    B: Clone + Default + Send + 'a,
    F: Fn(&Q) -> B + Sync + 'a,
    C: Fn(&Q, B) -> A + 'a,
    A: 'a,
{
    /// Queries in the peer's own types.
    pub fn boxed(queries: &'a [Q], form: Form, run_query: F, convert: C) -> Option<Boxed<'a, A>> {
        let results = match form {
            Form::Single => Vec::new(),
            Form::Batch => vec![B::default(); queries.len()],
        };
        Some(Box::new(Self {
            queries,
            run_query,
            convert,
            form,
            results,
        }))
    }
}

impl<Q, B, A, F, C> QueryRun<A> for PerQuery<'_, Q, B, F, C>
where
    Q: Sync,
    B: Clone + Default + Send,
    F: Fn(&Q) -> B + Sync,
    C: Fn(&Q, B) -> A,
{
    fn run(&mut self) {
        let queries = black_box(self.queries);
        match self.form {
            Form::Single => {
                for query in queries {
                    black_box((self.run_query)(query));
                }
            }
            Form::Batch => self
                .results
                .par_iter_mut()
                .zip(queries)
                .with_min_len(MIN_QUERIES_PER_TASK)
                .for_each(|(result, query)| *result = (self.run_query)(query)),
        }
        black_box(&self.results);
    }

    fn results(&mut self) -> Vec<A> {
        let queries = self.queries.iter();
        queries
            .map(|query| (self.convert)(query, (self.run_query)(query)))
            .collect()
    }
}

/// Box queries that are run one at a time into lists, which keep what they have allocated.
pub struct PerBox<'a, F> {
    boxes: &'a [[Vec3; 2]],
    gather: F,
    form: Form,
    /// One list of which all boxes make use in turn, or one for each.
    lists: Vec<Vec<u32>>,
}

impl<'a, F: Fn(&[Vec3; 2], &mut Vec<u32>) + Sync + 'a> PerBox<'a, F> {
    /// `gather` replaces what the list held.
    pub fn boxed(boxes: &'a [[Vec3; 2]], form: Form, gather: F) -> Option<Boxed<'a, Vec<u32>>> {
        let n_lists = match form {
            Form::Single => 1,
            Form::Batch => boxes.len(),
        };
        Some(Box::new(Self {
            boxes,
            gather,
            form,
            lists: vec![Vec::new(); n_lists],
        }))
    }
}

impl<F: Fn(&[Vec3; 2], &mut Vec<u32>) + Sync> QueryRun<Vec<u32>> for PerBox<'_, F> {
    fn run(&mut self) {
        let boxes = black_box(self.boxes);
        match self.form {
            Form::Single => {
                for query in boxes {
                    (self.gather)(query, &mut self.lists[0]);
                    black_box(&self.lists);
                }
            }
            Form::Batch => self
                .lists
                .par_iter_mut()
                .zip(boxes)
                .for_each(|(list, query)| (self.gather)(query, list)),
        }
    }

    fn results(&mut self) -> Vec<Vec<u32>> {
        let mut list = Vec::new();
        let boxes = self.boxes.iter();
        boxes
            .map(|query| {
                (self.gather)(query, &mut list);
                list.clone()
            })
            .collect()
    }
}

/// Queries that are run by one call: `run_query` fills the slice, `convert` turns it into the common form later.
pub struct InBatch<B, F, C> {
    run_query: F,
    convert: C,
    results: Vec<B>,
}

impl<'a, B, A, F, C> InBatch<B, F, C>
where
    B: Clone + Default + 'a,
    F: Fn(&mut [B]) + 'a,
    C: Fn(usize, &B) -> A + 'a,
    A: 'a,
{
    /// Memory for `n` results.
    pub fn boxed(n: usize, run_query: F, convert: C) -> Option<Boxed<'a, A>> {
        Some(Box::new(Self {
            run_query,
            convert,
            results: vec![B::default(); n],
        }))
    }
}

impl<B, A, F: Fn(&mut [B]), C: Fn(usize, &B) -> A> QueryRun<A> for InBatch<B, F, C> {
    fn run(&mut self) {
        (self.run_query)(black_box(&mut self.results));
        black_box(&self.results);
    }

    fn results(&mut self) -> Vec<A> {
        (self.run_query)(&mut self.results);
        let results = self.results.iter().enumerate();
        results
            .map(|(i, result)| (self.convert)(i, result))
            .collect()
    }
}
