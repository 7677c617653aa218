//! Auto exposure: what is bright in a picture decides how bright the next one is. The device counts and adapts by itself;
//! nothing is read back.

use std::mem::{offset_of, size_of};

use bytemuck::{Pod, Zeroable};
use ironlands_scene::AutoExposure;

use crate::{Gpu, shaders, shaders::Shader};

/// Pixels along a side of what a workgroup counts (`shaders/measure_light.wgsl`).
const GROUP_SIDE: u32 = 64;
const N_BINS: usize = 256;
/// Steps after which an exposure that starts at 1 has settled: each brings what is bright to its target, or as near to it as
/// what is whiter than white lets it be known.
pub(crate) const N_SETTLING_STEPS: u32 = 8;

/// Twin of `AutoExposure` in `shaders/adapt_exposure.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ExposureUniform {
    pub least: f32,
    pub most: f32,
    pub bright_share: f32,
    pub bright_target: f32,
    pub min_mean: f32,
    pub rise: f32,
    pub fall: f32,
    pub bias: f32,
}

/// Twin of `Adapted` there.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct AdaptedExposure {
    pub exposure: f32,
    pub shown: f32,
}

/// Lives as long as the renderer; made when a frame first needs it.
#[derive(Debug)]
pub(crate) struct ExposurePass {
    measure: wgpu::ComputePipeline,
    adapt: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    counts: wgpu::Buffer,
    uniform: wgpu::Buffer,
    adapted: wgpu::Buffer,
    /// For the picture of the frame before.
    bound: Option<BoundPicture>,
    /// The scene that it is adapted to.
    scene: Option<u64>,
}

#[derive(Debug)]
struct BoundPicture {
    size: [u32; 2],
    bind_group: wgpu::BindGroup,
}

impl ExposureUniform {
    /// `secs` since the frame before; `None` to be there at once.
    fn new(exposure: &AutoExposure, bias: f32, secs: Option<f32>) -> Self {
        let AutoExposure {
            min,
            max,
            bright_share,
            bright_target,
            min_mean,
            ..
        } = *exposure;
        let share = |from, to| secs.map_or(1.0, |secs| exposure.share_in(from, to, secs));
        Self {
            least: min,
            most: max,
            bright_share,
            bright_target,
            min_mean,
            rise: share(0.0, 1.0),
            fall: share(1.0, 0.0),
            bias,
        }
    }
}

impl ExposurePass {
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let layout = layout(device);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("exposure"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = |shader: Shader| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(shader.name),
                layout: Some(&pipeline_layout),
                module: &shader.module(device),
                entry_point: Some("cs_main"),
                compilation_options: Default::default(),
                cache: None,
            })
        };
        let buffer = |label, size: usize, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        Self {
            measure: pipeline(shaders::MEASURE_LIGHT),
            adapt: pipeline(shaders::ADAPT_EXPOSURE),
            counts: buffer("counts of light", N_BINS * size_of::<u32>(), storage),
            uniform: buffer(
                "auto exposure",
                size_of::<ExposureUniform>(),
                wgpu::BufferUsages::UNIFORM,
            ),
            adapted: buffer(
                "exposure",
                size_of::<AdaptedExposure>(),
                storage | wgpu::BufferUsages::COPY_SRC,
            ),
            layout,
            bound: None,
            scene: None,
        }
    }

    /// Prepares a frame: how it adapts to a picture of this size. Returns how often the frame is drawn: a scene that was
    /// not shown before settles first, and so does each frame without a time.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        scene: u64,
        exposure: &AutoExposure,
        (bias, secs): (f32, Option<f32>),
        (picture, size): (&wgpu::TextureView, [u32; 2]),
    ) -> u32 {
        if self.bound.as_ref().is_none_or(|it| it.size != size) {
            self.bound = Some(BoundPicture {
                size,
                bind_group: self.bind(gpu, picture),
            });
        }
        let secs = secs.filter(|_| self.scene == Some(scene));
        self.scene = Some(scene);
        let uniform = ExposureUniform::new(exposure, bias, secs);
        gpu.write(&self.uniform, bytemuck::bytes_of(&uniform));
        if secs.is_some() {
            return 1;
        }
        let start = 1f32.clamp(exposure.min, exposure.max);
        let adapted = AdaptedExposure {
            exposure: start,
            shown: start * bias,
        };
        gpu.write(&self.adapted, bytemuck::bytes_of(&adapted));
        gpu.write(&self.counts, &[0; N_BINS * size_of::<u32>()]);
        N_SETTLING_STEPS
    }

    /// Forgets the picture that the next frame does not have.
    pub fn unbind(&mut self) {
        self.bound = None;
    }

    fn bind(&self, gpu: &Gpu, picture: &wgpu::TextureView) -> wgpu::BindGroup {
        let buffers = [&self.counts, &self.uniform, &self.adapted];
        let picture = wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::TextureView(picture),
        };
        let buffers = (1..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            });
        let entries: Vec<_> = std::iter::once(picture).chain(buffers).collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("exposure"),
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Shows what is drawn next by the exposure so far. `frames` are frame uniforms, with the place of the exposure in them.
    pub fn expose<'b>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        frames: impl IntoIterator<Item = (&'b wgpu::Buffer, u64)>,
    ) {
        let shown = offset_of!(AdaptedExposure, shown) as u64;
        let size = Some(size_of::<f32>() as u64);
        for (frame, place) in frames {
            encoder.copy_buffer_to_buffer(&self.adapted, shown, frame, place, size);
        }
    }

    /// Adapts the exposure to the picture that was drawn.
    pub fn adapt(&self, encoder: &mut wgpu::CommandEncoder) {
        let Some(BoundPicture { size, bind_group }) = &self.bound else {
            return;
        };
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("exposure"),
            timestamp_writes: None,
        });
        let [width, height] = size.map(|side| side.div_ceil(GROUP_SIDE));
        pass.set_bind_group(0, bind_group, &[]);
        pass.set_pipeline(&self.measure);
        pass.dispatch_workgroups(width, height, 1);
        pass.set_pipeline(&self.adapt);
        pass.dispatch_workgroups(1, 1, 1);
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty,
        count: None,
    };
    let buffer = |ty| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let written = wgpu::BufferBindingType::Storage { read_only: false };
    let picture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("exposure"),
        entries: &[
            entry(0, picture),
            entry(1, buffer(written)),
            entry(2, buffer(wgpu::BufferBindingType::Uniform)),
            entry(3, buffer(written)),
        ],
    })
}
