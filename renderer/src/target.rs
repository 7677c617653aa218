//! What is drawn on: a picture in memory or a window, behind one view with a size.
//!
//! Both hold display-space values; a format that would encode again (`..Srgb`) is never chosen.

use crate::{Gpu, RenderError, capture::CaptureLayout};

/// The format of a picture in memory.
const OFFSCREEN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The color format that a [`crate::Renderer`] is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColorFormat(pub(crate) wgpu::TextureFormat);

/// Where one frame's colors go.
#[derive(Debug, Clone, Copy)]
pub struct TargetView<'a> {
    pub(crate) view: &'a wgpu::TextureView,
    /// Width and height in pixels, each at least 1.
    pub size: [u32; 2],
}

/// A picture in memory; [`crate::capture`] reads it back.
#[derive(Debug)]
pub struct OffscreenTarget {
    pub(crate) texture: wgpu::Texture,
    view: wgpu::TextureView,
    size: [u32; 2],
}

impl OffscreenTarget {
    /// Makes a picture of `size` pixels.
    ///
    /// # Errors
    /// [`RenderError::TargetSize`] if a side is 0 or more than the adapter draws, [`RenderError::TooLarge`] if
    /// the picture could not be read back in one piece, [`RenderError::OutOfMemory`] if there is no room.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, RenderError> {
        Self::with_format(gpu, size, ColorFormat(OFFSCREEN_FORMAT))
    }

    /// Makes a picture of `size` pixels that the renderer of a window can draw on, given the window's format.
    ///
    /// # Errors
    /// As [`OffscreenTarget::new`].
    pub fn with_format(
        gpu: &Gpu,
        size: [u32; 2],
        ColorFormat(format): ColorFormat,
    ) -> Result<Self, RenderError> {
        check_size(gpu, size)?;
        let [width, height] = size;
        let needed = CaptureLayout::from_size(size).n_bytes();
        let limit = gpu.caps().max_buffer_bytes;
        if needed > limit {
            return Err(RenderError::TooLarge {
                what: format!("reading back a picture of {width} x {height}"),
                needed,
                limit,
                unit: "bytes",
            });
        }
        gpu.guarded(format_args!("a picture of {width} x {height}"), || {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("offscreen target"),
                size: extent(size),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            Self {
                texture,
                view,
                size,
            }
        })
    }

    /// The format to make a renderer for.
    pub fn format(&self) -> ColorFormat {
        ColorFormat(self.texture.format())
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// What to draw on.
    pub fn view(&self) -> TargetView<'_> {
        TargetView {
            view: &self.view,
            size: self.size,
        }
    }
}

type MakeSurface = Box<
    dyn Fn(&wgpu::Instance) -> Result<wgpu::Surface<'static>, wgpu::CreateSurfaceError>
        + Send
        + Sync,
>;

/// A window's surface; keeps itself configured through resizes, vsync changes and losses.
pub struct WindowTarget {
    surface: wgpu::Surface<'static>,
    remake: MakeSurface,
    config: wgpu::SurfaceConfiguration,
    /// False while the window has no pixels, as a minimized one.
    has_pixels: bool,
}

impl WindowTarget {
    pub(crate) fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        remake: MakeSurface,
        size: [u32; 2],
        vsync: bool,
    ) -> Result<Self, RenderError> {
        let offered = surface.get_capabilities(&gpu.adapter).formats;
        let format = pick_format(&offered).ok_or_else(|| RenderError::NoSurfaceFormat {
            adapter: gpu.caps().adapter.clone(),
            offered: format!("{offered:?}"),
        })?;
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width: 1,
            height: 1,
            desired_maximum_frame_latency: 2,
            present_mode: present_mode(vsync),
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        };
        let mut target = Self {
            surface,
            remake,
            config,
            has_pixels: false,
        };
        target.resize(gpu, size)?;
        Ok(target)
    }

    /// The format to make a renderer for.
    pub fn format(&self) -> ColorFormat {
        ColorFormat(self.config.format)
    }

    /// Width and height in pixels of the next frame.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Takes the window's new inner size in pixels. A side of 0 (a minimized window) pauses drawing; a side
    /// beyond what the adapter draws shows the largest picture that it does, scaled by the window system.
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the window cannot be drawn on at this size.
    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<(), RenderError> {
        self.has_pixels = size.iter().all(|side| *side > 0);
        if self.has_pixels {
            [self.config.width, self.config.height] =
                size.map(|side| side.min(gpu.caps().max_texture_side));
            self.configure(gpu)?;
        }
        Ok(())
    }

    /// With `true` a frame waits for the display; with `false` it is shown at once.
    ///
    /// # Errors
    /// As [`WindowTarget::resize`].
    pub fn set_vsync(&mut self, gpu: &Gpu, vsync: bool) -> Result<(), RenderError> {
        self.config.present_mode = present_mode(vsync);
        if self.has_pixels {
            self.configure(gpu)?;
        }
        Ok(())
    }

    /// The next frame to draw on; `None` while the window cannot be seen, which is no error: try again later.
    ///
    /// # Errors
    /// [`RenderError::SurfaceLost`] or [`RenderError::NoSurface`] if a lost surface does not come back;
    /// [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the driver gives up.
    pub fn acquire(&mut self, gpu: &Gpu) -> Result<Option<WindowFrame>, RenderError> {
        if !self.has_pixels {
            return Ok(None);
        }
        gpu.guarded("the window's next frame", || self.acquire_or_repair(gpu))?
    }

    fn acquire_or_repair(&mut self, gpu: &Gpu) -> Result<Option<WindowFrame>, RenderError> {
        use wgpu::CurrentSurfaceTexture as Current;
        // A second attempt follows on repair; a surface that breaks twice in a row is gone.
        for _ in 0..2 {
            match self.surface.get_current_texture() {
                Current::Success(texture) | Current::Suboptimal(texture) => {
                    return Ok(Some(WindowFrame::new(texture)));
                }
                Current::Timeout | Current::Occluded => return Ok(None),
                Current::Outdated => self.surface.configure(&gpu.device, &self.config),
                Current::Lost => {
                    self.surface = (self.remake)(&gpu.instance)?;
                    self.surface.configure(&gpu.device, &self.config);
                }
                Current::Validation => return Err(RenderError::SurfaceLost),
            }
        }
        Err(RenderError::SurfaceLost)
    }

    fn configure(&self, gpu: &Gpu) -> Result<(), RenderError> {
        let [width, height] = self.size();
        gpu.guarded(format_args!("a window of {width} x {height}"), || {
            self.surface.configure(&gpu.device, &self.config);
        })
    }
}

/// One frame of a window: draw on its view, then present it.
pub struct WindowFrame {
    texture: wgpu::SurfaceTexture,
    view: wgpu::TextureView,
    size: [u32; 2],
}

impl WindowFrame {
    fn new(texture: wgpu::SurfaceTexture) -> Self {
        let view = texture
            .texture
            .create_view(&wgpu::TextureViewDescriptor::default());
        let size = [texture.texture.width(), texture.texture.height()];
        Self {
            texture,
            view,
            size,
        }
    }

    /// What to draw on.
    pub fn view(&self) -> TargetView<'_> {
        TargetView {
            view: &self.view,
            size: self.size,
        }
    }

    /// Shows the frame in the window.
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] and [`RenderError::Refused`] if the driver gives up.
    pub fn present(self, gpu: &Gpu) -> Result<(), RenderError> {
        gpu.guarded("to show a frame", || {
            gpu.queue.present(self.texture);
        })
    }
}

pub(crate) fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    }
}

pub(crate) fn check_size(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<(), RenderError> {
    let max_side = gpu.caps().max_texture_side;
    if (1..=max_side).contains(&width) && (1..=max_side).contains(&height) {
        Ok(())
    } else {
        Err(RenderError::TargetSize {
            width,
            height,
            max_side,
        })
    }
}

/// The first offered format that stores display-space values as they are.
fn pick_format(offered: &[wgpu::TextureFormat]) -> Option<wgpu::TextureFormat> {
    use wgpu::TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let is_display_space =
        |format: &&wgpu::TextureFormat| matches!(format, Bgra8Unorm | Rgba8Unorm);
    offered.iter().find(is_display_space).copied()
}

fn present_mode(vsync: bool) -> wgpu::PresentMode {
    if vsync {
        wgpu::PresentMode::AutoVsync
    } else {
        wgpu::PresentMode::AutoNoVsync
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_format_that_encodes_again_is_never_picked() {
        use wgpu::TextureFormat::{Bgra8Unorm, Bgra8UnormSrgb, Rgba8Unorm, Rgba16Float};
        assert_eq!(
            pick_format(&[Bgra8UnormSrgb, Rgba16Float, Bgra8Unorm, Rgba8Unorm]),
            Some(Bgra8Unorm)
        );
        assert_eq!(pick_format(&[Bgra8UnormSrgb, Rgba16Float]), None);
    }
}
