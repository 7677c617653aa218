//! Color correction: a picture through a table of colors, the mean of those that are in effect where the eye is.

use std::mem::size_of;

use bytemuck::{Pod, Zeroable};
use ironlands_scene::{ColorCorrection, ColorTable, correction_weights};

use super::{
    Layouts, fragment_entry,
    picture_pass::{Picture, PicturePipeline, begin_on, color_target, picture_sampler},
    uniform_entry,
};
use crate::{
    Gpu,
    scene_upload::{sampler_entry, view_entry},
    shaders,
};

/// Twin of `Grade` in `shaders/grade.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GradeUniform {
    pub weight: f32,
    pub side: f32,
    /// To the size that uniforms have on every device.
    pub unused: [f32; 2],
}

/// Lives as long as the renderer; made when a frame first needs it.
#[derive(Debug)]
pub(crate) struct GradePass {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    uniform: wgpu::Buffer,
    color: wgpu::TextureFormat,
    /// What is drawn on in place of the target, and its size.
    picture: Option<([u32; 2], Picture)>,
    mixed: Option<MixedTable>,
    /// Of this frame.
    weights: Vec<f32>,
}

/// The mean of the tables of a scene by some weights.
#[derive(Debug)]
struct MixedTable {
    scene: u64,
    weights: Vec<f32>,
    bind_group: wgpu::BindGroup,
}

impl GradePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, color: wgpu::TextureFormat) -> Self {
        let volume = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D3,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let layout = (gpu.device).create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("grade"),
            entries: &[
                uniform_entry::<GradeUniform>(0),
                fragment_entry(1, volume),
                fragment_entry(2, sampler),
            ],
        });
        let pipeline = PicturePipeline {
            shader: shaders::GRADE,
            groups: &[None, None, Some(&layouts.picture), Some(&layout)],
            constants: &[],
            target: color_target(color, None),
            behind_depth: None,
        };
        Self {
            pipeline: pipeline.make(gpu),
            layout,
            sampler: picture_sampler(gpu),
            uniform: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("grade"),
                size: size_of::<GradeUniform>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            color,
            picture: None,
            mixed: None,
            weights: Vec::new(),
        }
    }

    /// Makes room for a picture of this size, unless there is; `true` if it is a new one.
    pub fn make_picture(&mut self, gpu: &Gpu, layouts: &Layouts, size: [u32; 2]) -> bool {
        let is_known = (self.picture.as_ref()).is_some_and(|(known, _)| *known == size);
        if !is_known {
            let label = ("frame before it is graded", size);
            let picture = Picture::new(gpu, layouts, label, self.color, &self.sampler);
            self.picture = Some((size, picture));
        }
        !is_known
    }

    /// Mixes the tables of a scene as they are in effect where the eye is.
    pub fn mix(
        &mut self,
        gpu: &Gpu,
        (scene, tables): (u64, &[ColorTable]),
        corrections: &[ColorCorrection],
        (full_weights, eye): (&[f32], [f32; 3]),
    ) {
        correction_weights(corrections, full_weights, eye, &mut self.weights);
        let is_known = (self.mixed.as_ref())
            .is_some_and(|mixed| mixed.scene == scene && mixed.weights == self.weights);
        if is_known {
            return;
        }
        let (table, weight) = mixed_table(tables, corrections, &self.weights);
        let uniform = GradeUniform {
            weight,
            side: table.side as f32,
            ..GradeUniform::default()
        };
        gpu.write(&self.uniform, bytemuck::bytes_of(&uniform));
        self.mixed = Some(MixedTable {
            scene,
            weights: self.weights.clone(),
            bind_group: self.bind(gpu, &table),
        });
    }

    fn bind(&self, gpu: &Gpu, table: &ColorTable) -> wgpu::BindGroup {
        let size = wgpu::Extent3d {
            width: table.side,
            height: table.side,
            depth_or_array_layers: table.side,
        };
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("color table"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D3,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let texels = table
            .entries
            .iter()
            .flat_map(|[r, g, b]| [*r, *g, *b, u8::MAX]);
        let texels: Vec<u8> = texels.collect();
        gpu.queue.write_texture(
            texture.as_image_copy(),
            &texels,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * table.side),
                rows_per_image: Some(table.side),
            },
            size,
        );
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("grade"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: self.uniform.as_entire_binding(),
                },
                view_entry((1, &view)),
                sampler_entry(2, &self.sampler),
            ],
        })
    }

    /// What is drawn on in place of the target.
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref().map(|(_, picture)| picture)
    }

    /// Fills the target with the picture.
    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        let (Some((_, picture)), Some(mixed)) = (&self.picture, &self.mixed) else {
            return;
        };
        let nothing = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let mut pass = begin_on(encoder, "grade", target, nothing);
        pass.set_bind_group(2, &picture.bind_group, &[]);
        pass.set_bind_group(3, &mixed.bind_group, &[]);
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}

/// The mean of those tables that have a weight, and how much of it is shown. Tables of other sizes than the largest are read
/// between their entries.
fn mixed_table(
    tables: &[ColorTable],
    corrections: &[ColorCorrection],
    weights: &[f32],
) -> (ColorTable, f32) {
    let shown = corrections.iter().zip(weights);
    let shown = shown.filter(|(_, weight)| **weight > 0.0);
    let shown: Vec<(&ColorTable, f32)> = shown
        .map(|(it, weight)| (&tables[it.table as usize], *weight))
        .collect();
    let sum: f32 = shown.iter().map(|(_, weight)| weight).sum();
    match &shown[..] {
        [] => (ColorTable::identity(2), 0.0),
        [(table, _)] => ((*table).clone(), sum),
        several => {
            let side = several.iter().map(|(table, _)| table.side).max();
            let side = side.unwrap_or(2);
            let last = (side - 1) as f32;
            let entry = |index: u32| {
                let at = [index % side, index / side % side, index / side / side];
                let color = at.map(|it| it as f32 / last);
                let mut mean = [0.0; 3];
                for (table, weight) in several {
                    for (mean, part) in mean.iter_mut().zip(table.corrected(color)) {
                        *mean += part * weight / sum;
                    }
                }
                mean.map(|it| (it.clamp(0.0, 1.0) * 255.0).round() as u8)
            };
            let mixed = ColorTable {
                name: "mixed".to_owned(),
                side,
                entries: (0..side.pow(3)).map(entry).collect(),
            };
            (mixed, sum)
        }
    }
}

#[cfg(test)]
mod tests {
    use ironlands_scene::CorrectionPlace;

    use super::*;

    fn plain(color: [u8; 3]) -> ColorTable {
        ColorTable {
            name: "plain".to_owned(),
            side: 4,
            entries: vec![color; 64],
        }
    }

    #[test]
    fn tables_are_mixed_by_their_weights() {
        let tables = [plain([200, 0, 0]), plain([0, 100, 40])];
        let corrections = [0, 1].map(|table| ColorCorrection {
            table,
            weight: 1.0,
            place: CorrectionPlace::Everywhere,
            is_exclusive: false,
        });
        let (mixed, weight) = mixed_table(&tables, &corrections, &[0.15, 0.45]);
        assert!((weight - 0.6).abs() < 1e-6);
        assert!(
            mixed.entries.iter().all(|it| *it == [50, 75, 30]),
            "{:?}",
            mixed.entries[0]
        );
        let (one, weight) = mixed_table(&tables, &corrections, &[0.0, 0.5]);
        assert_eq!((&one, weight), (&tables[1], 0.5));
        assert_eq!(mixed_table(&tables, &corrections, &[0.0; 2]).1, 0.0);
    }
}
