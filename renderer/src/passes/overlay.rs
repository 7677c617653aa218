//! Debug layers, the highlight, and lines of a frame's own: lines of equal width on the screen and filled triangles.
//!
//! What the level hides is drawn too, faintly, so that a line can be followed behind a hill.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ironlands_scene::{Overlay, OverlayVertex};

use super::{Layouts, TargetFormats, depth_state};
use crate::{
    Gpu, RenderError,
    growing_buffer::GrowingBuffer,
    scene_upload::filled_buffer,
    shaders::{self, Shader},
};

/// Part of its opacity that a hidden part keeps.
const HIDDEN_OPACITY: f64 = 0.2;

const HIGHLIGHT_FILL: [u8; 4] = [255, 220, 40, 90];
const HIGHLIGHT_LINE: [u8; 4] = [255, 240, 120, 255];

const VERTEX_BYTES: u64 = size_of::<GpuOverlayVertex>() as u64;

const FILL_LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: VERTEX_BYTES,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4],
};

/// Both ends of a line make one instance.
const LINE_LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: VERTEX_BYTES * 2,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4, 2 => Float32x3, 3 => Unorm8x4],
};

/// Draws overlays and the highlight.
#[derive(Debug)]
pub(crate) struct OverlayPass {
    fill: Shape,
    line: Shape,
    highlight: Highlight,
    own_lines: GrowingBuffer,
    n_own_lines: u64,
}

/// One overlay on the device; a part without vertices has no buffer.
#[derive(Debug)]
pub(crate) struct OverlayData {
    triangles: Option<wgpu::Buffer>,
    lines: Option<wgpu::Buffer>,
}

impl OverlayPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("overlay"),
                bind_group_layouts: &[Some(&layouts.frame)],
                immediate_size: 0,
            });
        let shape = |shader, vertices| Shape::new(gpu, &layout, targets, shader, vertices);
        Self {
            fill: shape(shaders::OVERLAY_FILL, FILL_LAYOUT),
            line: shape(shaders::OVERLAY_LINE, LINE_LAYOUT),
            highlight: Highlight::new(gpu),
            own_lines: GrowingBuffer::new::<Line>(
                gpu,
                "lines of the frame",
                "the lines of a frame's own",
                wgpu::BufferUsages::VERTEX,
            ),
            n_own_lines: 0,
        }
    }

    /// Copies an overlay to the device.
    pub fn prepare(&self, gpu: &Gpu, overlay: &Overlay) -> Result<OverlayData, RenderError> {
        let upload = |part: &str, vertices: &[OverlayVertex]| {
            let vertices: Vec<_> = vertices.iter().map(GpuOverlayVertex::from).collect();
            let label = format!("{part} of overlay {}", overlay.name);
            filled_buffer(gpu, &label, &vertices, wgpu::BufferUsages::VERTEX)
        };
        Ok(OverlayData {
            triangles: upload("triangles", &overlay.triangles)?,
            lines: upload("lines", &overlay.lines)?,
        })
    }

    /// Hands this frame's highlighted triangles and its own lines, pairs of ends, to the device.
    ///
    /// # Errors
    /// If it has no room for them.
    pub fn prepare_pointed_out(
        &mut self,
        gpu: &Gpu,
        triangles: &[[Vec3; 3]],
        lines: &[OverlayVertex],
    ) -> Result<(), RenderError> {
        self.highlight.write(gpu, triangles)?;
        self.n_own_lines = lines.len() as u64 / 2;
        let ends = lines.iter().map(GpuOverlayVertex::from);
        self.own_lines
            .write_iter::<{ size_of::<GpuOverlayVertex>() }>(gpu, ends.map(bytemuck::cast))
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, overlay: &OverlayData) {
        if let Some(triangles) = &overlay.triangles {
            self.fill.draw(pass, triangles.slice(..));
        }
        if let Some(lines) = &overlay.lines {
            self.line.draw(pass, lines.slice(..));
        }
    }

    /// Draws what was handed over last.
    pub fn draw_pointed_out(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.n_own_lines > 0 {
            self.line
                .draw(pass, self.own_lines.items::<Line>(self.n_own_lines));
        }
        let Highlight {
            triangles,
            lines,
            n_triangles,
        } = &self.highlight;
        if *n_triangles > 0 {
            self.fill.draw(pass, triangles.items::<Fill>(*n_triangles));
            self.line.draw(pass, lines.items::<Outline>(*n_triangles));
        }
    }
}

/// A corner of a triangle, or one end of a line.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GpuOverlayVertex {
    position: [f32; 3],
    color: [u8; 4],
}

/// Both ends of a line.
type Line = [GpuOverlayVertex; 2];
/// The corners of a highlighted triangle.
type Fill = [GpuOverlayVertex; 3];
/// Both ends of its three sides.
type Outline = [GpuOverlayVertex; 6];

impl From<&OverlayVertex> for GpuOverlayVertex {
    fn from(vertex: &OverlayVertex) -> Self {
        Self {
            position: vertex.position,
            color: vertex.color,
        }
    }
}

/// How fills or lines are drawn: what is hidden first, faintly, then what is in sight.
#[derive(Debug)]
struct Shape {
    hidden: wgpu::RenderPipeline,
    in_sight: wgpu::RenderPipeline,
    stride: u64,
    step_mode: wgpu::VertexStepMode,
}

impl Shape {
    fn new(
        gpu: &Gpu,
        layout: &wgpu::PipelineLayout,
        targets: &TargetFormats,
        shader: Shader,
        vertices: wgpu::VertexBufferLayout<'_>,
    ) -> Self {
        let module = shader.module(&gpu.device);
        let pipeline = |compare, opacity| {
            gpu.device
                .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(shader.name),
                    layout: Some(layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some("vs_main"),
                        compilation_options: Default::default(),
                        buffers: &[Some(vertices.clone())],
                    },
                    primitive: wgpu::PrimitiveState::default(),
                    depth_stencil: depth_state(compare, false),
                    multisample: targets.multisample(),
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some("fs_main"),
                        compilation_options: wgpu::PipelineCompilationOptions {
                            constants: &[("OPACITY", opacity)],
                            ..Default::default()
                        },
                        targets: &[targets.color_target(Some(wgpu::BlendState::ALPHA_BLENDING))],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
        };
        Self {
            hidden: pipeline(wgpu::CompareFunction::Less, HIDDEN_OPACITY),
            in_sight: pipeline(wgpu::CompareFunction::GreaterEqual, 1.0),
            stride: vertices.array_stride,
            step_mode: vertices.step_mode,
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, vertices: wgpu::BufferSlice<'_>) {
        let count = (vertices.size() / self.stride) as u32;
        pass.set_vertex_buffer(0, vertices);
        for pipeline in [&self.hidden, &self.in_sight] {
            pass.set_pipeline(pipeline);
            match self.step_mode {
                wgpu::VertexStepMode::Vertex => pass.draw(0..count, 0..1),
                // A line is widened to two triangles.
                wgpu::VertexStepMode::Instance => pass.draw(0..6, 0..count),
            }
        }
    }
}

/// The highlighted triangles of a frame and their outlines.
#[derive(Debug)]
struct Highlight {
    triangles: GrowingBuffer,
    lines: GrowingBuffer,
    n_triangles: u64,
}

impl Highlight {
    fn new(gpu: &Gpu) -> Self {
        let what = "the triangles of a highlight";
        let usage = wgpu::BufferUsages::VERTEX;
        Self {
            triangles: GrowingBuffer::new::<Fill>(gpu, "highlight", what, usage),
            lines: GrowingBuffer::new::<Outline>(gpu, "highlight outline", what, usage),
            n_triangles: 0,
        }
    }

    fn write(&mut self, gpu: &Gpu, triangles: &[[Vec3; 3]]) -> Result<(), RenderError> {
        let vertex = |color| {
            move |position: Vec3| GpuOverlayVertex {
                position: position.to_array(),
                color,
            }
        };
        let fill = |corners: &[Vec3; 3]| corners.map(vertex(HIGHLIGHT_FILL));
        let outline = |&[a, b, c]: &[Vec3; 3]| [a, b, b, c, c, a].map(vertex(HIGHLIGHT_LINE));
        let fills = triangles.iter().map(fill).map(bytemuck::cast);
        let outlines = triangles.iter().map(outline).map(bytemuck::cast);
        self.triangles
            .write_iter::<{ size_of::<Fill>() }>(gpu, fills)?;
        self.lines
            .write_iter::<{ size_of::<Outline>() }>(gpu, outlines)?;
        self.n_triangles = triangles.len() as u64;
        Ok(())
    }
}
