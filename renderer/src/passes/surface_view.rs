//! How pipelines differ that show what surfaces are made of.

use super::depth_state;
use crate::{Gpu, SurfaceView};

impl SurfaceView {
    /// What each pixel of a surface runs.
    pub fn fragment_entry(self) -> &'static str {
        match self {
            Self::Shaded => "fs_main",
            _ => "fs_view",
        }
    }

    /// The `override` of `shared/view_color.wgsl`, in pipelines that run it.
    pub fn constant(self) -> Option<(&'static str, f64)> {
        (self != Self::Shaded).then_some(("SURFACE_VIEW", self.index() as f64))
    }

    /// How surfaces are laid over the picture, where shaded ones are laid by `shaded`.
    pub fn blend(self, shaded: Option<wgpu::BlendState>) -> Option<wgpu::BlendState> {
        let sum = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        match self {
            Self::Shaded => shaded,
            Self::Overdraw => Some(wgpu::BlendState {
                color: sum,
                alpha: wgpu::BlendComponent::REPLACE,
            }),
            Self::Wireframe | Self::Normals | Self::TextureCoordinates => None,
        }
    }

    /// Which surfaces are in front, where `compare` and `writes` hold for shaded ones.
    pub fn depth_state(
        self,
        compare: wgpu::CompareFunction,
        writes: bool,
    ) -> Option<wgpu::DepthStencilState> {
        match self {
            Self::Overdraw => depth_state(wgpu::CompareFunction::Always, false),
            _ => depth_state(compare, writes),
        }
    }

    /// Lines where they are wanted and the device draws such.
    pub fn polygon_mode(self, gpu: &Gpu) -> wgpu::PolygonMode {
        let features = gpu.device.features();
        match self == Self::Wireframe && features.contains(wgpu::Features::POLYGON_MODE_LINE) {
            true => wgpu::PolygonMode::Line,
            false => wgpu::PolygonMode::Fill,
        }
    }
}
