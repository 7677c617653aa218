//! Scene -> GPU buffers and textures, once.

use bytemuck::Pod;
use ironlands_scene::{
    Addressing, Batch, Cluster, Fog, LodGrid, Material, Mesh, Pass, PassKind, Scene, Texture, Water,
};

use crate::{
    Gpu, RenderError, RenderSettings,
    draw_list::PassOrder,
    mips,
    passes::{
        Layouts,
        overlay::{OverlayData, OverlayPass},
        surface::{PipelineKey, SurfacePass, SurfaceVertex},
    },
    target::extent,
    uniforms::{EnvironmentUniform, MaterialUniform},
};

/// A scene on the device. Belongs to the renderer that uploaded it.
#[derive(Debug)]
pub struct SceneGpu {
    pub(crate) meshes: Vec<GpuMesh>,
    /// For each material what the draw list must know of its passes.
    pub(crate) materials: Vec<Vec<PassOrder>>,
    /// Bind groups of all passes of all materials.
    pub(crate) passes: Vec<wgpu::BindGroup>,
    /// Pipeline and bind group of each layer of the sea.
    pub(crate) sea: Vec<SeaLayer>,
    pub(crate) overlays: Vec<OverlayData>,
    pub(crate) environment: wgpu::BindGroup,
    pub(crate) fog: Option<Fog>,
    /// Shown where nothing is drawn; display space.
    pub(crate) background: [f32; 3],
}

/// A mesh on the device, and what culling needs of it here.
#[derive(Debug)]
pub(crate) struct GpuMesh {
    /// None if it has no triangles.
    pub buffers: Option<MeshBuffers>,
    pub batches: Vec<Batch>,
    pub clusters: Vec<Cluster>,
    pub lod_grid: Option<LodGrid>,
}

#[derive(Debug)]
pub(crate) struct MeshBuffers {
    pub vertices: wgpu::Buffer,
    pub indices: wgpu::Buffer,
}

#[derive(Debug)]
pub(crate) struct SeaLayer {
    pub pipeline: usize,
    /// Index into `SceneGpu::passes`.
    pub pass: usize,
}

/// The parts of a renderer that an upload works with.
pub(crate) struct Uploader<'a> {
    pub gpu: &'a Gpu,
    pub settings: RenderSettings,
    pub layouts: &'a Layouts,
    pub surface: &'a mut SurfacePass,
    pub overlay: &'a OverlayPass,
}

impl Uploader<'_> {
    /// Copies a scene to the device.
    pub fn upload(&mut self, scene: &Scene) -> Result<SceneGpu, RenderError> {
        scene.validate()?;
        self.gpu.guarded(format_args!("scene {}", scene.name), || {
            self.upload_parts(scene)
        })?
    }

    /// Large parts are guarded one by one, so that an error names the one without room and nothing follows it.
    fn upload_parts(&mut self, scene: &Scene) -> Result<SceneGpu, RenderError> {
        let meshes = scene
            .meshes
            .iter()
            .map(|mesh| self.upload_mesh(mesh))
            .collect::<Result<_, _>>()?;
        let textures = self.upload_textures(scene)?;
        let (materials, passes) = self.upload_materials(&scene.materials, &textures);
        let sea = scene.water.map_or_else(Vec::new, |water| {
            self.prepare_sea(scene, &materials, &water)
        });
        let overlays = scene
            .overlays
            .iter()
            .map(|overlay| self.overlay.prepare(self.gpu, overlay))
            .collect::<Result<_, _>>()?;
        Ok(SceneGpu {
            meshes,
            materials,
            passes,
            sea,
            overlays,
            environment: self.upload_environment(scene),
            fog: scene.fog,
            background: scene.sky.horizon,
        })
    }

    fn upload_mesh(&self, mesh: &Mesh) -> Result<GpuMesh, RenderError> {
        let vertices: Vec<_> = (0..mesh.positions.len())
            .map(|i| SurfaceVertex {
                position: mesh.positions[i],
                normal: mesh.normals[i],
                uv_sets: [mesh.uv_sets[0][i], mesh.uv_sets[1][i]],
            })
            .collect();
        let label = |part: &str| format!("{part} of mesh {}", mesh.name);
        let vertices = filled_buffer(
            self.gpu,
            &label("vertices"),
            &vertices,
            wgpu::BufferUsages::VERTEX,
        )?;
        let indices = filled_buffer(
            self.gpu,
            &label("indices"),
            &mesh.indices,
            wgpu::BufferUsages::INDEX,
        )?;
        Ok(GpuMesh {
            buffers: vertices
                .zip(indices)
                .map(|(vertices, indices)| MeshBuffers { vertices, indices }),
            batches: mesh.batches.clone(),
            clusters: mesh.clusters.clone(),
            lod_grid: mesh.lod_grid,
        })
    }

    fn upload_textures(&self, scene: &Scene) -> Result<Textures, RenderError> {
        let white = Texture {
            name: "white".to_owned(),
            width: 1,
            height: 1,
            mips: vec![vec![255; 4]],
            addressing: Addressing::Repeat,
        };
        Ok(Textures {
            white: self.upload_texture(&white)?,
            textures: scene
                .textures
                .iter()
                .map(|texture| Ok((self.upload_texture(texture)?, texture.addressing)))
                .collect::<Result<_, RenderError>>()?,
            repeat: self.sampler("repeat", wgpu::AddressMode::Repeat),
            clamp: self.sampler("clamp", wgpu::AddressMode::ClampToEdge),
        })
    }

    fn upload_texture(&self, texture: &Texture) -> Result<wgpu::TextureView, RenderError> {
        let side = texture.width.max(texture.height);
        let max_side = self.gpu.caps().max_texture_side;
        if side > max_side {
            return Err(RenderError::TooLarge {
                what: format!("texture {}", texture.name),
                needed: side.into(),
                limit: max_side.into(),
                unit: "pixels a side",
            });
        }
        self.gpu
            .guarded(format_args!("texture {}", texture.name), || {
                self.filled_texture(texture)
            })
    }

    fn filled_texture(&self, texture: &Texture) -> wgpu::TextureView {
        let levels = mips::levels(texture);
        let gpu_texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(&texture.name),
            size: extent([texture.width, texture.height]),
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            // Not the `Srgb` kind: filtered and handed to the shader as display-space values.
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, pixels) in (0..).zip(&levels) {
            let [width, height] = texture.level_size(level);
            self.gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    mip_level: level,
                    ..gpu_texture.as_image_copy()
                },
                pixels,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(width * 4),
                    rows_per_image: None,
                },
                extent([width, height]),
            );
        }
        gpu_texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    fn sampler(&self, label: &str, address_mode: wgpu::AddressMode) -> wgpu::Sampler {
        self.gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some(label),
            address_mode_u: address_mode,
            address_mode_v: address_mode,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: self
                .settings
                .anisotropy()
                .min(self.gpu.caps().max_anisotropy),
            ..Default::default()
        })
    }

    /// The order and the bind groups of all passes; pipelines that they need are made.
    ///
    /// Materials often differ in one layer only. Equal passes share a bind group, so that the draw list can
    /// join their runs.
    fn upload_materials(
        &mut self,
        materials: &[Material],
        textures: &Textures,
    ) -> (Vec<Vec<PassOrder>>, Vec<wgpu::BindGroup>) {
        let mut distinct: Vec<&Pass> = Vec::new();
        let mut bind_groups = Vec::new();
        let mut orders = Vec::new();
        for material in materials {
            let mut order = Vec::new();
            for (index, pass) in material.passes.iter().enumerate() {
                let known = distinct.iter().position(|other| *other == pass);
                order.push(PassOrder {
                    kind: pass.kind,
                    layer: count_of_kind(&material.passes[..index], pass.kind),
                    pipeline: {
                        let is_last = count_of_kind(&material.passes[index + 1..], pass.kind) == 0;
                        let key = PipelineKey::of_pass(pass, is_last);
                        self.surface.prepare(self.gpu, key)
                    },
                    pass: known.unwrap_or(distinct.len()),
                });
                if known.is_none() {
                    distinct.push(pass);
                    bind_groups.push(self.pass_bind_group(&material.name, pass, textures));
                }
            }
            orders.push(order);
        }
        (orders, bind_groups)
    }

    fn pass_bind_group(&self, label: &str, pass: &Pass, textures: &Textures) -> wgpu::BindGroup {
        let uniform = self.uniform_buffer(label, &MaterialUniform::new(pass));
        let (view, sampler) = textures.of_pass(pass);
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &self.layouts.material,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: uniform.as_entire_binding(),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::TextureView(view),
                    },
                    wgpu::BindGroupEntry {
                        binding: 2,
                        resource: wgpu::BindingResource::Sampler(sampler),
                    },
                ],
            })
    }

    /// The sea has every layer that its material has, with the same textures and colours.
    fn prepare_sea(
        &mut self,
        scene: &Scene,
        orders: &[Vec<PassOrder>],
        water: &Water,
    ) -> Vec<SeaLayer> {
        let material = water.material.0 as usize;
        let passes = &scene.materials[material].passes;
        let layers = passes.iter().zip(&orders[material]).enumerate();
        layers
            .map(|(layer, (pass, order))| {
                let is_last = layer + 1 == passes.len();
                let key = PipelineKey::of_sea(pass, layer == 0, is_last);
                SeaLayer {
                    pipeline: self.surface.prepare(self.gpu, key),
                    pass: order.pass,
                }
            })
            .collect()
    }

    fn upload_environment(&self, scene: &Scene) -> wgpu::BindGroup {
        let uniform = self.uniform_buffer("environment", &EnvironmentUniform::new(scene));
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("environment"),
                layout: &self.layouts.environment,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: uniform.as_entire_binding(),
                }],
            })
    }

    fn uniform_buffer<T: Pod>(&self, label: &str, uniform: &T) -> wgpu::Buffer {
        let contents = bytemuck::bytes_of(uniform);
        write_buffer(self.gpu, label, contents, wgpu::BufferUsages::UNIFORM)
    }
}

/// A scene's textures while its passes are bound.
struct Textures {
    white: wgpu::TextureView,
    textures: Vec<(wgpu::TextureView, Addressing)>,
    repeat: wgpu::Sampler,
    clamp: wgpu::Sampler,
}

impl Textures {
    fn of_pass(&self, pass: &Pass) -> (&wgpu::TextureView, &wgpu::Sampler) {
        let Some(texture) = pass.texture else {
            return (&self.white, &self.repeat);
        };
        let (view, addressing) = &self.textures[texture.0 as usize];
        match addressing {
            Addressing::Repeat => (view, &self.repeat),
            Addressing::Clamp => (view, &self.clamp),
        }
    }
}

/// A buffer with this content; none for an empty one, which the device cannot hold.
pub(crate) fn filled_buffer<T: Pod>(
    gpu: &Gpu,
    label: &str,
    content: &[T],
    usage: wgpu::BufferUsages,
) -> Result<Option<wgpu::Buffer>, RenderError> {
    let contents: &[u8] = bytemuck::cast_slice(content);
    let limit = gpu.caps().max_buffer_bytes;
    if contents.len() as u64 > limit {
        return Err(RenderError::TooLarge {
            what: label.to_owned(),
            needed: contents.len() as u64,
            limit,
            unit: "bytes",
        });
    }
    if contents.is_empty() {
        return Ok(None);
    }
    gpu.guarded(label, || Some(write_buffer(gpu, label, contents, usage)))
}

/// A buffer with these bytes, a multiple of 4. Not mapped, as wgpu's own helper does it: that one panics when
/// the device has no memory left.
fn write_buffer(
    gpu: &Gpu,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: contents.len() as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, contents);
    buffer
}

fn count_of_kind(passes: &[Pass], kind: PassKind) -> usize {
    passes.iter().filter(|pass| pass.kind == kind).count()
}
