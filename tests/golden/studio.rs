//! A device, a renderer and a target.

use std::path::PathBuf;

use image::RgbaImage;
use ironlands_renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, SceneGpu,
    capture,
};
use ironlands_scene::{Scene, TileShape};
use ironlands_sim::world::World;

pub struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    target: OffscreenTarget,
}

impl Studio {
    pub fn open(size: [u32; 2]) -> Self {
        let software = GpuOptions {
            force_software: true,
        };
        let gpu = Gpu::offscreen(&software)
            .or_else(|_| Gpu::offscreen(&GpuOptions::default()))
            .expect("a Vulkan driver: ./test installs one");
        let target = OffscreenTarget::new(&gpu, size).expect("a small target");
        let renderer =
            Renderer::new(&gpu, target.format(), RenderSettings::default()).expect("a renderer");
        Self {
            gpu,
            renderer,
            target,
        }
    }

    pub fn upload(&mut self, scene: &Scene) -> SceneGpu {
        let uploaded = self.renderer.upload(&self.gpu, scene);
        uploaded.expect("the scene fits the device")
    }

    /// Makes all tiles that a picture needs.
    pub fn fill_land(
        &self,
        scene: &mut SceneGpu,
        world: &dyn World,
        state: &FrameState,
        shape: TileShape,
    ) {
        loop {
            scene.choose_tiles(state, self.target.size());
            let wanted = scene.wanted_tiles().to_vec();
            if wanted.is_empty() {
                return;
            }
            for key in wanted {
                let tile = world.tile(key, shape.into()).expect("a world of tiles");
                scene.add_tile(&self.gpu, &tile).expect("room for a tile");
            }
        }
    }

    pub fn shoot(&mut self, scene: &SceneGpu, state: &FrameState) -> RgbaImage {
        let view = self.target.view();
        self.renderer
            .draw(&self.gpu, scene, state, view, None)
            .expect("a frame is drawn");
        capture(&self.gpu, &self.target).expect("the picture comes back")
    }
}

pub fn camera_at([x, y, z, yaw, pitch]: [f32; 5]) -> Camera {
    Camera {
        position: glam::Vec3::new(x, y, z),
        yaw_rad: yaw.to_radians(),
        pitch_rad: pitch.to_radians(),
        ..Camera::default()
    }
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
