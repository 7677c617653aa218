//! The device: instance, adapter, device and queue, opened once.

use std::{
    fmt::Display,
    num::NonZeroU64,
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{RenderError, WindowTarget};

/// Storage buffers that a shader reads: in a vertex shader the node matrices, and five of what moves vertices; in a
/// fragment shader ambient cubes. WebGPU has 8.
const STAGE_STORAGE_BUFFERS: u32 = 6;

/// To measure frames; only both together are used.
const TIMESTAMPS: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// How the device is chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Take a software adapter even where there is a real one: slow, but the same picture everywhere.
    pub force_software: bool,
}

/// What the opened device is and can do; queried once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuCaps {
    /// Name of the adapter, as its driver gives it.
    pub adapter: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Graphics interface, as in "vulkan".
    pub backend: String,
    /// Whether it draws on the CPU.
    pub is_software: bool,
    /// Largest side of a texture or target in pixels.
    pub max_texture_side: u32,
    /// Most layers of a texture.
    pub max_texture_layers: u32,
    /// Whether it reads textures made of blocks (BC1 to BC3); where it does not, they are decoded beforehand.
    pub has_block_textures: bool,
    /// Whether depth can be tested and read at once, without being written.
    pub has_readable_depth: bool,
    /// Whether it computes: exposure follows pictures only then.
    pub has_compute: bool,
    /// Whether it measures how long it draws.
    pub has_timestamps: bool,
    /// Largest buffer in bytes.
    pub max_buffer_bytes: u64,
    /// Most bytes of node matrices that a scene can have.
    pub max_storage_bytes: u64,
    /// Most texture samples along a slanted surface. A software adapter is given 1: on Mesa's, four samples
    /// make a frame with a wide view over land and water a hundred times slower (0.5 s to 45 s).
    pub max_anisotropy: u16,
}

/// The opened device. Everything else of this crate borrows it.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) instance: wgpu::Instance,
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    caps: GpuCaps,
    /// Written to buffers since it was last taken.
    written_bytes: AtomicU64,
}

impl Gpu {
    /// Opens a device that draws without a window. Waits for the driver.
    ///
    /// # Errors
    /// [`RenderError::NoAdapter`] without a driver, [`RenderError::NoDevice`] if it does not open,
    /// [`RenderError::Unfit`] if it cannot do what every frame needs.
    pub fn offscreen(options: &GpuOptions) -> Result<Self, RenderError> {
        Self::open(new_instance(), options, None)
    }

    /// Opens a device for a window, such as an `Arc` of it, and the target that draws on it.
    ///
    /// `size` is the window's inner size in pixels; with `vsync` a frame waits for the display.
    ///
    /// # Errors
    /// As [`Gpu::offscreen`]; [`RenderError::NoSurface`] and [`RenderError::NoSurfaceFormat`] if the window
    /// cannot be drawn on.
    pub fn for_surface<W>(
        window: W,
        size: [u32; 2],
        vsync: bool,
        options: &GpuOptions,
    ) -> Result<(Self, WindowTarget), RenderError>
    where
        W: Into<wgpu::SurfaceTarget<'static>> + Clone + Send + Sync + 'static,
    {
        let instance = new_instance();
        let surface = instance.create_surface(window.clone())?;
        let gpu = Self::open(instance, options, Some(&surface))?;
        let remake = move |instance: &wgpu::Instance| instance.create_surface(window.clone());
        let target = WindowTarget::new(&gpu, surface, Box::new(remake), size, vsync)?;
        Ok((gpu, target))
    }

    /// What the device is and can do.
    pub fn caps(&self) -> &GpuCaps {
        &self.caps
    }

    /// Waits until everything submitted so far is drawn: what a measured frame without a window ends with.
    ///
    /// # Errors
    /// [`RenderError::DeviceLost`] if the driver gave up.
    pub fn wait(&self) -> Result<(), RenderError> {
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map(|_| ())
            .map_err(|error| RenderError::DeviceLost {
                adapter: self.caps.adapter.clone(),
                reason: error.to_string(),
            })
    }

    /// Does work on the device. What the device reports meanwhile, which would end the program otherwise, is
    /// an error about `what`, as in "a frame of 64 x 36".
    pub(crate) fn guarded<T>(
        &self,
        what: impl Display,
        work: impl FnOnce() -> T,
    ) -> Result<T, RenderError> {
        // Out of memory comes first when they are popped: what is refused later on is its consequence.
        let scopes = [
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::OutOfMemory,
        ]
        .map(|filter| self.device.push_error_scope(filter));
        let done = work();
        let mut errors = Vec::new();
        for scope in scopes.into_iter().rev() {
            errors.extend(pollster::block_on(scope.pop()));
        }
        match errors.into_iter().next() {
            None => Ok(done),
            Some(error) => Err(self.device_error(&what, &error)),
        }
    }

    fn device_error(&self, what: &dyn Display, error: &wgpu::Error) -> RenderError {
        let adapter = self.caps.adapter.clone();
        let what = what.to_string();
        match error {
            wgpu::Error::OutOfMemory { .. } => RenderError::OutOfMemory { adapter, what },
            wgpu::Error::Validation { description, .. }
            | wgpu::Error::Internal { description, .. } => RenderError::Refused {
                adapter,
                what,
                reason: description.split_whitespace().collect::<Vec<_>>().join(" "),
            },
        }
    }

    fn open(
        instance: wgpu::Instance,
        options: &GpuOptions,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, RenderError> {
        let adapter = request_adapter(&instance, options, surface)?;
        let (device, queue) = request_device(&adapter)?;
        let downlevel_flags = adapter.get_downlevel_capabilities().flags;
        let caps = GpuCaps::new(
            adapter.get_info(),
            &device.limits(),
            device.features(),
            downlevel_flags,
        );
        log::debug!("drawing with {caps:?}");
        Ok(Self {
            instance,
            adapter,
            device,
            queue,
            caps,
            written_bytes: AtomicU64::new(0),
        })
    }

    /// Writes the start of a buffer before the next submission; a multiple of 4 bytes.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, contents: &[u8]) {
        self.queue.write_buffer(buffer, 0, contents);
        self.note_written(contents.len() as u64);
    }

    /// Memory for the start of a buffer, which is written before the next submission. None where there is no memory for it;
    /// the device reports an error then.
    pub(crate) fn stage(
        &self,
        buffer: &wgpu::Buffer,
        size: NonZeroU64,
    ) -> Option<wgpu::QueueWriteBufferView> {
        self.note_written(size.get());
        self.queue.write_buffer_with(buffer, 0, size)
    }

    fn note_written(&self, n_bytes: u64) {
        self.written_bytes.fetch_add(n_bytes, Ordering::Relaxed);
    }

    /// Bytes that were written to buffers since this was last called.
    pub(crate) fn take_written_bytes(&self) -> u64 {
        self.written_bytes.swap(0, Ordering::Relaxed)
    }
}

impl GpuCaps {
    fn new(
        info: wgpu::AdapterInfo,
        limits: &wgpu::Limits,
        features: wgpu::Features,
        downlevel_flags: wgpu::DownlevelFlags,
    ) -> Self {
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        Self {
            is_software,
            max_anisotropy: if is_software { 1 } else { 16 },
            driver: format!("{} {}", info.driver, info.driver_info),
            backend: info.backend.to_string(),
            adapter: info.name,
            max_texture_side: limits.max_texture_dimension_2d,
            max_texture_layers: limits.max_texture_array_layers,
            has_block_textures: features.contains(wgpu::Features::TEXTURE_COMPRESSION_BC),
            has_compute: downlevel_flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS),
            has_readable_depth: downlevel_flags
                .contains(wgpu::DownlevelFlags::READ_ONLY_DEPTH_STENCIL),
            has_timestamps: features.contains(TIMESTAMPS),
            max_buffer_bytes: limits.max_buffer_size,
            max_storage_bytes: limits
                .max_storage_buffer_binding_size
                .min(limits.max_buffer_size),
        }
    }
}

fn request_adapter(
    instance: &wgpu::Instance,
    options: &GpuOptions,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<wgpu::Adapter, RenderError> {
    let request = instance.request_adapter(&wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        force_fallback_adapter: options.force_software,
        compatible_surface: surface,
        apply_limit_buckets: false,
    });
    pollster::block_on(request).map_err(|error| RenderError::NoAdapter {
        reason: error.to_string(),
        advice: adapter_advice(std::env::var("WGPU_BACKEND").ok().as_deref()),
    })
}

/// Opens the device, if it can do what every frame needs.
fn request_device(adapter: &wgpu::Adapter) -> Result<(wgpu::Device, wgpu::Queue), RenderError> {
    let limits = adapter.limits();
    let downlevel_flags = adapter.get_downlevel_capabilities().flags;
    if let Some(lacks) = missing_ability(downlevel_flags, &limits) {
        return Err(RenderError::Unfit {
            adapter: adapter.get_info().name,
            lacks,
        });
    }
    let request = adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("ironlands"),
        required_features: optional_features(adapter.features()),
        required_limits: wgpu::Limits {
            max_buffer_size: limits.max_buffer_size,
            max_storage_buffers_per_shader_stage: STAGE_STORAGE_BUFFERS,
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            ..wgpu::Limits::downlevel_defaults().using_resolution(limits)
        },
        ..Default::default()
    });
    pollster::block_on(request).map_err(|source| RenderError::NoDevice {
        adapter: adapter.get_info().name,
        source,
    })
}

/// What is used of what an adapter has.
fn optional_features(offered: wgpu::Features) -> wgpu::Features {
    let timestamps = match offered.contains(TIMESTAMPS) {
        true => TIMESTAMPS,
        false => wgpu::Features::empty(),
    };
    let optional = wgpu::Features::TEXTURE_COMPRESSION_BC | wgpu::Features::POLYGON_MODE_LINE;
    (offered & optional) | timestamps
}

/// What an adapter would need and does not have, if there is anything.
fn missing_ability(flags: wgpu::DownlevelFlags, limits: &wgpu::Limits) -> Option<&'static str> {
    let has_storage = flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE)
        && limits.max_storage_buffers_per_shader_stage >= STAGE_STORAGE_BUFFERS;
    (!has_storage).then_some("storage buffers in vertex shaders, which place models")
}

fn new_instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env())
}

/// What can be done where no adapter is found, if the environment chose this graphics interface.
fn adapter_advice(chosen: Option<&str>) -> String {
    let (interfaces, advice) = if cfg!(target_vendor = "apple") {
        (
            "metal",
            "this system draws through Metal, which needs a GPU",
        )
    } else if cfg!(windows) {
        (
            "dx12 or vulkan",
            "install the graphics card's driver, with Direct3D 12 or Vulkan",
        )
    } else {
        (
            "vulkan",
            "install a Vulkan driver \
             (on Debian and Ubuntu `mesa-vulkan-drivers` has one for every GPU and one in software)",
        )
    };
    match chosen.filter(|chosen| !chosen.is_empty()) {
        Some(chosen) => format!(
            "WGPU_BACKEND is {chosen}: unset it or set it to {interfaces}; if that does not help, {advice}"
        ),
        None => advice.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_graphics_interface_is_what_the_advice_begins_with() {
        assert!(adapter_advice(Some("metal")).starts_with("WGPU_BACKEND is metal: unset it"));
        for none in [None, Some("")] {
            let advice = adapter_advice(none);
            assert!(!advice.contains("WGPU_BACKEND"), "{advice}");
        }
    }

    #[test]
    fn an_adapter_without_vertex_storage_is_unfit() {
        let flags = wgpu::DownlevelFlags::all();
        let limits = wgpu::Limits::default();
        assert_eq!(missing_ability(flags, &limits), None);
        let without_flag = flags - wgpu::DownlevelFlags::VERTEX_STORAGE;
        assert!(missing_ability(without_flag, &limits).is_some());
        let without_buffers = wgpu::Limits::downlevel_webgl2_defaults();
        assert!(missing_ability(flags, &without_buffers).is_some());
    }

    #[test]
    fn what_the_device_reports_is_an_error_and_not_the_end() {
        let options = GpuOptions {
            force_software: true,
        };
        let gpu = Gpu::offscreen(&options).unwrap();
        let buffer = |size| {
            gpu.guarded(format_args!("{size} bytes"), || {
                gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("test"),
                    size,
                    usage: wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            })
        };
        let too_large = gpu.caps().max_buffer_bytes + 4;
        match buffer(too_large) {
            Err(RenderError::Refused { what, reason, .. }) => {
                assert_eq!(what, format!("{too_large} bytes"));
                assert!(!reason.contains('\n'), "{reason}");
            }
            other => panic!("{other:?}"),
        }
        assert!(buffer(4).is_ok(), "an error is reported once");
    }

    #[test]
    fn out_of_memory_names_what_had_no_room() {
        let options = GpuOptions {
            force_software: true,
        };
        let gpu = Gpu::offscreen(&options).unwrap();
        let error = wgpu::Error::OutOfMemory {
            source: "of the driver".into(),
        };
        let error = gpu.device_error(&"a frame", &error);
        assert!(matches!(&error, RenderError::OutOfMemory { what, .. } if what == "a frame"));
        assert!(error.to_string().contains("not enough memory for a frame"));
    }
}
