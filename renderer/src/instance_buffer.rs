//! Which node carries each instance of a frame: one buffer for all draws, filled before they begin.

use crate::{Gpu, RenderError};

/// Numbers of nodes, on the device; it grows when a frame shows more.
#[derive(Debug, Default)]
pub(crate) struct InstanceBuffer {
    buffer: Option<wgpu::Buffer>,
}

impl InstanceBuffer {
    /// Hands the nodes of a frame to the device.
    pub fn write(&mut self, gpu: &Gpu, nodes: &[u32]) -> Result<(), RenderError> {
        let contents: &[u8] = bytemuck::cast_slice(nodes);
        let needed = contents.len() as u64;
        if self.room() < needed {
            self.buffer = None;
            self.buffer = Some(Self::with_room_for(gpu, needed)?);
        }
        if let Some(buffer) = self.buffer.as_ref().filter(|_| needed > 0) {
            gpu.queue.write_buffer(buffer, 0, contents);
        }
        Ok(())
    }

    /// None if no frame has shown an instance yet.
    pub fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    fn room(&self) -> u64 {
        self.buffer.as_ref().map_or(0, wgpu::Buffer::size)
    }

    fn with_room_for(gpu: &Gpu, needed: u64) -> Result<wgpu::Buffer, RenderError> {
        let limit = gpu.caps().max_buffer_bytes;
        if needed > limit {
            return Err(RenderError::TooLarge {
                what: "the list of visible pieces".to_owned(),
                needed,
                limit,
                unit: "bytes",
            });
        }
        gpu.guarded("the list of visible pieces", || {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("instances"),
                size: needed.next_power_of_two().min(limit),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })
    }
}
