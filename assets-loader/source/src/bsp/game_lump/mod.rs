//! Lump 35: sub-lumps that a game keeps for itself, props above all. Dossier section 9.
//!
//! Two views, as of the whole file: [`GameLump`] is the container with the stored bytes of each sub-lump;
//! [`StaticProps`], [`DetailProps`] and [`DetailLights`] are the typed content of some of them. All others stay bytes.

mod detail_lights;
mod detail_props;
mod directory;
mod layout;
mod static_props;
#[cfg(test)]
mod tests;

pub use detail_lights::{DetailLight, DetailLights};
pub use detail_props::{DetailObject, DetailProps, DetailSprite};
pub use directory::{GameLump, SubLump, SubLumpId};
pub use layout::PropLayout;
pub use static_props::{ModelName, PropVersions, StaticProp, StaticProps};
