//! Pictures of the demo against golden ones, drawn on the software adapter where there is one.
//!
//! `BLESS=1 cargo test --test golden` writes the goldens; look at them before you commit. A failure leaves the
//! actual picture and the difference in `target/golden/`.

mod air;
mod compare;
mod effects;
mod enhanced;
mod geodata;
mod level;
mod models;
mod screens;
mod shading;
mod studio;
