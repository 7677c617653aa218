//! How long the device takes to draw a frame: from its first pass to its last, without waiting for the display.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use crate::Gpu;

/// Frames that may be in progress before one is not measured.
const N_UNDER_WAY: usize = 4;
/// Time at the beginning, time at the end.
const N_STAMPS: u32 = 2;
const N_BYTES: u64 = N_STAMPS as u64 * size_of::<u64>() as u64;

/// What becomes of a buffer that times are read from.
const IS_FREE: u8 = 0;
const IS_UNDER_WAY: u8 = 1;
const IS_READABLE: u8 = 2;
const IS_REFUSED: u8 = 3;

/// Measures frames; made when that is first requested.
#[derive(Debug)]
pub(crate) struct FrameTimer {
    stamps: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readbacks: Vec<Readback>,
    /// Nanoseconds from one count to the next.
    period_ns: f32,
    /// Of this frame, if it is measured.
    of_frame: Option<usize>,
    /// What the frame took that was measured last, until it is taken.
    latest: Option<Duration>,
}

#[derive(Debug)]
struct Readback {
    buffer: wgpu::Buffer,
    fate: Arc<AtomicU8>,
}

impl FrameTimer {
    /// None if the device has no time stamps.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.caps().has_timestamps {
            return None;
        }
        let buffer = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: N_BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        let readback = |_| Readback {
            buffer: buffer(
                "frame times",
                wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            ),
            fate: Arc::new(AtomicU8::new(IS_FREE)),
        };
        Some(Self {
            stamps: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame times"),
                ty: wgpu::QueryType::Timestamp,
                count: N_STAMPS,
            }),
            resolved: buffer(
                "resolved frame times",
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            readbacks: (0..N_UNDER_WAY).map(readback).collect(),
            period_ns: gpu.queue.get_timestamp_period(),
            of_frame: None,
            latest: None,
        })
    }

    /// Before the first pass of a frame.
    pub fn begin(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let is_free = |it: &Readback| it.fate.load(Ordering::Acquire) == IS_FREE;
        self.of_frame = self.readbacks.iter().position(is_free);
        if self.of_frame.is_some() {
            encoder.write_timestamp(&self.stamps, 0);
        }
    }

    /// After the last pass.
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(index) = self.of_frame {
            encoder.write_timestamp(&self.stamps, 1);
            encoder.resolve_query_set(&self.stamps, 0..N_STAMPS, &self.resolved, 0);
            let readback = &self.readbacks[index].buffer;
            encoder.copy_buffer_to_buffer(&self.resolved, 0, readback, 0, N_BYTES);
        }
    }

    /// After the frame was submitted.
    pub fn request(&mut self) {
        let Some(index) = self.of_frame.take() else {
            return;
        };
        let Readback { buffer, fate } = &self.readbacks[index];
        fate.store(IS_UNDER_WAY, Ordering::Release);
        let fate = Arc::clone(fate);
        buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            let is_mapped = mapped.is_ok();
            let found = if is_mapped { IS_READABLE } else { IS_REFUSED };
            fate.store(found, Ordering::Release);
        });
    }

    /// What a frame took, once for each that was measured, or for the latest of several; a few frames late.
    pub fn take(&mut self) -> Option<Duration> {
        for Readback { buffer, fate } in &self.readbacks {
            let found = fate.load(Ordering::Acquire);
            if found == IS_READABLE {
                self.latest = time_in(buffer, self.period_ns).or(self.latest);
                buffer.unmap();
            }
            if found != IS_UNDER_WAY {
                fate.store(IS_FREE, Ordering::Release);
            }
        }
        self.latest.take()
    }
}

/// None if the device counted backward, as after a change of its clock.
fn time_in(buffer: &wgpu::Buffer, period_ns: f32) -> Option<Duration> {
    let mapped = buffer.get_mapped_range(..).ok()?;
    let stamp = |index: usize| {
        let bytes = mapped.get(index * 8..index * 8 + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let n_counts = stamp(1)?.checked_sub(stamp(0)?)?;
    let secs = n_counts as f64 * f64::from(period_ns) * 1e-9;
    Duration::try_from_secs_f64(secs).ok()
}
