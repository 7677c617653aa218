//! Skies that days paint themselves -> uniforms and pictures.

use ironlands_scene::{DayCycle, PaintedSky, Scene, SpriteFrame};

use super::{
    Uploader,
    emitters::Pictures,
    materials::{sampler_entry, view_entry},
    textures::Textures,
};
use crate::{
    RenderError,
    passes::painted_sky::{GpuPaintedSky, PaintedSkyUniform},
};

impl Uploader<'_> {
    /// For each day its own sky, if it has one.
    pub(super) fn upload_painted_skies(
        &self,
        scene: &Scene,
        textures: &Textures,
    ) -> Result<Vec<Option<GpuPaintedSky>>, RenderError> {
        let upload = |day: &DayCycle| {
            let painted = day.painted.as_ref();
            painted.map(|it| self.upload_painted_sky(scene, it, textures))
        };
        (scene.days.iter())
            .map(|day| upload(day).transpose())
            .collect()
    }

    fn upload_painted_sky(
        &self,
        scene: &Scene,
        sky: &PaintedSky,
        textures: &Textures,
    ) -> Result<GpuPaintedSky, RenderError> {
        let mut pictures = Pictures::default();
        let layers: Vec<u32> = sky.frames().map(|it| pictures.layer(it)).collect();
        if layers.is_empty() {
            // A texture has at least one layer.
            pictures.layer(&SpriteFrame::default());
        }
        let sprites = self.upload_texture(&pictures.joined("sky", scene), None)?;
        // Until the first frame writes its own.
        let start = PaintedSkyUniform::new(sky, &layers, 0.0, [1.0, 0.0, 0.0]);
        let uniform = self.uniform_buffer("painted sky", &start);
        let [backdrop, clouds] =
            [&sky.backdrop, &sky.clouds].map(|it| it.map(|picture| picture.texture));
        let bind_group = (self.gpu.device).create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("painted sky"),
            layout: &self.layouts.painted_sky,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: uniform.as_entire_binding(),
                },
                view_entry((1, &sprites.layers)),
                sampler_entry(2, textures.clamped()),
                view_entry((3, &textures.get(backdrop).view)),
                view_entry((4, &textures.get(clouds).view)),
                sampler_entry(5, textures.repeating()),
            ],
        });
        Ok(GpuPaintedSky {
            uniform,
            bind_group,
            layers,
        })
    }
}
