//! Instances of shapes under transforms: the second level above triangle indices.

mod brute_force;
mod common;
mod crowd;
mod facts;
mod hostile;
