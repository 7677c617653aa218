//! The nearest faces, and what moving spheres and capsules touch: fact by fact, and equality with plain loops over
//! all faces.

#[path = "../triangles/common.rs"]
#[allow(dead_code, reason = "every target uses its share")]
mod common;
mod nearest;
mod nearest_facts;
mod plain;
mod slide;
#[path = "../triangles/soup.rs"]
mod soup;
mod sweep;
mod sweep_facts;
mod terrain;
