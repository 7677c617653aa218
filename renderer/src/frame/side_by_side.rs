//! Two pictures side by side in one target, such as those of two scenes, each drawn by a renderer of its own.

use super::Renderer;
use crate::{
    Gpu, HudFrame, RenderError, TargetView,
    passes::{beside::BesidePass, picture_pass::Picture},
    target::check_size,
};

/// A picture to draw on, which a renderer places beside another one.
#[derive(Debug)]
pub struct SidePicture {
    picture: Picture,
    size: [u32; 2],
}

impl SidePicture {
    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// What to draw on.
    pub fn view(&self) -> TargetView<'_> {
        TargetView {
            view: &self.picture.view,
            size: self.size,
        }
    }
}

impl Renderer {
    /// Makes a picture of `size` pixels, for this renderer and others of the same format to draw on.
    ///
    /// # Errors
    /// [`RenderError::TargetSize`] if a side is 0 or more than the adapter draws, [`RenderError::OutOfMemory`] if there
    /// is no room.
    pub fn side_picture(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<SidePicture, RenderError> {
        check_size(gpu, size)?;
        let [width, height] = size;
        gpu.guarded(format_args!("a picture of {width} x {height}"), || {
            let pass = self
                .beside
                .get_or_insert_with(|| BesidePass::new(gpu, &self.layouts, self.targets.color));
            SidePicture {
                picture: pass.picture(gpu, &self.layouts, size),
                size,
            }
        })
    }

    /// Places two pictures that [`side_picture`](Self::side_picture) of this renderer made in a target, the first at the
    /// left edge and the second beside it, and paints the user interface over both. Pixels stay as they were drawn; what
    /// goes beyond the target is cut off, and what they leave is black.
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the driver gives up.
    pub fn place_side_by_side(
        &mut self,
        gpu: &Gpu,
        pictures: [&SidePicture; 2],
        target: TargetView<'_>,
        mut hud: Option<HudFrame>,
    ) -> Result<(), RenderError> {
        let placed = gpu.guarded("two pictures side by side", || {
            let descriptor = wgpu::CommandEncoderDescriptor {
                label: Some("side by side"),
            };
            let mut encoder = gpu.device.create_command_encoder(&descriptor);
            if let Some(pass) = &self.beside {
                let pictures = pictures.map(|side| (&side.picture, side.size));
                pass.draw(&mut encoder, pictures, target);
            }
            let of_hud = (hud.as_ref()).map(|hud| self.hud.draw(gpu, &mut encoder, target, hud));
            let commands = of_hud.into_iter().flatten();
            gpu.queue.submit(commands.chain([encoder.finish()]));
        });
        if let Some(hud) = &mut hud {
            self.hud.free(&mut hud.textures_delta);
        }
        placed
    }
}
