//! Small scenes and pictures of them, on the software adapter, so that every machine sees the same.
//!
//! The camera stands at the origin and looks along +X: -Y is to the right of the picture, +Z up.

use std::sync::OnceLock;

use image::RgbaImage;
use ironlands_renderer::{
    FrameState, FrameStats, Gpu, GpuOptions, HudFrame, OffscreenTarget, RenderSettings, Renderer,
    Switches, capture,
};
use ironlands_scene::{
    Aabb, Addressing, Batch, Blend, Cluster, Lighting, Material, MaterialIdx, Mesh, Pass, PassKind,
    PixelFormat, Scene, Sky, Texture, TextureIdx,
};

/// Not a multiple of 64 pixels wide: rows come back padded and must be cut.
pub const SIZE: [u32; 2] = [72, 48];
pub const CENTER: [u32; 2] = [36, 24];

/// What is seen where nothing is: the sky's horizon, far from all colors of the tests.
pub const BACKGROUND: [u8; 3] = [51, 0, 102];

pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let options = GpuOptions {
            force_software: true,
        };
        Gpu::offscreen(&options).unwrap_or_else(|error| panic!("these tests draw: {error}"))
    })
}

/// A picture without multisampling.
pub fn shoot(scene: &Scene, state: &FrameState) -> RgbaImage {
    shoot_with(scene, state, 1, None).0
}

pub fn shoot_with(
    scene: &Scene,
    state: &FrameState,
    msaa_samples: u32,
    hud: Option<HudFrame>,
) -> (RgbaImage, FrameStats) {
    let gpu = gpu();
    let settings = RenderSettings::new(msaa_samples, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let scene = renderer.upload(gpu, scene).expect("a valid scene");
    let stats = renderer
        .draw(gpu, &scene, state, target.view(), hud)
        .expect("a frame");
    (capture(gpu, &target).expect("a picture"), stats)
}

/// Pictures that one renderer draws one after the other.
pub fn shoot_each(scene: &Scene, states: &[FrameState]) -> Vec<RgbaImage> {
    let gpu = gpu();
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let scene = renderer.upload(gpu, scene).expect("the scene is valid");
    let mut pictures = Vec::new();
    for state in states {
        renderer
            .draw(gpu, &scene, state, target.view(), None)
            .expect("a frame");
        pictures.push(capture(gpu, &target).expect("a picture"));
    }
    pictures
}

/// No sky, so that the background is [`BACKGROUND`].
pub fn state() -> FrameState {
    FrameState {
        switches: Switches {
            sky: false,
            ..Switches::default()
        },
        ..FrameState::default()
    }
}

pub fn empty() -> Scene {
    Scene {
        sky: Sky {
            horizon: BACKGROUND.map(|channel| f32::from(channel) / 255.0),
            ..Sky::default()
        },
        ..Scene::default()
    }
}

/// An unlit pass of one color.
pub fn unlit(scene: &mut Scene, color: [u8; 4]) -> Pass {
    Pass {
        texture: Some(solid(scene, color)),
        lighting: Lighting::Unlit,
        ..Pass::default()
    }
}

pub fn solid(scene: &mut Scene, color: [u8; 4]) -> TextureIdx {
    texture(scene, [1, 1], color.to_vec())
}

pub fn texture(scene: &mut Scene, [width, height]: [u32; 2], pixels: Vec<u8>) -> TextureIdx {
    scene.textures.push(Texture {
        name: format!("texture {}", scene.textures.len()),
        width,
        height,
        format: PixelFormat::Rgba8,
        n_layers: 1,
        mips: vec![pixels],
        addressing: Addressing::Clamp,
    });
    TextureIdx(scene.textures.len() as u32 - 1)
}

pub fn material(scene: &mut Scene, passes: Vec<Pass>) -> MaterialIdx {
    scene.materials.push(Material {
        name: format!("material {}", scene.materials.len()),
        passes,
    });
    MaterialIdx(scene.materials.len() as u32 - 1)
}

/// A wall across the view at `x`, so large that it fills the picture; its front faces the camera.
pub fn add_wall(scene: &mut Scene, x: f32, material: MaterialIdx) {
    add_quad(scene, wall_corners(x), [-1.0, 0.0, 0.0], material);
}

/// Bottom left, bottom right, top right, top left as the camera sees them.
pub fn wall_corners(x: f32) -> [[f32; 3]; 4] {
    let half = x.abs();
    [
        [x, half, -half],
        [x, -half, -half],
        [x, -half, half],
        [x, half, half],
    ]
}

/// A mesh of one quad with the corners counter-clockwise from its front; the first corner shows the texture's
/// bottom left, the third its top right.
pub fn add_quad(
    scene: &mut Scene,
    corners: [[f32; 3]; 4],
    normal: [f32; 3],
    material: MaterialIdx,
) {
    let uvs = vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    scene.meshes.push(Mesh {
        name: format!("quad {}", scene.meshes.len()),
        positions: corners.to_vec(),
        normals: vec![normal; 4],
        uv_sets: [uvs, vec![[0.5, 0.5]; 4]],
        indices: vec![0, 1, 2, 0, 2, 3],
        batches: vec![Batch {
            first_index: 0,
            n_indices: 6,
            material,
        }],
        clusters: vec![Cluster {
            bounds: Aabb::around(&corners).expect("four corners"),
            cell: [0, 0],
            lods: vec![0..1],
            cells: Vec::new(),
        }],
        ..Mesh::default()
    });
}

/// Every channel of a pixel is within `tolerance` of what is expected.
#[track_caller]
pub fn assert_pixel(picture: &RgbaImage, [x, y]: [u32; 2], expected: [u8; 3], tolerance: u8) {
    let [r, g, b, a] = picture.get_pixel(x, y).0;
    let near = [r, g, b]
        .iter()
        .zip(expected)
        .all(|(found, expected)| found.abs_diff(expected) <= tolerance);
    assert!(near, "({x}, {y}) is {:?}, not {expected:?}", [r, g, b]);
    assert_eq!(a, 255, "a picture is opaque whatever was blended");
}

/// A wall 10 ahead with these passes: kind, color, blend.
pub fn passes_on_wall(passes: &[(PassKind, [u8; 4], Option<Blend>)]) -> Scene {
    let mut scene = empty();
    let passes = passes
        .iter()
        .map(|(kind, color, blend)| Pass {
            kind: *kind,
            blend: *blend,
            depth_write: blend.is_none(),
            ..unlit(&mut scene, *color)
        })
        .collect();
    let material = material(&mut scene, passes);
    add_wall(&mut scene, 10.0, material);
    scene
}

pub fn gray(value: u8) -> [u8; 4] {
    [value, value, value, 255]
}
