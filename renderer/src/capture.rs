//! Reads a frame back to an image.

use image::RgbaImage;

use crate::{Gpu, OffscreenTarget, RenderError};

/// Reads what was drawn on `target`: display-space values, first row first. Waits for the device.
///
/// # Errors
/// [`RenderError::Capture`] if the device does not hand the picture over.
pub fn capture(gpu: &Gpu, target: &OffscreenTarget) -> Result<RgbaImage, RenderError> {
    let [width, height] = target.view().size;
    let row_bytes = width * 4;
    let padded_row_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("capture"),
        size: u64::from(padded_row_bytes) * u64::from(height),
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
                bytes_per_row: Some(padded_row_bytes),
                rows_per_image: None,
            },
        },
        target.texture.size(),
    );
    gpu.queue.submit([encoder.finish()]);

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
    let mut pixels: Vec<u8> = mapped
        .chunks_exact(padded_row_bytes as usize)
        .flat_map(|row| &row[..row_bytes as usize])
        .copied()
        .collect();
    // Targets made for windows may hold blue first.
    if target.texture.format() == wgpu::TextureFormat::Bgra8Unorm {
        for pixel in pixels.chunks_exact_mut(4) {
            pixel.swap(0, 2);
        }
    }
    Ok(RgbaImage::from_raw(width, height, pixels).expect("width * height * 4 bytes were copied"))
}

fn failed(error: impl std::error::Error) -> RenderError {
    RenderError::Capture {
        reason: error.to_string(),
    }
}
