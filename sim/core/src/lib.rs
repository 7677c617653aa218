//! Queries over triangles, and over instances of them: heights, ray casts, shape casts, closest points, overlap tests.
//!
//! In: plain arrays, taken once into immutable, `Sync` indices. Out: plain results in the axes (right-handed, +Z up)
//! and the length unit of what was given. A batch takes slices in and out, runs on rayon and returns bit for bit what
//! single calls return, whatever the number of threads and the SIMD level.
//!
//! Constructors check every index; loops then only index tables of their own, which is why this crate does not need
//! the lints against indexing that crates with readers have.
//!
//! Deliberately absent: files, worlds, animation. Nothing changes after it is built, except instances, which their
//! owner moves between queries.

pub mod bvh;
pub mod instances;
mod mask_filter;
mod ray;
pub mod ray_triangle;
mod row_matrix;
pub mod triangles;

pub use mask_filter::MaskFilter;
pub use ray::Ray;
pub use row_matrix::RowMatrix;
