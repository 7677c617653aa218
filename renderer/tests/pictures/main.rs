//! What is in a picture, from the scene's own numbers. Tolerances of 1 are for rounding to 8 bits.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "levels of detail are lists of ranges"
)]

mod added_light;
mod baked;
mod blob_shadows;
mod bloom;
mod cells;
mod changes;
mod day;
mod deep_water;
mod effects;
mod foliage;
mod grading;
mod highlights;
mod layered_ground;
mod layers;
mod models;
mod morphs;
mod occlusion;
mod overlays;
mod painted_sky;
mod particles;
mod refracting;
mod refracting_water;
mod resolution;
mod side_by_side;
mod skins;
mod sky;
mod sky_box;
mod soft_edges;
mod stage;
mod surfaces;
mod tiles;
mod visibility;
mod water;
