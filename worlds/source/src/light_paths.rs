//! Which lamps light which models: what light meets on its way through the solid parts of a map.

use std::cell::LazyCell;

use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Map, SurfaceFlags};
use ironlands_assets_source::level::SourceLevel;
use ironlands_assets_source::level_scene::LightPath;
use ironlands_sim_brush::{BrushWorld, CastHit, CastScratch, ContentBits, ShapeCast};

use crate::brush_map::{brush_world, content_bits};

/// What holds light up: neither glass nor water, and no figures.
const OPAQUE: ContentBits = content_bits(Contents::MASK_OPAQUE);
/// Surfaces that show the sky.
const SKY: SurfaceFlags = SurfaceFlags::SKY.union(SurfaceFlags::SKY_2D);

/// Where light comes through in a level. Its solid parts are put together when the first light is looked for; static props
/// hold up none. Where they cannot be, no light is held up: opening the level fails for the same reason.
pub fn light_paths(level: &SourceLevel) -> impl Fn([f32; 3], [f32; 3]) -> LightPath {
    let brushes = LazyCell::new(|| brush_world(&level.map, &level.entities, &[]).ok());
    move |from, to| match &*brushes {
        Some(brushes) => light_path(brushes, &level.map, from.into(), to.into()),
        None => LightPath::Free,
    }
}

fn light_path(brushes: &BrushWorld, map: &Map, from: Vec3, to: Vec3) -> LightPath {
    let ray = ShapeCast::from_ray(from, to, OPAQUE);
    let met = CastScratch::with_thread_scratch(|scratch| brushes.cast_shape(&ray, scratch));
    match met.hit {
        // It begins in something solid and never comes out.
        None if met.all_solid => LightPath::Hidden,
        None => LightPath::Free,
        Some(hit) if is_sky(map, &hit) => LightPath::Sky,
        Some(_) => LightPath::Hidden,
    }
}

fn is_sky(map: &Map, hit: &CastHit) -> bool {
    let texinfo = hit.texinfo.and_then(|it| map.texinfos.get(it as usize));
    texinfo.is_some_and(|it| SurfaceFlags::from_bits_retain(it.flags).intersects(SKY))
}
