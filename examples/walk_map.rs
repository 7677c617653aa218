//! Walks through the demo map on foot, as its own collision and stairs allow, and draws a picture every second.
//!
//! ```sh
//! cargo run --release --example walk_map -- tour
//! ```
//!
//! You should see where the walker was at each second and what it stood on, and find 640x360 pictures in the folder
//! `tour`, which must not be there: out of the hall, through the colonnade, up the stairs to the balcony, down the
//! ladder, and into the pool.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::path::{Path, PathBuf};

use glam::{Vec2, Vec3};
use ironlands::console::output::{Existing, write_png};
use ironlands::renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, SceneGpu,
    capture,
};
use ironlands::scene::Scene;
use ironlands::sim::world::{WalkInput, Walker, World};
use ironlands::worlds::source::{SourceOptions, SourceWorld, open_level};

const MAP: &str = "DATA/SOURCE/demo.bsp";
/// Corners of the way, seen from above.
const WAY: [[f32; 2]; 12] = [
    [-120.0, 0.0],
    [120.0, 0.0],
    [200.0, -260.0],
    [300.0, -430.0],
    [800.0, -430.0],
    [968.0, -120.0],
    [968.0, 400.0],
    [800.0, 440.0],
    [600.0, 440.0],
    [400.0, 330.0],
    [300.0, 0.0],
    [520.0, 0.0],
];
const STEP_SECS: f32 = 1.0 / 120.0;
const STEPS_PER_PICTURE: usize = 120;
/// A corner counts as reached this near to it, or after this many steps.
const NEAR: f32 = 24.0;
const MOST_STEPS: usize = 900;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else {
        return Err("usage: walk_map NEW_FOLDER".into());
    };
    std::fs::create_dir(&folder)?;
    let level = open_level(Path::new(MAP), &[], &SourceOptions::default())?;
    let map = &level.files;
    let world = SourceWorld::new(&map.map, &map.entities, &[])?;
    let mut painter = Painter::new(&level.scene)?;

    let gait = world.gait().ok_or("the map has no walking characters")?;
    let spawn = level.scene.spawns.first().ok_or("the map has no spawn")?;
    let mut walker = Walker::new(spawn.position.into(), gait.eye_height);
    let mut n_steps = 0;
    for corner in WAY.map(Vec2::from) {
        for _ in 0..MOST_STEPS {
            let ahead = corner - walker.feet.truncate();
            if ahead.length() < NEAR {
                break;
            }
            let ahead = ahead.normalize();
            if n_steps % STEPS_PER_PICTURE == 0 {
                let path = folder.join(format!("{:03}.png", n_steps / STEPS_PER_PICTURE));
                painter.paint(&path, walker.eye(), ahead)?;
                report(n_steps, &walker);
            }
            let wish = WalkInput {
                view: ahead.extend(0.0),
                right: Vec3::new(ahead.y, -ahead.x, 0.0),
                ahead: 1.0,
                speed: gait.speed,
                ..WalkInput::default()
            };
            world.walk(&mut walker, &wish, STEP_SECS);
            n_steps += 1;
        }
    }
    report(n_steps, &walker);
    Ok(())
}

fn report(n_steps: usize, walker: &Walker) {
    let Vec3 { x, y, z } = walker.feet;
    let on = match (walker.on_ladder(), walker.on_ground) {
        (true, _) => "a ladder",
        (false, true) => "the ground",
        (false, false) => "nothing",
    };
    let secs = n_steps as f32 * STEP_SECS;
    println!("{secs:5.1} s  {x:7.1} {y:7.1} {z:7.1}  on {on}");
}

/// What pictures are drawn with.
struct Painter {
    gpu: Gpu,
    target: OffscreenTarget,
    renderer: Renderer,
    scene: SceneGpu,
}

impl Painter {
    fn new(scene: &Scene) -> Result<Self, Box<dyn Error>> {
        let gpu = Gpu::offscreen(&GpuOptions::default())?;
        let target = OffscreenTarget::new(&gpu, [640, 360])?;
        let mut renderer = Renderer::new(&gpu, target.format(), RenderSettings::new(1, 1)?)?;
        let scene = renderer.upload(&gpu, scene)?;
        Ok(Self {
            gpu,
            target,
            renderer,
            scene,
        })
    }

    fn paint(&mut self, path: &Path, eye: Vec3, ahead: Vec2) -> Result<(), Box<dyn Error>> {
        let state = FrameState {
            camera: Camera {
                position: eye,
                yaw_rad: ahead.to_angle(),
                ..Camera::default()
            },
            ..FrameState::default()
        };
        let view = self.target.view();
        self.renderer
            .draw(&self.gpu, &self.scene, &state, view, None)?;
        write_png(path, Existing::Keep, capture(&self.gpu, &self.target)?)?;
        Ok(())
    }
}
