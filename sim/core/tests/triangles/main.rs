//! The triangle index: what it promises, fact by fact, and equality with plain loops over all faces.

mod agreement;
mod brute_force;
mod common;
mod contents;
mod exact;
mod facts;
mod hostile;
mod plain;
mod soup;
mod touching;
mod watertight;
mod worlds;
