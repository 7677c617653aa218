//! A list of each frame's own, on the device: filled before the draws begin, with room for the longest so far.

use std::num::NonZeroU64;

use bytemuck::Pod;

use crate::{Gpu, RenderError};

/// A buffer that grows when a frame needs more.
#[derive(Debug)]
pub(crate) struct GrowingBuffer {
    label: &'static str,
    /// What it holds, for errors.
    what: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
}

impl GrowingBuffer {
    /// With room for one item.
    pub fn new<T: Pod>(
        gpu: &Gpu,
        label: &'static str,
        what: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Self {
        Self {
            label,
            what,
            usage,
            buffer: make(gpu, label, usage, size_of::<T>() as u64),
        }
    }

    /// Hands the items of a frame to the device; whether the buffer is another one now, as it has grown.
    pub fn write<T: Pod>(&mut self, gpu: &Gpu, items: &[T]) -> Result<bool, RenderError> {
        let contents: &[u8] = bytemuck::cast_slice(items);
        let needed = contents.len() as u64;
        let grows = self.buffer.size() < needed;
        if grows {
            self.buffer = self.with_room_for(gpu, needed)?;
        }
        if needed > 0 {
            gpu.write(&self.buffer, contents);
        }
        Ok(grows)
    }

    /// As [`Self::write`] for items as bytes, one after the other, straight into the device's staging memory.
    pub fn write_iter<const SIZE: usize>(
        &mut self,
        gpu: &Gpu,
        items: impl ExactSizeIterator<Item = [u8; SIZE]>,
    ) -> Result<(), RenderError> {
        let needed = items.len() as u64 * SIZE as u64;
        if self.buffer.size() < needed {
            self.buffer = self.with_room_for(gpu, needed)?;
        }
        let Some(size) = NonZeroU64::new(needed) else {
            return Ok(());
        };
        // Without memory for it there is none, and the device reports an error.
        if let Some(mut staged) = gpu.stage(&self.buffer, size) {
            let (chunks, _) = staged.slice(..).into_chunks();
            chunks.write_iter(items);
        }
        Ok(())
    }

    /// The first `n` items of those that were handed over last.
    pub fn items<T: Pod>(&self, n: u64) -> wgpu::BufferSlice<'_> {
        self.buffer.slice(..n * size_of::<T>() as u64)
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    fn with_room_for(&self, gpu: &Gpu, needed: u64) -> Result<wgpu::Buffer, RenderError> {
        let caps = gpu.caps();
        let limit = if self.usage.contains(wgpu::BufferUsages::STORAGE) {
            caps.max_storage_bytes
        } else {
            caps.max_buffer_bytes
        };
        if needed > limit {
            return Err(RenderError::TooLarge {
                what: self.what.to_owned(),
                needed,
                limit,
                unit: "bytes",
            });
        }
        let size = needed.next_power_of_two().min(limit);
        gpu.guarded(self.what, || make(gpu, self.label, self.usage, size))
    }
}

fn make(gpu: &Gpu, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
