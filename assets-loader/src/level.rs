//! Sniffs what a path is and opens it as a level of its world.
