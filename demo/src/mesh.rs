//! Facets to `Land.msh`, which the loader numbers; neighbors are found by place.

use std::collections::BTreeSet;

use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_draft::{DraftFace, LandDraft, LandVertex};
use ironlands_assets_parkan::land_msh::{LandMsh, pack_normal, pack_uv};

use crate::DemoError;
use crate::landscape::Landscape;
use crate::rows;
use crate::surface::{Cover, Facet, GridPoint, TileFacets, ground_z};

/// Builds the terrain file's content.
pub fn land_msh(
    land: &Landscape,
    fine: &TileFacets,
    coarse: &TileFacets,
) -> Result<LandMsh, DemoError> {
    let lods = [fine, coarse].map(|tiles| {
        let tiles = tiles.iter().enumerate();
        let faces = |(tile, facets): (usize, &Vec<Facet>)| {
            let faces = facets.iter().map(|facet| face(land, tile, facet));
            faces.collect()
        };
        tiles.map(faces).collect()
    });
    let draft = LandDraft {
        cells_x: land.plan.n_tiles as u32,
        lods,
    };
    Ok(draft.build()?)
}

/// How many vertices the facets of a tile need, at all its levels of detail.
pub fn n_vertices(lods: [&Vec<Facet>; 2]) -> usize {
    let facets = lods.into_iter().flatten();
    let places = facets.flat_map(|facet| facet.points.map(|point| (facet.cover, point)));
    places.collect::<BTreeSet<_>>().len()
}

fn face(land: &Landscape, tile: usize, facet: &Facet) -> DraftFace {
    let (first_material, second_material) = rows::of_cover(facet.cover);
    DraftFace {
        flags: face_flags(land, facet),
        first_material,
        second_material,
        corners: facet
            .points
            .map(|point| vertex(land, tile, facet.cover, point)),
    }
}

fn vertex(land: &Landscape, tile: usize, cover: Cover, point: GridPoint) -> LandVertex {
    let plan = &land.plan;
    let position = position(land, cover, point);
    let (x, y) = (f64::from(position[0]), f64::from(position[1]));
    let normal = match cover {
        Cover::Water => [0.0, 0.0, 1.0],
        Cover::Ground { .. } => land.heights.normal(x, y, plan.quad_size() * 0.4),
    };
    let origin =
        [tile / plan.n_tiles, tile % plan.n_tiles].map(|t| (t * plan.quads_per_tile) as f32);
    let quads = point.map(|p| f32::from(p) / 2.0);
    let mapped = |repeats: f32| [0, 1].map(|k| quads[k] * repeats - (origin[k] * repeats).floor());
    let micro_uv_per_quad = (plan.quad_size() / MICROTEXTURE_SIZE) as f32;
    LandVertex {
        position,
        normal: pack_normal(normal.map(|v| v as f32), 0),
        uv0: pack_uv(mapped(UV0_PER_QUAD)),
        micro_uv: pack_uv(mapped(micro_uv_per_quad)),
        second_weight: cover.second_weight(land, point) as f32,
    }
}

/// Repeats of textures along a quad: a texture covers 2 x 2 quads.
const UV0_PER_QUAD: f32 = 0.5;

/// World units that a microtexture covers, as in the retail levels.
const MICROTEXTURE_SIZE: f64 = 20.0;

fn position(land: &Landscape, cover: Cover, point: GridPoint) -> [f32; 3] {
    let n_half_quads = (2 * land.plan.n_quads()) as f64;
    let [x, y] = point.map(|p| (f64::from(p) * land.plan.world_size() / n_half_quads) as f32);
    let z = match cover {
        Cover::Water => land.plan.water_level,
        Cover::Ground { .. } => ground_z(land, point),
    };
    [x, y, z as f32]
}

/// The surface mask of a face, as the retail levels have it.
fn face_flags(land: &Landscape, facet: &Facet) -> FaceFlags {
    let common = FaceFlags::from_bits_retain(POINT_LIGHTS) | FaceFlags::MICROTEXTURE;
    let Cover::Ground { second, .. } = facet.cover else {
        return common | FaceFlags::WATER | FaceFlags::TWO_SIDED;
    };
    let heights = facet.points.map(|point| ground_z(land, point));
    let is_bed = heights.iter().all(|z| *z < land.plan.water_level);
    let mut flags = common | FaceFlags::from_bits_retain(NO_LAVA);
    flags.set(FaceFlags::SECOND_MATERIAL, second.is_some());
    flags.set(FaceFlags::LIQUID_BED, is_bed);
    flags
}

/// Lamps light the face: set on all faces.
const POINT_LIGHTS: u32 = 0x200;
/// Set on all faces but lava and its bed.
const NO_LAVA: u32 = 0x10_0000;
