//! Queries of hand-made geodata.

mod edits;
mod grid_lines;
mod layers;
mod lines;
mod steps;
