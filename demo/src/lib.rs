//! demo
pub mod landscape;
pub mod noise;
pub mod surface;
#[cfg(test)]
mod preview;
