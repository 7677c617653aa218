//! Reads a frame back to an image.

use image::RgbaImage;

use crate::{Gpu, OffscreenTarget, RenderError};

/// Reads what was drawn on `target`: display-space values, first row first. Waits for the device.
///
/// # Errors
/// [`RenderError::OutOfMemory`] if there is no room for it, [`RenderError::Refused`] and [`RenderError::Capture`]
/// if the device does not hand the picture over.
pub fn capture(gpu: &Gpu, target: &OffscreenTarget) -> Result<RgbaImage, RenderError> {
    let [width, height] = target.view().size;
    let layout = CaptureLayout::from_size([width, height]);
    let buffer = gpu.guarded(
        format_args!("reading back a picture of {width} x {height}"),
        || copy_to_buffer(gpu, target, &layout),
    )?;

    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver is gone only if polling failed, which is reported there.
        let _ = sender.send(result);
    });
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(failed)?;
    receiver.recv().map_err(failed)?.map_err(failed)?;
    let mapped = buffer.get_mapped_range(..).map_err(failed)?;
    let mut pixels = Vec::new();
    pixels
        .try_reserve_exact(layout.row_bytes as usize * height as usize)
        .map_err(failed)?;
    for row in mapped.chunks_exact(layout.padded_row_bytes as usize) {
        pixels.extend_from_slice(&row[..layout.row_bytes as usize]);
    }
    // Targets made for windows may hold blue first.
    if target.texture.format() == wgpu::TextureFormat::Bgra8Unorm {
        for pixel in pixels.chunks_exact_mut(4) {
            pixel.swap(0, 2);
        }
    }
    Ok(RgbaImage::from_raw(width, height, pixels).expect("width * height * 4 bytes were copied"))
}

/// How a picture lies in the buffer that it is read back through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaptureLayout {
    row_bytes: u32,
    /// From one row to the next, as copies want it.
    padded_row_bytes: u32,
    n_rows: u32,
}

impl CaptureLayout {
    /// Of a picture of this width and height in pixels, which the adapter can draw.
    pub fn from_size([width, height]: [u32; 2]) -> Self {
        let row_bytes = width * 4;
        Self {
            row_bytes,
            padded_row_bytes: row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT),
            n_rows: height,
        }
    }

    /// Size of the buffer.
    pub fn n_bytes(&self) -> u64 {
        u64::from(self.padded_row_bytes) * u64::from(self.n_rows)
    }
}

fn copy_to_buffer(gpu: &Gpu, target: &OffscreenTarget, layout: &CaptureLayout) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("capture"),
        size: layout.n_bytes(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu
        .device
        .create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("capture"),
        });
    encoder.copy_texture_to_buffer(
        target.texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(layout.padded_row_bytes),
                rows_per_image: None,
            },
        },
        target.texture.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    buffer
}

fn failed(error: impl std::error::Error) -> RenderError {
    RenderError::Capture {
        reason: error.to_string(),
    }
}
