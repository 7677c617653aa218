//! Models to glTF and OBJ, and back.

mod base;
mod common;
mod conversions;
#[path = "../../../../exchange/tests/common/glb.rs"]
mod glb;
mod glb_export;
mod land;
mod left_out;
mod obj_export;
mod obj_import;
mod round_trip;
