//! Questions on grounds made by hand.

mod edits;
mod layers;
mod lines;
mod steps;
