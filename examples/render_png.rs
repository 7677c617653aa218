//! Draws a level into a PNG without opening a window.
//!
//! ```sh
//! cargo run --example render_png -- DATA/MAPS/Map01 map01.png
//! ```
//!
//! You should see the adapter, how much was drawn, and `map01.png`: the level from its first spawn.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::path::Path;

use glam::Vec3;
use ironlands::console::output::{Existing, write_png};
use ironlands::kind::OpenOptions;
use ironlands::renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, capture,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(level_path), Some(picture_path)) = (args.next(), args.next()) else {
        return Err("usage: render_png LEVEL PICTURE.png".into());
    };

    // Bytes to scene: no device is needed for this.
    let options = OpenOptions::default();
    let (_, level) = ironlands::worlds::registry().open(Path::new(&level_path), &options)?;
    let spawn = level.scene.spawns.first().ok_or("the level has no spawn")?;

    // Scene to picture.
    let gpu = Gpu::offscreen(&GpuOptions::default())?;
    let target = OffscreenTarget::new(&gpu, [1280, 720])?;
    // Without a graphics card the best settings take very long.
    let settings = if gpu.caps().is_software {
        RenderSettings::new(1, 1)?
    } else {
        RenderSettings::default()
    };
    let mut renderer = Renderer::new(&gpu, target.format(), settings)?;
    let scene = renderer.upload(&gpu, &level.scene)?;
    let state = FrameState {
        camera: Camera {
            position: Vec3::from(spawn.position),
            yaw_rad: spawn.yaw_rad,
            pitch_rad: spawn.pitch_rad,
            ..Camera::default()
        },
        ..FrameState::default()
    };
    let stats = renderer.draw(&gpu, &scene, &state, target.view(), None)?;
    write_png(
        Path::new(&picture_path),
        Existing::Replace,
        capture(&gpu, &target)?,
    )?;

    println!("adapter    {}", gpu.caps().adapter);
    println!("triangles  {}", stats.triangles);
    println!("picture    {picture_path}");
    Ok(())
}
