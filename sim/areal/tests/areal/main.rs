//! Areals: what the index promises, and the index against plain methods.

mod checks;
mod common;
mod filter;
mod hostile;
mod lookup;
mod nearest;
mod paths;
mod plain;
mod routes;
mod straight_walk;
