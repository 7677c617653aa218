//! Draws a room in light that was computed beforehand: two lamps, one of which flickers, a floor with bumps, a heap
//! where two textures meet, balls in ambient light, and through a window a sky box and a tower far away.
//!
//! `cargo run -p ironlands-renderer --example lit_room -- OUT.png [SECONDS]`
//!
//! You should see a warm room whose right side is blue in the first half of each second, three balls, and behind
//! the window a tower before an evening sky.

use std::{error::Error, f32::consts::PI};

use glam::{Vec2, Vec3};
use half::f16;
use ironlands_renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, capture,
};
use ironlands_scene::{
    Aabb, Addressing, Affine, AmbientCube, Backdrop, Batch, BlendTexture, Cluster, Fog, FogFalloff,
    Instance, LightStyle, Lighting, Lightmap, Material, MaterialIdx, Mesh, Model, ModelIdx,
    ModelNode, ModelPiece, NormalMap, Pass, PieceLod, PixelFormat, Scene, SkyBox, SkyFace, Sphere,
    Texture, TextureIdx, VisNode, Visibility,
};

const SIZE_PX: [u32; 2] = [1280, 720];
const ROOM: Vec3 = Vec3::new(12.0, 8.0, 4.0);
/// Position and color of each style's lamp.
const LAMPS: [(Vec3, Vec3); 2] = [
    (Vec3::new(3.0, 5.0, 3.4), Vec3::new(3.4, 2.6, 1.7)),
    (Vec3::new(9.0, 1.5, 2.6), Vec3::new(0.5, 1.1, 3.0)),
];
const AMBIENT: f32 = 0.05;
/// Texels of a side of lightmaps.
const LIGHT_SIDE: u32 = 32;
const TEXTURE_SIDE: u32 = 64;
/// Cell of the tower.
const OUTSIDE: u32 = 1;
const OUTSIDE_ORIGIN: [f32; 3] = [1000.0, 0.0, 0.0];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .unwrap_or_else(|| "lit_room.png".to_owned());
    let time_secs = arguments.next().map_or(Ok(0.0), |secs| secs.parse())?;

    let gpu = Gpu::offscreen(&GpuOptions::default())?;
    let target = OffscreenTarget::new(&gpu, SIZE_PX)?;
    let mut renderer = Renderer::new(&gpu, target.format(), RenderSettings::default())?;
    let scene = renderer.upload(&gpu, &room())?;
    let state = FrameState {
        camera: Camera {
            position: Vec3::new(0.6, 1.2, 2.1),
            near: 0.05,
            ..Camera::default()
        }
        .looking_at(Vec3::new(8.0, 4.2, 1.5)),
        time_secs,
        ..FrameState::default()
    };
    renderer.draw(&gpu, &scene, &state, target.view(), None)?;
    capture(&gpu, &target)?.save(&path)?;
    Ok(())
}

fn room() -> Scene {
    let mut scene = Scene {
        name: "lit room".to_owned(),
        light_styles: vec![
            LightStyle {
                factors: vec![1.0],
                factors_per_sec: 0.0,
            },
            LightStyle {
                factors: vec![1.0, 0.0],
                factors_per_sec: 2.0,
            },
        ],
        visibility: Some(Visibility {
            nodes: vec![VisNode {
                plane: [1.0, 0.0, 0.0, 500.0],
                children: [-2, -1],
            }],
            leaf_cells: vec![Some(0), Some(OUTSIDE)],
            rows: vec![None; 2],
            coded: Vec::new(),
        }),
        ..Scene::default()
    };
    let plaster = add_texture(&mut scene, |at| speckle(at, [0.78, 0.74, 0.68], 0.05));
    let tiles = add_texture(&mut scene, |at| {
        let is_joint = (at * 4.0).fract().min_element() < 0.06;
        speckle(
            at,
            if is_joint {
                [0.3; 3]
            } else {
                [0.72, 0.55, 0.42]
            },
            0.06,
        )
    });
    let bumps = add_texture(&mut scene, |at| {
        let inside = ((at * 4.0).fract() - 0.5) * 1.6;
        let normal = Vec3::new(inside.x, -inside.y, 1.2).normalize();
        (normal * 0.5 + 0.5).to_array()
    });
    add_walls(&mut scene, plaster);
    let [x, y] = [Vec3::X * ROOM.x, Vec3::Y * ROOM.y];
    let floor = Part {
        corner: y,
        sides: [x, -y],
        texture: tiles,
        normals: Some(bumps),
        height: |_| 0.0,
    };
    add_part(&mut scene, &floor);
    let heap = Part {
        corner: Vec3::new(6.5, 5.5, 0.01),
        sides: [Vec3::X * 4.0, -Vec3::Y * 4.0],
        texture: tiles,
        normals: None,
        height: |at| (1.0 - (at - 0.5).length() * 2.0).max(0.0).powi(2) * 1.1,
    };
    add_part(&mut scene, &heap);
    let rock = add_texture(&mut scene, |at| speckle(at, [0.35, 0.42, 0.25], 0.16));
    blend_by_height(&mut scene, rock);
    add_balls(&mut scene, plaster);
    add_outside(&mut scene);
    scene
}

/// A rectangle: a corner, the sides that u and v follow from there, and how far it is lifted along its normal.
struct Part {
    corner: Vec3,
    sides: [Vec3; 2],
    texture: TextureIdx,
    normals: Option<TextureIdx>,
    height: fn(Vec2) -> f32,
}

impl Part {
    /// v runs down, so that the sides are clockwise around the normal.
    fn normal(&self) -> Vec3 {
        self.sides[1].cross(self.sides[0]).normalize()
    }

    fn point(&self, at: Vec2) -> Vec3 {
        let [u, v] = self.sides;
        self.corner + u * at.x + v * at.y + self.normal() * (self.height)(at)
    }
}

/// All sides but the floor, and the one with the window in pieces.
fn add_walls(scene: &mut Scene, texture: TextureIdx) {
    let [x, y, z] = [Vec3::X * ROOM.x, Vec3::Y * ROOM.y, Vec3::Z * ROOM.z];
    let end = |y: [f32; 2], z: [f32; 2]| {
        let sides = [Vec3::Y * (y[0] - y[1]), Vec3::Z * (z[0] - z[1])];
        (Vec3::new(ROOM.x, y[1], z[1]), sides)
    };
    let walls = [
        (z, [x, y]),
        (y + z, [x, -z]),
        (x + z, [-x, -z]),
        (z, [y, -z]),
        end([0.0, 2.5], [0.0, 4.0]),
        end([6.5, 8.0], [0.0, 4.0]),
        end([2.5, 6.5], [0.0, 1.2]),
        end([2.5, 6.5], [3.0, 4.0]),
    ];
    for (corner, sides) in walls {
        let wall = Part {
            corner,
            sides,
            texture,
            normals: None,
            height: |_| 0.0,
        };
        add_part(scene, &wall);
    }
}

fn add_part(scene: &mut Scene, part: &Part) {
    const N: usize = 16;
    let light = store_light(scene, part);
    let material = add_material(
        scene,
        Pass {
            texture: Some(part.texture),
            lighting: Lighting::Lightmap,
            lightmap: Some(Lightmap {
                texture: light,
                styles: vec![0, 1],
                normal_map: part.normals.map(|texture| NormalMap {
                    texture,
                    is_self_shadowed: false,
                }),
            }),
            ..Pass::default()
        },
    );
    let mut mesh = Mesh::default();
    let lengths = Vec2::from(part.sides.map(Vec3::length));
    for i in 0..(N + 1) * (N + 1) {
        let at = Vec2::new((i % (N + 1)) as f32, (i / (N + 1)) as f32) / N as f32;
        mesh.positions.push(part.point(at).to_array());
        mesh.normals.push(part.normal().to_array());
        mesh.uv_sets[0].push((at * lengths / 4.0).to_array());
        mesh.uv_sets[1].push(at.to_array());
    }
    for i in 0..N * N {
        let low = (i / N * (N + 1) + i % N) as u32;
        let high = low + N as u32 + 1;
        mesh.indices
            .extend([low, high, high + 1, low, high + 1, low + 1]);
    }
    add_mesh(scene, mesh, material, &[0]);
}

/// The light of each lamp, on the surface and, where there are bumps, along the three directions.
fn store_light(scene: &mut Scene, part: &Part) -> TextureIdx {
    let [s, t, n] = [
        part.sides[0].normalize(),
        -part.sides[1].normalize(),
        part.normal(),
    ];
    let (a, b, c) = (
        (2.0f32 / 3.0).sqrt(),
        (1.0f32 / 6.0).sqrt(),
        (1.0f32 / 3.0).sqrt(),
    );
    let along = [
        s * a + n * c,
        s * -b + t * 0.5f32.sqrt() + n * c,
        s * -b - t * 0.5f32.sqrt() + n * c,
    ];
    let mut directions = vec![n];
    directions.extend(along.into_iter().filter(|_| part.normals.is_some()));
    let mut bytes = Vec::new();
    for lamp in 0..LAMPS.len() {
        for direction in &directions {
            for i in 0..LIGHT_SIDE * LIGHT_SIDE {
                let texel = Vec2::new((i % LIGHT_SIDE) as f32, (i / LIGHT_SIDE) as f32) + 0.5;
                let point = part.point(texel / LIGHT_SIDE as f32);
                let light = light_of_lamp(lamp, point, *direction).extend(1.0);
                bytes.extend(light.to_array().map(|v| f16::from_f32(v).to_le_bytes()));
            }
        }
    }
    scene.textures.push(Texture {
        name: "light".to_owned(),
        width: LIGHT_SIDE,
        height: LIGHT_SIDE,
        format: PixelFormat::Rgba16Float,
        n_layers: (LAMPS.len() * directions.len()) as u32,
        mips: vec![bytes.concat()],
        addressing: Addressing::Clamp,
    });
    TextureIdx(scene.textures.len() as u32 - 1)
}

fn light_of_lamp(lamp: usize, point: Vec3, direction: Vec3) -> Vec3 {
    let (place, color) = LAMPS[lamp];
    let toward = place - point;
    let cosine = toward.normalize().dot(direction).max(0.0);
    let around = if lamp == 0 { AMBIENT } else { 0.0 };
    color * cosine / (0.3 + toward.length_squared()) + around
}

/// Lets the last mesh fade to another texture, the higher it lies.
fn blend_by_height(scene: &mut Scene, texture: TextureIdx) {
    let Some((mesh, material)) = scene.meshes.last_mut().zip(scene.materials.last_mut()) else {
        return;
    };
    let weight = |position: &[f32; 3]| [0.0, 0.0, 0.0, (position[2] * 1.2).min(1.0)];
    mesh.colors = mesh.positions.iter().map(weight).collect();
    material.passes[0].blend_texture = Some(BlendTexture {
        texture,
        transition: None,
    });
}

/// Balls of 16 by 8 quads in the light from six sides.
fn add_balls(scene: &mut Scene, texture: TextureIdx) {
    const AROUND: u32 = 16;
    const DOWN: u32 = 8;
    let pass = Pass {
        texture: Some(texture),
        lighting: Lighting::Ambient,
        ..Pass::default()
    };
    let material = add_material(scene, pass);
    let mut mesh = Mesh::default();
    for i in 0..(AROUND + 1) * (DOWN + 1) {
        let [across, down] = [(i % (AROUND + 1)) as f32, (i / (AROUND + 1)) as f32];
        let (turn, tilt) = (across / AROUND as f32 * 2.0 * PI, down / DOWN as f32 * PI);
        let normal = Vec3::new(tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos());
        mesh.positions.push((normal * 0.5).to_array());
        mesh.normals.push(normal.to_array());
        mesh.uv_sets[0].push([turn, tilt]);
        mesh.uv_sets[1].push([0.0; 2]);
    }
    for i in 0..AROUND * DOWN {
        let low = i / AROUND * (AROUND + 1) + i % AROUND;
        let high = low + AROUND + 1;
        mesh.indices
            .extend([low, high, high + 1, low, high + 1, low + 1]);
    }
    mesh.batches = vec![batch(&mesh, material)];
    let bounds = Sphere {
        center: [0.0; 3],
        radius: 0.5,
    };
    scene.models.push(Model {
        name: "ball".to_owned(),
        nodes: vec![ModelNode::default()],
        mesh,
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod {
                bounds,
                batches: 0..1,
            }],
        }],
        bounds,
        ..Model::default()
    });
    for place in [[3.2, 4.6, 1.6], [5.2, 6.2, 0.9], [8.4, 2.6, 1.2]] {
        let axes = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
        let light =
            |axis| light_of_lamp(0, place.into(), axis) + light_of_lamp(1, place.into(), axis);
        let [x, y, z] = place;
        scene.instances.push(Instance {
            name: "ball".to_owned(),
            model: ModelIdx(0),
            world_from_model: Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]),
            light: Some(AmbientCube(axes.map(|axis| light(axis).to_array()))),
            cells: vec![0],
            ..Instance::default()
        });
    }
}

/// A tower a sixteenth as large as it looks, and an evening around it.
fn add_outside(scene: &mut Scene) {
    let stone = add_texture(scene, |at| speckle(at, [0.25, 0.2, 0.24], 0.1));
    let pass = Pass {
        texture: Some(stone),
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let material = add_material(scene, pass);
    let [x, y] = [OUTSIDE_ORIGIN[0] + 12.0, 4.2];
    let mut mesh = Mesh::default();
    let corners = [
        [y + 0.5, -3.0],
        [y - 0.5, -3.0],
        [y - 0.4, 0.6],
        [y, 1.1],
        [y + 0.4, 0.6],
    ];
    for [y, z] in corners {
        mesh.positions.push([x, y, z]);
        mesh.normals.push([-1.0, 0.0, 0.0]);
        mesh.uv_sets[0].push([y, -z]);
        mesh.uv_sets[1].push([0.0; 2]);
    }
    mesh.indices = vec![0, 1, 2, 0, 2, 4, 4, 2, 3];
    add_mesh(scene, mesh, material, &[OUTSIDE]);
    scene.backdrop = Some(Backdrop {
        origin: OUTSIDE_ORIGIN,
        scale: 16.0,
        fog: Some(Fog {
            color: [0.85, 0.55, 0.4],
            start: 0.0,
            end: 400.0,
            falloff: FogFalloff::Linear,
            density: 0.8,
            layer: None,
        }),
        cells: vec![OUTSIDE],
    });
    let side = add_texture(scene, |at| {
        let low = Vec3::new(0.95, 0.6, 0.38);
        low.lerp(Vec3::new(0.3, 0.35, 0.6), 1.0 - at.y).to_array()
    });
    scene.textures[side.0 as usize].addressing = Addressing::Clamp;
    let face = Some(SkyFace {
        texture: side,
        uv_scale: [1.0, 2.0],
    });
    scene.sky_box = Some(SkyBox {
        faces: [face, face, face, face, None, None],
        color: [0.3, 0.35, 0.6],
    });
}

fn add_mesh(scene: &mut Scene, mut mesh: Mesh, material: MaterialIdx, cells: &[u32]) {
    mesh.batches = vec![batch(&mesh, material)];
    mesh.clusters = vec![Cluster {
        bounds: Aabb::around(&mesh.positions).expect("it has vertices"),
        cell: [0; 2],
        lods: std::iter::once(0..1).collect(),
        cells: cells.to_vec(),
    }];
    scene.meshes.push(mesh);
}

fn batch(mesh: &Mesh, material: MaterialIdx) -> Batch {
    Batch {
        first_index: 0,
        n_indices: mesh.indices.len() as u32,
        material,
    }
}

fn add_material(scene: &mut Scene, pass: Pass) -> MaterialIdx {
    scene.materials.push(Material {
        name: format!("material {}", scene.materials.len()),
        passes: vec![pass],
    });
    MaterialIdx(scene.materials.len() as u32 - 1)
}

/// A picture of a formula over 0..1 in u and v.
fn add_texture(scene: &mut Scene, color: impl Fn(Vec2) -> [f32; 3]) -> TextureIdx {
    let mut pixels = Vec::new();
    for i in 0..TEXTURE_SIDE * TEXTURE_SIDE {
        let texel = Vec2::new((i % TEXTURE_SIDE) as f32, (i / TEXTURE_SIDE) as f32) + 0.5;
        pixels.extend(color(texel / TEXTURE_SIDE as f32).map(|v| (v * 255.0).round() as u8));
        pixels.push(255);
    }
    scene.textures.push(Texture {
        name: format!("texture {}", scene.textures.len()),
        width: TEXTURE_SIDE,
        height: TEXTURE_SIDE,
        n_layers: 1,
        mips: vec![pixels],
        ..Texture::default()
    });
    TextureIdx(scene.textures.len() as u32 - 1)
}

/// A color, a little brighter or darker from pixel to pixel.
fn speckle(at: Vec2, color: [f32; 3], contrast: f32) -> [f32; 3] {
    let [x, y] = (at * TEXTURE_SIDE as f32).to_array().map(|v| v as u32);
    let mut bits = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
    let noise = ((bits ^ (bits >> 15)) >> 8) as f32 / (1 << 24) as f32 - 0.5;
    color.map(|channel| (channel + noise * contrast).clamp(0.0, 1.0))
}
