//! Walks from the spawn.

use crate::maps::Loaded;
use glam::Vec3;
use ironlands_assets_source::bsp::Contents;
use ironlands_sim_brush::{CastScratch, ContentBits, ShapeCast};
use ironlands_sim_world::{WalkInput, Walker, World};
use ironlands_world_source::content_bits;
use libtest_mimic::Failed;

const STEP_SECS: f32 = 1.0 / 120.0;
const MASK: ContentBits = content_bits(Contents::MASK_PLAYER_SOLID_BRUSH_ONLY);

/// Eight ways for ten seconds each, slowly and fast, now and then jumping and ducking: never in solid, never below the
/// world, and somewhere else in the end.
pub fn tour(loaded: &Loaded) -> Result<(), Failed> {
    let world = &loaded.world;
    let gait = world.gait().ok_or("no gait")?;
    let lowest = loaded.map.models[0].mins[2];
    let mut farthest = 0.0_f32;
    for (i, speed) in (0..16).map(|i| (i, if i < 8 { gait.speed } else { gait.speeds[1] })) {
        let yaw_rad = i as f32 * std::f32::consts::FRAC_PI_4;
        let view = Vec3::new(yaw_rad.cos(), yaw_rad.sin(), 0.0);
        let mut walker = Walker::new(loaded.spawn + Vec3::Z * gait.eye_height, gait.eye_height);
        for step in 0..1200 {
            let wish = WalkInput {
                view,
                right: view.cross(Vec3::Z),
                ahead: 1.0,
                aside: if step % 400 < 100 { 0.5 } else { 0.0 },
                speed,
                jump: step % 240 > 200,
                crouch: step % 300 > 220,
            };
            world.walk(&mut walker, &wish, STEP_SECS);
            check(loaded, &walker, lowest).map_err(|e| format!("way {i}, step {step}: {e}"))?;
        }
        farthest = farthest.max(walker.feet.distance(loaded.spawn));
    }
    if farthest < 200.0 {
        return Err(format!("came only {farthest} far").into());
    }
    Ok(())
}

fn check(loaded: &Loaded, walker: &Walker, lowest: f32) -> Result<(), String> {
    if !walker.feet.is_finite() || walker.feet.z < lowest {
        return Err(format!("out of the world: {walker:?}"));
    }
    let height = if walker.crouched { 36.0 } else { 72.0 };
    let bounds = [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, height)];
    let still = ShapeCast::from_box(walker.feet, walker.feet, bounds, MASK);
    let trace = loaded
        .world
        .brushes()
        .cast_shape(&still, &mut CastScratch::default());
    if trace.start_solid {
        return Err(format!("in solid: {walker:?}"));
    }
    Ok(())
}
