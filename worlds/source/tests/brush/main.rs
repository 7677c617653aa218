//! Boxes and rays among the brushes of made maps, against plain methods; walks through them.

mod bodies;
mod brute_force;
mod common;
mod displacements;
mod entities;
mod facts;
mod hostile;
mod level;
mod light;
mod living;
mod walk;
