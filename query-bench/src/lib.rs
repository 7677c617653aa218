//! What the query path is measured with: triangles and queries in, results and nanoseconds out.
//!
//! - [`mesh`]: plain triangles, from a demo level, a file or [`synthetic`], a seeded generator
//! - [`queries`]: the sets of queries, from a seed or from the files that [`files`] reads
//! - [`peer`]: the common interface of all libraries; [`ours`] and [`peers`] implement it
//! - [`plain`]: the slow method that decides which result is right
//! - [`geodata`]: a plain loader of geodata and the regions to measure it on
//! - [`race`]: the clock; [`checksum`]: whether two runs did the same work
//!
//! Deliberately absent: any query of our own (`sim`), printing, statistics (criterion). Only benches, examples and
//! tests depend on this crate, never the program.

pub mod checksum;
pub mod files;
pub mod geodata;
pub mod mesh;
pub mod ours;
pub mod peer;
pub mod peers;
pub mod plain;
pub mod queries;
pub mod race;
pub mod random;
pub mod synthetic;

pub use checksum::Checksum;
pub use mesh::Mesh;
pub use ours::Ours;
pub use peer::{Form, Found, Peer, QueryRun};
pub use queries::{Queries, RayQuery};
