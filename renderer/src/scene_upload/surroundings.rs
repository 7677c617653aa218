//! Light, sky and backdrop of a scene -> bind groups.

use bytemuck::Zeroable;
use ironlands_scene::{Atmosphere, Backdrop, Scene, SkyBox};

use super::{
    Uploader,
    materials::{sampler_entry, view_entry},
    textures::Textures,
};
use crate::Gpu;
use crate::uniforms::{EnvironmentUniform, SkyFaceUniform, StylesUniform};

const FACE_PICTURE: u32 = 1;
const FACE_LINEAR: u32 = 2;

const X: [f32; 3] = [1.0, 0.0, 0.0];
const Y: [f32; 3] = [0.0, 1.0, 0.0];
const Z: [f32; 3] = [0.0, 0.0, 1.0];
const MINUS_X: [f32; 3] = [-1.0, 0.0, 0.0];
const MINUS_Y: [f32; 3] = [0.0, -1.0, 0.0];
const MINUS_Z: [f32; 3] = [0.0, 0.0, -1.0];

/// Ahead, right and down of each face, as [`SkyBox`] says.
const FACES: [[[f32; 3]; 3]; 6] = [
    [X, MINUS_Y, MINUS_Z],
    [MINUS_X, Y, MINUS_Z],
    [Y, X, MINUS_Z],
    [MINUS_Y, MINUS_X, MINUS_Z],
    [Z, MINUS_Y, X],
    [MINUS_Z, MINUS_Y, MINUS_X],
];

/// Light, sky, fog and water on the device.
#[derive(Debug)]
pub(crate) struct GpuEnvironment {
    /// Group 1 of all passes.
    pub bind_group: wgpu::BindGroup,
    buffer: wgpu::Buffer,
    /// What was uploaded at first.
    uniform: EnvironmentUniform,
}

impl GpuEnvironment {
    /// Changes light, sky and fog.
    pub fn write(&self, gpu: &Gpu, atmosphere: &Atmosphere) {
        let uniform = self.uniform.within(atmosphere);
        gpu.write(&self.buffer, bytemuck::bytes_of(&uniform));
    }
}

/// A backdrop on the device.
#[derive(Debug)]
pub(crate) struct GpuBackdrop {
    pub backdrop: Backdrop,
    /// The scene's, with the backdrop's fog.
    pub environment: GpuEnvironment,
}

/// What a level's light, sky and fog are behind it: there is another fog before the backdrop.
pub(super) fn backdrop_atmosphere(of_level: Atmosphere, backdrop: &Backdrop) -> Atmosphere {
    Atmosphere {
        fog: backdrop.fog,
        ..of_level
    }
}

impl Uploader<'_> {
    /// `atmosphere` may be another than the scene's own.
    pub(super) fn upload_environment(
        &self,
        scene: &Scene,
        atmosphere: &Atmosphere,
        styles: &wgpu::Buffer,
    ) -> GpuEnvironment {
        let uniform = EnvironmentUniform::new(scene, atmosphere);
        let buffer = self.uniform_buffer("environment", &uniform);
        let bind_group = self
            .gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("environment"),
                layout: &self.layouts.environment,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: buffer.as_entire_binding(),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: styles.as_entire_binding(),
                    },
                ],
            });
        GpuEnvironment {
            bind_group,
            buffer,
            uniform,
        }
    }

    /// For the light styles of a moment; all of them constant until it is written.
    pub(super) fn light_styles_buffer(&self) -> wgpu::Buffer {
        self.uniform_buffer("light styles", &StylesUniform::new(&[], 0.0))
    }

    pub(super) fn upload_backdrop(
        &self,
        scene: &Scene,
        backdrop: &Backdrop,
        styles: &wgpu::Buffer,
    ) -> GpuBackdrop {
        let own = backdrop_atmosphere(scene.own_atmosphere(), backdrop);
        let at_start = own.at_hour(scene.days.first(), None);
        GpuBackdrop {
            backdrop: backdrop.clone(),
            environment: self.upload_environment(scene, &at_start, styles),
        }
    }

    pub(super) fn upload_sky_box(
        &self,
        sky_box: &SkyBox,
        textures: &Textures,
    ) -> [wgpu::BindGroup; 6] {
        std::array::from_fn(|face| {
            let [ahead, right, down] = FACES[face];
            let picture = sky_box.faces[face];
            let texture = textures.get(picture.map(|picture| picture.texture));
            let flags = [
                (picture.is_some(), FACE_PICTURE),
                (texture.is_linear, FACE_LINEAR),
            ];
            let uniform = SkyFaceUniform {
                ahead,
                right,
                down,
                color: sky_box.color,
                flags: flags
                    .iter()
                    .filter(|(on, _)| *on)
                    .map(|(_, flag)| flag)
                    .sum(),
                uv_scale: picture.map_or([1.0; 2], |picture| picture.uv_scale),
                ..SkyFaceUniform::zeroed()
            };
            let uniform = self.uniform_buffer("sky face", &uniform);
            self.gpu
                .device
                .create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("sky face"),
                    layout: &self.layouts.sky_face,
                    entries: &[
                        wgpu::BindGroupEntry {
                            binding: 0,
                            resource: uniform.as_entire_binding(),
                        },
                        view_entry((1, &texture.view)),
                        sampler_entry(2, textures.clamped()),
                    ],
                })
        })
    }
}
