//! Queries of hand-made geodata.

mod edits;
mod layers;
mod lines;
mod steps;
