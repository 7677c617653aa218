//! Wavefront OBJ as text, with its MTL.
//!
//! OBJ has +Y up and counts v from a picture's last row; models have +Z up and count from the first. Both ways turn
//! the one into the other: x, y, z of a model is x, z, -y in the file, and v is 1 - v.

mod read;
mod write;

pub use self::read::{FORMAT, ObjCorner, ObjVisitor, at_most, read_obj_text};
pub use self::write::{MtlText, ObjText, ObjVertex, one_word};
