//! Queries on the CPU: heights, ray casts, shape casts, areals, routes, poses.
//!
//! The facade over the crates of the folders beside this one, each of which can be used alone. In: plain arrays or
//! typed files, read once into immutable, `Sync` indices. Out: plain results in engine axes (right-handed, +Z up) and
//! the world's own length unit. A batch takes slices in and out, runs on rayon and returns bit for bit what single
//! calls return, whatever the number of threads and the SIMD level.
//!
//! Deliberately absent: reading bytes, drawing, windows. Nothing here changes after it is built, except instances,
//! which their owner moves between queries.

pub use ironlands_sim_animation as animation;
pub use ironlands_sim_areal as areal;
pub use ironlands_sim_brush as brush;
pub use ironlands_sim_core::{MaskFilter, Ray, instances, triangles};
pub use ironlands_sim_entities as entities;
pub use ironlands_sim_geodata as geodata;
pub use ironlands_sim_world as world;
