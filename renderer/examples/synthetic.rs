//! Draws a scene made of formulas: hills with two ground textures, a decal layer, a lake that continues as a sea,
//! a wood of 2,000 instances of one model, fog, and debug lines. Shows all that a loader must fill in for a
//! picture.
//!
//! `cargo run -p ironlands-renderer --example synthetic -- OUT.png [overview|shore|lines|back]`
//!
//! You should see green hills with rocky tops and scattered trees, brighter on the side of the sun, fading into a
//! pale horizon.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "levels of detail are lists of ranges"
)]

use std::{error::Error, ops::Range};

use glam::{Vec2, Vec3};
use ironlands_renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, Switches,
    capture,
};
use ironlands_scene::{
    Aabb, Addressing, Affine, Batch, Blend, Cluster, Fog, FogFalloff, Instance, LodGrid, Material,
    MaterialIdx, Mesh, Model, ModelIdx, ModelNode, ModelPiece, Overlay, OverlayVertex, Pass,
    PassKind, PieceLod, PixelFormat, Scene, Sky, Sphere, Sun, Texture, TextureIdx, Water,
};

const SIZE_PX: [u32; 2] = [1280, 720];
const N_TILES: usize = 16;
const TILE_QUADS: usize = 8;
const QUAD: f32 = 6.0;
/// Vertices of a row of the whole ground, and of all of it.
const ROW: usize = N_TILES * TILE_QUADS + 1;
const N_VERTICES: usize = ROW * ROW;
const SKIRT: f32 = 3.0;
const WATER_LEVEL: f32 = 0.0;
const SIDE: f32 = (N_TILES * TILE_QUADS) as f32 * QUAD;

const GRASS: MaterialIdx = MaterialIdx(0);
const ROCK: MaterialIdx = MaterialIdx(1);
const WATER: MaterialIdx = MaterialIdx(2);
const BARK: MaterialIdx = MaterialIdx(3);
const NEEDLES: MaterialIdx = MaterialIdx(4);
const N_TREES: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .unwrap_or_else(|| "synthetic.png".to_owned());
    let view = arguments.next().unwrap_or_else(|| "overview".to_owned());

    let gpu = Gpu::offscreen(&GpuOptions::default())?;
    let target = OffscreenTarget::new(&gpu, SIZE_PX)?;
    let mut renderer = Renderer::new(&gpu, target.format(), RenderSettings::default())?;
    let scene = renderer.upload(&gpu, &hills())?;
    renderer.draw(&gpu, &scene, &frame(&view)?, target.view(), None)?;
    capture(&gpu, &target)?.save(&path)?;
    Ok(())
}

fn frame(view: &str) -> Result<FrameState, String> {
    let look = |from: [f32; 3], to: [f32; 3]| FrameState {
        camera: Camera {
            position: from.into(),
            ..Camera::default()
        }
        .looking_at(to.into()),
        time_secs: 3.0,
        ..FrameState::default()
    };
    match view {
        "overview" => Ok(look([60.0, 40.0, 130.0], [400.0, 420.0, 0.0])),
        "shore" => Ok(FrameState {
            switches: Switches {
                clouds: true,
                ..Switches::default()
            },
            ..look([330.0, -30.0, 9.0], [410.0, 330.0, 45.0])
        }),
        "back" => Ok(look(
            [SIDE * 0.5, SIDE + 120.0, 60.0],
            [SIDE * 0.3, 0.0, 0.0],
        )),
        "lines" => Ok(FrameState {
            overlays: vec![0],
            highlight: vec![[[390.0, 396.0], [420.0, 396.0], [420.0, 430.0]].map(on_ground)],
            ..look([300.0, 300.0, 90.0], [420.0, 420.0, 10.0])
        }),
        other => Err(format!(
            "no view {other}; there are overview, shore, back, lines"
        )),
    }
}

fn hills() -> Scene {
    let fog = Fog {
        color: [0.72, 0.80, 0.88],
        start: 250.0,
        end: 900.0,
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: None,
    };
    Scene {
        name: "hills".to_owned(),
        textures: vec![
            speckled("grass", [88, 116, 58], 40.0, |_| 255),
            speckled("rock", [128, 118, 104], 60.0, |_| 255),
            speckled("moss", [74, 92, 46], 40.0, |noise| {
                ((noise - 0.42) * 1500.0).clamp(0.0, 255.0) as u8
            }),
            speckled("water", [40, 78, 92], 14.0, |_| 255),
        ],
        materials: materials(),
        meshes: vec![ground(), lake()],
        models: vec![tree()],
        instances: wood(),
        sun: Sun {
            direction_to_sun: Vec3::new(-0.55, 0.35, 0.62).normalize().to_array(),
            ..Sun::default()
        },
        sky: Sky {
            horizon: fog.color,
            ..Sky::default()
        },
        fog: Some(fog),
        water: Some(Water {
            level: WATER_LEVEL,
            material: WATER,
            uv_per_unit: 1.0 / 24.0,
            level_min: [0.0; 2],
            level_max: [SIDE; 2],
            bed: None,
        }),
        overlays: vec![contour_grid()],
        ..Scene::default()
    }
}

fn materials() -> Vec<Material> {
    let pass = |kind, texture| Pass {
        kind,
        texture: Some(TextureIdx(texture)),
        ..Pass::default()
    };
    let decal = Pass {
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..pass(PassKind::Decal, 2)
    };
    let water = Pass {
        blend: Some(Blend::ALPHA),
        diffuse: [1.0, 1.0, 1.0, 0.7],
        depth_write: false,
        ..pass(PassKind::Water, 3)
    };
    let tinted = |diffuse: [f32; 4], texture| Pass {
        diffuse,
        ambient: [diffuse[0], diffuse[1], diffuse[2]],
        ..pass(PassKind::Base, texture)
    };
    let material = |name: &str, passes| Material {
        name: name.to_owned(),
        passes,
    };
    vec![
        material("grass", vec![pass(PassKind::Base, 0)]),
        material("mossy rock", vec![pass(PassKind::Base, 1), decal]),
        material("water", vec![water]),
        material("bark", vec![tinted([0.7, 0.55, 0.4, 1.0], 1)]),
        material("needles", vec![tinted([0.55, 0.8, 0.5, 1.0], 0)]),
    ]
}

/// One cluster per tile; its finest level has all quads, its coarse one every second vertex. Both have skirts,
/// which hide the cracks between a fine tile and a coarse neighbor.
fn ground() -> Mesh {
    let mut mesh = Mesh {
        name: "ground".to_owned(),
        lod_grid: Some(LodGrid {
            origin: [0.0; 2],
            cell_size: [TILE_QUADS as f32 * QUAD; 2],
            coarse_beyond_sq: 8,
        }),
        ..Mesh::default()
    };
    // The upper layer is the ground, the lower one the ends of the skirts.
    for lowered_by in [0.0, SKIRT] {
        for i in 0..N_VERTICES {
            let place = Vec2::new((i % ROW) as f32, (i / ROW) as f32) * QUAD;
            let slope = |step: Vec2| height(place + step) - height(place - step);
            let normal = Vec3::new(-slope(Vec2::X), -slope(Vec2::Y), 2.0).normalize();
            let position = place.extend(height(place) - lowered_by);
            mesh.positions.push(position.to_array());
            mesh.normals.push(normal.to_array());
            mesh.uv_sets[0].push((place / 20.0).to_array());
            mesh.uv_sets[1].push((place / 3.0).to_array());
        }
    }
    for tile in 0..N_TILES * N_TILES {
        let cell = [tile % N_TILES, tile / N_TILES];
        let first_index = mesh.indices.len();
        let fine = tile_batches(&mut mesh, cell, 1);
        let coarse = tile_batches(&mut mesh, cell, 2);
        let corners = mesh.indices[first_index..]
            .iter()
            .map(|i| &mesh.positions[*i as usize]);
        mesh.clusters.push(Cluster {
            bounds: Aabb::around(corners).expect("a tile has vertices"),
            cell: cell.map(|c| c as i32),
            lods: vec![fine, coarse],
            cells: Vec::new(),
        });
    }
    mesh
}

/// The quads of a tile with vertices `step` apart, and its skirts, as one batch per material.
fn tile_batches(mesh: &mut Mesh, cell: [usize; 2], step: usize) -> Range<u32> {
    let first_batch = mesh.batches.len() as u32;
    for material in [GRASS, ROCK] {
        let first_index = mesh.indices.len() as u32;
        for y in (0..TILE_QUADS).step_by(step) {
            for x in (0..TILE_QUADS).step_by(step) {
                let low = (cell[1] * TILE_QUADS + y) * ROW + cell[0] * TILE_QUADS + x;
                let is_rock = mesh.positions[low][2] > 26.0;
                if is_rock != (material == ROCK) {
                    continue;
                }
                let [a, b, c, d] = [low, low + step, low + step * (ROW + 1), low + step * ROW];
                push_quad(mesh, [a, b, c, d]);
                let last = TILE_QUADS - step;
                let borders = [
                    (y == 0, [b, a]),
                    (x == last, [c, b]),
                    (y == last, [d, c]),
                    (x == 0, [a, d]),
                ];
                for (_, [from, to]) in borders.into_iter().filter(|(is_border, _)| *is_border) {
                    push_quad(mesh, [from, to, to + N_VERTICES, from + N_VERTICES]);
                }
            }
        }
        mesh.batches.push(Batch {
            first_index,
            n_indices: mesh.indices.len() as u32 - first_index,
            material,
        });
    }
    first_batch..mesh.batches.len() as u32
}

fn push_quad(mesh: &mut Mesh, corners: [usize; 4]) {
    let [a, b, c, d] = corners.map(|corner| corner as u32);
    mesh.indices.extend([a, b, c, a, c, d]);
}

/// Water over the whole level; hills stand in it.
fn lake() -> Mesh {
    let corners = [[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]];
    let positions = corners.map(|[x, y]| [x, y, WATER_LEVEL]).to_vec();
    let uvs = corners.map(|corner| corner.map(|v| v / 24.0)).to_vec();
    Mesh {
        name: "lake".to_owned(),
        clusters: vec![Cluster {
            bounds: Aabb::around(&positions).expect("there are four corners"),
            cell: [0; 2],
            lods: vec![0..1],
            cells: Vec::new(),
        }],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        uv_sets: [uvs.clone(), uvs],
        positions,
        indices: vec![0, 1, 2, 0, 2, 3],
        batches: vec![Batch {
            first_index: 0,
            n_indices: 6,
            material: WATER,
        }],
        ..Mesh::default()
    }
}

/// A trunk, and a crown on a node of its own at its top, with fewer sides where it is small on the screen.
fn tree() -> Model {
    let mut mesh = Mesh {
        name: "tree".to_owned(),
        ..Mesh::default()
    };
    let mut cone = |n_sides, radius, height, material| PieceLod {
        batches: push_cone(&mut mesh, n_sides, radius, height, material),
        bounds: Sphere {
            center: [0.0, 0.0, height * 0.5],
            radius: (radius * radius + height * height * 0.25).sqrt(),
        },
    };
    let trunk = vec![cone(5, 0.5, 6.0, BARK)];
    let crown = vec![cone(12, 2.2, 7.0, NEEDLES), cone(4, 2.2, 7.0, NEEDLES)];
    let piece = |node, lods| ModelPiece {
        node,
        state: 0,
        lods,
    };
    Model {
        name: "tree".to_owned(),
        nodes: vec![
            ModelNode::default(),
            ModelNode {
                parent: Some(0),
                parent_from_node: scaled_at([1.0; 3], [0.0, 0.0, 2.0]),
                ..ModelNode::default()
            },
        ],
        pieces: vec![piece(0, trunk), piece(1, crown)],
        mesh,
        joints: Vec::new(),
        lod_sizes: vec![0.1],
        bounds: Sphere {
            center: [0.0, 0.0, 4.5],
            radius: 5.0,
        },
    }
}

/// A cone on the ground as one batch.
fn push_cone(
    mesh: &mut Mesh,
    n_sides: u16,
    radius: f32,
    height: f32,
    material: MaterialIdx,
) -> Range<u32> {
    let first_index = mesh.indices.len() as u32;
    for side in 0..n_sides {
        let toward = |share: f32| {
            let turn = (f32::from(side) + share) / f32::from(n_sides) * std::f32::consts::TAU;
            Vec3::new(turn.cos(), turn.sin(), 0.0)
        };
        let first_vertex = mesh.positions.len() as u32;
        for (share, up) in [(0.0, 0.0), (1.0, 0.0), (0.5, height)] {
            let normal = toward(share) * height + Vec3::Z * radius;
            let position = if up > 0.0 {
                Vec3::Z * up
            } else {
                toward(share) * radius
            };
            mesh.positions.push(position.to_array());
            mesh.normals.push(normal.normalize().to_array());
            mesh.uv_sets[0].push([f32::from(side) + share, up / 4.0]);
            mesh.uv_sets[1].push([0.0; 2]);
        }
        mesh.indices.extend(first_vertex..first_vertex + 3);
    }
    let batch = mesh.batches.len() as u32;
    mesh.batches.push(Batch {
        first_index,
        n_indices: mesh.indices.len() as u32 - first_index,
        material,
    });
    batch..batch + 1
}

/// Trees of many sizes on the dry ground below the rocks.
fn wood() -> Vec<Instance> {
    // Steps by the golden ratio's kin fill a square evenly and never in rows.
    let places = (1..).map(|i: u16| {
        let step = Vec2::new(0.754_877_7, 0.569_840_3) * f32::from(i);
        step.fract() * SIDE
    });
    let dry = places.filter(|place| (2.0..26.0).contains(&height(*place)));
    let tree_on = |place: Vec2| {
        let [width, tall] = [7.0, 5.0].map(|size| 0.7 + (place.x * size).sin().abs() * 0.6);
        Instance {
            name: "tree".to_owned(),
            model: ModelIdx(0),
            world_from_model: scaled_at([width, width, tall], on_ground(place.to_array()).into()),
            ..Instance::default()
        }
    };
    dry.take(N_TREES).map(tree_on).collect()
}

fn scaled_at([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> Affine {
    Affine([[a, 0.0, 0.0, x], [0.0, b, 0.0, y], [0.0, 0.0, c, z]])
}

/// Lines along the tiles' borders, on the ground, and one filled tile.
fn contour_grid() -> Overlay {
    let vertex = |place: [f32; 2], color| OverlayVertex {
        position: on_ground(place).to_array(),
        color,
    };
    let mut overlay = Overlay {
        name: "tiles".to_owned(),
        ..Overlay::default()
    };
    let n_steps = N_TILES * TILE_QUADS;
    for line in 0..=N_TILES {
        let across = (line * TILE_QUADS) as f32 * QUAD;
        for step in 0..n_steps {
            let [from, to] = [step, step + 1].map(|step| step as f32 * QUAD);
            let red = [230, 60, 40, 255];
            overlay
                .lines
                .extend([[from, across], [to, across]].map(|place| vertex(place, red)));
            let blue = [60, 120, 255, 255];
            overlay
                .lines
                .extend([[across, from], [across, to]].map(|place| vertex(place, blue)));
        }
    }
    let tile = [[432.0, 432.0], [480.0, 432.0], [480.0, 480.0]];
    overlay
        .triangles
        .extend(tile.map(|place| vertex(place, [80, 255, 120, 110])));
    overlay
}

fn on_ground([x, y]: [f32; 2]) -> Vec3 {
    let place = Vec2::new(x, y);
    place.extend(height(place).max(WATER_LEVEL))
}

fn height(place: Vec2) -> f32 {
    let wave = |x: f32, y: f32, phase: f32| (place.x * x + place.y * y + phase).sin();
    let hills = 22.0 * wave(0.013, 0.004, 0.4) * wave(-0.005, 0.016, 1.9)
        + 9.0 * wave(0.031, -0.022, 0.0)
        + 4.0 * wave(0.02, 0.07, 2.0) * wave(0.08, -0.03, 0.7);
    // A bowl with a rim, so that the level has a lake in the middle and a shore.
    let from_middle = (place - SIDE * 0.5).length() / (SIDE * 0.5);
    hills + 26.0 * (1.0 - (from_middle - 0.62).abs() * 2.6)
}

/// A tileable texture of one color with noise in it; `alpha` maps smooth noise in 0..1 to an alpha.
fn speckled(name: &str, color: [u8; 3], contrast: f32, alpha: impl Fn(f32) -> u8) -> Texture {
    const SIDE_PX: u32 = 256;
    let mut pixels = Vec::new();
    for y in 0..SIDE_PX {
        for x in 0..SIDE_PX {
            let octave = |size: u32| tileable_noise(x, y, size, SIDE_PX / size);
            let smooth = octave(64) * 0.5 + octave(32) * 0.3 + octave(16) * 0.2;
            let rough = smooth * 0.5 + octave(4) * 0.3 + octave(1) * 0.2;
            let change = (rough - 0.5) * 2.0 * contrast;
            pixels.extend(color.map(|c| (f32::from(c) + change) as u8));
            pixels.push(alpha(smooth));
        }
    }
    Texture {
        name: name.to_owned(),
        width: SIDE_PX,
        height: SIDE_PX,
        format: PixelFormat::Rgba8,
        n_layers: 1,
        mips: vec![pixels],
        addressing: Addressing::Repeat,
    }
}

/// Smooth noise in 0..1 with cells of `size` pixels, `n_cells` of which make the texture.
fn tileable_noise(x: u32, y: u32, size: u32, n_cells: u32) -> f32 {
    let lattice = |x: u32, y: u32| {
        let mut bits = ((x % n_cells) * 0x1F + size).wrapping_mul(0x9E37_79B1)
            ^ ((y % n_cells) * 0x35 + size).wrapping_mul(0x85EB_CA77);
        bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
        bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
        ((bits ^ (bits >> 15)) >> 8) as f32 / (1 << 24) as f32
    };
    let eased = |v: u32| {
        let inside = (v % size) as f32 / size as f32;
        inside * inside * (3.0 - 2.0 * inside)
    };
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let [cell_x, cell_y] = [x / size, y / size];
    let low = mix(
        lattice(cell_x, cell_y),
        lattice(cell_x + 1, cell_y),
        eased(x),
    );
    let high = mix(
        lattice(cell_x, cell_y + 1),
        lattice(cell_x + 1, cell_y + 1),
        eased(x),
    );
    mix(low, high, eased(y))
}
