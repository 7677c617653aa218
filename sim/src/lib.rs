//! Answers on the CPU: heights, rays, boxes, areas, routes, animation poses.
//!
//! In: typed files from `assets-loader`, read once into immutable, `Sync` indices. Out: plain answers to plain
//! questions, in engine axes (right-handed, +Z up) and the world's own length unit. A batch form takes slices in
//! and out, runs on rayon and answers bit for bit what single calls answer, whatever the number of threads.
//!
//! Deliberately absent: reading bytes, drawing, windows, time. Nothing here changes after it is built, except
//! instances, which their owner moves between queries.
//!
//! Where numbers of files arrive (`animation`, `areal`, `brush`, `figure`, `geodata`, `motion`, `terrain`, `world`), the
//! root of each module denies indices that may panic and sums that may overflow; an `expect` names what is proven, and
//! why.

pub mod animation;
pub mod areal;
pub mod brush;
pub mod figure;
pub mod geodata;
pub mod motion;
pub mod terrain;
pub mod world;

pub use ironlands_sim_core::{MaskFilter, Ray, instances, triangles};
use ironlands_sim_core::{RowMatrix, ray_triangle};
